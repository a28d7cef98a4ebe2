//! Which files a glob takes, as `rg --glob` would have it: without `/` at any depth, with one from
//! the folder on, `!` takes the others. Other than `rg`'s it brings back nothing that is ignored.

use std::path::{Path, PathBuf};

use ignore::overrides::{Override, OverrideBuilder};

/// A glob over paths, relative to each of one or two folders.
#[derive(Debug)]
pub(in crate::tools) struct Globs {
    bases: Vec<(PathBuf, Override)>,
    negated: bool,
    /// Folders that the taken files are in, from the base on.
    within: PathBuf,
    /// It names hidden files or folders.
    pub hidden: bool,
}

/// It is no glob.
#[derive(Debug, thiserror::Error)]
pub(in crate::tools) enum GlobError {
    #[error("{0}")]
    Override(#[from] ignore::Error),
    #[error("{0}")]
    Glob(#[from] globset::Error),
    #[error("it has more than {MAX_BRACES} braces: split it into several calls")]
    Braces,
}

/// Braces within braces are compiled by recursion: too many of them would end the process.
const MAX_BRACES: usize = 100;

/// # Errors
/// If compiling it is not safe.
pub(in crate::tools) fn check_braces(glob: &str) -> Result<(), GlobError> {
    match glob.matches('{').count() {
        0..=MAX_BRACES => Ok(()),
        _ => Err(GlobError::Braces),
    }
}

impl Globs {
    /// `bases` are the folders that it may be meant to start from: it is enough to fit one.
    ///
    /// # Errors
    /// If it is no glob.
    pub fn new(glob: &str, bases: &[&Path]) -> Result<Self, GlobError> {
        check_braces(glob)?;
        let (negated, rest) = match glob.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, glob),
        };
        let build = |base: &&Path| -> Result<_, GlobError> {
            let sign = if negated { "!" } else { "" };
            let mut builder = OverrideBuilder::new(base);
            builder.add(&format!("{sign}{}", anchored(rest, base)))?;
            Ok((base.to_path_buf(), builder.build()?))
        };
        Ok(Self {
            bases: bases.iter().map(build).collect::<Result<_, _>>()?,
            negated,
            within: bases.first().map(|base| within(&anchored(rest, base))).unwrap_or_default(),
            hidden: !negated && names_hidden(rest),
        })
    }

    /// Whether it takes this file.
    pub fn takes(&self, file: &Path) -> bool {
        let mut matches = self.bases.iter().map(|(_, glob)| glob.matched(file, false));
        if self.negated {
            !matches.any(|it| it.is_ignore())
        } else {
            matches.any(|it| it.is_whitelist())
        }
    }

    /// Whether it can take a file of this folder.
    pub fn enters(&self, folder: &Path) -> bool {
        if self.negated {
            return !self.bases.iter().any(|(_, glob)| glob.matched(folder, true).is_ignore());
        }
        let [(base, _)] = self.bases.as_slice() else { return true };
        let inside = folder.strip_prefix(base).unwrap_or(Path::new(""));
        inside.starts_with(&self.within) || self.within.starts_with(inside)
    }
}

/// In the form that the matcher takes: a folder stands for all in it; `./` and an absolute path in
/// the base are from the base on.
fn anchored(glob: &str, base: &Path) -> String {
    let base = base.to_string_lossy();
    let from_base = glob.strip_prefix(&*base).filter(|rest| rest.starts_with('/'));
    let from_here = glob.strip_prefix("./").map(|rest| format!("/{rest}"));
    let glob = from_here.unwrap_or_else(|| from_base.unwrap_or(glob).to_owned());
    if glob.ends_with('/') { format!("{glob}**") } else { glob }
}

/// The folders that an anchored glob starts with, up to the first that has a wildcard.
pub(in crate::tools) fn within(glob: &str) -> PathBuf {
    let is_wild = |part: &&str| part.contains(['*', '?', '[', '{', '\\']);
    match glob.trim_start_matches('/').rsplit_once('/') {
        Some((folders, _)) => folders.split('/').take_while(|part| !is_wild(part)).collect(),
        None => PathBuf::new(),
    }
}

/// Whether a part of it starts with a dot.
pub(in crate::tools) fn names_hidden(glob: &str) -> bool {
    let mut parts = glob.split(['/', '{', ',']);
    parts.any(|part| part.starts_with('.') && !matches!(part, "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_globs_take() {
        let check = |glob: &str, taken: &[&str], left: &[&str]| {
            let globs = Globs::new(glob, &[Path::new("/w")]).unwrap();
            for (names, want) in [(taken, true), (left, false)] {
                for name in names {
                    let file = Path::new("/w").join(name);
                    assert_eq!(globs.takes(&file), want, "{glob} {name}");
                    let entered = file.ancestors().skip(1).all(|folder| globs.enters(folder));
                    assert!(entered || !want, "{glob} enters {name}");
                }
            }
        };
        check("*.rs", &["a.rs", "x/y/a.rs"], &["a.RS", "a.rs.txt", "rs"]);
        check("**/*.rs", &["a.rs", "x/y/a.rs"], &["a.md"]);
        check("src/**/*.ts", &["src/x.ts", "src/a/b/x.ts"], &["lib/x.ts", "x/src/x.ts"]);
        check("src/*.ts", &["src/x.ts"], &["src/a/x.ts"]);
        check("src/", &["src/x.ts", "src/a/x"], &["lib/x"]);
        check("./*.ts", &["x.ts"], &["src/x.ts"]);
        check("/w/src/*.ts", &["src/x.ts"], &["x.ts", "w/src/x.ts"]);
        check("*.{js,ts}", &["a/x.ts", "x.js"], &["x.rs"]);
        check("src/{a,b}/*", &["src/a/x", "src/b/x"], &["src/c/x"]);
        check("!*.rs", &["a.md"], &["a.rs", "x/a.rs"]);
        check("*test*", &["a/my_test.rs"], &["a/b.rs"]);
    }

    #[test]
    fn folders_that_need_no_visit() {
        let check = |glob: &str, folder: &str, want: bool| {
            let globs = Globs::new(glob, &[Path::new("/w")]).unwrap();
            assert_eq!(globs.enters(&Path::new("/w").join(folder)), want, "{glob} {folder}");
        };
        check("src/a/*.ts", "src", true);
        check("src/a/*.ts", "src/a", true);
        check("src/a/*.ts", "src/a/b", true);
        check("src/a/*.ts", "src/b", false);
        check("src/a/*.ts", "lib", false);
        check("*.ts", "lib", true);
        check("!target", "target", false);
        check("!target", "src", true);
        let two = Globs::new("b/*.ts", &[Path::new("/w"), Path::new("/w/a")]).unwrap();
        assert!(two.enters(Path::new("/w/a/b")) && two.takes(Path::new("/w/a/b/x.ts")));
    }

    #[test]
    fn hidden_files_are_searched_where_they_are_named() {
        let check = |glob: &str, want: bool| {
            assert_eq!(Globs::new(glob, &[Path::new("/w")]).unwrap().hidden, want, "{glob}");
        };
        check(".github/**/*.yml", true);
        check("**/.env*", true);
        check("{.a,b}/*", true);
        check("./src/*.rs", false);
        check("*.rs", false);
        check("!.github", false);
        assert!(Globs::new("a{b", &[Path::new("/w")]).is_err());
    }
}
