//! A file that does not exist yet is one hunk, whatever happens before the user decides.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use proptest::{collection::vec, prelude::*, sample::Index};
use redline_layers::{
    Author, Decision, HunkId, Layers, Op, OpId, PieceId, PieceState, Projection, ThreadId,
};
use redline_text::{Edit, Text};
use world::config;

const TEXT: &str = "[a-c界é\n]{0,12}";

/// A created file, and what the same thread changes in it while it waits.
#[derive(Debug, Clone)]
struct Created {
    first: String,
    amended: Vec<(Index, Index, String)>,
}

fn created() -> impl Strategy<Value = Created> {
    let change = (any::<Index>(), any::<Index>(), TEXT);
    (TEXT, vec(change, 0..4)).prop_map(|(first, amended)| Created { first, amended })
}

fn agent() -> Projection {
    Projection::Agent(ThreadId::from("one"))
}

fn op(id: u32, edit: Edit, creates: bool) -> Op {
    Op { id: OpId(id), thread: "one".into(), edits: vec![edit], creates, deletes: false }
}

impl Created {
    fn layers(&self) -> Layers {
        let mut layers = Layers::absent();
        layers.propose(&op(1, Edit::new(0..0, self.first.as_str()), true));
        for (at, (from, to, new)) in self.amended.iter().enumerate() {
            let text = layers.project(&agent());
            let start = text.floor(from.index(text.len() + 1));
            let end = text.floor(start + to.index(text.len() - start + 1));
            layers.propose(&op(at as u32 + 2, Edit::new(start..end, new.as_str()), false));
        }
        layers
    }
}

fn first() -> HunkId {
    HunkId(PieceId { op: OpId(1), index: 0 })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_creation_is_one_hunk(created in created()) {
        let layers = created.layers();
        let text = layers.project(&agent());
        let hunks = layers.hunks();
        prop_assert_eq!(hunks.len(), 1);
        prop_assert_eq!((hunks[0].id, hunks[0].state), (first(), PieceState::Pending));
        prop_assert_eq!((&*hunks[0].old, &hunks[0].new), ("", &text.to_string()));
        prop_assert!(!layers.exists(&Projection::Editor) && layers.exists(&agent()));
        prop_assert!(layers.editor().is_empty());
    }

    #[test]
    fn accepting_rejecting_and_reopening_a_creation(created in created()) {
        let layers = created.layers();
        let text = layers.project(&agent());
        let mut accepted = layers.clone();
        accepted.resolve(Decision::Accept, &[first()]);
        prop_assert_eq!(accepted.editor(), &text);
        prop_assert!(accepted.exists(&Projection::Editor));
        let mut rejected = layers.clone();
        rejected.resolve(Decision::Reject, &[first()]);
        prop_assert!(!rejected.exists(&Projection::Editor) && !rejected.exists(&agent()));
        prop_assert!(rejected.hunks().is_empty());
        for decided in [&mut accepted, &mut rejected] {
            decided.resolve(Decision::Reopen, &[first()]);
            prop_assert_eq!(decided.hunks(), layers.hunks());
            prop_assert_eq!(decided.project(&agent()), text.clone());
        }
    }

    /// The path appears meanwhile, and the user types into it: an overwrite of the file as it was
    /// then.
    #[test]
    fn a_file_that_appears_is_overwritten(created in created(), disk in TEXT, at in any::<Index>()) {
        let mut layers = created.layers();
        let text = layers.project(&agent());
        layers.appear(&Text::from(disk.as_str()));
        prop_assert!(layers.exists(&Projection::Editor));
        prop_assert_eq!(layers.editor().to_string(), disk.as_str());
        prop_assert_eq!(layers.project(&agent()), text);
        let at = layers.editor().floor(at.index(disk.len() + 1));
        layers.change(Author::User, &Edit::new(at..at, "USER"));
        let open: Vec<HunkId> = layers.hunks().iter().map(|hunk| hunk.id).collect();
        for how in [Decision::Accept, Decision::Reject] {
            let mut copy = layers.clone();
            copy.resolve(how, &open);
            prop_assert!(copy.editor().to_string().contains("USER"));
        }
        let before = layers.editor().clone();
        layers.resolve(Decision::Reject, &open);
        prop_assert_eq!(layers.editor(), &before);
    }

    #[test]
    fn a_file_that_appears_and_goes_is_created_again(created in created(), disk in TEXT) {
        let mut layers = created.layers();
        let before = (layers.hunks(), layers.project(&agent()));
        layers.appear(&Text::from(disk.as_str()));
        let len = layers.editor().len();
        layers.change(Author::Tool, &Edit::new(0..len, ""));
        if layers.pieces().all(|piece| piece.state == PieceState::Pending) {
            layers.vanish();
            prop_assert_eq!((layers.hunks(), layers.project(&agent())), before);
        }
    }
}
