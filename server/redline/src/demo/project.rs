//! The sample project: embedded in the binary, copied to a temporary folder.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use redline_text::{Text, unified};
use tempfile::TempDir;

use super::DemoError;

const FILES: [(&str, &str); 5] = [
    ("README.md", include_str!("../../demo-project/README.md")),
    ("draw.py", include_str!("../../demo-project/draw.py")),
    ("moon.py", include_str!("../../demo-project/moon.py")),
    ("phase.py", include_str!("../../demo-project/phase.py")),
    ("test_moon.py", include_str!("../../demo-project/test_moon.py")),
];
const THREAD: &str = include_str!("thread.jsonl");

/// The sample project in a folder of its own, and the recorded thread beside it.
pub struct Project {
    holder: TempDir,
    root: PathBuf,
    script: PathBuf,
}

impl Project {
    /// Writes both to a new temporary folder.
    pub fn create() -> Result<Self, DemoError> {
        let base = std::env::temp_dir();
        let failed = |e| DemoError::Copy(base.clone(), e);
        let holder = tempfile::Builder::new().prefix("redline-demo-").tempdir().map_err(failed)?;
        let real = holder.path().canonicalize().map_err(failed)?;
        let (root, script) = (real.join("moon"), real.join("thread.jsonl"));
        std::fs::create_dir(&root).map_err(failed)?;
        for (name, text) in FILES {
            std::fs::write(root.join(name), text).map_err(failed)?;
        }
        std::fs::write(&script, THREAD).map_err(failed)?;
        Ok(Self { holder, root, script })
    }

    /// The project's folder, canonical.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where an editor's server keeps the review of the sample: it goes with the folder.
    pub fn state(&self) -> PathBuf {
        self.script.with_file_name("state")
    }

    /// The recorded thread, for the `script` provider.
    pub fn script(&self) -> &Path {
        &self.script
    }

    /// What differs from the sample now, as one unified diff.
    pub fn diff(&self) -> String {
        let before: BTreeMap<&str, &str> = FILES.into_iter().collect();
        let mut names: Vec<String> = before.keys().map(|name| (*name).to_owned()).collect();
        names.extend(self.files().into_iter().filter(|name| !before.contains_key(name.as_str())));
        names.sort();
        let one = |name: &String| {
            let old = before.get(name.as_str()).map(|text| Text::from(*text));
            let new = std::fs::read_to_string(self.root.join(name)).ok();
            let new = new.map(|text| Text::from(text.as_str()));
            let same = matches!((&old, &new), (Some(old), Some(new)) if old == new);
            if same { String::new() } else { unified(old.as_ref(), new.as_ref(), name) }
        };
        names.iter().map(one).collect()
    }

    /// Leaves the folder where it is.
    pub fn keep(self) {
        let _ = self.holder.keep();
    }

    /// Takes the folder away.
    pub fn remove(self) {
        // It lies in the system's temporary folder: what can't be removed now goes later.
        let _ = self.holder.close();
    }

    /// The names of the files in the project's folder.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.root).into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.path().is_file());
        files.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_copy_has_no_diff_and_a_change_has_one() {
        let project = Project::create().unwrap();
        assert_eq!(project.diff(), "");
        std::fs::write(project.root().join("README.md"), "other\n").unwrap();
        std::fs::write(project.root().join("new.py"), "pass\n").unwrap();
        let diff = project.diff();
        assert!(diff.contains("+other\n") && diff.contains("+pass\n"), "{diff}");
        let root = project.root().to_owned();
        project.remove();
        assert!(!root.exists());
    }

    #[test]
    fn every_file_of_the_sample_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo-project");
        let entries = std::fs::read_dir(folder).unwrap().flatten();
        let files = entries.filter(|entry| entry.path().is_file());
        let mut names: Vec<_> =
            files.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, FILES.map(|(name, _)| name));
    }

    #[test]
    fn every_line_of_the_thread_is_json() {
        for line in THREAD.lines() {
            let turn: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(turn["content"].is_array());
        }
    }
}
