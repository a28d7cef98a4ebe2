//! Threads, turns and model providers.
//!
//! A thread is an append-only list of messages. A turn asks the model, runs the tools that it
//! calls, gives it their results and asks again, until the model ends, the user stops it, or
//! something fails. A turn never waits for the user's review: proposals are told to the model when
//! the user has decided, at the next request, whichever turn that is in.
//!
//! A subagent is a conversation inside a call: same loop, tools of its own, the thread's proposals.
//!
//! This crate knows neither LSP nor the terminal: what happens goes out as [`ThreadEvent`]s.

mod agent;
mod agents;
mod event;
mod house;
mod message;
mod prompt;
pub mod provider;
mod render;
mod settings;
mod subagent;
mod talk;
#[cfg(test)]
mod tests;
mod thread;
mod transcript;
mod turn;

pub use agent::{Agent, Hold, PromptError};
pub use event::{Sink, ThreadEvent, ThreadEventKind, TurnEndReason};
pub use message::{AssistantMessage, Block, Message, StopReason, Usage, UserMessage};
pub use prompt::{Prompt, PromptContext, Selection};
pub use render::for_model;
pub use settings::AgentSettings;
pub use thread::{ThreadState, ThreadSummary};

/// The thread that calls from outside any conversation belong to.
pub const DIRECT_THREAD: &str = "direct";
