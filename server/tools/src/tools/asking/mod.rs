//! Tools that ask or show the user something.

mod permissions;
mod questions;

use crate::ToolDefinition;

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![questions::definition(), permissions::definition()]
}
