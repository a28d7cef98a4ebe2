//! The invariants of the layers, on random interleavings of the user, two agents and tools:
//! projections, hunks and decisions. What typing does to them is in `typing.rs`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use proptest::prelude::*;
use redline_layers::{Decision, Hunk, HunkId, PieceState, Projection};
use redline_text::Edit;
use world::{World, config, is_user, life};

fn how(picks: u64, at: usize) -> Decision {
    if picks >> (at % 64) & 1 == 0 { Decision::Accept } else { Decision::Reject }
}

/// Where what a rule applied shares lines with what waits, a reject means what waits, and which of
/// the two a hunk's name means can depend on what was decided beside it.
fn waits_and_applies(world: &World) -> bool {
    world.has(PieceState::Applied) && world.has(PieceState::Pending)
}

proptest! {
    #![proptest_config(config())]

    /// Every step keeps the editor's text equal to a plain string's, and the hunks well formed.
    #[test]
    fn the_editor_is_what_was_typed_and_accepted(life in life(30), threads in 1u16..3) {
        let mut world = World::new(threads, life.0);
        for step in &life.1 {
            world.step(step);
            world.check_hunks();
        }
    }

    #[test]
    fn accepting_all_gives_the_agents_text(life in life(40)) {
        let mut world = World::after(1, &life);
        prop_assume!(!world.has(PieceState::Conflict));
        let want = world.layers.project(&world.agent(0));
        world.layers.resolve(Decision::Accept, &world.open());
        prop_assert_eq!(world.layers.editor(), &want);
    }

    /// With nothing left to decide, both threads see what the user sees.
    #[test]
    fn once_all_is_decided_everybody_sees_the_same(life in life(40), picks in any::<u64>()) {
        let mut world = World::after(2, &life);
        for round in 0..64 {
            let Some(id) = world.open().first().copied() else { break };
            // A conflict can only be thrown away; after some rounds everything is.
            let how = if round < 16 { how(picks, round) } else { Decision::Undo };
            world.layers.resolve(how, &[id]);
        }
        let left: Vec<_> = world.layers.pieces().filter(|p| p.state.is_undecided()).collect();
        prop_assume!(left.is_empty());
        let [editor, base, one, two] = world.texts();
        prop_assert_eq!(&editor, &base);
        prop_assert_eq!(&editor, &one);
        prop_assert_eq!(&editor, &two);
    }

    #[test]
    fn rejecting_pending_leaves_the_editor_alone(life in life(40)) {
        let mut world = World::after(2, &life);
        let before = world.layers.editor().clone();
        let pending: Vec<HunkId> = world.hunks_in(|s| s != PieceState::Applied);
        world.layers.resolve(Decision::Reject, &pending);
        prop_assert_eq!(world.layers.editor(), &before);
    }

    #[test]
    fn undoing_all_gives_the_base(life in life(40)) {
        let mut world = World::after(2, &life);
        let want = world.layers.project(&Projection::Base);
        let mut slow = world.clone();
        world.layers.resolve(Decision::Undo, &world.open());
        prop_assert_eq!(world.layers.editor(), &want);
        for _ in 0..8 {
            // Lines that hold pending and applied pieces: the first reject takes the pending ones,
            // and undoing what was applied can show more that waits.
            slow.layers.resolve(Decision::Reject, &slow.open());
        }
        prop_assert_eq!(slow.layers.editor(), &want);
    }

    #[test]
    fn no_decision_removes_a_protected_char(life in life(40), picks in any::<u64>()) {
        let world = World::after(2, &life);
        for (i, hunk) in world.layers.hunks().into_iter().enumerate() {
            let mut copy = world.clone();
            let lost = copy.user_chars_lost(|layers| {
                layers.resolve(how(picks, i), &[hunk.id]);
            });
            prop_assert!(lost.iter().all(|c| world.was_seen(&hunk, *c)), "lost {lost:?} by {hunk:?}");
        }
    }

    /// Rejecting and undoing lose nothing of the user's at all, one by one or together.
    #[test]
    fn no_reject_removes_a_char_of_the_users(life in life(40), picks in any::<u64>()) {
        let mut world = World::after(2, &life);
        let open = world.open();
        let some: Vec<HunkId> =
            open.iter().enumerate().filter(|(i, _)| picks >> (i % 64) & 1 == 0).map(|(_, id)| *id).collect();
        let lost = world.user_chars_lost(|layers| { layers.resolve(Decision::Undo, &some); });
        prop_assert!(lost.is_empty(), "lost {lost:?}");
        let lost = world.user_chars_lost(|layers| { layers.resolve(Decision::Undo, &open); });
        prop_assert!(lost.is_empty(), "lost {lost:?}");
    }

    /// `Drop` takes what the user typed inside that hunk, and nothing of what is beside it.
    #[test]
    fn drop_takes_only_what_was_typed_inside(life in life(40)) {
        let world = World::after(2, &life);
        let editor = world.layers.editor().to_string();
        for hunk in world.layers.hunks() {
            let mut copy = world.clone();
            let lost = copy.user_chars_lost(|layers| {
                layers.resolve(Decision::Drop, &[hunk.id]);
            });
            let inside = &editor[hunk.range.clone()];
            prop_assert!(lost.iter().all(|c| inside.contains(*c)), "lost {lost:?} by {hunk:?}");
            prop_assert!(hunk.mixed || lost.is_empty(), "lost {lost:?} by {hunk:?}");
        }
    }

    /// Decisions show and hide; they never move what stays.
    #[test]
    fn no_decision_moves_text(life in life(40)) {
        let world = World::after(2, &life);
        let before = world.single_marks();
        for hunk in world.layers.hunks() {
            for how in [Decision::Accept, Decision::Reject, Decision::Undo, Decision::Drop] {
                let mut copy = world.clone();
                copy.layers.resolve(how, &[hunk.id]);
                let after = copy.single_marks();
                let stays: Vec<_> = before.iter().filter(|c| after.contains(c)).collect();
                let stayed: Vec<_> = after.iter().filter(|c| before.contains(c)).collect();
                prop_assert_eq!(stays, stayed, "{:?} {:?}", how, hunk);
            }
        }
    }

    #[test]
    fn nothing_of_a_rejected_op_remains(life in life(40)) {
        let world = World::after(2, &life);
        for hunk in world.layers.hunks() {
            let mut copy = world.clone();
            let plan = copy.layers.resolve(Decision::Reject, &[hunk.id]);
            let texts = copy.texts().map(|text| text.to_string());
            for id in plan.items.iter().flat_map(|item| &item.pieces) {
                let mut chars = copy.chars_of(*id).iter();
                prop_assert!(!chars.any(|c| texts.iter().any(|text| text.contains(*c))));
            }
        }
    }

    /// Forth, back, and in one call.
    #[test]
    fn the_order_of_decisions_does_not_matter(life in life(40), picks in any::<u64>()) {
        let world = World::after(1, &life);
        prop_assume!(!waits_and_applies(&world));
        let open = world.open();
        let decide = |order: &mut dyn Iterator<Item = usize>| {
            let mut copy = world.clone();
            order.for_each(|at| drop(copy.layers.resolve(how(picks, at), &[open[at]])));
            (copy.texts(), copy.layers.hunks(), copy.layers.decided_hunks())
        };
        let forth = decide(&mut (0..open.len()));
        prop_assert_eq!(&forth, &decide(&mut (0..open.len()).rev()));
        let mut batched = world.clone();
        for want in [Decision::Reject, Decision::Accept] {
            let ids = open.iter().enumerate().filter(|(at, _)| how(picks, *at) == want);
            let ids: Vec<HunkId> = ids.map(|(_, id)| *id).collect();
            batched.layers.resolve(want, &ids);
        }
        let batched = (batched.texts(), batched.layers.hunks(), batched.layers.decided_hunks());
        prop_assert_eq!(&forth, &batched);
    }

    #[test]
    fn deciding_one_hunk_changes_no_other(life in life(40), accept in any::<bool>()) {
        let world = World::after(1, &life);
        // Undoing what a rule applied can show a waiting piece that it had deleted.
        prop_assume!(accept || !waits_and_applies(&world));
        let hunks = world.layers.hunks();
        for hunk in &hunks {
            let mut copy = world.clone();
            copy.layers.resolve(how(u64::from(!accept), 0), &[hunk.id]);
            let now = copy.named();
            for other in world.named().iter().filter(|other| other.0 != hunk.id) {
                prop_assert!(now.contains(other), "{other:?} after deciding {hunk:?}: {now:?}");
            }
        }
    }

    #[test]
    fn decide_then_reopen_is_identity(life in life(40), accept in any::<bool>()) {
        let world = World::after(1, &life);
        let of_rules = world.has(PieceState::Applied);
        let hunks = world.layers.hunks().into_iter();
        for hunk in hunks.filter(|hunk| hunk.state != PieceState::Conflict) {
            let mut copy = world.clone();
            let plan = copy.layers.resolve(how(u64::from(!accept), 0), &[hunk.id]);
            let Some(item) = plan.items.first() else { continue };
            let plan = copy.layers.resolve(Decision::Reopen, &[item.decided_id()]);
            prop_assert!(plan.stale.is_empty(), "{hunk:?} cannot be reopened");
            let agent = |world: &World| world.layers.project(&world.agent(0));
            prop_assert_eq!(agent(&copy), agent(&world));
            if hunk.state != PieceState::Applied || accept {
                prop_assert_eq!(copy.layers.editor(), world.layers.editor());
            }
            if !of_rules {
                prop_assert_eq!(copy.layers.hunks(), world.layers.hunks());
                prop_assert_eq!(copy.texts(), world.texts());
            }
        }
    }

    #[test]
    fn settling_changes_no_text(life in life(40)) {
        // What a conflict says that it would have put there may have fewer rivals afterwards.
        let shown = |world: &World| -> Vec<Hunk> {
            let bare = |hunk: Hunk| match hunk.state {
                PieceState::Conflict => Hunk { new: String::new(), ..hunk },
                _ => hunk,
            };
            world.layers.hunks().into_iter().map(bare).collect()
        };
        let mut world = World::after(2, &life);
        let (before, hunks) = (world.texts(), shown(&world));
        let decided: Vec<HunkId> = world.layers.decided_hunks().iter().map(|h| h.id).collect();
        world.layers.settle(&decided);
        prop_assert_eq!(world.texts(), before);
        prop_assert_eq!(shown(&world), hunks);
    }

    /// What was never decided is as if it had not been proposed.
    #[test]
    fn withdrawing_all_that_waits_leaves_the_editor_alone(life in life(40)) {
        let mut world = World::after(1, &life);
        let before = world.layers.editor().clone();
        let waits = world.layers.pieces().filter(|piece| piece.state == PieceState::Pending);
        let waits: Vec<_> = waits.map(|piece| piece.id).collect();
        world.layers.withdraw(&waits);
        prop_assert_eq!(world.layers.editor(), &before);
        prop_assert_eq!(world.layers.project(&world.agent(0)), before);
        prop_assert!(world.layers.hunks().iter().all(|hunk| hunk.state != PieceState::Pending));
    }

    #[test]
    fn a_stale_id_changes_nothing(life in life(30)) {
        let mut world = World::after(1, &life);
        let before = (world.texts(), world.layers.hunks(), world.layers.revision());
        for how in [Decision::Accept, Decision::Reject, Decision::Drop, Decision::Reopen] {
            let plan = world.layers.resolve(how, &["h9999".parse().unwrap()]);
            prop_assert_eq!(plan.stale.len(), 1);
        }
        prop_assert_eq!((world.texts(), world.layers.hunks(), world.layers.revision()), before);
    }

    /// What the components say is what the states do, and editors can name every place in it.
    #[test]
    fn components_are_the_edits_of_a_decision(life in life(40)) {
        let mut world = World::after(1, &life);
        let plan = world.layers.plan(Decision::Accept, &world.open());
        let pieces: Vec<_> = plan.items.iter().flat_map(|i| i.pieces.clone()).collect();
        let components = world.layers.components(&pieces, PieceState::Accepted);
        let edits: Vec<Edit> = components.iter().filter_map(|c| c.edit.clone()).collect();
        prop_assert!(edits.windows(2).all(|w| w[0].range.end <= w[1].range.start));
        let editor = world.layers.editor().to_string();
        for at in edits.iter().flat_map(|edit| [edit.range.start, edit.range.end]) {
            prop_assert!(editor.is_char_boundary(at));
            prop_assert!(!(editor[..at].ends_with('\r') && editor[at..].starts_with('\n')));
        }
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

    /// A whole life: all that the user typed and did not take away is there at its end, but for what
    /// an accepted piece was made to replace.
    #[test]
    fn what_the_user_typed_is_there_at_the_end(life in life(30), picks in any::<u64>()) {
        let mut world = World::new(2, life.0);
        for step in &life.1 {
            let before = world.layers.editor().to_string();
            world.step(step);
            if step.is_a_decision() {
                let after = world.layers.editor().to_string();
                let lost: Vec<char> =
                    before.chars().filter(|c| is_user(*c) && !after.contains(*c)).collect();
                prop_assert!(lost.iter().all(|c| world.was_seen_at_all(*c)), "lost {lost:?} by {step:?}");
            }
        }
        world.layers.resolve(how(picks, 0), &world.open());
        world.check_hunks();
    }
}
