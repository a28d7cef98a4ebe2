//! A coding agent proposes, you redline: the binary.

mod cli;
mod demo;
mod lsp;
mod settings;
mod terminal;
mod trust;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
