//! The session: one state machine that owns buffers, layers, asks and grants.
//!
//! It does no IO and knows no clock. `handle` takes one event and returns what is to be done. The
//! review state of every file that an event touched is sent before the replies that the event
//! completes, so that whoever gets an answer has already seen its effect.

mod asks;
mod audited;
mod authorship;
mod delete;
mod disk;
mod documents;
mod file;
mod flight;
mod found;
mod grants;
mod jobs;
mod journal;
mod notes;
mod propose;
mod recorded;
mod resolve;
mod restore;
mod reviews;
mod rewind;
mod shifts;
mod turns;
mod withdraw;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use redline_layers::{HunkId, OpId, PieceState, Projection, Revision, ThreadId};
use redline_permissions::{Call, Policy, Verdict};
use redline_text::Encoding;

use crate::{
    Ask, AskId, DiskText, Effect, Event, LogLevel, Reply, Review, Snapshot, Ticket, WorkspacePath,
};
pub(crate) use file::OpInfo;
pub(crate) use jobs::Work;
pub use restore::Restored;

use asks::Asks;
use file::File;
use jobs::Jobs;
use journal::Journal;
use notes::Notes;
use turns::Turns;

/// What a session is told once, at its start.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The workspace's folders, canonical.
    pub roots: Vec<PathBuf>,
    /// The user's home, for `~`.
    pub home: Option<PathBuf>,
    /// What positions on the wire count.
    pub encoding: Encoding,
    /// Save a document after an accept, if the user had no unsaved typing there.
    pub save_on_accept: bool,
    /// The client can be asked to save.
    pub client_saves: bool,
    /// The permission rules in force.
    pub policy: Policy,
}

/// Numbers for a status line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Hunks that wait for the user.
    pub pending_hunks: usize,
    /// Files that have some.
    pub pending_files: usize,
    /// Asks that wait for the user.
    pub asks: usize,
}

/// See the module's page.
#[derive(Debug, Default)]
pub struct Session {
    config: Config,
    files: BTreeMap<WorkspacePath, File>,
    uris: BTreeMap<String, WorkspacePath>,
    asks: Asks,
    jobs: Jobs,
    notes: Notes,
    turns: Turns,
    journal: Journal,
    /// Files whose hunks have moved since their review was sent.
    moved: BTreeSet<WorkspacePath>,
    /// The highest revision that any file's review has had.
    last_review: Revision,
    last_op: u32,
    last_edit: u64,
    last_write: u64,
    out: Out,
}

/// What one event causes: effects, then the reviews of the files it touched, then replies.
#[derive(Debug, Default)]
struct Out {
    effects: Vec<Effect>,
    touched: Vec<WorkspacePath>,
    replies: Vec<Effect>,
}

impl Session {
    /// A session without files.
    pub fn new(config: Config) -> Self {
        Self { config, ..Self::default() }
    }

    /// Takes one event; returns what is to be done, in order.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        self.take(event);
        // First what must not be forgotten: whatever is seen of an event has been written down.
        let mut effects = self.journal_news();
        self.send_reviews();
        effects.append(&mut self.out.effects);
        effects.append(&mut self.out.replies);
        effects
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Opened { file, uri, version, text, disk } => {
                self.opened(file, uri, version, &text, disk);
            }
            Event::Changed { uri, version, changes } => self.changed(&uri, version, &changes),
            Event::ChangeReason { uri, version, reason } => {
                self.change_reason(&uri, version, reason);
            }
            Event::Saved { uri } => self.saved(&uri),
            Event::Closed { uri, disk } => self.closed(&uri, disk),
            Event::DiskChanged { file, known, disk } => {
                if self.known_disk(&file).map(|disk| disk.hash) == known {
                    self.disk_changed(&file, disk);
                }
            }
            Event::Propose { ticket, proposal } => self.propose(ticket, *proposal),
            Event::Withdraw { ticket, file, thread } => self.withdraw(ticket, &file, &thread),
            Event::Resolve { ticket, request } => {
                // Whoever is told that a decision is stale has the newer review by then.
                self.reviews_due();
                self.resolve(ticket, request);
            }
            Event::EditAnswered { edit, applied, reason } => {
                self.edit_answered(edit, applied, reason);
            }
            Event::EditExpired { edit } => self.edit_expired(edit),
            Event::ReviewsDue => self.reviews_due(),
            Event::Restored { file, restored, disk } => self.restored(&file, *restored, disk),
            Event::JournalOpened { last_op } => self.start_journal(last_op),
            Event::OpsStartAt(first) => self.last_op = self.last_op.max(first),
            Event::SaveAnswered { uri } => self.save_answered(&uri),
            Event::Written { write, result } => self.written(write, result),
            Event::Ask { ticket, ask } => self.ask(ticket, *ask),
            Event::AskAnswered { ask, answer } => self.ask_answered(ask, answer),
            Event::GrantsSaved { rules, result } => self.grants_saved(&rules, result),
            Event::Revoked { rule } => self.revoked(&rule),
            Event::Configured { policy, save_on_accept } => {
                self.configured(*policy, save_on_accept);
            }
            Event::WithdrawAsks { thread, call, reason } => {
                self.withdraw_asks(&thread, call.as_deref(), &reason);
            }
            Event::Rewind { ticket, thread, turn, past } => {
                self.rewind(ticket, &thread, turn, past);
            }
            Event::TurnsStartAt(last) => self.turns.start_at(last),
            Event::TurnStarted { thread } => self.turns.start(thread),
            Event::TurnEnded { thread } => self.turn_ended(&thread),
            Event::TakeDecisions { ticket, thread } => self.take_decisions(ticket, &thread),
        }
    }

    /// The review states of all files that have one.
    pub fn reviews(&self) -> Vec<Review> {
        self.files.values().filter_map(File::review).collect()
    }

    /// The review state of one file.
    pub fn review(&self, file: &WorkspacePath) -> Option<Review> {
        self.files.get(file).and_then(File::review)
    }

    /// A file's text in a projection; `None`: the session does not hold it, or it does not exist
    /// there.
    pub fn content(&self, file: &WorkspacePath, projection: &Projection) -> Option<String> {
        let file = self.files.get(file)?;
        let layers = &file.layers;
        // The buffer of a deleted file has a text all the same.
        let exists = file.exists_in(projection)
            || *projection == Projection::Editor && file.open.is_some() && layers.is_deleted();
        exists.then(|| layers.project(projection).to_string())
    }

    /// A held file in a projection.
    pub(crate) fn snapshot_in(
        &self,
        path: &WorkspacePath,
        projection: &Projection,
    ) -> Option<Snapshot> {
        let file = self.files.get(path)?;
        let exists = file.exists_in(projection);
        Some(Snapshot {
            file: path.clone(),
            text: if exists { file.layers.project(projection) } else { Default::default() },
            exists,
            revision: Some(file.layers.revision()),
            disk: file.disk.clone(),
            open: file.open.is_some(),
        })
    }

    /// Whether the file was deleted as this thread sees it, or is going to be.
    pub fn is_gone(&self, file: &WorkspacePath, thread: &ThreadId) -> bool {
        let layers = self.files.get(file).map(|file| &file.layers);
        layers.is_some_and(|layers| layers.is_deleted() || layers.awaits_deletion_by(thread))
    }

    /// The file that a client calls `uri`, if it is open.
    pub fn file_of(&self, uri: &str) -> Option<WorkspacePath> {
        self.uris.get(uri).cloned()
    }

    /// The client's name of a file, if it is open.
    pub fn uri_of(&self, file: &WorkspacePath) -> Option<String> {
        Some(self.files.get(file)?.open.as_ref()?.uri.clone())
    }

    /// The client's version of a file, if it is open.
    pub fn version_of(&self, file: &WorkspacePath) -> Option<i32> {
        self.files.get(file)?.version()
    }

    /// The file that a hunk is in; `None`: unknown, or two files (the journals of two folders that were
    /// kept apart) have one of that name.
    pub fn hunk_file(&self, id: HunkId) -> Option<WorkspacePath> {
        self.hunk_file_among(id, |_| true)
    }

    fn hunk_file_among(
        &self,
        id: HunkId,
        meant: impl Fn(&WorkspacePath) -> bool,
    ) -> Option<WorkspacePath> {
        let holds =
            |path: &WorkspacePath, file: &File| meant(path) && file.ops.contains_key(&id.0.op);
        let mut files = self.files.iter().filter(|(path, file)| holds(path, file));
        let first = files.next()?.0.clone();
        files.next().is_none().then_some(first)
    }

    /// Numbers for a status line.
    pub fn counts(&self) -> Counts {
        let pending = |file: &File| {
            let waits = |state| !matches!(state, PieceState::Applied);
            file.layers.hunks().iter().filter(|hunk| waits(hunk.state)).count()
        };
        let counts: Vec<usize> = self.files.values().map(pending).filter(|n| *n > 0).collect();
        Counts {
            pending_hunks: counts.iter().sum(),
            pending_files: counts.len(),
            asks: self.asks.len(),
        }
    }

    /// The verdict of the rules and grants in force.
    pub fn evaluate(&self, call: &Call<'_>) -> Verdict {
        self.config.policy.evaluate(call)
    }

    /// Whether a rule of the user's or the repository's rejects some call of these tools.
    pub fn may_reject(&self, names: &[&str]) -> bool {
        self.config.policy.may_reject(names)
    }

    /// The open asks, oldest first.
    pub fn asks(&self) -> Vec<(AskId, Ask)> {
        self.asks.all()
    }

    /// What positions on the wire count.
    pub fn encoding(&self) -> Encoding {
        self.config.encoding
    }

    /// What the session was told at its start, with the grants since.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// A file on disk, as far as the session knows.
    pub(crate) fn known_disk(&self, file: &WorkspacePath) -> Option<&DiskText> {
        self.files.get(file)?.disk.as_ref()
    }

    /// Whether what the session holds of the file, if anything, is text.
    pub(crate) fn holds_text(&self, file: &WorkspacePath) -> bool {
        self.files.get(file).is_none_or(|file| file.format.encoding.is_text())
    }

    /// The files that the session holds.
    pub fn held_files(&self) -> impl Iterator<Item = &WorkspacePath> {
        self.files.keys()
    }

    fn next_op(&mut self) -> OpId {
        self.last_op += 1;
        OpId(self.last_op)
    }

    fn effect(&mut self, effect: Effect) {
        self.out.effects.push(effect);
    }

    fn log(&mut self, level: LogLevel, line: impl Into<String>) {
        self.effect(Effect::Log(level, line.into()));
    }

    fn reply(&mut self, ticket: Ticket, reply: Reply) {
        self.out.replies.push(Effect::Reply { ticket, reply });
    }

    /// The file's review state is made anew when the event has been handled.
    fn touch(&mut self, file: &WorkspacePath) {
        if let Some(file) = self.files.get_mut(file) {
            file.shown.forget();
        }
        self.look_at(file);
    }

    /// The file's review state is made anew unless nothing but lines has moved in it.
    fn look_at(&mut self, file: &WorkspacePath) {
        if !self.out.touched.contains(file) {
            self.out.touched.push(file.clone());
        }
    }
}
