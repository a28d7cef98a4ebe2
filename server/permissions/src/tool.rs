//! Globs over tool names.

use globset::{GlobBuilder, GlobMatcher};

use crate::Problem;
use crate::glob::ValueGlob;

/// A glob over tool names, case-insensitive. Most rules name one tool or use only `*`: those are
/// compared as text, and cost no regular expression when rules are loaded.
#[derive(Debug, Clone)]
pub(crate) enum ToolGlob {
    /// Exactly one of these, folded.
    Names(Vec<String>),
    /// One of these, folded, for names without `/`.
    Stars(Vec<ValueGlob>),
    /// Whatever else a glob may hold.
    Other(Box<GlobMatcher>),
}

/// Bytes of a glob over tool names, and braces in it: more than any needs. Braces within braces are
/// compiled by recursion, and a glob that is too large to compile panics; either would let the
/// settings of a repository end the process.
const MAX_BYTES: usize = 1_000;
const MAX_BRACES: usize = 50;
const TOO_LONG: &str = "it is too long; write several rules";
/// More alternatives than this are left to one regular expression.
const MAX_ALTERNATIVES: usize = 64;

impl ToolGlob {
    pub(crate) fn new(glob: &str) -> Result<Self, Problem> {
        let fail = |reason: String| Problem::Tool { glob: glob.to_owned(), reason };
        if glob.is_empty() {
            return Err(fail("it is empty; write '*' for every tool".to_owned()));
        }
        if glob.starts_with('-') {
            return Err(fail("no tool's name starts with a dash".to_owned()));
        }
        if glob.len() > MAX_BYTES || glob.matches('{').count() > MAX_BRACES {
            return Err(Problem::Tool { glob: shortened(glob), reason: TOO_LONG.to_owned() });
        }
        if let Some(plain) = alternatives(glob) {
            let folded: Vec<String> = plain.iter().map(|one| fold(one)).collect();
            return Ok(if glob.contains('*') {
                ToolGlob::Stars(folded.iter().map(|one| ValueGlob::new(one)).collect())
            } else {
                ToolGlob::Names(folded)
            });
        }
        let mut builder = GlobBuilder::new(glob);
        let built = builder.case_insensitive(true).literal_separator(true).build();
        let built = built.map_err(|error| fail(error.kind().to_string()))?;
        Ok(ToolGlob::Other(Box::new(built.compile_matcher())))
    }

    /// Whether it matches a name.
    pub(crate) fn is_match(&self, name: &str) -> bool {
        self.matches(name, &fold(name))
    }

    /// Whether it matches a name; `folded` is that name, folded.
    pub(crate) fn matches(&self, name: &str, folded: &str) -> bool {
        match self {
            ToolGlob::Names(all) => all.iter().any(|one| one == folded),
            ToolGlob::Stars(all) => {
                !folded.contains('/') && all.iter().any(|one| one.matches(folded))
            }
            ToolGlob::Other(matcher) => matcher.is_match(name),
        }
    }
}

/// A name without regard to case. Of other letters than ASCII's it counts, as in globset.
pub(crate) fn fold(name: &str) -> String {
    name.to_ascii_lowercase()
}

fn shortened(glob: &str) -> String {
    glob.chars().take(40).chain(['…']).collect()
}

/// The globs without braces that a simple one stands for; `None` if it is not simple: something
/// else than `*` and one level of braces is special in it. `**` is special beside other things.
fn alternatives(glob: &str) -> Option<Vec<String>> {
    let is_plain = !glob.contains(['?', '[', ']', '\\', '/']);
    if !is_plain || glob.contains("**") {
        return None;
    }
    let mut all = vec![String::new()];
    let mut rest = glob;
    while let Some((before, after)) = rest.split_once('{') {
        let (inner, behind) = after.split_once('}')?;
        let choices: Vec<&str> = inner.split(',').collect();
        let is_odd = before.contains('}') || inner.contains('{') || choices.contains(&"");
        if is_odd || all.len() * choices.len() > MAX_ALTERNATIVES {
            return None;
        }
        let join = |start: &String| {
            choices.iter().map(|choice| format!("{start}{before}{choice}")).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(join).collect();
        rest = behind;
    }
    let is_odd = rest.contains('}');
    all.iter_mut().for_each(|one| one.push_str(rest));
    (!is_odd).then_some(all)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reference(glob: &str) -> Option<GlobMatcher> {
        let mut builder = GlobBuilder::new(glob);
        let built = builder.case_insensitive(true).literal_separator(true).build();
        built.ok().map(|glob| glob.compile_matcher())
    }

    fn check(glob: &str, name: &str) {
        let Ok(ours) = ToolGlob::new(glob) else { return };
        let theirs = reference(glob).unwrap();
        assert_eq!(ours.matches(name, &fold(name)), theirs.is_match(name), "{glob} on {name}");
    }

    #[test]
    fn simple_ones_are_compared_as_text() {
        for glob in ["Bash", "{edit_file,Edit}", "a{b,c}d", "é"] {
            assert!(matches!(ToolGlob::new(glob), Ok(ToolGlob::Names(_))), "{glob}");
        }
        for glob in ["*", "mcp__*", "*_file", "mcp__{a,b}__*"] {
            assert!(matches!(ToolGlob::new(glob), Ok(ToolGlob::Stars(_))), "{glob}");
        }
        for glob in ["**", "a/**", "quer?", "[ab]", "{a,{b,c}}", "{a,}"] {
            assert!(matches!(ToolGlob::new(glob), Ok(ToolGlob::Other(_))), "{glob}");
        }
        for name in ["K", "\u{212a}", "s", "ſ", "MCP__é", "É"] {
            for glob in ["k", "s", "é", "mcp__*", "K*"] {
                check(glob, name);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn it_matches_what_globset_matches(
            glob in "[aBé_*{},/?]{1,7}", name in "[Abé_/,]{0,6}",
        ) {
            check(&glob, &name);
        }
    }
}
