//! Seed 002, bash, "dangerous command detection": in every dialect, and after permission.

use std::path::Path;

use redline_permissions::guards::dangers;

use crate::{ToolContext, ToolResult};

/// The refusal of a command that no agent gets to run, unless a rule of the user's names it
/// literally.
pub(in crate::tools) fn refused(
    context: &ToolContext,
    cmd: &str,
    cwd: &Path,
) -> Option<ToolResult> {
    if context.unguarded {
        return None;
    }
    let found = dangers(cmd, cwd, context.workspace.home().as_deref());
    let danger = found.first()?;
    Some(ToolResult::Error {
        message: format!(
            "Refusing to run a dangerous command: `{}` {}. It was not run. Do it in another way \
             that touches only what it must; if this is really wanted, the user can run it, or add \
             a rule that allows exactly this command.",
            danger.command, danger.does
        ),
        error_code: Some("dangerous-command".to_owned()),
        absolute_path: None,
    })
}
