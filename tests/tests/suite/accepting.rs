//! Accepting: a minimal, versioned edit, confirmed by the didChange that follows.

use redline_tests::editor::text_edits;
use redline_tests::session::{id, strings};
use redline_tests::{Encoding, OnEdit, Options, Session};
use serde_json::json;

const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

#[test]
fn accept_puts_the_new_text_into_the_buffer() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let hunks = session.edit("a.txt", "two", "TWO");
    let result = session.decide("accept", &hunks);
    assert_eq!(result["failed"], json!([]));
    assert_eq!(result["stale"], json!([]));
    assert_eq!(result["mixed"], json!([]));
    assert_eq!(session.client.text(&uri), FILE.replace("two", "TWO"));
    session.assert_in_sync(&uri);
    // The review that shows it came before the answer.
    let review = session.client.review(&uri).expect("a review");
    assert_eq!(review["hunks"][0]["state"], "accepted", "{review:#}");
    assert_eq!(review["hunks"][0]["oldText"], "two\n");
    assert_eq!(review["hunks"][0]["range"]["start"]["line"], 1);
}

#[test]
fn the_edit_is_minimal_and_versioned() {
    let lines: String = (0..2000).map(|n| format!("line number {n}\n")).collect();
    let options = Options { versions: (0, 3), ..Options::default() };
    let mut session = Session::with(&[("a.txt", &lines)], options);
    let uri = session.open("a.txt");
    session.client.type_before(&uri, "line number 7\n", "typed ");
    let hunks = session.edit("a.txt", "number 1234\n", "figure 1234\n");
    let version = session.client.editor.document(&uri).version;
    session.decide("accept", &hunks);
    let edits: Vec<_> = text_edits(&session.client.editor.edits[0]).collect();
    let (edited, its_version, changes) = &edits[0];
    assert_eq!((edits.len(), edited, *its_version), (1, &uri, Some(version)));
    let size: usize = changes.iter().map(|edit| edit["newText"].as_str().unwrap().len()).sum();
    assert!(size <= "line figure 1234\n".len(), "{changes:?}");
    let lines = |edit: &serde_json::Value| {
        let line = |key: &str| edit["range"][key]["line"].as_u64().unwrap();
        line("end") - line("start")
    };
    assert!(changes.iter().all(|edit| lines(edit) <= 1), "{changes:?}");
}

#[test]
fn one_decision_is_one_edit_for_each_document() {
    for how in [OnEdit::Apply, OnEdit::Split] {
        let mut session = Session::with_files(&[("a.txt", FILE)]);
        let uri = session.open("a.txt");
        let mut hunks = session.edit("a.txt", "one", "ONE");
        hunks.extend(session.edit("a.txt", "four", "FOUR\nand a half"));
        hunks.extend(session.edit("a.txt", "seven\n", ""));
        session.client.plan(std::slice::from_ref(&how));
        session.decide("accept", &hunks);
        let expected = "ONE\ntwo\nthree\nFOUR\nand a half\nfive\nsix\n";
        assert_eq!(session.client.text(&uri), expected, "{how:?}");
        assert_eq!(session.client.editor.edits.len(), 1, "{how:?}");
        session.assert_in_sync(&uri);
        for hunk in &hunks {
            session.hunk_in_state(&uri, hunk, "accepted");
        }
    }
}

#[test]
fn every_encoding_edits_the_right_place() {
    for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
        let options = Options { encodings: vec![encoding], ..Options::default() };
        let mut session = Session::with(&[("a.txt", "x\n😀é old 𝄞\nz\n")], options);
        let uri = session.open("a.txt");
        let hunks = session.edit("a.txt", "old", "new");
        session.decide("accept", &hunks);
        assert_eq!(session.client.text(&uri), "x\n😀é new 𝄞\nz\n", "{encoding:?}");
        session.assert_in_sync(&uri);
    }
}

#[test]
fn a_client_that_sends_whole_texts_is_confirmed_too() {
    let options = Options { full_sync: true, ..Options::default() };
    let mut session = Session::with(&[("a.txt", FILE)], options);
    let uri = session.open("a.txt");
    let first = session.edit("a.txt", "two", "TWO");
    let second = session.edit("a.txt", "six", "SIX");
    session.client.replace(&uri, "four", "vier");
    session.decide("accept", &second);
    session.client.type_before(&uri, "one", "zero\n");
    session.decide("accept", &first);
    assert_eq!(session.client.text(&uri), "zero\none\nTWO\nthree\nvier\nfive\nSIX\nseven\n");
    session.assert_in_sync(&uri);
}

#[test]
fn line_ends_and_the_missing_last_one_survive() {
    let check = |before: &str, old: &str, new: &str, after: &str| {
        let mut session = Session::with_files(&[("a.txt", before)]);
        let uri = session.open("a.txt");
        let hunks = session.edit("a.txt", old, new);
        assert_eq!(session.content(&uri, "agent"), after);
        session.decide("accept", &hunks);
        assert_eq!(session.client.text(&uri), after);
        session.assert_in_sync(&uri);
    };
    check("a\r\nb\r\nc\r\n", "b", "B1\nB2", "a\r\nB1\r\nB2\r\nc\r\n");
    check("a\nb", "b", "b\nc", "a\nb\nc");
    check("a\nb", "a\n", "", "b");
    check("a\n", "a\n", "$& \\1 $1\n", "$& \\1 $1\n");
}

#[test]
fn everything_of_a_file_or_of_all_files() {
    let mut session = Session::with_files(&[("a.txt", FILE), ("b.txt", FILE), ("c.txt", FILE)]);
    let (a, b) = (session.open("a.txt"), session.open("b.txt"));
    let mut of_a = session.edit("a.txt", "two", "TWO");
    of_a.extend(session.edit("a.txt", "six", "SIX"));
    session.edit("b.txt", "two", "TWO");
    session.edit("c.txt", "two", "TWO");

    let result = session.resolve(&json!({ "action": "accept", "uri": a }));
    let mut resolved = strings(&result["resolved"]);
    resolved.sort();
    of_a.sort();
    assert_eq!(resolved, of_a);
    assert_eq!(session.client.text(&a), FILE.replace("two", "TWO").replace("six", "SIX"));
    assert_eq!(session.client.text(&b), FILE);

    let result = session.resolve(&json!({ "action": "accept" }));
    assert_eq!(strings(&result["resolved"]).len(), 2);
    assert_eq!(session.client.text(&b), FILE.replace("two", "TWO"));
    assert_eq!(session.sandbox.disk("c.txt"), FILE.replace("two", "TWO"));
    let status = session.client.call("redline/status", &json!({}));
    assert_eq!(status["pendingHunks"], 0);
}

#[test]
fn deciding_one_hunk_changes_no_other() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let first = session.edit("a.txt", "one", "0\n1");
    let second = session.edit("a.txt", "four", "4");
    let third = session.edit("a.txt", "seven", "7");
    session.decide("accept", &first);
    session.decide("reject", &second);
    let left = session.pending(&uri, 1).remove(0);
    assert_eq!(id(&left), third[0]);
    assert_eq!((&left["oldText"], &left["newText"]), (&json!("seven\n"), &json!("7\n")));
    assert_eq!(left["range"]["start"]["line"], 7);
}
