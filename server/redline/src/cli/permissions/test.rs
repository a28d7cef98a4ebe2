//! `redline permissions test`: what the rules say of a call that is not made.

use std::process::ExitCode;

use redline_permissions::Action;
use redline_tools::Judged;
use serde_json::json;

use super::{
    call::{Question, matched, one_line},
    shown,
};
use crate::{
    cli::{CliError, error, print, tools},
    terminal::{ColorChoice, Paint, Style, printable},
};

/// The part of the help that clap can't know.
pub const HELP: &str = "\
Arguments of the tool are written as for `redline tools use`; any tool may be named, mcp__… and tb__…
too. Nothing is run, nobody is asked, and a delegate is named but not started.

  --context subagent   as if a subagent made the call (else: thread)
  --json               everything as one JSON line
  --quiet              only the exit code
  --input FILE|-       all arguments as one JSON object, from a file or stdin
  --dialect DIALECT    amp, agent-air or amplifier

Exit code: 0 allow, 1 ask or delegate, 2 reject, 3 the call cannot be judged.

Examples:
  redline permissions test Bash --cmd \"git commit -m 'test'\"
  redline permissions test edit_file --path \"$PWD/README.md\"
  redline permissions test Bash --cmd 'git push' --context subagent --quiet || echo \"not silently\"";

/// The exit code of a call that cannot be judged: 1 and 2 are verdicts here.
pub const NOT_JUDGED: u8 = 3;

/// Runs the command.
pub async fn main(words: &[String], color: ColorChoice) -> ExitCode {
    run(words, color).await.unwrap_or_else(not_judged)
}

/// Says why, for `explain` too.
pub fn not_judged(failed: CliError) -> ExitCode {
    error(&failed.to_string());
    ExitCode::from(NOT_JUDGED)
}

async fn run(words: &[String], color: ColorChoice) -> Result<ExitCode, CliError> {
    let question = Question::parse(words)?;
    if question.help {
        return Ok(tools::show(&question.call.name, question.dialect));
    }
    let judged = question.judge(|_| ()).await?;
    let color = question.color.unwrap_or(color);
    if question.json {
        print(&json_line(&question, &judged));
    } else if !question.quiet {
        print(&text(&question, &judged, color.paint(&std::io::stdout())));
    }
    Ok(ExitCode::from(code(judged.verdict.action)))
}

/// The exit code of a verdict (field notes, `permissions test`).
pub fn code(action: Action) -> u8 {
    match action {
        Action::Allow => 0,
        Action::Ask | Action::Delegate => 1,
        Action::Reject => 2,
    }
}

/// The colour of a verdict.
pub fn style(action: Action) -> Style {
    match action {
        Action::Allow => Style::New,
        Action::Ask | Action::Delegate => Style::Warning,
        Action::Reject => Style::Old,
    }
}

fn text(question: &Question, judged: &Judged<()>, paint: Paint) -> String {
    let verdict = &judged.verdict;
    let policy = question.settings.policy();
    let matched = matched(&policy, &question.settings, &verdict.reason);
    let mut out = String::new();
    let mut line = |label: &str, style: Style, value: &str| {
        let label = paint.text(Style::Faint, &format!("{label}:"));
        out += &format!("{label} {}\n", paint.text(style, &printable(value)));
    };
    line("tool", Style::Normal, &judged.tool);
    line("arguments", Style::Normal, &one_line(&question.call.args));
    line("action", style(verdict.action), verdict.action.name());
    let number = matched.map_or_else(|| "none".to_owned(), |(index, _)| index.to_string());
    line("matched-rule", Style::Normal, &number);
    line("source", Style::Normal, source(matched.map(|(_, rule)| rule), verdict));
    if let Some(rule) =
        matched.map(|(_, rule)| rule).filter(|rule| shown::file(&rule.source).is_some())
    {
        line("rule", Style::Normal, &format!("{} ({})", rule.rule, shown::place(rule)));
    }
    runs(question, judged).iter().for_each(|runs| line("runs", Style::Normal, runs));
    line("reason", Style::Normal, &verdict.reason.text);
    verdict.message.iter().for_each(|message| line("message", Style::Normal, message));
    for program in &verdict.delegates {
        line("delegate", Style::Warning, &format!("{program} would decide; it was not started"));
    }
    if judged.becomes_hunks {
        line("then", Style::Normal, HUNKS);
    }
    for name in &judged.ignored {
        let tool = &judged.tool;
        line(
            "note",
            Style::Warning,
            &format!("{tool} has no argument `{name}`: it counts for nothing"),
        );
    }
    judged.guards.iter().for_each(|guard| line("guard", Style::Warning, guard));
    out
}

const HUNKS: &str = "the edit waits as hunks for your review, and changes nothing before";

fn source(
    rule: Option<&redline_permissions::SourcedRule>,
    verdict: &redline_permissions::Verdict,
) -> &'static str {
    match rule {
        Some(rule) => shown::source_name(&rule.source),
        None if verdict.reason.source == "no rule" => "none",
        None => "builtin",
    }
}

/// The command as it would really run, where that differs from what was asked.
fn runs(question: &Question, judged: &Judged<()>) -> Option<String> {
    let asked = question.call.args.get("cmd").and_then(|cmd| cmd.as_str())?;
    let (cmd, cwd) = (judged.args.get("cmd")?.as_str()?, judged.args.get("cwd")?.as_str()?);
    (cmd != asked).then(|| format!("{cmd} (in {cwd})"))
}

fn json_line(question: &Question, judged: &Judged<()>) -> String {
    let verdict = &judged.verdict;
    let policy = question.settings.policy();
    let matched = matched(&policy, &question.settings, &verdict.reason);
    let rule = matched.map(|(_, rule)| rule);
    let line = json!({
        "tool": judged.tool,
        "arguments": question.call.args,
        "context": question.context,
        "action": verdict.action,
        "matchedRule": matched.map(|(index, _)| index),
        "source": source(rule, verdict),
        "file": rule.and_then(|rule| shown::file(&rule.source)).map(|it| it.display().to_string()),
        "line": verdict.reason.line,
        "rule": verdict.reason.rule,
        "reason": verdict.reason.text,
        "message": verdict.message,
        "delegates": verdict.delegates,
        "becomesHunks": judged.becomes_hunks,
        "ignored": judged.ignored,
        "guards": judged.guards,
    });
    format!("{line}\n")
}
