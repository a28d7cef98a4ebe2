//! Unified diffs as `git apply` reads them.

use std::{fmt::Write as _, ops::Range};

use similar::{DiffOp, DiffTag, group_diff_ops};

use super::{
    cut::{CONTEXT, Cut},
    lines::{LineDiff, lines_of},
};
use crate::Text;

/// A Git-style diff of one file; `None` is a side on which there is no file. `path` is relative to
/// the folder it will be applied in (a leading `/` is left out) and is quoted as Git does it.
/// Empty if nothing differs.
pub fn unified(old: Option<&Text>, new: Option<&Text>, path: &str) -> String {
    unified_with_lines(old, new, path).0
}

/// The same, and [`changed_lines`](super::changed_lines) from the same look at the texts.
pub fn unified_with_lines(
    old: Option<&Text>,
    new: Option<&Text>,
    path: &str,
) -> (String, Option<(usize, usize)>) {
    let none = Text::new();
    let mut out = String::new();
    let (before, after) = (old.unwrap_or(&none), new.unwrap_or(&none));
    let Some(cut) = Cut::new(before, after) else {
        empty_file(&mut out, old.is_some(), new.is_some(), path);
        return (out, None);
    };
    header(&mut out, old.is_some(), new.is_some(), path);
    let diff = LineDiff::new(&cut.old, &cut.new);
    for group in group_diff_ops(diff.ops.clone(), CONTEXT) {
        hunk(&mut out, &diff, &group, cut.line);
    }
    (out, lines_of(&diff.edits(cut.start), before, after))
}

/// Only the extended header can say that an empty file comes or goes.
fn empty_file(out: &mut String, old: bool, new: bool, path: &str) {
    let what = match (old, new) {
        (false, true) => "new",
        (true, false) => "deleted",
        _ => return,
    };
    let (a, b) = (name("a/", path), name("b/", path));
    *out = format!("diff --git {a} {b}\n{what} file mode 100644\n");
}

fn header(out: &mut String, old: bool, new: bool, path: &str) {
    let side = |there: bool, prefix| {
        if !there {
            return "/dev/null".to_owned();
        }
        let name = name(prefix, path);
        // A tab says where a name with blanks ends.
        if name.contains(' ') { name + "\t" } else { name }
    };
    *out = format!("--- {}\n+++ {}\n", side(old, "a/"), side(new, "b/"));
}

fn name(prefix: &str, path: &str) -> String {
    let path = path.trim_start_matches('/');
    if !path.contains(|c: char| c.is_ascii_control() || matches!(c, '"' | '\\')) {
        return format!("{prefix}{path}");
    }
    let mut quoted = format!("\"{prefix}");
    for c in path.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_ascii_control() => quoted.push_str(&format!("\\{:03o}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// `above`: how many lines of both files come before those of the diff.
fn hunk(out: &mut String, diff: &LineDiff<'_>, ops: &[DiffOp], above: usize) {
    let (Some(first), Some(last)) = (ops.first(), ops.last()) else { return };
    let old = first.old_range().start..last.old_range().end;
    let new = first.new_range().start..last.new_range().end;
    out.push_str(&format!("@@ -{} +{} @@\n", span(old, above), span(new, above)));
    for op in ops {
        if op.tag() == DiffTag::Equal {
            lines(out, ' ', &diff.old.lines[op.old_range()]);
            continue;
        }
        lines(out, '-', &diff.old.lines[op.old_range()]);
        lines(out, '+', &diff.new.lines[op.new_range()]);
    }
}

/// Start and count as in a hunk's header: an empty range names the line before it.
fn span(range: Range<usize>, above: usize) -> String {
    let start = range.start + above;
    match range.len() {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        n => format!("{},{n}", start + 1),
    }
}

fn lines(out: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        // Writing to a String can't fail.
        let _ = write!(out, "{sign}{line}");
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests;
