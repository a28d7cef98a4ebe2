//! `${…}` and arithmetic.

use super::reader::{Lost, Reader, lost};
use super::variables::{is_dangerous, is_foreign_text, is_integer};
use super::word::{Word, is_name};

impl Reader<'_> {
    /// `${NAME}`, `${#NAME}`, `${NAME:-WORD}` and the like. Quotes inside follow rules that differ
    /// from place to place: then it is not read.
    pub(super) fn braced(&mut self, word: &mut Word, quoted: bool) -> Result<(), Lost> {
        let start = self.at;
        self.at += 2;
        let name = self.parameter();
        let read = self.operator(&name, start);
        word.raw.push_str(&self.since(start));
        word.push_unknown(quoted && !name.starts_with(['@']) && !name.ends_with(']'));
        read
    }

    /// The name, with its `#` before and its `[@]` behind; empty if it is another construct.
    fn parameter(&mut self) -> String {
        let start = self.at;
        if self.peek() == Some('#') && self.peek_at(1) != Some('}') {
            self.at += 1;
        }
        let name = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
            self.at += 1;
        }
        if self.at == name && self.peek().is_some_and(|c| "?#$!@*-".contains(c)) {
            self.at += 1;
        }
        let is_array = self.looking_at("[@]") || self.looking_at("[*]");
        if is_array {
            self.at += 3;
        }
        self.since(start)
    }

    fn operator(&mut self, name: &str, start: usize) -> Result<(), Lost> {
        let plain = name.trim_start_matches('#').trim_end_matches("[@]").trim_end_matches("[*]");
        let is_special = |name: &str| name.len() == 1 && "?#$!@*-".contains(name);
        let is_known =
            is_name(plain) || is_special(plain) || plain.chars().all(|c| c.is_ascii_digit());
        if !is_known || name.is_empty() {
            return self.unread(start);
        }
        if self.eat("}") {
            return Ok(());
        }
        // `${!x}` is another variable.
        if plain == "!" || name.starts_with('#') {
            return self.unread(start);
        }
        self.sink.computes = true;
        let colon = self.eat(":");
        match self.peek() {
            Some('-' | '+' | '?') => self.at += 1,
            Some('=') => {
                self.at += 1;
                self.sink.tainted.insert(plain.to_owned());
                if is_dangerous(plain) {
                    self.note(format!("the value that `{plain}` gets"));
                }
            }
            Some('#' | '%' | '/' | '^' | ',') if !colon => self.at += 1,
            Some(c) if colon && (c.is_ascii_digit() || c == ' ') => return self.substring(start),
            _ => return self.unread(start),
        }
        self.operand(start)
    }

    /// `${x:1:2}`: what stands there is arithmetic, so only digits.
    fn substring(&mut self, start: usize) -> Result<(), Lost> {
        while self.peek().is_some_and(|c| c.is_ascii_digit() || matches!(c, ' ' | ':' | '-')) {
            self.at += 1;
        }
        if self.eat("}") { Ok(()) } else { self.unread(start) }
    }

    /// The word behind the operator.
    fn operand(&mut self, start: usize) -> Result<(), Lost> {
        let mut inner = Word::new();
        self.deeper(|reader| {
            loop {
                match reader.peek() {
                    Some('}') => {
                        reader.at += 1;
                        return Ok(());
                    }
                    Some('$') if !matches!(reader.peek_at(1), Some('\'' | '"')) => {
                        reader.dollar(&mut inner, true)?;
                    }
                    Some('`') => reader.backquote(&mut inner, true)?,
                    None | Some('\'' | '"' | '\\' | '{' | '(' | '<' | '>' | '\0' | '$') => {
                        return reader.unread(start);
                    }
                    Some(_) => reader.at += 1,
                }
            }
        })
    }

    fn unread(&mut self, start: usize) -> Result<(), Lost> {
        const LONGEST: usize = 60;
        let rest = self.chars.get(start..).unwrap_or_default();
        let length = rest.iter().position(|&c| c == '}').map_or(rest.len(), |end| end + 1);
        let text: String = rest.iter().take(length.min(LONGEST)).collect();
        lost(format!("the expansion `{text}`"))
    }

    /// Arithmetic up to its `))`.
    pub(super) fn arithmetic_to_end(&mut self) -> Result<(), Lost> {
        self.deeper(|reader| reader.arithmetic(false))
    }

    /// The three parts between `((` and `))` of a loop.
    pub(super) fn arithmetic_parts(&mut self) -> Result<(), Lost> {
        self.deeper(|reader| reader.arithmetic(true))
    }

    /// Arithmetic. Values of variables are evaluated as arithmetic themselves, subscripts with
    /// substitutions included; what they may be is looked at when all is read.
    fn arithmetic(&mut self, parts: bool) -> Result<(), Lost> {
        self.sink.computes = true;
        let mut open = 0_usize;
        let mut inner = Word::new();
        loop {
            if open == 0 && self.eat("))") {
                return Ok(());
            }
            let Some(char) = self.peek() else { return lost(UNREAD) };
            if char == '\n' && !self.documents.is_empty() {
                return lost(UNREAD);
            }
            match char {
                '(' => open += 1,
                // Then it was no arithmetic but a subshell in a subshell.
                ')' if open == 0 => return lost(UNREAD),
                ')' => open -= 1,
                '$' => {
                    self.evaluated(&mut inner)?;
                    continue;
                }
                '`' => {
                    self.note(OUTPUT);
                    self.backquote(&mut inner, true)?;
                    continue;
                }
                c if c.is_ascii_alphanumeric() || c == '_' => {
                    self.identifier();
                    continue;
                }
                ';' if parts => {}
                c if " \t\n+-*/%<>=&|^!~?:,#@".contains(c) => {}
                _ => return lost(UNREAD),
            }
            self.at += 1;
        }
    }

    fn identifier(&mut self) {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
            self.at += 1;
        }
        let name = self.since(start);
        self.evaluates(&name);
    }

    /// Arithmetic reads that name, or sets it.
    pub(super) fn evaluates(&mut self, name: &str) {
        if is_name(name) {
            if is_foreign_text(name) {
                self.note(format!("the value of `{name}`, which arithmetic would evaluate,"));
            }
            if is_dangerous(name) && !is_integer(name) {
                self.note(format!("the value that `{name}` gets"));
            }
            self.sink.evaluated.insert(name.to_owned());
        }
    }

    /// What a `$` in arithmetic stands for is evaluated after it has been put in.
    fn evaluated(&mut self, inner: &mut Word) -> Result<(), Lost> {
        let start = self.at;
        let before = inner.pieces().len();
        self.dollar(inner, true)?;
        if inner.pieces().len() == before {
            return lost(UNREAD);
        }
        let text = self.since(start);
        let name = text.trim_start_matches("${").trim_start_matches('$').trim_end_matches('}');
        let is_number = text == "$#" || text == "$?" || text == "$$" || text.starts_with("${#");
        match name {
            name if is_name(name) => self.evaluates(name),
            _ if is_number || text.starts_with("$((") => {}
            _ => self.note(OUTPUT),
        }
        Ok(())
    }
}

const UNREAD: &str = "arithmetic in `((`";
const OUTPUT: &str = "what arithmetic would evaluate";
