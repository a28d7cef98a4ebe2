//! What typing does to hunks, however an editor tells of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use proptest::prelude::*;
use redline_layers::{Author, Hunk, Layers, Op, OpId};
use redline_text::{Edit, Text};
use world::{World, any_spot, config, cursors, events, life};

proptest! {
    #![proptest_config(config())]

    /// Undo by undo, every state comes back, and redo by redo.
    #[test]
    fn undo_and_redo_of_typing_restore_the_hunks(life in life(30), events in events(4)) {
        let mut world = World::after(1, &life);
        let mut states = vec![state(&world)];
        for event in &events {
            let edits = world.event(event);
            world.type_event(&edits);
            states.push(state(&world));
        }
        for want in states.iter().rev().skip(1) {
            world.undo();
            prop_assert_eq!(&state(&world), want);
        }
        for want in states.iter().skip(1) {
            world.redo();
            prop_assert_eq!(&state(&world), want);
        }
    }

    /// One event of several cursors, told from the last to the first (VS Code), from the first to
    /// the last, or as one after the other.
    #[test]
    fn several_cursors_are_the_same_edits_one_by_one(life in life(30), cursors in cursors()) {
        let mut world = World::after(2, &life);
        let edits = world.event(&cursors);
        let mut forth = world.clone();
        for edit in edits.iter().rev() {
            world.layers.change(Author::User, edit);
        }
        let mut grown = 0;
        for edit in &edits {
            let shifted = |at: usize| at.saturating_add_signed(grown);
            let range = shifted(edit.range.start)..shifted(edit.range.end);
            forth.layers.change(Author::User, &Edit::new(range, edit.new.as_str()));
            grown += edit.delta();
        }
        prop_assert_eq!(forth.layers.hunks(), world.layers.hunks());
        prop_assert_eq!(forth.texts(), world.texts());
    }

    #[test]
    fn typing_char_by_char_equals_typing_at_once(life in life(30), at in any::<u16>()) {
        for typed in ["typed\nhere", "e\u{301}界👩‍👩‍👧"] {
            let mut world = World::after(2, &life);
            let at = world.place(at);
            let mut single = world.clone();
            world.layers.change(Author::User, &Edit::new(at..at, typed));
            let mut place = at;
            for c in typed.chars() {
                single.layers.change(Author::User, &Edit::new(place..place, c));
                place += c.len_utf8();
            }
            prop_assert_eq!(single.layers.hunks(), world.layers.hunks());
            prop_assert_eq!(single.texts(), world.texts());
        }
    }

    /// By Backspace, by Delete, or as a selection.
    #[test]
    fn deleting_char_by_char_equals_deleting_at_once(life in life(30), spot in any_spot()) {
        let mut world = World::after(2, &life);
        let edit = world.event(&[(spot, world::Word::Nothing)]);
        let Some(Edit { range, .. }) = edit.first().cloned() else { return Ok(()) };
        let gone = world.layers.editor().slice(range.clone()).into_owned();
        let behind = world.layers.editor().slice(range.end..range.end + 2).into_owned();
        prop_assume!(!meets_line_ends(&gone, &behind));
        let (mut back, mut forth) = (world.clone(), world.clone());
        world.layers.change(Author::User, &Edit::new(range.clone(), ""));
        let mut end = range.end;
        for key in keys(&gone).into_iter().rev() {
            back.layers.change(Author::User, &Edit::new(end - key.len()..end, ""));
            end -= key.len();
        }
        for key in keys(&gone) {
            forth.layers.change(Author::User, &Edit::new(range.start..range.start + key.len(), ""));
        }
        for other in [back, forth] {
            prop_assert_eq!(other.layers.hunks(), world.layers.hunks());
            prop_assert_eq!(other.texts(), world.texts());
        }
    }
}

fn state(world: &World) -> (Vec<Hunk>, [Text; 4]) {
    (world.layers.hunks(), world.texts())
}

/// Whether two line ends come to lie side by side: of those either may be meant.
fn meets_line_ends(gone: &str, behind: &str) -> bool {
    let gone = gone.replace('\r', "");
    gone.contains("\n\n") || gone.contains('\n') && behind.starts_with(['\r', '\n'])
}

/// What one press of a key takes: a char, or a whole line end.
fn keys(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut keys = Vec::new();
    while let Some(first) = rest.chars().next() {
        let len = if rest.starts_with("\r\n") { 2 } else { first.len_utf8() };
        let (key, tail) = rest.split_at(len);
        keys.push(key);
        rest = tail;
    }
    keys
}

/// A line end that was deleted beside another one comes back as itself, whichever of the two the
/// editor names.
#[test]
fn undoing_the_deletion_of_one_of_two_line_ends() {
    for eol in ["\n", "\r\n"] {
        for (old, new) in
            [("lt", "LT"), ("a\nlt", "A\nLT"), ("a", "A"), ("a\n", ""), ("\nlt", "LT")]
        {
            let with = |text: &str| text.replace('\n', eol);
            let text = with("a\nlt\n");
            let mut layers = Layers::new(text.as_str().into());
            let (old, new) = (with(old), with(new));
            let at = text.find(&old).unwrap();
            let edits = vec![Edit::new(at..at + old.len(), new)];
            let thread = redline_layers::ThreadId::from("one");
            layers.propose(&Op { id: OpId(1), thread, edits, creates: false, deletes: false });
            for enter in [1, 1 + eol.len()] {
                let mut layers = layers.clone();
                layers.change(Author::User, &Edit::new(enter..enter, eol));
                let (hunks, text) = (layers.hunks(), layers.editor().clone());
                for place in [1, 1 + eol.len()] {
                    let edit = Edit::new(place..place + eol.len(), "");
                    let mut layers = layers.clone();
                    layers.change(Author::User, &edit);
                    layers.change(Author::UserUndo, &edit.inverse(&text));
                    assert_eq!(layers.editor(), &text);
                    assert_eq!(layers.hunks(), hunks, "{old:?} {enter} {place}");
                }
            }
        }
    }
}
