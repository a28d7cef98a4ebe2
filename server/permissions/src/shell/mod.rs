//! What a Bash command would run, read without running it.
//!
//! This is a splitter, not a grammar: it finds the simple commands of lists, pipelines, subshells
//! and substitutions, and says of everything else that it does not understand it. The bias is one
//! way only. Calling something opaque that is harmless costs the user a question; missing a command
//! would run it unasked. So every construct that is not known to be read exactly as a shell reads
//! it, is opaque.

mod command;
mod reader;
mod word;

pub(crate) use command::base_name;
pub use command::{Argument, SimpleCommand};

/// What was found in a command text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shell {
    /// The simple commands, in the order of the text, those inside substitutions before the one
    /// that they are part of. Complete only if nothing is opaque.
    pub commands: Vec<SimpleCommand>,
    /// The first part that is not understood, as a noun phrase ("the `for` loop").
    pub opaque: Option<String>,
    /// The files that redirections write to, as written, without quotes.
    pub writes: Vec<String>,
}

/// Reads a command text.
pub fn read(cmd: &str) -> Shell {
    reader::read(cmd, 0)
}
