//! A file's text for looking at, in every family's Read.

use redline_text::{DecodeError, Text};
use redline_workspace::{ReadError, WorkspacePath, io};

use crate::ToolContext;

/// A file's text and what the reader should know about it.
#[derive(Debug)]
pub(in crate::tools) struct Content {
    /// As the thread sees it: with unsaved text and its own proposals.
    pub text: Text,
    /// For a reader who must not take it for exactly what the file holds.
    pub note: Option<String>,
}

/// Why there is no text to look at. Each family has its own words for the first two.
#[derive(Debug)]
pub(in crate::tools) enum NoContent {
    /// For this thread there is no such file.
    Missing,
    /// It is no text.
    Binary,
    /// In words.
    Other(String),
}

/// The file's text. What is not valid in its encoding is shown with U+FFFD (seed 000, Read:
/// `errors="replace"`): for looking at only, edits refuse such a file. Looks at the disk.
pub(in crate::tools) fn content(
    context: &ToolContext,
    file: &WorkspacePath,
) -> Result<Content, NoContent> {
    let text = match context.read(file) {
        Ok(snapshot) if snapshot.exists => return Ok(Content { text: snapshot.text, note: None }),
        Ok(_) => return Err(NoContent::Missing),
        Err(ReadError::Decode(DecodeError::Binary { .. })) => return Err(NoContent::Binary),
        Err(ReadError::Decode(error)) => undecodable(file, error),
        Err(error) => Err(error),
    };
    text.map_err(|error| NoContent::Other(error.to_string()))
}

fn undecodable(file: &WorkspacePath, error: DecodeError) -> Result<Content, ReadError> {
    let text = Text::from(String::from_utf8_lossy(&io::bytes(file, io::MOST)?).into_owned());
    Ok(Content { text, note: Some(format!("[Shown with U+FFFD where {error}.]")) })
}

/// Whether the thread has proposed to delete the file: to its tools it is gone (DESIGN, section 1).
pub(in crate::tools) fn is_gone(context: &ToolContext, file: &WorkspacePath) -> bool {
    let thread = &context.scope.thread;
    if !context.workspace.query(|session| session.is_gone(file, thread)) {
        return held(context, file) == Some(false);
    }
    // Looked at again: it may be there by now.
    context.read(file).is_ok_and(|found| !found.exists)
}

/// Whether there is anything of this name for the thread. Looks at the disk.
pub(in crate::tools) fn is_there(context: &ToolContext, file: &WorkspacePath) -> bool {
    held(context, file).unwrap_or_else(|| file.as_path().exists())
}

/// `None`: it is as the disk has it.
fn held(context: &ToolContext, file: &WorkspacePath) -> Option<bool> {
    let thread = &context.scope.thread;
    let held = context.workspace.query(|session| session.snapshot(file, thread));
    held.map(|snapshot| snapshot.exists)
}
