//! Back to before a turn.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod desk;

use desk::{Desk, path};
use redline_workspace::{ResolveAction, ResolveRequest};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\n";

/// Two turns, each with an accepted change, and typing between them.
fn after_two_turns(desk: &mut Desk) {
    desk.turn();
    let hunks = desk.proposes("two", "2");
    desk.resolves(ResolveAction::Accept, &hunks);
    desk.turn();
    let hunks = desk.proposes("four", "4");
    desk.resolves(ResolveAction::Accept, &hunks);
}

#[test]
fn a_turn_is_taken_back_and_what_the_user_typed_stays() {
    let mut desk = Desk::open(TEXT);
    after_two_turns(&mut desk);
    desk.types("one", "one, mine");
    desk.types("five", "five, mine");
    let rewound = desk.rewinds(2);
    assert_eq!((rewound.files, rewound.kept), (vec![path()], vec![]));
    assert_eq!(desk.text.to_string(), "one, mine\n2\nthree\nfour\nfive, mine\n");
    desk.rewinds(1);
    assert_eq!(desk.text.to_string(), "one, mine\ntwo\nthree\nfour\nfive, mine\n");
}

#[test]
fn several_turns_at_once() {
    let mut desk = Desk::open(TEXT);
    after_two_turns(&mut desk);
    desk.rewinds(1);
    assert_eq!(desk.text.to_string(), TEXT);
}

#[test]
fn the_way_back_can_be_undone() {
    let mut desk = Desk::open(TEXT);
    after_two_turns(&mut desk);
    let before = desk.text.to_string();
    desk.rewinds(1);
    let undo =
        ResolveRequest { include_applied: true, ..ResolveRequest::all(ResolveAction::Reject) };
    let ticket = desk.decides(undo);
    assert_eq!(desk.answer(ticket).failed, vec![]);
    assert_eq!(desk.text.to_string(), before);
    // And gone again: the checkpoints know of both.
    desk.rewinds(1);
    assert_eq!(desk.text.to_string(), TEXT);
}

#[test]
fn a_place_that_has_changed_since_is_left_alone() {
    let mut desk = Desk::open(TEXT);
    after_two_turns(&mut desk);
    desk.types("4", "four and a half");
    let rewound = desk.rewinds(1);
    assert_eq!(desk.text.to_string(), "one\ntwo\nthree\nfour and a half\nfive\n");
    assert_eq!(rewound.kept.len(), 1, "{rewound:?}");
}

#[test]
fn what_waits_is_withdrawn() {
    let mut desk = Desk::open(TEXT);
    desk.turn();
    desk.proposes("two", "2");
    desk.turn();
    desk.proposes("four", "4");
    let rewound = desk.rewinds(2);
    assert_eq!(rewound.withdrawn, 1);
    assert_eq!(desk.shown().len(), 1, "{:?}", desk.shown());
    assert_eq!(desk.text.to_string(), TEXT);
}

#[test]
fn a_file_that_is_not_open() {
    let mut desk = Desk::closed(TEXT);
    after_two_turns(&mut desk);
    assert_eq!(desk.on_disk(), "one\n2\nthree\n4\nfive\n");
    let rewound = desk.rewinds(2);
    assert_eq!(rewound.files, [path()]);
    assert_eq!(desk.on_disk(), "one\n2\nthree\nfour\nfive\n");
    assert!(desk.told().0.iter().any(|line| line.contains("before your turn 2")));
}

#[test]
fn a_hunk_that_was_finished_by_hand() {
    let mut desk = Desk::open(TEXT);
    desk.turn();
    let hunks = desk.proposes("two", "2");
    let accept = ResolveRequest::hunks(ResolveAction::Accept, hunks);
    let ticket = desk.decides(ResolveRequest { final_text: Some("zwei\n".to_owned()), ..accept });
    desk.answer(ticket);
    assert_eq!(desk.text.to_string(), "one\nzwei\nthree\nfour\nfive\n");
    desk.rewinds(1);
    assert_eq!(desk.text.to_string(), TEXT);
}

#[test]
fn a_stale_answer_comes_after_the_newer_review() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two\nthree", "2\n3");
    let seen = desk.reviews[&path()].revision;
    desk.later = true;
    desk.types("two", "two!");
    let request = ResolveRequest::hunks(ResolveAction::Accept, hunks.clone());
    let stale = ResolveRequest { revision: Some(seen), file: Some(path()), ..request.clone() };
    let ticket = desk.decides(stale);
    assert_eq!(desk.answer(ticket).stale, hunks);
    let now = desk.reviews[&path()].revision;
    let again = ResolveRequest { revision: Some(now), file: Some(path()), ..request };
    let ticket = desk.decides(again);
    assert_eq!(desk.answer(ticket).resolved, hunks);
}
