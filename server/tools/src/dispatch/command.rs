//! A tool that starts a program of the user's project: to the rules it is the command that it
//! amounts to.

use std::path::Path;

use redline_audit::Decider;
use redline_permissions::{Action, Call, Verdict};
use redline_workspace::{Ask, AskAnswer, AskOutcome, OptionId};
use serde_json::{Value, json};

use super::{
    audited::Audited,
    delegate::{Errand, Ground, answers, decider, ruling},
    meanwhile::{ASKS, RESTLESS},
    permit::{options, refused, rejected_by, tell_of_a_grant},
    wording::{command, covers_call, stay},
};
use crate::{ToolContext, ToolResult, dialect};

impl ToolContext {
    /// Whether the call may run this command in this directory: the rules for Bash decide, and the
    /// user where they say ask.
    ///
    /// # Errors
    /// The result of a call that may not.
    pub(crate) async fn may_run(&self, cmd: &str, cwd: &Path) -> Result<(), ToolResult> {
        let mut audited = Audited::default();
        let result = self.permit(cmd, cwd, &mut audited).await;
        if let Some(record) = audited.take() {
            self.workspace.audit(record).await;
        }
        result
    }

    async fn permit(&self, cmd: &str, cwd: &Path, audited: &mut Audited) -> Result<(), ToolResult> {
        let args = json!({"cmd": cmd, "cwd": cwd});
        let judged = self.verdict(&args, cwd, |verdict, call| {
            if let Some(record) = self.command_record(call, &verdict) {
                audited.judged(record);
            }
            verdict
        });
        let mut why = judged.reason.text.clone();
        let mut verdict = self.delegated(judged, &args, audited).await?;
        for _ in 0..ASKS {
            match verdict.action {
                Action::Allow => return Ok(()),
                Action::Reject => return Err(refused(verdict, &self.scope)),
                Action::Ask | Action::Delegate => {}
            }
            let answer = self.ask_to_run(cmd, cwd, &args, verdict, audited).await?;
            // The rules in force may have changed while the user thought about it.
            self.host.refresh().await;
            verdict = self.verdict(&args, cwd, |verdict, _| verdict);
            if verdict.action != Action::Reject && verdict.reason.text == why {
                // The user has said yes to just this.
                tell_of_a_grant(&self.workspace, &answer, &verdict);
                return Ok(());
            }
            why.clone_from(&verdict.reason.text);
        }
        Err(ToolResult::error(RESTLESS))
    }

    async fn ask_to_run(
        &self,
        cmd: &str,
        cwd: &Path,
        args: &Value,
        verdict: Verdict,
        audited: &mut Audited,
    ) -> Result<AskAnswer, ToolResult> {
        let grantable = verdict.grantable;
        let covers =
            self.verdict(args, cwd, |_, call| grantable.then(|| covers_call(call)).flatten());
        let ask = Ask {
            thread: self.scope.thread.clone(),
            call: self.call.clone(),
            title: command(cmd),
            tool: self.tool.clone(),
            args: args.clone(),
            cwd: cwd.to_owned(),
            detail: Some(cmd.to_owned()),
            pending: Vec::new(),
            unsaved: Vec::new(),
            note: None,
            reason: verdict.reason,
            options: options(covers, stay(cwd, std::iter::once(cwd), &self.workspace.roots())),
        };
        let outcome = self.ask(ask).await;
        if let AskOutcome::Answered(answer) = &outcome {
            audited.answered(answer);
        }
        match outcome {
            AskOutcome::Withdrawn(_) => Err(ToolResult::Cancelled),
            AskOutcome::Answered(answer) if answer.option == OptionId::Reject => {
                Err(rejected_by(answer))
            }
            AskOutcome::Answered(answer) => Ok(answer),
        }
    }

    /// Has the programs decide that the rules name for the command.
    async fn delegated(
        &self,
        verdict: Verdict,
        args: &Value,
        audited: &mut Audited,
    ) -> Result<Verdict, ToolResult> {
        if verdict.delegates.is_empty() || verdict.action == Action::Reject {
            return Ok(verdict);
        }
        let errands = Errand::of(&verdict, "Bash", args);
        let ground = Ground::new(&self.scope.thread, &self.scope.cwd, self.workspace.roots());
        audited.by(Decider::None);
        if let Some(record) = audited.take() {
            self.workspace.audit(record).await;
        }
        let answers = answers(&errands, &ground).await;
        if let Some(by) = decider(&answers) {
            audited.by(by);
        }
        ruling(verdict, &answers).map_err(|it| *it)
    }

    fn verdict<T>(
        &self,
        args: &Value,
        cwd: &Path,
        look: impl FnOnce(Verdict, &Call<'_>) -> T,
    ) -> T {
        let (names, roots) = (dialect::ruled_names("Bash"), self.workspace.roots());
        let call = Call {
            names: &names,
            args,
            context: self.scope.context,
            cwd,
            workspace: &roots,
            paths: &[],
            writes: &[],
        };
        let verdict = self.workspace.query(|session| session.evaluate(&call));
        look(verdict, &call)
    }
}
