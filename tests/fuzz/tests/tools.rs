//! Calls of every tool with arguments made from its schema: each has one result, nothing panics, and
//! nothing on disk changes while the user has accepted nothing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "it is test code")]

use std::{collections::BTreeMap, fs, path::Path, sync::Arc, time::Duration};

use proptest::{collection::vec, prelude::*};
use redline_fuzz::{arguments, fuzz};
use redline_permissions::{Context, Policy};
use redline_text::Encoding;
use redline_tools::{
    Cancel, Dialect, Scope, ToolCall, ToolResult, Tools, builtin, testing::TestHost,
};
use redline_workspace::{Config, Effect, Front, Workspace};
use tokio::{runtime::Runtime, time::timeout};

/// What the agent may write without asking.
const PAPERS: &str = ".agent-air";

/// However slow the machine is.
const LIMIT: Duration = Duration::from_secs(60);

struct Nobody;

impl Front for Nobody {
    fn perform(&self, _: Effect, _: &Arc<Workspace>) {}
}

fn plant(root: &Path) {
    fs::create_dir_all(root.join("b")).unwrap();
    let files = [
        ("a.txt", "one\ntwo\nthree\n"),
        ("b/c.txt", "one é 日本語\n\tone\nlast"),
        ("empty", ""),
        ("crlf.txt", "one\r\ntwo\r\n"),
        (".env", "SECRET=1\n"),
        ("Cargo.toml", "[package]\nname = \"x\"\n"),
    ];
    for (name, text) in files {
        fs::write(root.join(name), text).unwrap();
    }
}

fn disk(folder: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with(PAPERS) {
            disk(&path, into);
        } else if path.is_file() {
            into.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
}

fn tools(root: &Path) -> Arc<Tools> {
    let config = Config {
        roots: vec![root.to_owned()],
        home: Some(root.join("home")),
        encoding: Encoding::Utf16,
        save_on_accept: true,
        client_saves: false,
        policy: Policy::builtin(),
    };
    let workspace = Workspace::start(config, Arc::new(Nobody));
    Tools::new(workspace, Arc::new(TestHost::default()), builtin())
}

fn scope(root: &Path, dialect: Dialect) -> Scope {
    Scope {
        thread: "T-fuzz".into(),
        agent: "fuzz".to_owned(),
        context: Context::Thread,
        cwd: root.to_owned(),
        dialect,
        mode: None,
        subagent: None,
        cancel: Cancel::new(),
    }
}

async fn all(
    tools: &Tools,
    root: &Path,
    calls: Vec<(Dialect, ToolCall)>,
) -> Vec<(String, ToolResult)> {
    let mut results = Vec::new();
    for (n, (dialect, call)) in calls.into_iter().enumerate() {
        let call = arguments::placed(call, &root.display().to_string(), format!("c{n}"));
        let said = format!("{} {}", call.name, call.args);
        let scope = scope(root, dialect);
        let ran = timeout(LIMIT, tools.run(&scope, vec![call], &|_| {})).await;
        let mut ran = ran.unwrap_or_else(|_| panic!("no end: {said}"));
        assert_eq!(ran.len(), 1, "{said}");
        results.push((said, ran.remove(0)));
    }
    results
}

#[test]
fn tools_take_any_arguments() {
    let runtime = Runtime::new().unwrap();
    let calls = vec(arguments::call(&builtin()), 1..10);
    fuzz("tools", 48, calls, |calls| {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        plant(&root);
        let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
        disk(&root, &mut before);
        let results = runtime.block_on(async { all(&tools(&root), &root, calls).await });
        for (said, result) in results {
            let shown = serde_json::to_string(&result).unwrap();
            prop_assert!(!shown.contains("fault of its own"), "{}: {}", said, shown);
            prop_assert!(!shown.contains("SECRET=1"), "{}: {}", said, shown);
        }
        disk(&root, &mut after);
        prop_assert_eq!(before, after);
        Ok(())
    });
}
