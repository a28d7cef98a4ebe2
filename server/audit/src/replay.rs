//! What other rules would have said of a call.

use redline_permissions::{Action, Call, Origin, Policy, ResolvedPath, SourcedRule, Verdict};
use serde_json::{Value, json};

use crate::{CallRecord, PathRecord};

/// Two sets of rules, held against calls of the past.
#[derive(Debug)]
pub struct Replay<'a> {
    /// The rules in force.
    pub now: &'a Policy,
    /// The same with other rules of the user's.
    pub then: &'a Policy,
    /// The rules of both, wherever they stand: what they say nothing of cannot matter.
    pub rules: Vec<&'a SourcedRule>,
}

/// What both say of a call.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The rules in force.
    pub now: Verdict,
    /// The other ones.
    pub then: Verdict,
}

impl Judged {
    /// Whether it makes a difference.
    pub fn differs(&self) -> bool {
        self.now.action != self.then.action
    }
}

/// Why a call cannot be judged again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unjudged {
    /// A rule has a condition on it.
    #[error("`{0}` is not recorded in full, and the rules depend on it")]
    Incomplete(String),
    /// The rules for variables are dispatch's.
    #[error("it sets variables for its command, and whether rules allow those is not recorded")]
    Environment,
    /// It was refused before that.
    #[error("it was no valid call and never came before the rules")]
    Invalid,
}

impl Replay<'_> {
    /// Judges a call of the past.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn judge(&self, call: &CallRecord) -> Result<Judged, Unjudged> {
        if call.verdict.is_none() {
            return Err(Unjudged::Invalid);
        }
        if let Some(name) = self.incomplete(call) {
            return Err(Unjudged::Incomplete(name.to_owned()));
        }
        let judged = Judged { now: verdict(self.now, call), then: verdict(self.then, call) };
        let allows = [&judged.now, &judged.then].iter().any(|it| it.action == Action::Allow);
        let sets =
            call.args.get("env").and_then(Value::as_object).is_some_and(|env| !env.is_empty());
        if allows && sets && runs(call) {
            return Err(Unjudged::Environment);
        }
        Ok(judged)
    }

    /// An argument that is not whole and that some rule wants to know.
    fn incomplete<'c>(&self, call: &'c CallRecord) -> Option<&'c str> {
        let is_partial =
            |text: &str| text.contains(crate::redact::REDACTED) || text.contains("… [cut: ");
        let matters = |name: &str| {
            // Commands are read before any rule is: what they write, and what cannot be analysed.
            matches!(name, "*" | "cmd")
                || self.rules.iter().any(|rule| rule.rule.matches.get(name).is_some())
        };
        let mut partial = call.redacted.iter().chain(&call.cut).map(String::as_str);
        let place = |path: &PathRecord| {
            is_partial(&path.written) || is_partial(&path.real.to_string_lossy())
        };
        let writes = call.commands.iter().flat_map(|it| &it.writes);
        let path = call.paths.iter().chain(&call.writes).chain(writes).find(|path| place(path));
        let path = path.map(|path| path.arg.as_str());
        let cwd = || is_partial(&call.cwd.to_string_lossy()).then_some("cwd");
        let command = || {
            let mut commands = call.commands.iter().filter(|it| is_partial(&it.cmd));
            commands.next().filter(|_| matters("cmd")).map(|_| "cmd")
        };
        partial.find(|name| matters(name)).or_else(command).or(path).or_else(cwd)
    }
}

fn runs(call: &CallRecord) -> bool {
    let names = || call.names.iter().chain([&call.caller.tool]);
    !call.commands.is_empty() || names().any(|name| name.eq_ignore_ascii_case("bash"))
}

/// What a policy says of it, as dispatch asks: of the call, and where no rule is about that, of each
/// command that it amounts to.
fn verdict(policy: &Policy, record: &CallRecord) -> Verdict {
    let names: Vec<&str> = match record.names.as_slice() {
        [] => vec![record.caller.tool.as_str()],
        names => names.iter().map(String::as_str).collect(),
    };
    let paths: Vec<ResolvedPath> = record.paths.iter().map(ResolvedPath::from).collect();
    let writes: Vec<ResolvedPath> = record.writes.iter().map(ResolvedPath::from).collect();
    let call = Call {
        names: &names,
        args: &record.args,
        context: record.context,
        cwd: &record.cwd,
        workspace: &record.folders,
        paths: &paths,
        writes: &writes,
    };
    let own = policy.evaluate(&call);
    if record.commands.is_empty() || own.origin != Origin::NoRule {
        return own;
    }
    let verdicts = record.commands.iter().map(|line| {
        let args = json!({"cmd": line.cmd, "cwd": line.cwd.display().to_string()});
        let names: Vec<&str> = match line.names.as_slice() {
            [] => vec!["Bash"],
            names => names.iter().map(String::as_str).collect(),
        };
        let writes: Vec<ResolvedPath> = line.writes.iter().map(ResolvedPath::from).collect();
        policy.evaluate(&Call {
            names: &names,
            args: &args,
            cwd: &line.cwd,
            paths: &[],
            writes: &writes,
            ..call
        })
    });
    // The first of equals: `max_by_key` would take the last.
    let all: Vec<Verdict> = verdicts.collect();
    all.into_iter().rev().max_by_key(|verdict| rank(verdict.action)).unwrap_or(own)
}

fn rank(action: Action) -> u8 {
    match action {
        Action::Allow => 0,
        Action::Delegate => 1,
        Action::Ask => 2,
        Action::Reject => 3,
    }
}

#[cfg(test)]
mod tests;
