//! Scenes at the desk that once went wrong: races of files, documents and decisions.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod desk;

use desk::{Desk, URI, edit, other, path, write};
use redline_layers::{HunkId, Projection};
use redline_workspace::*;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\n";

fn ed(d: &Desk) -> String {
    d.session.content(&path(), &Projection::Editor).unwrap()
}

/// One proposal with many places costs one look at the hunks, not one for each place.
#[test]
fn a_proposal_with_a_thousand_places_is_quick() {
    let text = "let value = old;\n\n".repeat(1000);
    let mut d = Desk::open(&text);
    let all = |text: &redline_text::Text| {
        let text = text.to_string();
        let edits = text
            .match_indices("old")
            .map(|(at, old)| redline_text::Edit::new(at..at + old.len(), "new"));
        Change::Edit(edits.collect())
    };
    let began = std::time::Instant::now();
    let made = d.proposal(&path(), "one", all, ProposeMode::Pending).unwrap();
    assert_eq!(made.hunks.len(), 1000);
    assert!(began.elapsed().as_secs() < 20, "it took minutes when it was cubic");
}

#[test]
fn open_during_write_before() {
    let mut d = Desk::closed(TEXT);
    let h = d.proposes("two", "2");
    d.holds_writes = true;
    let t = d.decides(ResolveRequest::hunks(ResolveAction::Accept, h.clone()));
    let disk = d.disk.get(&path()).cloned();
    d.event(Event::Opened { file: path(), uri: URI.into(), version: 1, text: TEXT.into(), disk });
    d.release(); // desk asserts session text == editor text
    let _ = d.answer(t);
}

#[test]
fn open_during_write_after() {
    let mut d = Desk::closed(TEXT);
    let h = d.proposes("two", "2");
    d.holds_writes = true;
    let t = d.decides(ResolveRequest::hunks(ResolveAction::Accept, h.clone()));
    let new = TEXT.replace("two", "2");
    // the rename is done, the Written event not yet
    let held = d.held.pop().unwrap();
    let Effect::WriteFile { write, .. } = held else { panic!() };
    d.disk.insert(path(), desk::disk(&new));
    d.text = new.as_str().into();
    d.event(Event::Opened {
        file: path(),
        uri: URI.into(),
        version: 1,
        text: new.clone(),
        disk: Some(desk::disk(&new)),
    });
    d.event(Event::Written { write, result: Ok(Some(desk::disk(&new))) });
    let _ = d.answer(t);
    assert_eq!(ed(&d), new);
}

#[test]
fn rescan_during_write() {
    let mut d = Desk::closed(TEXT);
    let h = d.proposes("two", "2");
    let h2 = d.proposes("four", "4");
    d.holds_writes = true;
    let t = d.decides(ResolveRequest::hunks(ResolveAction::Accept, h.clone()));
    let new = TEXT.replace("two", "2");
    let Effect::WriteFile { write, .. } = d.held.pop().unwrap() else { panic!() };
    d.disk.insert(path(), desk::disk(&new));
    d.event(Event::DiskChanged {
        file: path(),
        known: Some(desk::disk(TEXT).hash),
        disk: Some(desk::disk(&new)),
    });
    d.event(Event::Written { write, result: Ok(Some(desk::disk(&new))) });
    d.holds_writes = false;
    d.answer(t);
    d.resolves(ResolveAction::Accept, &h2);
    assert_eq!(d.on_disk(), new.replace("four", "4"));
}

#[test]
fn deleted_file_with_pending() {
    let mut d = Desk::open(TEXT);
    let h = d.proposes("two", "two and more");
    d.disk.remove(&path());
    d.event(Event::Closed { uri: URI.into(), disk: None });

    d.resolves(ResolveAction::Accept, &h);

    assert!(!d.disk.contains_key(&path()));
}

#[test]
fn deleted_closed_file_with_pending() {
    let mut d = Desk::closed(TEXT);
    let h = d.proposes("two", "two and more");
    d.disk.remove(&path());
    d.event(Event::DiskChanged { file: path(), known: Some(desk::disk(TEXT).hash), disk: None });

    d.resolves(ResolveAction::Accept, &h);

    assert!(!d.disk.contains_key(&path()));
}

#[test]
fn path_appears_create_overwrites() {
    let mut d = Desk::closed(TEXT);
    let new = other("n.txt");
    let p = d.proposal(&new, "one", write("agent\n"), ProposeMode::Pending).unwrap();
    d.disk.insert(new.clone(), desk::disk("theirs\n"));
    d.resolves(ResolveAction::Accept, &p.hunks);
    let hs: Vec<HunkId> =
        d.session.review(&new).iter().flat_map(|r| r.hunks.iter().map(|h| h.id)).collect();

    d.resolves(ResolveAction::Accept, &hs);
    assert_eq!(d.disk[&new].text.to_string(), "agent\n");
}

#[test]
fn open_pending_creation_nvim() {
    let mut d = Desk::closed(TEXT);
    d.disk.remove(&path());
    d.text = "".into();
    let p = d.proposal(&path(), "one", write("agent\n"), ProposeMode::Pending).unwrap();
    d.text = "\n".into();
    d.event(Event::Opened {
        file: path(),
        uri: URI.into(),
        version: 1,
        text: "\n".into(),
        disk: None,
    });

    d.resolves(ResolveAction::Accept, &p.hunks);

    assert_eq!(d.text.to_string(), "agent\n");
    assert_eq!(d.on_disk(), "agent\n");
}

#[test]
fn reload_after_unsaved_accept() {
    let mut d = Desk::open(TEXT);
    let h = d.proposes("two", "2");
    d.types("five", "FIVE"); // so the accept is not saved
    d.resolves(ResolveAction::Accept, &h);
    let disk = d.disk.get(&path()).cloned();
    d.event(Event::Closed { uri: URI.into(), disk: disk.clone() });
    d.text = TEXT.into();
    d.event(Event::Opened { file: path(), uri: URI.into(), version: 9, text: TEXT.into(), disk });
    d.version = 9;

    d.resolves(ResolveAction::Reopen, &h);

    assert_eq!(d.text.to_string(), TEXT);
}

#[test]
fn undo_of_a_reopen() {
    let mut d = Desk::open(TEXT);
    let h = d.proposes("two", "2");
    d.resolves(ResolveAction::Accept, &h);
    d.resolves(ResolveAction::Reopen, &h);
    let version = d.version + 2;
    d.event(Event::ChangeReason { uri: URI.into(), version, reason: ChangeReason::Undo });
    d.types("two", "2");

    assert_eq!(d.state(h[0]), Some(HunkState::Accepted));
}

#[test]
fn late_didchange_after_expiry() {
    let mut d = Desk::open(TEXT);
    let h = d.proposes("two", "2");
    d.holds = true;
    let t = d.decides(ResolveRequest::hunks(ResolveAction::Accept, h.clone()));
    let Effect::ApplyEdit { edit, edits, .. } = d.held.pop().unwrap() else { panic!() };
    d.event(Event::EditAnswered { edit, applied: true, reason: None });
    d.event(Event::EditExpired { edit });
    d.answer(t);
    d.apply(&edits);
    d.holds = false;

    d.resolves(ResolveAction::Accept, &h);
    assert_eq!(d.text.to_string(), TEXT.replace("two", "2"));
}

#[test]
fn partial_arrival_then_expiry() {
    let mut d = Desk::open(TEXT);
    let (a, b) = (d.proposes("two", "2"), d.proposes("four", "4"));
    d.holds = true;
    let t = d.decides(ResolveRequest::all(ResolveAction::Accept));
    let Effect::ApplyEdit { edit, edits, .. } = d.held.pop().unwrap() else { panic!() };
    d.apply(&edits[1..]);
    d.event(Event::EditExpired { edit });
    d.answer(t);

    assert!(d.state(a[0]).is_some());
    assert!(d.state(b[0]).is_some(), "the part that arrived is still listed");
}

#[test]
fn drop_is_not_mixed() {
    let mut d = Desk::open(TEXT);
    let h = d.proposes("three", "3");
    d.types("three", "thTYPEDree");
    let a = d.resolves(ResolveAction::Drop, &h);
    assert!(a.mixed.is_empty(), "{a:?}");
}

#[test]
fn reload_with_external_change() {
    let mut d = Desk::open(TEXT);
    let h = d.proposes("two", "2");
    let theirs = TEXT.replace("two", "OTHER");
    d.disk.insert(path(), desk::disk(&theirs));
    d.event(Event::Closed { uri: URI.into(), disk: Some(desk::disk(&theirs)) });
    d.text = theirs.as_str().into();
    d.event(Event::Opened {
        file: path(),
        uri: URI.into(),
        version: 1,
        text: theirs.clone(),
        disk: Some(desk::disk(&theirs)),
    });

    assert_eq!(d.state(h[0]), Some(HunkState::Conflict));
}

#[test]
fn typing_during_flight_is_not_saved() {
    let mut d = Desk::open(TEXT);
    let h = d.proposes("three", "3");
    d.holds = true;
    let t = d.decides(ResolveRequest::hunks(ResolveAction::Accept, h));
    d.types("one", "ONE half typ");
    d.release();
    d.answer(t);
    assert_eq!(d.saves(), 0);
}

#[test]
fn undo_all_gives_base() {
    let mut d = Desk::open(TEXT);
    d.proposal(&path(), "one", edit("two", "two applied"), ProposeMode::Applied).unwrap();
    d.proposal(&path(), "one", edit("two ap", "two pending ap"), ProposeMode::Pending).unwrap();

    let all = ResolveRequest::all(ResolveAction::Reject);
    let t = d.decides(ResolveRequest { include_applied: true, ..all });
    d.answer(t);
    assert_eq!(d.text.to_string(), TEXT);
}

#[test]
fn user_replaces_line_then_accept() {
    let mut d = Desk::open(TEXT);
    let h = d.proposes("two\nthree\n", "2\n3\n");
    d.types("two\nthree\n", "");

    let v = d.version + 2;
    d.event(Event::ChangeReason { uri: URI.into(), version: v, reason: ChangeReason::Undo });
    d.types("four", "two\nthree\nfour");

    d.resolves(ResolveAction::Accept, &h);
    assert_eq!(d.text.to_string(), TEXT.replace("two\nthree", "2\n3"));
}

#[test]
fn create_reject_create_reopen() {
    let mut d = Desk::closed(TEXT);
    let new = other("n.txt");
    let p = d.proposal(&new, "one", write("first\n"), ProposeMode::Pending).unwrap();
    d.resolves(ResolveAction::Reject, &p.hunks);
    let q = d.proposal(&new, "one", write("second\n"), ProposeMode::Pending).unwrap();
    d.resolves(ResolveAction::Reopen, &p.hunks);
    println!(
        "{:?}",
        d.session.review(&new).map(|r| r
            .hunks
            .iter()
            .map(|h| (h.id.to_string(), h.state, h.new_text.clone()))
            .collect::<Vec<_>>())
    );
    d.resolves(ResolveAction::Accept, &q.hunks);

    assert_eq!(d.disk[&new].text.to_string(), "second\n");
}

#[test]
fn created_accepted_while_open_then_undo() {
    let mut d = Desk::closed("");
    d.disk.remove(&path());
    let p = d.proposal(&path(), "one", write("agent\n"), ProposeMode::Pending).unwrap();
    d.text = "".into();
    d.event(Event::Opened {
        file: path(),
        uri: URI.into(),
        version: 1,
        text: "".into(),
        disk: None,
    });

    d.event(Event::Closed { uri: URI.into(), disk: None });

    d.resolves(ResolveAction::Reject, &p.hunks);

    let s = d.session.snapshot(&path(), &"one".into()).unwrap();
    assert!(!s.exists, "a rejected creation leaves nothing");
}

#[test]
fn final_text_on_applied() {
    let mut d = Desk::open(TEXT);
    let m = d.proposal(&path(), "one", edit("two", "2"), ProposeMode::Applied).unwrap();
    let r = ResolveRequest {
        final_text: Some("mine\n".into()),
        ..ResolveRequest::hunks(ResolveAction::Accept, m.hunks)
    };
    let k = d.decides(r);
    d.answer(k);
    assert_eq!(d.text.to_string(), TEXT.replace("two", "mine"));
}

#[test]
fn no_save_capability_reload() {
    // saveOnAccept off or a plain client: accept, then :e!
    let mut d = Desk::open(TEXT);
    let h = d.proposes("two", "2");
    d.types("five", "FIVE");
    d.resolves(ResolveAction::Accept, &h);
    d.event(Event::Closed { uri: URI.into(), disk: Some(desk::disk(TEXT)) });

    d.resolves(ResolveAction::Reopen, &h);

    assert_eq!(d.on_disk(), TEXT);
}

#[test]
fn apply_expiry_leaves_pending() {
    let mut d = Desk::open(TEXT);
    d.holds = true;
    let snapshot = d.session.snapshot(&path(), &"one".into()).unwrap();
    let change = edit("two", "2")(&snapshot.text);
    let origin =
        Origin { thread: "one".into(), agent: "a".into(), tool: "t".into(), call: "c".into() };
    let ticket = d.ticket();
    d.event(Event::Propose {
        ticket,
        proposal: Box::new(Proposal { snapshot, change, origin, mode: ProposeMode::Applied }),
    });
    d.event(Event::Closed { uri: URI.into(), disk: Some(desk::disk(TEXT)) });

    assert!(d.shown().is_empty());
}

#[test]
fn two_threads_same_line() {
    let mut d = Desk::open(TEXT);
    let a = d.proposal(&path(), "one", edit("two", "ONE"), ProposeMode::Pending).unwrap();
    d.proposal(&path(), "two", edit("two", "TWO"), ProposeMode::Pending).unwrap();

    d.resolves(ResolveAction::Accept, &a.hunks);

    assert_eq!(d.text.to_string(), TEXT.replace("two", "ONE"));
}

#[test]
fn undo_twice_two_accepts() {
    let mut d = Desk::open(TEXT);
    let a = d.proposes("two", "2");
    let b = d.proposes("four", "4");
    d.resolves(ResolveAction::Accept, &a);
    d.resolves(ResolveAction::Accept, &b);
    for (o, n) in [("4", "four"), ("2", "two")] {
        let v = d.version + 2;
        d.event(Event::ChangeReason { uri: URI.into(), version: v, reason: ChangeReason::Undo });
        d.types(o, n);
    }

    for (o, n) in [("two", "2"), ("four", "4")] {
        let v = d.version + 2;
        d.event(Event::ChangeReason { uri: URI.into(), version: v, reason: ChangeReason::Redo });
        d.types(o, n);
    }

    assert_eq!(d.state(a[0]), Some(HunkState::Accepted));
}

#[test]
fn accept_type_inside_undo_undo() {
    // accept; type in accepted line; undo typing; undo accept
    let mut d = Desk::open(TEXT);
    let a = d.proposes("two", "new line");
    d.resolves(ResolveAction::Accept, &a);
    d.types("new line", "new XX line");
    let v = d.version + 2;
    d.event(Event::ChangeReason { uri: URI.into(), version: v, reason: ChangeReason::Undo });
    d.types("new XX line", "new line");
    let v = d.version + 2;
    d.event(Event::ChangeReason { uri: URI.into(), version: v, reason: ChangeReason::Undo });
    d.types("new line", "two");

    assert_eq!(d.state(a[0]), Some(HunkState::Pending));
}

/// Enter at the end of a line inside a hunk: what is typed then is a line of its own, and taking it
/// back leaves the hunk as it was.
#[test]
fn a_line_added_by_enter_inside_a_hunk_stays_a_line() {
    let cases = [
        (TEXT, "two\nthree", "TWO\nTHREE", "two", "one\nmine\nTWO\nTHREE\nfour\nfive\n"),
        (TEXT, "two\nthree\n", "TWO\nTHREE\n", "two", "one\nmine\nTWO\nTHREE\nfour\nfive\n"),
        ("a\r\nb\r\nc\r\n", "a\r\nb", "A\r\nB", "a", "mine\r\nA\r\nB\r\nc\r\n"),
    ];
    for (text, old, new, line, want) in cases {
        let mut d = Desk::open(text);
        let hunk = d.proposes(old, new);
        let before = d.shown();
        let at = text.find(line).unwrap() + line.len();
        let eol = if text.contains('\r') { "\r\n" } else { "\n" };
        let typed = format!("{eol}mine");
        d.types_raw(at..at, &typed);
        d.types_raw(at..at + typed.len(), "");
        assert_eq!(d.shown(), before, "taken back: {old:?}");
        d.types_raw(at..at, eol);
        d.types_raw(at + eol.len()..at + eol.len(), "mine");
        let resolved = d.resolves(ResolveAction::Accept, &hunk);
        assert_eq!(resolved.mixed, hunk, "{old:?}");
        assert_eq!(ed(&d), want, "{old:?}");
    }
}

/// What is typed far from every hunk moves the review along instead of making it anew: a rejected
/// hunk, whose range is empty, still covers the lines that it would have replaced.
#[test]
fn typing_below_a_rejected_hunk_of_many_lines_is_near_it() {
    let mut d = Desk::open("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    let hunk = d.proposes("2\n3\n4\n5\n6\n", "x\n");
    d.resolves(ResolveAction::Reject, &hunk);
    d.types("5", "mine");
    d.types("9", "nine\n");
    d.types("1", "zero\none");
    assert_eq!(d.session.reviews()[0].hunks[0].range.start.line, 2);
    assert!(d.session.reviews()[0].hunks[0].old_text.contains("mine"));
}

/// The same where a line ends with a CR alone.
#[test]
fn typing_below_a_rejected_hunk_of_old_lines_is_near_it() {
    let mut d = Desk::open("1\r2\r3\r4\r5\r6\r7\r8\r9\r");
    let hunk = d.proposes("2\r3\r4\r5\r6\r", "x\r");
    d.resolves(ResolveAction::Reject, &hunk);
    d.types("5", "mine");
    assert!(d.session.reviews()[0].hunks[0].old_text.contains("mine"));
}

/// The review of lines that have only moved is sent once for everything that was typed meanwhile.
#[test]
fn reviews_that_only_move_are_sent_later_and_once() {
    let mut d = Desk::open(&"line\n".repeat(20));
    d.proposes("line\nline\n", "LINE\n");
    d.later = true;
    let start = d.effects.len();
    let end = d.text.len();
    for _ in 0..5 {
        d.types_raw(end..end, "more\n");
    }
    let count = |d: &Desk, what: fn(&Effect) -> bool| {
        d.effects[start..].iter().filter(|effect| what(effect)).count()
    };
    assert_eq!(count(&d, |e| matches!(e, Effect::ReviewsLater { .. })), 1);
    assert_eq!(count(&d, |e| matches!(e, Effect::Review(_))), 0);
    d.event(Event::ReviewsDue);
    assert_eq!(count(&d, |e| matches!(e, Effect::Review(_))), 1);
    assert_eq!(d.reviews[&path()].version, Some(d.version));
    d.event(Event::ReviewsDue);
    assert_eq!(count(&d, |e| matches!(e, Effect::Review(_))), 1, "nothing has moved since");
}

/// A closed file that nothing is known of any more is dropped; when it is proposed to again, its
/// reviews go on counting: a client takes a lower revision for an old one.
#[test]
fn revisions_of_a_dropped_file_go_on() {
    let mut d = Desk::closed(TEXT);
    let hunk = d.proposes("two", "2");
    d.resolves(ResolveAction::Reject, &hunk);
    let thread = redline_layers::ThreadId::from("one");
    for _ in 0..3 {
        d.event(Event::TurnStarted { thread: thread.clone() });
        d.event(Event::TurnEnded { thread: thread.clone() });
    }
    assert_eq!(d.session.held_files().count(), 0, "dropped");
    let before = d.reviews[&path()].revision;
    assert!(d.reviews[&path()].hunks.is_empty());
    d.proposes("three", "3");
    assert!(d.reviews[&path()].revision > before, "{before:?}");
}

/// Another program changes a file whose buffer is clean, and the editor loads it anew, which VS Code
/// tells as the smallest edit: that is not typing, to be kept inside the proposal.
#[test]
fn a_reload_told_as_a_small_edit_is_no_typing() {
    for (typed, state) in [(false, HunkState::Conflict), (true, HunkState::Pending)] {
        let mut d = Desk::open(TEXT);
        let hunk = d.proposes("two", "2");
        if typed {
            d.types("five", "FIVE");
        }
        let known = d.disk.get(&path()).map(|disk| disk.hash);
        let disk = Some(desk::disk(&TEXT.replace("two", "other")));
        d.event(Event::DiskChanged { file: path(), known, disk });
        d.types("two", "other");
        assert_eq!(d.state(hunk[0]), Some(state), "typed before: {typed}");
    }
}
