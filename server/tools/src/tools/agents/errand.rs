//! `Task`, `finder`, `oracle`, `librarian`, `kraken` (DESIGN, sections 3 and 7): a call sends a
//! subagent, and what it said last is the result.

use std::collections::HashMap;

use redline_workspace::HunkState;
use serde_json::Value;

use super::{
    super::{builtin, text},
    agents, answered,
    profiles::{Kind, Offer, PROFILES, Profile, schema},
};
use crate::{
    Dialect, Errand, ExecutionProfile, Meta, Mode, Outcome, ReviewNote, ReviewState, Source,
    ToolContext, ToolDefinition, ToolResult, ToolSpec, Work,
};

/// Bytes of what a subagent is told.
pub(super) const MOST_PROMPT: usize = 256 * 1024;
/// Files that it can be pointed at.
const MOST_FILES: usize = 200;

/// The tool that sends a subagent. It conflicts with nothing by itself, since the subagent's own
/// calls are scheduled; one that works alone has no profile rather than a serial one, which its own
/// serial tools would wait for in vain.
pub(super) fn definition(profile: &'static Profile) -> ToolDefinition {
    let limits = format!(
        "at most {} requests to its model; a prompt of {} KiB",
        profile.most_requests,
        MOST_PROMPT / 1024
    );
    let meta = Meta { disable_timeout: true, ends_on_cancel: true, ..Meta::default() };
    let spec = ToolSpec::builtin(profile.name, Dialect::Amp, profile.description, schema(profile))
        .limits(limits)
        .meta(meta);
    let tool = ToolDefinition::new(spec, move |context, args| run(context, args, profile));
    if profile.alone { tool } else { tool.profile(ExecutionProfile::keys(|_| Vec::new())) }
}

async fn run(context: ToolContext, args: Value, profile: &'static Profile) -> ToolResult {
    answered(sent(&context, &args, profile).await)
}

async fn sent(
    context: &ToolContext,
    args: &Value,
    profile: &Profile,
) -> Result<ToolResult, String> {
    let agents = agents(context)?;
    let outcome = agents.run(errand(context, args, profile)?).await;
    Ok(ended(context, profile.name, outcome))
}

fn errand(context: &ToolContext, args: &Value, profile: &Profile) -> Result<Errand, String> {
    // Its mode says the same; this holds whatever the mode is.
    if context.scope.subagent.is_some() {
        return Err(format!(
            "{} can't be sent by a subagent. Do the work with your own tools.",
            profile.name
        ));
    }
    Ok(Errand {
        agent: profile.name.to_owned(),
        instructions: profile.instructions.to_owned(),
        about: about(args, profile),
        prompt: prompt(args, profile)?,
        mode: mode(profile),
        most_requests: profile.most_requests,
        scope: context.scope.clone(),
        call: context.call.clone(),
    })
}

/// The tools of a subagent.
pub(super) fn mode(profile: &Profile) -> Mode {
    let is_all = profile.offer == Offer::AllButSubagents;
    let include_tools = match profile.offer {
        Offer::Only(lists) => lists.iter().copied().flatten().map(|&name| name.into()).collect(),
        Offer::AllButSubagents => all_but_subagents(),
    };
    Mode {
        include_tools,
        allow_mcp: is_all,
        allow_toolbox: is_all,
        subagent_type: Some(profile.name.to_owned()),
    }
}

fn all_but_subagents() -> Vec<String> {
    let registry = builtin();
    let sends = |name: &str| PROFILES.iter().any(|profile| profile.name == name);
    let specs = registry.specs().filter(|spec| spec.source == Source::Builtin);
    specs.map(|spec| spec.name.clone()).filter(|name| !sends(name)).collect()
}

/// One line.
fn about(args: &Value, profile: &Profile) -> String {
    let of = |kind| {
        let argument = profile.arguments.iter().find(|argument| argument.kind == kind);
        argument.map(|argument| text(args, argument.name).trim()).filter(|said| !said.is_empty())
    };
    let said = of(Kind::Line).or_else(|| of(Kind::Order)).unwrap_or_default();
    said.lines().next().unwrap_or_default().to_owned()
}

/// All that it is told, the order first. `Err` says what is wrong with it.
fn prompt(args: &Value, profile: &Profile) -> Result<String, String> {
    let mut parts = Vec::new();
    for argument in profile.arguments {
        let said = text(args, argument.name).trim();
        match argument.kind {
            Kind::Order | Kind::Line if said.is_empty() => {
                return Err(format!(
                    "{}: {:?} is empty; it must be {}.",
                    profile.name, argument.name, argument.description
                ));
            }
            Kind::Order => parts.push(said.to_owned()),
            Kind::More if !said.is_empty() => parts.push(format!("Context:\n{said}")),
            Kind::Files => parts.extend(files(args, argument.name, profile)?),
            Kind::Line | Kind::More => {}
        }
    }
    let prompt = parts.join("\n\n");
    if prompt.len() > MOST_PROMPT {
        return Err(format!(
            "{}: what it is told has {} bytes, more than {MOST_PROMPT}; name files for it to read \
             instead of their text.",
            profile.name,
            prompt.len()
        ));
    }
    Ok(prompt)
}

/// The subagent reads them itself, so that its permissions and the guards hold.
fn files(args: &Value, name: &str, profile: &Profile) -> Result<Option<String>, String> {
    let given = args.get(name).and_then(Value::as_array).into_iter().flatten();
    let files: Vec<&str> = given.filter_map(Value::as_str).filter(|it| !it.is_empty()).collect();
    if files.len() > MOST_FILES {
        return Err(format!(
            "{}: {name:?} names {} files, more than {MOST_FILES}; name the most important.",
            profile.name,
            files.len()
        ));
    }
    let list = || files.iter().map(|file| format!("\n- {file}")).collect::<String>();
    Ok((!files.is_empty()).then(|| format!("Files to look at:{}", list())))
}

/// The call's result.
fn ended(context: &ToolContext, agent: &str, outcome: Outcome) -> ToolResult {
    match outcome {
        Outcome::Done(work) => done(context, agent, work),
        Outcome::Failed { reason, work } => {
            ToolResult::error(format!("{agent} did not come to an end: {reason}{}", left(&work)))
        }
        Outcome::Halted { reason, .. } => {
            let reason = format!("{agent} was stopped: {reason}");
            ToolResult::RejectedByUser { reason, comment: None }
        }
        Outcome::Cancelled => ToolResult::Cancelled,
    }
}

fn done(context: &ToolContext, agent: &str, work: Work) -> ToolResult {
    let said = match work.said.trim() {
        "" => format!("{agent} ended without a word."),
        said => said.to_owned(),
    };
    let roots = context.workspace.roots();
    let short = |file: &String| {
        let inside =
            roots.iter().find_map(|root| std::path::Path::new(file).strip_prefix(root).ok());
        inside.map_or_else(|| file.clone(), |inside| inside.display().to_string())
    };
    let files: Vec<String> = work.files.iter().map(short).collect();
    let review = review(context, &work);
    let done = ToolResult::Done { result: said.into(), track_files: work.files, review };
    match files.is_empty() {
        true => done,
        false => done.with_note(&format!("Files that {agent} changed: {}.", files.join(", "))),
    }
}

/// What of its proposals still waits, or stands as a rule applied it.
fn review(context: &ToolContext, work: &Work) -> Option<ReviewNote> {
    let reviews = context.workspace.query(|session| session.reviews());
    let hunks = reviews.iter().flat_map(|review| &review.hunks);
    let now: HashMap<String, HunkState> =
        hunks.map(|hunk| (hunk.id.to_string(), hunk.state)).collect();
    let still = |hunks: &[String], states: &[HunkState]| -> Vec<String> {
        let is = |hunk: &&String| now.get(*hunk).is_some_and(|state| states.contains(state));
        hunks.iter().filter(is).cloned().collect()
    };
    let waits = [HunkState::Pending, HunkState::Accepting, HunkState::Conflict];
    let (pending, applied) =
        (still(&work.pending, &waits), still(&work.applied, &[HunkState::Applied]));
    let (state, hunks) = match pending.is_empty() {
        false => (ReviewState::Pending, pending),
        true => (ReviewState::Applied, applied),
    };
    (!hunks.is_empty()).then(|| ReviewNote { state, hunks, decisions: Vec::new() })
}

/// For the model of the thread: what a subagent that failed leaves behind.
fn left(work: &Work) -> String {
    match work.files.as_slice() {
        [] => String::new(),
        files => format!("\nIt had changed {} before: look at that.", files.join(", ")),
    }
}
