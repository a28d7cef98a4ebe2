//! The folders in which Redline keeps what it goes by: the user's rules, grants and trust, and the
//! record of what was done. Whoever writes there can allow themselves anything, so such a write is
//! always asked, wherever the folders lie.

use std::path::{Component, Path, PathBuf};

use crate::facts::{Facts, Part};
use crate::forms::lexical;
use crate::pattern::folded;
use crate::readonly::only_looks;
use crate::shell::SimpleCommand;
use crate::{Call, Condition, Pattern, ResolvedPath, Rule};

/// The folders, each as it is written and as it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Own<'a> {
    pub(crate) folders: &'a [[PathBuf; 2]],
    pub(crate) home: Option<&'a str>,
    pub(crate) ignores_case: bool,
}

impl<'a> Own<'a> {
    /// The folder that a path leads into, as it is or as it is written.
    pub(crate) fn holds(&self, path: &ResolvedPath, cwd: &Path) -> Option<&'a Path> {
        if self.folders.is_empty() {
            return None;
        }
        let written = lexical(&path.written, cwd, self.home);
        [path.real.as_path(), written.as_path()].into_iter().find_map(|form| self.around(form))
    }

    fn around(&self, path: &Path) -> Option<&'a Path> {
        self.find(|folder| self.is_below(path, folder))
    }

    fn find(&self, is: impl Fn(&Path) -> bool) -> Option<&'a Path> {
        self.spelled().find(|folder| is(folder))
    }

    fn spelled(&self) -> impl Iterator<Item = &'a Path> + use<'a> {
        self.folders.iter().flatten().map(PathBuf::as_path)
    }

    fn is_below(&self, path: &Path, folder: &Path) -> bool {
        let same = |path: &Path| PathBuf::from(folded(&path.to_string_lossy()));
        path.starts_with(folder) || self.ignores_case && same(path).starts_with(same(folder))
    }

    /// The folder that a part of a command names.
    pub(crate) fn named_by(&self, facts: &Facts<'_>) -> Option<&'a Path> {
        if self.folders.is_empty() {
            return None;
        }
        match facts.part {
            Part::Call => None,
            Part::Unknown { texts } => self.in_text(texts.whole.text),
            Part::Command { command, .. } => {
                self.in_text(&command.text).or_else(|| self.in_words(command, facts.ground.call))
            }
        }
    }

    fn in_words(&self, command: &SimpleCommand, call: &Call<'_>) -> Option<&'a Path> {
        let looks = only_looks(command) && !command.moves;
        command.words.iter().find_map(|word| {
            let text = word.text.as_str();
            let value = text.split_once('=').map(|(_, value)| value);
            let forms = [Some(text), value].into_iter().flatten();
            forms.into_iter().find_map(|form| self.at(form, command.moves, looks, call))
        })
    }

    /// The folder that a word leads into, or that lies in what it names: to copy something there or
    /// to delete it is to write the folder.
    fn at(&self, word: &str, moves: bool, looks: bool, call: &Call<'_>) -> Option<&'a Path> {
        let is_far = |folder: &Path| !folder.starts_with(call.cwd) && !call.cwd.starts_with(folder);
        let is_plain = !word.starts_with(['/', '~', '$']) && !word.contains("..");
        if is_plain && !moves && self.spelled().all(is_far) {
            return None;
        }
        let path = lexical(word, call.cwd, self.home);
        let hit = |path: &Path| {
            self.find(|folder| {
                matches_below(path, folder)
                    || self.is_below(path, folder)
                    || !looks && is_above(path, folder, call.workspace)
            })
        };
        let elsewhere = || {
            // Where the command goes is not known: it may be somewhere above the folder. What has
            // only the folder's last name is too often something else.
            let starts = self.spelled().flat_map(|folder| folder.ancestors().skip(2));
            let relative = is_plain && moves && !word.is_empty() && !word.starts_with('-');
            starts.filter(|_| relative).find_map(|start| {
                let path = lexical(word, start, self.home);
                (path != start).then(|| hit(&path)).flatten()
            })
        };
        hit(&path).or_else(elsewhere)
    }

    /// A word as it is written, that has the folder's path in it.
    fn in_text(&self, text: &str) -> Option<&'a Path> {
        self.find(|folder| self.spellings(folder).iter().any(|it| self.has(text, it)))
    }

    fn has(&self, text: &str, spelling: &str) -> bool {
        match self.ignores_case {
            true => mentions(&folded(text), &folded(spelling)),
            false => mentions(text, spelling),
        }
    }

    /// The folder's path, and what of it follows the home directory if that is more than a name.
    fn spellings(&self, folder: &'a Path) -> Vec<&'a str> {
        let inner = self.home.and_then(|home| folder.strip_prefix(home).ok());
        let inner = inner.filter(|inner| inner.components().count() > 1);
        [Some(folder), inner].into_iter().flatten().filter_map(Path::to_str).collect()
    }

    /// Whether a rule of the user's names the folder literally, which lifts the protection.
    pub(crate) fn is_named_in(&self, rule: &Rule, folder: &Path, facts: &Facts<'_>) -> bool {
        let call = facts.ground.call;
        let whole = match facts.part {
            Part::Call => None,
            Part::Command { command, .. } => Some(command.text.as_str()),
            Part::Unknown { texts } => Some(texts.whole.text),
        };
        let says = |pattern: &Pattern| match whole {
            Some(whole) => pattern.is_exactly(whole) || self.is_mentioned(pattern, folder),
            None => self.is_path_of(pattern, folder, call),
        };
        rule.matches.iter().any(|(_, condition)| every(condition, &says))
    }

    fn is_mentioned(&self, pattern: &Pattern, folder: &Path) -> bool {
        let text = pattern.text().replace('\\', "");
        let same = self.spelled().filter(|other| self.is_same(other, folder));
        same.flat_map(|folder| self.spellings(folder)).any(|it| self.has(&text, it))
    }

    fn is_same(&self, other: &Path, folder: &Path) -> bool {
        let has = |both: &[PathBuf; 2], it: &Path| both.iter().any(|folder| folder == it);
        self.folders.iter().any(|both| has(both, other) && has(both, folder))
    }

    fn is_path_of(&self, pattern: &Pattern, folder: &Path, call: &Call<'_>) -> bool {
        let text = pattern.text().replace('\\', "");
        let starts = call.workspace.iter().map(PathBuf::as_path);
        let mut forms = starts.chain([Path::new("/")]).map(|at| lexical(&text, at, self.home));
        forms.any(|form| {
            let mut same = self.spelled().filter(|own| self.is_same(own, folder));
            same.any(|own| form.starts_with(own))
        })
    }
}

fn every(condition: &Condition, says: &dyn Fn(&Pattern) -> bool) -> bool {
    match condition {
        // Every alternative, since the one that matched may be another.
        Condition::Any(all) => all.iter().all(|one| every(one, says)),
        Condition::Pattern(pattern) => says(pattern),
        Condition::Literal(_) => false,
        Condition::Nested(inner) => inner.iter().any(|(_, one)| every(one, says)),
    }
}

/// Whether the path stands there as a whole: `…/redline` is not in `…/redline-old`.
fn mentions(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let (before, after) = (text.get(..at), text.get(at + path.len()..));
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let starts = path.starts_with('/') || !before.is_some_and(|it| it.ends_with(is_name));
        starts && !after.is_some_and(|it| it.starts_with(is_name))
    })
}

/// Whether a path with patterns of names in it may lead into the folder.
fn matches_below(path: &Path, folder: &Path) -> bool {
    let is_open = |part: &Component<'_>| {
        part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{', '$', '`'])
    };
    let (mut parts, mut names) = (path.components(), folder.components());
    if !path.components().any(|part| is_open(&part)) {
        return false;
    }
    names.all(|name| {
        parts.next().is_some_and(|part| part == name || is_open(&part) && fits(&part, &name))
    })
}

/// Whether what is plain before the first open character is how the name begins.
fn fits(part: &Component<'_>, name: &Component<'_>) -> bool {
    let (part, name) = (part.as_os_str().to_string_lossy(), name.as_os_str().to_string_lossy());
    let plain = part.split(['*', '?', '[', '{', '$', '`']).next().unwrap_or_default();
    name.starts_with(plain)
}

/// Whether the folder lies in a path that does not hold the workspace, too.
fn is_above(path: &Path, folder: &Path, workspace: &[PathBuf]) -> bool {
    folder.starts_with(path) && !workspace.iter().any(|root| root.starts_with(path))
}
