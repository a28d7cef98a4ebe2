//! Lists, pipelines and simple commands.

use super::reader::{Lost, Reader, lost};
use super::word::Word;

/// What ends a list of commands.
#[derive(Debug, Clone, Copy)]
pub(super) enum End<'k> {
    Text,
    Parenthesis,
    Keywords(&'k [&'k str]),
    /// `;;` and its like, or `esac`; neither is taken.
    Case,
}

/// Keywords that only stand where a list ends.
const CLOSING: [&str; 9] = ["then", "elif", "else", "fi", "do", "done", "esac", "}", "]]"];

/// Words that mean something where a command begins.
pub(super) const OPENING: [&str; 11] =
    ["if", "for", "while", "until", "case", "select", "function", "coproc", "{", "[[", "!"];

/// A simple command while it is read.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) words: Vec<Word>,
    /// Files that `<` reads, and here-strings with unknowns in them.
    pub(super) reads: Vec<Word>,
    pub(super) is_piped: bool,
    /// Whether the program's name was read: what comes behind is no assignment.
    pub(super) is_named: bool,
    /// Whether its input is redirected from a here-document or here-string, and that one's text.
    pub(super) script: Option<Option<String>>,
}

impl Reader<'_> {
    pub(super) fn text(&mut self) -> Result<(), Lost> {
        self.list(End::Text, false)?;
        self.no_documents()
    }

    /// Commands up to the end, which is taken; tells which keyword it was.
    pub(super) fn list<'k>(&mut self, end: End<'k>, piped: bool) -> Result<&'k str, Lost> {
        loop {
            self.lines()?;
            match (end, self.peek()) {
                (End::Text, None) => return Ok(""),
                (End::Text, Some(')')) => return lost("the parenthesis that nothing opens"),
                (End::Parenthesis, None) => return lost("the unclosed parenthesis"),
                (End::Parenthesis, Some(')')) => {
                    self.at += 1;
                    return Ok("");
                }
                (End::Keywords(words), _) => {
                    if let Some(word) = words.iter().find(|word| self.eat_keyword(word)) {
                        return Ok(word);
                    }
                }
                (End::Case, _) if self.looking_at(";;") || self.looking_at(";&") => return Ok(""),
                (End::Case, _) if self.keyword() == "esac" => return Ok(""),
                _ => {}
            }
            if self.peek().is_none() {
                return lost(unclosed(end));
            }
            if self.sink.is_full() {
                return lost("the number of its commands");
            }
            self.and_or(piped)?;
        }
    }

    /// Pipelines with `&&` and `||` between them, and the separator behind them.
    fn and_or(&mut self, piped: bool) -> Result<(), Lost> {
        let kept = self.sink.place.keep();
        loop {
            self.pipeline(piped)?;
            self.blanks();
            if self.eat("||") {
                self.sink.place.settle();
            } else if !self.eat("&&") {
                break;
            }
            self.lines()?;
        }
        self.sink.place.settle();
        match self.peek() {
            None | Some('\n' | ')') => Ok(()),
            Some(';') if self.looking_at(";;") || self.looking_at(";&") => Ok(()),
            Some(';') => {
                self.at += 1;
                Ok(())
            }
            Some('&') => {
                self.at += 1;
                self.sink.place.restore(kept);
                Ok(())
            }
            Some(_) => lost("what follows a command"),
        }
    }

    /// Each part of a pipeline runs in a subshell; without a pipe, it is this shell itself.
    fn pipeline(&mut self, piped: bool) -> Result<(), Lost> {
        let kept = self.sink.place.keep();
        let is_negated = self.prefixes()?;
        self.command(piped)?;
        while self.pipe()? {
            self.sink.place.restore(kept.clone());
            // Here `!` and `time` are no keywords.
            self.blanks();
            self.command(true)?;
            self.sink.place.restore(kept.clone());
        }
        if is_negated {
            // What follows `&&` then runs where a `cd` failed.
            self.sink.place.settle();
        }
        Ok(())
    }

    fn pipe(&mut self) -> Result<bool, Lost> {
        self.blanks();
        if self.looking_at("||") || self.peek() != Some('|') {
            return Ok(false);
        }
        if self.sink.is_posix && self.looking_at("|&") {
            return lost("the operator `|&`");
        }
        let _ = self.eat("|&") || self.eat("|");
        self.lines()?;
        Ok(true)
    }

    /// `!`, and `time` before what is no simple command, at the start of a pipeline. Tells whether
    /// there was a `!`.
    fn prefixes(&mut self) -> Result<bool, Lost> {
        let mut is_negated = false;
        loop {
            self.blanks();
            if self.eat_keyword("!") {
                is_negated = true;
                continue;
            }
            if self.keyword() != "time" || !self.is_compound_after_time() {
                return Ok(is_negated);
            }
            if self.sink.is_posix {
                return lost("the keyword `time`");
            }
            self.eat("time");
            self.blanks();
            self.eat_keyword("-p");
        }
    }

    fn is_compound_after_time(&mut self) -> bool {
        let start = self.at;
        self.eat("time");
        self.blanks();
        self.eat_keyword("-p");
        self.blanks();
        let is_compound = self.peek() == Some('(') || OPENING.contains(&self.keyword().as_str());
        self.at = start;
        is_compound
    }

    fn command(&mut self, piped: bool) -> Result<(), Lost> {
        let keyword = self.keyword();
        if CLOSING.contains(&keyword.as_str()) {
            return lost(format!("the shell keyword `{keyword}`"));
        }
        if keyword == "!" {
            return lost("the `!` behind a pipe");
        }
        let is_compound = self.peek() == Some('(') || OPENING.contains(&keyword.as_str());
        if is_compound {
            return self.deeper(|reader| reader.compound(&keyword, piped));
        }
        self.simple(piped)
    }

    pub(super) fn simple(&mut self, is_piped: bool) -> Result<(), Lost> {
        let mut draft = Draft { is_piped, ..Draft::default() };
        let start = self.at;
        let read = self.words(&mut draft);
        let is_empty = self.at == start;
        let defined = matches!(read, Ok(true)).then(|| draft.words.pop()).flatten();
        if let Some(name) = defined {
            return self.deeper(|reader| reader.function(&name, is_piped));
        }
        // What was read is still told, so that a reject rule can see it.
        self.finish(draft);
        match read {
            Ok(_) if is_empty => lost("the missing command"),
            read => read.map(|_| ()),
        }
    }

    /// Words and redirections up to a separator. `true`: it was the name of a function, and `()`.
    fn words(&mut self, draft: &mut Draft) -> Result<bool, Lost> {
        loop {
            self.blanks();
            let is_redirection =
                matches!(self.peek(), Some('<' | '>')) && self.peek_at(1) != Some('(');
            match self.peek() {
                None | Some('\n' | ';' | '|' | ')') => return Ok(false),
                Some('&') if self.looking_at("&>") => self.redirection(draft)?,
                Some('&') => return Ok(false),
                Some('#') => self.skip_comment(),
                Some('(') if self.parentheses(draft)? => return Ok(true),
                Some('(') => {}
                Some(_) if is_redirection => self.redirection(draft)?,
                Some(_) => self.next_word(draft)?,
            }
        }
    }

    pub(super) fn skip_comment(&mut self) {
        while self.peek().is_some_and(|char| char != '\n') {
            self.at += 1;
        }
    }

    fn next_word(&mut self, draft: &mut Draft) -> Result<(), Lost> {
        let word = self.word()?;
        if word.raw.is_empty() {
            return lost("what follows a command");
        }
        let redirects = matches!(self.peek(), Some('<' | '>'));
        if redirects && word.is_descriptor() {
            return Ok(());
        }
        if redirects && word.raw.starts_with('{') && word.raw.ends_with('}') {
            self.note("the redirection with a variable");
            return Ok(());
        }
        if !draft.is_named && word.is_element() {
            return lost(format!("the subscript in `{}`", word.raw));
        }
        if draft.words.is_empty() && self.is_keyword_after_all(&word) {
            return lost(format!("the shell keyword `{}`", word.raw));
        }
        draft.is_named |= word.assigned().is_none();
        draft.words.push(word);
        Ok(())
    }

    /// A keyword that a line continuation has hidden.
    fn is_keyword_after_all(&self, word: &Word) -> bool {
        OPENING.iter().chain(&CLOSING).any(|keyword| word.is_bare(keyword))
    }

    /// A parenthesis behind words. `true`: the only one was the name of a function.
    fn parentheses(&mut self, draft: &mut Draft) -> Result<bool, Lost> {
        let array = draft.words.last().filter(|word| word.raw.ends_with('='));
        if array.and_then(Word::assigned).is_some() && !self.before_is_blank() {
            self.array(draft)?;
            return Ok(false);
        }
        self.at += 1;
        self.blanks();
        if draft.words.len() == 1 && draft.reads.is_empty() && self.eat(")") {
            return Ok(true);
        }
        lost("the parenthesis in a command")
    }

    fn before_is_blank(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.chars.get(at));
        matches!(before, Some(' ' | '\t' | '\n'))
    }

    /// `NAME=(…)`: its elements are words.
    fn array(&mut self, draft: &mut Draft) -> Result<(), Lost> {
        let start = self.at;
        self.at += 1;
        loop {
            self.lines()?;
            if self.eat(")") {
                break;
            }
            let word = self.word()?;
            if word.raw.is_empty() || word.raw.starts_with('[') {
                return lost("the array");
            }
        }
        // The word would go on.
        if !matches!(
            self.peek(),
            None | Some(' ' | '\t' | '\n' | ';' | '&' | '|' | ')' | '<' | '>')
        ) {
            return lost("the array");
        }
        let text = self.since(start);
        if let Some(word) = draft.words.last_mut() {
            self.sink.arrays.extend(word.assigned().map(str::to_owned));
            word.raw.push_str(&text);
            word.push_unknown(false);
        }
        Ok(())
    }
}

fn unclosed(end: End<'_>) -> String {
    match end {
        End::Keywords([.., last]) => format!("the missing `{last}`"),
        End::Case => "the missing `esac`".to_owned(),
        _ => "the unclosed parenthesis".to_owned(),
    }
}
