//! Guidance files (`AGENTS.md`) near a file (seed 000, create_file 5).

use std::path::{Path, PathBuf};

use redline_workspace::WorkspacePath;

use crate::ToolContext;

/// In one folder the first of these counts.
const NAMES: [&str; 3] = ["AGENTS.md", "AGENT.md", "CLAUDE.md"];

/// Guidance files of the folders between the workspace's root and `file`, outermost first, that the
/// thread has not been told of. Looks at the disk.
pub(super) fn near(file: &WorkspacePath, context: &ToolContext) -> Vec<String> {
    let found = between(file.as_path(), &context.workspace.roots());
    context.first_told(found).iter().map(|path| path.display().to_string()).collect()
}

fn between(file: &Path, roots: &[PathBuf]) -> Vec<PathBuf> {
    let Some(root) = roots.iter().find(|root| file.starts_with(root)) else { return Vec::new() };
    let folders = file.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
    let guidance = |folder: &Path| {
        NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file() && path != file)
    };
    let mut found: Vec<PathBuf> = folders.filter_map(guidance).collect();
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_last_and_one_per_folder_counts() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir_all(root.join("a/b/c")).unwrap();
        for name in ["../AGENTS.md", "AGENTS.md", "CLAUDE.md", "a/b/AGENT.md"] {
            std::fs::write(root.join(name), "").unwrap();
        }
        let roots = [root.clone()];
        let check = |file: &str, want: &[&str]| {
            let want: Vec<PathBuf> = want.iter().map(|name| root.join(name)).collect();
            assert_eq!(between(&root.join(file), &roots), want, "{file}");
        };
        check("x.rs", &["AGENTS.md"]);
        check("a/b/c/new/x.rs", &["AGENTS.md", "a/b/AGENT.md"]);
        check("AGENTS.md", &["CLAUDE.md"]);
        assert_eq!(between(&dir.path().join("x.rs"), &roots), Vec::<PathBuf>::new());
    }
}
