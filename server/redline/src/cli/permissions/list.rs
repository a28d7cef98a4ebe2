//! `redline permissions list`.

use std::process::ExitCode;

use redline_permissions::{Policy, SourcedRule};
use serde_json::Value;

use super::{settings, shown};
use crate::{
    cli::{CliError, print},
    settings::Settings,
    terminal::{ColorChoice, Paint, Style, printable},
};

/// Shown at the end of the command's help.
pub const HELP: &str = "\
Examples:
  redline permissions list               your rules, and this folder's
  redline permissions list --builtin     what comes after them
  redline permissions list --json | jq -r '.[].text' > my.rules";

/// Rules of one source, and what is said of them.
struct List<'a> {
    heading: &'static str,
    rules: &'a [SourcedRule],
}

/// Runs the command.
pub fn main(builtin: bool, as_json: bool, color: ColorChoice) -> Result<ExitCode, CliError> {
    let (policy, settings) = (Policy::builtin(), settings()?);
    let lists = match builtin {
        true => vec![List { heading: "Built-in rules", rules: policy.builtin_rules() }],
        false => mine(&settings),
    };
    print(&if as_json { json_line(&lists) } else { text(&lists, color.paint(&std::io::stdout())) });
    Ok(ExitCode::SUCCESS)
}

fn mine(settings: &Settings) -> Vec<List<'_>> {
    let mut lists = vec![List { heading: "Your rules", rules: &settings.user_rules }];
    lists.extend(settings.trusted_rules.iter().map(|(_, rules)| List {
        heading: "This folder's rules, which count because you trust it",
        rules,
    }));
    let heading = "This folder's rules, which only tighten";
    lists.push(List { heading, rules: &settings.repository_rules });
    lists
}

fn json_line(lists: &[List<'_>]) -> String {
    let rules = lists.iter().flat_map(|list| list.rules.iter().enumerate());
    format!("{}\n", rules.map(|(index, rule)| shown::json(index, rule)).collect::<Value>())
}

fn text(lists: &[List<'_>], paint: Paint) -> String {
    let filled: Vec<&List<'_>> = lists.iter().filter(|list| !list.rules.is_empty()).collect();
    if filled.is_empty() {
        return NONE.to_owned();
    }
    filled.into_iter().map(|list| of(list, paint)).collect::<Vec<_>>().join("\n")
}

const NONE: &str = "You have no rules of your own: the built-in ones decide (`redline permissions list \
    --builtin`).\nAdd one: redline permissions add ask Bash --cmd '*npm publish*'\n";

fn of(list: &List<'_>, paint: Paint) -> String {
    let row = |(index, rule): (usize, &SourcedRule)| {
        let number = paint.text(Style::Key, &format!("{index:>4}"));
        let place = paint.text(Style::Faint, &printable(&shown::place(rule)));
        format!("{number}  {}  {place}\n", printable(&rule.rule.to_string()))
    };
    let heading = paint.text(Style::Strong, list.heading);
    format!("{heading}\n{}", list.rules.iter().enumerate().map(row).collect::<String>())
}
