//! Amplifier's tools (seed 003).

use crate::ToolDefinition;

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    Vec::new()
}
