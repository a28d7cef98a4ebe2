//! One owner per folder, among processes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod child;

use std::{sync::mpsc, time::Duration};

use redline_workspace::io::journal::{Owner, Taken};

const PATIENCE: Duration = Duration::from_secs(30);

/// Not a test of its own: owns a folder until it is killed.
#[test]
fn holder() {
    let Some(dir) = child::dir() else { return };
    let _owner = Owner::wait(&dir).unwrap();
    eprintln!("mine");
    loop {
        std::thread::park();
    }
}

#[test]
fn a_folder_has_one_owner_until_it_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = child::Process::start("holder", dir.path());
    assert_eq!(first.line().as_deref(), Some("mine"));
    let taken = Owner::try_take(dir.path()).unwrap();
    assert!(matches!(taken, Taken::Held { pid } if pid == Some(first.pid())), "{taken:?}");

    let mut second = child::Process::start("holder", dir.path());
    first.kill();
    assert_eq!(second.line().as_deref(), Some("mine"), "taken over");
    let taken = Owner::try_take(dir.path()).unwrap();
    assert!(matches!(taken, Taken::Held { pid } if pid == Some(second.pid())), "{taken:?}");
    second.kill();
    assert!(matches!(Owner::try_take(dir.path()).unwrap(), Taken::Owner(_)));
}

#[test]
fn an_owner_that_lets_go_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let Taken::Owner(owner) = Owner::try_take(dir.path()).unwrap() else { panic!("held") };
    assert!(owner.is_valid());
    assert_eq!(owner.dir(), dir.path());
    let (send, receive) = mpsc::channel();
    let path = dir.path().to_owned();
    let waiter = std::thread::spawn(move || send.send(Owner::wait(&path).unwrap()));
    assert!(matches!(Owner::try_take(dir.path()).unwrap(), Taken::Held { .. }));
    assert!(receive.try_recv().is_err());
    drop(owner);
    let next = receive.recv_timeout(PATIENCE).unwrap();
    waiter.join().unwrap().unwrap();
    assert!(next.is_valid());
}

#[test]
#[cfg(unix)]
fn a_lock_file_that_was_removed_is_no_lock() {
    let dir = tempfile::tempdir().unwrap();
    let Taken::Owner(owner) = Owner::try_take(dir.path()).unwrap() else { panic!("held") };
    std::fs::remove_file(dir.path().join("owner.lock")).unwrap();
    assert!(!owner.is_valid());
    let Taken::Owner(next) = Owner::try_take(dir.path()).unwrap() else { panic!("held") };
    assert!(next.is_valid());
    std::fs::remove_dir_all(dir.path()).unwrap();
    let error = Owner::try_take(dir.path()).unwrap_err().to_string();
    assert!(error.contains("the folder is gone"), "{error}");
}
