//! How rules are shown: the words for their sources and places.

use std::path::{Path, PathBuf};

use redline_permissions::{Source, SourcedRule, to_json};
use serde_json::{Value, json};

/// Whose rule it is, in one word (seed 004, `permissions test`: `source: builtin`).
pub fn source_name(source: &Source) -> &'static str {
    match source {
        Source::User { .. } => "user",
        Source::BuiltIn => "builtin",
        Source::Repository { .. } => "workspace",
        Source::SessionGrant { .. } | Source::SavedGrant { .. } => "grant",
        Source::Editor => "editor",
    }
}

/// The file that a rule stands in.
pub fn file(source: &Source) -> Option<&Path> {
    match source {
        Source::User { path } | Source::Repository { path } | Source::SavedGrant { path, .. } => {
            Some(path)
        }
        Source::BuiltIn | Source::SessionGrant { .. } | Source::Editor => None,
    }
}

/// `~/.config/redline/settings.json:4`, or where else it stands.
pub fn place(rule: &SourcedRule) -> String {
    let name = match file(&rule.source) {
        Some(path) => short(path),
        None => source_name(&rule.source).to_owned(),
    };
    match rule.line {
        Some(line) => format!("{name}:{line}"),
        None => name,
    }
}

/// A path for people: relative in this folder, with `~` in the home.
pub fn short(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|path| path.canonicalize());
    if let Some(inner) = here.ok().and_then(|here| below(path, &here)) {
        return inner.display().to_string();
    }
    match std::env::home_dir().and_then(|home| below(path, &home)) {
        Some(inner) => format!("~/{}", inner.display()),
        None => path.display().to_string(),
    }
}

fn below(path: &Path, folder: &Path) -> Option<PathBuf> {
    let inner = path.strip_prefix(folder).ok()?;
    (!inner.as_os_str().is_empty()).then(|| inner.to_owned())
}

/// One rule as `--json` has it.
pub fn json(index: usize, rule: &SourcedRule) -> Value {
    json!({
        "index": index,
        "source": source_name(&rule.source),
        "file": file(&rule.source).map(|path| path.display().to_string()),
        "line": rule.line,
        "rule": to_json(&rule.rule),
        "text": rule.rule.to_string(),
    })
}
