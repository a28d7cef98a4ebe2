//! A proposal that somebody else has put into the file: a commit, a program, the user in another
//! editor.

use redline_layers::{Decision, Hunk, HunkId, PieceState};
use redline_text::{Edit, Text, line_edits};

use super::{Session, file::File};
use crate::WorkspacePath;

impl Session {
    /// Tells the threads that their proposals are in the file.
    pub(super) fn note_found(&mut self, path: &WorkspacePath, found: &[Hunk]) {
        for hunk in found {
            self.note_line(path, hunk, |place| {
                format!("accepted {place}: another program wrote exactly this into the file")
            });
        }
    }
}

impl File {
    /// Settles the pending hunks whose new text is exactly what `after` has in their place. Their text is
    /// in the editor's then; what else is different is left to the caller.
    pub(super) fn settle_found(&mut self, after: &Text) -> Vec<Hunk> {
        let waits = |hunk: &Hunk| hunk.state == PieceState::Pending && !hunk.mixed;
        let pending: Vec<Hunk> = self.layers.hunks().into_iter().filter(waits).collect();
        if pending.is_empty() || !self.layers.has_windows() {
            return Vec::new();
        }
        let edits = line_edits(self.layers.editor(), after);
        let mut found: Vec<Hunk> = pending.into_iter().filter(|hunk| is_in(hunk, &edits)).collect();
        found.retain(|hunk| self.take_found(hunk.id));
        found
    }

    fn take_found(&mut self, id: HunkId) -> bool {
        let plan = self.layers.plan(Decision::Accept, &[id]);
        for item in &plan.items {
            self.layers.decide(item);
            self.layers.settle(&[item.decided_id()]);
        }
        !plan.items.is_empty()
    }
}

/// Whether these edits of whole lines, as far as they are about the hunk's, amount to it.
fn is_in(hunk: &Hunk, edits: &[Edit]) -> bool {
    let touches =
        |edit: &&Edit| edit.range.start <= hunk.range.end && hunk.range.start <= edit.range.end;
    let inside =
        |edit: &Edit| hunk.range.start <= edit.range.start && edit.range.end <= hunk.range.end;
    let mine: Vec<&Edit> = edits.iter().filter(touches).collect();
    if mine.is_empty() || !mine.iter().all(|edit| inside(edit)) {
        return false;
    }
    let mut text = Text::from(hunk.old.as_str());
    for edit in mine.iter().rev() {
        let start = edit.range.start - hunk.range.start;
        text.apply(&Edit::new(start..start + edit.range.len(), edit.new.as_str()));
    }
    text == *hunk.new.as_str()
}
