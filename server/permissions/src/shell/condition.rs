//! `[[ … ]]`.

use super::reader::{Lost, Reader, lost};
use super::word::{Word, is_name};

const PART: &str = "the condition in `[[`";

/// They evaluate both sides as arithmetic.
const COMPARE: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Reader<'_> {
    /// From behind `[[` to behind `]]`.
    pub(super) fn condition(&mut self) -> Result<(), Lost> {
        if self.sink.is_posix {
            return lost(PART);
        }
        let mut words: Vec<Word> = Vec::new();
        loop {
            if self.peek() == Some('\n') && !self.documents.is_empty() {
                return lost(PART);
            }
            while self.eat("\n") || self.eat(" ") || self.eat("\t") || self.eat("\\\n") {}
            match self.peek() {
                None | Some(';' | '#') => return lost(PART),
                Some('&') if !self.eat("&&") => return lost(PART),
                Some('|') if !self.eat("||") => return lost(PART),
                Some('<' | '>') if self.peek_at(1) != Some('(') => self.at += 1,
                Some('&' | '|') => {}
                Some('(' | ')') => self.at += 1,
                Some(_) => {
                    let word = self.word()?;
                    // An extended glob, which needs no option here.
                    if self.peek() == Some('(') {
                        return lost(PART);
                    }
                    if word.is_bare("]]") {
                        break;
                    }
                    let matches = word.is_bare("=~");
                    words.push(word);
                    if matches {
                        self.regex()?;
                    }
                }
            }
        }
        self.conditions(&words);
        Ok(())
    }

    /// The word behind `=~`, in which parentheses and bars are its own.
    fn regex(&mut self) -> Result<(), Lost> {
        self.blanks();
        if self.peek() == Some('#') {
            return lost(PART);
        }
        let (mut open, mut word) = (0_usize, Word::new());
        while let Some(char) = self.peek() {
            match char {
                '(' => open += 1,
                ')' if open == 0 => return lost(PART),
                ')' => open -= 1,
                '|' => {}
                ' ' | '\t' | '\n' if open == 0 => return Ok(()),
                ' ' | '\t' | '\n' | ';' | '&' | '<' | '>' => return lost(PART),
                _ => {
                    self.part(&mut word, char)?;
                    continue;
                }
            }
            self.at += 1;
        }
        lost(PART)
    }

    fn conditions(&mut self, words: &[Word]) {
        for (index, word) in words.iter().enumerate() {
            let next = words.get(index + 1);
            let before = index.checked_sub(1).and_then(|before| words.get(before));
            let name = word.text().unwrap_or_default();
            if matches!(name, "-v" | "-R") {
                self.is_set(next);
            }
            if COMPARE.contains(&name) {
                self.compared(before);
                self.compared(next);
            }
        }
    }

    fn is_set(&mut self, word: Option<&Word>) {
        if !word.and_then(Word::text).is_some_and(is_name) {
            self.note("what `[[ -v` would evaluate");
        }
    }

    fn compared(&mut self, word: Option<&Word>) {
        let Some(word) = word else { return };
        self.sink.computes = true;
        let raw = word.raw.trim_matches('"');
        let name = raw.strip_prefix("${").and_then(|raw| raw.strip_suffix('}'));
        let name = name.or_else(|| raw.strip_prefix('$')).unwrap_or(raw);
        let is_number =
            |text: &str| text.trim_start_matches('-').chars().all(|c| c.is_ascii_digit());
        let is_length = raw == "$#" || raw == "$?" || raw.starts_with("${#") && raw.ends_with('}');
        match name {
            name if is_name(name) => self.evaluates(name),
            name if is_number(name) && word.is_known() || is_length => {}
            _ => self.note("what `[[` would evaluate"),
        }
    }
}
