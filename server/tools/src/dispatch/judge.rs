//! What a call would come to, without making it: the same way through resolve, validate, prepare and
//! the rules as a call's, and nothing is run, asked or started.

use std::path::Path;

use redline_permissions::{
    Action, Call, Origin, Verdict,
    guards::{dangers, is_secret_file},
};
use serde_json::Value;

use super::case::Case;
use crate::{Scope, ToolCall, ToolDefinition, Tools};

/// The answer for a call that was not made.
#[derive(Debug, Clone)]
pub struct Judged<T> {
    /// The tool's canonical name; as written if there is no such tool.
    pub tool: String,
    /// The arguments as the call would have them: Bash's with `cwd`, and without a leading `cd`.
    pub args: Value,
    /// What the rules say.
    pub verdict: Verdict,
    /// Whether an *ask* means that the edit waits as hunks for the user's review.
    pub becomes_hunks: bool,
    /// What the tool itself would still refuse, whatever the rules say; one sentence each.
    pub guards: Vec<String>,
    /// What `look` made of the call, and of each command that the call would run where its tool finds
    /// them itself. The first is the call.
    pub looks: Vec<T>,
}

impl Tools {
    /// Judges a call. A tool that there is not (another program's, `mcp__…`, `tb__…`) is judged by its
    /// name and arguments. Arguments that are missing or of a wrong kind are no error here: a rule is
    /// tried with as little as it needs.
    ///
    /// # Errors
    /// A sentence: a path that names nothing, or the commands that the tool would run can't be found.
    pub async fn judge<T>(
        &self,
        scope: &Scope,
        call: ToolCall,
        mut look: impl FnMut(&Call<'_>) -> T,
    ) -> Result<Judged<T>, String> {
        let resolved = self.resolve(scope, call);
        let Ok(tool) = &resolved.tool else {
            return Ok(self.judge_unknown(scope, resolved.call, look));
        };
        let args = match self.ready(scope, tool, &resolved.call.args).await {
            Ok((args, _)) => args,
            Err(_) => resolved.call.args.clone(),
        };
        let case = self.case(scope, tool, &args).map_err(|error| error.to_string())?;
        let verdict = self.judged(&case);
        let mut looks = vec![look(&case.call())];
        if case.is_planned {
            looks.extend(case.lines.iter().map(|line| case.as_bash(line, &line.cmd, &mut look)));
        }
        Ok(Judged {
            tool: tool.spec.name.clone(),
            becomes_hunks: becomes_hunks(tool, &case, &verdict),
            guards: self.guards(tool, &case, &verdict),
            args: args.clone(),
            verdict,
            looks,
        })
    }

    fn judge_unknown<T>(
        &self,
        scope: &Scope,
        call: ToolCall,
        mut look: impl FnMut(&Call<'_>) -> T,
    ) -> Judged<T> {
        let (names, roots) = ([call.name.as_str()], self.workspace.roots());
        let judged = Call {
            names: &names,
            args: &call.args,
            context: scope.context,
            cwd: &scope.cwd,
            workspace: &roots,
            paths: &[],
        };
        let verdict = self.workspace.query(|session| session.evaluate(&judged));
        let looks = vec![look(&judged)];
        let (tool, args) = (call.name.clone(), call.args.clone());
        Judged { tool, args, verdict, becomes_hunks: false, guards: Vec::new(), looks }
    }

    fn guards(&self, tool: &ToolDefinition, case: &Case<'_>, verdict: &Verdict) -> Vec<String> {
        if verdict.action == Action::Allow && self.names_it(verdict, case) {
            return Vec::new();
        }
        let mut guards = secrets(tool, case);
        let home = self.workspace.home();
        for line in &case.lines {
            let found = dangers(&line.cmd, &line.cwd, home.as_deref());
            guards.extend(found.iter().map(|danger| {
                format!(
                    "`{}` {}: it is refused even when it is allowed, unless a rule of yours allows \
                     exactly this command",
                    danger.command, danger.does
                )
            }));
        }
        guards
    }
}

fn becomes_hunks(tool: &ToolDefinition, case: &Case<'_>, verdict: &Verdict) -> bool {
    let leaves = case.paths.iter().any(|path| !path.inside_workspace);
    let waits = matches!(verdict.action, Action::Ask | Action::Delegate);
    waits && tool.spec.meta.proposes && !leaves && verdict.origin != Origin::Outside
}

/// Tools besides those that propose which refuse to show a secret file.
const READERS: [&str; 4] = ["Read", "read_file", "Grep", "grep"];

fn secrets(tool: &ToolDefinition, case: &Case<'_>) -> Vec<String> {
    let looks_inside = tool.spec.meta.proposes || READERS.contains(&tool.spec.name.as_str());
    let is_secret =
        |written: &str, real: &Path| is_secret_file(real) || is_secret_file(Path::new(written));
    let secret = case.paths.iter().find(|path| is_secret(&path.written, &path.real));
    let refused = |real: &Path| {
        format!(
            "{} holds secrets by its name: it is refused even when it is allowed, unless a rule of \
             yours names this file",
            real.display()
        )
    };
    secret.filter(|_| looks_inside).map(|path| refused(&path.real)).into_iter().collect()
}
