//! Temporary files of processes that were killed.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs::{self, DirEntry, Metadata},
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// How our temporary files' names start; six letters or digits follow.
pub(in crate::io) const TEMPORARY: &str = ".redline-";
/// No write takes that long.
const AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Reading a large directory takes time, so each is looked at once.
static SEEN: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// Removes temporary files that are older than a day, once for each directory. Best effort.
pub(in crate::io) fn sweep(dir: &Path) {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let new = seen.insert(dir.to_owned());
    drop(seen);
    if let Some(before) = SystemTime::now().checked_sub(AGE).filter(|_| new) {
        sweep_before(dir, before);
    }
}

fn sweep_before(dir: &Path, before: SystemTime) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten().filter(|entry| is_name(&entry.file_name())) {
        if is_left(&entry, before) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_name(name: &OsStr) -> bool {
    let rest = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY));
    rest.is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// `DirEntry::metadata` follows no links.
fn is_left(entry: &DirEntry, before: SystemTime) -> bool {
    let old = |meta: &Metadata| meta.modified().is_ok_and(|time| time < before);
    entry.metadata().is_ok_and(|meta| meta.is_file() && old(&meta) && is_mine(&meta))
}

#[cfg(unix)]
fn is_mine(meta: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(meta) == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_mine(_: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, FileTimes};

    #[test]
    fn only_old_temporaries_of_ours_go() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let old = FileTimes::new().set_modified(SystemTime::now() - AGE - AGE);
        let names = [".redline-abc123", ".redline-abc1234", ".redline-ab.123", "redline-abc123"];
        for name in names {
            File::create(at(name)).unwrap().set_times(old).unwrap();
        }
        File::create(at(".redline-young1")).unwrap();
        fs::create_dir(at(".redline-folder")).unwrap();
        sweep(dir.path());
        let mut left: Vec<String> = fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let expect = [
            ".redline-ab.123",
            ".redline-abc1234",
            ".redline-folder",
            ".redline-young1",
            "redline-abc123",
        ];
        assert_eq!(left, expect);
    }
}
