//! The place in a text, and what leads further.

use std::sync::Arc;

use super::command::Around;
use super::redirect::Document;
use super::sink::Sink;

/// How deep substitutions, groups and texts inside texts may stand in each other.
pub(super) const MAX_DEPTH: usize = 24;

/// Reads a text that is no part of another.
pub(super) fn read(text: &str, sink: &mut Sink, depth: usize) {
    read_within(text, sink, depth, &Around::none());
}

/// Reads a text that a command would run.
pub(super) fn read_within(text: &str, sink: &mut Sink, depth: usize, around: &Arc<Around>) {
    if !sink.spend(text.len()) {
        return;
    }
    let chars: Vec<char> = text.chars().collect();
    let mut reader =
        Reader { chars, at: 0, depth, documents: Vec::new(), around: around.clone(), sink };
    if is_torn(text) {
        reader.note("the line continuation inside an operator");
    }
    // Reading stops at the first thing that is not understood lexically: behind it, nobody knows
    // what is text and what is a command.
    if let Err(Lost(part)) = reader.text() {
        reader.sink.note(part);
    }
}

/// A shell takes line continuations away before it looks for operators, inside double quotes too:
/// `$` and `(` on two lines are a substitution. Quoting is not looked at: to ask is never wrong.
fn is_torn(text: &str) -> bool {
    let torn = |(at, _): (usize, &str)| {
        text.get(..at).is_some_and(|before| before.ends_with(['$', '<', '>', '&', '|', ';', '(']))
    };
    text.match_indices("\\\n").any(torn)
}

/// What stands where reading had to stop.
#[derive(Debug)]
pub(super) struct Lost(pub(super) String);

pub(super) fn lost<T>(part: impl Into<String>) -> Result<T, Lost> {
    Err(Lost(part.into()))
}

pub(super) struct Reader<'s> {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    pub(super) depth: usize,
    /// Here-documents whose bodies begin after this line.
    pub(super) documents: Vec<Document>,
    /// What runs this text.
    pub(super) around: Arc<Around>,
    pub(super) sink: &'s mut Sink,
}

impl Reader<'_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    pub(super) fn looking_at(&self, text: &str) -> bool {
        let mut here = self.chars.get(self.at..).unwrap_or_default().iter();
        text.chars().all(|char| here.next() == Some(&char))
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.looking_at(text);
        if found {
            self.at += text.chars().count();
        }
        found
    }

    pub(super) fn note(&mut self, part: impl Into<String>) {
        self.sink.note(part.into());
    }

    /// Text as written.
    pub(super) fn since(&self, start: usize) -> String {
        self.chars.get(start..self.at).unwrap_or_default().iter().collect()
    }

    /// One level further in.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Lost>,
    ) -> Result<T, Lost> {
        if self.depth >= MAX_DEPTH {
            return lost("the depth of nesting");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Blanks and joined lines.
    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t')) || self.looking_at("\\\n") {
            self.at += if self.peek() == Some('\\') { 2 } else { 1 };
        }
    }

    /// Blanks, comments and ends of lines, behind which the bodies of here-documents stand.
    pub(super) fn lines(&mut self) -> Result<(), Lost> {
        loop {
            self.blanks();
            match self.peek() {
                Some('#') => self.comment(),
                Some('\n') => self.end_line()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) {
        while self.peek().is_some_and(|char| char != '\n') {
            self.at += 1;
        }
    }

    fn end_line(&mut self) -> Result<(), Lost> {
        self.at += 1;
        self.bodies()
    }

    /// An unquoted word that may be a keyword, not taken. Only what a keyword can consist of.
    pub(super) fn keyword(&self) -> String {
        const LONGEST: usize = 9;
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let is_end =
            |c: &char| matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>');
        let word = rest.iter().take(LONGEST).take_while(|c| !is_end(c));
        let word: String = word.collect();
        if word.chars().count() == LONGEST { String::new() } else { word }
    }

    /// Takes a keyword, if it stands here.
    pub(super) fn eat_keyword(&mut self, word: &str) -> bool {
        let found = self.keyword() == word;
        if found {
            self.at += word.chars().count();
        }
        found
    }

    pub(super) fn expect(&mut self, word: &str) -> Result<(), Lost> {
        self.lines()?;
        if self.eat_keyword(word) { Ok(()) } else { lost(format!("the missing `{word}`")) }
    }
}
