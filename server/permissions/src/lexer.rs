//! Words of the text form, quoted as in a POSIX shell.

use crate::{Place, Problem, RuleError};

/// One word, unquoted, with its place (both counted from 1, the column in chars).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Word {
    pub(crate) fn place(&self) -> Place {
        Place::Text { line: self.line, column: self.column }
    }
}

/// Splits a text into rules, and each rule into its words. A rule ends with its line, unless a
/// backslash or an open quote carries it on; `#` starts a comment where a word could start.
pub(crate) fn rules(text: &str) -> Result<Vec<Vec<Word>>, RuleError> {
    let mut lexer = Lexer { chars: text.chars().collect(), at: 0, line: 1, column: 1 };
    let mut rules = Vec::new();
    let mut words = Vec::new();
    while let Some(char) = lexer.peek() {
        match char {
            '\n' => {
                lexer.next();
                rules.push(std::mem::take(&mut words));
            }
            ' ' | '\t' | '\r' => {
                lexer.next();
            }
            '#' => lexer.comment(),
            '\\' if lexer.continues() => {}
            _ => words.push(lexer.word()?),
        }
    }
    rules.push(words);
    rules.retain(|words| !words.is_empty());
    Ok(rules)
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: u32,
    column: u32,
}

impl Lexer {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += 1;
        if char == '\n' {
            self.line = self.line.saturating_add(1);
            self.column = 1;
        } else {
            self.column = self.column.saturating_add(1);
        }
        Some(char)
    }

    fn comment(&mut self) {
        while self.peek().is_some_and(|char| char != '\n') {
            self.next();
        }
    }

    /// Skips a backslash that joins two lines.
    fn continues(&mut self) -> bool {
        let after = self.chars.get(self.at + 1..).unwrap_or_default();
        let length = match after {
            ['\n', ..] => 2,
            ['\r', '\n', ..] => 3,
            _ => return false,
        };
        for _ in 0..length {
            self.next();
        }
        true
    }

    fn place(&self) -> Place {
        Place::Text { line: self.line, column: self.column }
    }

    fn word(&mut self) -> Result<Word, RuleError> {
        let mut word = Word { text: String::new(), line: self.line, column: self.column };
        while let Some(char) = self.peek() {
            let place = self.place();
            match char {
                ' ' | '\t' | '\r' | '\n' => break,
                '\'' => self.single(&mut word.text, place)?,
                '"' => self.double(&mut word.text, place)?,
                '\\' => self.escape(&mut word.text),
                ';' | '|' | '&' | '<' | '>' | '(' | ')' | '`' => {
                    return Err(RuleError { place, problem: Problem::Operator(char) });
                }
                _ => word.text.extend(self.next()),
            }
        }
        Ok(word)
    }

    /// At the end of the text a backslash is itself.
    fn escape(&mut self, text: &mut String) {
        if self.continues() {
            return;
        }
        self.next();
        text.push(self.next().unwrap_or('\\'));
    }

    fn single(&mut self, text: &mut String, open: Place) -> Result<(), RuleError> {
        self.next();
        while let Some(char) = self.next() {
            match char {
                '\'' => return Ok(()),
                other => text.push(other),
            }
        }
        Err(RuleError { place: open, problem: Problem::OpenQuote("single") })
    }

    fn double(&mut self, text: &mut String, open: Place) -> Result<(), RuleError> {
        self.next();
        while let Some(char) = self.peek() {
            match char {
                '"' => {
                    self.next();
                    return Ok(());
                }
                '\\' if self.continues() => {}
                '\\' => self.double_escape(text),
                _ => text.extend(self.next()),
            }
        }
        Err(RuleError { place: open, problem: Problem::OpenQuote("double") })
    }

    fn double_escape(&mut self, text: &mut String) {
        self.next();
        match self.peek() {
            Some('"' | '\\' | '$' | '`') => text.extend(self.next()),
            _ => text.push('\\'),
        }
    }
}
