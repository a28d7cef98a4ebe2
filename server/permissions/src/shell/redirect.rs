//! Redirections and here-documents.

use super::grammar::Draft;
use super::reader::{Lost, Reader, lost};
use super::word::Word;

/// A here-document whose body is still to come.
pub(super) struct Document {
    delimiter: String,
    /// Whether its body is taken as it is.
    literal: bool,
    /// `<<-`: tabs at the start of a line do not count.
    tabs: bool,
    /// Whether a shell reads it, or something that may be one.
    pub(super) is_script: bool,
}

/// Files that one command reads by redirection: each is told with each command of a group.
const MAX_READS: usize = 16;

/// Files that are no files.
const NOWHERE: [&str; 3] = ["/dev/null", "/dev/stdout", "/dev/stderr"];

impl Reader<'_> {
    pub(super) fn redirection(&mut self, draft: &mut Draft) -> Result<(), Lost> {
        if self.sink.is_posix && (self.looking_at("&>") || self.looking_at("<<<")) {
            return lost("the redirection of another shell");
        }
        if self.eat("<<<") {
            return self.here_string(draft);
        }
        if self.eat("<<") {
            return self.document(draft);
        }
        let duplicates = self.looking_at(">&") || self.looking_at("<&");
        let writes = ["&>>", "&>", ">>", ">|", ">&", "<>", ">"].into_iter().any(|op| self.eat(op));
        let reads = !writes && !self.eat("<&") && self.eat("<");
        let target = self.target()?;
        if target.raw.is_empty() {
            return lost("the redirection without a target");
        }
        let digits = target.raw.strip_suffix('-').unwrap_or(&target.raw);
        let is_number = digits.chars().all(|c| c.is_ascii_digit());
        if writes && !(duplicates && is_number) {
            self.write("a redirection", &target);
        }
        self.connects(&target);
        if reads || !writes && !target.is_known() {
            self.reads(draft, target);
        }
        Ok(())
    }

    /// The word behind the operator; where a comment begins there is none.
    fn target(&mut self) -> Result<Word, Lost> {
        self.blanks();
        if self.peek() == Some('#') { Ok(Word::new()) } else { self.word() }
    }

    /// Its input is a file, or a text with unknowns in it.
    fn reads(&mut self, draft: &mut Draft, word: Word) {
        if draft.reads.len() >= MAX_READS {
            self.note("the number of its redirections");
        } else {
            draft.reads.push(word);
        }
    }

    /// Bash connects to such a host itself.
    fn connects(&mut self, target: &Word) {
        if target.cooked().starts_with("/dev/tcp/") || target.cooked().starts_with("/dev/udp/") {
            self.note(format!("the connection to `{}`", target.cooked()));
        }
    }

    /// A write to what a word names.
    pub(super) fn write(&mut self, who: &str, target: &Word) {
        let single = !target.globs && !target.expands_braces();
        let Some(text) = target.text().filter(|text| single && !text.is_empty()) else {
            self.write_unknown(who, target);
            return;
        };
        if NOWHERE.contains(&text) {
            return;
        }
        let is_home = target.is_home() && text.starts_with('~');
        if is_home && text != "~" && !text.starts_with("~/") {
            self.write_unknown(who, target);
            return;
        }
        let plain =
            if text.starts_with('~') && !is_home { format!("./{text}") } else { text.to_owned() };
        match self.sink.place.paths(&plain) {
            Some(paths) => paths.into_iter().for_each(|path| self.sink.write(path)),
            None => {
                self.note(format!("the directory of `{text}`, which {who} writes to,"));
                self.sink.write(format!("$PWD/{text}"));
            }
        }
    }

    /// A file that nobody can name: rules about files must know that there is one.
    fn write_unknown(&mut self, who: &str, target: &Word) {
        self.note(format!("the file `{}` that {who} writes to", target.raw));
        self.sink.write(target.raw.clone());
    }

    fn here_string(&mut self, draft: &mut Draft) -> Result<(), Lost> {
        let word = self.target()?;
        if word.raw.is_empty() {
            return lost("the redirection without a target");
        }
        draft.script = Some(word.text().map(str::to_owned));
        if !word.is_known() {
            self.reads(draft, word);
        }
        Ok(())
    }

    fn document(&mut self, draft: &mut Draft) -> Result<(), Lost> {
        let tabs = self.eat("-");
        let word = self.target()?;
        let odd = word.raw.contains(['$', '`', '\n']) || word.raw.is_empty();
        let Some(text) = word.text().filter(|_| !odd) else {
            return lost("the end of the here-document");
        };
        let (delimiter, literal) = (text.to_owned(), word.quoted);
        draft.script = Some(None);
        self.documents.push(Document { delimiter, literal, tabs, is_script: false });
        Ok(())
    }

    pub(super) fn no_documents(&self) -> Result<(), Lost> {
        if self.documents.is_empty() { Ok(()) } else { lost("the unclosed here-document") }
    }

    /// The bodies of the here-documents of a line that has just ended.
    pub(super) fn bodies(&mut self) -> Result<(), Lost> {
        for document in std::mem::take(&mut self.documents) {
            let body = self.body(&document)?;
            if !document.literal {
                self.expansions(&body)?;
            }
            if document.is_script {
                self.script_of_input(&body);
            }
        }
        Ok(())
    }

    /// Up to the line that is the delimiter.
    fn body(&mut self, document: &Document) -> Result<String, Lost> {
        let mut body = String::new();
        loop {
            let rest = self.chars.get(self.at..).unwrap_or_default();
            if rest.is_empty() {
                return lost("the unclosed here-document");
            }
            let length = rest.iter().position(|&c| c == '\n').unwrap_or(rest.len());
            let line: String = rest.iter().take(length).collect();
            let line = if document.tabs { line.trim_start_matches('\t') } else { &line };
            let is_joined = !document.literal && line.ends_with('\\');
            let is_near = line.starts_with(&document.delimiter) && line != document.delimiter;
            // Some versions of bash take `END)` for the end where a parenthesis is open.
            let is_closed = is_near
                && line
                    .get(document.delimiter.len()..)
                    .is_some_and(|rest| rest.starts_with([')', '`']));
            if is_joined || is_closed || line.contains('\0') {
                return lost("the end of the here-document");
            }
            let is_end = line == document.delimiter;
            body.push_str(if is_end { "" } else { line });
            self.at += (length + 1).min(rest.len());
            if is_end {
                return Ok(body);
            }
            body.push('\n');
        }
    }

    /// The substitutions in the body of a here-document.
    fn expansions(&mut self, body: &str) -> Result<(), Lost> {
        if !body.contains(['$', '`']) || !self.sink.spend(body.len()) {
            return Ok(());
        }
        let mut reader = Reader {
            chars: body.chars().collect(),
            at: 0,
            depth: self.depth,
            documents: Vec::new(),
            around: super::command::Around::none(),
            sink: &mut *self.sink,
        };
        let mut word = Word::new();
        while let Some(char) = reader.peek() {
            reader.quoted(&mut word, char)?;
        }
        // Whoever prints the body tells what is not known in it.
        self.sink.computes |= !word.is_known();
        Ok(())
    }
}
