//! The grammar against bash itself: of a text that it claims to understand, bash may run no program
//! that it has not found. Skipped where there is no bash.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use redline_permissions::shell;

/// A program that is not found is told by name, and nothing runs; `-r` forbids writing.
const HANDLER: &str = "command_not_found_handle() { builtin printf 'RAN:%s\\001' \"$1\" >&2; }";

/// Programs that run others, which are there for real; all others tell their name.
const REAL: [&str; 12] = [
    "timeout", "nice", "nohup", "env", "xargs", "find", "bash", "sh", "stdbuf", "setsid", "cat",
    "true",
];
const STUBS: [&str; 6] = ["aa", "bb", "cc", "dd", "rm", "git"];

/// A directory with the stubs and links to the real ones; it stays for the next run.
fn programs_dir() -> Option<&'static Path> {
    static DIR: OnceLock<Option<PathBuf>> = OnceLock::new();
    let make = || -> Option<PathBuf> {
        let dir = std::env::temp_dir().join(format!("redline-differential-{}", std::process::id()));
        fs::create_dir_all(&dir).ok()?;
        for name in STUBS {
            let path = dir.join(name);
            // One write, so that what runs at the same time does not come in between.
            let text = "#!/bin/bash\nprintf '%b' \"\\0122AN:${0##*/}\\001\" >&2\n";
            fs::write(&path, text).ok()?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).ok()?;
        }
        for name in REAL {
            let real = ["/usr/bin", "/bin"].iter().map(|at| Path::new(at).join(name));
            if let Some(real) = real.into_iter().find(|real| real.exists()) {
                std::os::unix::fs::symlink(real, dir.join(name)).ok()?;
            }
        }
        fs::write(dir.join("name"), "").ok()?;
        Some(dir)
    };
    DIR.get_or_init(make).as_deref()
}

fn told(command: &mut Command) -> Option<Vec<String>> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let runs = text.split("RAN:").skip(1).filter_map(|run| run.split_once('\u{1}'));
    // Bash flushes at a newline, and what runs at the same time writes in between.
    Some(runs.map(|(name, _)| name.to_owned()).filter(|name| !name.contains('\n')).collect())
}

fn programs(cmd: &str) -> Option<Vec<String>> {
    let text = format!("{HANDLER}\n{cmd}");
    let mut bash = Command::new("/bin/bash");
    bash.args(["--norc", "--noprofile", "-r", "-c", &text]);
    told(bash.env_clear().env("PATH", "/nonexistent"))
}

/// With the programs above, in a directory with one file.
fn programs_with_stubs(cmd: &str) -> Option<Vec<String>> {
    let dir = programs_dir()?;
    let text = format!("{HANDLER}\n{cmd}");
    let mut bash = Command::new("/usr/bin/timeout");
    bash.args(["-k", "1", "3", "/bin/bash", "--norc", "--noprofile", "-r", "-c", &text]);
    told(bash.env_clear().env("PATH", dir).current_dir(dir))
}

/// Pieces of commands, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "aa",
        "bb",
        "cc dd",
        " ",
        " ",
        " ",
        ";",
        "&&",
        "||",
        "|",
        "&",
        "\n",
        "(",
        ")",
        "$(",
        ")",
        "`",
        "`",
        "'",
        "'",
        "\"",
        "\"",
        "\\",
        "\\\n",
        "$X",
        "${X}",
        "$",
        "{",
        "}",
        ",",
        "#",
        "=",
        "A=b ",
        "!",
        "é",
        "[",
        "]",
        "*",
        "?",
        "~",
        "<",
        "2>&1",
        "^",
        "%",
        ":",
        "-",
        "\r",
        "\t",
        "if ",
        "then ",
        "fi",
        "do ",
        "esac",
        "time ",
        "in ",
        "\u{a0}",
        "..",
        "@",
        "+(",
        "0",
        "for x in ",
        "; do ",
        "; done",
        "case x in ",
        "x) ",
        ";; ",
        "while ",
        "<<E",
        "\nE\n",
        "<<<",
        "<(",
        "((",
        "))",
        "[[ ",
        " ]]",
        "$((",
        "${X:-",
        "$'",
        "\\x61",
        "f() ",
        "{ ",
        "; }",
        "f ",
        "eval ",
        "bash -c ",
        "xargs ",
        "timeout 1 ",
        "env ",
        "coproc ",
        "function f ",
        "else ",
    ]);
    prop::collection::vec(piece, 1..16).prop_map(|all| all.concat())
}

fn word() -> impl Strategy<Value = String> {
    let words = vec![
        "aa",
        "bb",
        "x",
        "'cc dd'",
        "\"$X\"",
        "$X",
        "a\\ b",
        "\"x y\"",
        "$'a\\x62'",
        "g''it",
        "*",
        "-n",
        "--",
        "1",
        "'$(aa)'",
        "\"`bb`\"",
        "${X:-y}",
        "${X:-$(aa)}",
        "$((1+2))",
        "name",
        "{}",
        "'a[$(aa)]'",
        "<(aa)",
        "\"${X:-`bb`}\"",
        "$((1+$(aa)))",
        "\\\nx",
        "#x",
        "x#",
        "A=b",
        "~",
        "\"a\\\nb\"",
        "\"\\`aa\\`\"",
        "`echo \\`aa\\``",
    ];
    prop::sample::select(words).prop_map(str::to_owned)
}

fn simple() -> impl Strategy<Value = String> {
    let program = prop::sample::select(vec![
        "aa",
        "bb",
        "rm",
        "g'i't",
        "\\rm",
        "\"aa\"",
        "A=b cc",
        "$'\\x61a'",
        "time aa",
        "! bb",
        "f",
        "timeout 1 aa",
        "nice bb",
        "nohup aa",
        "env rm",
        "env A=b aa",
        "xargs rm",
        "command aa",
        "find . -maxdepth 0 -exec bb {} ;",
        "stdbuf -o0 aa",
        "bash -c",
        "sh -c",
        "eval",
        "trap",
        "builtin eval",
        "exec aa",
        "test",
        "[",
        "printf",
        "true",
        "echo",
        ":",
        "cat",
        "export",
        "cd /",
        "setsid aa",
        "let",
        "declare",
        "read",
        "unset",
        "xargs -I{} bash -c",
        "set",
    ]);
    let redirection = prop::sample::select(vec![
        "",
        "",
        "",
        "",
        " 2>&1",
        " <name",
        " </dev/null",
        " <<<aa",
        " <<<\"$(bb)\"",
        " <(aa)",
    ]);
    let words = prop::collection::vec(word(), 0..3);
    (program, words, redirection).prop_map(|(program, words, redirection)| {
        // The semicolon of `find` is quoted where a shell reads it.
        format!("{} {}{redirection}", program.replace("{} ;", "{} \\;"), words.join(" "))
    })
}

/// Commands that are mostly valid.
fn grammar() -> impl Strategy<Value = String> {
    simple().prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (
                two.clone(),
                prop::sample::select(vec![";", "&&", "||", "|", "|&", "&", "\n", "; #x\n"])
            )
                .prop_map(|((a, b), between)| format!("{a} {between} {b}")),
            inner.clone().prop_map(|a| format!("( {a} )")),
            inner.clone().prop_map(|a| format!("{{ {a}\n}}")),
            inner.clone().prop_map(|a| format!("echo $({a})")),
            inner.clone().prop_map(|a| format!("echo \"$({a} )\" x")),
            inner
                .clone()
                .prop_map(|a| format!("echo `{}`", a.replace('\\', "\\\\").replace('`', "\\`"))),
            inner.clone().prop_map(|a| format!("cat <({a}) ")),
            inner.clone().prop_map(|a| format!("for x in 1 y; do {a}\ndone")),
            inner.clone().prop_map(|a| format!("for ((i=0;i<1;i++)) do {a}\ndone")),
            two.clone().prop_map(|(a, b)| format!("if {a}\nthen {b}\nelse {a}\nfi")),
            two.clone().prop_map(|(a, b)| format!("case x in y) {a} ;; (x|z) {b}\nesac")),
            two.clone().prop_map(|(a, b)| format!("f() {{ {a}\n}}; {b}")),
            inner.clone().prop_map(|a| format!("function f ( {a} ); f x")),
            inner.clone().prop_map(|a| format!("cat <<E\n$({a})\nE\n")),
            inner.clone().prop_map(|a| format!("cat <<'E'\n{a}\nE\naa")),
            inner.clone().prop_map(|a| format!("bash -c '{}'", a.replace('\'', "'\\''"))),
            inner.clone().prop_map(|a| format!("sh -c '{}'", a.replace('\'', "'\\''"))),
            inner.clone().prop_map(|a| format!("eval '{}'", a.replace('\'', "'\\''"))),
            inner.clone().prop_map(|a| format!("trap '{}' EXIT", a.replace('\'', "'\\''"))),
            inner.clone().prop_map(|a| format!("time {{ {a}\n}}")),
            inner.clone().prop_map(|a| format!("[[ x = y || -n $({a}) ]]")),
            inner.clone().prop_map(|a| format!("(( 1 + 2 )) && {a}")),
            inner.clone().prop_map(|a| format!("while {a}\ndo break; done")),
            inner.clone().prop_map(|a| format!("timeout 1 bash -c '{}'", a.replace('\'', "'\\''"))),
            inner.prop_map(|a| format!("X='a[$(rm)]'; {a}")),
        ]
    })
}

fn cases() -> u32 {
    std::env::var("DIFFERENTIAL_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

fn check(cmd: &str, ran: Vec<String>) -> Result<(), TestCaseError> {
    let shell = shell::read(cmd);
    for program in ran {
        let found = shell.commands.iter().any(|command| {
            command.looks().any(|look| {
                let bare = look.trim_start_matches("builtin ").trim_start_matches("command ");
                [look, bare].iter().any(|look| {
                    look.strip_prefix(&program)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
                })
            })
        });
        prop_assert!(found, "bash runs {program:?} of {cmd:?}, found {shell:?}");
    }
    Ok(())
}

#[test]
fn bash_tells_what_it_runs() {
    if let Some(run) = programs("aa x; (bb)") {
        assert_eq!(run, ["aa", "bb"]);
    }
    if let Some(run) = programs_with_stubs("aa x; timeout 1 bash -c 'rm; zz'") {
        assert_eq!(run, ["aa", "rm"]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(), failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn bash_runs_nothing_that_was_not_found(cmd in pieces()) {
        if shell::read(&cmd).opaque.is_none() {
            check(&cmd, programs(&cmd).unwrap_or_default())?;
        }
    }

    #[test]
    fn bash_runs_nothing_else_of_a_valid_command(cmd in grammar()) {
        if shell::read(&cmd).opaque.is_none() {
            check(&cmd, programs_with_stubs(&cmd).unwrap_or_default())?;
        }
    }
}

/// How much of what the generator makes is understood at all: a grammar that understands nothing
/// would pass every test above.
#[test]
fn most_valid_commands_are_understood() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut all, mut read) = (0, 0);
    for _ in 0..400 {
        let cmd = grammar().new_tree(&mut runner).map(|tree| tree.current()).unwrap_or_default();
        all += 1;
        read += usize::from(shell::read(&cmd).opaque.is_none());
    }
    assert!(read * 3 > all, "{read} of {all}");
}

/// Found by the properties above: the continuation hid the operator.
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
