//! One line of a listing.

use std::fs::Metadata;

use super::time;
use crate::tools::files::{Entry, Facts};

/// An entry and what the disk says of it.
#[derive(Debug)]
pub(super) struct Row {
    pub entry: Entry,
    pub facts: Facts,
}

impl Row {
    /// `knows`: the disk is asked.
    pub fn new(entry: Entry, knows: bool) -> Self {
        let nothing = Facts { size: 0, modified: None, meta: None };
        let facts = if knows { entry.facts() } else { nothing };
        Self { entry, facts }
    }

    /// Seed 002: "Directories are marked with a trailing '/' suffix."
    pub fn short(&self) -> String {
        format!("{}{}", self.entry.name, if self.entry.is_folder { "/" } else { "" })
    }

    /// Seed 002: "Unix-style permissions, human-readable file size (KB/MB/GB), modification
    /// timestamp, and the filename".
    pub fn long(&self) -> String {
        let kind = if self.entry.is_folder { 'd' } else { '-' };
        format!(
            "{kind}{} {:>8} {} {}",
            permissions(self.facts.meta.as_ref(), self.entry.is_folder),
            size(self.facts.size),
            time(self.facts.modified),
            self.short()
        )
    }
}

/// What is not on the disk yet gets what new files and folders mostly have.
fn permissions(meta: Option<&Metadata>, is_folder: bool) -> String {
    let mode = meta.map_or(if is_folder { 0o755 } else { 0o644 }, mode);
    let flag = |(bit, name): (u32, char)| if mode & (1 << bit) == 0 { '-' } else { name };
    (0..9).rev().zip("rwxrwxrwx".chars()).map(flag).collect()
}

#[cfg(unix)]
fn mode(meta: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(meta)
}

/// Seed 002: "On Windows, simplified permissions based on read-only status are shown."
#[cfg(not(unix))]
fn mode(meta: &Metadata) -> u32 {
    if meta.permissions().readonly() { 0o444 } else { 0o666 }
}

/// Of bytes.
fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{:.1}{name}", bytes as f64 / *unit as f64),
        None => format!("{bytes}B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_for_people() {
        for (bytes, want) in [
            (0, "0B"),
            (1023, "1023B"),
            (1024, "1.0KB"),
            (1536, "1.5KB"),
            (5 << 20, "5.0MB"),
            (3 << 30, "3.0GB"),
            (5 << 40, "5120.0GB"),
        ] {
            assert_eq!(size(bytes), want);
        }
    }
}
