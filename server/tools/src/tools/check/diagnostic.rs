//! What a checker reports, and all of it in few words.

use std::{
    collections::{BTreeSet, HashSet},
    path::Path,
};

use serde_json::{Value, json};

/// Diagnostics that are listed.
pub(super) const MAX_DIAGNOSTICS: usize = 100;
/// Chars of a message.
const MAX_MESSAGE: usize = 1_000;

/// How bad it is, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Severity {
    Error,
    Warning,
    Info,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }

    /// As programs write it.
    pub fn parse(word: &str) -> Option<Self> {
        match word.to_lowercase().as_str() {
            "error" | "fatal error" | "fatal" | "failure" | "critical" => Some(Self::Error),
            "warning" | "warn" => Some(Self::Warning),
            "note" | "info" | "information" | "help" | "hint" => Some(Self::Info),
            _ => None,
        }
    }
}

/// One report about a place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Diagnostic {
    /// As the program names it.
    pub file: String,
    /// From 1.
    pub line: u64,
    /// As the program counts it.
    pub column: Option<u64>,
    pub severity: Severity,
    pub message: String,
    /// The program's name of what is wrong.
    pub code: Option<String>,
    /// What the command was for.
    pub source: String,
}

impl Diagnostic {
    /// With a path that starts at `cwd` where it is below it.
    pub fn to_json(&self, cwd: &Path) -> Value {
        let file = Path::new(&self.file);
        let file = file.strip_prefix(cwd).unwrap_or(file).display().to_string();
        let mut shown = json!({
            "file": file, "line": self.line, "column": self.column,
            "severity": self.severity.name(), "message": shortened(&self.message),
            "code": self.code, "source": self.source,
        });
        if let Some(fields) = shown.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        shown
    }
}

fn shortened(message: &str) -> String {
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

/// Without what two programs say alike, errors first, then by place; and how many are left out.
pub(super) fn ordered(mut found: Vec<Diagnostic>) -> (Vec<Diagnostic>, usize) {
    let mut known = HashSet::new();
    found.retain(|it| known.insert((it.file.clone(), it.line, it.column, it.message.clone())));
    found.sort_by(|a, b| {
        (a.severity, &a.file, a.line, a.column).cmp(&(b.severity, &b.file, b.line, b.column))
    });
    let left_out = found.len().saturating_sub(MAX_DIAGNOSTICS);
    found.truncate(MAX_DIAGNOSTICS);
    (found, left_out)
}

/// One sentence about each command: its kind, exit code and diagnostics.
pub(super) fn summary(ran: &[(&str, i32, &[Diagnostic])]) -> String {
    let one = |(kind, code, found): &(&str, i32, &[Diagnostic])| {
        let unique: HashSet<_> = found.iter().collect();
        let of = |severity| unique.iter().filter(|it| it.severity == severity).count();
        let counts = [(of(Severity::Error), "error"), (of(Severity::Warning), "warning")];
        let mut words: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}{}", if count == 1 { "" } else { "s" }))
            .collect();
        match (code, words.is_empty()) {
            (0, true) => words.push("ok".to_owned()),
            (0, false) => {}
            (code, _) => words.push(format!("failed with exit code {code}")),
        }
        let files: BTreeSet<&str> = unique.iter().map(|it| it.file.as_str()).collect();
        let files =
            if files.len() > 1 { format!(" in {} files", files.len()) } else { String::new() };
        format!("{kind}: {}{files}", words.join(", "))
    };
    ran.iter().map(one).collect::<Vec<_>>().join("; ")
}
