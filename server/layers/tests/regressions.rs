//! Cases that went wrong once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use redline_layers::{Author, Decision, Layers, Op, OpId, PieceState, Projection};
use redline_text::Edit;

fn op(id: u32, edit: Edit) -> Op {
    Op { id: OpId(id), thread: "one".into(), edits: vec![edit], creates: false }
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
