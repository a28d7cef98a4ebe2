//! Where a long Markdown text may end: on a char boundary, not inside a tag, a link or an image, and
//! with its fence closed.

use super::html::fence_of;

/// Bytes that a tag, link or image is looked back for. A longer one is cut.
const LOOK_BACK: usize = 8 * 1024;

/// The text up to `limit` bytes at most, and whether anything was cut off.
pub(super) fn shortened(mut text: String, limit: usize) -> (String, bool) {
    if text.len() <= limit {
        return (text, false);
    }
    let end = place(&text, limit);
    text.truncate(end);
    if let Some(fence) = open_fence(&text) {
        let close = format!("\n{fence}");
        // The fence is closed within the limit; what is cut for it is inside the fence.
        text.truncate(floor(&text, end.min(limit.saturating_sub(close.len()))));
        text.push_str(&close);
    }
    (text, true)
}

/// The last char boundary at or before a byte offset.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// The last place at or before `limit` that is allowed.
fn place(text: &str, limit: usize) -> usize {
    let end = floor(text, limit);
    let start = floor(text, end.saturating_sub(LOOK_BACK));
    let window = text.get(start..end).unwrap_or_default();
    // None of the three crosses a line's end in what we write.
    let line = window.rfind('\n').map_or(start, |at| start + at + 1);
    let after = text.get(end..).and_then(|rest| rest.chars().next());
    match unfinished(text.get(line..end).unwrap_or_default(), after) {
        Some(at) => line + at,
        None => end,
    }
}

/// Where in a line a tag, link or image begins that is not over at its end; `after` is what comes
/// then.
fn unfinished(line: &str, after: Option<char>) -> Option<usize> {
    let mut state = State::default();
    let mut chars = line.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        if char == '\\' {
            chars.next();
            continue;
        }
        let next = chars.peek().map(|(_, next)| *next).or(after);
        state.step(at, char, next);
    }
    state.began()
}

#[derive(Default)]
struct State {
    /// Where words in brackets began, images included.
    brackets: Vec<usize>,
    /// Where the link began whose address is being read.
    address: Option<usize>,
    tag: Option<usize>,
    bang: Option<usize>,
}

impl State {
    fn step(&mut self, at: usize, char: char, next: Option<char>) {
        let bang = self.bang.take();
        match char {
            '>' if self.tag.is_some() => self.tag = None,
            _ if self.tag.is_some() => {}
            ')' => self.address = None,
            _ if self.address.is_some() => {}
            '!' => self.bang = Some(at),
            '[' => self.brackets.push(bang.unwrap_or(at)),
            ']' => {
                let began = self.brackets.pop();
                self.address = began.filter(|_| next == Some('('));
            }
            '<' if next.is_some_and(|next| next.is_ascii_alphabetic() || next == '/') => {
                self.tag = Some(at);
            }
            _ => {}
        }
    }

    fn began(&self) -> Option<usize> {
        self.brackets.first().copied().into_iter().chain(self.address).chain(self.tag).min()
    }
}

/// The fence that is not closed.
fn open_fence(text: &str) -> Option<String> {
    let mut open: Option<&str> = None;
    for line in text.lines() {
        match open {
            Some(fence) if line.trim() == fence => open = None,
            Some(_) => {}
            None => open = fence_of(line),
        }
    }
    open.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places() {
        let check = |text: &str, limit: usize, want: &str| {
            assert_eq!(shortened(text.to_owned(), limit).0, want, "{text} {limit}");
        };
        check("abc", 3, "abc");
        check("abc", 2, "ab");
        check("aé", 2, "a");
        check("see [words](http://x) now", 5, "see ");
        check("see [words](http://x) now", 10, "see ");
        check("see [words](http://x) now", 11, "see ");
        check("see [words](http://x) now", 20, "see ");
        check("see [words](http://x) now", 21, "see [words](http://x)");
        check("see [words](http://x\\)y) now", 22, "see ");
        check("a ![alt](http://x) b", 10, "a ");
        check("a [![alt](http://x)](http://y) b", 25, "a ");
        check("a [![alt](http://x)](http://y) b", 19, "a ");
        check("a <span title=\"x\"> b", 10, "a ");
        check("a < b and c", 5, "a < b");
        check("a \\[ b and c", 6, "a \\[ b");
        check("[x\ny and z", 5, "[x\ny ");
        check("wait! [a](b) c", 8, "wait! ");
        check("```rust\nfn main() {}\n```\nx", 18, "```rust\nfn mai\n```");
        check("````\n```\nmore words here", 16, "````\n```\nmo\n````");
    }

    proptest! {
        #[test]
        fn a_cut_text_is_a_beginning_within_its_limit(
            text in "[a-cé日\\[\\]()<>!`\\\\\n ]{0,200}", limit in 0usize..220,
        ) {
            let (kept, is_cut) = shortened(text.clone(), limit);
            prop_assert_eq!(is_cut, text.len() > limit);
            prop_assert!(kept.len() <= limit || open_fence(&text).is_some() || kept.contains("```"));
            let same = kept.chars().zip(text.chars()).take_while(|(a, b)| a == b).count();
            let rest: String = kept.chars().skip(same).collect();
            prop_assert!(rest.trim_start().chars().all(|char| char == '`'), "{}", rest);
        }
    }
}
