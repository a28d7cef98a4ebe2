//! Edits of the editor's text by the user and by tools.

use std::ops::Range;

use redline_text::Edit;
use serde::{Deserialize, Serialize};

use crate::{
    Layers, PieceId, PieceState,
    span::{By, Span},
};

/// Who edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Author {
    /// The user types.
    User,
    /// The user undoes or redoes: text that comes back is the old text, not new typing.
    UserUndo,
    /// A formatter, a reload, a program.
    Tool,
}

/// What a change did to pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changed {
    /// Pieces whose old text a tool took away: they are in conflict now.
    pub conflicts: Vec<PieceId>,
}

impl Layers {
    /// Applies one edit of the editor's text. What is inserted at the start of a piece's old text
    /// goes before the piece, at its end behind the new text; at a pure insertion point it goes
    /// before the agent's. Out-of-range offsets are clamped.
    pub fn change(&mut self, author: Author, edit: &Edit) -> Changed {
        let start = self.shown.floor(edit.range.start);
        let end = self.shown.floor(edit.range.end).max(start);
        let edit = Edit::new(start..end, edit.new.as_str());
        // What comes back goes where it was, before anybody asks where it would read best.
        let back = author == Author::UserUndo && start == end && self.revive_near(start, &edit.new);
        let changed = if back { Changed::default() } else { self.replace(author, edit) };
        self.compact();
        self.revision.bump();
        changed
    }

    fn replace(&mut self, author: Author, edit: Edit) -> Changed {
        let Edit { range, new } = self.slid(edit);
        let start = range.start;
        let changed = self.delete(author, range);
        let revived = author == Author::UserUndo && self.revive_near(start, &new);
        if !revived && !new.is_empty() {
            self.insert(author, start, &new);
        }
        changed
    }

    fn delete(&mut self, author: Author, range: Range<usize>) -> Changed {
        if range.is_empty() {
            return Changed::default();
        }
        let (first, _) = self.split_at(range.start);
        let (last, _) = self.split_at(range.end);
        // With a piece in reach the spans stay as tombstones, for an undo to bring back in place.
        let reach = self.gap_before(first).start..last;
        let keep = self.spans[reach.clone()].iter().any(Span::is_touched)
            || self.inside_pieces()[reach].contains(&true);
        let mut victims = Vec::new();
        let mut hidden = self.hidden_before(first);
        let mut moved = Vec::new();
        let mut at = range.start;
        for span in &mut self.spans[first..last] {
            if !span.shown {
                hidden += span.len;
                continue;
            }
            victims.extend(span.gone.iter().copied());
            moved.push(Edit::new(hidden..hidden, self.shown.slice(at..at + span.len)));
            at += span.len;
            (span.shown, span.deleted) = (false, Some(self.revision.0));
        }
        self.shown.remove(range);
        if keep {
            self.hidden.apply_all(&moved);
        } else {
            // Without a piece in the range every span in it was shown and is now gone for good;
            // hidden ones can only be other deletions of the user's.
            let mut index = 0;
            self.spans.retain(|span| {
                let inside = (first..last).contains(&index) && span.deleted.is_some();
                index += 1;
                !inside
            });
            self.hidden.remove(self.hidden_before(first)..hidden);
        }
        self.conflict(author, victims)
    }

    /// A tool that takes a pending piece's old text away leaves nothing to decide about.
    fn conflict(&mut self, author: Author, mut victims: Vec<PieceId>) -> Changed {
        victims.sort_unstable();
        victims.dedup();
        victims.retain(|id| {
            let state = self.pieces.get(id).map(|piece| piece.state);
            author == Author::Tool
                && matches!(state, Some(PieceState::Pending | PieceState::Accepting))
        });
        self.set_state(&victims, PieceState::Conflict);
        Changed { conflicts: victims }
    }

    fn insert(&mut self, author: Author, at: usize, text: &str) {
        let (right, _) = self.split_at(at);
        let place = self.place_in_gap(right);
        let by = if author == Author::Tool { By::Base } else { By::User };
        self.spans.insert(place, Span::new(text.len(), by, true));
        self.shown.insert(at, text);
    }

    /// Where in the gap of hidden spans before `right` (the next shown span, or the end) new text
    /// goes: behind the new text of pieces whose old text ends here, else at the gap's start.
    fn place_in_gap(&self, right: usize) -> usize {
        let gap = self.gap_before(right);
        let Some(left) = gap.start.checked_sub(1) else { return gap.start };
        let beyond = |id: &PieceId| self.spans.get(right).is_some_and(|s| s.gone.contains(id));
        let mut ending: Vec<PieceId> =
            self.spans[left].gone.iter().copied().filter(|id| !beyond(id)).collect();
        let mut place = gap.start;
        let Range { start, end } = gap;
        for index in start..end {
            let span = &self.spans[index];
            if let By::Piece(id) = span.by
                && ending.contains(&id)
            {
                ending.extend(span.gone.iter().copied());
                place = index + 1;
            }
        }
        // Deletions beside a piece stay beside it, or they would not be kept for an undo.
        let beside = place > start || self.spans[left].is_touched();
        let loose = |span: &Span| span.deleted.is_some() && !span.is_touched();
        while beside && place < end && loose(&self.spans[place]) {
            place += 1;
        }
        place
    }

    /// Brings back the user's own deletion, there or where it was taken as whole lines.
    fn revive_near(&mut self, at: usize, text: &str) -> bool {
        self.revive(at, text)
            || self.turned(at, text).into_iter().any(|(at, text)| self.revive(at, &text))
    }

    /// Brings back the user's own deletion at `at` if it is exactly `text`.
    fn revive(&mut self, at: usize, text: &str) -> bool {
        if text.is_empty() {
            return false;
        }
        let (right, _) = self.split_at(at);
        let gap = self.gap_before(right);
        let Some(found) = self.deleted_run(gap, text) else { return false };
        let hidden = |&index: &usize| {
            let h = self.hidden_before(index);
            Edit::new(h..h + self.spans[index].len, "")
        };
        let gone: Vec<Edit> = found.iter().map(hidden).collect();
        for index in found {
            let span = &mut self.spans[index];
            (span.deleted, span.shown) = (None, true);
        }
        self.hidden.apply_all(&gone);
        self.shown.insert(at, text);
        true
    }

    /// The spans of the gap that the user deleted and that together are `text`, cut out of their
    /// neighbours where needed.
    fn deleted_run(&mut self, gap: Range<usize>, text: &str) -> Option<Vec<usize>> {
        let revivable: Vec<usize> = gap.filter(|&index| self.is_revivable(index)).collect();
        // An undo takes back the newest deletion first; several at once are joined.
        let mut deletions: Vec<_> =
            revivable.iter().map(|&index| self.spans[index].deleted).collect();
        deletions.sort_unstable();
        deletions.dedup();
        let one = |deletion: &Option<u64>| -> Vec<usize> {
            let of_it = |index: &usize| self.spans[*index].deleted == *deletion;
            revivable.iter().copied().filter(of_it).collect()
        };
        let runs = deletions.iter().rev().map(one).chain([revivable.clone()]);
        let runs: Vec<(String, Vec<usize>)> =
            runs.map(|run| (self.hidden_text(&run), run)).collect();
        let whole = runs.iter().find(|(deleted, _)| deleted == text).map(|found| (0, found));
        let part = || runs.iter().find_map(|run| Some((run.0.find(text)?, run)));
        let (from, (_, run)) = whole.or_else(part)?;
        let run = run.clone();
        Some(self.cut_run(&run, from..from + text.len()))
    }

    fn hidden_text(&self, indices: &[usize]) -> String {
        let text = |&index: &usize| {
            let h = self.hidden_before(index);
            self.hidden.slice(h..h + self.spans[index].len)
        };
        indices.iter().map(text).collect()
    }

    /// Whether the user's deletion is all that hides the span from the editor.
    fn is_revivable(&self, index: usize) -> bool {
        let mut span = self.spans[index].clone();
        // What this very edit takes away does not come back with it.
        let earlier = span.deleted.take().is_some_and(|at| at != self.revision.0);
        earlier && self.visible(&span, &|piece| piece.state.in_editor())
    }

    /// Cuts the spans so that exactly the bytes `wanted` of their joined text are whole spans.
    fn cut_run(&mut self, indices: &[usize], wanted: Range<usize>) -> Vec<usize> {
        let (mut at, mut added) = (0, 0);
        let mut found = Vec::new();
        for &index in indices {
            let (mut index, start) = (index + added, at);
            at += self.spans[index].len;
            if at <= wanted.start || start >= wanted.end {
                continue;
            }
            if start < wanted.start {
                let rest = self.spans[index].split_off(wanted.start - start);
                index += 1;
                added += 1;
                self.spans.insert(index, rest);
            }
            if at > wanted.end {
                let keep = self.spans[index].len - (at - wanted.end);
                let rest = self.spans[index].split_off(keep);
                self.spans.insert(index + 1, rest);
                added += 1;
            }
            found.push(index);
        }
        found
    }

    /// Makes `at` (bytes of the shown text) a border between spans. Returns the index of the shown
    /// span that starts there (or the end) and the hidden bytes before it.
    fn split_at(&mut self, at: usize) -> (usize, usize) {
        let (mut s, mut h) = (0, 0);
        for index in 0..self.spans.len() {
            let span = &mut self.spans[index];
            if !span.shown {
                h += span.len;
                continue;
            }
            if s == at {
                return (index, h);
            }
            if at < s + span.len {
                let rest = span.split_off(at - s);
                self.spans.insert(index + 1, rest);
                return (index + 1, h);
            }
            s += span.len;
        }
        (self.spans.len(), h)
    }

    fn gap_before(&self, right: usize) -> Range<usize> {
        let start = self.spans[..right].iter().rposition(|span| span.shown).map_or(0, |i| i + 1);
        start..right
    }

    pub(crate) fn hidden_before(&self, index: usize) -> usize {
        self.spans[..index].iter().filter(|span| !span.shown).map(|span| span.len).sum()
    }
}
