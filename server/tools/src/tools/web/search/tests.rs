use std::sync::{Arc, atomic::Ordering};

use super::*;
use crate::{
    Dialect, Scope, ToolCall, ToolSettings, builtin,
    fixture::{Fixture, done, message, until},
    testing::TestHost,
    tools::web::server::{Server, Step, ok},
};

fn with(search: Option<WebSearch>) -> Fixture {
    let f = Fixture::with(&[], "", TestHost::default(), builtin());
    f.tools.configure(ToolSettings { web_search: search, ..ToolSettings::default() });
    f
}

fn searxng(server: &Server) -> Fixture {
    with(Some(WebSearch::new("searxng", Some(&server.url("")), None).unwrap()))
}

#[tokio::test]
async fn results_are_numbered() {
    let body = r#"{"results": [{"title": "A", "url": "https://a.org/", "content": "About a."},
                               {"title": "", "url": "https://b.org/"}]}"#;
    let server = Server::with(ok("application/json", body)).await;
    let f = searxng(&server);
    let want = "1. A\n   https://a.org/\n   About a.\n\n2. https://b.org/\n   https://b.org/";
    // Allowed by the built-in rules, and on this machine because the user named it.
    assert_eq!(done(&f.call("web_search", json!({"query": " a\n b "})).await), want);
    assert!(server.requests()[0].starts_with("GET /search?q=a+b&format=json "));
    let server = Server::with(ok("x", r#"{"results": []}"#)).await;
    let none = searxng(&server).call("web_search", json!({"query": "x"})).await;
    assert_eq!(done(&none), "No results found. Try other or fewer words.");
}

#[tokio::test]
async fn without_a_provider_it_says_how_to_get_one() {
    let result = with(None).call("web_search", json!({"query": "x"})).await;
    let said = message(&result);
    assert!(said.starts_with("No web search is configured.\n"), "{said}");
    for part in ["searxng", "keyEnv", "BRAVE_API_KEY", "tavily", "native", "redline.webSearch"] {
        assert!(said.contains(part), "{part}");
    }
}

#[tokio::test]
async fn the_models_own_search_is_seed_002s_empty_result() {
    let f = with(Some(WebSearch::Native));
    assert_eq!(done(&f.call("web_search", json!({"query": "x"})).await), "");
    let scope = Scope { dialect: Dialect::AgentAir, ..f.scope.clone() };
    let (id, name, args) = ("c".to_owned(), "web_search".to_owned(), json!({"query": "x"}));
    let results = f.tools.run(&scope, vec![ToolCall { id, name, args }], &|_| {}).await;
    assert_eq!(results, [ToolResult::done("")]);
}

#[tokio::test]
async fn a_key_that_is_not_there() {
    let name = "REDLINE_TEST_NO_SUCH_KEY";
    let f = with(Some(WebSearch::new("brave", None, Some(name)).unwrap()));
    let result = f.call("web_search", json!({"query": "x"})).await;
    let want = "The environment variable REDLINE_TEST_NO_SUCH_KEY does not hold a key for Brave";
    assert!(message(&result).starts_with(want), "{result}");
}

#[tokio::test]
async fn bad_arguments() {
    let f = with(None);
    for (args, want) in [
        (json!({}), "web_search: \"query\" is missing; it must be a string."),
        (json!({"query": 5}), "web_search: \"query\" must be a string, but is the number 5."),
        (json!({"query": ["a"]}), "must be a string"),
        (json!({"query": ""}), "query: give the words to search for"),
        (json!({"query": " \n\t "}), "query: give the words to search for"),
        (json!({"query": "a\0b"}), "query: give the words to search for"),
        (json!({"query": "x".repeat(10 << 20)}), "query: it is longer than 400 characters"),
    ] {
        let result = f.call("web_search", args).await;
        assert!(message(&result).contains(want), "{want}: {result}");
    }
}

#[tokio::test]
async fn a_cancel_ends_it_at_once() {
    let server = Server::with(vec![Step::Hang]).await;
    let f = Arc::new(searxng(&server));
    let call = tokio::spawn({
        let f = f.clone();
        async move { f.call("web_search", json!({"query": "x"})).await }
    });
    until("the request", || server.requests().len() == 1).await;
    f.scope.cancel.cancel();
    assert_eq!(call.await.unwrap(), json!({"status": "cancelled"}));
    until("the connection ends", || server.left.load(Ordering::SeqCst) == 1).await;
}
