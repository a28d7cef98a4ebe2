//! What is written down of a call: before it has an effect what was asked and what the rules and the
//! user said, afterwards how it ended.

use redline_audit::{
    AnswerRecord, CallRecord, Caller, CommandRecord, Decider, PathRecord, Record, ResultRecord,
    VerdictRecord, redact,
};
use redline_permissions::{Call, Origin, ResolvedPath, Verdict, guards::is_secret_file};
use redline_workspace::AskAnswer;
use std::path::Path;

use super::{Resolved, case::Case, report::Report};
use crate::{Line, Scope, ToolContext, ToolResult, Tools};

/// What there is to write down of one call.
#[derive(Debug, Default)]
pub(super) struct Audited {
    call: Option<Box<CallRecord>>,
    /// Whose call is written down already, before it was decided.
    written: Option<Caller>,
    /// What was decided since.
    answer: Option<Box<AnswerRecord>>,
    /// A command of it fills a file with secrets: nothing that is written down may quote it.
    is_left_out: bool,
}

impl Audited {
    /// What the rules said; now, if the call is written down already.
    pub fn judged(&mut self, record: CallRecord) {
        self.is_left_out |= is_left_out(&record);
        match self.written.clone() {
            None => self.call = Some(Box::new(record)),
            Some(caller) => {
                let CallRecord { verdict, by, .. } = record;
                self.answer = Some(Box::new(AnswerRecord { caller, verdict, by }));
            }
        }
    }

    /// The user is asked: until they answer nobody has decided.
    pub fn asks(&mut self) {
        self.by(Decider::None);
    }

    /// What the user said.
    pub fn answered(&mut self, answer: &AskAnswer) {
        self.by(user(answer));
    }

    /// Who has decided.
    pub fn by(&mut self, by: Decider) {
        match (&mut self.call, &mut self.answer, &self.written) {
            (Some(call), ..) => call.by = by,
            (None, Some(answer), _) => answer.by = by,
            (None, None, Some(caller)) => {
                let (caller, verdict) = (caller.clone(), None);
                self.answer = Some(Box::new(AnswerRecord { caller, verdict, by }));
            }
            (None, None, None) => {}
        }
    }

    /// What is to be written down now, once.
    pub(super) fn take(&mut self) -> Option<Record> {
        match self.call.take() {
            Some(call) => {
                self.written = Some(call.caller.clone());
                Some(Record::Call(call))
            }
            None => self.answer.take().map(Record::Answer),
        }
    }
}

impl Tools {
    /// What the rules said of a call, to be written down when it is clear who decides.
    pub(super) fn note_verdict(&self, case: &Case<'_>, verdict: &Verdict, report: &Report<'_>) {
        if self.workspace.is_audited() {
            let lines = if case.is_planned { case.lines.as_slice() } else { &[] };
            let one = |line: &Line| case.as_bash(line, &line.cmd, |call| command(line, call));
            let commands = lines.iter().take(MOST_PATHS).map(one).collect();
            let mut record = record(case.scope, &report.id(), &case.call(), commands);
            (record.by, record.verdict) = said(verdict, is_left_out(&record));
            report.audited().judged(record);
        }
    }

    /// Before the call has any effect.
    pub(super) async fn write_call(&self, report: &Report<'_>) {
        let record = report.audited().take();
        if let Some(record) = record {
            self.workspace.audit(record).await;
        }
    }

    /// The call has ended. One that never came before the rules is written down as well.
    pub(super) async fn write_end(
        &self,
        scope: &Scope,
        call: &Resolved,
        report: &Report<'_>,
        result: &ToolResult,
    ) {
        if !self.workspace.is_audited() {
            return;
        }
        let invalid = || {
            let call = &call.call;
            let (names, roots) = ([call.name.as_str()], self.workspace.roots());
            let (args, context, cwd) = (&call.args, scope.context, scope.cwd.as_path());
            let names = &names;
            let call_seen =
                Call { names, args, context, cwd, workspace: &roots, paths: &[], writes: &[] };
            record(scope, &call.id, &call_seen, Vec::new())
        };
        {
            let mut audited = report.audited();
            if audited.call.is_none() && audited.written.is_none() {
                audited.judged(invalid());
            }
        }
        self.write_call(report).await;
        let caller = caller(scope, &call.call.id, &call.call.name);
        let mut end = ended(caller, result, report.millis());
        if report.audited().is_left_out {
            end.text = None;
        }
        self.workspace.audit(Record::Result(end)).await;
    }
}

impl ToolContext {
    /// What is written down of a command that a tool wants to run for itself.
    pub(super) fn command_record(&self, call: &Call<'_>, verdict: &Verdict) -> Option<CallRecord> {
        let is_audited = self.workspace.is_audited();
        is_audited.then(|| {
            let mut record = record(&self.scope, &self.call, call, Vec::new());
            record.within = Some(self.tool.clone());
            (record.by, record.verdict) = said(verdict, is_left_out(&record));
            record
        })
    }
}

/// The user's word.
pub(super) fn user(answer: &AskAnswer) -> Decider {
    let comment = answer.comment.as_deref().filter(|comment| !comment.trim().is_empty());
    Decider::User { option: answer.option.name().to_owned(), comment: comment.map(redact::text) }
}

fn said(verdict: &Verdict, is_left_out: bool) -> (Decider, Option<VerdictRecord>) {
    let by = match verdict.origin {
        Origin::Grant => Decider::Grant,
        Origin::NoRule => Decider::None,
        Origin::User
        | Origin::BuiltIn
        | Origin::Trusted
        | Origin::Repository
        | Origin::Outside
        | Origin::Protected
        | Origin::Opaque
        | Origin::Redirection => Decider::Rule,
    };
    let reason = &verdict.reason;
    let record = VerdictRecord {
        action: verdict.action,
        reason: if is_left_out { redact::REDACTED.to_owned() } else { redact::text(&reason.text) },
        rule: reason.rule.as_deref().filter(|_| !is_left_out).map(redact::text),
        source: reason.source.clone(),
        line: reason.line,
    };
    (by, Some(record))
}

fn caller(scope: &Scope, call: &str, tool: &str) -> Caller {
    Caller {
        thread: scope.thread.to_string(),
        subagent: scope.subagent.as_ref().map(ToString::to_string),
        call: call.to_owned(),
        tool: tool.to_owned(),
    }
}

/// A call as rules see it, without its secrets; nobody has judged it yet.
fn record(scope: &Scope, id: &str, call: &Call<'_>, commands: Vec<CommandRecord>) -> CallRecord {
    let paths = call.paths.iter().map(|path| (path.arg.as_str(), path.real.as_path()));
    let mut args = redact::arguments(call.args, paths);
    if fills_a_secret_file(call.writes)
        && let Some(cmd) = args.value.get_mut("cmd")
    {
        *cmd = redact::REDACTED.into();
        args.redacted.push("cmd".to_owned());
        args.redacted.dedup();
    }
    let names = names(call);
    CallRecord {
        caller: caller(scope, id, call.name()),
        agent: scope.agent.clone(),
        context: call.context,
        within: None,
        cwd: redact::path(call.cwd),
        folders: call.workspace.to_vec(),
        args: args.value,
        redacted: args.redacted,
        cut: args.cut,
        names: if names.len() > 1 { names } else { Vec::new() },
        paths: call.paths.iter().take(MOST_PATHS).map(PathRecord::from).collect(),
        writes: call.writes.iter().take(MOST_PATHS).map(PathRecord::from).collect(),
        commands,
        verdict: None,
        by: Decider::None,
    }
}

/// What one of its commands is to the rules for Bash.
fn command(line: &Line, call: &Call<'_>) -> CommandRecord {
    let secret = fills_a_secret_file(call.writes);
    CommandRecord {
        cmd: if secret { redact::REDACTED.to_owned() } else { redact::text(&line.cmd) },
        cwd: redact::path(&line.cwd),
        names: names(call),
        writes: call.writes.iter().take(MOST_PATHS).map(PathRecord::from).collect(),
    }
}

/// Whether a command of the call is left out: no sentence about it may quote it either.
fn is_left_out(record: &CallRecord) -> bool {
    let own = record.args.get("cmd").and_then(|cmd| cmd.as_str());
    let all = record.commands.iter().map(|it| it.cmd.as_str());
    all.chain(own).any(|cmd| cmd == redact::REDACTED)
}

/// Then what it writes stands in the command: `cat > .env <<E`.
fn fills_a_secret_file(writes: &[ResolvedPath]) -> bool {
    writes.iter().any(|it| is_secret_file(&it.real) || is_secret_file(Path::new(&it.written)))
}

fn names(call: &Call<'_>) -> Vec<String> {
    call.names.iter().map(|name| (*name).to_owned()).collect()
}

/// Paths and commands of one call that are written down: a line of the log has a bound.
const MOST_PATHS: usize = 64;
/// Chars of what went wrong.
const MOST_TEXT: usize = 300;

fn ended(caller: Caller, result: &ToolResult, ms: u64) -> ResultRecord {
    let (mut code, mut text, mut hunks) = (None, None, Vec::new());
    match result {
        ToolResult::Done { review, .. } => {
            hunks = review.as_ref().map(|note| note.hunks.clone()).unwrap_or_default();
        }
        ToolResult::Error { message, error_code, .. } => {
            code.clone_from(error_code);
            text = Some(redact::short(message, MOST_TEXT));
        }
        ToolResult::RejectedByUser { reason, .. } => text = Some(redact::short(reason, MOST_TEXT)),
        ToolResult::Cancelled => {}
    }
    let status = result.status().name().to_owned();
    ResultRecord { caller, status, code, text, hunks, ms }
}

#[cfg(test)]
#[path = "audited_tests.rs"]
mod tests;
