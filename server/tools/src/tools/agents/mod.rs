//! Tools that other agents do the work of, and tools about threads.

mod errand;
mod profiles;
#[cfg(test)]
mod tests;
mod threads;

use std::sync::Arc;

use crate::{Agents, ToolContext, ToolDefinition, ToolResult};

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    let subagents = profiles::PROFILES.iter().map(errand::definition);
    subagents.chain(threads::definitions()).collect()
}

/// Who runs agents here.
fn agents(context: &ToolContext) -> Result<Arc<dyn Agents>, String> {
    let tool = &context.tool;
    context.agents.clone().ok_or_else(|| {
        format!(
            "{tool} needs a conversation to belong to, and there is none here. Call it as an \
             agent's tool, in an editor."
        )
    })
}

/// `Err` is the message of an error.
fn answered(result: Result<ToolResult, String>) -> ToolResult {
    result.unwrap_or_else(ToolResult::error)
}
