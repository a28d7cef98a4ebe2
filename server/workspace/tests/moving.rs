//! Reviews that are only moved along and sent later: whatever happens meanwhile, the client ends up
//! with the review that the session has, and that is the one that would be made anew (the session
//! looks itself, with debug assertions). The text is long enough for typing that is far from hunks.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod desk;

use std::ops::Range;

use desk::{Desk, URI, path};
use proptest::prelude::*;
use redline_text::{Edit, Text};
use redline_workspace::{Change, Event, ProposeMode, ResolveAction, ResolveRequest};

const LINE_ENDS: [&[&str]; 4] = [&["\n"], &["\r\n"], &["\r"], &["\n", "\r\n", "\r"]];
const NEW: [&str; 9] = ["", "x", "\n", "\r\n", "\r", "\nfoo\n", "é", "a\nb", "q\n"];

/// What is put where: a place, a length, one of `NEW`.
type Put = (u16, u8, u8);

#[derive(Debug, Clone)]
enum Step {
    Type(Put),
    TypeRaw(Put),
    Propose(Put, bool),
    Decide(u8, u16),
    Hold,
    Release,
    Due,
    CloseAndOpen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => any::<Put>().prop_map(Step::Type),
        3 => any::<Put>().prop_map(Step::TypeRaw),
        3 => any::<(Put, bool)>().prop_map(|(put, applied)| Step::Propose(put, applied)),
        3 => any::<(u8, u16)>().prop_map(|(how, which)| Step::Decide(how, which)),
        1 => Just(Step::Hold),
        2 => Just(Step::Release),
        2 => Just(Step::Due),
        1 => Just(Step::CloseAndOpen),
    ]
}

fn edit(text: &Text, (at, len, new): Put) -> (Range<usize>, &'static str) {
    let start = text.floor(at as usize % (text.len() + 1));
    // Mostly nothing is taken away.
    let len = if len < 100 { 0 } else { len as usize % 25 };
    (start..text.floor(start + len), NEW[new as usize % NEW.len()])
}

fn take(desk: &mut Desk, step: &Step) {
    match *step {
        Step::Type(put) => {
            let (range, new) = edit(&desk.text, put);
            desk.types_at(range, new);
        }
        Step::TypeRaw(put) => {
            let (range, new) = edit(&desk.text, put);
            desk.types_raw(range, new);
        }
        Step::Propose(put, applied) => propose(desk, put, applied),
        Step::Decide(how, which) => decide(desk, how, which),
        Step::Hold => desk.holds = true,
        Step::Release => desk.release(),
        Step::Due => due(desk),
        Step::CloseAndOpen => close_and_open(desk),
    }
}

fn propose(desk: &mut Desk, put: Put, applied: bool) {
    // Applied at once: answered only when an editor that holds its answer lets go.
    let is_quiet = !desk.holds && desk.held.is_empty();
    let mode = if applied && is_quiet { ProposeMode::Applied } else { ProposeMode::Pending };
    let change = |text: &Text| {
        let (range, new) = edit(text, put);
        Change::Edit(vec![Edit::new(range, new)])
    };
    // A proposal that changes nothing is an error.
    let _ = desk.proposal(&path(), "one", change, mode);
}

fn decide(desk: &mut Desk, how: u8, which: u16) {
    let review = desk.session.review(&path());
    let hunks = review.map(|review| review.hunks).unwrap_or_default();
    if let Some(hunk) = hunks.get(which as usize % hunks.len().max(1)) {
        let actions = [ResolveAction::Accept, ResolveAction::Reject, ResolveAction::Reopen];
        desk.decides(ResolveRequest::hunks(actions[how as usize % 3], vec![hunk.id]));
    }
}

fn close_and_open(desk: &mut Desk) {
    desk.held.clear();
    desk.holds = false;
    desk.disk.insert(path(), desk::disk(&desk.text.to_string()));
    desk.event(Event::Saved { uri: URI.to_owned() });
    let disk = desk.disk.get(&path()).cloned();
    desk.event(Event::Closed { uri: URI.to_owned(), disk });
    is_told(desk);
    let text = desk.on_disk();
    desk.text = Text::from(text.as_str());
    let (disk, uri, version) = (desk.disk.get(&path()).cloned(), URI.to_owned(), desk.version);
    desk.event(Event::Opened { file: path(), uri, version, text, disk });
}

fn due(desk: &mut Desk) {
    desk.event(Event::ReviewsDue);
    is_told(desk);
}

fn is_told(desk: &Desk) {
    let told = desk.reviews.get(&path()).filter(|review| !review.hunks.is_empty());
    assert_eq!(told, desk.session.review(&path()).as_ref());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_client_ends_up_with_the_review(
        steps in proptest::collection::vec(step(), 1..40), line_ends in 0usize..4,
    ) {
        let ends = LINE_ENDS[line_ends];
        let text: String = (0..40).map(|n| format!("line {n}{}", ends[n % ends.len()])).collect();
        let mut desk = Desk::open(&text);
        desk.later = true;
        steps.iter().for_each(|step| take(&mut desk, step));
        due(&mut desk);
    }
}
