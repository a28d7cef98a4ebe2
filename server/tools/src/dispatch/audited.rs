//! What is written down of a call: before it has an effect what was asked and what the rules and the
//! user said, afterwards how it ended.

use redline_audit::{
    CallRecord, Caller, CommandRecord, Decider, PathRecord, Record, ResultRecord, VerdictRecord,
    redact,
};
use redline_permissions::{Call, Origin, Verdict};
use redline_workspace::AskAnswer;

use super::{Resolved, case::Case, report::Report};
use crate::{Line, Scope, ToolContext, ToolResult, Tools};

/// What there is to write down of one call.
#[derive(Debug, Default)]
pub(super) struct Audited {
    call: Option<Box<CallRecord>>,
    is_written: bool,
}

impl Audited {
    /// What the rules said.
    pub fn judged(&mut self, record: CallRecord) {
        self.call = Some(Box::new(record));
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
        if let Some(call) = &mut self.call {
            call.by = by;
        }
    }

    /// The record, once.
    fn take(&mut self) -> Option<Record> {
        let call = self.call.take()?;
        self.is_written = true;
        Some(Record::Call(call))
    }
}

impl Tools {
    /// What the rules said of a call, to be written down when it is clear who decides.
    pub(super) fn note_verdict(&self, case: &Case<'_>, verdict: &Verdict, report: &Report<'_>) {
        if self.workspace.is_audited() {
            let commands = if case.is_planned { case.lines.as_slice() } else { &[] };
            let mut record = record(case.scope, &report.id(), &case.call(), commands);
            (record.by, record.verdict) = said(verdict);
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
            record(scope, &call.id, &call_seen, &[])
        };
        {
            let mut audited = report.audited();
            if audited.call.is_none() && !audited.is_written {
                audited.judged(invalid());
            }
        }
        self.write_call(report).await;
        let caller = caller(scope, &call.call.id, &call.call.name);
        self.workspace.audit(Record::Result(ended(caller, result, report.millis()))).await;
    }
}

impl ToolContext {
    /// What is written down of a command that a tool wants to run for itself.
    pub(super) fn command_record(&self, call: &Call<'_>, verdict: &Verdict) -> Option<CallRecord> {
        let is_audited = self.workspace.is_audited();
        is_audited.then(|| {
            let mut record = record(&self.scope, &self.call, call, &[]);
            record.within = Some(self.tool.clone());
            (record.by, record.verdict) = said(verdict);
            record
        })
    }
}

/// The user's word.
pub(super) fn user(answer: &AskAnswer) -> Decider {
    let comment = answer.comment.as_deref().filter(|comment| !comment.trim().is_empty());
    Decider::User { option: answer.option.name().to_owned(), comment: comment.map(redact::text) }
}

fn said(verdict: &Verdict) -> (Decider, Option<VerdictRecord>) {
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
        reason: redact::text(&reason.text),
        rule: reason.rule.as_deref().map(redact::text),
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
fn record(scope: &Scope, id: &str, call: &Call<'_>, commands: &[Line]) -> CallRecord {
    let paths = call.paths.iter().map(|path| (path.arg.as_str(), path.real.as_path()));
    let args = redact::arguments(call.args, paths);
    let command =
        |line: &Line| CommandRecord { cmd: redact::text(&line.cmd), cwd: line.cwd.clone() };
    let names: Vec<String> = call.names.iter().map(|name| (*name).to_owned()).collect();
    CallRecord {
        caller: caller(scope, id, call.name()),
        agent: scope.agent.clone(),
        context: call.context,
        within: None,
        cwd: call.cwd.to_owned(),
        folders: call.workspace.to_vec(),
        args: args.value,
        redacted: args.redacted,
        cut: args.cut,
        names: if names.len() > 1 { names } else { Vec::new() },
        paths: call.paths.iter().take(MOST_PATHS).map(PathRecord::from).collect(),
        writes: call.writes.iter().take(MOST_PATHS).map(PathRecord::from).collect(),
        commands: commands.iter().take(MOST_PATHS).map(command).collect(),
        verdict: None,
        by: Decider::None,
    }
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
