use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, atomic::AtomicBool},
    time::{Duration, Instant},
};

use proptest::prelude::*;

use super::{
    lists::FileLists,
    walk::{Files, Visitor, Walk},
};

/// Collects paths relative to the root.
struct Collect<'a> {
    root: &'a Path,
    order: Mutex<Vec<PathBuf>>,
}

impl Visitor for Collect<'_> {
    type Own = ();

    fn own(&self) {}

    fn enters(&self, _: &Path) -> bool {
        true
    }

    fn files(&self, files: &Files<'_>, (): &mut ()) {
        let folder = files.folder.strip_prefix(self.root).unwrap();
        self.order.lock().unwrap().extend(files.names().map(|name| folder.join(name)));
    }

    fn unreadable(&self, folder: &Path, why: &io::Error) {
        panic!("{}: {why}", folder.display());
    }
}

fn walk(lists: &FileLists, root: &Path, hidden: bool) -> Vec<PathBuf> {
    walk_in(root, lists, root, hidden)
}

fn walk_in(base: &Path, lists: &FileLists, root: &Path, hidden: bool) -> Vec<PathBuf> {
    let collect = Collect { root, order: Mutex::default() };
    let stop = AtomicBool::new(false);
    Walk { lists, root, base, hidden, stop: &stop }.run(&collect);
    let mut files = collect.order.into_inner().unwrap();
    files.sort();
    files
}

struct Tree {
    root: PathBuf,
    _dir: tempfile::TempDir,
}

impl Tree {
    fn new(files: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let tree = Self { root: dir.path().canonicalize().unwrap().join("w"), _dir: dir };
        fs::create_dir(&tree.root).unwrap();
        files.iter().for_each(|name| tree.write(name, ""));
        tree
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// As a walk that knows nothing sees it.
    fn fresh(&self) -> Vec<PathBuf> {
        walk(&FileLists::fleeting(), &self.root, true)
    }
}

/// So short that a test can wait until stamps are believed, and longer than the kernel's tick.
const SETTLED: Duration = Duration::from_millis(20);

fn lists() -> FileLists {
    FileLists::new(SETTLED, usize::MAX)
}

/// Walks until nothing is read any more: all that there is was old enough to be believed.
fn settle(lists: &FileLists, root: &Path) {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let before = lists.reads();
        walk(lists, root, true);
        if lists.reads() == before {
            return;
        }
        assert!(Instant::now() < deadline, "{}", lists.reads() - before);
        std::thread::yield_now();
    }
}

#[test]
fn what_did_not_change_is_not_read_again() {
    let tree = Tree::new(&["a", "b/c", "b/d/e", ".h/x", "i/.gitignore"]);
    let lists = lists();
    settle(&lists, &tree.root);
    let before = lists.reads();
    assert_eq!(walk(&lists, &tree.root, true), tree.fresh());
    let inner = walk_in(&tree.root, &lists, &tree.root.join("b"), true);
    assert_eq!(inner, [Path::new("c"), Path::new("d/e")]);
    assert_eq!(lists.reads(), before);
    // One new file: its folder and no other.
    tree.write("b/d/new", "");
    assert_eq!(walk(&lists, &tree.root, true), tree.fresh());
    assert_eq!(lists.reads(), before + 1);
}

#[test]
fn a_new_file_beside_rules_leaves_them_as_they_are() {
    let tree = Tree::new(&["a", "b/c", "d/e"]);
    tree.write(".gitignore", "*.log\n");
    let lists = lists();
    settle(&lists, &tree.root);
    let before = lists.reads();
    tree.write("new", "");
    assert_eq!(walk(&lists, &tree.root, true), tree.fresh());
    assert_eq!(lists.reads(), before + 1, "only the root");
    tree.write(".gitignore", "*.log\nc\n");
    assert_eq!(walk(&lists, &tree.root, true), tree.fresh());
    assert!(!tree.fresh().contains(&"b/c".into()));
}

/// With the real time that a stamp must have: all of this happens within it.
#[test]
fn changes_within_one_tick_are_seen() {
    let tree = Tree::new(&["a/x", "b/y", "c"]);
    let lists = FileLists::default();
    let check = || assert_eq!(walk(&lists, &tree.root, true), tree.fresh());
    check();
    tree.write("a/new", "");
    check();
    fs::remove_file(tree.root.join("a/new")).unwrap();
    check();
    fs::rename(tree.root.join("a"), tree.root.join("d")).unwrap();
    fs::rename(tree.root.join("b"), tree.root.join("a")).unwrap();
    check();
    for text in ["c\n", "x\n", "d\n", ""] {
        tree.write(".gitignore", text);
        check();
    }
}

#[test]
fn a_folder_in_anothers_place_is_seen() {
    let tree = Tree::new(&["a/x", "b/y", "deep/er/f"]);
    let lists = lists();
    settle(&lists, &tree.root);
    fs::rename(tree.root.join("a"), tree.root.join("c")).unwrap();
    fs::rename(tree.root.join("b"), tree.root.join("a")).unwrap();
    assert_eq!(walk(&lists, &tree.root, true), tree.fresh());
    fs::remove_dir_all(tree.root.join("deep")).unwrap();
    tree.write("deep", "");
    assert_eq!(walk(&lists, &tree.root, true), tree.fresh());
}

#[cfg(unix)]
#[test]
fn a_symlink_in_a_folders_place_is_not_followed() {
    let tree = Tree::new(&["a/x", "b/y"]);
    let lists = lists();
    settle(&lists, &tree.root);
    fs::remove_dir_all(tree.root.join("a")).unwrap();
    std::os::unix::fs::symlink("b", tree.root.join("a")).unwrap();
    assert_eq!(walk(&lists, &tree.root, true), [Path::new("b/y")]);
}

#[test]
fn rules_above_the_root_and_in_git_are_looked_at_each_time() {
    let tree = Tree::new(&["in/a", "in/b", "in/c/a", ".git/info/exclude"]);
    let (root, lists) = (tree.root.join("in"), lists());
    let check = |want: &[&str]| {
        let want: Vec<PathBuf> = want.iter().map(PathBuf::from).collect();
        assert_eq!(walk(&lists, &root, true), want);
        settle(&lists, &root);
        assert_eq!(walk(&lists, &root, true), want);
    };
    check(&["a", "b", "c/a"]);
    tree.write(".gitignore", "/in/a\n");
    check(&["b", "c/a"]);
    tree.write(".git/info/exclude", "b\n");
    check(&["c/a"]);
    tree.write(".gitignore", "");
    check(&["a", "c/a"]);
    fs::remove_dir_all(tree.root.join(".git")).unwrap();
    check(&["a", "b", "c/a"]);
}

#[test]
fn a_work_tree_has_the_rules_of_its_repository() {
    let tree = Tree::new(&["tree/a", "tree/b", "main/.git/worktrees/tree/HEAD"]);
    tree.write("tree/.git", "gitdir: ../main/.git/worktrees/tree\n");
    tree.write("main/.git/worktrees/tree/commondir", "../..\n");
    tree.write("main/.git/info/exclude", "b\n");
    let root = tree.root.join("tree");
    assert_eq!(walk(&lists(), &root, true), [Path::new("a")]);
}

#[test]
fn what_is_kept_is_bounded() {
    let names: Vec<String> = (0..200).map(|n| format!("{}/{n}", n % 20)).collect();
    let tree = Tree::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let lists = FileLists::new(SETTLED, 2_000);
    for _ in 0..20 {
        assert_eq!(walk(&lists, &tree.root, true), tree.fresh());
        assert!(lists.size() <= 2_000, "{}", lists.size());
    }
    let fleeting = FileLists::fleeting();
    walk(&fleeting, &tree.root, true);
    assert_eq!(fleeting.size(), 0);
}

#[test]
fn files_that_are_not_there_yet() {
    let tree = Tree::new(&["inner/.git/HEAD"]);
    tree.write(".gitignore", "target/\n*.log\n{bad");
    tree.write(".ignore", "!keep.log\nbuild");
    tree.write("sub/.gitignore", "!target\n");
    tree.write(".git/info/exclude", "excluded\n!.wanted\n");
    let lists = lists();
    let check = |name: &str, want: bool| {
        let file = tree.root.join(name);
        assert_eq!(lists.reaches(&file, &tree.root, &tree.root, false), want, "{name}");
    };
    check("a.rs", true);
    check("a.log", false);
    check("keep.log", true);
    check("x/y/a.log", false);
    check("target/debug/a.rs", false);
    check("target", true);
    check("sub/target/a.rs", true);
    check("build/a.rs", false);
    check("inner/a.log", true);
    check("excluded", false);
    check(".hidden/a", false);
    check(".wanted", true);
    check(".git/new", false);
}

/// What may happen to a small tree between two searches.
#[derive(Debug, Clone)]
enum Step {
    Write(&'static str, &'static str),
    Remove(&'static str),
    Rename(&'static str, &'static str),
    /// The stamps so far become old enough.
    Settle,
}

fn step() -> impl Strategy<Value = Step> {
    let file = prop::sample::select(vec![
        "a",
        "b.log",
        "x/a",
        "x/b.log",
        "x/y/a",
        "x/y/b",
        "z/a",
        "z/.h",
        ".git/HEAD",
        "x/.git/HEAD",
    ]);
    let rules =
        prop::sample::select(vec![".gitignore", "x/.gitignore", "x/y/.ignore", ".rgignore"]);
    let text = prop::sample::select(vec!["", "a\n", "*.log\n", "/x/y\n", "!a\n", "y/\n", "x\n"]);
    let path = || prop::sample::select(vec!["a", "x", "x/y", "z", ".gitignore", "b.log"]);
    prop_oneof![
        4 => file.prop_map(|file| Step::Write(file, "")),
        3 => (rules, text).prop_map(|(rules, text)| Step::Write(rules, text)),
        2 => path().prop_map(Step::Remove),
        2 => (path(), path()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => Just(Step::Settle),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("REDLINE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Whatever happens to the tree, what is kept gives what a first look gives.
    #[test]
    fn what_is_kept_is_what_is_there(steps in prop::collection::vec(step(), 1..25)) {
        let tree = Tree::new(&["a", "x/y/a", "z/a"]);
        let lists = lists();
        settle(&lists, &tree.root);
        for step in &steps {
            match step {
                Step::Write(file, text) => {
                    let path = tree.root.join(file);
                    let _ = fs::create_dir_all(path.parent().unwrap());
                    let _ = fs::write(path, text);
                }
                Step::Remove(path) => {
                    let path = tree.root.join(path);
                    let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
                }
                Step::Rename(from, to) => {
                    let _ = fs::rename(tree.root.join(from), tree.root.join(to));
                }
                Step::Settle => settle(&lists, &tree.root),
            }
            prop_assert_eq!(walk(&lists, &tree.root, true), tree.fresh(), "{:?}", step);
        }
    }
}
