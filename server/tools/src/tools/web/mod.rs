//! Tools that reach into the web.

use crate::ToolDefinition;

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    Vec::new()
}
