//! Whether a file that is not on disk yet would be ignored there.

use std::path::Path;

use ignore::{Match, gitignore::Gitignore};

use super::{globs::check_braces, walk::is_repository};

/// The files that say so. One of an earlier group wins whatever a later one says.
const NAMES: [&str; 3] = [".rgignore", ".ignore", ".gitignore"];

/// Bytes of an ignore file that are compiled without harm whatever they are.
const HARMLESS: u64 = 1024;

/// Whether the ignore files of a folder can be compiled, which anybody's repository may have: a line
/// of braces within braces would end the process, and a device or a FIFO never ends.
pub(super) fn is_safe(folder: &Path) -> bool {
    NAMES.into_iter().all(|name| {
        let file = folder.join(name);
        match file.metadata() {
            Ok(found) if found.is_file() => found.len() <= HARMLESS || has_few_braces(&file),
            Ok(found) => found.is_dir(),
            Err(_) => true,
        }
    })
}

fn has_few_braces(file: &Path) -> bool {
    // What can't be read is not compiled either.
    let text = std::fs::read(file).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().all(|line| check_braces(line).is_ok())
}

/// Goes by the ignore files of all folders above it; those of git do not reach into a repository
/// inside. The nearest that says something about the file decides; one that is not safe ignores all.
pub(in crate::tools) fn is_ignored(file: &Path) -> bool {
    NAMES.into_iter().find_map(|name| verdict(file, name)).unwrap_or(false)
}

fn verdict(file: &Path, name: &str) -> Option<bool> {
    for folder in file.ancestors().skip(1) {
        if !is_safe(folder) {
            return Some(true);
        }
        let rules = folder.join(name);
        // A line that is no glob does not disable the others.
        let found = rules.is_file().then(|| Gitignore::new(rules).0);
        match found.as_ref().map(|rules| rules.matched_path_or_any_parents(file, false)) {
            Some(Match::Ignore(_)) => return Some(true),
            Some(Match::Whitelist(_)) => return Some(false),
            Some(Match::None) | None => {}
        }
        if name == ".gitignore" && is_repository(folder) {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_there_yet() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            (".gitignore", "target/\n*.log\n{bad"),
            (".ignore", "!keep.log\nbuild"),
            ("sub/.gitignore", "!target\n"),
            ("inner/.git/HEAD", ""),
        ] {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let check = |name: &str, want: bool| {
            assert_eq!(is_ignored(&dir.path().join(name)), want, "{name}");
        };
        check("a.rs", false);
        check("a.log", true);
        check("keep.log", false);
        check("x/y/a.log", true);
        check("target/debug/a.rs", true);
        check("target", false);
        check("sub/target/a.rs", false);
        check("build/a.rs", true);
        check("inner/a.log", false);
    }
}
