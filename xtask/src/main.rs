//! The repository's own commands.
//!
//! - `cargo xtask test [--quick]` sets up what is missing and runs every test; `--quick` leaves the
//!   editors out.
//! - `cargo xtask lint` runs every linter and the house rules; `cargo xtask tidy` only the latter.
//! - `cargo xtask package` packs the extension for Visual Studio Code with the server inside.
//! - `cargo xtask conformance` runs the edits of other agents' test suites and prints the table.
//! - `cargo xtask docs` writes docs/tools.md from the registry of tools.
//! - `cargo xtask bench [GROUP] [--quick]` measures and writes docs/benchmarks.md.
//! - `cargo xtask fuzz [TARGET] [--minutes N]` runs the targets of tests/fuzz for long.
//!
//! Nothing here needs a crate from outside, so that it is built in a second.

mod bench;
mod conformance;
mod docs;
mod emacs;
mod fuzz;
mod host;
mod house;
mod install;
mod lint;
mod npm;
mod package;
mod report;
mod run;
mod test;
mod tidy;
mod vscode;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask test [--quick]   set up what is missing, run every test (--quick: no editors)
       cargo xtask vscode [PATTERN] only Visual Studio Code, and scenarios that match
       cargo xtask lint             rustfmt, clippy, rustdoc, stylua, luacheck, tsc, eslint, house rules
       cargo xtask tidy             the house rules only
       cargo xtask conformance      pass, miss and unsafe for the edits of other agents' test suites
       cargo xtask package          the extension for Visual Studio Code, with the server inside
       cargo xtask docs             docs/tools.md, from the registry of tools
       cargo xtask bench [GROUP] [--quick]
                                    measure and write docs/benchmarks.md (--quick: only try it)
       cargo xtask fuzz [TARGET] [--minutes N]
                                    random inputs for what reads text, a minute for each target";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let report = match words.as_slice() {
        ["test"] => test::all(&root(), false),
        ["test", "--quick"] => test::all(&root(), true),
        ["lint"] => lint::all(&root()),
        ["tidy"] => lint::tidy(&root()),
        ["vscode"] => test::vscode(&root(), ""),
        ["vscode", pattern] => test::vscode(&root(), pattern),
        ["bench", rest @ ..] => return bench::run(&root(), rest),
        ["fuzz", rest @ ..] => return fuzz::run(&root(), rest),
        ["docs"] => return docs::run(&root()),
        ["conformance"] => return conformance::run(&root()),
        ["package"] => return pack(&root()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    report.close()
}

/// Packs the extension and says where it is and how large.
fn pack(root: &Path) -> ExitCode {
    match package::for_users(root) {
        Ok(packed) => {
            let bytes = std::fs::metadata(&packed).map_or(0, |file| file.len());
            println!("{} ({} KB)", packed.display(), bytes.div_ceil(1024));
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The repository's root folder.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
