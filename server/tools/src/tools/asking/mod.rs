//! Tools that ask or show the user something.

use crate::ToolDefinition;

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    Vec::new()
}
