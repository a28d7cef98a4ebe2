//! An editor's buffer: its text, its version and its undo history.

use crate::position::{self, Encoding};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;

/// One contiguous replacement: the bytes at `at` that were `removed` became `inserted`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Byte offset in the text before the splice.
    pub at: usize,
    /// The text that went.
    pub removed: String,
    /// The text that came.
    pub inserted: String,
}

impl Splice {
    /// The splice that takes this one back.
    pub fn inverse(&self) -> Self {
        Self { at: self.at, removed: self.inserted.clone(), inserted: self.removed.clone() }
    }
}

/// An open buffer.
#[derive(Debug)]
pub struct Document {
    /// The file on disk.
    pub path: PathBuf,
    /// The text as the user sees it.
    pub text: String,
    /// The version last sent to the server.
    pub version: i64,
    /// By how much a version grows: Neovim's jump.
    pub step: i64,
    /// Every text that the server was told, by version.
    pub told: HashMap<i64, String>,
    undo: Vec<Vec<Splice>>,
    redo: Vec<Vec<Splice>>,
}

impl Document {
    /// A buffer that was just opened.
    pub fn new(path: PathBuf, text: String, version: i64) -> Self {
        let told = HashMap::from([(version, text.clone())]);
        Self { path, text, version, step: 1, told, undo: Vec::new(), redo: Vec::new() }
    }

    /// Replaces bytes as one undo step and gives the LSP content change.
    pub fn replace(&mut self, range: Range<usize>, with: &str, encoding: Encoding) -> Value {
        self.apply(&[(range, with.to_owned())], encoding).remove(0)
    }

    /// Applies simultaneous edits (they refer to the text before all of them) as one undo step, from
    /// the last to the first, and gives one content change for each.
    pub fn apply(&mut self, edits: &[(Range<usize>, String)], encoding: Encoding) -> Vec<Value> {
        let mut ordered: Vec<_> = edits.iter().enumerate().collect();
        ordered.sort_by_key(|(index, (range, _))| (range.start, range.end, *index));
        for pair in ordered.windows(2) {
            assert!(pair[0].1.0.end <= pair[1].1.0.start, "the edits overlap: {edits:?}");
        }
        let splices = ordered.iter().rev().map(|(_, (range, with))| Splice {
            at: range.start,
            removed: self.text[range.clone()].to_owned(),
            inserted: with.clone(),
        });
        let splices: Vec<_> = splices.collect();
        let changes = splices.iter().map(|splice| self.splice(splice, encoding)).collect();
        self.undo.push(splices);
        self.redo.clear();
        changes
    }

    /// Takes the newest undo step back; the content changes, in order.
    pub fn undo(&mut self, encoding: Encoding) -> Vec<Value> {
        let step = self.undo.pop().expect("something to undo");
        let changes =
            step.iter().rev().map(|splice| self.splice(&splice.inverse(), encoding)).collect();
        self.redo.push(step);
        changes
    }

    /// Does the step that was undone last again; the content changes, in order.
    pub fn redo(&mut self, encoding: Encoding) -> Vec<Value> {
        let step = self.redo.pop().expect("something to redo");
        let changes = step.iter().map(|splice| self.splice(splice, encoding)).collect();
        self.undo.push(step);
        changes
    }

    /// The version of the next `didChange`.
    pub fn advance(&mut self) -> i64 {
        self.version += self.step;
        self.told.insert(self.version, self.text.clone());
        self.version
    }

    /// Byte offset of the only occurrence of `needle`.
    pub fn find(&self, needle: &str) -> usize {
        let offset = self.text.find(needle);
        offset.unwrap_or_else(|| panic!("{needle:?} is not in {:?}", self.text))
    }

    fn splice(&mut self, splice: &Splice, encoding: Encoding) -> Value {
        let range = splice.at..splice.at + splice.removed.len();
        let change = json!({
            "range": position::lsp_range(&self.text, &range, encoding),
            "text": splice.inserted,
        });
        self.text.replace_range(range, &splice.inserted);
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::new(PathBuf::new(), text.to_owned(), 0)
    }

    #[test]
    fn simultaneous_edits_undo_as_one_step() {
        let mut buffer = document("one two three");
        let edits = [(0..3, "1".to_owned()), (8..13, "3".to_owned()), (4..7, "2".to_owned())];
        assert_eq!(buffer.apply(&edits, Encoding::Utf16).len(), 3);
        assert_eq!(buffer.text, "1 2 3");
        buffer.undo(Encoding::Utf16);
        assert_eq!(buffer.text, "one two three");
        buffer.redo(Encoding::Utf16);
        assert_eq!(buffer.text, "1 2 3");
    }

    #[test]
    #[should_panic(expected = "overlap")]
    fn overlapping_edits_are_refused() {
        document("abcdef").apply(&[(0..3, String::new()), (2..4, String::new())], Encoding::Utf8);
    }

    #[test]
    fn insertions_at_one_place_keep_their_order() {
        let mut buffer = document("ab");
        buffer.apply(&[(1..1, "1".to_owned()), (1..1, "2".to_owned())], Encoding::Utf8);
        assert_eq!(buffer.text, "a12b");
    }
}
