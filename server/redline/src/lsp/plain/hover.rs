//! A hunk's whole change, where the cursor is.

use redline_text::Encoding;
use redline_workspace::{HunkState, Review};

use super::{Lines, Numbered, place, touching, undecided, words};
use crate::lsp::standard::{Hover, Markup, MarkupKind};

/// Longer diffs are for `redline.show`.
const DIFF_LINES: usize = 400;

/// What the hunks at that line change; `None`: no hunk is there.
pub fn hover(review: &Review, line: u32, encoding: Encoding, kind: MarkupKind) -> Option<Hover> {
    let at = Lines { first: line, last: line };
    let hunks: Vec<_> =
        undecided(review).into_iter().filter(|numbered| touching(numbered.hunk, at)).collect();
    let range = place::marked(hunks.first()?.hunk, encoding);
    let parts: Vec<String> = hunks.iter().map(|hunk| part(review, *hunk, kind)).collect();
    Some(Hover { contents: Markup { kind, value: parts.join("\n\n") }, range })
}

fn part(review: &Review, numbered: Numbered<'_>, kind: MarkupKind) -> String {
    let Numbered { hunk, n, of } = numbered;
    let what = if hunk.state == HunkState::Applied { "applied change" } else { "proposal" };
    let (agent, tool) = (&hunk.origin.agent, &hunk.origin.tool);
    let mixed = words::mixed(hunk, review.change).map(|text| format!("; it {text}"));
    let mixed = mixed.unwrap_or_default();
    let diff = words::diff(hunk, DIFF_LINES);
    let conflict = match hunk.state {
        HunkState::Conflict => format!("\n{}", words::summary(hunk, review.change)),
        _ => String::new(),
    };
    match kind {
        MarkupKind::Markdown => {
            let fence = fence(&diff);
            format!(
                "**Redline: {what} {n} of {of}** ({agent}, {tool}; `{}`{mixed}){conflict}\n\n\
                 {fence}diff\n{diff}\n{fence}",
                hunk.id
            )
        }
        MarkupKind::PlainText => {
            format!(
                "Redline: {what} {n} of {of} ({agent}, {tool}; {}{mixed}){conflict}\n{diff}",
                hunk.id
            )
        }
    }
}

/// Longer than any in the text.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}
