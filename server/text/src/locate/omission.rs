//! Placeholders such as `// … rest of the code …`: written in place of code, they delete it.

/// What such a line speaks of, before or after its dots.
const WHAT: [&str; 8] =
    ["rest of", "the rest", "remaining", "existing", "unchanged", "previous", "other", "same"];
/// What it may add.
const NOUNS: [&str; 24] = [
    "code",
    "method",
    "methods",
    "function",
    "functions",
    "file",
    "class",
    "content",
    "contents",
    "implementation",
    "imports",
    "import",
    "lines",
    "logic",
    "as",
    "before",
    "the",
    "of",
    "your",
    "this",
    "here",
    "unchanged",
    "above",
    "stays",
];

/// The first placeholder in `new` that is not in `old` too.
pub(super) fn in_new(old: &str, new: &str) -> Option<String> {
    let olds: Vec<String> = old.lines().filter_map(placeholder).collect();
    let added = |line: &&str| placeholder(line).is_some_and(|found| !olds.contains(&found));
    new.lines().find(added).map(|line| line.trim().to_owned())
}

/// The first placeholder in a text.
pub(super) fn first(text: &str) -> Option<&str> {
    text.lines().find(|line| placeholder(line).is_some()).map(str::trim)
}

/// What a line says if it is nothing but a placeholder: dots and a few words that stand for code.
fn placeholder(line: &str) -> Option<String> {
    let inner = uncommented(line.trim());
    let inner = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(inner);
    let lower = inner.trim().to_lowercase().replace('…', "...");
    let words = lower.trim_matches(|c: char| c == '.' || c.is_whitespace());
    if words.len() == lower.trim().len() || !lower.contains("...") {
        return None;
    }
    let rest = WHAT.iter().find_map(|what| words.strip_prefix(what))?;
    let known = |word: &str| NOUNS.contains(&word);
    let noun = |word: &str| known(word.trim_matches(|c: char| !c.is_alphanumeric()));
    let starts_word = rest.is_empty() || rest.starts_with(char::is_whitespace);
    // In prose, "Previous…" is a link and "same as above…" a sentence.
    let marked = inner.len() < line.trim().len();
    let telling =
        marked || ["rest of ", "unchanged ", "existing "].iter().any(|w| words.starts_with(w));
    (telling && starts_word && rest.split_whitespace().all(noun)).then(|| words.to_owned())
}

fn uncommented(line: &str) -> &str {
    let line = line.strip_prefix('{').and_then(|line| line.strip_suffix('}')).unwrap_or(line);
    let pairs = [("/*", "*/"), ("<!--", "-->"), ("\"\"\"", "\"\"\"")];
    let paired = pairs.iter().find_map(|(a, b)| line.strip_prefix(a)?.strip_suffix(b));
    let marks = ["//", "#", "--", ";", "%"];
    let marked = || marks.iter().find_map(|mark| line.strip_prefix(mark));
    paired.or_else(marked).unwrap_or(line).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_whole_lines() {
        let is = |line: &str| assert!(placeholder(line).is_some(), "{line}");
        let not = |line: &str| assert_eq!(placeholder(line), None);
        is("// ... rest of code ...");
        is("    # ... existing code ...");
        is("(rest of methods ...)");
        is("rest of method ...");
        is("// … rest of the file");
        is("/* ... unchanged ... */");
        is("{/* ... existing code ... */}");
        is("<!-- ... rest of the content ... -->");
        is("// unchanged methods ...");
        not("const msg = \"(rest of methods ...)\";");
        not("// the rest of the code");
        not("...args");
        not("// ...");
        not("# other users ... see below");
        not("let [a, ...rest] = b;");
        not("Previous...");
        not("Same as above...");
        not("");
    }

    #[test]
    fn one_that_was_there_is_no_omission() {
        assert_eq!(in_new("// ... rest of code ...\na", "// ... rest of code ...\nb"), None);
        assert_eq!(
            in_new("a", "b\n  // ... rest of code ...").as_deref(),
            Some("// ... rest of code ...")
        );
    }
}
