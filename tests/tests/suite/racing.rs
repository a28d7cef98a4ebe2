//! Edits in flight: stale versions, lying clients, decisions that queue.

use redline_tests::session::strings;
use redline_tests::{OnEdit, Session};
use serde_json::{Value, json};
use std::time::Duration;

const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

fn with_two_hunks() -> (Session, String, Vec<String>, Vec<String>) {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let first = session.edit("a.txt", "two", "TWO");
    let second = session.edit("a.txt", "six", "SIX");
    (session, uri, first, second)
}

fn accept(hunks: &[String]) -> Value {
    json!({ "action": "accept", "hunks": hunks })
}

/// Waits for an answer longer than usual: the server may give a slow editor its time first.
fn patient(session: &mut Session, params: &Value) -> Value {
    let id = session.client.begin("redline/resolve", params);
    let limit = Duration::from_secs(60);
    session.client.wait_within(limit, "the decision", |client| client.answered(id).then_some(()));
    session.client.finish(id).expect("an answer")
}

#[test]
fn an_edit_that_lost_the_race_is_sent_again() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.client.plan(&[OnEdit::Type { needle: "one", text: "typed " }]);
    session.decide("accept", &first);
    assert_eq!(session.client.text(&uri), FILE.replace("one", "typed one").replace("two", "TWO"));
    assert_eq!(session.client.editor.edits.len(), 2);
    session.assert_in_sync(&uri);
}

#[test]
fn typing_inside_the_hunk_while_its_edit_flies_is_kept() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.client.plan(&[OnEdit::Type { needle: "wo\n", text: "USER" }]);
    session.resolve(&accept(&first));
    session.assert_in_sync(&uri);
    let text = session.client.text(&uri);
    assert!(text.contains("USER"), "{text:?}");
}

#[test]
fn a_client_that_always_refuses_is_told_so() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.client.plan(&vec![OnEdit::Refuse; 20]);
    let result = patient(&mut session, &accept(&first));
    assert_eq!(result["failed"][0]["hunk"], json!(first[0]), "{result}");
    assert!(result["failed"][0]["reason"].as_str().is_some_and(|r| !r.is_empty()), "{result}");
    assert_eq!(result["resolved"], json!([]));
    session.hunk_in_state(&uri, &first[0], "pending");
    assert_eq!(session.client.text(&uri), FILE);
    let tries = session.client.editor.edits.len();
    assert!((1..=4).contains(&tries), "{tries} tries");
    session.client.take_messages();
}

#[test]
fn a_client_that_says_applied_but_is_not_is_not_believed() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.client.plan(&vec![OnEdit::Lie; 20]);
    let result = patient(&mut session, &accept(&first));
    assert_eq!(result["failed"][0]["hunk"], json!(first[0]), "{result}");
    session.hunk_in_state(&uri, &first[0], "pending");
    session.assert_in_sync(&uri);
    assert_eq!(session.content(&uri, "editor"), FILE);
    session.client.take_messages();
}

#[test]
fn after_a_failure_the_hunk_can_be_accepted() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.client.plan(&vec![OnEdit::Refuse; 20]);
    patient(&mut session, &accept(&first));
    session.client.editor.plan.clear();
    session.hunk_in_state(&uri, &first[0], "pending");
    session.decide("accept", &first);
    assert_eq!(session.client.text(&uri), FILE.replace("two", "TWO"));
    session.client.take_messages();
}

#[test]
fn decisions_wait_while_an_edit_is_in_flight() {
    let (mut session, uri, first, second) = with_two_hunks();
    session.client.plan(&[OnEdit::Hold]);
    let one = session.client.begin("redline/resolve", &accept(&first));
    session.client.wait("the edit", |client| client.holds_edit().then_some(()));
    session.hunk_in_state(&uri, &first[0], "accepting");
    let two = session.client.begin("redline/resolve", &accept(&second));
    // A round trip: the second decision has been read, and no second edit was sent.
    session.client.call("redline/status", &json!({}));
    assert!(!session.client.answered(one) && !session.client.answered(two));
    session.client.release_edit(&OnEdit::Apply);
    let results = [one, two].map(|id| session.client.finish(id).expect("an answer"));
    assert_eq!(strings(&results[0]["resolved"]), first);
    assert_eq!(strings(&results[1]["resolved"]), second);
    assert_eq!(session.client.text(&uri), FILE.replace("two", "TWO").replace("six", "SIX"));
    session.assert_in_sync(&uri);
}

#[test]
fn typing_while_an_edit_is_in_flight_is_the_users() {
    let (mut session, uri, first, second) = with_two_hunks();
    session.client.plan(&[OnEdit::Hold]);
    let one = session.client.begin("redline/resolve", &accept(&first));
    session.client.wait("the edit", |client| client.holds_edit().then_some(()));
    session.client.type_before(&uri, "seven", "almost ");
    session.client.type_before(&uri, "one", "zero\n");
    session.client.release_edit(&OnEdit::Apply);
    let result = session.client.finish(one).expect("an answer");
    assert_eq!(strings(&result["resolved"]), first);
    let expected = "zero\none\nTWO\nthree\nfour\nfive\nsix\nalmost seven\n";
    assert_eq!(session.client.text(&uri), expected);
    session.assert_in_sync(&uri);
    session.decide("reject", &second);
    assert_eq!(session.client.text(&uri), expected);
}

#[test]
fn closing_the_buffer_while_an_edit_is_in_flight_ends_the_wait() {
    let (mut session, uri, first, _) = with_two_hunks();
    session.client.plan(&[OnEdit::Hold]);
    let one = session.client.begin("redline/resolve", &accept(&first));
    session.client.wait("the edit", |client| client.holds_edit().then_some(()));
    session.client.editor.documents.remove(&uri);
    let params = json!({ "textDocument": { "uri": uri } });
    session.client.notify("textDocument/didClose", &params);
    session.client.release_edit(&OnEdit::Refuse);
    session.client.finish(one).expect("an answer");
    let disk = session.sandbox.disk("a.txt");
    assert!([FILE.to_owned(), FILE.replace("two", "TWO")].contains(&disk), "{disk:?}");
    session.client.take_messages();
}

#[test]
fn an_edit_call_while_an_edit_is_in_flight_is_carried_through() {
    let (mut session, uri, first, second) = with_two_hunks();
    session.client.plan(&[OnEdit::Hold]);
    let one = session.client.begin("redline/resolve", &accept(&first));
    session.client.wait("the edit", |client| client.holds_edit().then_some(()));
    let third = session.edit("a.txt", "four", "FOUR");
    session.client.release_edit(&OnEdit::Split);
    session.client.finish(one).expect("an answer");
    session.decide("accept", &[second, third].concat());
    assert_eq!(session.client.text(&uri), "one\nTWO\nthree\nFOUR\nfive\nSIX\nseven\n");
    session.assert_in_sync(&uri);
}
