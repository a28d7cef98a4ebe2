//! `redline permissions explain`: every rule in order, why it did not match, and which did.

use std::{fmt::Write as _, process::ExitCode};

use redline_permissions::{
    Explanation, Held, Outcome, PartExplained, PartName, RuleList, StageName, WhyNot, to_json,
};
use redline_tools::Judged;
use serde_json::{Value, json};

use super::{
    call::{Question, one_line},
    shown,
    test::{code, not_judged, style},
};
use crate::{
    cli::{CliError, print, tools},
    terminal::{ColorChoice, Paint, Style, printable},
};

/// The part of the help that clap can't know.
pub const HELP: &str = "\
Takes what `redline permissions test` takes, and shows for each part of the call every rule in the
order in which it is read: why it did not match, which did, and what the folder's rules, grants and
guards made of that. A command's parts are its simple commands; the most restrictive verdict counts.

Exit code: as of `test`; 1 also if the call cannot be judged.

Examples:
  redline permissions explain Bash --cmd 'git status && rm -r build'
  redline permissions explain edit_file --path src/main.rs --json";

/// Runs the command.
pub async fn main(words: &[String], color: ColorChoice) -> ExitCode {
    run(words, color).await.unwrap_or_else(not_judged)
}

async fn run(words: &[String], color: ColorChoice) -> Result<ExitCode, CliError> {
    let question = Question::parse(words)?;
    if question.help {
        return Ok(tools::show(&question.call.name, question.dialect));
    }
    let policy = question.settings.policy();
    let judged = question.judge(|call| policy.explain(call)).await?;
    let color = question.color.unwrap_or(color);
    print(&match question.json {
        true => json_line(&question, &judged),
        false => text(&question, &judged, color.paint(&std::io::stdout())),
    });
    Ok(ExitCode::from(code(judged.verdict.action)))
}

fn text(question: &Question, judged: &Judged<Explanation>, paint: Paint) -> String {
    let call = format!("{} {}", judged.tool, one_line(&question.call.args));
    let mut out = format!("{}\n", paint.text(Style::Strong, &printable(&call)));
    for part in judged.looks.iter().flat_map(|look| &look.parts) {
        out += &of_part(part, paint);
    }
    out += &format!("\n{}", paint.text(Style::Strong, "Verdict: "));
    let action = judged.verdict.action;
    out += &format!("{}\n", paint.text(style(action), action.name()));
    out += &format!("  {}\n", printable(&judged.verdict.reason.text));
    for guard in &judged.guards {
        out += &format!("  {} {}\n", paint.text(Style::Warning, "guard:"), printable(guard));
    }
    out
}

fn of_part(part: &PartExplained, paint: Paint) -> String {
    let mut out = format!("\n{}\n", paint.text(Style::Strong, &printable(&name(&part.part))));
    for list in [
        RuleList::User,
        RuleList::Trusted,
        RuleList::BuiltIn,
        RuleList::Repository,
        RuleList::Grants,
    ] {
        let rules: Vec<&Held> = part.rules.iter().filter(|held| held.list == list).collect();
        if !rules.is_empty() {
            let _infallible = writeln!(out, "  {}", heading(list));
            out += &of_list(&rules, paint);
        }
    }
    for stage in &part.stages {
        let action = paint.text(style(stage.action), stage.action.name());
        let _infallible =
            writeln!(out, "  {} → {action}: {}", stage_name(stage.name), printable(&stage.text));
    }
    out
}

fn name(part: &PartName) -> String {
    match part {
        PartName::Call => "The call".to_owned(),
        PartName::Command(text) => format!("The command `{text}`"),
        PartName::Opaque(what) => format!("What cannot be read: {what}"),
        PartName::Write(file) => {
            format!("A redirection that writes {file}: as an edit of the file")
        }
    }
}

fn heading(list: RuleList) -> &'static str {
    match list {
        RuleList::User => "Your rules",
        RuleList::Trusted => "Rules of this folder, which you trust",
        RuleList::BuiltIn => "Built-in rules",
        RuleList::Repository => "This folder's rules, which only tighten",
        RuleList::Grants => "Grants, which only turn ask into allow",
    }
}

fn stage_name(stage: StageName) -> &'static str {
    match stage {
        StageName::Rules => "rules",
        StageName::Fence => "fences",
        StageName::Repository => "this folder",
        StageName::Grants => "grants",
        StageName::Write => "with the rules for Bash",
    }
}

/// A line for each rule; neighbours of which there is nothing more to say share one.
fn of_list(rules: &[&Held], paint: Paint) -> String {
    let mut out = String::new();
    for run in rules.chunk_by(|one, other| dull(one).is_some() && dull(one) == dull(other)) {
        match run {
            [first, _, ..] => {
                let last = run.last().map_or(first.index, |held| held.index);
                let numbers = format!("{:>4}–{last}", first.index);
                let what = dull(first).unwrap_or_default();
                let line = format!("{numbers}  {} rules: {what}", run.len());
                let _infallible = writeln!(out, "  {}", paint.text(Style::Faint, &line));
            }
            [one] => out += &of_rule(one, paint),
            [] => {}
        }
    }
    out
}

/// What goes without saying of most rules.
fn dull(held: &Held) -> Option<&'static str> {
    match &held.outcome {
        Outcome::No(WhyNot::Tool) => Some("for other tools"),
        Outcome::NotReached { would_match: false } => Some("not reached, and would not match"),
        _ => None,
    }
}

fn of_rule(held: &Held, paint: Paint) -> String {
    let (mark, style, why) = match &held.outcome {
        Outcome::Matches => ("✓", Style::Strong, "matches, and decides".to_owned()),
        Outcome::Perhaps => {
            ("?", Style::Warning, "perhaps: it depends on what is unknown".to_owned())
        }
        Outcome::NotReached { would_match: true } => {
            (" ", Style::Faint, "would match too, but comes later".to_owned())
        }
        Outcome::NotReached { .. } => {
            (" ", Style::Faint, "not reached, and would not match".to_owned())
        }
        Outcome::No(why) => (" ", Style::Normal, format!("no: {why}")),
    };
    let rule = paint.text(style, &printable(&held.rule.rule.to_string()));
    let place = paint.text(Style::Faint, &printable(&shown::place(&held.rule)));
    format!("  {:>4} {mark} {rule}  {place}\n         {}\n", held.index, printable(&why))
}

fn json_line(question: &Question, judged: &Judged<Explanation>) -> String {
    let parts = judged.looks.iter().flat_map(|look| &look.parts).map(json_of_part);
    let line = json!({
        "tool": judged.tool,
        "arguments": question.call.args,
        "context": question.context,
        "action": judged.verdict.action,
        "reason": judged.verdict.reason.text,
        "parts": parts.collect::<Value>(),
        "becomesHunks": judged.becomes_hunks,
        "guards": judged.guards,
    });
    format!("{line}\n")
}

fn json_of_part(part: &PartExplained) -> Value {
    let (kind, text) = match &part.part {
        PartName::Call => ("call", None),
        PartName::Command(text) => ("command", Some(text)),
        PartName::Opaque(text) => ("opaque", Some(text)),
        PartName::Write(text) => ("write", Some(text)),
    };
    let stage = |stage: &redline_permissions::Stage| json!({"stage": stage_key(stage.name), "action": stage.action, "text": stage.text});
    json!({
        "kind": kind,
        "text": text,
        "rules": part.rules.iter().map(json_of_rule).collect::<Value>(),
        "stages": part.stages.iter().map(stage).collect::<Value>(),
    })
}

fn stage_key(stage: StageName) -> &'static str {
    match stage {
        StageName::Rules => "rules",
        StageName::Fence => "fences",
        StageName::Repository => "workspace",
        StageName::Grants => "grants",
        StageName::Write => "write",
    }
}

fn json_of_rule(held: &Held) -> Value {
    let (outcome, why) = match &held.outcome {
        Outcome::Matches => ("matches", None),
        Outcome::Perhaps => ("perhaps", None),
        Outcome::NotReached { would_match: true } => ("matchesLater", None),
        Outcome::NotReached { would_match: false } => ("notReached", None),
        Outcome::No(why) => ("no", Some(why.to_string())),
    };
    json!({
        "index": held.index,
        "source": shown::source_name(&held.rule.source),
        "file": shown::file(&held.rule.source).map(|path| path.display().to_string()),
        "line": held.rule.line,
        "rule": to_json(&held.rule.rule),
        "outcome": outcome,
        "why": why,
    })
}
