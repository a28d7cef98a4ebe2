//! What an editor does with the server's requests: it applies edits if the version still fits,
//! saves, and puts questions before its user.

use crate::document::Document;
use crate::position::{self, Encoding};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::ops::Range;

/// How the editor treats one `workspace/applyEdit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnEdit {
    /// Applies it if the version fits, with one `didChange`.
    Apply,
    /// Applies it with one `didChange` for each edit, as Neovim may.
    Split,
    /// The user types `text` before `needle` just before the edit arrives: its version is stale.
    Type {
        /// Where: before the first occurrence of this text.
        needle: &'static str,
        /// What.
        text: &'static str,
    },
    /// Answers `applied: false` and changes nothing.
    Refuse,
    /// Answers `applied: true` and changes nothing.
    Lie,
    /// Does nothing until the test releases it.
    Hold,
    /// Applies it and says so; the `didChange` waits until the user pauses, as eglot's does.
    Late,
}

/// A question that waits for the user.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The JSON-RPC id to answer.
    pub id: Value,
    /// The server's request.
    pub method: String,
    /// Its parameters.
    pub params: Value,
}

/// What the editor does next: notifications to send, then perhaps an answer.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Method and parameters of each notification, in order.
    pub notifications: Vec<(&'static str, Value)>,
    /// The result to answer with; `None` while it waits.
    pub answer: Option<Value>,
    /// The notifications wait for a pause of the user.
    pub late: bool,
}

/// The editor's state.
#[derive(Debug)]
pub struct Editor {
    /// The negotiated encoding.
    pub encoding: Encoding,
    /// Whether changes are sent as whole texts.
    pub full_sync: bool,
    /// The version with which buffers open, and by how much it grows.
    pub versions: (i64, i64),
    /// Open buffers by URI.
    pub documents: BTreeMap<String, Document>,
    /// What to do with the next edits; [`OnEdit::Apply`] when used up.
    pub plan: VecDeque<OnEdit>,
    /// Parameters of every `workspace/applyEdit` so far.
    pub edits: Vec<Value>,
    /// URIs of every `redline/save` so far.
    pub saves: Vec<Vec<String>>,
}

impl Editor {
    /// An editor without buffers.
    pub fn new(encoding: Encoding, full_sync: bool, versions: (i64, i64)) -> Self {
        Self {
            encoding,
            full_sync,
            versions,
            documents: BTreeMap::new(),
            plan: VecDeque::new(),
            edits: Vec::new(),
            saves: Vec::new(),
        }
    }

    /// The buffer of `uri`.
    pub fn document(&mut self, uri: &str) -> &mut Document {
        self.documents.get_mut(uri).unwrap_or_else(|| panic!("{uri} is not open"))
    }

    /// The `didChange` for content changes that were just made in `uri`.
    pub fn did_change(&mut self, uri: &str, changes: Vec<Value>) -> (&'static str, Value) {
        let full = self.full_sync;
        let document = self.document(uri);
        let version = document.advance();
        let changes = if full { vec![json!({ "text": document.text })] } else { changes };
        let params = json!({
            "textDocument": { "uri": uri, "version": version },
            "contentChanges": changes,
        });
        ("textDocument/didChange", params)
    }

    /// Answers a `workspace/applyEdit` as the plan says; `None` if it is held.
    pub fn apply_edit(&mut self, params: &Value, how: &OnEdit) -> Outcome {
        let verdict = |applied: bool| Some(json!({ "applied": applied }));
        let mut outcome = Outcome::default();
        match how {
            OnEdit::Hold => return outcome,
            OnEdit::Refuse | OnEdit::Lie => {
                outcome.answer = verdict(*how == OnEdit::Lie);
                return outcome;
            }
            OnEdit::Type { needle, text } => {
                let uri = text_edits(params).next().expect("an edit").0;
                outcome.notifications.push(self.type_before(&uri, needle, text));
            }
            OnEdit::Late => outcome.late = true,
            OnEdit::Apply | OnEdit::Split => {}
        }
        let fits = text_edits(params).all(|(uri, version, _)| self.fits(&uri, version));
        if fits {
            for (uri, _, edits) in text_edits(params) {
                let split = *how == OnEdit::Split;
                outcome.notifications.extend(self.apply_to(&uri, &edits, split));
            }
        }
        outcome.answer = verdict(fits);
        outcome
    }

    /// Saves open buffers to disk: the notifications, and the answer of `redline/save`.
    pub fn save(&mut self, uris: &[String]) -> Outcome {
        self.saves.push(uris.to_vec());
        let mut outcome = Outcome::default();
        for uri in uris {
            let document = self.document(uri);
            fs::write(&document.path, &document.text).expect("the buffer is saved");
            let params = json!({ "textDocument": { "uri": uri }, "text": document.text });
            outcome.notifications.push(("textDocument/didSave", params));
        }
        outcome.answer = Some(json!({ "saved": uris }));
        outcome
    }

    /// The user types `text` before the first `needle`.
    pub fn type_before(&mut self, uri: &str, needle: &str, text: &str) -> (&'static str, Value) {
        let encoding = self.encoding;
        let document = self.document(uri);
        let at = document.find(needle);
        let change = document.replace(at..at, text, encoding);
        self.did_change(uri, vec![change])
    }

    fn fits(&self, uri: &str, version: Option<i64>) -> bool {
        let document = self.documents.get(uri);
        document.is_some_and(|d| version.is_none_or(|version| version == d.version))
    }

    fn apply_to(&mut self, uri: &str, edits: &[Value], split: bool) -> Vec<(&'static str, Value)> {
        let encoding = self.encoding;
        let document = self.document(uri);
        let edits: Vec<_> =
            edits.iter().map(|edit| splice(&document.text, edit, encoding)).collect();
        if !split {
            let changes = document.apply(&edits, encoding);
            return vec![self.did_change(uri, changes)];
        }
        let mut ordered = edits;
        ordered.sort_by_key(|(range, _)| range.start);
        let step = |(range, text): (Range<usize>, String)| {
            let change = self.document(uri).replace(range, &text, encoding);
            self.did_change(uri, vec![change])
        };
        ordered.into_iter().rev().map(step).collect()
    }
}

fn splice(text: &str, edit: &Value, encoding: Encoding) -> (Range<usize>, String) {
    let new_text = edit["newText"].as_str().expect("newText").to_owned();
    (position::byte_range(text, &edit["range"], encoding), new_text)
}

/// URI, version and text edits of each document in an `ApplyWorkspaceEditParams`.
pub fn text_edits(
    params: &Value,
) -> impl Iterator<Item = (String, Option<i64>, Vec<Value>)> + use<> {
    let list = params["edit"]["documentChanges"].as_array().cloned().unwrap_or_default();
    let versioned = list.into_iter().filter(|change| change["edits"].is_array()).map(|change| {
        let document = &change["textDocument"];
        let uri = document["uri"].as_str().expect("a uri").to_owned();
        let edits = change["edits"].as_array().expect("edits").clone();
        (uri, document["version"].as_i64(), edits)
    });
    let plain = params["edit"]["changes"].as_object().cloned().unwrap_or_default();
    let plain =
        plain.into_iter().map(|(uri, edits)| (uri, None, edits.as_array().expect("edits").clone()));
    versioned.chain(plain)
}
