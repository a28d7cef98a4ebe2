//! The disk: reading text, writing it so that nothing is ever half there, and the files under the
//! review journal.

mod atomic;
mod case;
mod durable;
pub mod journal;
pub mod ledger;
mod read;
mod words;

use redline_text::{Format, Text};

use crate::WorkspacePath;

pub use atomic::write;
pub(crate) use case::ignores_case;
pub use read::{MOST, bytes, open, plain_bytes, read, read_any};

/// What to write where.
#[derive(Debug, Clone)]
pub struct WriteRequest {
    /// The file.
    pub file: WorkspacePath,
    /// Its new content; `None`: remove it.
    pub text: Option<(Text, Format)>,
    /// The hash of the content that it must still have; `None`: it must not exist.
    pub expect: Option<u64>,
    /// The permission bits of a file that is made; `None`: as the user's umask has it.
    pub mode: Option<u32>,
}
