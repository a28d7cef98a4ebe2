//! Text from files, models and commands on a terminal: nothing in it may steer the terminal or
//! hide from the reader, and it takes the columns that it really takes.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::{Paint, Style};

const TAB: usize = 4;

/// One or more chars that share their columns.
struct Cell {
    text: String,
    width: usize,
    marked: bool,
}

/// A text in one line, with everything that would act on the terminal made visible.
pub fn printable(text: &str) -> String {
    cells(text, &[]).into_iter().map(|cell| cell.text).collect()
}

/// The columns that `printable(text)` takes.
pub fn columns(text: &str) -> usize {
    cells(text, &[]).iter().map(|cell| cell.width).sum()
}

/// A line of text as rows of at most `width` columns. The bytes of `marked` get the second style,
/// unless that were all of the line.
pub fn rows(
    line: &str,
    marked: &[Range<usize>],
    styles: (Style, Style),
    width: usize,
    paint: Paint,
) -> Vec<String> {
    let mut cells = cells(line, marked);
    let blank = |cell: &Cell| cell.text.trim().is_empty();
    if cells.iter().all(|cell| cell.marked || blank(cell)) {
        cells.iter_mut().for_each(|cell| cell.marked = false);
    }
    wrap(&cells, width.max(2)).iter().map(|row| painted(row, styles, paint)).collect()
}

/// Prose in lines of at most `width` columns (as far as its words allow), each behind `indent`.
/// Its own line ends stay.
pub fn wrapped(text: &str, indent: &str, width: usize) -> String {
    let room = width.saturating_sub(columns(indent)).max(20);
    let mut out = String::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace().map(printable) {
            if !line.is_empty() && columns(&line) + 1 + columns(&word) > room {
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

fn cells(line: &str, marked: &[Range<usize>]) -> Vec<Cell> {
    let mut out: Vec<Cell> = Vec::new();
    let mut column = 0;
    for (at, c) in line.char_indices() {
        let marked = marked.iter().any(|range| range.contains(&at));
        let (text, width) = shown(c, column);
        column += width;
        match out.last_mut() {
            Some(last) if width == 0 => last.text.push_str(&text),
            _ => out.push(Cell { text, width, marked }),
        }
    }
    out
}

/// What stands for a char at a column, and how wide it is. Control chars in caret notation; chars
/// that reorder or hide text (bidirectional controls, zero-width ones) by their number.
fn shown(c: char, column: usize) -> (String, usize) {
    let text = match c {
        '\t' => " ".repeat(TAB - column % TAB),
        '\0'..='\x1f' => format!("^{}", char::from(c as u8 + b'@')),
        '\x7f' => "^?".to_owned(),
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{feff}' => by_number(c),
        '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' => by_number(c),
        '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}' => by_number(c),
        c => return (c.to_string(), c.width().unwrap_or(0)),
    };
    let width = text.len();
    (text, width)
}

fn by_number(c: char) -> String {
    format!("<U+{:04X}>", u32::from(c))
}

/// Cuts at columns; a text without any cell is one empty row.
fn wrap(cells: &[Cell], width: usize) -> Vec<&[Cell]> {
    let mut rows = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (at, cell) in cells.iter().enumerate() {
        if used + cell.width > width && at > start {
            rows.push(&cells[start..at]);
            (start, used) = (at, 0);
        }
        used += cell.width;
    }
    rows.push(&cells[start..]);
    rows
}

fn painted(row: &[Cell], (plain, marked): (Style, Style), paint: Paint) -> String {
    row.chunk_by(|a, b| a.marked == b.marked)
        .map(|run| {
            let text: String = run.iter().map(|cell| cell.text.as_str()).collect();
            paint.text(if run[0].marked { marked } else { plain }, &text)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, width: usize, want: &[&str]) {
        let styles = (Style::Old, Style::OldWord);
        assert_eq!(rows(line, &[], styles, width, Paint::Plain), want, "{line:?}");
    }

    #[test]
    fn rows_have_the_width_that_is_seen() {
        check("", 10, &[""]);
        check("abcdef", 4, &["abcd", "ef"]);
        check("日本語", 4, &["日本", "語"]);
        check("a日本", 4, &["a日", "本"]);
        check("e\u{301}e\u{301}e", 2, &["e\u{301}e\u{301}", "e"]);
        check("\ta\tb", 20, &["    a   b"]);
    }

    #[test]
    fn nothing_steers_the_terminal_or_hides() {
        check("a\x1b[31mb\x07", 20, &["a^[[31mb^G"]);
        check("x\u{202e}y\u{9b}", 30, &["x<U+202E>y<U+009B>"]);
        assert_eq!(printable("one\r\ntwo"), "one^M^Jtwo");
        assert_eq!(columns("日\x1b"), 4);
    }

    #[test]
    fn prose_is_wrapped_at_words() {
        let text = wrapped("one two three four five\nsix", "> ", 22);
        assert_eq!(text, "> one two three four\n> five\n> six\n");
    }

    #[test]
    fn marks_are_left_out_where_they_would_cover_the_line() {
        let styles = (Style::New, Style::NewWord);
        let some = rows("  ab cd", std::slice::from_ref(&(2..4)), styles, 20, Paint::Ansi);
        assert_eq!(some, ["\x1b[32m  \x1b[0m\x1b[7;32mab\x1b[0m\x1b[32m cd\x1b[0m"]);
        let all = rows("  ab cd", std::slice::from_ref(&(2..7)), styles, 20, Paint::Ansi);
        assert_eq!(all, ["\x1b[32m  ab cd\x1b[0m"]);
    }
}
