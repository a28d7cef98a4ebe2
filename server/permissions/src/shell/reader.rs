//! Splitting a command text.

use super::word::Word;
use super::{Shell, SimpleCommand};

/// How deep substitutions and subshells may stand in each other.
const MAX_DEPTH: usize = 16;

pub(super) fn read(text: &str, depth: usize) -> Shell {
    let mut reader =
        Reader { chars: text.chars().collect(), at: 0, depth, shell: Shell::default() };
    // Reading stops at the first thing that is not understood lexically: behind it, nobody knows
    // what is text and what is a command.
    if let Err(Lost(part)) = reader.list(false, false) {
        reader.note(part);
    }
    if is_torn(text) {
        reader.note("the line continuation inside an operator".to_owned());
    }
    reader.shell
}

/// A shell takes line continuations away before it looks for operators, inside double quotes too:
/// `$` and `(` on two lines are a substitution. Quoting is not looked at: to ask is never wrong.
fn is_torn(text: &str) -> bool {
    ["$\\\n", "<\\\n", ">\\\n"].iter().any(|torn| text.contains(torn))
}

/// What stands where reading had to stop.
struct Lost(String);

fn lost<T>(part: impl Into<String>) -> Result<T, Lost> {
    Err(Lost(part.into()))
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    shell: Shell,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn looking_at(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, char)| self.chars.get(self.at + i) == Some(&char))
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.looking_at(text);
        if found {
            self.at += text.chars().count();
        }
        found
    }

    fn note(&mut self, part: String) {
        self.shell.opaque.get_or_insert(part);
    }

    /// Commands up to the end of the text, or to the parenthesis that closes them.
    fn list(&mut self, inside: bool, is_piped: bool) -> Result<(), Lost> {
        if self.depth > MAX_DEPTH {
            return lost("the depth of nesting");
        }
        let mut command = Command { is_piped, ..Command::default() };
        loop {
            match self.peek() {
                None if inside => return self.give_up(command, "the unclosed parenthesis"),
                None => break,
                Some(')') if inside => break,
                Some(')') => return self.give_up(command, "the parenthesis that nothing opens"),
                Some('(') => self.subshell(&mut command)?,
                Some(_) => self.step(&mut command)?,
            }
        }
        self.at += usize::from(inside);
        self.finish(command);
        Ok(())
    }

    /// What was read is still told, so that a reject rule can see it.
    fn give_up(&mut self, command: Command, part: &str) -> Result<(), Lost> {
        self.finish(command);
        lost(part)
    }

    fn step(&mut self, command: &mut Command) -> Result<(), Lost> {
        if self.eat(" ") || self.eat("\t") || self.eat("\\\n") {
            return Ok(());
        }
        if self.eat("#") {
            while self.peek().is_some_and(|char| char != '\n') {
                self.at += 1;
            }
            return Ok(());
        }
        if self.looking_at("<") || self.looking_at(">") || self.looking_at("&>") {
            return self.redirection();
        }
        let is_pipe = self.looking_at("|") && !self.looking_at("||");
        if self.separator() {
            self.finish(std::mem::take(command));
            command.is_piped = is_pipe;
            return Ok(());
        }
        match self.word() {
            Ok(word) if word.is_descriptor() && (self.looking_at("<") || self.looking_at(">")) => {}
            Ok(word) => command.words.push(word),
            Err(Lost(part)) => return self.give_up(std::mem::take(command), &part),
        }
        Ok(())
    }

    /// `;;` and the like separate too; only `case` has them, and that is opaque itself.
    fn separator(&mut self) -> bool {
        ["&&", "||", "|&", "\n", ";", "&", "|"].into_iter().any(|text| self.eat(text))
    }

    fn subshell(&mut self, command: &mut Command) -> Result<(), Lost> {
        let is_start = command.words.is_empty() && !command.is_group;
        if !is_start || self.looking_at("((") {
            let part = if is_start { "arithmetic in `((`" } else { "the parenthesis in a command" };
            return self.give_up(std::mem::take(command), part);
        }
        self.at += 1;
        command.is_group = true;
        self.nested(command.is_piped)
    }

    fn nested(&mut self, is_piped: bool) -> Result<(), Lost> {
        self.depth += 1;
        let read = self.list(true, is_piped);
        self.depth -= 1;
        read
    }

    fn finish(&mut self, command: Command) {
        if command.is_group && !command.words.is_empty() {
            self.note("what follows a parenthesis".to_owned());
        }
        let (made, opaque) = SimpleCommand::new(&command.words, command.is_piped);
        self.shell.commands.extend(made);
        if let Some(part) = opaque {
            self.note(part);
        }
    }

    fn redirection(&mut self) -> Result<(), Lost> {
        let documents = [("<<", "the here-document"), ("<(", PROCESS), (">(", PROCESS)];
        if let Some((_, part)) = documents.into_iter().find(|(text, _)| self.looking_at(text)) {
            return lost(part);
        }
        let duplicates = self.looking_at(">&") || self.looking_at("<&");
        let writes = ["&>>", "&>", ">>", ">|", ">&", "<>", ">"].into_iter().any(|op| self.eat(op));
        if !writes && !self.eat("<&") {
            self.eat("<");
        }
        while self.eat(" ") || self.eat("\t") || self.eat("\\\n") {}
        let target = self.word()?;
        if target.raw.is_empty() {
            return lost("the redirection without a target");
        }
        let digits = target.raw.strip_suffix('-').unwrap_or(&target.raw);
        let is_number = digits.chars().all(|c| c.is_ascii_digit());
        let harmless = (duplicates && is_number) || target.cooked() == "/dev/null";
        if writes && !harmless {
            self.shell.writes.push(target.cooked());
        }
        Ok(())
    }

    fn word(&mut self) -> Result<Word, Lost> {
        let mut word = Word::new();
        while let Some(char) = self.peek() {
            match char {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                '\'' => self.single(&mut word)?,
                '"' => self.double(&mut word)?,
                '\\' => self.escape(&mut word)?,
                '$' => self.dollar(&mut word, false)?,
                '`' => self.backquote(&mut word)?,
                '\0' => return lost("the NUL character"),
                _ => {
                    self.take(&mut word);
                    word.push_bare(char);
                }
            }
        }
        Ok(word)
    }

    /// Moves on by one character, which becomes part of the word as written.
    fn take(&mut self, word: &mut Word) -> Option<char> {
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
                Some('$') => self.dollar(word, true)?,
                Some('`') => self.backquote(word)?,
                Some('\\') => self.quoted_escape(word)?,
                Some(char) => {
                    self.take(word);
                    if char == '"' {
                        return Ok(());
                    }
                    word.push(char);
                }
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
            Some(char) => {
                word.push(char);
                Ok(())
            }
        }
    }

    fn dollar(&mut self, word: &mut Word, quoted: bool) -> Result<(), Lost> {
        match self.chars.get(self.at + 1).copied() {
            Some('(') if self.looking_at("$((") => lost("arithmetic in `$((`"),
            Some('(') => self.substitution(word),
            Some('{') => self.braced(word),
            Some('[') => lost("arithmetic in `$[`"),
            Some(quote @ ('\'' | '"')) if !quoted => lost(format!("the quote `${quote}`")),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                self.take(word);
                while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
                    self.take(word);
                }
                word.push_unknown();
                Ok(())
            }
            Some(c) if c.is_ascii_digit() || "?#$!@*-".contains(c) => {
                self.take(word);
                self.take(word);
                word.push_unknown();
                Ok(())
            }
            _ => {
                self.take(word);
                word.push('$');
                Ok(())
            }
        }
    }

    fn substitution(&mut self, word: &mut Word) -> Result<(), Lost> {
        let start = self.at;
        self.at += 2;
        let read = self.nested(false);
        word.raw.extend(self.chars.get(start..self.at).unwrap_or_default());
        word.push_unknown();
        read
    }

    /// `${NAME}` only: with an operator it could be any text.
    fn braced(&mut self, word: &mut Word) -> Result<(), Lost> {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|&c| c == '}').map_or(rest.len(), |end| end + 1);
        let text: String = rest.iter().take(length).collect();
        let name = text.strip_prefix("${").and_then(|text| text.strip_suffix('}'));
        let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !name.is_some_and(|name| !name.is_empty() && is_name(name)) {
            return lost(format!("the expansion `{text}`"));
        }
        self.at += length;
        word.raw.push_str(&text);
        word.push_unknown();
        Ok(())
    }

    /// A backslash inside has rules of its own, which nobody knows by heart.
    fn backquote(&mut self, word: &mut Word) -> Result<(), Lost> {
        self.take(word);
        let mut inner = String::new();
        loop {
            match self.take(word) {
                None => return lost("the unclosed backquote"),
                Some('`') => break,
                Some('\\') => return lost("the backslash inside backquotes"),
                Some(char) => inner.push(char),
            }
        }
        let shell = read(&inner, self.depth + 1);
        self.shell.commands.extend(shell.commands);
        self.shell.writes.extend(shell.writes);
        shell.opaque.into_iter().for_each(|part| self.note(part));
        word.push_unknown();
        Ok(())
    }
}

#[derive(Default)]
struct Command {
    words: Vec<Word>,
    /// Whether a subshell stood there.
    is_group: bool,
    /// Whether a `|` stands before it.
    is_piped: bool,
}

const QUOTES: &str = "the unbalanced quotes";
const PROCESS: &str = "the process substitution";
