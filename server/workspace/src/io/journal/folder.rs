//! Where the state of a folder lives.

use std::{
    fs::{self, DirBuilder},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::io::{
    atomic::{TEMPORARY, sweep},
    durable::{persist, sync_dir},
    words::explain,
};

/// The environment variables that say where state lives; empty ones count as unset.
#[derive(Debug, Clone, Default)]
pub struct Env {
    /// `REDLINE_STATE_DIR`: the state directory itself.
    pub redline_state_dir: Option<PathBuf>,
    /// `XDG_STATE_HOME`; a relative one is ignored, as its specification asks.
    pub xdg_state_home: Option<PathBuf>,
    /// `LOCALAPPDATA`, on Windows.
    pub local_app_data: Option<PathBuf>,
    /// The home directory.
    pub home: Option<PathBuf>,
}

impl Env {
    /// This process's.
    pub fn of_process() -> Self {
        let var = |name| std::env::var_os(name).map(PathBuf::from);
        Self {
            redline_state_dir: var("REDLINE_STATE_DIR"),
            xdg_state_home: var("XDG_STATE_HOME"),
            local_app_data: var("LOCALAPPDATA"),
            home: std::env::home_dir(),
        }
    }
}

/// The user's state directory for Redline: `$REDLINE_STATE_DIR`, else `$XDG_STATE_HOME/redline`, else
/// where the system keeps such things (`~/.local/state/redline`; on macOS
/// `~/Library/Application Support/redline/state`, on Windows `%LOCALAPPDATA%\redline\state`). `None`:
/// there is no home.
pub fn state_dir(env: &Env) -> Option<PathBuf> {
    let set = |path: &Option<PathBuf>| path.clone().filter(|path| !path.as_os_str().is_empty());
    if let Some(dir) = set(&env.redline_state_dir) {
        return std::path::absolute(dir).ok();
    }
    match set(&env.xdg_state_home).filter(|path| path.is_absolute()) {
        Some(dir) => Some(dir.join("redline")),
        None if cfg!(windows) => set(&env.local_app_data).map(|dir| dir.join("redline/state")),
        None if cfg!(target_os = "macos") => {
            set(&env.home).map(|home| home.join("Library/Application Support/redline/state"))
        }
        None => set(&env.home).map(|home| home.join(".local/state/redline")),
    }
}

/// A folder's place in the state directory: `folders/NAME-HASH/`, where NAME is for people and HASH
/// is of the whole path. Its file `root` holds the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    dir: PathBuf,
}

/// Why there is no place for a folder's state.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The directory cannot be made.
    #[error(
        "cannot make {}: {}; REDLINE_STATE_DIR chooses another place", .path.display(),
        explain(.source)
    )]
    Io {
        /// What was to be made.
        path: PathBuf,
        /// The refusal.
        source: io::Error,
    },
}

impl Folder {
    /// The place of a folder, which need not be there yet. `state`: of [`state_dir`]; `root`: the
    /// folder's canonical path.
    pub fn of(state: &Path, root: &Path) -> Self {
        Self { dir: state.join("folders").join(name_of(root)) }
    }

    /// Makes the place, closed to other users.
    pub fn make(state: &Path, root: &Path) -> Result<Self, FolderError> {
        let folder = Self::of(state, root);
        let io = |source| FolderError::Io { path: folder.dir.clone(), source };
        private_dirs(&folder.dir).map_err(io)?;
        sweep(&folder.dir);
        folder.name_root(root).map_err(io)?;
        Ok(folder)
    }

    /// The directory: the journal, the store and the owner's lock go here.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The root that the directory says it belongs to.
    pub fn root(&self) -> Option<PathBuf> {
        let bytes = fs::read(self.dir.join("root")).ok()?;
        Some(path_of(bytes.strip_suffix(b"\n").unwrap_or(&bytes)))
    }

    /// Written whole or not at all: two processes may begin at once.
    fn name_root(&self, root: &Path) -> io::Result<()> {
        if self.root().as_deref() == Some(root) {
            return Ok(());
        }
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(&self.dir)?;
        file.write_all(bytes_of(root).as_ref())?;
        file.write_all(b"\n")?;
        persist(file, &self.dir.join("root"))?;
        sync_dir(&self.dir)
    }
}

/// The last part of the path as far as every file system takes it, and 64 bits of a hash of all.
fn name_of(root: &Path) -> String {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let name: String = name.chars().map(|c| if plain(c) { c } else { '_' }).take(40).collect();
    let name = if name.is_empty() { "root" } else { name.trim_start_matches('.') };
    let hash = blake3::hash(bytes_of(root).as_ref()).to_hex();
    format!("{name}-{}", &hash.as_str()[..16])
}

fn private_dirs(dir: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> impl AsRef<[u8]> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str())
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    let name: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec());
    name.into()
}

#[cfg(not(unix))]
fn bytes_of(path: &Path) -> impl AsRef<[u8]> {
    path.to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn mode(path: &Path) -> u32 {
        std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions()) & 0o777
    }

    #[test]
    #[cfg(all(unix, not(target_os = "macos")))]
    fn the_state_directory() {
        let check = |state: &str, xdg: &str, home: &str, expect: Option<&str>| {
            let var = |s: &str| (s != "-").then(|| PathBuf::from(s));
            let env = Env {
                redline_state_dir: var(state),
                xdg_state_home: var(xdg),
                home: var(home),
                local_app_data: None,
            };
            assert_eq!(state_dir(&env).as_deref(), expect.map(Path::new), "{state} {xdg} {home}");
        };
        check("/s", "/x", "/h", Some("/s"));
        check("", "/x", "/h", Some("/x/redline"));
        check("-", "relative", "/h", Some("/h/.local/state/redline"));
        check("-", "", "/h", Some("/h/.local/state/redline"));
        check("-", "-", "-", None);
    }

    #[test]
    fn names_are_readable_and_different() {
        let check = |root: &str, start: &str| {
            let name = name_of(Path::new(root));
            assert!(name.starts_with(start), "{name}");
            assert_eq!(name.len(), start.len() + 16, "{name}");
        };
        check("/home/me/site", "site-");
        check("/", "root-");
        check("/a/.config", "config-");
        check("/a/naïve app", "na_ve_app-");
        assert_ne!(name_of(Path::new("/a/site")), name_of(Path::new("/b/site")));
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_is_private_and_names_its_root() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        let root: PathBuf = path_of(b"/home/caf\xe9\nx");
        assert_eq!(Folder::of(&state, &root).root(), None);
        let folder = Folder::make(&state, &root).unwrap();
        assert_eq!(Folder::make(&state, &root).unwrap(), folder);
        assert_eq!(folder.root(), Some(root));
        for (path, expect) in [(state, 0o700), (folder.dir().to_owned(), 0o700)] {
            assert_eq!(mode(&path), expect, "{}", path.display());
        }
        assert_eq!(mode(&folder.dir().join("root")), 0o600);
        assert_eq!(fs::read_dir(folder.dir()).unwrap().count(), 1, "nothing left over");
    }

    #[test]
    fn a_place_that_cannot_be_says_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("state"), "a file").unwrap();
        let error = Folder::make(&dir.path().join("state"), Path::new("/r")).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("REDLINE_STATE_DIR") && text.contains("not a folder"), "{text}");
    }
}
