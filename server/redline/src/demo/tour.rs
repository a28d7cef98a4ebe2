//! The demo in the terminal: a prompt, a review, a second prompt that runs the tests.

use std::sync::Arc;

use redline_agent::{Agent, AgentSettings, Prompt, ThreadEvent, ThreadEventKind, TurnEndReason};
use redline_layers::ThreadId;
use redline_tools::ToolStatus;
use redline_workspace::{ResolveAction, ResolveRequest};
use serde_json::Value;
use tokio::sync::{
    Semaphore,
    mpsc::{UnboundedReceiver, unbounded_channel},
};

use super::{DemoError, Project, talk};
use crate::{
    cli::House,
    settings::Settings,
    terminal::{Answers, Paint, SharedConsole, Style, Tally, review, with_console, wrapped},
};

/// What the user says first, here and in the editors.
pub const PROMPT: &str =
    "On the night of a full moon it says \"last quarter\". Fix that, and let me ask for any day.";
const SECOND_PROMPT: &str = "Now run the tests.";

struct Tour<'a> {
    project: &'a Project,
    console: SharedConsole,
    house: House,
    agent: Arc<Agent>,
    events: UnboundedReceiver<ThreadEvent>,
    /// One permit for each ask that may be shown.
    ready: Arc<Semaphore>,
    width: usize,
    paint: Paint,
}

/// Shows everything. With nobody watching, hunks are accepted and asks allowed: all of it happens
/// in the project's own temporary folder.
pub async fn run(
    project: &Project,
    console: SharedConsole,
    watched: bool,
) -> Result<Tally, DemoError> {
    let mut tour = Tour::new(project, console, watched).await;
    tour.introduce(watched).await;
    let thread = tour.turn(None, PROMPT).await?;
    let tally = if watched { tour.review().await } else { tour.accept_all().await? };
    if tally.undecided > 0 {
        let text = wrapped(&left_pending(&tally), "", tour.width);
        tour.say(&text).await;
    } else {
        tour.turn(Some(thread), SECOND_PROMPT).await?;
    }
    tour.sum_up(&tally, watched).await;
    tour.agent.shutdown().await;
    Ok(tally)
}

impl<'a> Tour<'a> {
    async fn new(project: &'a Project, console: SharedConsole, watched: bool) -> Self {
        let ready = Arc::new(Semaphore::new(0));
        let answers = match watched {
            true => Answers::UserWhenReady(Arc::clone(&console), Arc::clone(&ready)),
            false => Answers::Yes,
        };
        let house = House::open(project.root().to_owned(), &Settings::default(), answers);
        let (sender, events) = unbounded_channel();
        let settings = AgentSettings {
            provider: Some("script".to_owned()),
            script: Some(project.script().to_owned()),
            ..AgentSettings::default()
        };
        // The receiver lives as long as the tour; an event after that has nobody to read it.
        let sink = Arc::new(move |event| drop(sender.send(event)));
        let workspace = Arc::clone(&house.workspace);
        let agent = Agent::new(Arc::clone(&house.tools), workspace, sink, settings);
        let size = with_console(&console, |console| (console.width().min(100), console.paint()));
        let (width, paint) = size.await.unwrap_or((80, Paint::Plain));
        Self { project, console, house, agent, events, ready, width, paint }
    }

    async fn say(&self, text: &str) {
        let text = text.to_owned();
        with_console(&self.console, move |console| console.print(&text)).await;
    }

    fn root(&self) -> String {
        self.project.root().display().to_string()
    }

    async fn introduce(&self, watched: bool) {
        let how = if watched {
            "Then you go through its changes, one hunk at a time."
        } else {
            "Nobody is at a terminal, so everything it proposes is accepted."
        };
        let text = format!(
            "A small project, a moon for the terminal, is now in\n{}\nIt gets the moon wrong. \
             An agent will look at it. {how}\nWhat the agent says is recorded: no key, no network. \
             All else is real.",
            self.root()
        );
        let title =
            self.paint.text(Style::Strong, "Redline: a coding agent proposes, you redline.");
        self.say(&format!("{title}\n\n{}", wrapped(&text, "", self.width))).await;
    }

    /// One prompt, until the agent has done what it can.
    async fn turn(&mut self, thread: Option<ThreadId>, text: &str) -> Result<ThreadId, DemoError> {
        self.say(&format!("\n{}", self.spoken("you", text))).await;
        let mut follows = thread.is_some();
        let prompt = Prompt { text: text.to_owned(), thread, ..Prompt::default() };
        let started = self.agent.prompt(prompt).map_err(|e| DemoError::Thread(e.to_string()))?;
        let mut said = String::new();
        while let Some(ThreadEvent { event, .. }) = self.events.recv().await {
            if std::mem::take(&mut follows) {
                self.show_what_was_told(&started.0).await;
            }
            match event {
                ThreadEventKind::Text { delta } => said += &delta,
                ThreadEventKind::ToolCall(event) => {
                    self.flush(&mut said).await;
                    if event.status == ToolStatus::BlockedOnUser {
                        self.ready.add_permits(1);
                    }
                    if let Some(line) = talk::ended(&event, &self.root(), self.width, self.paint) {
                        self.say(&line).await;
                    }
                }
                ThreadEventKind::Usage(_) => {}
                ThreadEventKind::TurnEnd { reason, message } => {
                    self.flush(&mut said).await;
                    return match reason {
                        TurnEndReason::Done | TurnEndReason::AwaitingReview => Ok(started.0),
                        TurnEndReason::Cancelled | TurnEndReason::Error => {
                            Err(DemoError::Thread(message.unwrap_or_default()))
                        }
                    };
                }
            }
        }
        Err(DemoError::Thread("the agent is gone".to_owned()))
    }

    async fn flush(&self, said: &mut String) {
        let text = std::mem::take(said);
        if !text.trim().is_empty() {
            self.say(&self.spoken("agent", &text)).await;
        }
    }

    fn spoken(&self, who: &str, text: &str) -> String {
        let name = self.paint.text(Style::Key, &format!("{who:<5} "));
        let body = wrapped(text, "      ", self.width);
        format!("{name}{}", body.trim_start())
    }

    async fn review(&self) -> Tally {
        let counts = self.house.workspace.query(|session| session.counts());
        let text = format!(
            "\n{} hunks in {} files wait for you. Nothing is on the disk yet. Press ? for help.\n",
            counts.pending_hunks, counts.pending_files
        );
        self.say(&self.paint.text(Style::Warning, &text)).await;
        review(&self.house.workspace, &self.console, None).await
    }

    async fn accept_all(&self) -> Result<Tally, DemoError> {
        let request = ResolveRequest::all(ResolveAction::Accept);
        let failed = |reason: String| DemoError::Review(reason);
        let resolved =
            self.house.workspace.resolve(request).await.map_err(|e| failed(e.to_string()))?;
        match resolved.failed.first() {
            Some((hunk, reason)) => Err(failed(format!("{hunk} could not be written: {reason}"))),
            None => Ok(Tally::accepted_all(&resolved)),
        }
    }

    /// The lines about decisions that went out with the second prompt.
    async fn show_what_was_told(&self, thread: &ThreadId) {
        let lines = told(&self.agent.messages(thread).unwrap_or_default());
        if lines.is_empty() {
            return;
        }
        let mut text = String::from("      With this the agent is told what you decided:\n");
        text += &wrapped(&lines.join("\n"), "      ", self.width);
        self.say(&self.paint.text(Style::Faint, &text)).await;
    }

    async fn sum_up(&self, tally: &Tally, watched: bool) {
        let (accepted, rejected) = (tally.accepted(), tally.rejected());
        let mut text = String::new();
        if !watched {
            text += &format!("\nWhat is in the files now:\n\n{}", self.diff());
        }
        text += &format!("\nDone: {accepted} hunks accepted, {rejected} rejected");
        text += &match tally.undecided {
            0 => ".".to_owned(),
            left => format!(", {left} undecided."),
        };
        if watched {
            text += &format!("\nThe project stays in {}", self.root());
            text += "\nTry it there: python3 moon.py 2024-10-17";
        }
        self.say(&(text + "\n")).await;
    }

    fn diff(&self) -> String {
        talk::diff(&self.project.diff(), self.paint)
    }
}

fn left_pending(tally: &Tally) -> String {
    format!(
        "\nYou left {} undecided. In an editor they would wait for you; the demo ends here.\n",
        match tally.undecided {
            1 => "1 hunk".to_owned(),
            n => format!("{n} hunks"),
        }
    )
}

/// What the last message with more than a prompt said besides it, line by line.
fn told(messages: &[Value]) -> Vec<String> {
    let texts = |message: &Value| -> Vec<String> {
        let content = message.pointer("/message/content").and_then(Value::as_array);
        let texts = content.into_iter().flatten().filter_map(|block| block["text"].as_str());
        texts.filter(|text| *text != SECOND_PROMPT && *text != PROMPT).map(str::to_owned).collect()
    };
    let users = messages.iter().filter(|message| message["type"] == "user");
    let told = users.rev().map(texts).find(|texts| !texts.is_empty()).unwrap_or_default();
    told.iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
