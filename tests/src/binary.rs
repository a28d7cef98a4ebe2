//! Where the binary under test is.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The binary under test: `REDLINE_BIN`, or the one beside this test executable, brought up to date
/// by `cargo build -p redline` once per test process, so that it is never stale.
pub fn redline() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| match env::var_os("REDLINE_BIN") {
        Some(path) => std::fs::canonicalize(&path)
            .unwrap_or_else(|error| panic!("REDLINE_BIN={}: {error}", path.display())),
        None => build(),
    })
}

/// The repository's root folder.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ has a parent")
}

fn build() -> PathBuf {
    let profile_dir = profile_dir();
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--package", "redline", "--target-dir"]);
    cargo.arg(profile_dir.parent().expect("a target folder")).current_dir(repository());
    if profile_dir.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "cargo build --package redline failed");
    profile_dir.join(format!("redline{}", env::consts::EXE_SUFFIX))
}

/// `target/<profile>`: this executable is `target/<profile>/deps/<name>-<hash>`.
fn profile_dir() -> PathBuf {
    let executable = env::current_exe().expect("a path of this executable");
    executable.ancestors().nth(2).expect("target/<profile>/deps").to_path_buf()
}
