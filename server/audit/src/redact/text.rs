//! Secrets in texts: by their shape, and by what stands before them.

use std::{borrow::Cow, sync::OnceLock};

use regex::Regex;

use super::{
    REDACTED, is_secret_name,
    places::{PLACES, Place, Takes},
    word::{Between, Quotes, Value, element, pair, value},
};

/// Passes over one text. Each can bring a new one about where it has removed what stood beside; a few
/// are enough for all that is known.
const PASSES: usize = 16;

/// A pattern, compiled when a text first has one of its needles: most texts have none, and a pattern
/// takes a millisecond.
struct Shape {
    /// In lower case. A text without any of them has no match.
    needles: &'static [&'static str],
    pattern: &'static str,
    /// `$1` and the like are parts of what was found.
    by: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

const fn shape(needles: &'static [&'static str], pattern: &'static str, by: &'static str) -> Shape {
    Shape { needles, pattern, by, compiled: OnceLock::new() }
}

/// In this order: keys before what stands in them.
static SHAPES: [Shape; 19] = [
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
    // Slack's and Discord's hooks, Telegram, SendGrid, DigitalOcean, Vault, Stripe's hooks, age.
    shape(
        &["hooks.slack.com", "/api/webhooks/"],
        r"((?:hooks\.slack\.com/(?:services|workflows|triggers)|/api/webhooks/[0-9]+)/)[A-Za-z0-9_/-]+",
        "$1[redacted]",
    ),
    shape(&[":aa"], r"[0-9]{6,12}:AA[A-Za-z0-9_-]{30,}", "[redacted]"),
    shape(&["sg."], r"(?-u:\b)SG\.[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{12,}", "[redacted]"),
    shape(
        &["_v1_", "hvs.", "hvb.", "hvr.", "whsec_"],
        r"(?-u:\b)(?:do[opr]_v1_|hv[sbr]\.|whsec_)[A-Za-z0-9_+/=-]{16,}",
        "[redacted]",
    ),
    shape(&["age-secret-key-"], r"(?i)AGE-SECRET-KEY-1[A-Z0-9]{16,}", "[redacted]"),
    // Headers, up to the end of the line or of the quotes around them.
    shape(
        &["authorization", "cookie"],
        r#"(?-u:\b)((?i:(?:proxy-)?authorization|(?:set-)?cookie))(["']?\s*:\s*["']?)[^\r\n"']+"#,
        "$1$2[redacted]",
    ),
    // Addresses: the password, or what stands alone and is too long for a name.
    shape(&["://"], r#"([A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'<>]*:)[^\s/"'<>]+@"#, "$1[redacted]@"),
    shape(&["://"], r#"([A-Za-z][A-Za-z0-9+.-]*://)[^\s/:@"'<>]{20,}@"#, "$1[redacted]@"),
    // What a command says that another one reads as a password.
    shape(
        &["stdin", "with-token", "sudo", "chpasswd"],
        r#"(?-u:\b)((?:echo|printf)\s+(?:-[neE]+\s+|["']?%s(?:\\n)?["']?\s+)*)(?:[^|\n;"'$\s]|"[^"$][^"]*"|'[^']*')(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^|\n;"'])*?(\s*\|[^;\n]*(?:password-stdin|with-token|chpasswd|sudo\s+(?:-[A-Za-z]+\s+)*-[A-Za-z]*S|--stdin))"#,
        "$1[redacted]$2",
    ),
];

/// Compiled like those.
static COMPILED: [OnceLock<Option<Regex>>; PLACES.len()] =
    [const { OnceLock::new() }; PLACES.len()];

impl Shape {
    fn is_possible(&self, lower: &str) -> bool {
        self.needles.iter().any(|needle| lower.contains(needle))
    }

    fn take_out(&self, text: &mut String) {
        let compile = || Regex::new(self.pattern).ok();
        // All of them compile: a test looks.
        let Some(pattern) = self.compiled.get_or_init(compile) else { return };
        if let Cow::Owned(replaced) = pattern.replace_all(text, self.by) {
            *text = replaced;
        }
    }
}

/// The text without secrets; `None`: it has none.
pub fn secrets_out(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let has = |needles: &[&str]| needles.iter().any(|needle| lower.contains(needle));
    let shapes: Vec<&Shape> = SHAPES.iter().filter(|shape| shape.is_possible(&lower)).collect();
    let places = PLACES.iter().zip(&COMPILED).filter(|(place, _)| has(place.needles));
    let compiled = |(place, once): (&'static Place, &'static OnceLock<Option<Regex>>)| {
        Some((place, once.get_or_init(|| Regex::new(place.pattern).ok()).as_ref()?))
    };
    let places: Vec<(&Place, &Regex)> = places.filter_map(compiled).collect();
    if shapes.is_empty() && places.is_empty() {
        return None;
    }
    let mut now = text.to_owned();
    for _ in 0..PASSES {
        let before = now.clone();
        // What is taken out brings no needle about that was not there.
        shapes.iter().for_each(|shape| shape.take_out(&mut now));
        for (place, pattern) in &places {
            if let Some(without) = values_out(place, pattern, &now) {
                now = without;
            }
        }
        if now == before {
            break;
        }
    }
    (now != text).then_some(now)
}

/// The text without the values at such places. Behind a name that is no secret's, and behind what
/// separates it, the search goes on: its value may have a name and a secret of its own.
fn values_out(place: &Place, pattern: &Regex, text: &str) -> Option<String> {
    let (mut out, mut done, mut at) = (String::new(), 0, 0);
    let mut quotes = Quotes::None;
    while let Some(found) = pattern.captures_at(text, at) {
        let (start, end) = found.get(0).map(|all| (all.start(), all.end()))?;
        quotes = quotes.behind(text.get(at..end)?);
        // A match is never empty.
        at = end;
        let name = found.name("n");
        if name.is_some_and(|name| !is_secret_name(name.as_str())) {
            continue;
        }
        let between = found.name("b").map_or("", |it| it.as_str());
        let begin = name.map_or(start, |name| name.start());
        let Some(value) = taken(place.takes, text, (begin, end), between, quotes) else { continue };
        out.push_str(text.get(done..end)?);
        out.push_str(&value.out);
        at = (end + value.len).min(text.len());
        done = at;
    }
    out.push_str(text.get(done..)?);
    (out != text).then_some(out)
}

/// What is at a place: its name begins at the first byte, its value at the second.
fn taken(
    takes: Takes,
    text: &str,
    (start, end): (usize, usize),
    between: &str,
    quotes: Quotes,
) -> Option<Value> {
    let rest = text.get(end..)?;
    match takes {
        Takes::Element => element(rest),
        Takes::Pair => pair(rest, quotes),
        Takes::Word if rest.starts_with('-') => None,
        Takes::Word | Takes::Attached => value(rest, quotes, Between::Word, 0),
        Takes::Value => {
            let line = text.get(..start)?.rsplit('\n').next().unwrap_or_default();
            let indent = line.len() - line.trim_start().len();
            let is_first = line.trim_start_matches([' ', '\t', '-', '"', '\'']).is_empty();
            let kind = match between.trim_start_matches(['"', '\'', '`', '\\', ']']) {
                "=" => Between::Word,
                ": " if is_first && quotes == Quotes::None => Between::Line,
                _ => Between::Code,
            };
            let first = value(rest, quotes, kind, indent)?;
            Some(typed(rest, quotes, &first).unwrap_or(first))
        }
    }
}

/// `name: type = "value"`: what was taken for the value was its type.
fn typed(rest: &str, quotes: Quotes, first: &Value) -> Option<Value> {
    let behind = rest.get(first.len..)?;
    let next = behind.trim_start().strip_prefix('=')?.trim_start();
    if !next.starts_with(['"', '\'', '`']) {
        return None;
    }
    let value = value(next, quotes, Between::Code, 0)?;
    let between = behind.get(..behind.len() - next.len())?;
    let len = first.len + between.len() + value.len;
    Some(Value { len, out: format!("{REDACTED}{between}{}", value.out) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_patterns_compile() {
        for place in &PLACES {
            assert!(Regex::new(place.pattern).is_ok(), "{}", place.pattern);
            assert!(place.needles.iter().all(|needle| *needle == needle.to_lowercase()));
        }
        for shape in &SHAPES {
            assert!(Regex::new(shape.pattern).is_ok(), "{}", shape.pattern);
            assert!(shape.needles.iter().all(|needle| *needle == needle.to_lowercase()));
        }
    }
}
