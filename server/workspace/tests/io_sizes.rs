//! What the store costs: its size after a thousand edits of one file, and the time of one put.
//! `cargo test --release -p redline-workspace --test io_sizes -- --nocapture` prints the figures;
//! only the sizes are asserted, because times depend on the machine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::{Duration, Instant};

use redline_text::{Edit, Text};
use redline_workspace::io::journal::Store;

const MEGABYTE: usize = 1 << 20;

/// Something like source code, without a repeated line.
fn source() -> Text {
    let mut text = String::new();
    let mut number = 7_u64;
    while text.len() < MEGABYTE {
        number = next(number);
        let (a, b) = (number >> 40, number >> 20 & 0xffff);
        text += &format!("    let value_{a} = compute({b}, \"{:x}\");\n", number >> 8);
    }
    text.into()
}

/// A pseudo-random sequence: the same in every run.
fn next(number: u64) -> u64 {
    number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

fn edit_one_line(text: &mut Text, random: u64) {
    let line = (random >> 33) as usize % text.line_count();
    let (start, end) = (text.line_start(line), text.line_start(line + 1));
    text.apply(&Edit::new(start..end, format!("    changed({random});\n")));
}

struct Cost {
    first: u64,
    all: u64,
    times: Vec<Duration>,
}

fn edits(count: usize, prepare: impl Fn(&Text) -> Text) -> Cost {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::at(&dir.path().join("texts"));
    let mut text = source();
    store.put(&text).unwrap();
    let first = store.len_bytes().unwrap();
    let mut random = 1;
    let mut times = Vec::new();
    let mut ids = Vec::new();
    for _ in 0..count {
        random = next(random);
        edit_one_line(&mut text, random);
        let text = prepare(&text);
        let start = Instant::now();
        ids.push((store.put(&text).unwrap(), text.len()));
        times.push(start.elapsed());
    }
    for (id, len) in ids.iter().step_by(count / 10) {
        assert_eq!(store.get(id).unwrap().unwrap().len(), *len);
    }
    times.sort();
    Cost { first, all: store.len_bytes().unwrap(), times }
}

fn print(name: &str, cost: &Cost) {
    let at = |percent: usize| cost.times[(cost.times.len() - 1) * percent / 100];
    println!(
        "{name}: 1 MB once {} KB, after {} one-line edits {} KB ({} bytes an edit); put {:?} median, {:?} p99",
        cost.first >> 10,
        cost.times.len(),
        cost.all >> 10,
        (cost.all - cost.first) / cost.times.len() as u64,
        at(50),
        at(99),
    );
}

#[test]
fn a_thousand_edits_of_a_megabyte() {
    // Unoptimised it takes long.
    let count = if cfg!(debug_assertions) { 250 } else { 1000 };
    let cost = edits(count, Text::clone);
    print("edited in memory", &cost);
    assert!(cost.first < 11 * MEGABYTE as u64 / 10);
    assert!(cost.all < 6 * MEGABYTE as u64);
}

#[test]
fn edits_that_are_read_again_each_time() {
    let cost = edits(100, |text| text.to_string().into());
    print("read again", &cost);
    assert!(cost.all < 3 * MEGABYTE as u64);
}

#[test]
fn a_known_text_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("texts");
    let text = source();
    let id = Store::at(&path).put(&text).unwrap();
    let mut store = Store::at(&path);
    let start = Instant::now();
    store.contains(&id).unwrap();
    let open = start.elapsed();
    let start = Instant::now();
    assert_eq!(store.put(&text).unwrap(), id);
    let put = start.elapsed();
    let start = Instant::now();
    assert_eq!(store.get(&id).unwrap(), Some(text));
    println!("after a restart, 1 MB: open {open:?}, put {put:?}, get {:?}", start.elapsed());
}
