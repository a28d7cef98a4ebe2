//! What a command would not see, and bringing it to the disk before (DESIGN, section 6, "Bash and what
//! is not on disk").

use std::{collections::BTreeMap, time::Duration};

use redline_layers::{HunkId, Revision, ThreadId};
use redline_workspace::{
    AskOption, HunkState, HunkView, OptionId, ResolveAction, ResolveRequest, Review, Unseen,
    WorkspacePath,
};
use tokio::time::{Instant, sleep};

use super::case::Case;
use crate::Tools;

/// How long the editor may take to save by itself what was accepted.
const OWN_SAVE: Duration = Duration::from_secs(2);
/// What the user would accept without having seen it.
const CHANGED: &str = "Not run: proposals have changed while the user was asked. Call it again; the \
                       user is asked again.";
/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(10);

/// What can be done about files whose text on disk is not what the thread sees.
#[derive(Debug, Default)]
pub(super) struct Offer {
    pub unseen: Unseen,
    /// The thread's hunks that wait, as they are when the user is asked.
    waiting: Waiting,
}

/// By file: which revision of its review the user was asked about, and the hunks in it.
type Waiting = BTreeMap<WorkspacePath, (Revision, Vec<HunkId>)>;

impl Offer {
    /// Nothing is missing.
    pub fn is_empty(&self) -> bool {
        self.unseen.pending.is_empty() && self.unseen.unsaved.is_empty()
    }

    /// No option is a default.
    pub fn options(&self) -> Vec<AskOption> {
        let option = |id, label: &str| AskOption { id, label: label.to_owned(), covers: None };
        let (accepts, saves) = (!self.waiting.is_empty(), !self.unseen.unsaved.is_empty());
        let accept = if saves { "Accept, save and run" } else { "Accept and run" };
        let accept = accepts.then(|| option(OptionId::AcceptAndRun, accept));
        let save = saves.then(|| option(OptionId::SaveAndRun, "Save and run"));
        let rest = [
            option(OptionId::RunWithout, "Run without these changes"),
            option(OptionId::Reject, "Reject"),
        ];
        accept.into_iter().chain(save).chain(rest).collect()
    }
}

impl Tools {
    /// What there is to offer before these commands run; nothing if they only look.
    pub(super) async fn offer(&self, case: &Case<'_>) -> Offer {
        if !case.may_write() {
            return Offer::default();
        }
        // Before the files are listed: what comes later is not accepted with them.
        let waiting = self.waiting(&case.scope.thread);
        let (workspace, thread) = (self.workspace.clone(), case.scope.thread.clone());
        let unseen = tokio::task::spawn_blocking(move || workspace.unseen(&thread)).await;
        Offer { unseen: unseen.unwrap_or_default(), waiting }
    }

    fn waiting(&self, thread: &ThreadId) -> Waiting {
        let waits = |hunk: &HunkView| {
            matches!(hunk.state, HunkState::Pending | HunkState::Conflict)
                && hunk.origin.thread == *thread
        };
        let of = |review: Review| {
            let hunks = review.hunks.into_iter().filter(waits).map(|hunk| hunk.id);
            (review.file, (review.revision, hunks.collect::<Vec<_>>()))
        };
        let reviews = self.workspace.query(redline_workspace::Session::reviews);
        reviews.into_iter().map(of).filter(|(_, (_, hunks))| !hunks.is_empty()).collect()
    }

    /// Does what the user chose. `Err` says what could not be brought to the disk; nothing is run
    /// then.
    pub(super) async fn bring(
        &self,
        thread: &ThreadId,
        offer: &Offer,
        chosen: OptionId,
    ) -> Result<(), String> {
        match chosen {
            OptionId::AcceptAndRun => {
                // A hunk keeps its id while it grows, and the user has not seen what came.
                if self.waiting(thread) != offer.waiting {
                    return Err(CHANGED.to_owned());
                }
                let before = self.unsaved().await;
                self.accept(offer).await?;
                self.wait_for_own_save(&before).await;
                self.save().await
            }
            OptionId::SaveAndRun => self.save().await,
            OptionId::Once
            | OptionId::Session
            | OptionId::Folder
            | OptionId::Always
            | OptionId::RunWithout
            | OptionId::Reject => Ok(()),
        }
    }

    /// The user's decision on what the thread has proposed until it was asked.
    async fn accept(&self, offer: &Offer) -> Result<(), String> {
        let hunks: Vec<HunkId> =
            offer.waiting.values().flat_map(|(_, hunks)| hunks.iter().copied()).collect();
        let count = hunks.len();
        let request = ResolveRequest::hunks(ResolveAction::Accept, hunks);
        let resolved = self.workspace.resolve(request).await.map_err(|error| error.to_string())?;
        let why = match (resolved.failed.first(), resolved.stale.len()) {
            (None, 0) => return Ok(()),
            (Some((_, reason)), _) => reason.clone(),
            (None, _) => "they changed while the user was asked".to_owned(),
        };
        let failed = resolved.failed.len() + resolved.stale.len();
        Err(format!(
            "Not run: {failed} of {count} proposals could not be accepted ({why}). Look at the files \
             and call it again; the user is asked again."
        ))
    }

    /// Accepted text is saved by the session itself, unless the user does not want it so, or has
    /// typed there (`before`).
    async fn wait_for_own_save(&self, before: &[WorkspacePath]) {
        if !self.workspace.query(|session| session.config().save_on_accept) {
            return;
        }
        let deadline = Instant::now() + OWN_SAVE;
        let is_saved = |files: Vec<WorkspacePath>| files.iter().all(|file| before.contains(file));
        while !is_saved(self.unsaved().await) && Instant::now() < deadline {
            sleep(LOOK).await;
        }
    }

    async fn save(&self) -> Result<(), String> {
        let files = self.unsaved().await;
        if files.is_empty() {
            return Ok(());
        }
        let outcome = self.host.save(files).await;
        let left = self.unsaved().await;
        if left.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = left.iter().map(ToString::to_string).collect();
        let why = outcome.err().map(|error| format!(" ({error})")).unwrap_or_default();
        Err(format!(
            "Not run: the editor did not save {}{why}. Ask the user to save, then call it again.",
            names.join(", ")
        ))
    }

    async fn unsaved(&self) -> Vec<WorkspacePath> {
        let workspace = self.workspace.clone();
        tokio::task::spawn_blocking(move || workspace.unsaved()).await.unwrap_or_default()
    }
}
