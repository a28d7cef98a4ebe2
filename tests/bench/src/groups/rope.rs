//! The same edits in process: the server's text beside a rope that is used naively.

use super::changes::GROWTH;
use super::text::{lines, text};
use crate::Result;
use crate::options::Options;
use crate::samples::{Samples, Side, in_turns};
use crate::section::{Row, Section};
use crate::words::{bytes, seconds};
use redline_text::{Edit, Encoding, Position, PositionRange, Text};
use ropey::Rope;
use std::hint::black_box;
use std::time::Instant;

/// Target: the server's text, as a part of the naive rope.
const NAIVE: f64 = 0.6;

/// Where the edits go.
#[derive(Clone, Copy)]
enum Places {
    /// On from where the last one was.
    Typing,
    /// Anywhere.
    Random,
}

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    section.remark(
        "The rows \"in process\" are one edit of one character at a UTF-16 position, without the \
         wire and the layers: `redline-text` beside ropey with its own conversions (`char_to_utf16_cu` \
         and back). Typing goes on from the last place, the other edits go anywhere.",
    );
    let sizes: &[usize] =
        options.pick(&[100_000, 1_000_000, 10_000_000, 100_000_000], &[4_000, 8_000]);
    for (name, places) in [("typing", Places::Typing), ("anywhere", Places::Random)] {
        let mut ends: Vec<Samples> = Vec::new();
        for &size in sizes {
            let [ours, naive] = pair(options, size, places)?;
            let what = format!("in process, {}, {name}", bytes(size as f64));
            let row = Row::new(what, &ours, seconds);
            section.row(row.against("naive ropey", &ours, &naive, seconds).at_most(NAIVE));
            ends.push(ours);
        }
        if let (Some(small), Some(large)) = (ends.first(), ends.last()) {
            let row =
                Row::new(format!("in process, growth over these sizes, {name}"), large, seconds);
            let smallest = bytes(sizes.first().copied().unwrap_or_default() as f64);
            section.row(row.against(&smallest, large, small, seconds).at_most(GROWTH));
        }
    }
    Ok(())
}

fn pair(options: &Options, size: usize, places: Places) -> Result<[Samples; 2]> {
    let source = text(size);
    let mut ours = Text::from(source.as_str());
    let mut naive = Rope::from_str(&source);
    let edits = options.pick(20_000, 10);
    let (mut one, mut other) = (Walk::new(size, places), Walk::new(size, places));
    let sides: [Side; 2] = [
        Box::new(|| {
            Ok(per_edit(edits, || {
                let at = one.step();
                let range =
                    ours.offset_range(PositionRange { start: at, end: at }, Encoding::Utf16);
                ours.apply(&Edit::new(range, "x"));
            }))
        }),
        Box::new(|| Ok(per_edit(edits, || insert_naively(&mut naive, other.step())))),
    ];
    let samples = in_turns(options.pick(21, 1), sides)?;
    black_box((ours.len(), naive.len_bytes()));
    Ok(samples)
}

fn per_edit(edits: usize, mut edit: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..edits).for_each(|_| edit());
    start.elapsed().as_secs_f64() / edits as f64
}

fn insert_naively(rope: &mut Rope, at: Position) {
    let line = rope.line_to_char(at.line as usize);
    let units = rope.char_to_utf16_cu(line) + at.character as usize;
    let at = rope.utf16_cu_to_char(units);
    rope.insert(at, "x");
}

/// A row of places, the same for both sides.
struct Walk {
    places: Places,
    lines: u64,
    line: u32,
    column: u32,
    seed: u64,
}

impl Walk {
    fn new(size: usize, places: Places) -> Self {
        let lines = lines(size).max(1) as u64;
        Self { places, lines, line: (lines / 2) as u32, column: 0, seed: 0x9e37_79b9_7f4a_7c15 }
    }

    fn step(&mut self) -> Position {
        match self.places {
            // A line's width, then the next line.
            Places::Typing if self.column == 60 => {
                (self.line, self.column) = ((self.line + 1) % self.lines as u32, 0);
            }
            Places::Typing => self.column += 1,
            Places::Random => {
                let random = self.random();
                self.line = (random % self.lines) as u32;
                self.column = (random >> 32) as u32 % 30;
            }
        }
        Position::new(self.line, self.column)
    }

    /// xorshift64: any sequence will do, as long as it is the same every time.
    fn random(&mut self) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed
    }
}
