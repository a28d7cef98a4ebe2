use std::fs;

use proptest::prelude::*;

use super::*;

fn fresh() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    (dir, path)
}

fn log_of(path: &Path, records: &[&[u8]]) -> Log {
    let mut log = Log::open(path).unwrap().log;
    for record in records {
        log.append(record).unwrap();
    }
    log
}

fn held(path: &Path) -> Vec<String> {
    let records = Log::read(path).unwrap().0;
    records.into_iter().map(|record| String::from_utf8(record).unwrap()).collect()
}

#[test]
fn records_come_back_in_order() {
    let (_dir, path) = fresh();
    assert_eq!(Log::read(&path).unwrap(), (vec![], Tail::default()));
    let mut log = log_of(&path, &[b"one", b"", b"two"]);
    log.sync().unwrap();
    drop(log);
    let opened = Log::open(&path).unwrap();
    assert_eq!(opened.records, [&b"one"[..], b"", b"two"]);
    assert_eq!(opened.tail, Tail::default());
    log_of(&path, &[b"three"]);
    assert_eq!(held(&path), ["one", "", "two", "three"]);
}

#[test]
fn a_torn_tail_is_cut_off_and_kept_beside() {
    let (_dir, path) = fresh();
    log_of(&path, &[b"one", b"two"]);
    let len = fs::metadata(&path).unwrap().len();
    File::options().write(true).open(&path).unwrap().set_len(len - 1).unwrap();
    let (records, tail) = Log::read(&path).unwrap();
    assert_eq!((records.len(), tail), (1, Tail { dropped: 10, kept: None }));
    let mut opened = Log::open(&path).unwrap();
    let kept = opened.tail.kept.unwrap();
    assert_eq!(opened.tail.dropped, 10);
    assert_eq!(fs::read(&kept).unwrap()[8..], *b"tw");
    opened.log.append(b"2").unwrap();
    assert_eq!(held(&path), ["one", "2"]);
}

#[test]
fn a_torn_header_is_a_new_log() {
    for bytes in [&b""[..], b"RDL", &[0; 8], &[0; 4096]] {
        let (_dir, path) = fresh();
        fs::write(&path, bytes).unwrap();
        let tail = Log::open(&path).unwrap().tail;
        assert_eq!(tail.dropped, bytes.len() as u64);
        log_of(&path, &[b"one"]);
        assert_eq!(held(&path), ["one"]);
    }
}

#[test]
fn what_is_not_ours_is_left_alone() {
    for (bytes, expect) in
        [(&b"RDLLOG\x02\x00more"[..], "format 2"), (b"#!/bin/sh\n", "not a Redline log")]
    {
        let (_dir, path) = fresh();
        fs::write(&path, bytes).unwrap();
        for error in [Log::open(&path).map(drop), Log::read(&path).map(drop)] {
            let text = error.unwrap_err().to_string();
            assert!(text.contains(expect), "{text}");
        }
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_replacement_is_whole_or_not_there() {
    let (dir, path) = fresh();
    let mut log = log_of(&path, &[b"one", b"two"]);
    let mut rewrite = log.rewrite().unwrap();
    rewrite.push(b"never").unwrap();
    drop(rewrite);
    assert_eq!(held(&path), ["one", "two"]);
    log.replace([b"three"]).unwrap();
    log.append(b"four").unwrap();
    assert_eq!(held(&path), ["three", "four"]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing left over");
}

#[test]
fn offsets_find_the_payload_again() {
    let (_dir, path) = fresh();
    let mut log = log_of(&path, &[b"one"]);
    let at = log.append(b"second").unwrap();
    assert_eq!(log.read_at(at, 6).unwrap(), b"second");
    assert!(log.read_at(at, 7).is_err());
    assert!(log.read_at(u64::MAX, 7).is_err());
    let mut offsets = Vec::new();
    Log::open_with(&path, |at, record| offsets.push((at, record))).unwrap();
    assert_eq!(offsets[1], (at, b"second".to_vec()));
}

#[test]
#[cfg(unix)]
fn a_log_is_private() {
    let (_dir, path) = fresh();
    let mut log = log_of(&path, &[b"one"]);
    let mode = || std::os::unix::fs::MetadataExt::mode(&fs::metadata(&path).unwrap()) & 0o777;
    assert_eq!(mode(), 0o600);
    log.replace([b"two"]).unwrap();
    assert_eq!(mode(), 0o600);
}

#[test]
#[cfg(unix)]
fn a_log_that_was_removed_says_so() {
    let (dir, path) = fresh();
    let mut log = log_of(&path, &[b"one"]);
    fs::remove_dir_all(dir.path()).unwrap();
    assert!(matches!(log.append(b"two"), Err(LogError::Gone(_))));
    assert!(matches!(log.sync(), Err(LogError::Gone(_))));
    assert!(matches!(log.replace([b"two"]), Err(LogError::Io { .. })));
}

/// A file that takes nothing more, without a full disk.
#[test]
#[cfg(target_os = "linux")]
fn a_failed_append_breaks_nothing_that_was_there() {
    let (_dir, path) = fresh();
    let mut log = log_of(&path, &[b"one"]);
    let sound =
        std::mem::replace(&mut log.file, File::options().write(true).open("/dev/full").unwrap());
    let error = log.append(b"two").unwrap_err();
    assert!(error.to_string().contains("the disk is full; free some space"), "{error}");
    // `/dev/full` cannot be cut either, so the log no longer knows.
    let error = log.append(b"three").unwrap_err();
    assert!(matches!(error, LogError::Broken(_)), "{error}");
    log.file = sound;
    log.replace([b"four"]).unwrap();
    log.append(b"five").unwrap();
    assert_eq!(held(&path), ["four", "five"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn after_any_damage_a_log_takes_records_again(
        records in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..8),
        cut in any::<prop::sample::Index>(), flip in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (_dir, path) = fresh();
        let mut log = Log::open(&path).unwrap().log;
        log.replace(&records).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(cut.index(bytes.len() + 1));
        if let Some(flip) = flip.filter(|_| bytes.len() > HEADER.len()) {
            let at = HEADER.len() + flip.index(bytes.len() - HEADER.len());
            bytes[at] ^= 0x10;
        }
        fs::write(&path, &bytes).unwrap();
        let mut opened = Log::open(&path).unwrap();
        prop_assert!(records.starts_with(&opened.records));
        opened.log.append(b"next").unwrap();
        let (found, tail) = Log::read(&path).unwrap();
        opened.records.push(b"next".to_vec());
        prop_assert_eq!(found, opened.records);
        prop_assert_eq!(tail.dropped, 0);
    }
}
