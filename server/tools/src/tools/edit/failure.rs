//! Why nothing was replaced: the seed's words first, then what only a tool can know.

use std::fmt::Write as _;

use redline_text::{BatchError, LocateError};
use redline_workspace::{ReadError, Snapshot};

use super::{Form, Piece, Wanted, elsewhere};
use crate::{Dialect, ToolContext, tools::write::UNREAD};

/// Why a look at the file did not lead to an edit.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// Seed 000, edit_file, "Error Responses".
    #[error("file not found. Cannot update a file that doesn't exist.\nUse create_file for it.{0}")]
    Missing(String),
    /// Seed 003, "Errors and Troubleshooting".
    #[error("File not found: {0}\nUse write_file for it.{1}")]
    NoFile(String, String),
    /// Seed 003, "Errors and Troubleshooting".
    #[error("{UNREAD}")]
    Unread,
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Every text that was not found, in words.
    #[error("{0}")]
    Located(String),
}

/// The locator's error with what else the thread should know.
pub(super) fn explained(
    context: &ToolContext,
    snapshot: &Snapshot,
    wanted: &Wanted,
    error: &BatchError,
) -> Failure {
    let BatchError::Failed { failed, of } = error else {
        return Failure::Located(error.to_string());
    };
    let mut said = String::new();
    for (index, error) in failed {
        let Some(piece) = wanted.pieces.get(*index) else { continue };
        if wanted.form != Form::One {
            // Writing to a String can't fail.
            let _ = write!(said, "edit {} of {of}: ", index + 1);
        }
        said += &in_words(error, piece, wanted);
        if matches!(error, LocateError::NotFound(_)) {
            said += &elsewhere::clues(context, snapshot, &piece.old);
        }
        said.push('\n');
    }
    if wanted.form != Form::One {
        said += "Nothing was changed: all edits of a call are made, or none.";
    }
    Failure::Located(said.trim_end().to_owned())
}

fn in_words(error: &LocateError, piece: &Piece, wanted: &Wanted) -> String {
    let message = error.worded(wanted.names()).to_string();
    let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
    match (wanted.family, error) {
        (Dialect::AgentAir, LocateError::NotFound(_)) => {
            format!("{first}: {}\n{rest}", quoted(&piece.old))
        }
        // The words of Amplifier's own edit_file.
        (Dialect::Amplifier, LocateError::NotFound(_)) => {
            format!("old_string not found in file: {}\n{rest}", wanted.path)
        }
        (Dialect::Amplifier, LocateError::Multiple { count, .. }) => format!(
            "old_string appears {count} times in file. Either provide more context to make it \
             unique or set replace_all=true\n{rest}"
        ),
        _ => message,
    }
}

/// Seed 002, edit_file: "a truncated version (first 50 characters) of what was searched for".
fn quoted(text: &str) -> String {
    const MOST: usize = 50;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}
