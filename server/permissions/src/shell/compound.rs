//! Groups, loops, branches and functions.

use super::grammar::{Draft, End, OPENING};
use super::reader::{Lost, Reader, lost};
use super::variables::{is_capital, is_dangerous};
use super::word::{Word, is_name};

impl Reader<'_> {
    /// The compound command that begins with that keyword, or with a parenthesis, and its
    /// redirections.
    pub(super) fn compound(&mut self, keyword: &str, piped: bool) -> Result<(), Lost> {
        let count = self.sink.count();
        if self.sink.is_posix && matches!(keyword, "[[" | "select" | "function" | "coproc") {
            return lost(format!("the keyword `{keyword}`"));
        }
        match keyword {
            "" => self.parenthesis(piped)?,
            "{" => {
                self.eat("{");
                self.list(End::Keywords(&["}"]), piped)?;
            }
            "[[" => {
                self.eat("[[");
                self.condition()?;
            }
            "function" => return self.function_keyword(piped),
            "coproc" => {
                self.eat("coproc");
                self.note("the coprocess");
                self.blanks();
                return self.deeper(|reader| reader.coprocess(piped));
            }
            _ => self.branching(keyword, piped)?,
        }
        self.redirections(count)
    }

    /// A `cd` in it may or may not have run, and what comes first may run again.
    fn branching(&mut self, keyword: &str, piped: bool) -> Result<(), Lost> {
        self.eat(keyword);
        // A menu tells its words.
        self.sink.computes |= keyword == "select";
        self.sink.place.branches += 1;
        let read = match keyword {
            "if" => self.conditional(piped),
            "while" | "until" => self.while_loop(piped),
            "case" => self.case(piped),
            _ => self.for_loop(piped),
        };
        self.sink.place.branches -= 1;
        read
    }

    fn parenthesis(&mut self, piped: bool) -> Result<(), Lost> {
        if self.looking_at("((") {
            if self.sink.is_posix {
                return lost("arithmetic in `((`");
            }
            let start = self.at;
            self.at += 2;
            let read = self.arithmetic_to_end();
            let Err(Lost(part)) = read else { return Ok(()) };
            if !self.sink.may_read_again() {
                return lost(part);
            }
            // If it is a group in a group instead, a reject rule should see it.
            self.note(part);
            self.at = start;
        }
        self.at += 1;
        let kept = self.sink.place.keep();
        let read = self.list(End::Parenthesis, piped);
        self.sink.place.restore(kept);
        read.and_then(|_| self.no_documents())
    }

    /// The commands of `$(…)` and `<(…)`, from behind the parenthesis.
    pub(super) fn inside_parentheses(&mut self, piped: bool) -> Result<(), Lost> {
        let outer = std::mem::take(&mut self.documents);
        let start = self.at;
        let around = std::mem::replace(&mut self.around, super::command::Around::none());
        let kept = self.sink.place.keep();
        let read = self.deeper(|reader| reader.list(End::Parenthesis, piped).map(|_| ()));
        self.sink.place.restore(kept);
        self.around = around;
        let read = read.and_then(|()| self.no_documents());
        let lines = self.chars.get(start..self.at).is_some_and(|chars| chars.contains(&'\n'));
        if lines && !outer.is_empty() {
            // Versions of bash differ in where the body begins then.
            self.note("the lines between a here-document and its body");
        }
        self.documents = outer;
        read
    }

    fn conditional(&mut self, piped: bool) -> Result<(), Lost> {
        self.list(End::Keywords(&["then"]), piped)?;
        loop {
            match self.list(End::Keywords(&["elif", "else", "fi"]), piped)? {
                "elif" => {
                    self.list(End::Keywords(&["then"]), piped)?;
                }
                "else" => {
                    self.list(End::Keywords(&["fi"]), piped)?;
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
    }

    fn while_loop(&mut self, piped: bool) -> Result<(), Lost> {
        self.list(End::Keywords(&["do"]), piped)?;
        self.list(End::Keywords(&["done"]), piped)?;
        Ok(())
    }

    /// `for NAME in WORDS; do …; done`, `for ((…)); do …; done`, and the same with `select`.
    fn for_loop(&mut self, piped: bool) -> Result<(), Lost> {
        self.blanks();
        if self.looking_at("((") {
            if self.sink.is_posix {
                return lost("arithmetic in `((`");
            }
            self.at += 2;
            self.arithmetic_parts()?;
            self.blanks();
            self.eat(";");
        } else {
            self.loop_words()?;
        }
        self.lines()?;
        if self.eat_keyword("{") {
            self.list(End::Keywords(&["}"]), piped)?;
            return Ok(());
        }
        self.expect("do")?;
        self.list(End::Keywords(&["done"]), piped)?;
        Ok(())
    }

    fn loop_words(&mut self) -> Result<(), Lost> {
        let name = self.word()?;
        if !is_name(&name.raw) {
            return lost("the name of the loop's variable");
        }
        if is_dangerous(&name.raw) || is_capital(&name.raw) {
            self.note(format!("the value that `{}` gets", name.raw));
        }
        self.lines()?;
        let mut is_plain = false;
        if self.eat_keyword("in") {
            is_plain = true;
            loop {
                self.blanks();
                if self.peek() == Some('#') {
                    self.skip_comment();
                }
                let word = self.word()?;
                if word.raw.is_empty() {
                    break;
                }
                is_plain &= word.text().is_some_and(is_number) && !word.globs;
            }
            if !self.eat(";") && self.peek() != Some('\n') {
                return lost("the words of the loop");
            }
        } else {
            self.eat(";");
        }
        if !is_plain {
            self.sink.tainted.insert(name.raw);
        }
        Ok(())
    }

    fn case(&mut self, piped: bool) -> Result<(), Lost> {
        self.blanks();
        if self.peek() == Some('#') {
            return lost("the word of `case`");
        }
        self.word()?;
        self.expect("in")?;
        loop {
            self.lines()?;
            if self.eat_keyword("esac") {
                return Ok(());
            }
            self.eat("(");
            self.patterns()?;
            self.list(End::Case, piped)?;
            let _ = self.eat(";;&") || self.eat(";;") || self.eat(";&");
        }
    }

    /// `A | B)`.
    fn patterns(&mut self) -> Result<(), Lost> {
        loop {
            self.blanks();
            if self.peek() == Some('#') || self.word()?.raw.is_empty() {
                return lost("the pattern of `case`");
            }
            self.blanks();
            if self.eat(")") {
                return Ok(());
            }
            if !self.eat("|") {
                return lost("the pattern of `case`");
            }
        }
    }

    fn function_keyword(&mut self, piped: bool) -> Result<(), Lost> {
        self.eat("function");
        self.blanks();
        let name = self.word()?;
        self.blanks();
        if self.eat("(") {
            self.blanks();
            if !self.eat(")") {
                return lost("the function definition");
            }
        }
        self.function(&name, piped)
    }

    /// The body of a function. Its commands count as if they were run at once.
    pub(super) fn function(&mut self, name: &Word, piped: bool) -> Result<(), Lost> {
        let plain = name.text().filter(|_| !name.quoted && !name.globs && !name.raw.is_empty());
        let plain = plain.filter(|plain| !plain.starts_with('#'));
        let Some(plain) = plain.map(str::to_owned) else { return lost("the function definition") };
        if matches!(plain.as_str(), "cd" | "pushd" | "popd" | "builtin" | "command") {
            self.note(format!("the function that takes the place of `{plain}`"));
        }
        self.lines()?;
        let keyword = self.keyword();
        let starts = self.peek() == Some('(') || OPENING.contains(&keyword.as_str());
        if !starts || matches!(keyword.as_str(), "function" | "coproc" | "!") {
            return lost("the function definition");
        }
        self.sink.functions.push(plain);
        self.sink.place.branches += 1;
        let read = self.compound(&keyword, piped);
        self.sink.place.branches -= 1;
        self.sink.functions.pop();
        read
    }

    /// `coproc [NAME] COMMAND`.
    fn coprocess(&mut self, piped: bool) -> Result<(), Lost> {
        let start = self.at;
        let named = self.word().is_ok();
        self.blanks();
        let keyword = self.keyword();
        if named && (self.peek() == Some('(') || OPENING.contains(&keyword.as_str())) {
            return self.compound(&keyword, piped);
        }
        self.at = start;
        let keyword = self.keyword();
        if self.peek() == Some('(') || OPENING.contains(&keyword.as_str()) {
            return self.compound(&keyword, piped);
        }
        self.simple(piped)
    }

    /// Redirections behind a compound command: what they read, all its commands may.
    fn redirections(&mut self, count: usize) -> Result<(), Lost> {
        let mut draft = Draft::default();
        loop {
            self.blanks();
            let start = self.at;
            while self.peek().is_some_and(|c| c.is_ascii_digit()) {
                self.at += 1;
            }
            let is_one = matches!(self.peek(), Some('<' | '>')) || self.looking_at("&>");
            if !is_one || self.peek_at(1) == Some('(') {
                self.at = start;
                break;
            }
            self.redirection(&mut draft)?;
        }
        for command in self.sink.since(count) {
            command.reads.extend(draft.reads.iter().map(super::command::argument));
        }
        Ok(())
    }
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}
