use super::*;
use crate::tools::web::{
    search::config::WebSearch,
    server::{Server, Step, head_and, ok, redirect},
};

const SECRET: &str = "tvly-5ecret";

async fn ask(kind: &str, steps: Vec<Step>) -> (Result<Vec<Found>, String>, String) {
    ask_for(kind, steps, MAX_TIME).await
}

/// What was found, and the request.
async fn ask_for(
    kind: &str,
    steps: Vec<Step>,
    time: Duration,
) -> (Result<Vec<Found>, String>, String) {
    let server = Server::with(steps).await;
    let url = format!("http://{}/base/", server.address);
    let Ok(WebSearch::Service(service)) = WebSearch::new(kind, Some(&url), None) else {
        panic!("{kind}")
    };
    let key = Key::new(SECRET);
    let found = search(&Clients::default(), &service, key.as_ref(), "näch & words", time).await;
    let request = server.requests().first().cloned().unwrap_or_default();
    (found.map_err(|error| error.to_string()), request)
}

fn found(title: &str, url: &str, snippet: &str) -> Found {
    let own = str::to_owned;
    Found { title: own(title), url: own(url), snippet: own(snippet) }
}

#[tokio::test]
async fn searxng() {
    let body = r#"{"query": "x", "number_of_results": 0, "answers": [], "results": [
        {"title": "Vec<T>\n in  Rust", "url": "https://a.org/x", "content": "A <T> & more"},
        {"title": "no address"}, {"url": "javascript:alert(1)", "title": "bad"},
        {"url": "https://b.org", "title": null, "content": null}, 5]}"#;
    let (got, request) = ask("searxng", ok("application/json", body)).await;
    let want = [
        found("Vec<T> in Rust", "https://a.org/x", "A <T> & more"),
        found("", "https://b.org/", ""),
    ];
    assert_eq!(got.unwrap(), want);
    assert!(
        request.starts_with("GET /base/search?q=n%C3%A4ch+%26+words&format=json HTTP/1.1"),
        "{request}"
    );
    assert_eq!(ask("searxng", ok("x", r#"{"results": []}"#)).await.0, Ok(vec![]));
}

#[tokio::test]
async fn brave() {
    let body = r#"{"type": "search", "query": {}, "web": {"results": [
        {"title": "A &amp; B", "url": "https://a.org/", "description": "<strong>Words</strong> &lt;x&gt;"}]}}"#;
    let (got, request) = ask("brave", ok("application/json", body)).await;
    assert_eq!(got.unwrap(), [found("A & B", "https://a.org/", "Words <x>")]);
    let start = "GET /base/res/v1/web/search?q=n%C3%A4ch+%26+words&count=10 HTTP/1.1";
    assert!(request.starts_with(start), "{request}");
    assert!(request.contains("x-subscription-token: tvly-5ecret\r\n"), "{request}");
    assert_eq!(ask("brave", ok("x", r#"{"query": {}, "mixed": {}}"#)).await.0, Ok(vec![]));
}

#[tokio::test]
async fn tavily() {
    let body = r#"{"query": "x", "answer": null, "results": [
        {"title": "A", "url": "https://a.org/", "content": "B", "score": 0.9}]}"#;
    let (got, request) = ask("tavily", ok("application/json", body)).await;
    assert_eq!(got.unwrap(), [found("A", "https://a.org/", "B")]);
    assert!(request.starts_with("POST /base/search HTTP/1.1"), "{request}");
    assert!(request.contains("authorization: Bearer tvly-5ecret\r\n"), "{request}");
    assert!(request.ends_with(r#"{"query":"näch & words","max_results":10}"#), "{request}");
}

#[tokio::test]
async fn results_are_bounded() {
    let long = "word ".repeat(1_000);
    let one =
        |n: usize| json!({"title": long, "url": format!("https://a.org/{n}"), "content": long});
    let far = json!({"title": "x", "url": format!("https://a.org/{}", "x".repeat(2_000))});
    let list: Vec<Value> = std::iter::once(far).chain((0..50).map(one)).collect();
    let (got, _) = ask("tavily", ok("x", json!({"results": list}).to_string())).await;
    let got = got.unwrap();
    assert_eq!(got.len(), MAX_RESULTS);
    for found in got {
        assert_eq!(found.title.chars().count(), MAX_TITLE + 1);
        assert_eq!(found.snippet.chars().count(), MAX_SNIPPET + 1);
    }
}

#[tokio::test]
async fn failures_say_what_to_do_and_no_secret() {
    let cases = [
        ("brave", head_and("401 Unauthorized", SECRET), "Brave does not accept the key (HTTP 401"),
        (
            "tavily",
            head_and("403 Forbidden", SECRET),
            "environment variable that redline.webSearch",
        ),
        ("searxng", head_and("403 Forbidden", ""), "search.formats: [html, json]"),
        ("brave", head_and("429 Too Many Requests", ""), "wants fewer searches"),
        ("tavily", head_and("432 Plan", ""), "its quota is used up"),
        ("brave", head_and("422 Unprocessable Entity", SECRET), "try a shorter or simpler query"),
        ("searxng", head_and("502 Bad Gateway", ""), "SearXNG has a fault (HTTP 502"),
        ("searxng", head_and("404 Not Found", ""), "is not SearXNG (HTTP 404 Not Found)"),
        ("tavily", redirect(302, "http://example.com/"), "is not Tavily (HTTP 302 Found)"),
        ("searxng", ok("text/html", "<html>"), "is not SearXNG (HTTP 200 OK, no results)"),
        ("brave", ok("x", "{}"), "no results"),
        ("brave", ok("x", r#"{"web": 5}"#), "no results"),
        ("tavily", ok("x", "[]"), "no results"),
        ("tavily", ok("x", b"\xff\xfe\0"), "no results"),
        ("searxng", ok("x", "[".repeat(100_000)), "no results"),
        ("searxng", ok("x", "x".repeat(MAX_ANSWER + 1)), "far too much"),
        ("searxng", head_and("200 OK\r\nContent-Length: 99", "{"), "SearXNG cannot be asked:"),
        ("searxng", vec![], "SearXNG cannot be asked:"),
        ("brave", vec![Step::Send("SSH-2.0\r\n".into())], "Brave cannot be asked:"),
    ];
    for (kind, steps, want) in cases {
        let said = ask(kind, steps).await.0.unwrap_err();
        assert!(said.contains(want) && !said.contains("5ecret"), "{want}: {said}");
        assert!(!said.contains("words"), "the address is not in it: {said}");
    }
    assert!(!format!("{:?}", Key::new(SECRET)).contains("5ecret"));
    for none in ["", " ", "a\nb", "a\0"] {
        assert!(Key::new(none).is_none(), "{none:?}");
    }
}

#[tokio::test]
async fn a_service_that_is_silent() {
    for steps in [vec![Step::Hang], [ok("x", "{"), vec![Step::Hang]].concat()] {
        let said = ask_for("brave", steps, Duration::from_secs(1)).await.0.unwrap_err();
        assert_eq!(said, "Brave did not answer within 1 s; try again later");
    }
}
