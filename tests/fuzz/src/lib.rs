//! Random inputs for what reads text that others wrote.
//!
//! Each file in `tests/` is one target: a strategy for inputs, and what must hold for every one of them.
//! In a usual test run a target gets a few hundred inputs; `cargo xtask fuzz [TARGET] [--minutes N]`
//! runs the same for as long as it is told. A failure prints the smallest input that still fails and
//! the seed that finds it again; the input then becomes a test of its own in the crate that was
//! wrong, beside the fix.
//!
//! - [`fuzz()`]: the runner,
//! - [`arguments`]: strategies for calls of tools, from their schemas,
//! - [`text`]: strategies for texts, edits of texts, and places in them,
//! - [`naive`]: a document as a plain string, which says what is right.
#![allow(clippy::panic, reason = "the whole crate is test code")]

pub mod arguments;
pub mod fuzz;
pub mod naive;
pub mod text;

pub use fuzz::fuzz;
