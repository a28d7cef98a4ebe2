//! The lines that are most like an old text that was not found: only ever shown, never edited.

use std::{collections::HashMap, iter};

use memchr::memmem;

use super::{
    fold,
    hint::{Difference, Differing, Hint},
    similar,
    tokens::{is_word, solid},
    view::{LfLines, View},
    whitespace::same,
    windows::hashed,
};

/// Bytes of a text in which only equal lines are looked for: a hint is not worth seconds.
const LARGE: usize = 8 << 20;

/// How many places one old line may vote for: lines like `}` say little.
const MOST_VOTES: usize = 64;

/// The nearest lines, by equal lines, then by shared words; `None` if nothing is alike.
pub(super) fn find(view: &View, old: &str) -> Option<Hint> {
    let olds: Vec<&str> = old.trim_matches('\n').lines_lf().collect();
    let there: Vec<&str> = view.lines().collect();
    let in_part = || by_part(&there, &olds);
    let alike = || by_score(view, &olds).or_else(|| by_words(view, &olds));
    let start = by_lines(&there, &olds).or_else(|| match view.text.len() > LARGE {
        true => None,
        false => in_part().or_else(alike),
    })?;
    Some(describe(&there, &olds, start))
}

fn describe(there: &[&str], olds: &[&str], start: usize) -> Hint {
    let end = (start + olds.len()).min(there.len());
    let pairs = || olds.iter().zip(&there[start..end]);
    let equal = pairs().filter(|(a, b)| same(a, b)).count();
    let offset = pairs().position(|(a, b)| !same(a, b));
    let offset = offset.or_else(|| pairs().position(|(a, b)| a != b)).unwrap_or(0);
    let line = (start + offset).min(end.saturating_sub(1));
    let (wanted, here) = (olds.get(offset).copied().unwrap_or(""), there[line]);
    let at = Differing {
        line: line + 1,
        difference: difference(wanted, here),
        there: here.to_owned(),
        wanted: wanted.to_owned(),
    };
    let similarity = similar::score(&olds.join("\n"), &there[start..end].join("\n"));
    Hint::Nearest {
        first: start + 1,
        last: end.max(start + 1),
        similarity: (similarity * 100.0) as u8,
        equal,
        of: olds.len(),
        at,
    }
}

/// The line (from 0) at which most of the old text, by length, is where it should be.
fn by_lines(there: &[&str], olds: &[&str]) -> Option<usize> {
    let mut wanted: HashMap<u64, Vec<usize>> = HashMap::new();
    let weights: Vec<usize> = olds.iter().map(|line| weight(line)).collect();
    for (j, old) in olds.iter().enumerate().filter(|&(j, _)| weights[j] > 1) {
        let places = wanted.entry(key(old)).or_default();
        if places.len() < MOST_VOTES {
            places.push(j);
        }
    }
    let mut left = vec![MOST_VOTES; olds.len()];
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (i, line) in there.iter().enumerate() {
        for &j in wanted.get(&key(line)).into_iter().flatten() {
            if let Some(start) = i.checked_sub(j).filter(|_| left[j] > 0) {
                left[j] -= 1;
                *votes.entry(start).or_default() += weights[j];
            }
        }
    }
    votes.into_iter().max_by_key(|&(start, n)| (n, usize::MAX - start)).map(|(start, _)| start)
}

/// How much an equal line says.
fn weight(line: &str) -> usize {
    folded(line).chars().filter(|c| c.is_alphanumeric()).count()
}

/// A number that is the same for lines that are folded to the same.
fn key(line: &str) -> u64 {
    if !line.is_ascii() {
        return hashed(iter::once(folded(line)));
    }
    let mut buffer = [0; 256];
    let bytes = line.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != 0x0b);
    let plain = bytes.map(|byte| if matches!(byte, b'"' | b'`') { b'\'' } else { byte });
    let mut len = 0;
    for byte in plain {
        match buffer.get_mut(len) {
            Some(place) => *place = byte.to_ascii_lowercase(),
            None => return hashed(iter::once(folded(line))),
        }
        len += 1;
    }
    hashed(iter::once(str::from_utf8(&buffer[..len]).unwrap_or_default()))
}

/// The lines that are most similar.
fn by_score(view: &View, olds: &[&str]) -> Option<usize> {
    const LEAST: f64 = 0.6;
    similar::nearest(view, olds, LEAST)
}

/// The line that holds an old text of one line, but for look-alikes.
fn by_part(there: &[&str], olds: &[&str]) -> Option<usize> {
    let [old] = olds else { return None };
    let key = folded(old);
    let telling = key.chars().count() > 2;
    there.iter().position(|line| telling && folded(line).contains(&key))
}

/// The place of the line that shares most words with the longest old line: at least half of them.
fn by_words(view: &View, olds: &[&str]) -> Option<usize> {
    let (j, longest) = olds.iter().enumerate().max_by_key(|(_, line)| line.trim().len())?;
    let mut wanted: Vec<&str> = solid(longest).filter(|word| word.starts_with(is_word)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    wanted.truncate(64);
    let mut shared = vec![0_u64; view.count()];
    for (bit, word) in wanted.iter().enumerate() {
        for at in memmem::find_iter(view.text.as_bytes(), word) {
            let around = (&view.text[..at], &view.text[at + word.len()..]);
            let is_cut = around.0.ends_with(is_word) || around.1.starts_with(is_word);
            if let Some(bits) = shared.get_mut(view.line_of(at)).filter(|_| !is_cut) {
                *bits |= 1 << bit;
            }
        }
    }
    let scored = shared.iter().enumerate().map(|(i, bits)| (bits.count_ones() as usize, i));
    let (score, i) = scored.max_by_key(|&(n, i)| (n, usize::MAX - i))?;
    (score > 0 && 2 * score >= wanted.len()).then(|| i.saturating_sub(j))
}

/// In what two lines differ.
pub(super) fn difference(a: &str, b: &str) -> Difference {
    let alike = |fold: fn(&str) -> String| {
        let (a, b) = (fold(a), fold(b));
        !a.is_empty() && !b.is_empty() && (a == b || b.contains(&a))
    };
    if alike(squeezed) {
        Difference::Whitespace
    } else if alike(|s| quoted(&squeezed(s))) {
        Difference::Quotes
    } else if alike(|s| quoted(&fold::alike(&squeezed(s)))) {
        Difference::Punctuation
    } else if alike(folded) {
        Difference::Case
    } else if alike(|s| folded(s).replace(|c: char| c.is_ascii_digit(), "")) {
        Difference::Digits
    } else {
        Difference::Text
    }
}

fn squeezed(line: &str) -> String {
    line.chars().filter(|c| !c.is_whitespace()).collect()
}

fn folded(line: &str) -> String {
    quoted(&fold::alike(&squeezed(line))).to_lowercase()
}

/// With one kind of quotes.
fn quoted(line: &str) -> String {
    let quotes = ['"', '`', '´', '‘', '’', '‚', '“', '”', '„', '«', '»'];
    line.replace(quotes, "'")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_that_fold_alike_have_one_key(a in "[aA \t\u{b}\"'`“é]{0,6}", b in "[aA \"'`“é]{0,6}") {
            prop_assert_eq!(key(&a) == key(&b), folded(&a) == folded(&b));
        }
    }
}
