//! An ask in the terminal: everything the user needs to decide, and one key for each answer.

mod rules;

use std::time::Duration;

use redline_workspace::{Ask, AskAnswer, AskOption, OptionId};

use super::{
    Console, Key, Paint, Style,
    cells::{columns, printable, rows, wrapped},
};

/// How long a key cannot have been meant for what has just appeared.
const UNREAD: Duration = Duration::from_millis(300);

/// Shows the ask and waits for an answer. Leaving (Ctrl-C, end of input) rejects; `None`: the ask
/// was withdrawn meanwhile (`stop`).
pub fn answer(
    ask: &Ask,
    queue: (usize, usize),
    console: &mut dyn Console,
    stop: &dyn Fn() -> bool,
) -> Option<AskAnswer> {
    if stop() {
        return None;
    }
    let (width, paint) = (console.width(), console.paint());
    console.print(&render(ask, queue, width, paint));
    console.forget_typed();
    let readable = console.now() + UNREAD;
    let keys: Vec<String> = choices(ask).iter().map(|choice| choice.key.to_string()).collect();
    let question = paint.text(Style::Key, &format!("Allow it? [{}] ", keys.join(",")));
    loop {
        console.print(&question);
        let mut key = console.key(stop);
        // Leaving allows nothing, so it is never too early.
        while console.now() < readable && !matches!(key, Key::End | Key::Stopped) {
            key = console.key(stop);
        }
        let answer = match key {
            Key::Stopped => None,
            Key::End => {
                console.print("\n");
                Some(AskAnswer::reject(None))
            }
            Key::Char(c) => match choices(ask).into_iter().find(|choice| choice.key == c) {
                Some(choice) => take(&choice, console, stop),
                None => hint(console),
            },
            _ => hint(console),
        };
        if let Some(answer) = answer {
            console.print(&paint.text(Style::Faint, &format!("{}\n\n", said(&answer))));
            return Some(answer);
        }
        if key == Key::Stopped || stop() {
            console.print("\nIt is not needed any more.\n");
            return None;
        }
    }
}

/// The ask as text in at most `width` columns; nothing of it is left out.
pub fn render(ask: &Ask, (index, total): (usize, usize), width: usize, paint: Paint) -> String {
    let mut out = String::from("\n");
    let queue = if total > 1 { format!("  ({index} of {total})") } else { String::new() };
    let heading = format!("The agent asks to use {}{queue}", printable(&ask.tool));
    out += &paint.text(Style::Warning, &heading);
    out.push('\n');
    if let Some(note) = &ask.note {
        out += &paint.text(Style::Warning, &wrapped(note, "    ", width));
    }
    for line in what(ask).lines() {
        out += &field("", line, Style::Strong, width, paint);
    }
    out += &field("in", &ask.cwd.display().to_string(), Style::Normal, width, paint);
    out += &labelled("    ", ("why", Style::Faint), &ask.reason.text, width, paint);
    for (label, files) in [("pending", &ask.pending), ("unsaved", &ask.unsaved)] {
        if !files.is_empty() {
            let text = format!("{} (not on disk)", files.join(", "));
            out += &field(label, &text, Style::Normal, width, paint);
        }
    }
    out.push('\n');
    for choice in choices(ask) {
        out +=
            &format!("  {}  {}\n", paint.text(Style::Key, &choice.key.to_string()), choice.label);
    }
    out
}

/// The exact command or diffstat; without one, the arguments.
fn what(ask: &Ask) -> String {
    ask.detail.clone().unwrap_or_else(|| format!("{} {}", ask.tool, ask.args))
}

fn field(label: &str, text: &str, style: Style, width: usize, paint: Paint) -> String {
    const INDENT: usize = 4;
    let label = if label.is_empty() { String::new() } else { format!("{label}  ") };
    let indent = INDENT + columns(&label);
    let mut head = " ".repeat(INDENT) + &paint.text(Style::Faint, &label);
    let mut out = String::new();
    for row in rows(text, &[], (style, style), width.saturating_sub(indent), paint) {
        out += &format!("{head}{row}\n");
        head = " ".repeat(indent);
    }
    out
}

/// Prose behind a label, wrapped at words.
fn labelled(
    indent: &str,
    (label, style): (&str, Style),
    text: &str,
    width: usize,
    paint: Paint,
) -> String {
    let head = format!("{indent}{label}  ");
    let body = wrapped(text, &" ".repeat(columns(&head)), width);
    format!("{indent}{}  {}", paint.text(style, label), body.trim_start())
}

struct Choice<'a> {
    key: char,
    label: String,
    option: &'a AskOption,
    comment: bool,
}

fn choices(ask: &Ask) -> Vec<Choice<'_>> {
    ask.options.iter().flat_map(choices_of).collect()
}

fn choices_of(option: &AskOption) -> Vec<Choice<'_>> {
    let rules = |text: &String| text.lines().map(printable).collect::<Vec<_>>().join("; ");
    let covers = option.covers.as_ref().map(|text| format!(": {}", rules(text)));
    let label = printable(&option.label) + &covers.unwrap_or_default();
    let choice = |key, label, comment| Choice { key, label, option, comment };
    match option.id {
        OptionId::Once => vec![choice('y', label, false)],
        OptionId::Session => vec![choice('s', label, false)],
        OptionId::Folder => vec![choice('f', label, false)],
        OptionId::Always => vec![choice('e', label, false)],
        OptionId::AcceptAndRun => vec![choice('a', label, false)],
        OptionId::SaveAndRun => vec![choice('w', label, false)],
        OptionId::RunWithout => vec![choice('x', label, false)],
        OptionId::Reject => vec![
            choice('n', label, false),
            choice('c', "Reject and tell the agent why".to_owned(), true),
        ],
    }
}

/// The answer of a choice; `None` if the user left the comment's or the rule's line: back to the
/// question.
fn take(
    choice: &Choice<'_>,
    console: &mut dyn Console,
    stop: &dyn Fn() -> bool,
) -> Option<AskAnswer> {
    console.print(&format!("{}\n", choice.key));
    let (mut comment, mut rule) = (None, None);
    if choice.comment {
        comment = Some(console.edit("Why not? ", "", stop)?).filter(|text| !text.is_empty());
    } else if let Some(covers) = &choice.option.covers {
        rule = rules::edited(covers, choice.option.id, console, stop)?.changed();
    }
    Some(AskAnswer { option: choice.option.id, comment, rule })
}

fn hint(console: &mut dyn Console) -> Option<AskAnswer> {
    console.print("\nPress one of these keys; Enter alone decides nothing.\n");
    None
}

fn said(answer: &AskAnswer) -> &'static str {
    match answer.option {
        OptionId::Once => "Allowed once.",
        OptionId::Session => "Allowed until this ends.",
        OptionId::Folder => "Allowed in this folder from now on.",
        OptionId::Always => "Allowed everywhere from now on.",
        OptionId::AcceptAndRun => "Accepted, and allowed once.",
        OptionId::SaveAndRun => "Saved, and allowed once.",
        OptionId::RunWithout => "Allowed once, without these changes.",
        OptionId::Reject => "Rejected.",
    }
}

#[cfg(test)]
mod tests;
