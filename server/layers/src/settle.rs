//! Forgetting: decided pieces that nobody can take back any more become plain text.

use redline_text::Edit;

use crate::{
    HunkId, Layers, PieceId, PieceState,
    span::{By, Span},
};

/// From the first to the last span (by index) of a piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub piece: PieceId,
    pub first: usize,
    pub last: usize,
}

impl Layers {
    /// Forgets decided hunks: accepted text is the file's, rejected text is gone, of a deleted file
    /// nothing is left. They can't be reopened afterwards. Pieces that are still undecided are left alone.
    pub fn settle(&mut self, hunks: &[HunkId]) {
        let mut ids: Vec<PieceId> = Vec::new();
        for hunk in hunks {
            ids.extend(self.decided.remove(hunk).into_iter().flat_map(|decided| decided.pieces));
        }
        self.forget(&ids);
    }

    /// Forgets these pieces, as far as they are decided.
    pub(crate) fn forget(&mut self, ids: &[PieceId]) {
        let state = |id: &PieceId| self.pieces.get(id).map(|piece| piece.state);
        let accepted: Vec<PieceId> =
            ids.iter().copied().filter(|id| state(id) == Some(PieceState::Accepted)).collect();
        let rejected: Vec<PieceId> =
            ids.iter().copied().filter(|id| state(id) == Some(PieceState::Rejected)).collect();
        if self.deletes(&accepted) {
            return self.bury();
        }
        if self.deletes(&rejected) {
            self.deletion = None;
        }
        self.remove_spans(|span| {
            span.gone.iter().any(|id| accepted.contains(id))
                || matches!(span.by, By::Piece(id) if rejected.contains(&id))
        });
        for span in &mut self.spans {
            span.gone.retain(|id| !rejected.contains(id));
            if matches!(span.by, By::Piece(id) if accepted.contains(&id)) {
                span.by = By::Base;
            }
        }
        if self.create.is_some_and(|id| accepted.contains(&id)) {
            self.create = None;
        }
        let create = self.create;
        // A rejected creation is kept: without it an absent file would look like an empty one.
        self.pieces.retain(|id, _| {
            Some(*id) == create || !(accepted.contains(id) || rejected.contains(id))
        });
        self.compact();
    }

    /// Joins equal neighbours, drops deletions that no undo needs, and lets the user's text that
    /// lies in no piece be plain text.
    pub(crate) fn compact(&mut self) {
        self.drop_tombstones();
        self.absorb_user_text();
        if self.spans.windows(2).any(|pair| pair[0].joins(&pair[1])) {
            let mut joined: Vec<Span> = Vec::with_capacity(self.spans.len());
            for span in self.spans.drain(..) {
                match joined.last_mut() {
                    Some(last) if last.joins(&span) => last.len += span.len,
                    _ => joined.push(span),
                }
            }
            self.spans = joined;
        }
    }

    /// A deletion of the user's is only of use near a piece, and then all of it: an undo brings it
    /// back as a whole.
    fn drop_tombstones(&mut self) {
        if self.spans.iter().all(|span| span.deleted.is_none()) {
            return;
        }
        let used = self.used_deletions();
        let useless = |span: &Span| {
            span.deleted.is_some_and(|deletion| used.binary_search(&deletion).is_err())
        };
        if self.spans.iter().any(useless) {
            self.remove_spans(useless);
        }
    }

    /// The numbers of the deletions with a span beside a piece's, or inside a piece, ascending.
    fn used_deletions(&self) -> Vec<u64> {
        let inside = self.inside_pieces();
        let mut used = Vec::new();
        let mut start = 0;
        for end in 0..=self.spans.len() {
            if self.spans.get(end).is_some_and(|span| !span.shown) {
                continue;
            }
            let gap = start..end;
            let beside = [gap.start.checked_sub(1), Some(end)];
            let near = beside.into_iter().flatten().filter_map(|i| self.spans.get(i));
            let is_used = self.spans[gap.clone()].iter().chain(near).any(Span::is_touched)
                || gap.clone().any(|index| inside[index]);
            if is_used {
                used.extend(self.spans[gap].iter().filter_map(|span| span.deleted));
            }
            start = end + 1;
        }
        used.sort_unstable();
        used.dedup();
        used
    }

    fn absorb_user_text(&mut self) {
        if self.spans.iter().all(|span| span.by != By::User) {
            return;
        }
        let inside = self.inside_pieces();
        for (span, inside) in self.spans.iter_mut().zip(inside) {
            if !inside && span.by == By::User {
                span.by = By::Base;
            }
        }
    }

    /// For each span, whether it lies between two of one piece (or is the first of them).
    pub(crate) fn inside_pieces(&self) -> Vec<bool> {
        let mut changes = vec![0_i32; self.spans.len() + 1];
        for Extent { first, last, .. } in self.extents() {
            changes[first] += 1;
            changes[last] -= 1;
        }
        let mut depth = 0;
        let mut is_inside = |change: &i32| {
            depth += change;
            depth > 0
        };
        changes[..self.spans.len()].iter().map(&mut is_inside).collect()
    }

    /// From where to where each piece reaches that has spans, oldest piece first.
    pub(crate) fn extents(&self) -> Vec<Extent> {
        let ids: Vec<PieceId> = self.pieces.keys().copied().collect();
        let mut extents: Vec<Option<(usize, usize)>> = vec![None; ids.len()];
        // An op's pieces lie in the file in the order of their names.
        let mut guess = 0;
        for (index, span) in self.spans.iter().enumerate() {
            for id in span.pieces() {
                let near = (guess..guess + 2).find(|&at| ids.get(at) == Some(&id));
                let Some(at) = near.or_else(|| ids.binary_search(&id).ok()) else { continue };
                extents[at].get_or_insert((index, index)).1 = index;
                guess = at;
            }
        }
        let known = ids.into_iter().zip(extents);
        known
            .filter_map(|(piece, e)| e.map(|(first, last)| Extent { piece, first, last }))
            .collect()
    }

    /// Takes spans and their text away for good.
    pub(crate) fn remove_spans(&mut self, mut gone: impl FnMut(&Span) -> bool) {
        let (mut s, mut h) = (0, 0);
        let (mut shown, mut hidden) = (Vec::new(), Vec::new());
        self.spans.retain(|span| {
            let (at, edits) = if span.shown { (&mut s, &mut shown) } else { (&mut h, &mut hidden) };
            let range = *at..*at + span.len;
            *at = range.end;
            let gone = gone(span);
            if gone {
                edits.push(Edit::new(range, ""));
            }
            !gone
        });
        self.shown.apply_all(&shown);
        self.hidden.apply_all(&hidden);
    }
}
