//! Every way in which layers change, as data: what a journal remembers. Taking the same steps from
//! the same layers gives the same layers, hunk for hunk.

use redline_text::{Edit, Text};
use serde::{Deserialize, Serialize};

use crate::{Author, Decision, HunkId, Layers, Op, PieceId, PieceState, PlanItem};

/// One change of a file's layers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// `Layers::change`.
    Change(Author, Edit),
    /// `Layers::propose`.
    Propose(Op),
    /// `Layers::set_state`.
    State(Vec<PieceId>, PieceState),
    /// `Layers::decide`.
    Decide(Decree),
    /// `Layers::resolve`.
    Resolve(Decision, Vec<HunkId>),
    /// `Layers::retract`.
    Retract(Vec<PieceId>),
    /// `Layers::readmit`.
    Readmit(Vec<PieceId>),
    /// `Layers::withdraw`.
    Withdraw(Vec<PieceId>),
    /// `Layers::appear`.
    Appear(String),
    /// `Layers::vanish`.
    Vanish,
    /// `Layers::settle`, `Layers::seal`.
    Settle(Vec<HunkId>),
}

/// What of a plan's item matters once it is decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decree {
    /// The name of the decided hunk.
    pub hunk: HunkId,
    /// Its pieces that change …
    pub pieces: Vec<PieceId>,
    /// … their state to this.
    pub to: PieceState,
    /// Pieces that go back to being applied.
    pub unkept: Vec<PieceId>,
}

impl From<&PlanItem> for Decree {
    fn from(item: &PlanItem) -> Self {
        Decree {
            hunk: item.decided_id(),
            pieces: item.pieces.clone(),
            to: item.to,
            unkept: item.unkept.clone(),
        }
    }
}

impl Layers {
    /// Takes a step again.
    pub fn take(&mut self, step: &Step) {
        match step {
            Step::Change(author, edit) => {
                self.change(*author, edit);
            }
            Step::Propose(op) => {
                self.propose(op);
            }
            Step::State(pieces, state) => self.set_state(pieces, *state),
            Step::Decide(decree) => self.decree(decree),
            Step::Resolve(decision, hunks) => {
                self.resolve(*decision, hunks);
            }
            Step::Retract(pieces) => self.retract(pieces),
            Step::Readmit(pieces) => self.readmit(pieces),
            Step::Withdraw(pieces) => self.withdraw(pieces),
            Step::Appear(text) => self.appear(&Text::from(text.as_str())),
            Step::Vanish => self.vanish(),
            Step::Settle(hunks) => self.settle(hunks),
        }
    }
}
