//! Tools that reach into the web.

mod address;
mod client;
mod content;
mod cut;
mod fetch;
mod html;
mod page;
#[cfg(test)]
mod server;
mod target;

use crate::ToolDefinition;

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![page::definition()]
}
