//! What a thread does, as lines for people.

use redline_tools::{ReviewState, ToolCall, ToolEvent, ToolResult};
use serde_json::Value;

use crate::terminal::{Paint, Style, printable, rows};

/// Text in lines of at most `width` columns (as far as its words allow), each behind `indent`.
/// Its own line ends stay.
pub fn wrapped(text: &str, indent: &str, width: usize) -> String {
    let room = width.saturating_sub(indent.len()).max(20);
    let mut out = String::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace().map(printable) {
            let fits = line.is_empty() || line.chars().count() + 1 + word.chars().count() <= room;
            if !fits {
                out += &format!("{indent}{line}\n");
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += &word;
        }
        out += &format!("{indent}{line}\n");
    }
    out
}

/// A call that has ended: one line, and what a command printed.
pub fn ended(event: &ToolEvent, root: &str, width: usize, paint: Paint) -> Option<String> {
    let result = event.result.as_ref()?;
    let mark = match result {
        ToolResult::Done { .. } => paint.text(Style::New, "ok"),
        _ => paint.text(Style::Old, "no"),
    };
    let title = printable(&event.title).replace(&format!("{root}/"), "");
    let note = paint.text(Style::Faint, &note(result));
    let mut out = format!("  {mark}  {title}{note}\n");
    if let (ToolCall { name, .. }, ToolResult::Done { result: Value::String(text), .. }) =
        (&event.call, result)
        && name == "Bash"
    {
        out += &output(text, width);
    }
    Some(out)
}

fn note(result: &ToolResult) -> String {
    match result {
        ToolResult::Done { review: Some(review), .. } => {
            let count = review.hunks.len();
            let hunks = if count == 1 { "1 hunk".to_owned() } else { format!("{count} hunks") };
            match review.state {
                ReviewState::Pending => format!("  {hunks} for you to review"),
                ReviewState::Applied => format!("  {hunks} applied, as a rule allows"),
                ReviewState::Resolved => format!("  {hunks} decided"),
            }
        }
        ToolResult::Done { review: None, .. } => String::new(),
        ToolResult::Error { message, .. } => format!("  {}", printable(message)),
        ToolResult::RejectedByUser { comment: Some(comment), .. } => {
            format!("  rejected: {}", printable(comment))
        }
        ToolResult::RejectedByUser { .. } => "  rejected".to_owned(),
        ToolResult::Cancelled => "  cancelled".to_owned(),
    }
}

/// The end of what a command printed, out of Bash's result (seed 000, Bash, "Output Format").
fn output(result: &str, width: usize) -> String {
    let between = |open: &str, close: &str| {
        let start = result.find(open)? + open.len();
        Some(&result[start..start + result[start..].rfind(close)?])
    };
    let text = between("<output>", "</output>").unwrap_or(result).trim_end();
    let hidden = text.lines().count().saturating_sub(SHOWN_LINES);
    let mut out = String::new();
    if hidden > 0 {
        out += &format!("      … {hidden} lines above\n");
    }
    text.lines().skip(hidden).for_each(|line| out += &indented(line, width));
    if let Some(code) = between("<exit_code>", "</exit_code>").filter(|code| *code != "0") {
        out += &format!("      (exit code {})\n", printable(code));
    }
    out
}

/// Lines of a command's output that are shown.
const SHOWN_LINES: usize = 10;

/// A line behind an indent, cut at the right edge.
fn indented(line: &str, width: usize) -> String {
    let room = width.saturating_sub(6).max(20);
    let styles = (Style::Normal, Style::Normal);
    let row = rows(line, &[], styles, room, Paint::Plain).swap_remove(0);
    format!("      {row}").trim_end().to_owned() + "\n"
}

/// A unified diff with colours.
pub fn diff(text: &str, paint: Paint) -> String {
    let line = |line: &str| {
        let style = match line.as_bytes().first() {
            _ if line.starts_with("+++") || line.starts_with("---") => Style::Strong,
            Some(b'+') => Style::New,
            Some(b'-') => Style::Old,
            Some(b'@') => Style::Faint,
            _ => Style::Normal,
        };
        paint.text(style, &printable(line)) + "\n"
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(result: ToolResult, want: Expect) {
        let call = ToolCall { id: "1".into(), name: "Bash".into(), args: Value::Null };
        let title = "Bash cat /tmp/moon/a.py".to_owned();
        let (status, result) = (result.status(), Some(result));
        let event = ToolEvent { call, status, title, elapsed_ms: None, progress: None, result };
        want.assert_eq(&ended(&event, "/tmp/moon", 80, Paint::Plain).unwrap());
    }

    #[test]
    fn a_command_shows_its_output() {
        let text =
            "<command>x</command>\n<output>one\n\x1b[2Jtwo\n</output>\n<exit_code>3</exit_code>";
        check(
            ToolResult::done(text),
            expect![[r#"
              ok  Bash cat a.py
                  one
                  ^[[2Jtwo
                  (exit code 3)
        "#]],
        );
        check(
            ToolResult::error("went wrong"),
            expect![[r#"
              no  Bash cat a.py  went wrong
        "#]],
        );
        check(
            ToolResult::RejectedByUser { reason: "r".into(), comment: Some("why".into()) },
            expect![[r#"
                  no  Bash cat a.py  rejected: why
            "#]],
        );
    }

    #[test]
    fn text_is_wrapped_at_words() {
        assert_eq!(
            wrapped("one two three four five\nsix", "> ", 22),
            "> one two three four\n> five\n> six\n"
        );
    }
}
