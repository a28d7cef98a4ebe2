//! The session at a desk: whole scenes, without an editor and without a disk.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod desk;

use desk::{Desk, Manner, URI, edit, other, path, write};
use redline_layers::{HunkId, ThreadId};
use redline_workspace::{
    AskAnswer, AskOutcome, ChangeReason, ContentChange, Effect, Event, FileChange, HunkState,
    OptionId, ProposeError, ProposeMode, Reply, ResolveAction, ResolveRequest,
};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\n";

#[test]
fn a_proposal_changes_neither_buffer_nor_disk() {
    let mut desk = Desk::open(TEXT);
    desk.proposes("two", "2");
    assert_eq!(desk.shown(), [r#"h1 pending 1:0-2:0 "two\n"→"2\n""#]);
    assert_eq!((desk.text.to_string(), desk.on_disk()), (TEXT.to_owned(), TEXT.to_owned()));
}

#[test]
fn accepting_edits_the_buffer_then_saves() {
    for manner in [Manner::Together, Manner::OneByOne, Manner::Full] {
        let mut desk = Desk::open(TEXT);
        desk.manner = manner;
        desk.proposes("two", "2");
        desk.proposes("four\n", "");
        let ticket = desk.decides(ResolveRequest::all(ResolveAction::Accept));
        let answer = desk.answer(ticket);
        assert_eq!(answer.resolved.len(), 2, "{manner:?} {answer:?}");
        assert_eq!(desk.text.to_string(), "one\n2\nthree\nfive\n");
        assert_eq!(desk.on_disk(), "one\n2\nthree\nfive\n");
        assert_eq!(desk.saves(), 1);
        let (told, pending) = desk.told();
        assert_eq!(told, ["accepted a.txt:2-2 (call1)", "accepted a.txt:4-4 (call2)"]);
        assert_eq!(pending, 0);
    }
}

#[test]
fn own_unsaved_typing_is_not_saved_by_an_accept() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.types("five", "FIVE");
    desk.resolves(ResolveAction::Accept, &hunks);
    assert_eq!(desk.saves(), 0);
    assert_eq!(desk.on_disk(), TEXT);
}

#[test]
fn rejecting_tells_the_agent_why() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.proposes("four", "4");
    let comment = Some("keep words".to_owned());
    let ticket = desk
        .decides(ResolveRequest { comment, ..ResolveRequest::hunks(ResolveAction::Reject, hunks) });
    assert_eq!(desk.answer(ticket).resolved.len(), 1);
    assert_eq!(desk.text.to_string(), TEXT);
    let want = vec![r#"rejected a.txt:2-2 (call1): "keep words""#.to_owned()];
    assert_eq!(desk.told(), (want, 1));
    assert_eq!(desk.told(), (vec![], 1), "told once");
}

#[test]
fn a_second_edit_of_own_pending_text_is_one_hunk_with_the_first() {
    let mut desk = Desk::open(TEXT);
    let first = desk.proposes("two", "two and a half");
    let second = desk.proposes("half", "quarter");
    assert_eq!(first, second);
    desk.resolves(ResolveAction::Accept, &first);
    assert_eq!(desk.text.to_string(), TEXT.replace("two", "two and a quarter"));
}

#[test]
fn hunks_move_along_with_typing_and_the_revision_stays() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("three", "3");
    let before = desk.reviews[&path()].revision;
    desk.types("one\n", "zero\none\n");
    assert_eq!(desk.shown(), [r#"h1 pending 3:0-4:0 "three\n"→"3\n""#]);
    assert_eq!(desk.reviews[&path()].revision, before, "typing elsewhere is no news");
    desk.types("three", "thTYPEDree");
    assert_eq!(desk.shown(), [r#"h1 pending mixed 3:0-4:0 "thTYPEDree\n"→"TYPED3\n""#]);
    assert_ne!(desk.reviews[&path()].revision, before);
    let answer = desk.resolves(ResolveAction::Accept, &hunks);
    assert_eq!(answer.mixed, hunks);
    assert_eq!(desk.text.to_string(), "zero\none\ntwo\nTYPED3\nfour\nfive\n");
    let told = desk.told().0.remove(0);
    assert!(told.starts_with("accepted with changes a.txt:4-4 (call1)\n"), "{told}");
    assert!(told.contains("-3\n+TYPED3"), "{told}");
}

#[test]
fn drop_takes_the_typing_inside_away() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("three", "3");
    desk.types("three", "thTYPEDree");
    desk.resolves(ResolveAction::Drop, &hunks);
    assert_eq!(desk.text.to_string(), TEXT);
}

#[test]
fn a_stale_version_is_sent_again() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("three", "3");
    desk.holds = true;
    let ticket = desk.decides(ResolveRequest::hunks(ResolveAction::Accept, hunks.clone()));
    assert_eq!(desk.state(hunks[0]), Some(HunkState::Accepting));
    desk.types("one", "ONE");
    desk.release();
    assert_eq!(desk.answer(ticket).resolved, hunks);
    assert_eq!(desk.text.to_string(), "ONE\ntwo\n3\nfour\nfive\n");
}

#[test]
fn an_editor_that_refuses_three_times_gets_the_hunk_back() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("three", "3");
    desk.holds = true;
    let ticket = desk.decides(ResolveRequest::hunks(ResolveAction::Accept, hunks.clone()));
    for _ in 0..3 {
        let Some(Effect::ApplyEdit { edit, .. }) = desk.held.pop() else { panic!("not sent") };
        desk.event(Event::EditAnswered { edit, applied: false, reason: Some("no".to_owned()) });
    }
    assert!(desk.held.is_empty());
    let answer = desk.answer(ticket);
    assert_eq!(answer.failed[0].0, hunks[0]);
    assert!(answer.failed[0].1.contains("refused the edit 3 times. It said: no."));
    assert_eq!(desk.state(hunks[0]), Some(HunkState::Pending));
}

#[test]
fn applied_true_is_no_proof() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("three", "3");
    desk.holds = true;
    let ticket = desk.decides(ResolveRequest::hunks(ResolveAction::Accept, hunks.clone()));
    let Some(Effect::ApplyEdit { edit, .. }) = desk.held.pop() else { panic!("not sent") };
    desk.event(Event::EditAnswered { edit, applied: true, reason: None });
    assert_eq!(desk.state(hunks[0]), Some(HunkState::Accepting));
    desk.event(Event::EditExpired { edit });
    assert_eq!(desk.answer(ticket).failed.len(), 1);
    assert_eq!(desk.state(hunks[0]), Some(HunkState::Pending));
}

#[test]
fn an_edit_that_was_skipped_for_typing_is_sent_again() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("three", "3");
    desk.holds = true;
    let ticket = desk.decides(ResolveRequest::hunks(ResolveAction::Accept, hunks.clone()));
    let Some(Effect::ApplyEdit { edit, .. }) = desk.held.pop() else { panic!("not sent") };
    desk.types("one", "ONE");
    desk.event(Event::EditAnswered { edit, applied: true, reason: None });
    desk.holds = false;
    desk.event(Event::EditExpired { edit });
    assert_eq!(desk.answer(ticket).resolved, hunks);
    assert_eq!(desk.text.to_string(), "ONE\ntwo\n3\nfour\nfive\n");
}

#[test]
fn our_edit_and_typing_in_one_notification_are_told_apart() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("three", "3");
    desk.holds = true;
    let ticket = desk.decides(ResolveRequest::hunks(ResolveAction::Accept, hunks.clone()));
    let text = "ONE\ntwo\n3\nfour\nfive\n".to_owned();
    desk.change(vec![ContentChange { range: None, text }]);
    assert_eq!(desk.answer(ticket).resolved, hunks);
    (desk.holds, desk.held) = (false, Vec::new());
    desk.resolves(ResolveAction::Reopen, &hunks);
    assert_eq!(desk.text.to_string(), "ONE\ntwo\nthree\nfour\nfive\n");
}

#[test]
fn decisions_queue_behind_an_edit_in_flight() {
    let mut desk = Desk::open(TEXT);
    let (a, b) = (desk.proposes("two", "2"), desk.proposes("four", "4"));
    desk.holds = true;
    let first = desk.decides(ResolveRequest::hunks(ResolveAction::Accept, a.clone()));
    let second = desk.decides(ResolveRequest::hunks(ResolveAction::Reject, b.clone()));
    let third = desk.decides(ResolveRequest::hunks(ResolveAction::Accept, a.clone()));
    assert!(desk.replies.is_empty());
    desk.release();
    assert_eq!(desk.answer(first).resolved, a);
    assert_eq!(desk.answer(second).resolved, b);
    assert_eq!(desk.answer(third).stale, a);
    assert_eq!(desk.text.to_string(), TEXT.replace("two", "2"));
}

#[test]
fn undo_of_an_accept_makes_it_pending_and_redo_accepts_again() {
    for reason in [None, Some((ChangeReason::Undo, ChangeReason::Redo))] {
        for split in [false, true] {
            let mut desk = Desk::open(TEXT);
            let (a, b) = (desk.proposes("two", "2"), desk.proposes("four", "4"));
            let ticket = desk.decides(ResolveRequest::all(ResolveAction::Accept));
            desk.answer(ticket);
            let say = |desk: &mut Desk, redo: bool| {
                if let Some((undo_reason, redo_reason)) = reason {
                    let reason = if redo { redo_reason } else { undo_reason };
                    let version = desk.version + 2;
                    desk.event(Event::ChangeReason { uri: URI.to_owned(), version, reason });
                }
            };
            let steps = |redo: bool| {
                if redo { [("two", "2"), ("four", "4")] } else { [("2", "two"), ("4", "four")] }
            };
            for redo in [false, true] {
                if split {
                    for (old, new) in steps(redo) {
                        say(&mut desk, redo);
                        desk.types(old, new);
                    }
                } else {
                    say(&mut desk, redo);
                    let mut text = desk.text.to_string();
                    steps(redo).iter().for_each(|(old, new)| text = text.replace(old, new));
                    desk.change(vec![ContentChange { range: None, text }]);
                }
                let want = if redo { HunkState::Accepted } else { HunkState::Pending };
                assert_eq!(desk.state(a[0]), Some(want), "{reason:?} split {split} redo {redo}");
                assert_eq!(desk.state(b[0]), Some(want), "{reason:?} split {split} redo {redo}");
                if !redo {
                    let accepted = desk.told().0;
                    assert_eq!(
                        accepted,
                        Vec::<String>::new(),
                        "undone before the agent heard of it"
                    );
                }
            }
            assert_eq!(desk.told().0.len(), 2, "accepted again");
        }
    }
}

#[test]
fn undo_of_own_typing_inside_a_hunk_restores_it() {
    let mut desk = Desk::open(TEXT);
    desk.proposes("two\nthree\n", "2\n3\n");
    let before = desk.shown();
    desk.types("two\nthree\nfour\n", "");
    assert_ne!(desk.shown(), before);
    let (uri, version) = (URI.to_owned(), desk.version + 2);
    desk.event(Event::ChangeReason { uri, version, reason: ChangeReason::Undo });
    desk.types("five", "two\nthree\nfour\nfive");
    assert_eq!(desk.shown(), before);
}

#[test]
fn reopening_an_accepted_hunk_edits_the_buffer_back() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.resolves(ResolveAction::Accept, &hunks);
    assert_eq!(desk.shown(), [r#"h1 accepted 1:0-2:0 "two\n"→"2\n""#]);
    assert_eq!(desk.resolves(ResolveAction::Reopen, &hunks).resolved, hunks);
    assert_eq!(desk.text.to_string(), TEXT);
    assert_eq!(desk.on_disk(), TEXT, "reopening saves under saveOnAccept");
    assert_eq!(desk.told(), (vec![], 1), "taken back before the agent heard of it");
}

#[test]
fn reopening_a_rejected_hunk_needs_its_place_untouched() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.resolves(ResolveAction::Reject, &hunks);
    desk.types("two", "TWO");
    assert_eq!(desk.resolves(ResolveAction::Reopen, &hunks).stale, hunks);
    desk.types("TWO", "two");
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.resolves(ResolveAction::Reject, &hunks);
    desk.types("four", "FOUR");
    assert_eq!(desk.resolves(ResolveAction::Reopen, &hunks).resolved, hunks);
}

#[test]
fn a_final_text_replaces_the_proposal() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2 by the agent");
    let final_text = Some("2 by the user\n".to_owned());
    let request = ResolveRequest::hunks(ResolveAction::Accept, hunks.clone());
    let ticket = desk.decides(ResolveRequest { final_text, ..request });
    assert_eq!(desk.answer(ticket).resolved, hunks);
    assert_eq!(desk.text.to_string(), TEXT.replace("two", "2 by the user"));
    assert_eq!(desk.resolves(ResolveAction::Reopen, &hunks).stale, hunks);
    assert!(desk.told().0[0].contains("-2 by the agent\n+2 by the user"));
}

#[test]
fn the_old_text_as_final_text_is_a_reject() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2");
    let final_text = Some("two\n".to_owned());
    let request = ResolveRequest::hunks(ResolveAction::Accept, hunks.clone());
    let ticket = desk.decides(ResolveRequest { final_text, ..request });
    desk.answer(ticket);
    assert_eq!(desk.state(hunks[0]), Some(HunkState::Rejected));
}

#[test]
fn a_stale_revision_or_id_changes_nothing() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2");
    let revision = Some(desk.reviews[&path()].revision);
    desk.types("two", "twoo");
    let request = ResolveRequest::hunks(ResolveAction::Accept, hunks.clone());
    let ticket = desk.decides(ResolveRequest { revision, file: Some(path()), ..request });
    assert_eq!(desk.answer(ticket).stale, hunks);
    let unknown: HunkId = "h99".parse().unwrap();
    assert_eq!(desk.resolves(ResolveAction::Accept, &[unknown]).stale, [unknown]);
    assert_eq!(desk.text.to_string(), TEXT.replace("two", "twoo"));
}

#[test]
fn a_file_that_is_not_open_is_written() {
    let mut desk = Desk::closed(TEXT);
    let hunks = desk.proposes("two", "2");
    assert_eq!(desk.on_disk(), TEXT);
    assert_eq!(desk.resolves(ResolveAction::Accept, &hunks).resolved, hunks);
    assert_eq!(desk.on_disk(), TEXT.replace("two", "2"));
    assert_eq!(desk.resolves(ResolveAction::Reopen, &hunks).resolved, hunks);
    assert_eq!(desk.on_disk(), TEXT);
}

#[test]
fn a_file_that_changed_on_disk_is_not_overwritten() {
    let mut desk = Desk::closed(TEXT);
    let hunks = desk.proposes("two", "2");
    let theirs = TEXT.replace("five", "5");
    desk.disk.insert(path(), desk::disk(&theirs));
    let answer = desk.resolves(ResolveAction::Accept, &hunks);
    assert_eq!(answer.failed.len(), 1);
    assert_eq!(desk.on_disk(), theirs);
    assert_eq!(desk.resolves(ResolveAction::Accept, &hunks).resolved, hunks, "rebased");
    assert_eq!(desk.on_disk(), theirs.replace("two", "2"));
}

#[test]
fn old_text_that_a_program_took_away_is_a_conflict() {
    let mut desk = Desk::closed(TEXT);
    let hunks = desk.proposes("two", "2");
    let disk = Some(desk::disk(&TEXT.replace("two", "other")));
    desk.disk.insert(path(), disk.clone().unwrap());
    let known = Some(desk::disk(TEXT).hash);
    desk.event(Event::DiskChanged { file: path(), known, disk });
    assert_eq!(desk.state(hunks[0]), Some(HunkState::Conflict));
    assert_eq!(desk.resolves(ResolveAction::Accept, &hunks).failed.len(), 1);
    assert_eq!(desk.resolves(ResolveAction::Reject, &hunks).resolved, hunks);
}

#[test]
fn a_created_file_is_one_hunk_also_when_it_is_empty() {
    for text in ["fn main() {}\n", ""] {
        let mut desk = Desk::closed(TEXT);
        let new = other("deep/new.rs");
        let made = desk.proposal(&new, "one", write(text), ProposeMode::Pending).unwrap();
        assert!(made.created);
        let review = desk.reviews[&new].clone();
        assert_eq!((review.change, review.hunks.len()), (FileChange::Created, 1));
        assert!(!desk.disk.contains_key(&new));
        let hunks: Vec<HunkId> = review.hunks.iter().map(|hunk| hunk.id).collect();
        if !text.is_empty() {
            let again =
                desk.proposal(&new, "one", edit("main", "run"), ProposeMode::Pending).unwrap();
            assert_eq!(again.hunks, hunks, "an edit of a pending creation amends it");
        }
        assert_eq!(desk.resolves(ResolveAction::Accept, &hunks).resolved, hunks);
        assert_eq!(desk.disk[&new].text.to_string(), text.replace("main", "run"));
        assert_eq!(desk.resolves(ResolveAction::Reopen, &hunks).resolved, hunks);
        assert!(!desk.disk.contains_key(&new), "reopening takes the file away again");
    }
}

#[test]
fn a_rejected_creation_leaves_nothing() {
    let mut desk = Desk::closed(TEXT);
    let new = other("new.rs");
    desk.proposal(&new, "one", write("x\n"), ProposeMode::Pending).unwrap();
    let ticket = desk.decides(ResolveRequest::all(ResolveAction::Reject));
    desk.answer(ticket);
    assert!(!desk.disk.contains_key(&new));
    let agent = redline_layers::Projection::Agent(ThreadId::from("one"));
    assert_eq!(desk.session.content(&new, &agent), None);
    assert!(desk.proposal(&new, "one", write("y\n"), ProposeMode::Pending).unwrap().created);
}

#[test]
fn an_overwrite_is_a_line_diff() {
    let mut desk = Desk::open(TEXT);
    let text = TEXT.replace("two", "2").replace("five", "5");
    let made = desk.proposal(&path(), "one", write(&text), ProposeMode::Pending).unwrap();
    assert_eq!(made.hunks.len(), 2);
}

#[test]
fn what_a_rule_allows_is_applied_and_can_be_undone() {
    let mut desk = Desk::open(TEXT);
    let made = desk.proposal(&path(), "one", edit("two", "2"), ProposeMode::Applied).unwrap();
    assert_eq!(desk.text.to_string(), TEXT.replace("two", "2"));
    assert_eq!(desk.state(made.hunks[0]), Some(HunkState::Applied));
    let ticket = desk.decides(ResolveRequest::all(ResolveAction::Reject));
    assert!(desk.answer(ticket).resolved.is_empty(), "all means what is pending");
    let all = ResolveRequest::all(ResolveAction::Reject);
    let ticket = desk.decides(ResolveRequest { include_applied: true, ..all });
    assert_eq!(desk.answer(ticket).resolved, made.hunks);
    assert_eq!(desk.text.to_string(), TEXT);
    assert_eq!(desk.told().0, ["undone a.txt:2-2 (call1)"]);
}

#[test]
fn an_edit_made_for_an_older_text_is_carried_or_stale() {
    let mut desk = Desk::open(TEXT);
    let carried = |text: &redline_text::Text| edit("four", "4")(text);
    let snapshot = desk.session.snapshot(&path(), &ThreadId::from("one")).unwrap();
    desk.types("one", "ONE AND MORE");
    let change = carried(&snapshot.text);
    let origin = redline_workspace::Origin {
        thread: ThreadId::from("one"),
        agent: "a".to_owned(),
        tool: "edit_file".to_owned(),
        call: "c".to_owned(),
    };
    let propose = |desk: &mut Desk, change| {
        let (snapshot, origin) = (snapshot.clone(), origin.clone());
        let mode = ProposeMode::Pending;
        let proposal = Box::new(redline_workspace::Proposal { snapshot, change, origin, mode });
        let ticket = desk.ticket();
        desk.event(Event::Propose { ticket, proposal });
        match desk.replies.remove(&ticket) {
            Some(Reply::Proposed(result)) => result.map(|made| made.after.to_string()),
            other => panic!("{other:?}"),
        }
    };
    let want = "ONE AND MORE\ntwo\nthree\n4\nfive\n".to_owned();
    assert_eq!(propose(&mut desk, change), Ok(want));
    let hit = edit("one", "1")(&snapshot.text);
    assert_eq!(propose(&mut desk, hit), Err(ProposeError::Stale));
}

#[test]
fn closing_drops_unsaved_text_and_keeps_the_hunks() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.types("five", "FIVE");
    let disk = desk.disk.get(&path()).cloned();
    desk.event(Event::Closed { uri: URI.to_owned(), disk });
    assert_eq!(desk.resolves(ResolveAction::Accept, &hunks).resolved, hunks);
    assert_eq!(desk.on_disk(), TEXT.replace("two", "2"));
}

#[test]
fn closing_with_an_edit_in_flight_fails_it() {
    let mut desk = Desk::open(TEXT);
    let hunks = desk.proposes("two", "2");
    desk.holds = true;
    let ticket = desk.decides(ResolveRequest::hunks(ResolveAction::Accept, hunks.clone()));
    let disk = desk.disk.get(&path()).cloned();
    desk.event(Event::Closed { uri: URI.to_owned(), disk });
    assert_eq!(desk.answer(ticket).failed.len(), 1);
    assert_eq!(desk.state(hunks[0]), Some(HunkState::Pending));
}

#[test]
fn decided_hunks_leave_when_the_next_turn_ends() {
    let mut desk = Desk::open(TEXT);
    let thread = || ThreadId::from("one");
    desk.event(Event::TurnStarted { thread: thread() });
    let hunks = desk.proposes("two", "2");
    desk.event(Event::TurnEnded { thread: thread() });
    desk.resolves(ResolveAction::Accept, &hunks);
    desk.event(Event::TurnStarted { thread: thread() });
    assert_eq!(desk.state(hunks[0]), Some(HunkState::Accepted));
    desk.event(Event::TurnEnded { thread: thread() });
    assert_eq!(desk.state(hunks[0]), None);
    assert!(desk.shown().is_empty(), "the client is told that the review is over");
}

#[test]
fn a_change_of_a_file_that_is_not_open_is_logged() {
    let mut desk = Desk::closed(TEXT);
    let changes = vec![ContentChange { range: None, text: "x".to_owned() }];
    desk.event(Event::Changed { uri: URI.to_owned(), version: 9, changes });
    assert!(matches!(&desk.effects[..], [Effect::Log(_, line)] if line.contains("not open")));
}

#[test]
fn an_ask_takes_one_answer() {
    let mut desk = Desk::closed(TEXT);
    let (first, second) = (desk.ticket(), desk.ticket());
    for ticket in [first, second] {
        desk.event(Event::Ask { ticket, ask: Box::new(ask()) });
    }
    let open = desk.session.asks();
    assert_eq!(open.len(), 2);
    let answer = AskAnswer::plain(OptionId::Once);
    desk.event(Event::AskAnswered { ask: open[0].0, answer: answer.clone() });
    assert!(matches!(&desk.replies[&first], Reply::Ask(AskOutcome::Answered(a)) if *a == answer));
    let thread = ThreadId::from("one");
    desk.event(Event::WithdrawAsks { thread, call: None, reason: "cancelled".to_owned() });
    assert!(matches!(&desk.replies[&second], Reply::Ask(AskOutcome::Withdrawn(_))));
    let before = desk.replies.len();
    for (id, _) in open {
        desk.event(Event::AskAnswered { ask: id, answer: answer.clone() });
    }
    assert_eq!(desk.replies.len(), before, "late answers are ignored");
}

fn ask() -> redline_workspace::Ask {
    redline_workspace::Ask {
        thread: ThreadId::from("one"),
        call: "c".to_owned(),
        title: "Run a command".to_owned(),
        tool: "Bash".to_owned(),
        args: serde_json::json!({"cmd": "ls"}),
        cwd: "/w".into(),
        detail: Some("ls".to_owned()),
        pending: Vec::new(),
        unsaved: Vec::new(),
        note: None,
        reason: redline_permissions::Reason {
            action: redline_permissions::Action::Ask,
            rule: None,
            source: "built-in".to_owned(),
            line: None,
            text: "asks".to_owned(),
        },
        options: vec![redline_workspace::AskOption {
            id: OptionId::Once,
            label: "Allow once".to_owned(),
            covers: None,
        }],
    }
}

#[test]
fn a_commit_that_holds_a_proposal_settles_it() {
    let mut desk = Desk::closed("one\ntwo\nthree\nfour\n");
    let first = desk.proposes("one", "1");
    let second = desk.proposes("four", "4");
    desk.disk.insert(path(), desk::disk("1\ntwo\nTHREE\nfour\n"));
    let (known, disk) =
        (Some(desk::disk("one\ntwo\nthree\nfour\n").hash), desk.disk.get(&path()).cloned());
    desk.event(Event::DiskChanged { file: path(), known, disk });
    assert_eq!(desk.state(first[0]), None, "{:?}", desk.shown());
    assert_eq!(desk.state(second[0]), Some(HunkState::Pending));
    let (lines, pending) = desk.told();
    assert!(lines[0].starts_with("accepted a.txt:1-1 (call1): another program wrote"), "{lines:?}");
    assert_eq!(pending, 1);
}

#[test]
fn a_reload_that_holds_a_proposal_settles_it() {
    let mut desk = Desk::open("one\ntwo\nthree\n");
    let hunk = desk.proposes("one", "1");
    desk.disk.insert(path(), desk::disk("1\ntwo\nthree\n"));
    let (known, disk) =
        (Some(desk::disk("one\ntwo\nthree\n").hash), desk.disk.get(&path()).cloned());
    desk.event(Event::DiskChanged { file: path(), known, disk });
    desk.types_at(0..3, "1");
    assert_eq!(desk.state(hunk[0]), None, "{:?}", desk.shown());
    assert_eq!(
        desk.session.snapshot(&path(), &"one".into()).unwrap().text.to_string(),
        "1\ntwo\nthree\n"
    );
}
