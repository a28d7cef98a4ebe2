//! The time that reading takes: linear, and within ten milliseconds for a kilobyte.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{Owned, policy};
use redline_permissions::{guards::dangers, is_read_only, shell};

/// What is nested, repeated or left open.
const HOSTILE: [&str; 74] = [
    "(",
    "$(",
    "\"$(",
    "'",
    "\"",
    "`",
    "\\`",
    "{ ",
    "if x; then ",
    "while x; do ",
    "cat <<E\n",
    "cat <<'E'\n",
    "cat <<A <<B\n",
    "$((",
    "(((",
    "((a)",
    "$(((",
    "${x:-",
    "\"${x:-",
    "case x in ",
    "case x in x) a;; ",
    "[[ ( ",
    "[[ a && ",
    "a;",
    "a && ",
    "a | ",
    "a\n",
    "f() ",
    "f() { ",
    "function f ",
    "<(",
    "a && ( b | ",
    "bash -c 'a' ",
    "bash -c 'a';",
    "sh -c \"a\";",
    "eval ",
    "eval 'a';",
    "trap a;",
    "A=b ",
    "a=() ",
    "a=(",
    "a[1]=b ",
    "echo $(a) ",
    "`a` ",
    "\"`a`\"",
    "nice ",
    "timeout 1 ",
    "time ",
    "! ",
    "xargs ",
    "xargs -I{} a {};",
    "sudo ",
    "sudo a;",
    "env A=b ",
    "command ",
    "find . -exec ",
    "find {} -exec a {} + ",
    "cd x;>y;",
    ">x ",
    "<x ",
    "2>&1 ",
    "{ a; } <x;",
    "bash <<<a;",
    "bash <<E\na\nE\n",
    "export A=b ",
    "[ $a ];",
    "for x in ",
    "select ",
    "coproc ",
    "coproc x ",
    "{a,b}",
    "$x",
    "*",
    "\\\n",
];

/// All that a dispatch does with a command, at its better of two.
fn time(text: &str) -> Duration {
    let once = || {
        let start = Instant::now();
        let shell = shell::read(text);
        let only_looks = is_read_only(text);
        let found = dangers(text, Path::new("/w"), Some(Path::new("/home/u")));
        std::hint::black_box((shell, only_looks, found));
        start.elapsed()
    };
    (0..2).map(|_| once()).min().unwrap_or_default()
}

/// Twenty times as much where nothing is optimised and the machine does other things.
const PER_KILOBYTE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 200 } else { 10 });

#[test]
fn a_kilobyte_takes_milliseconds() {
    for piece in HOSTILE {
        let text = piece.repeat(4 * 1024 / piece.len());
        let spent = time(&text);
        assert!(spent < PER_KILOBYTE * 4, "{piece:?}: {spent:?}");
    }
}

#[test]
fn twice_the_text_takes_twice_the_time() {
    for piece in HOSTILE {
        let short = time(&piece.repeat(1024 / piece.len()));
        let long = time(&piece.repeat(8 * 1024 / piece.len()));
        // Eight times the text; quadratic would be 64 times. Short times are noise.
        let limit = (short * 32).max(Duration::from_secs(1));
        assert!(long < limit, "{piece:?}: {short:?}, then {long:?}");
    }
}

#[test]
fn a_text_that_is_too_long_is_not_read() {
    let text = "a ".repeat(1 << 20);
    let shell = shell::read(&text);
    assert_eq!(shell.opaque.as_deref(), Some("the length of the text"));
}

/// Each part of a text walks all rules; the whole text meets each rule once.
#[test]
fn verdicts_over_many_rules_take_linear_time() {
    let rules: Vec<String> = (0..250)
        .map(|n| format!("reject Bash --cmd '*secret{n}*'\nask Bash --cmd '/deploy{n}.*prod/'"))
        .collect();
    let policy = policy(&rules.join("\n"));
    let time = |lines: usize| {
        let cmd = "echo secret deploy prod 1234567890\n".repeat(lines);
        let start = Instant::now();
        std::hint::black_box(Owned::bash(&cmd).judge(&policy));
        start.elapsed()
    };
    let (short, long) = (time(50), time(400));
    let limit = (short * 32).max(Duration::from_secs(1));
    assert!(long < limit, "{short:?}, then {long:?}");
}
