//! What holds for the hunks of every state.

use redline_layers::{Decision, Hunk, HunkId, PieceState};

use super::World;

impl World {
    /// Hunks are whole lines of the editor's text, do not overlap, are named after their oldest
    /// piece, and accepting (undoing) one puts exactly what it says in the place of its lines.
    pub fn check_hunks(&self) {
        let editor = self.layers.editor().to_string();
        let hunks = self.layers.hunks();
        for pair in hunks.windows(2) {
            assert!(pair[0].range.end <= pair[1].range.start, "{hunks:?}");
        }
        for hunk in &hunks {
            check_lines(hunk, &editor);
            if self.threads == 1 {
                check_whole(hunk, &editor);
            }
            self.check_name(hunk, &hunks);
            self.check_texts(hunk, &editor);
        }
        if self.threads == 1 {
            self.check_rest(&hunks);
        }
    }

    fn check_name(&self, hunk: &Hunk, all: &[Hunk]) {
        assert_eq!(Some(&hunk.id.0), hunk.pieces.iter().min(), "the oldest piece: {hunk:?}");
        assert!(hunk.pieces.is_sorted_by(|a, b| a < b), "{hunk:?}");
        let open = |id| self.layers.pieces().any(|p| p.id == id && p.state.is_undecided());
        assert!(hunk.pieces.iter().all(|&id| open(id)), "{hunk:?}");
        let owners = |id| all.iter().filter(|other| other.pieces.contains(id)).count();
        assert!(hunk.pieces.iter().all(|id| owners(id) == 1), "{all:?}");
    }

    fn check_texts(&self, hunk: &Hunk, editor: &str) {
        let shown = &editor[hunk.range.clone()];
        match hunk.state {
            PieceState::Applied => {
                assert_eq!(shown, hunk.new);
                self.check_deciding(Decision::Reject, hunk, &hunk.old);
                self.check_deciding(Decision::Accept, hunk, &hunk.new);
            }
            PieceState::Conflict => {
                self.check_deciding(Decision::Reject, hunk, shown);
            }
            _ => {
                assert_eq!(shown, hunk.old);
                self.check_deciding(Decision::Accept, hunk, &hunk.new);
                self.check_deciding(Decision::Reject, hunk, &hunk.old);
            }
        }
    }

    /// A decision changes the hunk's lines to `want` and nothing else in the file.
    fn check_deciding(&self, how: Decision, hunk: &Hunk, want: &str) {
        let mut copy = self.layers.clone();
        let editor = copy.editor().to_string();
        copy.resolve(how, &[hunk.id]);
        let (before, after) = (&editor[..hunk.range.start], &editor[hunk.range.end..]);
        assert_eq!(copy.editor().to_string(), format!("{before}{want}{after}"), "{how:?} {hunk:?}");
    }

    /// A waiting piece that is in no hunk would change nothing.
    fn check_rest(&self, hunks: &[Hunk]) {
        let shown = |id| hunks.iter().any(|hunk| hunk.pieces.contains(&id));
        let waits = self.layers.pieces().filter(|piece| piece.state == PieceState::Pending);
        let rest: Vec<_> = waits.map(|piece| piece.id).filter(|&id| !shown(id)).collect();
        let mut copy = self.layers.clone();
        copy.set_state(&rest, PieceState::Accepted);
        assert_eq!(copy.editor(), self.layers.editor(), "{rest:?} is in no hunk");
    }

    /// The hunks as the user knows them: name, old and new text.
    pub fn named(&self) -> Vec<(HunkId, String, String)> {
        self.layers.hunks().into_iter().map(|hunk| (hunk.id, hunk.old, hunk.new)).collect()
    }
}

fn check_lines(hunk: &Hunk, editor: &str) {
    let (start, end) = (hunk.range.start, hunk.range.end);
    let whole = |text: &str| text.is_empty() || text.ends_with('\n');
    assert!(whole(&editor[..start]), "starts inside a line: {hunk:?}");
    assert!(start == end || end == editor.len() || whole(&editor[..end]), "{hunk:?}");
}

/// Old and new text are whole lines, so that a diff of them reads well.
fn check_whole(hunk: &Hunk, editor: &str) {
    let whole = |text: &str| text.is_empty() || text.ends_with('\n');
    if hunk.range.end < editor.len() {
        assert!(whole(&hunk.old) && whole(&hunk.new), "a line without its end: {hunk:?}");
    }
}
