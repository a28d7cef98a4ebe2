use super::*;
use crate::{Author, Decision, DecisionRecord, Fault, Head, io::sources, verify};
use std::{fs, path::Path, process::Command};

fn record(text: &str) -> Record {
    Record::Decision(DecisionRecord {
        thread: "T-1".to_owned(),
        file: "/w/a".into(),
        hunks: vec![text.to_owned()],
        calls: vec![],
        decision: Decision::Accepted,
        by: Author::User,
        comment: None,
    })
}

fn place() -> (tempfile::TempDir, Place) {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::in_state(&dir.path().join("state"));
    (dir, place)
}

fn report(place: &Place) -> crate::Report {
    let (files, head) = sources(place).unwrap();
    verify(&files, head, place.is_full())
}

fn texts(place: &Place) -> Vec<String> {
    let entries = crate::io::entries(place).unwrap();
    let text = |entry: crate::Entry| match entry.record {
        Record::Decision(it) => it.hunks.into_iter().next(),
        Record::Recovered(it) => Some(format!("{:?} {:?} {:?}", it.torn, it.missing, it.unwritten)),
        _ => None,
    };
    entries.into_iter().filter_map(text).collect()
}

#[test]
fn records_make_a_chain() {
    let (_dir, place) = place();
    let log = Log::new(place.clone());
    assert!(matches!(log.try_write(&record("0")), Attempt::Later), "nothing is open yet");
    log.write(&record("1")).unwrap();
    assert!(matches!(log.try_write(&record("2")), Attempt::Written));
    let other = Log::new(place.clone());
    other.write(&record("3")).unwrap();
    assert!(matches!(log.try_write(&record("x")), Attempt::Later), "another one has written");
    log.write(&record("4")).unwrap();
    assert_eq!(texts(&place), ["1", "2", "3", "4"]);
    let report = report(&place);
    assert_eq!((report.lines, report.broken, report.notes), (5, None, vec![]));
}

#[cfg(unix)]
#[test]
fn it_is_closed_to_others() {
    use std::os::unix::fs::PermissionsExt;
    let (_dir, place) = place();
    fs::create_dir_all(place.dir()).unwrap();
    fs::write(place.current(), "").unwrap();
    fs::set_permissions(place.current(), fs::Permissions::from_mode(0o666)).unwrap();
    Log::new(place.clone()).write(&record("1")).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(place.dir()), 0o700);
    assert_eq!((mode(&place.current()), mode(&place.head())), (0o600, 0o600));
}

#[test]
fn two_at_once() {
    let (_dir, place) = place();
    let write = |name: &'static str| {
        let log = Log::with_limit(place.clone(), 40_000);
        move || {
            for n in 0..500 {
                let record = record(&format!("{name}{n}"));
                match log.try_write(&record) {
                    Attempt::Written => {}
                    Attempt::Later => log.write(&record).unwrap(),
                    Attempt::Failed(error) => panic!("{error}"),
                }
            }
        }
    };
    let threads = [thread::spawn(write("a")), thread::spawn(write("b"))];
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let report = report(&place);
    assert_eq!((report.broken, report.notes), (None, vec![]));
    let all = texts(&place);
    for name in ["a", "b"] {
        let of: Vec<&String> = all.iter().filter(|text| text.starts_with(name)).collect();
        let first: usize = of[0][1..].parse().unwrap();
        let want: Vec<String> = (first..500).map(|n| format!("{name}{n}")).collect();
        assert_eq!(of, want.iter().collect::<Vec<_>>(), "in order, without gaps");
    }
}

/// Run by the test below as a process of its own.
#[test]
#[ignore = "is a part of `two_processes`"]
fn one_process() {
    let (Ok(dir), Ok(name)) = (std::env::var("AUDIT_DIR"), std::env::var("AUDIT_NAME")) else {
        return;
    };
    let log = Log::new(Place::in_state(Path::new(&dir)));
    for n in 0..500 {
        let record = record(&format!("{name}{n}"));
        if !matches!(log.try_write(&record), Attempt::Written) {
            log.write(&record).unwrap();
        }
    }
}

#[test]
fn two_processes() {
    let dir = tempfile::tempdir().unwrap();
    let start = |name: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "io::log::tests::one_process"]);
        command.env("AUDIT_DIR", dir.path()).env("AUDIT_NAME", name);
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let children = [start("a"), start("b")];
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let place = Place::in_state(dir.path());
    let report = report(&place);
    assert_eq!((report.lines, report.broken, report.notes), (1001, None, vec![]));
    assert_eq!(texts(&place).len(), 1000);
}

#[test]
fn it_is_bounded() {
    let (_dir, place) = place();
    let log = Log::with_limit(place.clone(), 2_000);
    for n in 0..200 {
        log.write(&record(&n.to_string())).unwrap();
    }
    let report = report(&place);
    assert_eq!((report.broken, report.notes), (None, vec![]));
    assert!(report.end.unwrap().seq > 200);
    let files: Vec<_> = place.files().filter(|path| path.exists()).collect();
    assert_eq!(files.len(), Place::KEPT);
    assert_eq!(fs::read_dir(place.dir()).unwrap().count(), Place::KEPT + 1);
    for file in files {
        assert!(fs::metadata(file).unwrap().len() < 2_400);
    }
    assert_eq!(texts(&place).last().unwrap(), "199");
    fs::remove_file(place.older(3)).unwrap();
    let fault = self::report(&place).broken.unwrap();
    assert_eq!((fault.line, fault.fault), (1, Fault::MissingFiles));
}

#[test]
fn a_torn_line_is_said() {
    let (_dir, place) = place();
    Log::new(place.clone()).write(&record("1")).unwrap();
    let mut text = fs::read(place.current()).unwrap();
    text.extend_from_slice(b"{\"prev\":\"012\0\0");
    fs::write(place.current(), &text).unwrap();
    assert_eq!(report(&place).broken.unwrap().fault, Fault::Torn);
    let log = Log::new(place.clone());
    log.write(&record("2")).unwrap();
    log.write(&record("3")).unwrap();
    assert_eq!(texts(&place), ["1", "Some(14) None None", "2", "3"]);
    let report = report(&place);
    assert_eq!(report.broken, None);
    let notes: Vec<_> = report.notes.iter().map(|it| (it.line, it.fault)).collect();
    assert_eq!(notes, [(3, Fault::Torn)]);
}

#[test]
fn a_line_without_its_end_is_torn() {
    let (_dir, place) = place();
    let log = Log::new(place.clone());
    log.write(&record("1")).unwrap();
    log.write(&record("2")).unwrap();
    let text = fs::read(place.current()).unwrap();
    fs::write(place.current(), &text[..text.len() - 1]).unwrap();
    log.write(&record("3")).unwrap();
    let report = report(&place);
    assert_eq!(report.broken.map(|it| it.fault), Some(Fault::Missing(1)), "its head was written");
    assert_eq!(report.notes.len(), 1);
}

#[test]
fn a_tail_that_was_cut_is_not_forgotten() {
    let (_dir, place) = place();
    let log = Log::new(place.clone());
    for n in 1..=5 {
        log.write(&record(&n.to_string())).unwrap();
    }
    let text = fs::read_to_string(place.current()).unwrap();
    let kept: String = text.split_inclusive('\n').take(4).collect();
    fs::write(place.current(), kept).unwrap();
    let fault = report(&place).broken.unwrap();
    assert_eq!((fault.line, fault.fault), (4, Fault::MissingAfter(2)));
    log.write(&record("6")).unwrap();
    assert_eq!(texts(&place), ["1", "2", "3", "None Some(2) None", "6"]);
    let fault = report(&place).broken.unwrap();
    assert_eq!((fault.line, fault.fault), (5, Fault::Missing(2)));
}

#[test]
fn a_folder_that_was_removed_begins_anew() {
    let (_dir, place) = place();
    let log = Log::new(place.clone());
    log.write(&record("1")).unwrap();
    fs::remove_dir_all(place.dir()).unwrap();
    assert!(matches!(log.try_write(&record("2")), Attempt::Later));
    log.write(&record("2")).unwrap();
    log.write(&record("3")).unwrap();
    assert_eq!(texts(&place), ["2", "3"]);
    assert_eq!(report(&place).broken, None);
}

#[test]
fn a_kill_between_two_renames_loses_nothing() {
    let (_dir, place) = place();
    Log::new(place.clone()).write(&record("1")).unwrap();
    fs::rename(place.current(), place.older(1)).unwrap();
    Log::new(place.clone()).write(&record("2")).unwrap();
    assert_eq!(texts(&place), ["1", "2"]);
    assert_eq!(report(&place).broken, None);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused() {
    let check = |name: fn(&Place) -> std::path::PathBuf, make: &dyn Fn(&Path)| {
        let (dir, place) = place();
        fs::create_dir_all(place.dir()).unwrap();
        fs::write(dir.path().join("other"), "untouched").unwrap();
        make(&name(&place));
        let error = Log::new(place.clone()).write(&record("1")).unwrap_err();
        assert!(matches!(error, AuditError::Odd { .. }), "{error}");
        assert_eq!(fs::read_to_string(dir.path().join("other")).unwrap(), "untouched");
    };
    let fifo = |path: &Path| {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let link = |path: &Path| std::os::unix::fs::symlink("../../other", path).unwrap();
    let folder = |path: &Path| fs::create_dir(path).unwrap();
    for name in [Place::current, Place::head] {
        check(name, &fifo);
        check(name, &link);
        check(name, &folder);
    }
    let (dir, place) = place();
    fs::create_dir_all(dir.path().join("state")).unwrap();
    fs::create_dir(dir.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(dir.path().join("elsewhere"), place.dir()).unwrap();
    assert!(Log::new(place).write(&record("1")).is_err());
    assert_eq!(fs::read_dir(dir.path().join("elsewhere")).unwrap().count(), 0);
}

#[test]
fn what_could_not_be_written_is_said_once_and_counted() {
    let (dir, place) = place();
    fs::write(dir.path().join("state"), "a file in the way").unwrap();
    let log = Log::new(place.clone());
    assert!(log.write(&record("1")).is_err() && log.must_tell());
    assert!(log.write(&record("2")).is_err() && !log.must_tell());
    fs::remove_file(dir.path().join("state")).unwrap();
    log.write(&record("3")).unwrap();
    assert!(log.must_tell(), "the next time it is told again");
    assert_eq!(texts(&place), ["None None Some(2)", "3"]);
    assert_eq!(report(&place).broken, None);
}

#[test]
fn the_head_names_the_newest_line() {
    let (_dir, place) = place();
    let log = Log::new(place.clone());
    log.write(&record("1")).unwrap();
    let (_, head) = sources(&place).unwrap();
    assert_eq!(head, report(&place).end);
    assert_eq!(head.map(|head: Head| head.seq), Some(2));
    fs::write(place.head(), "nonsense").unwrap();
    log.write(&record("2")).unwrap();
    assert_eq!(report(&place).broken, None);
}

#[test]
fn a_held_log_is_waited_for_once() {
    let (_dir, place) = place();
    let log = Log::new(place.clone());
    log.write(&record("1")).unwrap();
    let holder = fs::File::open(place.head()).unwrap();
    holder.lock().unwrap();
    let start = std::time::Instant::now();
    for n in 2..=20 {
        let text = n.to_string();
        assert!(matches!(log.write(&record(&text)), Err(AuditError::Held { .. })));
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(2), "{:?}", start.elapsed());
    holder.unlock().unwrap();
    log.write(&record("21")).unwrap();
    assert_eq!(texts(&place), ["1", "None None Some(19)", "21"]);
}

#[test]
fn an_end_that_went_with_its_head_is_not_forgotten() {
    for empty in [false, true] {
        let (_dir, place) = place();
        for n in 1..=6 {
            Log::new(place.clone()).write(&record(&n.to_string())).unwrap();
        }
        let text = fs::read_to_string(place.current()).unwrap();
        let kept: String = text.split_inclusive('\n').take(5).collect();
        fs::write(place.current(), kept).unwrap();
        match empty {
            true => fs::write(place.head(), "").unwrap(),
            false => fs::remove_file(place.head()).unwrap(),
        }
        let is_it =
            || report(&place).broken.is_some_and(|it| (it.line, it.fault) == (5, Fault::NoHead));
        assert!(is_it());
        Log::new(place.clone()).write(&record("7")).unwrap();
        assert!(is_it(), "it is said in the log");
    }
}

#[test]
fn the_current_file_that_went_with_the_head() {
    let (_dir, place) = place();
    let log = Log::with_limit(place.clone(), 2_000);
    for n in 1..=20 {
        log.write(&record(&n.to_string())).unwrap();
    }
    assert!(place.older(1).exists());
    fs::remove_file(place.current()).unwrap();
    fs::remove_file(place.head()).unwrap();
    assert_eq!(report(&place).broken.map(|it| it.fault), Some(Fault::NoHead));
    log.write(&record("21")).unwrap();
    assert_eq!(report(&place).broken.map(|it| it.fault), Some(Fault::NoHead));
}

#[test]
fn a_rotation_that_could_not_go_on_is_no_fault() {
    let (_dir, place) = place();
    let log = Log::with_limit(place.clone(), 1_000);
    let mut n = 0;
    while !place.is_full() || fs::metadata(place.current()).unwrap().len() < 1_000 {
        n += 1;
        log.write(&record(&n.to_string())).unwrap();
    }
    // Everything grew older, and then the disk was full.
    for age in (1..Place::KEPT - 1).rev() {
        fs::rename(place.older(age), place.older(age + 1)).unwrap();
        assert_eq!(report(&place).broken, None, "{age}");
    }
    fs::rename(place.current(), place.older(1)).unwrap();
    assert_eq!(report(&place).broken, None);
    fs::write(place.current(), "").unwrap();
    assert_eq!(report(&place).broken, None);
}
