//! Forgetting: decided pieces that nobody can take back any more become plain text.

use std::collections::BTreeMap;

use redline_text::Edit;

use crate::{
    HunkId, Layers, PieceId, PieceState,
    span::{By, Span},
};

impl Layers {
    /// Forgets decided hunks: accepted text is the file's, rejected text is gone. They can't be
    /// reopened afterwards. Pieces that are still undecided are left alone.
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
        let mut joined: Vec<Span> = Vec::with_capacity(self.spans.len());
        for span in self.spans.drain(..) {
            match joined.last_mut() {
                Some(last) if last.joins(&span) => last.len += span.len,
                _ => joined.push(span),
            }
        }
        self.spans = joined;
    }

    /// A deletion of the user's is only of use near a piece.
    fn drop_tombstones(&mut self) {
        let mut useless = vec![false; self.spans.len()];
        let mut start = 0;
        for end in 0..=self.spans.len() {
            if end < self.spans.len() && !self.spans[end].shown {
                continue;
            }
            let gap = start..end;
            let beside = [gap.start.checked_sub(1), Some(end)];
            let near = beside.into_iter().flatten().filter_map(|i| self.spans.get(i));
            let used = self.spans[gap.clone()].iter().chain(near).any(Span::is_touched);
            for index in gap {
                useless[index] = !used && self.spans[index].deleted.is_some();
            }
            start = end + 1;
        }
        if useless.contains(&true) {
            let mut index = 0;
            self.remove_spans(|_| {
                index += 1;
                useless[index - 1]
            });
        }
    }

    fn absorb_user_text(&mut self) {
        let mut extents: BTreeMap<PieceId, (usize, usize)> = BTreeMap::new();
        for (index, span) in self.spans.iter().enumerate() {
            for id in span.pieces() {
                extents.entry(id).or_insert((index, index)).1 = index;
            }
        }
        let mut inside = vec![0_i32; self.spans.len() + 1];
        for (first, last) in extents.into_values() {
            inside[first] += 1;
            inside[last] -= 1;
        }
        let mut depth = 0;
        for (span, change) in self.spans.iter_mut().zip(inside) {
            depth += change;
            if depth == 0 && span.by == By::User {
                span.by = By::Base;
            }
        }
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
