//! What the audit log is told of proposals: once for each decision, before a file or an
//! editor is changed; and once more if that failed.

use std::collections::BTreeMap;

use redline_audit::{Author, Decision, DecisionRecord, redact};
use redline_layers::{Hunk, HunkId, PieceId, PieceState, PlanItem, ThreadId};

use super::{
    Session,
    file::File,
    jobs::{Step, Work},
};
use crate::{Effect, WorkspacePath};

/// What one word does to hunks of one thread.
#[derive(Default)]
struct Told {
    hunks: Vec<String>,
    calls: Vec<String>,
}

impl Session {
    /// What a job is about to do: a kill in between must not leave a change that nobody wrote down.
    pub(super) fn audit_before(&mut self, path: &WorkspacePath, work: &mut Work) {
        if !work.audited {
            self.audit_items(path, work, &work.items);
            work.audited = true;
        }
    }

    /// What it was about to do and could not.
    pub(super) fn audit_failed(&mut self, path: &WorkspacePath, work: &Work) {
        match &work.job.step {
            Step::Apply(pieces) => self.audit_pieces(path, pieces, Decision::Failed, Author::Rule),
            Step::Decide { .. } => {
                let hunks: Vec<Hunk> = work.items.iter().map(|item| item.hunk.clone()).collect();
                self.audit_hunks(path, &hunks, Decision::Failed, Author::User, None);
            }
        }
    }

    /// What a job does.
    pub(super) fn audit_items(&mut self, path: &WorkspacePath, work: &Work, items: &[PlanItem]) {
        match &work.job.step {
            Step::Apply(pieces) => self.audit_applied(path, &pieces.clone()),
            Step::Decide { comment, .. } => {
                let comment = comment.as_deref().map(redact::text);
                let undone = |item: &&PlanItem| item.hunk.state == PieceState::Applied;
                let of = |undo: bool| -> Vec<Hunk> {
                    let items = items.iter().filter(|item| undone(item) == undo);
                    items.map(|item| item.hunk.clone()).collect()
                };
                let (taken_back, other) = match work.to {
                    PieceState::Accepted => (Decision::Accepted, Decision::Accepted),
                    PieceState::Rejected => (Decision::Undone, Decision::Rejected),
                    _ => (Decision::Reopened, Decision::Reopened),
                };
                self.audit_hunks(path, &of(true), taken_back, Author::User, comment.clone());
                self.audit_hunks(path, &of(false), other, Author::User, comment);
            }
        }
    }

    /// A rule allowed it; or the user went back, and what undoes it was applied.
    fn audit_applied(&mut self, path: &WorkspacePath, pieces: &[PieceId]) {
        let Some(file) = self.files.get(path) else { return };
        let origin = pieces.first().and_then(|id| file.ops.get(&id.op)).map(|op| &op.origin);
        let (decision, by) = match origin.is_some_and(|origin| origin.tool == "rewind") {
            true => (Decision::Rewound, Author::User),
            false => (Decision::Applied, Author::Rule),
        };
        self.audit_pieces(path, pieces, decision, by);
    }

    /// The hunks of these pieces as they are now.
    pub(super) fn audit_pieces(
        &mut self,
        path: &WorkspacePath,
        pieces: &[PieceId],
        decision: Decision,
        by: Author,
    ) {
        let Some(file) = self.files.get(path) else { return };
        let mut sorted = pieces.to_vec();
        sorted.sort_unstable();
        let is_one = |hunk: &Hunk| file.hunks_of(&sorted).contains(&hunk.id);
        let hunks: Vec<Hunk> = file.layers.hunks().into_iter().filter(is_one).collect();
        self.audit_hunks(path, &hunks, decision, by, None);
    }

    /// One record for each thread that they are of.
    pub(super) fn audit_hunks(
        &mut self,
        path: &WorkspacePath,
        hunks: &[Hunk],
        decision: Decision,
        by: Author,
        comment: Option<String>,
    ) {
        let Some(file) = self.files.get(path) else { return };
        let mut threads: BTreeMap<ThreadId, Told> = BTreeMap::new();
        for hunk in hunks {
            file.tell(hunk.id, &hunk.pieces, &mut threads);
        }
        for (thread, told) in threads {
            self.effect(Effect::Decided(Box::new(DecisionRecord {
                thread: thread.to_string(),
                file: path.as_path().to_owned(),
                hunks: told.hunks,
                calls: told.calls,
                decision,
                by,
                comment: comment.clone(),
            })));
        }
    }
}

impl File {
    fn tell(&self, id: HunkId, pieces: &[PieceId], threads: &mut BTreeMap<ThreadId, Told>) {
        let origins = pieces.iter().filter_map(|id| Some(&self.ops.get(&id.op)?.origin));
        let Some(first) = origins.clone().next() else { return };
        let told = threads.entry(first.thread.clone()).or_default();
        told.hunks.push(id.to_string());
        for origin in origins {
            if !told.calls.contains(&origin.call) {
                told.calls.push(origin.call.clone());
            }
        }
    }
}
