//! `kill -9` of a process that writes: log and store hold what it was told is written, and a file
//! holds one text or the other.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod child;

use std::path::Path;

use redline_text::{Edit, Text};
use redline_workspace::{
    WorkspacePath, WriteRequest,
    io::{
        journal::{Log, Store, TextId},
        read, write,
    },
};

/// How often a process is killed; `REDLINE_TEST_KILLS` asks for more.
fn kills() -> u64 {
    std::env::var("REDLINE_TEST_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(50)
}

/// Records that a compaction leaves.
const KEPT: usize = 20;

/// One record: which write it was, and the text that it names.
fn parse(record: &[u8]) -> (u64, TextId) {
    let (number, id) = std::str::from_utf8(record).unwrap().split_once(' ').unwrap();
    (number.parse().unwrap(), id.parse().unwrap())
}

fn text_of(number: u64) -> Text {
    let mut text: Text = (0..600).map(|i| format!("line {i}\n")).collect::<String>().into();
    let at = text.line_start(number as usize * 7 % 600);
    text.apply(&Edit::new(at..at, format!("write {number}\n")));
    text
}

/// Not a test of its own: what is killed.
#[test]
fn writer() {
    let Some(dir) = child::dir() else { return };
    let mut opened = Log::open(&dir.join("log")).unwrap();
    let mut store = Store::at(&dir.join("texts"));
    let mut number = opened.records.last().map_or(0, |record| parse(record).0 + 1);
    loop {
        let id = store.put(&text_of(number)).unwrap();
        let record = format!("{number} {id}").into_bytes();
        opened.log.append(&record).unwrap();
        eprintln!("{number}");
        opened.records.push(record);
        if opened.records.len() > 3 * KEPT {
            opened.records.drain(..2 * KEPT);
            opened.log.replace(&opened.records).unwrap();
            let ids: Vec<TextId> = opened.records.iter().map(|record| parse(record).1).collect();
            store.retain(&ids, u64::MAX).unwrap();
        }
        number += 1;
    }
}

#[test]
fn what_was_acknowledged_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let mut seen = 0;
    for kill in 0..kills() {
        let mut writer = child::Process::start("writer", dir.path());
        let mut last = None;
        for _ in 0..1 + kill * 37 % 61 {
            last = writer.line().map(|line| line.parse::<u64>().unwrap());
        }
        let rest = writer.kill();
        let last = rest.last().map_or(last, |line| line.parse().ok()).unwrap();
        check(dir.path(), last);
        assert!(last >= seen, "went back from {seen} to {last}");
        seen = last;
    }
}

fn check(dir: &Path, acknowledged: u64) {
    let (records, _) = Log::read(&dir.join("log")).unwrap();
    let records: Vec<(u64, TextId)> = records.iter().map(|record| parse(record)).collect();
    let last = records.last().unwrap().0;
    assert!(last == acknowledged || last == acknowledged + 1, "{last}, not {acknowledged}");
    assert!(records.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0), "a gap");
    assert!(records.len() > KEPT.min(last as usize), "{} records", records.len());
    // Another store's handle would cut the torn tail off, as the next writer does.
    let mut store = Store::at(&dir.join("texts"));
    for (number, id) in records {
        assert_eq!(store.get(&id).unwrap(), Some(text_of(number)));
    }
}

/// What a write leaves: its number on every line.
fn lines_of(number: u64) -> String {
    format!("{number}\n").repeat(20_000 + number as usize % 7 * 3000)
}

/// Not a test of its own: what is killed.
#[test]
fn file_writer() {
    let Some(dir) = child::dir() else { return };
    let file = WorkspacePath::assume_canonical(&dir.join("file"));
    let mut now = read(&file).unwrap();
    loop {
        let number = now.as_ref().map_or(0, |disk| number_in(&disk.text.slice(0..20)) + 1);
        let text = Some((lines_of(number).as_str().into(), Default::default()));
        let expect = now.map(|disk| disk.hash);
        now = write(&WriteRequest { file: file.clone(), text, expect, mode: None }).unwrap();
        eprintln!("{number}");
    }
}

fn number_in(text: &str) -> u64 {
    text.lines().next().unwrap().parse().unwrap()
}

#[test]
fn a_file_holds_one_text_or_the_other() {
    let dir = tempfile::tempdir().unwrap();
    for kill in 0..kills() {
        let mut writer = child::Process::start("file_writer", dir.path());
        let mut last = None;
        for _ in 0..1 + kill % 3 {
            last = writer.line();
        }
        let rest = writer.kill();
        let last: u64 = rest.last().or(last.as_ref()).unwrap().parse().unwrap();
        let text = std::fs::read_to_string(dir.path().join("file")).unwrap();
        let number = number_in(&text);
        assert!(number == last || number == last + 1, "{number}, not {last}");
        assert!(text == lines_of(number), "half a text");
    }
}
