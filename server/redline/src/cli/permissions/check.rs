//! `redline permissions check`: rules that do not do what they look like.

use std::process::ExitCode;

use redline_permissions::{
    SourcedRule,
    check::{Flaw, check},
};
use redline_tools::builtin;
use serde_json::{Value, json};

use super::shown;
use crate::{
    cli::{CliError, error, folder, print},
    settings::{Settings, Stray},
    terminal::{ColorChoice, Paint, Style, printable},
};

/// The part of the help that clap can't know.
pub const HELP: &str = "\
What is found:
  never          it, or one of its patterns, can match no call
  narrow         it catches only one spelling of what it is about
  shadowed       a rule before it matches everything that it matches
  contradictory  a rule before it says something else of the same calls
  wide           it allows more than it looks like; a call that it allows is shown
  unknown        a key of the settings file that is no setting

Each finding is proved, a wide one by trying the rule. No finding does not mean that the rules are
what you want: try them with `redline permissions test`.
Exit code: 0 nothing found, 1 something found, or an error.";

/// A list of rules, and what was found in it.
struct Checked<'a> {
    rules: &'a [SourcedRule],
    flaws: Vec<Flaw>,
}

/// Runs the command.
pub fn main(as_json: bool, color: ColorChoice) -> Result<ExitCode, CliError> {
    let settings = Settings::load(&[folder()?])?;
    settings.notes.iter().for_each(|note| error(note));
    let tools = builtin().known();
    let mut lists = vec![settings.user_rules.as_slice()];
    lists.extend(settings.trusted_rules.iter().map(|(_, rules)| rules.as_slice()));
    lists.push(settings.repository_rules.as_slice());
    let each = lists.into_iter().map(|rules| Checked { rules, flaws: check(rules, &tools) });
    let checked: Vec<Checked<'_>> = each.collect();
    print(&match as_json {
        true => json_line(&checked, &settings.strays),
        false => text(&checked, &settings.strays, color.paint(&std::io::stdout())),
    });
    let is_clean = settings.strays.is_empty();
    let is_clean = is_clean && checked.iter().all(|checked| checked.flaws.is_empty());
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn text(checked: &[Checked<'_>], strays: &[Stray], paint: Paint) -> String {
    let of_keys = strays.iter().map(|stray| of_key(stray, paint));
    let shown: Vec<String> =
        of_keys.chain(checked.iter().flat_map(|list| of_list(list, paint))).collect();
    let rules: usize = checked.iter().map(|list| list.rules.len()).sum();
    let count = |n: usize, what: &str| match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    match shown.len() {
        0 => format!("Nothing found in {}.\n", count(rules, "rule")),
        n => {
            format!("{}\n{} in {}.\n", shown.join("\n"), count(n, "finding"), count(rules, "rule"))
        }
    }
}

fn of_list<'a>(list: &'a Checked<'_>, paint: Paint) -> impl Iterator<Item = String> + 'a {
    list.flaws.iter().filter_map(move |flaw| {
        let rule = list.rules.get(flaw.rule)?;
        let place = paint.text(Style::Strong, &printable(&shown::place(rule)));
        let kind = paint.text(Style::Warning, flaw.kind.name());
        let text = printable(&rule.rule.to_string());
        let why = printable(&flaw.text);
        let instead = flaw.instead.as_deref().map(printable);
        let instead =
            instead.map(|text| format!("    {} {text}\n", paint.text(Style::Faint, "instead:")));
        Some(format!("{place}: {kind}: {text}\n    {why}\n{}", instead.unwrap_or_default()))
    })
}

fn of_key(Stray { file, line, column, text }: &Stray, paint: Paint) -> String {
    let place = printable(&format!("{}:{line}:{column}", file.display()));
    let kind = paint.text(Style::Warning, UNKNOWN);
    format!("{}: {kind}: {}\n", paint.text(Style::Strong, &place), printable(text))
}

/// The kind of a finding that is about no rule.
const UNKNOWN: &str = "unknown";

fn json_line(checked: &[Checked<'_>], strays: &[Stray]) -> String {
    let of_keys = strays.iter().map(|Stray { file, line, column, text }| {
        let file = file.display().to_string();
        json!({ "kind": UNKNOWN, "file": file, "line": line, "column": column, "message": text })
    });
    let findings = checked.iter().flat_map(|list| {
        list.flaws.iter().filter_map(|flaw| {
            let rule = list.rules.get(flaw.rule)?;
            let mut finding = shown::json(flaw.rule, rule);
            finding["kind"] = flaw.kind.name().into();
            finding["message"] = flaw.text.clone().into();
            finding["instead"] = json!(flaw.instead);
            finding["other"] = json!(flaw.other);
            Some(finding)
        })
    });
    format!("{}\n", of_keys.chain(findings).collect::<Value>())
}
