//! Commands that are known to change nothing. A short list of the harmless: what is not on it counts
//! as one that may write.

use crate::shell::{self, Argument, SimpleCommand};

/// Programs that only look, whatever their arguments are.
const LOOKS: &[&str] = &[
    ":",
    "[",
    "basename",
    "cat",
    "cd",
    "cksum",
    "cmp",
    "column",
    "comm",
    "cut",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "expr",
    "false",
    "fgrep",
    "free",
    "grep",
    "groups",
    "head",
    "hexdump",
    "id",
    "jq",
    "ls",
    "md5sum",
    "nl",
    "nproc",
    "od",
    "paste",
    "printf",
    "ps",
    "pwd",
    "readlink",
    "realpath",
    "rev",
    "seq",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "sleep",
    "stat",
    "strings",
    "tac",
    "tail",
    "test",
    "tr",
    "true",
    "type",
    "uname",
    "uptime",
    "wc",
    "which",
    "whereis",
    "whoami",
];

/// Programs that only look unless one of these options is among their arguments. A word that is not
/// known might be one, and so might the name of a file that takes the place of a pattern.
const LOOKS_WITHOUT: &[(&str, &[&str])] = &[
    ("date", &["-s", "--set"]),
    ("file", &["-C", "--compile"]),
    (
        "find",
        &[
            "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf",
            "-fls",
        ],
    ),
    ("rg", &["--pre", "--hostname-bin"]),
    ("sort", &["-o", "--output", "-T", "--compress-program"]),
    ("tree", &["-o", "-R"]),
];

/// Subcommands of git that only look, and those that do so with one of these words next.
const GIT: &[(&str, Option<&[&str]>)] = &[
    ("blame", None),
    ("branch", Some(&["--list", "-l", "-a", "-r", "-v", "-vv", "--show-current", "--contains"])),
    ("cat-file", None),
    ("config", Some(&["--get", "--list", "-l", "get", "list"])),
    ("describe", None),
    ("diff", None),
    ("grep", None),
    ("log", None),
    ("ls-files", None),
    ("ls-tree", None),
    ("merge-base", None),
    ("reflog", Some(&["show"])),
    ("remote", Some(&["-v", "get-url"])),
    ("rev-list", None),
    ("rev-parse", None),
    ("shortlog", None),
    ("show", None),
    ("stash", Some(&["list", "show"])),
    ("status", None),
    ("tag", Some(&["-l", "--list"])),
    ("worktree", Some(&["list"])),
];

/// Options of git that write a file or start a program.
const GIT_WRITES: &[&str] =
    &["--output", "-O", "--open-files-in-pager", "--ext-diff", "--textconv", "--filters"];

/// Whether the command is known to change nothing. What can't be read is not.
pub fn is_read_only(cmd: &str) -> bool {
    let shell = shell::read(cmd);
    shell.opaque.is_none()
        && shell.writes.is_empty()
        && !shell.commands.is_empty()
        && shell.commands.iter().all(only_looks)
}

/// Whether a simple command is known to change nothing.
pub(crate) fn only_looks(command: &SimpleCommand) -> bool {
    let Some((program, arguments)) = command.words.split_first() else { return false };
    if command.assigns || !program.is_known {
        return false;
    }
    let name = program.text.as_str();
    let without = LOOKS_WITHOUT.iter().find(|(other, _)| *other == name);
    match (name, without) {
        ("git", _) => git(arguments),
        ("sed", _) => prints_lines(arguments),
        // An operand that is no format sets the clock.
        ("date", _) if arguments.iter().any(|word| !word.text.starts_with(['-', '+'])) => false,
        (_, Some((_, options))) => lacks(arguments, options),
        _ => LOOKS.contains(&name),
    }
}

fn lacks(arguments: &[Argument], options: &[&str]) -> bool {
    let is_option = |word: &str| {
        options.iter().any(|option| {
            // A short one may have its value at once, and stand among others.
            let is_short = option.len() == 2 && word.starts_with('-') && !word.starts_with("--");
            let letter = option.trim_start_matches('-');
            let name = word.split('=').next().unwrap_or_default();
            // A long one may be cut short.
            let is_cut = name.len() > 2 && name.starts_with("--") && option.starts_with(name);
            name == *option || is_cut || is_short && word.contains(letter)
        })
    };
    arguments.iter().all(|word| is_certain(word) && !is_option(&word.text))
}

/// Whether it is an option only if it looks like one.
fn is_certain(word: &Argument) -> bool {
    let starts_so = word.text.starts_with('-');
    word.is_known && if starts_so { !word.globs } else { !word.may_be_option }
}

fn git(arguments: &[Argument]) -> bool {
    let mut words = arguments;
    while let [option, rest @ ..] = words {
        words = match option.text.as_str() {
            "--no-pager" | "-P" => rest,
            "-C" => rest.get(1..).unwrap_or_default(),
            _ => break,
        };
    }
    let [name, rest @ ..] = words else { return false };
    let Some((_, next)) = GIT.iter().find(|(known, _)| *known == name.text) else { return false };
    let fits = match (next, rest.first()) {
        (None, _) => true,
        // Without a word more these list.
        (Some(_), None) => !matches!(name.text.as_str(), "config" | "stash" | "worktree"),
        (Some(words), Some(first)) => words.contains(&first.text.as_str()),
    };
    // Where one word says that it only looks, another option can say that it does not; and what
    // stands behind the options may be a name to make or to remove.
    let is_listed = |word: &Argument| {
        next.is_none_or(|words| words.contains(&word.text.as_str()) || !is_option(word))
    };
    let has = |option: &str| rest.iter().any(|word| word.text == option);
    let rest_fits = match (name.text.as_str(), rest) {
        // A name makes a branch unless one of these says that it is a pattern. `-l` did not always.
        ("branch", _) if !has("--list") && !has("--contains") => {
            rest.iter().all(|word| is_option(word) && is_listed(word))
        }
        ("remote", [first, ..]) if first.text == "-v" => rest.len() == 1,
        _ => rest.iter().all(is_listed),
    };
    fits && rest_fits && lacks(rest, GIT_WRITES)
}

fn is_option(word: &Argument) -> bool {
    word.text.starts_with('-')
}

/// `sed -n '1,20p' FILE`: other scripts may write or run something.
fn prints_lines(arguments: &[Argument]) -> bool {
    let [option, script, files @ ..] = arguments else { return false };
    let is_range = |text: &str| {
        text.strip_suffix('p').is_some_and(|range| {
            !range.is_empty() && range.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '$'))
        })
    };
    option.text == "-n"
        && script.is_known
        && is_range(&script.text)
        && files.iter().all(|file| is_certain(file) && !file.text.starts_with('-'))
}
