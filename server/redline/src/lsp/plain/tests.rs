//! Words, places, marks and actions of hunks, as data.

use std::path::Path;

use expect_test::{Expect, expect};
use redline_layers::{HunkId, OpId, PieceId, Revision, ThreadId};
use redline_text::{Encoding, Position, PositionRange};
use redline_workspace::{FileChange, HunkState, HunkView, Origin, Review, WorkspacePath};

use super::{
    Lines, actions,
    diagnostics::diagnostics,
    hover::hover,
    place, touching,
    words::{self, diff, summary},
};
use crate::lsp::standard::{MarkupKind, Offer};

fn range(start: (u32, u32), end: (u32, u32)) -> PositionRange {
    PositionRange { start: Position::new(start.0, start.1), end: Position::new(end.0, end.1) }
}

fn hunk(old: &str, new: &str, range: PositionRange) -> HunkView {
    HunkView {
        id: HunkId(PieceId { op: OpId(1), index: 0 }),
        state: HunkState::Pending,
        mixed: false,
        pieces: 1,
        range,
        old_text: old.into(),
        new_text: new.into(),
        words_old: vec![],
        words_new: vec![],
        origin: Origin {
            thread: ThreadId::from("T"),
            agent: "script".into(),
            tool: "edit_file".into(),
            call: "c1".into(),
        },
    }
}

fn review(change: FileChange, hunks: Vec<HunkView>) -> Review {
    Review {
        file: WorkspacePath::assume_canonical(Path::new("/p/a.rs")),
        uri: Some("file:///p/a.rs".into()),
        revision: Revision(1),
        version: Some(1),
        change,
        hunks,
    }
}

#[test]
fn a_hunk_in_one_line() {
    let check = |old: &str, new: &str, want: &str| {
        let hunk = hunk(old, new, range((0, 0), (1, 0)));
        assert_eq!(summary(&hunk, FileChange::Modified), want, "{old:?} {new:?}");
    };
    check("two\n", "TWO\n", "two → TWO");
    check("  two\n", "  TWO\n", "two → TWO");
    check("", "a\nb\n", "2 lines more: a");
    check("", "\nb\n", "2 lines more: b");
    check("a\n", "", "1 line less: a");
    check("a\nb\n", "c\nd\ne\n", "2 lines → 3: c");
    check("a\nkeep\nb\n", "A\nkeep\nB\n", "2 lines → 2: A");
    check("a\r\n", "a\n", "a␍ → a");
    check("a\r\n", "b\r\n", "a → b");
    check("a", "a\n", "a → a");
    check("-- a/x\n", "++ b/x\n", "-- a/x → ++ b/x");
    check(&"😀".repeat(70), "b", &format!("{}… → b", "😀".repeat(60)));
}

#[test]
fn a_file_in_one_line() {
    let new = hunk("", "a\nb\n", range((0, 0), (0, 0)));
    assert_eq!(summary(&new, FileChange::Created), "new file, 2 lines");
    assert_eq!(
        summary(&hunk("", "", range((0, 0), (0, 0))), FileChange::Created),
        "new file, 0 lines"
    );
    assert_eq!(
        summary(&hunk("a\n", "", range((0, 0), (1, 0))), FileChange::Deleted),
        "the file goes"
    );
    let typed = HunkView { mixed: true, ..hunk("a\n", "", range((0, 0), (1, 0))) };
    let said = words::mixed(&typed, FileChange::Deleted).unwrap();
    assert!(said.starts_with("cannot be accepted"), "{said}");
    let conflict = HunkView { state: HunkState::Conflict, ..new };
    assert!(summary(&conflict, FileChange::Modified).starts_with("conflict: "));
}

#[test]
fn a_diff_is_cut_and_says_so() {
    let many: String = (1..=9).map(|n| format!("{n}\n")).collect();
    let hunk = hunk("", &many, range((0, 0), (0, 0)));
    assert_eq!(diff(&hunk, 3), "+1\n+2\n+3\n… 6 lines more");
    assert_eq!(diff(&hunk, 8).lines().last(), Some("… 1 line more"));
    assert_eq!(diff(&hunk, 9).lines().count(), 9);
}

#[test]
fn what_waits_in_one_line() {
    let pending = || hunk("a\n", "b\n", range((0, 0), (1, 0)));
    let rejected = || HunkView { state: HunkState::Rejected, ..pending() };
    let reviews = [
        review(FileChange::Modified, vec![pending(), rejected(), pending()]),
        review(FileChange::Modified, vec![rejected()]),
        review(FileChange::Created, vec![pending()]),
    ];
    let name = |review: &Review| review.file.as_path().display().to_string();
    let waiting = words::waiting(&reviews, name);
    assert_eq!(waiting.as_deref(), Some("/p/a.rs (2), /p/a.rs (new file)"));
    assert_eq!(words::waiting(&reviews[1..2], name), None);
}

#[test]
fn marks_end_where_the_last_line_does() {
    let check = |old: &str, at: PositionRange, encoding, want: PositionRange| {
        assert_eq!(place::marked(&hunk(old, "x\n", at), encoding), want, "{old:?}");
    };
    let utf16 = Encoding::Utf16;
    check("ab\n", range((3, 0), (4, 0)), utf16, range((3, 0), (3, 2)));
    check("ab\r\n", range((3, 0), (4, 0)), utf16, range((3, 0), (3, 2)));
    check("ab\n😀c\n", range((3, 0), (5, 0)), utf16, range((3, 0), (4, 3)));
    check("ab\n😀c\n", range((3, 0), (5, 0)), Encoding::Utf8, range((3, 0), (4, 5)));
    check("ab\n😀c\n", range((3, 0), (5, 0)), Encoding::Utf32, range((3, 0), (4, 2)));
    check("ab\n\n\n", range((3, 0), (6, 0)), utf16, range((3, 0), (5, 0)));
    check("\n", range((3, 0), (4, 0)), utf16, range((3, 0), (3, 0)));
    check("ab", range((3, 0), (3, 2)), utf16, range((3, 0), (3, 2)));
    // No lines of its own: the line above.
    check("", range((3, 0), (3, 0)), utf16, range((2, 0), (2, 0)));
    check("", range((0, 0), (0, 0)), utf16, range((0, 0), (0, 0)));
}

#[test]
fn a_hunk_is_meant_from_its_lines() {
    let meant = |at: PositionRange, first: u32, last: u32| {
        touching(&hunk("x\n", "y\n", at), Lines { first, last })
    };
    let lines = range((3, 0), (5, 0));
    let from: Vec<u32> = (0..8).filter(|line| meant(lines, *line, *line)).collect();
    assert_eq!(from, [3, 4]);
    assert!(meant(lines, 0, 3) && meant(lines, 4, 9) && meant(lines, 0, 9));
    let place = range((3, 0), (3, 0));
    let from: Vec<u32> = (0..8).filter(|line| meant(place, *line, *line)).collect();
    assert_eq!(from, [2, 3]);
    let top = range((0, 0), (0, 0));
    assert!(meant(top, 0, 0) && !meant(top, 1, 1));
    assert_eq!(Lines::of(range((2, 0), (4, 0))), Lines { first: 2, last: 3 });
    assert_eq!(Lines::of(range((2, 1), (2, 1))), Lines { first: 2, last: 2 });
    assert_eq!(Lines::of(range((2, 0), (2, 0))), Lines { first: 2, last: 2 });
}

#[test]
fn each_state_is_marked_and_offered() {
    let at = range((1, 0), (2, 0));
    let state = |state| HunkView { state, ..hunk("a\n", "b\n", at) };
    let check = |state_of: HunkState, want: Expect| {
        let review = review(FileChange::Modified, vec![state(state_of)]);
        let marks = diagnostics(&review, Encoding::Utf16);
        let marks = marks.iter().map(|mark| {
            format!("{:?} {}", mark.severity, mark.message.lines().next().unwrap_or_default())
        });
        let asked = actions::Asked {
            lines: Lines { first: 1, last: 1 },
            only: None,
            invoked: true,
            literals: false,
            encoding: Encoding::Utf16,
            shows: false,
        };
        let offers = actions::actions(Some(&review), 0, "file:///p/a.rs", asked);
        let offers = offers.iter().map(|offer| match offer {
            Offer::Command(command) => format!("{} | {}", command.title, command.command),
            Offer::Action(action) => format!("not asked for: {action:?}"),
        });
        want.assert_eq(&marks.chain(offers).collect::<Vec<_>>().join("\n"));
    };
    check(
        HunkState::Pending,
        expect![[r#"
            Information proposal 1 of 1: a → b
            Redline: accept 1 of 1 (a → b) | redline.accept
            Redline: reject 1 of 1 (a → b) | redline.reject"#]],
    );
    check(
        HunkState::Applied,
        expect![[r#"
            Hint applied 1 of 1: a → b
            Redline: keep 1 of 1 (a → b) | redline.accept
            Redline: undo 1 of 1 (a → b) | redline.reject"#]],
    );
    check(
        HunkState::Conflict,
        expect![[r#"
            Warning proposal 1 of 1: conflict: the text it was made for is gone, it can only be rejected
            Redline: reject 1 of 1 (conflict: the text it was made for is gone, it can only be rejected) | redline.reject"#]],
    );
    check(HunkState::Accepting, expect![[""]]);
    check(
        HunkState::Rejected,
        expect![[r#"Redline: reopen the rejected change (a → b) | redline.reopen"#]],
    );
}

#[test]
fn hovers() {
    let review = review(
        FileChange::Modified,
        vec![hunk("a\n", "b\n", range((1, 0), (2, 0))), hunk("", "``\n", range((3, 0), (3, 0)))],
    );
    let at = |line, kind| hover(&review, line, Encoding::Utf16, kind).map(|h| h.contents.value);
    expect![[r#"
        **Redline: proposal 1 of 2** (script, edit_file; `h1`)

        ```diff
        -a
        +b
        ```"#]]
    .assert_eq(&at(1, MarkupKind::Markdown).unwrap());
    expect![[r#"
        Redline: proposal 2 of 2 (script, edit_file; h1)
        +``"#]]
    .assert_eq(&at(2, MarkupKind::PlainText).unwrap());
    assert_eq!(at(4, MarkupKind::PlainText), None);
}
