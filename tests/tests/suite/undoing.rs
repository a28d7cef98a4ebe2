//! Undo of an accept makes the hunk pending again, redo accepts it again.

use redline_tests::{OnEdit, Session};
use serde_json::json;

const FILE: &str = "one\ntwo\nthree\nfour\nfive\n";

fn accepted() -> (Session, String, Vec<String>) {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let mut hunks = session.edit("a.txt", "two", "TWO");
    hunks.extend(session.edit("a.txt", "five", "FIVE"));
    session.decide("accept", &hunks);
    (session, uri, hunks)
}

/// Undo and redo of one accept of two hunks.
fn check(report: bool) {
    let (mut session, uri, hunks) = accepted();
    for _ in 0..2 {
        session.client.undo(&uri, false, report);
        for hunk in &hunks {
            session.hunk_in_state(&uri, hunk, "pending");
        }
        assert_eq!(session.client.text(&uri), FILE);
        session.assert_in_sync(&uri);
        let agent = session.content(&uri, "agent");
        assert_eq!(agent, FILE.replace("two", "TWO").replace("five", "FIVE"));

        session.client.undo(&uri, true, report);
        for hunk in &hunks {
            session.hunk_in_state(&uri, hunk, "accepted");
        }
        session.assert_in_sync(&uri);
    }
}

#[test]
fn undo_and_redo_that_are_reported() {
    check(true);
}

/// The redo without a report is not promised by the design, so only the undo is tested.
#[test]
fn an_exact_inverse_in_one_notification_is_an_undo() {
    let (mut session, uri, hunks) = accepted();
    session.client.undo(&uri, false, false);
    for hunk in &hunks {
        session.hunk_in_state(&uri, hunk, "pending");
    }
    session.assert_in_sync(&uri);
}

#[test]
fn after_an_undo_the_hunk_can_be_rejected() {
    let (mut session, uri, hunks) = accepted();
    session.client.undo(&uri, false, true);
    session.hunk_in_state(&uri, &hunks[0], "pending");
    session.decide("reject", &hunks);
    assert_eq!(session.client.text(&uri), FILE);
    assert_eq!(session.content(&uri, "agent"), FILE);
}

#[test]
fn undo_of_typing_is_only_that() {
    let (mut session, uri, hunks) = accepted();
    session.client.type_before(&uri, "three", "typed ");
    session.client.undo(&uri, false, true);
    session.assert_in_sync(&uri);
    for hunk in &hunks {
        session.hunk_in_state(&uri, hunk, "accepted");
    }
}

#[test]
fn undo_after_a_split_edit_takes_one_step_each() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let hunks = session.edit("a.txt", "two", "TWO");
    session.client.plan(&[OnEdit::Split]);
    session.decide("accept", &hunks);
    session.client.undo(&uri, false, true);
    session.hunk_in_state(&uri, &hunks[0], "pending");
    session.assert_in_sync(&uri);
}

#[test]
fn undo_keeps_what_was_typed_elsewhere_since() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    session.client.replace(&uri, "one", "mine");
    let hunks = session.edit("a.txt", "two", "TWO");
    session.decide("accept", &hunks);
    session.client.undo(&uri, false, true);
    session.hunk_in_state(&uri, &hunks[0], "pending");
    assert_eq!(session.client.text(&uri), FILE.replace("one", "mine"));
    session.decide("accept", &hunks);
    assert_eq!(session.client.text(&uri), FILE.replace("one", "mine").replace("two", "TWO"));
    session.assert_in_sync(&uri);
}

#[test]
fn a_report_for_a_version_that_never_comes_harms_nothing() {
    let (mut session, uri, _) = accepted();
    let report = json!({ "uri": uri, "version": 999, "reason": "undo" });
    session.client.notify("redline/changeReason", &report);
    session.client.type_before(&uri, "three", "typed ");
    session.assert_in_sync(&uri);
}
