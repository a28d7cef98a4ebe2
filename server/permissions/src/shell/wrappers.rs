//! Programs that run other programs, by how much is known of what they do.

use super::command::base_name;
use super::word::Word;

/// What a command runs besides itself.
pub(super) enum Kind {
    /// Nothing that is known.
    Plain,
    /// The command that begins with that word.
    Wraps {
        from: usize,
        harmless: bool,
    },
    /// These words, and perhaps more that are not known.
    Appends {
        words: Vec<Word>,
        tail: bool,
    },
    Script(Script),
    /// What it reads from its input.
    Input,
    /// Something that can't be told.
    Opaque(String),
}

/// A text that is run.
pub(super) struct Script {
    pub(super) text: String,
    /// Whether the shell lacks what is bash's own.
    pub(super) posix: bool,
    /// Whether it is run as if it stood here.
    pub(super) harmless: bool,
    /// Whether this shell runs it itself, and if not now.
    pub(super) here: bool,
    pub(super) later: bool,
    /// What is not known about it.
    pub(super) doubt: Option<String>,
}

/// A program that runs the rest of its words.
struct Wrapper {
    name: &'static str,
    /// Letters of options without a value, and with one.
    flags: &'static str,
    valued: &'static str,
    /// Long options; with `=` at the end those that have a value there.
    long: &'static [&'static str],
    /// Words before the command that are no options: a duration, a directory.
    operands: usize,
    /// Whether the command does what it would do by itself.
    harmless: bool,
}

const fn wrapper(name: &'static str, flags: &'static str, valued: &'static str) -> Wrapper {
    Wrapper { name, flags, valued, long: &[], operands: 0, harmless: true }
}

impl Wrapper {
    const fn long(mut self, long: &'static [&'static str]) -> Self {
        self.long = long;
        self
    }

    const fn after(mut self, operands: usize) -> Self {
        self.operands = operands;
        self
    }

    /// It changes what the command does, or where, or who does it.
    const fn changes(mut self) -> Self {
        self.harmless = false;
        self
    }
}

const WRAPPERS: [Wrapper; 20] = [
    wrapper("timeout", "v", "ks")
        .long(&["--kill-after=", "--signal=", "--foreground", "--preserve-status", "--verbose"])
        .after(1),
    wrapper("nice", "0123456789", "n").long(&["--adjustment="]),
    wrapper("nohup", "", ""),
    wrapper("time", "p", ""),
    wrapper("stdbuf", "", "ioe").long(&["--input=", "--output=", "--error="]),
    wrapper("setsid", "cfw", "").long(&["--ctty", "--fork", "--wait"]),
    wrapper("ionice", "t", "cn").long(&["--class=", "--classdata=", "--ignore"]),
    wrapper("command", "p", ""),
    wrapper("builtin", "", ""),
    wrapper("exec", "", ""),
    wrapper("sudo", "nEHSbkA", "ugpCDRTrth").changes().long(&[
        "--non-interactive",
        "--preserve-env",
        "--user=",
        "--group=",
        "--set-home",
        "--stdin",
    ]),
    wrapper("doas", "n", "uC").changes(),
    wrapper("env", "i0v", "uC").changes().long(&[
        "--ignore-environment",
        "--null",
        "--unset=",
        "--chdir=",
        "--debug",
    ]),
    wrapper("pkexec", "", "").changes().long(&["--disable-internal-agent", "--keep-cwd"]),
    wrapper("chroot", "", "").changes().after(1).long(&[
        "--userspec=",
        "--groups=",
        "--skip-chdir",
    ]),
    wrapper("busybox", "", "").changes(),
    wrapper("taskset", "a", "").changes().after(1),
    wrapper("chrt", "abfior", "").changes().after(1),
    wrapper("flock", "sxeunoF", "wE").changes().after(1),
    wrapper("unshare", "muinpUCTfrc", "").changes(),
];

const SHELLS: [&str; 5] = ["bash", "rbash", "sh", "dash", "ash"];
/// Shells with a grammar of their own.
const FOREIGN: [&str; 8] = ["zsh", "fish", "ksh", "ksh93", "mksh", "csh", "tcsh", "pwsh"];

/// Programs and builtins that run what their arguments say, or change what later names mean, in
/// ways that are not told apart here.
const RUNNERS: [&str; 28] = [
    ".",
    "alias",
    "bind",
    "compgen",
    "complete",
    "coproc",
    "doit",
    "enable",
    "expect",
    "fc",
    "hash",
    "history",
    "jobs",
    "ld.so",
    "mapfile",
    "nsenter",
    "parallel",
    "readarray",
    "runuser",
    "script",
    "setpriv",
    "shopt",
    "source",
    "strace",
    "ltrace",
    "systemd-run",
    "firejail",
    "bwrap",
];

/// What a command runs. The words are not empty, and the first is known.
pub(super) fn kind(run: &[Word]) -> Kind {
    let Some((first, rest)) = run.split_first() else { return Kind::Plain };
    let cooked = first.cooked();
    let name = base_name(&cooked);
    let is_usual = !cooked.contains('/')
        || ["/bin/", "/usr/bin/", "/usr/local/bin/"].iter().any(|dir| cooked.starts_with(dir));
    let found = named(name, rest);
    match found {
        Kind::Wraps { from, harmless } => {
            Kind::Wraps { from: from + 1, harmless: harmless && is_usual }
        }
        Kind::Script(script) => {
            Kind::Script(Script { harmless: script.harmless && is_usual, ..script })
        }
        Kind::Appends { .. } if !is_usual => opaque(name),
        found => found,
    }
}

fn named(name: &str, rest: &[Word]) -> Kind {
    if SHELLS.contains(&name) {
        return shell(name, rest);
    }
    match name {
        "eval" => evaluated(rest),
        "trap" => trapped(rest),
        "xargs" => super::wrappers::appended(rest),
        "su" => su(rest),
        "ssh" => remote(rest),
        "watch" => watched(rest),
        "command" if asks_only(rest) => Kind::Plain,
        "jobs" | "history" | "hash" | "alias" if rest.is_empty() => Kind::Plain,
        "set" => set(rest),
        _ if FOREIGN.contains(&name) => foreign(name, rest),
        _ if RUNNERS.contains(&name) || name.starts_with("ld-linux") => opaque(name),
        _ => match WRAPPERS.iter().find(|wrapper| wrapper.name == name) {
            Some(wrapper) => wrapped(wrapper, rest),
            None => Kind::Plain,
        },
    }
}

fn opaque(name: &str) -> Kind {
    Kind::Opaque(format!("what `{name}` would run"))
}

/// `command -v NAME`.
fn asks_only(rest: &[Word]) -> bool {
    rest.first().and_then(Word::text).is_some_and(|option| matches!(option, "-v" | "-V"))
}

/// What an option takes.
enum Option_ {
    Nothing,
    Next,
    Unread,
}

fn option(wrapper: &Wrapper, text: &str) -> Option_ {
    if text.starts_with("--") {
        let known = wrapper.long.iter().any(|long| match long.ends_with('=') {
            true => text.starts_with(long),
            false => text == *long,
        });
        return if known { Option_::Nothing } else { Option_::Unread };
    }
    let mut letters = text.chars().skip(1);
    while let Some(letter) = letters.next() {
        if wrapper.valued.contains(letter) {
            return if letters.next().is_none() { Option_::Next } else { Option_::Nothing };
        }
        if !wrapper.flags.contains(letter) {
            return Option_::Unread;
        }
    }
    Option_::Nothing
}

/// A word that is exactly what it looks like.
fn plain(word: &Word) -> Option<&str> {
    word.text().filter(|_| !word.globs && !word.expands_braces())
}

fn wrapped(wrapper: &Wrapper, rest: &[Word]) -> Kind {
    let (mut at, mut operands, mut ended) = (0, wrapper.operands, false);
    let mut harmless = wrapper.harmless || wrapper.name == "env";
    let assigns = matches!(wrapper.name, "env" | "sudo");
    while let Some(word) = rest.get(at) {
        let text = plain(word).unwrap_or_default();
        let is_option = !ended && text.starts_with('-') && text.len() > 1;
        if text == "--" && !ended {
            ended = true;
        } else if is_option {
            harmless &= wrapper.harmless;
            match option(wrapper, text) {
                Option_::Nothing => {}
                Option_::Next => at += 1,
                Option_::Unread => return opaque(wrapper.name),
            }
        } else if text == "-" && wrapper.name == "env" || assigns && word.assigned().is_some() {
            harmless = false;
        } else if operands > 0 {
            if word.may_be_option() || plain(word).is_none() {
                return opaque(wrapper.name);
            }
            operands -= 1;
            // `ssh` takes options behind the host as well.
            ended = operands == 0 && wrapper.name != "ssh";
        } else {
            return Kind::Wraps { from: at, harmless };
        }
        at += 1;
    }
    // `env` alone tells the environment; the others do nothing.
    Kind::Plain
}

fn script(text: String, harmless: bool) -> Script {
    Script { text, posix: false, harmless, here: false, later: false, doubt: None }
}

/// `bash -c TEXT`, `bash FILE`, `bash`.
fn shell(name: &str, rest: &[Word]) -> Kind {
    let posix = !matches!(name, "bash" | "rbash");
    let (mut at, mut is_text, mut ended) = (0, false, false);
    while let Some(word) = rest.get(at) {
        let Some(text) = word.text().filter(|_| is_text || plain(word).is_some()) else {
            return opaque(name);
        };
        at += 1;
        let is_option = !ended && text.len() > 1 && text.starts_with('-');
        if !is_option {
            return match (is_text, text) {
                (true, "+c" | "+e") => opaque(name),
                (true, text) => Kind::Script(Script { posix, ..script(text.to_owned(), true) }),
                (false, "-") => Kind::Input,
                (false, text) if text.starts_with("/dev/") || text.starts_with('+') => opaque(name),
                (false, _) => Kind::Plain,
            };
        }
        match text {
            "--" => ended = true,
            "--login" | "--norc" | "--noprofile" => {}
            "--version" | "--help" => return Kind::Plain,
            "-s" => return Kind::Input,
            _ if text.starts_with("--") => return opaque(name),
            _ => {
                let letters = text.get(1..).unwrap_or_default();
                if !letters.chars().all(|letter| "ceuxlo".contains(letter)) {
                    return opaque(name);
                }
                is_text |= letters.contains('c');
                for _ in letters.matches('o') {
                    let value = rest.get(at).and_then(plain).unwrap_or_default();
                    if !matches!(value, "pipefail" | "errexit" | "nounset" | "xtrace") {
                        return opaque(name);
                    }
                    at += 1;
                }
            }
        }
    }
    if is_text { opaque(name) } else { Kind::Input }
}

/// Its text is told, so that a reject rule can see it.
fn foreign(name: &str, rest: &[Word]) -> Kind {
    let doubt = format!("the language of `{name}`");
    let at = rest.iter().position(|word| word.raw.starts_with('-') && word.raw.contains('c'));
    match at.and_then(|at| rest.get(at + 1)).and_then(Word::text) {
        Some(text) => Kind::Script(Script { doubt: Some(doubt), ..script(text.to_owned(), false) }),
        None if rest.is_empty() => Kind::Input,
        None => opaque(name),
    }
}

fn joined(words: &[Word]) -> Option<String> {
    let texts: Option<Vec<&str>> = words.iter().map(plain).collect();
    texts.map(|texts| texts.join(" "))
}

fn evaluated(rest: &[Word]) -> Kind {
    let rest = match rest.split_first() {
        Some((first, rest)) if first.is_bare("--") => rest,
        _ => rest,
    };
    match joined(rest) {
        Some(text) => Kind::Script(Script { here: true, ..script(text, true) }),
        None => opaque("eval"),
    }
}

/// `trap TEXT SIGNAL`.
fn trapped(rest: &[Word]) -> Kind {
    match rest.first().map(plain) {
        None | Some(Some("-p" | "-l" | "-")) => Kind::Plain,
        Some(Some(text)) if text == "--" || text.starts_with('-') => opaque("trap"),
        Some(Some(text)) => {
            Kind::Script(Script { here: true, later: true, ..script(text.to_owned(), true) })
        }
        Some(None) => opaque("trap"),
    }
}

/// `su [USER] -c TEXT`: the shell that runs it is the user's own.
fn su(rest: &[Word]) -> Kind {
    let at = rest
        .iter()
        .position(|word| word.is_bare("-c") || word.is_bare("-lc") || word.is_bare("--command"));
    let text = at.and_then(|at| rest.get(at + 1)).and_then(Word::text);
    match text.filter(|_| rest.iter().all(Word::is_known)) {
        Some(text) => Kind::Script(script(text.to_owned(), false)),
        None => opaque("su"),
    }
}

/// `ssh HOST COMMAND…`: the other side's shell reads the words as a text.
fn remote(rest: &[Word]) -> Kind {
    const SSH: Wrapper = wrapper("ssh", "46AaCfGgKkMNnqTtVvXxYy", "bceilmp").after(1);
    match wrapped(&SSH, rest) {
        Kind::Wraps { from, .. } => match joined(rest.get(from..).unwrap_or_default()) {
            Some(text) => Kind::Script(script(text, false)),
            None => opaque("ssh"),
        },
        other => other,
    }
}

fn watched(rest: &[Word]) -> Kind {
    const WATCH: Wrapper = wrapper("watch", "bcdegtw", "n");
    match wrapped(&WATCH, rest) {
        Kind::Wraps { from, .. } => match joined(rest.get(from..).unwrap_or_default()) {
            Some(text) => Kind::Script(Script { posix: true, ..script(text, false) }),
            None => opaque("watch"),
        },
        other => other,
    }
}

/// `set -e` and the like change nothing about what is run; others do, even how words are read.
fn set(rest: &[Word]) -> Kind {
    let mut is_name = false;
    for word in rest {
        let text = plain(word).unwrap_or("?");
        let is_value = is_name
            && matches!(text, "pipefail" | "errexit" | "nounset" | "xtrace" | "verbose" | "noglob");
        let letters = text.strip_prefix(['-', '+']).unwrap_or("?");
        let are_letters = !letters.is_empty() && letters.chars().all(|c| "euxovf".contains(c));
        if !is_value && (is_name || !are_letters) {
            return opaque("set");
        }
        is_name = !is_value && letters.contains('o');
    }
    Kind::Plain
}

/// `xargs COMMAND…`: words that are not known are appended, or put in the place of a text.
fn appended(rest: &[Word]) -> Kind {
    const XARGS: Wrapper = wrapper("xargs", "0rtx", "nPLsEd").long(&[
        "--null",
        "--no-run-if-empty",
        "--verbose",
        "--exit",
        "--max-args=",
        "--max-procs=",
        "--max-lines=",
        "--delimiter=",
    ]);
    let (hole, at) = match hole(rest, &XARGS) {
        Some(found) => found,
        None => return opaque("xargs"),
    };
    let command = rest.get(at..).unwrap_or_default();
    match (command, hole) {
        (_, Some(hole)) if hole.is_empty() => opaque("xargs"),
        // It runs `echo`.
        ([], _) => Kind::Plain,
        (command, Some(hole)) => {
            let filled = command.iter().map(|word| word.with_holes(&hole)).collect();
            Kind::Appends { words: filled, tail: false }
        }
        (command, None) => {
            let mut words = command.to_vec();
            words.push(Word::unknown());
            Kind::Appends { words, tail: true }
        }
    }
}

/// The text that is replaced, and where the command begins.
fn hole(rest: &[Word], xargs: &Wrapper) -> Option<(Option<String>, usize)> {
    let (mut at, mut hole) = (0, None);
    loop {
        let Some(word) = rest.get(at) else { return Some((hole, at)) };
        let text = plain(word)?;
        if text == "--" {
            return Some((hole, at + 1));
        }
        if !text.starts_with('-') {
            return Some((hole, at));
        }
        at += 1;
        match text.strip_prefix("-I") {
            Some("") => {
                hole = Some(plain(rest.get(at)?)?.to_owned());
                at += 1;
            }
            Some(own) => hole = Some(own.to_owned()),
            None => match option(xargs, text) {
                Option_::Nothing => {}
                Option_::Next => at += 1,
                Option_::Unread => return None,
            },
        }
    }
}

/// The commands of `find … -exec COMMAND ;`, with unknowns where it fills names in.
pub(super) fn executed(run: &[Word]) -> Vec<Vec<Word>> {
    let (mut found, mut at) = (Vec::new(), 0);
    let is = |at: usize, text: &str| run.get(at).and_then(Word::text) == Some(text);
    while at < run.len() {
        let starts = ["-exec", "-execdir", "-ok", "-okdir"].iter().any(|action| is(at, action));
        at += 1;
        if !starts {
            continue;
        }
        let start = at;
        while at < run.len() && !is(at, ";") && !(at > start && is(at, "+") && is(at - 1, "{}")) {
            at += 1;
        }
        let words = run.get(start..at).unwrap_or_default();
        found.push(words.iter().map(|word| word.with_holes("{}")).collect());
    }
    found
}
