use std::{collections::BTreeSet, fs};

use super::*;

/// A folder with these files; the paths are relative to it.
struct Tree {
    root: PathBuf,
    _dir: tempfile::TempDir,
}

fn tree(files: &[(&str, &str)]) -> Tree {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Tree { root, _dir: dir }
}

impl Tree {
    fn choose(&self, file: &str) -> Option<Choice> {
        choose(&self.root.join(file), std::slice::from_ref(&self.root))
    }
}

#[test]
fn the_nearest_mark_decides() {
    let tree = tree(&[
        (".prettierrc", ""),
        ("new/biome.json", "{}"),
        ("new/deep/x", ""),
        ("py/pyproject.toml", "[tool.black]\nline-length = 80\n"),
        ("py/sub/ruff.toml", ""),
        ("plain/pyproject.toml", "[project]\n"),
    ]);
    let check = |file: &str, name: Option<&str>, mark: Option<&str>| {
        let choice = tree.choose(file);
        assert_eq!(choice.as_ref().map(|it| it.formatter.name), name, "{file}");
        let want = mark.map(|mark| tree.root.join(mark));
        assert_eq!(choice.and_then(|it| it.mark), want, "{file}");
    };
    check("a.js", Some("prettier"), Some(".prettierrc"));
    check("new/deep/a.TS", Some("biome"), Some("new/biome.json"));
    check("new/a.md", Some("prettier"), Some(".prettierrc"));
    check("py/a.py", Some("black"), Some("py/pyproject.toml"));
    check("py/sub/a.py", Some("ruff"), Some("py/sub/ruff.toml"));
    check("plain/a.py", None, None);
    check("a.rs", Some("rustfmt"), None);
    check("a.go", Some("gofmt"), None);
    check("a.unknown", None, None);
    check("Makefile", None, None);
    assert_eq!(known(Path::new("a.py")), ["ruff", "black"]);
}

#[test]
fn nothing_above_the_project_counts() {
    let tree = tree(&[(".prettierrc", ""), ("repo/.git/HEAD", ""), ("repo/pkg/x", "")]);
    assert!(tree.choose("repo/pkg/a.js").is_none(), "a repository ends the search");
    assert!(choose(&tree.root.join("repo/a.js"), &[tree.root.join("repo")]).is_none());
    // The workspace may be a part of the repository.
    let tree = self::tree(&[(".git/HEAD", ""), (".prettierrc", ""), ("pkg/x", "")]);
    assert!(choose(&tree.root.join("pkg/a.js"), &[tree.root.join("pkg")]).is_some());
}

#[cfg(unix)]
fn program(tree: &Tree, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = tree.root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "#!/bin/sh\n").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn programs_of_the_project_are_told_from_the_users() {
    let bin = tree(&[]);
    let tree =
        tree(&[("ruff.toml", ""), ("w/.prettierrc", ""), ("w/src/x", ""), ("w/tools/x", "")]);
    let roots = [tree.root.clone()];
    let find = |file: &str, path: &str| {
        let found = tree.choose(file).unwrap().program(OsStr::new(path), &roots);
        found.map(|program| (program.path, program.is_projects))
    };
    let path = bin.root.display().to_string();
    assert_eq!(find("w/a.py", &path), None);
    program(&tree, ".venv/bin/ruff");
    assert_eq!(find("w/a.py", &path), Some((tree.root.join(".venv/bin/ruff"), true)));
    program(&bin, "ruff");
    assert_eq!(find("w/a.py", &path), Some((bin.root.join("ruff"), false)));
    // What is configured by code is taken from the project.
    program(&bin, "prettier");
    assert_eq!(find("w/src/a.js", &path), Some((bin.root.join("prettier"), false)));
    program(&tree, "w/node_modules/.bin/prettier");
    let local = tree.root.join("w/node_modules/.bin/prettier");
    assert_eq!(find("w/src/a.js", &path), Some((local, true)));
    // A folder of PATH may be one of the project's, or be relative to who knows what.
    program(&tree, "w/tools/gofmt");
    let inside = tree.root.join("w/tools");
    assert_eq!(find("a.go", &inside.display().to_string()), Some((inside.join("gofmt"), true)));
    assert_eq!(find("a.go", "tools:.:"), None);
    // So may what a link leads to.
    std::os::unix::fs::symlink(inside.join("gofmt"), bin.root.join("gofmt")).unwrap();
    assert_eq!(find("a.go", &path), Some((bin.root.join("gofmt"), true)));
}

#[test]
fn editions_are_cargos() {
    let tree = tree(&[
        ("Cargo.toml", "[workspace]\nmembers = []\n\n[workspace.package]\nedition = \"2021\"\n"),
        ("rustfmt.toml", ""),
        ("own/Cargo.toml", "[package]\nname = \"a\"\nedition='2018' # old\n"),
        ("of/Cargo.toml", "[package]\nedition.workspace = true\n"),
        ("table/Cargo.toml", "[package]\nedition = { workspace = true }\n"),
        ("none/Cargo.toml", "[package]\nname = \"a\"\n[lib]\nedition = \"2024\"\n"),
        ("none/.rustfmt.toml", ""),
    ]);
    let check = |file: &str, edition: &str, config: &str| {
        let args = tree.choose(file).unwrap().args(&tree.root.join(file));
        let config = tree.root.join(config).display().to_string();
        let config = config.trim_end_matches('/').to_owned();
        assert_eq!(args, ["--edition", edition, "--config-path", &config], "{file}");
    };
    check("own/src/a.rs", "2018", "");
    check("of/src/deep/a.rs", "2021", "");
    check("table/a.rs", "2021", "");
    check("none/a.rs", "2015", "none");
    check("a.rs", "2024", "");
}

#[test]
fn arguments_name_the_file() {
    let tree = tree(&[(".stylua.toml", ""), ("deno.json", "{}")]);
    let args = |file: &str| tree.choose(file).unwrap().args(&tree.root.join(file));
    let path = tree.root.join("a b.lua").display().to_string();
    let want = ["--search-parent-directories", "--stdin-filepath", &path, "-"];
    assert_eq!(args("a b.lua"), want);
    assert_eq!(args("a.tsx"), ["fmt", "--ext", "tsx", "-"]);
    assert_eq!(tree.choose("a.lua").unwrap().directory(), tree.root);
    assert_ne!(tree.choose("a.rs").unwrap().directory(), tree.root);
}

#[test]
fn the_table_is_sound() {
    let names: BTreeSet<&str> = FORMATTERS.iter().map(|it| it.name).collect();
    assert_eq!(names.len(), FORMATTERS.len());
    for formatter in &FORMATTERS {
        assert!(!formatter.extensions.is_empty(), "{}", formatter.name);
        // Two formatters that are used unasked for one language would be a matter of luck.
        let rival = |it: &&Formatter| {
            it.name != formatter.name
                && it.marks.is_empty()
                && it.extensions.iter().any(|one| formatter.extensions.contains(one))
        };
        let rivals = FORMATTERS.iter().filter(rival).count();
        assert!(!formatter.marks.is_empty() || rivals == 0, "{}", formatter.name);
    }
}
