//! The language server: `redline lsp`.
//!
//! `transport` moves messages, `server` routes them, `handlers` answer, `front` and `feed` tell the
//! client. `protocol` is the wire on one page; `to_proto` and `from_proto` are the only ways between
//! it and the house.

mod capabilities;
mod client;
mod feed;
mod from_proto;
mod front;
mod handlers;
mod host;
mod log;
mod names;
mod parent;
mod plain;
mod progress;
mod protocol;
mod section;
mod server;
mod settings;
mod standard;
#[cfg(test)]
mod tests;
mod to_proto;
mod transport;
mod trust;
mod uri;

use std::{path::PathBuf, time::Duration};

use tokio::io::{AsyncBufRead, AsyncWrite, BufReader};

use log::Log;
use redline_workspace::io::journal;
use transport::{Peer, Stop};

/// How long the last messages may take to reach the client.
const FAREWELL: Duration = Duration::from_secs(1);

/// `redline lsp`: serves on stdin and stdout until the client is gone. Returns the process's exit
/// code (LSP 3.17: 0 after `shutdown`, else 1). A thread may still wait for stdin then: the caller
/// leaves the runtime to the operating system.
pub async fn run() -> i32 {
    let input = BufReader::with_capacity(1 << 16, tokio::io::stdin());
    let state = journal::state_dir(&journal::Env::of_process());
    serve(input, tokio::io::stdout(), state).await
}

/// Serves one connection. What is under review is kept below `state`, if there is such a place.
async fn serve<R, W>(input: R, output: W, state: Option<PathBuf>) -> i32
where
    R: AsyncBufRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (peer, outbox) = Peer::new();
    let stop = Stop::default();
    let log = Log::new(peer.clone(), log::file_from_env());
    let writer = tokio::spawn(transport::write(outbox, output, stop.clone()));
    // Everything for the client goes through `peer`: tower-lsp's own channel to it stays unused.
    let (mut service, _socket) = server::service(peer.clone(), log, stop.clone(), state);
    let code = transport::serve(&mut service, input, &peer, &stop).await;
    service.inner().close().await;
    peer.close();
    // A client that does not read any more must not keep the process.
    let _ = tokio::time::timeout(FAREWELL, writer).await;
    code
}
