//! What a thread does, as lines for people.

use redline_tools::{ReviewState, ToolCall, ToolEvent, ToolResult};
use serde_json::Value;

use crate::terminal::{Paint, Style, printable, rows};

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
    use super::*;

    fn check(result: ToolResult, want: &str) {
        let call = ToolCall { id: "1".into(), name: "Bash".into(), args: Value::Null };
        let title = "Bash cat /tmp/moon/a.py".to_owned();
        let (status, result) = (result.status(), Some(result));
        let event = ToolEvent { call, status, title, elapsed_ms: None, progress: None, result };
        assert_eq!(ended(&event, "/tmp/moon", 80, Paint::Plain).unwrap(), want);
    }

    #[test]
    fn a_command_shows_its_output() {
        let text =
            "<command>x</command>\n<output>one\n\x1b[2Jtwo\n</output>\n<exit_code>3</exit_code>";
        let want = "  ok  Bash cat a.py\n      one\n      ^[[2Jtwo\n      (exit code 3)\n";
        check(ToolResult::done(text), want);
        check(ToolResult::error("went wrong"), "  no  Bash cat a.py  went wrong\n");
        check(
            ToolResult::RejectedByUser { reason: "r".into(), comment: Some("why".into()) },
            "  no  Bash cat a.py  rejected: why\n",
        );
    }

    #[test]
    fn only_the_end_of_a_long_output_is_shown() {
        let lines: String = (1..=30).map(|n| format!("line {n}\n")).collect();
        let shown = output(&format!("<output>{lines}</output><exit_code>0</exit_code>"), 80);
        assert!(shown.starts_with("      … 20 lines above\n      line 21\n"), "{shown}");
        assert!(shown.ends_with("      line 30\n"), "{shown}");
    }
}
