//! `delete_file`: a pending deletion is exactly one hunk; accepting removes the file, and no buffer.

use std::os::unix::fs::PermissionsExt;

use redline_tests::plain::Plain;
use redline_tests::session::strings;
use redline_tests::{Options, Script, Session};
use serde_json::{Value, json};

const FILE: &str = "one\ntwo\nthree\n";

fn delete(session: &mut Session, file: &str) -> Vec<String> {
    let path = session.sandbox.path(file);
    let result = session.tool("delete_file", &json!({ "path": path }));
    assert_eq!(result["status"], "done", "{result}");
    strings(&result["review"]["hunks"])
}

fn script() -> Script {
    let args = json!({ "path": "${workspace}/a.txt" });
    Script::new().call(&[("c1", "delete_file", args)])
}

fn is_there(session: &Session, file: &str) -> bool {
    session.sandbox.path(file).exists()
}

#[test]
fn a_deleted_file_is_one_hunk_and_on_disk() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let hunks = delete(&mut session, "a.txt");
    let uri = session.uri("a.txt");
    let hunk = session.pending(&uri, 1).remove(0);
    assert_eq!((&hunk["oldText"], &hunk["newText"]), (&json!(FILE), &json!("")));
    assert_eq!(hunk["range"]["end"], json!({ "line": 3, "character": 0 }));
    assert_eq!(hunk["origin"]["tool"], "delete_file");
    assert_eq!(session.client.review(&uri).unwrap()["change"], "deleted");
    assert_eq!(session.content(&uri, "editor"), FILE);
    let params = json!({ "uri": uri, "projection": "agent" });
    assert_eq!(session.client.call("redline/content", &params), Value::Null);
    assert_eq!(session.sandbox.disk("a.txt"), FILE);

    session.decide("reject", &hunks);
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
    session.decide("reopen", &hunks);
    session.decide("accept", &hunks);
    assert!(!is_there(&session, "a.txt"));
}

#[test]
fn a_deletion_is_taken_back_with_bytes_and_mode() {
    let bytes = b"\xEF\xBB\xBFone\r\n\xC3\xA9";
    let mut session = Session::with_files(&[]);
    let path = session.sandbox.path("a.txt");
    std::fs::write(&path, bytes).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o751)).unwrap();
    let hunks = delete(&mut session, "a.txt");
    session.decide("accept", &hunks);
    assert!(!is_there(&session, "a.txt"));
    // Also after the process was killed.
    let mut session = session.restart();
    session.decide("reopen", &hunks);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o751);
}

#[test]
fn an_open_document_keeps_its_text() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let hunks = delete(&mut session, "a.txt");
    session.decide("accept", &hunks);
    assert!(!is_there(&session, "a.txt"));
    assert!(session.client.editor.edits.is_empty() && session.client.editor.saves.is_empty());
    assert_eq!(session.client.text(&uri), FILE);
    session.assert_in_sync(&uri);
    let path = session.sandbox.path("a.txt");
    let read = session.tool("Read", &json!({ "path": path }));
    assert_eq!(read["status"], "error", "{read}");
    let hunk = session.hunk_in_state(&uri, &hunks[0], "accepted");
    assert_eq!((&hunk["oldText"], &hunk["newText"]), (&json!(FILE), &json!("")));
    session.decide("reopen", &hunks);
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
}

#[test]
fn what_the_user_types_keeps_the_file() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let hunks = delete(&mut session, "a.txt");
    session.client.type_before(&uri, "two", "mine ");
    let result = session.resolve(&json!({ "action": "accept", "hunks": hunks }));
    assert_eq!(result["failed"][0]["hunk"], json!(hunks[0]), "{result}");
    let reason = result["failed"][0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("the file has changed since its deletion was proposed"), "{reason}");
    assert!(is_there(&session, "a.txt"));
    assert_eq!(session.client.text(&uri), FILE.replace("two", "mine two"));
    session.decide("reject", &hunks);
}

#[test]
fn a_file_that_changed_on_disk_is_not_deleted() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let hunks = delete(&mut session, "a.txt");
    session.sandbox.write("a.txt", "other\n");
    let result = session.resolve(&json!({ "action": "accept", "hunks": hunks }));
    assert_eq!(result["failed"][0]["hunk"], json!(hunks[0]), "{result}");
    assert_eq!(session.sandbox.disk("a.txt"), "other\n");
    let uri = session.uri("a.txt");
    session.hunk_in_state(&uri, &hunks[0], "conflict");
}

#[test]
fn a_deletion_survives_a_kill() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    session.edit("a.txt", "two", "2");
    let hunks = delete(&mut session, "a.txt");
    let mut session = session.restart();
    let uri = session.uri("a.txt");
    let listed = session.listed(&uri);
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!((&listed[0]["id"], &listed[0]["state"]), (&json!(hunks[0]), &json!("pending")));
    session.decide("accept", &hunks);
    assert!(!is_there(&session, "a.txt"));
}

#[test]
fn a_turn_that_deleted_a_file_is_taken_back() {
    let script = script().say("Gone.").say("I see.");
    let mut session = Session::with(&[("a.txt", FILE)], Options::default().script(script));
    session.prompt("delete it");
    let uri = session.uri("a.txt");
    let hunks = vec![session.pending(&uri, 1)[0]["id"].as_str().unwrap().to_owned()];
    session.decide("accept", &hunks);
    assert!(!is_there(&session, "a.txt"));
    session.prompt("and now?");
    let told = session.told_since("and now?");
    assert!(told.iter().any(|line| line.starts_with("accepted the deletion of a.txt")), "{told:?}");
    let thread = session.thread.clone().unwrap();
    let params = json!({ "threadId": thread, "turn": 1 });
    let result = session.client.call("redline/rewind", &params);
    assert_eq!(result["files"], json!([uri]), "{result}");
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
}

/// An editor without a plugin: marks, actions and commands, on a file that is open and on one that
/// is not.
#[test]
fn plain_clients_decide_deletions() {
    for (editor, open) in [(Plain::Helix, true), (Plain::Eglot, true), (Plain::Helix, false)] {
        let script = script().say("Look.");
        let mut session = Session::with(&[("a.txt", FILE)], editor.options().script(script));
        let uri = if open { session.open("a.txt") } else { session.uri("a.txt") };
        let said = session.prompt_by_command("tidy up");
        assert_eq!(said, "Look.\nProposals wait for your review: a.txt (to be deleted)");
        if open {
            let marks = session.marked(&uri, &[0]);
            let message = marks[0]["message"].as_str().unwrap();
            let want = "proposal 1 of 1: the file goes\n-one\n-two\n-three";
            assert_eq!(message, want);
            session.act(&uri, 1, "accept 1 of 1");
        } else {
            session.command("redline.accept", &json!(["h1"]));
        }
        let path = session.sandbox.path("a.txt");
        session.client.wait("the file to go", |_| (!path.exists()).then_some(()));
        session.command("redline.reopen", &json!(["h1"]));
        session.client.wait("the file", |_| path.exists().then_some(()));
        assert_eq!(session.sandbox.disk("a.txt"), FILE);
    }
}
