//! A workspace on a temporary folder, for the tests of this crate.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use redline_permissions::{Context, Policy, Source, SourcedRule, parse_text};
use redline_text::Encoding;
use redline_workspace::{Config, Effect, Event, Front, Workspace};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    Cancel, Dialect, Registry, Scope, ToolCall, ToolEvent, ToolResult, Tools, builtin,
    testing::TestHost,
};

/// Remembers what it should have done, in words.
#[derive(Default)]
pub(crate) struct RecordingFront(pub Mutex<Vec<String>>);

impl Front for RecordingFront {
    fn perform(&self, effect: Effect, _: &Arc<Workspace>) {
        self.0.lock().unwrap().push(format!("{effect:?}"));
    }
}

pub(crate) struct Fixture {
    pub root: PathBuf,
    pub workspace: Arc<Workspace>,
    pub host: Arc<TestHost>,
    pub tools: Arc<Tools>,
    pub scope: Scope,
    pub front: Arc<RecordingFront>,
    events: Mutex<Vec<ToolEvent>>,
    _dir: TempDir,
}

impl Fixture {
    /// Files of the workspace, which is `ROOT/w`; home is `ROOT/home`. Asks are answered with once.
    pub fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, "", TestHost::allowing(), builtin())
    }

    /// A workspace of several folders in `ROOT/w`; calls run in the first.
    pub fn folders(names: &[&str], files: &[(&str, &str)]) -> Self {
        let mut it = Self::build(names, files, "", TestHost::allowing(), builtin());
        it.scope.cwd = it.root.join(names[0]);
        it
    }

    /// With rules of the user's and a host.
    pub fn with(files: &[(&str, &str)], rules: &str, host: TestHost, registry: Registry) -> Self {
        Self::build(&[""], files, rules, host, registry)
    }

    fn build(
        folders: &[&str],
        files: &[(&str, &str)],
        rules: &str,
        host: TestHost,
        registry: Registry,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let (root, home) = (base.join("w"), base.join("home"));
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir_all(&home).unwrap();
        for (name, text) in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let front = Arc::new(RecordingFront::default());
        let config = Config {
            roots: folders.iter().map(|name| root.join(name).components().collect()).collect(),
            home: Some(home),
            encoding: Encoding::Utf16,
            save_on_accept: true,
            client_saves: false,
            policy: policy(rules),
        };
        let workspace = Workspace::start(config, front.clone());
        let host = Arc::new(host);
        let tools = Tools::new(workspace.clone(), host.clone(), registry);
        let scope = scope(&root, "T-1");
        let events = Mutex::default();
        Self { root, workspace, host, tools, scope, front, events, _dir: dir }
    }

    /// With rules of a repository's besides: one that the user trusts, or not.
    pub fn with_theirs(self, rules: &str, trusted: bool) -> Self {
        let path = self.root.join(".redline/settings.json");
        let sourced = |(line, rule)| SourcedRule {
            rule,
            source: Source::Repository { path: path.clone() },
            line: Some(line),
        };
        let theirs = parse_text(rules).unwrap().into_iter().map(sourced).collect();
        let policy = self.workspace.query(|session| session.config().policy.clone());
        let policy = match trusted {
            true => policy.with_trusted_rules(self.root.clone(), theirs),
            false => policy.with_repository_rules(theirs),
        };
        self.workspace.post(Event::Configured { policy: Box::new(policy), save_on_accept: true });
        self
    }

    pub fn path(&self, name: &str) -> String {
        self.root.join(name).display().to_string()
    }

    pub fn disk(&self, name: &str) -> String {
        std::fs::read_to_string(self.root.join(name)).unwrap()
    }

    /// The results as the wire has them.
    pub async fn run(&self, calls: &[(&str, Value)]) -> Vec<Value> {
        let calls = calls.iter().enumerate().map(|(n, (name, args))| ToolCall {
            id: format!("c{n}"),
            name: (*name).to_owned(),
            args: args.clone(),
        });
        let record = |event| self.events.lock().unwrap().push(event);
        let results = self.tools.run(&self.scope, calls.collect(), &record).await;
        results.iter().map(wire).collect()
    }

    pub async fn call(&self, name: &str, args: Value) -> Value {
        self.run(&[(name, args)]).await.remove(0)
    }

    /// Calls and statuses of the events so far.
    pub fn events(&self) -> Vec<ToolEvent> {
        self.events.lock().unwrap().clone()
    }
}

pub(crate) fn scope(root: &std::path::Path, thread: &str) -> Scope {
    Scope {
        thread: thread.into(),
        agent: "Test".to_owned(),
        context: Context::Thread,
        cwd: root.to_owned(),
        dialect: Dialect::Amp,
        cancel: Cancel::new(),
        mode: None,
        subagent: None,
    }
}

fn policy(rules: &str) -> Policy {
    let source = Source::User { path: PathBuf::from("/settings") };
    let sourced = |(line, rule)| SourcedRule { rule, source: source.clone(), line: Some(line) };
    let rules = parse_text(rules).unwrap().into_iter().map(sourced);
    Policy::builtin().with_user_rules(rules.collect())
}

pub(crate) fn wire(result: &ToolResult) -> Value {
    serde_json::to_value(result).unwrap()
}

/// The message of an error; panics with the result if it is none.
pub(crate) fn message(result: &Value) -> &str {
    assert_eq!(result["status"], "error", "{result}");
    result["error"]["message"].as_str().unwrap()
}

/// The text of a result that is one.
pub(crate) fn done(result: &Value) -> &str {
    assert_eq!(result["status"], "done", "{result}");
    result["result"].as_str().unwrap_or_else(|| panic!("{result}"))
}

/// `{"path": …}` and more.
pub(crate) fn at(fixture: &Fixture, name: &str, more: Value) -> Value {
    let mut args = json!({"path": fixture.path(name)});
    for (key, value) in more.as_object().unwrap() {
        args[key] = value.clone();
    }
    args
}

/// Waits for a condition, not for a time.
pub(crate) async fn until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        tokio::task::yield_now().await;
    }
}
