//! Commands about grants and trust.

use std::path::PathBuf;

use redline_permissions::{Rule, Source};
use redline_workspace::{Event, GrantStore, LogLevel, grants::allowing};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;

use crate::lsp::{from_proto, server::House};

/// `redline.grants`: what the user has granted, for the session and saved.
pub async fn list(house: &House) -> Result<Value> {
    let session = session(house);
    let store = house.workspace.grants().cloned();
    let file = store.as_ref().map(|store| store.path().display().to_string());
    let saved = match store {
        Some(store) => blocking(move || store.read().map_err(|error| error.to_string())).await?,
        None => Vec::new(),
    };
    let saved = saved.iter().enumerate().map(|(at, grant)| {
        json!({
            "number": at + 1,
            "rule": grant.rule.to_string(),
            "folder": grant.folder,
            "savedAt": grant.saved_at,
        })
    });
    let session = session.iter().map(|rule| json!({ "rule": rule.to_string() }));
    Ok(json!({
        "session": session.collect::<Vec<_>>(),
        "saved": saved.collect::<Vec<_>>(),
        "file": file,
    }))
}

fn session(house: &House) -> Vec<Rule> {
    house.workspace.query(|session| {
        let grants = session.config().policy.grants().iter();
        let own = grants.filter(|grant| matches!(grant.source, Source::SessionGrant { .. }));
        own.map(|grant| grant.rule.clone()).collect()
    })
}

/// `redline.revoke`: takes back what was granted in these words: for the session, for the folders of
/// this workspace and for everywhere.
pub async fn revoke(house: &House, text: &str) -> Result<Value> {
    let rules = allowing(text).map_err(|why| from_proto::bad("arguments[0]", why))?;
    let mut count = 0;
    for rule in session(house).into_iter().filter(|rule| rules.contains(rule)) {
        count += 1;
        house.workspace.post(Event::Revoked { rule });
    }
    if let Some(store) = house.workspace.grants().cloned() {
        let roots = house.workspace.roots();
        count += blocking(move || revoked(&store, &rules, &roots)).await?;
        let settings = house.settings.clone();
        blocking(move || {
            settings.refresh();
            Ok(())
        })
        .await?;
    }
    match count {
        0 => Err(from_proto::failed("there is no such grant; redline.grants lists them")),
        count => Ok(json!({ "revoked": count })),
    }
}

fn revoked(
    store: &GrantStore,
    rules: &[Rule],
    roots: &[PathBuf],
) -> std::result::Result<usize, String> {
    let gone = store.revoke(|_, grant| {
        let here = grant.folder.as_ref().is_none_or(|folder| roots.contains(folder));
        here && rules.contains(&grant.rule)
    });
    gone.map(|gone| gone.len()).map_err(|error| error.to_string())
}

/// `redline.trust`: asks once more whether a folder (or any of them) is to be trusted.
pub async fn trust(house: &House, folder: Option<&str>) -> Result<Value> {
    let folder = match folder {
        None => None,
        Some(written) => Some(root(house, written)?),
    };
    let settings = house.settings.clone();
    let asked = settings.clone();
    if blocking(move || Ok(asked.is_restricted())).await? {
        let why = "your editor does not trust this workspace (it says `trusted: false`): trust it there \
                   first";
        return Err(from_proto::failed(why));
    }
    let asks = blocking(move || Ok(settings.ask_trust(folder.as_deref()))).await?;
    if !asks {
        let text = "There is nothing to trust: no folder's own settings would count for more than \
                    they do.";
        house.log.tell(LogLevel::Info, text);
    }
    Ok(Value::Bool(asks))
}

fn root(house: &House, written: &str) -> Result<PathBuf> {
    let path = crate::lsp::uri::to_path(written).unwrap_or_else(|| written.to_owned());
    let path = PathBuf::from(path);
    let path = path.canonicalize().unwrap_or(path);
    let roots = house.workspace.roots();
    if roots.contains(&path) {
        return Ok(path);
    }
    let roots: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
    let why = format!("{written:?} is no folder of this workspace; there are {}", roots.join(", "));
    Err(from_proto::bad("arguments[0]", why))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::result::Result<T, String> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await.map_err(from_proto::failed)?;
    done.map_err(from_proto::failed)
}
