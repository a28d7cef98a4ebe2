//! What one edit can change is found without looking at the rest of the file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use proptest::prelude::*;
use redline_layers::{Author, Hunk, Layers};
use world::{World, config, events, life};

fn all(layers: &Layers) -> Vec<Hunk> {
    let mut hunks = layers.hunks();
    hunks.extend(layers.decided_hunks());
    sorted(hunks)
}

fn sorted(mut hunks: Vec<Hunk>) -> Vec<Hunk> {
    hunks.sort_by_key(|hunk| (hunk.range.start, hunk.range.end, hunk.id));
    hunks
}

proptest! {
    #![proptest_config(config())]

    /// Any window has the hunks of its pieces, and no other.
    #[test]
    fn a_window_knows_its_hunks(life in life(40), a in any::<u16>(), b in any::<u16>()) {
        let world = World::after(2, &life);
        let (a, b) = (world.place(a), world.place(b));
        let window = world.layers.window(a.min(b)..a.max(b));
        let mut want = all(&world.layers);
        want.retain(|hunk| window.holds(hunk.id.0));
        prop_assert_eq!(sorted(world.layers.hunks_in(&window)), want);
    }

    /// Outside of the window around an edit every hunk is what it was, but for its place.
    #[test]
    fn an_edit_changes_nothing_outside_its_window(life in life(40), events in events(3)) {
        let mut world = World::after(2, &life);
        let edits: Vec<_> = events.iter().flat_map(|event| world.event(event)).collect();
        for edit in edits {
            let len = world.layers.editor().len();
            let start = world.layers.editor().floor(edit.range.start);
            let end = world.layers.editor().floor(edit.range.end.min(len)).max(start);
            let before = all(&world.layers);
            let edit = redline_text::Edit::new(start..end, edit.new);
            // A piece may lose all that there is of it.
            let earlier = world.layers.window(start.saturating_sub(2)..end + 2);
            world.layers.change(Author::User, &edit);
            let around = start.saturating_sub(2)..start + edit.new.len() + 2;
            let window = world.layers.window(around);
            let near = |id| window.holds(id) || earlier.holds(id);
            let apart = |hunks: Vec<Hunk>| -> Vec<(redline_layers::HunkId, String, String)> {
                let outside = hunks.into_iter().filter(|hunk| !near(hunk.id.0));
                outside.map(|hunk| (hunk.id, hunk.old, hunk.new)).collect()
            };
            prop_assert_eq!(apart(all(&world.layers)), apart(before));
        }
    }
}
