//! Fixtures: calls and policies from short texts.
// The lint's exception for tests does not reach the modules that they share.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use redline_permissions::*;
use serde_json::{Value, json};

pub const ROOT: &str = "/srv/app";
pub const HOME: &str = "/home/u";

pub fn user(text: &str) -> Vec<SourcedRule> {
    let path = PathBuf::from("/home/u/.config/redline/settings.json");
    sourced(text, Source::User { path })
}

pub fn repository(text: &str) -> Vec<SourcedRule> {
    sourced(text, Source::Repository { path: PathBuf::from(".redline/settings.json") })
}

fn sourced(text: &str, source: Source) -> Vec<SourcedRule> {
    let rules = parse_text(text).unwrap();
    let with = |(line, rule)| SourcedRule { rule, source: source.clone(), line: Some(line) };
    rules.into_iter().map(with).collect()
}

/// The built-in rules behind the user's.
pub fn policy(rules: &str) -> Policy {
    Policy::builtin().with_home(PathBuf::from(HOME)).with_user_rules(user(rules))
}

/// A call that owns what `Call` borrows.
#[derive(Clone)]
pub struct Owned {
    pub names: Vec<&'static str>,
    pub args: Value,
    pub context: Context,
    pub paths: Vec<ResolvedPath>,
    pub workspace: Vec<PathBuf>,
    pub writes: Vec<ResolvedPath>,
}

impl Owned {
    pub fn new(name: &'static str, args: Value) -> Self {
        let workspace = vec![PathBuf::from(ROOT)];
        let (paths, writes) = (vec![], vec![]);
        Owned { names: vec![name], args, context: Context::Thread, paths, workspace, writes }
    }

    pub fn bash(cmd: &str) -> Self {
        Owned::new("Bash", json!({ "cmd": cmd }))
    }

    /// A call with one path; `real` as if `written` were resolved.
    pub fn file(name: &'static str, written: &str, real: &str) -> Self {
        let mut call = Owned::new(name, json!({ "path": written }));
        call.paths.push(ResolvedPath {
            arg: "path".to_owned(),
            written: written.to_owned(),
            real: PathBuf::from(real),
            inside_workspace: Path::new(real).starts_with(ROOT),
        });
        call
    }

    /// A path without symlinks.
    pub fn at(name: &'static str, real: &str) -> Self {
        Owned::file(name, real, real)
    }

    pub fn subagent(mut self) -> Self {
        self.context = Context::Subagent;
        self
    }

    /// What a command writes is where its name says, unless `writes` knows better.
    fn written(&self) -> Vec<ResolvedPath> {
        let cmd = self.args["cmd"].as_str().unwrap_or_default();
        let plain = |file: &String| {
            let mut real = PathBuf::new();
            for part in Path::new(ROOT).join(file).components() {
                match part {
                    std::path::Component::ParentDir => drop(real.pop()),
                    other => real.push(other),
                }
            }
            let inside_workspace = real.starts_with(ROOT);
            ResolvedPath { arg: String::new(), written: file.clone(), real, inside_workspace }
        };
        let found = shell::read(cmd).writes;
        let unknown =
            found.iter().filter(|file| !self.writes.iter().any(|it| it.written == **file));
        self.writes.iter().cloned().chain(unknown.map(plain)).collect()
    }

    pub fn with<T>(&self, use_call: impl FnOnce(&Call) -> T) -> T {
        let writes = self.written();
        use_call(&Call {
            writes: &writes,
            names: &self.names,
            args: &self.args,
            context: self.context,
            cwd: Path::new(ROOT),
            workspace: &self.workspace,
            paths: &self.paths,
        })
    }

    pub fn judge(&self, policy: &Policy) -> Verdict {
        self.with(|call| policy.evaluate(call))
    }

    pub fn grants(&self) -> Vec<Rule> {
        self.with(grant_for)
    }
}

pub fn rank(action: Action) -> u8 {
    match action {
        Action::Allow => 0,
        Action::Delegate => 1,
        Action::Ask => 2,
        Action::Reject => 3,
    }
}
