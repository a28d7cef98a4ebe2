//! Where relative paths of redirections start.

/// Directories that one of may be the current one, relative to where the text starts; more than
/// these are not told apart.
const MAX_PLACES: usize = 4;

#[derive(Debug, Clone)]
pub(super) struct Place {
    /// `None`: nobody knows. Never empty otherwise; `""` is where the text starts.
    dirs: Option<Vec<String>>,
    /// Where it would be if a `cd` since the start of this list failed.
    failed: Vec<Option<Vec<String>>>,
    /// How many loops, branches, functions and traps are around.
    pub(super) branches: usize,
    /// Whether there is any `cd`; and one in a loop, branch or function.
    moved: bool,
    wandered: bool,
    /// Whether a relative path was written to; and one at a time that is not known.
    relative: bool,
    deferred: bool,
}

impl Default for Place {
    fn default() -> Self {
        Place {
            dirs: Some(vec![String::new()]),
            failed: Vec::new(),
            branches: 0,
            moved: false,
            wandered: false,
            relative: false,
            deferred: false,
        }
    }
}

/// What a subshell does not change.
#[derive(Clone)]
pub(super) struct Kept(Option<Vec<String>>);

impl Place {
    pub(super) fn keep(&self) -> Kept {
        Kept(self.dirs.clone())
    }

    pub(super) fn restore(&mut self, kept: Kept) {
        self.dirs = kept.0;
    }

    /// What is read now runs in a directory that nobody knows.
    pub(super) fn lose(&mut self) {
        self.dirs = None;
    }

    /// A `cd` to there; `None`: nobody knows where that is.
    pub(super) fn change(&mut self, to: Option<&str>) {
        self.moved = true;
        self.wandered |= self.branches > 0;
        let new = match (to, &self.dirs) {
            (Some(to), Some(dirs)) => dirs.iter().map(|dir| joined(dir, to)).collect(),
            _ => None,
        };
        self.failed.push(std::mem::replace(&mut self.dirs, new));
    }

    /// Behind `;`, `||` and the like, a `cd` may have failed.
    pub(super) fn settle(&mut self) {
        for failed in std::mem::take(&mut self.failed) {
            self.dirs = match (self.dirs.take(), failed) {
                (Some(mut dirs), Some(more)) => {
                    dirs.extend(more);
                    dirs.sort_unstable();
                    dirs.dedup();
                    Some(dirs).filter(|dirs| dirs.len() <= MAX_PLACES)
                }
                _ => None,
            };
        }
    }

    pub(super) fn has_moved(&self) -> bool {
        self.moved
    }

    /// Whether a relative path was written to while nobody knows where that is.
    pub(super) fn is_doubtful(&self) -> bool {
        self.relative && self.wandered || self.deferred && self.moved
    }

    /// The paths that a written one may lead to; `None`: nobody knows.
    pub(super) fn paths(&mut self, written: &str) -> Option<Vec<String>> {
        if written.starts_with(['/', '~']) {
            return Some(vec![written.to_owned()]);
        }
        self.relative = true;
        self.deferred |= self.branches > 0;
        let dirs = self.dirs.as_ref()?;
        dirs.iter()
            .map(|dir| match dir.as_str() {
                "" => Some(written.to_owned()),
                // Through a symlink, `..` leads elsewhere than it looks.
                _ if has_parent(written) => None,
                dir => Some(format!("{}/{written}", dir.trim_end_matches('/'))),
            })
            .collect()
    }
}

fn joined(dir: &str, to: &str) -> Option<String> {
    if to.starts_with('/') {
        return Some(to.to_owned()).filter(|to| !has_parent(to));
    }
    let climbs = to.split('/').all(|part| part == ".." || part == "." || part.is_empty());
    match dir {
        "" if climbs || !has_parent(to) => Some(to.to_owned()),
        _ if has_parent(to) || to.is_empty() => None,
        dir => Some(format!("{}/{to}", dir.trim_end_matches('/'))),
    }
}

fn has_parent(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}
