//! Proposals as diagnostics: every editor marks their lines, lists them and jumps between them.

use redline_text::Encoding;
use redline_workspace::{HunkState, Review};

use super::{Numbered, place, undecided, words};
use crate::lsp::standard::{Diagnostic, Severity};

/// Lines of the diff in a message; the rest is for the hover.
const DIFF_LINES: usize = 12;

/// One for each hunk that can be decided. The first line says it all where only one is shown; the
/// code is the hunk's id, for the commands.
pub fn diagnostics(review: &Review, encoding: Encoding) -> Vec<Diagnostic> {
    undecided(review).into_iter().map(|hunk| diagnostic(review, hunk, encoding)).collect()
}

/// The diagnostic of one hunk.
pub fn diagnostic(review: &Review, numbered: Numbered<'_>, encoding: Encoding) -> Diagnostic {
    let Numbered { hunk, n, of } = numbered;
    let (severity, what) = match hunk.state {
        HunkState::Conflict => (Severity::Warning, "proposal"),
        HunkState::Applied => (Severity::Hint, "applied"),
        _ => (Severity::Information, "proposal"),
    };
    let mixed = words::mixed(hunk, review.change).map(|text| format!(" ({text})"));
    let mixed = mixed.unwrap_or_default();
    let head = format!("{what} {n} of {of}: {}{mixed}", words::summary(hunk, review.change));
    Diagnostic {
        range: place::marked(hunk, encoding),
        severity,
        code: hunk.id.to_string(),
        source: "redline",
        message: format!("{head}\n{}", words::diff(hunk, DIFF_LINES)).trim_end().to_owned(),
    }
}
