//! Decisions on hunks.

use redline_text::{Edit, Text};
use serde::{Deserialize, Serialize};

use crate::{
    Author, Decree, Hunk, HunkId, Layers, Piece, PieceId, PieceState,
    span::{By, Span},
};

/// What the user does to a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Decision {
    /// Take it; an applied hunk is kept.
    Accept,
    /// Throw it away; an applied hunk is undone.
    Reject,
    /// Throw away what waits, and take back what a rule has applied on the same lines.
    Undo,
    /// Take a decision back.
    Reopen,
    /// Reject, and what the user typed inside it goes too.
    Drop,
}

/// What a decision amounts to. Making a plan changes nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// One for each hunk that can be decided.
    pub items: Vec<PlanItem>,
    /// Ids that name no hunk which the decision fits, and rejected hunks whose place has changed.
    pub stale: Vec<HunkId>,
    /// Conflicts: there is nothing to accept any more.
    pub conflicts: Vec<HunkId>,
    /// Deletions of a file whose text has changed since they were proposed: not accepted.
    pub changed: Vec<HunkId>,
}

/// The part of a plan that is about one hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanItem {
    /// The hunk.
    pub hunk: Hunk,
    /// Its pieces that change …
    pub pieces: Vec<PieceId>,
    /// … their state to this.
    pub to: PieceState,
    /// Pieces that a rule had applied and that go back to being applied: no text changes.
    pub unkept: Vec<PieceId>,
}

impl PlanItem {
    /// The name of the decided hunk: of a hunk that is only partly decided, the rest keeps the id.
    pub fn decided_id(&self) -> HunkId {
        // A deletion takes older pieces along and keeps its own name.
        if self.pieces.contains(&self.hunk.id.0) {
            return self.hunk.id;
        }
        let first = self.pieces.iter().chain(&self.unkept).min();
        first.map_or(self.hunk.id, |&first| HunkId(first))
    }
}

/// A decided hunk that can be reopened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Decided {
    pub id: HunkId,
    pub pieces: Vec<PieceId>,
    /// Its texts at that moment; a rejected hunk can be reopened while they are the same.
    old: String,
    new: String,
}

impl Layers {
    /// Decides and does it at once: for files that no editor holds, and for tests. An editor's
    /// buffer is changed in two steps instead: `plan` and `components` first, `decide` once the
    /// editor has confirmed.
    pub fn resolve(&mut self, decision: Decision, hunks: &[HunkId]) -> Plan {
        let plan = self.plan(decision, hunks);
        for item in &plan.items {
            if decision == Decision::Drop {
                for edit in self.typed_inside(&item.pieces).iter().rev() {
                    self.change(Author::User, edit);
                }
            }
            self.decide(item);
        }
        plan
    }

    /// What a decision would do.
    pub fn plan(&self, decision: Decision, hunks: &[HunkId]) -> Plan {
        let mut plan = Plan::default();
        let open = self.hunks();
        for &id in hunks {
            let found = match decision {
                Decision::Reopen => self.decided_hunk(id).filter(|hunk| self.can_reopen(hunk)),
                _ => open.iter().find(|hunk| hunk.id == id).cloned(),
            };
            match found {
                None => plan.stale.push(id),
                Some(hunk) if is_hopeless(decision, &hunk) => plan.conflicts.push(id),
                Some(hunk) if self.would_lose(decision, &hunk) => plan.changed.push(id),
                Some(hunk) => plan.items.push(self.item(decision, hunk)),
            }
        }
        plan
    }

    /// Carries out one item of a plan: states, and the memory of the decision.
    pub fn decide(&mut self, item: &PlanItem) {
        self.decree(&Decree::from(item));
    }

    pub(crate) fn decree(&mut self, decree: &Decree) {
        let id = decree.hunk;
        self.set_state(&decree.pieces, decree.to);
        self.set_state(&decree.unkept, PieceState::Applied);
        match decree.to {
            PieceState::Accepted | PieceState::Rejected => {
                let pieces = decree.pieces.clone();
                let decided = Decided { id, pieces, old: String::new(), new: String::new() };
                self.decided.insert(id, decided);
            }
            _ => {
                self.decided.remove(&id);
            }
        }
        if decree.to == PieceState::Accepted {
            self.overrule(&decree.pieces);
        }
        self.compact();
        self.remember_texts(id);
    }

    fn remember_texts(&mut self, id: HunkId) {
        if let Some(hunk) = self.decided_hunk(id)
            && let Some(decided) = self.decided.get_mut(&id)
        {
            (decided.old, decided.new) = (hunk.old, hunk.new);
        }
    }

    /// The editor took accepted (or applied) pieces back by itself: they wait again.
    pub fn retract(&mut self, pieces: &[PieceId]) {
        self.set_state(pieces, PieceState::Pending);
        for decided in self.decided.values_mut() {
            decided.pieces.retain(|id| !pieces.contains(id));
        }
        self.decided.retain(|_, decided| !decided.pieces.is_empty());
        self.compact();
    }

    /// The editor put retracted pieces in again by itself.
    pub fn readmit(&mut self, pieces: &[PieceId]) {
        for hunk in self.hunks() {
            let mut mine = hunk.pieces.clone();
            mine.retain(|id| pieces.contains(id));
            if !mine.is_empty() {
                let (to, unkept) = (PieceState::Accepted, Vec::new());
                self.decide(&PlanItem { hunk, pieces: mine, to, unkept });
            }
        }
        // A piece that a later one takes back is in no hunk, but the editor shows it again.
        let out = |id: &PieceId| self.state(*id).is_some_and(|state| !state.in_editor());
        let rest: Vec<PieceId> = pieces.iter().copied().filter(out).collect();
        self.set_state(&rest, PieceState::Accepted);
    }

    /// Takes pieces back as if they had never been proposed.
    pub fn withdraw(&mut self, pieces: &[PieceId]) {
        self.set_state(pieces, PieceState::Rejected);
        self.forget(pieces);
    }

    /// The file has come into being by other means, with this text: a pending creation is an
    /// overwrite of it now. A deletion that was made is over: the layers go on with the text that
    /// they had.
    pub fn appear(&mut self, text: &Text) {
        if self.is_deleted() {
            return self.come_back();
        }
        let Some(create) = self.create.take() else { return };
        if !text.is_empty() {
            let mut span = Span::new(text.len(), By::Base, true);
            span.gone.push(create);
            self.spans.insert(0, span);
            self.shown.insert(0, &text.to_string());
            self.refresh();
        }
        self.appeared = Some(create);
        self.revision.bump();
    }

    /// The file that had appeared is gone again without a trace: the creation is one again.
    pub fn vanish(&mut self) {
        let waits =
            |id: &PieceId| self.pieces.get(id).is_some_and(|piece| !piece.state.in_editor());
        if let Some(create) = self.appeared.take().filter(waits)
            && self.shown.is_empty()
        {
            self.remove_spans(|span| span.by == By::Base && span.gone == [create]);
            self.create = Some(create);
            self.revision.bump();
        }
    }

    /// Makes a decision final: it can't be reopened (a final text of the user's took its place).
    pub fn seal(&mut self, hunk: HunkId) {
        self.settle(&[hunk]);
    }

    /// The edits that take away what the user typed strictly inside these pieces: ascending.
    pub fn typed_inside(&self, pieces: &[PieceId]) -> Vec<Edit> {
        let mut indices: Vec<usize> =
            pieces.iter().flat_map(|&id| self.user_spans_inside(id)).collect();
        indices.sort_unstable();
        indices.dedup();
        let shown_before = |index: usize| -> usize {
            self.spans[..index].iter().filter(|span| span.shown).map(|span| span.len).sum()
        };
        let edit = |index: usize| {
            let at = shown_before(index);
            Edit::new(at..at + self.spans[index].len, "")
        };
        indices.into_iter().map(edit).collect()
    }

    fn item(&self, decision: Decision, hunk: Hunk) -> PlanItem {
        if self.deletes(&hunk.pieces) {
            return self.deletion_item(decision, hunk);
        }
        let state = |id: &PieceId| self.pieces.get(id).map(|piece| piece.state);
        let waiting = |id: &PieceId| state(id).is_some_and(|s| s != PieceState::Applied);
        let by_rule = |id: &PieceId| self.pieces.get(id).is_some_and(|piece| piece.by_rule);
        let mut pieces = hunk.pieces.clone();
        let mut unkept = Vec::new();
        let to = match decision {
            Decision::Accept => {
                pieces = self.taken(&pieces);
                PieceState::Accepted
            }
            Decision::Undo => PieceState::Rejected,
            Decision::Reject | Decision::Drop => {
                // Rejecting what waits never takes back what a rule has applied on the same lines.
                if pieces.iter().any(waiting) {
                    pieces.retain(waiting);
                }
                PieceState::Rejected
            }
            Decision::Reopen => {
                if hunk.state == PieceState::Accepted {
                    unkept = pieces.extract_if(.., |id| by_rule(id)).collect();
                }
                PieceState::Pending
            }
        };
        PlanItem { hunk, pieces, to, unkept }
    }

    fn can_reopen(&self, hunk: &Hunk) -> bool {
        let same = |decided: &Decided| decided.old == hunk.old && decided.new == hunk.new;
        hunk.state == PieceState::Accepted || self.decided.get(&hunk.id).is_some_and(same)
    }

    /// Pieces of other threads that delete what the accepted pieces delete have lost their place.
    fn overrule(&mut self, accepted: &[PieceId]) {
        let thread = |id: &PieceId| self.pieces.get(id).map(|piece| &piece.thread);
        let Some(winner) = accepted.first().and_then(thread).cloned() else { return };
        let loses = |piece: &&Piece| piece.thread != winner && piece.state == PieceState::Pending;
        let shares = |piece: &&Piece| {
            self.spans.iter().any(|span| {
                span.gone.contains(&piece.id) && span.gone.iter().any(|id| accepted.contains(id))
            })
        };
        let losers: Vec<PieceId> =
            self.pieces.values().filter(loses).filter(shares).map(|piece| piece.id).collect();
        self.set_state(&losers, PieceState::Conflict);
    }
}

fn is_hopeless(decision: Decision, hunk: &Hunk) -> bool {
    decision == Decision::Accept && hunk.state == PieceState::Conflict
}
