//! The rules that an answer would save, before they are saved: the user sees them and may change
//! them.

use redline_permissions::parse_text;
use redline_workspace::OptionId;

use crate::terminal::{Console, Style, printable};

/// What became of the rules.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Edited {
    /// The user took them as they were offered.
    AsOffered,
    /// In text form, one a line.
    To(String),
}

impl Edited {
    /// The user's own rules.
    pub fn changed(self) -> Option<String> {
        match self {
            Edited::AsOffered => None,
            Edited::To(rules) => Some(rules),
        }
    }
}

/// Has the user edit the rules, one line after the other; an emptied one is left out. `None`: the
/// user left the line, or left no rule.
pub(super) fn edited(
    covers: &str,
    option: OptionId,
    console: &mut dyn Console,
    stop: &dyn Fn() -> bool,
) -> Option<Edited> {
    let offered = split(covers);
    let what = format!("{} Enter: as it stands here; Esc: back.\n", lasts(option));
    let what = console.paint().text(Style::Faint, &what);
    console.print(&what);
    let mut rules: Vec<String> = Vec::new();
    for (n, rule) in offered.iter().enumerate() {
        let place = if offered.len() > 1 { format!(" {}", n + 1) } else { String::new() };
        let rule = one(rule, &format!("Rule{place}: "), console, stop)?;
        rules.extend((!rule.is_empty()).then_some(rule));
    }
    if rules.is_empty() {
        console.print("Without a rule there is nothing to keep.\n");
        return None;
    }
    Some(if rules == offered { Edited::AsOffered } else { Edited::To(rules.join("\n")) })
}

/// A line that is a rule, or empty.
fn one(
    rule: &str,
    prompt: &str,
    console: &mut dyn Console,
    stop: &dyn Fn() -> bool,
) -> Option<String> {
    let prompt = console.paint().text(Style::Key, prompt);
    let mut text = rule.to_owned();
    loop {
        text = console.edit(&prompt, &text, stop)?;
        match parse_text(&text) {
            Ok(rules) if rules.len() == 1 || text.is_empty() => return Some(text),
            Ok(_) => console.print("That is no rule; empty it to leave it out.\n"),
            Err(error) => console.print(&format!("{}\n", printable(&error.to_string()))),
        }
    }
}

/// One rule a line; a rule with a line end in it keeps all of them together.
fn split(covers: &str) -> Vec<String> {
    let is_rule = |line: &&str| parse_text(line).is_ok_and(|rules| rules.len() == 1);
    let lines: Vec<&str> = covers.lines().collect();
    match !lines.is_empty() && lines.iter().all(is_rule) {
        true => lines.into_iter().map(|line| line.trim().to_owned()).collect(),
        false => vec![covers.to_owned()],
    }
}

fn lasts(option: OptionId) -> &'static str {
    match option {
        OptionId::Folder => {
            "This is saved for this folder; edit it if it should say something else."
        }
        OptionId::Always => {
            "This is saved for every folder; edit it if it should say something else."
        }
        _ => "This holds until Redline ends; edit it if it should say something else.",
    }
}
