//! Old text that may start and end inside a line, in lines as they are compared.

use std::ops::Range;

use memchr::memmem;

use super::{
    endings,
    fold::{Fold, Side, alike},
    indent::reindented,
    query::{Found, Query},
    tokens::is_word,
    transcribe::transcribed,
    view::{LfLines, View},
    wanted::Wanted,
    whitespace::{anchor, hash, same},
    windows::windows,
};
use crate::{Edit, eol::to_lf};

/// Inside a line, text with fewer letters and digits may be anywhere.
const LEAST: usize = 3;

/// Everywhere where old text is, but for what may differ and for white space around it. A word is
/// never cut, and what ends a line in the old text ends one in the text.
pub(super) fn find(query: &Query<'_>, fold: Fold) -> Found {
    let (old, new) = (to_lf(query.old), to_lf(query.new));
    let wanted = Wanted::new(&old, &new);
    let edges = Edges::of(&wanted);
    let wanted = wanted.without_outer_blank_lines().unwrap_or(wanted);
    let key: Vec<String> = wanted.old.iter().map(|line| fold.line(line)).collect();
    let key = key.join("\n");
    let telling = key.chars().filter(|&c| is_word(c)).take(LEAST).count() == LEAST;
    let view = query.view();
    let possible = !key.trim().is_empty()
        && match fold {
            Fold::Space => has_inner_lines(view, &wanted.old),
            Fold::LookAlikes => !view.text.is_ascii() || !old.is_ascii(),
        };
    if !possible {
        return Found::default();
    }
    let folded = Folded::new(view, fold);
    let allowed = |place: &Place| edges.allow(place) && (telling || !place.is_cut());
    let place = |at: usize| folded.place(at..at + key.len()).filter(allowed);
    let mut places = memmem::find_iter(folded.text.as_bytes(), &key).filter_map(place).peekable();
    let overlap = places.peek().and_then(|first| {
        let last = memmem::rfind(folded.text.as_bytes(), key.as_bytes()).and_then(place)?;
        let again = last.span.start > first.span.start && last.span.start < first.span.end;
        again.then(|| view.raw(last.span.clone()).start)
    });
    let edits: Vec<Edit> = places.map(|place| edit(query, &wanted, &place, fold)).collect();
    Found { overlap: overlap.filter(|_| edits.len() == 1), edits }
}

/// Whether the lines between the first and the last one, which cannot be cut, are anywhere; where
/// there are none, whether the longest word is. Saves folding all of the text.
fn has_inner_lines(view: &View, olds: &[&str]) -> bool {
    let inner = olds.get(1..olds.len().saturating_sub(1)).unwrap_or_default();
    match anchor(inner) {
        Some(found) => !windows(view, inner, Some(found), (hash, same)).lines.is_empty(),
        None => anchor(olds).is_some_and(|(_, word)| view.text.contains(word)),
    }
}

/// All of a text without any char, for an old text of blank lines.
pub(super) fn all(query: &Query<'_>) -> Found {
    let old = to_lf(query.old);
    let new = to_lf(query.new);
    let new = endings::localised(query, 0..0, new.strip_prefix(old.as_ref()).unwrap_or(&new));
    Found { edits: vec![Edit::new(0..0, new)], overlap: None }
}

/// Where the old text says that a line starts or ends.
struct Edges {
    start: bool,
    end: bool,
}

impl Edges {
    fn of(wanted: &Wanted<'_>) -> Self {
        let blank = |line: Option<&&str>| line.is_some_and(|line| line.trim().is_empty());
        let several = wanted.old.len() > 1;
        Self {
            start: several && blank(wanted.old.first()),
            end: wanted.closed || several && blank(wanted.old.last()),
        }
    }

    fn allow(&self, place: &Place) -> bool {
        !(self.start && place.cut_start || self.end && place.cut_end)
    }
}

/// A part of the view.
struct Place {
    span: Range<usize>,
    lines: Range<usize>,
    /// Whether there is more of the first line before it, and of the last line after it.
    cut_start: bool,
    cut_end: bool,
}

impl Place {
    fn is_cut(&self) -> bool {
        self.cut_start || self.cut_end
    }
}

/// The view, line by line as it is compared.
struct Folded<'a> {
    view: &'a View,
    fold: Fold,
    text: String,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl<'a> Folded<'a> {
    fn new(view: &'a View, fold: Fold) -> Self {
        let mut text = String::with_capacity(view.text.len());
        let mut starts = Vec::new();
        for line in view.lines() {
            starts.push(text.len());
            fold.add(line, &mut text);
            text.push('\n');
        }
        Self { view, fold, text, starts }
    }

    /// Where it is in the view; `None` where a word or a unit would be cut.
    fn place(&self, folded: Range<usize>) -> Option<Place> {
        let line_of = |at: usize| self.starts.partition_point(|&start| start <= at) - 1;
        let (first, last) = (line_of(folded.start), line_of(folded.end));
        let cut_start = folded.start > self.starts[first];
        let cut_end = self.text.as_bytes().get(folded.end) != Some(&b'\n');
        let word_before = self.text[..folded.start].chars().next_back().is_some_and(is_word);
        let word_after = self.text[folded.end..].chars().next().is_some_and(is_word);
        let inside = &self.text[folded.clone()];
        let cuts_word =
            word_before && inside.starts_with(is_word) || word_after && inside.ends_with(is_word);
        if cuts_word {
            return None;
        }
        let from = match cut_start {
            true => self.back(first, folded.start, Side::Start)?,
            false => self.view.span(first..first + 1).start,
        };
        let to = match cut_end {
            true => self.back(last, folded.end, Side::End)?,
            false => self.view.span(last..last + 1).end,
        };
        Some(Place { span: from..to, lines: first..last + 1, cut_start, cut_end })
    }

    fn back(&self, line: usize, at: usize, side: Side) -> Option<usize> {
        let start = self.view.span(line..line + 1).start;
        let inside = self.fold.back(self.view.line(line), at - self.starts[line], side)?;
        Some(start + inside)
    }
}

fn edit(query: &Query<'_>, wanted: &Wanted<'_>, place: &Place, fold: Fold) -> Edit {
    let view = query.view();
    let there = &view.text[place.span.clone()];
    let old = wanted.old.join("\n");
    let written = match fold {
        Fold::Space => None,
        Fold::LookAlikes => transcribed(&old, there, wanted.new, |token| alike(token).into_owned()),
    };
    let (old, new) = match &written {
        Some((old, new)) => (old.as_str(), new.as_str()),
        None => (old.as_str(), wanted.new),
    };
    let whole = Wanted { old: old.lines_lf().collect(), new, closed: wanted.closed };
    if !place.is_cut() {
        return whole.edit(query, place.lines.start);
    }
    let new = if place.cut_start { hanging(there, old, new) } else { indented(there, old, new) };
    let (span, new) = whole.ended(view, place.span.clone(), new);
    let range = view.raw(span);
    Edit::new(range.clone(), endings::localised(query, range, &new))
}

fn indented(there: &str, old: &str, new: &str) -> String {
    let (there, olds): (Vec<&str>, Vec<&str>) =
        (there.lines_lf().collect(), old.lines_lf().collect());
    reindented(&there, &olds, &without_outer(old, new, false))
}

/// New text that starts inside a line: its first line needs no indentation, the others do.
fn hanging(there: &str, old: &str, new: &str) -> String {
    let new = without_outer(old, new, true);
    let Some((first, rest)) = new.split_once('\n') else { return new };
    let after =
        |text: &str| text.split_once('\n').map_or(String::new(), |(_, rest)| rest.to_owned());
    let (there, old) = (after(there), after(old));
    let (there, olds): (Vec<&str>, Vec<&str>) =
        (there.lines_lf().collect(), old.lines_lf().collect());
    format!("{first}\n{}", reindented(&there, &olds, rest))
}

/// Without the white space around the old text, which is not where the old text says.
fn without_outer(old: &str, new: &str, start: bool) -> String {
    let head = if start { &old[..old.len() - old.trim_start().len()] } else { "" };
    let tail = &old[old.trim_end().len()..];
    let new = new.strip_prefix(head).unwrap_or_else(|| new.trim_start());
    new.strip_suffix(tail).unwrap_or(new).to_owned()
}
