//! Typing far from every hunk: their lines move, and nothing else of the review changes.
//!
//! A review is computed from all spans and sent whole, which is too much for each key that is
//! pressed. So long as the user types where no hunk is near, the last review is moved along, and
//! what was moved is sent a moment later, once for all that was typed meanwhile.

use redline_layers::Author;
use redline_text::{Edit, Text};

use super::{Session, file::File};
use crate::{Effect, HunkState, HunkView, Review};

/// How long a review whose ranges have moved may wait: editors move their marks by themselves.
const PATIENCE_MS: u64 = 30;

/// Lines of the text before an edit, which the edit touches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Far {
    last: u32,
    lines: usize,
}

impl Session {
    /// Sends the reviews that were only moved.
    pub(super) fn reviews_due(&mut self) {
        for path in std::mem::take(&mut self.moved) {
            if let Some(review) = self.files.get(&path).and_then(File::review) {
                self.effect(Effect::Review(review));
            }
        }
    }

    pub(super) fn send_later(&mut self, path: crate::WorkspacePath) {
        if self.moved.is_empty() {
            self.effect(Effect::ReviewsLater { millis: PATIENCE_MS });
        }
        self.moved.insert(path);
    }
}

impl File {
    /// `Some` if the edit leaves at least one whole line between it and every hunk of the last
    /// review, and that review is one of the text as it is.
    pub(super) fn far(&self, author: Author, edit: &Edit) -> Option<Far> {
        let review = self.shown.of(self.layers.revision())?;
        if author != Author::User {
            return None;
        }
        let text = self.layers.editor();
        let (first, last) = (line(text, edit.range.start)?, line(text, edit.range.end)?);
        let apart = |hunk: &HunkView| {
            let (start, end) = lines_of(hunk);
            last.saturating_add(1) < start || end.saturating_add(1) < first
        };
        let all = review.hunks.iter().all(apart);
        all.then(|| Far { last, lines: text.line_count() })
    }

    /// The edit that was far has been made.
    pub(super) fn shifted(&mut self, far: Far) {
        let (lines, revision) = (self.layers.editor().line_count(), self.layers.revision());
        self.shown.shift(revision, |review| far.shift(review, lines));
    }
}

impl Far {
    fn shift(self, review: &mut Review, lines: usize) {
        // Both counts fit into the positions of LSP.
        let moved = |line: u32| (line as usize + lines).saturating_sub(self.lines) as u32;
        for hunk in review.hunks.iter_mut().filter(|hunk| hunk.range.start.line > self.last) {
            hunk.range.start.line = moved(hunk.range.start.line);
            hunk.range.end.line = moved(hunk.range.end.line);
        }
    }
}

/// The first line of a hunk and the one after it. A rejected one has an empty range, at the start of
/// the lines that it would have replaced.
fn lines_of(hunk: &HunkView) -> (u32, u32) {
    let (start, end) = (hunk.range.start.line, hunk.range.end.line);
    // A CR LF counts twice: what counts as near without being it only costs time.
    let old = || u32::try_from(hunk.old_text.matches(['\n', '\r']).count()).unwrap_or(u32::MAX);
    match hunk.state {
        HunkState::Rejected => (start, start.saturating_add(old()).saturating_add(1)),
        _ => (start, end),
    }
}

fn line(text: &Text, at: usize) -> Option<u32> {
    u32::try_from(text.line_of(at)).ok()
}
