//! Open buffers follow the editor exactly.

use redline_tests::{Encoding, Options, Session};
use serde_json::{Value, json};

fn change(session: &mut Session, uri: &str, version: i64, changes: &[Value]) {
    let params = json!({
        "textDocument": { "uri": uri, "version": version },
        "contentChanges": changes,
    });
    session.client.notify("textDocument/didChange", &params);
}

fn replace(start: (u32, u32), end: (u32, u32), text: &str) -> Value {
    json!({
        "range": {
            "start": { "line": start.0, "character": start.1 },
            "end": { "line": end.0, "character": end.1 },
        },
        "text": text,
    })
}

/// One notification with `changes` (utf-16 positions) makes `before` into `after`.
fn check(before: &str, changes: &[Value], after: &str) {
    let mut session = Session::with_files(&[("a.txt", before)]);
    let uri = session.open("a.txt");
    change(&mut session, &uri, 2, changes);
    assert_eq!(session.content(&uri, "editor"), after);
    assert_eq!(session.content(&uri, "agent"), after);
    assert_eq!(session.content(&uri, "base"), after);
}

#[test]
fn a_buffer_is_what_was_opened_not_what_is_on_disk() {
    let mut session = Session::with_files(&[("a.txt", "disk\n")]);
    let path = session.sandbox.path("a.txt");
    let uri = session.client.open_as(&path, "unsaved\n");
    assert_eq!(session.content(&uri, "editor"), "unsaved\n");
    let read = session.tool("Read", &json!({ "path": path }));
    assert_eq!(read["result"], "1: unsaved");
}

#[test]
fn incremental_changes_apply_in_order() {
    check("one\ntwo\n", &[replace((0, 0), (0, 3), "1")], "1\ntwo\n");
    let two = [replace((0, 0), (0, 0), "zero\n"), replace((1, 0), (1, 3), "eins")];
    check("one\ntwo\n", &two, "zero\neins\ntwo\n");
    check("one\ntwo\n", &[replace((0, 3), (1, 0), "")], "onetwo\n");
    check("", &[replace((0, 0), (0, 0), "first")], "first");
}

#[test]
fn a_full_change_replaces_everything() {
    check("one\ntwo\n", &[json!({ "text": "drei" })], "drei");
    check("one\n", &[json!({ "text": "a\nb\n" }), replace((1, 0), (1, 1), "B")], "a\nB\n");
}

#[test]
fn crlf_stays_crlf() {
    check("one\r\ntwo\r\n", &[replace((1, 0), (1, 3), "2")], "one\r\n2\r\n");
    check("one\r\ntwo\r\n", &[replace((0, 3), (1, 0), " ")], "one two\r\n");
}

#[test]
fn astral_characters_count_in_the_negotiated_encoding() {
    for (encoding, character) in [(Encoding::Utf8, 5), (Encoding::Utf16, 3), (Encoding::Utf32, 2)] {
        let options = Options { encodings: vec![encoding], ..Options::default() };
        let mut session = Session::with(&[("a.txt", "a😀b\nz\n")], options);
        let uri = session.open("a.txt");
        let edit = replace((0, character), (0, character + 1), "B");
        change(&mut session, &uri, 2, &[edit]);
        assert_eq!(session.content(&uri, "editor"), "a😀B\nz\n", "{encoding:?}");
    }
}

#[test]
fn ranges_beyond_the_end_are_clamped() {
    check("ab\ncd\n", &[replace((0, 1), (0, 99), "X")], "aX\ncd\n");
    check("ab\ncd", &[replace((1, 2), (99, 0), "!")], "ab\ncd!");
    check("ab\n", &[replace((50, 7), (60, 9), "end")], "ab\nend");
}

#[test]
fn versions_may_jump() {
    let mut session = Session::with_files(&[("a.txt", "a\n")]);
    let uri = session.open("a.txt");
    for (version, text) in [(7, "x"), (8, "y"), (4000, "z")] {
        change(&mut session, &uri, version, &[replace((0, 0), (0, 1), text)]);
    }
    assert_eq!(session.content(&uri, "editor"), "z\n");
}

#[test]
fn a_change_of_a_file_that_is_not_open_loses_nothing() {
    let mut session = Session::with_files(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let open = session.open("a.txt");
    let closed = session.uri("b.txt");
    change(&mut session, &closed, 2, &[json!({ "text": "lost?\n" })]);
    session.assert_in_sync(&open);
    assert_eq!(session.sandbox.disk("b.txt"), "b\n");
    session.client.take_messages();
}

#[test]
fn after_a_close_the_disk_counts_again() {
    let mut session = Session::with_files(&[("a.txt", "disk\n")]);
    let path = session.sandbox.path("a.txt");
    let uri = session.client.open_as(&path, "unsaved\n");
    let params = json!({ "textDocument": { "uri": uri } });
    session.client.notify("textDocument/didClose", &params);
    let read = session.tool("Read", &json!({ "path": path }));
    assert_eq!(read["result"], "1: disk");
}

#[test]
fn typing_of_many_kinds_keeps_both_sides_equal() {
    for (encoding, full_sync, versions) in [
        (Encoding::Utf8, false, (0, 3)),
        (Encoding::Utf16, false, (1, 1)),
        (Encoding::Utf32, false, (0, 1)),
        (Encoding::Utf16, true, (0, 2)),
    ] {
        let options =
            Options { encodings: vec![encoding], full_sync, versions, ..Options::default() };
        let mut session = Session::with(&[("ä b.txt", "é😀x\r\nzwei\nno eol")], options);
        let uri = session.open("ä b.txt");
        session.client.type_before(&uri, "x", "𝄞");
        session.client.replace(&uri, "\r\n", "\n");
        session.client.type_before(&uri, "no eol", "\r\n\r\n");
        session.client.replace(&uri, "no eol", "");
        session.client.replace(&uri, "é😀", "");
        session.assert_in_sync(&uri);
    }
}

/// Another program changes the file of a clean buffer; the editor loads it anew and tells that as the
/// smallest edit, as VS Code does. The proposal is in conflict: nobody typed inside it.
#[test]
fn a_reload_that_looks_like_typing_is_told_by_the_disk() {
    let mut session = Session::with_files(&[("a.txt", "one\ntwo\nthree\n")]);
    let uri = session.open("a.txt");
    let hunk = session.edit("a.txt", "two", "2").remove(0);
    session.sandbox.write("a.txt", "one\nother\nthree\n");
    session.client.replace(&uri, "two", "other");
    session.hunk_in_state(&uri, &hunk, "conflict");
    assert_eq!(session.content(&uri, "editor"), "one\nother\nthree\n");
}
