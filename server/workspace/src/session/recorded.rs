//! Layers with a memory of their steps since they were last asked: what the journal is told.
//!
//! Whatever changes a file's layers goes through here, so that nothing can be left out. A copy on
//! which a decision is tried takes its steps along; it replaces the original with them, or is dropped
//! with them.

use std::ops::Deref;

use redline_layers::{
    Author, Changed, Decision, HunkId, Layers, Op, PieceId, PieceState, Plan, PlanItem, Step,
};
use redline_text::{Edit, Text};

/// See the module's page. Looks at the layers go through `Deref`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorded {
    layers: Layers,
    steps: Vec<Step>,
}

impl Recorded {
    pub fn new(layers: Layers) -> Self {
        Self { layers, steps: Vec::new() }
    }

    /// The steps since this was last called.
    pub fn take_steps(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.steps)
    }

    /// Takes a step of the journal again.
    pub fn replay(&mut self, step: &Step) {
        self.layers.take(step);
    }

    pub fn change(&mut self, author: Author, edit: &Edit) -> Changed {
        self.steps.push(Step::Change(author, edit.clone()));
        self.layers.change(author, edit)
    }

    pub fn propose(&mut self, op: &Op) -> Vec<PieceId> {
        self.steps.push(Step::Propose(op.clone()));
        self.layers.propose(op)
    }

    pub fn set_state(&mut self, pieces: &[PieceId], state: PieceState) {
        if !pieces.is_empty() {
            self.steps.push(Step::State(pieces.to_vec(), state));
            self.layers.set_state(pieces, state);
        }
    }

    pub fn decide(&mut self, item: &PlanItem) {
        self.steps.push(Step::Decide(item.into()));
        self.layers.decide(item);
    }

    pub fn resolve(&mut self, decision: Decision, hunks: &[HunkId]) -> Plan {
        self.steps.push(Step::Resolve(decision, hunks.to_vec()));
        self.layers.resolve(decision, hunks)
    }

    pub fn retract(&mut self, pieces: &[PieceId]) {
        self.steps.push(Step::Retract(pieces.to_vec()));
        self.layers.retract(pieces);
    }

    pub fn readmit(&mut self, pieces: &[PieceId]) {
        self.steps.push(Step::Readmit(pieces.to_vec()));
        self.layers.readmit(pieces);
    }

    pub fn withdraw(&mut self, pieces: &[PieceId]) {
        self.steps.push(Step::Withdraw(pieces.to_vec()));
        self.layers.withdraw(pieces);
    }

    pub fn appear(&mut self, text: &Text) {
        self.steps.push(Step::Appear(text.to_string()));
        self.layers.appear(text);
    }

    pub fn vanish(&mut self) {
        self.steps.push(Step::Vanish);
        self.layers.vanish();
    }

    pub fn settle(&mut self, hunks: &[HunkId]) {
        self.steps.push(Step::Settle(hunks.to_vec()));
        self.layers.settle(hunks);
    }
}

impl Deref for Recorded {
    type Target = Layers;

    fn deref(&self) -> &Layers {
        &self.layers
    }
}
