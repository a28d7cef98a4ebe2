//! The user decides: one request becomes a job for each file that it is about.

use std::collections::BTreeMap;

use redline_layers::{Decision, HunkId, PieceState};

use super::{
    Session,
    file::File,
    jobs::{FinalText, Job, Step},
};
use crate::{Reply, ResolveAction, ResolveError, ResolveRequest, Resolved, Ticket, WorkspacePath};

impl Session {
    pub(super) fn resolve(&mut self, ticket: Ticket, request: ResolveRequest) {
        if let Err(error) = check(&request) {
            self.reply(ticket, Reply::Resolved(Err(error)));
            return;
        }
        let (work, stale) = self.targets(&request);
        let call = self.open_call(ticket, Resolved { stale, ..Resolved::default() });
        for (path, hunks) in work {
            let (decision, final_text) = self.decision(&request, &path, &hunks);
            let comment = request.comment.clone();
            self.queue(
                &path,
                Job { call, step: Step::Decide { decision, hunks, comment, final_text } },
            );
        }
        self.close_call(call);
    }

    /// The hunks that are meant, by file, and those that are stale whatever happens.
    fn targets(
        &self,
        request: &ResolveRequest,
    ) -> (BTreeMap<WorkspacePath, Vec<HunkId>>, Vec<HunkId>) {
        let mut work: BTreeMap<WorkspacePath, Vec<HunkId>> = BTreeMap::new();
        let mut stale = Vec::new();
        let in_file = |path: &WorkspacePath| request.file.as_ref().is_none_or(|file| file == path);
        match &request.hunks {
            Some(ids) => {
                for &id in ids {
                    match self.hunk_file_among(id, in_file) {
                        Some(path) if !self.is_old(request, &path) => {
                            let hunks = work.entry(path).or_default();
                            if !hunks.contains(&id) {
                                hunks.push(id);
                            }
                        }
                        _ => stale.push(id),
                    }
                }
            }
            None => {
                for (path, file) in self.files.iter().filter(|(path, _)| in_file(path)) {
                    let hunks = all_of(file, request);
                    if self.is_old(request, path) {
                        stale.extend(hunks);
                    } else if !hunks.is_empty() {
                        work.insert(path.clone(), hunks);
                    }
                }
            }
        }
        (work, stale)
    }

    /// The user looked at another state of the review.
    fn is_old(&self, request: &ResolveRequest, path: &WorkspacePath) -> bool {
        let current = self.files.get(path).map(|file| file.shown.revision());
        request.revision.is_some_and(|seen| current != Some(seen))
    }

    /// A final text that is the old text is a reject in other words.
    fn decision(
        &self,
        request: &ResolveRequest,
        path: &WorkspacePath,
        hunks: &[HunkId],
    ) -> (Decision, Option<FinalText>) {
        let Some(text) = &request.final_text else {
            let undo = request.include_applied && request.action == ResolveAction::Reject;
            return (if undo { Decision::Undo } else { decision(request.action) }, None);
        };
        let open = self.files.get(path).map(|file| file.layers.hunks()).unwrap_or_default();
        let hunk = open.iter().find(|hunk| hunks.contains(&hunk.id));
        match hunk {
            Some(hunk) if hunk.old == *text => (Decision::Reject, None),
            Some(hunk) if hunk.new == *text => (Decision::Accept, None),
            Some(hunk) => {
                let (mut text, instead_of) = (text.clone(), hunk.new.clone());
                // It replaces whole lines: without its end the next line would be joined.
                if hunk.new.ends_with('\n') && !text.is_empty() && !text.ends_with('\n') {
                    text.push_str(if hunk.new.ends_with("\r\n") { "\r\n" } else { "\n" });
                }
                (Decision::Accept, Some(FinalText { text, instead_of }))
            }
            // Stale: the plan will find no hunk either.
            None => (Decision::Accept, None),
        }
    }
}

fn all_of(file: &File, request: &ResolveRequest) -> Vec<HunkId> {
    if request.action == ResolveAction::Reopen {
        return file.layers.decided_hunks().iter().map(|hunk| hunk.id).collect();
    }
    let covered = |state| request.include_applied || state != PieceState::Applied;
    file.layers.hunks().iter().filter(|hunk| covered(hunk.state)).map(|hunk| hunk.id).collect()
}

fn check(request: &ResolveRequest) -> Result<(), ResolveError> {
    let one = request.hunks.as_ref().is_some_and(|hunks| hunks.len() == 1);
    if request.final_text.is_some() && request.action != ResolveAction::Accept {
        Err(ResolveError::FinalTextNeedsAccept)
    } else if request.final_text.is_some() && !one {
        Err(ResolveError::FinalTextNeedsOneHunk)
    } else if request.revision.is_some() && request.file.is_none() {
        Err(ResolveError::RevisionNeedsUri)
    } else {
        Ok(())
    }
}

fn decision(action: ResolveAction) -> Decision {
    match action {
        ResolveAction::Accept => Decision::Accept,
        ResolveAction::Reject => Decision::Reject,
        ResolveAction::Reopen => Decision::Reopen,
        ResolveAction::Drop => Decision::Drop,
    }
}
