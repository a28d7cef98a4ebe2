//! Several processes write one file: no write is lost, also before the file is there.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

mod child;

use std::path::Path;

use redline_workspace::{
    WorkspacePath, WriteError, WriteRequest,
    io::{read, write},
};

const PROCESSES: u64 = 4;
const WRITES: u64 = 40;

/// Adds one to the number in the file, unless somebody else wrote meanwhile.
fn add_one(file: &WorkspacePath) -> Result<(), WriteError> {
    let now = read(file).unwrap();
    let number = now.as_ref().map_or(0, |disk| disk.text.to_string().parse().unwrap_or(0_u64));
    let text = Some(((number + 1).to_string().as_str().into(), Default::default()));
    write(&WriteRequest { file: file.clone(), text, expect: now.map(|disk| disk.hash), mode: None })
        .map(drop)
}

/// Not a test of its own: one of the processes.
#[test]
fn counter() {
    let Some(dir) = child::dir() else { return };
    let file = WorkspacePath::assume_canonical(&dir.join("new/folder/number"));
    let mut left = WRITES;
    while left > 0 {
        match add_one(&file) {
            Ok(()) => left -= 1,
            Err(WriteError::Changed(_)) => {}
            Err(error) => eprintln!("{error}"),
        }
    }
    eprintln!("done");
}

fn count(dir: &Path) -> String {
    let start = |_| child::Process::start("counter", dir);
    let mut processes: Vec<_> = (0..PROCESSES).map(start).collect();
    for process in &mut processes {
        assert_eq!(process.line().as_deref(), Some("done"));
    }
    std::fs::read_to_string(dir.join("new/folder/number")).unwrap()
}

#[test]
fn no_write_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(count(dir.path()), (PROCESSES * WRITES).to_string());
    assert_eq!(std::fs::read_dir(dir.path().join("new/folder")).unwrap().count(), 1);
}
