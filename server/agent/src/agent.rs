//! The agent: all threads of a process.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hasher, RandomState},
    panic::AssertUnwindSafe,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures::FutureExt;
use redline_layers::ThreadId;
use redline_permissions::Context;
use redline_tools::{Cancel, Dialect, Scope, ToolCall, ToolResult, Tools};
use redline_workspace::{Event, Workspace};
use serde_json::Value;
use tokio::sync::{oneshot, watch};

use crate::{
    AgentSettings, Prompt, Sink, ThreadEventKind, ThreadSummary, TurnEndReason,
    event::{Emitter, Voice},
    house::{Floors, House},
    provider::{self, Provider, SettingsError},
    talk::Talk,
    thread::{Direct, Running, Thread, Threads},
    turn::Turn,
};

/// How long `shutdown` waits for what it cancelled.
const PATIENCE: Duration = Duration::from_secs(3);

/// Runs turns and direct calls; see the crate's documentation.
pub struct Agent {
    pub(crate) house: Arc<dyn House>,
    pub(crate) emitter: Arc<Emitter>,
    pub(crate) threads: Arc<Threads>,
    configured: Mutex<Configured>,
    counter: AtomicU64,
    /// Turns and direct calls that run.
    running: watch::Sender<usize>,
}

struct Configured {
    settings: AgentSettings,
    /// Kept from turn to turn: a script goes on where it was.
    provider: Option<Arc<dyn Provider>>,
    closed: bool,
}

/// Why a prompt was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// There is nothing in it.
    #[error("the prompt is empty; say what the agent should do")]
    Empty,
    /// Nobody talks to a subagent.
    #[error(
        "{0} is a subagent's conversation, which takes no prompts; prompt the thread that sent it"
    )]
    Subagent(ThreadId),
    /// The settings name no model.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// `shutdown` was called.
    #[error("the agent is shutting down")]
    ShuttingDown,
}

/// While it lives, the turn that a prompt started does not begin.
#[must_use = "the turn begins when this is dropped"]
pub struct Hold(#[allow(dead_code, reason = "dropping it is its use")] Option<oneshot::Sender<()>>);

impl Agent {
    /// An agent without threads, which from now on runs the subagents of these tools. Must be called
    /// inside a tokio runtime.
    pub fn new(
        tools: Arc<Tools>,
        workspace: Arc<Workspace>,
        sink: Sink,
        settings: AgentSettings,
    ) -> Arc<Self> {
        let floors = Floors { tools: tools.clone(), workspace };
        let agent = Self::in_house(Arc::new(floors), sink, settings);
        let weak = Arc::downgrade(&agent);
        tools.connect(weak);
        agent
    }

    pub(crate) fn in_house(
        house: Arc<dyn House>,
        sink: Sink,
        settings: AgentSettings,
    ) -> Arc<Self> {
        Arc::new(Self {
            house,
            emitter: Arc::new(Emitter::new(sink)),
            threads: Arc::default(),
            configured: Mutex::new(Configured { settings, provider: None, closed: false }),
            counter: AtomicU64::new(1),
            running: watch::Sender::new(0),
        })
    }

    /// New settings, for turns that begin from now on.
    pub fn configure(&self, settings: AgentSettings) {
        let mut configured = self.configured();
        let same = (&configured.settings.provider, &configured.settings.script)
            == (&settings.provider, &settings.script);
        if !same {
            configured.provider = None;
        }
        configured.settings = settings;
    }

    /// The settings in force.
    pub fn settings(&self) -> AgentSettings {
        self.configured().settings.clone()
    }

    /// Takes a prompt: into the turn that runs in its thread, else as a new turn in a task of its
    /// own. Returns at once with the thread and the turn.
    pub fn prompt(self: &Arc<Self>, prompt: Prompt) -> Result<(ThreadId, String), PromptError> {
        self.prompt_held(prompt).map(|(thread, turn, _)| (thread, turn))
    }

    /// As `prompt`, but a turn that it starts waits until the hold is dropped: so that its caller
    /// can tell the turn's name before the turn tells anything.
    pub fn prompt_held(
        self: &Arc<Self>,
        prompt: Prompt,
    ) -> Result<(ThreadId, String, Hold), PromptError> {
        if prompt.text.trim().is_empty() {
            return Err(PromptError::Empty);
        }
        let provider = self.provider()?;
        let id = prompt.thread.clone().unwrap_or_else(new_thread_id);
        let mut threads = self.threads.lock();
        let thread = threads.get_or_start(&id, &prompt.text);
        if thread.errand.is_some() {
            return Err(PromptError::Subagent(id));
        }
        if thread.messages().is_empty() && thread.queue.is_empty() {
            thread.retitle(&prompt.text);
        }
        thread.model = prompt.model.clone().or(thread.model.take());
        thread.queue.push(prompt);
        let (turn, hold) = match &thread.turn {
            Some(running) => (running.id.clone(), Hold(None)),
            None => self.start_turn(&id, thread, provider),
        };
        Ok((id, turn, hold))
    }

    /// Stops the turn and the direct calls of a thread; false if nothing runs there.
    pub fn cancel(&self, thread: &ThreadId) -> bool {
        let cancelled = self.threads.with(thread, cancel_all).unwrap_or(false);
        if cancelled {
            self.withdraw(thread, None);
        }
        cancelled
    }

    /// Whether that turn of the thread still runs. False: its `TurnEnd` has been emitted.
    pub fn is_running(&self, thread: &ThreadId, turn: &str) -> bool {
        let same = |thread: &mut Thread| thread.turn.as_ref().is_some_and(|t| t.id == turn);
        self.threads.with(thread, same).unwrap_or(false)
    }

    /// All threads but the conversations of subagents, the one born last first.
    pub fn threads(&self) -> Vec<ThreadSummary> {
        let pending: HashMap<ThreadId, usize> = {
            let names: Vec<ThreadId> =
                self.threads.lock().iter().map(|(id, _)| id.clone()).collect();
            names.into_iter().map(|id| (id.clone(), self.house.pending(&id))).collect()
        };
        let threads = self.threads.lock();
        let waiting = |id| pending.get(id).copied().unwrap_or_default();
        let prompted = threads.iter().rev().filter(|(_, thread)| thread.errand.is_none());
        prompted.map(|(id, thread)| thread.summary(id, waiting(id))).collect()
    }

    /// A thread's messages, exactly as sent to the provider; `None`: no such thread.
    pub fn messages(&self, thread: &ThreadId) -> Option<Vec<Value>> {
        let messages = self.threads.with(thread, |thread| thread.messages().to_vec())?;
        Some(messages.iter().filter_map(|m| serde_json::to_value(m).ok()).collect())
    }

    /// Runs one call outside any conversation: in the thread `direct`, or in the one named, which
    /// is started if it is not there. Dropping the future cancels the call.
    pub async fn tool(
        self: &Arc<Self>,
        thread: Option<ThreadId>,
        mut call: ToolCall,
        context: Context,
        dialect: Dialect,
    ) -> ToolResult {
        let thread = thread.unwrap_or_else(|| ThreadId::from(crate::DIRECT_THREAD));
        let number = self.count();
        if call.id.is_empty() {
            call.id = format!("call-{number}");
        }
        let scope = self.scope(&thread, context, dialect);
        let stop =
            CancelOnDrop { agent: self.clone(), scope: scope.clone(), call: call.id.clone() };
        let turn = self.start_direct(&thread, number, &scope.cancel);
        // In a task of its own: a caller that goes away must not tear the call in two.
        let agent = self.clone();
        let run = tokio::spawn(async move {
            let work = AssertUnwindSafe(agent.run_direct(&scope, &turn, call));
            let result = work.catch_unwind().await.unwrap_or_else(|_| broken());
            agent.end_direct(&scope.thread, number);
            result
        });
        let result = run.await.unwrap_or_else(|_| broken());
        stop.defuse();
        result
    }

    /// Takes no more prompts, cancels everything and waits (three seconds at most) for its end.
    pub async fn shutdown(&self) {
        self.configured().closed = true;
        let running: Vec<ThreadId> = self
            .threads
            .lock()
            .iter()
            .filter(|(_, t)| t.is_running())
            .map(|(id, _)| id.clone())
            .collect();
        for thread in &running {
            self.cancel(thread);
        }
        let mut count = self.running.subscribe();
        let _ = tokio::time::timeout(PATIENCE, count.wait_for(|count| *count == 0)).await;
    }

    fn start_turn(
        self: &Arc<Self>,
        id: &ThreadId,
        thread: &mut Thread,
        provider: Arc<dyn Provider>,
    ) -> (String, Hold) {
        let settings = self.settings();
        let scope = self.scope(id, Context::Thread, settings.dialect);
        let turn = format!("turn-{}", self.count());
        thread.turn = Some(Running { id: turn.clone(), cancel: scope.cancel.clone() });
        self.house.post(Event::TurnStarted { thread: id.clone() });
        let running = Turn(Talk {
            house: self.house.clone(),
            provider,
            emitter: self.emitter.clone(),
            threads: self.threads.clone(),
            model: thread.model.clone().or(settings.model),
            instructions: None,
            scope,
            voice: Voice::main(id, &turn),
        });
        let alive = self.alive();
        let (hold, held) = oneshot::channel();
        tokio::spawn(async move {
            // Ends with an error when the hold is dropped: there is no other end.
            let _ = held.await;
            running.run().await;
            drop(alive);
        });
        (turn, Hold(Some(hold)))
    }

    /// Counts a call in; the id of the turn that it belongs to.
    fn start_direct(&self, id: &ThreadId, number: u64, cancel: &Cancel) -> String {
        let mut threads = self.threads.lock();
        let thread = threads.get_or_start(id, "direct calls");
        let begins = !thread.is_running();
        let turn = thread.turn.as_ref().map(|turn| turn.id.clone());
        let direct = thread.direct.get_or_insert_with(|| Direct {
            turn: format!("turn-{number}"),
            calls: HashMap::new(),
        });
        direct.calls.insert(number, cancel.clone());
        let turn = turn.unwrap_or_else(|| direct.turn.clone());
        if begins {
            self.house.post(Event::TurnStarted { thread: id.clone() });
        }
        turn
    }

    async fn run_direct(&self, scope: &Scope, turn: &str, call: ToolCall) -> ToolResult {
        let _alive = self.alive();
        let voice = Voice::main(&scope.thread, turn);
        let on_event = |event| {
            self.emitter.emit(&voice, ThreadEventKind::ToolCall(Box::new(event)));
        };
        let results = self.house.run(scope, vec![call], &on_event).await;
        results.into_iter().next().unwrap_or(ToolResult::Cancelled)
    }

    /// Counts a call out; the last one ends the calls' turn.
    fn end_direct(&self, id: &ThreadId, number: u64) {
        let pending = self.house.pending(id);
        let mut threads = self.threads.lock();
        let Some(thread) = threads.get(id) else { return };
        thread.touch();
        let Some(direct) = &mut thread.direct else { return };
        direct.calls.remove(&number);
        if !direct.calls.is_empty() {
            return;
        }
        let turn = direct.turn.clone();
        thread.direct = None;
        if thread.turn.is_some() {
            return;
        }
        self.house.post(Event::TurnEnded { thread: id.clone() });
        let reason = if pending == 0 { TurnEndReason::Done } else { TurnEndReason::AwaitingReview };
        let voice = Voice::main(id, &turn);
        self.emitter.emit(&voice, ThreadEventKind::TurnEnd { reason, message: None });
    }

    fn withdraw(&self, thread: &ThreadId, call: Option<String>) {
        let reason = "the call was cancelled".to_owned();
        self.house.post(Event::WithdrawAsks { thread: thread.clone(), call, reason });
    }

    fn scope(&self, thread: &ThreadId, context: Context, dialect: Dialect) -> Scope {
        let settings = self.settings();
        let name = settings.model.as_deref().or(settings.provider_name());
        Scope {
            thread: thread.clone(),
            agent: name.unwrap_or("agent").to_owned(),
            context,
            cwd: self.house.folder(),
            dialect,
            cancel: Cancel::default(),
            mode: None,
            subagent: None,
        }
    }

    /// The provider in force, the same one until the settings change.
    pub(crate) fn provider(&self) -> Result<Arc<dyn Provider>, PromptError> {
        let folder = self.house.folder();
        let mut configured = self.configured();
        if configured.closed {
            return Err(PromptError::ShuttingDown);
        }
        if let Some(provider) = &configured.provider {
            return Ok(provider.clone());
        }
        let provider = provider::from_settings(&configured.settings, &folder)?;
        configured.provider = Some(provider.clone());
        Ok(provider)
    }

    fn configured(&self) -> MutexGuard<'_, Configured> {
        self.configured.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    fn alive(&self) -> Alive {
        self.running.send_modify(|count| *count += 1);
        Alive(self.running.clone())
    }
}

fn cancel_all(thread: &mut Thread) -> bool {
    let direct = thread.direct.iter().flat_map(|direct| direct.calls.values());
    let all: Vec<&Cancel> = thread.turn.iter().map(|turn| &turn.cancel).chain(direct).collect();
    all.iter().for_each(|cancel| cancel.cancel());
    !all.is_empty()
}

fn broken() -> ToolResult {
    ToolResult::error("internal error: the tool was stopped; see the log")
}

/// Counts as running until dropped.
struct Alive(watch::Sender<usize>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

/// Cancels a direct call whose caller went away.
struct CancelOnDrop {
    agent: Arc<Agent>,
    scope: Scope,
    call: String,
}

impl CancelOnDrop {
    fn defuse(mut self) {
        self.call.clear();
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if !self.call.is_empty() {
            self.scope.cancel.cancel();
            self.agent.withdraw(&self.scope.thread, Some(std::mem::take(&mut self.call)));
        }
    }
}

/// `T-` and 128 random bits: unique among all threads of a user, as files will need it.
pub(crate) fn new_thread_id() -> ThreadId {
    let random = || RandomState::new().build_hasher().finish();
    ThreadId::from(format!("T-{:016x}{:016x}", random(), random()).as_str())
}
