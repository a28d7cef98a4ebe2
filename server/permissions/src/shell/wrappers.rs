//! Programs that run other programs, by how much is known of what they do.

use super::appended::appended;
use super::command::base_name;
use super::scripts::{evaluated, foreign, locked, remote, shell, su, trapped, watched};
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
pub(super) struct Wrapper {
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

pub(super) const fn wrapper(
    name: &'static str,
    flags: &'static str,
    valued: &'static str,
) -> Wrapper {
    Wrapper { name, flags, valued, long: &[], operands: 0, harmless: true }
}

impl Wrapper {
    pub(super) const fn long(mut self, long: &'static [&'static str]) -> Self {
        self.long = long;
        self
    }

    pub(super) const fn after(mut self, operands: usize) -> Self {
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
const FOREIGN: [&str; 11] =
    ["yash", "oksh", "posh", "zsh", "fish", "ksh", "ksh93", "mksh", "csh", "tcsh", "pwsh"];

/// Programs and builtins that run what their arguments say, or change what later names mean, in
/// ways that are not told apart here.
const RUNNERS: [&str; 42] = [
    "setarch",
    "linux32",
    "linux64",
    "uname26",
    "i386",
    "x86_64",
    "prlimit",
    "gosu",
    "su-exec",
    "fakeroot",
    "fakechroot",
    "unbuffer",
    "numactl",
    "toybox",
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
        "xargs" => appended(rest),
        "su" => su(rest),
        "ssh" => remote(rest),
        "watch" => watched(rest),
        "command" if asks_only(rest) => Kind::Plain,
        "jobs" | "history" | "hash" | "alias" if rest.is_empty() => Kind::Plain,
        "set" => set(rest),
        _ if FOREIGN.contains(&name) => foreign(name, rest),
        _ if RUNNERS.contains(&name) || name.starts_with("ld-linux") => opaque(name),
        _ => match WRAPPERS.iter().find(|wrapper| wrapper.name == name) {
            Some(wrapper) if name == "flock" => locked(wrapper, rest),
            Some(wrapper) => match wrapped(wrapper, rest) {
                // It would take that for an option of its own, or nobody knows what for.
                Kind::Wraps { from, .. } if rest.get(from).is_some_and(is_dashed) => opaque(name),
                kind => kind,
            },
            None => Kind::Plain,
        },
    }
}

fn is_dashed(word: &Word) -> bool {
    word.text().is_some_and(|text| text.starts_with('-'))
}

pub(super) fn opaque(name: &str) -> Kind {
    Kind::Opaque(format!("what `{name}` would run"))
}

/// `command -v NAME`.
fn asks_only(rest: &[Word]) -> bool {
    rest.first().and_then(Word::text).is_some_and(|option| matches!(option, "-v" | "-V"))
}

/// What an option takes.
pub(super) enum Takes {
    Nothing,
    Next,
    Unread,
}

pub(super) fn option(wrapper: &Wrapper, text: &str) -> Takes {
    if text.starts_with("--") {
        let known = wrapper.long.iter().any(|long| match long.ends_with('=') {
            true => text.starts_with(long),
            false => text == *long,
        });
        return if known { Takes::Nothing } else { Takes::Unread };
    }
    let mut letters = text.chars().skip(1);
    while let Some(letter) = letters.next() {
        if wrapper.valued.contains(letter) {
            return if letters.next().is_none() { Takes::Next } else { Takes::Nothing };
        }
        if !wrapper.flags.contains(letter) {
            return Takes::Unread;
        }
    }
    Takes::Nothing
}

/// A word that is exactly what it looks like.
pub(super) fn plain(word: &Word) -> Option<&str> {
    word.text().filter(|_| !word.globs && !word.expands_braces())
}

pub(super) fn wrapped(wrapper: &Wrapper, rest: &[Word]) -> Kind {
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
                Takes::Nothing => {}
                Takes::Next => at += 1,
                Takes::Unread => return opaque(wrapper.name),
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
