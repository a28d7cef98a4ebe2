//! Layers as data that can be kept and read back.

use redline_text::Text;
use serde::{Deserialize, Serialize};

use crate::{Layers, Piece, PieceId, Revision, delete::Deletion, resolve::Decided, span::Span};

/// All of a file's layers but the text that the editor shows, which is kept beside it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedLayers {
    spans: Vec<Span>,
    hidden: String,
    pieces: Vec<Piece>,
    decided: Vec<Decided>,
    create: Option<PieceId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deletion: Option<SavedDeletion>,
    appeared: Option<PieceId>,
    revision: Revision,
}

/// A proposal to delete the file. Its text is left out where it is the editor's.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SavedDeletion {
    piece: PieceId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// Saved layers that do not belong to a text, or that something has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the saved review does not fit its text: {0}")]
pub struct Misfit(&'static str);

impl Layers {
    /// The layers as data, and the editor's text.
    pub fn save(&self) -> (SavedLayers, Text) {
        let saved = SavedLayers {
            spans: self.spans.clone(),
            hidden: self.hidden.to_string(),
            pieces: self.pieces.values().cloned().collect(),
            decided: self.decided.values().cloned().collect(),
            create: self.create,
            deletion: self.deletion.as_ref().map(|it| SavedDeletion {
                piece: it.piece,
                text: (it.text != self.shown).then(|| it.text.to_string()),
            }),
            appeared: self.appeared,
            revision: self.revision,
        };
        (saved, self.shown.clone())
    }

    /// The layers that were saved with this text.
    ///
    /// # Errors
    /// If spans and texts do not belong together: nothing is guessed.
    pub fn restore(saved: SavedLayers, shown: Text) -> Result<Layers, Misfit> {
        let hidden = Text::from(saved.hidden);
        check(&saved.spans, true, &shown)?;
        check(&saved.spans, false, &hidden)?;
        let deletion = saved.deletion.map(|it| Deletion {
            piece: it.piece,
            text: it.text.map_or_else(|| shown.clone(), Text::from),
        });
        let layers = Layers {
            spans: saved.spans,
            shown,
            hidden,
            pieces: saved.pieces.into_iter().map(|piece| (piece.id, piece)).collect(),
            decided: saved.decided.into_iter().map(|decided| (decided.id, decided)).collect(),
            create: saved.create,
            deletion,
            appeared: saved.appeared,
            revision: saved.revision,
        };
        let known = |span: &Span| span.pieces().all(|id| layers.pieces.contains_key(&id));
        match layers.spans.iter().all(known) {
            true => Ok(layers),
            false => Err(Misfit("a span names a piece that there is not")),
        }
    }
}

/// Whether the spans of one rope are all of it, cut between chars.
fn check(spans: &[Span], shown: bool, text: &Text) -> Result<(), Misfit> {
    let mut at = 0_usize;
    for span in spans.iter().filter(|span| span.shown == shown) {
        let end = at.checked_add(span.len).filter(|end| *end <= text.len());
        at = end.ok_or(Misfit("it is longer than the text"))?;
        if span.len == 0 || text.floor(at) != at {
            return Err(Misfit("a span ends inside a char"));
        }
    }
    if at == text.len() { Ok(()) } else { Err(Misfit("it is shorter than the text")) }
}
