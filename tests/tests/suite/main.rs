//! The built binary, driven as an LSP client would drive it. One executable, because linking a
//! dozen of them takes longer than running them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the whole crate is test code"
)]

mod accepting;
mod asks;
mod audit;
mod bad_input;
mod cli;
mod commands;
mod creating;
mod deleting;
mod demo_code;
mod documents;
mod families;
mod fidelity;
mod grants;
mod handshake;
mod keeping;
mod killing;
mod locating;
mod permissions_cli;
mod plain_asks;
mod plain_client;
mod plain_review;
mod proposing;
mod questions;
mod racing;
mod resolving;
mod restarting;
mod rewinding;
mod saving;
mod subagents;
mod telling;
mod tools;
mod trust;
mod typing;
mod undoing;
mod waiting;
