//! The agent is told in its next turn what was decided.

use redline_tests::session::id;
use redline_tests::{Options, Script, Session};
use serde_json::{Value, json};

const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

fn script() -> Script {
    Script::new()
        .edit("c1", "a.txt", "two\nthree", "TWO\nTHREE")
        .edit("c2", "a.txt", "six", "SIX")
        .edit("c3", "a.txt", "nine", "NINE")
        .say("Look.")
        .say("I see.")
        .say("Bye.")
}

/// A session after its first turn, and the hunk of each call.
fn first_turn() -> (Session, String, impl Fn(&str) -> String) {
    let mut session = Session::with(&[("a.txt", FILE)], Options::default().script(script()));
    let uri = session.open("a.txt");
    session.prompt("first prompt");
    let hunks = session.pending(&uri, 3);
    let of = move |call: &str| {
        let made = |hunk: &&Value| hunk["origin"]["toolCallId"] == call;
        id(hunks.iter().find(made).expect("a hunk of the call"))
    };
    (session, uri, of)
}

#[test]
fn decisions_and_comments_reach_the_next_turn() {
    let (mut session, uri, of) = first_turn();
    session.decide("accept", &[of("c1")]);
    let reject = json!({
        "action": "reject", "hunks": [of("c2")], "comment": "keep it \"small\" please",
    });
    session.resolve(&reject);
    let end = session.prompt("second prompt");
    assert!(["done", "awaitingReview"].iter().any(|r| end["reason"] == *r), "{end}");

    let told = session.told_since("second prompt");
    let line = |start: &str, call: &str| {
        let found = told.iter().find(|l| l.starts_with(start) && l.contains(&format!("({call})")));
        found.unwrap_or_else(|| panic!("no {start} of {call} in {told:#?}")).clone()
    };
    let accepted = line("accepted ", "c1");
    assert!(accepted.contains("a.txt:2-3 (c1)"), "{accepted}");
    let rejected = line("rejected ", "c2");
    assert!(rejected.contains("a.txt:") && rejected.contains("keep it"), "{rejected}");
    assert!(rejected.contains(": \""), "the comment is quoted: {rejected}");
    assert!(told.iter().any(|line| line.contains("still pending: 1")), "{told:#?}");
    session.hunk_in_state(&uri, &of("c3"), "pending");
}

#[test]
fn a_decision_is_told_once() {
    let (mut session, _, of) = first_turn();
    session.decide("accept", &[of("c1")]);
    session.prompt("second prompt");
    session.prompt("third prompt");
    let told = session.told_since("third prompt");
    assert!(!told.iter().any(|line| line.starts_with("accepted ")), "{told:#?}");
}

#[test]
fn deciding_never_starts_a_turn() {
    let (mut session, _, of) = first_turn();
    let before = session.messages().len();
    session.decide("accept", &[of("c1")]);
    session.decide("reject", &[of("c2"), of("c3")]);
    assert_eq!(session.messages().len(), before);
}

#[test]
fn accepted_with_typing_inside_is_told_as_such() {
    let (mut session, uri, of) = first_turn();
    session.client.type_before(&uri, "ix\n", "MINE");
    session.decide("accept", &[of("c2")]);
    session.prompt("second prompt");
    let told = session.told_since("second prompt");
    let at = told.iter().position(|line| line.starts_with("accepted with changes "));
    let at = at.unwrap_or_else(|| panic!("{told:#?}"));
    assert!(told[at].contains("a.txt:"), "{}", told[at]);
    assert!(told[at..].iter().any(|line| line.contains("MINE")), "a diff follows: {told:#?}");
}

#[test]
fn an_edit_of_rejected_text_is_told_so() {
    let script = Script::new()
        .edit("c1", "a.txt", "two", "zwei")
        .say("Look.")
        .edit("c2", "a.txt", "zwei", "drei")
        .say("Oh.");
    let mut session = Session::with(&[("a.txt", FILE)], Options::default().script(script));
    let uri = session.open("a.txt");
    session.prompt("first prompt");
    let hunk = session.pending(&uri, 1).remove(0);
    session.decide("reject", &[id(&hunk)]);
    session.prompt("second prompt");
    let (text, is_error) = session.tool_result("c2");
    assert!(is_error && text.to_lowercase().contains("reject"), "{text}");
    assert_eq!(session.client.text(&uri), FILE);
}

#[test]
fn the_threads_messages_are_in_the_stream_shape() {
    let (mut session, ..) = first_turn();
    let messages = session.messages();
    let kinds = ["system", "user", "assistant", "result"];
    for message in &messages {
        assert!(kinds.iter().any(|kind| message["type"] == *kind), "{message}");
        assert!(message["session_id"].is_string(), "{message}");
    }
    let uses: Vec<_> = messages.iter().filter(|m| m["type"] == "assistant").collect();
    assert_eq!(uses.len(), 4, "three calls and a text: {messages:#?}");
    assert_eq!(uses[0]["message"]["content"][0]["id"], "c1");
    let thread = session.thread.clone().unwrap();
    let threads = session.client.call("redline/threads", &json!({}))["threads"].clone();
    let listed = threads.as_array().unwrap().iter().find(|t| t["threadId"] == json!(thread));
    let listed = listed.expect("the thread is listed");
    assert!(listed["title"].is_string() && listed["updatedAt"].is_string(), "{listed}");
}

#[test]
fn an_accept_that_was_undone_is_pending_again() {
    let (mut session, uri, of) = first_turn();
    session.decide("accept", &[of("c2")]);
    session.client.undo(&uri, false, true);
    session.hunk_in_state(&uri, &of("c2"), "pending");
    session.prompt("second prompt");
    let told = session.told_since("second prompt");
    assert!(!told.iter().any(|line| line.starts_with("accepted ")), "{told:#?}");
    assert!(told.iter().any(|line| line.contains("still pending: 3")), "{told:#?}");
}
