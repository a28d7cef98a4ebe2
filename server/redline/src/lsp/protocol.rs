//! The wire, method by method: PROTOCOL.md as types, in its order. Nothing outside `lsp` sees them.

use redline_text::PositionRange as Range;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use redline_permissions::Context;
pub use redline_tools::{Answer, Dialect, Question, ToolResult};

/// Every method of ours: client → server requests, then the notification, then server → client.
#[cfg(test)]
pub const METHODS: [&str; 21] = [
    "redline/prompt",
    "redline/cancel",
    "redline/tool",
    "redline/resolve",
    "redline/reviews",
    "redline/content",
    "redline/threads",
    "redline/thread",
    "redline/turns",
    "redline/rewind",
    "redline/status",
    "redline/changeReason",
    "redline/review",
    "redline/permissionWithdrawn",
    "redline/threadEvent",
    "redline/permission",
    "redline/trust",
    "redline/question",
    "redline/save",
    "redline/open",
    "redline/format",
];

/// `capabilities.experimental.redline` of a client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Declared {
    /// Draws `redline/review`.
    pub review: bool,
    /// Answers `redline/permission`.
    pub permission: bool,
    /// Answers `redline/trust`.
    pub trust: bool,
    /// Answers `redline/question`.
    pub question: bool,
    /// Answers `redline/save`.
    pub save: bool,
    /// Answers `redline/open`.
    pub open: bool,
    /// Answers `redline/format`.
    pub format: bool,
    /// Shows `redline/threadEvent`.
    pub thread_events: bool,
    /// Sends `redline/changeReason`.
    pub change_reason: bool,
}

// ---- client → server, requests

/// `redline/prompt`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptParams {
    pub text: String,
    pub thread_id: Option<String>,
    pub model: Option<String>,
    pub context: Option<PromptContext>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptContext {
    pub active_uri: Option<String>,
    pub selection: Option<UriRange>,
    pub open_uris: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
pub struct UriRange {
    pub uri: String,
    pub range: Range,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptResult {
    pub thread_id: String,
    pub turn_id: String,
}

/// `redline/cancel`, `redline/thread`, `redline/turns`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadParams {
    pub thread_id: String,
}

/// `redline/tool`, answered with a `ToolResult`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolParams {
    pub name: String,
    pub args: Map<String, Value>,
    pub thread_id: Option<String>,
    pub context: Option<Context>,
    pub dialect: Option<Dialect>,
}

/// `redline/resolve`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResolveParams {
    pub action: Action,
    pub uri: Option<String>,
    pub hunks: Option<Vec<String>>,
    pub include: Option<Include>,
    pub comment: Option<String>,
    pub final_text: Option<String>,
    pub revision: Option<u64>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Accept,
    Reject,
    Reopen,
    Drop,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Include {
    Applied,
}

#[derive(Debug, Default, Serialize)]
pub struct ResolveResult {
    pub resolved: Vec<String>,
    pub stale: Vec<String>,
    pub failed: Vec<Failed>,
    pub mixed: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Failed {
    pub hunk: String,
    pub reason: String,
}

/// `redline/reviews`
#[derive(Debug, Serialize)]
pub struct ReviewsResult {
    pub files: Vec<Review>,
}

/// `redline/content`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentParams {
    pub uri: String,
    pub projection: Projection,
    pub thread_id: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Projection {
    Editor,
    Agent,
    Base,
}

#[derive(Debug, Serialize)]
pub struct ContentResult {
    pub text: String,
}

/// `redline/threads`
#[derive(Debug, Serialize)]
pub struct ThreadsResult {
    pub threads: Vec<Thread>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    pub thread_id: String,
    pub title: String,
    pub updated_at: String,
    pub state: String,
}

/// `redline/thread`
#[derive(Debug, Serialize)]
pub struct ThreadResult {
    pub messages: Vec<Value>,
}

/// `redline/turns`
#[derive(Debug, Serialize)]
pub struct TurnsResult {
    pub turns: Vec<Turn>,
}

#[derive(Debug, Serialize)]
pub struct Turn {
    pub turn: u32,
    pub files: Vec<String>,
}

/// `redline/rewind`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RewindParams {
    pub thread_id: String,
    pub turn: u32,
}

#[derive(Debug, Serialize)]
pub struct RewindResult {
    pub files: Vec<String>,
    pub withdrawn: usize,
    pub kept: Vec<Kept>,
}

#[derive(Debug, Serialize)]
pub struct Kept {
    pub uri: String,
    pub reason: String,
}

/// `redline/status`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusResult {
    pub pending_hunks: usize,
    pub pending_files: usize,
    pub asks: usize,
    pub model: String,
    pub dialect: String,
    pub version: String,
    pub log_file: String,
}

// ---- client → server, notification

/// `redline/changeReason`
#[derive(Debug, Deserialize)]
pub struct ChangeReasonParams {
    pub uri: String,
    pub version: i32,
    pub reason: ChangeReason,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeReason {
    Undo,
    Redo,
}

// ---- server → client, notifications

/// `redline/review`
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Review {
    pub uri: String,
    pub revision: u64,
    pub version: Option<i32>,
    pub change: &'static str,
    pub hunks: Vec<Hunk>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    pub id: String,
    pub state: &'static str,
    pub mixed: bool,
    pub range: Range,
    pub old_text: String,
    pub new_text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Words>,
    pub origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Words {
    pub old: Vec<[usize; 2]>,
    pub new: Vec<[usize; 2]>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    pub thread_id: String,
    pub agent: String,
    pub tool: String,
    pub tool_call_id: String,
}

/// `redline/permissionWithdrawn`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionWithdrawn {
    pub ask_id: String,
    pub reason: String,
}

/// `redline/threadEvent`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadEvent {
    pub thread_id: String,
    pub turn_id: String,
    pub seq: u64,
    /// The call whose subagent it happened to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_tool_use_id: Option<String>,
    pub event: EventBody,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "one at a time, and gone at once")]
pub enum EventBody {
    Text {
        delta: String,
    },
    ToolCall {
        tool_call_id: String,
        name: String,
        args: Value,
        status: &'static str,
        title: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        elapsed_ms: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        progress: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<ToolResult>,
    },
    Usage(redline_agent::Usage),
    TurnEnd {
        reason: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
}

// ---- server → client, requests

/// `redline/permission`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionParams {
    pub ask_id: String,
    pub title: String,
    pub tool: String,
    pub args: Value,
    pub cwd: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsaved: Vec<String>,
    pub reason: Reason,
    pub options: Vec<AskOption>,
    pub queue: Queue,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Reason {
    pub action: &'static str,
    pub rule: Option<String>,
    pub source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    pub text: String,
}

#[derive(Debug, Serialize)]
pub struct AskOption {
    pub id: &'static str,
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covers: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Queue {
    pub index: usize,
    pub total: usize,
}

#[derive(Debug, Deserialize)]
pub struct PermissionAnswer {
    pub option: String,
    pub comment: Option<String>,
    pub rule: Option<String>,
}

/// `redline/trust`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrustParams {
    pub trust_id: String,
    pub folder: String,
    pub files: Vec<String>,
    pub text: String,
    pub changed: bool,
}

#[derive(Debug, Deserialize)]
pub struct TrustAnswer {
    pub trust: bool,
}

/// `redline/question`
#[derive(Debug, Serialize)]
pub struct QuestionParams {
    pub questions: Vec<Question>,
}

#[derive(Debug, Deserialize)]
pub struct QuestionAnswers {
    pub answers: Vec<Answer>,
}

/// `redline/save`
#[derive(Debug, Serialize)]
pub struct SaveParams {
    pub uris: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct SaveResult {
    pub saved: Vec<String>,
}

/// `redline/open`
#[derive(Debug, Serialize)]
pub struct OpenParams {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    pub preview: bool,
}

/// `redline/format`
#[derive(Debug, Serialize)]
pub struct FormatParams {
    pub uri: String,
    /// The client answers with the edits and makes none.
    pub preview: bool,
}

#[derive(Debug, Deserialize)]
pub struct FormatResult {
    pub formatted: bool,
    /// Of a preview.
    #[serde(default)]
    pub edits: Option<Vec<TextEdit>>,
    /// The version that the edits are of.
    #[serde(default)]
    pub version: Option<i32>,
}

// ---- standard methods whose URIs must stay as the client wrote them

/// `textDocument/didOpen`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidOpen {
    pub text_document: OpenedDocument,
}

#[derive(Debug, Deserialize)]
pub struct OpenedDocument {
    pub uri: String,
    pub version: i32,
    pub text: String,
}

/// `textDocument/didChange`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidChange {
    pub text_document: VersionedDocument,
    pub content_changes: Vec<ContentChange>,
}

#[derive(Debug, Deserialize)]
pub struct VersionedDocument {
    pub uri: String,
    pub version: i32,
}

#[derive(Debug, Deserialize)]
pub struct ContentChange {
    pub range: Option<Range>,
    pub text: String,
}

/// `textDocument/didSave`, `textDocument/didClose`, `textDocument/codeLens`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    pub text_document: DocumentId,
}

#[derive(Debug, Deserialize)]
pub struct DocumentId {
    pub uri: String,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct CodeLens {
    pub range: Range,
    pub command: Command,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Command {
    pub title: String,
    pub command: &'static str,
    pub arguments: Vec<Value>,
}

/// `workspace/executeCommand`
#[derive(Debug, Deserialize)]
pub struct ExecuteCommand {
    pub command: String,
    #[serde(default)]
    pub arguments: Option<Vec<Value>>,
}

/// `workspace/applyEdit`
#[derive(Debug, Serialize)]
pub struct ApplyEdit {
    pub label: String,
    pub edit: WorkspaceEdit,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum WorkspaceEdit {
    /// With versions, where the client takes them.
    DocumentChanges([DocumentEdit; 1]),
    /// By URI.
    Changes(Map<String, Value>),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentEdit {
    pub text_document: EditedDocument,
    pub edits: Vec<TextEdit>,
}

#[derive(Debug, Serialize)]
pub struct EditedDocument {
    pub uri: String,
    pub version: i32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    pub range: Range,
    pub new_text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplyEditResult {
    pub applied: bool,
    pub failure_reason: Option<String>,
}
