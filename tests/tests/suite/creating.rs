//! `create_file`: a pending file is exactly one hunk; accepting makes it and its folders.

use redline_tests::Session;
use redline_tests::session::strings;
use serde_json::{Value, json};

fn create(session: &mut Session, file: &str, content: &str) -> Value {
    let path = session.sandbox.path(file);
    session.tool("create_file", &json!({ "path": path, "content": content }))
}

#[test]
fn a_new_file_is_one_hunk_and_not_on_disk() {
    let mut session = Session::with_files(&[]);
    let result = create(&mut session, "new/deep/a.txt", "one\ntwo");
    assert_eq!(result["status"], "done", "{result}");
    assert_eq!(result["review"]["state"], "pending");
    assert!(!session.sandbox.path("new").exists(), "no folder before the accept");
    let uri = session.uri("new/deep/a.txt");
    let hunk = session.pending(&uri, 1).remove(0);
    assert_eq!((&hunk["oldText"], &hunk["newText"]), (&json!(""), &json!("one\ntwo\n")));
    assert_eq!(session.client.review(&uri).unwrap()["change"], "created");
    assert_eq!(session.content(&uri, "agent"), "one\ntwo\n");

    let hunks = strings(&result["review"]["hunks"]);
    session.decide("accept", &hunks);
    assert_eq!(session.sandbox.disk("new/deep/a.txt"), "one\ntwo\n");
}

#[test]
fn rejecting_a_new_file_leaves_no_folder() {
    let mut session = Session::with_files(&[]);
    let result = create(&mut session, "new/a.txt", "one\n");
    session.decide("reject", &strings(&result["review"]["hunks"]));
    assert!(!session.sandbox.path("new").exists());
    let path = session.sandbox.path("new/a.txt");
    let read = session.tool("Read", &json!({ "path": path }));
    assert_eq!(read["status"], "error", "{read}");
}

#[test]
fn an_edit_of_a_pending_file_amends_its_hunk() {
    let mut session = Session::with_files(&[]);
    let result = create(&mut session, "a.txt", "one\ntwo\n");
    let hunks = strings(&result["review"]["hunks"]);
    session.edit("a.txt", "two", "zwei");
    let uri = session.uri("a.txt");
    let review = session.hunks_when(&uri, "the amended text", |hunks| {
        hunks.len() == 1 && hunks[0]["newText"] == "one\nzwei\n"
    });
    assert_eq!(review[0]["id"], json!(hunks[0]));
    session.decide("accept", &hunks);
    assert_eq!(session.sandbox.disk("a.txt"), "one\nzwei\n");
}

#[test]
fn an_empty_file_is_a_hunk_too() {
    let mut session = Session::with_files(&[]);
    let result = create(&mut session, "empty.txt", "");
    let hunks = strings(&result["review"]["hunks"]);
    assert_eq!(hunks.len(), 1, "{result}");
    session.decide("accept", &hunks);
    assert_eq!(session.sandbox.disk("empty.txt"), "");
}

#[test]
fn an_overwrite_is_a_minimal_diff() {
    let mut session = Session::with_files(&[("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")]);
    let uri = session.open("a.txt");
    let result = create(&mut session, "a.txt", "1\ntwo\n3\n4\n5\n6\n7\neight\n9\n");
    assert_eq!(result["status"], "done", "{result}");
    let hunks = session.pending(&uri, 2);
    assert_eq!(session.client.review(&uri).unwrap()["change"], "modified");
    assert_eq!((&hunks[0]["oldText"], &hunks[0]["newText"]), (&json!("2\n"), &json!("two\n")));
    session.resolve(&json!({ "action": "accept", "uri": uri }));
    assert_eq!(session.client.text(&uri), "1\ntwo\n3\n4\n5\n6\n7\neight\n9\n");
    session.assert_in_sync(&uri);
}

#[test]
fn an_accepted_new_file_can_be_opened_and_edited() {
    let mut session = Session::with_files(&[]);
    let result = create(&mut session, "a.txt", "one\n");
    session.decide("accept", &strings(&result["review"]["hunks"]));
    let uri = session.open("a.txt");
    session.assert_in_sync(&uri);
    let hunks = session.edit("a.txt", "one", "two");
    session.decide("accept", &hunks);
    assert_eq!(session.client.text(&uri), "two\n");
}
