//! Delegates: programs of the user's that decide (seed 004, "When instructed to delegate, Amp will").
//!
//! A program gets the whole call once: the arguments as JSON on stdin, and who calls what in its
//! environment. Exit status 0 allows the parts of the call that its rules cover, 1 asks the user,
//! 2 and more reject; what it prints on stderr is said to the model then. Whatever goes wrong with
//! it is an ask that says so. It only ever decides what was delegated: an ask or a reject of the
//! rules for another part, and what lies outside the workspace, stay what they are.

mod asked;
mod found;
mod said;

use std::path::{Path, PathBuf};

use redline_audit::Decider;
use redline_layers::ThreadId;
use redline_permissions::{Action, Origin, Verdict};
use serde_json::Value;

pub(super) use self::asked::answers;
use super::{case::Case, permit::refused, report::Report};
use crate::{ToolResult, Tools};

/// A call that a program is asked about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Errand {
    /// As the rule names it.
    pub program: String,
    /// The tool that was called.
    pub tool: String,
    /// With these arguments.
    pub args: Value,
}

impl Errand {
    /// One for each program that the verdict on a call names.
    pub fn of(verdict: &Verdict, tool: &str, args: &Value) -> Vec<Errand> {
        let errand = |program: &String| Errand {
            program: program.clone(),
            tool: tool.to_owned(),
            args: args.clone(),
        };
        verdict.delegates.iter().map(errand).collect()
    }
}

/// Where programs are run, and for whom.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    pub thread: ThreadId,
    /// The folder of the workspace that the call is made in.
    pub folder: PathBuf,
    pub roots: Vec<PathBuf>,
}

impl Ground {
    pub fn new(thread: &ThreadId, cwd: &Path, roots: Vec<PathBuf>) -> Self {
        let around = roots.iter().filter(|root| cwd.starts_with(root));
        let folder = around.max_by_key(|root| root.as_os_str().len()).or_else(|| roots.first());
        let folder = folder.map_or(cwd, PathBuf::as_path).to_owned();
        Ground { thread: thread.clone(), folder, roots }
    }
}

/// What a program says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    Allow,
    /// It does not decide, or could not: why, to follow its name.
    Ask(String),
    /// Its words, perhaps none.
    Reject(String),
}

/// What the verdict becomes with the programs' answers: the most restrictive one counts. Each
/// program of the verdict must have answered. `Err`: the result of a call that one of them rejects.
pub(super) fn ruling(
    mut verdict: Verdict,
    answers: &[(String, Answer)],
) -> Result<Verdict, Box<ToolResult>> {
    let mut asks = None;
    for (program, answer) in answers {
        match answer {
            Answer::Reject(said) => return Err(rejected(&verdict, program, said)),
            Answer::Ask(why) => asks = asks.or(Some((program, why))),
            Answer::Allow => {}
        }
    }
    if let Some((program, why)) = asks {
        let asks =
            format!("Asks because the program `{program}` {why}; {}", decides("it", &verdict));
        verdict.reason.text = match verdict.action {
            Action::Delegate => asks,
            // Another part asks anyway: that stands first.
            _ => format!("{} {asks}", verdict.reason.text),
        };
        become_ask(&mut verdict);
    } else if verdict.action == Action::Delegate {
        let names: Vec<String> = answers.iter().map(|(name, _)| format!("`{name}`")).collect();
        let allowed = format!("Allowed by the program {}, which", names.join(", "));
        verdict.reason.text = decides(&allowed, &verdict);
        (verdict.action, verdict.reason.action) = (Action::Allow, Action::Allow);
    }
    Ok(verdict)
}

/// For the audit log: the most restrictive answer, the first of equals.
pub(super) fn decider(answers: &[(String, Answer)]) -> Option<Decider> {
    let word = |answer: &Answer| match answer {
        Answer::Allow => (0, "allow"),
        Answer::Ask(_) => (1, "ask"),
        Answer::Reject(_) => (2, "reject"),
    };
    let (program, answer) = answers.iter().rev().max_by_key(|(_, answer)| word(answer).0)?;
    Some(Decider::Delegate { program: program.clone(), answer: word(answer).1.to_owned() })
}

/// Without words the reason is all there is to say; the turn goes on either way (seed 004: "stderr
/// is surfaced to the model").
fn rejected(verdict: &Verdict, program: &str, said: &str) -> Box<ToolResult> {
    let reason = format!("Rejected by the program `{program}`; {}", decides("it", verdict));
    Box::new(ToolResult::RejectedByUser { reason, comment: Some(said.to_owned()) })
}

/// By which rule somebody decides.
fn decides(who: &str, verdict: &Verdict) -> String {
    match verdict.reason.text.strip_prefix("Delegated") {
        Some(because) => format!("{who} decides{because}"),
        None => format!("{who} decides about a part of the call by a rule of yours."),
    }
}

/// The program is asked again with the next call: a grant would change nothing.
fn become_ask(verdict: &mut Verdict) {
    (verdict.action, verdict.reason.action) = (Action::Ask, Action::Ask);
    verdict.grantable = false;
}

/// A verdict, and whether a program made it an *allow*.
pub(super) struct Ruling {
    pub verdict: Verdict,
    pub by_program: bool,
}

impl Tools {
    /// Has the programs decide that the rules name for the call. `Err`: the result of a call that
    /// may not run.
    pub(super) async fn delegated(
        &self,
        case: &Case<'_>,
        verdict: Verdict,
        report: &Report<'_>,
    ) -> Result<Ruling, ToolResult> {
        let errands = self.errands(case, &verdict);
        if errands.is_empty() || verdict.action == Action::Reject {
            return Ok(Ruling { verdict, by_program: false });
        }
        let ground = Ground::new(&case.scope.thread, &case.scope.cwd, self.workspace.roots());
        let (delegated, named) = (verdict.action == Action::Delegate, verdict.delegates.clone());
        // A program can do anything: it must not be the first that knows of the call.
        report.audited().by(Decider::None);
        self.write_call(report).await;
        let answers = answers(&errands, &ground).await;
        if let Some(by) = decider(&answers) {
            report.audited().by(by);
        }
        let mut verdict = ruling(verdict, &answers).map_err(|it| *it)?;
        // The rules in force may have changed while the program thought about it.
        self.host.refresh().await;
        let now = self.judged(case);
        match now.action {
            Action::Reject => return Err(refused(now, case.scope)),
            Action::Ask if delegated => verdict = now,
            Action::Delegate if now.delegates != named => {
                verdict = now;
                become_ask(&mut verdict);
            }
            Action::Allow | Action::Ask | Action::Delegate => {}
        }
        let by_program = delegated && verdict.action == Action::Allow;
        if by_program && let Some(path) = case.paths.iter().find(|path| !path.inside_workspace) {
            verdict.reason.text = format!(
                "Asks because `{}` lies outside the workspace, which no program can allow by itself. \
                 {}",
                path.real.display(),
                verdict.reason.text
            );
            verdict.origin = Origin::Outside;
            become_ask(&mut verdict);
        }
        Ok(Ruling { verdict, by_program })
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
