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
        for program in programs(&cmd).unwrap_or_default() {
            let found = shell.commands.iter().any(|command| {
                command.looks().any(|look| {
                    look.strip_prefix(&program).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
                })
            });
            prop_assert!(found, "bash runs {program:?} of {cmd:?}, found {shell:?}");
        }
    }
}

/// Found by the property above: the continuation hid the operator from the splitter.
#[test]
fn a_line_continuation_does_not_hide_an_operator() {
    let texts = [
        "$\\\n-2>&1",
        "echo \"$\\\n(aa)\"",
        "echo $\\\n\\\n(aa)",
        "echo \"$\\\n{X:=$(aa)}\"",
        "cat <\\\n(aa)",
        "cat <\\\n<E\n$(aa)\nE\n",
        "echo >\\\n(aa)",
    ];
    for cmd in texts {
        let shell = shell::read(cmd);
        assert!(shell.opaque.is_some(), "{cmd:?} is asked: {shell:?}");
    }
}
