//! Standard requests by which plain clients look at proposals.

use redline_workspace::Review;
use serde_json::Value;
use tower_lsp::jsonrpc::Result;

use crate::lsp::{
    from_proto,
    plain::{Lines, actions, hover, lenses},
    protocol as wire,
    server::{House, Server},
    standard,
};

/// LSP's `CodeActionTriggerKind.Automatic`.
const AUTOMATIC: u32 = 2;

/// `textDocument/codeLens`
pub async fn code_lens(server: &Server, params: Value) -> Result<Vec<wire::CodeLens>> {
    let house = server.house()?;
    let params: wire::Document = from_proto::params(params)?;
    let review = review(house, &params.text_document.uri);
    Ok(review.map(|review| lenses::lenses(&review)).unwrap_or_default())
}

/// `textDocument/codeAction`
pub async fn code_action(server: &Server, params: Value) -> Result<Vec<standard::Offer>> {
    let house = server.house()?;
    let params: standard::CodeActionParams = from_proto::params(params)?;
    let context = params.context.unwrap_or_default();
    let uri = params.text_document.uri;
    let review = review(house, &uri);
    let all = house.workspace.query(|session| session.reviews());
    let here = review.as_ref().map(|review| &review.file);
    let elsewhere = all.iter().filter(|review| Some(&review.file) != here);
    let asked = actions::Asked {
        lines: Lines::of(params.range),
        only: context.only.as_deref(),
        invoked: context.trigger_kind != Some(AUTOMATIC),
        literals: house.client.action_literals,
        encoding: house.client.encoding,
        shows: house.client.show_document,
    };
    Ok(actions::actions(review.as_ref(), elsewhere.map(actions::pending).sum(), &uri, asked))
}

/// `textDocument/hover`
pub async fn hover(server: &Server, params: Value) -> Result<Option<standard::Hover>> {
    let house = server.house()?;
    let params: standard::HoverParams = from_proto::params(params)?;
    let (encoding, kind) = (house.client.encoding, house.client.hover);
    let review = review(house, &params.text_document.uri);
    Ok(review.and_then(|review| hover::hover(&review, params.position.line, encoding, kind)))
}

/// A document that names no file has no review.
fn review(house: &House, uri: &str) -> Option<Review> {
    let file = from_proto::file(&house.workspace, "uri", uri).ok()?;
    house.workspace.query(|session| session.review(&file))
}
