//! May it run? Rules answer; where they say ask, changes of files become pending hunks and
//! everything else is asked through the host (DESIGN, sections 3 and 5).

use std::{hash::RandomState, sync::Arc};

use redline_permissions::{Action, Context, Origin, Verdict};
use redline_workspace::{
    Ask, AskAnswer, AskOption, AskOutcome, LogLevel, OptionId, ProposeMode, Workspace,
    WorkspacePath,
};
use serde_json::Value;

use super::{
    case::Case,
    delegate::Ruling,
    meanwhile::{ASKS, RESTLESS},
    on_disk::Offer,
    report::Report,
    wording,
};
use crate::{Scope, ToolDefinition, ToolResult, ToolStatus, Tools, bound::Bound};

/// Bytes of a command: what Linux takes as one argument of a program.
pub(super) const MOST_COMMAND: usize = 128 * 1024 - 1;

/// A call may run, in this way.
pub(super) struct Permit {
    pub mode: ProposeMode,
    /// A rule of the user's names the file or the command literally, which lifts the tools' own
    /// guards.
    pub unguarded: bool,
    /// Where the call's names led when it was judged.
    pub bound: Arc<Bound>,
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
        if let Some(line) = case.lines.iter().find(|line| line.cmd.len() > MOST_COMMAND) {
            return Err(too_long(line.cmd.len()));
        }
        let judged = self.judged(&case);
        self.note_verdict(&case, &judged, report);
        let Ruling { verdict, by_program } = self.delegated(&case, judged, report).await?;
        let bound = Arc::new(Bound::new(case.places.clone()));
        let permit = |mode, unguarded| Permit { mode, unguarded, bound };
        match verdict.action {
            Action::Allow => {
                let unguarded = !by_program && self.names_it(&verdict, &case);
                // Files that the command would miss are a question even if nothing else is.
                let offer = self.offer(&case).await;
                if !offer.is_empty() {
                    self.asked(&case, verdict, offer, report).await?;
                }
                Ok(permit(ProposeMode::Applied, unguarded))
            }
            Action::Reject => Err(refused(verdict, scope)),
            Action::Ask | Action::Delegate if tool.spec.meta.proposes => {
                // A hunk is question enough for a file of the workspace; that a tool may look at
                // and propose for another one is asked first.
                // A rule that asks must not open what the built-in ones keep shut.
                let leaves = case.paths.iter().any(|path| !path.inside_workspace);
                if leaves || verdict.origin == Origin::Outside {
                    self.asked(&case, verdict, Offer::default(), report).await?;
                }
                Ok(permit(ProposeMode::Pending, false))
            }
            Action::Ask | Action::Delegate => {
                let offer = self.offer(&case).await;
                self.asked(&case, verdict, offer, report).await?;
                Ok(permit(ProposeMode::Applied, false))
            }
        }
    }

    /// The verdict of the rules. One that says nothing of the environment does not allow a command in
    /// another one: `PATH` and `LD_PRELOAD` make another command of it.
    pub(super) fn judged(&self, case: &Case<'_>) -> Verdict {
        let verdict = self.evaluate(case);
        let may_run = matches!(verdict.action, Action::Allow | Action::Delegate);
        if !may_run || self.allows_environment(case) {
            return verdict;
        }
        let mut reason = verdict.reason;
        reason.action = Action::Ask;
        reason.text = format!(
            "Asks because the call sets variables that no rule speaks of; without them: {}",
            reason.text
        );
        Verdict { action: Action::Ask, reason, grantable: false, ..verdict }
    }

    /// Asks, and once more if the answer is to something else than what would be asked by then.
    async fn asked(
        &self,
        case: &Case<'_>,
        mut verdict: Verdict,
        mut offer: Offer,
        report: &Report<'_>,
    ) -> Result<(), ToolResult> {
        let keys = RandomState::new();
        for _ in 0..ASKS {
            // What programs have said of it since does not change what the rules say.
            let then = self.stand(case, &self.judged(case), &keys).await;
            let answer = self.answered(case, verdict, &offer, report).await?;
            let bound = Bound::new(case.places.clone());
            let held = bound.holds(&self.workspace, &self.settings());
            held.map_err(|error| ToolResult::error(error.to_string()))?;
            // The rules in force may have changed while the user thought about it.
            self.host.refresh().await;
            verdict = self.judged(case);
            if verdict.action == Action::Reject {
                self.note_verdict(case, &verdict, report);
                return Err(refused(verdict, case.scope));
            }
            let now = self.stand(case, &verdict, &keys).await;
            if now.is_answered_by(&then) {
                tell_of_a_grant(&self.workspace, &answer, &verdict);
                let brought = self.bring(&case.scope.thread, &offer, answer.option).await;
                return brought.map_err(ToolResult::error);
            }
            offer = self.offer(case).await;
        }
        Err(ToolResult::error(RESTLESS))
    }

    /// One ask and its answer. `Err`: the user does not want it.
    async fn answered(
        &self,
        case: &Case<'_>,
        verdict: Verdict,
        offer: &Offer,
        report: &Report<'_>,
    ) -> Result<AskAnswer, ToolResult> {
        let ask = self.ask(case, verdict, offer, report);
        let options: Vec<OptionId> = ask.options.iter().map(|option| option.id).collect();
        report.status(ToolStatus::BlockedOnUser);
        report.audited().asks();
        let answer = match self.host.ask(ask).await {
            AskOutcome::Answered(answer) => answer,
            AskOutcome::Withdrawn(_) => return Err(ToolResult::Cancelled),
        };
        report.audited().answered(&answer);
        if answer.option == OptionId::Reject || !options.contains(&answer.option) {
            return Err(rejected_by(answer));
        }
        report.status(ToolStatus::InProgress);
        Ok(answer)
    }

    /// Seed 002, write_file: the request tells "Create" from "Overwrite", and "includes the content
    /// size in bytes".
    fn writes(&self, case: &Case<'_>) -> Option<String> {
        let bytes = case.args.get("content")?.as_str()?.len();
        let file = WorkspacePath::assume_canonical(&case.paths.first()?.real);
        let thread = &case.scope.thread;
        let held = self.workspace.query(|session| session.snapshot(&file, thread));
        let exists = held.map_or_else(|| file.as_path().exists(), |held| held.exists);
        let verb = if exists { "Overwrite" } else { "Create" };
        Some(format!("{}: {verb} {file} ({bytes} bytes)", case.call().name()))
    }

    fn ask(&self, case: &Case<'_>, verdict: Verdict, offer: &Offer, report: &Report<'_>) -> Ask {
        let is_free = case.environment().is_empty() && offer.is_empty();
        let covers = verdict.grantable && is_free;
        let covers = covers.then(|| wording::covers(case)).flatten();
        Ask {
            thread: case.scope.thread.clone(),
            call: report.id(),
            title: wording::title(case)
                .or_else(|| self.writes(case))
                .unwrap_or_else(|| report.title()),
            tool: case.call().name().to_owned(),
            args: case.args.clone(),
            cwd: case.cwd.clone(),
            pending: offer.unseen.pending.clone(),
            unsaved: offer.unseen.unsaved.clone(),
            note: None,
            detail: wording::detail(case).or_else(|| self.diffstat(case)),
            options: if offer.is_empty() {
                options(covers, wording::stays(case))
            } else {
                offer.options()
            },
            reason: wording::reason(verdict, offer),
        }
    }
}

/// What the user can choose. `covers`: the rules that a grant for the session would add, for the
/// command's directory alone; `None`: nothing may be granted. `stays`: that directory lies in the
/// folder that a grant "in this folder" is for; then the folder is all that binds it.
pub(crate) fn options(covers: Option<String>, stays: bool) -> Vec<AskOption> {
    let option = |id, label: &str, covers| AskOption { id, label: label.to_owned(), covers };
    let granting = covers.into_iter().flat_map(|covers| {
        let anywhere = wording::anywhere(&covers);
        GRANTING.map(|(id, label)| {
            let is_wide = id == OptionId::Always || id == OptionId::Folder && stays;
            option(id, label, Some(if is_wide { &anywhere } else { &covers }.clone()))
        })
    });
    let mut options = vec![option(OptionId::Once, "Allow once", None)];
    options.extend(granting);
    options.push(option(OptionId::Reject, "Reject", None));
    options
}

const GRANTING: [(OptionId, &str); 3] = [
    (OptionId::Session, "Allow for the session"),
    (OptionId::Folder, "Always allow in this folder"),
    (OptionId::Always, "Always allow everywhere"),
];

/// The user said yes to this call, so it runs, also if the rules that they wrote do not cover it; they
/// would wonder why they are asked again.
pub(super) fn tell_of_a_grant(workspace: &Workspace, answer: &AskAnswer, now: &Verdict) {
    let granting = GRANTING.iter().any(|(id, _)| *id == answer.option);
    if granting && answer.rule.is_some() && now.action == Action::Ask {
        let text = "The grant as you wrote it does not cover the call that you allowed: it runs this \
                    once, and the next one like it is asked again.";
        workspace.tell(LogLevel::Warning, text.to_owned());
    }
}

fn too_long(bytes: usize) -> ToolResult {
    ToolResult::error(format!(
        "the command has {bytes} bytes, and a shell takes at most {MOST_COMMAND}: put it into a \
         file and run that"
    ))
}

/// Where no rule was found for a subagent's call nobody said no: its model is told so, and goes on.
pub(super) fn refused(verdict: Verdict, scope: &Scope) -> ToolResult {
    const UNASKED: &str =
        "Do it without this call, or say in your answer that it was not possible.";
    let is_unasked = verdict.origin == Origin::NoRule && scope.context == Context::Subagent;
    if is_unasked {
        let reason = format!("{}\n{UNASKED}", verdict.reason.text);
        return ToolResult::RejectedByUser { reason, comment: Some(String::new()) };
    }
    ToolResult::RejectedByUser { reason: verdict.reason.text, comment: verdict.message }
}

pub(super) fn rejected_by(answer: AskAnswer) -> ToolResult {
    let comment = answer.comment.filter(|comment| !comment.trim().is_empty());
    ToolResult::RejectedByUser { reason: "Rejected by the user".to_owned(), comment }
}
