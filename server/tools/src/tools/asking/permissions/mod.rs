//! `ask_for_permissions` (seed 002). It asks by itself, and a "no" is a result like a "yes".

mod rules;
mod target;

use std::sync::{Mutex, PoisonError};

use redline_permissions::{Action, Reason};
use redline_workspace::{Ask, AskAnswer, AskOption, AskOutcome, OptionId};
use serde_json::{Value, json};

use self::{
    rules::{Judged, judge},
    target::{Grants, Level, Target, domain},
};
use crate::{
    Access, Dialect, ExecutionProfile, Resource, ResourceKey, ToolContext, ToolDefinition,
    ToolResult, ToolSpec,
    dispatch::{options, stay},
    tools::{flag, text},
};

/// Chars of a target, of a description, of a reason.
const MOST_CHARS: usize = 4_000;

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let limits = format!("texts of {MOST_CHARS} chars; waits for the user as long as it takes");
    let spec = ToolSpec::builtin("ask_for_permissions", Dialect::AgentAir, DESCRIPTION, schema());
    // One after the other: what the first is granted may cover the second.
    let keys = |_: &Value| {
        vec![ResourceKey { key: Resource::Named("permissions".to_owned()), mode: Access::Write }]
    };
    ToolDefinition::new(spec.limits(limits), run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Ask the user for permission before a sensitive action. They grant it once, \
or for the session: then like requests are granted without asking. The answer is the user's word to \
you; the user's permission rules still decide what your tools may do, and a change of a file may \
still wait for their review.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "target_type": {"type": "string", "enum": ["path", "domain", "command"]},
            "target": {"type": "string", "description": "Resource being accessed"},
            "level": {"type": "string", "enum": Level::ALL.map(Level::name)},
            "recursive": {
                "type": "boolean",
                "default": false,
                "description": "For paths, include subdirectories (default: false)"
            },
            "description": {
                "type": "string",
                "description": "Human-readable action description"
            },
            "reason": {"type": "string", "description": "Why this action is needed"}
        },
        "required": ["target_type", "target", "level", "description"]
    })
}

/// What the tool is asked for, and the model's words about it.
struct Request {
    target: Target,
    written: String,
    level: Level,
    description: String,
    reason: String,
}

/// What the user has granted for the session, to all threads alike, as with rules.
#[derive(Default)]
struct Granted(Mutex<Grants>);

impl Granted {
    fn cover(&self, request: &Request) -> bool {
        let grants = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        grants.cover(&request.target, request.level)
    }

    fn add(&self, request: &Request) {
        let mut grants = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        grants.add(request.target.clone(), request.level);
    }
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let look = move |context: &ToolContext| {
        let request = Request::new(context, &args)?;
        let judged = judge(context, &request.written, &request.target, request.level);
        Ok::<_, String>((request, judged, args))
    };
    match context.blocking(look).await {
        Err(what) => ToolResult::error(format!("ask_for_permissions: {what}.")),
        Ok((request, judged, args)) => granted(&context, request, judged, args).await,
    }
}

async fn granted(
    context: &ToolContext,
    request: Request,
    judged: Judged,
    args: Value,
) -> ToolResult {
    let covers = match judged {
        Judged::Rejected(why) => return request.answer(None, Some(why)),
        Judged::Open(covers) => covers,
    };
    let grants = context.state::<Granted>();
    if grants.cover(&request) {
        return request.answer(Some(OptionId::Session), None);
    }
    let AskAnswer { option, comment, .. } =
        match context.ask(request.ask(context, args, covers)).await {
            AskOutcome::Answered(answer) => answer,
            AskOutcome::Withdrawn(_) => return ToolResult::Cancelled,
        };
    // Rules may have come meanwhile.
    let Request { written, target, level, .. } = &request;
    let (written, target, level) = (written.clone(), target.clone(), *level);
    let look = move |context: &ToolContext| judge(context, &written, &target, level);
    match context.blocking(look).await {
        Judged::Rejected(why) => request.answer(None, Some(why)),
        Judged::Open(_) => {
            if matches!(option, OptionId::Session | OptionId::Folder | OptionId::Always) {
                grants.add(&request);
            }
            let comment = comment.filter(|comment| !comment.trim().is_empty());
            request.answer(Some(option).filter(|it| *it != OptionId::Reject), comment)
        }
    }
}

impl Request {
    fn new(context: &ToolContext, args: &Value) -> Result<Self, String> {
        for name in ["target", "description", "reason"] {
            if text(args, name).chars().count() > MOST_CHARS {
                return Err(format!("\"{name}\" is longer than {MOST_CHARS} chars"));
            }
        }
        let one_line = |name| text(args, name).split_whitespace().collect::<Vec<_>>().join(" ");
        let description = one_line("description");
        if description.is_empty() {
            return Err("\"description\" is empty; say what would be done".to_owned());
        }
        let written = text(args, "target").trim().to_owned();
        let target = match text(args, "target_type") {
            _ if written.is_empty() => return Err("\"target\" is empty".to_owned()),
            "domain" => Target::Domain(domain(&written).ok_or(
                "\"target\" must be a host such as example.com, or *.example.com for all below it",
            )?),
            "command" if written.contains('\0') => return Err("\"target\" has a NUL".to_owned()),
            "command" => Target::Command(written.clone()),
            _ => {
                let path = context.path(&written).map_err(|error| error.to_string())?;
                let recursive = flag(args, "recursive");
                Target::Path { path: path.as_path().to_owned(), recursive }
            }
        };
        // The schema has no other level.
        let level = Level::parse(text(args, "level")).unwrap_or(Level::Admin);
        Ok(Self { target, written, level, description, reason: one_line("reason") })
    }

    /// What is asked for comes first, in our words; the model's words can't look like it.
    fn ask(&self, context: &ToolContext, args: Value, covers: Option<String>) -> Ask {
        let what = format!("{} {}", self.level.name(), self.target.shown());
        let mut detail = format!("{what}\nThe agent says: {}", self.description);
        if !self.reason.is_empty() {
            detail += &format!("\nIts reason: {}", self.reason);
        }
        let (cwd, roots) = (context.scope.cwd.as_path(), context.workspace.roots());
        Ask {
            thread: context.scope.thread.clone(),
            call: context.call.clone(),
            title: title(&what),
            tool: context.tool.clone(),
            args,
            cwd: context.scope.cwd.clone(),
            detail: Some(detail),
            pending: Vec::new(),
            unsaved: Vec::new(),
            note: None,
            reason: reason(),
            options: self.options(covers, stay(cwd, std::iter::once(cwd), &roots)),
        }
    }

    /// Without rules "for the session" is for the agent's ears alone, and nothing can be saved.
    fn options(&self, covers: Option<String>, stays: bool) -> Vec<AskOption> {
        let is_ruled = covers.is_some();
        let mut options = options(covers, stays);
        if !is_ruled {
            let label = "Allow for the session".to_owned();
            options.insert(1, AskOption { id: OptionId::Session, label, covers: None });
        } else if matches!(self.target, Target::Path { .. }) && self.level >= Level::Write {
            for option in options.iter_mut().filter(|option| option.covers.is_some()) {
                option.label += ", edits without review";
            }
        }
        options
    }

    /// Seed 002: "whether permission was granted, the grant details (target, level, scope), and an
    /// optional user message".
    fn answer(&self, scope: Option<OptionId>, message: Option<String>) -> ToolResult {
        ToolResult::done(json!({
            "granted": scope.is_some(),
            "scope": scope.map(OptionId::name),
            "message": message,
            "target": self.written,
            "level": self.level.name(),
        }))
    }
}

fn title(what: &str) -> String {
    const LIMIT: usize = 80;
    let line = what.lines().next().unwrap_or_default();
    let short: String = line.chars().take(LIMIT).collect();
    let more = if short.len() < what.len() { "…" } else { "" };
    format!("Permission to {short}{more}")
}

fn reason() -> Reason {
    Reason {
        action: Action::Ask,
        rule: None,
        source: "no rule".to_owned(),
        line: None,
        text: "Asks because the agent wants your permission: your answer is told to it. What its \
               tools may do changes only by a rule that an option shows."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests;
