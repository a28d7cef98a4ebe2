//! What a tool answers when its change has become hunks.

use redline_text::{changed_lines, unified};
use redline_workspace::{ProposeMode, Proposed};
use serde_json::{Value, json};

use crate::{ReviewNote, ReviewState, ToolContext, ToolResult};

/// The result of a proposal: `result` as the tool's contract has it, with what the model must know
/// about the review.
pub(super) fn answered(context: &ToolContext, proposed: &Proposed, result: Value) -> ToolResult {
    let state = match context.mode {
        ProposeMode::Pending => ReviewState::Pending,
        ProposeMode::Applied => ReviewState::Applied,
    };
    let done = ToolResult::Done {
        result,
        track_files: vec![proposed.file.to_string()],
        review: Some(ReviewNote::new(state, &proposed.hunks)),
    };
    notes(context.mode, proposed).iter().fold(done, |done, note| done.with_note(note))
}

/// DESIGN, section 6: what the model reads of a pending edit.
fn notes(mode: ProposeMode, proposed: &Proposed) -> Vec<String> {
    let mut notes = Vec::new();
    if mode == ProposeMode::Pending {
        let hunks = match proposed.hunks.len() {
            1 => "1 hunk".to_owned(),
            n => format!("{n} hunks"),
        };
        notes.push(format!("Proposed; not in the file until the user accepts ({hunks})."));
    }
    if proposed.rejected_before {
        notes.push("The user has rejected text of yours at this place before.".to_owned());
    }
    notes
}

/// Seed 000, edit_file 7: "Returns git-style diff showing changes".
pub(super) fn diff(context: &ToolContext, proposed: &Proposed) -> String {
    let name = proposed.file.display_in(&context.workspace.roots());
    let before = (!proposed.created).then_some(&proposed.before);
    unified(before, Some(&proposed.after), &name)
}

/// Seed 000, edit_file, "Success Output": the first and the last changed line, from 1.
pub(super) fn line_range(proposed: &Proposed) -> Value {
    changed_lines(&proposed.before, &proposed.after).map_or(json!([0, 0]), |(a, b)| json!([a, b]))
}
