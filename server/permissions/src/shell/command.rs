//! Simple commands.

use super::word::Word;

/// One program or builtin with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimpleCommand {
    /// Its words as written, assignments included, redirections not, one space between each two.
    pub text: String,
    /// Whether it reads what a command before it prints: a `|` stands before it.
    pub is_piped: bool,
    /// Whether it sets variables for the program: `LD_PRELOAD=x ls`.
    pub assigns: bool,
    /// The program and its arguments, assignments not.
    pub words: Vec<Argument>,
    looks: Vec<String>,
    pieces: Vec<String>,
}

/// One word of a command as the program gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Without quotes; with an unknown in it, as written.
    pub text: String,
    /// Whether all of it is known: no variable and no substitution.
    pub is_known: bool,
}

/// Programs and builtins that run what their arguments say, or change what later names mean.
const RUNNERS: [&str; 54] = [
    ".",
    "alias",
    "ash",
    "bash",
    "bind",
    "builtin",
    "busybox",
    "chroot",
    "chrt",
    "command",
    "complete",
    "csh",
    "dash",
    "doas",
    "doit",
    "enable",
    "env",
    "eval",
    "exec",
    "expect",
    "fish",
    "flock",
    "hash",
    "ionice",
    "ksh",
    "ld.so",
    "mapfile",
    "mksh",
    "nice",
    "nohup",
    "nsenter",
    "parallel",
    "pkexec",
    "readarray",
    "runuser",
    "script",
    "setsid",
    "sh",
    "source",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "time",
    "timeout",
    "trap",
    "unshare",
    "watch",
    "xargs",
    "zsh",
    "rbash",
];

/// Builtins that evaluate subscripts, and substitutions in them, even of quoted names:
/// `printf -v 'a[$(rm x)]'`.
const EVALUATORS: [&str; 13] = [
    "let", "declare", "typeset", "local", "export", "readonly", "read", "printf", "test", "[",
    "unset", "wait", "getopts",
];

const FIND_ACTIONS: [&str; 9] =
    ["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"];

/// Words that only a grammar could make sense of.
const RESERVED: [&str; 19] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "select", "function", "coproc", "{", "}", "[[", "]]",
];

/// How many of a runner's words may be the start of the command that it runs.
const MAX_SUFFIXES: usize = 64;

impl SimpleCommand {
    /// Makes a command of words, and says what about it is not understood. `None`: no words.
    pub(super) fn new(words: &[Word], is_piped: bool) -> (Option<Self>, Option<String>) {
        let mut opaque = None;
        let mut words = words;
        while let [first, rest @ ..] = words {
            if let Some(word) = RESERVED.iter().find(|word| first.is_bare(word)) {
                opaque.get_or_insert_with(|| reserved(word));
            } else if !first.is_bare("!") {
                break;
            }
            words = rest;
        }
        let bare = words.iter().position(|word| !word.is_assignment()).unwrap_or(words.len());
        let run = words.get(bare..).unwrap_or_default();
        let opaque = opaque.or_else(|| misread(words)).or_else(|| place(run)).or_else(|| runs(run));
        let command = (!words.is_empty()).then(|| SimpleCommand {
            text: words.iter().map(|word| word.raw.as_str()).collect::<Vec<_>>().join(" "),
            is_piped,
            assigns: bare > 0,
            words: run.iter().map(argument).collect(),
            looks: looks(run, opaque.is_some()),
            pieces: pieces(run),
        });
        (command, opaque)
    }

    /// Everything that a tightening rule may be held against: the text, the words without quotes
    /// and assignments, the same with only the program's base name, and for a program that runs
    /// its arguments each of their tails.
    pub fn looks(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.text.as_str()).chain(self.looks.iter().map(String::as_str))
    }

    /// If some of it is unknown: the pieces of the words that are known; an unknown stands between
    /// each two.
    pub fn pieces(&self) -> Option<Vec<&str>> {
        (self.pieces.len() > 1).then(|| self.pieces.iter().map(|piece| piece.trim()).collect())
    }
}

fn reserved(word: &str) -> String {
    match word {
        "for" | "while" | "until" | "select" => format!("the `{word}` loop"),
        "function" => "the function definition".to_owned(),
        "{" | "}" => "the group in braces".to_owned(),
        _ => format!("the shell keyword `{word}`"),
    }
}

fn misread(words: &[Word]) -> Option<String> {
    let word = words.iter().find(|word| word.expands_braces())?;
    Some(format!("the brace expansion `{}`", word.raw))
}

/// What stands where the program's name should.
fn place(run: &[Word]) -> Option<String> {
    let first = run.first()?;
    let raw = &first.raw;
    if !first.is_known() {
        return Some(format!("`{raw}` in the place of a command"));
    }
    if first.globs && !first.is_bare("[") {
        return Some(format!("the pattern `{raw}` in the place of a command"));
    }
    first.cooked().is_empty().then(|| "an empty name in the place of a command".to_owned())
}

fn runs(run: &[Word]) -> Option<String> {
    let first = run.first()?.cooked();
    let name = base_name(&first);
    if RUNNERS.contains(&name) {
        return Some(format!("what `{name}` would run"));
    }
    if EVALUATORS.contains(&name) && run.iter().any(Word::hides_substitution) {
        return Some(format!("what `{name}` would evaluate"));
    }
    let action = run.iter().find(|word| FIND_ACTIONS.contains(&word.cooked().as_str()));
    let action = action.filter(|_| name == "find" || name == "gfind")?;
    Some(format!("what `find {}` would do", action.cooked()))
}

fn looks(run: &[Word], tails: bool) -> Vec<String> {
    let cooked: Vec<String> = run.iter().map(Word::cooked).collect();
    let mut looks = vec![cooked.join(" ")];
    let [first, rest @ ..] = cooked.as_slice() else { return Vec::new() };
    let base = base_name(first);
    if base != first {
        let named: Vec<&str> =
            std::iter::once(base).chain(rest.iter().map(String::as_str)).collect();
        looks.push(named.join(" "));
    }
    if tails {
        let count = rest.len().min(MAX_SUFFIXES);
        looks.extend((1..=count).filter_map(|from| Some(cooked.get(from..)?.join(" "))));
    }
    looks
}

fn argument(word: &Word) -> Argument {
    Argument { text: word.cooked(), is_known: word.is_known() }
}

pub(crate) fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn pieces(run: &[Word]) -> Vec<String> {
    let mut all = vec![String::new()];
    for (index, word) in run.iter().enumerate() {
        let mut own = word.pieces().iter().cloned();
        if let (Some(last), Some(first)) = (all.last_mut(), own.next()) {
            if index > 0 {
                last.push(' ');
            }
            last.push_str(&first);
        }
        all.extend(own);
    }
    all
}
