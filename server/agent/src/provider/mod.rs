//! Where answers come from.

mod script;

use std::{path::Path, sync::Arc};

use futures::future::BoxFuture;
use redline_tools::ToolSpec;

use crate::{AgentSettings, Block, Message, StopReason, Usage};

pub use script::Script;

/// A model, or what stands in for one.
pub trait Provider: Send + Sync + 'static {
    /// Answers one request. Text is handed to `on_text` as it comes. Dropping the future gives the
    /// request up.
    fn complete<'a>(
        &'a self,
        request: Request<'a>,
        on_text: &'a (dyn Fn(&str) + Send + Sync),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>>;

    /// The name in the settings.
    fn name(&self) -> &'static str;
}

/// One request to a model.
pub struct Request<'a> {
    /// The model, in the provider's words.
    pub model: Option<&'a str>,
    /// The whole conversation; the last one is the user's.
    pub messages: &'a [Message],
    /// What the model may call.
    pub tools: Vec<&'a ToolSpec>,
    /// What it is and how it works, before the conversation; `None`: nothing is said of it.
    pub instructions: Option<&'a str>,
    /// Who asks.
    pub asker: Asker<'a>,
}

/// Whose model it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker<'a> {
    /// The agent that a user talks to in that thread.
    Thread(&'a str),
    /// A subagent.
    Subagent {
        /// Its name.
        agent: &'a str,
        /// The call that sent it.
        call: &'a str,
    },
}

/// One answer of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// Text and tool calls.
    pub content: Vec<Block>,
    /// Why it stopped.
    pub stop_reason: Option<StopReason>,
    /// What it cost, where that is known.
    pub usage: Option<Usage>,
}

/// Why there is no answer. The turn ends with this text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The recorded conversation is over.
    #[error("script ended")]
    ScriptEnded,
    /// The script cannot be read.
    #[error("cannot read the script {file}: {reason}")]
    ScriptUnreadable {
        /// The file.
        file: String,
        /// The operating system's words.
        reason: String,
    },
    /// A line of the script is not what PROTOCOL.md asks for.
    #[error("{file}, line {line}: {reason}")]
    ScriptBroken {
        /// The file.
        file: String,
        /// From 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// Why the settings name no provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// Nothing is set.
    #[error(
        "no model provider is set: set `redline.provider` (built so far: \"script\", with \
         `redline.script` naming a recorded conversation)"
    )]
    Missing,
    /// Planned.
    #[error(
        "the provider \"{0}\" is not built yet; use \"script\" with `redline.script` naming a \
         recorded conversation"
    )]
    NotBuilt(String),
    /// Never heard of.
    #[error("there is no provider \"{0}\"; `redline.provider` can be \"script\"")]
    Unknown(String),
    /// `script` needs its file.
    #[error(
        "the provider \"script\" needs `redline.script`: the path of a JSON Lines file of answers"
    )]
    NoScript,
}

/// The provider that the settings name. `folder` stands for `${workspace}`.
pub fn from_settings(
    settings: &AgentSettings,
    folder: &Path,
) -> Result<Arc<dyn Provider>, SettingsError> {
    match settings.provider_name() {
        None => Err(SettingsError::Missing),
        Some("script") => {
            let file = settings.script.as_ref().ok_or(SettingsError::NoScript)?;
            Ok(Arc::new(Script::new(file.clone(), folder)))
        }
        Some(name @ ("anthropic" | "openai")) => Err(SettingsError::NotBuilt(name.to_owned())),
        Some(name) => Err(SettingsError::Unknown(name.to_owned())),
    }
}
