use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::{
    Dialect, builtin,
    fixture::{Fixture, done, message},
    testing::TestHost,
};

fn fixture() -> Fixture {
    let files = [
        ("b.rs", "12"),
        ("A.rs", "1234"),
        ("c.txt", "123"),
        (".hidden", ""),
        ("z/x", ""),
        ("y/x", ""),
    ];
    let mut f = Fixture::with(&files, "", TestHost::default(), builtin());
    f.scope.dialect = Dialect::AgentAir;
    for (age, name) in ["c.txt", "b.rs", "A.rs", "z", "y"].iter().enumerate() {
        let file = std::fs::File::open(f.root.join(name)).unwrap();
        let minutes = 60 * (29_000_000 - age as u64);
        file.set_modified(UNIX_EPOCH + Duration::from_secs(minutes)).unwrap();
    }
    f
}

async fn ls(f: &Fixture, more: Value) -> Value {
    let mut args = json!({"path": f.root});
    for (key, value) in more.as_object().unwrap() {
        args[key] = value.clone();
    }
    f.call("ls", args).await
}

/// Names, separated by spaces.
async fn check(f: &Fixture, more: Value, want: &str) {
    let result = ls(f, more.clone()).await;
    assert_eq!(done(&result).trim_end().replace('\n', " "), want, "{more}");
}

#[tokio::test]
async fn orders_and_filters() {
    let f = fixture();
    check(&f, json!({}), "y/ z/ A.rs b.rs c.txt").await;
    check(&f, json!({"reverse": true}), "z/ y/ c.txt b.rs A.rs").await;
    check(&f, json!({"directories_first": false}), "A.rs b.rs c.txt y/ z/").await;
    check(&f, json!({"include_hidden": true}), "y/ z/ .hidden A.rs b.rs c.txt").await;
    check(&f, json!({"sort_by": "modified"}), "y/ z/ A.rs b.rs c.txt").await;
    check(&f, json!({"sort_by": "modified", "reverse": true}), "z/ y/ c.txt b.rs A.rs").await;
    check(&f, json!({"sort_by": "size", "pattern": "*.*"}), "b.rs c.txt A.rs").await;
    check(&f, json!({"pattern": "*.{rs,md}"}), "A.rs b.rs").await;
    check(&f, json!({"pattern": "*.py"}), "No entries match \"*.py\"").await;
    check(&f, json!({"limit": 2}), "y/ z/ … and 3 more entries (showing 2 of 5)").await;
    check(&f, json!({"limit": -1}), "y/ … and 4 more entries (showing 1 of 5)").await;
    std::fs::create_dir(f.root.join("empty")).unwrap();
    let result = f.call("ls", json!({"path": f.path("empty")})).await;
    assert_eq!(done(&result), "Directory is empty");
}

#[cfg(unix)]
#[tokio::test]
async fn the_long_format() {
    use std::os::unix::fs::PermissionsExt;
    let f = fixture();
    let mode = |name: &str, mode| {
        std::fs::set_permissions(f.root.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("b.rs", 0o640);
    mode("A.rs", 0o755);
    mode("z", 0o700);
    let result = ls(&f, json!({"long_format": true, "pattern": "[bAz]*"})).await;
    let want = "drwx------ SIZE 2025-02-19 21:17 z/\n\
                -rwxr-xr-x       4B 2025-02-19 21:18 A.rs\n\
                -rw-r-----       2B 2025-02-19 21:19 b.rs\n";
    // A folder's size is the file system's business.
    let text = done(&result);
    let (first, rest) = text.split_once('\n').unwrap();
    let words: Vec<&str> = first.split_whitespace().collect();
    let first = format!("{} SIZE {} {} {}", words[0], words[2], words[3], words[4]);
    assert_eq!(format!("{first}\n{rest}"), want);
}

#[tokio::test]
async fn a_thousand_entries_by_default() {
    let f = fixture();
    std::fs::create_dir(f.root.join("many")).unwrap();
    for n in 0..1_234 {
        std::fs::write(f.root.join(format!("many/{n:04}")), "").unwrap();
    }
    let result = f.call("ls", json!({"path": f.path("many")})).await;
    let text = done(&result);
    assert_eq!(text.lines().count(), 1_001);
    assert!(text.ends_with("0999\n… and 234 more entries (showing 1000 of 1234)"), "{text}");
}

#[tokio::test]
async fn it_sees_what_the_thread_sees() {
    let f = fixture();
    f.call("write_file", json!({"file_path": f.path("new/n.rs"), "content": "12345"})).await;
    f.call("write_file", json!({"file_path": f.path("n.rs"), "content": "12345"})).await;
    check(&f, json!({"pattern": "n*"}), "new/ n.rs").await;
    check(&f, json!({"pattern": "*.rs", "sort_by": "size"}), "b.rs A.rs n.rs").await;
    check(&f, json!({"pattern": "*.rs", "sort_by": "modified"}), "A.rs b.rs n.rs").await;
    let result = f.call("ls", json!({"path": f.path("new"), "long_format": true})).await;
    assert_eq!(done(&result), "-rw-r--r--       5B not on the disk  n.rs\n");
}

#[tokio::test]
async fn the_errors() {
    let f = fixture();
    let check = async |args: Value, want: &str| {
        let result = f.call("ls", args).await;
        let first = message(&result).lines().next().unwrap().replace(&f.path(""), "$/");
        assert_eq!(first, want, "{result}");
    };
    check(json!({"path": "."}), "path must be an absolute path, got: .").await;
    check(
        json!({"path": f.path("b.rs")}),
        "Path is not a directory: $/b.rs. Use read_file instead.",
    )
    .await;
    check(json!({"path": f.path("none")}), "Path does not exist: $/none").await;
    let deep = json!({"path": f.root, "pattern": "{".repeat(1_000)});
    check(deep, "Invalid pattern: it has more than 100 braces: split it into several calls").await;
    let long = json!({"path": f.root, "pattern": "*".repeat(1_000_000)});
    check(long, "Invalid pattern: it has more than 4096 bytes").await;
    let result = f.call("ls", json!({"path": f.root, "pattern": "[a"})).await;
    assert!(message(&result).starts_with("Invalid pattern: "), "{result}");
    let result = f.call("ls", json!({"path": f.root, "sort_by": "colour"})).await;
    assert!(message(&result).contains("sort_by"), "{result}");
}
