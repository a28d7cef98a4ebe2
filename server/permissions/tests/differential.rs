//! The splitter against bash itself: of a text that it claims to understand, bash may run no
//! program that it has not found. Skipped where there is no bash.

use std::process::{Command, Stdio};

use proptest::prelude::*;
use redline_permissions::shell;

/// No program is found, so bash calls this with the name and runs nothing; `-r` forbids writing.
const HANDLER: &str = "command_not_found_handle() { builtin printf 'RAN:%s\\001' \"$1\" >&2; }";

fn programs(cmd: &str) -> Option<Vec<String>> {
    let output = Command::new("/bin/bash")
        .args(["--norc", "--noprofile", "-r", "-c", &format!("{HANDLER}\n{cmd}")])
        .env_clear()
        .env("PATH", "/nonexistent")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let runs = text.split("RAN:").skip(1).filter_map(|run| run.split_once('\u{1}'));
    // Bash flushes at a newline, and what runs at the same time writes in between.
    Some(runs.map(|(name, _)| name.to_owned()).filter(|name| !name.contains('\n')).collect())
}

fn command() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "aa", "bb", "cc dd", " ", " ", " ", ";", "&&", "||", "|", "&", "\n", "(", ")", "$(", ")",
        "`", "`", "'", "'", "\"", "\"", "\\", "\\\n", "$X", "${X}", "$", "{", "}", ",", "#", "=",
        "A=b ", "!", "é", "[", "]", "*", "?", "~", "<", "2>&1", "^", "%", ":", "-", "\r", "\t",
        "if ", "then ", "fi", "do ", "esac", "time ", "in ", "\u{a0}", "..", "@", "+(", "0",
    ]);
    prop::collection::vec(piece, 1..14).prop_map(|all| all.concat())
}

fn cases() -> u32 {
    std::env::var("DIFFERENTIAL_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

#[test]
fn bash_tells_what_it_runs() {
    if let Some(run) = programs("aa x; (bb)") {
        assert_eq!(run, ["aa", "bb"]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(), failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn bash_runs_nothing_that_was_not_found(cmd in command()) {
        let shell = shell::read(&cmd);
        if shell.opaque.is_some() {
            return Ok(());
        }
        let is_found = |program: &String| {
            shell.commands.iter().any(|command| {
                command.looks().any(|look| {
                    look.strip_prefix(program.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
                })
            })
        };
        // Parts of a pipeline write at the same time and can tear each other's lines; what bash
        // really runs it runs every time.
        let missed = || programs(&cmd).unwrap_or_default().into_iter().find(|p| !is_found(p));
        if missed().is_some() && missed().is_some() && missed().is_some() {
            prop_assert!(false, "bash runs {:?} of {cmd:?}, found {shell:?}", missed());
        }
    }
}
