//! A call, its result, and what is told while it runs.

use redline_layers::HunkId;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};
use serde_json::Value;

/// One call of a tool, as a model or a client wrote it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The caller's name for it; unique in its thread.
    pub id: String,
    /// The tool, in the caller's words.
    pub name: String,
    /// The arguments; a tool without arguments takes `{}`.
    pub args: Value,
}

/// How a call ended. Serialises as `ToolResult` of PROTOCOL.md (seed 001, "Result Format", plus
/// `review`).
#[derive(Debug, Clone, PartialEq)]
pub enum ToolResult {
    /// It did its work.
    Done {
        /// What the model reads: text, a list, or an object.
        result: Value,
        /// Absolute paths of the files that it changed.
        track_files: Vec<String>,
        /// What became of its proposals.
        review: Option<ReviewNote>,
    },
    /// It could not.
    Error {
        /// Says what is wrong and what to do next.
        message: String,
        /// For programs: `reading-secret-file`, …
        error_code: Option<String>,
        /// The file that it is about.
        absolute_path: Option<String>,
    },
    /// A rule or the user said no.
    RejectedByUser {
        /// Whose no it was.
        reason: String,
        /// Said to the model, which then goes on; without one the turn ends. Empty: it goes on,
        /// and the reason is all there is to say.
        comment: Option<String>,
    },
    /// The turn was cancelled, or ended before this call's part of the batch.
    Cancelled,
}

impl ToolResult {
    /// Work that changed no file.
    pub fn done(result: impl Into<Value>) -> Self {
        Self::Done { result: result.into(), track_files: Vec::new(), review: None }
    }

    /// An error that is about no file in particular.
    pub fn error(message: impl Into<String>) -> Self {
        Self::Error { message: message.into(), error_code: None, absolute_path: None }
    }

    /// An error about a file.
    pub fn file_error(message: impl Into<String>, path: impl std::fmt::Display) -> Self {
        let absolute_path = Some(path.to_string());
        Self::Error { message: message.into(), error_code: None, absolute_path }
    }

    /// The status that a call with this result has.
    pub fn status(&self) -> ToolStatus {
        match self {
            Self::Done { .. } => ToolStatus::Done,
            Self::Error { .. } => ToolStatus::Error,
            Self::RejectedByUser { .. } => ToolStatus::RejectedByUser,
            Self::Cancelled => ToolStatus::Cancelled,
        }
    }

    /// Whether the turn ends here: a reject that says nothing to the model (DESIGN, section 3).
    pub fn ends_turn(&self) -> bool {
        matches!(self, Self::RejectedByUser { comment: None, .. })
    }

    /// The same result with one more line for the model: appended to a text or a list, as `note` in
    /// an object. Other statuses stay as they are.
    pub(crate) fn with_note(mut self, note: &str) -> Self {
        if let Self::Done { result, .. } = &mut self {
            match result {
                Value::String(text) => append_line(text, note),
                Value::Array(items) => items.push(note.into()),
                Value::Object(fields) => match fields.get_mut("note") {
                    Some(Value::String(text)) => append_line(text, note),
                    _ => drop(fields.insert("note".to_owned(), note.into())),
                },
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        self
    }
}

fn append_line(text: &mut String, line: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(line);
}

impl Serialize for ToolResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("status", self.status().name())?;
        match self {
            Self::Done { result, track_files, review } => {
                map.serialize_entry("result", result)?;
                if !track_files.is_empty() {
                    map.serialize_entry("trackFiles", track_files)?;
                }
                if let Some(review) = review {
                    map.serialize_entry("review", review)?;
                }
            }
            Self::Error { message, error_code, absolute_path } => {
                map.serialize_entry("error", &WireError { message, error_code, absolute_path })?;
            }
            Self::RejectedByUser { reason, comment } => {
                map.serialize_entry("reason", reason)?;
                if let Some(comment) = comment.as_ref().filter(|comment| !comment.is_empty()) {
                    map.serialize_entry("comment", comment)?;
                }
            }
            Self::Cancelled => {}
        }
        map.end()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireError<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_code: &'a Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absolute_path: &'a Option<String>,
}

/// What became of a call's proposals when it returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReviewNote {
    /// Whether they wait for the user.
    pub state: ReviewState,
    /// The hunks that they are part of.
    pub hunks: Vec<String>,
    /// What the user decided, where the call waited for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<HunkDecision>,
}

impl ReviewNote {
    /// A note about hunks that nobody has decided yet.
    pub fn new(state: ReviewState, hunks: &[HunkId]) -> Self {
        let hunks = hunks.iter().map(HunkId::to_string).collect();
        Self { state, hunks, decisions: Vec::new() }
    }
}

/// The states of `ReviewNote`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewState {
    /// Not in the file until the user accepts.
    Pending,
    /// A rule allowed it: in the file, the user can undo it.
    Applied,
    /// The user has decided all of it.
    Resolved,
}

/// One decision of the user, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HunkDecision {
    /// The hunk.
    pub hunk: String,
    /// `accepted`, `rejected`, …
    pub decision: String,
    /// What the user said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// What the user changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// Where a call is (seed 001, "Tool Status States").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolStatus {
    /// It runs.
    InProgress,
    /// See `ToolResult::Done`.
    Done,
    /// See `ToolResult::Error`.
    Error,
    /// See `ToolResult::Cancelled`.
    Cancelled,
    /// See `ToolResult::RejectedByUser`.
    RejectedByUser,
    /// It waits for the user.
    BlockedOnUser,
}

impl ToolStatus {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::InProgress => "in-progress",
            Self::Done => "done",
            Self::Error => "error",
            Self::Cancelled => "cancelled",
            Self::RejectedByUser => "rejected-by-user",
            Self::BlockedOnUser => "blocked-on-user",
        }
    }
}

/// What is told about a call while it runs, and when it has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolEvent {
    /// The call as it was resolved and prepared.
    pub call: ToolCall,
    /// Where it is.
    pub status: ToolStatus,
    /// One line for people.
    pub title: String,
    /// Milliseconds since it was started.
    pub elapsed_ms: Option<u64>,
    /// The newest output of a running call: the end of it, not all of it.
    pub progress: Option<String>,
    /// Its result, once it has one.
    pub result: Option<ToolResult>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(result: &ToolResult, want: Value) {
        assert_eq!(serde_json::to_value(result).unwrap(), want);
    }

    #[test]
    fn results_have_the_shape_of_the_wire() {
        check(&ToolResult::done("x"), json!({"status": "done", "result": "x"}));
        let review = Some(ReviewNote {
            state: ReviewState::Pending,
            hunks: vec!["h1".into()],
            decisions: vec![],
        });
        let track_files = vec!["/a".to_owned()];
        check(
            &ToolResult::Done { result: json!({"diff": ""}), track_files, review },
            json!({"status": "done", "result": {"diff": ""}, "trackFiles": ["/a"],
                   "review": {"state": "pending", "hunks": ["h1"]}}),
        );
        check(&ToolResult::error("no"), json!({"status": "error", "error": {"message": "no"}}));
        check(
            &ToolResult::Error {
                message: "m".into(),
                error_code: Some("c".into()),
                absolute_path: Some("/p".into()),
            },
            json!({"status": "error",
                   "error": {"message": "m", "errorCode": "c", "absolutePath": "/p"}}),
        );
        let rejected = |comment| ToolResult::RejectedByUser { reason: "r".into(), comment };
        check(&rejected(None), json!({"status": "rejected-by-user", "reason": "r"}));
        check(
            &rejected(Some("c".into())),
            json!({"status": "rejected-by-user", "reason": "r", "comment": "c"}),
        );
        check(&ToolResult::Cancelled, json!({"status": "cancelled"}));
    }

    #[test]
    fn notes_reach_the_model_in_every_shape() {
        let note = |result: Value| match ToolResult::done(result).with_note("N") {
            ToolResult::Done { result, .. } => result,
            other => panic!("{other:?}"),
        };
        assert_eq!(note(json!("a")), json!("a\nN"));
        assert_eq!(note(json!("")), json!("N"));
        assert_eq!(note(json!(["a"])), json!(["a", "N"]));
        assert_eq!(note(json!({"a": 1})), json!({"a": 1, "note": "N"}));
        assert_eq!(note(json!({"note": "M"})), json!({"note": "M\nN"}));
        assert_eq!(ToolResult::Cancelled.with_note("N"), ToolResult::Cancelled);
    }
}
