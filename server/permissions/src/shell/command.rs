//! Simple commands.

use std::sync::Arc;

use super::builtins::GIT_VALUED;
use super::word::Word;
use crate::Pattern;
use crate::spelled::Sign;

/// One program or builtin with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimpleCommand {
    /// Its words as written, assignments included, redirections not, one space between each two;
    /// of a command that a wrapper runs (`timeout 5 ls`), with the wrapper.
    pub text: String,
    /// Whether it may read what a command before it prints: a `|` stands before it, or before the
    /// group that it is part of.
    pub is_piped: bool,
    /// Whether it sets variables for the program: `LD_PRELOAD=x ls`.
    pub assigns: bool,
    /// The program and its arguments, assignments and harmless wrappers not.
    pub words: Vec<Argument>,
    /// What it may read by redirection: files, and texts with variables in them.
    pub reads: Vec<Argument>,
    /// Why only a rule that names it literally may allow it, as a noun phrase.
    pub caution: Option<String>,
    /// The function whose body it is part of.
    pub function: Option<String>,
    /// Whether the whole text changes the directory somewhere.
    pub moves: bool,
    /// Whether the whole text computes somewhere with values that are not known: an error then
    /// tells them.
    pub computes: bool,
    pub(super) own: Own,
    pub(super) around: Arc<Around>,
}

/// What rules are held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own {
    pub(super) form: Option<Form>,
    pub(super) needs: Vec<String>,
    pub(super) looks: Vec<String>,
    pub(super) pieces: Vec<String>,
    /// If there are patterns of file names in it: what it may become.
    pub(super) signs: Vec<Sign>,
}

/// A text that an allowing rule may match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// This one.
    Exact(String),
    /// This one, whatever is appended to it (`xargs`).
    AnyTail(String),
}

impl Form {
    fn matches(&self, pattern: &Pattern) -> bool {
        match self {
            Form::Exact(text) => pattern.matches(text),
            Form::AnyTail(text) => pattern.matches_with_any_tail(text),
        }
    }
}

/// What runs a command: a wrapper, a shell with a script, nothing.
#[derive(Debug, PartialEq, Eq, Default)]
pub(super) struct Around {
    pub(super) parent: Option<Arc<Around>>,
    /// Its text, which an allow may match instead of the command's.
    pub(super) form: Option<Form>,
    pub(super) looks: Vec<String>,
    pub(super) pieces: Vec<String>,
    pub(super) signs: Vec<Sign>,
    /// The text that the user is shown for what is inside.
    pub(super) title: Option<String>,
    /// Whether only its own text may be matched by an allow: it changes what the inner one does.
    pub(super) covers: bool,
    /// Whether unknown words are appended.
    pub(super) tail: bool,
    /// Whether another process runs what is inside: builtins do not change this shell.
    pub(super) outside: bool,
    /// How many there are around each other.
    pub(super) depth: usize,
}

impl Around {
    pub(super) fn none() -> Arc<Self> {
        Arc::default()
    }

    fn chain(&self) -> impl Iterator<Item = &Around> {
        std::iter::successors(Some(self), |around| around.parent.as_deref())
    }

    /// Whether what is inside may be allowed by its own text.
    pub(super) fn is_open(&self) -> bool {
        self.chain().all(|around| !around.covers)
    }
}

/// One word of a command as the program gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Without quotes; with an unknown in it, as written.
    pub text: String,
    /// Whether all of it is known: no variable and no substitution.
    pub is_known: bool,
    /// Whether an unquoted pattern of file names stands in it.
    pub globs: bool,
    /// Whether the program may take it for an option: it starts like one, or with an unknown, or
    /// with a pattern that a file named like one matches.
    pub may_be_option: bool,
}

impl SimpleCommand {
    /// Everything that a tightening rule may be held against: the text, the words without quotes
    /// and assignments, the same with only the program's base name, and the same of what runs it;
    /// for a program that runs its arguments in a way that is not known each of their tails.
    pub fn looks(&self) -> impl Iterator<Item = &str> {
        let around = self.around.chain().flat_map(|around| &around.looks);
        let own = self.own.looks.iter().chain(around).map(String::as_str);
        std::iter::once(self.text.as_str()).chain(own)
    }

    /// If some of it is unknown: the pieces of the words that are known; an unknown stands between
    /// each two.
    pub fn pieces(&self) -> Option<Vec<&str>> {
        trimmed(&self.own.pieces)
    }

    /// The same of all that run it, and of itself.
    pub(crate) fn all_pieces(&self) -> impl Iterator<Item = Vec<&str>> {
        let around = self.around.chain().filter_map(|around| trimmed(&around.pieces));
        self.pieces().into_iter().chain(around)
    }

    /// What it may become when file names take the place of patterns, and what all that run it may.
    pub(crate) fn all_signs(&self) -> impl Iterator<Item = &[Sign]> {
        let around = self.around.chain().map(|around| around.signs.as_slice());
        std::iter::once(self.own.signs.as_slice()).chain(around).filter(|signs| !signs.is_empty())
    }

    /// Whether a rule with this pattern may allow it: what it is asked about is named literally, and
    /// its text matches or that of what runs it.
    pub(crate) fn is_covered_by(&self, pattern: &Pattern) -> bool {
        let around = self.around.chain().filter_map(|around| around.form.as_ref());
        let names = |need: &String| pattern.text().contains(need.as_str());
        self.own.needs.iter().all(names)
            && self.own.form.iter().chain(around).any(|form| form.matches(pattern))
    }
}

fn trimmed(pieces: &[String]) -> Option<Vec<&str>> {
    (pieces.len() > 1).then(|| pieces.iter().map(|piece| piece.trim()).collect())
}

pub(super) fn argument(word: &Word) -> Argument {
    Argument {
        text: word.cooked(),
        is_known: word.is_known(),
        globs: word.globs,
        may_be_option: word.may_be_option(),
    }
}

pub(crate) fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

pub(super) fn pieces(run: &[Word]) -> Vec<String> {
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

/// What the words may become; nothing if there is no pattern of file names in them. The program is
/// by its base name.
pub(super) fn signs(run: &[Word]) -> Vec<Sign> {
    let mut signs = Vec::new();
    if !run.iter().any(|word| word.globs && !word.is_bare("[")) {
        return signs;
    }
    for (index, word) in run.iter().enumerate() {
        signs.extend((index > 0).then_some(Sign::Char(' ')));
        match word.text().map(base_name).filter(|_| index == 0) {
            Some(name) => signs.extend(name.chars().map(Sign::Char)),
            None => word.signs(&mut signs),
        }
    }
    signs
}

/// As written, one space between each two.
pub(super) fn written(words: &[Word]) -> String {
    let raw = words.iter().map(|word| word.raw.as_str()).filter(|raw| !raw.is_empty());
    raw.collect::<Vec<_>>().join(" ")
}

/// How many of a runner's words may be the start of the command that it runs.
const MAX_TAILS: usize = 64;
/// The same in a command that is longer than so many bytes.
const FEW_TAILS: usize = 8;
const LONG: usize = 4_096;

/// Where the subcommand of git stands, if options are before it: rules are written without them.
fn subcommand(base: &str, rest: &[String]) -> Option<usize> {
    let mut at = 0;
    while let Some(text) = rest.get(at).filter(|text| base == "git" && text.starts_with('-')) {
        at += 1 + usize::from(GIT_VALUED.contains(&text.as_str()));
    }
    (at > 0).then_some(at)
}

/// The texts that a command looks like.
pub(super) fn looks(words: &[Word], run: &[Word], tails: bool) -> Vec<String> {
    let cooked: Vec<String> = run.iter().map(Word::cooked).collect();
    let mut looks = vec![written(words)];
    let [first, rest @ ..] = cooked.as_slice() else { return looks };
    looks.push(cooked.join(" "));
    let base = base_name(first);
    if base != first {
        let named: Vec<&str> =
            std::iter::once(base).chain(rest.iter().map(String::as_str)).collect();
        looks.push(named.join(" "));
    }
    if let Some(at) = subcommand(base, rest) {
        let named = std::iter::once(base);
        let words = named.chain(rest.get(at..).unwrap_or_default().iter().map(String::as_str));
        looks.push(words.collect::<Vec<_>>().join(" "));
    }
    if tails {
        let length: usize = cooked.iter().map(String::len).sum();
        let count = rest.len().min(if length > LONG { FEW_TAILS } else { MAX_TAILS });
        looks.extend((1..=count).filter_map(|from| Some(cooked.get(from..)?.join(" "))));
    }
    looks
}
