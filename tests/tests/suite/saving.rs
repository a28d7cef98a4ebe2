//! After an accept the file is saved, unless the user has unsaved typing of their own there.

use redline_tests::{Options, Session};
use serde_json::json;
use std::fs;

const FILE: &str = "one\ntwo\nthree\nfour\n";

#[test]
fn an_accept_saves_through_the_editor() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let hunks = session.edit("a.txt", "two", "TWO");
    session.decide("accept", &hunks);
    session.client.wait("the save", |client| (!client.editor.saves.is_empty()).then_some(()));
    assert_eq!(session.client.editor.saves, [[uri.clone()]]);
    assert_eq!(session.sandbox.disk("a.txt"), FILE.replace("two", "TWO"));
    session.assert_in_sync(&uri);
}

#[test]
fn unsaved_typing_of_the_user_is_never_saved_for_them() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    session.client.type_before(&uri, "four", "unsaved ");
    let hunks = session.edit("a.txt", "two", "TWO");
    session.decide("accept", &hunks);
    session.client.call("redline/status", &json!({}));
    assert!(session.client.editor.saves.is_empty());
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
    assert_eq!(session.client.text(&uri), "one\nTWO\nthree\nunsaved four\n");
}

#[test]
fn after_the_users_own_save_accepts_save_again() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    session.client.type_before(&uri, "four", "saved ");
    for (method, params) in session.client.editor.save(std::slice::from_ref(&uri)).notifications {
        session.client.notify(method, &params);
    }
    session.client.editor.saves.clear();
    let hunks = session.edit("a.txt", "two", "TWO");
    session.decide("accept", &hunks);
    session.client.wait("the save", |client| (!client.editor.saves.is_empty()).then_some(()));
    assert_eq!(session.sandbox.disk("a.txt"), "one\nTWO\nthree\nsaved four\n");
}

#[test]
fn save_on_accept_can_be_turned_off() {
    let options = Options { settings: json!({ "saveOnAccept": false }), ..Options::default() };
    let mut session = Session::with(&[("a.txt", FILE)], options);
    session.open("a.txt");
    let hunks = session.edit("a.txt", "two", "TWO");
    session.decide("accept", &hunks);
    session.client.call("redline/status", &json!({}));
    assert!(session.client.editor.saves.is_empty());
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
}

#[test]
fn a_file_that_is_not_open_is_written_to_disk() {
    let mut session = Session::with_files(&[("src/a.txt", FILE)]);
    let hunks = session.edit("src/a.txt", "two", "TWO");
    assert_eq!(session.sandbox.disk("src/a.txt"), FILE, "a proposal leaves the disk alone");
    session.decide("accept", &hunks);
    assert_eq!(session.sandbox.disk("src/a.txt"), FILE.replace("two", "TWO"));
    assert!(session.client.editor.edits.is_empty(), "no edit of a buffer that is not open");
    let names: Vec<_> = fs::read_dir(session.sandbox.path("src")).unwrap().collect();
    assert_eq!(names.len(), 1, "no temporary file stays: {names:?}");
}

#[cfg(unix)]
#[test]
fn the_mode_and_a_symbolic_link_survive_a_write() {
    use std::os::unix::fs::PermissionsExt;
    let mut session = Session::with_files(&[("run.sh", "echo one\n")]);
    let path = session.sandbox.path("run.sh");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    std::os::unix::fs::symlink(&path, session.sandbox.path("link.sh")).unwrap();
    let hunks = session.edit("link.sh", "one", "two");
    session.decide("accept", &hunks);
    assert_eq!(session.sandbox.disk("run.sh"), "echo two\n");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o750);
    assert!(fs::symlink_metadata(session.sandbox.path("link.sh")).unwrap().is_symlink());
}

#[test]
fn bom_and_crlf_of_a_closed_file_survive() {
    let mut session = Session::with_files(&[("a.txt", "\u{feff}one\r\ntwo\r\nthree")]);
    let hunks = session.edit("a.txt", "two", "2\nand a half");
    session.decide("accept", &hunks);
    assert_eq!(session.sandbox.disk("a.txt"), "\u{feff}one\r\n2\r\nand a half\r\nthree");
}
