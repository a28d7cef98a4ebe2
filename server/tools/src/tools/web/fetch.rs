//! From an address to bytes: redirects, limits of size and time, what broke.

use std::time::Duration;

use futures::future::BoxFuture;
use reqwest::{
    Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, LOCATION},
};
use tokio::time::{Instant, timeout_at};

use super::{
    client::{Clients, Inner, NoClient, causes, refusal},
    content::Kind,
    target::{Target, TargetError},
};

/// What is enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Between two pieces of an answer, and until its first.
    pub silence: Duration,
    /// For all of it, redirects included.
    pub total: Duration,
    /// Bytes of a page, unpacked.
    pub bytes: usize,
    /// Redirects.
    pub hops: usize,
}

/// The limits of `read_web_page`: less than the time that the dispatch gives a call.
pub(super) const LIMITS: Limits = Limits {
    silence: Duration::from_secs(30),
    total: Duration::from_secs(100),
    bytes: 10 * 1024 * 1024,
    hops: 10,
};

/// Bytes of the page that comes with an error's status.
const ERROR_BYTES: usize = 64 * 1024;

/// What is asked for; pages that exist as Markdown are best as such.
const WANTED: &str = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, \
                      text/plain;q=0.8, */*;q=0.5";

/// What rules say of a target.
pub(super) enum Say {
    /// Allowed; `named`: a rule of the user's names it literally.
    Allowed { named: bool },
    /// The user is to be asked; with the reason.
    Asks(String),
    /// It is refused, or somebody else decides; with the reason.
    Refuses(String),
}

/// What rules say of the target of a redirect.
pub(super) type Judge<'a> = &'a (dyn Fn(&Target) -> Say + Send + Sync);

/// What came.
#[derive(Debug)]
pub(super) struct Fetched {
    /// Where it is at last.
    pub target: Target,
    pub kind: Kind,
    pub body: Vec<u8>,
    /// Why the body is not whole, if it is not.
    pub cut: Option<Cut>,
}

/// Why a body is not whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cut {
    /// It is longer than what is read.
    Size,
    /// The connection broke.
    Broken(String),
    /// There was no time left.
    Time,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    #[error(
        "Refusing to read {url}: {inner}, and pages inside this machine or its networks are not \
         read.\nOnly the user can lift that, with a rule that names it: \
         allow read_web_page --url '{pattern}'"
    )]
    Inside { url: Target, inner: Inner, pattern: String },
    #[error("{from} redirects to what is not read: {error}")]
    Redirect { from: Target, error: TargetError },
    #[error(
        "{from} redirects to {to}. {reason}\nIf it is that page that you want, call read_web_page \
         with its address."
    )]
    Rules { from: Target, to: Target, reason: String },
    #[error("{0} redirects more than {1} times, or in a circle; give another address")]
    Hops(Target, usize),
    #[error("{0} answers with a redirect that does not say where to")]
    Nowhere(Target),
    #[error("{url} cannot be reached: {reason}")]
    Unreachable { url: Target, reason: String },
    #[error("{0} did not answer within {1} seconds; try again later or another page")]
    Silent(Target, u64),
    #[error("{url}: HTTP {status}")]
    Status { url: Target, status: StatusCode, kind: Kind, body: Vec<u8> },
    #[error("{url} is {kind}, and read_web_page reads text.{}", hint(.kind))]
    NoText { url: Target, kind: Kind },
    #[error("{0}")]
    Client(String),
}

fn hint(kind: &Kind) -> &'static str {
    if kind.is_image() {
        " Download it with Bash, then look at it with Read."
    } else {
        " Download it with Bash if you need it."
    }
}

/// The page that a target leads to. `named`: a rule of the user's names the target itself. Dropping
/// the future ends it at once.
pub(super) async fn fetch(
    clients: &Clients,
    start: Target,
    named: bool,
    judge: Judge<'_>,
    limits: &Limits,
) -> Result<Fetched, FetchError> {
    let end = Instant::now() + limits.total;
    let (mut target, mut named) = (start.clone(), named);
    for _ in 0..=limits.hops {
        let response = answer(clients, &target, named, end, limits).await?;
        if !is_redirect(response.status()) {
            return received(response, target, end, limits).await;
        }
        let next = redirect(&target, response.headers())?;
        named = match judge(&next) {
            Say::Allowed { named } => named,
            // Who allowed a page has allowed it over TLS.
            Say::Asks(_) if target.is_upgraded_by(&next) => false,
            Say::Asks(reason) | Say::Refuses(reason) => {
                return Err(FetchError::Rules { from: target, to: next, reason });
            }
        };
        target = next;
    }
    Err(FetchError::Hops(start, limits.hops))
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn redirect(from: &Target, headers: &HeaderMap) -> Result<Target, FetchError> {
    let location = headers.get(LOCATION).ok_or_else(|| FetchError::Nowhere(from.clone()))?;
    // Servers send other bytes than ASCII here too; the parser encodes what it must.
    let location = String::from_utf8_lossy(location.as_bytes());
    let joined = from.join(&location);
    joined.map_err(|error| FetchError::Redirect { from: from.clone(), error })
}

async fn answer(
    clients: &Clients,
    target: &Target,
    named: bool,
    end: Instant,
    limits: &Limits,
) -> Result<Response, FetchError> {
    let until = end.min(Instant::now() + limits.silence);
    let silent = || FetchError::Silent(target.clone(), limits.silence.as_secs());
    let client = timeout_at(until, clients.of_model(target, named)).await;
    let client = client.map_err(|_| silent())?.map_err(|error| match error {
        NoClient::Inner(inner) => inside(target, inner),
        NoClient::Failed(reason) => FetchError::Client(reason),
    })?;
    let request = client.get(target.url().clone()).header(ACCEPT, WANTED);
    match timeout_at(until, request.send()).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) => Err(unreachable(target, &error)),
        Err(_) => Err(silent()),
    }
}

fn unreachable(target: &Target, error: &reqwest::Error) -> FetchError {
    if let Some(inner) = refusal(error) {
        return inside(target, inner);
    }
    if cfg!(not(feature = "tls")) && target.url().scheme() == "https" {
        return FetchError::Client("this build of Redline has no TLS: feature \"tls\"".to_owned());
    }
    let reason = causes(error);
    FetchError::Unreachable { url: target.clone(), reason }
}

fn inside(target: &Target, inner: Inner) -> FetchError {
    FetchError::Inside { url: target.clone(), inner, pattern: target.pattern() }
}

async fn received(
    response: Response,
    target: Target,
    end: Instant,
    limits: &Limits,
) -> Result<Fetched, FetchError> {
    let header = response.headers().get(CONTENT_TYPE);
    let kind = Kind::of(header.map(|value| String::from_utf8_lossy(value.as_bytes())).as_deref());
    let status = response.status();
    if !status.is_success() {
        let bytes = ERROR_BYTES.min(limits.bytes);
        let (body, _) = read(response, end, &Limits { bytes, ..*limits }).await;
        return Err(FetchError::Status { url: target, status, kind, body });
    }
    if kind.is_binary() {
        return Err(FetchError::NoText { url: target, kind });
    }
    match read(response, end, limits).await {
        (body, Some(Cut::Broken(reason))) if body.is_empty() => {
            Err(FetchError::Unreachable { url: target, reason })
        }
        (body, Some(Cut::Time)) if body.is_empty() => {
            Err(FetchError::Silent(target, limits.silence.as_secs()))
        }
        (body, cut) => Ok(Fetched { target, kind, body, cut }),
    }
}

/// The bytes of a body, unpacked, and why there are no more if there should be. What the server
/// says of its length is not looked at.
async fn read(mut response: Response, end: Instant, limits: &Limits) -> (Vec<u8>, Option<Cut>) {
    let mut body = Vec::new();
    loop {
        let until = end.min(Instant::now() + limits.silence);
        let next: BoxFuture<'_, _> = Box::pin(response.chunk());
        match timeout_at(until, next).await {
            Ok(Ok(None)) => return (body, None),
            Ok(Ok(Some(chunk))) => {
                let room = limits.bytes - body.len();
                body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
                if chunk.len() > room {
                    return (body, Some(Cut::Size));
                }
            }
            Ok(Err(error)) => return (body, Some(Cut::Broken(causes(&error)))),
            Err(_) => return (body, Some(Cut::Time)),
        }
    }
}

#[cfg(test)]
mod tests;
