//! What is judged before a call runs.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    ffi::OsStr,
    path::{Path, PathBuf},
};

use redline_permissions::{
    Action, Call, Condition, Origin, Pattern, ResolvedPath, Verdict, guards::dangers, is_read_only,
    parse_text, shell,
};
use redline_workspace::PathError;
use serde_json::{Value, json};

use super::{
    delegate::Errand,
    permit::MOST_COMMAND,
    urls::{self, user_rule},
};
use crate::{
    Ground, Line, Resource, ResourceKey, Scope, ToolDefinition, Tools, bound::Place,
    bundle::LocateError, dialect,
};

/// A call, owned: a `Call` borrows from it.
pub(super) struct Case<'a> {
    pub scope: &'a Scope,
    pub args: &'a Value,
    /// As rules see them.
    ruled: Cow<'a, Value>,
    names: Vec<&'a str>,
    pub cwd: PathBuf,
    roots: Vec<PathBuf>,
    pub paths: Vec<ResolvedPath>,
    /// All that it names, writes by redirection and runs in, and where that leads now.
    pub places: Vec<Place>,
    /// The files that its commands write, by the directory that they start in.
    writes: BTreeMap<PathBuf, Vec<ResolvedPath>>,
    /// It changes files of the user's.
    pub changes: bool,
    /// Arguments that are addresses of the web, and those.
    urls: Vec<(String, String)>,
    /// The commands that it will run.
    pub lines: Vec<Line>,
    /// The tool itself has found them.
    pub is_planned: bool,
}

impl Case<'_> {
    pub fn call(&self) -> Call<'_> {
        Call {
            names: &self.names,
            args: &self.ruled,
            context: self.scope.context,
            cwd: &self.cwd,
            workspace: &self.roots,
            paths: &self.paths,
            writes: self.writes(&self.cwd),
        }
    }

    /// One of its commands, or another text in that one's place, as a call of Bash.
    pub fn as_bash<T>(&self, line: &Line, cmd: &str, look: impl FnOnce(&Call<'_>) -> T) -> T {
        let args = json!({"cmd": cmd, "cwd": line.cwd.display().to_string()});
        let names = dialect::ruled_names("Bash");
        let writes = self.writes(&line.cwd);
        let call =
            Call { names: &names, args: &args, cwd: &line.cwd, paths: &[], writes, ..self.call() };
        look(&call)
    }

    fn writes(&self, cwd: &Path) -> &[ResolvedPath] {
        self.writes.get(cwd).map(Vec::as_slice).unwrap_or_default()
    }

    /// The arguments with another command in the place of theirs.
    fn with_cmd(&self, cmd: &str) -> Value {
        let mut args = self.ruled.clone().into_owned();
        args["cmd"] = cmd.into();
        args
    }

    /// Whether it runs something that is not known to only look.
    pub fn may_write(&self) -> bool {
        // Variables can make any program run another one.
        !self.environment().is_empty() || self.lines.iter().any(|line| !is_read_only(&line.cmd))
    }

    /// Variables that are set for the command: what it does depends on them.
    pub fn environment(&self) -> Vec<(&String, &Value)> {
        let env = self.args.get("env").filter(|_| !self.lines.is_empty());
        env.and_then(Value::as_object).into_iter().flatten().collect()
    }
}

impl Tools {
    pub(super) fn case<'a>(
        &self,
        scope: &'a Scope,
        tool: &'a ToolDefinition,
        args: &'a Value,
    ) -> Result<Case<'a>, LocateError> {
        let name = tool.spec.name.as_str();
        let roots = self.workspace.roots();
        let (ruled, names) = (dialect::ruled(args), dialect::ruled_names(name));
        let cwd = self.directory(scope, &ruled)?;
        let is_planned = tool.execution_profile.is_some_and(|profile| profile.commands.is_some());
        let lines = lines(&ruled, &cwd, is_planned, names.contains(&"Bash"));
        let (paths, mut places) = self.paths(scope, tool, args, &roots)?;
        let mut writes: BTreeMap<PathBuf, Vec<ResolvedPath>> = BTreeMap::new();
        // A longer one is refused, and not read.
        for line in lines.iter().filter(|line| line.cmd.len() <= MOST_COMMAND) {
            let found = self.written(&line.cmd, &line.cwd, &roots);
            places.extend(self.line_places(line, &found));
            writes.entry(line.cwd.clone()).or_default().extend(found);
        }
        let (urls, changes) = (pages(tool, args), tool.spec.meta.proposes);
        Ok(Case {
            scope,
            args,
            ruled,
            names,
            cwd,
            roots,
            paths,
            places,
            writes,
            changes,
            urls,
            lines,
            is_planned,
        })
    }

    /// The arguments with the commands that the call will run, where its tool finds them.
    pub(super) async fn planned(
        &self,
        scope: &Scope,
        tool: &ToolDefinition,
        mut args: Value,
    ) -> Result<Value, String> {
        let Some(find) = tool.execution_profile.and_then(|profile| profile.commands) else {
            return Ok(args);
        };
        let (cwd, roots, settings) = (scope.cwd.clone(), self.workspace.roots(), self.settings());
        let work = tokio::task::spawn_blocking(move || {
            let ground = Ground { cwd: &cwd, roots: &roots, settings: &settings };
            let found = find(&args, &ground);
            (found, args)
        });
        let found;
        (found, args) = work.await.map_err(|error| format!("could not look: {error}"))?;
        args["commands"] = serde_json::to_value(found?).unwrap_or_default();
        Ok(args)
    }

    /// The most restrictive of what the rules say of the call and of its commands. What a rule of the
    /// user's says of the tool itself goes for all that it runs; nobody else's goes before theirs.
    pub(super) fn evaluate(&self, case: &Case<'_>) -> Verdict {
        self.workspace.query(|session| {
            let own = session.evaluate(&case.call());
            if !case.is_planned || own.origin == Origin::User {
                return own;
            }
            let each = |line: &Line| case.as_bash(line, &line.cmd, |call| session.evaluate(call));
            let lines = case.lines.iter().map(each).filter(|line| !is_covered(line, &own));
            strictest(&own, lines.collect()).unwrap_or(own)
        })
    }

    /// The programs that rules name for the call, with what each is asked about: the call, or one of
    /// the commands that its tool has found.
    pub(super) fn errands(&self, case: &Case<'_>, verdict: &Verdict) -> Vec<Errand> {
        let call = case.call();
        if !case.is_planned {
            return Errand::of(verdict, call.name(), call.args);
        }
        self.workspace.query(|session| {
            let own = session.evaluate(&call);
            let mut errands = Errand::of(&own, call.name(), call.args);
            if own.origin != Origin::User {
                let of =
                    |call: &Call<'_>| Errand::of(&session.evaluate(call), call.name(), call.args);
                let of_line = |line| case.as_bash(line, &line.cmd, of);
                errands.extend(case.lines.iter().flat_map(of_line));
            }
            errands
        })
    }

    /// Whether the rules that allow the call's commands name each variable that it sets. Each simple
    /// command is looked at by itself, since each may be allowed by another rule.
    pub(super) fn allows_environment(&self, case: &Case<'_>) -> bool {
        let set = case.environment();
        let speaks = |cmd: &str| {
            let args = case.with_cmd(cmd);
            let call = Call { args: &args, ..case.call() };
            let verdict = self.workspace.query(|session| session.evaluate(&call));
            let rule = verdict.reason.rule.as_deref().and_then(|text| parse_text(text).ok()?.pop());
            let named = rule.as_ref().and_then(|(_, rule)| rule.matches.get("env"));
            named.is_some_and(|named| set.iter().all(|(name, _)| names_key(named, name)))
        };
        set.is_empty()
            || case.lines.iter().all(|line| {
                let commands = shell::read(&line.cmd).commands;
                !commands.is_empty() && commands.iter().all(|command| speaks(&command.text))
            })
    }

    /// Whether the allowing rule is the user's and says exactly this file, page or command
    /// (DESIGN, section 5, "Guards").
    pub(super) fn names_it(&self, verdict: &Verdict, case: &Case<'_>) -> bool {
        if !case.lines.is_empty() {
            return case.lines.iter().all(|line| self.names_command(case, line));
        }
        // Most calls end here: reading a rule takes longer than all the rest of a dispatch.
        let text = verdict.reason.rule.as_deref().unwrap_or_default();
        let has_none = case.paths.is_empty() && case.urls.is_empty();
        if has_none || !case.paths.iter().all(|path| may_name(text, &path.real)) {
            return false;
        }
        let Some(rule) = user_rule(verdict) else { return false };
        let home = self.workspace.home();
        let literally = |path: &ResolvedPath| {
            let names = names(&path.real, &case.roots, home.as_deref());
            rule.matches.get(&path.arg).is_some_and(|condition| says(condition, &names))
        };
        // A path is there under each of its argument's names: one of them is enough.
        let named = |path: &ResolvedPath| {
            case.paths.iter().any(|other| other.real == path.real && literally(other))
        };
        case.paths.iter().all(named)
            && case.urls.iter().all(|(argument, url)| urls::named(&rule, argument, url))
    }

    /// The whole text, or each part of it that is dangerous.
    fn names_command(&self, case: &Case<'_>, line: &Line) -> bool {
        let literally = |cmd: &str| {
            let verdict = case
                .as_bash(line, cmd, |call| self.workspace.query(|session| session.evaluate(call)));
            let rule = user_rule(&verdict).filter(|_| verdict.action == Action::Allow);
            rule.is_some_and(|rule| rule.matches.get("cmd").is_some_and(|it| is_exactly(it, cmd)))
        };
        let home = self.workspace.home();
        literally(&line.cmd)
            || dangers(&line.cmd, &line.cwd, home.as_deref())
                .iter()
                .all(|danger| literally(&danger.command))
    }

    /// Where the call runs: its own directory, else the thread's.
    fn directory(&self, scope: &Scope, ruled: &Value) -> Result<PathBuf, PathError> {
        match ruled.get("cwd").and_then(Value::as_str) {
            None => Ok(scope.cwd.clone()),
            Some(written) => Ok(self.workspace.path(written, &scope.cwd)?.as_path().to_owned()),
        }
    }
}

fn lines(ruled: &Value, cwd: &Path, is_planned: bool, is_bash: bool) -> Vec<Line> {
    if is_planned {
        let found = ruled.get("commands").cloned().unwrap_or_default();
        return serde_json::from_value(found).unwrap_or_default();
    }
    let cmd = ruled.get("cmd").and_then(Value::as_str).filter(|_| is_bash);
    let line = |cmd: &str| Line { kind: String::new(), cmd: cmd.to_owned(), cwd: cwd.to_owned() };
    cmd.map(line).into_iter().collect()
}

fn rank(action: Action) -> u8 {
    match action {
        Action::Allow => 0,
        Action::Delegate => 1,
        Action::Ask => 2,
        Action::Reject => 3,
    }
}

/// Whether what is said of the tool goes for this command of it too: a grant lifts asks, and the rules
/// of a folder that the user trusts come before the built-in ones.
fn is_covered(line: &Verdict, own: &Verdict) -> bool {
    match own.origin {
        Origin::Grant => line.action == Action::Ask && line.grantable,
        Origin::Trusted => matches!(line.origin, Origin::BuiltIn | Origin::NoRule),
        _ => false,
    }
}

/// The strictest of the commands' verdicts, if it is stricter than the call's own, or nothing is said
/// of the call.
fn strictest(own: &Verdict, lines: Vec<Verdict>) -> Option<Verdict> {
    let weight = |verdict: &Verdict| (rank(verdict.action), !verdict.grantable);
    // The first of equals: `max_by_key` would take the last.
    let line = lines.into_iter().rev().max_by_key(weight)?;
    (own.origin == Origin::NoRule || weight(&line) > weight(own)).then_some(line)
}

pub(super) fn keys(tool: &ToolDefinition, args: &Value) -> Vec<ResourceKey> {
    let keys = tool.execution_profile.as_ref().and_then(|profile| profile.resource_keys);
    keys.map(|keys| keys(args)).unwrap_or_default()
}

fn pages(tool: &ToolDefinition, args: &Value) -> Vec<(String, String)> {
    let url = |key: ResourceKey| match key.key {
        Resource::Url { argument, written } => Some((argument, written)),
        _ => None,
    };
    keys(tool, args).into_iter().filter_map(url).collect()
}

/// Whether the text of a rule can say this file: it has the name then, unless it had to be quoted.
fn may_name(rule: &str, file: &Path) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    match file.file_name().and_then(OsStr::to_str) {
        Some(name) if name.chars().all(is_plain) => rule.contains(name),
        _ => true,
    }
}

/// The ways in which a rule can name a file without wildcards.
fn names(file: &Path, roots: &[PathBuf], home: Option<&Path>) -> Vec<String> {
    let inside = |root: &Path| file.strip_prefix(root).ok().map(Path::to_string_lossy);
    let mut names = vec![file.to_string_lossy().into_owned()];
    names.extend(roots.iter().filter_map(|root| inside(root)).map(Cow::into_owned));
    if let Some(rest) = home.and_then(inside) {
        names.extend([format!("~/{rest}"), format!("$HOME/{rest}")]);
    }
    names
}

/// Every alternative must be such a name: the one that matched may be another.
fn says(condition: &Condition, names: &[String]) -> bool {
    match condition {
        Condition::Any(all) => all.iter().all(|one| says(one, names)),
        Condition::Pattern(pattern) => names.iter().any(|name| name == pattern.text()),
        Condition::Literal(_) | Condition::Nested(_) => false,
    }
}

/// Whether the condition is about that property of an object.
fn names_key(condition: &Condition, key: &str) -> bool {
    match condition {
        Condition::Any(all) => all.iter().all(|one| names_key(one, key)),
        Condition::Nested(inner) => inner.get(key).is_some(),
        Condition::Pattern(_) | Condition::Literal(_) => false,
    }
}

/// Whether the command stands there as it is.
fn is_exactly(condition: &Condition, cmd: &str) -> bool {
    match condition {
        Condition::Any(all) => all.iter().any(|one| is_exactly(one, cmd)),
        Condition::Pattern(pattern) => *pattern == Pattern::exactly(cmd),
        Condition::Literal(_) | Condition::Nested(_) => false,
    }
}
