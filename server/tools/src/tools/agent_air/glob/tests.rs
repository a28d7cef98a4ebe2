use std::{
    fs::{File, FileTimes},
    time::{Duration, SystemTime},
};

use redline_workspace::WorkspacePath;
use serde_json::{Value, json};

use crate::{
    Dialect,
    fixture::{Fixture, at, done, message},
};

/// Files of which each is older than the one before.
fn fixture(names: &[&str]) -> Fixture {
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, "")).collect();
    let mut f = Fixture::new(&files);
    f.scope.dialect = Dialect::AgentAir;
    let now = SystemTime::now();
    for (age, name) in (1..).zip(names) {
        let time = now - Duration::from_secs(60 * age);
        let file = File::options().write(true).open(f.root.join(name)).unwrap();
        file.set_times(FileTimes::new().set_modified(time)).unwrap();
    }
    f
}

async fn shown(f: &Fixture, args: Value) -> String {
    let result = f.call("glob", args).await;
    done(&result).replace(&f.path(""), "W/")
}

async fn check(f: &Fixture, args: Value, want: &str) {
    assert_eq!(shown(f, args.clone()).await, want, "{args}");
}

#[tokio::test]
async fn the_newest_come_first() {
    let f = fixture(&["b.rs", "x/a.rs", "c.rs", ".h/d.rs", "x/.e.rs", "target/t.rs"]);
    std::fs::write(f.root.join(".gitignore"), "target\n").unwrap();
    check(&f, json!({"pattern": "**/*.rs"}), "W/b.rs\nW/x/a.rs\nW/c.rs").await;
    check(&f, json!({"pattern": "*.rs"}), "W/b.rs\nW/c.rs").await;
    check(&f, json!({"pattern": "*.rs", "path": "x"}), "W/x/a.rs").await;
    check(&f, json!({"pattern": "x/[!b].rs", "path": f.path("")}), "W/x/a.rs").await;
    check(&f, json!({"pattern": "{b,c}.rs"}), "W/b.rs\nW/c.rs").await;
    let hidden = json!({"pattern": "**/*.rs", "include_hidden": true});
    check(&f, hidden, "W/b.rs\nW/x/a.rs\nW/c.rs\nW/.h/d.rs\nW/x/.e.rs").await;
    check(&f, json!({"pattern": ".h/*"}), "W/.h/d.rs").await;
}

#[tokio::test]
async fn what_is_not_on_the_disk_is_newest() {
    let f = fixture(&["a.rs", "b.rs", "c.rs", "d.rs", "e.rs"]);
    f.call("create_file", at(&f, "new/z.rs", json!({"content": "x"}))).await;
    f.call("create_file", at(&f, "e.rs", json!({"content": "proposed"}))).await;
    let path = f.root.join("d.rs");
    let file = WorkspacePath::assume_canonical(&path);
    f.workspace.opened(file, format!("file://{}", path.display()), 1, "typed".to_owned());
    let want = "W/d.rs\nW/e.rs\nW/new/z.rs\nW/a.rs\nW/b.rs\nW/c.rs";
    check(&f, json!({"pattern": "**/*.rs"}), want).await;
    check(&f, json!({"pattern": "*.rs", "path": "new"}), "W/new/z.rs").await;
}

#[tokio::test]
async fn limits() {
    let names: Vec<String> = (0..1_005).map(|n| format!("{n:04}")).collect();
    let f = fixture(&names.iter().map(String::as_str).collect::<Vec<_>>());
    // "Results are limited to 1000 files by default."
    let all = shown(&f, json!({"pattern": "*"})).await;
    assert!(all.ends_with("W/0999\n\n… and 5 more files (showing 1000/1005)"), "{all}");
    let two = "W/0000\nW/0001\n\n… and 1003 more files (showing 2/1005)";
    check(&f, json!({"pattern": "*", "limit": 2}), two).await;
    assert_eq!(shown(&f, json!({"pattern": "*", "limit": 1e30})).await.lines().count(), 1_005);
}

#[cfg(unix)]
#[tokio::test]
async fn symlinks_are_skipped() {
    let f = fixture(&["d/a"]);
    std::os::unix::fs::symlink("d", f.root.join("link")).unwrap();
    std::os::unix::fs::symlink("d/a", f.root.join("b")).unwrap();
    std::os::unix::fs::symlink("..", f.root.join("d/up")).unwrap();
    check(&f, json!({"pattern": "**/*"}), "W/d/a").await;
}

#[tokio::test]
async fn nothing_and_errors() {
    let f = fixture(&["a"]);
    let none = format!("No files found matching pattern '*.x' in '{}'", f.root.display());
    assert_eq!(done(&f.call("glob", json!({"pattern": "*.x"})).await), none);
    let check = async |args: Value, want: &str| {
        let result = f.call("glob", args.clone()).await;
        assert!(message(&result).contains(want), "{args}: {result}");
    };
    check(json!({"pattern": "*", "path": "none"}), "Search path does not exist: ").await;
    check(json!({"pattern": "*", "path": "a"}), "Search path is not a directory: ").await;
    check(json!({"pattern": "a{b"}), "Invalid glob pattern 'a{b': ").await;
    check(json!({"pattern": "{".repeat(5_000)}), "more than 100 braces").await;
    check(json!({"pattern": "*", "limit": 0}), "\"limit\" must be 1 or more").await;
}
