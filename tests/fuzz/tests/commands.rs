//! Command texts: no panic, bounded time, and what was found is told again by a second reading.

use std::path::Path;
use std::time::{Duration, Instant};

use proptest::{collection::vec, prelude::*, sample::select};
use redline_fuzz::fuzz;
use redline_permissions::{guards::dangers, is_read_only, shell};

/// What a kilobyte may take, and any text: ten milliseconds, and twenty times that where nothing is
/// optimised and the machine does other things.
const PER_KILOBYTE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 200 } else { 10 });
const AT_LEAST: Duration = Duration::from_millis(300);

fn pieces() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "(",
        ")",
        "$(",
        "`",
        "\\`",
        "'",
        "\"",
        "$'",
        "${",
        "}",
        "{ ",
        "; }",
        "((",
        "))",
        "$((",
        "[[ ",
        " ]]",
        "<<E\n",
        "<<-'E'\n",
        "\nE\n",
        "<<<",
        "<(",
        "> ",
        ">&",
        "2>",
        "&>",
        "|",
        "||",
        "&&",
        "&",
        ";",
        ";;",
        "\n",
        "\\\n",
        " ",
        "if ",
        "then ",
        "fi",
        "for x in ",
        "do ",
        "done",
        "case x in ",
        "esac",
        "while ",
        "f() ",
        "function f ",
        "coproc ",
        "time ",
        "! ",
        "eval ",
        "bash -c ",
        "sh -c '",
        "xargs ",
        "find . -exec ",
        "sudo ",
        "env ",
        "timeout 1 ",
        "nice ",
        "cd x ",
        "trap ",
        "A=b ",
        "a=(",
        "a[",
        "$x",
        "${x:-",
        "\\x6",
        "é",
        "\u{0}",
        "{a,b}",
        "*",
        "~",
        "#",
        "=",
        "-",
        "1",
        "ls ",
        "rm -rf /",
        "git ",
        ".env",
        "in ",
        "else ",
        "elif ",
        "select ",
        "$[",
        "let ",
        "printf -v ",
    ]);
    let many = (vec(pieces.clone(), 0..40), 1_usize..60);
    let repeated = (vec(pieces.clone(), 1..4), 1_usize..3_000);
    prop_oneof![
        4 => vec(pieces, 0..60).prop_map(|all| all.concat()),
        2 => many.prop_map(|(all, times)| all.concat().repeat(times)),
        2 => repeated.prop_map(|(all, times)| all.concat().repeat(times)),
        1 => any::<String>(),
    ]
}

#[test]
fn commands() {
    fuzz("commands", 300, pieces(), |cmd| {
        let start = Instant::now();
        let shell = shell::read(&cmd);
        let spent = start.elapsed();
        let limit = AT_LEAST + PER_KILOBYTE * u32::try_from(cmd.len() / 1024).unwrap_or(u32::MAX);
        prop_assert!(spent < limit, "{spent:?} for {} bytes", cmd.len());
        prop_assert_eq!(&shell, &shell::read(&cmd), "the same each time");
        let start = Instant::now();
        let looks = is_read_only(&cmd);
        let _ = dangers(&cmd, Path::new("/w"), Some(Path::new("/home/u")));
        prop_assert!(start.elapsed() < limit * 4, "{:?} for {} bytes", start.elapsed(), cmd.len());
        prop_assert!(!looks || shell.opaque.is_none() && shell.writes.is_empty());
        Ok(())
    });
}
