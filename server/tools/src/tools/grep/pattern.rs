//! The pattern, compiled.

use grep_regex::{Error, ErrorKind, RegexMatcher, RegexMatcherBuilder};

/// How the pattern is meant.
#[derive(Debug, Clone, Copy)]
pub(in crate::tools) struct Options {
    pub case_sensitive: bool,
    pub literal: bool,
    /// A match may span lines, and `.` takes line ends too.
    pub multiline: bool,
}

/// Bytes of a pattern: what is longer takes long to compile and finds nothing.
const MAX_BYTES: usize = 256 * 1024;
/// Bytes of the compiled pattern, and of what each thread remembers while it runs.
const MAX_COMPILED: usize = 32 * 1024 * 1024;

/// Bytes of the words about a pattern: they show it, and it may be long.
const MAX_WORDS: usize = 2_000;

/// What is wrong with a pattern, in words for whoever wrote it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(in crate::tools) enum PatternError {
    /// It is too long.
    #[error("The pattern has {0} bytes; at most {MAX_BYTES} are searched for. Search for a part.")]
    Long(usize),
    /// It can only match more than a line.
    #[error(
        "A pattern can not contain a line end: the search goes line by line. Search for one line of \
         it, and Read the place."
    )]
    LineEnd,
    /// It is no regex.
    #[error("{0}\nPatterns are Rust regexes: escape {{ and }} with \\.")]
    Regex(String),
}

/// A matcher, of single lines unless `multiline`. `$` also fits before `\r\n`, unless the pattern
/// itself is about `\r`.
///
/// # Errors
/// See `PatternError`.
pub(in crate::tools) fn compiled(
    pattern: &str,
    options: Options,
) -> Result<RegexMatcher, PatternError> {
    if pattern.len() > MAX_BYTES {
        return Err(PatternError::Long(pattern.len()));
    }
    let compiled = build(pattern, options, true).or_else(|error| match error.kind() {
        ErrorKind::NotAllowed(_) => build(pattern, options, false),
        _ => Err(error),
    });
    compiled.map_err(|error| explained(&error))
}

fn build(pattern: &str, options: Options, crlf: bool) -> Result<RegexMatcher, Error> {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .case_insensitive(!options.case_sensitive)
        .fixed_strings(options.literal)
        .multi_line(true)
        .dot_matches_new_line(options.multiline)
        .size_limit(MAX_COMPILED)
        .dfa_size_limit(MAX_COMPILED);
    if !options.multiline {
        builder.line_terminator(Some(b'\n'));
    }
    if crlf {
        builder.crlf(true);
    }
    // Which sets one.
    if options.multiline {
        builder.line_terminator(None);
    }
    builder.build(pattern)
}

fn explained(error: &Error) -> PatternError {
    if let ErrorKind::NotAllowed(_) = error.kind() {
        return PatternError::LineEnd;
    }
    let words = error.to_string();
    let last = words.lines().next_back().unwrap_or_default();
    PatternError::Regex(if words.len() > MAX_WORDS { last.to_owned() } else { words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use grep_matcher::Matcher;

    const PLAIN: Options = Options { case_sensitive: false, literal: false, multiline: false };
    const EXACT: Options = Options { case_sensitive: true, literal: false, multiline: false };
    const LITERAL: Options = Options { case_sensitive: false, literal: true, multiline: false };

    #[test]
    fn what_matches_a_line() {
        let check = |pattern: &str, options: Options, line: &str, want: bool| {
            let matcher = compiled(pattern, options).unwrap();
            assert_eq!(matcher.is_match(line.as_bytes()), Ok(want), "{pattern} {options:?} {line}");
        };
        check("hello", PLAIN, "Say HELLO", true);
        check("hello", EXACT, "Say HELLO", false);
        check("привет", PLAIN, "ПрИвЕт", true);
        check("s", PLAIN, "\u{17F}", true);
        check("k", PLAIN, "\u{212A}", true);
        check("a.c", LITERAL, "abc", false);
        check("A.C", LITERAL, "xa.cx", true);
        check("f(x) {", LITERAL, "f(x) {", true);
        check("end$", PLAIN, "the end\r\n", true);
        check("^$", PLAIN, "\r\n", true);
        check(r"\r$", PLAIN, "dos\r\n", true);
        check(r"\r$", PLAIN, "unix\n", false);
        check("-test", PLAIN, "-test", true);
        check(r"\{\}", PLAIN, "{}", true);
        check("a\\s+b", PLAIN, "a\nb", false);
    }

    #[test]
    fn errors_say_what_to_do() {
        let check = |pattern: &str, options: Options, want: &str| {
            let error = compiled(pattern, options).unwrap_err().to_string();
            assert!(error.len() < 2 * MAX_WORDS);
            assert!(error.contains(want), "{pattern}: {error}");
        };
        check("foo(", PLAIN, "unclosed group");
        check("foo{", PLAIN, "escape { and } with \\");
        check(&"(".repeat(10_000), PLAIN, "escape { and } with \\");
        check("(?=x)", PLAIN, "look-around");
        check("a\nb", PLAIN, "line end");
        check("a\nb", LITERAL, "line end");
        check(r"\r\n", PLAIN, "line end");
        check(&"(a{1000}){1000}".repeat(3), PLAIN, "size limit");
    }
}
