//! Which file a delegate's name means.

use std::{
    env,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

/// Why there is no program to be run. Each follows the program's name in a sentence.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotFound {
    #[error("is neither a name to be found on $PATH nor an absolute path")]
    Relative,
    #[error("is not on $PATH (folders of the workspace do not count)")]
    NotOnPath,
    #[error("is not there ({0})")]
    Missing(io::Error),
    #[error("is no file")]
    NoFile,
    #[error("is not executable")]
    NotExecutable,
}

/// The file: seed 004, "must be on $PATH, or an absolute path". Folders of the PATH that are
/// relative or lie in the workspace are left out: what an agent works on must not decide what it
/// may do. Looks at the disk.
pub(super) fn found(
    program: &str,
    path: Option<&OsStr>,
    roots: &[PathBuf],
) -> Result<PathBuf, NotFound> {
    let written = Path::new(program);
    if written.is_absolute() {
        return usable(written).map(|()| written.to_owned());
    }
    if program.contains(std::path::is_separator) {
        return Err(NotFound::Relative);
    }
    let ours = |path: &Path| {
        let real = path.canonicalize();
        let real = real.as_deref().unwrap_or(path);
        roots.iter().any(|root| real.starts_with(root))
    };
    let folders = env::split_paths(path.unwrap_or_default())
        .filter(|folder| folder.is_absolute() && !ours(folder));
    let mut best = NotFound::NotOnPath;
    // A link outside that leads into the workspace is the workspace's, too.
    for file in folders.map(|folder| folder.join(program)).filter(|file| !ours(file)) {
        match usable(&file) {
            Ok(()) => return Ok(file),
            Err(NotFound::Missing(_)) => {}
            Err(worse) => best = worse,
        }
    }
    Err(best)
}

fn usable(file: &Path) -> Result<(), NotFound> {
    let metadata = fs::metadata(file).map_err(NotFound::Missing)?;
    match (metadata.is_file(), may_execute(file)) {
        (false, _) => Err(NotFound::NoFile),
        (true, false) => Err(NotFound::NotExecutable),
        (true, true) => Ok(()),
    }
}

#[cfg(unix)]
fn may_execute(file: &Path) -> bool {
    rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn may_execute(_: &Path) -> bool {
    true
}
