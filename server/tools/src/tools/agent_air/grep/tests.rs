use serde_json::{Value, json};

use crate::{
    Dialect,
    fixture::{Fixture, at, done, message},
};

fn fixture(files: &[(&str, &str)]) -> Fixture {
    let mut f = Fixture::new(files);
    f.scope.dialect = Dialect::AgentAir;
    f
}

fn sample() -> Fixture {
    fixture(&[
        ("a.rs", "fn main() {}\nlet error = 1;\nError\n"),
        ("b/c.js", "one\ntwo\nerror here\nfour\nfive\nsix\nerror again\n"),
        ("b/d.txt", "nothing\n"),
        (".hidden/e.rs", "error\n"),
        (".gitignore", "target\n"),
        ("target/f.rs", "error\n"),
        ("binary", "error\0\n"),
    ])
}

/// The text of the result, with `W/` for the workspace's folder.
async fn shown(f: &Fixture, args: Value) -> String {
    let result = f.call("grep", args).await;
    done(&result).replace(&f.path(""), "W/")
}

async fn check(f: &Fixture, args: Value, want: &str) {
    assert_eq!(shown(f, args.clone()).await, want, "{args}");
}

#[tokio::test]
async fn three_output_modes() {
    let f = sample();
    check(&f, json!({"pattern": "error"}), "W/a.rs\nW/b/c.js").await;
    let files = json!({"pattern": "error", "output_mode": "files_with_matches"});
    check(&f, files, "W/a.rs\nW/b/c.js").await;
    let count = json!({"pattern": "error", "output_mode": "count"});
    check(&f, count, "W/a.rs:1\nW/b/c.js:2").await;
    let content = json!({"pattern": "error", "output_mode": "content"});
    let want = "W/a.rs:2: let error = 1;\nW/b/c.js:3: error here\nW/b/c.js:7: error again";
    check(&f, content, want).await;
    check(&f, json!({"pattern": "absent"}), "No matches found").await;
}

#[tokio::test]
async fn each_argument() {
    let f = sample();
    let content = |more: Value| {
        let mut args = json!({"pattern": "error", "output_mode": "content", "path": "a.rs"});
        for (name, value) in more.as_object().unwrap() {
            args[name] = value.clone();
        }
        args
    };
    check(&f, content(json!({"-i": true})), "W/a.rs:2: let error = 1;\nW/a.rs:3: Error").await;
    check(&f, content(json!({"-n": false})), "W/a.rs: let error = 1;").await;
    // A file that is named is searched, whatever it is called.
    check(&f, content(json!({"glob": "*.js"})), "W/a.rs:2: let error = 1;").await;
    check(&f, json!({"pattern": "error", "glob": "*.js"}), "W/b/c.js").await;
    check(&f, json!({"pattern": "error", "type": "rust"}), "W/a.rs").await;
    check(&f, json!({"pattern": "error", "type": "js", "path": "b"}), "W/b/c.js").await;
    check(&f, json!({"pattern": "error", "path": f.path("b")}), "W/b/c.js").await;
    // "unless they are part of the explicit search path"
    check(&f, json!({"pattern": "error", "path": ".hidden"}), "W/.hidden/e.rs").await;
    check(&f, json!({"pattern": "error", "path": "target"}), "W/target/f.rs").await;
    let binary = "No matches found\nNote: the file is binary: it was not searched.";
    check(&f, json!({"pattern": "error", "path": "binary"}), binary).await;
    let spanning = json!({"pattern": "two.*here", "multiline": true, "output_mode": "content"});
    check(&f, spanning, "W/b/c.js:2: two\nW/b/c.js:3: error here").await;
}

#[tokio::test]
async fn context_lines() {
    let f = sample();
    let around = |more: Value| {
        let mut args = json!({"pattern": "error", "output_mode": "content", "path": "b"});
        for (name, value) in more.as_object().unwrap() {
            args[name] = value.clone();
        }
        args
    };
    let want = "W/b/c.js-2- two\nW/b/c.js:3: error here\nW/b/c.js-4- four\n--\n\
                W/b/c.js-6- six\nW/b/c.js:7: error again";
    check(&f, around(json!({"-C": 1})), want).await;
    // "-C overrides -A and -B"
    check(&f, around(json!({"-C": 1, "-A": 9, "-B": 0})), want).await;
    // No line comes twice.
    let want = "W/b/c.js:3: error here\nW/b/c.js-4- four\nW/b/c.js-5- five\nW/b/c.js-6- six\n\
                W/b/c.js:7: error again";
    check(
        &f,
        around(json!({"-A": 3, "-B": 3, "pattern": "error .*"})),
        &format!("W/b/c.js-1- one\nW/b/c.js-2- two\n{want}"),
    )
    .await;
    let want =
        "W/b/c.js-2- two\nW/b/c.js:3: error here\n--\nW/b/c.js-6- six\nW/b/c.js:7: error again";
    check(&f, around(json!({"-B": 1})), want).await;
    let all = shown(&f, around(json!({"-C": u64::MAX, "-n": false}))).await;
    assert_eq!(all.lines().count(), 7, "{all}");
    // Files are apart, and context is for content alone.
    let two = json!({"pattern": "error", "output_mode": "content", "-A": 1});
    assert!(shown(&f, two).await.contains("W/a.rs-3- Error\n--\nW/b/c.js:3: error here\n"));
    check(&f, json!({"pattern": "error", "-C": 2}), "W/a.rs\nW/b/c.js").await;
}

#[tokio::test]
async fn limits() {
    let many: Vec<String> = (0..12).map(|n| format!("f{n:02}")).collect();
    let text = "needle\n".repeat(200);
    let files: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), text.as_str())).collect();
    let f = fixture(&files);
    let content = |limit: Value| json!({"pattern": "needle", "output_mode": "content", "limit": limit, "-n": false});
    let lines = async |args: Value| {
        let text = shown(&f, args).await;
        text.lines().filter(|line| line.ends_with(": needle")).count()
    };
    // "Results are limited to 1000 matches by default."
    assert_eq!(lines(content(Value::Null)).await, 1_000);
    assert_eq!(lines(content(json!(5))).await, 5);
    assert_eq!(lines(content(json!(201))).await, 201);
    let text = shown(&f, content(json!(200))).await;
    assert!(text.contains("Note: there are more matches; these are the first 200"), "{text}");
    let files = shown(&f, json!({"pattern": "needle", "limit": 2})).await;
    assert!(files.starts_with("W/f00\nW/f01\nNote: there are more"), "{files}");
    let count = json!({"pattern": "needle", "output_mode": "count", "limit": 1});
    assert!(shown(&f, count).await.starts_with("W/f00:200\nNote: "));
    let all = json!({"pattern": "needle", "output_mode": "count", "limit": 12});
    assert_eq!(shown(&f, all).await.lines().count(), 12);
}

#[tokio::test]
async fn a_large_result_is_cut_at_a_line() {
    let text = format!("needle {}\n", "x".repeat(5_000)).repeat(300);
    let f = fixture(&[("long", &text)]);
    let result = shown(&f, json!({"pattern": "needle", "output_mode": "content"})).await;
    let mut lines: Vec<&str> = result.lines().collect();
    assert!(result.len() < 102_400);
    assert!(lines.pop().unwrap().starts_with("Note: the result is cut at 100000 bytes."));
    assert!(lines.iter().all(|line| line.ends_with("x...")));
}

#[tokio::test]
async fn errors_say_what_to_do() {
    let f = sample();
    let check = async |args: Value, want: &str| {
        let result = f.call("grep", args.clone()).await;
        assert!(message(&result).contains(want), "{args}: {result}");
    };
    check(json!({"pattern": "f("}), "Invalid regex pattern: regex parse error").await;
    check(json!({"pattern": "a\nb"}), "line by line").await;
    check(json!({"pattern": "x", "path": "none"}), "Search path does not exist: ").await;
    check(json!({"pattern": "x", "glob": "{a"}), "Invalid glob pattern '{a': ").await;
    check(json!({"pattern": "x", "type": "frob"}), "Unknown file type: frob.").await;
    check(json!({"pattern": "x", "-A": -1}), "grep: \"-A\" must be 0 or more, but is -1.").await;
    check(json!({"pattern": "x", "-A": 1.5}), "\"-A\" must be an integer").await;
    check(json!({"pattern": "x", "limit": 0}), "\"limit\" must be 1 or more, but is 0").await;
    check(json!({"pattern": "x", "output_mode": "lines"}), "one of \"files_with_matches\"").await;
    check(json!({}), "grep: \"pattern\" is missing; it must be a string.").await;
    check(json!({"pattern": "x".repeat(10_000_000)}), "The pattern has 10000000 bytes").await;
}

#[tokio::test]
async fn a_thread_searches_what_it_sees() {
    let f = sample();
    let edit = json!({
        "file_path": f.path("a.rs"), "old_string": "error", "new_string": "proposed needle"
    });
    f.call("edit_file", edit).await;
    f.call("create_file", at(&f, "new/n.rs", json!({"content": "created needle"}))).await;
    let content = json!({"pattern": "needle", "output_mode": "content"});
    let want = "W/a.rs:2: let proposed needle = 1;\nW/new/n.rs:1: created needle";
    check(&f, content, want).await;
    check(&f, json!({"pattern": "error", "type": "rust"}), "No matches found").await;
    check(&f, json!({"pattern": "needle", "type": "rust", "glob": "new/**"}), "W/new/n.rs").await;
}

#[tokio::test]
async fn a_rule_on_grep_is_a_rule_on_both() {
    use crate::{builtin, testing::TestHost};
    let files = [("private/a", "needle"), ("public", "needle")];
    for rule in ["reject Grep --path 'private/*'", "reject grep --path 'private/*'"] {
        let mut f = Fixture::with(&files, rule, TestHost::default(), builtin());
        f.scope.dialect = Dialect::AgentAir;
        let note = "Note: not searched, since a permission rule rejects it: 1 file (private/a)";
        check(&f, json!({"pattern": "needle"}), &format!("W/public\n{note}")).await;
        let result = f.call("grep", json!({"pattern": "x", "path": "private/a"})).await;
        assert_eq!(result["status"], "rejected-by-user", "{rule}: {result}");
    }
}
