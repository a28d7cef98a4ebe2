//! Which shell there is.

use std::{env, path::PathBuf, sync::OnceLock};

/// Seed 000, Bash 1: "Uses bash (or sh if bash unavailable)". Looked up once.
pub(super) fn shell() -> PathBuf {
    static SHELL: OnceLock<PathBuf> = OnceLock::new();
    let find = || find("bash").unwrap_or_else(|| PathBuf::from("sh"));
    SHELL.get_or_init(find).clone()
}

fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from("/bin"), PathBuf::from("/usr/bin")]);
    folders.map(|folder| folder.join(name)).find(|file| file.is_absolute() && file.is_file())
}
