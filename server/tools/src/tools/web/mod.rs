//! Tools that reach into the web.

mod address;
mod client;
mod content;
mod cut;
mod fetch;
mod html;
mod page;
mod search;
#[cfg(test)]
mod server;
mod target;

use crate::ToolDefinition;

pub use self::search::{SearchService, WebSearch, WebSearchError};

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![page::definition(), search::definition()]
}
