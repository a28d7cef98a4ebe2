use super::*;
use crate::{FileRecord, Record, RecoveredRecord};

/// A log of two files: lines 1 (file 1) to 6, and 1 (file 2) to 4.
struct Log {
    files: Vec<Vec<String>>,
    head: Option<Head>,
}

fn record(number: u64) -> Record {
    Record::Recovered(RecoveredRecord { unwritten: Some(number), ..Default::default() })
}

fn line(head: &mut Head, record: &Record) -> String {
    let mut out = Vec::new();
    head.push(&mut out, Moment::from_millis(1_000_000_000_000 + head.seq), record).unwrap();
    String::from_utf8(out).unwrap()
}

fn log() -> Log {
    let mut head = Head::START;
    let mut file = |number: u64, count: u64| -> Vec<String> {
        let first = line(&mut head, &Record::File(FileRecord { version: 1, number }));
        std::iter::once(first).chain((1..count).map(|n| line(&mut head, &record(n)))).collect()
    };
    let files = vec![file(1, 6), file(2, 4)];
    Log { files, head: Some(head) }
}

impl Log {
    fn report(&self) -> Report {
        let files: Vec<Source> = ["old", "new"]
            .iter()
            .zip(&self.files)
            .map(|(name, lines)| Source { name: (*name).to_owned(), bytes: lines.concat().into() })
            .collect();
        verify(&files, self.head, false)
    }

    fn broken(&self) -> Option<(String, u64, Fault)> {
        self.report().broken.map(|it| (it.file, it.line, it.fault))
    }
}

fn check(tamper: impl FnOnce(&mut Log), want: (&str, u64, Fault)) {
    let mut log = log();
    tamper(&mut log);
    let (file, line, fault) = want;
    assert_eq!(log.broken(), Some((file.to_owned(), line, fault)));
}

#[test]
fn a_log_as_it_was_written() {
    let log = log();
    let report = log.report();
    assert_eq!((report.lines, report.broken), (10, None));
    assert_eq!(report.end, log.head);
    let (first, last) = report.span.unwrap();
    assert_eq!(first.to_string(), "2001-09-09T01:46:40.000Z");
    assert_eq!(last.to_string(), "2001-09-09T01:46:40.009Z");
    assert_eq!(verify(&[], None, false).broken, None);
    assert_eq!(verify(&[], None, false).lines, 0);
}

#[test]
fn a_changed_byte_anywhere() {
    for (file, name) in ["old", "new"].into_iter().enumerate() {
        for at in 0..log().files[file].len() {
            for byte in 0..log().files[file][at].len() - 1 {
                let mut log = log();
                let text = &mut log.files[file][at];
                let with = if text.as_bytes()[byte] == b'7' { "8" } else { "7" };
                text.replace_range(byte..=byte, with);
                let (found, line, fault) = log.broken().expect("it is seen");
                let (wanted, at) = (name.to_owned(), at as u64 + 1);
                // A changed number of a file or of a line says something else than that it is changed.
                let is_here = (found, line) == (wanted, at);
                assert!(is_here, "{name}:{at} byte {byte}: found at {line}, {fault}");
            }
        }
    }
}

#[test]
fn taken_out() {
    check(|log| drop(log.files[0].remove(2)), ("old", 3, Fault::Missing(1)));
    check(|log| drop(log.files[0].drain(2..5)), ("old", 3, Fault::Missing(3)));
    check(|log| drop(log.files[0].remove(5)), ("new", 1, Fault::Missing(1)));
    check(|log| drop(log.files[0].remove(0)), ("old", 1, Fault::Missing(1)));
    check(|log| drop(log.files[1].remove(0)), ("new", 1, Fault::Missing(1)));
    check(|log| drop(log.files.remove(0)), ("old", 1, Fault::MissingFiles));
    check(|log| drop(log.files[1].pop()), ("new", 3, Fault::MissingAfter(1)));
    check(|log| drop(log.files.pop()), ("old", 6, Fault::MissingAfter(4)));
    check(|log| log.files = vec![], ("", 1, Fault::MissingAfter(10)));
}

#[test]
fn lines_without_a_head() {
    check(|log| log.head = None, ("new", 4, Fault::NoHead));
    let cut = |log: &mut Log| {
        log.files.pop();
        log.head = None;
    };
    check(cut, ("old", 6, Fault::NoHead));
}

#[test]
fn put_elsewhere() {
    check(|log| log.files[0].swap(2, 3), ("old", 3, Fault::Moved));
    check(|log| log.files[1].swap(1, 3), ("new", 2, Fault::Moved));
    check(|log| log.files.swap(0, 1), ("old", 1, Fault::MissingFiles));
}

#[test]
fn put_in() {
    // With the right hash of the line before, and the right number.
    let forged = |log: &Log, at: usize| {
        let text = log.files[0][at].trim_end();
        let mut head = Head { seq: at as u64 + 1, hash: Hash::of(text.as_bytes()) };
        line(&mut head, &record(99))
    };
    check(
        |log| {
            let new = forged(log, 2);
            log.files[0].insert(3, new);
        },
        ("old", 4, Fault::Inserted),
    );
    // In place of another line.
    check(
        |log| {
            let new = forged(log, 2);
            log.files[0][3] = new;
        },
        ("old", 4, Fault::Changed),
    );
    // In place of the last one.
    check(
        |log| {
            let text = log.files[1][2].trim_end();
            let mut head = Head { seq: 9, hash: Hash::of(text.as_bytes()) };
            log.files[1][3] = line(&mut head, &record(99));
        },
        ("new", 4, Fault::Changed),
    );
    let copy = |log: &mut Log| {
        let line = log.files[0][2].clone();
        log.files[0].insert(3, line);
    };
    check(copy, ("old", 3, Fault::Inserted));
    check(|log| log.files[0].insert(3, "hello\n".into()), ("old", 4, Fault::Changed));
    check(|log| log.files[0].insert(3, "\n".into()), ("old", 4, Fault::Changed));
}

#[test]
fn cut_off() {
    check(
        |log| {
            let last = &mut log.files[1][3];
            last.truncate(last.len() / 2);
        },
        ("new", 4, Fault::Torn),
    );
    check(|log| assert_eq!(log.files[1][3].pop(), Some('\n')), ("new", 4, Fault::Torn));
    // In the middle, and not said by the next line.
    check(|log| log.files[0][2] = "{\"prev\":\"00\n".into(), ("old", 3, Fault::Changed));
}

#[test]
fn what_the_log_says_itself() {
    let mut log = log();
    let torn = "{\"prev\":\"";
    log.files[1].push(format!("{torn}\n"));
    let mut head = Head { seq: log.head.unwrap().seq, hash: Hash::of(torn.as_bytes()) };
    let said = RecoveredRecord { torn: Some(9), ..Default::default() };
    log.files[1].push(line(&mut head, &Record::Recovered(said)));
    log.files[1].push(line(&mut head, &record(1)));
    log.head = Some(head);
    let report = log.report();
    assert_eq!(report.broken, None);
    let torn: Vec<u64> =
        report.notes.iter().filter(|it| it.fault == Fault::Torn).map(|it| it.line).collect();
    assert_eq!(torn, [5]);
    // It is held by the chain like any other line.
    log.files[1][4] = "{\"prev\":\"x\n".into();
    assert_eq!(log.broken(), Some(("new".into(), 5, Fault::Changed)));
}

#[test]
fn a_head_that_is_behind_is_no_fault() {
    let mut log = log();
    let text = log.files[1][2].trim_end();
    log.head = Some(Head { seq: 9, hash: Hash::of(text.as_bytes()) });
    assert_eq!(log.broken(), None);
    log.head = Some(Head { seq: 9, hash: Hash::of(b"") });
    assert_eq!(log.broken(), Some(("new".into(), 3, Fault::Changed)));
}

#[test]
fn the_oldest_file_may_be_gone_when_there_are_enough() {
    let log = log();
    let files = [Source { name: "new".into(), bytes: log.files[1].concat().into() }];
    assert_eq!(verify(&files, log.head, true).broken, None);
    let fault = verify(&files, log.head, false).broken.map(|it| it.fault);
    assert_eq!(fault, Some(Fault::MissingFiles));
}
