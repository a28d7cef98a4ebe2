//! May it run? Rules answer; where they say ask, changes of files become pending hunks and
//! everything else is asked through the host (DESIGN, sections 3 and 5).

use std::path::PathBuf;

use redline_permissions::{Action, Call, ResolvedPath, Verdict, grant_for};
use redline_workspace::{Ask, AskAnswer, AskOption, AskOutcome, OptionId, PathError, ProposeMode};
use serde_json::Value;

use super::report::Report;
use crate::{Resource, Scope, ToolDefinition, ToolResult, ToolStatus, Tools};

/// A call may run, in this way.
pub(super) struct Permit {
    pub mode: ProposeMode,
    pub unguarded: bool,
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
        let cwd = self.directory(scope, args)?;
        let call = self.permission_call(scope, tool, args, cwd).map_err(path_error)?;
        let verdict = self.evaluate(&call);
        match verdict.action {
            Action::Allow => Ok(permit(ProposeMode::Applied, &verdict)),
            Action::Reject => Err(refused(verdict)),
            Action::Ask if tool.spec.meta.proposes => Ok(permit(ProposeMode::Pending, &verdict)),
            Action::Ask => self.asked(scope, call, verdict, report).await,
        }
    }

    fn evaluate(&self, call: &Call) -> Verdict {
        self.workspace.query(|session| session.evaluate(call))
    }

    /// Where the call runs: its own `cwd`, else the thread's.
    fn directory(&self, scope: &Scope, args: &Value) -> Result<PathBuf, ToolResult> {
        match args.get("cwd").and_then(Value::as_str) {
            None => Ok(scope.cwd.clone()),
            Some(written) => {
                let found = self.workspace.path(written, &scope.cwd).map_err(path_error)?;
                Ok(found.as_path().to_owned())
            }
        }
    }

    fn permission_call(
        &self,
        scope: &Scope,
        tool: &ToolDefinition,
        args: &Value,
        cwd: PathBuf,
    ) -> Result<Call, PathError> {
        let keys = tool.execution_profile.as_ref().and_then(|profile| profile.resource_keys);
        let files = keys.map(|keys| keys(args)).unwrap_or_default();
        let written = files.into_iter().filter_map(|key| match key.key {
            Resource::File(path) => Some(path),
            Resource::Named(_) => None,
        });
        let roots = self.workspace.roots();
        let resolve = |written: String| {
            let file = self.workspace.path(&written, &scope.cwd)?;
            let inside_workspace = file.is_inside(&roots);
            let resolved = file.as_path().to_owned();
            Ok(ResolvedPath { written, resolved, inside_workspace })
        };
        Ok(Call {
            tool: tool.spec.name.clone(),
            args: args.clone(),
            context: scope.context,
            cwd,
            paths: written.map(resolve).collect::<Result<_, PathError>>()?,
        })
    }

    async fn asked(
        &self,
        scope: &Scope,
        call: Call,
        verdict: Verdict,
        report: &Report<'_>,
    ) -> Result<Permit, ToolResult> {
        let permit = permit(ProposeMode::Applied, &verdict);
        let ask = self.ask(scope, &call, verdict, report);
        report.status(ToolStatus::BlockedOnUser);
        let answer = match self.host.ask(ask).await {
            AskOutcome::Answered(answer) => answer,
            AskOutcome::Withdrawn(_) => return Err(ToolResult::Cancelled),
        };
        report.status(ToolStatus::InProgress);
        if answer.option == OptionId::Reject {
            return Err(rejected_by(answer));
        }
        // The rules in force may have changed while the user thought about it.
        let now = self.evaluate(&call);
        if now.action == Action::Reject { Err(refused(now)) } else { Ok(permit) }
    }

    fn ask(&self, scope: &Scope, call: &Call, verdict: Verdict, report: &Report<'_>) -> Ask {
        let unseen = self.workspace.unseen(&scope.thread);
        let detail = call.args.get("cmd").and_then(Value::as_str).map(str::to_owned);
        Ask {
            thread: scope.thread.clone(),
            call: report.id(),
            title: report.title(),
            tool: call.tool.clone(),
            args: call.args.clone(),
            cwd: call.cwd.clone(),
            // Only a command misses what is not on disk; the other tools see it.
            pending: if detail.is_some() { unseen.pending } else { Vec::new() },
            unsaved: if detail.is_some() { unseen.unsaved } else { Vec::new() },
            detail,
            reason: verdict.reason,
            options: options(grant_for(call)),
        }
    }
}

fn permit(mode: ProposeMode, verdict: &Verdict) -> Permit {
    Permit { mode, unguarded: verdict.lifts_guards }
}

fn options(covers: Option<String>) -> Vec<AskOption> {
    let option = |id, label: &str, covers| AskOption { id, label: label.to_owned(), covers };
    let session = covers.map(|rule| {
        option(OptionId::Session, "Allow for this session", Some(rule))
    });
    let mut options = vec![option(OptionId::Once, "Allow once", None)];
    options.extend(session);
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

fn path_error(error: PathError) -> ToolResult {
    ToolResult::error(error.to_string())
}
