//! The review state that the client was last told, and what has changed since.

use redline_layers::{Hunk, HunkId, PieceState, Projection, Revision};
use redline_text::{Encoding, words};

use super::{Session, file::File};
use crate::{Effect, FileChange, HunkState, HunkView, Review, WorkspacePath};

/// The last review of a file that was sent.
#[derive(Debug, Default)]
pub(super) struct Shown {
    last: Option<Review>,
    revision: Revision,
    /// The revision of the layers that `last` is of.
    layers: Option<Revision>,
    /// What its positions count.
    encoding: Encoding,
    /// Typing has made other hunks of it, and not only changed what they hold.
    urgent: bool,
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

    /// A file that was dropped and is looked at again must not seem to be older than it was.
    fn start_after(&mut self, last: Revision) {
        if self.last.is_none() {
            self.revision = self.revision.max(last);
        }
    }

    /// The last review, if it is of the layers in this revision.
    pub fn of(&self, layers: Revision) -> Option<&Review> {
        self.last.as_ref().filter(|_| self.layers == Some(layers))
    }

    /// What the last review's positions count.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The last review is one of `layers` once the hunks that are near the edit are these, and the
    /// others are moved.
    pub fn mend(
        &mut self,
        layers: Revision,
        near: impl Fn(HunkId) -> bool,
        views: Vec<HunkView>,
        shift: impl FnOnce(&mut [HunkView]),
    ) {
        let Some(review) = &mut self.last else { return };
        let old: Vec<HunkView> = review.hunks.extract_if(.., |view| near(view.id)).collect();
        shift(&mut review.hunks);
        if !same_content(&old, &views) {
            self.revision.bump();
            review.revision = self.revision;
        }
        let names =
            |views: &[HunkView]| -> Vec<_> { views.iter().map(|v| (v.id, v.state)).collect() };
        self.urgent |= names(&old) != names(&views);
        review.hunks.extend(views);
        review.hunks.sort_by_key(|view| (view.range.start, view.range.end, view.id));
        self.layers = Some(layers);
    }

    /// What the last review was made of has changed.
    pub fn forget(&mut self) {
        self.layers = None;
    }
}

/// What there is to tell of a file.
enum News {
    Nothing,
    /// Only lines have moved.
    Later,
    Now(Review),
}

impl Session {
    pub(super) fn send_reviews(&mut self) {
        for path in std::mem::take(&mut self.out.touched) {
            let encoding = self.config.encoding;
            let Some(file) = self.files.get_mut(&path) else { continue };
            file.shown.start_after(self.last_review);
            let news = file.news(&path, encoding);
            self.last_review = self.last_review.max(file.shown.revision());
            match news {
                News::Nothing => {}
                News::Later => self.send_later(path),
                News::Now(review) => {
                    self.moved.remove(&path);
                    self.effect(Effect::Review(review));
                }
            }
        }
    }
}

impl File {
    /// The review, if the client has not seen it like this.
    fn news(&mut self, path: &WorkspacePath, encoding: Encoding) -> News {
        let version = self.version();
        if self.shown.of(self.layers.revision()).is_some() {
            return self.moved(version, encoding);
        }
        let hunks = self.views(encoding);
        self.shown.layers = Some(self.layers.revision());
        (self.shown.encoding, self.shown.urgent) = (encoding, false);
        if hunks.is_empty() && self.shown.is_empty() {
            return News::Nothing;
        }
        let last = self.shown.last.take();
        if !last.as_ref().is_some_and(|last| same_content(&last.hunks, &hunks)) {
            self.shown.revision.bump();
        }
        let review = Review {
            file: path.clone(),
            uri: self.open.as_ref().map(|open| open.uri.clone()),
            revision: self.shown.revision,
            version,
            change: self.change(),
            hunks,
        };
        let is_news = last.as_ref() != Some(&review);
        self.shown.last = Some(review.clone());
        if is_news { News::Now(review) } else { News::Nothing }
    }

    fn moved(&mut self, version: Option<i32>, encoding: Encoding) -> News {
        debug_assert_eq!(
            self.shown.last.as_ref().map(|review| &review.hunks),
            Some(&self.views(encoding)),
            "a review that was mended is the one that would be made"
        );
        let urgent = std::mem::take(&mut self.shown.urgent);
        let Some(review) = &mut self.shown.last else { return News::Nothing };
        review.version = version;
        match review.hunks.is_empty() {
            _ if urgent => News::Now(review.clone()),
            false => News::Later,
            true => News::Nothing,
        }
    }

    fn change(&self) -> FileChange {
        let exists = self.layers.exists(&Projection::Editor);
        let goes = |piece: &redline_layers::Piece| piece.state != PieceState::Rejected;
        if self.layers.deletion().is_some_and(goes) {
            FileChange::Deleted
        } else if exists {
            FileChange::Modified
        } else {
            FileChange::Created
        }
    }

    fn views(&self, encoding: Encoding) -> Vec<HunkView> {
        let mut hunks = self.layers.hunks();
        hunks.extend(self.layers.decided_hunks());
        hunks.sort_by_key(|hunk| (hunk.range.start, hunk.range.end, hunk.id));
        hunks.into_iter().filter_map(|hunk| self.view(hunk, encoding)).collect()
    }

    pub(super) fn view(&self, hunk: Hunk, encoding: Encoding) -> Option<HunkView> {
        let origin = self.ops.get(&hunk.pieces.first()?.op)?.origin.clone();
        let hunk = if self.layers.deletes(&hunk.pieces) { self.shown_deletion(hunk) } else { hunk };
        let pieces = hunk.pieces.len();
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
            pieces,
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
