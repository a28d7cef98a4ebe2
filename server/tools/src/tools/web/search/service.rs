//! Asking a service, and reading what it found.

use std::{fmt, time::Duration};

use reqwest::{
    Request, Response, StatusCode, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue},
};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::config::{SearchService, ServiceKind};
use crate::tools::web::{
    client::{Clients, causes},
    html,
};

/// For an answer, all of it.
pub(super) const MAX_TIME: Duration = Duration::from_secs(30);
/// Bytes of an answer.
const MAX_ANSWER: usize = 2 * 1024 * 1024;
/// Results of a search.
pub(super) const MAX_RESULTS: usize = 10;
/// Chars of a title.
const MAX_TITLE: usize = 200;
/// Chars of a snippet.
pub(super) const MAX_SNIPPET: usize = 500;
/// Bytes of an address; a result with a longer one is left out.
const MAX_URL: usize = 1_000;

/// A key. Its value is in no text that is made of it.
#[derive(Clone)]
pub(super) struct Key(String);

impl Key {
    /// `None`: it is empty, or no header can hold it.
    pub fn new(value: &str) -> Option<Self> {
        let value = value.trim();
        let fits = !value.is_empty() && HeaderValue::from_str(value).is_ok();
        fits.then(|| Self(value.to_owned()))
    }

    fn header(&self, before: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("{before}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub title: String,
    pub url: String,
    pub snippet: String,
}

/// Why a search failed. The name is the service's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum SearchError {
    #[error("{0} cannot be asked: {1}. The user can look at redline.webSearch and the network.")]
    Unreachable(&'static str, String),
    #[error("{0} did not answer within {1} s; try again later")]
    Silent(&'static str, u64),
    #[error(
        "{0} does not accept the key (HTTP {1}); the user has to put a valid one into the \
         environment variable that redline.webSearch names in keyEnv"
    )]
    Key(&'static str, StatusCode),
    #[error(
        "SearXNG refuses the search (HTTP 403); the user has to allow its JSON format: in its \
         settings.yml, search.formats: [html, json]"
    )]
    Format,
    #[error(
        "{0} wants fewer searches (HTTP 429), or its quota is used up; wait, or read pages that you know"
    )]
    Limit(&'static str),
    #[error("{0} does not accept this search (HTTP {1}); try a shorter or simpler query")]
    Query(&'static str, StatusCode),
    #[error("{0} has a fault (HTTP {1}); try again later")]
    Fault(&'static str, StatusCode),
    #[error(
        "what answers at the address of {0} is not {0} (HTTP {1}{2}); the user can look at \
         redline.webSearch"
    )]
    Nonsense(&'static str, StatusCode, &'static str),
}

/// Asks a service, which may take `time`. Dropping the future ends it at once.
pub(super) async fn search(
    clients: &Clients,
    service: &SearchService,
    key: Option<&Key>,
    query: &str,
    time: Duration,
) -> Result<Vec<Found>, SearchError> {
    let name = service.kind.name();
    let asked = async {
        let client = clients.of_user(&service.url).await;
        let client = client.map_err(|error| SearchError::Unreachable(name, error.to_string()))?;
        let response = client.execute(request(service, key, query)).await;
        let response = response.map_err(|error| SearchError::Unreachable(name, causes(&error)))?;
        let status = response.status();
        if let Some(error) = refusal(service.kind, status) {
            return Err(error);
        }
        let answer = body(response, name).await?;
        let answer = answer.ok_or(SearchError::Nonsense(name, status, ", far too much"))?;
        results(service.kind, &answer).ok_or(SearchError::Nonsense(name, status, ", no results"))
    };
    timeout(time, asked).await.unwrap_or(Err(SearchError::Silent(name, time.as_secs())))
}

fn request(service: &SearchService, key: Option<&Key>, query: &str) -> Request {
    let count = MAX_RESULTS.to_string();
    let base = service.url.url();
    let (mut request, auth) = match service.kind {
        ServiceKind::Searxng => {
            (get(at(base, "search"), &[("q", query), ("format", "json")]), None)
        }
        ServiceKind::Brave => {
            let auth = HeaderName::from_static("x-subscription-token");
            let asked = [("q", query), ("count", count.as_str())];
            (get(at(base, "res/v1/web/search"), &asked), Some((auth, "")))
        }
        ServiceKind::Tavily => {
            let asked = json!({"query": query, "max_results": MAX_RESULTS});
            (post(at(base, "search"), &asked), Some((AUTHORIZATION, "Bearer ")))
        }
    };
    let headers = request.headers_mut();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    if let (Some((name, before)), Some(key)) = (auth, key)
        && let Some(value) = key.header(before)
    {
        headers.insert(name, value);
    }
    request
}

/// A path under an address: the service may be in a folder of its server.
fn at(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    let folder = base.path().trim_end_matches('/');
    url.set_path(&format!("{folder}/{path}"));
    url
}

fn get(mut url: Url, asked: &[(&str, &str)]) -> Request {
    url.query_pairs_mut().extend_pairs(asked);
    Request::new(reqwest::Method::GET, url)
}

fn post(url: Url, asked: &Value) -> Request {
    let mut request = Request::new(reqwest::Method::POST, url);
    request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    *request.body_mut() = Some(asked.to_string().into());
    request
}

fn refusal(kind: ServiceKind, status: StatusCode) -> Option<SearchError> {
    let name = kind.name();
    Some(match (status.as_u16(), kind) {
        (200..=299, _) => return None,
        (403, ServiceKind::Searxng) => SearchError::Format,
        (401 | 403, _) => SearchError::Key(name, status),
        // 432 and 433 are Tavily's, for the plan and for what was paid.
        (402 | 429 | 432 | 433, _) => SearchError::Limit(name),
        (400 | 413 | 414 | 422, _) => SearchError::Query(name, status),
        (500.., _) => SearchError::Fault(name, status),
        _ => SearchError::Nonsense(name, status, ""),
    })
}

/// `None`: it is longer than any answer.
async fn body(mut response: Response, name: &'static str) -> Result<Option<Vec<u8>>, SearchError> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(None) => return Ok(Some(body)),
            Ok(Some(chunk)) if body.len() + chunk.len() <= MAX_ANSWER => {
                body.extend_from_slice(&chunk);
            }
            Ok(Some(_)) => return Ok(None),
            Err(error) => return Err(SearchError::Unreachable(name, causes(&error))),
        }
    }
}

/// `None`: it is no answer of that service.
fn results(kind: ServiceKind, answer: &[u8]) -> Option<Vec<Found>> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let answer = answer.as_object()?;
    let (list, snippet) = match kind {
        ServiceKind::Searxng | ServiceKind::Tavily => {
            (answer.get("results")?.as_array()?, "content")
        }
        ServiceKind::Brave => match answer.get("web") {
            Some(web) => (web.get("results")?.as_array()?, "description"),
            // It leaves out what it has nothing for.
            None => return answer.contains_key("query").then(Vec::new),
        },
    };
    let marked = kind == ServiceKind::Brave;
    let found = list.iter().filter_map(|result| found(result, snippet, marked));
    Some(found.take(MAX_RESULTS).collect())
}

/// `marked`: titles and snippets are HTML.
fn found(result: &Value, snippet: &str, marked: bool) -> Option<Found> {
    let text = |name: &str| result.get(name).and_then(Value::as_str).unwrap_or_default();
    let line = |name: &str, limit| {
        let text = text(name);
        one_line(&if marked { html::words(text) } else { text.to_owned() }, limit)
    };
    let url =
        Url::parse(text("url")).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let url = Some(url.to_string()).filter(|url| url.len() <= MAX_URL)?;
    Some(Found { title: line("title", MAX_TITLE), url, snippet: line(snippet, MAX_SNIPPET) })
}

fn one_line(text: &str, limit: usize) -> String {
    let is_gap = |char: char| char.is_whitespace() || char.is_control();
    let words: Vec<&str> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    match line.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
mod tests;
