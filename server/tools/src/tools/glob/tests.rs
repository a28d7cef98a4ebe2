use serde_json::{Value, json};

use crate::fixture::{Fixture, at, message};

/// The files of a result, below the workspace's folder.
async fn files(fixture: &Fixture, args: Value) -> Vec<String> {
    let result = fixture.call("glob", args).await;
    let files = result["result"]["files"].as_array().unwrap_or_else(|| panic!("{result}"));
    let root = fixture.path("");
    let inside = |file: &Value| file.as_str().unwrap().strip_prefix(&root).unwrap().to_owned();
    files.iter().map(inside).collect()
}

async fn check(fixture: &Fixture, pattern: &str, want: &[&str]) {
    assert_eq!(files(fixture, json!({"filePattern": pattern})).await, want, "{pattern}");
}

fn fixture() -> Fixture {
    Fixture::new(&[
        (".gitignore", "target\n"),
        ("package.json", ""),
        ("src/a.ts", ""),
        ("src/deep/b.ts", ""),
        ("src/deep/c.json", ""),
        ("target/d.ts", ""),
        (".github/e.ts", ""),
    ])
}

#[tokio::test]
async fn the_behaviour_contract() {
    let f = fixture();
    check(&f, "*.json", &["package.json"]).await;
    check(&f, "**/*.json", &["package.json", "src/deep/c.json"]).await;
    check(&f, "src/**/*.{ts,json}", &["src/a.ts", "src/deep/b.ts", "src/deep/c.json"]).await;
    check(&f, &f.path("src/*.ts"), &["src/a.ts"]).await;
    // 2. "Respects .gitignore patterns"
    check(&f, "**/*.ts", &["src/a.ts", "src/deep/b.ts"]).await;
    check(&f, "target/*", &[]).await;
    check(&f, ".github/*", &[".github/e.ts"]).await;
    check(&f, "src/../src/*.ts", &["src/a.ts"]).await;
}

#[tokio::test]
async fn pages() {
    let many: Vec<String> = (0..1_100).map(|n| format!("{n:04}.txt")).collect();
    let all: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), "")).collect();
    let f = Fixture::new(&all);
    let check = async |args: Value, first: &str, count: usize, remaining: usize, note: Value| {
        let mut args = args;
        args["filePattern"] = json!("*.txt");
        let result = f.call("glob", args.clone()).await;
        assert_eq!(result["result"]["remaining"], remaining, "{args}");
        assert_eq!(result["result"]["note"], note, "{args}");
        let files = files(&f, args).await;
        assert_eq!((files.first().map_or("", String::as_str), files.len()), (first, count));
    };
    // 3. "Default limit: 1000 files"
    check(json!({}), "0000.txt", 1_000, 100, json!("Go on with offset: 1000.")).await;
    check(json!({"offset": 1_000}), "1000.txt", 100, 0, Value::Null).await;
    check(json!({"limit": 2, "offset": 5}), "0005.txt", 2, 1_093, json!("Go on with offset: 7."))
        .await;
    check(json!({"limit": 2_000}), "0000.txt", 1_100, 0, Value::Null).await;
    check(json!({"offset": 9_999}), "", 0, 0, Value::Null).await;
}

#[tokio::test]
async fn long_lists_are_bounded_by_whole_paths() {
    let folder = "x".repeat(200);
    let many: Vec<String> = (0..600).map(|n| format!("{folder}/{n:03}")).collect();
    let all: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), "")).collect();
    let f = Fixture::new(&all);
    let result = f.call("glob", json!({"filePattern": "*/*"})).await;
    let count = result["result"]["files"].as_array().unwrap().len();
    assert!(result.to_string().len() < 102_400 && count > 300, "{count}");
    assert_eq!(result["result"]["remaining"], 600 - count);
}

#[tokio::test]
async fn a_thread_finds_what_it_proposed() {
    let f = fixture();
    for name in ["src/new/f.ts", "target/g.ts", ".hidden/h.ts"] {
        f.call("create_file", at(&f, name, json!({"content": "x"}))).await;
    }
    check(&f, "**/*.ts", &["src/a.ts", "src/deep/b.ts", "src/new/f.ts"]).await;
    check(&f, "src/new/*", &["src/new/f.ts"]).await;
    check(&f, &f.path("src/new/*"), &["src/new/f.ts"]).await;
}

#[tokio::test]
async fn places_outside_the_workspace_are_asked_for() {
    let f = fixture();
    std::fs::write(f.root.join("../home/h.txt"), "").unwrap();
    let home = f.root.join("../home/h.txt").canonicalize().unwrap().display().to_string();
    for pattern in ["~/*.txt", "../home/*.txt"] {
        let result = f.call("glob", json!({"filePattern": pattern})).await;
        assert_eq!(result["result"]["files"], json!([home]), "{pattern}");
    }
    assert_eq!(f.host.asks().len(), 2);
}

/// The permission is for the place that is looked at, however it is written.
#[tokio::test]
async fn what_comes_behind_the_working_directory_stays_in_it() {
    let f = fixture();
    std::fs::write(f.root.join("../home/h.txt"), "").unwrap();
    let home = f.root.join("../home").canonicalize().unwrap().display().to_string();
    for inside in [format!("{home}/*.txt"), "~/*.txt".to_owned()] {
        check(&f, &format!("{}/{inside}", f.root.display()), &[]).await;
    }
    check(&f, &f.path("").replace("/w/", "/w//*.json"), &["package.json"]).await;
    assert_eq!(f.host.asks().len(), 0);
}

#[tokio::test]
async fn a_glob_of_many_levels_is_refused() {
    let f = fixture();
    for levels in [10, 300, 100_000] {
        let glob = format!("{}a{}", "{".repeat(levels), "}".repeat(levels));
        let result = f.call("glob", json!({"filePattern": glob})).await;
        assert_eq!(result["status"] == "done", levels == 10, "{levels}");
        let result = f.call("Grep", json!({"pattern": "x", "glob": glob})).await;
        assert_eq!(result["status"] == "done", levels == 10, "{levels}");
    }
}

#[tokio::test]
async fn errors_say_what_to_do() {
    let f = fixture();
    let result = f.call("glob", json!({"filePattern": "a{b"})).await;
    assert!(message(&result).starts_with("the pattern is no glob: "), "{result}");
    let result = f.call("glob", json!({"filePattern": "*", "path": "x"})).await;
    let want = "glob: \"path\" is no argument of this tool; it takes filePattern, limit, offset.";
    assert_eq!(message(&result), want);
    let result = f.call("glob", json!({"filePattern": "*.none"})).await;
    assert_eq!(result["result"]["files"], json!([]));
    assert!(result["result"]["note"].as_str().unwrap().contains("**/"), "{result}");
}
