//! `cargo xtask lint`: every linter, then the house rules.

use crate::report::{Count, Kind, Report, Row};
use crate::run::{Speaks, step};
use crate::{house, install, tidy, vscode};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Runs every linter, also after one has failed.
pub fn all(root: &Path) -> Report {
    let mut report = Report::new(Kind::Lints);
    cargo(root, &mut report, &["fmt", "--all", "--check"]);
    let clippy = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    cargo(root, &mut report, &clippy);
    cargo(root, &mut report, &["doc", "--workspace", "--no-deps", "--quiet"]);
    lua(root, &mut report, "stylua", install::stylua(root), &["--check", "."]);
    lua(root, &mut report, "luacheck", install::luacheck(), &["--quiet", "."]);
    vscode::lint(root, &mut report);
    rules(root, &mut report);
    report
}

/// Checks the house rules only, which takes no time.
pub fn tidy(root: &Path) -> Report {
    let mut report = Report::new(Kind::Lints);
    rules(root, &mut report);
    report
}

fn rules(root: &Path, report: &mut Report) {
    own(report, "house rules: files", || tidy::problems(root));
    own(report, "house rules: floors", || house::problems(root));
}

fn cargo(root: &Path, report: &mut Report, arguments: &[&str]) {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root).args(arguments).env("RUSTDOCFLAGS", "-D warnings");
    let name = format!("cargo {}", arguments[..arguments.len().min(3)].join(" "));
    report.push(step(&name, &mut command, Speaks::ExitCode));
}

fn lua(
    root: &Path,
    report: &mut Report,
    name: &str,
    binary: Result<PathBuf, String>,
    arguments: &[&str],
) {
    match binary {
        Ok(binary) => {
            let mut command = Command::new(binary);
            command.current_dir(root.join("editors/neovim")).args(arguments);
            report.push(step(name, &mut command, Speaks::ExitCode));
        }
        Err(advice) => own(report, name, || vec![advice]),
    }
}

/// A check of our own: its problems, one a line.
fn own(report: &mut Report, name: &str, check: impl FnOnce() -> Vec<String>) {
    let start = Instant::now();
    let problems = check();
    problems.iter().for_each(|problem| println!("{problem}"));
    let count = Count::one(problems.is_empty());
    report.push(Row { name: name.to_owned(), count, time: start.elapsed(), note: String::new() });
}
