//! The ways in which a path and a command may be held against patterns, worked out once a call.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::glob::after_home;
use crate::letters::Letters;
use crate::pattern::{composed, folded};
use crate::shell::SimpleCommand;
use crate::spelled::Sign;
use crate::{Call, Pattern, ResolvedPath};

/// The forms of one path of a call.
#[derive(Debug)]
pub(crate) struct PathForms<'a> {
    /// The argument that it is.
    pub(crate) arg: &'a str,
    /// What an allowing rule may be held against: the real path, absolute and relative to its
    /// folder. A path that is no valid text has none.
    pub(crate) exact: Vec<&'a str>,
    /// What a tightening rule may be held against: these, the path as it is written, and as if there
    /// were no symlinks.
    pub(crate) looks: Vec<Look<'a>>,
    /// The looks without regard to case, where the file system has none.
    pub(crate) folded: Vec<Look<'a>>,
}

/// One look of a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Look<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Byte at which its last component starts.
    name: usize,
}

impl<'a> Look<'a> {
    fn new(text: Cow<'a, str>) -> Self {
        let name = text.rfind('/').map_or(0, |at| at + 1);
        Look { text, name }
    }

    pub(crate) fn name(&self) -> &str {
        self.text.get(self.name..).unwrap_or_default()
    }
}

impl<'a> PathForms<'a> {
    /// The characters in all that a rule may be held against.
    pub(crate) fn letters(&self) -> Letters {
        let all = self.looks.iter().chain(&self.folded);
        all.map(|look| Letters::of(&look.text)).fold(Letters::default(), Letters::or)
    }

    pub(crate) fn new(
        path: &'a ResolvedPath,
        call: &Call<'a>,
        home: Option<&str>,
        ignores_case: bool,
    ) -> Self {
        let workspace = call.workspace;
        let real = path.real.as_path();
        let exact = std::iter::once(real).chain(relative(real, workspace));
        let looks = looks(path, call.cwd, workspace, home);
        let fold = |look: &Look| Look::new(Cow::Owned(folded(&look.text)));
        PathForms {
            arg: &path.arg,
            exact: exact.filter_map(Path::to_str).collect(),
            folded: looks.iter().filter(|_| ignores_case).map(fold).collect(),
            looks,
        }
    }
}

fn looks<'a>(
    path: &'a ResolvedPath,
    cwd: &Path,
    workspace: &'a [PathBuf],
    home: Option<&str>,
) -> Vec<Look<'a>> {
    let mut all: Vec<Look<'a>> = Vec::with_capacity(5);
    let mut add = |text: Cow<'a, str>| {
        if let Cow::Owned(other) = composed(&text) {
            all.push(Look::new(Cow::Owned(other)));
        }
        all.push(Look::new(text));
    };
    add(Cow::Borrowed(path.written.as_str()));
    let real = path.real.as_path();
    add(real.to_string_lossy());
    relative(real, workspace).for_each(|form| add(form.to_string_lossy()));
    let lexical = lexical(&path.written, cwd, home);
    if lexical != real {
        add(Cow::Owned(lexical.to_string_lossy().into_owned()));
        let forms = relative(&lexical, workspace);
        forms.for_each(|form| add(Cow::Owned(form.to_string_lossy().into_owned())));
    }
    all.dedup();
    all
}

fn relative<'p>(path: &'p Path, workspace: &'p [PathBuf]) -> impl Iterator<Item = &'p Path> {
    workspace.iter().filter_map(|root| path.strip_prefix(root).ok())
}

/// The absolute path without `.` and `..`, as if there were no symlinks but those of `/proc/self`.
pub(crate) fn lexical(written: &str, cwd: &Path, home: Option<&str>) -> PathBuf {
    let from_home = home.and_then(|home| Some(format!("{home}{}", after_home(written)?)));
    let written = from_home.as_deref().unwrap_or(written);
    let mut path = PathBuf::new();
    for component in cwd.join(written).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                path.pop();
            }
            other => path.push(other),
        }
        if let Some(place) = own_link(&path, cwd) {
            path = place.to_owned();
        }
    }
    path
}

/// Where a link that every process has of its own leads: the caller's directory, and the root.
fn own_link<'p>(path: &Path, cwd: &'p Path) -> Option<&'p Path> {
    let name = path.file_name().filter(|name| *name == "cwd" || *name == "root")?;
    let holder = path.parent()?;
    if holder != Path::new("/proc/self") && holder != Path::new("/proc/thread-self") {
        return None;
    }
    Some(if name == OsStr::new("cwd") { cwd } else { Path::new("/") })
}

/// The whole text of a command, which a tightening rule may be held against besides its parts.
#[derive(Debug)]
pub(crate) struct Whole<'a> {
    pub(crate) text: &'a str,
    forms: Vec<Cow<'a, str>>,
    letters: Letters,
    /// What came of it, by the pattern's address.
    known: Option<RefCell<HashMap<*const Pattern, bool>>>,
}

impl<'a> Whole<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let forms = with_composed(std::iter::once(text));
        let letters = letters_of(&forms);
        Whole { text, forms, letters, known: None }
    }

    /// The same, held against each pattern once however many parts it has. Only for patterns that
    /// live as long as this does: another one may come to lie where one was.
    pub(crate) fn remembering(text: &'a str) -> Self {
        Whole { known: Some(RefCell::default()), ..Whole::new(text) }
    }

    pub(crate) fn resembles(&self, pattern: &Pattern) -> bool {
        if !pattern.letters().are_in(self.letters) {
            return false;
        }
        let look = || self.forms.iter().any(|form| pattern.resembles(form));
        let Some(known) = &self.known else { return look() };
        *known.borrow_mut().entry(std::ptr::from_ref(pattern)).or_insert_with(look)
    }
}

/// The texts of a command, or of one of its parts.
#[derive(Debug)]
pub(crate) struct Texts<'a> {
    pub(crate) whole: &'a Whole<'a>,
    /// What a tightening rule may be held against besides the whole.
    looks: Vec<Cow<'a, str>>,
    /// Of a part with unknowns, and of each that runs it: what is known between them.
    pub(crate) pieces: Vec<Vec<&'a str>>,
    /// Of a part with patterns of file names, and of each that runs it: what it may become.
    pub(crate) signs: Vec<&'a [Sign]>,
    /// The characters in the looks and pieces; all where not everything is known.
    letters: Letters,
}

impl<'a> Texts<'a> {
    /// Of a part of which nothing is known: the whole text.
    pub(crate) fn whole(whole: &'a Whole<'a>) -> Self {
        let (looks, pieces, signs) = (Vec::new(), Vec::new(), Vec::new());
        Texts { whole, looks, pieces, signs, letters: Letters::ALL }
    }

    /// Of a simple command.
    pub(crate) fn of(command: &'a SimpleCommand, whole: &'a Whole<'a>) -> Self {
        let looks = with_composed(command.looks());
        let pieces: Vec<_> = command.all_pieces().collect();
        let signs: Vec<&[Sign]> = command.all_signs().collect();
        let is_known = pieces.is_empty() && signs.is_empty();
        let letters = if is_known { letters_of(&looks) } else { Letters::ALL };
        Texts { whole, looks, pieces, signs, letters }
    }

    /// All characters that a rule may find in it.
    pub(crate) fn letters(&self) -> Letters {
        self.letters.or(self.whole.letters)
    }

    /// Whether a tightening rule with this pattern is about it.
    pub(crate) fn resembles(&self, pattern: &Pattern) -> bool {
        let own = pattern.letters().are_in(self.letters)
            && self.looks.iter().any(|look| pattern.resembles(look));
        own || self.whole.resembles(pattern)
    }
}

fn letters_of(texts: &[Cow<'_, str>]) -> Letters {
    texts.iter().map(|text| Letters::of(text)).fold(Letters::default(), Letters::or)
}

fn with_composed<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<Cow<'a, str>> {
    let mut all: Vec<Cow<'a, str>> = Vec::new();
    for text in texts {
        if all.last().is_some_and(|last| last == text) {
            continue;
        }
        all.push(Cow::Borrowed(text));
        if let Cow::Owned(other) = composed(text) {
            all.push(Cow::Owned(other));
        }
    }
    all
}
