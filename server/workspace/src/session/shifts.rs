//! Typing: the review is mended where it can have changed, and nowhere else.
//!
//! A review is computed from all spans and sent whole, which is too much for each key that is
//! pressed. What one edit can have changed lies in a window around it (`redline_layers::Window`): only
//! the hunks there are made anew, the others move along. What came of it is sent a moment later,
//! once for all that was typed meanwhile.

use std::ops::Range;

use redline_layers::{HunkId, Window};
use redline_text::Edit;

use super::{Session, file::File};
use crate::{Effect, HunkView};

/// How long a review that typing has changed may wait: editors move their marks by themselves.
const PATIENCE_MS: u64 = 30;

/// What an edit leaves behind it, in the text before it.
#[derive(Debug, Clone)]
pub(super) struct Behind {
    /// The last line that the edit touches.
    last: u32,
    lines: usize,
    /// What it was near: a piece may lose all that there is of it.
    window: Window,
}

impl Session {
    /// Sends the reviews that were only mended.
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
    /// `Some` if the last review is one of the text as it is, so that it can be mended.
    pub(super) fn behind(&self, edit: &Edit) -> Option<Behind> {
        self.shown.of(self.layers.revision())?;
        let text = self.layers.editor();
        let last = u32::try_from(text.line_of(edit.range.end)).ok()?;
        let window = || self.layers.window(near(edit.range.clone()));
        let fits = self.layers.has_windows();
        fits.then(|| Behind { last, lines: text.line_count(), window: window() })
    }

    /// The edit has been made: brings the review along.
    pub(super) fn mend(&mut self, behind: Behind, edit: &Edit) {
        let start = edit.range.start;
        let window = self.layers.window(near(start..start + edit.new.len()));
        let hunks = match window.pieces().is_empty() {
            true => Vec::new(),
            false => self.layers.hunks_in(&window),
        };
        let encoding = self.shown.encoding();
        let views = hunks.into_iter().filter_map(|hunk| self.view(hunk, encoding)).collect();
        let (lines, revision) = (self.layers.editor().line_count(), self.layers.revision());
        let near = |id: HunkId| window.holds(id.0) || behind.window.holds(id.0);
        self.shown.mend(revision, near, views, |views| behind.shift(views, lines));
    }
}

impl Behind {
    fn shift(&self, views: &mut [HunkView], lines: usize) {
        // Both counts fit into the positions of LSP.
        let moved = |line: u32| (line as usize + lines).saturating_sub(self.lines) as u32;
        for hunk in views.iter_mut().filter(|hunk| hunk.range.start.line > self.last) {
            hunk.range.start.line = moved(hunk.range.start.line);
            hunk.range.end.line = moved(hunk.range.end.line);
        }
    }
}

/// The layers may slide an edit along a line end.
fn near(range: Range<usize>) -> Range<usize> {
    range.start.saturating_sub(2)..range.end + 2
}
