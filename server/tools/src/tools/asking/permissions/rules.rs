//! What a granted permission is for the permission rules.
//!
//! A grant answers the agent. What its tools may do is decided by rules, before and after. Only where
//! the user chooses "for the session", and the option shows a rule, is that rule added, as with any
//! other ask (`Session::ask_answered`): it turns asks into allow, never a reject, and has no effect on
//! protected places. Nothing is added that was not shown.

use std::path::{Path, PathBuf};

use redline_permissions::{
    Action, Call, Condition, Matches, Pattern, Reason, ResolvedPath, Rule, Verdict, grant_for,
    parse_text,
};
use serde_json::{Value, json};

use super::target::{Level, Target};
use crate::{ToolContext, dialect};

/// What the rules say to a permission.
pub(super) enum Judged {
    /// They reject it, whatever the user would answer; the reason in words.
    Rejected(String),
    /// The user may give it; the rules that "for the session" would add, as text.
    Open(Option<String>),
}

/// Tools that do what a permission is for, each with its argument.
fn tools(level: Level, target: &Target, is_outside: bool) -> Vec<&'static str> {
    match (target, level) {
        (Target::Path { .. }, Level::Read) => vec!["Read"],
        // Inside the workspace reading is allowed anyway.
        (Target::Path { .. }, Level::Write | Level::Admin) => {
            let read = is_outside.then_some("Read");
            let delete = (level == Level::Admin).then_some("delete_file");
            read.into_iter().chain(["edit_file", "create_file"]).chain(delete).collect()
        }
        (Target::Command(_), Level::Execute | Level::Admin) => vec!["Bash"],
        // No rule says what these are; the answer is for the agent alone.
        (Target::Path { .. }, Level::Execute)
        | (Target::Command(_), Level::Read | Level::Write)
        | (Target::Domain(_), _) => Vec::new(),
    }
}

/// Holds a permission against the rules in force. `written` is the target as the model wrote it.
pub(super) fn judge(context: &ToolContext, written: &str, target: &Target, level: Level) -> Judged {
    let roots = context.workspace.roots();
    let mut rules: Vec<Rule> = Vec::new();
    let mut is_sound = true;
    let is_outside = match target {
        Target::Path { path, .. } => !roots.iter().any(|root| path.starts_with(root)),
        _ => false,
    };
    for tool in tools(level, target, is_outside) {
        let case = Case::new(tool, written, target, !is_outside, &context.scope.cwd);
        let (verdict, narrow) = case.judged(context, &roots);
        match verdict {
            Verdict { action: Action::Reject, reason: Reason { text, .. }, .. } => {
                return Judged::Rejected(text);
            }
            verdict => is_sound &= verdict.grantable && !narrow.is_empty(),
        }
        rules.extend(narrow.into_iter().filter_map(|rule| widened(rule, target)));
    }
    let is_sound = is_sound && !rules.is_empty();
    Judged::Open(is_sound.then(|| as_text(&rules)).flatten())
}

/// A call that the permission would be for.
struct Case {
    names: Vec<&'static str>,
    args: Value,
    paths: Vec<ResolvedPath>,
}

impl Case {
    fn new(
        tool: &'static str,
        written: &str,
        target: &Target,
        inside_workspace: bool,
        cwd: &Path,
    ) -> Self {
        let names = dialect::ruled_names(tool);
        let (args, real): (Value, Option<PathBuf>) = match target {
            Target::Path { path, .. } => (json!({"path": written}), Some(path.clone())),
            // As Bash's own calls have it: a grant for a command is one for its directory.
            Target::Command(cmd) => (json!({"cmd": cmd, "cwd": cwd}), None),
            Target::Domain(_) => (json!({}), None),
        };
        let path = |real| {
            let (arg, written) = ("path".to_owned(), written.to_owned());
            ResolvedPath { arg, written, real, inside_workspace }
        };
        Self { names, args, paths: real.map(path).into_iter().collect() }
    }

    fn judged(&self, context: &ToolContext, roots: &[PathBuf]) -> (Verdict, Vec<Rule>) {
        let call = Call {
            names: &self.names,
            args: &self.args,
            context: context.scope.context,
            cwd: &context.scope.cwd,
            workspace: roots,
            paths: &self.paths,
            writes: &[],
        };
        (context.workspace.query(|session| session.evaluate(&call)), grant_for(&call))
    }
}

/// The narrowest rule for a path, with what is below it where that is wanted. `None`: no pattern can
/// say so.
fn widened(rule: Rule, target: &Target) -> Option<Rule> {
    let Target::Path { path, recursive: true } = target else { return Some(rule) };
    let path = path.to_str().filter(|path| !path.contains('*') && path.len() > 1)?;
    let below = Condition::Pattern(Pattern::new(&format!("{path}/*")).ok()?);
    let either = Condition::any([Condition::exactly(path), below])?;
    Some(Rule { matches: Matches::default().with("path", either), ..rule })
}

/// `None` if the text would not be read as these rules.
fn as_text(rules: &[Rule]) -> Option<String> {
    let text = rules.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let read = parse_text(&text).ok()?;
    read.iter().map(|(_, rule)| rule).eq(rules).then_some(text)
}
