//! Random workloads: an agent and a user take turns on one file.
//!
//! Every char but the line ends is written once only, so that nothing can be taken for something
//! else, neither by these books nor by the diffs that two of the designs live on. (Real files have
//! many equal lines, which makes it harder for diffs.)

use std::collections::BTreeSet;

use redline_text::Edit;

use crate::{Design, rows::applied};

/// Where the user types, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One cursor, anywhere in the file.
    Anywhere,
    /// One cursor, mostly within a few chars of what the agent changed last.
    Near,
    /// Up to three cursors at once, anywhere.
    Cursors,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Anywhere => "one cursor, anywhere",
            Kind::Near => "one cursor, near the agent's last change",
            Kind::Cursors => "up to three cursors at once, anywhere",
        }
    }
}

/// What is not as it should be after the last decision, in chars.
#[derive(Debug, Default)]
pub struct Losses {
    /// The user typed it, did not delete it, and reject-all took it.
    pub typed: usize,
    /// The agent's, still there after reject-all.
    pub agents: usize,
    /// The user deleted it, and reject-all brought it back.
    pub back: usize,
    /// The file's, not deleted by the user, gone after reject-all.
    pub file: usize,
    /// The user typed it, nobody who saw it deleted it, and accept-all took it.
    pub accepted: usize,
}

const FILE: u32 = 0xE000;
const USER: u32 = 0xF0000;
const AGENT: u32 = 0x100000;

pub fn run<D: Design>(kind: Kind, seed: u64) -> Losses {
    let mut work = Work::<D>::new(kind, seed);
    for _ in 0..work.random.between(6, 16) {
        if work.random.chance(40) { work.agent() } else { work.user() }
    }
    work.losses()
}

struct Work<D> {
    kind: Kind,
    random: Random,
    design: D,
    last: u32,
    near: usize,
    typed: BTreeSet<char>,
    /// Chars that the user deleted, and that the agent did.
    deleted: BTreeSet<char>,
    replaced: BTreeSet<char>,
    file: String,
}

impl<D: Design> Work<D> {
    fn new(kind: Kind, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut last = 0;
        let mut file = String::new();
        for _ in 0..random.between(6, 14) {
            let len = random.between(0, 9);
            file.extend((0..len).map(|_| fresh(&mut last, FILE)));
            file.push('\n');
        }
        let (typed, deleted, replaced) = Default::default();
        let design = D::new(&file);
        Self { kind, random, design, last, near: 0, typed, deleted, replaced, file }
    }

    fn text(&mut self, from: u32, least: usize, most: usize) -> String {
        let len = self.random.between(least, most);
        (0..len).map(|_| fresh(&mut self.last, from)).collect()
    }

    /// One tool call: one or two places.
    fn agent(&mut self) {
        let text = self.design.agents_text();
        let count = self.random.between(1, 2);
        let edits: Vec<Edit> = (0..count).map(|_| self.agent_edit(&text)).collect();
        let edits = apart(edits);
        self.near = edits.first().map_or(0, |edit| edit.range.start);
        edits.iter().for_each(|edit| self.replaced.extend(text[edit.range.clone()].chars()));
        let after = applied(&text, &edits);
        self.design.agent(&edits);
        assert_eq!(self.design.agents_text(), after);
    }

    fn agent_edit(&mut self, text: &str) -> Edit {
        let at = self.random.boundary(text, 0..text.len());
        let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let end = text[at..].find('\n').map_or(text.len(), |i| at + i + 1);
        let line = |work: &mut Self| work.text(AGENT, 1, 6) + "\n";
        match self.random.between(0, 9) {
            0..3 => Edit::new(start..start, line(self)),
            3..5 => Edit::new(start..end, ""),
            5..7 => Edit::new(start..end, line(self)),
            _ => {
                let most = text[at..end].trim_end_matches('\n').len() + at;
                let to = self.random.boundary(text, at..most);
                Edit::new(at..to, self.text(AGENT, 1, 5))
            }
        }
    }

    /// One event.
    fn user(&mut self) {
        let text = self.design.buffer();
        let count = if self.kind == Kind::Cursors { self.random.between(1, 3) } else { 1 };
        let edits: Vec<Edit> = (0..count).map(|_| self.user_edit(&text)).collect();
        let edits = apart(edits);
        edits.iter().for_each(|edit| self.deleted.extend(text[edit.range.clone()].chars()));
        edits.iter().for_each(|edit| self.typed.extend(edit.new.chars().filter(|c| *c != '\n')));
        let after = applied(&text, &edits);
        self.design.user(&edits);
        assert_eq!(self.design.buffer(), after, "the buffer is the editor's");
    }

    fn user_edit(&mut self, text: &str) -> Edit {
        let near = self.near.saturating_sub(8)..(self.near + 24).min(text.len());
        let close = self.kind == Kind::Near && self.random.chance(75) && near.start <= near.end;
        let at = self.random.boundary(text, if close { near } else { 0..text.len() });
        let to = self.random.boundary(text, at..(at + 9).min(text.len()));
        match self.random.between(0, 9) {
            0..5 => Edit::new(at..at, self.text(USER, 1, 4)),
            5..7 => Edit::new(at..at, "\n".to_owned() + &self.text(USER, 1, 3)),
            7 => Edit::new(at..to, self.text(USER, 1, 3)),
            _ => Edit::new(at..to, ""),
        }
    }

    fn losses(&self) -> Losses {
        let rejected: BTreeSet<char> = self.design.reject_all().chars().collect();
        let accepted: BTreeSet<char> = self.design.accept_all().chars().collect();
        let missing = |c: &&char| !rejected.contains(c) && !self.deleted.contains(c);
        let seen = |c: &&char| self.deleted.contains(c) || self.replaced.contains(c);
        let file: Vec<char> = self.file.chars().filter(|c| *c != '\n').collect();
        Losses {
            typed: self.typed.iter().filter(missing).count(),
            agents: rejected.iter().filter(|c| **c as u32 >= AGENT).count(),
            back: self.deleted.iter().filter(|c| **c != '\n' && rejected.contains(c)).count(),
            file: file.iter().filter(missing).count(),
            accepted: self.typed.iter().filter(|c| !accepted.contains(c) && !seen(c)).count(),
        }
    }
}

fn fresh(last: &mut u32, from: u32) -> char {
    *last += 1;
    char::from_u32(from + *last).unwrap()
}

/// Those that keep a char's distance from the ones before them, in ascending order.
fn apart(edits: Vec<Edit>) -> Vec<Edit> {
    let mut kept: Vec<Edit> = Vec::new();
    for edit in edits {
        let free =
            |other: &Edit| edit.range.end < other.range.start || other.range.end < edit.range.start;
        if (!edit.range.is_empty() || !edit.new.is_empty()) && kept.iter().all(free) {
            kept.push(edit);
        }
    }
    kept.sort_by_key(|edit| edit.range.start);
    kept
}

/// SplitMix64: the same seed gives the same workload everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.next() as usize % (most - least + 1)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// A char boundary in the range.
    fn boundary(&mut self, text: &str, range: std::ops::Range<usize>) -> usize {
        let at = self.between(range.start, range.end.max(range.start));
        (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
    }
}
