//! What to run and where its parts are: arguments, and the environment that `cargo xtask bench` sets.

use crate::Result;
use crate::groups::{GROUPS, Group};
use std::env;
use std::path::{Path, PathBuf};

/// A run.
pub struct Options {
    /// Tiny sizes and few rounds: that it works, not how fast. Nothing is written.
    pub quick: bool,
    /// `REDLINE_BENCH_PEERS`: the folder with the peers' `node_modules`.
    pub peers: Option<PathBuf>,
    /// `REDLINE_BENCH_RG`: ripgrep's binary.
    pub ripgrep: Option<PathBuf>,
    /// `REDLINE_BENCH_CORPUS`: the tree to search.
    pub corpus: Option<PathBuf>,
    page: Option<PathBuf>,
    only: Option<String>,
}

impl Options {
    /// Reads arguments and environment.
    ///
    /// # Errors
    /// An argument or a group that is not known, or no binary to measure.
    pub fn read() -> Result<Self> {
        let path = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.exists());
        let mut options = Self {
            quick: false,
            peers: path("REDLINE_BENCH_PEERS"),
            ripgrep: path("REDLINE_BENCH_RG"),
            corpus: path("REDLINE_BENCH_CORPUS"),
            page: env::var_os("REDLINE_BENCH_PAGE").map(PathBuf::from),
            only: None,
        };
        for argument in env::args().skip(1) {
            match argument.as_str() {
                "--quick" => options.quick = true,
                name if GROUPS.iter().any(|group| group.name == name) => {
                    options.only = Some(argument);
                }
                other => return Err(unknown(other).into()),
            }
        }
        path("REDLINE_BIN").ok_or("REDLINE_BIN does not name a binary; use `cargo xtask bench`")?;
        Ok(options)
    }

    /// The groups to run, in the order of the page.
    pub fn groups(&self) -> impl Iterator<Item = &'static Group> + '_ {
        let wanted = |group: &&Group| self.only.as_deref().is_none_or(|only| only == group.name);
        GROUPS.iter().filter(wanted)
    }

    /// The page to write to, if this run is for the record.
    pub fn page(&self) -> Option<&Path> {
        self.page.as_deref().filter(|_| !self.quick)
    }

    /// `full`, or `quick` in a smoke run.
    pub fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }
}

fn unknown(argument: &str) -> String {
    let names: Vec<_> = GROUPS.iter().map(|group| group.name).collect();
    format!("no group {argument:?}: leave it out, or name one of {}", names.join(", "))
}
