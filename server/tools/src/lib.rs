//! The agent's tools: what they are called, what they take, when they may run, and what they do.
//!
//! A batch of calls is scheduled by execution profile (`schedule`); each call then goes through the
//! one dispatch: resolve → validate → prepare → permit → run → trim. A tool knows only its
//! [`ToolContext`]: the workspace as its thread sees it, and a [`Host`] for what it may want of the
//! user's side. It never sees an editor or a wire.
//!
//! To add a tool: write its `ToolDefinition` in a file of its own under `tools/` and name it in
//! `tools::builtin`. To add a dialect: register definitions whose `spec.dialect` is that dialect;
//! they are thin tables over the same operations.

mod agents;
mod bound;
mod bundle;
mod call;
mod cancel;
mod clock;
mod context;
mod dialect;
mod directory;
mod dispatch;
#[cfg(test)]
mod docs;
#[cfg(test)]
mod fixture;
mod host;
mod known;
mod memory;
mod mode;
mod reads;
mod registry;
#[cfg(test)]
mod samples;
mod schedule;
mod schema;
mod settings;
mod spec;
mod stamp;
mod state;
#[doc(hidden)]
pub mod testing;
mod tools;

pub use agents::{Agents, Errand, Outcome, Sent, ThreadNote, Work};
pub use call::{
    HunkDecision, ReviewNote, ReviewState, ToolCall, ToolEvent, ToolResult, ToolStatus,
};
pub use cancel::Cancel;
pub use context::{Scope, ToolContext};
pub use dialect::Dialect;
pub use dispatch::{Judged, Tools};
pub use host::{Answer, Formatted, Host, HostError, Question, QuestionKind, SessionHost};
pub use mode::Mode;
pub use registry::{Registry, RegistryError};
pub use schedule::{Footprint, batches};
pub use schema::{SchemaError, Validated, validate};
pub use settings::ToolSettings;
pub use spec::{
    Access, Commands, ExecutionProfile, Ground, Line, Meta, Prepare, Resource, ResourceKey,
    ResourceKeys, Source, ToolDefinition, ToolFunction, ToolSpec,
};
pub use stamp::iso8601;
pub use tools::{SearchService, WebSearch, WebSearchError, builtin};
