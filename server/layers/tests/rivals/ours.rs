//! Redline's layers in both of their modes.

use redline_layers::{
    Author, Decision, HunkId, Layers, Op, OpId, PieceId, PieceState, Projection, ThreadId,
};
use redline_text::Edit;

use crate::Design;

/// A rule allows the agent's edits: they are in the buffer at once, as with the other designs.
pub struct Applied(Pending);

/// The agent's edits wait outside of the buffer.
pub struct Pending {
    layers: Layers,
    ops: u32,
}

impl Pending {
    fn agent() -> Projection {
        Projection::Agent(thread())
    }

    fn propose(&mut self, edits: &[Edit]) -> Vec<PieceId> {
        self.ops += 1;
        let op = Op {
            id: OpId(self.ops),
            thread: thread(),
            edits: edits.to_vec(),
            creates: false,
            deletes: false,
        };
        self.layers.propose(&op)
    }

    fn after(&self, decision: Decision) -> String {
        let mut copy = self.layers.clone();
        let open: Vec<HunkId> = copy.hunks().iter().map(|hunk| hunk.id).collect();
        copy.resolve(decision, &open);
        copy.editor().to_string()
    }
}

impl Design for Pending {
    fn new(base: &str) -> Self {
        Self { layers: Layers::new(base.into()), ops: 0 }
    }

    fn buffer(&self) -> String {
        self.layers.editor().to_string()
    }

    fn agents_text(&self) -> String {
        self.layers.project(&Self::agent()).to_string()
    }

    fn agent(&mut self, edits: &[Edit]) {
        self.propose(edits);
    }

    fn user(&mut self, edits: &[Edit]) {
        edits.iter().rev().for_each(|edit| drop(self.layers.change(Author::User, edit)));
    }

    fn reject_all(&self) -> String {
        self.after(Decision::Undo)
    }

    fn accept_all(&self) -> String {
        self.after(Decision::Accept)
    }
}

impl Design for Applied {
    fn new(base: &str) -> Self {
        Self(Pending::new(base))
    }

    fn buffer(&self) -> String {
        self.0.buffer()
    }

    fn agent(&mut self, edits: &[Edit]) {
        let pieces = self.0.propose(edits);
        self.0.layers.set_state(&pieces, PieceState::Applied);
    }

    fn user(&mut self, edits: &[Edit]) {
        self.0.user(edits);
    }

    fn reject_all(&self) -> String {
        self.0.reject_all()
    }

    fn accept_all(&self) -> String {
        self.0.accept_all()
    }
}

fn thread() -> ThreadId {
    ThreadId::from("agent")
}
