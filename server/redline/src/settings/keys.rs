//! Keys that set nothing. Rules under a mistyped key would count for nothing, and nobody would know:
//! rejects least of all.

use super::{
    Author,
    jsonc::{Kind, Node},
};

/// Every setting there is, that of the server and those of the editors, without prefix.
const KNOWN: [&str; 21] = [
    "provider",
    "model",
    "script",
    "dialect",
    "saveOnAccept",
    "review",
    "review.wait",
    RULES,
    "toolbox",
    "mcpServers",
    "bundles",
    "skills",
    "webSearch",
    "check",
    "audit",
    "server",
    "server.path",
    "trace.server",
    "asks",
    "notifyOnTurnEnd",
    "expandLimit",
];
/// Parts of an editor's section that stand there as objects or are of the editor alone.
const OF_EDITORS: [&str; 2] = ["trusted", "trace"];

/// The setting that holds rules, without prefix.
const RULES: &str = "permissions";

/// What a key is that sets nothing here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// Somebody else's, or one that is not read yet.
    Fine,
    /// Meant to be this one, which holds rules.
    Rules(&'static str),
    /// Nothing of ours; the name that comes nearest, if one is near.
    Stray(Option<String>),
}

/// What that key of a settings file, or of the editor's section, is.
pub(super) fn unread(key: &str, node: &Node, author: Author) -> Unread {
    let is_editor = author == Author::Editor;
    let own = key.strip_prefix("redline.");
    if let Some(rules) = misspelt(key, is_editor).or_else(|| inside(key, node)) {
        return Unread::Rules(rules);
    }
    match own.or(is_editor.then_some(key)) {
        Some(name) if KNOWN.contains(&name) => Unread::Fine,
        Some(name) if is_editor && OF_EDITORS.contains(&name) => Unread::Fine,
        // Somebody else's, in an editor that sends more than was asked for.
        Some(name) if own.is_none() && name.contains('.') => Unread::Fine,
        Some(name) => {
            let near = KNOWN.iter().find(|known| distance(name, known) <= 2);
            let prefix = if is_editor { "" } else { "redline." };
            Unread::Stray(near.map(|near| format!("{prefix}{near}")))
        }
        None if key == "redline" => Unread::Stray(Some("redline.…".to_owned())),
        None => Unread::Fine,
    }
}

/// The key of rules that this one stands for, be it misspelt or not, as the editor's section has it.
pub fn rules_meant(key: &str) -> Option<&'static str> {
    match key {
        "amp.permissions" => Some("amp.permissions"),
        "permissions" | "redline.permissions" => Some("permissions"),
        _ => misspelt(key, true).map(|meant| meant.strip_prefix("redline.").unwrap_or(meant)),
    }
}

fn misspelt(key: &str, is_editor: bool) -> Option<&'static str> {
    let lower = key.to_lowercase();
    let meant = |name: &str| !name.contains('.') && distance(name, RULES) <= 2;
    if lower.strip_prefix("amp.").is_some_and(meant) {
        return (key != "amp.permissions").then_some("amp.permissions");
    }
    let is_ours = lower.strip_prefix("redline.").unwrap_or(&lower);
    let is_right = key == "redline.permissions" || is_editor && key == RULES;
    let is_near = meant(is_ours) || distance(&lower, "redline.permissions") <= 2;
    (is_near && !is_right).then_some("redline.permissions")
}

/// `"redline": {"permissions": …}`: keys are written with dots.
fn inside(key: &str, node: &Node) -> Option<&'static str> {
    let whole = match key {
        "redline" => "redline.permissions",
        "amp" => "amp.permissions",
        _ => return None,
    };
    let Kind::Object(members) = &node.kind else { return None };
    let is_meant = |name: &str| distance(&name.to_lowercase(), RULES) <= 2;
    members.iter().any(|(name, ..)| is_meant(name)).then_some(whole)
}

/// How many chars have to be put in, taken out or changed to make one of the other. Of long names:
/// many.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > 2 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, a) in one.iter().enumerate() {
        let mut next = vec![at + 1];
        for ((b, pair), above) in other.iter().zip(row.windows(2)).zip(row.iter().skip(1)) {
            let left = next.last().copied().unwrap_or_default();
            let diagonal = pair.first().copied().unwrap_or_default();
            next.push((diagonal + usize::from(a != b)).min(left + 1).min(above + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::jsonc;

    fn of(key: &str, author: Author) -> Unread {
        unread(key, &jsonc::parse("[]").unwrap(), author)
    }

    #[test]
    fn a_misspelt_key_of_rules_is_known_as_one() {
        let ours =
            ["redline.permisions", "redline.permission", "redline.Permissions", "permissions"];
        let ours =
            ours.into_iter().chain(["Redline.permissions", "redlin.permissions", "permision"]);
        for key in ours {
            assert_eq!(of(key, Author::User), Unread::Rules("redline.permissions"), "{key}");
        }
        for key in ["amp.permission", "amp.Permissions", "Amp.permissions"] {
            assert_eq!(of(key, Author::User), Unread::Rules("amp.permissions"), "{key}");
        }
        for key in ["permision", "redline.permision"] {
            assert_eq!(of(key, Author::Editor), Unread::Rules("redline.permissions"), "{key}");
        }
        let nested = jsonc::parse("{\"permissions\": []}").unwrap();
        let got = unread("redline", &nested, Author::User);
        assert_eq!(got, Unread::Rules("redline.permissions"));
    }

    #[test]
    fn what_is_of_others_or_of_later_is_fine() {
        let fine = ["redline.review.wait", "redline.toolbox", "redline.mcpServers", "redline.asks"];
        let fine =
            fine.into_iter().chain(["amp.tools.disable", "editor.fontSize", "x.permissions"]);
        for key in fine.chain(["files", "$schema", "omission"]) {
            assert_eq!(of(key, Author::User), Unread::Fine, "{key}");
        }
        for key in ["trusted", "review", "trace", "server", "editor.fontSize"] {
            assert_eq!(of(key, Author::Editor), Unread::Fine, "{key}");
        }
    }

    #[test]
    fn an_unknown_key_of_ours_is_a_stray() {
        let check = |key, author, near: Option<&str>| {
            assert_eq!(of(key, author), Unread::Stray(near.map(str::to_owned)), "{key}");
        };
        check("redline.modle", Author::User, Some("redline.model"));
        check("redline.colour", Author::User, None);
        check("skill", Author::Editor, Some("skills"));
        check("colour", Author::Editor, None);
    }
}
