//! The disk: reading text, and writing it so that nothing is ever half there.

mod atomic;
mod read;

use redline_text::{Format, Text};

use crate::WorkspacePath;

pub use atomic::write;
pub use read::read;

/// What to write where.
#[derive(Debug, Clone)]
pub struct WriteRequest {
    /// The file.
    pub file: WorkspacePath,
    /// Its new content; `None`: remove it.
    pub text: Option<(Text, Format)>,
    /// The hash of the content that it must still have; `None`: it must not exist.
    pub expect: Option<u64>,
}
