//! Directories.

use super::{super::files::Folder, MAX_BYTES};

/// Seed 000, Read 2: "Return entry list with / suffix for subdirs". Bounded like a file's text.
pub(super) fn listed(folder: &Folder) -> String {
    let mut out = String::new();
    let more = if folder.is_cut { " or more" } else { "" };
    for (shown, entry) in folder.entries.iter().enumerate() {
        if out.len() + entry.name.len() > MAX_BYTES {
            out.push_str(&format!("\n[{} more entries{more}.]", folder.entries.len() - shown));
            return out;
        }
        if shown > 0 {
            out.push('\n');
        }
        out.push_str(&entry.name);
        if entry.is_folder {
            out.push('/');
        }
    }
    if folder.is_cut {
        out.push_str("\n[There are more entries.]");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::files::Entry;

    #[test]
    fn listings_are_bounded() {
        let entry = |n: usize| Entry {
            name: format!("file{n:05}"),
            is_folder: n == 1,
            disk: None,
            seen: None,
        };
        let many = Folder { entries: (0..10_000).map(entry).collect(), is_cut: false };
        let out = listed(&many);
        assert!(out.starts_with("file00000\nfile00001/\nfile00002\n"));
        assert!(out.len() < MAX_BYTES + 100);
        assert!(out.ends_with("more entries.]"));
        assert_eq!(listed(&Folder::default()), "");
    }
}
