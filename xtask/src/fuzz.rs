//! `cargo xtask fuzz`: the targets of `tests/fuzz`, for as long as one likes.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// How long each target runs unless told otherwise.
const MINUTES: u64 = 1;

/// Runs one target or all, one after the other; arguments: a target's name, `--minutes N`.
pub fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    match plan(root, arguments) {
        Ok((targets, minutes)) => all(root, &targets, minutes),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn all(root: &Path, targets: &[String], minutes: u64) -> ExitCode {
    let failed: Vec<&String> =
        targets.iter().filter(|target| !passes(root, target, minutes)).collect();
    if failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    for target in failed {
        eprintln!("{target} found something: make its smallest input a test where the bug is");
    }
    ExitCode::FAILURE
}

/// Which targets, and how many minutes each.
fn plan(root: &Path, arguments: &[&str]) -> Result<(Vec<String>, u64), String> {
    let known = targets(root)?;
    let (wanted, minutes) = parse(arguments)?;
    match wanted {
        None => Ok((known, minutes)),
        Some(name) if known.iter().any(|target| target == name) => {
            Ok((vec![name.to_owned()], minutes))
        }
        Some(name) => Err(format!("no target is called {name}; there are {}", known.join(", "))),
    }
}

fn parse<'a>(arguments: &[&'a str]) -> Result<(Option<&'a str>, u64), String> {
    let number = |text: &str| text.parse().map_err(|_| format!("--minutes {text}: not a number"));
    match arguments {
        [] => Ok((None, MINUTES)),
        ["--minutes", minutes] => Ok((None, number(minutes)?)),
        [target, "--minutes", minutes] | ["--minutes", minutes, target] => {
            Ok((Some(target), number(minutes)?))
        }
        [target] if !target.starts_with('-') => Ok((Some(target), MINUTES)),
        _ => Err("usage: cargo xtask fuzz [TARGET] [--minutes N]".to_owned()),
    }
}

/// The files of `tests/fuzz/tests`.
fn targets(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("tests/fuzz/tests");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let name = |path: &Path| Some(path.file_stem()?.to_str()?.to_owned());
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension() == Some(OsStr::new("rs")))
        .filter_map(|path| name(&path))
        .collect();
    names.sort_unstable();
    Ok(names)
}

/// Debug assertions are on: they are half of what a target checks.
fn passes(root: &Path, target: &str, minutes: u64) -> bool {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo.args(["test", "--quiet", "--package", "redline-fuzz", "--test", target]);
    cargo.args(["--", "--nocapture"]).env("REDLINE_FUZZ_SECONDS", (minutes * 60).to_string());
    match cargo.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cargo could not be started: {error}");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        assert_eq!(parse(&[]), Ok((None, MINUTES)));
        assert_eq!(parse(&["diff"]), Ok((Some("diff"), MINUTES)));
        assert_eq!(parse(&["diff", "--minutes", "7"]), Ok((Some("diff"), 7)));
        assert_eq!(parse(&["--minutes", "7"]), Ok((None, 7)));
        assert!(parse(&["--minutes", "x"]).is_err());
        assert!(parse(&["--minutes"]).is_err());
    }
}
