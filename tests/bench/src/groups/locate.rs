//! Finding old text: exactly beside `memmem` on a flat copy, and by similarity.

use super::text::{lines, text, word};
use crate::Result;
use crate::options::Options;
use crate::samples::{Samples, Side, in_turns};
use crate::section::{Row, Section};
use crate::words::{bytes, seconds};
use memchr::memmem;
use redline_text::{Leniency, Options as Locate, Text, Threshold, locate};
use std::hint::black_box;
use std::time::Instant;

/// Target: exact find over the rope, as a multiple of `memmem` on a flat copy.
const MEMMEM: f64 = 3.0;
/// Target: an exact edit in a text of 100 MB, in seconds.
const LARGE: f64 = 1.0;
/// Target: similarity over 20,000 lines, in seconds.
const ORDINARY: f64 = 0.020;
/// The same where all lines are nearly alike.
const WORST: f64 = 0.050;

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    section.say(
        "One call of `redline_text::locate` on an open text: no disk, no wire, no diff. Every place is \
         looked for, so that a second one is seen.",
    );
    for &size in options.pick(&[1_000_000, 100_000_000][..], &[8_000][..]) {
        exact(options, section, size)?;
    }
    similarity(options, section)?;
    section.remark(
        "Similarity is what `fuzzy_match` asks for after everything surer has failed; the time is that \
         of all stages. Targets in seconds stand in the column of the peer.",
    );
    Ok(())
}

fn exact(options: &Options, section: &mut Section, size: usize) -> Result<()> {
    let flat = text(size);
    let rope = Text::from(flat.as_str());
    let old = format!("fox jumps over {}\n", word(lines(size) * 9 / 10));
    let sides: [Side; 2] = [
        Box::new(|| timed(|| found(locate(&rope, &old, "nothing\n", Locate::ONE).is_ok()))),
        Box::new(|| timed(|| found(memmem::find_iter(flat.as_bytes(), &old).count() == 1))),
    ];
    let [ours, plain] = in_turns(options.pick(21, 1), sides)?;
    let row = Row::new(format!("exact, {}", bytes(size as f64)), &ours, seconds);
    section.row(row.against("memmem, flat", &ours, &plain, seconds).at_most(MEMMEM));
    if size >= 100_000_000 {
        section.row(limited(format!("exact, {}", bytes(size as f64)), &ours, LARGE));
    }
    Ok(())
}

fn similarity(options: &Options, section: &mut Section) -> Result<()> {
    let count = options.pick(20_000, 200);
    let code: String = (0..count).map(line_of_code).collect();
    let table: String =
        (0..count).map(|i| format!("    {{ \"row\": {i:05}, \"x\": 0 }},\n")).collect();
    let block =
        |from: usize, count: usize| (from..from + count).map(line_of_code).collect::<String>();
    let mistyped = |count: usize| {
        block(1_000.min(options.pick(1_000, 100)), count).replacen("let total", "let totl", 1)
    };
    let absent = "nothing(like) this\n".repeat(10);
    let row: String = table.lines().skip(count / 2).take(10).collect::<Vec<_>>().join("\n");
    let row = row.replacen("\"x\": 0 },\n", "\"x\": 0 }\n", 5).replacen("}\n", "},\n", 4);
    let cases = [
        ("10 lines, one mistyped", &code, mistyped(10), true, ORDINARY),
        ("40 lines, one mistyped", &code, mistyped(40), true, ORDINARY),
        ("10 lines that are not there", &code, absent, false, ORDINARY),
        ("10 lines of a table of 20,000 nearly equal ones", &table, row, false, WORST),
    ];
    for (name, file, old, is_there, target) in cases {
        let rope = Text::from(file.as_str());
        let similar = Locate { leniency: Leniency::Similar(Threshold::DEFAULT), ..Locate::ONE };
        let side: [Side; 1] = [Box::new(|| {
            timed(|| found(locate(&rope, &old, "nothing\n", similar).is_ok() == is_there))
        })];
        let [ours] = in_turns(options.pick(21, 1), side)?;
        section.row(limited(format!("similar, {count} lines: {name}"), &ours, target));
    }
    Ok(())
}

/// Functions of five lines, as alike as those of a program are.
fn line_of_code(i: usize) -> String {
    let name = |k: usize| name(i / 5 * 8 + k);
    match i % 5 {
        0 => format!("pub fn {}({}: &{}) -> Result<usize> {{\n", name(0), name(1), name(2)),
        1 => format!("    let total = self.{}.{}({});\n", name(3), name(4), name(1)),
        2 => format!("    if {}(total) {{ log::debug!(\"{}\"); }}\n", name(5), name(6)),
        3 => format!("    {}.get(&total).ok_or({})\n", name(7), name(2)),
        _ => "}\n".to_owned(),
    }
}

/// A name of 3 to 14 letters that only its number tells: splitmix64.
fn name(number: usize) -> String {
    let mut bits = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^= bits >> 27;
    let letter = |k: u64| char::from(b'a' + (bits.rotate_left(5 * k as u32) % 26) as u8);
    (0..3 + bits % 12).map(letter).collect()
}

/// A figure that must not take longer than `target` seconds.
fn limited(what: impl Into<String>, ours: &Samples, target: f64) -> Row {
    let limit: Samples = std::iter::repeat_n(target, 1_000).collect();
    let row = Row::new(what, ours, seconds);
    row.ratio(format!("target: {}", seconds(target)), ours.over(&limit)).at_most(1.0)
}

fn timed(mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    black_box(work())?;
    Ok(start.elapsed().as_secs_f64())
}

fn found(right: bool) -> Result<()> {
    if right { Ok(()) } else { Err("the locator and the benchmark do not agree".into()) }
}
