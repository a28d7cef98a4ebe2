//! Everything that a tool knows.

use std::{
    collections::HashSet,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use redline_layers::ThreadId;
use redline_text::{PositionRange, Text};
use redline_workspace::{
    Ask, AskOutcome, Change, Origin, PathError, Proposal, ProposeError, ProposeMode, Proposed,
    ReadError, Snapshot, Workspace, WorkspacePath,
};
use tokio::sync::watch;

use crate::{
    Agents, Answer, Cancel, Dialect, Formatted, Host, HostError, Mode, Question, ToolResult,
    ToolSettings,
    bound::{Bound, How},
    bundle::{self, LocateError, Located},
    clock::Clock,
    memory::Memory,
    reads::Reads,
    state::States,
};

/// On whose behalf calls run.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The thread whose proposals the tools see.
    pub thread: ThreadId,
    /// The agent's display name: shown with each hunk.
    pub agent: String,
    /// Main thread or subagent: rules may differ.
    pub context: redline_permissions::Context,
    /// Where relative paths and commands start.
    pub cwd: PathBuf,
    /// The family of tools that the model was offered.
    pub dialect: Dialect,
    /// Ends running calls; later ones are not started.
    pub cancel: Cancel,
    /// Which tools there are; `None`: all.
    pub mode: Option<Arc<Mode>>,
    /// A subagent's own conversation; `None`: the thread's. A subagent works in the thread that sent
    /// it: it sees and makes that thread's proposals.
    pub subagent: Option<ThreadId>,
}

impl Scope {
    /// Whose words the calls are: what a model knows, it knows by conversation. Proposals are the
    /// thread's.
    pub fn conversation(&self) -> &ThreadId {
        self.subagent.as_ref().unwrap_or(&self.thread)
    }
}

/// What the dispatch hands to a tool: the workspace as the call's thread sees it, and the user's
/// side.
#[derive(Clone)]
pub struct ToolContext {
    /// The workspace. Tools read and propose through the methods below, which know the thread.
    pub workspace: Arc<Workspace>,
    /// On whose behalf.
    pub scope: Scope,
    /// The tool's canonical name.
    pub tool: String,
    /// The call's id.
    pub call: String,
    /// What the permission made of proposals: pending, or applied at once.
    pub mode: ProposeMode,
    /// A rule of the user's names the file literally: the tools' own guards let it pass.
    pub unguarded: bool,
    /// What the user configured, as it was when the call began.
    pub settings: Arc<ToolSettings>,
    pub(crate) bound: Arc<Bound>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) clock: Arc<Clock>,
    pub(crate) progress: watch::Sender<Option<String>>,
    pub(crate) told: Arc<Told>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) states: Arc<States>,
    pub(crate) agents: Option<Arc<dyn Agents>>,
}

impl ToolContext {
    /// The file that a model's words name: `~` and relative paths are resolved.
    ///
    /// # Errors
    /// See `PathError`; [`PathError::Moved`] if it leads elsewhere than when the call was permitted.
    pub fn path(&self, written: &str) -> Result<WorkspacePath, PathError> {
        let found = self.workspace.path(written, &self.scope.cwd)?;
        self.bound.agrees(written, &self.scope.cwd, How::Path, &found)?;
        Ok(found)
    }

    /// The same where the name is meant and not what it leads to: a symbolic link is itself.
    ///
    /// # Errors
    /// See `PathError`.
    pub fn entry(&self, written: &str) -> Result<WorkspacePath, PathError> {
        let found = self.workspace.entry(written, &self.scope.cwd)?;
        self.bound.agrees(written, &self.scope.cwd, How::Entry, &found)?;
        Ok(found)
    }

    /// Whether all that the call names, writes by redirection and runs in is where it was when the
    /// call was permitted: to be asked right before something starts that looks at names itself.
    ///
    /// # Errors
    /// The result of a call whose names lead elsewhere now.
    pub(crate) async fn unmoved(&self) -> Result<(), ToolResult> {
        let look =
            |context: &ToolContext| context.bound.holds(&context.workspace, &context.settings);
        self.blocking(look).await.map_err(|error| ToolResult::error(error.to_string()))
    }

    /// A file with unsaved text and this thread's proposals. Looks at the disk: call it where
    /// blocking is allowed (`blocking`).
    ///
    /// # Errors
    /// See `ReadError`; a file that does not exist is none.
    pub fn read(&self, file: &WorkspacePath) -> Result<Snapshot, ReadError> {
        self.workspace.read(file, &self.scope.thread)
    }

    /// Proposes a change, in the mode that the permission gave.
    ///
    /// # Errors
    /// See `ProposeError`.
    pub async fn propose(
        &self,
        snapshot: Snapshot,
        change: Change,
    ) -> Result<Proposed, ProposeError> {
        let file = snapshot.file.clone();
        let deletes = matches!(change, Change::Delete);
        let knew = matches!(change, Change::Write(_)) || self.is_read(&snapshot);
        let seen = snapshot.text.clone();
        let origin = Origin {
            thread: self.scope.thread.clone(),
            agent: self.scope.agent.clone(),
            tool: self.tool.clone(),
            call: self.call.clone(),
        };
        let proposal = Proposal { snapshot, change, origin, mode: self.mode };
        let proposed = self.workspace.propose(proposal).await?;
        // What a thread wrote itself it has read, unless the user typed beside it meanwhile.
        if knew && !deletes && proposed.before == seen {
            self.has_read(&file, &proposed.after);
        }
        Ok(proposed)
    }

    /// The file that a model's words name, `@bundle:path` where its family has that.
    pub(crate) fn locate(&self, family: Dialect, written: &str) -> Result<Located, LocateError> {
        let cwd = &self.scope.cwd;
        let found = bundle::locate(&self.workspace, &self.settings, Some(family), written, cwd)?;
        let how = if found.in_bundle { How::Bundle } else { How::Path };
        self.bound.agrees(written, cwd, how, &found.file)?;
        Ok(found)
    }

    /// The thread has seen this text of the file: tools that want it read first let it pass.
    pub(crate) fn has_read(&self, file: &WorkspacePath, text: &Text) {
        self.saw(file);
        self.state::<Reads>().saw(self.scope.conversation(), file, text);
    }

    /// Whether a file must have been read before it is changed: by the tool's own family, or because
    /// the model was told so (seed 003, "Must read file before editing").
    pub(crate) fn reads_first(&self, family: Dialect) -> bool {
        family == Dialect::Amplifier || self.scope.dialect == Dialect::Amplifier
    }

    /// Whether what the thread saw last of the file is what it holds now.
    pub(crate) fn is_read(&self, snapshot: &Snapshot) -> bool {
        let conversation = self.scope.conversation();
        self.state::<Reads>().knows(conversation, &snapshot.file, &snapshot.text)
    }

    /// Runs `work` where it may block. A panic in it is a panic of the caller.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ToolContext) -> T + Send + 'static,
    ) -> T {
        let context = self.clone();
        match tokio::task::spawn_blocking(move || work(&context)).await {
            Ok(value) => value,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // Only a runtime that shuts down cancels blocking work; nobody waits any more.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// Tells that the call is alive, and the newest end of its output. Starts its clock again.
    pub fn progress(&self, text: String) {
        self.clock.reset();
        self.progress.send_replace(Some(text));
    }

    /// Asks for a permission beyond the call's own. The call's clock stands still.
    pub async fn ask(&self, ask: Ask) -> AskOutcome {
        let _still = self.clock.pause();
        self.host.ask(ask).await
    }

    /// Asks the user. The call's clock stands still.
    ///
    /// # Errors
    /// If the host can't ask.
    pub async fn question(&self, them: Vec<Question>) -> Result<Option<Vec<Answer>>, HostError> {
        let _still = self.clock.pause();
        self.host.question(them).await
    }

    /// Shows a file to the user.
    ///
    /// # Errors
    /// If the host can't.
    pub async fn open(
        &self,
        file: &WorkspacePath,
        range: Option<PositionRange>,
        preview: bool,
    ) -> Result<(), HostError> {
        self.host.open(file, range, preview).await
    }

    /// Asks the editor how it would format a file that it has open.
    ///
    /// # Errors
    /// If the host can't.
    pub async fn format(&self, file: &WorkspacePath) -> Result<Formatted, HostError> {
        self.host.format(file).await
    }

    /// Has the editor save files.
    ///
    /// # Errors
    /// If the host can't.
    pub async fn save(&self, files: Vec<WorkspacePath>) -> Result<Vec<WorkspacePath>, HostError> {
        self.host.save(files).await
    }

    /// The thread has seen the text of this file: where it looks for a text elsewhere, it is told.
    pub fn saw(&self, file: &WorkspacePath) {
        self.memory.saw(&self.scope.thread, file);
    }

    /// What the tools of this workspace keep from call to call in a type of their own.
    pub(crate) fn state<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        self.states.of()
    }

    /// Of these files, the ones that the conversation has not been told of; from now on it has been.
    pub fn first_told(&self, files: Vec<PathBuf>) -> Vec<PathBuf> {
        self.told.first(self.scope.conversation(), files)
    }
}

/// Guidance files that threads know of.
#[derive(Debug, Default)]
pub(crate) struct Told(Mutex<HashSet<(ThreadId, PathBuf)>>);

impl Told {
    fn first(&self, thread: &ThreadId, mut files: Vec<PathBuf>) -> Vec<PathBuf> {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.retain(|file| told.insert((thread.clone(), file.clone())));
        files
    }
}
