//! New text moved to the indentation of the place where it goes.

use std::collections::HashMap;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::view::LfLines;

/// `new` indented as its place is. `there` are the lines of the text, `old` the same lines as the
/// caller gave them.
pub(super) fn reindented(there: &[&str], old: &[&str], new: &str) -> String {
    let news: Vec<&str> = new.lines_lf().collect();
    let kept = kept(old, &news);
    let shift = Shift::new(there, old, &news);
    let mut out = String::with_capacity(new.len() + 16);
    for (i, line) in news.iter().enumerate() {
        let (indent, rest) = split(line);
        match kept.get(&i).and_then(|&old| there.get(old)) {
            _ if rest.is_empty() => out.push_str(rest),
            Some(there) => out.extend([split(there).0, rest]),
            None => out.extend([shift.of(i, indent).as_str(), rest]),
        }
        out.push('\n');
    }
    if !new.ends_with('\n') {
        out.pop();
    }
    out
}

/// Which new lines are which old ones, unchanged: they stay where they are in the text.
pub(super) fn kept(old: &[&str], new: &[&str]) -> HashMap<usize, usize> {
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
    let equal = ops.iter().filter(|op| op.tag() == DiffTag::Equal);
    equal.flat_map(|op| op.new_range().zip(op.old_range())).collect()
}

/// Indentation and the rest.
fn split(line: &str) -> (&str, &str) {
    line.split_at(line.len() - line.trim_start().len())
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// From the indentation of the caller's text to that of the place.
struct Shift<'a> {
    /// Pairs of indentations, old and there, of the lines that are the measure.
    pairs: Vec<(&'a str, &'a str)>,
    /// The same for the first line, where only that one had lost its indentation.
    first: Option<(usize, (&'a str, &'a str))>,
    unit: Unit,
}

impl<'a> Shift<'a> {
    fn new(there: &[&'a str], old: &[&'a str], new: &[&str]) -> Self {
        let pairs: Vec<(&str, &str)> = old
            .iter()
            .zip(there)
            .filter(|(old, _)| !is_blank(old))
            .map(|(old, there)| (split(old).0, split(there).0))
            .collect();
        let unit = Unit::of(&pairs);
        let first_new = new.iter().position(|line| !is_blank(line));
        let first = first_new.filter(|_| lost_first(&pairs, new)).zip(pairs.first().copied());
        let pairs = match first {
            Some(_) => pairs[1..].to_vec(),
            None if lost_first_indent(&pairs) => pairs[..1].to_vec(),
            None => pairs,
        };
        Self { pairs, first, unit }
    }

    /// The indentation that line `i` of the new text, with `indent`, gets.
    fn of(&self, i: usize, indent: &str) -> String {
        match self.first {
            Some((first, pair)) if first == i => self.unit.moved(&[pair], indent),
            Some(_) => indent.to_owned(),
            None => self.unit.moved(&self.pairs, indent),
        }
    }
}

/// Whether the first line alone had lost indentation, as if it had been copied from the middle.
fn lost_first_indent(pairs: &[(&str, &str)]) -> bool {
    let Some(((old, there), rest)) = pairs.split_first() else { return false };
    old != there && !rest.is_empty() && rest.iter().all(|(old, there)| old == there)
}

/// The same, with new text in which the rest is as deep as in the file too.
fn lost_first(pairs: &[(&str, &str)], new: &[&str]) -> bool {
    let floor = pairs.first().map_or(0, |(_, there)| width(there));
    let mut rest = new.iter().filter(|line| !is_blank(line)).skip(1);
    lost_first_indent(pairs) && rest.all(|line| width(split(line).0) >= floor)
}

/// Columns; a tab counts as four.
fn width(indent: &str) -> usize {
    indent.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// How one level of indentation is written: where the text has tabs and the caller has blanks, or
/// the other way round.
#[derive(Clone, Copy)]
enum Unit {
    Same,
    /// So many blanks are a tab.
    ToTabs(usize),
    /// A tab is so many blanks.
    ToBlanks(usize),
    /// Where the caller has so many blanks, the text has so many others.
    Scaled(usize, usize),
}

impl Unit {
    fn of(pairs: &[(&str, &str)]) -> Self {
        let all = |get: fn(&(&str, &str)) -> bool| {
            let mut indented = pairs.iter().filter(|(a, b)| a.len() + b.len() > 0).peekable();
            indented.peek().is_some() && indented.all(get)
        };
        let only = |s: &str, c: char| s.chars().all(|x| x == c);
        let (olds, theres): (Vec<&str>, Vec<&str>) = pairs.iter().copied().unzip();
        let blanks = |side: &[&str]| side.iter().all(|s| only(s, ' '));
        let tabs = |side: &[&str]| side.iter().all(|s| only(s, '\t'));
        if !all(|_| true) {
            Unit::Same
        } else if blanks(&olds) && blanks(&theres) {
            scale(pairs)
        } else if tabs(&theres) && blanks(&olds) {
            Unit::ToTabs(ratio(&olds, &theres))
        } else if tabs(&olds) && blanks(&theres) {
            Unit::ToBlanks(ratio(&theres, &olds))
        } else {
            Unit::Same
        }
    }

    fn written(self, indent: &str) -> String {
        match self {
            Unit::Same => indent.to_owned(),
            Unit::ToTabs(n) => {
                let blanks = indent.chars().filter(|&c| c == ' ').count();
                let tabs = indent.chars().filter(|&c| c == '\t').count();
                "\t".repeat(tabs + blanks / n) + &" ".repeat(blanks % n)
            }
            Unit::ToBlanks(n) => indent.replace('\t', &" ".repeat(n)),
            Unit::Scaled(from, to) => " ".repeat(indent.len() * to / from),
        }
    }

    /// `indent` seen from the pair that is nearest to it.
    fn moved(self, pairs: &[(&str, &str)], indent: &str) -> String {
        if let Some((_, there)) = pairs.iter().find(|(old, _)| *old == indent) {
            return (*there).to_owned();
        }
        let inside = pairs.iter().filter(|(old, _)| indent.starts_with(old));
        if let Some((old, there)) = inside.max_by_key(|(old, _)| old.len()) {
            return (*there).to_owned() + &self.written(&indent[old.len()..]);
        }
        let outside = pairs.iter().filter(|(old, _)| old.starts_with(indent));
        match outside.min_by_key(|(old, _)| old.len()) {
            Some((old, there)) => {
                let less = self.written(&old[indent.len()..]);
                there.strip_suffix(less.as_str()).map_or_else(|| shorter(there, &less), Into::into)
            }
            None => self.written(indent),
        }
    }
}

/// By how much the steps of a text are wider than the caller's, if that is so for all lines.
fn scale(pairs: &[(&str, &str)]) -> Unit {
    let depths = || pairs.iter().map(|(old, there)| (old.len() as isize, there.len() as isize));
    let Some((old, there)) = depths().next() else { return Unit::Same };
    let mut steps = depths().map(|depth| (depth.0 - old, depth.1 - there));
    let Some((from, to)) = steps.clone().find(|step| step.0 != 0) else { return Unit::Same };
    let even = steps.all(|step| step.0 * to == step.1 * from);
    match (from.unsigned_abs(), to.unsigned_abs()) {
        (from, to) if even && from != to && to > 0 => Unit::Scaled(from, to),
        _ => Unit::Same,
    }
}

/// `there` without as many columns as `less` has, as far as it goes.
fn shorter(there: &str, less: &str) -> String {
    let keep = width(there).saturating_sub(width(less));
    let mut columns = 0;
    let fits = |c: &char| {
        columns += if *c == '\t' { 4 } else { 1 };
        columns <= keep
    };
    there.chars().take_while(fits).collect()
}

/// How many blanks one tab stands for: by two lines of different depth, else by one line.
fn ratio(blanks: &[&str], tabs: &[&str]) -> usize {
    let depths: Vec<(usize, usize)> =
        blanks.iter().zip(tabs).map(|(b, t)| (b.len(), t.len())).collect();
    let first = depths.first().copied().unwrap_or_default();
    let steps = depths.iter().map(|d| (d.0.abs_diff(first.0), d.1.abs_diff(first.1)));
    let whole = |(b, t): (usize, usize)| (t > 0 && b > 0 && b % t == 0).then(|| b / t);
    let found = steps.chain(depths.iter().copied()).find_map(whole);
    found.filter(|n| (1..=8).contains(n)).unwrap_or(4)
}
