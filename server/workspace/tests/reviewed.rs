//! What adversarial reviews of checkpoints, `undo_edit`, the journal and deletions found.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod desk;

use desk::*;
use redline_layers::{HunkId, ThreadId};
use redline_text::{Edit, Text};
use redline_workspace::*;

fn all(action: ResolveAction) -> ResolveRequest {
    ResolveRequest::all(action)
}

fn applied(desk: &mut Desk, thread: &str, old: &str, new: &str) {
    desk.proposal(&path(), thread, edit(old, new), ProposeMode::Applied).unwrap();
}

#[test]
fn rewind_keeps_text_typed_right_behind() {
    let mut desk = Desk::open("a\n");
    desk.turn();
    applied(&mut desk, "one", "a\n", "a\nX\n");
    assert_eq!(desk.text.to_string(), "a\nX\n");
    desk.types_at(4..4, "mine\n");
    let r = desk.rewinds(1);
    assert!(desk.text.to_string().contains("mine"), "{:?} {r:?}", desk.text.to_string());
}

#[test]
fn rewind_keeps_text_typed_right_behind_in_line() {
    let mut desk = Desk::open("let a = 1;\nend\n");
    desk.turn();
    applied(&mut desk, "one", "1", "foo");
    desk.types("foo", "foo + user");
    let r = desk.rewinds(1);
    assert!(desk.text.to_string().contains("user"), "{:?} {r:?}", desk.text.to_string());
}

#[test]
fn rewind_of_a_turn_accepted_with_an_earlier_one() {
    let mut desk = Desk::open("a\nb\nc\nd\ne\n");
    desk.turn();
    desk.proposes("a\n", "A\n");
    desk.turn();
    desk.proposes("e\n", "E\n");
    let t = desk.decides(all(ResolveAction::Accept));
    desk.answer(t);
    let r = desk.rewinds(2);
    assert_eq!(desk.text.to_string(), "A\nb\nc\nd\ne\n", "{r:?}");
}

#[test]
fn rewind_of_a_thread_accepted_with_another() {
    let mut desk = Desk::open("a\nb\nc\nd\ne\n");
    desk.turn();
    desk.proposes("a\n", "A\n");
    desk.proposal(&path(), "two", edit("e\n", "E\n"), ProposeMode::Pending).unwrap();
    let t = desk.decides(all(ResolveAction::Accept));
    desk.answer(t);
    let r = desk.rewinds(1);
    assert_eq!(desk.text.to_string(), "a\nb\nc\nd\nE\n", "{r:?}");
}

#[test]
fn two_folders_with_the_same_op_number() {
    let mut x = Desk::closed("x\n");
    x.proposes("x", "X");
    let mut y = Desk::closed("x\n");
    let p = WorkspacePath::assume_canonical(std::path::Path::new("/v/b.txt"));
    y.disk.insert(p.clone(), disk("y\n"));
    y.proposal(&p, "one", edit("y", "Y"), ProposeMode::Pending).unwrap();
    let (file, entries) = y.journal.pop_first().unwrap();
    x.journal.insert(file, entries);
    x.disk.insert(p.clone(), disk("y\n"));
    x.restarts();
    let ids: Vec<(WorkspacePath, HunkId)> = x
        .session
        .reviews()
        .iter()
        .flat_map(|r| r.hunks.iter().map(|h| (r.file.clone(), h.id)))
        .collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0].1, ids[1].1, "each folder's journal counts by itself");
    // Nobody can tell which one is meant.
    let resolved = x.resolves(ResolveAction::Accept, &[ids[1].1]);
    assert_eq!((resolved.resolved, resolved.stale), (vec![], vec![ids[1].1]));
    let request = ResolveRequest::hunks(ResolveAction::Accept, vec![ids[1].1]);
    let ticket = x.decides(ResolveRequest { file: Some(ids[1].0.clone()), ..request });
    assert_eq!(x.answer(ticket).resolved, [ids[1].1]);
    assert_eq!(x.on_disk(), "X\n");
    assert_eq!(x.disk[&p].text.to_string(), "y\n");
}

fn withdraw(desk: &mut Desk) -> Result<Withdrawn, WithdrawError> {
    let ticket = desk.ticket();
    desk.event(Event::Withdraw { ticket, file: path(), thread: ThreadId::from("one") });
    match desk.replies.remove(&ticket) {
        Some(Reply::Withdrawn(r)) => r.map(|w| *w),
        o => panic!("{o:?}"),
    }
}

#[test]
fn a_refused_undo_changes_nothing() {
    let mut desk = Desk::open("a\nb\nc\nd\ne\n");
    let both =
        |_: &Text| Change::Edit(vec![Edit::new(0..1, "one two three"), Edit::new(8..9, "E")]);
    let hunks = desk.proposal(&path(), "one", both, ProposeMode::Pending).unwrap().hunks;
    desk.resolves(ResolveAction::Accept, &hunks[..1]);
    let h = desk.proposes("two", "2");
    desk.resolves(ResolveAction::Accept, &h);
    let w = withdraw(&mut desk).unwrap(); // undo_edit of the second op: its inverse waits
    let origin = Origin {
        thread: "one".into(),
        agent: "a".into(),
        tool: "undo_edit".into(),
        call: "u".into(),
    };
    let ticket = desk.ticket();
    desk.event(Event::Propose {
        ticket,
        proposal: Box::new(Proposal {
            snapshot: w.snapshot,
            change: Change::Edit(w.inverse),
            origin,
            mode: ProposeMode::Pending,
        }),
    });
    desk.replies.remove(&ticket);
    assert!(matches!(withdraw(&mut desk), Err(WithdrawError::Overlaps)));
    let agent = redline_layers::Projection::Agent("one".into());
    assert!(
        desk.session.content(&path(), &agent).unwrap().contains('E'),
        "withdrawn; shown: {:?}",
        desk.shown()
    );
}

#[test]
fn too_large_and_small_again() {
    let mut desk = Desk::open("a\nb\nc\n");
    desk.proposes("b\n", "B\n");
    let big = "z".repeat(33 << 20) + "\n";
    desk.types_raw(0..0, &big);
    let n = big.len();
    desk.types_raw(0..n, "");
    desk.types_at(6..6, "tail\n");
    let shown = desk.shown();
    desk.restarts();
    desk.opens();
    assert_eq!(desk.shown(), shown);
}

#[test]
fn rewind_in_limbo() {
    let mut desk = Desk::open("a\nb\nc\n");
    desk.turn();
    desk.types("c", "cc");
    desk.proposes("a\n", "A\n");
    desk.restarts();
    let r = desk.rewinds(1);
    assert_eq!(r.withdrawn, 1);
    desk.opens();
    assert_eq!(desk.shown(), Vec::<String>::new());
}

#[test]
fn rewind_in_limbo_and_restart() {
    let mut desk = Desk::open("a\nb\nc\n");
    desk.turn();
    desk.types("c", "cc");
    desk.proposes("a\n", "A\n");
    desk.restarts();
    desk.rewinds(1);
    desk.restarts();
    assert_eq!(desk.shown(), Vec::<String>::new());
}

#[test]
fn typed_while_final_text_flies() {
    let mut desk = Desk::open("a\nb\nc\nd\ne\nf\n");
    desk.turn();
    let h = desk.proposes("a\n", "A\n");
    desk.holds = true;
    let req = ResolveRequest {
        final_text: Some("final\n".into()),
        ..ResolveRequest::hunks(ResolveAction::Accept, h)
    };
    let t = desk.decides(req);
    desk.types("f\n", "f\nmine\n");
    desk.release();
    desk.answer(t);
    assert_eq!(desk.text.to_string(), "final\nb\nc\nd\ne\nf\nmine\n");
    let r = desk.rewinds(1);
    assert!(desk.text.to_string().contains("mine"), "{:?} {r:?}", desk.text.to_string());
}

#[test]
fn rewind_after_an_undone_deletion() {
    let mut desk = Desk::open("a\nb\nc\n");
    desk.turn();
    let h = desk.proposal(&path(), "one", edit("b\n", ""), ProposeMode::Pending).unwrap().hunks;
    desk.resolves(ResolveAction::Accept, &h);
    assert_eq!(desk.text.to_string(), "a\nc\n");
    desk.resolves(ResolveAction::Reopen, &h);
    assert_eq!(desk.text.to_string(), "a\nb\nc\n");
    desk.types("c", "mine c");
    let r = desk.rewinds(1);
    assert_eq!(desk.text.to_string(), "a\nb\nmine c\n", "{r:?}");
}

#[test]
fn rewind_after_an_undone_applied_deletion() {
    let mut desk = Desk::open("a\nb\nc\n");
    desk.turn();
    let h = desk.proposal(&path(), "one", edit("b\n", ""), ProposeMode::Applied).unwrap().hunks;
    desk.resolves(ResolveAction::Reject, &h);
    assert_eq!(desk.text.to_string(), "a\nb\nc\n");
    desk.types("c", "mine c");
    let r = desk.rewinds(1);
    assert_eq!(desk.text.to_string(), "a\nb\nmine c\n", "{r:?}");
}

#[test]
fn turn_end_while_a_reopen_flies() {
    let mut desk = Desk::open("a\nb\nc\n");
    desk.turn();
    let h = desk.proposes("b", "B");
    desk.resolves(ResolveAction::Accept, &h);
    desk.turn();
    desk.holds = true;
    desk.decides(ResolveRequest::hunks(ResolveAction::Reopen, h.clone()));
    desk.event(Event::TurnEnded { thread: ThreadId::from("one") });
    desk.release();
    for _ in 0..6 {
        let edits: Vec<EditId> = desk
            .effects
            .iter()
            .filter_map(|e| match e {
                Effect::ApplyEdit { edit, .. } => Some(*edit),
                _ => None,
            })
            .collect();
        for edit in edits {
            desk.event(Event::EditExpired { edit });
        }
    }
    assert_eq!(desk.state(h[0]), Some(HunkState::Pending));
}

#[test]
fn rewind_while_a_decision_flies() {
    let mut desk = Desk::open("a\nb\nc\n");
    desk.turn();
    let h = desk.proposes("b", "B");
    desk.holds = true;
    let t = desk.decides(ResolveRequest::hunks(ResolveAction::Accept, h.clone()));
    let r = desk.rewinds(1);
    desk.release();
    desk.answer(t);
    assert_eq!(r.kept.len(), 1, "it is said that the decision was left: {r:?}");
    assert_eq!(desk.text.to_string(), "a\nB\nc\n");
    desk.rewinds(1);
    assert_eq!(desk.text.to_string(), "a\nb\nc\n");
}

#[test]
fn rewind_when_closed_and_written_elsewhere() {
    let mut desk = Desk::closed("a\nb\nc\n");
    desk.turn();
    desk.proposal(&path(), "one", edit("b", "B"), ProposeMode::Applied).unwrap();
    desk.disk.insert(path(), disk("a\nB\nc\nother\n"));
    desk.rewinds(1);
    assert_eq!(desk.on_disk(), "a\nb\nc\nother\n");
}

#[test]
fn going_back_twice() {
    let mut desk = Desk::open("a\nb\nc\n");
    desk.turn();
    desk.proposal(&path(), "one", edit("b\n", ""), ProposeMode::Applied).unwrap();
    desk.rewinds(1);
    assert_eq!(desk.text.to_string(), "a\nb\nc\n");
    desk.types("c", "mine c");
    let r = desk.rewinds(1);
    assert_eq!(desk.text.to_string(), "a\nb\nmine c\n", "{r:?}");
}

/// The desk asserts after each event that the session has the editor's text.
#[test]
fn undo_and_redo_of_an_accept_that_a_later_proposal_takes_back() {
    let mut desk = Desk::open("a\nb\n");
    let h = desk.proposes("b\n", "w\nb\n");
    desk.resolves(ResolveAction::Accept, &h);
    desk.proposes("w\n", ""); // the agent thinks better of it; pending
    desk.types_at(2..4, ""); // the editor's undo of the accept
    desk.types_at(2..2, "w\n"); // and its redo
}

fn deletes(desk: &mut Desk, thread: &str, mode: ProposeMode) -> Vec<HunkId> {
    desk.proposal(&path(), thread, |_| Change::Delete, mode).unwrap().hunks
}

#[test]
fn rewind_of_a_file_that_was_deleted_and_made_again() {
    for again in [false, true] {
        let mut desk = Desk::closed("old\n");
        desk.disk.insert(path(), disk("old\n").with_mode(Some(0o750)));
        desk.turn();
        applied(&mut desk, "one", "old", "older");
        deletes(&mut desk, "one", ProposeMode::Applied);
        desk.turn();
        desk.proposal(&path(), "one", write("new\n"), ProposeMode::Applied).unwrap();
        if again {
            deletes(&mut desk, "one", ProposeMode::Applied);
        }
        let mode = if again { Some(0o750) } else { desk.disk[&path()].mode };
        let r = desk.rewinds(1);
        assert_eq!((&r.files, &r.kept), (&vec![path()], &vec![]), "{again}");
        assert_eq!((desk.on_disk(), desk.disk[&path()].mode), ("old\n".to_owned(), mode));
        desk.rewinds(1);
        assert_eq!(desk.on_disk(), "old\n", "and once more");
    }
}

#[test]
fn rewind_of_a_file_that_was_made_and_deleted_and_made() {
    for again in [false, true] {
        let mut desk = Desk::closed("");
        desk.disk.clear();
        desk.turn();
        desk.proposal(&path(), "one", write("1\n"), ProposeMode::Applied).unwrap();
        deletes(&mut desk, "one", ProposeMode::Applied);
        desk.proposal(&path(), "one", write("2\n"), ProposeMode::Applied).unwrap();
        if again {
            deletes(&mut desk, "one", ProposeMode::Applied);
        }
        let kept = desk.rewinds(1).kept;
        assert_eq!(desk.disk.contains_key(&path()), !again, "what it made is the user's to delete");
        assert_eq!(kept.len(), usize::from(!again), "{kept:?}");
    }
}

#[test]
fn rewind_writes_no_bytes_over_text() {
    let bytes = DiskText::new(redline_text::as_bytes(&[0, 255], redline_text::FileEncoding::Bytes));
    let mut desk = Desk::closed("");
    desk.disk.insert(path(), bytes.clone());
    desk.turn();
    deletes(&mut desk, "one", ProposeMode::Applied);
    desk.proposal(&path(), "one", write("new\n"), ProposeMode::Applied).unwrap();
    assert_eq!((desk.rewinds(1).kept.len(), desk.on_disk()), (1, "new\n".to_owned()));
    deletes(&mut desk, "one", ProposeMode::Applied);
    assert_eq!(desk.rewinds(1).kept, []);
    assert_eq!(desk.disk[&path()].hash, bytes.hash);
}

#[test]
fn a_deletion_that_waits_for_a_write_does_not_take_what_that_wrote() {
    let mut desk = Desk::closed("one\ntwo\n");
    let hunks = desk.proposes("two", "2");
    desk.holds_writes = true;
    let accepted = desk.decides(ResolveRequest::hunks(ResolveAction::Accept, hunks.clone()));
    let snapshot = desk.session.snapshot(&path(), &"two".into()).unwrap();
    let (tool, call) = ("delete_file".to_owned(), "call9".to_owned());
    let origin = Origin { thread: "two".into(), agent: "agent".to_owned(), tool, call };
    let (change, mode) = (Change::Delete, ProposeMode::Applied);
    let ticket = desk.ticket();
    let proposal = Box::new(Proposal { snapshot, change, origin, mode });
    desk.event(Event::Propose { ticket, proposal });
    desk.release();
    assert_eq!(desk.answer(accepted).resolved, hunks);
    let answer = desk.replies.remove(&ticket);
    let Some(Reply::Proposed(Err(error))) = answer else { panic!("{answer:?}") };
    assert!(error.to_string().contains("has changed since"), "{error}");
    assert_eq!(desk.on_disk(), "one\n2\n");
    deletes(&mut desk, "two", ProposeMode::Applied);
    assert!(desk.disk.is_empty());
}

fn removed_outside(desk: &mut Desk) {
    let known = desk.disk.remove(&path()).map(|disk| disk.hash);
    desk.event(Event::DiskChanged { file: path(), known, disk: None });
}

fn told(desk: &mut Desk, thread: &str) -> Vec<String> {
    let ticket = desk.ticket();
    desk.event(Event::TakeDecisions { ticket, thread: thread.into() });
    match desk.replies.remove(&ticket) {
        Some(Reply::Decisions { lines, .. }) => lines,
        other => panic!("no decisions: {other:?}"),
    }
}

#[test]
fn whose_proposals_go_with_a_deleted_file_is_told() {
    let proposed = || {
        let mut desk = Desk::closed("one\ntwo\n");
        desk.proposal(&path(), "two", edit("two", "2"), ProposeMode::Pending).unwrap();
        desk
    };
    let went = "your 1 changes in it went with it";

    let mut desk = proposed();
    deletes(&mut desk, "one", ProposeMode::Pending);
    removed_outside(&mut desk);
    let said = "conflict a.txt: another program has removed it, as another agent had proposed";
    assert_eq!(told(&mut desk, "two"), [format!("{said}; {went}")]);
    assert_eq!(told(&mut desk, "one").len(), 1);

    let mut desk = proposed();
    let hunks = deletes(&mut desk, "one", ProposeMode::Applied);
    let said = "conflict a.txt: a rule allowed another agent to delete it";
    assert_eq!(told(&mut desk, "two"), [format!("{said}; {went}")]);
    desk.resolves(ResolveAction::Accept, &hunks);
    assert_eq!(told(&mut desk, "two"), [""; 0], "not twice");
}

fn sees(desk: &Desk, thread: &str) -> (Option<String>, bool) {
    let (thread, file) = (ThreadId::from(thread), path());
    let snapshot = desk.session.snapshot(&file, &thread);
    let content = desk.session.content(&file, &redline_layers::Projection::Agent(thread));
    (content, snapshot.is_some_and(|snapshot| snapshot.exists))
}

#[test]
fn a_deleted_file_comes_back_as_it_was_after_a_restart() {
    for told_in_time in [true, false] {
        let mut desk = Desk::open("one\ntwo\n");
        let hunks = deletes(&mut desk, "one", ProposeMode::Pending);
        desk.holds_writes = !told_in_time;
        desk.decides(ResolveRequest::hunks(ResolveAction::Accept, hunks.clone()));
        desk.types("two", "two, mine");
        desk.disk.clear();
        desk.restarts();
        desk.holds_writes = false;
        assert_eq!(desk.state(hunks[0]), Some(HunkState::Accepted));
        assert_eq!(desk.resolves(ResolveAction::Reopen, &hunks).resolved, hunks);
        assert_eq!(desk.on_disk(), "one\ntwo\n", "{told_in_time}");
        desk.opens();
        assert_eq!(desk.on_disk(), "one\ntwo\n");
        assert_eq!(sees(&desk, "two").0.unwrap(), "one\ntwo, mine\n");
    }
}

#[test]
fn two_threads_do_not_make_one_file() {
    let mut desk = Desk::closed("");
    desk.disk.clear();
    let make = |desk: &mut Desk, thread: &str, text: &str| {
        desk.proposal(&path(), thread, write(text), ProposeMode::Pending)
    };
    let hunks = make(&mut desk, "one", "1\n").unwrap().hunks;
    for mode in [ProposeMode::Pending, ProposeMode::Applied] {
        let second = desk.proposal(&path(), "two", write("2\n"), mode);
        assert_eq!(second.unwrap_err(), ProposeError::Coming);
    }
    assert_eq!(sees(&desk, "one"), (Some("1\n".to_owned()), true));
    assert_eq!(sees(&desk, "two"), (None, false));
    desk.resolves(ResolveAction::Reject, &hunks);
    let hunks = make(&mut desk, "two", "2\n").unwrap().hunks;
    desk.resolves(ResolveAction::Accept, &hunks);
    assert_eq!(desk.on_disk(), "2\n");
}

#[test]
fn a_file_that_was_moved_away_under_a_proposal_is_not_there() {
    let mut desk = Desk::closed("one\ntwo\n");
    let hunks = desk.proposes("two", "2");
    removed_outside(&mut desk);
    assert_eq!((sees(&desk, "one"), sees(&desk, "two")), ((None, false), (None, false)));
    assert_eq!(desk.state(hunks[0]), Some(HunkState::Conflict), "the user still hears of it");
    desk.proposal(&path(), "one", write("new\n"), ProposeMode::Applied).unwrap();
    assert_eq!(
        (desk.on_disk(), sees(&desk, "one")),
        ("new\n".into(), (Some("new\n".into()), true))
    );
    // An empty file that is proposed is one.
    let mut desk = Desk::closed("");
    desk.disk.clear();
    desk.proposal(&path(), "one", write(""), ProposeMode::Pending).unwrap();
    assert_eq!(
        (sees(&desk, "one"), sees(&desk, "two")),
        ((Some(String::new()), true), (None, false))
    );
}
