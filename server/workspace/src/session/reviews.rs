//! The review state that the client was last told, and what has changed since.

use redline_layers::{Hunk, PieceState, Projection, Revision};
use redline_text::{Encoding, words};

use super::{Session, file::File};
use crate::{Effect, FileChange, HunkState, HunkView, Review, WorkspacePath};

/// The last review of a file that was sent.
#[derive(Debug, Default)]
pub(super) struct Shown {
    last: Option<Review>,
    revision: Revision,
}

impl Shown {
    pub fn is_empty(&self) -> bool {
        self.last.as_ref().is_none_or(|review| review.hunks.is_empty())
    }

    pub fn review(&self) -> Option<Review> {
        self.last.clone().filter(|review| !review.hunks.is_empty())
    }

    pub fn revision(&self) -> Revision {
        self.revision
    }
}

impl Session {
    pub(super) fn send_reviews(&mut self) {
        for path in std::mem::take(&mut self.out.touched) {
            let encoding = self.config.encoding;
            let Some(file) = self.files.get_mut(&path) else { continue };
            if let Some(review) = file.news(&path, encoding) {
                self.effect(Effect::Review(review));
            }
        }
    }
}

impl File {
    /// The review, if the client has not seen it like this.
    fn news(&mut self, path: &WorkspacePath, encoding: Encoding) -> Option<Review> {
        let hunks = self.views(encoding);
        if hunks.is_empty() && self.shown.is_empty() {
            return None;
        }
        let last = self.shown.last.take();
        if !last.as_ref().is_some_and(|last| same_content(&last.hunks, &hunks)) {
            self.shown.revision.bump();
        }
        let review = Review {
            file: path.clone(),
            uri: self.open.as_ref().map(|open| open.uri.clone()),
            revision: self.shown.revision,
            version: self.version(),
            change: self.change(),
            hunks,
        };
        let is_news = last.as_ref() != Some(&review);
        self.shown.last = Some(review.clone());
        is_news.then_some(review)
    }

    fn change(&self) -> FileChange {
        let exists = self.layers.exists(&Projection::Editor);
        if exists { FileChange::Modified } else { FileChange::Created }
    }

    fn views(&self, encoding: Encoding) -> Vec<HunkView> {
        let mut hunks = self.layers.hunks();
        hunks.extend(self.layers.decided_hunks());
        hunks.sort_by_key(|hunk| (hunk.range.start, hunk.range.end, hunk.id));
        hunks.into_iter().filter_map(|hunk| self.view(hunk, encoding)).collect()
    }

    fn view(&self, hunk: Hunk, encoding: Encoding) -> Option<HunkView> {
        let origin = self.ops.get(&hunk.pieces.first()?.op)?.origin.clone();
        let (words_old, words_new) = self.words_of(&hunk);
        Some(HunkView {
            id: hunk.id,
            state: state(hunk.state),
            mixed: hunk.mixed,
            range: self.layers.editor().position_range(hunk.range, encoding),
            old_text: hunk.old,
            new_text: hunk.new,
            words_old,
            words_new,
            origin,
        })
    }

    /// Word spans cost a diff: an unchanged hunk keeps the ones it had.
    fn words_of(&self, hunk: &Hunk) -> Spans {
        let mut last = self.shown.last.iter().flat_map(|review| &review.hunks);
        let same = |view: &&HunkView| view.old_text == hunk.old && view.new_text == hunk.new;
        match last.find(|view| view.id == hunk.id).filter(same) {
            Some(view) => (view.words_old.clone(), view.words_new.clone()),
            None => words(&hunk.old, &hunk.new),
        }
    }
}

type Spans = (Vec<std::ops::Range<usize>>, Vec<std::ops::Range<usize>>);

fn same_content(a: &[HunkView], b: &[HunkView]) -> bool {
    let same = |(a, b): (&HunkView, &HunkView)| {
        (a.id, a.state, a.mixed) == (b.id, b.state, b.mixed)
            && a.old_text == b.old_text
            && a.new_text == b.new_text
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

fn state(state: PieceState) -> HunkState {
    match state {
        PieceState::Pending => HunkState::Pending,
        PieceState::Accepting => HunkState::Accepting,
        PieceState::Applied => HunkState::Applied,
        PieceState::Accepted => HunkState::Accepted,
        PieceState::Rejected => HunkState::Rejected,
        PieceState::Conflict => HunkState::Conflict,
    }
}
