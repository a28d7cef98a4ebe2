//! What the operating system refuses, in words that say what to do.

use std::io::{Error, ErrorKind};

/// The error with advice: what is wrong, and what the user can do about it. An error of ours that has
/// its own words must be of a kind without advice (`InvalidInput`, `WouldBlock`, `Other`).
pub(super) fn explain(error: &Error) -> String {
    match advice(error.kind()) {
        Some(advice) => advice.to_owned(),
        None => error.to_string(),
    }
}

fn advice(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::StorageFull => "the disk is full; free some space and try again",
        ErrorKind::QuotaExceeded => "your disk quota is used up; free some space and try again",
        ErrorKind::FileTooLarge => {
            "the file would be larger than the system allows; raise the limit (ulimit -f) or split it"
        }
        ErrorKind::PermissionDenied => {
            "permission denied; check who owns the file and its folder, and their modes"
        }
        ErrorKind::ReadOnlyFilesystem => {
            "the file system is mounted read-only; remount it or save elsewhere"
        }
        ErrorKind::NotFound => "the folder is gone; make it again and try again",
        ErrorKind::NotADirectory => "a part of the path is a file, not a folder; move it away",
        ErrorKind::IsADirectory => "there is a folder of this name; move it away",
        ErrorKind::ResourceBusy => "the file is in use; close what uses it and try again",
        ErrorKind::DirectoryNotEmpty => "there is a folder of this name; move it away",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_to_do() {
        let check = |error: Error, expect: &str| assert_eq!(explain(&error), expect);
        check(ErrorKind::StorageFull.into(), "the disk is full; free some space and try again");
        check(Error::new(ErrorKind::InvalidInput, "our words"), "our words");
        check(Error::other("other words"), "other words");
    }
}
