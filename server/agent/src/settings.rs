//! What the user configured about the agent.

use std::path::PathBuf;

use redline_tools::Dialect;

/// The agent's part of the settings (PROTOCOL.md, "Settings").
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgentSettings {
    /// The provider's name; `None`: `script` if a script is set, else there is none.
    pub provider: Option<String>,
    /// The model's name, in the provider's words.
    pub model: Option<String>,
    /// The file of the `script` provider.
    pub script: Option<PathBuf>,
    /// Which tools the model is offered.
    pub dialect: Dialect,
}

impl AgentSettings {
    /// The provider's name, as far as one can be told.
    pub fn provider_name(&self) -> Option<&str> {
        self.provider.as_deref().or(self.script.is_some().then_some("script"))
    }
}
