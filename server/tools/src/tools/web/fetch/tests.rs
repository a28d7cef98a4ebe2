use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use hyper_util::client::proxy::matcher::Matcher;

use super::*;
use crate::{
    fixture::until,
    tools::web::server::{Server, Step, gzipped, head_and, ok, redirect},
};

/// Enough for anything that works, so that only what hangs is slow.
const QUICK: Limits = Limits {
    silence: Duration::from_secs(20),
    total: Duration::from_secs(20),
    bytes: 1_000_000,
    hops: 10,
};

async fn get(url: &str, limits: &Limits) -> Result<Fetched, FetchError> {
    let (clients, target) = (Clients::default(), Target::parse(url).unwrap());
    fetch(&clients, target, true, &|_| Say::Allowed { named: true }, limits).await
}

async fn body(steps: Vec<Step>, limits: &Limits) -> (String, Option<Cut>) {
    let server = Server::with(steps).await;
    let fetched = get(&server.url("/"), limits).await.unwrap();
    (String::from_utf8(fetched.body).unwrap(), fetched.cut)
}

async fn error(steps: Vec<Step>, limits: &Limits) -> String {
    let server = Server::with(steps).await;
    let error = get(&server.url("/"), limits).await.map(|fetched| fetched.body).unwrap_err();
    error.to_string().replace(&server.address.to_string(), "HOST")
}

#[tokio::test]
async fn bodies_that_are_whole() {
    let page = "é".repeat(5_000);
    assert_eq!(body(ok("text/plain", &page), &QUICK).await, (page.clone(), None));
    let length = format!("200 OK\r\nContent-Length: {}", page.len());
    assert_eq!(body(head_and(&length, &page), &QUICK).await, (page.clone(), None));
    let chunked =
        head_and("200 OK\r\nTransfer-Encoding: chunked", "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n");
    assert_eq!(body(chunked, &QUICK).await, ("abcde".to_owned(), None));
    let packed = head_and("200 OK\r\nContent-Encoding: gzip", gzipped(page.as_bytes()));
    assert_eq!(body(packed, &QUICK).await, (page, None));
    let brotli = head_and("200 OK\r\nContent-Encoding: br", b"\x0b\x02\x80hello\x03");
    assert_eq!(body(brotli, &QUICK).await, ("hello".to_owned(), None));
    // Zlib's form of a stored block.
    let stored = b"\x78\x01\x01\x05\0\xfa\xffhello\x06\x2c\x02\x15";
    let deflate = head_and("200 OK\r\nContent-Encoding: deflate", stored);
    assert_eq!(body(deflate, &QUICK).await, ("hello".to_owned(), None));
    assert_eq!(body(ok("text/plain", ""), &QUICK).await, (String::new(), None));
}

#[tokio::test]
async fn bodies_that_break_are_what_came() {
    let broken = |(text, cut): (String, Option<Cut>)| {
        assert!(matches!(cut, Some(Cut::Broken(_))), "{cut:?}");
        text
    };
    let long = head_and("200 OK\r\nContent-Length: 1000", "abc");
    assert_eq!(broken(body(long, &QUICK).await), "abc");
    let chunk = head_and("200 OK\r\nTransfer-Encoding: chunked", "3\r\nabc\r\n9\r\nde");
    assert_eq!(broken(body(chunk, &QUICK).await), "abcde");
    let wrong = head_and("200 OK\r\nTransfer-Encoding: chunked", "3\r\nabc\r\nzzz\r\n");
    assert_eq!(broken(body(wrong, &QUICK).await), "abc");
    // What is beyond the length that the head gives is no part of the answer.
    let short = head_and("200 OK\r\nContent-Length: 3", "abcdef");
    assert_eq!(body(short, &QUICK).await, ("abc".to_owned(), None));
    let nothing = error(head_and("200 OK\r\nContent-Length: 10", ""), &QUICK).await;
    assert!(nothing.starts_with("http://HOST/ cannot be reached:"), "{nothing}");
    let garbage = error(head_and("200 OK\r\nContent-Encoding: gzip", "no gzip"), &QUICK).await;
    assert!(garbage.starts_with("http://HOST/ cannot be reached:"), "{garbage}");
    let page = gzipped(&(0..=255).cycle().take(200_000).map(|n: u8| n % 90).collect::<Vec<_>>());
    let half = head_and("200 OK\r\nContent-Encoding: gzip", &page[..page.len() - 9]);
    assert!(!broken(body(half, &QUICK).await).is_empty());
}

#[tokio::test]
async fn answers_that_are_none() {
    for bytes in ["", "\r\n\r\n", "SSH-2.0-OpenSSH_9.9\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200"]
    {
        let said = error(vec![Step::Send(bytes.into())], &QUICK).await;
        assert!(said.starts_with("http://HOST/ cannot be reached:"), "{bytes:?}: {said}");
    }
    let closed = Server::with(Vec::new()).await.url("/");
    let said = get(&closed, &QUICK).await.unwrap_err().to_string();
    assert!(said.contains("cannot be reached"), "{said}");
    let endless = vec![Step::Send("HTTP/1.1 200 OK\r\n".into()), Step::Forever(b"X: y\r\n".into())];
    let said = error(endless, &QUICK).await;
    assert!(said.starts_with("http://HOST/ cannot be reached:"), "{said}");
}

#[tokio::test]
async fn size_is_bounded_whatever_the_server_says() {
    let start = Step::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".to_vec());
    let limits = Limits { bytes: 4, ..QUICK };
    let all = vec![start, Step::Send(b"abcde".to_vec())];
    assert_eq!(body(all, &limits).await, ("abcd".to_owned(), Some(Cut::Size)));
    let head = Step::Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec());
    let server = Server::with(vec![head, Step::Forever(vec![b'a'; 4096])]).await;
    let fetched = get(&server.url("/"), &QUICK).await.unwrap();
    assert_eq!((fetched.body.len(), fetched.cut), (1_000_000, Some(Cut::Size)));
    // The connection of an answer that is not wanted any more is closed.
    until("the server is left", || server.left.load(Ordering::SeqCst) == 1).await;
    let bomb = head_and("200 OK\r\nContent-Encoding: gzip", gzipped(&vec![b'a'; 16 << 20]));
    let (text, cut) = body(bomb, &QUICK).await;
    assert_eq!((text.len(), cut), (1_000_000, Some(Cut::Size)));
}

#[tokio::test]
async fn time_is_bounded() {
    let brief = Limits { silence: Duration::from_secs(1), ..QUICK };
    let silent = error(vec![Step::Hang], &brief).await;
    let want = "http://HOST/ did not answer within 1 seconds; try again later or another page";
    assert_eq!(silent, want);
    let head = Step::Send(b"HTTP/1.1 200 OK\r\n\r\nabc".to_vec());
    assert_eq!(body(vec![head, Step::Hang], &brief).await, ("abc".to_owned(), Some(Cut::Time)));
    let all = Limits { total: Duration::from_secs(2), bytes: usize::MAX >> 1, ..QUICK };
    let head = Step::Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec());
    let start = Instant::now();
    let (_, cut) = body(vec![head, Step::Forever(vec![b'a'; 64])], &all).await;
    assert_eq!(cut, Some(Cut::Time));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn redirects_are_followed_up_to_a_limit() {
    let server = Server::start(|path| match path.trim_start_matches('/').parse::<usize>() {
        Ok(0) => ok("text/plain", "there"),
        Ok(left) => redirect([301, 302, 303, 307, 308][left % 5], &format!("/{}", left - 1)),
        Err(_) => redirect(302, "/again"),
    })
    .await;
    let fetched = get(&server.url("/10"), &QUICK).await.unwrap();
    assert_eq!((fetched.body, fetched.target.to_string()), (b"there".to_vec(), server.url("/0")));
    for path in ["/11", "/again"] {
        let said = get(&server.url(path), &QUICK).await.unwrap_err().to_string();
        assert!(said.contains("redirects more than 10 times, or in a circle"), "{said}");
    }
    assert!(server.requests().iter().all(|request| !request.to_lowercase().contains("referer")));
}

#[tokio::test]
async fn redirects_that_lead_nowhere() {
    for (to, want) in [
        ("file:///etc/passwd", "redirects to what is not read: only http and https"),
        ("ftp://example.com/", "only http and https"),
        ("http://user:secret@example.com/", "name or password"),
        ("http://[::1", "is not the address of a page"),
        ("", "redirects more than 10 times"),
    ] {
        let said = error(redirect(302, to), &QUICK).await;
        assert!(said.contains(want) && !said.contains("secret"), "{to}: {said}");
    }
    let nowhere = error(head_and("302 Found\r\nContent-Length: 0", ""), &QUICK).await;
    assert!(nowhere.contains("does not say where to"), "{nowhere}");
}

#[tokio::test]
async fn each_redirect_is_judged() {
    let hidden = Server::with(ok("text/plain", "secret")).await;
    let to = hidden.url("/hidden");
    let server = Server::with(redirect(302, &to)).await;
    let (clients, start) = (Clients::default(), Target::parse(&server.url("/")).unwrap());
    let judged = async |say: fn() -> Say| {
        let fetched = fetch(&clients, start.clone(), true, &|_| say(), &QUICK).await;
        fetched.map(|it| it.body).map_err(|error| error.to_string())
    };
    let unnamed = judged(|| Say::Allowed { named: false }).await.unwrap_err();
    assert!(
        unnamed.starts_with(&format!("Refusing to read {to}: 127.0.0.1 is a loopback")),
        "{unnamed}"
    );
    let refused = judged(|| Say::Refuses("Rejected because.".to_owned())).await.unwrap_err();
    assert!(refused.contains(&format!("redirects to {to}. Rejected because.")), "{refused}");
    let asked = judged(|| Say::Asks("Asks because.".to_owned())).await.unwrap_err();
    assert!(asked.contains(&format!("redirects to {to}. Asks because.")), "{asked}");
    assert_eq!(hidden.requests().len(), 0);
    assert_eq!(judged(|| Say::Allowed { named: true }).await, Ok(b"secret".to_vec()));
}

/// A name whose addresses change between look-ups reaches the one that was checked, or none.
#[tokio::test]
async fn names_are_looked_up_once_and_checked() {
    let server = Server::with(ok("text/plain", "inside")).await;
    let address = server.address;
    let lookup = move |_| -> BoxFuture<'static, _> { Box::pin(async move { Ok(vec![address]) }) };
    let clients = Clients::with(Arc::new(lookup), Matcher::builder().build());
    let target = Target::parse(&format!("http://page.test:{}/", address.port())).unwrap();
    let judge = |_: &Target| Say::Allowed { named: false };
    let said = fetch(&clients, target.clone(), false, &judge, &QUICK).await.unwrap_err();
    let (want, port) = ("page.test is 127.0.0.1, a loopback address", address.port());
    assert!(said.to_string().contains(want), "{said}");
    let rule = format!("allow read_web_page --url 'http://page.test:{port}/*'");
    assert!(said.to_string().ends_with(&rule), "{said}");
    assert_eq!(server.requests().len(), 0);
    let fetched = fetch(&clients, target, true, &judge, &QUICK).await.unwrap();
    assert_eq!(fetched.body, b"inside");
}

#[tokio::test]
async fn what_has_no_text_is_not_read() {
    let head = Step::Send(b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n".to_vec());
    let server = Server::with(vec![head, Step::Hang]).await;
    let said = get(&server.url("/"), &QUICK).await.unwrap_err().to_string();
    assert!(said.contains("is a PDF (application/pdf), and read_web_page reads text"), "{said}");
}
