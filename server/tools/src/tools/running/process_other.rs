//! Where there are no process groups: not built yet.

use std::{convert::Infallible, io, process::ExitStatus};

use super::{Ended, Errand, Job, Sink};

/// See the Unix module. There is none.
pub(crate) struct Running(Infallible);

/// Says that it can't.
pub(in crate::tools) fn start(_: &Job<'_>) -> io::Result<Running> {
    unsupported()
}

/// Says that it can't.
pub(crate) fn start_program(_: Errand<'_>) -> io::Result<Running> {
    unsupported()
}

fn unsupported() -> io::Result<Running> {
    let words = "commands need Linux or macOS for now";
    Err(io::Error::new(io::ErrorKind::Unsupported, words))
}

impl Running {
    /// See the Unix module.
    pub fn id(&self) -> Option<u32> {
        match self.0 {}
    }

    /// See the Unix module.
    pub(in crate::tools) async fn finish<T>(
        self,
        _: &mut impl Sink,
        _: impl Future<Output = T>,
    ) -> io::Result<Ended<T>> {
        match self.0 {}
    }

    /// See the Unix module.
    pub async fn finish_alone<T>(
        self,
        _: &mut impl Sink,
        _: impl Future<Output = T>,
    ) -> io::Result<Result<ExitStatus, T>> {
        match self.0 {}
    }
}
