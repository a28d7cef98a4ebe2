//! A line of text that is edited in place: pure, but for [`read_line`], which draws it.

use super::{
    Console, Key,
    cells::{columns, printable},
};

/// The text and the cursor, in chars.
#[derive(Debug, Default)]
struct Line {
    chars: Vec<char>,
    at: usize,
}

impl Line {
    fn of(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        Self { at: chars.len(), chars }
    }

    fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// What a key that does not end the line does to it.
    fn press(&mut self, key: Key) {
        match key {
            Key::Char(c) => {
                self.chars.insert(self.at, c);
                self.at += 1;
            }
            Key::Backspace if self.at > 0 => {
                self.at -= 1;
                self.chars.remove(self.at);
            }
            Key::Delete if self.at < self.chars.len() => {
                self.chars.remove(self.at);
            }
            Key::Clear => *self = Self::default(),
            Key::Left => self.at = self.at.saturating_sub(1),
            Key::Right => self.at = self.chars.len().min(self.at + 1),
            Key::LineStart => self.at = 0,
            Key::LineEnd => self.at = self.chars.len(),
            _ => {}
        }
    }

    /// What is seen of it in `width` columns, and how many columns the cursor is from its end.
    fn view(&self, width: usize) -> (String, usize) {
        let shown = |from: usize, to: usize| {
            let part: String = self.chars.get(from..to).unwrap_or_default().iter().collect();
            printable(&part)
        };
        let mut start = 0;
        // The cursor stays in sight, with a little of what is before it.
        while start < self.at && columns(&shown(start, self.at)) >= width {
            start += 1;
        }
        let mut end = self.chars.len();
        while end > self.at && columns(&shown(start, end)) > width {
            end -= 1;
        }
        (shown(start, end), columns(&shown(self.at, end)))
    }
}

/// Reads a line that begins as `text`; `None` if the user left it with Escape, Ctrl-C or Ctrl-D, or
/// `stop` says that nobody waits for it. Draws with nothing but spaces, backspaces and carriage
/// returns, which every terminal knows.
pub fn read_line(
    console: &mut dyn Console,
    prompt: &str,
    text: &str,
    stop: &dyn Fn() -> bool,
) -> Option<String> {
    let mut line = Line::of(text);
    let width = console.width().saturating_sub(columns_of(prompt) + 1).max(10);
    console.print(&format!("{prompt}{}", line.view(width).0));
    loop {
        let key = console.key(stop);
        match key {
            Key::Enter => {
                console.print("\n");
                return Some(line.text().trim().to_owned());
            }
            Key::Escape | Key::End | Key::Stopped => {
                console.print("\n");
                return None;
            }
            key => {
                let before = line.view(width);
                line.press(key);
                let drawn = redrawn(prompt, &before, &line.view(width));
                console.print(&drawn);
            }
        }
    }
}

/// What brings the screen from one view to another.
fn redrawn(prompt: &str, before: &(String, usize), after: &(String, usize)) -> String {
    if let ((old, 0), (new, 0)) = (before, after)
        && let Some(more) = new.strip_prefix(old.as_str())
    {
        return more.to_owned();
    }
    if before == after {
        return String::new();
    }
    let (text, back) = after;
    let gone = columns(&before.0).saturating_sub(columns(text));
    let (blank, back) = (" ".repeat(gone), "\x08".repeat(gone + back));
    format!("\r{prompt}{text}{blank}{back}")
}

/// The columns of a prompt, which may have colours.
fn columns_of(prompt: &str) -> usize {
    let mut parts = prompt.split("\x1b[");
    let first = parts.next().map_or(0, columns);
    first
        + parts.map(|part| part.split_once('m').map_or(0, |(_, text)| columns(text))).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_edit_at_the_cursor() {
        let check = |keys: &[Key], want: &str, at: usize| {
            let mut line = Line::of("abc");
            keys.iter().for_each(|key| line.press(*key));
            assert_eq!((line.text().as_str(), line.at), (want, at), "{keys:?}");
        };
        check(&[Key::Char('d')], "abcd", 4);
        check(&[Key::Left, Key::Char('x')], "abxc", 3);
        check(&[Key::Left, Key::Left, Key::Backspace], "bc", 0);
        check(&[Key::LineStart, Key::Backspace, Key::Left], "abc", 0);
        check(&[Key::LineStart, Key::Delete, Key::Delete], "c", 0);
        check(&[Key::Right, Key::Delete], "abc", 3);
        check(&[Key::LineStart, Key::LineEnd], "abc", 3);
        check(&[Key::Clear, Key::Char('z')], "z", 1);
        check(&[Key::Other, Key::Enter], "abc", 3);
    }

    #[test]
    fn a_long_line_scrolls() {
        let check = |at: usize, want: &str, back: usize| {
            let line = Line { chars: "0123456789日本".chars().collect(), at };
            assert_eq!(line.view(6), (want.to_owned(), back), "{at}");
        };
        check(0, "012345", 6);
        check(5, "012345", 1);
        check(6, "123456", 1);
        check(12, "9日本", 0);
    }

    #[test]
    fn it_is_drawn_with_little() {
        let check = |before: (&str, usize), after: (&str, usize), want: &str| {
            let owned = |(text, back): (&str, usize)| (text.to_owned(), back);
            assert_eq!(redrawn("> ", &owned(before), &owned(after)), want);
        };
        check(("ab", 0), ("abc", 0), "c");
        check(("ab", 0), ("a", 0), "\r> a \x08");
        check(("ab", 0), ("ab", 1), "\r> ab\x08");
        check(("ab", 1), ("b", 1), "\r> b \x08\x08");
        check(("ab", 1), ("ab", 1), "");
        assert_eq!(columns_of("\x1b[1;36mRule: \x1b[0m"), 6);
    }
}
