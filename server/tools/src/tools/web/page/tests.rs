use std::sync::{Arc, atomic::Ordering};

use serde_json::json;

use super::*;
use crate::{
    builtin,
    fixture::{Fixture, done, message, until},
    testing::TestHost,
    tools::web::server::{Server, Step, gzipped, head_and, ok, redirect},
};

fn with(rules: &str) -> Fixture {
    Fixture::with(&[], rules, TestHost::default(), builtin())
}

/// A rule of the user's names the servers of these tests.
fn named() -> Fixture {
    with("allow read_web_page --url 'http://127.0.0.1:*'")
}

async fn read(f: &Fixture, url: &str) -> Value {
    f.call("read_web_page", json!({"url": url})).await
}

/// What is read of one answer, the server's address replaced.
async fn page(steps: Vec<Step>) -> String {
    let server = Server::with(steps).await;
    let result = read(&named(), &server.url("/a/b")).await;
    done(&result).replace(&server.address.to_string(), "HOST")
}

async fn failure(steps: Vec<Step>) -> String {
    let server = Server::with(steps).await;
    let result = read(&named(), &server.url("/a/b")).await;
    message(&result).replace(&server.address.to_string(), "HOST")
}

#[tokio::test]
async fn a_page() {
    let html = "<!doctype html><title> A  page </title><nav><a href=/>Home</a></nav>\
                <h1>Words</h1><p>Some <a href='../c?d#e'>link</a> &amp; <b>more</b>.";
    let want = "Title: A page\nURL: http://HOST/a/b\n\n# Words\n\n\
                Some [link](http://HOST/c?d#e) & **more**.";
    assert_eq!(page(ok("text/html; charset=utf-8", html)).await, want);
    let packed = gzipped(html.as_bytes());
    let head = "200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip";
    assert_eq!(page(head_and(head, packed)).await, want);
}

#[tokio::test]
async fn texts_come_as_they_are() {
    for (kind, body) in [
        ("text/plain", "a < b\n  c\n\n\n\nd  "),
        ("application/json", "{\"a\": [1, \"<b>\"]}\n"),
        ("text/markdown", "# A\n\n[b](c)"),
        ("application/atom+xml", "<feed/>"),
        ("application/octet-stream", "key = 1"),
    ] {
        let want = format!("URL: http://HOST/a/b\n\n{body}");
        assert_eq!(page(ok(kind, body)).await, want, "{kind}");
    }
    let latin = page(ok("text/html; charset=latin1", b"<p>caf\xe9")).await;
    assert!(latin.ends_with("\n\ncafé"), "{latin}");
    assert!(page(ok("text/html", "<script>x()</script>")).await.contains("no text; it may need"));
}

#[tokio::test]
async fn what_is_no_text() {
    let pdf = failure(ok("application/pdf", "%PDF-1.7")).await;
    assert_eq!(
        pdf,
        "http://HOST/a/b is a PDF (application/pdf), and read_web_page reads text. Download it \
         with Bash if you need it."
    );
    let image = failure(ok("image/png", "x")).await;
    assert!(image.contains("an image (image/png)") && image.contains("with Read"), "{image}");
    for kind in ["application/octet-stream", "text/html", "text/plain"] {
        let said = failure(ok(kind, b"\x7fELF\x01\0\0\0")).await;
        assert!(said.contains("is binary, and read_web_page reads text"), "{kind}: {said}");
    }
}

#[tokio::test]
async fn errors_of_servers() {
    let missing =
        head_and("404 Not Found\r\nContent-Type: text/html", "<h1>Gone</h1><p>Try again.");
    let want = "http://HOST/a/b: HTTP 404 Not Found. There is no such page; look for its address \
                with web_search.\nIt says:\n# Gone\n\nTry again.";
    assert_eq!(failure(missing).await, want);
    let long = head_and("500 X\r\nContent-Type: text/plain", "x".repeat(5_000));
    let said = failure(long).await;
    assert!(said.ends_with("x\n[…]") && said.len() < 1_200, "{said}");
    for (status, want) in [
        ("401 Unauthorized", "needs a login"),
        ("403 Forbidden", "needs a login"),
        ("429 Too Many Requests", "wait before the next one"),
        ("503 Service Unavailable", "try again later"),
        ("418 I'm a teapot", "HTTP 418 I'm a teapot."),
        ("304 Not Modified", "HTTP 304 Not Modified."),
    ] {
        let said = failure(head_and(status, "")).await;
        assert!(said.contains(want), "{status}: {said}");
    }
    let binary = head_and("500 X\r\nContent-Type: image/png", b"\x89PNG\0");
    assert!(failure(binary).await.ends_with("try again later."));
}

#[tokio::test]
async fn pages_inside_are_refused_unless_a_rule_names_them() {
    let server = Server::with(ok("text/plain", "inside")).await;
    let (url, port) = (server.url("/x"), server.address.port());
    let refusal = format!(
        "Refusing to read {url}: 127.0.0.1 is a loopback address, and pages inside this machine or \
         its networks are not read.\nOnly the user can lift that, with a rule that names it: allow \
         read_web_page --url 'http://127.0.0.1:{port}/*'"
    );
    for rules in [
        "",
        "allow read_web_page",
        "allow *",
        "allow read_web_page --url '*'",
        "allow read_web_page --url '*127.0.0.1*'",
        "allow read_web_page --url 'http://127.0.0*'",
        "allow read_web_page --url '/127.0.0.1/'",
        "allow read_web_page --url 'http://127.0.0.2:*'",
    ] {
        assert_eq!(message(&read(&with(rules), &url).await), refusal, "{rules}");
    }
    assert_eq!(server.requests().len(), 0);
    for rules in [
        format!("allow read_web_page --url 'http://127.0.0.1:{port}/*'"),
        format!("allow read_web_page --url '{url}'"),
        "allow read_web_page --url 'http://127.0.0.1:*'".to_owned(),
    ] {
        let result = read(&with(&rules), &url).await;
        assert_eq!(done(&result), format!("URL: {url}\n\ninside"), "{rules}");
    }
    // The rule is about what an address means, not about how it is written.
    let f = with(&format!("allow read_web_page --url 'http://127.0.0.1:{port}/*'"));
    let result = read(&f, &format!("HTTP://0x7f.1:{port}/x#y")).await;
    assert_eq!(done(&result), format!("URL: {url}\n\ninside"));
}

#[tokio::test]
async fn a_rule_that_lifts_nothing_by_asking() {
    let server = Server::with(ok("text/plain", "inside")).await;
    let rules = "ask read_web_page --url 'http://127.0.0.1:*'";
    let f = Fixture::with(&[], rules, TestHost::allowing(), builtin());
    let result = read(&f, &server.url("/")).await;
    assert!(message(&result).starts_with("Refusing to read"), "{result}");
}

#[tokio::test]
async fn rules_are_asked_about_redirects_too() {
    let inside = Server::with(ok("text/plain", "inside")).await;
    let to = inside.url("/");
    let server = Server::start(move |path| match path {
        "/out" => redirect(302, &to),
        "/metadata" => redirect(302, "http://169.254.169.254/latest/meta-data/"),
        "/hidden" => redirect(302, "/private"),
        "/near" => redirect(302, "/there"),
        _ => ok("text/plain", "near"),
    })
    .await;
    let port = server.address.port();
    let f = with(&format!(
        "reject --message no read_web_page --url '*/private'\n\
         allow read_web_page --url 'http://127.0.0.1:{port}/*'"
    ));
    let said = async |path: &str| message(&read(&f, &server.url(path)).await).to_owned();
    assert!(said("/out").await.starts_with("Refusing to read"));
    assert!(said("/metadata").await.contains("169.254.169.254 is a link-local address"));
    let hidden = said("/hidden").await;
    assert!(hidden.contains("redirects to") && hidden.contains("Rejected because of"), "{hidden}");
    assert_eq!(inside.requests().len(), 0);
    let near = read(&f, &server.url("/near")).await;
    let (start, end) = (server.url("/near"), server.url("/there"));
    assert_eq!(done(&near), format!("URL: {end} (redirected from {start})\n\nnear"));
}

#[tokio::test]
async fn results_are_bounded() {
    let html = format!(
        "<main>{}</main>",
        "<p>Some <a href=http://a.org>words</a> here.</p>".repeat(9_000)
    );
    let text = page(ok("text/html", html)).await;
    let notice = text.find("\n\n[Tool result truncated: ").unwrap();
    assert!((MAX_BYTES - 200..=MAX_BYTES).contains(&notice), "{notice}");
    assert!(text.ends_with("KB exceeds limit. Please refine the query.]"), "{}", &text[notice..]);
    let last = text[..notice].rsplit("\n\n").next().unwrap();
    assert!("Some [words](http://a.org/) here.".starts_with(last), "{last}");
    let plain = page(ok("text/plain", "é".repeat((5 << 20) + 1))).await;
    assert!(plain.len() < MAX_BYTES + 300);
    assert!(plain.ends_with("[The page is longer than 10 MiB; the rest was not read.]"));
    let bomb = gzipped(&vec![b'a'; 12 << 20]);
    let head = "200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip";
    assert!(page(head_and(head, bomb)).await.len() < MAX_BYTES + 300);
    let broken = page(head_and("200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9", "abc"));
    assert!(broken.await.contains("abc\n\n[The connection broke before the page was whole"));
}

#[tokio::test]
async fn bad_arguments() {
    let f = with("");
    for (args, want) in [
        (json!({}), "read_web_page: \"url\" is missing; it must be a string."),
        (json!({"url": 5}), "read_web_page: \"url\" must be a string, but is the number 5."),
        (json!({"url": ["https://example.com"]}), "must be a string"),
        (json!({"url": null}), "must be a string"),
        (json!({"url": ""}), "is not the address of a page"),
        (json!({"url": "\0"}), "is not the address of a page"),
        (json!({"url": "../../etc/passwd"}), "is not the address of a page"),
        (json!({"url": "/proc/self/environ"}), "is not the address of a page"),
        (json!({"url": "file:///etc/passwd"}), "Read files with Read"),
        (json!({"url": "https://user:pw@example.com/"}), "leave out what stands before the @"),
        (json!({"url": format!("https://a.b/{}", "x".repeat(10 << 20))}), "longer than 8192 bytes"),
        (json!({"url": "http://127.0.0.1:0/"}), "a loopback address"),
    ] {
        let result = f.call("read_web_page", args).await;
        assert!(message(&result).contains(want), "{want}: {result}");
    }
}

#[tokio::test]
async fn a_cancel_ends_it_at_once() {
    let head = Step::Send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>".to_vec());
    let server = Server::with(vec![head, Step::Hang]).await;
    let f = Arc::new(named());
    let call = tokio::spawn({
        let (f, url) = (f.clone(), server.url("/"));
        async move { read(&f, &url).await }
    });
    until("the request", || server.requests().len() == 1).await;
    f.scope.cancel.cancel();
    assert_eq!(call.await.unwrap(), json!({"status": "cancelled"}));
    until("the connection ends", || server.left.load(Ordering::SeqCst) == 1).await;
}

#[tokio::test]
async fn nothing_is_told_that_a_server_could_keep() {
    let cookie = "200 OK\r\nContent-Type: text/plain\r\nSet-Cookie: a=b";
    let server = Server::with(head_and(cookie, "x")).await;
    let f = named();
    read(&f, &server.url("/1#secret")).await;
    read(&f, &server.url("/2")).await;
    for request in server.requests() {
        let head = request.to_lowercase();
        assert!(head.contains("user-agent: redline/") && head.contains("accept: text/markdown"));
        assert!(!head.contains("cookie") && !head.contains("secret"), "{head}");
    }
}
