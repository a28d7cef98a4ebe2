//! `cargo xtask docs`: the pages that are made from the code. A test of each compares it with what the
//! code says, and writes it when it is told to.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Writes docs/tools.md.
pub fn run(root: &Path) -> ExitCode {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).env("UPDATE_EXPECT", "1");
    cargo.args(["test", "--quiet", "--package", "redline-tools", "--lib", "the_page_of_tools"]);
    match cargo.status() {
        Ok(status) if status.success() => {
            println!("docs/tools.md");
            ExitCode::SUCCESS
        }
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo could not be started: {error}");
            ExitCode::FAILURE
        }
    }
}
