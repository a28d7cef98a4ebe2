//! The tools as rules may speak of them, for checks of rules.

use std::collections::BTreeMap;

use redline_permissions::check::{KnownArgument, KnownTool};
use serde_json::{Map, Value, json};

use crate::{
    Registry, Resource, ToolDefinition,
    dialect::{ruled_name, ruled_names},
};

impl Registry {
    /// Every tool with the names that a rule may have for it and for its arguments.
    pub fn known(&self) -> Vec<KnownTool> {
        self.tools().map(known).collect()
    }
}

fn known(tool: &ToolDefinition) -> KnownTool {
    let schema = &tool.spec.input_schema;
    let mut types: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, property) in properties(schema) {
        let own = of_type(property);
        types.entry(ruled_name(name)).or_insert_with(|| own.clone());
        types.insert(name, own);
    }
    // A list of edits is seen as if its texts were the call's own.
    let edits = schema.pointer("/properties/edits/items").map(properties);
    for (name, _) in edits.into_iter().flatten() {
        types.entry(ruled_name(name)).or_insert_with(|| vec!["array".to_owned()]);
    }
    let paths = paths(tool);
    let argument = |(name, types): (&str, Vec<String>)| KnownArgument {
        is_path: paths.iter().any(|path| path == name),
        name: name.to_owned(),
        types,
    };
    KnownTool {
        names: ruled_names(&tool.spec.name).into_iter().map(str::to_owned).collect(),
        arguments: types.into_iter().map(argument).collect(),
        proposes: tool.spec.meta.proposes,
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let all = schema.get("properties").and_then(Value::as_object);
    all.into_iter().flatten().map(|(name, property)| (name.as_str(), property))
}

fn of_type(property: &Value) -> Vec<String> {
    match property.get("type") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(all)) => {
            all.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// The arguments that name files: those of which the tool says so when all are given.
fn paths(tool: &ToolDefinition) -> Vec<String> {
    let keys = tool.execution_profile.as_ref().and_then(|profile| profile.resource_keys);
    let Some(keys) = keys else { return Vec::new() };
    let sample = |(name, property): (&str, &Value)| {
        let value = match of_type(property).first().map(String::as_str) {
            Some("array") => json!(["x"]),
            Some("object") => json!({}),
            Some("number" | "integer") => json!(1),
            Some("boolean") => json!(false),
            _ => json!("x"),
        };
        (name.to_owned(), value)
    };
    let args: Map<String, Value> = properties(&tool.spec.input_schema).map(sample).collect();
    let found = keys(&Value::Object(args)).into_iter().filter_map(|key| match key.key {
        Resource::File { argument, .. } => Some(argument),
        _ => None,
    });
    found.flat_map(|name| [ruled_name(&name).to_owned(), name]).collect()
}

#[cfg(test)]
mod tests {
    use redline_permissions::{
        Policy,
        check::{FlawKind, check},
    };

    use crate::builtin;

    #[test]
    fn paths_and_names_are_found() {
        let known = builtin().known();
        let of = |tool: &str, argument: &str| {
            let tools = known.iter().filter(|known| known.names.iter().any(|name| name == tool));
            tools.flat_map(|tool| &tool.arguments).find(|it| it.name == argument).cloned()
        };
        for (tool, argument, is_path) in [
            ("edit_file", "path", true),
            ("edit_file", "old_str", false),
            ("Read", "path", true),
            ("Bash", "cmd", false),
            ("multi_edit", "path", true),
            ("multi_edit", "old_str", false),
        ] {
            let found = of(tool, argument).map(|argument| argument.is_path);
            assert_eq!(found, Some(is_path), "{tool} {argument}");
        }
        assert_eq!(of("Bash", "command").is_some(), of("bash", "command").is_some());
    }

    #[test]
    fn the_built_in_rules_are_about_tools_that_there_are() {
        let policy = Policy::builtin();
        let flaws = check(policy.builtin_rules(), &builtin().known());
        let never: Vec<_> = flaws.iter().filter(|flaw| flaw.kind == FlawKind::Never).collect();
        assert!(never.is_empty(), "{never:#?}");
    }
}
