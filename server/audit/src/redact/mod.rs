//! Secrets are left out before anything is written down.
//!
//! What is redacted errs on the side of too much: a log that lacks a word is worth more than one
//! that nobody may read. Everything here is linear in its input, never fails, and done twice changes
//! nothing more.

mod names;
mod places;
mod text;
mod word;

use redline_permissions::guards::is_secret_file;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

use crate::chain::Hash;

pub use names::is_secret_name;
pub use text::secrets_out;

/// What stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";
/// Longer texts are cut, in chars.
const LONGEST: usize = 2_000;
/// What is kept of them: with the note that they are cut they are shorter than [`LONGEST`].
const KEPT: usize = 1_700;
/// Beyond the cut, in chars: a secret that the cut would go through must be seen as one.
const BEYOND: usize = 600;
/// Bytes of all arguments together.
const MOST: usize = 32 * 1024;
/// Deeper values are left out.
const DEEPEST: usize = 100;

/// Arguments without secrets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Redacted {
    /// They; with the same names and lists, unless they were too many.
    pub value: Value,
    /// The arguments in which something is left out because it may be a secret.
    pub redacted: Vec<String>,
    /// The arguments that were too long; `*`: all of them together.
    pub cut: Vec<String>,
}

/// The arguments of a call without secrets. `paths`: the names of those that are paths, and what these
/// really are. What is written to a secret file is left out as a whole.
pub fn arguments<'a>(
    args: &Value,
    paths: impl Iterator<Item = (&'a str, &'a Path)> + Clone,
) -> Redacted {
    let is_secret = paths.clone().any(|(_, path)| is_secret_file(path));
    let mut all = Redacted::default();
    all.value = match args {
        Value::Object(fields) => {
            let mut kept = Map::with_capacity(fields.len());
            for (name, value) in fields {
                let is_path = paths.clone().any(|(arg, _)| arg == name) || PATHS.contains(&&**name);
                let mut work = Work { all_secret: is_secret && !is_path, ..Work::default() };
                kept.insert(name.clone(), work.field(name, value, 0));
                all.redacted.extend(work.redacted.then(|| name.clone()));
                all.cut.extend(work.cut.then(|| name.clone()));
            }
            Value::Object(kept)
        }
        other => {
            let mut work = Work { all_secret: is_secret, ..Work::default() };
            let value = work.value(other, 0);
            all.redacted.extend(work.redacted.then(|| "*".to_owned()));
            all.cut.extend(work.cut.then(|| "*".to_owned()));
            value
        }
    };
    bounded(all)
}

/// A text without secrets, cut to what a line of the log takes.
pub fn text(text: &str) -> String {
    Work::default().text(text)
}

/// A path without secrets.
pub fn path(path: &Path) -> PathBuf {
    let written = path.to_string_lossy();
    let without = text(&written);
    if without == written { path.to_owned() } else { without.into() }
}

/// The same, and on one line of at most so many chars.
pub fn short(text: &str, chars: usize) -> String {
    let line = self::text(text.lines().next().unwrap_or_default());
    match line.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// Arguments that say where, in whatever file.
const PATHS: [&str; 4] = ["path", "file_path", "cwd", "working_dir"];

fn bounded(all: Redacted) -> Redacted {
    // Texts are bounded, so that this is seldom asked of anything large; lists and objects are not.
    let text = all.value.to_string();
    if text.len() <= MOST {
        return all;
    }
    let note =
        format!("[cut: {} bytes of arguments, sha256 {}]", text.len(), Hash::of(text.as_bytes()));
    Redacted { value: serde_json::json!({ "…": note }), cut: vec!["*".to_owned()], ..all }
}

#[derive(Debug, Default)]
struct Work {
    all_secret: bool,
    redacted: bool,
    cut: bool,
}

impl Work {
    fn field(&mut self, name: &str, value: &Value, depth: usize) -> Value {
        match value {
            Value::Null | Value::Bool(_) => value.clone(),
            Value::String(text) if text.is_empty() => value.clone(),
            _ if is_secret_name(name) => self.gone(),
            value => self.value(value, depth),
        }
    }

    fn value(&mut self, value: &Value, depth: usize) -> Value {
        if depth > DEEPEST {
            self.cut = true;
            return "[cut: nested too deeply]".into();
        }
        match value {
            Value::String(text) if self.all_secret && !text.is_empty() => self.gone(),
            Value::String(text) => self.text(text).into(),
            Value::Array(items) => {
                let is_option = |item: &Value| item.as_str().is_some_and(names::is_secret_option);
                let before = std::iter::once(None).chain(items.iter().map(Some));
                let item = |(before, item): (Option<&Value>, &Value)| match item {
                    Value::String(text)
                        if before.is_some_and(is_option)
                            && !(text.is_empty() || text.starts_with(['-', '$'])) =>
                    {
                        self.gone()
                    }
                    item => self.value(item, depth + 1),
                };
                before.zip(items).map(item).collect::<Vec<_>>().into()
            }
            Value::Object(fields) => {
                let named = names::of_entry(fields);
                let field = |(name, value): (&String, &Value)| {
                    let known = match named {
                        Some(named) if name.eq_ignore_ascii_case("value") => named,
                        _ => name,
                    };
                    (self.text(name), self.field(known, value, depth + 1))
                };
                Value::Object(fields.iter().map(field).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn gone(&mut self) -> Value {
        self.redacted = true;
        REDACTED.into()
    }

    fn text(&mut self, text: &str) -> String {
        let Some((end, _)) = text.char_indices().nth(LONGEST) else { return self.plain(text) };
        self.cut = true;
        let beyond = text.get(end..).and_then(|rest| rest.char_indices().nth(BEYOND));
        let seen = text.get(..end + beyond.map_or(text.len() - end, |(more, _)| more));
        let kept: String = self.plain(seen.unwrap_or_default()).chars().take(KEPT).collect();
        let (chars, hash) = (text.chars().count(), Hash::of(text.as_bytes()));
        // Once more: the cut may have gone through what stands in a secret's place.
        self.plain(&format!("{kept}… [cut: {chars} chars, sha256 {hash}]"))
    }

    fn plain(&mut self, text: &str) -> String {
        match secrets_out(text) {
            Some(without) => {
                self.redacted = true;
                without
            }
            None => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
