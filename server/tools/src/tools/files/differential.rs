//! Random small trees, searched by ours and by the real `rg`: the same files, the same lines, at the
//! first look and after changes. `DIFFERENTIAL_CASES` says how many trees.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{
    Dialect, Scope, ToolCall,
    fixture::{Fixture, wire},
};

/// `REDLINE_RG`, the one that `cargo xtask test` installs, or the one on the path.
fn ripgrep() -> PathBuf {
    if let Some(path) = std::env::var_os("REDLINE_RG") {
        return path.into();
    }
    let works = |rg: &Path| {
        Command::new(rg)
            .arg("--version")
            .output()
            .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).starts_with("ripgrep 15."))
    };
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools");
    let folders = fs::read_dir(tools).into_iter().flatten().flatten();
    let installed = folders
        .filter(|folder| folder.file_name().to_string_lossy().starts_with("ripgrep"))
        .map(|folder| folder.path().join("bin/rg"));
    installed
        .chain(["rg".into()])
        .find(|rg| works(rg))
        .expect("no ripgrep 15 to compare with: `cargo xtask test` installs it, or set REDLINE_RG")
}

/// What stands at a path.
#[derive(Debug, Clone)]
enum Item {
    File(&'static [u8]),
    Rules(Vec<u8>),
    Folder,
    Link(&'static str),
}

#[derive(Debug, Clone)]
struct Tree {
    has_git: bool,
    items: Vec<(PathBuf, Item)>,
}

#[cfg(unix)]
fn os(bytes: &'static [u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).to_owned()
}

#[cfg(not(unix))]
fn os(bytes: &'static [u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// Names that are no UTF-8 are files only: a rule can't name them.
const FOLDERS: [&str; 9] = ["a", "b", "c", "a", "b", ".h", "d e", "é", "B"];
const FILES: [&[u8]; 14] = [
    b"a",
    b"b",
    b"f.rs",
    b"g.rs",
    b"x.txt",
    b".x",
    b"#f",
    b"!g",
    b"[z]",
    b"f ",
    b"k\xFF",
    b"A",
    b"a.b.rs",
    b"\xC3\xA9",
];
const CONTENTS: [&[u8]; 12] = [
    b"needle\n",
    b"one\nneedle\nthree needle\n",
    b"no match\n",
    b"",
    b"crlf\r\nneedle\r\nneedle end\r\n",
    b"bad \xFF\xFE needle\xC3\nneedle",
    b"\xEF\xBB\xBFneedle\n",
    b"\xFF\xFEn\0e\0e\0d\0l\0e\0\n\0x\0\n\0n\0e\0e\0d\0l\0e\0",
    b"\xFE\xFF\0n\0e\0e\0d\0l\0e",
    b"needle\0\nneedle\n",
    b"\0\n",
    b"no final end needle",
];

fn path() -> impl Strategy<Value = PathBuf> {
    prop::collection::vec(prop::sample::select(FOLDERS.to_vec()), 0..4)
        .prop_map(|parts| parts.into_iter().collect())
}

/// One line of an ignore file, in all the forms that git knows.
fn rule() -> impl Strategy<Value = Vec<u8>> {
    let part = prop::sample::select(vec![
        "a", "b", "c", "B", "f.rs", "*.rs", "*", "**", "?", "[ab]", "[!a]", "[a-c]", ".h", ".*",
        "x.*", "d e", "é", "#f", "\\#f", "\\!g", "a*", "*b", "**a", "a**", "\\*", "\\[z\\]", "[z",
        "{a,b}", ".x", "f\\ ", "A",
    ]);
    let parts = prop::collection::vec(part, 1..4);
    let (sign, start) = (prop::sample::select(vec!["", "", "", "!"]), prop::bool::weighted(0.3));
    let end = prop::sample::select(vec!["", "", "", "/", "/**", "/*", " ", "  ", "\\/", "\t"]);
    let glob = (sign, start, parts, end).prop_map(|(sign, start, parts, end)| {
        let slash = if start { "/" } else { "" };
        format!("{sign}{slash}{}{end}", parts.join("/")).into_bytes()
    });
    let odd = prop::sample::select(vec![
        &b""[..],
        b"# comment",
        b"#f",
        b" ",
        b"!",
        b"/",
        b"//",
        b"{",
        b"[",
        b"\\",
        b"\xFF",
        b"!/",
        b"**/",
    ]);
    prop_oneof![9 => glob, 1 => odd.prop_map(<[u8]>::to_vec)]
}

fn rules() -> impl Strategy<Value = Vec<u8>> {
    let end = prop::sample::select(vec![&b"\n"[..], b"\n", b"\r\n"]);
    let lines = prop::collection::vec((rule(), end), 0..4);
    (lines, prop::bool::weighted(0.1)).prop_map(|(lines, bom)| {
        let lines = lines.into_iter().flat_map(|(line, end)| [line, end.to_vec()]).flatten();
        let bom = if bom { &b"\xEF\xBB\xBF"[..] } else { b"" };
        bom.iter().copied().chain(lines).collect()
    })
}

fn item(has_git: bool) -> impl Strategy<Value = (PathBuf, Item)> {
    let file =
        (path(), prop::sample::select(FILES.to_vec()), prop::sample::select(CONTENTS.to_vec()))
            .prop_map(|(folder, name, text)| (folder.join(os(name)), Item::File(text)));
    let name = prop::sample::select(vec![".gitignore", ".gitignore", ".ignore", ".rgignore"]);
    let ignore = (path(), name, rules())
        .prop_map(|(folder, name, text)| (folder.join(name), Item::Rules(text)));
    let target = prop::sample::select(vec!["a", ".", "..", "../a", "nowhere", "f.rs", "b"]);
    let link =
        (path(), target).prop_map(|(folder, target)| (folder.join("link"), Item::Link(target)));
    // Outside of repositories, where ours go by .gitignore and rg is told to, one inside is no end.
    let git = (path(), rules()).prop_map(move |(folder, text)| match has_git {
        true => (folder.join(".git/info/exclude"), Item::Rules(text)),
        false => (folder, Item::Folder),
    });
    prop_oneof![10 => file, 4 => ignore, 1 => link, 1 => git]
}

fn tree() -> impl Strategy<Value = Tree> {
    any::<bool>().prop_flat_map(|has_git| {
        let items = prop::collection::vec(item(has_git), 1..30);
        items.prop_map(move |items| Tree { has_git, items })
    })
}

fn plant(root: &Path, tree: &Tree) {
    if tree.has_git {
        fs::create_dir_all(root.join(".git")).unwrap();
    }
    for (path, item) in &tree.items {
        let path = root.join(path);
        // What is in the way stays.
        let _ = fs::create_dir_all(path.parent().unwrap());
        let _ = match item {
            Item::File(bytes) => fs::write(&path, bytes),
            Item::Rules(bytes) => fs::write(&path, bytes),
            Item::Folder => fs::create_dir_all(&path),
            #[cfg(unix)]
            Item::Link(target) => std::os::unix::fs::symlink(target, &path),
            #[cfg(not(unix))]
            Item::Link(_) => Ok(()),
        };
    }
}

/// What `rg` prints, line by line; without `./`, and never from a repository's own files.
fn theirs(rg: &Path, root: &Path, tree: &Tree, arguments: &[&str]) -> BTreeSet<String> {
    let mut command = Command::new(rg);
    command.arg("--no-config").args(arguments).current_dir(root);
    if !tree.has_git {
        command.arg("--no-require-git");
    }
    let output = command.arg("./").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter_map(|line| line.strip_prefix("./"));
    lines.filter(|line| !line.split('/').any(|part| part == ".git")).map(str::to_owned).collect()
}

async fn ours(f: &Fixture, dialect: Dialect, name: &str, args: Value) -> Value {
    let scope = Scope { dialect, ..f.scope.clone() };
    let call = ToolCall { id: "c".into(), name: name.into(), args };
    let results = f.tools.run(&scope, vec![call], &|_| {}).await;
    wire(&results[0])["result"].clone()
}

fn below(f: &Fixture, lines: impl Iterator<Item = String>) -> BTreeSet<String> {
    let root = f.path("");
    lines.filter_map(|line| line.strip_prefix(&root).map(str::to_owned)).collect()
}

async fn check(rg: &Path, f: &Fixture, tree: &Tree) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let files = theirs(rg, &f.root, tree, &["--files"]);
    let found = ours(f, Dialect::Amp, "glob", json!({"filePattern": "**/*"})).await;
    let found = below(f, found["files"].as_array().unwrap().iter().map(text));
    assert_eq!(found, files, "glob");
    let rust: BTreeSet<String> = files.into_iter().filter(|name| name.ends_with(".rs")).collect();
    let found = ours(f, Dialect::Amp, "glob", json!({"filePattern": "**/*.rs"})).await;
    let found = below(f, found["files"].as_array().unwrap().iter().map(text));
    assert_eq!(found, rust, "glob **/*.rs");
    let all = theirs(rg, &f.root, tree, &["--files", "--hidden"]);
    let args = json!({"pattern": "**/*", "include_hidden": true});
    let found = ours(f, Dialect::AgentAir, "glob", args).await;
    assert_eq!(below(f, text(&found).lines().map(str::to_owned)), all, "glob, hidden");
    let lines = theirs(rg, &f.root, tree, &["-n", "--crlf", "--no-heading", "-H", "-e", "needle$"]);
    let args = json!({"pattern": "needle$", "output_mode": "content"});
    let found = ours(f, Dialect::AgentAir, "grep", args).await;
    assert_eq!(
        numbered(below(f, text(&found).lines().map(str::to_owned))),
        numbered(lines),
        "grep"
    );
    let lines =
        theirs(rg, &f.root, tree, &["-n", "--no-heading", "-H", "-m10", "-e", "NEEDLE", "-i"]);
    let found = ours(f, Dialect::Amp, "Grep", json!({"pattern": "needle"})).await;
    let found = found.as_array().unwrap().iter().map(text).collect();
    assert_eq!(numbered(found), numbered(lines), "Grep");
}

/// `path:line` of each hit; the text is for people, and notes are none.
fn numbered(lines: BTreeSet<String>) -> BTreeSet<String> {
    let place = |line: String| {
        let end = line.char_indices().find_map(|(at, _)| {
            let rest = line[at..].strip_prefix(':')?;
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            (digits > 0 && rest[digits..].starts_with(':')).then_some(at + 1 + digits)
        })?;
        Some(line[..end].to_owned())
    };
    lines.into_iter().filter_map(place).collect()
}

fn cases() -> u32 {
    std::env::var("DIFFERENTIAL_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(200)
}

#[test]
fn random_trees_as_ripgrep_sees_them() {
    let rg = ripgrep();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        // Each takes some processes.
        max_shrink_iters: 200,
        ..Default::default()
    };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let trees = tree().prop_flat_map(|first| {
        let items = prop::collection::vec(item(first.has_git), 0..5);
        (Just(first), items)
    });
    let outcome = runner.run(&trees, |(first, more)| {
        runtime.block_on(async {
            let f = Fixture::new(&[]);
            plant(&f.root, &first);
            check(&rg, &f, &first).await;
            // The same folders again, with what is kept of them.
            let second = Tree { has_git: first.has_git, items: more };
            plant(&f.root, &second);
            check(&rg, &f, &second).await;
        });
        Ok(())
    });
    outcome.unwrap();
}
