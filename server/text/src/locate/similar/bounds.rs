//! How alike each window of lines can be at most, in one pass over the text.
//!
//! One edit of a char changes three sequences of three chars at most. Where `d` edits turn one text
//! into the other, at least `len - 2 - 3 d` of the `len - 2` sequences of the longer one are in both.

use super::{View, Window};

/// Three chars in a row as a number.
type Gram = u64;

/// Windows as long as `olds` (whose text is `old`) whose bound is at least `least`.
pub(super) fn windows(view: &View, olds: &[&str], old: &str, least: f64) -> Vec<Window> {
    let count = view.lines().count();
    if olds.is_empty() || count < olds.len() {
        return Vec::new();
    }
    let table = Table::new(old);
    let length = old.chars().count();
    let lines = Lines::new(view, &table);
    let mut common = Common::new(&table);
    let mut found = Vec::new();
    let mut chars = 0;
    for end in 0..count {
        chars += lines.chars[end] + 1;
        common.add(lines.grams(end));
        let Some(line) = (end + 1).checked_sub(olds.len()) else { continue };
        if let Some(bound) = bound(length, chars - 1, common.shared).filter(|&b| b >= least) {
            found.push(Window { bound, line });
        }
        chars -= lines.chars[line] + 1;
        common.remove(lines.grams(line));
    }
    found
}

/// The most that texts of these lengths with so many common grams can be alike.
fn bound(a: usize, b: usize, shared: usize) -> Option<f64> {
    let (short, long) = (a.min(b), a.max(b));
    if long == 0 {
        return None;
    }
    let missing = long.saturating_sub(2).saturating_sub(shared);
    let distance = missing.div_ceil(3).max(long - short);
    Some(1.0 - distance as f64 / long as f64)
}

/// The grams of the old text, numbered.
struct Table {
    /// Open addressing; the length is a power of two.
    slots: Vec<(Gram, u32)>,
    /// How often each is in the old text.
    counts: Vec<u32>,
}

const FREE: Gram = Gram::MAX;

impl Table {
    fn new(old: &str) -> Self {
        let grams: Vec<Gram> = grams(old).collect();
        let size = (4 * grams.len()).next_power_of_two().max(16);
        let mut table = Self { slots: vec![(FREE, 0); size], counts: Vec::new() };
        grams.into_iter().for_each(|gram| table.insert(gram));
        table
    }

    fn insert(&mut self, gram: Gram) {
        let slot = self.slot(gram);
        if self.slots[slot].0 == FREE {
            self.slots[slot] = (gram, self.counts.len() as u32);
            self.counts.push(0);
        }
        self.counts[self.slots[slot].1 as usize] += 1;
    }

    /// The number of a gram that is in the old text.
    fn get(&self, gram: Gram) -> Option<u32> {
        let (found, number) = self.slots[self.slot(gram)];
        (found != FREE).then_some(number)
    }

    fn slot(&self, gram: Gram) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[at].0 != gram && self.slots[at].0 != FREE {
            at = (at + 1) & mask;
        }
        at
    }
}

/// The grams of a text; those of a line end as if an LF followed.
fn grams(text: &str) -> impl Iterator<Item = Gram> {
    let mut last: Gram = 0;
    text.chars().enumerate().filter_map(move |(i, c)| {
        last = (last << 21 | Gram::from(u32::from(c))) & ((1 << 63) - 1);
        (i >= 2).then_some(last)
    })
}

/// The grams of the old text in each line of another.
struct Lines {
    numbers: Vec<u32>,
    /// Where each line's numbers end.
    ends: Vec<usize>,
    /// How many chars each line has, without its end.
    chars: Vec<usize>,
}

impl Lines {
    /// A gram belongs to the line that it starts in, as far as it lies in a window.
    fn new(view: &View, table: &Table) -> Self {
        let mut lines = Self { numbers: Vec::new(), ends: Vec::new(), chars: Vec::new() };
        let mut chars = 0;
        let mut last: Gram = 0;
        let mut seen = 0;
        for c in view.text.chars() {
            last = (last << 21 | Gram::from(u32::from(c))) & ((1 << 63) - 1);
            seen += 1;
            if seen >= 3
                && let Some(number) = table.get(last)
            {
                lines.numbers.push(number);
            }
            if c == '\n' {
                lines.ends.push(lines.numbers.len());
                lines.chars.push(chars);
                chars = 0;
            } else {
                chars += 1;
            }
        }
        lines.ends.push(lines.numbers.len());
        lines.chars.push(chars);
        lines
    }

    fn grams(&self, line: usize) -> &[u32] {
        let start = if line == 0 { 0 } else { self.ends[line - 1] };
        &self.numbers[start..self.ends[line]]
    }
}

/// How many grams a window has in common with the old text.
struct Common<'a> {
    table: &'a Table,
    counts: Vec<u32>,
    shared: usize,
}

impl<'a> Common<'a> {
    fn new(table: &'a Table) -> Self {
        Self { table, counts: vec![0; table.counts.len()], shared: 0 }
    }

    fn add(&mut self, grams: &[u32]) {
        for &gram in grams {
            let count = &mut self.counts[gram as usize];
            self.shared += usize::from(*count < self.table.counts[gram as usize]);
            *count += 1;
        }
    }

    fn remove(&mut self, grams: &[u32]) {
        for &gram in grams {
            let count = &mut self.counts[gram as usize];
            *count -= 1;
            self.shared -= usize::from(*count < self.table.counts[gram as usize]);
        }
    }
}
