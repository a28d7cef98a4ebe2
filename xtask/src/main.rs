//! The repository's own commands.
//!
//! - `cargo xtask test [--quick]` sets up what is missing and runs every test; `--quick` leaves the
//!   editor out.
//! - `cargo xtask lint` runs every linter and the house rules; `cargo xtask tidy` only the latter.
//!
//! Nothing here needs a crate from outside, so that it is built in a second.

mod house;
mod install;
mod lint;
mod report;
mod run;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask test [--quick]   set up what is missing, run every test (--quick: no editor)
       cargo xtask lint             rustfmt, clippy, rustdoc, stylua, luacheck, house rules
       cargo xtask tidy             the house rules only";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let report = match words.as_slice() {
        ["test"] => test::all(&root(), false),
        ["test", "--quick"] => test::all(&root(), true),
        ["lint"] => lint::all(&root()),
        ["tidy"] => lint::tidy(&root()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    report.close()
}

/// The repository's root folder.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
