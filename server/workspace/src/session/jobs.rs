//! Decisions on their way: one call of the client or of a tool can be jobs for many files, and a
//! file does one job at a time.

use std::collections::BTreeMap;

use redline_layers::{Decision, HunkId, PieceId, PieceState, PlanItem};
use redline_text::{Edit, Text};
use serde::{Deserialize, Serialize};

use super::{Session, file::File, flight::Flight, recorded::Recorded};
use crate::{LogLevel, ProposeError, Proposed, Reply, Resolved, Rewound, Ticket, WorkspacePath};

/// One file's part of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Job {
    pub call: u64,
    pub step: Step,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Step {
    /// The user decides hunks.
    Decide {
        decision: Decision,
        hunks: Vec<HunkId>,
        comment: Option<String>,
        final_text: Option<FinalText>,
    },
    /// A rule allowed these pieces.
    Apply(Vec<PieceId>),
}

/// What the user wrote in place of a proposal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FinalText {
    pub text: String,
    /// The hunk's new text that the user had before them: with any other the decision is stale.
    pub instead_of: String,
}

/// The calls that wait for jobs.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    calls: BTreeMap<u64, Call>,
    last: u64,
}

#[derive(Debug)]
struct Call {
    ticket: Ticket,
    waiting: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Resolve(Resolved),
    Propose(Box<Proposed>, Option<String>),
    Rewind(Rewound),
}

/// A job with its plan: what it does to which pieces.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Work {
    pub job: Job,
    pub items: Vec<PlanItem>,
    /// All pieces whose state changes …
    pub pieces: Vec<PieceId>,
    /// … to this.
    pub to: PieceState,
    /// The editor's text before, where the states of the pieces don't tell it.
    #[serde(skip)]
    pub before: Option<Text>,
    /// What was decided is in the audit log, before it is done.
    #[serde(skip)]
    pub audited: bool,
}

impl Work {
    fn new(job: Job, items: Vec<PlanItem>) -> Self {
        let (pieces, to) = match &job.step {
            Step::Apply(pieces) => (pieces.clone(), PieceState::Applied),
            Step::Decide { decision, .. } => {
                let to = match decision {
                    Decision::Accept => PieceState::Accepted,
                    Decision::Reject | Decision::Undo | Decision::Drop => PieceState::Rejected,
                    Decision::Reopen => PieceState::Pending,
                };
                (items.iter().flat_map(|item| item.pieces.iter().copied()).collect(), to)
            }
        };
        Work { job, items, pieces, to, before: None, audited: false }
    }

    /// Whether it changes text that is no piece's (the user's final text, a drop): then the
    /// editor's answer is compared as a whole.
    pub fn is_whole(&self) -> bool {
        matches!(
            self.job.step,
            Step::Decide { final_text: Some(_), .. }
                | Step::Decide { decision: Decision::Drop, .. }
        )
    }

    /// The layers after it.
    pub fn target(&self, layers: &Recorded) -> Recorded {
        let mut target = layers.clone();
        match &self.job.step {
            Step::Apply(pieces) => target.set_state(pieces, PieceState::Applied),
            Step::Decide { final_text: Some(by_hand), .. } => {
                self.finish_by_hand(&mut target, &by_hand.text);
            }
            Step::Decide { decision: Decision::Drop, .. } => {
                let ids: Vec<HunkId> = self.items.iter().map(|item| item.hunk.id).collect();
                target.resolve(Decision::Drop, &ids);
            }
            Step::Decide { .. } => self.items.iter().for_each(|item| target.decide(item)),
        }
        target
    }

    /// Agent text that survives in the user's final text is accepted, the rest is the user's.
    fn finish_by_hand(&self, target: &mut Recorded, text: &str) {
        for item in &self.items {
            // The user may have typed above since; if it was inside, the decision has lost its
            // object and nothing is done.
            let now = target.hunks().into_iter().find(|hunk| hunk.id == item.hunk.id);
            let Some(hunk) = now.filter(|hunk| hunk.new == item.hunk.new) else { continue };
            let start = hunk.range.start;
            target.decide(item);
            let new = Text::from(item.hunk.new.as_str());
            for edit in redline_text::char_edits(&new, &Text::from(text)).iter().rev() {
                let range = edit.range.start + start..edit.range.end + start;
                let edit = Edit::new(range, edit.new.as_str());
                target.change(redline_layers::Author::User, &edit);
            }
            target.settle(&[item.decided_id()]);
        }
    }

    /// Names and memory of the decision, once all pieces are in their state.
    pub fn complete(&self, layers: &mut Recorded) {
        self.items.iter().for_each(|item| layers.decide(item));
    }
}

impl Session {
    /// A call that is answered when all its jobs are done.
    pub(super) fn open_call(&mut self, ticket: Ticket, resolved: Resolved) -> u64 {
        self.add_call(ticket, Kind::Resolve(resolved))
    }

    /// A way back that is answered when it is applied.
    pub(super) fn open_rewind(&mut self, ticket: Ticket, rewound: Rewound) -> u64 {
        self.add_call(ticket, Kind::Rewind(rewound))
    }

    /// A proposal that is answered when it is applied.
    pub(super) fn open_proposal(&mut self, ticket: Ticket, proposed: Proposed) -> u64 {
        self.add_call(ticket, Kind::Propose(Box::new(proposed), None))
    }

    fn add_call(&mut self, ticket: Ticket, kind: Kind) -> u64 {
        self.jobs.last += 1;
        self.jobs.calls.insert(self.jobs.last, Call { ticket, waiting: 1, kind });
        self.jobs.last
    }

    /// Queues a job. The caller holds one `waiting` of its own until `close_call`.
    pub(super) fn queue(&mut self, path: &WorkspacePath, job: Job) {
        if let Some(file) = self.files.get_mut(path) {
            if let Some(call) = self.jobs.calls.get_mut(&job.call) {
                call.waiting += 1;
            }
            file.limbo = None;
            file.queue.push_back(job);
            self.run_jobs(path);
        }
    }

    /// One part of the call is done; the last one answers it.
    pub(super) fn close_call(&mut self, id: u64) {
        let Some(call) = self.jobs.calls.get_mut(&id) else { return };
        call.waiting -= 1;
        if call.waiting > 0 {
            return;
        }
        let Some(call) = self.jobs.calls.remove(&id) else { return };
        let reply = match call.kind {
            Kind::Resolve(resolved) => Reply::Resolved(Ok(resolved)),
            Kind::Rewind(rewound) => Reply::Rewound(rewound),
            Kind::Propose(proposed, None) => Reply::Proposed(Ok(*proposed)),
            Kind::Propose(_, Some(why)) => Reply::Proposed(Err(ProposeError::Failed(why))),
        };
        self.reply(call.ticket, reply);
    }

    pub(super) fn resolved_of(&mut self, id: u64) -> Option<&mut Resolved> {
        match &mut self.jobs.calls.get_mut(&id)?.kind {
            Kind::Resolve(resolved) => Some(resolved),
            Kind::Propose(..) | Kind::Rewind(_) => None,
        }
    }

    /// Starts the file's next jobs until one has to wait.
    pub(super) fn run_jobs(&mut self, path: &WorkspacePath) {
        while let Some(file) = self.files.get_mut(path)
            && file.flight.is_none()
            && let Some(job) = file.queue.pop_front()
        {
            self.start(path, job);
        }
    }

    fn start(&mut self, path: &WorkspacePath, job: Job) {
        let Some(file) = self.files.get_mut(path) else { return };
        let (mut items, mut unfit) = (Vec::new(), Vec::<HunkId>::new());
        if let Step::Decide { decision, hunks, final_text, .. } = &job.step {
            let mut plan = file.layers.plan(*decision, hunks);
            if let Some(by_hand) = final_text {
                let changed = |item: &mut PlanItem| item.hunk.new != by_hand.instead_of;
                let stale = plan.items.extract_if(.., changed).map(|item| item.hunk.id);
                plan.stale.extend(stale);
            }
            if final_text.is_some() {
                let deletes = |item: &mut PlanItem| file.layers.deletes(&item.pieces);
                let deletion = plan.items.extract_if(.., deletes).map(|item| item.hunk.id);
                unfit = deletion.collect();
            }
            items = plan.items;
            if let Some(resolved) = self.resolved_of(job.call) {
                resolved.stale.extend(plan.stale);
                let changed = "the file has changed since its deletion was proposed; undo that, or \
                               reject the deletion";
                let failed = plan.changed.into_iter().map(|id| (id, changed.to_owned()));
                resolved.failed.extend(failed);
                let lost = "its old text is gone; reject it, or ask the agent to look again";
                let no_text = "a deletion has no text to edit; reject it, and edit the file";
                resolved.failed.extend(unfit.drain(..).map(|id| (id, no_text.to_owned())));
                resolved.failed.extend(plan.conflicts.into_iter().map(|id| (id, lost.to_owned())));
            }
        }
        let mut work = Work::new(job, items);
        if work.to == PieceState::Applied
            && let Some(file) = self.files.get(path)
        {
            // The user may have decided a hunk with them while the job waited.
            let waits = |piece: &redline_layers::Piece| piece.state == PieceState::Pending;
            let waiting: Vec<PieceId> =
                file.layers.pieces().filter(|p| waits(p)).map(|p| p.id).collect();
            work.pieces.retain(|id| waiting.contains(id));
            work.job.step = Step::Apply(work.pieces.clone());
        }
        if work.pieces.is_empty() && work.items.is_empty() {
            self.close_call(work.job.call);
            return;
        }
        let changed = |file: &File| file.would_lose(&work);
        if self.files.get(path).is_some_and(changed) {
            let why = "the file has changed since; look at it, and delete it again";
            return self.fail(path, work, why);
        }
        self.carry_out(path, work);
    }

    /// By the shortest way: in memory, through the editor, or onto the disk.
    fn carry_out(&mut self, path: &WorkspacePath, mut work: Work) {
        let Some(file) = self.files.get_mut(path) else { return };
        work.before = work.is_whole().then(|| file.layers.editor().clone());
        let target = work.target(&file.layers);
        let editor = redline_layers::Projection::Editor;
        let stays = target.exists(&editor) == file.layers.exists(&editor);
        let same = stays && target.editor() == file.layers.editor();
        if let Some(why) = file.keeps_from(&target) {
            self.fail(path, work, why);
        } else if same || file.is_gone_already(&target) {
            file.layers = target;
            self.finish(path, work, !same);
        } else if stays && file.open.is_some() {
            self.fly(path, work);
        } else {
            self.write(path, work, &target);
        }
    }

    /// The job has done what it should.
    pub(super) fn finish(&mut self, path: &WorkspacePath, work: Work, changed_text: bool) {
        self.touch(path);
        self.note(path, &work);
        self.remember_rejected(path, &work);
        if changed_text {
            self.mark(path, &work);
        }
        // No undo of an editor takes the deletion of a file back.
        if changed_text
            && let Some(file) = self.files.get_mut(path)
            && !file.layers.deletes(&work.pieces)
        {
            if work.to.in_editor() && file.open.is_some() {
                file.unsaved.push(work.pieces.clone());
            }
            let list = if work.to.in_editor() { &mut file.entered } else { &mut file.undone };
            list.push(work.pieces.clone());
            if list.len() > REMEMBERED {
                list.remove(0);
            }
        }
        self.close_call(work.job.call);
    }

    /// The job could not be done: its hunks are as they were, and the caller is told why.
    pub(super) fn fail(&mut self, path: &WorkspacePath, work: Work, why: &str) {
        if work.audited {
            self.audit_failed(path, &work);
        }
        self.touch(path);
        if let Some(file) = self.files.get_mut(path) {
            let waiting: Vec<PieceId> = file
                .layers
                .pieces()
                .filter(|piece| piece.state == PieceState::Accepting)
                .map(|piece| piece.id)
                .collect();
            file.layers.set_state(&waiting, PieceState::Pending);
            if let Step::Apply(pieces) = &work.job.step {
                file.layers.withdraw(pieces);
            }
        }
        self.log(LogLevel::Warning, format!("{path}: not done: {why}"));
        match self.jobs.calls.get_mut(&work.job.call).map(|call| &mut call.kind) {
            Some(Kind::Resolve(resolved)) => {
                let failed = work.items.iter().map(|item| (item.hunk.id, why.to_owned()));
                resolved.failed.extend(failed);
            }
            Some(Kind::Rewind(rewound)) => {
                rewound.files.retain(|file| file != path);
                rewound.kept.push((path.clone(), why.to_owned()));
            }
            Some(Kind::Propose(_, error)) => *error = Some(format!("{path}: {why}")),
            None => {}
        }
        self.close_call(work.job.call);
    }

    fn remember_rejected(&mut self, path: &WorkspacePath, work: &Work) {
        let Some(file) = self.files.get_mut(path) else { return };
        if work.to == PieceState::Rejected {
            file.rejected.extend(work.items.iter().map(|item| item.hunk.new.clone()));
            let surplus = file.rejected.len().saturating_sub(REMEMBERED);
            file.rejected.drain(..surplus);
        }
    }

    /// Takes the flight out of a file, if it is the one that `is` picks.
    pub(super) fn land(
        &mut self,
        path: &WorkspacePath,
        is: impl Fn(&Flight) -> bool,
    ) -> Option<Flight> {
        let file = self.files.get_mut(path)?;
        if file.flight.as_ref().is_some_and(is) { file.flight.take() } else { None }
    }
}

/// How many decisions of a file an undo or a repeated proposal can still be matched with.
pub(super) const REMEMBERED: usize = 16;
