//! What the agent is told of the user's decisions: one line a hunk, with its next request.

use std::collections::BTreeMap;

use redline_audit::{Author, Decision};
use redline_layers::{Hunk, HunkId, PieceId, PieceState, PlanItem, Projection, ThreadId};
use redline_text::{Text, unified};

use super::{
    Session,
    file::File,
    jobs::{Step, Work},
};
use crate::{Reply, Ticket, WorkspacePath};

/// Lines that have not been told yet, oldest first, by thread.
#[derive(Debug, Default)]
pub(super) struct Notes(BTreeMap<ThreadId, Vec<(HunkId, String)>>);

/// Pieces that the user's undo or redo moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Turned {
    /// Accepted, and pending again.
    Undone(Vec<PieceId>),
    /// Accepted again.
    Redone(Vec<PieceId>),
}

impl Session {
    /// The decisions of a job that is done.
    pub(super) fn note(&mut self, path: &WorkspacePath, work: &Work) {
        self.note_items(path, work, &work.items);
    }

    /// Those of a job that are done.
    pub(super) fn note_items(&mut self, path: &WorkspacePath, work: &Work, items: &[PlanItem]) {
        if let Some(resolved) = self.resolved_of(work.job.call) {
            let mixed = items.iter().filter(|item| item.hunk.mixed && !work.is_whole());
            resolved.mixed.extend(mixed.map(|item| item.hunk.id));
            resolved.resolved.extend(items.iter().map(|item| item.hunk.id));
        }
        self.note_deletion(path, work);
        if !work.audited {
            self.audit_items(path, work, items);
        }
        let Step::Decide { comment, final_text, .. } = &work.job.step else { return };
        let name = path.display_in(&self.config.roots);
        for item in items {
            let Some(file) = self.files.get(path) else { return };
            let Some(thread) = thread_of(file, &item.hunk) else { continue };
            let place = place(file, &name, &item.hunk);
            let said = comment.as_deref().map(|c| format!(": {c:?}")).unwrap_or_default();
            let line = match work.to {
                PieceState::Accepted => {
                    accepted(
                        file,
                        &name,
                        &place,
                        &item.hunk,
                        final_text.as_ref().map(|by_hand| by_hand.text.as_str()),
                    ) + &said
                }
                PieceState::Rejected if item.hunk.state == PieceState::Applied => {
                    format!("undone {place}{said}")
                }
                PieceState::Rejected => format!("rejected {place}{said}"),
                _ => format!("reopened {place}: it is pending again{said}"),
            };
            self.add_note(thread, item.hunk.id, line, work.to == PieceState::Pending);
        }
    }

    /// One line about a hunk that another program has settled, for its thread; `line` gets
    /// `PATH:a-b (CALL)`.
    pub(super) fn note_line(
        &mut self,
        path: &WorkspacePath,
        hunk: &Hunk,
        line: impl FnOnce(&str) -> String,
    ) {
        let name = path.display_in(&self.config.roots);
        let Some(file) = self.files.get(path) else { return };
        let Some(thread) = thread_of(file, hunk) else { return };
        let line = line(&place(file, &name, hunk));
        self.add_note(thread, hunk.id, line, false);
        let hunk = std::slice::from_ref(hunk);
        self.audit_hunks(path, hunk, Decision::Accepted, Author::Program, None);
    }

    /// The editor itself took accepted pieces back, or brought them again.
    pub(super) fn note_turned(&mut self, path: &WorkspacePath, turned: Turned) {
        let name = path.display_in(&self.config.roots);
        let Some(file) = self.files.get(path) else { return };
        let (pieces, mut hunks) = match &turned {
            Turned::Undone(pieces) => (pieces, file.layers.hunks()),
            Turned::Redone(pieces) => (pieces, file.layers.decided_hunks()),
        };
        hunks.retain(|hunk| hunk.pieces.iter().any(|id| pieces.contains(id)));
        let undone = matches!(turned, Turned::Undone(_));
        let lines: Vec<(ThreadId, HunkId, String)> = hunks
            .iter()
            .filter_map(|hunk| {
                let place = place(file, &name, hunk);
                let line = if undone {
                    format!("reopened {place}: it is pending again")
                } else {
                    accepted(file, &name, &place, hunk, None)
                };
                Some((thread_of(file, hunk)?, hunk.id, line))
            })
            .collect();
        for (thread, hunk, line) in lines {
            self.add_note(thread, hunk, line, undone);
        }
        let decision = if undone { Decision::Reopened } else { Decision::Accepted };
        self.audit_hunks(path, &hunks, decision, Author::User, None);
    }

    /// A decision that is taken back before the agent heard of it needs no words at all.
    pub(super) fn add_note(
        &mut self,
        thread: ThreadId,
        hunk: HunkId,
        line: String,
        reopened: bool,
    ) {
        let notes = self.notes.0.entry(thread).or_default();
        let untold = notes.iter().position(|(id, _)| *id == hunk);
        match untold {
            Some(at) if reopened => {
                notes.remove(at);
            }
            _ => notes.push((hunk, line)),
        }
    }

    pub(super) fn take_decisions(&mut self, ticket: Ticket, thread: &ThreadId) {
        let notes = self.notes.0.remove(thread).unwrap_or_default();
        let lines = notes.into_iter().map(|(_, line)| line).collect();
        let pending = self.pending_of(thread);
        self.reply(ticket, Reply::Decisions { lines, pending });
    }

    /// The number of the thread's hunks that wait for the user.
    pub fn pending_of(&self, thread: &ThreadId) -> usize {
        let mine = |file: &File, hunk: &Hunk| {
            hunk.state != PieceState::Applied && thread_of(file, hunk).as_ref() == Some(thread)
        };
        let count = |file: &File| file.layers.hunks().iter().filter(|h| mine(file, h)).count();
        self.files.values().map(count).sum()
    }

    /// What the user rejected of this file, as text: a thread that looks for it can be told so.
    pub fn rejected_texts(&self, file: &WorkspacePath) -> Vec<String> {
        self.files.get(file).map(|file| file.rejected.clone()).unwrap_or_default()
    }

    /// Files that this thread sees otherwise than the disk has them: those with its pending
    /// proposals, and those with the user's unsaved text.
    pub fn unseen(&self, thread: &ThreadId) -> (Vec<String>, Vec<String>) {
        let (mut pending, mut unsaved) = (Vec::new(), Vec::new());
        let agent = Projection::Agent(thread.clone());
        for (path, file) in &self.files {
            let name = path.display_in(&self.config.roots);
            if file.layers.project(&agent) != *file.layers.editor()
                || file.layers.exists(&agent) != file.layers.exists(&Projection::Editor)
            {
                pending.push(name.clone());
            }
            if self.is_missed(path, file) {
                unsaved.push(name);
            }
        }
        (pending, unsaved)
    }

    /// Open documents of the workspace whose text is not what the disk was last seen to hold.
    pub(crate) fn unsaved(&self) -> Vec<WorkspacePath> {
        let unsaved = self.files.iter().filter(|(path, file)| self.is_missed(path, file));
        unsaved.map(|(path, _)| path.clone()).collect()
    }

    /// What an editor has open elsewhere (its own settings, another project) is not what a command
    /// here would miss, and nothing to save for it.
    fn is_missed(&self, path: &WorkspacePath, file: &File) -> bool {
        let roots = &self.config.roots;
        (roots.is_empty() || path.is_inside(roots)) && file.seems_unsaved()
    }
}

fn thread_of(file: &File, hunk: &Hunk) -> Option<ThreadId> {
    let op = file.ops.get(&hunk.pieces.first()?.op)?;
    Some(op.origin.thread.clone())
}

/// `PATH:a-b (CALL, CALL)`.
fn place(file: &File, name: &str, hunk: &Hunk) -> String {
    if file.layers.deletes(&hunk.pieces) {
        let call = hunk.pieces.first().and_then(|id| file.ops.get(&id.op));
        let call = call.map(|op| op.origin.call.as_str()).unwrap_or_default();
        return format!("the deletion of {name} ({call})");
    }
    let text = file.layers.editor();
    let first = text.line_of(hunk.range.start) + 1;
    let count = hunk.old.lines().count().max(hunk.new.lines().count()).max(1);
    let last = first + count - 1;
    let mut calls: Vec<&str> = hunk
        .pieces
        .iter()
        .filter_map(|id| Some(file.ops.get(&id.op)?.origin.call.as_str()))
        .collect();
    calls.dedup();
    format!("{name}:{first}-{last} ({})", calls.join(", "))
}

fn accepted(file: &File, name: &str, place: &str, hunk: &Hunk, final_text: Option<&str>) -> String {
    let proposed = match final_text {
        None if !hunk.mixed || file.layers.deletes(&hunk.pieces) => {
            return format!("accepted {place}");
        }
        None => as_proposed(file, hunk),
        Some(_) => hunk.new.clone(),
    };
    let now = final_text.unwrap_or(&hunk.new);
    let diff = unified(Some(&Text::from(proposed)), Some(&Text::from(now)), name);
    format!("accepted with changes {place}\n{}", diff.trim_end())
}

/// A mixed hunk as it was proposed: without what the user typed inside since.
fn as_proposed(file: &File, hunk: &Hunk) -> String {
    let mut layers = file.layers.clone();
    for edit in layers.typed_inside(&hunk.pieces).iter().rev() {
        layers.change(redline_layers::Author::User, edit);
    }
    let hunks = layers.decided_hunks();
    let decided = hunks.into_iter().find(|decided| decided.pieces == hunk.pieces);
    decided.map_or_else(|| hunk.new.clone(), |decided| decided.new)
}
