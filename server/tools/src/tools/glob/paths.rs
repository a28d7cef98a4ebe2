//! Patterns over whole paths, as the seed's table has them: `*` stops at `/`, and without `**/`
//! nothing is at any depth.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::tools::files::{GlobError, check_braces, names_hidden, within};

/// A pattern over the files of one folder.
#[derive(Debug)]
pub(in crate::tools) struct Pattern {
    root: PathBuf,
    /// One glob; a set knows the cheap ways to match extensions and names.
    glob: GlobSet,
    /// What is fixed at the start and at the end of a file's name: most differ there already.
    fixed: (String, String),
    /// Folders that all its files are in, from the root on.
    within: PathBuf,
    /// It names hidden files or folders.
    pub hidden: bool,
}

/// Characters that make a part of a pattern more than a name.
const WILD: [char; 7] = ['*', '?', '[', ']', '{', '}', '\\'];

/// The folder to walk, if it is not the working directory, and the pattern from there on. Absolute
/// patterns, `~` and `..` start elsewhere: at the last folder before the first wildcard.
pub(super) fn split(written: &str) -> (Option<&str>, &str) {
    let fixed = written.find(WILD).unwrap_or(written.len());
    let end = written[..fixed].rfind('/').map_or(0, |slash| slash + 1);
    let (folder, inside) = written.split_at(end);
    let elsewhere = folder.starts_with(['/', '~']) || folder.split('/').any(|part| part == "..");
    if elsewhere {
        (Some(folder), inside)
    } else {
        (None, written.strip_prefix("./").unwrap_or(written))
    }
}

/// An absolute pattern that leads through the working directory, from there on. One that would then
/// start elsewhere by itself stays as it is: the permission was for what is written.
pub(super) fn from_here<'w>(written: &'w str, cwd: &Path) -> &'w str {
    let cwd = cwd.to_str().filter(|cwd| cwd.starts_with('/'));
    let rest = cwd.and_then(|cwd| written.strip_prefix(cwd.trim_end_matches('/')));
    let inside = rest.filter(|rest| rest.starts_with('/')).map(|rest| rest.trim_start_matches('/'));
    inside.filter(|inside| !inside.starts_with('~')).unwrap_or(written)
}

impl Pattern {
    /// `inside` is relative to `root`, which is canonical.
    ///
    /// # Errors
    /// If it is no glob.
    pub fn new(inside: &str, root: &Path) -> Result<Self, GlobError> {
        check_braces(inside)?;
        let glob = GlobBuilder::new(inside).literal_separator(true).build()?;
        Ok(Self {
            root: root.to_owned(),
            glob: GlobSetBuilder::new().add(glob).build()?,
            fixed: fixed(inside),
            within: within(inside),
            hidden: names_hidden(inside),
        })
    }

    /// Whether it takes this file.
    pub fn takes(&self, file: &Path) -> bool {
        file.strip_prefix(&self.root).is_ok_and(|inside| self.takes_inside(inside))
    }

    /// The same for a path from the root on.
    pub fn takes_inside(&self, inside: &Path) -> bool {
        self.glob.is_match(inside)
    }

    /// A folder's path from the root on.
    pub fn inside<'p>(&self, folder: &'p Path) -> &'p Path {
        folder.strip_prefix(&self.root).unwrap_or(folder)
    }

    /// Whether it can take a file of this name.
    pub fn may_take(&self, name: &OsStr) -> bool {
        let (name, (start, end)) = (name.as_encoded_bytes(), &self.fixed);
        name.starts_with(start.as_bytes()) && name.ends_with(end.as_bytes())
    }

    /// Whether it can take a file of this folder.
    pub fn enters(&self, folder: &Path) -> bool {
        if self.within.as_os_str().is_empty() {
            return true;
        }
        let inside = folder.strip_prefix(&self.root).unwrap_or(Path::new(""));
        inside.starts_with(&self.within) || self.within.starts_with(inside)
    }
}

/// What the last part of a pattern starts and ends with. Within braces and brackets a `/` is no end
/// of a part, so where there are such nothing is known.
fn fixed(inside: &str) -> (String, String) {
    if inside.contains(['{', '[', '\\']) {
        return (String::new(), inside.rsplit(is_wild).next().unwrap_or_default().to_owned());
    }
    let last = inside.rsplit('/').next().unwrap_or_default();
    let start = last.split(is_wild).next().unwrap_or_default();
    let end = last.rsplit(is_wild).next().unwrap_or_default();
    (start.to_owned(), end.to_owned())
}

/// A wildcard, or the end of a part.
fn is_wild(c: char) -> bool {
    WILD.contains(&c) || c == '/'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_pattern_starts() {
        let check = |written: &str, want: (Option<&str>, &str)| {
            assert_eq!(split(from_here(written, Path::new("/w"))), want, "{written}");
        };
        check("*.rs", (None, "*.rs"));
        check("./src/*.rs", (None, "src/*.rs"));
        check("src/**/*.rs", (None, "src/**/*.rs"));
        check("/w/src/*.rs", (None, "src/*.rs"));
        check("/wide/src/*.rs", (Some("/wide/src/"), "*.rs"));
        check("/*.rs", (Some("/"), "*.rs"));
        check("/w//src/*.rs", (None, "src/*.rs"));
        check("/w/~/*.rs", (Some("/w/~/"), "*.rs"));
        check("/etc/hosts", (Some("/etc/"), "hosts"));
        check("~/x/{a,b}/c", (Some("~/x/"), "{a,b}/c"));
        check("../*/x", (Some("../"), "*/x"));
        check("a/../b/*", (Some("a/../b/"), "*"));
        check("*/../x", (None, "*/../x"));
        check("", (None, ""));
    }

    #[test]
    fn the_table_of_the_seed() {
        let check = |pattern: &str, taken: &[&str], left: &[&str]| {
            let pattern = Pattern::new(pattern, Path::new("/w")).unwrap();
            for (names, want) in [(taken, true), (left, false)] {
                for name in names {
                    let file = Path::new("/w").join(name);
                    assert_eq!(pattern.takes(&file), want, "{name}");
                    let may = pattern.may_take(file.file_name().unwrap());
                    assert!(may || !want, "may take {name}");
                    let entered = file.ancestors().skip(1).all(|folder| pattern.enters(folder));
                    assert!(entered || !want, "enters {name}");
                }
            }
        };
        check("**/*.js", &["a.js", "x/y/a.js"], &["a.ts"]);
        check("src/**/*.ts", &["src/a.ts", "src/x/y/a.ts"], &["a.ts", "lib/src/a.ts"]);
        check("*.json", &["a.json"], &["x/a.json"]);
        check("**/*test*", &["test", "x/my_test.rs"], &["test/a"]);
        check("**/Kconfig*", &["Kconfig", "x/Kconfig.debug"], &["xKconfig"]);
        check("**/a?c", &["abc", "x/a-c"], &["ac", "abcd"]);
        check("**/{x/y,z}.c", &["x/y.c", "a/z.c"], &["y.c"]);
        check("**/*.{js,ts}", &["a.js", "x/a.ts"], &["a.rs"]);
        check("src/[a-z]*/*.ts", &["src/lib/a.ts"], &["src/Lib/a.ts", "src/a.ts", "src/l/b/a.ts"]);
        check("src/main.rs", &["src/main.rs"], &["main.rs"]);
        check("src/**", &["src/a", "src/b/c"], &["lib/a"]);
    }
}
