//! Tools that other agents do the work of, and tools about threads.

use crate::ToolDefinition;

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    Vec::new()
}
