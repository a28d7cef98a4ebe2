//! Where there are no process groups: not built yet.

use std::path::Path;

/// In words.
pub(super) fn limits() -> String {
    "the editor's formatter only".to_owned()
}

/// Says that it can't.
#[derive(Debug, thiserror::Error)]
#[error("programs are started on Linux and macOS only, for now")]
pub(super) struct Failed;

/// See the Unix module.
pub(super) async fn run(
    _program: &Path,
    _args: &[String],
    _directory: &Path,
    _input: String,
) -> Result<String, Failed> {
    Err(Failed)
}
