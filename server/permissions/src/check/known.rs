//! The tools that there are, as far as rules can speak of them.

use crate::Rule;
use crate::tool::ToolGlob;

/// A tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownTool {
    /// All names that a rule may be written against, its own first.
    pub names: Vec<String>,
    /// What it takes, under the names that rules have for it.
    pub arguments: Vec<KnownArgument>,
    /// Whether an *ask* becomes hunks that the user reviews.
    pub proposes: bool,
}

/// An argument of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownArgument {
    /// Its name.
    pub name: String,
    /// Its types, as JSON Schema has them; empty: any.
    pub types: Vec<String>,
    /// Whether it names a file or folder.
    pub is_path: bool,
}

impl KnownTool {
    pub(super) fn name(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    pub(super) fn argument(&self, name: &str) -> Option<&KnownArgument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }

    pub(super) fn path_argument(&self) -> Option<&KnownArgument> {
        self.arguments.iter().find(|argument| argument.is_path)
    }

    pub(super) fn is_bash(&self) -> bool {
        self.names.iter().any(|name| name == "Bash")
    }
}

/// The tools that a rule is for.
pub(super) fn matched<'t>(rule: &Rule, tools: &'t [KnownTool]) -> Vec<&'t KnownTool> {
    let Ok(glob) = ToolGlob::new(&rule.tool) else { return Vec::new() };
    tools.iter().filter(|tool| tool.names.iter().any(|name| glob.is_match(name))).collect()
}

/// Whether it can be for tools that nobody knows here: those of MCP servers and toolboxes.
pub(super) fn may_be_foreign(glob: &str) -> bool {
    may_be(glob, 0)
}

/// How many braces are taken apart; what is behind more of them may be anything.
const MAX_BRACES: usize = 4;

fn may_be(glob: &str, depth: usize) -> bool {
    let start = glob.find(|c| "*?[{\\".contains(c)).unwrap_or(glob.len());
    let (fixed, rest) = glob.split_at(start);
    let fixed = fixed.to_lowercase();
    let prefixes = ["mcp__", "tb__"];
    if rest.is_empty() || prefixes.iter().any(|prefix| fixed.starts_with(prefix)) {
        return prefixes.iter().any(|prefix| fixed.starts_with(prefix));
    }
    let group = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
    match group.filter(|(inner, _)| depth < MAX_BRACES && !inner.contains('{')) {
        Some((inner, rest)) => {
            inner.split(',').any(|one| may_be(&format!("{fixed}{one}{rest}"), depth + 1))
        }
        None => prefixes.iter().any(|prefix| prefix.starts_with(fixed.as_str())),
    }
}

/// The one that was probably meant.
pub(super) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let word = word.to_lowercase();
    let most = (word.chars().count() / 3).clamp(1, 3);
    let rated = names.map(|name| (distance(&word, &name.to_lowercase()), name));
    rated.filter(|(distance, _)| *distance <= most).min().map(|(_, name)| name)
}

/// Levenshtein's, of words short enough that a table is cheap.
fn distance(one: &str, other: &str) -> usize {
    const LONGEST: usize = 64;
    let other: Vec<char> = other.chars().take(LONGEST).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().take(LONGEST).enumerate() {
        let mut diagonal = i;
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
        for (j, b) in other.iter().enumerate() {
            let (Some(&left), Some(&above)) = (row.get(j), row.get(j + 1)) else { break };
            let changed = diagonal + usize::from(a != *b);
            diagonal = above;
            if let Some(cell) = row.get_mut(j + 1) {
                *cell = changed.min(left + 1).min(above + 1);
            }
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name() {
        let names = ["edit_file", "Read", "Bash", "create_file"];
        let check = |word: &str, want: Option<&str>| {
            assert_eq!(nearest(word, names.into_iter()), want, "{word}");
        };
        check("edit-file", Some("edit_file"));
        check("bsh", Some("Bash"));
        check("read", Some("Read"));
        check("mermaid", None);
        check("", None);
    }

    #[test]
    fn globs_that_can_be_about_foreign_tools() {
        let check = |glob: &str, want: bool| assert_eq!(may_be_foreign(glob), want, "{glob}");
        for glob in [
            "*",
            "**/my-tool",
            "mcp__playwright__*",
            "tb__x",
            "MCP__x",
            "m*",
            "{a,tb__b}",
            "t?",
            "{a,b*,*}",
        ] {
            check(glob, true);
        }
        for glob in ["Bash", "edit_*", "mcp", "b*", "mcp_x*", "{a,b}", "{Read,Edit}*", "bash_{a,b}"]
        {
            check(glob, false);
        }
    }
}
