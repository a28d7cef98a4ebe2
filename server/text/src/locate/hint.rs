//! What a failed search tells the model to do next. A hint never changes what is found.

use std::fmt;

use super::{Names, Query, escapes, nearest, numbers, omission};
use crate::{Edit, Text, eol::to_lf};

/// Why old text may not have been found. Lines count from 1 and are inclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// Nothing in the text is like it.
    Nothing,
    /// The old text is white space only, which may be anywhere.
    Blank,
    /// The new text is there already.
    AlreadyApplied {
        /// Where it starts.
        first: usize,
        /// Where it ends.
        last: usize,
    },
    /// Without the `12: ` prefixes that Read shows it would have been found.
    LineNumbers {
        /// Where it starts.
        first: usize,
        /// Where it ends.
        last: usize,
    },
    /// With line breaks, tabs and quotes in place of `\n`, `\t` and `\"` it would have been found.
    Escapes {
        /// Where it starts.
        first: usize,
        /// Where it ends.
        last: usize,
    },
    /// The old text has a placeholder (`// … rest of the code …`) in place of lines.
    Omission {
        /// The line of the old text, without white space around it.
        line: String,
    },
    /// The nearest lines differ.
    Nearest {
        /// Where they start.
        first: usize,
        /// Where they end.
        last: usize,
        /// How alike they are to the old text, in per cent.
        similarity: u8,
        /// How many of the old lines are equal there, white space aside.
        equal: usize,
        /// How many lines the old text has.
        of: usize,
        /// The first line that differs.
        at: Differing,
    },
}

/// A line that is not as the caller thinks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differing {
    /// Its number, from 1.
    pub line: usize,
    /// In what it differs.
    pub difference: Difference,
    /// The line of the text.
    pub there: String,
    /// The line of the old text.
    pub wanted: String,
}

/// In what two lines differ; later kinds may include earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Difference {
    /// White space only.
    Whitespace,
    /// Kinds of quotes.
    Quotes,
    /// Dashes, dots and other look-alikes.
    Punctuation,
    /// Upper and lower case.
    Case,
    /// Digits.
    Digits,
    /// Anything else.
    Text,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Difference::Whitespace => "in white space",
            Difference::Quotes => "in quotes",
            Difference::Punctuation => "in punctuation",
            Difference::Case => "in upper and lower case",
            Difference::Digits => "in digits",
            Difference::Text => "in text",
        })
    }
}

impl Hint {
    /// Nothing, or a line break and then lines.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, names: Names) -> fmt::Result {
        let Names { old, new } = names;
        match self {
            Hint::Nothing => {
                write!(f, "\nNothing in the file is like it; read the file again.")
            }
            Hint::Blank => write!(
                f,
                "\n{old} has no text to look for; give the lines to replace, or write the whole \
                 file."
            ),
            Hint::AlreadyApplied { first, last } => write!(
                f,
                "\n{new} is already there ({}): the edit seems to have been made. Re-read {}.",
                lines(*first, *last),
                lines(*first, *last)
            ),
            Hint::LineNumbers { first, last } => write!(
                f,
                "\n{old} has line-number prefixes, which are not in the file. Without them it is \
                 at {}; take them out of {old} and {new}.",
                lines(*first, *last)
            ),
            Hint::Escapes { first, last } => write!(
                f,
                "\n{old} has escapes (\\n, \\t, \\\") where the file has the characters. Without \
                 them it is at {}; send real line breaks, tabs and quotes.",
                lines(*first, *last)
            ),
            Hint::Omission { line } => write!(
                f,
                "\n{old} has a placeholder in place of lines of the file: {line}\nGive every line \
                 that is to be replaced, or make one edit for each part that changes."
            ),
            Hint::Nearest { first, last, similarity, equal, of, at } => {
                let place = lines(*first, *last);
                write!(f, "\nNearest: {place} ({similarity} % alike, {equal} of {of} lines equal")?;
                f.write_str(if equal == of { " but for white space). " } else { "). " })?;
                write!(f, "Line {} differs {}:", at.line, at.difference)?;
                write!(f, "\n  file:    {}", visible(&at.there, at.difference))?;
                write!(f, "\n  {old}: {}", visible(&at.wanted, at.difference))?;
                write!(f, "\nRe-read {place} and copy the text from there.")
            }
        }
    }
}

fn lines(first: usize, last: usize) -> String {
    if first == last { format!("line {first}") } else { format!("lines {first}–{last}") }
}

/// A line with its white space to be seen: tabs as `→`, blanks as `·` (at the ends; everywhere
/// where they are what differs), other white space as `⍽`; cut where it gets long.
fn visible(line: &str, difference: Difference) -> String {
    const MOST: usize = 160;
    let everywhere = difference == Difference::Whitespace;
    let (head, tail) = (line.len() - line.trim_start().len(), line.trim_end().len());
    let shown = |(i, c): (usize, char)| match c {
        '\t' => '→',
        ' ' if everywhere || i < head || i >= tail => '·',
        ' ' => ' ',
        c if c.is_whitespace() => '⍽',
        c => c,
    };
    let mut out: String = line.char_indices().map(shown).take(MOST).collect();
    if line.chars().nth(MOST).is_some() {
        out.push('…');
    }
    out
}

/// The second line of "multiple matches": where they are.
pub(super) fn places(lines: &[usize], count: usize) -> String {
    let listed: Vec<String> = lines.iter().map(usize::to_string).collect();
    let more = count.saturating_sub(lines.len());
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("\nThey start at lines {}{rest}.", listed.join(", "))
}

/// What to say where old text was found and is already what it should become.
pub(super) fn applied(text: &Text, edits: &[Edit]) -> Hint {
    let Some(edit) = edits.first() else { return Hint::Nothing };
    let first = text.line_of(edit.range.start) + 1;
    let last = text.line_of(edit.range.end.saturating_sub(1).max(edit.range.start)) + 1;
    Hint::AlreadyApplied { first, last }
}

/// What to say where nothing was found.
pub(super) fn explain(query: &Query<'_>) -> Hint {
    let (old, new) = (to_lf(query.old), to_lf(query.new));
    already(query, &new)
        .or_else(|| omitted(&old))
        .or_else(|| numbered(query, &old))
        .or_else(|| escaped(query, &old))
        .or_else(|| nearest::find(query.view(), &old))
        .unwrap_or(Hint::Nothing)
}

fn already(query: &Query<'_>, new: &str) -> Option<Hint> {
    // A word or a bracket is in many a text by chance.
    const TELLING: usize = 10;
    let new = new.trim();
    if new.chars().count() < TELLING {
        return None;
    }
    place(query, new).map(|(first, last)| Hint::AlreadyApplied { first, last })
}

fn omitted(old: &str) -> Option<Hint> {
    omission::first(old).map(|line| Hint::Omission { line: line.to_owned() })
}

fn numbered(query: &Query<'_>, old: &str) -> Option<Hint> {
    let bare = numbers::without(old)?;
    place(query, bare.trim()).map(|(first, last)| Hint::LineNumbers { first, last })
}

fn escaped(query: &Query<'_>, old: &str) -> Option<Hint> {
    let plain = escapes::without(old, &escapes::kinds(old));
    if plain == old {
        return None;
    }
    place(query, plain.trim()).map(|(first, last)| Hint::Escapes { first, last })
}

/// The first and last line of the first place where `wanted` is in the view.
fn place(query: &Query<'_>, wanted: &str) -> Option<(usize, usize)> {
    let view = query.view();
    let start = if wanted.is_empty() { None } else { view.text.find(wanted) }?;
    let raw = view.raw(start..start + wanted.len());
    let line = |at| query.text().line_of(at) + 1;
    Some((line(raw.start), line(raw.end.saturating_sub(1))))
}

#[cfg(test)]
mod tests;
