//! The user goes on typing while hunks are pending; no decision takes a typed character away.

use redline_tests::Session;
use redline_tests::session::{id, strings};
use serde_json::json;

const FILE: &str = "one\ntwo\nthree\nfour\nfive\n";

fn with_hunk() -> (Session, String, String) {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let hunks = session.edit("a.txt", "two", "ZWEI");
    (session, uri, hunks[0].clone())
}

#[test]
fn a_hunk_moves_along() {
    let (mut session, uri, hunk) = with_hunk();
    session.client.type_before(&uri, "one", "a\nb\n");
    let hunks = session.hunks_when(&uri, "a hunk on line 3", |hunks| {
        hunks.len() == 1 && hunks[0]["range"]["start"]["line"] == 3
    });
    assert_eq!((id(&hunks[0]), &hunks[0]["mixed"]), (hunk.clone(), &json!(false)));
    session.decide("accept", &[hunk]);
    assert_eq!(session.client.text(&uri), "a\nb\none\nZWEI\nthree\nfour\nfive\n");
}

/// `text` is typed at `offset` of the line `two`; what accept and reject make of that line.
fn check(offset: usize, text: &str, accepted: &str, rejected: &str) {
    for (action, line) in [("accept", accepted), ("reject", rejected)] {
        let (mut session, uri, hunk) = with_hunk();
        let needle = &"two\nthree"[offset..];
        session.client.type_before(&uri, needle, text);
        session.assert_in_sync(&uri);
        let result = session.resolve(&json!({ "action": action, "hunks": [hunk] }));
        assert_eq!(strings(&result["resolved"]), [hunk.as_str()], "{action} {text}: {result}");
        let expected = FILE.replace("two\n", line);
        assert_eq!(session.client.text(&uri), expected, "{action} of a hunk with {text} typed");
        session.assert_in_sync(&uri);
    }
}

#[test]
fn typing_at_the_start_goes_before() {
    check(0, "U", "UZWEI\n", "Utwo\n");
}

#[test]
fn typing_at_the_end_goes_after() {
    check(3, "U", "ZWEIU\n", "twoU\n");
}

#[test]
fn typing_strictly_inside_is_kept_and_reported() {
    let (mut session, uri, hunk) = with_hunk();
    session.client.type_before(&uri, "wo\n", "USER");
    let hunks = session.hunks_when(&uri, "a mixed hunk", |hunks| hunks[0]["mixed"] == true);
    assert_eq!(hunks[0]["oldText"], "tUSERwo\n");
    assert_eq!(id(&hunks[0]), hunk);
    let result = session.decide("accept", std::slice::from_ref(&hunk));
    assert_eq!(strings(&result["mixed"]), [hunk.as_str()]);
    let text = session.client.text(&uri).to_owned();
    assert!(text.contains("USER") && text.contains("ZWEI"), "{text:?}");
    assert!(!text.contains("tUSERwo") && text.starts_with("one\n"), "{text:?}");
    session.assert_in_sync(&uri);
}

#[test]
fn new_text_of_a_mixed_hunk_is_exactly_what_accepting_gives() {
    let (mut session, uri, hunk) = with_hunk();
    session.client.type_before(&uri, "wo\n", "USER");
    let hunks = session.hunks_when(&uri, "a mixed hunk", |hunks| hunks[0]["mixed"] == true);
    let new_text = hunks[0]["newText"].as_str().unwrap().to_owned();
    session.decide("accept", &[hunk]);
    assert_eq!(session.client.text(&uri), FILE.replace("two\n", &new_text));
}

#[test]
fn rejecting_a_mixed_hunk_leaves_the_buffer_alone() {
    let (mut session, uri, hunk) = with_hunk();
    session.client.type_before(&uri, "wo\n", "USER");
    let before = session.client.text(&uri).to_owned();
    session.decide("reject", &[hunk]);
    assert_eq!(session.client.text(&uri), before);
    session.assert_in_sync(&uri);
    assert_eq!(session.content(&uri, "agent"), before);
}

#[test]
fn deleting_the_old_text_keeps_the_proposal_sound() {
    let (mut session, uri, hunk) = with_hunk();
    session.client.replace(&uri, "two\n", "");
    session.assert_in_sync(&uri);
    let result = session.resolve(&json!({ "action": "accept", "hunks": [hunk] }));
    assert_eq!(result["failed"], json!([]), "{result}");
    session.assert_in_sync(&uri);
    let agent = session.content(&uri, "agent");
    assert_eq!(session.client.text(&uri), agent, "nothing is pending any more");
}

#[test]
fn typing_where_the_agent_inserts_keeps_both() {
    let mut session = Session::with_files(&[("a.txt", "ab\n")]);
    let uri = session.open("a.txt");
    let hunks = session.edit("a.txt", "ab", "aXb");
    session.client.type_before(&uri, "b\n", "U");
    session.decide("accept", &hunks);
    let text = session.client.text(&uri);
    assert!(text.contains('U') && text.contains('X'), "{text:?}");
    session.assert_in_sync(&uri);
}

#[test]
fn enter_inside_a_multi_line_hunk() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let hunks = session.edit("a.txt", "two\nthree\nfour", "2\n3\n4");
    session.client.type_before(&uri, "three", "my line\n");
    session.hunks_when(&uri, "a mixed hunk", |hunks| hunks.iter().any(|h| h["mixed"] == true));
    session.resolve(&json!({ "action": "accept", "hunks": hunks }));
    session.assert_in_sync(&uri);
    let text = session.client.text(&uri).to_owned();
    assert!(text.contains("my line\n"), "{text:?}");
    assert!(["2", "3", "4"].iter().all(|n| text.contains(n)), "{text:?}");
    assert!(!text.contains("two") && !text.contains("four"), "{text:?}");
}

#[test]
fn a_burst_of_typing_around_many_hunks_loses_nothing() {
    let lines: String = (0..40).map(|n| format!("line {n:02}\n")).collect();
    let mut session = Session::with_files(&[("a.txt", &lines)]);
    let uri = session.open("a.txt");
    for n in (0..40).step_by(4) {
        session.edit("a.txt", &format!("line {n:02}"), &format!("LINE {n:02}"));
    }
    for n in 0..40 {
        session.client.type_before(&uri, &format!("ne {n:02}"), "·");
    }
    session.assert_in_sync(&uri);
    session.pending(&uri, 10);
    session.resolve(&json!({ "action": "accept" }));
    session.assert_in_sync(&uri);
    let text = session.client.text(&uri).to_owned();
    assert_eq!(text.matches('·').count(), 40, "{text}");
    assert_eq!(text.matches("LINE").count(), 10, "{text}");
    assert_eq!(text.lines().count(), 40, "{text}");
}
