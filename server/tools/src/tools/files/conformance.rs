//! Cases of ripgrep's own test suite and of its peers', on small trees.

use std::path::Path;

use redline_permissions::Context;
use serde_json::{Value, json};

use crate::{
    Scope, ToolCall, builtin,
    fixture::{Fixture, scope, wire},
    testing::TestHost,
};

const CASES: &str = include_str!("../../../fixtures/search_cases.jsonl");

/// What Amp's tools have no argument for.
const NOT_AMP: [&str; 3] = ["hidden", "no_ignore", "follow"];

/// Of the rest, those about the walk from another folder are glob patterns with that folder.
fn args(case: &Value) -> Option<(&'static str, Value)> {
    let given = &case["args"];
    let is_set = |name: &str| given[name].as_bool() == Some(true);
    if NOT_AMP.into_iter().any(is_set) {
        return None;
    }
    if case["op"] == "glob" {
        let pattern = given["pattern"].as_str()?;
        let pattern = match given["path"].as_str() {
            Some(path) => format!("{path}/{pattern}"),
            None => pattern.to_owned(),
        };
        return given["exclude"].is_null().then(|| ("glob", json!({"filePattern": pattern})));
    }
    let mut args = json!({"pattern": given["pattern"]});
    for (ours, theirs) in [("path", "path"), ("glob", "glob"), ("caseSensitive", "case_sensitive")]
    {
        args[ours] = given[theirs].clone();
    }
    if let Some(exclude) = given["exclude"][0].as_str() {
        args["glob"] = json!(format!("!{exclude}"));
    }
    Some(("Grep", args))
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
    let text = |item: &Value| item.as_str().unwrap().to_owned();
    if let Some(files) = result["result"]["files"].as_array() {
        let inside = |item| text(item).strip_prefix(&format!("{}/", cwd.display())).unwrap().into();
        return (files.iter().map(inside).collect(), Vec::new());
    }
    let lines = result["result"].as_array().unwrap_or_else(|| panic!("{result}"));
    let hit = |line: &Value| {
        let line = text(line);
        let (place, content) = line.split_once(": ")?;
        let (file, number) = place.rsplit_once(':')?;
        number.parse::<u64>().ok()?;
        Some((file.to_owned(), format!("{file}:{number}:{content}")))
    };
    let (mut files, lines): (Vec<_>, Vec<_>) = lines.iter().filter_map(hit).unzip();
    files.dedup();
    (files, lines)
}

#[tokio::test]
async fn cases_of_ripgrep() {
    let mut ran = 0;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let Some((tool, args)) = args(&case) else { continue };
        let f = Fixture::with(&[], "", TestHost::default(), builtin());
        plant(&f.root, &case["tree"]);
        let cwd = f.root.join(case["cwd"].as_str().unwrap_or_default());
        let cwd = cwd.components().collect::<std::path::PathBuf>();
        let scope = Scope { cwd: cwd.clone(), context: Context::Thread, ..scope(&f.root, "T") };
        let call = ToolCall { id: "c".into(), name: tool.into(), args };
        let results = f.tools.run(&scope, vec![call], &|_| {}).await;
        let (files, lines) = found(&wire(&results[0]), &cwd);
        assert_eq!(json!(files), case["expect_files"], "{case}");
        if !case["expect_lines"].is_null() {
            assert_eq!(json!(lines), case["expect_lines"], "{case}");
        }
        ran += 1;
    }
    assert!(ran > 75, "{ran}");
}
