//! `cargo xtask test`: everything that can fail, in one command.

use crate::package::target;
use crate::report::{Count, Kind, Report, Row};
use crate::run::{Speaks, step};
use crate::{emacs, install, vscode};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs every suite; `quick` leaves the editors out.
pub fn all(root: &Path, quick: bool) -> Report {
    let mut report = Report::new(Kind::Tests);
    let binary = build(root, &mut report);
    let mut tests = cargo(root);
    tests.args(["test", "--workspace", "--no-fail-fast"]).env("REDLINE_BIN", &binary);
    // Without it the tests that compare with it fail and say so.
    match install::ripgrep(root) {
        Ok(ripgrep) => _ = tests.env("REDLINE_RG", ripgrep),
        Err(advice) => report.push(missing("ripgrep", advice, Duration::ZERO)),
    }
    report.push(step("cargo test --workspace", &mut tests, Speaks::Cargo));
    let mut python = Command::new("python3");
    python.current_dir(root).arg("tests/conformance.py").arg("--bin").arg(&binary);
    report.push(step("tests/conformance.py", &mut python, Speaks::ClosingLine));
    if !quick {
        editor(root, &binary, &mut report);
        emacs::test(root, &binary, &mut report);
        vscode::test(root, &binary, "", &mut report);
    }
    report
}

/// Runs what is tested in Visual Studio Code alone; of the scenarios those that match.
pub fn vscode(root: &Path, pattern: &str) -> Report {
    let mut report = Report::new(Kind::Tests);
    let binary = build(root, &mut report);
    vscode::test(root, &binary, pattern, &mut report);
    report
}

/// Builds the server; a build is no test: it counts only if it fails.
fn build(root: &Path, report: &mut Report) -> PathBuf {
    let mut build = cargo(root);
    build.args(["build", "--package", "redline"]);
    let built = step("cargo build --package redline", &mut build, Speaks::ExitCode);
    if built.count.failed > 0 {
        report.push(built);
    }
    binary(root)
}

/// The plugin's own suite, then the whole product in a real Neovim.
fn editor(root: &Path, binary: &Path, report: &mut Report) {
    let start = Instant::now();
    let neovim = match install::neovim(root) {
        Ok(neovim) => neovim,
        Err(advice) => return report.push(missing("Neovim", advice, start.elapsed())),
    };
    for suite in ["run", "product"] {
        let script = format!("editors/neovim/tests/{suite}.lua");
        let mut command = Command::new(&neovim);
        command.current_dir(root).args(["-l", &script]).env("REDLINE_BIN", binary);
        // A test that runs inside somebody's Neovim must not take that for its own.
        command.env_remove("NVIM").env_remove("VIMRUNTIME").env("NVIM_LOG_FILE", log(root));
        report.push(step(&format!("nvim -l {script}"), &mut command, Speaks::ClosingLine));
    }
}

fn missing(name: &str, advice: String, time: Duration) -> Row {
    Row { name: format!("{name} is missing"), count: Count::one(false), time, note: advice }
}

fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}

fn binary(root: &Path) -> PathBuf {
    target(root).join("debug").join(format!("redline{}", env::consts::EXE_SUFFIX))
}

fn log(root: &Path) -> PathBuf {
    target(root).join("nvim.log")
}
