//! `$'…'`: quotes with the escapes of C.

use super::reader::{Lost, Reader, lost};
use super::word::Word;

const PART: &str = "the quote `$'`";

impl Reader<'_> {
    pub(super) fn ansi(&mut self, word: &mut Word) -> Result<(), Lost> {
        if self.sink.is_posix {
            return lost(PART);
        }
        word.quoted = true;
        self.take(word);
        self.take(word);
        loop {
            match self.take(word) {
                None => return lost("the unbalanced quotes"),
                Some('\'') => return Ok(()),
                Some('\\') => match self.c_escape(word)? {
                    // What ends the text in C, or is no character of its own.
                    None => return lost(PART),
                    Some(char) => word.push(char),
                },
                Some('\0') => return lost("the NUL character"),
                Some(char) => word.push(char),
            }
        }
    }

    /// The character that an escape stands for, as far as that is one character for sure.
    fn c_escape(&mut self, word: &mut Word) -> Result<Option<char>, Lost> {
        let Some(char) = self.take(word) else { return lost(PART) };
        Ok(match char {
            'a' => Some('\u{7}'),
            'b' => Some('\u{8}'),
            'e' | 'E' => Some('\u{1b}'),
            'f' => Some('\u{c}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            'v' => Some('\u{b}'),
            '\\' | '\'' | '"' | '?' => Some(char),
            'x' => self.number(word, 16, 2, 0),
            'u' => self.number(word, 16, 4, 0),
            'U' => self.number(word, 16, 8, 0),
            '0'..='7' => self.number(word, 8, 2, char.to_digit(8).unwrap_or_default()),
            _ => None,
        })
    }

    fn number(&mut self, word: &mut Word, radix: u32, digits: usize, first: u32) -> Option<char> {
        let mut number = first;
        for _ in 0..digits {
            let Some(digit) = self.peek().and_then(|char| char.to_digit(radix)) else { break };
            number = number.checked_mul(radix)?.checked_add(digit)?;
            self.take(word);
        }
        char::from_u32(number).filter(|char| char.is_ascii() && *char != '\0')
    }
}
