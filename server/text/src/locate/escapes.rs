//! Escapes: the caller typed `\n` where the file has a line break, or `\"` where it has `"`.

use super::{endings, exact, query::Found, query::Query, whitespace};

/// The chars that follow a backslash in an escape that somebody may have typed for the char itself.
const ESCAPED: &str = "ntr\"'`$\\";
/// Those that stand for white space.
const BLANK: &str = "ntr";
/// Those that stand for themselves.
const QUOTED: &str = "\"'`$";

/// Where old text is with chars in place of its escapes: of all of them, or only of those for white
/// space or only of those for quotes. Two readings that lead to different places count as two.
pub(super) fn find(query: &Query<'_>) -> Found {
    let mut found = Found::default();
    for (old, new) in readings(query) {
        let (old, new) = (old.as_str(), new.as_str());
        if old.trim().is_empty() {
            continue;
        }
        let read = query.with(old, new);
        let stages = [exact::find, endings::find, whitespace::find];
        let Some(there) = stages.iter().map(|stage| stage(&read)).find(|found| !found.is_empty())
        else {
            continue;
        };
        if found.is_empty() {
            found = there;
        } else if there.edits != found.edits {
            found.overlap = found.overlap.or(there.edits.first().map(|edit| edit.range.start));
        }
    }
    found
}

/// Old and new text without escapes. The new text is read as the old one is; where it has escapes
/// that the old one has not, nobody knows how to read it.
fn readings(query: &Query<'_>) -> Vec<(String, String)> {
    let (olds, news) = (kinds(query.old), kinds(query.new));
    if olds.is_empty() || news.chars().any(|kind| !olds.contains(kind)) {
        return Vec::new();
    }
    let part = |of: &str| olds.chars().filter(|&kind| of.contains(kind)).collect::<String>();
    let mut sets = vec![part(ESCAPED), part(BLANK), part(QUOTED)];
    sets.dedup();
    sets.retain(|set| !set.is_empty());
    sets.iter().map(|set| (without(query.old, set), without(query.new, set))).collect()
}

/// Which escapes are in a text: the chars after their backslashes, each once.
pub(super) fn kinds(text: &str) -> String {
    let mut kinds = String::new();
    each(text, |part| {
        if let Part::Escape(kind) = part
            && !kinds.contains(kind)
        {
            kinds.push(kind);
        }
    });
    kinds
}

/// The text with the chars themselves in place of escapes of these kinds.
pub(super) fn without(text: &str, kinds: &str) -> String {
    let mut out = String::with_capacity(text.len());
    each(text, |part| match part {
        Part::Escape('n') if kinds.contains('n') => out.push('\n'),
        Part::Escape('t') if kinds.contains('t') => out.push('\t'),
        Part::Escape('r') if kinds.contains('r') => out.push('\r'),
        Part::Escape(kind) if kinds.contains(kind) => out.push(kind),
        Part::Escape(kind) => out.extend(['\\', kind]),
        Part::Char(c) => out.push(c),
    });
    out
}

enum Part {
    Char(char),
    Escape(char),
}

fn each(text: &str, mut of: impl FnMut(Part)) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.next_if(|&next| c == '\\' && ESCAPED.contains(next)) {
            Some(kind) => of(Part::Escape(kind)),
            None => of(Part::Char(c)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_pairwise() {
        assert_eq!(kinds(r#"a\n\\n\"b\x\n"#), "n\\\"");
        assert_eq!(without(r"a\nb\\n\t", "n\\"), "a\nb\\n\\t");
        assert_eq!(without(r"\", "n"), r"\");
    }
}
