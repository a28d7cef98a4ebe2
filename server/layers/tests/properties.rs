//! The invariants of the layers, on random interleavings of the user, two agents and tools.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use proptest::prelude::*;
use redline_layers::{Author, Decision, HunkId, Layers, Op, OpId, PieceState, Projection};
use redline_text::Edit;
use world::{Step, World};

fn steps(max: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (0u8..16, any::<u16>(), any::<u16>(), any::<u16>());
    proptest::collection::vec(step.prop_map(Step::from), 1..max)
}

fn config() -> ProptestConfig {
    let cases = std::env::var("REDLINE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: 1 << 20,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    /// Every step keeps the editor's text equal to a plain string's, and the hunks well formed.
    #[test]
    fn the_editor_is_what_was_typed_and_accepted(steps in steps(40)) {
        let mut world = World::new(2);
        for step in &steps {
            world.step(step);
            world.check_hunks();
        }
    }

    #[test]
    fn accepting_all_gives_the_agents_text(steps in steps(40)) {
        let mut world = World::new(1);
        world.run(&steps);
        prop_assume!(world.layers.pieces().all(|p| p.state != PieceState::Conflict));
        let want = world.layers.project(&world.agent(0));
        world.layers.resolve(Decision::Accept, &world.open());
        prop_assert_eq!(world.layers.editor(), &want);
    }

    #[test]
    fn rejecting_pending_leaves_the_editor_alone(steps in steps(40)) {
        let mut world = World::new(2);
        world.run(&steps);
        let before = world.layers.editor().clone();
        let pending: Vec<HunkId> = world.hunks_in(|s| s != PieceState::Applied);
        world.layers.resolve(Decision::Reject, &pending);
        prop_assert_eq!(world.layers.editor(), &before);
    }

    #[test]
    fn undoing_all_gives_the_base(steps in steps(40)) {
        let mut world = World::new(2);
        world.run(&steps);
        let want = world.layers.project(&Projection::Base);
        for _ in 0..2 {
            // Lines that hold pending and applied pieces: the first reject takes the pending ones.
            world.layers.resolve(Decision::Reject, &world.open());
        }
        prop_assert_eq!(world.layers.editor(), &want);
    }

    #[test]
    fn no_decision_removes_a_protected_char(steps in steps(40), picks in any::<u64>()) {
        let mut world = World::new(2);
        world.run(&steps);
        for (i, hunk) in world.layers.hunks().into_iter().enumerate() {
            let mut copy = world.clone();
            let accept = picks >> (i % 64) & 1 == 0;
            let how = if accept { Decision::Accept } else { Decision::Reject };
            let lost = copy.user_chars_lost(|layers| {
                layers.resolve(how, &[hunk.id]);
            });
            prop_assert!(lost.iter().all(|c| world.was_seen(&hunk, *c)), "lost {lost:?} by {hunk:?}");
        }
    }

    #[test]
    fn nothing_of_a_rejected_op_remains(steps in steps(40)) {
        let mut world = World::new(2);
        world.run(&steps);
        for hunk in world.layers.hunks() {
            let mut copy = world.clone();
            let plan = copy.layers.resolve(Decision::Reject, &[hunk.id]);
            for id in plan.items.iter().flat_map(|item| &item.pieces) {
                for projection in [Projection::Editor, copy.agent(0), copy.agent(1)] {
                    let text = copy.layers.project(&projection).to_string();
                    prop_assert!(!copy.chars_of(*id).iter().any(|c| text.contains(*c)));
                }
            }
        }
    }

    #[test]
    fn the_order_of_decisions_does_not_matter(steps in steps(40), picks in any::<u64>()) {
        let mut world = World::new(1);
        world.run(&steps);
        // Where what a rule applied shares lines with what waits, a reject means what waits, and which
        // of the two a hunk's id means can depend on what was decided beside it.
        let applied = world.layers.pieces().any(|p| p.state == PieceState::Applied);
        let pending = world.layers.pieces().any(|p| p.state == PieceState::Pending);
        prop_assume!(!(applied && pending));
        let decide = |world: &mut World, hunk: HunkId, at: usize| {
            let how = if picks >> (at % 64) & 1 == 0 { Decision::Accept } else { Decision::Reject };
            world.layers.resolve(how, &[hunk]);
        };
        let open = world.open();
        let (mut forth, mut back) = (world.clone(), world.clone());
        for (at, hunk) in open.iter().enumerate() {
            decide(&mut forth, *hunk, at);
        }
        for (at, hunk) in open.iter().enumerate().rev() {
            decide(&mut back, *hunk, at);
        }
        prop_assert_eq!(forth.layers.editor(), back.layers.editor());
        prop_assert_eq!(forth.layers.hunks(), back.layers.hunks());
    }

    #[test]
    fn deciding_one_hunk_changes_no_other(steps in steps(40), accept in any::<bool>()) {
        let mut world = World::new(1);
        world.run(&steps);
        let hunks = world.layers.hunks();
        for hunk in &hunks {
            let mut copy = world.clone();
            let how = if accept { Decision::Accept } else { Decision::Reject };
            copy.layers.resolve(how, &[hunk.id]);
            for other in hunks.iter().filter(|other| other.id != hunk.id) {
                let now = copy.layers.hunks();
                let same = now.iter().any(|now| {
                    (now.id, &now.old, &now.new) == (other.id, &other.old, &other.new)
                });
                prop_assert!(same, "{other:?} after deciding {hunk:?}: {now:?}");
            }
        }
    }

    #[test]
    fn decide_then_reopen_is_identity(steps in steps(40), accept in any::<bool>()) {
        let mut world = World::new(1);
        world.run(&steps);
        for hunk in world.layers.hunks() {
            let mut copy = world.clone();
            let how = if accept { Decision::Accept } else { Decision::Reject };
            let plan = copy.layers.resolve(how, &[hunk.id]);
            let Some(item) = plan.items.first() else { continue };
            let plan = copy.layers.resolve(Decision::Reopen, &[item.decided_id()]);
            prop_assert!(plan.stale.is_empty(), "{hunk:?} cannot be reopened");
            prop_assert_eq!(copy.layers.project(&world.agent(0)), world.layers.project(&world.agent(0)));
            if hunk.state != PieceState::Applied || accept {
                prop_assert_eq!(copy.layers.editor(), world.layers.editor());
            }
        }
    }

    #[test]
    fn undo_and_redo_of_typing_restore_the_hunks(steps in steps(30), at in any::<u16>(), len in 1u16..30) {
        let mut world = World::new(1);
        world.run(&steps);
        let (hunks, text) = (world.layers.hunks(), world.layers.editor().clone());
        let edit = world.deletion(at, len);
        let inverse = edit.inverse(&text);
        world.layers.change(Author::User, &edit);
        let deleted = world.layers.hunks();
        world.layers.change(Author::UserUndo, &inverse);
        prop_assert_eq!(world.layers.editor(), &text);
        prop_assert_eq!(world.layers.hunks(), hunks);
        world.layers.change(Author::UserUndo, &edit);
        prop_assert_eq!(world.layers.hunks(), deleted);
    }

    #[test]
    fn typing_char_by_char_equals_typing_at_once(steps in steps(30), at in any::<u16>()) {
        let mut world = World::new(2);
        world.run(&steps);
        let at = world.place(at);
        let mut single = world.clone();
        world.layers.change(Author::User, &Edit::new(at..at, "typed\nhere"));
        let mut place = at;
        for c in "typed\nhere".chars() {
            single.layers.change(Author::User, &Edit::new(place..place, c));
            place += c.len_utf8();
        }
        prop_assert_eq!(single.layers.hunks(), world.layers.hunks());
        for projection in [Projection::Editor, Projection::Base, world.agent(0), world.agent(1)] {
            prop_assert_eq!(single.layers.project(&projection), world.layers.project(&projection));
        }
    }

    #[test]
    fn settling_changes_no_text(steps in steps(40)) {
        let mut world = World::new(2);
        world.run(&steps);
        let all = [Projection::Editor, Projection::Base, world.agent(0), world.agent(1)];
        let before = all.clone().map(|p| world.layers.project(&p));
        let hunks = world.layers.hunks();
        let decided: Vec<HunkId> = world.layers.decided_hunks().iter().map(|h| h.id).collect();
        world.layers.settle(&decided);
        prop_assert_eq!(all.map(|p| world.layers.project(&p)), before);
        prop_assert_eq!(world.layers.hunks(), hunks);
    }

    #[test]
    fn a_stale_id_changes_nothing(steps in steps(30)) {
        let mut world = World::new(1);
        world.run(&steps);
        let before = (world.layers.editor().clone(), world.layers.hunks());
        for how in [Decision::Accept, Decision::Reject, Decision::Drop, Decision::Reopen] {
            let plan = world.layers.resolve(how, &["h9999".parse().unwrap()]);
            prop_assert_eq!(plan.stale.len(), 1);
        }
        prop_assert_eq!((world.layers.editor().clone(), world.layers.hunks()), before);
    }

    /// What the components say is what the states do.
    #[test]
    fn components_are_the_edits_of_a_decision(steps in steps(40)) {
        let mut world = World::new(1);
        world.run(&steps);
        let plan = world.layers.plan(Decision::Accept, &world.open());
        let pieces: Vec<_> = plan.items.iter().flat_map(|i| i.pieces.clone()).collect();
        let components = world.layers.components(&pieces, PieceState::Accepted);
        let edits: Vec<Edit> = components.iter().filter_map(|c| c.edit.clone()).collect();
        prop_assert!(edits.windows(2).all(|w| w[0].range.end <= w[1].range.start));
        for component in &components {
            let (mut copy, mut text) = (world.layers.clone(), world.layers.editor().clone());
            component.edit.iter().for_each(|edit| text.apply(edit));
            copy.set_state(&component.pieces, PieceState::Accepted);
            prop_assert_eq!(copy.editor(), &text, "each component alone");
        }
        let mut text = world.layers.editor().clone();
        text.apply_all(&edits);
        world.layers.set_state(&pieces, PieceState::Accepted);
        prop_assert_eq!(&text, world.layers.editor());
    }
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
            layers.propose(&Op { id: OpId(1), thread, edits, creates: false });
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
