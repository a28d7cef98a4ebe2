//! Commands that run on after their call has returned.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::{Duration, Instant},
};

use redline_layers::ThreadId;
use redline_workspace::Workspace;
use serde_json::{Value, json};
use tokio::{sync::watch, time::sleep};

use super::printed::{Ending, Newest};
use crate::{
    Cancel, ToolContext,
    tools::running::{Ended, Exit, Job, Running, Sink, Stream, Streams, start},
};

/// Tasks of a thread that may run at once.
pub(super) const MOST_RUNNING: usize = 16;
/// Ended tasks of a workspace whose output is kept.
pub(super) const MOST_ENDED: usize = 32;

/// What is to be run.
#[derive(Debug)]
pub(super) struct Order {
    pub command: String,
    pub cwd: PathBuf,
    pub env: Vec<(String, String)>,
}

/// The background tasks of a workspace. They end with it.
#[derive(Debug, Default)]
pub(super) struct Tasks(Mutex<List>);

#[derive(Debug, Default)]
struct List {
    last: u64,
    /// Oldest first.
    tasks: Vec<Arc<Task>>,
}

/// One task.
#[derive(Debug)]
pub(super) struct Task {
    pub id: String,
    pub process: u32,
    thread: ThreadId,
    order: Order,
    started: Instant,
    stop: Cancel,
    state: watch::Sender<State>,
    printed: Mutex<Newest>,
}

/// Where a task is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Running,
    Ended { how: How, after: Duration, left: Option<String> },
}

/// How a task ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum How {
    Exited(i32),
    Killed,
    TimedOut,
    Lost(String),
}

/// Why a task was not started.
#[derive(Debug, thiserror::Error)]
pub(super) enum StartError {
    /// See `MOST_RUNNING`.
    #[error("{MOST_RUNNING} background tasks run already ({0}); end one with bash_kill first")]
    TooMany(String),
    /// The operating system's.
    #[error("could not run the command: {0}")]
    Io(#[from] std::io::Error),
}

impl Tasks {
    /// Starts a task of the call's thread.
    pub fn start(
        &self,
        context: &ToolContext,
        order: Order,
        limit: Option<Duration>,
    ) -> Result<Arc<Task>, StartError> {
        let thread = context.scope.thread.clone();
        let running: Vec<_> = self.of(&thread).into_iter().filter(|it| it.is_running()).collect();
        if running.len() >= MOST_RUNNING {
            return Err(StartError::TooMany(names(&running)));
        }
        let (command, cwd) = (&order.command, &order.cwd);
        let job = Job { cmd: command, cwd, env: &order.env, streams: Streams::Apart };
        let process = start(&job)?;
        let task = self.add(thread, order, process.id().unwrap_or_default());
        let workspace = Arc::downgrade(&context.workspace);
        tokio::spawn(watched(task.clone(), process, limit, workspace));
        Ok(task)
    }

    fn add(&self, thread: ThreadId, order: Order, process: u32) -> Arc<Task> {
        let mut list = self.list();
        list.last += 1;
        let task = Arc::new(Task {
            id: format!("bash-{}", list.last),
            process,
            thread,
            order,
            started: Instant::now(),
            stop: Cancel::new(),
            state: watch::Sender::new(State::Running),
            printed: Mutex::default(),
        });
        list.tasks.push(task.clone());
        let ended = list.tasks.iter().filter(|task| !task.is_running()).count();
        let mut excess = ended.saturating_sub(MOST_ENDED);
        list.tasks.retain(|task| {
            let goes = excess > 0 && !task.is_running();
            excess -= usize::from(goes);
            !goes
        });
        task
    }

    /// The thread's tasks, oldest first.
    pub fn of(&self, thread: &ThreadId) -> Vec<Arc<Task>> {
        self.list().tasks.iter().filter(|task| task.thread == *thread).cloned().collect()
    }

    /// A task of the thread. `Err` says which there are.
    pub fn find(&self, thread: &ThreadId, id: &str) -> Result<Arc<Task>, String> {
        let mine = self.of(thread);
        if let Some(task) = mine.iter().find(|task| task.id == id) {
            return Ok(task.clone());
        }
        Err(match mine.is_empty() {
            true => format!(
                "There is no background task {id:?}: none was started here. Start one with bash and \
                 run_in_background."
            ),
            false => format!("There is no background task {id:?}. Tasks: {}.", names(&mine)),
        })
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watching futures end the processes; where the runtime itself goes, they are dropped and kill.
impl Drop for Tasks {
    fn drop(&mut self) {
        self.list().tasks.iter().for_each(|task| task.stop.cancel());
    }
}

fn names(tasks: &[Arc<Task>]) -> String {
    tasks.iter().map(|task| task.id.as_str()).collect::<Vec<_>>().join(", ")
}

impl Task {
    /// Ends it, and waits until it has ended.
    pub async fn kill(&self) {
        self.stop.cancel();
        let mut state = self.state.subscribe();
        // The sender lives as long as `self`.
        let _ = state.wait_for(|state| *state != State::Running).await;
    }

    pub fn is_running(&self) -> bool {
        *self.state.borrow() == State::Running
    }

    /// What there is to know of it but what it printed.
    pub fn summary(&self) -> Value {
        let state = self.state.borrow().clone();
        let (status, code, after) = match &state {
            State::Running => ("running", None, self.started.elapsed()),
            State::Ended { how, after, .. } => match how {
                How::Exited(code) => ("exited", Some(*code), *after),
                How::Killed => ("killed", None, *after),
                How::TimedOut => ("timed out", None, *after),
                How::Lost(_) => ("lost", None, *after),
            },
        };
        let mut summary = json!({
            "task_id": self.id, "process_id": self.process, "status": status,
            "command": self.order.command, "working_dir": self.order.cwd.display().to_string(),
            "elapsed_ms": u64::try_from(after.as_millis()).unwrap_or(u64::MAX),
        });
        let (error, left) = match state {
            State::Ended { how: How::Lost(error), .. } => (Some(error), None),
            State::Ended { left, .. } => (None, left),
            State::Running => (None, None),
        };
        let more = [("exit_code", json!(code)), ("error", json!(error)), ("left", json!(left))];
        more.into_iter().filter(|(_, it)| !it.is_null()).for_each(|(key, it)| summary[key] = it);
        summary
    }

    /// With what it printed so far.
    pub fn report(&self) -> Value {
        let mut report = self.summary();
        let ending = match &*self.state.borrow() {
            State::Ended { how: How::Exited(code), .. } => Ending::Exited(*code),
            _ => Ending::Stopped,
        };
        let printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        report["output"] = printed.shown(&ending).into();
        report
    }
}

struct Keeps<'a>(&'a Task);

impl Sink for Keeps<'_> {
    fn push(&mut self, stream: Stream, chunk: &[u8]) {
        self.0.printed.lock().unwrap_or_else(PoisonError::into_inner).push(stream, chunk);
    }
}

async fn watched(
    task: Arc<Task>,
    process: Running,
    limit: Option<Duration>,
    workspace: Weak<Workspace>,
) {
    let until = async {
        tokio::select! {
            () = task.stop.cancelled() => How::Killed,
            () = sleep(limit.unwrap_or_default()), if limit.is_some() => How::TimedOut,
        }
    };
    let ended = process.finish(&mut Keeps(&task), until).await;
    let after = task.started.elapsed();
    let state = match ended {
        Ok(Ended { exit: Exit::Code(code), left }) => {
            State::Ended { how: How::Exited(code), after, left }
        }
        Ok(Ended { exit: Exit::Stopped(how), .. }) => State::Ended { how, after, left: None },
        Err(error) => State::Ended { how: How::Lost(error.to_string()), after, left: None },
    };
    // Who is told that it has ended sees what it wrote.
    let look = move || workspace.upgrade().map(|workspace| workspace.rescan());
    // Lost only with the runtime.
    let _ = tokio::task::spawn_blocking(look).await;
    task.state.send_replace(state);
}
