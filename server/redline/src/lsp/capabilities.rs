//! The answer to `initialize`.

use serde_json::json;
use tower_lsp::lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    ExecuteCommandOptions, HoverProviderCapability, InitializeResult, PositionEncodingKind,
    SaveOptions, ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
};

use super::{
    client::{Client, encoding_name},
    handlers::command::COMMANDS,
    plain::actions,
};

/// What this server does for that client. A client that draws reviews itself is offered neither
/// lenses, actions, hovers nor commands: it has its own.
pub fn answer(client: &Client) -> InitializeResult {
    let plain = client.is_plain();
    let lenses = CodeLensOptions { resolve_provider: Some(false) };
    let commands = COMMANDS.iter().map(|name| (*name).to_owned()).collect();
    let commands = ExecuteCommandOptions { commands, ..ExecuteCommandOptions::default() };
    let capabilities = ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::new(encoding_name(client.encoding))),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync())),
        code_lens_provider: plain.then_some(lenses),
        code_action_provider: plain.then(|| offers(client)),
        hover_provider: plain.then_some(HoverProviderCapability::Simple(true)),
        execute_command_provider: plain.then_some(commands),
        experimental: Some(json!({ "redline": { "version": 1 } })),
        ..ServerCapabilities::default()
    };
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    InitializeResult {
        capabilities,
        server_info: Some(ServerInfo { name: "redline".to_owned(), version }),
    }
}

/// A client without action literals does not know kinds.
fn offers(client: &Client) -> CodeActionProviderCapability {
    if !client.action_literals {
        return CodeActionProviderCapability::Simple(true);
    }
    CodeActionProviderCapability::Options(CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::new(actions::KIND)]),
        ..CodeActionOptions::default()
    })
}

fn sync() -> TextDocumentSyncOptions {
    TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
            include_text: Some(false),
        })),
        ..TextDocumentSyncOptions::default()
    }
}
