//! `@bundle:path` (seed 003, "Bundle resources"): files of folders that the user has configured.
//! Resolved wherever a call's paths are looked at, so that the schedule, rules and guards see the
//! real file.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use redline_workspace::{PathError, Workspace, WorkspacePath};

use crate::{Dialect, ToolSettings};

/// A file that a call names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    /// The real file.
    pub file: WorkspacePath,
    /// It was named as one of a bundle: it can be read without asking, and never be written.
    pub in_bundle: bool,
}

/// Why words name no file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LocateError {
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(
        "there is no bundle called {name:?}; {known}. For a file of the workspace that is called \
         so, write ./{written}"
    )]
    Unknown { name: String, written: String, known: String },
    #[error("the folder of the bundle {name:?} can't be read ({reason}); tell the user")]
    Folder { name: String, reason: String },
    #[error("{0} leads out of its bundle; name a file inside it")]
    Outside(String),
}

/// The file that a call of a tool of that family names.
pub(crate) fn locate(
    workspace: &Workspace,
    settings: &ToolSettings,
    family: Option<Dialect>,
    written: &str,
    cwd: &Path,
) -> Result<Located, LocateError> {
    match named(written).filter(|_| family == Some(Dialect::Amplifier)) {
        Some((name, inside)) => {
            let file = in_bundle(&settings.bundles, name, inside, written)?;
            Ok(Located { file, in_bundle: true })
        }
        None => Ok(Located { file: workspace.path(written, cwd)?, in_bundle: false }),
    }
}

/// The bundle's name and the path in it.
fn named(written: &str) -> Option<(&str, &str)> {
    let (name, inside) = written.strip_prefix('@')?.split_once(':')?;
    let is_name = !name.is_empty() && !name.contains(['/', '\\', '\0']);
    is_name.then_some((name, inside))
}

fn in_bundle(
    bundles: &BTreeMap<String, PathBuf>,
    name: &str,
    inside: &str,
    written: &str,
) -> Result<WorkspacePath, LocateError> {
    let folder = bundles.get(name).ok_or_else(|| unknown(bundles, name, written))?;
    let root = folder.canonicalize().map_err(|error| LocateError::Folder {
        name: name.to_owned(),
        reason: error.to_string(),
    })?;
    // Neither an absolute path nor `~` leads anywhere else than into the folder.
    let inside = format!("./{}", inside.trim_start_matches(['/', '\\']));
    let file = WorkspacePath::resolve(&inside, &root, None)?;
    // Links and `..` are resolved by now.
    match file.as_path().starts_with(&root) {
        true => Ok(file),
        false => Err(LocateError::Outside(written.to_owned())),
    }
}

fn unknown(bundles: &BTreeMap<String, PathBuf>, name: &str, written: &str) -> LocateError {
    let names: Vec<&str> = bundles.keys().map(String::as_str).collect();
    let known = match names.as_slice() {
        [] => "none is configured (setting: redline.bundles)".to_owned(),
        names => format!("there are: {}", names.join(", ")),
    };
    let (name, written) = (name.to_owned(), written.to_owned());
    LocateError::Unknown { name, written, known }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn bundles(root: &Path) -> BTreeMap<String, PathBuf> {
        fs::create_dir_all(root.join("b/docs")).unwrap();
        fs::write(root.join("b/docs/guide.md"), "guide").unwrap();
        fs::write(root.join("secret"), "secret").unwrap();
        [("mine".to_owned(), root.join("b")), ("gone".to_owned(), root.join("gone"))].into()
    }

    fn resolve(root: &Path, written: &str) -> Result<WorkspacePath, LocateError> {
        let (name, inside) = named(written).unwrap();
        in_bundle(&bundles(root), name, inside, written)
    }

    #[test]
    fn files_of_a_bundle() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let check = |written: &str, want: &str| {
            assert_eq!(resolve(&root, written).unwrap().as_path(), root.join(want), "{written}");
        };
        check("@mine:docs/guide.md", "b/docs/guide.md");
        check("@mine:docs/../docs/./guide.md", "b/docs/guide.md");
        check("@mine:docs", "b/docs");
        check("@mine:", "b");
        check("@mine:/docs", "b/docs");
        check("@mine:/etc/passwd", "b/etc/passwd");
        check("@mine:~/x", "b/~/x");
        check("@mine:new/file", "b/new/file");
    }

    #[test]
    fn there_is_no_way_out() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        bundles(&root);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret", root.join("b/link")).unwrap();
            std::os::unix::fs::symlink("/", root.join("b/root")).unwrap();
        }
        for written in
            ["@mine:..", "@mine:../secret", "@mine:docs/../../secret", "@mine:x/../../secret"]
        {
            let want = LocateError::Outside(written.to_owned());
            assert_eq!(resolve(&root, written), Err(want), "{written}");
        }
        #[cfg(unix)]
        for written in ["@mine:link", "@mine:root/etc/passwd", "@mine:root/../etc"] {
            assert!(matches!(resolve(&root, written), Err(LocateError::Outside(_))), "{written}");
        }
        let said = resolve(&root, "@other:x").unwrap_err().to_string();
        assert!(said.contains("there are: gone, mine"), "{said}");
        assert!(matches!(resolve(&root, "@gone:x"), Err(LocateError::Folder { .. })));
        assert!(matches!(resolve(&root, "@mine:a\0"), Err(LocateError::Path(_))));
    }

    #[test]
    fn what_names_a_bundle() {
        for (written, want) in [
            ("@a:b", Some(("a", "b"))),
            ("@a:b:c", Some(("a", "b:c"))),
            ("@a", None),
            ("@:b", None),
            ("@types/x:y", None),
            ("./@a:b", None),
            ("a@b:c", None),
        ] {
            assert_eq!(named(written), want, "{written}");
        }
    }
}
