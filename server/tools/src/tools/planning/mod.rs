//! Todo lists, plans and skills.

use crate::ToolDefinition;

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    Vec::new()
}
