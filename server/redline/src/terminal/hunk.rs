//! One hunk as a page of text.

use std::ops::Range;

use redline_text::{Text, line_edits};
use redline_workspace::{FileChange, HunkState, HunkView};

use super::{
    Paint, Style,
    cells::{printable, rows},
};

/// A hunk and where it stands.
pub struct Page<'a> {
    /// The file's name for people.
    pub file: &'a str,
    /// What becomes of the file.
    pub change: FileChange,
    /// Its place among the hunks of the file that this review is about, from 1, and their number.
    pub place: (usize, usize),
    /// The hunk.
    pub hunk: &'a HunkView,
    /// Lines of the file just above, with their ends.
    pub before: Vec<String>,
    /// Lines of the file just below.
    pub after: Vec<String>,
}

/// The page, in at most `width` columns, ending with a line end.
pub fn render(page: &Page<'_>, width: usize, paint: Paint) -> String {
    let mut out = header(page, paint) + "\n";
    for note in notes(page) {
        out += &paint.text(Style::Warning, &format!("  {note}\n"));
    }
    let mut lines = lines(page);
    let more = match page.change {
        FileChange::Deleted => lines.split_off(lines.len().min(MOST_DELETED)).len(),
        FileChange::Created | FileChange::Modified => 0,
    };
    let numbers = lines.iter().filter_map(|line| line.number).max().unwrap_or(0);
    let gutter = numbers.to_string().len().max(4);
    for line in &lines {
        out += &line.render(gutter, width, paint);
    }
    if more > 0 {
        out += &paint.text(Style::Faint, &format!("{:gutter$} … and {more} more lines\n", ""));
    }
    out
}

/// Lines of a file that is deleted: enough to know it by.
const MOST_DELETED: usize = 60;

fn header(page: &Page<'_>, paint: Paint) -> String {
    let (index, total) = page.place;
    let tool = printable(&page.hunk.origin.tool);
    let rest = format!("  hunk {index} of {total}  ({tool})");
    paint.text(Style::Strong, &printable(page.file)) + &paint.text(Style::Faint, &rest)
}

fn notes(page: &Page<'_>) -> Vec<&'static str> {
    let change = match page.change {
        FileChange::Modified => None,
        FileChange::Created => Some("a new file"),
        FileChange::Deleted => Some("the file is deleted"),
    };
    let conflict = (page.hunk.state == HunkState::Conflict)
        .then_some("conflict: the text it was made for is gone, it can only be rejected");
    let deletes = page.change == FileChange::Deleted;
    let mixed = page.hunk.mixed.then_some(match deletes {
        true => "you typed in it since: it cannot be accepted",
        false => "mixed: it keeps what you typed inside",
    });
    let empty =
        (page.hunk.old_text.is_empty() && page.hunk.new_text.is_empty()).then_some(match deletes {
            true => "it is empty, or no text",
            false => "the file is empty",
        });
    [change, conflict, mixed, empty].into_iter().flatten().collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Context,
    Old,
    New,
}

struct Line<'a> {
    number: Option<usize>,
    sign: Sign,
    text: &'a str,
    words: Vec<Range<usize>>,
    open: bool,
}

impl Line<'_> {
    fn render(&self, gutter: usize, width: usize, paint: Paint) -> String {
        let (sign, styles) = match self.sign {
            Sign::Context => (" ", (Style::Normal, Style::Normal)),
            Sign::Old => ("-", (Style::Old, Style::OldWord)),
            Sign::New => ("+", (Style::New, Style::NewWord)),
        };
        let number = self.number.map(|n| n.to_string()).unwrap_or_default();
        let number = paint.text(Style::Faint, &format!("{number:>gutter$} "));
        let mut head = number + &paint.text(styles.0, &format!("{sign} "));
        let mut out = String::new();
        for row in rows(self.text, &self.words, styles, width.saturating_sub(gutter + 3), paint) {
            out += &head;
            out += &row;
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            head = " ".repeat(gutter + 3);
        }
        if self.open {
            let note = format!("{:gutter$} \\ no line end at the end of the file\n", "");
            out += &paint.text(Style::Faint, &note);
        }
        out
    }
}

fn lines<'a>(page: &'a Page<'_>) -> Vec<Line<'a>> {
    let hunk = page.hunk;
    let first = hunk.range.start.line as usize + 1;
    let dos = [&hunk.old_text, &hunk.new_text].iter().all(|text| is_dos(text));
    let mut out = Vec::new();
    let above = first.saturating_sub(page.before.len());
    let context = |number, text: &'a String| Line {
        number: Some(number),
        sign: Sign::Context,
        text: text.trim_end_matches(['\r', '\n']),
        words: Vec::new(),
        open: false,
    };
    out.extend(page.before.iter().zip(above..).map(|(text, n)| context(n, text)));
    let inside = changes(hunk);
    let mut number = first;
    for (sign, range) in inside {
        let (text, words) = match sign {
            Sign::New => (&hunk.new_text, &hunk.words_new),
            Sign::Context | Sign::Old => (&hunk.old_text, &hunk.words_old),
        };
        for line in each_line(text, range) {
            let numbered = (sign != Sign::New).then_some(number);
            number += usize::from(sign != Sign::New);
            let full = &text[line.clone()];
            out.push(Line {
                number: numbered,
                sign,
                text: without_end(full, dos),
                words: words.iter().filter_map(|word| inside_of(word, &line)).collect(),
                open: sign != Sign::Context && !full.ends_with(['\n', '\r']),
            });
        }
    }
    out.extend(page.after.iter().zip(number..).map(|(text, n)| context(n, text)));
    out
}

/// What of the hunk goes, comes and stays, in reading order, as byte ranges of its old text (of
/// its new text for `New`).
fn changes(hunk: &HunkView) -> Vec<(Sign, Range<usize>)> {
    let old = Text::from(hunk.old_text.as_str());
    let edits = line_edits(&old, &Text::from(hunk.new_text.as_str()));
    let mut out = Vec::new();
    let (mut at, mut new_at) = (0, 0);
    for edit in edits {
        new_at += edit.range.start - at;
        out.push((Sign::Context, at..edit.range.start));
        out.push((Sign::Old, edit.range.clone()));
        out.push((Sign::New, new_at..new_at + edit.new.len()));
        (at, new_at) = (edit.range.end, new_at + edit.new.len());
    }
    out.push((Sign::Context, at..hunk.old_text.len()));
    out
}

/// The lines in a byte range of a text, as byte ranges with their ends.
fn each_line(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    text[range].split_inclusive('\n').map(move |line| {
        at += line.len();
        at - line.len()..at
    })
}

fn inside_of(word: &Range<usize>, line: &Range<usize>) -> Option<Range<usize>> {
    let (start, end) = (word.start.max(line.start), word.end.min(line.end));
    (start < end).then(|| start - line.start..end - line.start)
}

/// Where all lines end in CR LF that is no news; where only some do, the CR is shown.
fn is_dos(text: &str) -> bool {
    text.split_inclusive('\n').all(|line| line.ends_with("\r\n"))
}

fn without_end(line: &str, dos: bool) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    if dos { line.strip_suffix('\r').unwrap_or(line) } else { line }
}

#[cfg(test)]
mod tests;
