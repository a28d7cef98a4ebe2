//! Cases that went wrong once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use redline_layers::{Author, Decision, Layers, Op, OpId, PieceState, Projection};
use redline_text::Edit;

fn op(id: u32, edit: Edit) -> Op {
    Op { id: OpId(id), thread: "one".into(), edits: vec![edit], creates: false, deletes: false }
}

#[test]
fn undoing_a_replacement_across_a_pieces_end_restores_it() {
    let mut layers = Layers::new("beta\ngamma\nx\n".into());
    layers.propose(&op(1, Edit::new(3..9, "M")));
    let (hunks, text) = (layers.hunks(), layers.editor().clone());
    let edit = Edit::new(4..12, "U");
    layers.change(Author::User, &edit);
    layers.change(Author::UserUndo, &edit.inverse(&text));
    assert_eq!(layers.editor(), &text);
    assert_eq!(layers.hunks(), hunks);
}

#[test]
fn a_conflict_beside_a_pending_piece_is_not_accepted() {
    let mut layers = Layers::new("a b c\n".into());
    layers.propose(&op(1, Edit::new(0..1, "A")));
    layers.propose(&op(2, Edit::new(4..5, "C")));
    layers.change(Author::Tool, &Edit::new(4..5, "x"));
    let agent = layers.project(&Projection::Agent("one".into()));
    let id = layers.hunks()[0].id;
    layers.resolve(Decision::Accept, &[id]);
    assert_eq!(layers.editor(), &agent);
    assert_eq!(layers.hunks()[0].state, PieceState::Conflict);
}

#[test]
fn a_conflict_does_not_hide_what_waits() {
    let mut layers = Layers::new("a\n".into());
    layers.propose(&op(1, Edit::new(2..2, "M\n")));
    layers.propose(&op(2, Edit::new(0..4, "")));
    layers.change(Author::Tool, &Edit::new(0..2, "b\n"));
    let hunks = layers.hunks();
    assert!(hunks.iter().any(|hunk| hunk.state == PieceState::Pending), "{hunks:?}");
}

#[test]
fn undoing_beside_an_older_deletion_across_a_pieces_end() {
    let mut layers = Layers::new("x\ndelta F\r\nlast".into());
    layers.propose(&op(1, Edit::new(1..2, "M")));
    layers.change(Author::User, &Edit::new(9..12, ""));
    let (hunks, text) = (layers.hunks(), layers.editor().clone());
    let edit = Edit::new(7..10, "U");
    layers.change(Author::User, &edit);
    layers.change(Author::UserUndo, &edit.inverse(&text));
    assert_eq!(layers.hunks(), hunks);
}

#[test]
fn undoing_a_replacement_that_contains_the_old_text() {
    let mut layers = Layers::new("".into());
    let ids = layers.propose(&op(1, Edit::new(0..0, "abc")));
    layers.set_state(&ids, PieceState::Applied);
    let (hunks, text) = (layers.hunks(), layers.editor().clone());
    let edit = Edit::new(1..2, "xbx");
    layers.change(Author::User, &edit);
    layers.change(Author::UserUndo, &edit.inverse(&text));
    assert_eq!(layers.hunks(), hunks);
}

#[test]
fn two_replacements_are_undone_one_after_the_other() {
    let mut layers = Layers::new("fn a() {\n    b();\n}\n\nfn c() {\n    d();\n}\n".into());
    layers.propose(&op(1, Edit::new(0..1, "M\n")));
    layers.change(Author::User, &Edit::new(8..13, ""));
    layers.change(Author::Tool, &Edit::new(8..16, "x"));
    let (mut states, mut backs) = (vec![], vec![]);
    for edit in [Edit::new(7..9, "U\n"), Edit::new(0..0, "W"), Edit::new(2..8, "V")] {
        states.push(layers.hunks());
        backs.push(edit.inverse(layers.editor()));
        layers.change(Author::User, &edit);
    }
    for (back, state) in backs.iter().zip(&states).rev() {
        layers.change(Author::UserUndo, back);
        assert_eq!(&layers.hunks(), state, "after undoing {back:?}");
    }
}

#[test]
fn readmit_shows_pieces_that_no_hunk_shows() {
    let mut layers = Layers::new("b\n".into());
    let first = layers.propose(&op(1, Edit::new(0..0, "w\n")));
    layers.set_state(&first, PieceState::Accepted);
    layers.propose(&op(2, Edit::new(0..2, "")));
    layers.retract(&first);
    layers.readmit(&first);
    assert_eq!(layers.editor().to_string(), "w\nb\n");
}
