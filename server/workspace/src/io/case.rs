//! Whether a folder's file system tells `a` from `A`.

use std::{
    ffi::OsStr,
    fs::read_dir,
    path::{Path, PathBuf},
};

/// How many names of the folder are tried if its own has no letters.
const TRIES: usize = 64;

/// Whether a name in other letters is the same file. Where it cannot be told, letters count.
pub(crate) fn ignores_case(folder: &Path) -> bool {
    let inside = read_dir(folder).into_iter().flatten().flatten().take(TRIES);
    let all = std::iter::once(folder.to_owned()).chain(inside.map(|entry| entry.path()));
    all.filter_map(|path| Some((swapped(&path)?, path))).next().is_some_and(|(other, path)| {
        // A link in other letters is another file.
        let is_link = other.symlink_metadata().is_ok_and(|found| found.is_symlink());
        let real = |path: &Path| path.canonicalize().ok();
        !is_link && real(&path).is_some() && real(&path) == real(&other)
    })
}

/// The path with the letters of its name the other way round; `None` if it has none.
fn swapped(path: &Path) -> Option<PathBuf> {
    let name = path.file_name().and_then(OsStr::to_str)?;
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    let other: String = name.chars().map(swap).collect();
    (other != name).then(|| path.with_file_name(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_letters() {
        let check = |path: &str, want: Option<&str>| {
            assert_eq!(swapped(Path::new(path)), want.map(PathBuf::from), "{path}");
        };
        check("/w/Src", Some("/w/sRC"));
        check("/w/12-a", Some("/w/12-A"));
        check("/w/123", None);
        check("/", None);
    }

    /// Neither a link nor another folder of the same letters is the same.
    #[cfg(target_os = "linux")]
    #[test]
    fn letters_count_here() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        assert!(!ignores_case(&root));
        std::fs::create_dir(dir.path().join("ROOT")).unwrap();
        assert!(!ignores_case(&root));
        std::os::unix::fs::symlink("sub", root.join("SUB")).unwrap();
        assert!(!ignores_case(&root.join("sub")));
        assert!(!ignores_case(Path::new("/nowhere/at/all")));
    }
}
