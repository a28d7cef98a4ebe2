//! The files that settings come from, watched: each as it was when it could last be used.
//!
//! A look at them is a `stat` of each. What changed is read again; what cannot be used any more leaves
//! in force what it said before, so that a typing error takes no rule away.

mod stamp;

use std::path::{Path, PathBuf};

use redline_permissions::SourcedRule;
use redline_workspace::GrantStore;

use self::stamp::Stamp;
use super::{Author, Settings, SettingsError, hold};
use crate::trust::{Seen, TrustStore, Trusted, bytes, look};

/// The files of the user and of the workspace's folders.
#[derive(Debug)]
pub struct Files {
    user: Option<Watched<UserFile>>,
    folders: Vec<Watched<Folder>>,
    grants: Option<Watched<GrantStore>>,
    trust: Option<Watched<TrustStore>>,
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// Settings.
    Settings(SettingsError),
    /// A list of Redline's own.
    List(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Settings(error) => write!(f, "{error}"),
            Trouble::List(text) => f.write_str(text),
        }
    }
}

/// What came of a look.
#[derive(Debug, Default)]
pub struct News {
    /// The settings may be others.
    pub changed: bool,
    /// What is wrong and has not been told.
    pub troubles: Vec<Trouble>,
}

/// A folder whose own files want to count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Want {
    /// As it was seen.
    pub seen: Seen,
    /// What would count: `.redline/settings.json:3: allow Bash`, in the order of the file.
    pub lines: Vec<String>,
    /// It was trusted when its files were others.
    pub changed: bool,
}

impl Files {
    /// Reads them all; what cannot be used says nothing. `config` is the folder of the user's own.
    pub fn open(config: Option<PathBuf>, folders: &[PathBuf]) -> (Self, Vec<Trouble>) {
        let mut files = Self {
            user: config.as_ref().map(|dir| Watched::new(UserFile(dir.join("settings.json")))),
            folders: folders.iter().cloned().map(|root| Watched::new(Folder(root))).collect(),
            grants: config.as_ref().map(|dir| Watched::new(GrantStore::in_folder(dir))),
            trust: config.as_ref().map(|dir| Watched::new(TrustStore::in_folder(dir))),
        };
        let troubles = files.refresh().troubles;
        (files, troubles)
    }

    /// Looks whether they have changed. Blocks for as long as the disk takes.
    pub fn refresh(&mut self) -> News {
        let mut news = News::default();
        self.user.iter_mut().for_each(|file| file.refresh(&mut news));
        self.folders.iter_mut().for_each(|folder| folder.refresh(&mut news));
        self.grants.iter_mut().for_each(|list| list.refresh(&mut news));
        self.trust.iter_mut().for_each(|list| list.refresh(&mut news));
        news
    }

    /// The settings that they make. `trusting`: whether what the user trusts counts.
    pub fn settings(&self, trusting: bool) -> Settings {
        let mut settings = Settings::default();
        if let Some(user) = &self.user {
            // It has been read before: there is nothing in it that could be wrong.
            let _ = settings.merge_text(&user.value, &user.of.0, Author::User);
        }
        let unread = self.unread();
        let trusting = trusting && unread.is_none();
        for folder in &self.folders {
            let Some(seen) = &folder.value else { continue };
            let path = folder.of.settings();
            let text = seen.settings().ok().flatten().unwrap_or("{}");
            let counts = trusting
                && folder.trouble.is_none()
                && self.trusted(&folder.of.0).is_some_and(|known| known.hash == seen.hash);
            let merged = counts.then(|| settings.merge_text(text, &path, Author::Trusted));
            if !matches!(merged, Some(Ok(()))) {
                let _ = settings.merge_text(text, &path, Author::Repository);
            }
            if let Some(Err(error)) = merged {
                settings.notes.push(format!("{error}; the folder counts as not trusted"));
            }
        }
        settings.grants = self.grants.as_ref().map(|list| list.value.clone()).unwrap_or_default();
        if let Some(Trouble::Settings(error)) = unread {
            settings.hold(hold::source(error), error.line());
        }
        settings
    }

    /// What is wrong with the user's own file, if nothing is known of what it says: it has not been
    /// read since the start.
    pub fn unread(&self) -> Option<&Trouble> {
        let user = self.user.as_ref().filter(|user| !user.was_read)?;
        user.trouble.as_ref()
    }

    /// What of these settings (of these files) the user may trust.
    pub fn wants(&self, settings: &Settings) -> Vec<Want> {
        let want = |folder: &Watched<Folder>| {
            let seen = folder.value.clone().filter(|_| folder.trouble.is_none())?;
            let path = folder.of.settings();
            let of_it = settings.withheld.iter().filter(|it| it.file == path);
            let mut found: Vec<_> = of_it.map(|it| (it.line, &it.text)).collect();
            found.sort_by_key(|(line, _)| *line);
            let name = crate::trust::SETTINGS;
            let lines: Vec<String> =
                found.into_iter().map(|(line, text)| format!("{name}:{line}: {text}")).collect();
            let changed = self.trusted(&folder.of.0).is_some();
            (!lines.is_empty()).then_some(Want { seen, lines, changed })
        };
        self.folders.iter().filter_map(want).collect()
    }

    /// The user's trust in a folder, also if its files have changed since.
    pub fn trusted(&self, folder: &Path) -> Option<&Trusted> {
        self.trust.as_ref()?.value.iter().find(|known| known.folder == folder)
    }
}

/// What can be read, watched and used.
trait Part {
    /// What it says.
    type Value: Default + PartialEq;
    /// Whether what it said stays in force when it is broken; else it says nothing then.
    const STAYS: bool;

    /// What it says, and the files that this depends on.
    fn read(&self) -> (Vec<PathBuf>, Result<Self::Value, Trouble>);
}

/// A part as it was when it could last be used.
#[derive(Debug)]
struct Watched<P: Part> {
    of: P,
    value: P::Value,
    stamps: Vec<Stamp>,
    trouble: Option<Trouble>,
    /// It could be used once.
    was_read: bool,
}

impl<P: Part> Watched<P> {
    fn new(of: P) -> Self {
        Self { of, value: P::Value::default(), stamps: Vec::new(), trouble: None, was_read: false }
    }

    fn refresh(&mut self, news: &mut News) {
        if !self.stamps.is_empty() && self.stamps.iter().all(Stamp::still_holds) {
            return;
        }
        let before: Vec<Stamp> = self.stamps.iter().map(Stamp::anew).collect();
        let (paths, read) = self.of.read();
        // What was not looked at before it was read may have changed since: it is read once more.
        let stamp = |path: PathBuf| {
            let known = before.iter().find(|stamp| stamp.path() == path);
            known.cloned().unwrap_or_else(|| Stamp::unsure(path))
        };
        self.stamps = paths.into_iter().map(stamp).collect();
        match read {
            Ok(value) => {
                news.changed |= value != self.value || self.trouble.is_some();
                (self.value, self.trouble, self.was_read) = (value, None, true);
            }
            Err(trouble) => {
                if self.trouble.as_ref() != Some(&trouble) {
                    news.changed = true;
                    news.troubles.push(trouble.clone());
                }
                if !P::STAYS {
                    self.value = P::Value::default();
                }
                self.trouble = Some(trouble);
            }
        }
    }
}

#[derive(Debug)]
struct UserFile(PathBuf);

impl Part for UserFile {
    type Value = String;
    const STAYS: bool = true;

    fn read(&self) -> (Vec<PathBuf>, Result<String, Trouble>) {
        (vec![self.0.clone()], text(&self.0).map_err(Trouble::Settings))
    }
}

/// `{}` where there is none.
fn text(path: &Path) -> Result<String, SettingsError> {
    let unreadable = |reason: String| SettingsError::Unreadable { path: path.to_owned(), reason };
    let bytes = bytes(path).map_err(|error| unreadable(error.to_string()))?;
    let text = bytes.map_or_else(|| Ok("{}".to_owned()), String::from_utf8);
    let text = text.map_err(|error| unreadable(error.to_string()))?;
    Settings::default().merge_text(&text, path, Author::User)?;
    Ok(text)
}

#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    fn settings(&self) -> PathBuf {
        self.0.join(crate::trust::SETTINGS)
    }
}

impl Part for Folder {
    type Value = Option<Seen>;
    const STAYS: bool = true;

    fn read(&self) -> (Vec<PathBuf>, Result<Option<Seen>, Trouble>) {
        let seen = match look(&self.0) {
            Ok(seen) => seen,
            Err(error) => return (vec![self.settings()], Err(Trouble::Settings(error))),
        };
        let text = seen.settings().ok().flatten().unwrap_or("{}");
        let merged = Settings::default().merge_text(text, &self.settings(), Author::Repository);
        let watched = seen.watched.clone();
        (watched, merged.map(|()| Some(seen)).map_err(Trouble::Settings))
    }
}

impl Part for GrantStore {
    type Value = Vec<SourcedRule>;
    const STAYS: bool = false;

    fn read(&self) -> (Vec<PathBuf>, Result<Self::Value, Trouble>) {
        let rules = self.rules().map_err(|error| Trouble::List(error.to_string()));
        (vec![self.path().to_owned()], rules)
    }
}

impl Part for TrustStore {
    type Value = Vec<Trusted>;
    const STAYS: bool = false;

    fn read(&self) -> (Vec<PathBuf>, Result<Self::Value, Trouble>) {
        let list = TrustStore::read(self).map_err(|error| Trouble::List(error.to_string()));
        (vec![self.path().to_owned()], list)
    }
}

#[cfg(test)]
mod tests;
