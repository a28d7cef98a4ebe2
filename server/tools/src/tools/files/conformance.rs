//! Cases of ripgrep's own test suite and of its peers', on small trees.

use std::path::Path;

use redline_permissions::Context;
use serde_json::{Value, json};

use crate::{
    Dialect, Scope, ToolCall, builtin,
    fixture::{Fixture, scope, wire},
    testing::TestHost,
};

const CASES: &str = include_str!("../../../fixtures/search_cases.jsonl");

/// What no tool of ours has an argument for.
const NOT_RUN: [(&str, &str); 3] = [
    ("search-047", "glob has no exclude"),
    ("search-063", "what .gitignore names is searched only where it is named itself"),
    ("search-071", "symlinks are not followed"),
];

/// What Amp's tools have no argument for, but Agent Air's; in `search-089` symlinks that are not
/// followed give the same.
const AIR: [&str; 4] = ["search-018", "search-020", "search-022", "search-089"];

fn air(case: &Value) -> (Dialect, &'static str, Value) {
    let given = &case["args"];
    if case["op"] == "glob" {
        let args = json!({
            "pattern": given["pattern"], "path": given["path"], "include_hidden": given["hidden"],
        });
        return (Dialect::AgentAir, "glob", args);
    }
    // Hidden files are searched where they are named.
    let args = json!({"pattern": given["pattern"], "path": ".a", "output_mode": "content"});
    (Dialect::AgentAir, "grep", args)
}

/// Those about the walk from another folder are glob patterns with that folder.
fn amp(case: &Value) -> (Dialect, &'static str, Value) {
    let given = &case["args"];
    if case["op"] == "glob" {
        let pattern = given["pattern"].as_str().unwrap();
        let pattern = match given["path"].as_str() {
            Some(path) => format!("{path}/{pattern}"),
            None => pattern.to_owned(),
        };
        return (Dialect::Amp, "glob", json!({"filePattern": pattern}));
    }
    let mut args = json!({"pattern": given["pattern"]});
    for (ours, theirs) in [("path", "path"), ("glob", "glob"), ("caseSensitive", "case_sensitive")]
    {
        args[ours] = given[theirs].clone();
    }
    if let Some(exclude) = given["exclude"][0].as_str() {
        args["glob"] = json!(format!("!{exclude}"));
    }
    (Dialect::Amp, "Grep", args)
}

fn plant(root: &Path, tree: &Value) {
    for (name, what) in tree.as_object().unwrap() {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        if let Some(text) = what.as_str() {
            std::fs::write(path, text).unwrap();
        } else if let Some(bytes) = what["bytes_b64"].as_str() {
            use base64::{Engine as _, engine::general_purpose::STANDARD};
            std::fs::write(path, STANDARD.decode(bytes).unwrap()).unwrap();
        } else if let Some(target) = what["symlink"].as_str() {
            #[cfg(unix)]
            std::os::unix::fs::symlink(target, path).unwrap();
        } else {
            std::fs::create_dir_all(path).unwrap();
        }
    }
}

/// The files and the lines of a result.
fn found(result: &Value, cwd: &Path) -> (Vec<String>, Vec<String>) {
    let cwd = format!("{}/", cwd.display());
    let text = |item: &Value| item.as_str().unwrap().replace(&cwd, "");
    if let Some(files) = result["result"]["files"].as_array() {
        return (files.iter().map(text).collect(), Vec::new());
    }
    let lines: Vec<String> = match &result["result"] {
        Value::Array(lines) => lines.iter().map(text).collect(),
        lines => text(lines).lines().map(str::to_owned).collect(),
    };
    let hit = |line: &String| {
        let (place, content) = line.split_once(": ")?;
        let (file, number) = place.rsplit_once(':')?;
        number.parse::<u64>().ok()?;
        Some((file.to_owned(), format!("{file}:{number}:{content}")))
    };
    let (mut files, hits): (Vec<_>, Vec<_>) = lines.iter().filter_map(hit).unzip();
    files.dedup();
    (files, hits)
}

/// The paths in a result of Agent Air's glob, which come by age.
fn listed(result: &Value, cwd: &Path) -> Vec<String> {
    let cwd = format!("{}/", cwd.display());
    let lines = result["result"].as_str().unwrap().lines();
    let mut files: Vec<String> =
        lines.filter_map(|line| line.strip_prefix(&cwd).map(str::to_owned)).collect();
    files.sort();
    files
}

#[tokio::test]
async fn cases_of_ripgrep() {
    let mut ran = 0;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap();
        if NOT_RUN.iter().any(|(left, _)| *left == id) {
            continue;
        }
        let (dialect, tool, args) = if AIR.contains(&id) { air(&case) } else { amp(&case) };
        let f = Fixture::with(&[], "", TestHost::default(), builtin());
        plant(&f.root, &case["tree"]);
        let cwd = f.root.join(case["cwd"].as_str().unwrap_or_default());
        let cwd = cwd.components().collect::<std::path::PathBuf>();
        let context = Context::Thread;
        let scope = Scope { cwd: cwd.clone(), context, dialect, ..scope(&f.root, "T") };
        let call = ToolCall { id: "c".into(), name: tool.into(), args };
        let results = f.tools.run(&scope, vec![call], &|_| {}).await;
        let result = wire(&results[0]);
        let (files, lines) = match (dialect, tool) {
            (Dialect::AgentAir, "glob") => (listed(&result, &cwd), Vec::new()),
            _ => found(&result, &cwd),
        };
        assert_eq!(json!(files), case["expect_files"], "{case}");
        if !case["expect_lines"].is_null() {
            assert_eq!(json!(lines), case["expect_lines"], "{case}");
        }
        ran += 1;
    }
    assert_eq!(ran, CASES.lines().count() - NOT_RUN.len());
}
