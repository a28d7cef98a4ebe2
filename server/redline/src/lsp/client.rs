//! What a client can do, from `initialize`.

use redline_text::Encoding;
use serde::Deserialize;
use serde_json::Value;

use super::{protocol::Declared, standard::MarkupKind};

/// The client's side of the agreement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Client {
    /// The parts of our protocol that it speaks.
    pub declared: Declared,
    /// What `Position::character` counts.
    pub encoding: Encoding,
    /// Takes `workspace/applyEdit` at all.
    pub apply_edit: bool,
    /// Takes versioned edits.
    pub document_changes: bool,
    /// Takes `workspace/codeLens/refresh`.
    pub lens_refresh: bool,
    /// Shows `$/progress` of ours.
    pub progress: bool,
    /// Answers `workspace/configuration`.
    pub configuration: bool,
    /// Shows `textDocument/publishDiagnostics`.
    pub diagnostics: bool,
    /// Takes code actions that are more than commands.
    pub action_literals: bool,
    /// Answers `window/showDocument`.
    pub show_document: bool,
    /// What it likes a hover to be written in.
    pub hover: MarkupKind,
}

impl Client {
    /// From the `capabilities` of `initialize`.
    pub fn new(capabilities: &Value) -> Self {
        let can = |pointer: &str| capabilities.pointer(pointer) == Some(&Value::Bool(true));
        let has = |pointer: &str| capabilities.pointer(pointer).is_some_and(Value::is_object);
        let declared = capabilities.pointer("/experimental/redline");
        let markdown = capabilities.pointer("/textDocument/hover/contentFormat/0")
            == Some(&Value::from("markdown"));
        Self {
            declared: declared
                .map(|said| Declared::deserialize(said).unwrap_or_default())
                .unwrap_or_default(),
            encoding: encoding(capabilities.pointer("/general/positionEncodings")),
            apply_edit: can("/workspace/applyEdit"),
            document_changes: can("/workspace/workspaceEdit/documentChanges"),
            lens_refresh: can("/workspace/codeLens/refreshSupport"),
            progress: can("/window/workDoneProgress"),
            configuration: can("/workspace/configuration"),
            diagnostics: has("/textDocument/publishDiagnostics"),
            action_literals: has("/textDocument/codeAction/codeActionLiteralSupport"),
            show_document: can("/window/showDocument/support"),
            hover: if markdown { MarkupKind::Markdown } else { MarkupKind::PlainText },
        }
    }
}

impl Client {
    /// Whether it sees reviews by standard LSP only.
    pub fn is_plain(&self) -> bool {
        !self.declared.review
    }
}

/// UTF-16 unless the client offers others and not that one: an editor that talks to several servers
/// warns when their encodings differ, and every server speaks UTF-16.
fn encoding(offered: Option<&Value>) -> Encoding {
    let known = |name: &Value| Encoding::deserialize(name).ok();
    let offered: Vec<Encoding> =
        offered.and_then(Value::as_array).into_iter().flatten().filter_map(known).collect();
    match offered.first() {
        Some(first) if !offered.contains(&Encoding::Utf16) => *first,
        _ => Encoding::Utf16,
    }
}

/// The name on the wire.
pub fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Utf16 => "utf-16",
        Encoding::Utf32 => "utf-32",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn utf_16_unless_it_is_not_offered() {
        for (offered, want) in [
            (json!(null), Encoding::Utf16),
            (json!([]), Encoding::Utf16),
            (json!(["utf-8", "utf-16"]), Encoding::Utf16),
            (json!(["utf-8", "utf-32"]), Encoding::Utf8),
            (json!(["utf-7", 3, "utf-32"]), Encoding::Utf32),
            (json!("utf-8"), Encoding::Utf16),
        ] {
            let capabilities = json!({"general": {"positionEncodings": offered}});
            assert_eq!(Client::new(&capabilities).encoding, want, "{capabilities}");
        }
    }

    #[test]
    fn a_plain_client_declares_nothing() {
        let plain = Client::new(&json!({"experimental": {"other": {}}}));
        assert_eq!(plain, Client::default());
        let ours = json!({"experimental": {"redline": {"threadEvents": true, "new": true}}});
        assert!(Client::new(&ours).declared.thread_events);
    }
}
