//! Node packages from a committed lock file, installed once for each state of it.

use crate::install::succeeds;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The copy of the lock file that says what `node_modules` holds.
const STAMP: &str = "node_modules/.installed-lock.json";

/// How often an installation is tried: a registry may be out of reach for a moment.
const ATTEMPTS: usize = 3;

/// Installs what `folder`'s lock file names, if that is not what is there already. `node` is the folder
/// of the Node that runs npm; `None` for the one on the path.
///
/// # Errors
/// What could not be installed, and what to do.
pub fn install(folder: &Path, node: Option<&Path>) -> Result<(), String> {
    run(folder, node, &["ci"])
}

/// Installs what a package of somebody else names, without what only its developers need. Its lock file may
/// lack a package, so `npm ci` would refuse.
///
/// # Errors
/// What could not be installed, and what to do.
pub fn install_inside(folder: &Path, node: &Path) -> Result<(), String> {
    run(folder, Some(node), &["install", "--omit=dev", "--no-save"])
}

fn run(folder: &Path, node: Option<&Path>, arguments: &[&str]) -> Result<(), String> {
    let lock = lock_of(folder)?;
    if fs::read(folder.join(STAMP)).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let what = arguments.join(" ");
    println!("   npm {what} in {}", folder.display());
    let install = || succeeds(npm(folder, node).args(arguments).arg("--ignore-scripts"));
    if !(0..ATTEMPTS).any(|_| install()) {
        return Err(format!(
            "npm {what} failed in {}. Node 20 or later with npm is needed, and a registry that npm \
             reaches; see the messages above",
            folder.display()
        ));
    }
    fs::write(folder.join(STAMP), lock).map_err(|error| format!("{STAMP}: {error}"))
}

/// A package may bring a shrinkwrap instead.
fn lock_of(folder: &Path) -> Result<Vec<u8>, String> {
    let names = ["package-lock.json", "npm-shrinkwrap.json"];
    let read = names.iter().find_map(|name| fs::read(folder.join(name)).ok());
    read.ok_or_else(|| format!("{} has no lock file", folder.display()))
}

/// npm in a folder, quiet, patient, and content with what it has downloaded before.
pub fn npm(folder: &Path, node: Option<&Path>) -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder).env("npm_config_loglevel", "error").env("npm_config_audit", "false");
    npm.env("npm_config_fund", "false").env("npm_config_update_notifier", "false");
    npm.env("npm_config_prefer_offline", "true").env("npm_config_fetch_retries", "5");
    if let Some(node) = node {
        npm.env("PATH", first_on_path(&node.join("bin"))).env("npm_config_nodedir", node);
    }
    npm
}

/// A script of a package's `package.json`.
pub fn script(folder: &Path, name: &str) -> Command {
    let mut npm = npm(folder, None);
    npm.args(["run", "--silent", name]);
    npm
}

/// The path variable with `folder` before all others.
pub fn first_on_path(folder: &Path) -> OsString {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(PathBuf::from(folder)).chain(std::env::split_paths(&rest));
    std::env::join_paths(all).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_comes_first() {
        let path = first_on_path(Path::new("/node/bin"));
        assert_eq!(std::env::split_paths(&path).next(), Some(PathBuf::from("/node/bin")));
    }
}
