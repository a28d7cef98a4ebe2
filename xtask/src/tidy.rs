//! House rules about single files: their length, what they may name, and the purity of the core.

use std::fs;
use std::path::Path;
use std::process::Command;

/// No file of code is longer.
const LINES: usize = 600;

/// Crates that do no IO, so that a whole session can be replayed in a test.
const PURE: [&str; 3] = ["server/text/", "server/layers/", "server/permissions/"];

/// Modules of the standard library that a pure crate does not touch.
const IO: [&str; 4] = ["fs", "process", "env", "net"];

/// Every broken rule: one line each, with the file.
pub fn problems(root: &Path) -> Vec<String> {
    let files = match files(root) {
        Ok(files) => files,
        Err(why) => return vec![why],
    };
    let mut problems = Vec::new();
    for name in files {
        // Deleted files are still listed, and pictures are no text.
        if let Ok(text) = fs::read_to_string(root.join(&name)) {
            problems.extend(check(&name, &text).into_iter().map(|why| format!("{name}: {why}")));
        }
    }
    problems
}

/// Tracked files, and new ones that are not ignored.
fn files(root: &Path) -> Result<Vec<String>, String> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").current_dir(root).args(arguments).output();
    match output {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
        }
        Ok(output) => Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(format!("git could not be started: {error}")),
    }
}

fn check(name: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let is = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if is(&[".rs", ".lua", ".py", ".ts", ".sh"]) && text.lines().count() > LINES {
        problems.push(format!("{} lines; the limit is {LINES}", text.lines().count()));
    }
    problems.extend(machine_paths(text));
    if is(&[".rs"]) {
        problems.extend(unfinished(text));
        if PURE.iter().any(|folder| name.starts_with(folder)) && !is_test_file(name) {
            problems.extend(impure(text));
        }
    }
    problems
}

/// The paths are put together here, so that this file does not name one itself.
fn machine_paths(text: &str) -> Vec<String> {
    let paths = [
        concat!("/wo", "rk/"),
        concat!("/tmp/red", "line"),
        concat!("/ro", "ot/"),
        concat!("../sha", "red/"),
    ];
    // Linux' own name of the root directory is nobody's.
    let text = text.replace("/self/root", "/self");
    find(&text, paths.into_iter(), |path| format!("names the machine's path {path}"))
}

fn unfinished(text: &str) -> Vec<String> {
    let macros = [concat!("to", "do!("), concat!("unimple", "mented!(")];
    find(text, macros.into_iter(), |name| format!("{name}…) is unfinished work"))
}

/// IO in the part of a file that is not its tests.
fn impure(text: &str) -> Vec<String> {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let core: String =
        text[..end].lines().filter(|line| !is_comment(line)).collect::<Vec<_>>().join("\n");
    let mut problems =
        find(&core, ["tokio"].into_iter(), |name| format!("a pure crate uses {name}"));
    let uses = |module: &&&str| {
        let grouped = core.split("std::{").skip(1).filter_map(|rest| rest.split('}').next());
        let listed = |group: &str| group.split([',', ':', ' ']).any(|part| part.trim() == **module);
        core.contains(&format!("std::{module}")) || grouped.into_iter().any(listed)
    };
    problems.extend(IO.iter().filter(uses).map(|name| format!("a pure crate uses std::{name}")));
    problems
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

fn is_test_file(name: &str) -> bool {
    ["/tests/", "/tests.rs", "/testing.rs", "/benches/"].iter().any(|part| name.contains(part))
}

/// One problem for each needle, with its first line.
fn find<'a>(
    text: &str,
    needles: impl Iterator<Item = &'a str>,
    rule: impl Fn(&str) -> String,
) -> Vec<String> {
    let problem = |needle: &str| {
        let line = text.lines().position(|line| line.contains(needle))?;
        Some(format!("line {}: {}", line + 1, rule(needle)))
    };
    needles.filter_map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(name: &str, text: &str, expect: usize) {
        let problems = check(name, text);
        assert_eq!(problems.len(), expect, "{name}: {problems:?}");
    }

    #[test]
    fn files_are_short() {
        count("a.rs", &"x\n".repeat(600), 0);
        count("a.rs", &"x\n".repeat(601), 1);
        count("a.md", &"x\n".repeat(601), 0);
    }

    #[test]
    fn nothing_is_unfinished() {
        count("a.rs", concat!("fn a() { to", "do!() }"), 1);
        count("a.rs", "// nothing to do!", 0);
    }

    #[test]
    fn no_machine_is_named() {
        count("README.md", concat!("see /wo", "rk/main"), 1);
        count("a.sh", concat!("cat ../sha", "red/x"), 1);
        count("README.md", "how to work/play", 0);
    }

    #[test]
    fn the_core_is_pure() {
        let name = "server/text/src/a.rs";
        count(name, "use std::fs;", 1);
        count(name, "use std::{fmt, env};", 1);
        count(name, "use std::{fmt, ops::Range};", 0);
        count(name, "let x = std::process::id();", 1);
        count(name, "/// As in tokio.\nuse std::fmt;", 0);
        count(name, "use tokio::fs;", 1);
        count(name, "#[cfg(test)]\nmod tests {\n    use std::fs;\n}", 0);
        count("server/text/src/a/tests.rs", "use std::fs;", 0);
        count("server/workspace/src/a.rs", "use std::fs;", 0);
    }
}
