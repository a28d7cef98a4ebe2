//! What an edit leaves of a file's bytes, from the request to the disk.

use redline_tests::session::strings;
use redline_tests::{Options, Session};
use serde_json::{Value, json};
use std::fs;

fn edit(session: &mut Session, old: &str, new: &str) -> Value {
    let path = session.sandbox.path("f.txt");
    session.tool("edit_file", &json!({ "path": path, "old_str": old, "new_str": new }))
}

/// A session whose workspace has `f.txt` with these bytes.
fn with_bytes(bytes: &[u8]) -> Session {
    let session = Session::start(Options::default());
    session.sandbox.write("f.txt", bytes);
    session
}

fn disk(session: &Session) -> Vec<u8> {
    fs::read(session.sandbox.path("f.txt")).unwrap()
}

/// The file is not open: the server writes it.
fn check(before: &[u8], old: &str, new: &str, want: &[u8]) {
    let mut session = with_bytes(before);
    let result = edit(&mut session, old, new);
    assert_eq!(result["status"], "done", "{result}");
    assert_eq!(disk(&session), before, "a proposal leaves the disk alone");
    session.decide("accept", &strings(&result["review"]["hunks"]));
    assert_eq!(disk(&session).escape_ascii().to_string(), want.escape_ascii().to_string());
}

#[test]
fn bytes_of_a_closed_file_survive() {
    check(
        b"\xEF\xBB\xBFone\r\ntwo\r\nthree",
        "one\ntwo",
        "one\n2",
        b"\xEF\xBB\xBFone\r\n2\r\nthree",
    );
    check(b"one\r\ntwo\nthree\r\n", "two", "2\n2b", b"one\r\n2\n2b\nthree\r\n");
    check(b"one\rtwo\rthree", "two", "2", b"one\r2\rthree");
    check(b"\xFF\xFEa\0\r\0\n\0b\0", "b", "\u{1F600}", b"\xFF\xFEa\0\r\0\n\0\x3D\xD8\x00\xDE");
    check(b"\xFE\xFF\0a\0\n", "a\n", "b\n", b"\xFE\xFF\0b\0\n");
    check(b"", "", "one\n", b"one\n");
    check(b"one", "one", "", b"");
    check(b"tab\there \x0B \x1B[0m\n", "here", "there", b"tab\tthere \x0B \x1B[0m\n");
}

#[test]
fn line_ends_of_an_open_document_survive() {
    let text = "one\r\ntwo\nthree\rfour\r\n";
    let mut session = with_bytes(text.as_bytes());
    let uri = session.open("f.txt");
    let result = edit(&mut session, "one", "1\n1b");
    session.decide("accept", &strings(&result["review"]["hunks"]));
    let want = "1\r\n1b\r\ntwo\nthree\rfour\r\n";
    assert_eq!(session.client.text(&uri), want);
    session.assert_in_sync(&uri);
    let saved =
        |client: &mut redline_tests::Client| (!client.editor.saves.is_empty()).then_some(());
    session.client.wait("the save", saved);
    assert_eq!(disk(&session), want.as_bytes());
}

#[test]
fn what_is_no_text_is_refused() {
    for (bytes, want) in [
        (&b"one\0two"[..], "binary"),
        (b"caf\xE9 one", "not valid UTF-8 at byte 3"),
        (b"\xFF\xFEo\0n", "not valid UTF-16 at byte 4"),
        (b"o\0n\0e\0\n\0", "UTF-16 without a byte order mark"),
    ] {
        let mut session = with_bytes(bytes);
        let result = edit(&mut session, "one", "two");
        assert_eq!(result["status"], "error", "{result}");
        let message = result["error"]["message"].as_str().unwrap();
        assert!(message.contains(want), "{message}");
        assert_eq!(disk(&session), bytes);
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_file_waits_for_its_user() {
    use std::os::unix::fs::PermissionsExt;
    let mut session = with_bytes(b"one\n");
    let path = session.sandbox.path("f.txt");
    let set = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    set(0o444);
    let result = edit(&mut session, "one", "two");
    let note = result["result"]["note"].as_str().unwrap();
    assert!(note.contains("The file is read-only"), "{note}");
    let hunks = strings(&result["review"]["hunks"]);
    let resolved = session.resolve(&json!({ "action": "accept", "hunks": hunks }));
    assert_eq!(resolved["resolved"], json!([]), "{resolved}");
    let failed = &resolved["failed"][0];
    assert!(failed.to_string().contains("make it writable first"), "{resolved}");
    assert_eq!(disk(&session), b"one\n");
    set(0o600);
    session.decide("accept", &hunks);
    assert_eq!(disk(&session), b"two\n");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
}

#[cfg(unix)]
#[test]
fn a_chain_of_symbolic_links_stays() {
    let mut session = Session::with_files(&[("real/target.txt", "one\n")]);
    let at = |name: &str| session.sandbox.path(name);
    std::os::unix::fs::symlink("real/target.txt", at("second.txt")).unwrap();
    std::os::unix::fs::symlink("second.txt", at("f.txt")).unwrap();
    let result = edit(&mut session, "one", "two");
    session.decide("accept", &strings(&result["review"]["hunks"]));
    assert_eq!(session.sandbox.disk("real/target.txt"), "two\n");
    for name in ["f.txt", "second.txt"] {
        assert!(fs::symlink_metadata(session.sandbox.path(name)).unwrap().is_symlink());
    }
}

#[test]
fn a_line_of_ten_megabytes() {
    let line = |word: &str| {
        let half = "0123456789 abc,def;".repeat(5_000_000 / 19);
        format!("{half}{word}{half}\n").into_bytes()
    };
    let mut session = with_bytes(&line("<needle>"));
    let result = edit(&mut session, "<needle>", "<thread>");
    assert_eq!(result["result"]["lineRange"], json!([1, 1]));
    session.decide("accept", &strings(&result["review"]["hunks"]));
    assert!(disk(&session) == line("<thread>"));
}
