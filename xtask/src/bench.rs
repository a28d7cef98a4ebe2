//! `cargo xtask bench`: builds the binary, installs what it is measured against, and measures.

use crate::install;
use crate::package::PROFILE;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The version of ripgrep that the figures name.
const RIPGREP: &str = "15.2.0";

/// The Debian package with the tree that is searched.
const LINUX: &str = "linux-source-6.1";

/// What npm installs the peers from, and the server that runs on them.
const PEERS: [&str; 4] = [".npmrc", "package.json", "package-lock.json", "server.js"];

/// Runs `redline-bench` with these arguments: a group's name, `--quick`. What cannot be installed is
/// named, and the page says that it was not there.
pub fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    let outcome = binary(root).and_then(|binary| measure(root, &binary, arguments));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(root: &Path, binary: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut cargo = cargo(root);
    cargo.args(["run", "--quiet", "--release", "--package", "redline-bench", "--"]).args(arguments);
    cargo.env("REDLINE_BIN", binary).env("REDLINE_BENCH_PAGE", root.join("docs/benchmarks.md"));
    if env::var_os("REDLINE_BIN").is_none() {
        // The page names a commit only for what was built from it.
        cargo.env("REDLINE_BENCH_BUILT", "1");
    }
    let only = arguments.iter().find(|argument| !argument.starts_with("--"));
    let wants = |group: &&str| only.is_none_or(|only| only == group);
    // Peers that this run does not want are handed on if they are there: the page names versions.
    let peered = ["start", "changes", "edits"].iter().any(wants);
    give(&mut cargo, "REDLINE_BENCH_PEERS", if peered { peers(root) } else { Ok(peers_in(root)) });
    let searches = ["grep", "glob"].iter().any(wants);
    if searches {
        give(&mut cargo, "REDLINE_BENCH_RG", ripgrep(root));
    } else {
        give(&mut cargo, "REDLINE_BENCH_RG", Ok(ripgrep_in(root)));
    }
    if searches && !arguments.contains(&"--quick") {
        give(&mut cargo, "REDLINE_BENCH_CORPUS", corpus(root));
    }
    succeeds(&mut cargo)
}

/// Hands a path on, or says why there is none.
fn give(command: &mut Command, name: &str, path: Result<PathBuf, String>) {
    match path {
        Ok(path) => _ = command.env(name, path),
        Err(why) => eprintln!("{why}"),
    }
}

/// `REDLINE_BIN`, or the binary that users get, built.
fn binary(root: &Path) -> Result<PathBuf, String> {
    if let Some(path) = env::var_os("REDLINE_BIN") {
        return fs::canonicalize(&path)
            .map_err(|error| format!("REDLINE_BIN={}: {error}", path.display()));
    }
    succeeds(cargo(root).args(["build", "--profile", PROFILE, "--package", "redline"]))?;
    Ok(target(root).join(PROFILE).join(format!("redline{}", env::consts::EXE_SUFFIX)))
}

fn peers_in(root: &Path) -> PathBuf {
    root.join(".tools/bench-peers")
}

fn ripgrep_in(root: &Path) -> PathBuf {
    root.join(".tools/ripgrep/bin").join(format!("rg{}", env::consts::EXE_SUFFIX))
}

/// The folder with the peers' packages, as the lock file has them.
fn peers(root: &Path) -> Result<PathBuf, String> {
    let (source, folder) = (root.join("tests/bench/peers"), peers_in(root));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let lock = "package-lock.json";
    let same = fs::read(source.join(lock)).ok() == fs::read(folder.join(lock)).ok();
    for name in PEERS {
        let copied = fs::copy(source.join(name), folder.join(name));
        copied.map_err(|error| format!("{name}: {error}"))?;
    }
    if !same || !folder.join("node_modules/.package-lock.json").exists() {
        println!("   installing the peers into .tools");
        let mut npm = Command::new("npm");
        npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&folder);
        succeeds(&mut npm).map_err(|why| format!("the peers are missing: {why}"))?;
    }
    Ok(folder)
}

/// `REDLINE_BENCH_RG`, or ripgrep from its crate.
fn ripgrep(root: &Path) -> Result<PathBuf, String> {
    if let Some(path) = env::var_os("REDLINE_BENCH_RG") {
        return Ok(path.into());
    }
    let binary = ripgrep_in(root);
    if !install::works(&binary) {
        println!("   installing ripgrep into .tools");
        let mut install = cargo(root);
        install.args(["install", "ripgrep", "--locked", "--quiet", "--version", RIPGREP, "--root"]);
        succeeds(install.arg(root.join(".tools/ripgrep")))
            .map_err(|why| format!("ripgrep is missing: {why}"))?;
    }
    Ok(binary)
}

/// `REDLINE_BENCH_CORPUS`, or the Linux kernel's source in `target/bench-corpus`.
fn corpus(root: &Path) -> Result<PathBuf, String> {
    if let Some(path) = env::var_os("REDLINE_BENCH_CORPUS") {
        return Ok(path.into());
    }
    let folder = target(root).join("bench-corpus");
    let tree = folder.join(LINUX);
    if !tree.exists() {
        println!("   unpacking Debian's {LINUX} into {}", folder.display());
        unpack(&folder, &tree).map_err(|why| {
            format!("there is no tree to search: {why}. Set REDLINE_BENCH_CORPUS to a large one")
        })?;
    }
    Ok(tree)
}

/// Downloads and unpacks beside the tree, which is there only when it is whole.
fn unpack(folder: &Path, tree: &Path) -> Result<(), String> {
    let new = folder.join("new");
    fs::create_dir_all(&new).map_err(|error| error.to_string())?;
    // The shell names the package's file, whose version is not known before.
    let script = format!(
        "rm -rf ./* && apt-get download {LINUX} && dpkg-deb --extract {LINUX}_*.deb package && \
         tar --extract --xz --file package/usr/src/{LINUX}.tar.xz"
    );
    succeeds(Command::new("sh").args(["-c", &script]).current_dir(&new))?;
    let unpacked = new.join(LINUX);
    search_all(&unpacked.join(".gitignore"))?;
    fs::rename(unpacked, tree).and_then(|()| fs::remove_dir_all(&new)).map_err(|e| e.to_string())
}

/// Debian's package ignores its whole tree, since it is not in Debian's repository.
fn search_all(gitignore: &Path) -> Result<(), String> {
    let text = fs::read_to_string(gitignore).map_err(|error| error.to_string())?;
    let ignores_all = |line: &&str| ["/*", "!/debian/"].contains(&line.trim());
    let kept: String =
        text.lines().filter(|line| !ignores_all(line)).flat_map(|line| [line, "\n"]).collect();
    fs::write(gitignore, kept).map_err(|error| error.to_string())
}

fn succeeds(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} ended with {status}; see above")),
        Err(error) => Err(format!("{program} could not be started: {error}")),
    }
}

fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").as_deref().unwrap_or(OsStr::new("cargo")));
    cargo.current_dir(root);
    cargo
}

fn target(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir))
}
