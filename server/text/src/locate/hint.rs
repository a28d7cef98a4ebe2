//! What a failed search tells the model to do next. A hint never changes what is found.

use std::fmt;

use super::{Query, nearest, view::LfLines};
use crate::{Edit, Text, eol::to_lf};

/// Why old text may not have been found. Lines count from 1 and are inclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// Nothing in the text is like it.
    Nothing,
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
    /// The nearest lines differ.
    Nearest {
        /// Where they start.
        first: usize,
        /// Where they end.
        last: usize,
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
            Difference::Text => "in text",
        })
    }
}

impl fmt::Display for Hint {
    /// Nothing, or a line break and then lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Nothing => {
                write!(f, "\nNothing in the file is like it; read the file again.")
            }
            Hint::AlreadyApplied { first, last } => write!(
                f,
                "\nnew_str is already there ({}): the edit seems to have been made. Re-read {}.",
                lines(*first, *last),
                lines(*first, *last)
            ),
            Hint::LineNumbers { first, last } => write!(
                f,
                "\nold_str has line-number prefixes, which are not in the file. Without them it is \
                 at {}; take them out of old_str and new_str.",
                lines(*first, *last)
            ),
            Hint::Escapes { first, last } => write!(
                f,
                "\nold_str has escapes (\\n, \\t, \\\") where the file has the characters. Without \
                 them it is at {}; send real line breaks, tabs and quotes.",
                lines(*first, *last)
            ),
            Hint::Nearest { first, last, equal, of, at } => {
                let place = lines(*first, *last);
                write!(f, "\nNearest: {place} ({equal} of {of} lines equal). ")?;
                write!(f, "Line {} differs {}:", at.line, at.difference)?;
                write!(f, "\n  file:    {}", visible(&at.there, at.difference))?;
                write!(f, "\n  old_str: {}", visible(&at.wanted, at.difference))?;
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

fn numbered(query: &Query<'_>, old: &str) -> Option<Hint> {
    let bare: Option<Vec<&str>> = old.lines_lf().map(without_number).collect();
    place(query, bare?.join("\n").trim()).map(|(first, last)| Hint::LineNumbers { first, last })
}

/// A line without its `12: ` (also `12→`, `12|`); a blank line as it is.
fn without_number(line: &str) -> Option<&str> {
    if line.trim().is_empty() {
        return Some(line);
    }
    let rest = line.trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = rest.split_at(digits);
    let rest = rest.strip_prefix([':', '→', '|', '\t'])?;
    (!number.is_empty()).then(|| rest.strip_prefix(' ').unwrap_or(rest))
}

fn escaped(query: &Query<'_>, old: &str) -> Option<Hint> {
    let plain = old.replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\"");
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
    let line = |at| query.text.line_of(at) + 1;
    Some((line(raw.start), line(raw.end.saturating_sub(1))))
}

#[cfg(test)]
mod tests;
