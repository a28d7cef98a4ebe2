//! A file's identity.

use std::{
    fmt,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

/// The canonical path of a file: symlinks of its existing ancestors resolved, the rest normalised.
/// Two names of one file are equal; locks, permissions, resource keys and buffers all go by it.
/// The path may lie outside the workspace: what is allowed there is the permissions' business.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkspacePath(Arc<Path>);

/// Why a text names no file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// Nothing there.
    #[error("the path is empty; give the path of a file")]
    Empty,
    /// The operating system takes no NUL.
    #[error("the path contains a NUL character; remove it")]
    Nul,
    /// Longer than any system takes.
    #[error("the path has {0} bytes; no path is longer than {MOST}: give the path of a file")]
    TooLong(usize),
    /// It was permitted for another file.
    #[error(
        "`{written}` led to {was} when it was permitted and leads to {is} now; nothing was done. \
         Find out what has changed, and call it again: it is judged anew"
    )]
    Moved {
        /// The name.
        written: String,
        /// Where it led.
        was: String,
        /// Where it leads.
        is: String,
    },
    /// Symlinks in a circle, a file used as a folder, …
    #[error("cannot resolve {path}: {reason}")]
    Unresolvable {
        /// The path.
        path: String,
        /// The operating system's words.
        reason: String,
    },
}

/// Bytes of a path. Linux takes 4,096, Windows 32,767 units.
const MOST: usize = 32 * 1024;

impl WorkspacePath {
    /// Resolves what a model or a client wrote: `~` is `home`, a relative path starts at `cwd`.
    /// Looks at the disk (symlinks), so it belongs to the edge.
    pub fn resolve(written: &str, cwd: &Path, home: Option<&Path>) -> Result<Self, PathError> {
        let path = absolute(written, cwd, home)?;
        canonical(&normalised(&path)).map(|p| Self(p.into()))
    }

    /// The same, but a path that ends in a symbolic link is the link's own.
    pub fn resolve_entry(
        written: &str,
        cwd: &Path,
        home: Option<&Path>,
    ) -> Result<Self, PathError> {
        let path = normalised(&absolute(written, cwd, home)?);
        let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) if is_link => {
                canonical(parent).map(|parent| Self(parent.join(name).into()))
            }
            _ => canonical(&path).map(|p| Self(p.into())),
        }
    }

    /// For paths that are known to be canonical, such as those of tests without a disk.
    pub fn assume_canonical(path: &Path) -> Self {
        Self(path.into())
    }

    /// The path.
    pub fn as_path(&self) -> &Path {
        &self.0
    }

    /// The file's name for display: relative to the first root that holds it, else whole.
    pub fn display_in(&self, roots: &[PathBuf]) -> String {
        let inside = roots.iter().find_map(|root| self.0.strip_prefix(root).ok());
        inside.unwrap_or(&self.0).display().to_string()
    }

    /// Whether it lies in one of the (canonical) roots.
    pub fn is_inside(&self, roots: &[PathBuf]) -> bool {
        roots.iter().any(|root| self.0.starts_with(root))
    }
}

fn absolute(written: &str, cwd: &Path, home: Option<&Path>) -> Result<PathBuf, PathError> {
    if written.is_empty() {
        return Err(PathError::Empty);
    }
    if written.contains('\0') {
        return Err(PathError::Nul);
    }
    if written.len() > MOST {
        return Err(PathError::TooLong(written.len()));
    }
    let at_home = HOMES.into_iter().find_map(|name| written.strip_prefix(name)).zip(home);
    let path = match at_home {
        Some(("", home)) => home.to_owned(),
        Some((rest, home)) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => cwd.join(written),
    };
    Ok(own_cwd(&path, cwd).unwrap_or(path))
}

/// What stands for the home directory, as in patterns of rules.
const HOMES: [&str; 3] = ["~", "$HOME", "${HOME}"];

/// `/proc/self/cwd` is where the call starts; in this process it would be where this process does.
fn own_cwd(path: &Path, cwd: &Path) -> Option<PathBuf> {
    let path = normalised(path);
    let links = ["/proc/self/cwd", "/proc/thread-self/cwd"];
    let rest = links.into_iter().find_map(|link| path.strip_prefix(link).ok())?;
    Some(cwd.join(rest))
}

/// `a/../b` is `b` as far as the text goes; a `..` behind a symlink is left to `canonical`.
fn normalised(path: &Path) -> PathBuf {
    path.components().filter(|part| !matches!(part, Component::CurDir)).collect()
}

/// Resolves the longest existing prefix and appends the rest with its `..` taken away.
fn canonical(path: &Path) -> Result<PathBuf, PathError> {
    let parts: Vec<Component<'_>> = path.components().collect();
    for keep in (1..=parts.len()).rev() {
        let head: PathBuf = parts[..keep].iter().collect();
        match head.canonicalize() {
            Ok(real) => return Ok(append(real, &parts[keep..])),
            Err(e) if is_missing(&head, &e) => {}
            Err(e) => {
                return Err(PathError::Unresolvable {
                    path: shortened(path),
                    reason: e.to_string(),
                });
            }
        }
    }
    Ok(append(PathBuf::new(), &parts))
}

/// For an error: a name that is too long is not repeated as a whole.
fn shortened(path: &Path) -> String {
    const MOST: usize = 400;
    let path = path.display().to_string();
    match path.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path,
    }
}

/// A dangling symlink is not "missing": writing through it would create its target elsewhere.
fn is_missing(path: &Path, error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::NotFound && path.symlink_metadata().is_err()
}

fn append(mut base: PathBuf, rest: &[Component<'_>]) -> PathBuf {
    for part in rest {
        match part {
            Component::ParentDir => {
                base.pop();
            }
            part => base.push(part),
        }
    }
    base
}

impl fmt::Display for WorkspacePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl fmt::Debug for WorkspacePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_names_of_one_file_are_equal() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("real")).unwrap();
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
        let resolve = |s: &str| WorkspacePath::resolve(s, &root, Some(&root)).unwrap();
        let want = resolve("real/new/file.txt");
        assert_eq!(want.as_path(), root.join("real/new/file.txt"));
        for name in ["link/new/file.txt", "./real/./new/x/../file.txt", "~/real/new/file.txt"] {
            assert_eq!(resolve(name), want, "{name}");
        }
        assert_eq!(want.display_in(std::slice::from_ref(&root)), "real/new/file.txt");
        assert!(!resolve("../elsewhere").is_inside(std::slice::from_ref(&root)));
    }

    #[cfg(unix)]
    #[test]
    fn the_name_of_a_link_is_its_own_where_it_is_meant() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("real")).unwrap();
        std::fs::write(root.join("real/file"), "").unwrap();
        std::os::unix::fs::symlink("real", root.join("folder")).unwrap();
        std::os::unix::fs::symlink("file", root.join("real/link")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("real/dangling")).unwrap();
        let check = |written: &str, want: &str| {
            let found = WorkspacePath::resolve_entry(written, &root, None).unwrap();
            assert_eq!(found.as_path(), root.join(want), "{written}");
        };
        check("folder/link", "real/link");
        check("folder/dangling", "real/dangling");
        check("folder/file", "real/file");
        check("folder/missing", "real/missing");
        check("folder", "folder");
    }

    /// Whatever a path is called, it is the file that it leads to.
    #[test]
    fn the_names_of_one_file() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let (root, home) = (base.join("w"), base.join("home"));
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::create_dir_all(home.join("p")).unwrap();
        std::fs::write(root.join("src/a"), "").unwrap();
        let open = std::fs::File::open(root.join("src/a")).unwrap();
        #[cfg(target_os = "linux")]
        let descriptor = std::os::fd::AsRawFd::as_raw_fd(&open);
        let mut rows = vec![
            ("src/a".to_owned(), "w/src/a"),
            ("src//a".to_owned(), "w/src/a"),
            ("./src/./a/".to_owned(), "w/src/a"),
            ("src/../src/a".to_owned(), "w/src/a"),
            ("new/../src/a".to_owned(), "w/src/a"),
            (format!("//{}//src/a", root.display()), "w/src/a"),
            ("~".to_owned(), "home"),
            ("~/p".to_owned(), "home/p"),
            ("~//p/".to_owned(), "home/p"),
            ("$HOME/p".to_owned(), "home/p"),
            ("${HOME}/new".to_owned(), "home/new"),
            ("$HOMES/p".to_owned(), "w/$HOMES/p"),
            ("~x/p".to_owned(), "w/~x/p"),
            ("/proc/self/cwd/src/a".to_owned(), "w/src/a"),
            ("/proc/./thread-self//cwd/src/../src/a".to_owned(), "w/src/a"),
        ];
        #[cfg(target_os = "linux")]
        rows.extend([
            (format!("/proc/self/root{}", root.join("src/a").display()), "w/src/a"),
            (format!("/dev/fd/{descriptor}"), "w/src/a"),
            (format!("/proc/self/fd/{descriptor}"), "w/src/a"),
        ]);
        for (written, want) in rows {
            let found = WorkspacePath::resolve(&written, &root, Some(&home)).unwrap();
            assert_eq!(found.as_path(), base.join(want), "{written}");
        }
        drop(open);
    }

    #[test]
    fn what_names_no_file_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("loop", dir.path().join("loop")).unwrap();
        std::os::unix::fs::symlink("nowhere", dir.path().join("dangling")).unwrap();
        for bad in ["", "a\0b", "loop", "dangling"] {
            assert!(WorkspacePath::resolve(bad, dir.path(), None).is_err(), "{bad:?}");
        }
        let long = WorkspacePath::resolve(&"a/".repeat(5_000_000), dir.path(), None);
        assert_eq!(long, Err(PathError::TooLong(10_000_000)));
    }
}
