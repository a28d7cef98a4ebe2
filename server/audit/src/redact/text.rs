//! Secrets in texts: by their shape, and by what stands before them.

use std::{borrow::Cow, sync::LazyLock};

use regex::{Captures, Regex, Replacer};

use super::{REDACTED, is_secret_name};

/// Passes over one text. Each can bring a new one about where it has removed what stood beside; two
/// are enough for all that is known.
const PASSES: usize = 8;

/// Texts without any of these hold nothing that the patterns below would find. Most texts.
const HINT: &str = r"(?i)pass|secret|token|cookie|auth|cred|key|pwd|session|bearer|-----begin|://|akia|asia|ghp_|gho_|ghu_|ghs_|ghr_|github_pat|glpat|sk-|sk_|rk_|xox|aiza|npm_|eyj|hf_|pypi|dckr|ya29|curl|wget|http|mysql|login";

/// Shapes of secrets, and of what they stand in; `$1` and `$3` are kept.
const SHAPES: [(&str, &str); 13] = [
    // Keys and certificates, to the end of the text if theirs is missing.
    (r"(?s)-----BEGIN [A-Z0-9 ]{1,60}-----.*?(?:-----END [A-Z0-9 ]{1,60}-----|\z)", "[redacted]"),
    // Amazon, GitHub, GitLab, OpenAI and Anthropic, Stripe, Slack, Google, npm, Hugging Face, PyPI,
    // Docker, web tokens.
    (r"(?-u:\b)(?:AKIA|ASIA)[A-Z0-9]{12,}", "[redacted]"),
    (r"(?-u:\b)gh[opusr]_[A-Za-z0-9]{16,}", "[redacted]"),
    (r"(?-u:\b)(?:github_pat_|glpat-|npm_|hf_|dckr_pat_|pypi-)[A-Za-z0-9_-]{16,}", "[redacted]"),
    (r"(?-u:\b)(?:sk-|[sr]k_(?:live|test)_)[A-Za-z0-9_-]{16,}", "[redacted]"),
    (r"(?-u:\b)xox[a-z]-[A-Za-z0-9-]{8,}", "[redacted]"),
    (r"(?-u:\b)AIza[A-Za-z0-9_-]{20,}", "[redacted]"),
    (r"(?-u:\b)ya29\.[A-Za-z0-9_-]{16,}", "[redacted]"),
    (r"(?-u:\b)eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?", "[redacted]"),
    (r"(?i)(?-u:\b)(bearer\s+)[A-Za-z0-9._~+/=-]{6,}", "$1[redacted]"),
    // Headers, up to the end of the line or of the quotes around them.
    (
        r#"(?i)(?-u:\b)((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*:\s*["']?)[^\r\n"']+"#,
        "$1$2[redacted]",
    ),
    // Addresses: the password, or what stands alone and is too long for a name.
    (r#"([A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'<>]*:)[^\s/"'<>]+@"#, "$1[redacted]@"),
    (r#"([A-Za-z][A-Za-z0-9+.-]*://)[^\s/:@"'<>]{20,}@"#, "$1[redacted]@"),
];

/// Options of programs whose value is a password, or ends in one.
const OPTIONS: [(&str, &str); 3] = [
    (
        r#"(?-u:\b)((?:curl|wget|http)(?-u:\b)[^|;\n]*?\s(?:-u|--user|--proxy-user)[ =]?\s*["']?[^\s:"']+:)[^\s"']+"#,
        "$1[redacted]",
    ),
    (
        r#"(?-u:\b)(sshpass\s+-p\s*|mysql(?:dump|admin)?(?-u:\b)[^|;\n]*?\s-p)[^\s"'|;-][^\s"'|;]*"#,
        "$1[redacted]",
    ),
    (
        r#"(?-u:\b)((?:docker|podman|helm|buildah|oras)\s[^|;\n]*?login(?-u:\b)[^|;\n]*?\s-p[ =]?\s*)[^\s"'|;-][^\s"'|;]*"#,
        "$1[redacted]",
    ),
];

/// `NAME=value`, `NAME: value`, `"NAME": "value"`, `--name value`. Whether the name is one of a secret
/// is asked in code. A `$` begins what is no secret yet.
const ASSIGNMENT: &str = r#"([A-Za-z0-9_.-]*[A-Za-z0-9])(["']?(?:\s*=\s*|\s*:\s*))(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'`;&|<>(),:=$][^\s"'`;&|<>(),]*))"#;
const OPTION: &str = r#"(--?[A-Za-z0-9][A-Za-z0-9_-]*)(\s+)(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'`;&|<>(),$-][^\s"'`;&|<>(),]*))"#;

struct Patterns {
    hint: Option<Regex>,
    shapes: Vec<(Regex, &'static str)>,
    named: Vec<Regex>,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let shapes = SHAPES.into_iter().chain(OPTIONS);
    Patterns {
        hint: Regex::new(HINT).ok(),
        // All of them compile: a test looks.
        shapes: shapes.filter_map(|(it, by)| Some((Regex::new(it).ok()?, by))).collect(),
        named: [ASSIGNMENT, OPTION].into_iter().filter_map(|it| Regex::new(it).ok()).collect(),
    }
});

/// The text without secrets; `None`: it has none.
pub fn secrets_out(text: &str) -> Option<String> {
    if PATTERNS.hint.as_ref().is_some_and(|hint| !hint.is_match(text)) {
        return None;
    }
    let mut now = Cow::Borrowed(text);
    for _ in 0..PASSES {
        match pass(&now) {
            Some(next) => now = Cow::Owned(next),
            None => break,
        }
    }
    match now {
        Cow::Borrowed(_) => None,
        Cow::Owned(without) => Some(without),
    }
}

/// `None`: it changes nothing.
fn pass(text: &str) -> Option<String> {
    let mut now = Cow::Borrowed(text);
    for (shape, by) in &PATTERNS.shapes {
        replace(&mut now, shape, *by);
    }
    for named in &PATTERNS.named {
        replace(&mut now, named, value_out);
    }
    (now != text).then(|| now.into_owned())
}

fn replace(text: &mut Cow<'_, str>, pattern: &Regex, by: impl Replacer) {
    if let Cow::Owned(replaced) = pattern.replace_all(text, by) {
        *text = Cow::Owned(replaced);
    }
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
        assert!(PATTERNS.hint.is_some());
        assert_eq!(PATTERNS.shapes.len(), SHAPES.len() + OPTIONS.len());
        assert_eq!(PATTERNS.named.len(), 2);
    }
}
