//! The machine and the versions, without a name or a path of it.

use crate::options::Options;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A list for the head of the page.
pub fn describe(options: &Options) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _infallible = writeln!(text, "- {name}: {value}");
        }
    };
    line("CPU", cpu());
    line("memory", memory());
    line("kernel", fs::read_to_string("/proc/sys/kernel/osrelease").ok().map(trimmed));
    line("date", Some(date()));
    line("compiler", first_line("rustc", "--version"));
    line("node", first_line("node", "--version"));
    if let Some(rg) = &options.ripgrep {
        line("ripgrep", first_line(rg, "--version"));
    }
    if let Some(peers) = &options.peers {
        for name in ["vscode-languageserver", "@modelcontextprotocol/server-filesystem"] {
            line(name, package_version(peers, name));
        }
    }
    text
}

/// Today in UTC: `2026-11-21`.
pub fn date() -> String {
    first_line_of(Command::new("date").args(["-u", "+%Y-%m-%d"])).unwrap_or_default()
}

fn cpu() -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let models: Vec<_> = info.lines().filter(|line| line.starts_with("model name")).collect();
    let model = models.first()?.split_once(':')?.1.trim();
    Some(format!("{model}, {} cores", models.len()))
}

fn memory() -> Option<String> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let kib: f64 = info.lines().next()?.split_whitespace().nth(1)?.parse().ok()?;
    Some(format!("{:.0} GB", kib * 1024.0 / 1e9))
}

/// When this ran, on what, and how busy the machine was before: each section has its own.
pub fn run() -> String {
    let load = fs::read_to_string("/proc/loadavg").ok();
    let load = load.and_then(|load| load.split_whitespace().next().map(str::to_owned));
    let load = load.map(|load| format!(", load average {load} at the end")).unwrap_or_default();
    format!("{}, {}{load}", date(), redline().unwrap_or_default())
}

/// The version, and the commit if the binary was built from this repository for this run.
fn redline() -> Option<String> {
    let binary = std::env::var_os("REDLINE_BIN").map(PathBuf::from)?;
    let version = first_line(binary, "--version")?;
    if std::env::var_os("REDLINE_BENCH_BUILT").is_none() {
        return Some(format!("{version} from REDLINE_BIN"));
    }
    let git = |arguments: &[&str]| first_line_of(Command::new("git").args(arguments));
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let state = ["status", "--porcelain", "--", "server", "Cargo.toml"];
    let changed = if git(&state).is_some() { " with changes that are not in it" } else { "" };
    Some(format!("{version} of commit {commit}{changed}"))
}

fn package_version(peers: &Path, name: &str) -> Option<String> {
    let path = peers.join("node_modules").join(name).join("package.json");
    let package: Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    Some(package["version"].as_str()?.to_owned())
}

fn first_line(program: impl AsRef<std::ffi::OsStr>, argument: &str) -> Option<String> {
    first_line_of(Command::new(program).arg(argument))
}

fn first_line_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().map(str::to_owned).filter(|line| !line.is_empty())
}

fn trimmed(text: String) -> String {
    text.trim().to_owned()
}
