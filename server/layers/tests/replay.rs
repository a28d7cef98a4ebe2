//! What is kept of layers brings them back.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use proptest::{prelude::*, sample::Index};
use redline_layers::{Hunk, Layers, Revision};
use redline_text::Text;
use world::{World, config, life};

type State = (Vec<Hunk>, Vec<Hunk>, [Text; 4], Revision);

fn state(world: &World) -> State {
    let layers = &world.layers;
    (layers.hunks(), layers.decided_hunks(), world.texts(), layers.revision())
}

proptest! {
    #![proptest_config(config())]

    /// From the first text, and from what was saved at any time in between.
    #[test]
    fn the_journal_gives_the_same_layers(life in life(40), cut in any::<Index>()) {
        let done = World::after(2, &life);
        let cut = cut.index(done.journal.len() + 1);
        let mut again = World::new(2, life.0);
        done.journal[..cut].iter().for_each(|entry| again.layers.take(entry));
        let mut restored = again.clone();
        let (saved, text) = again.layers.save();
        restored.layers = Layers::restore(saved, text).unwrap();
        prop_assert_eq!(state(&restored), state(&again));
        for world in [&mut again, &mut restored] {
            done.journal[cut..].iter().for_each(|entry| world.layers.take(entry));
            prop_assert_eq!(state(world), state(&done));
        }
    }

    /// Saved layers do not pass for those of another text, unless nobody could tell.
    #[test]
    fn saved_layers_fit_no_other_text(life in life(30), other in "[a-z\n]{0,60}") {
        let world = World::after(2, &life);
        let (saved, text) = world.layers.save();
        prop_assume!(text.len() != other.len());
        prop_assert!(Layers::restore(saved, Text::from(other.as_str())).is_err());
    }
}
