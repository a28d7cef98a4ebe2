//! Which files of a folder count: the rules of the ignore files in it and above it, in ripgrep's
//! order of precedence.
//!
//! `.rgignore` before `.ignore` before `.gitignore` before `.git/info/exclude` before the user's
//! global file; of one kind the nearest folder that says something; of one file the last line. The
//! kinds that are git's do not reach into a repository inside. Other than ripgrep's they work outside
//! of repositories too: agents expect it.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path},
};

use super::{globs::check_braces, plain, stamp::Look};

/// Bytes of an ignore file; a larger one is none.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// Bytes of a line that is compiled without harm whatever it is.
const HARMLESS: usize = 1_024;
/// Bytes of `.git` and `commondir`, where they are files.
const MAX_LINK: u64 = 64 * 1024;

/// Files of rules in a folder, but for those in `.git`.
pub(super) const IGNORE_FILES: [&str; 3] = [".rgignore", ".ignore", ".gitignore"];
/// What says that a repository starts in a folder.
pub(super) const REPOSITORY: [&str; 2] = [".git", ".jj"];

/// What the rules say of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is left out.
    Ignored,
    /// It counts, even if it is hidden.
    Wanted,
    /// Nothing.
    Silent,
}

impl Verdict {
    fn of<T>(found: &Match<T>) -> Option<Self> {
        match found {
            Match::None => None,
            Match::Ignore(_) => Some(Verdict::Ignored),
            Match::Whitelist(_) => Some(Verdict::Wanted),
        }
    }
}

/// The rules of one folder, and behind them those of the folders above. A folder without any has
/// those of the folder above it.
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    own: [Gitignore; 3],
    exclude: Gitignore,
    is_repository: bool,
    global: Arc<Gitignore>,
}

impl Rules {
    /// What they say of a path, which is absolute and in the folder or below it.
    pub fn verdict(&self, path: &Path, is_folder: bool) -> Verdict {
        let mut found = [None; 4];
        let mut is_same_repository = true;
        let mut next = Some(self);
        while let Some(rules) = next {
            let kinds = rules.own.iter().chain([&rules.exclude]);
            for (index, (rules, found)) in kinds.zip(&mut found).enumerate() {
                if found.is_none() && (index < 2 || is_same_repository) {
                    *found = Verdict::of(&rules.matched(path, is_folder));
                }
            }
            // Nothing goes before the first kind.
            if let Some(verdict) = found[0] {
                return verdict;
            }
            is_same_repository &= !rules.is_repository;
            next = rules.above.as_deref();
        }
        let global = || Verdict::of(&self.global.matched(path, is_folder));
        found.into_iter().flatten().next().or_else(global).unwrap_or(Verdict::Silent)
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<usize> = self.own.iter().map(Gitignore::len).collect();
        f.debug_struct("Rules").field("own", &counts).field("above", &self.above).finish()
    }
}

/// The ignore files of a folder must not be read: a device or a FIFO never ends, and a line of
/// braces within braces would end the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotSafe;

/// The rules that hold in a folder, and all that was looked at to find them.
#[derive(Debug, Clone)]
pub(super) struct Level {
    pub rules: Arc<Rules>,
    above: Option<Arc<Rules>>,
    sources: Vec<(PathBuf, Look)>,
    is_settled: bool,
}

impl Level {
    /// Whether reading it all again would give the same.
    pub fn is_current(&self, above: Option<&Arc<Rules>>) -> bool {
        let is_same = match (&self.above, above) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        is_same && self.is_settled && self.sources.iter().all(|(path, was)| Look::at(path) == *was)
    }

    /// Where all chains start: the user's global rules, for paths below `base`.
    pub fn base(base: &Path, settled: Duration) -> Self {
        let mut sources = Sources::new(settled);
        let global = gitconfig_excludes_path().and_then(|file| sources.rules(&file, base).ok());
        let global = Arc::new(global.unwrap_or_else(Gitignore::empty));
        let rules = Rules {
            above: None,
            own: [Gitignore::empty(), Gitignore::empty(), Gitignore::empty()],
            exclude: Gitignore::empty(),
            is_repository: false,
            global,
        };
        sources.level(Arc::new(rules), None)
    }

    /// The rules of `folder`. One without any has those above.
    ///
    /// # Errors
    /// If what is there must not be read.
    pub fn of(folder: &Path, above: &Arc<Rules>, settled: Duration) -> Result<Self, NotSafe> {
        let mut sources = Sources::new(settled);
        let mut own = [Gitignore::empty(), Gitignore::empty(), Gitignore::empty()];
        for (name, own) in IGNORE_FILES.into_iter().zip(&mut own) {
            *own = sources.rules(&folder.join(name), folder)?;
        }
        let [git, jj] = REPOSITORY.map(|name| sources.look(&folder.join(name)));
        let is_repository = git != Look::Missing || jj != Look::Missing;
        let exclude = sources.exclude(folder, git)?;
        let is_empty = own.iter().chain([&exclude]).all(Gitignore::is_empty);
        let rules = if is_empty && !is_repository {
            above.clone()
        } else {
            let (above, global) = (Some(above.clone()), above.global.clone());
            Arc::new(Rules { above, own, exclude, is_repository, global })
        };
        Ok(sources.level(rules, Some(above.clone())))
    }
}

/// Remembers what it looked at.
struct Sources {
    then: SystemTime,
    settled: Duration,
    is_settled: bool,
    all: Vec<(PathBuf, Look)>,
}

impl Sources {
    fn new(settled: Duration) -> Self {
        Self { then: SystemTime::now(), settled, is_settled: true, all: Vec::new() }
    }

    fn level(self, rules: Arc<Rules>, above: Option<Arc<Rules>>) -> Level {
        Level { rules, above, sources: self.all, is_settled: self.is_settled }
    }

    /// Looks before anything is read, so that what changes meanwhile is seen the next time.
    fn look(&mut self, path: &Path) -> Look {
        let look = Look::at(path);
        self.is_settled &= look.is_settled(self.then, self.settled);
        self.all.push((path.to_owned(), look));
        look
    }

    /// The rules in a file, for paths below `base`; none in a file that is not there.
    fn rules(&mut self, file: &Path, base: &Path) -> Result<Gitignore, NotSafe> {
        match self.look(file) {
            Look::Missing | Look::Folder(..) => return Ok(Gitignore::empty()),
            Look::Other => return Err(NotSafe),
            Look::File(_) => {}
        }
        // What can't be read says nothing, as with ripgrep.
        let Ok(bytes) = plain::read(file, MAX_BYTES) else { return Ok(Gitignore::empty()) };
        compiled(&bytes.ok_or(NotSafe)?, base)
    }

    /// `.git/info/exclude`. In a work tree and in a submodule `.git` is a file that says where the
    /// repository is.
    fn exclude(&mut self, folder: &Path, git: Look) -> Result<Gitignore, NotSafe> {
        let git = match git {
            Look::Missing | Look::Other => return Ok(Gitignore::empty()),
            Look::Folder(..) => folder.join(".git"),
            Look::File(_) => {
                let Some(git) = line(&folder.join(".git")) else { return Ok(Gitignore::empty()) };
                let Some(git) = git.strip_prefix("gitdir: ") else { return Ok(Gitignore::empty()) };
                self.common(&folder.join(git))
            }
        };
        self.rules(&git.join("info/exclude"), folder)
    }

    /// What a work tree shares with the others.
    fn common(&mut self, git: &Path) -> PathBuf {
        let link = git.join("commondir");
        match self.look(&link) {
            Look::File(_) => line(&link).map_or_else(|| git.to_owned(), |common| git.join(common)),
            _ => git.to_owned(),
        }
    }
}

fn line(file: &Path) -> Option<String> {
    let bytes = plain::read(file, MAX_LINK).ok().flatten()?;
    let text = String::from_utf8(bytes).ok()?;
    text.lines().next().map(str::to_owned)
}

/// Lines up to the first that is no UTF-8, as ripgrep reads them; one that is no glob does not
/// disable the others.
fn compiled(bytes: &[u8], base: &Path) -> Result<Gitignore, NotSafe> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut builder = GitignoreBuilder::new(base);
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Ok(line) = std::str::from_utf8(line) else { break };
        if line.len() > HARMLESS && check_braces(line).is_err() {
            return Err(NotSafe);
        }
        let _ = builder.add_line(None, line);
    }
    Ok(builder.build().unwrap_or_else(|_| Gitignore::empty()))
}
