//! Whether a folder or a file is still what it was when it was looked at, by what the file system
//! says of it.
//!
//! A change leaves a time stamp, but two changes within one tick of the file system's clock leave
//! the same one. So, as git does with its index ("racily clean"), a stamp is believed only if it was
//! old enough when it was taken: whatever happens later then has another one.

use std::{
    fs::{self, Metadata},
    path::Path,
    time::{Duration, SystemTime},
};

/// How old a stamp must be: FAT counts in steps of two seconds, and the kernel stamps with the time
/// of its last tick.
pub(super) const SETTLED: Duration = Duration::from_millis(2_100);

/// What changes whenever the thing does. Times are seconds and nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    /// Also the time of the last `chmod` or `utimes`: nobody can set it back.
    changed: (i64, i64),
}

impl Stamp {
    /// `None` where the system does not tell enough, so that nothing is ever the same.
    #[cfg(unix)]
    pub fn new(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// See above.
    #[cfg(not(unix))]
    pub fn new(_: &Metadata) -> Option<Self> {
        None
    }

    /// The file system that it is on.
    pub fn device(self) -> u64 {
        self.device
    }

    /// Whether a change after `then` gives another stamp: `then` is a moment before it was taken,
    /// `settled` how old it must have been.
    pub fn is_settled(self, then: SystemTime, settled: Duration) -> bool {
        let Some(limit) = then.checked_sub(settled) else { return false };
        let Ok(limit) = limit.duration_since(SystemTime::UNIX_EPOCH) else { return false };
        let limit = (i64::try_from(limit.as_secs()).unwrap_or(0), i64::from(limit.subsec_nanos()));
        self.modified.max(self.changed) < limit
    }
}

/// What is at a path, as far as it matters for what was read there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Nothing, or nothing that can be looked at.
    Missing,
    /// A folder: which one, but not what is in it.
    Folder(u64, u64),
    /// A regular file.
    File(Option<Stamp>),
    /// A FIFO, a device, a socket.
    Other,
}

impl Look {
    /// Follows symlinks, as those do who read ignore files.
    pub fn at(path: &Path) -> Self {
        let Ok(metadata) = fs::metadata(path) else { return Look::Missing };
        let stamp = Stamp::new(&metadata);
        if metadata.is_file() {
            return Look::File(stamp);
        }
        match stamp {
            Some(stamp) if metadata.is_dir() => Look::Folder(stamp.device, stamp.inode),
            None if metadata.is_dir() => Look::Folder(0, 0),
            _ => Look::Other,
        }
    }

    /// Whether it can be told from whatever comes after it.
    pub fn is_settled(self, then: SystemTime, settled: Duration) -> bool {
        match self {
            Look::File(stamp) => stamp.is_some_and(|stamp| stamp.is_settled(then, settled)),
            Look::Missing | Look::Folder(..) | Look::Other => true,
        }
    }
}

/// Whether a file system stamps a folder whenever an entry comes or goes. Those in user space, over
/// a network or without a disk need not.
#[cfg(target_os = "linux")]
pub(super) fn stamps_folders(path: &Path) -> bool {
    // ext, btrfs, xfs, tmpfs, overlay, f2fs, zfs, bcachefs, ramfs, jfs: statfs(2).
    const KNOWN: [u64; 10] = [
        0xEF53,
        0x9123_683E,
        0x5846_5342,
        0x0102_1994,
        0x794C_7630,
        0xF2F5_2010,
        0x2FC1_2FC1,
        0xCA45_1A4E,
        0x8584_58F6,
        0x3153_464A,
    ];
    // The kind is 32 bits wide; some systems widen it with its sign.
    let kind = |found: rustix::fs::StatFs| (found.f_type as u64) & 0xFFFF_FFFF;
    rustix::fs::statfs(path).is_ok_and(|found| KNOWN.contains(&kind(found)))
}

/// Elsewhere nothing is known, so every search looks at the disk again.
#[cfg(not(target_os = "linux"))]
pub(super) fn stamps_folders(_: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_believed_when_it_was_old() {
        let stamp = |modified, changed| Stamp {
            device: 1,
            inode: 1,
            size: 0,
            modified: (modified, 0),
            changed: (changed, 0),
        };
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        let check = |stamp: Stamp, want: bool| {
            assert_eq!(stamp.is_settled(then, Duration::from_secs(2)), want, "{stamp:?}");
        };
        check(stamp(990, 990), true);
        check(stamp(998, 990), false);
        check(stamp(990, 999), false);
        check(stamp(2_000, 990), false);
        check(stamp(-5, -5), true);
        assert!(!stamp(0, 0).is_settled(SystemTime::UNIX_EPOCH, SETTLED));
    }

    #[test]
    fn what_is_at_a_path() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        assert_eq!(Look::at(&file), Look::Missing);
        std::fs::write(&file, "a").unwrap();
        let first = Look::at(&file);
        assert!(!first.is_settled(SystemTime::now(), SETTLED), "it is too young");
        std::fs::write(&file, "ab").unwrap();
        assert_ne!(Look::at(&file), first);
        assert!(matches!(Look::at(dir.path()), Look::Folder(..)));
        assert_eq!(Look::at(Path::new("/dev/null")), Look::Other);
    }
}
