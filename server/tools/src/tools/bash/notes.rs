//! What a result says besides what the command printed.

use std::io;

use redline_workspace::Unseen;

use crate::ToolResult;

/// A command that could not even be started, or was lost.
pub(in crate::tools) fn could_not_run(error: &io::Error) -> ToolResult {
    let hint = match error.kind() {
        io::ErrorKind::ArgumentListTooLong => "; write it into a script and run that",
        io::ErrorKind::InvalidInput => "; a command cannot hold the character NUL",
        _ => "",
    };
    ToolResult::error(format!("could not run the command: {error}{hint}"))
}

/// What still runs; `left` names it.
pub(in crate::tools) fn left_note(left: String) -> String {
    format!("Note: it left processes running ({left}); their output is not seen.")
}

/// DESIGN, section 6, "Bash and what is not on disk".
pub(in crate::tools) fn unseen_note(unseen: &Unseen) -> Option<String> {
    let mut files: Vec<&str> =
        unseen.pending.iter().chain(&unseen.unsaved).map(String::as_str).collect();
    files.sort_unstable();
    files.dedup();
    let count = match files.len() {
        0 => return None,
        1 => "1 file has".to_owned(),
        n => format!("{n} files have"),
    };
    Some(format!(
        "Note: {count} proposals or unsaved text that this command did not see: {}",
        files.join(", ")
    ))
}
