//! The handle that everybody holds: events in, in order; effects out, in order.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use redline_audit::{Record, io::Log};
use redline_layers::{Projection, ThreadId};
use redline_permissions::{Rule, SourcedRule};
use tokio::sync::{mpsc, oneshot};

use crate::{
    Ask, AskOutcome, Config, ContentChange, DiskText, Effect, Event, GrantStore, LogLevel,
    PathError, Proposal, ProposeError, Proposed, ReadError, Reply, ResolveError, ResolveRequest,
    Resolved, Session, Snapshot, Ticket, WithdrawError, Withdrawn, WorkspacePath,
    checkpoints::Checkpoints, io, keeper::Keeper,
};

/// How long a record may be lost to a power cut.
const SYNC: Duration = Duration::from_secs(1);

/// The side of the house that faces the user: an editor, a terminal, a test. Gets the effects that
/// are the user's (edits, saves, reviews, asks, log lines), in order, on the executor's task. It
/// must not block: long things go into tasks of their own and come back as events.
pub trait Front: Send + Sync + 'static {
    /// Performs one effect.
    fn perform(&self, effect: Effect, workspace: &Arc<Workspace>);
}

/// A session with its executor. Ends when the last handle is dropped.
pub struct Workspace {
    /// Held for the time of one event or look, never across an await.
    session: Mutex<Session>,
    effects: mpsc::UnboundedSender<Effect>,
    waiting: Mutex<Waiting>,
    /// Held for the time of one record.
    pub(crate) keeper: Mutex<Keeper>,
    /// Held for the time of one text.
    pub(crate) checkpoints: Mutex<Checkpoints>,
    /// Held for a look.
    pub(crate) audit: Mutex<Option<Arc<Log>>>,
    pub(crate) is_unaudited: AtomicBool,
    syncs: AtomicBool,
    /// Where grants are saved, once that is known.
    grants: OnceLock<GrantStore>,
    roots: Vec<PathBuf>,
    home: Option<PathBuf>,
}

#[derive(Default)]
struct Waiting {
    last: u64,
    replies: HashMap<Ticket, oneshot::Sender<Reply>>,
}

/// What the agent is told with its next request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decisions {
    /// One line (or a line and a diff) a hunk, oldest first.
    pub lines: Vec<String>,
    /// Hunks of the thread that still wait.
    pub pending: usize,
}

/// Files whose text on disk is not what a thread sees.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unseen {
    /// With pending proposals of the thread.
    pub pending: Vec<String>,
    /// With the user's unsaved text.
    pub unsaved: Vec<String>,
}

impl Workspace {
    /// Starts a session; must be called inside a tokio runtime, which gets the executor's task.
    pub fn start(mut config: Config, front: Arc<dyn Front>) -> Arc<Workspace> {
        let ignores_case = config.roots.iter().any(|root| io::ignores_case(root));
        config.policy = config.policy.ignoring_case(ignores_case);
        let (effects, queue) = mpsc::unbounded_channel();
        let (roots, home) = (config.roots.clone(), config.home.clone());
        let workspace = Arc::new(Workspace {
            session: Mutex::new(Session::new(config)),
            effects,
            waiting: Mutex::default(),
            keeper: Mutex::default(),
            checkpoints: Mutex::default(),
            audit: Mutex::default(),
            is_unaudited: AtomicBool::default(),
            syncs: AtomicBool::new(false),
            grants: OnceLock::new(),
            roots,
            home,
        });
        tokio::spawn(execute(queue, front, Arc::downgrade(&workspace)));
        workspace
    }

    /// Takes an event. Never blocks and never awaits; events count in the order of these calls.
    pub fn post(&self, event: Event) {
        let mut session = lock(&self.session);
        // Sent inside the lock, so that effects keep the order of their events.
        for effect in session.handle(event) {
            let _ = self.effects.send(effect);
        }
    }

    /// A look at the session.
    pub fn query<T>(&self, look: impl FnOnce(&Session) -> T) -> T {
        look(&lock(&self.session))
    }

    /// Where grants are saved from now on. Only the first word counts; before it none can be saved.
    pub fn save_grants_in(&self, store: GrantStore) {
        let _ = self.grants.set(store);
    }

    /// Where grants are saved.
    pub fn grants(&self) -> Option<&GrantStore> {
        self.grants.get()
    }

    /// Tells the user, outside of any call.
    pub fn tell(&self, level: LogLevel, text: String) {
        let _ = self.effects.send(Effect::Tell(level, text));
    }

    /// The workspace's folders, canonical.
    pub fn roots(&self) -> Vec<PathBuf> {
        self.roots.clone()
    }

    /// The user's home.
    pub fn home(&self) -> Option<PathBuf> {
        self.home.clone()
    }

    /// The file that a model or a client names; a relative name starts at `cwd`.
    pub fn path(&self, written: &str, cwd: &Path) -> Result<WorkspacePath, PathError> {
        WorkspacePath::resolve(written, cwd, self.home.as_deref())
    }

    /// The same where the name is meant and not what it leads to: a symbolic link is itself.
    pub fn entry(&self, written: &str, cwd: &Path) -> Result<WorkspacePath, PathError> {
        WorkspacePath::resolve_entry(written, cwd, self.home.as_deref())
    }

    /// A file as a thread sees it: unsaved text and the thread's proposals included. A file that
    /// does not exist is no error.
    pub fn read(&self, file: &WorkspacePath, thread: &ThreadId) -> Result<Snapshot, ReadError> {
        if self.query(|session| session.uri_of(file).is_none()) {
            let known = self.known(file);
            let disk = self.disk_now(file)?;
            if self.query(|session| session.held_files().any(|held| held == file)) {
                self.post(Event::DiskChanged { file: file.clone(), known, disk });
            } else {
                return Ok(Snapshot::of_disk(file.clone(), disk));
            }
        }
        let held = self.query(|session| session.snapshot(file, thread));
        let is_text = |it: &Snapshot| !it.exists || it.disk.as_ref().is_none_or(DiskText::is_text);
        match held.filter(is_text) {
            Some(snapshot) => Ok(snapshot),
            // Closed between two looks: the disk counts again. Or it is held, but no text.
            None => Ok(Snapshot::of_disk(file.clone(), io::read(file)?)),
        }
    }

    /// A file as a thread sees it, to be deleted: it may be anything, a link (and then not what it
    /// leads to) among them.
    pub fn read_any(&self, file: &WorkspacePath, thread: &ThreadId) -> Result<Snapshot, ReadError> {
        let known = self.known(file);
        let disk = io::read_any(file)?;
        self.post(Event::DiskChanged { file: file.clone(), known, disk: disk.clone() });
        let held = self.query(|session| session.snapshot(file, thread));
        Ok(held.unwrap_or_else(|| Snapshot::of_disk(file.clone(), disk)))
    }

    /// Proposes a change. `Err(Stale)`: read again, locate again, at most once.
    pub async fn propose(&self, proposal: Proposal) -> Result<Proposed, ProposeError> {
        let proposal = Box::new(proposal);
        match self.call(|ticket| Event::Propose { ticket, proposal }).await {
            Some(Reply::Proposed(result)) => result,
            _ => Err(ProposeError::Failed("it: the session has ended".to_owned())),
        }
    }

    /// Takes back a thread's last op on a file. What the editor has of it comes back as an inverse, to
    /// be proposed.
    pub async fn withdraw(
        &self,
        file: &WorkspacePath,
        thread: &ThreadId,
    ) -> Result<Withdrawn, WithdrawError> {
        let (file, thread) = (file.clone(), thread.clone());
        match self.call(|ticket| Event::Withdraw { ticket, file, thread }).await {
            Some(Reply::Withdrawn(result)) => result.map(|withdrawn| *withdrawn),
            _ => Err(WithdrawError::Nothing),
        }
    }

    /// Decides hunks; ends when the editor or the disk has confirmed.
    pub async fn resolve(&self, request: ResolveRequest) -> Result<Resolved, ResolveError> {
        match self.call(|ticket| Event::Resolve { ticket, request }).await {
            Some(Reply::Resolved(result)) => result,
            _ => Ok(Resolved::default()),
        }
    }

    /// Asks the user; ends with the answer or when the ask is withdrawn.
    pub async fn ask(&self, ask: Ask) -> AskOutcome {
        let ask = Box::new(ask);
        match self.call(|ticket| Event::Ask { ticket, ask }).await {
            Some(Reply::Ask(outcome)) => outcome,
            _ => AskOutcome::Withdrawn("the session has ended".to_owned()),
        }
    }

    /// What the user decided since the thread was last told.
    pub async fn take_decisions(&self, thread: &ThreadId) -> Decisions {
        let thread = thread.clone();
        match self.call(|ticket| Event::TakeDecisions { ticket, thread }).await {
            Some(Reply::Decisions { lines, pending }) => Decisions { lines, pending },
            _ => Decisions::default(),
        }
    }

    /// Ends when all that was to be performed so far has been: for a process that is about to end.
    pub async fn settled(&self) {
        // Any question will do: its answer is in line behind the rest.
        self.take_decisions(&ThreadId::from("")).await;
    }

    /// After anything that may have written files behind the session's back: reads those it holds
    /// again. Of an open one only the knowledge of the disk changes.
    pub fn rescan(&self) {
        let held: Vec<WorkspacePath> =
            self.query(|session| session.held_files().cloned().collect());
        held.into_iter().for_each(|file| self.look_at_disk(file));
    }

    fn look_at_disk(&self, file: WorkspacePath) {
        let known = self.known(&file);
        // Unreadable now: nothing is known, nothing is changed.
        if let Ok(disk) = self.disk_now(&file) {
            self.post(Event::DiskChanged { file, known, disk });
        }
    }

    fn known(&self, file: &WorkspacePath) -> Option<u64> {
        self.query(|session| session.known_disk(file).map(|disk| disk.hash))
    }

    /// The disk's text. What can't be read now (an editor's backup is being renamed, the file is no
    /// text) is what it was.
    fn disk_of(&self, file: &WorkspacePath) -> Option<DiskText> {
        let known = || self.query(|session| session.known_disk(file).cloned());
        self.disk_now(file).unwrap_or_else(|_| known())
    }

    /// The disk's text, or its bytes where the session holds those.
    fn disk_now(&self, file: &WorkspacePath) -> Result<Option<DiskText>, ReadError> {
        match self.query(|session| session.holds_text(file)) {
            true => io::read(file),
            false => io::read_any(file),
        }
    }

    /// Open files whose text is not on disk. Looks at the disk, like `unseen`.
    pub fn unsaved(&self) -> Vec<WorkspacePath> {
        for file in self.query(Session::unsaved) {
            self.look_at_disk(file);
        }
        self.query(Session::unsaved)
    }

    /// Files whose text on disk is not what the thread sees. Looks at the disk: another program may
    /// have written what an editor has loaded since.
    pub fn unseen(&self, thread: &ThreadId) -> Unseen {
        self.unsaved();
        let (pending, unsaved) = self.query(|session| session.unseen(thread));
        Unseen { pending, unsaved }
    }

    /// didOpen of a document; `file` is what its URI names.
    pub fn opened(&self, file: WorkspacePath, uri: String, version: i32, text: String) {
        let disk = self.disk_of(&file);
        self.post(Event::Opened { file, uri, version, text, disk });
    }

    /// didChange of a document. If it may have been loaded anew, the disk is looked at first: it tells
    /// a reload from typing.
    pub fn changed(&self, uri: String, version: i32, changes: Vec<ContentChange>) {
        if let Some(file) = self.query(|session| session.may_reload(&uri)) {
            self.look_at_disk(file);
        }
        self.post(Event::Changed { uri, version, changes });
    }

    /// didClose of a document.
    pub fn closed(&self, uri: String) {
        let file = self.query(|session| session.file_of(&uri));
        let disk = file.and_then(|file| self.disk_of(&file));
        self.post(Event::Closed { uri, disk });
    }

    /// For the log.
    pub(crate) fn log(&self, level: LogLevel, line: String) {
        let _ = self.effects.send(Effect::Log(level, line));
    }

    /// The end of the process takes nothing of what was written; for the end of the power it has to be
    /// on the disk, a second later.
    fn sync_soon(self: &Arc<Self>) {
        if !self.keeper().is_unsynced() || self.syncs.swap(true, Ordering::Relaxed) {
            return;
        }
        let workspace = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(SYNC).await;
            let sync = move || {
                let Some(workspace) = workspace.upgrade() else { return };
                workspace.syncs.store(false, Ordering::Relaxed);
                if let Err(error) = workspace.keeper().sync() {
                    workspace.log(LogLevel::Error, format!("the journal: {error}"));
                }
            };
            // Lost only with the runtime, that is, with the process.
            let _ = tokio::task::spawn_blocking(sync).await;
        });
    }

    fn post_later(self: &Arc<Self>, millis: u64, event: Event) {
        let workspace = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(millis)).await;
            if let Some(workspace) = workspace.upgrade() {
                workspace.post(event);
            }
        });
    }

    pub(crate) async fn call(&self, event: impl FnOnce(Ticket) -> Event) -> Option<Reply> {
        let (sender, receiver) = oneshot::channel();
        let ticket = {
            let mut waiting = lock(&self.waiting);
            waiting.last += 1;
            let ticket = Ticket(waiting.last);
            waiting.replies.insert(ticket, sender);
            ticket
        };
        self.post(event(ticket));
        receiver.await.ok()
    }

    fn answer(&self, ticket: Ticket, reply: Reply) {
        if let Some(sender) = lock(&self.waiting).replies.remove(&ticket) {
            // Whoever asked may have gone.
            let _ = sender.send(reply);
        }
    }
}

impl Session {
    /// A held file as a thread sees it.
    pub fn snapshot(&self, file: &WorkspacePath, thread: &ThreadId) -> Option<Snapshot> {
        let agent = Projection::Agent(thread.clone());
        self.snapshot_in(file, &agent)
    }
}

async fn execute(
    mut queue: mpsc::UnboundedReceiver<Effect>,
    front: Arc<dyn Front>,
    workspace: Weak<Workspace>,
) {
    while let Some(effect) = queue.recv().await {
        let Some(workspace) = workspace.upgrade() else { return };
        match effect {
            Effect::Reply { ticket, reply } => workspace.answer(ticket, reply),
            Effect::StartTimer { edit, millis } => {
                workspace.post_later(millis, Event::EditExpired { edit });
            }
            Effect::ReviewsLater { millis } => workspace.post_later(millis, Event::ReviewsDue),
            Effect::Journal { file, entry } => {
                if let Some((level, text)) = workspace.write_down(&file, entry) {
                    front.perform(Effect::Log(level, text), &workspace);
                }
                workspace.sync_soon();
            }
            Effect::Checkpoint(mark) => {
                let file = mark.file.clone();
                if let Err(error) = lock(&workspace.checkpoints).keep(*mark) {
                    let text = format!("{file}: no checkpoint of this change: {error}");
                    front.perform(Effect::Log(LogLevel::Error, text), &workspace);
                }
            }
            Effect::Decided(record) => workspace.audit(Record::Decision(*record)).await,
            Effect::SaveGrants { rules, folder } => {
                let result = save(workspace.grants().cloned(), rules.clone(), folder).await;
                workspace.post(Event::GrantsSaved { rules, result });
            }
            Effect::WriteFile { write, request } => {
                let result = tokio::task::spawn_blocking(move || io::write(&request)).await;
                let lost =
                    |error| Err(crate::WriteError::Io(format!("the write was lost: {error}")));
                workspace.post(Event::Written { write, result: result.unwrap_or_else(lost) });
            }
            effect => front.perform(effect, &workspace),
        }
    }
}

/// Before the call that was answered goes on: whoever sees it run can rely on the grant.
async fn save(
    store: Option<GrantStore>,
    rules: Vec<Rule>,
    folder: Option<PathBuf>,
) -> Result<Vec<SourcedRule>, String> {
    let Some(store) = store else {
        return Err("there is no folder to save it in (REDLINE_CONFIG_DIR names one)".to_owned());
    };
    let work = move || store.save(&rules, folder.as_deref()).map_err(|error| error.to_string());
    let lost = |error| Err(format!("the write was lost: {error}"));
    tokio::task::spawn_blocking(work).await.unwrap_or_else(lost)
}

/// A panic inside the lock leaves a session that the next event can still use: every event is
/// applied by whole values.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
