//! A file that is to be deleted is one hunk, whatever happens before and after the user decides; its
//! text stays, and with it everything that was typed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use proptest::{collection::vec, prelude::*, sample::Index};
use redline_layers::{
    Author, Decision, HunkId, Layers, Op, OpId, PieceId, PieceState, Projection, ThreadId,
};
use redline_text::{Edit, Text};
use world::config;

const TEXT: &str = "[a-c界é\n]{0,12}";

/// A file with proposals of two threads in it, one of which deletes it.
#[derive(Debug, Clone)]
struct Scene {
    text: String,
    /// By the thread that deletes, or the other one; pending, or applied by a rule.
    edits: Vec<(bool, bool, Index, Index, String)>,
}

fn scene() -> impl Strategy<Value = Scene> {
    let edit = (any::<bool>(), any::<bool>(), any::<Index>(), any::<Index>(), TEXT);
    (TEXT, vec(edit, 0..4)).prop_map(|(text, edits)| Scene { text, edits })
}

const DELETION: HunkId = HunkId(PieceId { op: OpId(100), index: 0 });

fn thread(own: bool) -> ThreadId {
    ThreadId::from(if own { "one" } else { "two" })
}

fn agent(own: bool) -> Projection {
    Projection::Agent(thread(own))
}

fn deletion() -> Op {
    let thread = thread(true);
    Op { id: DELETION.0.op, thread, edits: vec![], creates: false, deletes: true }
}

impl Scene {
    fn before(&self) -> Layers {
        let mut layers = Layers::new(Text::from(self.text.as_str()));
        for (n, (own, applied, from, to, new)) in self.edits.iter().enumerate() {
            let text = layers.project(&agent(*own));
            let start = text.floor(from.index(text.len() + 1));
            let end = text.floor(start + to.index(text.len() - start + 1));
            let edits = vec![Edit::new(start..end, new.as_str())];
            let (id, thread) = (OpId(n as u32 + 1), thread(*own));
            let pieces = layers.propose(&Op { id, thread, edits, creates: false, deletes: false });
            if *applied {
                layers.set_state(&pieces, PieceState::Applied);
            }
        }
        layers
    }

    fn layers(&self) -> Layers {
        let mut layers = self.before();
        layers.propose(&deletion());
        layers
    }
}

fn all(layers: &mut Layers, decision: Decision) {
    let open: Vec<HunkId> = layers.hunks().iter().map(|hunk| hunk.id).collect();
    layers.resolve(decision, &open);
}

fn types(layers: &mut Layers, at: Index, new: &str) {
    let at = layers.editor().floor(at.index(layers.editor().len() + 1));
    layers.change(Author::User, &Edit::new(at..at, new));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_deletion_is_one_hunk_and_changes_no_text(scene in scene()) {
        let before = scene.before();
        let layers = scene.layers();
        let hunks = layers.hunks();
        prop_assert_eq!(hunks.len(), 1);
        prop_assert_eq!((hunks[0].id, hunks[0].state), (DELETION, PieceState::Pending));
        prop_assert_eq!((&hunks[0].old, &*hunks[0].new), (&before.editor().to_string(), ""));
        prop_assert_eq!(hunks[0].range.clone(), 0..before.editor().len());
        prop_assert_eq!(layers.editor(), before.editor());
        prop_assert!(!layers.exists(&agent(true)));
        for there in [Projection::Editor, Projection::Base, agent(false)] {
            prop_assert!(layers.exists(&there));
            prop_assert_eq!(layers.project(&there), before.project(&there));
        }
    }

    #[test]
    fn accepting_rejecting_and_reopening_a_deletion(scene in scene()) {
        let layers = scene.layers();
        let mut accepted = layers.clone();
        accepted.resolve(Decision::Accept, &[DELETION]);
        for gone in [Projection::Editor, agent(true), agent(false)] {
            prop_assert!(!accepted.exists(&gone));
        }
        prop_assert!(accepted.hunks().is_empty());
        prop_assert_eq!(accepted.decided_hunks().len(), 1);
        let mut rejected = layers.clone();
        rejected.resolve(Decision::Reject, &[DELETION]);
        prop_assert!(rejected.exists(&agent(true)));
        prop_assert_eq!(rejected.project(&agent(true)), rejected.editor().clone());
        prop_assert_eq!(rejected.project(&agent(false)), layers.project(&agent(false)));
        for decided in [&mut accepted, &mut rejected] {
            prop_assert_eq!(decided.editor(), layers.editor());
            decided.resolve(Decision::Reopen, &[DELETION]);
            prop_assert_eq!(decided.hunks(), layers.hunks());
            for who in [true, false] {
                prop_assert_eq!(decided.project(&agent(who)), layers.project(&agent(who)));
            }
        }
    }

    /// What waited before waits again once the deletion is withdrawn.
    #[test]
    fn withdrawing_a_deletion_is_identity(scene in scene()) {
        let before = scene.before();
        let mut layers = scene.layers();
        layers.withdraw(&[DELETION.0]);
        prop_assert_eq!(layers.hunks(), before.hunks());
        prop_assert!(layers.exists(&agent(true)));
        prop_assert_eq!(layers.project(&agent(true)), before.project(&agent(true)));
    }

    /// "Undo all" gives the base, with the deletion made by a rule or waiting.
    #[test]
    fn undoing_all_gives_the_base(scene in scene(), by_rule in any::<bool>()) {
        let mut layers = scene.layers();
        if by_rule {
            layers.set_state(&[DELETION.0], PieceState::Applied);
            prop_assert!(!layers.exists(&Projection::Editor) && layers.exists(&Projection::Base));
        }
        all(&mut layers, Decision::Undo);
        prop_assert!(layers.exists(&Projection::Editor));
        prop_assert_eq!(layers.editor().to_string(), scene.text);
        prop_assert!(layers.hunks().is_empty());
    }

    /// No decision takes what the user typed since, and none is taken back for it.
    #[test]
    fn what_is_typed_keeps_the_file(scene in scene(), at in any::<Index>()) {
        let mut layers = scene.layers();
        types(&mut layers, at, "USER");
        prop_assert!(layers.hunks()[0].mixed);
        let plan = layers.plan(Decision::Accept, &[DELETION]);
        prop_assert_eq!((plan.items.len(), plan.changed), (0, vec![DELETION]));
        all(&mut layers, Decision::Accept);
        prop_assert!(layers.exists(&Projection::Editor));
        let text = layers.editor().clone();
        all(&mut layers, Decision::Reject);
        prop_assert_eq!(layers.editor(), &text);
        // Typed into the buffer of a file that is gone, it is there when the file comes back.
        let mut layers = scene.layers();
        all(&mut layers, Decision::Accept);
        types(&mut layers, at, "USER");
        layers.resolve(Decision::Reopen, &[DELETION]);
        prop_assert!(layers.editor().to_string().contains("USER"));
        prop_assert!(layers.hunks()[0].mixed);
    }

    #[test]
    fn what_is_settled_is_gone_for_good(scene in scene()) {
        let mut layers = scene.layers();
        all(&mut layers, Decision::Accept);
        layers.settle(&[DELETION]);
        prop_assert!(layers.pieces().next().is_none() && layers.editor().is_empty());
        let mut layers = scene.layers();
        all(&mut layers, Decision::Reject);
        let hunks: Vec<HunkId> = layers.decided_hunks().iter().map(|hunk| hunk.id).collect();
        layers.settle(&hunks);
        prop_assert!(layers.deletion().is_none());
        prop_assert!(layers.pieces().all(|piece| piece.thread == thread(false)
            || piece.state == PieceState::Applied));
    }

    /// A file that comes back by other means is a file with what waited in it before.
    #[test]
    fn a_deleted_file_that_appears(scene in scene(), disk in TEXT) {
        let mut layers = scene.layers();
        let other = scene.before().hunks().len();
        all(&mut layers, Decision::Accept);
        layers.appear(&Text::from(disk.as_str()));
        prop_assert!(layers.exists(&Projection::Editor) && layers.deletion().is_none());
        prop_assert_eq!(layers.hunks().len(), other);
        prop_assert!(layers.decided_hunks().is_empty());
    }

    #[test]
    fn a_deleted_file_that_is_made_again(scene in scene(), new in TEXT) {
        let mut layers = scene.layers();
        all(&mut layers, Decision::Accept);
        let (edits, thread) = (vec![Edit::new(0..0, new.as_str())], thread(false));
        layers.propose(&Op { id: OpId(101), thread, edits, creates: true, deletes: false });
        let hunks = layers.hunks();
        prop_assert_eq!((hunks.len(), &*hunks[0].old, &hunks[0].new), (1, "", &new));
        prop_assert!(!layers.exists(&Projection::Editor) && layers.exists(&agent(false)));
        all(&mut layers, Decision::Accept);
        prop_assert_eq!(layers.editor().to_string(), new);
    }

    #[test]
    fn saved_and_read_again_it_is_the_same(scene in scene(), at in any::<Index>(), typed in TEXT) {
        let mut layers = scene.layers();
        types(&mut layers, at, &typed);
        let (saved, text) = layers.save();
        let mut again = Layers::restore(saved, text).unwrap();
        for layers in [&mut layers, &mut again] {
            all(layers, Decision::Accept);
        }
        prop_assert_eq!(again.hunks(), layers.hunks());
        prop_assert_eq!(again.decided_hunks(), layers.decided_hunks());
        prop_assert_eq!(again.deleted_text(), layers.deleted_text());
    }
}
