//! Secrets in texts: by their shape, and by what stands before them.

use std::{borrow::Cow, sync::OnceLock};

use regex::{Captures, Regex};

use super::{REDACTED, is_secret_name};

/// Passes over one text. Each can bring a new one about where it has removed what stood beside; two
/// are enough for all that is known.
const PASSES: usize = 8;

/// A pattern, compiled when a text first has one of its needles: most texts have none, and a pattern
/// takes a millisecond.
struct Shape {
    /// In lower case. A text without any of them has no match.
    needles: &'static [&'static str],
    pattern: &'static str,
    by: By,
    compiled: OnceLock<Option<Regex>>,
}

enum By {
    /// `$1` and the like are parts of what was found.
    Text(&'static str),
    /// If the name is one of a secret.
    Name,
}

const fn shape(needles: &'static [&'static str], pattern: &'static str, by: &'static str) -> Shape {
    Shape { needles, pattern, by: By::Text(by), compiled: OnceLock::new() }
}

const fn named(pattern: &'static str) -> Shape {
    Shape { needles: &NAMES, pattern, by: By::Name, compiled: OnceLock::new() }
}

/// What the names of secrets have in them.
const NAMES: [&str; 9] =
    ["pass", "secret", "token", "cookie", "auth", "cred", "key", "pwd", "session"];

/// In this order: keys before what stands in them.
static SHAPES: [Shape; 18] = [
    // Keys and certificates, to the end of the text if theirs is missing.
    shape(
        &["-----begin"],
        r"(?s)-----BEGIN [A-Z0-9 ]{1,60}-----.*?(?:-----END [A-Z0-9 ]{1,60}-----|\z)",
        "[redacted]",
    ),
    // Amazon, GitHub, GitLab, OpenAI and Anthropic, Stripe, Slack, Google, npm, Hugging Face, PyPI,
    // Docker, web tokens.
    shape(&["akia", "asia"], r"(?-u:\b)(?:AKIA|ASIA)[A-Z0-9]{12,}", "[redacted]"),
    shape(
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        r"(?-u:\b)gh[opusr]_[A-Za-z0-9]{16,}",
        "[redacted]",
    ),
    shape(
        &["github_pat_", "glpat-", "npm_", "hf_", "dckr_pat_", "pypi-"],
        r"(?-u:\b)(?:github_pat_|glpat-|npm_|hf_|dckr_pat_|pypi-)[A-Za-z0-9_-]{16,}",
        "[redacted]",
    ),
    shape(
        &["sk-", "k_live_", "k_test_"],
        r"(?-u:\b)(?:sk-|[sr]k_(?:live|test)_)[A-Za-z0-9_-]{16,}",
        "[redacted]",
    ),
    shape(&["xox"], r"(?-u:\b)xox[a-z]-[A-Za-z0-9-]{8,}", "[redacted]"),
    shape(&["aiza"], r"(?-u:\b)AIza[A-Za-z0-9_-]{20,}", "[redacted]"),
    shape(&["ya29."], r"(?-u:\b)ya29\.[A-Za-z0-9_-]{16,}", "[redacted]"),
    shape(
        &["eyj"],
        r"(?-u:\b)eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?",
        "[redacted]",
    ),
    shape(&["bearer"], r"(?-u:\b)((?i:bearer)\s+)[A-Za-z0-9._~+/=-]{6,}", "$1[redacted]"),
    // Headers, up to the end of the line or of the quotes around them.
    shape(
        &["authorization", "cookie"],
        r#"(?-u:\b)((?i:(?:proxy-)?authorization|(?:set-)?cookie))(["']?\s*:\s*["']?)[^\r\n"']+"#,
        "$1$2[redacted]",
    ),
    // Addresses: the password, or what stands alone and is too long for a name.
    shape(&["://"], r#"([A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'<>]*:)[^\s/"'<>]+@"#, "$1[redacted]@"),
    shape(&["://"], r#"([A-Za-z][A-Za-z0-9+.-]*://)[^\s/:@"'<>]{20,}@"#, "$1[redacted]@"),
    // Options of programs whose value is a password, or ends in one.
    shape(
        &["curl", "wget", "http"],
        r#"(?-u:\b)((?:curl|wget|http)(?-u:\b)[^|;\n]*?\s(?:-u|--user|--proxy-user)[ =]?\s*["']?[^\s:"']+:)[^\s"']+"#,
        "$1[redacted]",
    ),
    shape(
        &["sshpass", "mysql"],
        r#"(?-u:\b)(sshpass\s+-p\s*|mysql(?:dump|admin)?(?-u:\b)[^|;\n]*?\s-p)[^\s"'|;-][^\s"'|;]*"#,
        "$1[redacted]",
    ),
    shape(
        &["login"],
        r#"(?-u:\b)((?:docker|podman|helm|buildah|oras)\s[^|;\n]*?login(?-u:\b)[^|;\n]*?\s-p[ =]?\s*)[^\s"'|;-][^\s"'|;]*"#,
        "$1[redacted]",
    ),
    // `NAME=value`, `NAME: value`, `"NAME": "value"`, and `--name value`. A `$` begins what is no secret
    // yet.
    named(
        r#"([A-Za-z0-9_.-]*[A-Za-z0-9])(["']?(?:\s*=\s*|\s*:\s*))(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'`;&|<>(),:=$][^\s"'`;&|<>(),]*))"#,
    ),
    named(
        r#"(--?[A-Za-z0-9][A-Za-z0-9_-]*)(\s+)(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'`;&|<>(),$-][^\s"'`;&|<>(),]*))"#,
    ),
];

impl Shape {
    fn is_possible(&self, lower: &str) -> bool {
        self.needles.iter().any(|needle| lower.contains(needle))
    }

    fn take_out(&self, text: &mut String) {
        let compile = || Regex::new(self.pattern).ok();
        // All of them compile: a test looks.
        let Some(pattern) = self.compiled.get_or_init(compile) else { return };
        let replaced = match self.by {
            By::Text(by) => pattern.replace_all(text, by),
            By::Name => pattern.replace_all(text, value_out),
        };
        if let Cow::Owned(replaced) = replaced {
            *text = replaced;
        }
    }
}

/// The text without secrets; `None`: it has none.
pub fn secrets_out(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let possible: Vec<&Shape> = SHAPES.iter().filter(|shape| shape.is_possible(&lower)).collect();
    if possible.is_empty() {
        return None;
    }
    let mut now = text.to_owned();
    for _ in 0..PASSES {
        let before = now.clone();
        // What is taken out brings no needle about that was not there.
        possible.iter().for_each(|shape| shape.take_out(&mut now));
        if now == before {
            break;
        }
    }
    (now != text).then_some(now)
}

/// What stands in the place of `NAME=value`.
fn value_out(found: &Captures<'_>) -> String {
    let part = |index: usize| found.get(index).map(|part| part.as_str());
    let all = part(0).unwrap_or_default();
    let (name, between) = (part(1).unwrap_or_default(), part(2).unwrap_or_default());
    if !is_secret_name(name) || part(3).or(part(4)) == Some("") {
        return all.to_owned();
    }
    let quote = match (part(3), part(4)) {
        (Some(text), _) if text.starts_with('$') => return all.to_owned(),
        (Some(_), _) => "\"",
        (_, Some(_)) => "'",
        _ => "",
    };
    format!("{name}{between}{quote}{REDACTED}{quote}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_patterns_compile() {
        for shape in &SHAPES {
            assert!(Regex::new(shape.pattern).is_ok(), "{}", shape.pattern);
            assert!(shape.needles.iter().all(|needle| *needle == needle.to_lowercase()));
        }
    }
}
