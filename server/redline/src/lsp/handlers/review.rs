//! Looking at proposals and deciding them.

use redline_layers::{Projection, ThreadId};
use redline_workspace::{ResolveError, ResolveRequest, Workspace, WorkspacePath};
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};

use crate::lsp::{
    from_proto, protocol as wire,
    server::{House, Server},
    to_proto,
};

/// `redline/resolve`: decided in the order of arrival, answered when it is confirmed.
pub async fn resolve(server: &Server, params: Value) -> Result<wire::ResolveResult> {
    let house = server.house()?;
    let (request, unknown) = from_proto::resolve(from_proto::params(params)?, &house.workspace)?;
    decide(house, request, unknown).await
}

/// Decides; ids that name no hunk are stale.
pub async fn decide(
    house: &House,
    request: ResolveRequest,
    unknown: Vec<String>,
) -> Result<wire::ResolveResult> {
    let only_unknown = !unknown.is_empty() && request.hunks.as_ref().is_some_and(Vec::is_empty);
    if only_unknown {
        return Ok(wire::ResolveResult { stale: unknown, ..wire::ResolveResult::default() });
    }
    let resolved = house.workspace.resolve(request).await.map_err(refused)?;
    let mut result = to_proto::resolved(resolved);
    result.stale.extend(unknown);
    Ok(result)
}

fn refused(error: ResolveError) -> Error {
    match error {
        ResolveError::FinalTextNeedsOneHunk | ResolveError::FinalTextNeedsAccept => {
            from_proto::bad("finalText", error)
        }
        ResolveError::RevisionNeedsUri => from_proto::bad("revision", error),
        ResolveError::NothingThere(_) => from_proto::failed(error),
    }
}

/// `redline/reviews`
pub async fn reviews(server: &Server, _: Value) -> Result<wire::ReviewsResult> {
    let house = server.house()?;
    let reviews = house.workspace.query(|session| session.reviews());
    let encoding = house.client.encoding;
    let files = reviews.iter().map(|review| to_proto::review(review, encoding)).collect();
    Ok(wire::ReviewsResult { files })
}

/// `redline/content`; null: the session does not hold the file.
pub async fn content(server: &Server, params: Value) -> Result<Option<wire::ContentResult>> {
    let house = server.house()?;
    let params: wire::ContentParams = from_proto::params(params)?;
    let file = from_proto::file(&house.workspace, "uri", &params.uri)?;
    let projection = match params.projection {
        wire::Projection::Editor => Projection::Editor,
        wire::Projection::Base => Projection::Base,
        wire::Projection::Agent => match params.thread_id {
            Some(thread) => Projection::Agent(ThreadId::from(thread.as_str())),
            None => proposer(&house.workspace, &file),
        },
    };
    let text = house.workspace.query(|session| session.content(&file, &projection));
    Ok(text.map(|text| wire::ContentResult { text }))
}

/// Without a thread: the one of the file's first hunk, else nobody proposes anything.
fn proposer(workspace: &Workspace, file: &WorkspacePath) -> Projection {
    let review = workspace.query(|session| session.review(file));
    let hunk = review.and_then(|review| review.hunks.into_iter().next());
    hunk.map_or(Projection::Editor, |hunk| Projection::Agent(hunk.origin.thread))
}

/// `redline/status`
pub async fn status(server: &Server, _: Value) -> Result<wire::StatusResult> {
    let house = server.house()?;
    let counts = house.workspace.query(|session| session.counts());
    let settings = house.agent.settings();
    let model = settings.model.as_deref().or(settings.provider_name()).unwrap_or_default();
    let log_file = house.log.file().map(|path| path.display().to_string());
    Ok(wire::StatusResult {
        pending_hunks: counts.pending_hunks,
        pending_files: counts.pending_files,
        asks: counts.asks,
        model: model.to_owned(),
        dialect: settings.dialect.name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        log_file: log_file.unwrap_or_default(),
    })
}
