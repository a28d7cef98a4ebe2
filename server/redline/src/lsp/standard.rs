//! Shapes of standard LSP (3.17) that only plain clients get. Nothing outside `lsp` sees them.

use redline_text::PositionRange as Range;
use serde::{Deserialize, Serialize, Serializer};

use super::protocol::{Command, DocumentId};

/// `textDocument/publishDiagnostics`. Without a version: the newest one counts, whatever the client
/// has typed meanwhile (Helix drops those of another version, and an equal one does not come again).
#[derive(Debug, Serialize)]
pub struct PublishDiagnostics<'a> {
    pub uri: &'a str,
    pub diagnostics: &'a [Diagnostic],
}

/// One diagnostic.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnostic {
    pub range: Range,
    pub severity: Severity,
    pub code: String,
    pub source: &'static str,
    pub message: String,
}

/// LSP's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Warning = 2,
    Information = 3,
    Hint = 4,
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

/// `textDocument/codeAction`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeActionParams {
    pub text_document: DocumentId,
    pub range: Range,
    #[serde(default)]
    pub context: Option<CodeActionContext>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeActionContext {
    #[serde(default)]
    pub only: Option<Vec<String>>,
    /// 1: the user asked, 2: the editor did.
    #[serde(default)]
    pub trigger_kind: Option<u32>,
}

/// What `textDocument/codeAction` is answered with, one of a list.
#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Offer {
    /// For clients with `codeActionLiteralSupport`.
    Action(CodeAction),
    /// For the others.
    Command(Command),
}

#[derive(Debug, PartialEq, Serialize)]
pub struct CodeAction {
    pub title: String,
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
    pub command: Command,
}

/// `textDocument/hover`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HoverParams {
    pub text_document: DocumentId,
    pub position: redline_text::Position,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Hover {
    pub contents: Markup,
    pub range: Range,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Markup {
    pub kind: MarkupKind,
    pub value: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkupKind {
    Markdown,
    #[default]
    PlainText,
}

/// `window/showMessageRequest`
#[derive(Debug, Serialize)]
pub struct ShowMessageRequest {
    #[serde(rename = "type")]
    pub kind: u8,
    pub message: String,
    pub actions: Vec<MessageAction>,
}

#[derive(Debug, Serialize)]
pub struct MessageAction {
    pub title: String,
}

/// `window/showDocument`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowDocument {
    pub uri: String,
    pub external: bool,
    pub take_focus: bool,
}
