//! A settings file whose rules are to be changed: read once, written only if it is still the same.

use std::path::{Path, PathBuf};

use redline_permissions::{Rule, SourcedRule, to_json};
use redline_text::{FileEncoding, Format, Text};
use redline_workspace::{DiskText, WorkspacePath, WriteError, WriteRequest, io};
use serde_json::Value;

use super::{
    Author, File, SettingsError, config_dir,
    jsonc::{self, Kind, Node},
    rules,
    write::{self, Item, NotWritten},
};

/// The keys under which rules may stand, the one that is made first.
const KEYS: [&str; 2] = ["redline.permissions", "amp.permissions"];

/// Why rules could not be read or saved. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is nowhere to save to.
    #[error("there is no folder for your settings; set REDLINE_CONFIG_DIR or HOME")]
    NoFolder,
    /// What is there is not understood.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Both keys are there.
    #[error(
        "{path} has both \"redline.permissions\" and \"amp.permissions\", and both count: move all \
         rules under one of them, then it is known which to change"
    )]
    Both {
        /// The file.
        path: String,
    },
    /// The text cannot be changed.
    #[error("{path}:{line}:{column}: {message}")]
    Text {
        /// The file.
        path: String,
        /// From 1.
        line: usize,
        /// In chars, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// Somebody else wrote it meanwhile.
    #[error("{0} was changed by somebody else meanwhile: nothing was saved; do it again")]
    Changed(String),
    /// The file cannot be read or written.
    #[error("{path}: {reason}")]
    Refused {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
}

/// A settings file with its rules.
#[derive(Debug)]
pub struct RulesFile {
    path: PathBuf,
    author: Author,
    file: WorkspacePath,
    disk: Option<DiskText>,
    key: &'static str,
    rules: Vec<SourcedRule>,
}

impl RulesFile {
    /// The user's own; it need not be there.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn of_user() -> Result<Self, StoreError> {
        let folder = config_dir().ok_or(StoreError::NoFolder)?;
        Self::read(folder.join("settings.json"), Author::User)
    }

    /// That of a workspace folder; it need not be there.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn of_workspace(root: &Path) -> Result<Self, StoreError> {
        Self::read(root.join(".redline/settings.json"), Author::Repository)
    }

    fn read(path: PathBuf, author: Author) -> Result<Self, StoreError> {
        let shown = path.display().to_string();
        let refused = |reason: String| StoreError::Refused { path: shown.clone(), reason };
        let written = path.to_str().ok_or_else(|| refused("its name is no valid text".into()))?;
        let file = WorkspacePath::resolve(written, Path::new("/"), None)
            .map_err(|error| refused(error.to_string()))?;
        let disk = io::read(&file).map_err(|error| refused(error.to_string()))?;
        if disk.as_ref().is_some_and(|disk| disk.format.encoding != FileEncoding::Utf8) {
            return Err(refused(
                "settings are read as UTF-8, and this is UTF-16: save it as UTF-8".into(),
            ));
        }
        let text = disk.as_ref().map(|disk| disk.text.to_string()).unwrap_or_default();
        let (key, rules) = found(&text, &path, author)?;
        Ok(Self { path, author, file, disk, key, rules })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The key under which the rules stand, or will.
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// The rules, in order.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().map(|rule| &rule.rule)
    }

    /// Puts these rules in the place of the old ones. Rules that stay keep their comments.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn replace(&self, new: &[Rule]) -> Result<(), StoreError> {
        let mut left: Vec<Option<&Rule>> = self.rules().map(Some).collect();
        let item = |rule: &Rule| match left.iter().position(|old| *old == Some(rule)) {
            Some(index) => {
                left[index] = None;
                Item::Kept(index)
            }
            None => Item::New(to_json(rule)),
        };
        let items: Vec<Item> = new.iter().map(item).collect();
        let text = write::replaced(&self.text(), self.key, &items);
        self.save(text.map_err(|error| self.wrong(error))?, new)
    }

    /// Puts a rule before the others.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn prepend(&self, rule: &Rule) -> Result<(), StoreError> {
        let text = write::prepended(&self.text(), self.key, &to_json(rule));
        let all: Vec<Rule> = std::iter::once(rule).chain(self.rules()).cloned().collect();
        self.save(text.map_err(|error| self.wrong(error))?, &all)
    }

    fn text(&self) -> String {
        self.disk.as_ref().map(|disk| disk.text.to_string()).unwrap_or_default()
    }

    fn wrong(&self, NotWritten { place, message }: NotWritten) -> StoreError {
        let path = self.path.display().to_string();
        StoreError::Text { path, line: place.line, column: place.column, message }
    }

    fn save(&self, text: String, want: &[Rule]) -> Result<(), StoreError> {
        let path = self.path.display().to_string();
        // What is written is read before: a fault of ours must not cost the user a file.
        let (_, got) = found(&text, &self.path, self.author)?;
        if !got.iter().map(|rule| &rule.rule).eq(want) {
            let reason = "the changed file would say something else; nothing was saved".to_owned();
            return Err(StoreError::Refused { path, reason });
        }
        let format = self.disk.as_ref().map_or_else(Format::default, |disk| disk.format);
        let request = WriteRequest {
            file: self.file.clone(),
            text: Some((Text::from(text), format)),
            expect: self.disk.as_ref().map(|disk| disk.hash),
            mode: None,
        };
        match io::write(&request) {
            Ok(_) => Ok(()),
            Err(WriteError::Changed(_)) => Err(StoreError::Changed(path)),
            Err(WriteError::Io(reason)) => Err(StoreError::Refused { path, reason }),
        }
    }
}

/// The key that has rules, and those.
fn found(
    text: &str,
    path: &Path,
    author: Author,
) -> Result<(&'static str, Vec<SourcedRule>), StoreError> {
    let file = File { path, author };
    let root = jsonc::parse(text).map_err(|error| file.wrong(error.place, error.message))?;
    let Kind::Object(members) = &root.kind else {
        let message = format!("expected an object, found {}", root.describe());
        return Err(file.wrong(root.place, message).into());
    };
    for (key, place, node) in members {
        // No reader uses a file with rules under a mistyped key: what is saved there would not count.
        file.unread(key, *place, node)?;
    }
    // Null is as good as not there.
    let is_set = |node: &&Node| node.kind != Kind::Scalar(Value::Null);
    let of = |key: &str| {
        let mut named = members.iter().filter(|(name, ..)| name == key).map(|(.., node)| node);
        named.find(is_set)
    };
    let (key, node) = match KEYS.map(of) {
        [Some(_), Some(_)] => return Err(StoreError::Both { path: path.display().to_string() }),
        [None, Some(node)] => (KEYS[1], Some(node)),
        [node, None] => (KEYS[0], node),
    };
    let Some(node) = node else { return Ok((key, Vec::new())) };
    let read = rules::read(node, rules::source(author, path));
    let rules = read.map_err(|(place, message)| file.wrong(place, format!("{key}: {message}")))?;
    Ok((key, rules))
}

#[cfg(test)]
mod tests {
    use redline_permissions::parse_text;

    use super::*;
    use crate::settings::Settings;

    fn rule(text: &str) -> Rule {
        parse_text(text).unwrap().remove(0).1
    }

    #[test]
    fn a_file_that_is_not_there_is_made_with_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/settings.json");
        let file = RulesFile::read(path.clone(), Author::User).unwrap();
        assert_eq!((file.rules().count(), file.key()), (0, "redline.permissions"));
        file.prepend(&rule("ask Bash")).unwrap();
        let file = RulesFile::read(path, Author::User).unwrap();
        assert_eq!(file.rules().collect::<Vec<_>>(), [&rule("ask Bash")]);
    }

    #[test]
    fn what_somebody_else_wrote_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        for before in [None, Some("{}")] {
            let _absent = std::fs::remove_file(&path);
            before.iter().for_each(|text| std::fs::write(&path, text).unwrap());
            let file = RulesFile::read(path.clone(), Author::User).unwrap();
            std::fs::write(&path, "{ /* theirs */ }").unwrap();
            let saved = file.replace(&[rule("ask Bash")]);
            assert!(matches!(saved, Err(StoreError::Changed(_))), "{saved:?}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "{ /* theirs */ }");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_byte_order_mark_is_fine() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "\u{feff}{}").unwrap();
        RulesFile::read(path.clone(), Author::User).unwrap().prepend(&rule("ask Bash")).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        Settings::default().merge_text(&text, &path, Author::User).unwrap();
    }

    #[test]
    fn what_cannot_be_changed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let check = |text: &[u8], part: &str| {
            let path = folder.path().join("settings.json");
            std::fs::write(&path, text).unwrap();
            let error = RulesFile::read(path, Author::User).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        };
        check(b"{\"redline.permissions\": [], \"amp.permissions\": []}", "has both");
        check(b"{\"redline.permissions\": {}}", "expected an array of rules");
        check(b"[]", "expected an object, found a list");
        check(b"{\"a\": \xff}", "UTF-8");
        check(b"{\"a\": \0}", "binary");
        check(b"\xff\xfe{\0}\0", "save it as UTF-8");
        check(b"\xfe\xff\0{\0}", "save it as UTF-8");
        check(b"{\"redline.permisions\": []}", ":1:2: there is no setting");
        let error = RulesFile::read(folder.path().to_owned(), Author::User).unwrap_err();
        assert!(matches!(error, StoreError::Refused { .. }), "{error}");
    }
}
