//! The extension as one file, with the server for one platform inside.

use crate::npm;
use crate::run::{Speaks, step};
use crate::vscode::EXTENSION;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cargo's profile for what users get.
pub const PROFILE: &str = "dist";

/// Builds the binary for users and packs it: `target/package/redline-VERSION-PLATFORM.vsix`.
///
/// # Errors
/// What could not be built, and what to do.
pub fn for_users(root: &Path) -> Result<PathBuf, String> {
    let platform = platform()?;
    let mut build = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.current_dir(root).args(["build", "--profile", PROFILE, "--package", "redline"]);
    run("cargo build --profile dist --package redline", &mut build)?;
    let binary = target(root).join(PROFILE).join(binary_name());
    let name = format!("redline-{}-{platform}.vsix", version(root)?);
    pack(root, &binary, platform, &target(root).join("package").join(name))
}

/// Packs any binary, for the tests, where nobody takes it for one to install.
///
/// # Errors
/// What could not be built, and what to do.
pub fn for_tests(root: &Path, binary: &Path) -> Result<PathBuf, String> {
    pack(root, binary, platform()?, &target(root).join("vscode/redline.vsix"))
}

fn pack(root: &Path, binary: &Path, platform: &str, packed: &Path) -> Result<PathBuf, String> {
    let extension = root.join(EXTENSION);
    npm::install(&extension, None)?;
    run("npm run build", &mut npm::script(&extension, "build"))?;
    let folder = packed.parent().unwrap_or(root);
    let _inside = Inside::put(binary, &extension.join("bin"))?;
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut vsce = Command::new("node");
    vsce.current_dir(&extension).arg("node_modules/@vscode/vsce/vsce").arg("package");
    vsce.args(["--no-dependencies", "--target", platform, "--out"]).arg(packed);
    run("vsce package", &mut vsce)?;
    Ok(packed.to_path_buf())
}

/// The server's copy in the extension's folder, which goes when the package is made: an editor that runs
/// the extension from there must not find an old one.
struct Inside(PathBuf);

impl Inside {
    fn put(binary: &Path, folder: &Path) -> Result<Self, String> {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let inside = Self(folder.join(binary_name()));
        let copied = fs::copy(binary, &inside.0);
        copied.map_err(|error| format!("{}: {error}", binary.display()))?;
        Ok(inside)
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        let _gone_already = fs::remove_file(&self.0);
    }
}

fn run(name: &str, command: &mut Command) -> Result<(), String> {
    let row = step(name, command, Speaks::ExitCode);
    if row.count.failed == 0 {
        return Ok(());
    }
    let why = if row.note.is_empty() { "see above" } else { &row.note };
    Err(format!("{name} failed: {why}"))
}

/// The marketplace's name of this platform.
fn platform() -> Result<&'static str, String> {
    match (env::consts::OS, env::consts::ARCH) {
        ("linux", "x86_64") => Ok("linux-x64"),
        ("linux", "aarch64") => Ok("linux-arm64"),
        ("macos", "x86_64") => Ok("darwin-x64"),
        ("macos", "aarch64") => Ok("darwin-arm64"),
        ("windows", "x86_64") => Ok("win32-x64"),
        ("windows", "aarch64") => Ok("win32-arm64"),
        (system, processor) => {
            Err(format!("Visual Studio Code is not made for {system} on {processor}"))
        }
    }
}

/// The extension's version: the first one that its `package.json` names.
fn version(root: &Path) -> Result<String, String> {
    let file = root.join(EXTENSION).join("package.json");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    version_in(&text).ok_or_else(|| format!("{} names no version", file.display()))
}

fn version_in(manifest: &str) -> Option<String> {
    let rest = manifest.split_once("\"version\"")?.1.split_once('"')?.1;
    Some(rest.split_once('"')?.0.to_owned())
}

fn binary_name() -> String {
    format!("redline{}", env::consts::EXE_SUFFIX)
}

/// Cargo's target folder.
pub fn target(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_found() {
        let manifest = "{\n  \"name\": \"redline\",\n  \"version\": \"1.2.3\",\n  \"x\": \"y\" }";
        assert_eq!(version_in(manifest), Some("1.2.3".to_owned()));
        assert_eq!(version_in("{}"), None);
    }
}
