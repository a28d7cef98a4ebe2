//! A deleted file is one hunk; nothing is removed before the user accepts, and nothing typed is lost.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod desk;

use desk::{Desk, URI, disk, edit, other, path, write};
use redline_layers::{HunkId, Projection, ThreadId};
use redline_text::{Document, FileEncoding, Text, as_bytes};
use redline_workspace::{
    Change, DiskText, Effect, Event, FileChange, HunkState, ProposeError, ProposeMode, Reply,
    ResolveAction, ResolveRequest, WithdrawError, Withdrawn,
};

const TEXT: &str = "one\ntwo\nthree\n";
const WHOLE: &str = r#"h1 pending 0:0-3:0 "one\ntwo\nthree\n"→"""#;

fn deletes(desk: &mut Desk, thread: &str, mode: ProposeMode) -> Result<Vec<HunkId>, ProposeError> {
    desk.proposal(&path(), thread, |_| Change::Delete, mode).map(|proposed| proposed.hunks)
}

fn deletion(desk: &mut Desk) -> Vec<HunkId> {
    deletes(desk, "one", ProposeMode::Pending).unwrap()
}

fn sees(desk: &Desk, thread: &str) -> Option<String> {
    desk.session.content(&path(), &Projection::Agent(ThreadId::from(thread)))
}

fn is_there(desk: &Desk) -> bool {
    desk.disk.contains_key(&path())
}

fn change(desk: &Desk) -> FileChange {
    desk.reviews[&path()].change
}

fn undoes(desk: &mut Desk) -> Result<Withdrawn, WithdrawError> {
    let ticket = desk.ticket();
    desk.event(Event::Withdraw { ticket, file: path(), thread: "one".into() });
    match desk.replies.remove(&ticket) {
        Some(Reply::Withdrawn(result)) => result.map(|withdrawn| *withdrawn),
        other => panic!("no answer to a withdrawal: {other:?}"),
    }
}

#[test]
fn a_proposed_deletion_is_one_hunk_and_the_file_is_there() {
    for mut desk in [Desk::open(TEXT), Desk::closed(TEXT)] {
        let hunks = deletion(&mut desk);
        assert_eq!(hunks.len(), 1);
        assert_eq!(desk.shown(), [WHOLE]);
        assert_eq!(change(&desk), FileChange::Deleted);
        assert_eq!(desk.on_disk(), TEXT);
        assert_eq!((sees(&desk, "one"), sees(&desk, "two")), (None, Some(TEXT.to_owned())));
        assert_eq!(desk.session.content(&path(), &Projection::Editor).unwrap(), TEXT);
    }
}

#[test]
fn accepting_removes_the_file_and_reopening_brings_it_back() {
    for mut desk in [Desk::open(TEXT), Desk::closed(TEXT)] {
        let known = disk(TEXT).with_mode(Some(0o750));
        desk.disk.insert(path(), known.clone());
        if desk.session.uri_of(&path()).is_none() {
            desk.session = redline_workspace::Session::new(desk.session.config().clone());
        } else {
            desk.event(Event::Closed { uri: URI.to_owned(), disk: Some(known) });
            desk.opens();
        }
        let hunks = deletion(&mut desk);
        assert_eq!(desk.resolves(ResolveAction::Accept, &hunks).resolved, hunks);
        assert!(!is_there(&desk));
        assert_eq!((sees(&desk, "one"), sees(&desk, "two")), (None, None));
        assert_eq!(desk.state(hunks[0]), Some(HunkState::Accepted));
        assert_eq!(desk.shown(), [r#"h1 accepted 0:0-0:0 "one\ntwo\nthree\n"→"""#]);
        assert_eq!(desk.text.to_string(), TEXT, "a buffer that shows it is as it was");
        assert_eq!(desk.told().0, ["accepted the deletion of a.txt (call1)"]);

        assert_eq!(desk.resolves(ResolveAction::Reopen, &hunks).resolved, hunks);
        assert_eq!(desk.on_disk(), TEXT);
        assert_eq!(desk.disk[&path()].mode, Some(0o750));
        assert_eq!(desk.shown(), [WHOLE]);
        assert_eq!(desk.resolves(ResolveAction::Accept, &hunks).resolved, hunks);
        assert!(!is_there(&desk));
    }
}

#[test]
fn rejecting_leaves_nothing_and_can_be_reopened() {
    let mut desk = Desk::open(TEXT);
    let hunks = deletion(&mut desk);
    desk.resolves(ResolveAction::Reject, &hunks);
    assert_eq!((desk.on_disk(), sees(&desk, "one")), (TEXT.to_owned(), Some(TEXT.to_owned())));
    assert_eq!(desk.told().0, ["rejected the deletion of a.txt (call1)"]);
    assert_eq!(change(&desk), FileChange::Modified);
    desk.resolves(ResolveAction::Reopen, &hunks);
    assert_eq!(desk.shown(), [WHOLE]);
    desk.resolves(ResolveAction::Reject, &hunks);
    let edits = desk.proposes("two", "2");
    assert_eq!(edits.len(), 1, "the file goes on as if nothing had been");
    desk.resolves(ResolveAction::Accept, &edits);
    assert_eq!(desk.on_disk(), "one\n2\nthree\n");
}

#[test]
fn an_empty_file_is_a_hunk_too() {
    let mut desk = Desk::closed("");
    let hunks = deletion(&mut desk);
    assert_eq!(desk.shown(), [r#"h1 pending 0:0-0:0 ""→"""#]);
    desk.resolves(ResolveAction::Accept, &hunks);
    assert!(!is_there(&desk));
    desk.resolves(ResolveAction::Reopen, &hunks);
    assert!(is_there(&desk));
}

#[test]
fn what_is_no_text_is_not_shown_and_comes_back() {
    let mut desk = Desk::closed("");
    let bytes = DiskText::new(as_bytes(&[0, 159, 255, 10], FileEncoding::Bytes));
    desk.disk.insert(path(), bytes.clone());
    let hunks = deletion(&mut desk);
    assert_eq!(desk.shown(), [r#"h1 pending 0:0-0:0 ""→"""#]);
    desk.resolves(ResolveAction::Accept, &hunks);
    assert!(!is_there(&desk));
    desk.resolves(ResolveAction::Reopen, &hunks);
    assert_eq!(desk.disk[&path()].hash, bytes.hash);
    let again = desk.proposal(&path(), "one", write("text\n"), ProposeMode::Pending);
    assert_eq!(again.unwrap_err(), ProposeError::NotText);
}

#[test]
fn a_long_file_is_shown_by_its_first_lines() {
    let text = "0123456789abcde\n".repeat(40_000);
    let mut desk = Desk::closed(&text);
    let hunks = deletion(&mut desk);
    let hunk = &desk.reviews[&path()].hunks[0];
    assert_eq!(hunk.old_text.len(), 256 << 10);
    assert_eq!((hunk.range.end.line, hunk.range.end.character), (16 << 10, 0));
    desk.resolves(ResolveAction::Accept, &hunks);
    desk.resolves(ResolveAction::Reopen, &hunks);
    assert_eq!(desk.on_disk(), text);
}

#[test]
fn a_rule_removes_it_at_once_and_undoing_brings_it_back() {
    for mut desk in [Desk::open(TEXT), Desk::closed(TEXT)] {
        let hunks = deletes(&mut desk, "one", ProposeMode::Applied).unwrap();
        assert!(!is_there(&desk));
        assert_eq!(desk.state(hunks[0]), Some(HunkState::Applied));
        assert_eq!(desk.session.content(&path(), &Projection::Base).unwrap(), TEXT);
        desk.resolves(ResolveAction::Reject, &hunks);
        assert_eq!(desk.on_disk(), TEXT);
        assert_eq!(desk.told().0, ["undone the deletion of a.txt (call1)"]);

        let hunks = deletes(&mut desk, "one", ProposeMode::Applied).unwrap();
        desk.resolves(ResolveAction::Accept, &hunks);
        assert_eq!(desk.state(hunks[0]), Some(HunkState::Accepted));
        desk.resolves(ResolveAction::Reopen, &hunks);
        assert_eq!(desk.state(hunks[0]), Some(HunkState::Applied), "kept, and not kept again");
        assert!(!is_there(&desk));
    }
}

#[test]
fn what_waited_of_the_same_thread_goes_with_it() {
    for accept in [true, false] {
        let mut desk = Desk::open(TEXT);
        let edits = desk.proposes("two", "2");
        let hunks = deletion(&mut desk);
        assert_eq!(desk.shown(), [r#"h2 pending 0:0-3:0 "one\ntwo\nthree\n"→"""#]);
        let late = desk.resolves(ResolveAction::Accept, &edits);
        assert_eq!((late.stale, late.resolved), (edits, vec![]), "a late click deletes nothing");
        let action = if accept { ResolveAction::Accept } else { ResolveAction::Reject };
        desk.resolves(action, &hunks);
        assert_eq!((is_there(&desk), desk.text.to_string()), (!accept, TEXT.to_owned()));
        assert_eq!(desk.session.counts().pending_hunks, 0);
        desk.resolves(ResolveAction::Reopen, &hunks);
        assert_eq!(desk.shown(), [r#"h2 pending 0:0-3:0 "one\ntwo\nthree\n"→"""#]);
        undoes(&mut desk).unwrap();
        assert_eq!(desk.shown(), [r#"h1 pending 1:0-2:0 "two\n"→"2\n""#], "it waits again");
    }
}

#[test]
fn undo_all_takes_a_deletion_and_what_a_rule_applied_before() {
    let mut desk = Desk::open(TEXT);
    let change = edit("two", "2");
    desk.proposal(&path(), "one", change, ProposeMode::Applied).unwrap();
    deletes(&mut desk, "one", ProposeMode::Applied).unwrap();
    assert!(!is_there(&desk));
    let all = ResolveRequest::all(ResolveAction::Reject);
    let ticket = desk.decides(ResolveRequest { include_applied: true, ..all });
    desk.answer(ticket);
    assert_eq!((desk.text.to_string(), desk.on_disk()), (TEXT.to_owned(), TEXT.to_owned()));
}

#[test]
fn what_another_thread_proposed_waits_for_the_decision() {
    let propose = |desk: &mut Desk| {
        let change = edit("two", "2");
        desk.proposal(&path(), "two", change, ProposeMode::Pending).unwrap().hunks
    };
    let mut desk = Desk::open(TEXT);
    assert_eq!(propose(&mut desk).len(), 1);
    let hunks = deletion(&mut desk);
    assert_eq!(desk.shown().len(), 1);
    assert_eq!(sees(&desk, "two").unwrap(), "one\n2\nthree\n");
    desk.resolves(ResolveAction::Reject, &hunks);
    let waits = |line: &String| line == r#"h1 pending 1:0-2:0 "two\n"→"2\n""#;
    assert!(desk.shown().iter().any(waits), "{:?}", desk.shown());
    assert_eq!(deletes(&mut desk, "two", ProposeMode::Pending).unwrap().len(), 1);
    assert_eq!(deletes(&mut desk, "one", ProposeMode::Pending), Err(ProposeError::Going));
}

#[test]
fn a_thread_whose_file_goes_is_told() {
    let mut desk = Desk::open(TEXT);
    desk.proposes("two", "2");
    let hunks = deletes(&mut desk, "two", ProposeMode::Pending).unwrap();
    desk.resolves(ResolveAction::Accept, &hunks);
    let said = "conflict a.txt: the user accepted that another agent deletes it; your 1 changes in \
                it went with it";
    assert_eq!(desk.told(), (vec![said.to_owned()], 0));
}

#[test]
fn deleted_and_written_again_is_overwritten() {
    let mut desk = Desk::open(TEXT);
    deletion(&mut desk);
    let first = desk.proposal(&path(), "one", write("one\n2\nthree\n"), ProposeMode::Pending);
    assert_eq!(first.unwrap_err(), ProposeError::Stale, "the tool looks again");
    let hunks =
        desk.proposal(&path(), "one", write("one\n2\nthree\n"), ProposeMode::Pending).unwrap();
    assert_eq!((hunks.created, hunks.hunks.len()), (false, 1));
    assert_eq!(desk.shown(), [r#"h2 pending 1:0-2:0 "two\n"→"2\n""#]);
}

#[test]
fn made_again_after_it_was_deleted_it_is_a_new_file() {
    let mut desk = Desk::closed(TEXT);
    let hunks = deletion(&mut desk);
    desk.resolves(ResolveAction::Accept, &hunks);
    desk.proposal(&path(), "one", write("new\n"), ProposeMode::Pending).unwrap();
    assert_eq!(desk.shown(), [r#"h2 pending 0:0-0:0 ""→"new\n""#]);
    assert_eq!(change(&desk), FileChange::Created);
    assert_eq!(desk.resolves(ResolveAction::Reopen, &hunks).stale, hunks);
    desk.resolves(ResolveAction::Accept, &[HunkId("h2".parse::<HunkId>().unwrap().0)]);
    assert_eq!(desk.on_disk(), "new\n");
}

#[test]
fn a_proposed_file_that_its_thread_deletes_was_never_there() {
    let mut desk = Desk::closed(TEXT);
    let new = other("new.txt");
    desk.proposal(&new, "one", write("x\n"), ProposeMode::Pending).unwrap();
    let gone = desk.proposal(&new, "one", |_| Change::Delete, ProposeMode::Pending).unwrap();
    assert!(gone.hunks.is_empty());
    assert!(desk.reviews[&new].hunks.is_empty());
    let again = desk.proposal(&new, "one", |_| Change::Delete, ProposeMode::Pending);
    assert_eq!(again.unwrap_err(), ProposeError::Stale);
}

#[test]
fn typing_after_the_proposal_keeps_the_file() {
    let mut desk = Desk::open(TEXT);
    let hunks = deletion(&mut desk);
    desk.types("two", "two, mine");
    assert!(desk.reviews[&path()].hunks[0].mixed);
    let answer = desk.resolves(ResolveAction::Accept, &hunks);
    assert_eq!(answer.resolved, []);
    assert!(answer.failed[0].1.starts_with("the file has changed since"), "{answer:?}");
    assert!(is_there(&desk));
    desk.types(", mine", "");
    assert_eq!(desk.resolves(ResolveAction::Accept, &hunks).resolved, hunks);
}

#[test]
fn unsaved_text_keeps_the_file() {
    let mut desk = Desk::open(TEXT);
    desk.types("two", "two, mine");
    let hunks = deletion(&mut desk);
    let answer = desk.resolves(ResolveAction::Accept, &hunks);
    assert!(answer.failed[0].1.starts_with("the editor has unsaved text"), "{answer:?}");
    assert_eq!((is_there(&desk), desk.state(hunks[0])), (true, Some(HunkState::Pending)));
    let applied = deletes(&mut desk, "two", ProposeMode::Applied);
    assert_eq!(applied, Err(ProposeError::Going));
    undoes(&mut desk).unwrap();
    let applied = deletes(&mut desk, "two", ProposeMode::Applied);
    assert!(matches!(applied, Err(ProposeError::Failed(_))), "{applied:?}");
    assert!(is_there(&desk) && desk.reviews[&path()].hunks.is_empty());
}

#[test]
fn a_file_that_others_change_is_not_deleted() {
    let mut desk = Desk::closed(TEXT);
    let hunks = deletion(&mut desk);
    desk.disk.insert(path(), disk("other\n"));
    let answer = desk.resolves(ResolveAction::Accept, &hunks);
    assert!(answer.failed[0].1.starts_with("the file changed on disk"), "{answer:?}");
    assert_eq!(
        (desk.on_disk(), desk.state(hunks[0])),
        ("other\n".into(), Some(HunkState::Conflict))
    );
    desk.resolves(ResolveAction::Reject, &hunks);
    assert_eq!(sees(&desk, "one").unwrap(), "other\n");
    let hunks = deletion(&mut desk);
    assert_eq!(desk.resolves(ResolveAction::Accept, &hunks).resolved, hunks);
}

#[test]
fn a_file_that_others_remove_is_what_was_proposed() {
    let mut desk = Desk::closed(TEXT);
    deletion(&mut desk);
    let known = desk.disk.remove(&path()).map(|disk| disk.hash);
    desk.event(Event::DiskChanged { file: path(), known, disk: None });
    assert_eq!(desk.shown(), [""; 0]);
    let said = "accepted the deletion of a.txt (call1): another program has removed the file";
    assert_eq!(desk.told(), (vec![said.to_owned()], 0));
}

#[test]
fn a_deleted_file_that_is_there_again_is_a_file() {
    let mut desk = Desk::closed(TEXT);
    let hunks = deletion(&mut desk);
    desk.resolves(ResolveAction::Accept, &hunks);
    desk.disk.insert(path(), disk("again\n"));
    let disk = desk.disk.get(&path()).cloned();
    desk.event(Event::DiskChanged { file: path(), known: None, disk });
    assert_eq!(sees(&desk, "one").unwrap(), "again\n");
    assert_eq!(desk.resolves(ResolveAction::Reopen, &hunks).stale, hunks);
}

#[test]
fn a_buffer_that_outlives_its_file() {
    let mut desk = Desk::open(TEXT);
    let hunks = deletion(&mut desk);
    desk.resolves(ResolveAction::Accept, &hunks);
    desk.types("two", "two, mine");
    assert_eq!(sees(&desk, "one"), None, "a buffer is no file");
    desk.resolves(ResolveAction::Reopen, &hunks);
    assert_eq!(
        (desk.on_disk(), desk.text.to_string()),
        (TEXT.into(), "one\ntwo, mine\nthree\n".into())
    );
    assert_eq!(desk.resolves(ResolveAction::Accept, &hunks).failed.len(), 1);

    // Saved, it is a file again, with what was typed.
    let mut desk = Desk::open(TEXT);
    let hunks = deletion(&mut desk);
    desk.resolves(ResolveAction::Accept, &hunks);
    desk.types("two", "two, mine");
    desk.disk.insert(path(), disk(&desk.text.to_string()));
    desk.event(Event::Saved { uri: URI.to_owned() });
    assert_eq!(sees(&desk, "one").unwrap(), "one\ntwo, mine\nthree\n");
    assert_eq!(desk.shown(), [""; 0]);

    // Closed, what was typed is dropped, and the deletion can be taken back.
    let mut desk = Desk::open(TEXT);
    let hunks = deletion(&mut desk);
    desk.resolves(ResolveAction::Accept, &hunks);
    desk.types("two", "two, mine");
    desk.event(Event::Closed { uri: URI.to_owned(), disk: None });
    desk.resolves(ResolveAction::Reopen, &hunks);
    assert_eq!(desk.on_disk(), TEXT);
}

#[test]
fn the_end_of_the_next_turn_settles_it_unless_a_buffer_shows_it() {
    for open in [true, false] {
        let mut desk = if open { Desk::open(TEXT) } else { Desk::closed(TEXT) };
        desk.turn();
        let hunks = deletion(&mut desk);
        desk.resolves(ResolveAction::Accept, &hunks);
        desk.turn();
        desk.event(Event::TurnEnded { thread: "one".into() });
        assert_eq!(desk.shown().is_empty(), !open);
        assert_eq!(sees(&desk, "one"), None);
    }
}

#[test]
fn what_was_on_its_way_is_as_the_disk_says_after_a_restart() {
    for (landed, accept) in [(true, true), (false, true), (true, false), (false, false)] {
        let mut desk = Desk::closed(TEXT);
        let hunks = deletion(&mut desk);
        if !accept {
            desk.resolves(ResolveAction::Accept, &hunks);
        }
        desk.holds_writes = true;
        let action = if accept { ResolveAction::Accept } else { ResolveAction::Reopen };
        desk.decides(ResolveRequest::hunks(action, hunks.clone()));
        assert!(matches!(desk.held[0], Effect::WriteFile { .. }));
        match (landed, accept) {
            (true, true) => drop(desk.disk.remove(&path())),
            (true, false) => drop(desk.disk.insert(path(), disk(TEXT))),
            _ => {}
        }
        desk.restarts();
        let gone = landed == accept;
        let want = if gone { HunkState::Accepted } else { HunkState::Pending };
        assert_eq!(desk.state(hunks[0]), Some(want), "{landed} {accept}");
        desk.holds_writes = false;
        let back = if gone { ResolveAction::Reopen } else { ResolveAction::Accept };
        assert_eq!(desk.resolves(back, &hunks).resolved, hunks);
        assert_eq!(is_there(&desk), gone);
    }
}

#[test]
fn a_restart_with_the_buffer_open() {
    for accepted in [true, false] {
        let mut desk = Desk::open(TEXT);
        let hunks = deletion(&mut desk);
        if accepted {
            desk.resolves(ResolveAction::Accept, &hunks);
        }
        let shown = desk.shown();
        desk.restarts();
        desk.opens();
        assert_eq!(desk.shown(), shown);
        let back = if accepted { ResolveAction::Reopen } else { ResolveAction::Accept };
        assert_eq!(desk.resolves(back, &hunks).resolved, hunks);
        assert_eq!(is_there(&desk), accepted);
    }
}

#[test]
fn a_thread_undoes_its_deletion() {
    let mut desk = Desk::closed(TEXT);
    desk.disk.insert(path(), disk(TEXT).with_mode(Some(0o700)));
    deletion(&mut desk);
    let taken = undoes(&mut desk).unwrap();
    assert_eq!((taken.withdrawn, taken.restore.is_none()), (1, true));
    assert_eq!((desk.shown().len(), sees(&desk, "one")), (0, Some(TEXT.to_owned())));

    let hunks = deletion(&mut desk);
    desk.resolves(ResolveAction::Accept, &hunks);
    let taken = undoes(&mut desk).unwrap();
    let restore = taken.restore.unwrap();
    let back = desk.proposal(&path(), "one", |_| Change::Restore(restore), ProposeMode::Pending);
    let back = back.unwrap();
    assert_eq!((back.created, change(&desk)), (true, FileChange::Created));
    assert!(!is_there(&desk), "it is the user's to say");
    desk.resolves(ResolveAction::Accept, &back.hunks);
    assert_eq!((desk.on_disk(), desk.disk[&path()].mode), (TEXT.to_owned(), Some(0o700)));
}

#[test]
fn going_back_brings_a_deleted_file_back() {
    let format = as_bytes(b"x", FileEncoding::Bytes).format;
    for bytes in [false, true] {
        let mut desk = Desk::closed(TEXT);
        if bytes {
            let (text, format) = (Text::from(TEXT), format);
            desk.disk.insert(path(), DiskText::new(Document { text, format }));
        }
        let before = desk.disk[&path()].hash;
        desk.turn();
        if !bytes {
            let edits = desk.proposes("two", "2");
            desk.resolves(ResolveAction::Accept, &edits);
        }
        let hunks = deletion(&mut desk);
        desk.resolves(ResolveAction::Accept, &hunks);
        for _ in 0..2 {
            desk.turn();
            desk.event(Event::TurnEnded { thread: "one".into() });
        }
        let rewound = desk.rewinds(1);
        assert_eq!((rewound.files, rewound.kept), (vec![path()], vec![]));
        assert_eq!(desk.disk[&path()].hash, before);
    }
}

#[test]
fn going_back_with_the_buffer_open() {
    let mut desk = Desk::open(TEXT);
    desk.turn();
    let edits = desk.proposes("two", "2");
    desk.resolves(ResolveAction::Accept, &edits);
    desk.turn();
    let hunks = deletion(&mut desk);
    desk.resolves(ResolveAction::Accept, &hunks);
    let rewound = desk.rewinds(2);
    assert_eq!((rewound.files, rewound.kept), (vec![path()], vec![]));
    assert_eq!(desk.on_disk(), "one\n2\nthree\n");
    assert_eq!(sees(&desk, "one").unwrap(), "one\n2\nthree\n");
    desk.resolves(ResolveAction::Reopen, &hunks);
    desk.resolves(ResolveAction::Accept, &hunks);
    assert_eq!(desk.rewinds(1).kept.len(), 1, "in two steps");
    desk.rewinds(1);
    assert_eq!(desk.text.to_string(), TEXT);
}

#[test]
fn written_again_while_its_buffer_is_open() {
    let mut desk = Desk::open(TEXT);
    let hunks = deletion(&mut desk);
    desk.resolves(ResolveAction::Accept, &hunks);
    for _ in 0..2 {
        let same = desk.proposal(&path(), "one", write(TEXT), ProposeMode::Pending);
        assert!(matches!(same, Err(ProposeError::Stale | ProposeError::NotOnDisk)), "{same:?}");
    }
    let new = desk.proposal(&path(), "one", write("one\n2\nthree\n"), ProposeMode::Pending);
    desk.resolves(ResolveAction::Accept, &new.unwrap().hunks);
    assert_eq!(desk.on_disk(), "one\n2\nthree\n");
}

#[test]
fn going_back_withdraws_a_deletion_that_waits() {
    let mut desk = Desk::open(TEXT);
    desk.turn();
    deletion(&mut desk);
    assert_eq!(desk.rewinds(1).withdrawn, 1);
    assert_eq!(desk.shown(), [""; 0]);
    assert_eq!(sees(&desk, "one").unwrap(), TEXT);
}

#[test]
fn a_deletion_has_no_text_to_edit() {
    let mut desk = Desk::open(TEXT);
    let hunks = deletion(&mut desk);
    let request = ResolveRequest::hunks(ResolveAction::Accept, hunks);
    let ticket = desk.decides(ResolveRequest { final_text: Some("x\n".into()), ..request });
    assert!(desk.answer(ticket).failed[0].1.starts_with("a deletion has no text"));
    assert!(is_there(&desk));
}

#[test]
fn a_document_that_was_never_saved_is_no_file() {
    let mut desk = Desk::closed(TEXT);
    desk.disk.clear();
    desk.opens();
    assert_eq!(deletes(&mut desk, "one", ProposeMode::Pending), Err(ProposeError::NotOnDisk));
}
