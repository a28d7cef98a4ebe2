//! `web_search` (seeds 000 and 001 name it; seed 002, `web_search`, has its schema).

mod config;
mod service;

use serde_json::{Value, json};

use self::service::{Found, Key, MAX_RESULTS, MAX_SNIPPET, MAX_TIME, search};
use super::client::Clients;
use crate::{ExecutionProfile, ToolContext, ToolDefinition, ToolResult, ToolSpec, tools::text};

pub use self::config::{SearchService, WebSearch, WebSearchError};

/// Chars of a query.
const MAX_QUERY: usize = 400;

/// The tool. Amp and Agent Air have it with the same schema, so that all families are offered one.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin("web_search", None, DESCRIPTION, schema()).limits(limits());
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(|_| Vec::new()))
}

const DESCRIPTION: &str = "Search the web. Returns titles, addresses and snippets of the pages that \
fit best; read one with read_web_page.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"query": {"type": "string", "description": "The search query"}},
        "required": ["query"]
    })
}

fn limits() -> String {
    format!(
        "{MAX_RESULTS} results with snippets of {MAX_SNIPPET} characters; queries of {MAX_QUERY} \
         characters; {} s",
        MAX_TIME.as_secs()
    )
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let query = text(&args, "query").split_whitespace().collect::<Vec<_>>().join(" ");
    if query.is_empty() || query.chars().any(char::is_control) {
        return ToolResult::error("query: give the words to search for, as plain text.");
    }
    if query.chars().count() > MAX_QUERY {
        let message = format!("query: it is longer than {MAX_QUERY} characters; give fewer words.");
        return ToolResult::error(message);
    }
    let service = match &context.settings.web_search {
        // Seed 002: "The execute() method is a no-op that returns an empty string."
        Some(WebSearch::Native) => return ToolResult::done(""),
        Some(WebSearch::Service(service)) => service,
        None => return ToolResult::error(UNSET),
    };
    let key = match key(service) {
        Ok(key) => key,
        Err(message) => return ToolResult::error(message),
    };
    let clients = context.state::<Clients>();
    match search(&clients, service, key.as_ref(), &query, MAX_TIME).await {
        Ok(found) => ToolResult::done(listed(&found)),
        Err(error) => ToolResult::error(error.to_string()),
    }
}

const UNSET: &str = "No web search is configured.\nThe user can configure one in their own \
settings.json (not in a repository's), for example their SearXNG server:\n\
  \"redline.webSearch\": {\"provider\": \"searxng\", \"url\": \"http://localhost:8888\"}\n\
or a service whose key is in an environment variable:\n\
  \"redline.webSearch\": {\"provider\": \"brave\", \"keyEnv\": \"BRAVE_API_KEY\"}\n\
  \"redline.webSearch\": {\"provider\": \"tavily\", \"keyEnv\": \"TAVILY_API_KEY\"}\n\
or \"native\", the model's own search. Until then read pages whose address you know with \
read_web_page.";

/// The key of a service that has one, from the environment.
fn key(service: &SearchService) -> Result<Option<Key>, String> {
    let Some(name) = &service.key_env else { return Ok(None) };
    let value = std::env::var(name).ok().and_then(|value| Key::new(&value));
    value.map(Some).ok_or_else(|| {
        format!(
            "The environment variable {name} does not hold a key for {}; the user has to set it \
             where Redline is started from.",
            service.kind.name()
        )
    })
}

/// Numbered, an empty line between two.
fn listed(found: &[Found]) -> String {
    if found.is_empty() {
        return "No results found. Try other or fewer words.".to_owned();
    }
    let listed = found.iter().enumerate().map(|(index, found)| {
        let Found { title, url, snippet } = found;
        let title = if title.is_empty() { url } else { title };
        let snippet = if snippet.is_empty() { String::new() } else { format!("\n   {snippet}") };
        format!("{}. {title}\n   {url}{snippet}", index + 1)
    });
    listed.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests;
