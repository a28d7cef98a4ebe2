//! Commands to which other programs append words, or fill them in: `xargs`, `find -exec`.

use super::word::Word;
use super::wrappers::{Kind, Takes, Wrapper, opaque, option, plain, wrapper};

/// `xargs COMMAND…`: words that are not known are appended, or put in the place of a text.
pub(super) fn appended(rest: &[Word]) -> Kind {
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
                Takes::Nothing => {}
                Takes::Next => at += 1,
                Takes::Unread => return None,
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
