//! May it run? Rules answer; where they say ask, changes of files become pending hunks and
//! everything else is asked through the host (DESIGN, sections 3 and 5).

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use redline_permissions::{
    Action, Call, Condition, Origin, ResolvedPath, Verdict, grant_for, parse_text,
};
use redline_workspace::{Ask, AskAnswer, AskOption, AskOutcome, OptionId, PathError, ProposeMode};
use serde_json::Value;

use super::report::{self, Report};
use crate::{Resource, Scope, ToolDefinition, ToolResult, ToolStatus, Tools, dialect};

/// A call may run, in this way.
pub(super) struct Permit {
    pub mode: ProposeMode,
    /// A rule of the user's names the file literally, which lifts the tools' own guards.
    pub unguarded: bool,
}

fn permit(mode: ProposeMode) -> Permit {
    Permit { mode, unguarded: false }
}

/// What is judged, owned: a `Call` borrows from it.
struct Case<'a> {
    scope: &'a Scope,
    args: &'a Value,
    /// As rules see them.
    ruled: Cow<'a, Value>,
    names: Vec<&'a str>,
    cwd: PathBuf,
    roots: Vec<PathBuf>,
    paths: Vec<ResolvedPath>,
}

impl Case<'_> {
    fn call(&self) -> Call<'_> {
        Call {
            names: &self.names,
            args: &self.ruled,
            context: self.scope.context,
            cwd: &self.cwd,
            workspace: &self.roots,
            paths: &self.paths,
        }
    }
}

impl Tools {
    /// `Err` is the result of a call that may not run.
    pub(super) async fn permit(
        &self,
        scope: &Scope,
        tool: &ToolDefinition,
        args: &Value,
        report: &Report<'_>,
    ) -> Result<Permit, ToolResult> {
        let case =
            self.case(scope, tool, args).map_err(|error| ToolResult::error(error.to_string()))?;
        let verdict = self.evaluate(&case);
        match verdict.action {
            Action::Allow => Ok(Permit {
                unguarded: self.names_it(&verdict, &case),
                ..permit(ProposeMode::Applied)
            }),
            Action::Reject => Err(refused(verdict)),
            Action::Ask | Action::Delegate if tool.spec.meta.proposes => {
                // A hunk is question enough for a file of the workspace; that a tool may look at
                // and propose for another one is asked first.
                if verdict.origin == Origin::Outside {
                    self.asked(&case, verdict, report).await?;
                }
                Ok(permit(ProposeMode::Pending))
            }
            Action::Ask | Action::Delegate => self.asked(&case, verdict, report).await,
        }
    }

    fn evaluate(&self, case: &Case<'_>) -> Verdict {
        self.workspace.query(|session| session.evaluate(&case.call()))
    }

    /// Whether the allowing rule is the user's and says exactly this file (DESIGN, section 5,
    /// "Guards").
    fn names_it(&self, verdict: &Verdict, case: &Case<'_>) -> bool {
        let rule = verdict.reason.rule.as_deref().filter(|_| verdict.origin == Origin::User);
        let Some(Ok(rules)) = rule.map(parse_text) else { return false };
        let home = self.workspace.home();
        let literally = |path: &ResolvedPath| {
            let names = names(&path.real, &case.roots, home.as_deref());
            let condition = rules.first().and_then(|(_, rule)| rule.matches.get(&path.arg));
            condition.is_some_and(|condition| says(condition, &names))
        };
        // A path is there under each of its argument's names: one of them is enough.
        let named = |path: &ResolvedPath| {
            case.paths.iter().any(|other| other.real == path.real && literally(other))
        };
        !case.paths.is_empty() && case.paths.iter().all(named)
    }

    fn case<'a>(
        &self,
        scope: &'a Scope,
        tool: &'a ToolDefinition,
        args: &'a Value,
    ) -> Result<Case<'a>, PathError> {
        let name = tool.spec.name.as_str();
        let roots = self.workspace.roots();
        Ok(Case {
            scope,
            args,
            ruled: dialect::ruled(args),
            names: dialect::ruled_names(name),
            cwd: self.directory(scope, args)?,
            paths: self.paths(scope, tool, args, &roots)?,
            roots,
        })
    }

    /// Where the call runs: its own `cwd`, else the thread's.
    fn directory(&self, scope: &Scope, args: &Value) -> Result<PathBuf, PathError> {
        match args.get("cwd").and_then(Value::as_str) {
            None => Ok(scope.cwd.clone()),
            Some(written) => Ok(self.workspace.path(written, &scope.cwd)?.as_path().to_owned()),
        }
    }

    fn paths(
        &self,
        scope: &Scope,
        tool: &ToolDefinition,
        args: &Value,
        roots: &[PathBuf],
    ) -> Result<Vec<ResolvedPath>, PathError> {
        let keys = tool.execution_profile.as_ref().and_then(|profile| profile.resource_keys);
        let mut paths = Vec::new();
        for key in keys.map(|keys| keys(args)).unwrap_or_default() {
            let Resource::File { argument: arg, written } = key.key else { continue };
            let file = match tool.spec.meta.links {
                true => self.workspace.entry(&written, &scope.cwd)?,
                false => self.workspace.path(&written, &scope.cwd)?,
            };
            let (real, inside_workspace) = (file.as_path().to_owned(), file.is_inside(roots));
            let path = ResolvedPath { arg, written, real, inside_workspace };
            let ruled = dialect::ruled_name(&path.arg);
            if ruled != path.arg {
                paths.push(ResolvedPath { arg: ruled.to_owned(), ..path.clone() });
            }
            paths.push(path);
        }
        Ok(paths)
    }

    async fn asked(
        &self,
        case: &Case<'_>,
        verdict: Verdict,
        report: &Report<'_>,
    ) -> Result<Permit, ToolResult> {
        let ask = self.ask(case, verdict, report);
        report.status(ToolStatus::BlockedOnUser);
        let answer = match self.host.ask(ask).await {
            AskOutcome::Answered(answer) => answer,
            AskOutcome::Withdrawn(_) => return Err(ToolResult::Cancelled),
        };
        if answer.option == OptionId::Reject {
            return Err(rejected_by(answer));
        }
        report.status(ToolStatus::InProgress);
        // The rules in force may have changed while the user thought about it.
        let now = self.evaluate(case);
        if now.action == Action::Reject {
            return Err(refused(now));
        }
        Ok(permit(ProposeMode::Applied))
    }

    fn ask(&self, case: &Case<'_>, verdict: Verdict, report: &Report<'_>) -> Ask {
        let unseen = self.workspace.unseen(&case.scope.thread);
        let detail = case.args.get("cmd").and_then(Value::as_str).map(str::to_owned);
        let covers = verdict.grantable.then(|| covers(&case.call())).flatten();
        Ask {
            thread: case.scope.thread.clone(),
            call: report.id(),
            title: detail.as_deref().map_or_else(|| report.title(), title),
            tool: case.call().name().to_owned(),
            args: case.args.clone(),
            cwd: case.cwd.clone(),
            // Only a command misses what is not on disk; the other tools see it.
            pending: if detail.is_some() { unseen.pending } else { Vec::new() },
            unsaved: if detail.is_some() { unseen.unsaved } else { Vec::new() },
            detail,
            reason: verdict.reason,
            options: options(covers),
        }
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

/// One line about a command; the whole of it is the ask's detail.
fn title(cmd: &str) -> String {
    let first = cmd.lines().next().unwrap_or_default();
    let more = if cmd.lines().nth(1).is_some() { " …" } else { "" };
    format!("Run: {}{more}", report::shortened(first))
}

/// The rules that "allow for the session" would add, as a text of rules.
fn covers(call: &Call<'_>) -> Option<String> {
    let rules: Vec<String> = grant_for(call).iter().map(ToString::to_string).collect();
    (!rules.is_empty()).then(|| rules.join("\n"))
}

fn options(covers: Option<String>) -> Vec<AskOption> {
    let option = |id, label: &str, covers| AskOption { id, label: label.to_owned(), covers };
    let mut options = vec![option(OptionId::Once, "Allow once", None)];
    if covers.is_some() {
        options.push(option(OptionId::Session, "Allow for the session", covers));
    }
    options.push(option(OptionId::Reject, "Reject", None));
    options
}

fn refused(verdict: Verdict) -> ToolResult {
    ToolResult::RejectedByUser { reason: verdict.reason.text, comment: verdict.message }
}

fn rejected_by(answer: AskAnswer) -> ToolResult {
    let comment = answer.comment.filter(|comment| !comment.trim().is_empty());
    ToolResult::RejectedByUser { reason: "Rejected by the user".to_owned(), comment }
}
