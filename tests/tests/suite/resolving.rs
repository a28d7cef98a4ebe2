//! Reject, reopen, drop, final text; ids and revisions that are stale.

use redline_tests::Session;
use redline_tests::session::strings;
use serde_json::json;

const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

fn with_two_hunks() -> (Session, String, Vec<String>, Vec<String>) {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let first = session.edit("a.txt", "two", "TWO");
    let second = session.edit("a.txt", "six", "SIX");
    (session, uri, first, second)
}

#[test]
fn reject_leaves_the_buffer_and_the_agent_without_it() {
    let (mut session, uri, first, second) = with_two_hunks();
    session.decide("reject", &first);
    session.hunk_in_state(&uri, &first[0], "rejected");
    session.hunk_in_state(&uri, &second[0], "pending");
    assert_eq!(session.client.text(&uri), FILE);
    assert_eq!(session.content(&uri, "agent"), FILE.replace("six", "SIX"));
    assert!(session.client.editor.edits.is_empty());
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
}

#[test]
fn reject_of_a_file_and_of_everything() {
    let (mut session, uri, ..) = with_two_hunks();
    let result = session.resolve(&json!({ "action": "reject", "uri": uri }));
    assert_eq!(strings(&result["resolved"]).len(), 2);
    session.edit("a.txt", "two", "TWO");
    let result = session.resolve(&json!({ "action": "reject" }));
    assert_eq!(strings(&result["resolved"]).len(), 1);
    assert_eq!(session.client.text(&uri), FILE);
    assert_eq!(session.content(&uri, "agent"), FILE);
}

#[test]
fn a_rejected_hunk_can_be_reopened() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.decide("reject", &first);
    session.decide("reopen", &first);
    let hunk = session.hunk_in_state(&uri, &first[0], "pending");
    assert_eq!((&hunk["oldText"], &hunk["newText"]), (&json!("two\n"), &json!("TWO\n")));
    session.decide("accept", &first);
    assert_eq!(session.client.text(&uri), FILE.replace("two", "TWO"));
}

#[test]
fn an_accepted_hunk_can_be_reopened() {
    let (mut session, uri, first, second) = with_two_hunks();
    session.decide("accept", &first);
    session.client.wait("the save", |client| (!client.editor.saves.is_empty()).then_some(()));
    session.decide("reopen", &first);
    session.hunk_in_state(&uri, &first[0], "pending");
    session.hunk_in_state(&uri, &second[0], "pending");
    assert_eq!(session.client.text(&uri), FILE);
    session.assert_in_sync(&uri);
    assert_eq!(session.content(&uri, "agent"), FILE.replace("two", "TWO").replace("six", "SIX"));
    session.client.wait("the second save", |client| (client.editor.saves.len() >= 2).then_some(()));
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
}

#[test]
fn a_reject_that_was_typed_over_cannot_be_reopened() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.decide("reject", &first);
    session.client.replace(&uri, "two", "mine");
    let result = session.resolve(&json!({ "action": "reopen", "hunks": first }));
    assert_eq!(strings(&result["stale"]), first);
    assert_eq!(result["resolved"], json!([]));
    assert_eq!(session.client.text(&uri), FILE.replace("two", "mine"));
}

#[test]
fn an_unknown_id_is_stale_and_changes_nothing() {
    let (mut session, uri, first, _) = with_two_hunks();
    for action in ["accept", "reject", "reopen"] {
        let result = session.resolve(&json!({ "action": action, "hunks": ["no-such-hunk"] }));
        assert_eq!(strings(&result["stale"]), ["no-such-hunk"], "{action}");
        assert_eq!(result["resolved"], json!([]), "{action}");
    }
    session.hunk_in_state(&uri, &first[0], "pending");
    assert_eq!(session.client.text(&uri), FILE);
}

#[test]
fn a_stale_revision_changes_nothing() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.pending(&uri, 2);
    let old = session.client.review(&uri).unwrap()["revision"].clone();
    session.edit("a.txt", "four", "FOUR");
    session.pending(&uri, 3);
    let accept = json!({ "action": "accept", "uri": uri, "hunks": first, "revision": old });
    let result = session.resolve(&accept);
    assert_eq!(result["resolved"], json!([]), "{result}");
    assert_eq!(strings(&result["stale"]), first);
    assert_eq!(session.client.text(&uri), FILE);

    let now = session.client.review(&uri).unwrap()["revision"].clone();
    let accept = json!({ "action": "accept", "uri": uri, "hunks": first, "revision": now });
    assert_eq!(strings(&session.resolve(&accept)["resolved"]), first);
}

#[test]
fn typing_elsewhere_never_makes_a_revision_stale() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.pending(&uri, 2);
    let revision = session.client.review(&uri).unwrap()["revision"].clone();
    session.client.type_before(&uri, "one", "zero\n");
    let accept = json!({ "action": "accept", "uri": uri, "hunks": first, "revision": revision });
    assert_eq!(strings(&session.resolve(&accept)["resolved"]), first);
}

#[test]
fn a_revision_needs_a_uri() {
    let (mut session, ..) = with_two_hunks();
    let params = json!({ "action": "accept", "revision": 1 });
    let (code, message) = session.client.refused("redline/resolve", &params);
    assert_eq!(code, -32602);
    assert!(message.contains("uri"), "{message}");
}

#[test]
fn final_text_replaces_the_hunks_lines() {
    let (mut session, uri, first, _) = with_two_hunks();
    let params = json!({ "action": "accept", "hunks": first, "finalText": "TWO and mine\n" });
    let result = session.resolve(&params);
    assert_eq!(strings(&result["resolved"]), first, "{result}");
    assert_eq!(session.client.text(&uri), FILE.replace("two", "TWO and mine"));
    session.assert_in_sync(&uri);
    let result = session.resolve(&json!({ "action": "reopen", "hunks": first }));
    assert_eq!(strings(&result["stale"]), first, "can't be reopened");
}

#[test]
fn final_text_equal_to_the_old_text_is_a_reject() {
    let (mut session, uri, first, _) = with_two_hunks();
    let params = json!({ "action": "accept", "hunks": first, "finalText": "two\n" });
    assert_eq!(strings(&session.resolve(&params)["resolved"]), first);
    assert_eq!(session.client.text(&uri), FILE);
    assert_eq!(session.content(&uri, "agent"), FILE.replace("six", "SIX"));
}

#[test]
fn final_text_needs_exactly_one_hunk() {
    let (mut session, _, first, second) = with_two_hunks();
    let hunks = [first, second].concat();
    let params = json!({ "action": "accept", "hunks": hunks, "finalText": "x\n" });
    let (code, message) = session.client.refused("redline/resolve", &params);
    assert_eq!(code, -32602);
    assert!(message.contains("finalText"), "{message}");
}

#[test]
fn drop_takes_the_users_text_inside_too() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.client.type_before(&uri, "wo\n", "MINE");
    session.hunks_when(&uri, "a mixed hunk", |hunks| hunks.iter().any(|h| h["mixed"] == true));
    session.decide("drop", &first);
    assert_eq!(session.client.text(&uri), FILE);
    session.assert_in_sync(&uri);
}
