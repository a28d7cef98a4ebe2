//! Commands that run a text: shells, `eval`, `trap`, and those that hand it to another shell.

use super::word::Word;
use super::wrappers::{Kind, Script, Wrapper, opaque, plain, wrapped, wrapper};

fn script(text: String, harmless: bool) -> Script {
    Script { text, posix: false, harmless, here: false, later: false, doubt: None }
}

/// `bash -c TEXT`, `bash FILE`, `bash`.
pub(super) fn shell(name: &str, rest: &[Word]) -> Kind {
    let posix = !matches!(name, "bash" | "rbash");
    let (mut at, mut is_text, mut ended) = (0, false, false);
    while let Some(word) = rest.get(at) {
        let Some(text) = plain(word) else { return opaque(name) };
        at += 1;
        let is_option = !ended && text.starts_with('-') && (is_text || text.len() > 1);
        if !is_option {
            return match (is_text, text) {
                (true, text) if text.starts_with('+') => opaque(name),
                (true, text) => Kind::Script(Script { posix, ..script(text.to_owned(), true) }),
                (false, "-") => Kind::Input,
                (false, text) if text.starts_with("/dev/") || text.starts_with('+') => opaque(name),
                (false, _) => Kind::Plain,
            };
        }
        match text {
            "-" | "--" => ended = true,
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
pub(super) fn foreign(name: &str, rest: &[Word]) -> Kind {
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

pub(super) fn evaluated(rest: &[Word]) -> Kind {
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
pub(super) fn trapped(rest: &[Word]) -> Kind {
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
pub(super) fn su(rest: &[Word]) -> Kind {
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
pub(super) fn remote(rest: &[Word]) -> Kind {
    const SSH: Wrapper = wrapper("ssh", "46AaCfGgKkMNnqTtVvXxYy", "bceilmp").after(1);
    match wrapped(&SSH, rest) {
        Kind::Wraps { from, .. } => match joined(rest.get(from..).unwrap_or_default()) {
            Some(text) => Kind::Script(script(text, false)),
            None => opaque("ssh"),
        },
        // Without a command the other side's shell reads its input.
        Kind::Plain if !matches!(rest, [only] if only.is_bare("-V")) => Kind::Input,
        other => other,
    }
}

/// `flock FILE COMMAND…`, `flock FILE -c TEXT`: that is for the user's shell or for `sh`.
pub(super) fn locked(flock: &Wrapper, rest: &[Word]) -> Kind {
    let Kind::Wraps { from, .. } = wrapped(flock, rest) else { return wrapped(flock, rest) };
    match rest.get(from..).unwrap_or_default() {
        [option, text] if option.is_bare("-c") || option.is_bare("--command") => {
            match plain(text) {
                Some(text) => {
                    Kind::Script(Script { posix: true, ..script(text.to_owned(), false) })
                }
                None => opaque("flock"),
            }
        }
        [first, ..] if first.raw.starts_with('-') => opaque("flock"),
        _ => wrapped(flock, rest),
    }
}

pub(super) fn watched(rest: &[Word]) -> Kind {
    const WATCH: Wrapper = wrapper("watch", "bcdegtw", "n");
    match wrapped(&WATCH, rest) {
        Kind::Wraps { from, .. } => match joined(rest.get(from..).unwrap_or_default()) {
            Some(text) => Kind::Script(Script { posix: true, ..script(text, false) }),
            None => opaque("watch"),
        },
        other => other,
    }
}
