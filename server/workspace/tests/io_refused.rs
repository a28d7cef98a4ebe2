//! A disk that is full, a limit that is reached, a directory that is closed: a clear error, the file
//! as before, nothing left over. Each in a process of its own, which writes its verdict.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(target_os = "linux")]

mod child;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use redline_text::Text;
use redline_workspace::{
    WorkspacePath, WriteError, WriteRequest,
    io::{
        journal::{Log, LogError, Store},
        read, write,
    },
};

fn overwrite(path: &Path, text: &str) -> Result<(), WriteError> {
    let file = WorkspacePath::assume_canonical(path);
    let expect = read(&file).unwrap().map(|disk| disk.hash);
    write(&WriteRequest { file, text: Some((text.into(), Default::default())), expect, mode: None })
        .map(drop)
}

fn names(dir: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

/// Tries to write `large` in every way; all must be refused with these words.
fn refuses_files(dir: &Path, large: &str, words: &str) {
    let (plain, linked, new) = (dir.join("plain"), dir.join("linked"), dir.join("a/b/new"));
    fs::write(&plain, "plain\n").unwrap();
    fs::write(&linked, "linked\n").unwrap();
    fs::hard_link(&linked, dir.join("other")).unwrap();
    let before = names(dir);
    for path in [&plain, &linked, &new] {
        let error = overwrite(path, large).unwrap_err().to_string();
        assert!(error.contains(words), "{}: {error}", path.display());
    }
    assert_eq!(names(dir), before);
    assert_eq!(fs::read_to_string(plain).unwrap(), "plain\n");
    assert_eq!(fs::read_to_string(linked).unwrap(), "linked\n");
}

/// Appends until it is refused; what was there stays, and smaller records still go.
fn refuses_records(dir: &Path, words: &str) {
    let path = dir.join("log");
    let mut log = Log::open(&path).unwrap().log;
    let mut count = 0;
    let error = loop {
        match log.append(&[7; 5000]) {
            Ok(_) => count += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, LogError::Io { .. }) && error.to_string().contains(words), "{error}");
    assert_eq!(fs::metadata(&path).unwrap().len(), log.len_bytes(), "cut back");
    let (records, tail) = Log::read(&path).unwrap();
    assert_eq!((records.len(), tail.dropped), (count, 0));
    log.append(b"small").unwrap();
    let error = log.replace(vec![vec![7; 5000]; count + 40]).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    log.append(b"after").unwrap();
    assert_eq!(Log::read(&path).unwrap().0.len(), count + 2);
    drop(log);
    fs::remove_file(path).unwrap();
}

fn refuses_texts(dir: &Path, words: &str) {
    let path = dir.join("texts");
    let text = |count: usize| -> Text {
        (0..count).map(|i| format!("{}\n", i * 7919 % 65_537)).collect::<String>().into()
    };
    let mut store = Store::at(&path);
    let id = store.put(&text(1000)).unwrap();
    let error = store.put(&text(60_000)).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    assert_eq!(store.get(&id).unwrap(), Some(text(1000)));
    assert!(store.put(&text(1001)).is_ok());
    drop(store);
    assert_eq!(Store::at(&path).get(&id).unwrap(), Some(text(1000)));
    fs::remove_file(path).unwrap();
}

fn refuses_all(words: &str) {
    let Some(dir) = child::dir() else { return };
    refuses_files(&dir, &"x".repeat(200 << 10), words);
    refuses_records(&dir, words);
    refuses_texts(&dir, words);
    eprintln!("done");
}

fn expect_done(mut process: child::Process) {
    let lines: Vec<String> = std::iter::from_fn(|| process.line()).collect();
    assert_eq!(lines, ["done"]);
}

/// Not a test of its own.
#[test]
fn on_a_full_disk() {
    refuses_all("the disk is full; free some space");
}

#[test]
fn a_full_disk() {
    let dir = tempfile::tempdir().unwrap();
    let Some(_mount) = Mount::of(dir.path()) else {
        eprintln!("skipped: only root can mount a small disk");
        return;
    };
    expect_done(child::Process::start("on_a_full_disk", dir.path()));
}

/// Not a test of its own.
#[test]
fn at_a_limit() {
    refuses_all("larger than the system allows");
}

/// Without the trap the system ends the process, as it does any program's.
#[test]
fn a_limit_on_the_size_of_files() {
    let dir = tempfile::tempdir().unwrap();
    let shell = "trap '' XFSZ; ulimit -f 128";
    expect_done(child::Process::start_after(shell, "at_a_limit", dir.path()));
}

/// Not a test of its own.
#[test]
fn without_the_right() {
    let Some(dir) = child::dir() else { return };
    let closed = dir.join("closed");
    for path in [closed.join("file"), closed.join("new"), closed.join("a/new")] {
        let error = overwrite(&path, "ours").unwrap_err().to_string();
        assert!(error.contains("permission denied; check who owns"), "{error}");
    }
    let theirs = dir.join("theirs");
    let error = overwrite(&theirs, "ours").unwrap_err().to_string();
    assert!(error.contains("read-only for you"), "{error}");
    let error = Log::open(&closed.join("log")).unwrap_err().to_string();
    assert!(error.contains("permission denied; check who owns"), "{error}");
    // Not ours to give away, but ours to write: only writing in place keeps the owner.
    overwrite(&dir.join("shared"), "ours").unwrap();
    eprintln!("done");
}

#[test]
fn a_directory_that_is_closed() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    let dir = tempfile::tempdir().unwrap();
    let set =
        |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let closed = dir.path().join("closed");
    fs::create_dir(&closed).unwrap();
    for (name, mode) in [("closed/file", 0o666), ("theirs", 0o644), ("shared", 0o666)] {
        fs::write(dir.path().join(name), "before").unwrap();
        set(&dir.path().join(name), mode);
    }
    set(&closed, 0o755);
    set(dir.path(), 0o777);
    if chown(dir.path(), Some(65_534), None).is_err() {
        eprintln!("skipped: only root has other users' files");
        return;
    }
    let shell = "exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$0\" \"$@\"";
    expect_done(child::Process::start_after(shell, "without_the_right", dir.path()));
    assert_eq!(fs::read_to_string(closed.join("file")).unwrap(), "before");
    assert_eq!(fs::read_to_string(dir.path().join("theirs")).unwrap(), "before");
    let shared = dir.path().join("shared");
    assert_eq!(fs::read_to_string(&shared).unwrap(), "ours");
    assert_eq!(fs::metadata(&shared).unwrap().uid(), 0);
    assert_eq!(names(dir.path()).len() + names(&closed).len(), 4);
}

/// As containers have them: nothing can take the file's place.
#[test]
fn a_file_that_is_a_mount_is_written_in_place() {
    let dir = tempfile::tempdir().unwrap();
    let (real, path) = (dir.path().join("real"), dir.path().join("path"));
    fs::write(&real, "one").unwrap();
    fs::write(&path, "").unwrap();
    let Some(_mount) = Mount::bound(&real, &path) else {
        eprintln!("skipped: only root can mount a file");
        return;
    };
    overwrite(&path, "two").unwrap();
    assert_eq!(fs::read_to_string(&real).unwrap(), "two");
    assert_eq!(names(dir.path()), [path, real]);
}

struct Mount(PathBuf);

impl Mount {
    /// A disk of 128 KB.
    fn of(dir: &Path) -> Option<Self> {
        Self::run(["-t", "tmpfs", "-o", "size=128k", "tmpfs"].map(Path::new).as_slice(), dir)
    }

    /// One file in another's place.
    fn bound(real: &Path, path: &Path) -> Option<Self> {
        Self::run(&[Path::new("--bind"), real], path)
    }

    fn run(arguments: &[&Path], at: &Path) -> Option<Self> {
        let output = Command::new("mount").args(arguments).arg(at).output();
        output.is_ok_and(|output| output.status.success()).then(|| Self(at.to_owned()))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}
