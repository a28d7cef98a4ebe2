//! Trust in a folder: what its own files say counts as if the user had said it.
//!
//! A repository is not the user, so what it says only tightens (DESIGN, section 5), until its user has
//! read it and trusts it. Trust is kept outside the folder and bound to the names and bytes of every
//! file that could grant, start or redirect something: a change of one of them ends it.

mod look;
mod words;

use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

use redline_workspace::io::ledger::{Ledger, LedgerError, is_moment, iso8601};
use serde::{Deserialize, Serialize};

pub use look::{SETTINGS, Seen, bytes, look};
pub use words::text;

/// The name of the list in the configuration's folder.
const FILE: &str = "trust.json";

/// A folder that the user trusts, as it was then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Entry", into = "Entry")]
pub struct Trusted {
    /// The folder, canonical.
    pub folder: PathBuf,
    /// See [`Seen::hash`].
    pub hash: String,
    /// When: UTC, `2026-11-21T04:07:09Z`.
    pub at: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    folder: PathBuf,
    hash: String,
    at: String,
}

impl From<Trusted> for Entry {
    fn from(Trusted { folder, hash, at }: Trusted) -> Self {
        Entry { folder, hash, at }
    }
}

impl TryFrom<Entry> for Trusted {
    type Error = String;

    fn try_from(Entry { folder, hash, at }: Entry) -> Result<Self, String> {
        if !folder.is_absolute() {
            return Err("\"folder\" must be an absolute path".to_owned());
        }
        if !is_moment(&at) {
            return Err(format!("\"at\" must be like 2026-11-21T04:07:09Z, not {at:?}"));
        }
        Ok(Trusted { folder, hash, at })
    }
}

/// The folders that the user trusts.
#[derive(Debug, Clone)]
pub struct TrustStore(Ledger<Trusted>);

impl TrustStore {
    /// Those of a configuration folder, which may not be there.
    pub fn in_folder(config: &Path) -> Self {
        Self(Ledger::new(config.join(FILE)))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// All of them, oldest first.
    ///
    /// # Errors
    /// See [`LedgerError`].
    pub fn read(&self) -> Result<Vec<Trusted>, LedgerError> {
        self.0.read()
    }

    /// Trusts a folder as it was seen, and no longer as it was before.
    ///
    /// # Errors
    /// See [`LedgerError`].
    pub fn trust(&self, seen: &Seen) -> Result<(), LedgerError> {
        let trusted = Trusted {
            folder: seen.folder.clone(),
            hash: seen.hash.clone(),
            at: iso8601(SystemTime::now()),
        };
        self.0.change(|list| {
            list.retain(|known| known.folder != trusted.folder);
            list.push(trusted);
        })
    }

    /// Trusts a folder no longer; whether it was trusted.
    ///
    /// # Errors
    /// See [`LedgerError`].
    pub fn revoke(&self, folder: &Path) -> Result<bool, LedgerError> {
        self.0.change(|list| {
            let before = list.len();
            list.retain(|known| known.folder != folder);
            list.len() < before
        })
    }
}

#[cfg(test)]
mod tests;
