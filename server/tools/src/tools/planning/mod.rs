//! Todo lists, plans and skills.

mod plans;
mod skills;
mod todo;

use crate::ToolDefinition;

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    let mut tools = todo::definitions();
    tools.extend(plans::definitions());
    tools.push(skills::definition());
    tools
}
