//! Words, and the quotes in them.

use super::reader::{self, Lost, Reader, lost};
use super::word::Word;

const QUOTES: &str = "the unbalanced quotes";

impl Reader<'_> {
    /// The word that begins here; an empty one where none does.
    pub(super) fn word(&mut self) -> Result<Word, Lost> {
        let mut word = Word::new();
        while let Some(char) = self.peek() {
            match char {
                '<' | '>' if self.peek_at(1) == Some('(') => self.process(&mut word)?,
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                _ => self.part(&mut word, char)?,
            }
        }
        Ok(word)
    }

    /// What stands inside a word.
    pub(super) fn part(&mut self, word: &mut Word, char: char) -> Result<(), Lost> {
        match char {
            '\'' => self.single(word),
            '"' => self.double(word),
            '\\' => self.escape(word),
            '$' => self.dollar(word, false),
            '`' => self.backquote(word, false),
            '\0' => lost("the NUL character"),
            _ => {
                self.take(word);
                word.push_bare(char);
                Ok(())
            }
        }
    }

    /// Moves on by one character, which becomes part of the word as written.
    pub(super) fn take(&mut self, word: &mut Word) -> Option<char> {
        let char = self.peek()?;
        self.at += 1;
        word.raw.push(char);
        Some(char)
    }

    fn single(&mut self, word: &mut Word) -> Result<(), Lost> {
        word.quoted = true;
        self.take(word);
        loop {
            match self.take(word) {
                None => return lost(QUOTES),
                Some('\0') => return lost("the NUL character"),
                Some('\'') => return Ok(()),
                Some(char) => word.push(char),
            }
        }
    }

    fn double(&mut self, word: &mut Word) -> Result<(), Lost> {
        word.quoted = true;
        self.take(word);
        loop {
            match self.peek() {
                None => return lost(QUOTES),
                Some('"') => {
                    self.take(word);
                    return Ok(());
                }
                Some(char) => self.quoted(word, char)?,
            }
        }
    }

    /// What stands inside double quotes, and in the body of a here-document.
    pub(super) fn quoted(&mut self, word: &mut Word, char: char) -> Result<(), Lost> {
        match char {
            '$' => self.dollar(word, true),
            '`' => self.backquote(word, true),
            '\\' => self.quoted_escape(word),
            '\0' => lost("the NUL character"),
            char => {
                self.take(word);
                word.push(char);
                Ok(())
            }
        }
    }

    fn quoted_escape(&mut self, word: &mut Word) -> Result<(), Lost> {
        if self.eat("\\\n") {
            return Ok(());
        }
        self.take(word);
        match self.peek() {
            None => return lost(QUOTES),
            Some('$' | '`' | '"' | '\\') => {
                if let Some(char) = self.take(word) {
                    word.push(char);
                }
            }
            Some(_) => word.push('\\'),
        }
        Ok(())
    }

    fn escape(&mut self, word: &mut Word) -> Result<(), Lost> {
        if self.eat("\\\n") {
            return Ok(());
        }
        word.quoted = true;
        self.take(word);
        match self.take(word) {
            None => lost("the backslash at the end"),
            Some('\0') => lost("the NUL character"),
            Some(char) => {
                word.push(char);
                Ok(())
            }
        }
    }

    pub(super) fn dollar(&mut self, word: &mut Word, quoted: bool) -> Result<(), Lost> {
        match self.peek_at(1) {
            Some('(') if self.looking_at("$((") => {
                self.at += 3;
                let start = self.at;
                self.arithmetic_to_end()?;
                word.raw.push_str("$((");
                word.raw.push_str(&self.since(start));
                // A number: with the default IFS it is one word.
                word.push_unknown(true);
                Ok(())
            }
            Some('(') => self.substitution(word, quoted),
            Some('{') => self.braced(word, quoted),
            Some('[') => lost("arithmetic in `$[`"),
            Some('\'') if !quoted => self.ansi(word),
            Some('"') if !quoted => {
                self.note("the quote `$\"`");
                self.take(word);
                self.double(word)
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                self.take(word);
                while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
                    self.take(word);
                }
                word.push_unknown(quoted);
                Ok(())
            }
            Some(c) if c.is_ascii_digit() || "?#$!@*-".contains(c) => {
                self.take(word);
                self.take(word);
                // In quotes too, `$@` is as many words as there are.
                word.push_unknown(quoted && c != '@');
                Ok(())
            }
            _ => {
                self.take(word);
                word.push('$');
                Ok(())
            }
        }
    }

    fn substitution(&mut self, word: &mut Word, quoted: bool) -> Result<(), Lost> {
        let start = self.at;
        self.at += 2;
        let read = self.inside_parentheses(false);
        word.raw.push_str(&self.since(start));
        word.push_unknown(quoted);
        read
    }

    /// `<(…)`.
    fn process(&mut self, word: &mut Word) -> Result<(), Lost> {
        if self.sink.is_posix {
            return lost("the process substitution");
        }
        // The name of a file in /dev/fd.
        self.substitution(word, true)
    }

    /// Backquotes: a text inside this one, in which a backslash quotes only what it has to.
    pub(super) fn backquote(&mut self, word: &mut Word, quoted: bool) -> Result<(), Lost> {
        self.take(word);
        let mut inner = String::new();
        loop {
            match self.take(word) {
                None => return lost("the unclosed backquote"),
                Some('`') => break,
                Some('\\') => match self.take(word) {
                    Some(char @ ('$' | '`' | '\\')) => inner.push(char),
                    Some('"') if quoted => return lost("the quotes inside backquotes"),
                    Some(char) => inner.extend(['\\', char]),
                    None => return lost("the unclosed backquote"),
                },
                Some(char) => inner.push(char),
            }
        }
        word.push_unknown(quoted);
        let kept = self.sink.place.keep();
        let around = super::command::Around::none();
        let read = self.deeper(|reader| {
            reader::read_within(&inner, reader.sink, reader.depth, &around);
            Ok(())
        });
        self.sink.place.restore(kept);
        read
    }
}
