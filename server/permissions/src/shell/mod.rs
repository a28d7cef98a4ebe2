//! What a Bash command would run, read without running it.
//!
//! A grammar of our own: a recursive descent over the characters, in which words are read as the
//! shell reads them. The bias is one way only. Calling something opaque that is harmless costs the
//! user a question; missing a command would run it unasked. So every construct that is not known to
//! be read exactly as a shell reads it, is opaque.
//!
//! Why not a grammar that exists. Both candidates were measured, each from its newest release:
//!
//! - `brush-parser` 0.4 (MIT, pure Rust, about 30 crates): takes exponential time (22 times `(` 0.2 s,
//!   26 times 1.8 s, 2,000 never), and ends the process by a stack overflow at 2,000 times `{ `,
//!   `if x; then ` or `a && ( b | `. Its words are texts that would have to be read once more.
//! - `tree-sitter-bash` 0.25 (MIT, C): needs quadratic time on some texts (32 KB of `f() ` 1.2 s),
//!   and is wrong in the dangerous direction without an error in its tree: the backquotes of
//!   `` ${x:-`rm x`} `` are a word to it, and `rm z` of an `echo x`, a line continuation and
//!   `# y; rm z` a comment. Bash runs both.
//!
//! Here a text costs linear time: the depth of nesting, the number of commands and the characters
//! that are read (texts inside texts are read again) are bounded, and what is beyond is opaque.

mod ansi;
mod appended;
mod builtins;
mod command;
mod compound;
mod condition;
mod emit;
mod expand;
mod grammar;
mod place;
mod reader;
mod redirect;
mod run;
mod scripts;
mod sink;
mod variables;
mod word;
mod words;
mod wrappers;

pub(crate) use command::base_name;
pub use command::{Argument, SimpleCommand};

/// What was found in a command text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shell {
    /// The simple commands, in the order of the text, those inside substitutions before the one
    /// that they are part of. Complete only if nothing is opaque.
    pub commands: Vec<SimpleCommand>,
    /// The first part that is not understood, as a noun phrase ("the extended glob").
    pub opaque: Option<String>,
    /// The files that redirections, `tee` and the like write to, without quotes: absolute, from the
    /// home (`~/x`), or relative to where the whole command starts (a `cd` before is in it). Those of
    /// which that is not known have a `$`, a quote or a pattern in them, and are opaque besides.
    pub writes: Vec<String>,
}

/// Reads a command text. Never panics; the time is linear in the length of the text.
pub fn read(cmd: &str) -> Shell {
    let mut sink = sink::Sink::new(cmd.len());
    reader::read(cmd, &mut sink, 0);
    sink.finish()
}
