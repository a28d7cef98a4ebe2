//! A tool that starts a program of the user's project: to the rules it is the command that it
//! amounts to.

use std::path::Path;

use redline_permissions::{Action, Call, Verdict};
use redline_workspace::{Ask, AskOutcome, OptionId};
use serde_json::{Value, json};

use super::{
    permit::{options, refused, rejected_by, tell_of_a_grant},
    wording::{command, covers_call},
};
use crate::{ToolContext, ToolResult, dialect};

impl ToolContext {
    /// Whether the call may run this command in this directory: the rules for Bash decide, and the
    /// user where they say ask.
    ///
    /// # Errors
    /// The result of a call that may not.
    pub(crate) async fn may_run(&self, cmd: &str, cwd: &Path) -> Result<(), ToolResult> {
        let args = json!({"cmd": cmd, "cwd": cwd});
        let verdict = self.verdict(&args, cwd, |verdict, _| verdict);
        match verdict.action {
            Action::Allow => return Ok(()),
            Action::Reject => return Err(refused(verdict, &self.scope)),
            Action::Ask | Action::Delegate => {}
        }
        let grantable = verdict.grantable;
        let covers =
            self.verdict(&args, cwd, |_, call| grantable.then(|| covers_call(call)).flatten());
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
            options: options(covers),
        };
        let answer = match self.ask(ask).await {
            AskOutcome::Withdrawn(_) => return Err(ToolResult::Cancelled),
            AskOutcome::Answered(answer) if answer.option == OptionId::Reject => {
                return Err(rejected_by(answer));
            }
            AskOutcome::Answered(answer) => answer,
        };
        // The rules in force may have changed while the user thought about it.
        self.host.refresh().await;
        let now = self.verdict(&args, cwd, |verdict, _| verdict);
        if now.action == Action::Reject {
            return Err(refused(now, &self.scope));
        }
        tell_of_a_grant(&self.workspace, &answer, &now);
        Ok(())
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
        };
        let verdict = self.workspace.query(|session| session.evaluate(&call));
        look(verdict, &call)
    }
}
