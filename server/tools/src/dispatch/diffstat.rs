//! What an edit would change, for an ask: a diffstat and the change in short, as far as the arguments
//! say it. No file is opened for it: the user has not said yet that it may be.

use std::borrow::Cow;

use redline_text::{Text, unified};
use redline_workspace::{Snapshot, WorkspacePath};
use serde_json::Value;

use super::case::Case;
use crate::{Tools, dialect};

/// Lines of a diff that are shown.
const MAX_LINES: usize = 40;
/// Chars of such a line.
const MAX_WIDTH: usize = 400;
/// Bytes of both sides together of which a diff is made.
const MAX_BYTES: usize = 1024 * 1024;

/// A change, in the words of its arguments.
#[derive(Debug, Clone, PartialEq)]
enum Change<'a> {
    /// Texts that take the place of others, perhaps wherever those stand.
    Edits { pairs: Vec<(&'a str, &'a str)>, everywhere: bool },
    /// A whole file.
    Write { new: &'a str, present: Present },
    /// The file goes.
    Delete,
}

/// What a file holds that is written.
#[derive(Debug, Clone, PartialEq)]
enum Present {
    Nothing,
    Text(String),
    /// It is there, and nobody has read it.
    Unread,
}

impl Tools {
    /// Of a call that changes one file: `notes.txt  +3 −1` and the change below. `None`: it is no
    /// such call, or its arguments do not say what changes.
    pub(super) fn diffstat(&self, case: &Case<'_>) -> Option<String> {
        let path = case.paths.first()?;
        let file = WorkspacePath::assume_canonical(&path.real);
        let roots = self.workspace.roots();
        let inside = roots.iter().find_map(|root| path.real.strip_prefix(root).ok());
        let name = inside.unwrap_or(&path.real).display().to_string();
        let present = || {
            let held = self.workspace.query(|session| session.snapshot(&file, &case.scope.thread));
            present(held, || file.as_path().symlink_metadata().is_ok())
        };
        let names = dialect::ruled_names(case.call().name());
        Some(shown(&name, &change(&names, case.args, present)?))
    }
}

fn present(held: Option<Snapshot>, is_there: impl FnOnce() -> bool) -> Present {
    match held {
        Some(held) if held.exists => Present::Text(held.text.to_string()),
        Some(_) => Present::Nothing,
        None if is_there() => Present::Unread,
        None => Present::Nothing,
    }
}

fn change<'a>(
    names: &[&str],
    args: &'a Value,
    present: impl FnOnce() -> Present,
) -> Option<Change<'a>> {
    let is = |name: &str| names.contains(&name);
    if is("delete_file") {
        return Some(Change::Delete);
    }
    if is("create_file") {
        let new = args.get("content")?.as_str()?;
        return Some(Change::Write { new, present: present() });
    }
    let parts = match args.get("edits").and_then(Value::as_array) {
        Some(edits) => edits.iter().collect(),
        None => vec![args],
    };
    let pairs = parts.iter().map(|part| Some((text(part, "old")?, text(part, "new")?)));
    let pairs: Vec<_> = pairs.collect::<Option<_>>().filter(|_| is("edit_file"))?;
    let is_all = |part: &&Value| part.get("replace_all").and_then(Value::as_bool) == Some(true);
    Some(Change::Edits { pairs, everywhere: parts.iter().any(is_all) })
}

/// An argument in Amp's name or in that of its sisters.
fn text<'a>(args: &'a Value, side: &str) -> Option<&'a str> {
    let names = ["str", "string"].map(|end| format!("{side}_{end}"));
    names.iter().find_map(|name| args.get(name)?.as_str())
}

fn shown(name: &str, change: &Change<'_>) -> String {
    let (body, note) = match change {
        Change::Delete => return format!("{name}  is deleted"),
        Change::Edits { pairs, everywhere } => {
            let note = if *everywhere { "  (every occurrence)" } else { "" };
            let bodies: Vec<Body> =
                pairs.iter().map(|(old, new)| Body::of_lines(old, new)).collect();
            (Body::joined(bodies), note)
        }
        Change::Write { new, present } => match present {
            Present::Nothing => (Body::of("", new), "  (new file)"),
            Present::Text(old) => (Body::of(old, new), ""),
            Present::Unread => (Body::of("", new), "  (in place of all that it holds)"),
        },
    };
    let head = Cow::Owned(format!("{name}  {}{note}", body.stat()));
    std::iter::once(head).chain(body.short()).collect::<Vec<_>>().join("\n")
}

/// The lines of a diff without headers, each with `-`, `+` or a blank before it.
struct Body {
    lines: Vec<String>,
    /// Lines that come and go.
    count: (usize, usize),
}

impl Body {
    fn of(old: &str, new: &str) -> Self {
        if old.len() + new.len() > MAX_BYTES {
            return Self::untold(old, new);
        }
        let diff = unified(Some(&Text::from(old)), Some(&Text::from(new)), "x");
        let mut lines: Vec<String> = Vec::new();
        // Two lines are the header; texts that do not differ have none.
        for line in diff.lines().skip(2).filter(|line| !line.starts_with('\\')) {
            match line.starts_with("@@ ") {
                false => lines.push(line.to_owned()),
                true if lines.is_empty() => {}
                true => lines.push(GAP.to_owned()),
            }
        }
        let with = |sign| lines.iter().filter(|line| line.starts_with(sign)).count();
        Self { count: (with('+'), with('-')), lines }
    }

    /// The same of parts of a text: that they do not end with a line end is no news.
    fn of_lines(old: &str, new: &str) -> Self {
        let whole = |text: &'_ str| match text.is_empty() || text.ends_with('\n') {
            true => text.to_owned(),
            false => format!("{text}\n"),
        };
        Self::of(&whole(old), &whole(new))
    }

    fn untold(old: &str, new: &str) -> Self {
        let lines =
            vec![format!("({} bytes are too much to be shown here)", old.len() + new.len())];
        Self { lines, count: (new.lines().count(), old.lines().count()) }
    }

    fn joined(bodies: Vec<Body>) -> Self {
        let mut all = Self { lines: Vec::new(), count: (0, 0) };
        for body in bodies {
            if !all.lines.is_empty() && !body.lines.is_empty() {
                all.lines.push(GAP.to_owned());
            }
            all.lines.extend(body.lines);
            all.count = (all.count.0 + body.count.0, all.count.1 + body.count.1);
        }
        all
    }

    fn stat(&self) -> String {
        match self.count {
            (0, 0) => "changes no line".to_owned(),
            (more, 0) => format!("+{more}"),
            (0, less) => format!("−{less}"),
            (more, less) => format!("+{more} −{less}"),
        }
    }

    fn short(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let left = self.lines.len().saturating_sub(MAX_LINES);
        let lines = if left == 1 { "line" } else { "lines" };
        let rest = (left > 0).then(|| Cow::Owned(format!("… {left} more {lines}")));
        self.lines.iter().take(MAX_LINES).map(|line| cut(line)).chain(rest)
    }
}

fn cut(line: &str) -> Cow<'_, str> {
    match line.char_indices().nth(MAX_WIDTH) {
        Some((end, _)) => Cow::Owned(format!("{}…", &line[..end])),
        None => Cow::Borrowed(line),
    }
}

const GAP: &str = " ⋮";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(tool: &str, args: Value, present: Present, want: &str) {
        let names = dialect::ruled_names(tool);
        let change = change(&names, &args, || present);
        let shown = change.map_or_else(String::new, |change| shown("n.txt", &change));
        assert_eq!(shown, want, "{tool} {args}");
    }

    #[test]
    fn edits() {
        let check = |tool: &str, args: Value, want: &str| check(tool, args, Present::Unread, want);
        let args = json!({"old_str": "a\nb\nc", "new_str": "a\nB\nc\nd"});
        check("edit_file", args, "n.txt  +2 −1\n a\n-b\n+B\n c\n+d");
        let args = json!({"old_string": "x", "new_string": "", "replace_all": true});
        check("edit_file", args, "n.txt  −1  (every occurrence)\n-x");
        check("edit_file", json!({"old_str": "", "new_str": "x\n"}), "n.txt  +1\n+x");
        check("edit_file", json!({"old_str": "x", "new_str": "x\n"}), "n.txt  changes no line");
        let edits =
            json!([{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": ""}]);
        check("multi_edit", json!({"edits": edits}), "n.txt  +1 −2\n-a\n+b\n ⋮\n-c");
        for nonsense in [json!({}), json!({"edits": [1]}), json!({"old_str": 1}), json!(null)] {
            check("edit_file", nonsense, "");
        }
        check("undo_edit", json!({"path": "n.txt"}), "");
        check("Read", json!({"old_str": "a", "new_str": "b"}), "");
        check("delete_file", json!({}), "n.txt  is deleted");
    }

    #[test]
    fn whole_files() {
        let args = || json!({"content": "a\nb\n"});
        check("create_file", args(), Present::Nothing, "n.txt  +2  (new file)\n+a\n+b");
        let old = Present::Text("a\nc\n".to_owned());
        check("write_file", args(), old, "n.txt  +1 −1\n a\n-c\n+b");
        let want = "n.txt  +2  (in place of all that it holds)\n+a\n+b";
        check("create_file", args(), Present::Unread, want);
        let empty = json!({"content": ""});
        check("create_file", empty, Present::Nothing, "n.txt  changes no line  (new file)");
    }

    #[test]
    fn much_is_cut() {
        let numbers = |n: usize| (0..n).map(|n| format!("{n}\n")).collect::<String>();
        let shown = |new: String| {
            let change = Change::Write { new: &new, present: Present::Nothing };
            shown("n.txt", &change)
        };
        let text = shown(numbers(41));
        assert!(text.ends_with("+39\n… 1 more line"), "{text}");
        let text = shown(numbers(100));
        assert_eq!(text.lines().count(), 42);
        assert!(text.ends_with("+39\n… 60 more lines"), "{text}");
        assert_eq!(shown("é".repeat(1_000)).lines().last().map(|it| it.chars().count()), Some(401));
        let text = shown(numbers(1_000_000));
        assert!(text.starts_with("n.txt  +1000000  (new file)\n(6888890 bytes are"), "{text}");
    }
}
