//! Formats for people: rustc, tsc, eslint's "stylish", panics, and `FILE:LINE:COLUMN: MESSAGE`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::tools::check::diagnostic::{Diagnostic, Severity};

/// A pattern of ours; a test says that each of them is one.
macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

pattern!(COLOURS, r"\x1b\[[0-9;]*[A-Za-z]");
pattern!(
    TSC,
    r"^(?P<file>[^\s(][^(]*)\((?P<line>\d+),(?P<column>\d+)\): (?P<level>error|warning) (?P<code>TS\d+): (?P<text>.+)$"
);
pattern!(RUSTC, r"^(?P<level>error|warning)(\[(?P<code>[\w:]+)\])?: (?P<text>.+)$");
pattern!(ARROW, r"^\s*--> (?P<file>.+?):(?P<line>\d+):(?P<column>\d+)$");
pattern!(
    PANIC,
    r"^thread '.*' .*?panicked at (?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+):$"
);
pattern!(
    STYLISH,
    r"^\s+(?P<line>\d+):(?P<column>\d+)\s+(?P<level>error|warning)\s+(?P<text>.+?)(\s\s+(?P<code>\S+))?$"
);
pattern!(
    PLACE,
    r"^\s*(?P<file>[^\s:(][^:(]*\.\w+):(?P<line>\d+)(:(?P<column>\d+))?(:| -) *(?P<text>.+)$"
);
pattern!(
    LEVEL,
    r"^(?i)(?P<level>fatal error|error|warning|warn|note|info|information|hint):? (?P<text>.+)$"
);
pattern!(NUMBER, r"^(?P<code>[A-Z]{1,4}\d{2,5}):? (?P<text>.+)$");
pattern!(BRACKET, r"^(?P<text>.+?)\s+[\[(](?P<code>[\w/@-]+)[\])]$");

/// The diagnostics of these lines.
pub(super) fn parsed(lines: &[&str], source: &str) -> Vec<Diagnostic> {
    let mut reader = Reader { source, found: Vec::new(), before: Before::Nothing };
    lines.iter().for_each(|line| reader.line(&plain(line)));
    reader.found
}

fn plain(line: &str) -> String {
    match COLOURS.as_ref() {
        Some(colours) if line.contains('\x1b') => colours.replace_all(line, "").into_owned(),
        _ => line.to_owned(),
    }
}

struct Reader<'a> {
    source: &'a str,
    found: Vec<Diagnostic>,
    before: Before,
}

/// What the line before has begun.
enum Before {
    Nothing,
    /// rustc's message, whose place follows.
    Message {
        severity: Severity,
        code: Option<String>,
        text: String,
    },
    /// A panic's place, whose message follows.
    Panic,
    /// A file, whose reports follow.
    File(String),
}

impl Reader<'_> {
    fn line(&mut self, line: &str) {
        if let Before::Panic = self.before {
            self.before = Before::Nothing;
            if let Some(last) = self.found.last_mut() {
                last.message = format!("panicked: {}", line.trim());
            }
            return;
        }
        if let Some(it) = captured(&TSC, line) {
            return self.add(&it, level(&it), code(&it), text(&it));
        }
        if let Some(it) = captured(&PANIC, line) {
            self.add(&it, Severity::Error, None, "panicked".to_owned());
            self.before = Before::Panic;
            return;
        }
        if let Some(it) = captured(&ARROW, line) {
            if let Before::Message { severity, code, text } =
                std::mem::replace(&mut self.before, Before::Nothing)
            {
                self.add(&it, severity, code, text);
            }
            return;
        }
        if let Some(it) = captured(&RUSTC, line) {
            let (severity, code, text) = (level(&it), code(&it), text(&it));
            self.before = Before::Message { severity, code, text };
            return;
        }
        if let (Before::File(file), Some(it)) = (&self.before, captured(&STYLISH, line)) {
            let one = diagnostic(file, &it, level(&it), code(&it), text(&it), self.source);
            self.found.extend(one);
            return;
        }
        if let Some(it) = captured(&PLACE, line) {
            let (severity, code, text) = worded(&text(&it));
            return self.add(&it, severity, code, text);
        }
        self.begin(line);
    }

    /// A line that is a path begins a file; an empty one ends it.
    fn begin(&mut self, line: &str) {
        let is_path = !line.starts_with(' ') && line.contains(['/', '\\']) && !line.contains(": ");
        if is_path {
            self.before = Before::File(line.trim().to_owned());
        } else if line.trim().is_empty() && matches!(self.before, Before::File(_)) {
            self.before = Before::Nothing;
        }
    }

    fn add(&mut self, it: &Captures<'_>, severity: Severity, code: Option<String>, text: String) {
        let file = it.name("file").map(|file| file.as_str()).unwrap_or_default();
        self.found.extend(diagnostic(file, it, severity, code, text, self.source));
    }
}

fn captured<'l>(pattern: &LazyLock<Option<Regex>>, line: &'l str) -> Option<Captures<'l>> {
    pattern.as_ref()?.captures(line)
}

fn diagnostic(
    file: &str,
    it: &Captures<'_>,
    severity: Severity,
    code: Option<String>,
    message: String,
    source: &str,
) -> Option<Diagnostic> {
    let number = |name| it.name(name).and_then(|number| number.as_str().parse().ok());
    let (line, column) = (number("line")?, number("column"));
    let (file, source) = (file.trim().to_owned(), source.to_owned());
    Some(Diagnostic { file, line, column, severity, message, code, source })
}

fn text(it: &Captures<'_>) -> String {
    it.name("text").map(|text| text.as_str().trim().to_owned()).unwrap_or_default()
}

fn code(it: &Captures<'_>) -> Option<String> {
    it.name("code").map(|code| code.as_str().to_owned())
}

fn level(it: &Captures<'_>) -> Severity {
    it.name("level").and_then(|it| Severity::parse(it.as_str())).unwrap_or(Severity::Error)
}

/// `error: TEXT [CODE]`, `C0114: TEXT (CODE)`, `E302 TEXT`, or just words.
fn worded(message: &str) -> (Severity, Option<String>, String) {
    if let Some(it) = captured(&LEVEL, message) {
        let rest = text(&it);
        return match captured(&BRACKET, &rest) {
            Some(inner) => (level(&it), code(&inner), text(&inner)),
            None => (level(&it), None, rest),
        };
    }
    if let Some(it) = captured(&NUMBER, message) {
        let number = code(&it);
        // pylint: convention, refactor and warning.
        let is_mild = number.as_deref().is_some_and(|it| it.starts_with(['C', 'R', 'W']));
        let severity = if is_mild { Severity::Warning } else { Severity::Error };
        return (severity, number, text(&it));
    }
    (Severity::Error, None, message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_are_some() {
        let all =
            [&COLOURS, &TSC, &RUSTC, &ARROW, &PANIC, &STYLISH, &PLACE, &LEVEL, &NUMBER, &BRACKET];
        assert!(all.into_iter().all(|pattern| pattern.is_some()));
    }
}
