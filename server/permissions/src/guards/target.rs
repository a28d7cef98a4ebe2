//! Directories that are more than a project: what `rm -r` must not be given.

use std::path::{Component, Path, PathBuf};

use crate::{
    glob::after_home,
    shell::{Argument, base_name},
};

/// Direct children of the root that hold a system or everybody's files. What is below them is not
/// meant: `/var/tmp/x` is anybody's.
const SYSTEM: [&str; 23] = [
    "Applications",
    "Library",
    "System",
    "Users",
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "lib32",
    "lib64",
    "media",
    "mnt",
    "opt",
    "private",
    "proc",
    "root",
    "run",
    "sbin",
    "srv",
    "sys",
    "usr",
];

/// How deep a directory is followed; nothing so deep is a system's.
const MAX_DEPTH: usize = 64;

/// Where relative paths of a command start.
pub(super) struct Place {
    /// `None`: a `cd` went where nobody knows.
    pub cwd: Option<PathBuf>,
    pub home: Option<PathBuf>,
}

impl Place {
    /// Whether one of the words names such a directory, or everything in it.
    pub fn any<'a>(&self, mut words: impl Iterator<Item = &'a Argument>) -> bool {
        words.any(|word| self.is_vital(word))
    }

    /// Follows a `cd`.
    pub fn moved_by(&mut self, words: &[Argument]) {
        let [program, rest @ ..] = words else { return };
        if !matches!(base_name(&program.text), "cd" | "pushd") {
            return;
        }
        let to = rest.iter().find(|word| !word.text.starts_with('-'));
        self.cwd = match to {
            None => self.home.clone(),
            Some(word) => self.path(word).filter(|path| path.components().count() <= MAX_DEPTH),
        };
    }

    fn is_vital(&self, word: &Argument) -> bool {
        let Some(path) = self.path(word) else { return is_home(word) };
        // `DIR/*` and `DIR/.*` are as good as the directory.
        let names: Vec<String> = names(&path);
        let all = |name: &String| !name.is_empty() && name.chars().all(|c| "*.?{},".contains(c));
        let named = match names.split_last() {
            Some((last, rest)) if all(last) => rest,
            _ => names.as_slice(),
        };
        let is_home = self.home.as_deref().is_some_and(|home| self::names(home) == named);
        match named {
            [] => true,
            [one] => is_home || SYSTEM.contains(&one.as_str()) || one == "var",
            _ => is_home,
        }
    }

    /// The path without `.` and `..`, as if there were no symlinks; `None`: it is not known.
    fn path(&self, word: &Argument) -> Option<PathBuf> {
        let text = unquoted(&word.text);
        let expanded = match (after_home(&text), &self.home) {
            (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
            (Some(_), None) => return None,
            (None, _) if !word.is_known => return None,
            (None, _) if text.is_empty() => return None,
            (None, _) => PathBuf::from(text),
        };
        let whole =
            if expanded.has_root() { expanded } else { self.cwd.as_deref()?.join(expanded) };
        let mut path = PathBuf::from("/");
        for component in whole.components() {
            match component {
                Component::ParentDir => drop(path.pop()),
                Component::Normal(name) => path.push(name),
                _ => {}
            }
        }
        Some(path)
    }
}

/// Where nobody knows what the home is.
fn is_home(word: &Argument) -> bool {
    let text = unquoted(&word.text);
    after_home(&text).is_some_and(|rest| matches!(rest, "" | "/" | "/*" | "/.*"))
}

/// A word with a variable in it is told as it is written.
fn unquoted(text: &str) -> String {
    text.replace('"', "")
}

fn names(path: &Path) -> Vec<String> {
    let names = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    names.collect()
}
