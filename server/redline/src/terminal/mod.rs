//! The terminal as the user's side of the house: asks, questions, and a review of hunks, one by one.
//!
//! What is shown is made by pure functions (`hunk`, `ask`) from data; what is typed comes through
//! [`Console`], which a test replaces by a list of keys.

mod ask;
mod cells;
mod console;
mod front;
mod host;
mod hunk;
mod line;
mod paint;
mod question;
mod review;
mod tty;

pub use cells::{printable, rows, wrapped};
pub use console::{Console, Key, SharedConsole, with_console};
pub use front::{Answers, TerminalFront};
pub use host::TerminalHost;
pub use paint::{ColorChoice, Paint, Style};
pub use review::{Tally, review};
pub use tty::{Tty, is_interactive};

#[cfg(test)]
pub use console::testing::Typist;
