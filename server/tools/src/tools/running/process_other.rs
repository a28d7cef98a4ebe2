//! Where there are no process groups: not built yet.

use std::{io, path::Path};

use super::output::Output;
use crate::Cancel;

/// See the Unix module.
pub(super) struct Ended {
    pub exit: Exit,
    pub output: Output,
    pub left: Option<i32>,
}

/// See the Unix module.
pub(super) enum Exit {
    Code(i32),
    Cancelled,
}

/// Says that it can't.
pub(super) async fn run(
    _cmd: &str,
    _cwd: &Path,
    _cancel: &Cancel,
    _progress: impl Fn(&Output),
) -> io::Result<Ended> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "Bash needs Linux or macOS for now"))
}
