//! Turns: how long what was decided stays listed.

use std::collections::BTreeMap;

use redline_layers::{HunkId, PieceId, ThreadId};

use super::{Session, file::File};

/// The number of each thread's current turn.
#[derive(Debug, Default)]
pub(super) struct Turns(BTreeMap<ThreadId, u32>);

impl Turns {
    pub fn start(&mut self, thread: ThreadId) {
        *self.0.entry(thread).or_default() += 1;
    }

    /// Turns of earlier sessions are not counted again.
    pub fn start_at(&mut self, last: BTreeMap<ThreadId, u32>) {
        for (thread, turn) in last {
            let now = self.0.entry(thread).or_default();
            *now = turn.max(*now);
        }
    }

    pub fn current(&self, thread: &ThreadId) -> u32 {
        self.0.get(thread).copied().unwrap_or_default()
    }
}

impl Session {
    /// Decided hunks stay listed until the turn after theirs ends.
    pub(super) fn turn_ended(&mut self, thread: &ThreadId) {
        let turn = self.turns.current(thread);
        let mut touched = Vec::new();
        // A decision on its way may be the one that takes an older one back.
        let quiet = |file: &&mut File| file.flight.is_none() && file.queue.is_empty();
        // While a buffer shows what was deleted, taking that back is one step.
        let quiet =
            |file: &&mut File| quiet(file) && !(file.open.is_some() && file.layers.is_deleted());
        for (path, file) in self.files.iter_mut().filter(|(_, file)| quiet(file)) {
            let old: Vec<HunkId> = file
                .layers
                .decided()
                .filter(|(_, pieces)| is_older(file, pieces, thread, turn))
                .map(|(id, _)| id)
                .collect();
            if !old.is_empty() {
                file.layers.settle(&old);
                touched.push(path.clone());
            }
        }
        touched.iter().for_each(|path| self.touch(path));
        self.files.retain(|_, file| !file.is_idle());
    }
}

fn is_older(file: &File, pieces: &[PieceId], thread: &ThreadId, turn: u32) -> bool {
    pieces
        .iter()
        .filter_map(|id| file.ops.get(&id.op))
        .all(|op| op.turn.is_none_or(|made| op.origin.thread == *thread && made < turn))
}
