//! States of pieces, and the edits that bring the editor there.

use std::{collections::BTreeMap, ops::Range};

use redline_text::Edit;

use crate::{Layers, Piece, PieceId, PieceState};

/// Pieces that become visible (or invisible) together, by one edit of the editor's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// They share the edit; in ascending order.
    pub pieces: Vec<PieceId>,
    /// `None`: the editor's text stays as it is.
    pub edit: Option<Edit>,
}

impl Layers {
    /// Puts pieces into a state and moves the text that this shows or hides. Unknown ids are
    /// ignored; a piece whose old text is gone goes to `Conflict` instead of `Pending`.
    pub fn set_state(&mut self, ids: &[PieceId], state: PieceState) {
        for id in ids {
            if let Some(piece) = self.pieces.get_mut(id) {
                piece.lost |= state == PieceState::Conflict;
                piece.by_rule = match state {
                    PieceState::Applied => true,
                    PieceState::Pending | PieceState::Rejected => false,
                    _ => piece.by_rule,
                };
                let again = piece.lost && state == PieceState::Pending;
                piece.state = if again { PieceState::Conflict } else { state };
            }
        }
        if !ids.is_empty() {
            self.refresh();
            self.revision.bump();
        }
    }

    /// The edits of the editor's text that putting these pieces into `state` amounts to:
    /// ascending, not overlapping, one for each group of pieces that touch each other. Text of the
    /// user's that lies inside a group is part of the edit, unchanged.
    pub fn components(&self, ids: &[PieceId], state: PieceState) -> Vec<Component> {
        let groups = self.groups(ids);
        let target = |piece: &Piece| {
            let moves = groups.contains_key(&piece.id);
            if moves { state.in_editor() } else { piece.state.in_editor() }
        };
        let mut runs = self.runs(&groups, &target);
        join_shared(&mut runs);
        let text = |run: &Run| self.run_text(run, &target);
        let members = |groups_of: &dyn Fn(&PieceId) -> bool| -> Vec<PieceId> {
            groups.iter().filter(|(_, group)| groups_of(group)).map(|(id, _)| *id).collect()
        };
        let idle = members(&|group| !runs.iter().any(|run| run.groups.contains(group)));
        let mut components: Vec<Component> = runs
            .iter()
            .map(|run| Component {
                pieces: members(&|group| run.groups.contains(group)),
                edit: Some(
                    Edit::new(run.shown.clone(), text(run))
                        .trimmed(&self.shown)
                        .widened(&self.shown),
                ),
            })
            .collect();
        if !idle.is_empty() {
            components.push(Component { pieces: idle, edit: None });
        }
        components
    }

    /// Each piece with the first of those that it shares spans with, directly or through others:
    /// what one of them shows depends on the others, so they change together.
    fn groups(&self, ids: &[PieceId]) -> BTreeMap<PieceId, PieceId> {
        let mut groups: BTreeMap<PieceId, PieceId> = ids.iter().map(|&id| (id, id)).collect();
        for span in &self.spans {
            let mut shared: Vec<PieceId> =
                span.pieces().filter_map(|id| groups.get(&id).copied()).collect();
            shared.sort_unstable();
            shared.dedup();
            if let [first, rest @ ..] = &shared[..]
                && !rest.is_empty()
            {
                groups.values_mut().filter(|g| rest.contains(g)).for_each(|g| *g = *first);
            }
        }
        groups
    }

    /// Runs of adjacent spans that change visibility, with the groups that make them change.
    fn runs(
        &self,
        groups: &BTreeMap<PieceId, PieceId>,
        target: &impl Fn(&Piece) -> bool,
    ) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let (mut at, mut adjacent) = (0, false);
        for (index, span) in self.spans.iter().enumerate() {
            let end = if span.shown { at + span.len } else { at };
            if self.visible(span, target) != span.shown {
                let pieces = span.pieces().filter_map(|id| groups.get(&id).copied());
                match runs.last_mut() {
                    Some(run) if adjacent => run.extend(index, end, pieces),
                    _ => runs.push(Run::new(index, at..end, pieces)),
                }
                adjacent = true;
            } else if span.shown {
                adjacent = false;
            }
            at = end;
        }
        runs
    }

    fn run_text(&self, run: &Run, target: &impl Fn(&Piece) -> bool) -> String {
        let mut text = String::new();
        let (mut s, mut h) = (run.shown.start, self.hidden_before(run.spans.start));
        for span in &self.spans[run.spans.clone()] {
            let (rope, at) =
                if span.shown { (&self.shown, &mut s) } else { (&self.hidden, &mut h) };
            if self.visible(span, target) {
                text.push_str(&rope.slice(*at..*at + span.len));
            }
            *at += span.len;
        }
        text
    }

    /// Makes `shown` of every span what the states say, and moves the text accordingly.
    pub(crate) fn refresh(&mut self) {
        let (mut s, mut h) = (0, 0);
        let (mut shown, mut hidden) = (Vec::new(), Vec::new());
        let mut spans = std::mem::take(&mut self.spans);
        for span in &mut spans {
            let visible = self.visible(span, &|piece| piece.state.in_editor());
            let len = span.len;
            match (span.shown, visible) {
                (true, false) => {
                    shown.push(Edit::new(s..s + len, ""));
                    hidden.push(Edit::new(h..h, self.shown.slice(s..s + len)));
                }
                (false, true) => {
                    shown.push(Edit::new(s..s, self.hidden.slice(h..h + len)));
                    hidden.push(Edit::new(h..h + len, ""));
                }
                _ => {}
            }
            if span.shown {
                s += len
            } else {
                h += len
            }
            span.shown = visible;
        }
        self.spans = spans;
        self.shown.apply_all(&shown);
        self.hidden.apply_all(&hidden);
    }
}

struct Run {
    spans: Range<usize>,
    shown: Range<usize>,
    groups: Vec<PieceId>,
}

impl Run {
    fn new(index: usize, shown: Range<usize>, groups: impl Iterator<Item = PieceId>) -> Self {
        let mut run = Run { spans: index..index + 1, shown, groups: groups.collect() };
        run.tidy();
        run
    }

    fn extend(&mut self, index: usize, end: usize, groups: impl Iterator<Item = PieceId>) {
        self.spans.end = index + 1;
        self.shown.end = end;
        self.groups.extend(groups);
        self.tidy();
    }

    fn tidy(&mut self) {
        self.groups.sort_unstable();
        self.groups.dedup();
    }
}

/// Joins runs that share a group, and those between them: a group is activated as a whole.
fn join_shared(runs: &mut Vec<Run>) {
    let mut last: BTreeMap<PieceId, usize> = BTreeMap::new();
    for (index, run) in runs.iter().enumerate() {
        last.extend(run.groups.iter().map(|&id| (id, index)));
    }
    let mut joined: Vec<Run> = Vec::new();
    let mut reach = 0;
    for (index, run) in runs.drain(..).enumerate() {
        let far = run.groups.iter().filter_map(|id| last.get(id)).max().copied().unwrap_or(index);
        match joined.last_mut() {
            Some(open) if index <= reach && index > 0 => {
                open.extend(run.spans.end - 1, run.shown.end, run.groups.iter().copied());
            }
            _ => joined.push(run),
        }
        reach = reach.max(far);
    }
    *runs = joined;
}
