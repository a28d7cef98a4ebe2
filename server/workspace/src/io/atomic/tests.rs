use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use super::*;
use crate::WorkspacePath;

fn request(path: &Path, text: &str, expect: Option<u64>) -> WriteRequest {
    let file = WorkspacePath::assume_canonical(path);
    WriteRequest { file, text: Some((text.into(), Default::default())), expect, mode: None }
}

/// A write over whatever text is there.
fn overwrite(path: &Path, text: &str) -> Result<Option<DiskText>, WriteError> {
    let now = read(&WorkspacePath::assume_canonical(path)).unwrap();
    write(&request(path, text, now.map(|disk| disk.hash)))
}

fn names(dir: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| name(entry).into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn io_text(result: Result<Option<DiskText>, WriteError>) -> String {
    match result {
        Err(WriteError::Io(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_write_keeps_the_mode_and_makes_parents() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b/script.sh");
    write(&request(&path, "one\n", None)).unwrap();
    for bits in [0o755, 0o600, 0o4711, 0o2755] {
        fs::set_permissions(&path, fs::Permissions::from_mode(bits)).unwrap();
        overwrite(&path, &format!("{bits}\n")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{bits}\n"));
        assert_eq!(mode(&path), bits);
    }
    assert_eq!(names(path.parent().unwrap()), ["script.sh"], "nothing left over");
}

#[test]
fn a_file_that_is_not_what_was_read_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "theirs").unwrap();
    for expect in [None, Some(1)] {
        let result = write(&request(&path, "ours", expect));
        assert!(matches!(result, Err(WriteError::Changed(Some(_)))));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
}

#[test]
fn a_read_only_file_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    write(&request(&path, "one", None)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    assert!(io_text(overwrite(&path, "two")).contains("read-only"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    assert_eq!(names(dir.path()), ["file"]);
}

#[test]
fn all_names_of_a_file_see_the_write() {
    let dir = tempfile::tempdir().unwrap();
    let (path, other) = (dir.path().join("file"), dir.path().join("other"));
    fs::write(&path, "one\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    fs::hard_link(&path, &other).unwrap();
    let inode = fs::metadata(&path).unwrap().ino();
    for text in ["longer than before\n", "short\n", "", "again\n"] {
        overwrite(&path, text).unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), text);
    }
    assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
    assert_eq!(mode(&path), 0o640);
    assert_eq!(names(dir.path()), ["file", "other"]);
}

#[test]
fn a_safety_copy_that_was_left_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "half").unwrap();
    fs::hard_link(&path, dir.path().join("other")).unwrap();
    fs::write(dir.path().join("file.redline-backup"), "whole").unwrap();
    let text = io_text(overwrite(&path, "new"));
    assert!(text.contains("file.redline-backup") && text.contains("interrupted"), "{text}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "half");
    assert_eq!(fs::read_to_string(dir.path().join("file.redline-backup")).unwrap(), "whole");
}

#[test]
fn a_link_in_the_files_place_stays_a_link() {
    let dir = tempfile::tempdir().unwrap();
    let (path, real) = (dir.path().join("file"), dir.path().join("real"));
    fs::write(&real, "one").unwrap();
    symlink("real", &path).unwrap();
    overwrite(&path, "two").unwrap();
    assert_eq!(fs::read_link(&path).unwrap(), Path::new("real"));
    assert_eq!(fs::read_to_string(&real).unwrap(), "two");
    fs::remove_file(&real).unwrap();
    assert!(io_text(overwrite(&path, "three")).contains("leads nowhere"));
    assert_eq!(names(dir.path()), ["file"]);
}

#[test]
fn removing_a_link_leaves_what_it_points_at() {
    let dir = tempfile::tempdir().unwrap();
    let (path, real) = (dir.path().join("file"), dir.path().join("real"));
    fs::write(&real, "one").unwrap();
    symlink("real", &path).unwrap();
    let file = WorkspacePath::assume_canonical(&path);
    let expect = read(&file).unwrap().map(|disk| disk.hash);
    assert!(write(&WriteRequest { file, text: None, expect, mode: None }).unwrap().is_none());
    assert_eq!(names(dir.path()), ["real"]);
}

#[test]
fn a_folder_in_the_files_place_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::create_dir(&path).unwrap();
    for expect in [None, Some(1)] {
        assert!(io_text(write(&request(&path, "text", expect))).contains("a folder"));
        let remove = WriteRequest { text: None, ..request(&path, "", expect) };
        assert!(io_text(write(&remove)).contains("a folder"));
    }
    let below = path.join("below");
    fs::write(&below, "a file").unwrap();
    let text = io_text(write(&request(&below.join("file"), "text", None)));
    assert!(text.contains("is a file, not a folder"), "{text}");
}

#[test]
fn a_refused_write_leaves_no_directories() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b/file");
    assert!(matches!(write(&request(&path, "x", Some(1))), Err(WriteError::Changed(None))));
    let remove = WriteRequest { text: None, ..request(&path, "", Some(1)) };
    assert!(matches!(write(&remove), Err(WriteError::Changed(None))));
    assert!(names(dir.path()).is_empty());
}

#[test]
fn somebody_elses_lock_is_waited_for_and_then_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "one").unwrap();
    let theirs = fs::File::open(&path).unwrap();
    theirs.lock().unwrap();
    assert!(io_text(overwrite(&path, "two")).contains("another program holds a lock"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    drop(theirs);
    overwrite(&path, "two").unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn attributes_are_kept() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "one").unwrap();
    if setxattr(&path, "user.note", b"mine", XattrFlags::empty()).is_err() {
        eprintln!("skipped: no extended attributes in {}", dir.path().display());
        return;
    }
    let acl = setxattr(&path, "system.posix_acl_access", &acl(), XattrFlags::empty()).is_ok();
    if !acl {
        eprintln!("skipped: no access control lists in {}", dir.path().display());
    }
    let bits = mode(&path);
    overwrite(&path, "two").unwrap();
    let get = |name: &str| {
        let mut buffer = vec![0; 100];
        let len = getxattr(&path, name, &mut buffer).unwrap();
        buffer.truncate(len);
        buffer
    };
    assert_eq!(get("user.note"), b"mine");
    assert!(!acl || get("system.posix_acl_access") == self::acl());
    assert_eq!(mode(&path), bits);
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
}

/// `u::rw,u:65534:r,g::r,m::r,o::-` as the kernel keeps it: version 2, then tag, rights and id.
#[cfg(target_os = "linux")]
fn acl() -> Vec<u8> {
    let entries: [(u16, u16, u32); 5] =
        [(1, 6, !0), (2, 4, 65534), (4, 4, !0), (0x10, 4, !0), (0x20, 0, !0)];
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(rights.to_le_bytes());
        bytes.extend(id.to_le_bytes());
    }
    bytes
}

#[test]
fn owner_and_group_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "one").unwrap();
    if std::os::unix::fs::chown(&path, Some(65_534), Some(65_534)).is_err() {
        eprintln!("skipped: only root gives files away");
        return;
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o6755)).unwrap();
    overwrite(&path, "two").unwrap();
    let meta = fs::metadata(&path).unwrap();
    assert_eq!((meta.uid(), meta.gid(), mode(&path)), (65_534, 65_534, 0o6755));
}
