//! Programs that run what their arguments say.

use crate::shell::{Argument, base_name};

/// What a command runs.
pub(super) enum Run<'a> {
    /// A command of these words.
    Words(&'a [Argument]),
    /// A command text.
    Text(String),
}

/// A program that runs the rest of its words.
struct Prefix {
    name: &'static str,
    /// Letters of options that take the next word.
    valued: &'static str,
    /// Words before the command that are no options: a duration, a directory.
    operands: usize,
}

const fn prefix(name: &'static str, valued: &'static str, operands: usize) -> Prefix {
    Prefix { name, valued, operands }
}

const PREFIXES: [Prefix; 24] = [
    prefix("sudo", "ughpCDRTUrt", 0),
    prefix("doas", "uC", 0),
    prefix("pkexec", "", 0),
    prefix("env", "uCS", 0),
    prefix("nohup", "", 0),
    prefix("setsid", "", 0),
    prefix("nice", "n", 0),
    prefix("ionice", "cnp", 0),
    prefix("time", "fo", 0),
    prefix("timeout", "sk", 1),
    prefix("stdbuf", "ioe", 0),
    prefix("command", "", 0),
    prefix("builtin", "", 0),
    prefix("exec", "a", 0),
    prefix("xargs", "InPdaELs", 0),
    prefix("busybox", "", 0),
    prefix("chroot", "", 1),
    prefix("taskset", "", 1),
    prefix("chrt", "", 1),
    prefix("strace", "eopfsE", 0),
    prefix("unshare", "", 0),
    prefix("flock", "wE", 1),
    prefix("systemd-run", "p", 0),
    prefix("ssh", "bcDEeFIiJLlmOopQRSWw", 1),
];

const SHELLS: [&str; 9] = ["bash", "sh", "dash", "ash", "zsh", "ksh", "mksh", "fish", "rbash"];
const INTERPRETERS: [&str; 7] = ["python", "python3", "perl", "ruby", "node", "php", "osascript"];
const FETCHERS: [&str; 7] = ["curl", "wget", "fetch", "http", "https", "aria2c", "lynx"];

/// What a command runs besides itself; `None`: itself alone.
pub(super) fn run(words: &[Argument]) -> Option<Run<'_>> {
    let (program, rest) = words.split_first()?;
    let name = base_name(&program.text);
    if SHELLS.contains(&name) || name == "su" || name == "runuser" {
        return code(rest).map(|word| Run::Text(word.text.clone()));
    }
    match name {
        "eval" | "watch" | "parallel" => Some(Run::Text(joined(rest))),
        "trap" => rest.first().map(|word| Run::Text(word.text.clone())),
        "find" => executed(rest).map(Run::Words),
        "env" if rest.iter().any(|word| word.text == "-S") => {
            let split = rest.iter().skip_while(|word| word.text != "-S").skip(1);
            Some(Run::Text(joined(split)))
        }
        _ => after_prefix(name, rest).map(Run::Words),
    }
}

/// How long a chain of programs that run programs is followed.
const MAX_CHAIN: usize = 16;

/// The command at the end of a chain such as `sudo env X=1 bash`.
pub(super) fn innermost(mut words: &[Argument]) -> &[Argument] {
    for _ in 0..MAX_CHAIN {
        match run(words) {
            Some(Run::Words(inner)) if inner.len() < words.len() => words = inner,
            _ => break,
        }
    }
    words
}

/// Whether it gets something from the network and prints it.
pub(super) fn fetches(words: &[Argument]) -> bool {
    words.first().is_some_and(|word| FETCHERS.contains(&base_name(&word.text)))
}

/// Whether it runs the program that it reads from its input: a shell or an interpreter without a
/// script.
pub(super) fn reads_program(words: &[Argument]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let name = base_name(&program.text);
    if is_shell(name) {
        let reads = |word: &Argument| cluster(&word.text).is_some_and(|o| o.contains('s'));
        return code(rest).is_none() && (rest.iter().any(reads) || !has_operand(rest));
    }
    let versioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_interpreter = INTERPRETERS.contains(&name) || INTERPRETERS.contains(&versioned);
    is_interpreter && rest.iter().all(|word| word.text == "-" || word.text == "-u")
}

/// Whether it runs a text among its words.
pub(super) fn evaluates(words: &[Argument]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let name = base_name(&program.text);
    let is_process = |word: &Argument| word.text.starts_with("<(");
    matches!(name, "eval" | "source" | ".")
        || is_shell(name) && (code(rest).is_some() || rest.iter().any(is_process))
}

/// Whether that is a shell's name.
pub(super) fn is_shell(name: &str) -> bool {
    SHELLS.contains(&name)
}

/// The word after `-c`, also as `-lc`.
fn code(rest: &[Argument]) -> Option<&Argument> {
    let is_code = |word: &Argument| cluster(&word.text).is_some_and(|o| o.contains('c'));
    let at = rest.iter().position(is_code)?;
    rest.get(at + 1..)?.iter().find(|word| cluster(&word.text).is_none())
}

/// The letters of `-abc`.
fn cluster(word: &str) -> Option<&str> {
    word.strip_prefix('-').filter(|letters| !letters.is_empty() && !letters.starts_with('-'))
}

fn has_operand(rest: &[Argument]) -> bool {
    rest.iter().any(|word| !word.text.starts_with('-') && word.text != "-")
}

fn joined<'a>(words: impl IntoIterator<Item = &'a Argument>) -> String {
    words.into_iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The command of `find … -exec COMMAND ;`.
fn executed(rest: &[Argument]) -> Option<&[Argument]> {
    let at = rest
        .iter()
        .position(|word| matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir"))?;
    let command = rest.get(at + 1..)?;
    // What it deletes where is looked at with the places that it starts from.
    (base_name(&command.first()?.text) != "rm").then_some(command)
}

fn after_prefix<'a>(name: &str, rest: &'a [Argument]) -> Option<&'a [Argument]> {
    let prefix = PREFIXES.iter().find(|prefix| prefix.name == name)?;
    let mut words = rest;
    let mut operands = prefix.operands;
    while let Some((word, after)) = words.split_first() {
        words = match word.text.strip_prefix('-') {
            Some("-") => {
                return after.get(operands..);
            }
            Some(option) if takes_next(option, prefix.valued) => after.get(1..)?,
            Some(_) => after,
            None if name == "env" || name == "sudo" => {
                if !is_assignment(&word.text) {
                    return Some(words);
                }
                after
            }
            None if operands > 0 => {
                operands -= 1;
                after
            }
            None => return Some(words),
        };
    }
    None
}

/// `-u` takes the next word; `-uroot` and `--user=root` do not.
fn takes_next(option: &str, valued: &str) -> bool {
    let mut letters = option.chars();
    let last = letters.next_back();
    !option.starts_with('-')
        && last.is_some_and(|last| valued.contains(last))
        && letters.all(|letter| !valued.contains(letter))
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
