//! `kill -9` of a process that writes log and store: what it was told is written is there.

mod child;

use std::path::Path;

use redline_text::{Edit, Text};
use redline_workspace::io::journal::{Log, Store, TextId};

const KILLS: u64 = 50;
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
    for kill in 0..KILLS {
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
