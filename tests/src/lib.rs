//! Whole-product tests: a small scripted LSP client that drives the built binary.
//!
//! The client knows nothing of the server's crates. It is written from the protocol page alone, so
//! that a test which passes says something about the wire and not about shared code.
//!
//! - [`wire`]: frames and JSON-RPC values,
//! - [`position`]: positions in the three encodings,
//! - [`document`]: an editor's buffer: text, version, undo,
//! - [`process`]: the child process and its pipes,
//! - [`editor`]: what an editor does with the server's requests,
//! - [`checks`]: what must hold for every message of every test,
//! - [`client`]: requests, answers and waiting with a deadline,
//! - [`dice`]: random numbers that can be thrown again,
//! - [`plain`]: editors that know nothing of Redline, and what their users do,
//! - [`sandbox`]: a workspace, a home and a script of one test,
//! - [`session`]: the three together, and the steps that most tests share.
//!
//! Anything that breaks the protocol is collected as a *problem*; a client that is dropped with one
//! fails its test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the whole crate is test code"
)]

pub mod binary;
pub mod checks;
pub mod client;
pub mod dice;
pub mod document;
pub mod editor;
pub mod plain;
pub mod position;
pub mod process;
pub mod sandbox;
pub mod session;
pub mod wire;

pub use client::{Client, Reply};
pub use document::Document;
pub use editor::{Ask, OnEdit};
pub use position::Encoding;
pub use sandbox::{Sandbox, Script};
pub use session::{Options, Session};

use std::time::Duration;

/// How long a test waits for anything that should come at once, on a slow and busy machine.
pub const DEADLINE: Duration = Duration::from_secs(30);
