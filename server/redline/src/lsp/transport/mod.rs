//! Messages in and out. One reader that never awaits a handler, one writer.
//!
//! tower-lsp's own loop lets messages overtake each other, blocks when handlers wait for the client
//! and never tells its exit code; so its `LspService` is driven from here instead:
//! - a handler is polled once in the reader, in the order of arrival: what it does before its first
//!   await is done before the next message is looked at. Only then it goes into a task of its own;
//! - answers of the client go to whoever waits, at once;
//! - a handler that panics answers with an error;
//! - `exit`, the end of input and a dead client end the loop whatever is still open.

mod frame;
mod peer;
#[cfg(test)]
mod tests;

use std::{any::Any, panic::AssertUnwindSafe, sync::Arc, task::Poll};

use futures::FutureExt;
use serde_json::Value;
use tokio::{
    io::{AsyncBufRead, AsyncWrite, AsyncWriteExt},
    sync::Notify,
};
use tower_lsp::{
    ExitedError,
    jsonrpc::{Error, ErrorCode, Id, Request, Response},
};
use tower_service::Service;

#[cfg(test)]
pub use frame::framed;
pub use frame::{Frame, Reader};
pub use peer::{Call, Outbox, Peer};

/// Ends `serve` from elsewhere.
#[derive(Clone, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Ends the loop; works also before it has begun.
    pub fn now(&self) {
        self.0.notify_one();
    }
}

/// Reads messages until `exit`, the end of input or `stop`. Returns the process's exit code: 0
/// after `shutdown`, else 1 (LSP 3.17, "Exit Notification").
pub async fn serve<S, R>(mut service: S, input: R, peer: &Peer, stop: &Stop) -> i32
where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + 'static,
    R: AsyncBufRead + Unpin,
{
    let mut reader = Reader::new(input);
    let mut code = 1;
    loop {
        let frame = tokio::select! {
            frame = reader.next() => frame,
            () = stop.0.notified() => Frame::End,
        };
        let message = match frame {
            Frame::End => return code,
            Frame::Broken(why) => {
                peer.respond(&refusal(Id::Null, ErrorCode::InvalidRequest, why));
                continue;
            }
            Frame::Body(body) => serde_json::from_slice::<Value>(&body),
        };
        let Ok(message) = message else {
            peer.respond(&Response::from_error(Id::Null, Error::parse_error()));
            continue;
        };
        match received(message) {
            Received::Answer(answer) => peer.answered(answer),
            Received::Invalid(id) => {
                peer.respond(&Response::from_error(id, Error::invalid_request()));
            }
            Received::Request(request) if request.method() == "exit" => return code,
            Received::Request(request) if is_unknown(&request) => {
                if let Some(id) = request.id() {
                    let error = Error::method_not_found();
                    peer.respond(&Response::from_error(id.clone(), error));
                }
            }
            Received::Request(request) => {
                if request.method() == "shutdown" {
                    code = 0;
                }
                begin(&mut service, request, peer);
            }
        }
    }
}

/// LSP: an unknown notification `$/…` is ignored, an unknown request is refused. The router
/// ignores both.
fn is_unknown(request: &Request) -> bool {
    request.method().starts_with("$/") && request.method() != "$/cancelRequest"
}

enum Received {
    Answer(Value),
    Request(Request),
    Invalid(Id),
}

fn received(message: Value) -> Received {
    if message.is_object() && message.get("method").is_none() && message.get("id").is_some() {
        return Received::Answer(message);
    }
    let id = message.get("id").cloned().and_then(|id| serde_json::from_value(id).ok());
    match serde_json::from_value(super::names::inward(message)) {
        Ok(request) => Received::Request(request),
        Err(_) => Received::Invalid(id.unwrap_or(Id::Null)),
    }
}

/// Starts a handler: its first step here, the rest, if there is one, in a task.
fn begin<S>(service: &mut S, request: Request, peer: &Peer)
where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + 'static,
{
    let id = request.id().cloned();
    let called = std::panic::catch_unwind(AssertUnwindSafe(|| service.call(request)));
    let future = match called {
        Ok(future) => future,
        Err(panic) => return answer(Err(panic), id, peer),
    };
    let mut handler = Box::pin(AssertUnwindSafe(future).catch_unwind());
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    // A handler that is pending here is polled again as soon as its task starts.
    match handler.as_mut().poll(&mut context) {
        Poll::Ready(outcome) => answer(outcome, id, peer),
        Poll::Pending => {
            let peer = peer.clone();
            tokio::spawn(async move { answer(handler.await, id, &peer) });
        }
    }
}

type Outcome = Result<Result<Option<Response>, ExitedError>, Box<dyn Any + Send>>;

fn answer(outcome: Outcome, id: Option<Id>, peer: &Peer) {
    let response = match outcome {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => None,
        Err(_) => id.map(|id| {
            let why = "internal error: the request was stopped; see the log".to_owned();
            refusal(id, ErrorCode::InternalError, why)
        }),
    };
    if let Some(response) = response {
        peer.respond(&response);
    }
}

fn refusal(id: Id, code: ErrorCode, message: String) -> Response {
    Response::from_error(id, Error { code, message: message.into(), data: None })
}

/// Writes what the outbox holds until it is closed; a client that does not read any more ends the
/// reader too.
pub async fn write<W: AsyncWrite + Unpin>(mut outbox: Outbox, mut output: W, stop: Stop) {
    while let Some(batch) = outbox.next().await {
        if output.write_all(&batch).await.is_err() || output.flush().await.is_err() {
            stop.now();
            return;
        }
    }
}
