//! Families of tools with the same names and other schemas. A dialect is a thin table over the same
//! operations (DESIGN, section 3, "Dialects").

use std::{borrow::Cow, collections::BTreeMap, fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The family that a model is offered and whose names are looked up first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// Amp's tools (seeds 000 and 001).
    #[default]
    Amp,
    /// Agent Air's tools (seed 002).
    AgentAir,
    /// Amplifier's tools (seed 003).
    Amplifier,
}

impl Dialect {
    /// All of them, in the order in which foreign names are looked up.
    pub const ALL: [Dialect; 3] = [Dialect::Amp, Dialect::AgentAir, Dialect::Amplifier];

    /// The name in settings and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Amp => "amp",
            Dialect::AgentAir => "agent-air",
            Dialect::Amplifier => "amplifier",
        }
    }
}

/// A text that names no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no dialect {0:?}; use amp, agent-air or amplifier")]
pub struct UnknownDialect(String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let found = Self::ALL.into_iter().find(|dialect| dialect.name() == name);
        found.ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Old names of tools (seed 001, "Tool Name Resolution"), with those that only the other families
/// have.
pub(crate) const ALIASES: [(&str, &str); 13] = [
    ("read", "Read"),
    ("read_file", "Read"),
    ("Write", "create_file"),
    ("write", "create_file"),
    ("write_file", "create_file"),
    ("Edit", "edit_file"),
    ("edit", "edit_file"),
    ("Delete", "delete_file"),
    ("delete", "delete_file"),
    ("run_terminal_command", "Bash"),
    ("bash", "Bash"),
    ("grep", "Grep"),
    ("MultiEdit", "multi_edit"),
];

/// The other names of a tool: a rule may be written against any of them.
pub(crate) fn aliases(name: &str) -> impl Iterator<Item = &str> {
    ALIASES.iter().filter(move |(_, now)| *now == name).map(|(old, _)| *old)
}

/// Tools that do what another one does, in another form: rules on the second catch the first.
const RULED_AS: [(&str, &str); 7] = [
    ("multi_edit", "edit_file"),
    ("undo_edit", "edit_file"),
    ("format_file", "edit_file"),
    ("read_file", "Read"),
    ("write_file", "create_file"),
    ("bash", "Bash"),
    ("grep", "Grep"),
];

/// All names that a rule about the tool may be written against, its own first.
pub(crate) fn ruled_names(name: &str) -> Vec<&str> {
    let others = RULED_AS.iter().filter(|(one, _)| *one == name).map(|(_, other)| *other);
    let all = std::iter::once(name).chain(others);
    let mut names: Vec<&str> = Vec::new();
    for other in all.flat_map(|name| std::iter::once(name).chain(aliases(name))) {
        if !names.contains(&other) {
            names.push(other);
        }
    }
    names
}

/// What the families call the same argument. Values must mean the same: Agent Air's and
/// Amplifier's `offset` count from different numbers, so they are not here.
const SAME_ARGUMENT: [&[&str]; 5] = [
    &["path", "file_path"],
    &["old_str", "old_string"],
    &["new_str", "new_string"],
    &["cmd", "command"],
    &["cwd", "working_dir"],
];

/// Gives arguments, and those in a list of objects, the names that `schema` has for them. An
/// argument that the schema knows, or whose right name is there as well, is left alone.
pub(crate) fn normalise(args: &mut Value, schema: &Value) {
    let (Some(args), Some(known)) = (args.as_object_mut(), properties(schema)) else { return };
    for (name, schema) in known {
        let items = args.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten();
        if let Some(schema) = schema.get("items") {
            items.for_each(|item| normalise(item, schema));
        }
    }
    for names in SAME_ARGUMENT {
        let Some(right) = names.iter().find(|name| known.contains_key(**name)) else { continue };
        if args.contains_key(*right) {
            continue;
        }
        let foreign = |name: &&&str| args.contains_key(**name) && !known.contains_key(**name);
        if let Some(name) = names.iter().find(foreign) {
            rename(args, name, right);
        }
    }
}

/// The name that rules have for an argument: Amp's.
pub(crate) fn ruled_name(argument: &str) -> &str {
    let group = SAME_ARGUMENT.iter().find(|names| names.contains(&argument));
    group.and_then(|names| names.first()).copied().unwrap_or(argument)
}

/// Arguments as rules see them: with Amp's names besides, and with the texts of a list of edits as
/// if they were the call's own, so that a rule on `edit_file` need not know its sisters.
pub(crate) fn ruled(args: &Value) -> Cow<'_, Value> {
    let is_amps = |name: &String| ruled_name(name) == name && name != "edits";
    let Some(given) = args.as_object().filter(|given| !given.keys().all(is_amps)) else {
        return Cow::Borrowed(args);
    };
    let mut all = given.clone();
    for (name, value) in given {
        all.entry(ruled_name(name)).or_insert_with(|| value.clone());
    }
    let edits = given.get("edits").and_then(Value::as_array).into_iter().flatten();
    let parts = edits.filter_map(Value::as_object).flatten();
    let mut lists: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (name, value) in parts {
        lists.entry(ruled_name(name)).or_default().push(value.clone());
    }
    for (name, values) in lists {
        all.entry(name).or_insert(Value::Array(values));
    }
    Cow::Owned(Value::Object(all))
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

fn rename(args: &mut Map<String, Value>, from: &str, to: &str) {
    let renamed = std::mem::take(args).into_iter();
    *args = renamed.map(|(k, v)| (if k == from { to.to_owned() } else { k }, v)).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_round_trip() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.name().parse(), Ok(dialect));
            assert_eq!(serde_json::to_value(dialect).unwrap(), dialect.name());
        }
        assert!("claude".parse::<Dialect>().is_err());
    }

    #[test]
    fn arguments_of_a_sister_dialect_get_our_names() {
        let schema = json!({"properties": {"path": {}, "old_str": {}, "new_str": {}}});
        let check = |args: Value, want: Value| {
            let mut got = args;
            normalise(&mut got, &schema);
            assert_eq!(got, want);
        };
        check(
            json!({"file_path": "a", "old_string": "b", "new_string": "c"}),
            json!({"path": "a", "old_str": "b", "new_str": "c"}),
        );
        check(json!({"path": "a", "file_path": "b"}), json!({"path": "a", "file_path": "b"}));
        check(json!({"command": "ls"}), json!({"command": "ls"}));
        check(json!("text"), json!("text"));
        let mut own = json!({"file_path": "a"});
        normalise(&mut own, &json!({"properties": {"file_path": {}}}));
        assert_eq!(own, json!({"file_path": "a"}));
        let listed =
            json!({"properties": {"edits": {"items": {"properties": {"old_string": {}}}}}});
        let mut edits = json!({"edits": [{"old_str": "a"}, "text", {"old_string": "b"}]});
        normalise(&mut edits, &listed);
        assert_eq!(edits, json!({"edits": [{"old_string": "a"}, "text", {"old_string": "b"}]}));
    }

    #[test]
    fn rules_see_amps_names() {
        assert_eq!(
            ruled_names("multi_edit"),
            ["multi_edit", "MultiEdit", "edit_file", "Edit", "edit"]
        );
        assert_eq!(ruled_names("edit_file"), ["edit_file", "Edit", "edit"]);
        assert_eq!(ruled_names("Grep"), ["Grep", "grep"]);
        let edits = json!([{"old_string": "a", "replace_all": true}, {"old_string": "b"}, 1]);
        let args = json!({"file_path": "f", "edits": edits});
        let want = json!({
            "file_path": "f", "edits": edits, "path": "f", "old_str": ["a", "b"],
            "replace_all": [true],
        });
        assert_eq!(*ruled(&args), want);
        for own in [json!({"path": "a", "x": 1}), json!("text")] {
            assert!(matches!(ruled(&own), Cow::Borrowed(same) if *same == own));
        }
    }
}
