//! What a tool answers when its change has become hunks.

use redline_text::{Text, unified_with_lines};
use redline_workspace::{ProposeMode, Proposed, WorkspacePath};
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
    if mode == ProposeMode::Pending && proposed.hunks.is_empty() {
        let text = "Proposed; another agent's deletion of the file waits for the user, who is shown \
                    your change if they reject that.";
        notes.push(text.to_owned());
    } else if mode == ProposeMode::Pending {
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

/// A diff for the model, and what to know about it.
pub(super) struct Diff {
    pub text: String,
    /// Seed 000, edit_file, "Success Output": the first and the last changed line, from 1.
    pub line_range: Value,
    pub note: Option<String>,
}

/// Bytes of a diff in a result: whole hunks beyond it are left out, so that it still applies.
pub(super) const MOST_DIFF: usize = 64 * 1024;

/// Seed 000, edit_file 7: "Returns git-style diff showing changes".
pub(super) fn diff(context: &ToolContext, proposed: &Proposed) -> Diff {
    let before = (!proposed.created).then_some(&proposed.before);
    diff_of(context, &proposed.file, before, &proposed.after)
}

/// Of a file, with names relative to the workspace.
pub(super) fn diff_of(
    context: &ToolContext,
    file: &WorkspacePath,
    before: Option<&Text>,
    after: &Text,
) -> Diff {
    let name = file.display_in(&context.workspace.roots());
    let (diff, lines) = unified_with_lines(before, Some(after), &name);
    let line_range = lines.map_or(json!([0, 0]), |(first, last)| json!([first, last]));
    let (text, note) = cut(diff);
    Diff { text, line_range, note }
}

fn cut(diff: String) -> (String, Option<String>) {
    if diff.len() <= MOST_DIFF {
        return (diff, None);
    }
    const HUNK: &str = "\n@@ ";
    let starts: Vec<usize> = diff.match_indices(HUNK).map(|(at, _)| at + 1).collect();
    let ends = starts.iter().skip(1).copied().chain([diff.len()]);
    let shown = ends.take_while(|end| *end <= MOST_DIFF).count();
    let end = starts.get(shown).copied().unwrap_or(diff.len());
    let note = format!(
        "The diff is too long to be shown as a whole ({} bytes): it has the first {shown} of {} \
         hunks.",
        diff.len(),
        starts.len()
    );
    // Without a hunk a header would be no diff.
    let text = if shown == 0 { String::new() } else { diff[..end].to_owned() };
    (text, Some(note))
}

/// What the model should know before the user accepts. Looks at the disk.
pub(super) fn caution(context: &ToolContext, file: &WorkspacePath) -> Option<String> {
    let is_read_only = || {
        let found = std::fs::metadata(file.as_path());
        found.is_ok_and(|found| found.permissions().readonly())
    };
    (context.mode == ProposeMode::Pending && is_read_only()).then(|| {
        "The file is read-only: what the user accepts can't be written until somebody makes it \
         writable."
            .to_owned()
    })
}
