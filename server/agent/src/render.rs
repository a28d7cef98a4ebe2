//! What the model reads of a tool's result.

use redline_tools::{ReviewState, ToolResult};
use serde_json::Value;

/// The text of a `tool_result` block and whether it is an error. A result that is a string is
/// itself, any other is JSON.
pub fn for_model(result: &ToolResult) -> (String, bool) {
    match result {
        ToolResult::Done { result, review, .. } => {
            let proposed = review
                .as_ref()
                .filter(|note| note.state == ReviewState::Pending)
                .map(|note| proposed(note.hunks.len()));
            (with_note(text(result), proposed), false)
        }
        ToolResult::Error { message, .. } => (message.clone(), true),
        ToolResult::RejectedByUser { reason, comment: None } => (reason.clone(), true),
        ToolResult::RejectedByUser { reason, comment: Some(comment) } if comment.is_empty() => {
            (reason.clone(), true)
        }
        ToolResult::RejectedByUser { reason, comment: Some(comment) } => {
            (format!("{reason}\nThe user says: {comment}"), true)
        }
        ToolResult::Cancelled => ("Cancelled by the user.".to_owned(), true),
    }
}

fn text(result: &Value) -> String {
    match result {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The sentence of DESIGN section 6.
fn proposed(hunks: usize) -> String {
    let unit = if hunks == 1 { "hunk" } else { "hunks" };
    format!("Proposed; not in the file until the user accepts ({hunks} {unit}).")
}

/// Adds the note, unless the tool already said so.
fn with_note(text: String, note: Option<String>) -> String {
    match note {
        Some(note) if !text.contains("Proposed; not in the file") => {
            if text.is_empty() {
                note
            } else {
                format!("{}\n{note}", text.trim_end())
            }
        }
        _ => text,
    }
}
