//! The client, as the server's side of the house sees it.
//!
//! Everything for the client goes through one queue: what was sent first arrives first, also across
//! notifications, requests and answers (`redline/resolve` is answered after the `redline/review`
//! that shows it).

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    task::{Context, Poll, ready},
    thread::{self, ThreadId},
    time::Duration,
};

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tower_lsp::jsonrpc::{Error, Response};

use super::frame::framed;

/// The longest stretch of frames that is written at once, in bytes.
const BATCH: usize = 1 << 20;

/// How long a client gets to read what came before a pause.
const PAUSE: Duration = Duration::from_millis(40);

/// For the writer.
#[derive(Debug)]
pub enum Outgoing {
    /// A whole frame.
    Frame(Vec<u8>),
    /// What follows is not written together with what came before.
    Pause,
    /// Nothing comes after this.
    Close,
}

/// The writer's end of the queue.
pub struct Outbox {
    queue: mpsc::UnboundedReceiver<Outgoing>,
    paused: bool,
}

impl Outbox {
    /// The next frames in one piece; `None` after the last.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        let mut batch = self.first().await?;
        while batch.len() < BATCH {
            match self.queue.try_recv() {
                Ok(Outgoing::Frame(frame)) => batch.extend(frame),
                Ok(Outgoing::Pause) => {
                    self.paused = true;
                    break;
                }
                Ok(Outgoing::Close) => self.queue.close(),
                Err(_) => break,
            }
        }
        Some(batch)
    }

    async fn first(&mut self) -> Option<Vec<u8>> {
        loop {
            if std::mem::take(&mut self.paused) {
                tokio::time::sleep(PAUSE).await;
            }
            match self.queue.recv().await? {
                Outgoing::Frame(frame) => return Some(frame),
                Outgoing::Pause => self.paused = true,
                Outgoing::Close => return None,
            }
        }
    }
}

/// Cheap to clone; all clones are one client.
#[derive(Clone)]
pub struct Peer(Arc<Inner>);

struct Inner {
    queue: mpsc::UnboundedSender<Outgoing>,
    next: AtomicI64,
    waiting: Mutex<HashMap<i64, oneshot::Sender<Result<Value, Error>>>>,
    /// What is dropped after an answer, and the thread that sends it.
    later: Mutex<Vec<(ThreadId, Box<dyn Send>)>>,
}

impl Peer {
    /// A client and the queue to it.
    pub fn new() -> (Self, Outbox) {
        let (queue, outbox) = mpsc::unbounded_channel();
        let inner = Inner {
            queue,
            next: AtomicI64::new(1),
            waiting: Mutex::default(),
            later: Mutex::default(),
        };
        (Self(Arc::new(inner)), Outbox { queue: outbox, paused: false })
    }

    /// Tells the client something.
    pub fn notify(&self, method: &str, params: impl Serialize) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": value(params) }));
    }

    /// Asks the client something: sent at once, answered when the future ends. Dropping the future
    /// means that nobody waits any more; a later answer is ignored.
    pub fn request(&self, method: &str, params: impl Serialize) -> Call {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        self.waiting().insert(id, sender);
        let params = value(params);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        Call { id, answer, peer: self.clone() }
    }

    /// Answers a request of the client.
    pub fn respond(&self, response: &Response) {
        self.send(response);
        // A handler is answered in the poll in which it ends: what it left is of the same thread. That of
        // others waits for their answers.
        let here = thread::current().id();
        let later: Vec<_> = self.later().extract_if(.., |(thread, _)| *thread == here).collect();
        drop(later);
    }

    /// Drops something once the handler that is polled now (it must not await any more) is answered: what
    /// the drop sets off comes after the answer.
    pub fn drop_after_answer(&self, held: impl Send + 'static) {
        self.later().push((thread::current().id(), Box::new(held)));
    }

    /// The client's answer to one of our requests. Answers that nobody waits for are ignored.
    pub fn answered(&self, mut message: Value) {
        let waiter = message["id"].as_i64().and_then(|id| self.waiting().remove(&id));
        let Some(waiter) = waiter else { return };
        let answer = match message.get_mut("error").map(Value::take) {
            None | Some(Value::Null) => Ok(message["result"].take()),
            Some(error) => Err(said(&error)),
        };
        // The receiver is gone if the request was withdrawn meanwhile.
        let _ = waiter.send(answer);
    }

    /// Lets the client read what was sent before it gets more: the JSON-RPC of Emacs 28 leaves what
    /// it reads together with an awaited answer lying until something else arrives.
    pub fn pause(&self) {
        let _ = self.0.queue.send(Outgoing::Pause);
    }

    /// Closes the queue behind what it holds.
    pub fn close(&self) {
        let _ = self.0.queue.send(Outgoing::Close);
    }

    fn send(&self, message: &impl Serialize) {
        // What cannot be JSON cannot be said; the queue is closed once the process ends.
        if let Ok(body) = serde_json::to_vec(message) {
            let _ = self.0.queue.send(Outgoing::Frame(framed(&body)));
        }
    }

    fn later(&self) -> std::sync::MutexGuard<'_, Vec<(ThreadId, Box<dyn Send>)>> {
        self.0.later.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(
        &self,
    ) -> std::sync::MutexGuard<'_, HashMap<i64, oneshot::Sender<Result<Value, Error>>>> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn value(params: impl Serialize) -> Value {
    serde_json::to_value(params).unwrap_or_default()
}

/// A client's error, whatever shape it has.
fn said(error: &Value) -> Error {
    let message = error["message"].as_str().unwrap_or("the client sent an error without words");
    let code = error["code"].as_i64().unwrap_or(-32603);
    Error { code: code.into(), message: message.to_owned().into(), data: None }
}

/// A request that the client has not answered yet.
pub struct Call {
    id: i64,
    answer: oneshot::Receiver<Result<Value, Error>>,
    peer: Peer,
}

impl Call {
    /// The request's id, for `$/cancelRequest`.
    pub fn id(&self) -> i64 {
        self.id
    }
}

impl Future for Call {
    type Output = Result<Value, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = ready!(Pin::new(&mut self.answer).poll(context));
        Poll::Ready(answer.unwrap_or_else(|_| Err(Error::request_cancelled())))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.peer.waiting().remove(&self.id);
    }
}
