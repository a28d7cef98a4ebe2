//! `cargo xtask conformance`: the edits of other agents' test suites, against the locator.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Prints pass, miss and unsafe for each tier, and every case that did not pass. Fails when a target
/// is missed; the test that knows them is `server/text/tests/conformance.rs`.
pub fn run(root: &Path) -> ExitCode {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(["test", "--quiet", "--package", "redline-text"]);
    command.args(["--test", "conformance", "--", "--nocapture"]);
    match command.env("RUST_BACKTRACE", "0").status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("cargo could not be started: {why}");
            ExitCode::FAILURE
        }
    }
}
