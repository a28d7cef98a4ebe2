//! What the audit log is told of decisions, and when.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod desk;

use desk::Desk;
use redline_workspace::{Effect, Event, ResolveAction, ResolveRequest};

const TEXT: &str = "one\ntwo\nthree\n";

/// What the audit log is told, and where the files and the editor are changed.
fn order(desk: &Desk) -> Vec<String> {
    let word = |effect: &Effect| match effect {
        Effect::Decided(record) => Some(format!("{:?}", record.decision)),
        Effect::WriteFile { .. } => Some("write".to_owned()),
        Effect::ApplyEdit { .. } => Some("edit".to_owned()),
        _ => None,
    };
    desk.effects.iter().filter_map(word).collect()
}

#[test]
fn a_decision_is_written_down_before_what_it_does() {
    let mut desk = Desk::closed(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.resolves(ResolveAction::Accept, &hunks);
    assert_eq!(order(&desk), ["Accepted", "write"]);

    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.resolves(ResolveAction::Accept, &hunks);
    assert_eq!(order(&desk), ["Accepted", "edit"]);

    let mut desk = Desk::closed(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.resolves(ResolveAction::Reject, &hunks);
    assert_eq!(order(&desk), ["Rejected"]);
}

#[test]
fn a_decision_that_failed_is_written_down_as_well() {
    let mut desk = Desk::closed(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.holds_writes = true;
    desk.decides(ResolveRequest::hunks(ResolveAction::Accept, hunks));
    let Effect::WriteFile { write, .. } = desk.held.pop().unwrap() else { panic!() };
    let error = redline_workspace::WriteError::Io("the disk is full".to_owned());
    desk.event(Event::Written { write, result: Err(error) });
    assert_eq!(order(&desk), ["Accepted", "write", "Failed"]);
}
