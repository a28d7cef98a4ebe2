//! What a file has beside its content, put on the file that takes its place.

use std::{
    fs::{File, Metadata},
    io,
};

/// Whether a replacement is as good as the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Owner, group, mode and attributes are the same.
    All,
    /// We may not give it that owner or group, or those rights.
    NotOwner,
}

/// Copies owner, group, extended attributes and mode from `old` to `new`. Attributes that only the
/// system may set are left to it.
#[cfg(unix)]
pub(super) fn copy(old: &File, meta: &Metadata, new: &File) -> io::Result<Kept> {
    use std::os::unix::fs::MetadataExt;

    let ours = new.metadata()?;
    let (uid, gid) = (meta.uid(), meta.gid());
    // Before the mode: a change of the owner takes the set-user-id bits away.
    if (ours.uid(), ours.gid()) != (uid, gid)
        && std::os::unix::fs::fchown(new, Some(uid), Some(gid)).is_err()
    {
        return Ok(Kept::NotOwner);
    }
    if attributes::copy(old, new) == Kept::NotOwner {
        return Ok(Kept::NotOwner);
    }
    new.set_permissions(meta.permissions())?;
    Ok(Kept::All)
}

/// Windows keeps access rules with the directory; the read-only flag is all there is to copy.
#[cfg(not(unix))]
pub(super) fn copy(_: &File, meta: &Metadata, new: &File) -> io::Result<Kept> {
    new.set_permissions(meta.permissions())?;
    Ok(Kept::All)
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod attributes {
    use std::{collections::BTreeMap, fs::File};

    use rustix::{
        fs::{
            XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fremovexattr,
            fsetxattr,
        },
        io,
    };

    use super::Kept;

    /// Who may do what, beyond the mode.
    const ACCESS: &[u8] = b"system.posix_acl_access";

    /// Makes the attributes of `new` those of `old`. Also takes away what a directory's default gave
    /// to a new file.
    pub(super) fn copy(old: &File, new: &File) -> Kept {
        let (old, ours) = (all(old), all(new));
        for name in ours.keys().filter(|name| !old.contains_key(*name)) {
            let _ = fremovexattr(new, name.as_slice());
        }
        let changed = old.iter().filter(|(name, value)| ours.get(*name) != Some(value));
        let mut kept = Kept::All;
        for (name, value) in changed {
            let set = fsetxattr(new, name.as_slice(), value, XattrFlags::empty());
            if set.is_err() && name == ACCESS {
                kept = Kept::NotOwner;
            }
        }
        kept
    }

    /// Names and values; what may not be read is left out.
    fn all(file: &File) -> BTreeMap<Vec<u8>, Vec<u8>> {
        let names = whole(|| flistxattr_query(file), |buffer| flistxattr(file, buffer));
        let names = names.unwrap_or_default();
        let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let with_value = |name: &[u8]| {
            let query = || fgetxattr_query(file, name);
            let value = whole(query, |buffer| fgetxattr(file, name, buffer)).ok()?;
            Some((name.to_vec(), value))
        };
        names.filter_map(with_value).collect()
    }

    /// Asks for the length, then for the bytes.
    fn whole(
        query: impl Fn() -> io::Result<usize>,
        get: impl Fn(&mut [u8]) -> io::Result<usize>,
    ) -> io::Result<Vec<u8>> {
        let mut buffer = vec![0; query()?];
        let len = get(&mut buffer)?;
        buffer.truncate(len);
        Ok(buffer)
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "macos"))))]
mod attributes {
    /// No attributes here.
    pub(super) fn copy(_: &std::fs::File, _: &std::fs::File) -> super::Kept {
        super::Kept::All
    }
}
