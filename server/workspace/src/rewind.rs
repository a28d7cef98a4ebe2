//! Back to before a turn: what is known of turns, and the way back.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use redline_layers::ThreadId;

use crate::{Event, Past, Reply, Rewound, Workspace, handle::lock, keeper::KeepError};

/// Why there is no way back.
#[derive(Debug, thiserror::Error)]
pub enum RewindError {
    /// Nobody keeps what was before.
    #[error(
        "no checkpoints are kept here: another Redline keeps the folder's review, or its state \
         directory can't be written"
    )]
    NotKept,
    /// They can't be read.
    #[error("the checkpoints can't be read: {0}")]
    Unreadable(String),
    /// The thread has changed nothing since.
    #[error("the thread {thread} has changed nothing since turn {turn}")]
    Nothing {
        /// The thread.
        thread: ThreadId,
        /// The turn.
        turn: u32,
    },
}

impl Workspace {
    /// The turns of a thread that changed files, or whose proposals wait, with those files.
    pub fn turns(&self, thread: &ThreadId) -> BTreeMap<u32, BTreeSet<PathBuf>> {
        let mut turns = lock(&self.checkpoints).turns(thread);
        for (turn, files) in self.query(|session| session.waiting_turns(thread)) {
            turns.entry(turn).or_default().extend(files);
        }
        turns
    }

    /// Takes back what a thread has changed since the start of a turn: what waits is withdrawn, what is
    /// in the files is undone there, as hunks that can be undone themselves. Blocks while it reads.
    ///
    /// # Errors
    /// If there is nothing to go back to.
    pub async fn rewind(&self, thread: &ThreadId, turn: u32) -> Result<Rewound, RewindError> {
        let past = self.past(thread, turn)?;
        let is_known = !past.is_empty() || self.query(|session| session.pending_of(thread)) > 0;
        let nothing = || RewindError::Nothing { thread: thread.clone(), turn };
        if !is_known {
            return Err(nothing());
        }
        let thread = thread.clone();
        match self.call(|ticket| Event::Rewind { ticket, thread, turn, past }).await {
            Some(Reply::Rewound(rewound)) => Ok(rewound),
            _ => Err(RewindError::NotKept),
        }
    }

    fn past(&self, thread: &ThreadId, turn: u32) -> Result<Vec<Past>, RewindError> {
        let mut checkpoints = lock(&self.checkpoints);
        if !checkpoints.is_kept() {
            return Err(RewindError::NotKept);
        }
        let unreadable = |error: KeepError| RewindError::Unreadable(error.to_string());
        checkpoints.since(thread, turn).map_err(unreadable)
    }
}
