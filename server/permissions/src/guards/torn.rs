//! Commands that the reader gave up on: loops, functions, here-documents. What is in them is taken
//! apart roughly; to see a command where there is none costs a refusal, to miss one a disk.

use super::runner;
use crate::shell::{self, base_name};

/// The parts between separators that stand outside quotes, and in substitutions inside double
/// quotes. Bodies of here-documents are parts if a shell reads them.
pub(super) fn parts(cmd: &str) -> Vec<String> {
    let mut scan = Scan::default();
    let mut lines = cmd.split('\n');
    while let Some(line) = lines.next() {
        let words = scan.line(line);
        for word in words {
            let body: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != word).collect();
            let last = scan.parts.last().map(String::as_str).unwrap_or_default();
            if is_shell(last) {
                scan.parts.extend(body.into_iter().map(str::to_owned));
            }
        }
        scan.end_part();
    }
    scan.parts.retain(|part| !part.trim().is_empty());
    scan.parts
}

#[derive(Default)]
struct Scan {
    parts: Vec<String>,
    part: String,
    quote: Option<char>,
    /// Double-quoted strings that a substitution interrupts.
    depth: usize,
}

impl Scan {
    /// Reads a line; the answer are the words that end here-documents which begin on it.
    fn line(&mut self, line: &str) -> Vec<String> {
        let mut documents = Vec::new();
        let mut chars = line.char_indices();
        while let Some((at, char)) = chars.next() {
            let rest = line.get(at..).unwrap_or_default();
            match (self.quote, char) {
                (Some('\''), '\'') | (Some('"'), '"') => self.end_quote(char),
                (Some('\''), _) => self.part.push(char),
                (_, '\\') => {
                    self.part.push(char);
                    self.part.extend(chars.next().map(|(_, next)| next));
                }
                (Some(_), '$') if rest.starts_with("$(") => {
                    self.depth += 1;
                    self.quote = None;
                    self.end_part();
                    chars.next();
                }
                (Some(_), '`') => self.end_part(),
                (Some(_), _) => self.part.push(char),
                (None, '\'' | '"') => {
                    self.quote = Some(char);
                    self.part.push(char);
                }
                (None, ')') if self.depth > 0 => {
                    self.depth -= 1;
                    self.end_part();
                    self.quote = Some('"');
                }
                (None, '<') if rest.starts_with("<<<") => {
                    self.here_string(rest);
                    chars.nth(1);
                }
                (None, '<') if rest.starts_with("<<") => {
                    documents.extend(delimiter(rest));
                    chars.next();
                    self.end_part();
                }
                (None, ';' | '&' | '|' | '(' | ')' | '{' | '}' | '`' | '<') => self.end_part(),
                (None, _) => self.part.push(char),
            }
        }
        documents
    }

    fn end_quote(&mut self, char: char) {
        self.quote = None;
        self.part.push(char);
    }

    /// `bash <<< 'TEXT'`: the text is a part if a shell reads it.
    fn here_string(&mut self, rest: &str) {
        if is_shell(&self.part) {
            let text = rest.trim_start_matches('<').trim_start();
            let words = shell::read(text).commands;
            let first = words.first().and_then(|command| command.words.first());
            self.parts.extend(first.map(|word| word.text.clone()));
        }
    }

    fn end_part(&mut self) {
        self.parts.push(std::mem::take(&mut self.part));
    }
}

/// Whether a part is a shell that reads what it runs.
fn is_shell(part: &str) -> bool {
    let commands = shell::read(part).commands;
    commands.last().is_some_and(|command| runner::reads_program(runner::innermost(&command.words)))
}

/// The word of `<<WORD`, `<<-'WORD'`.
fn delimiter(rest: &str) -> Option<String> {
    let word = rest.trim_start_matches('<').trim_start_matches('-').trim_start();
    let end = word.find([' ', '\t', ';', '|', '&', '>', ')']).unwrap_or(word.len());
    let word = word.get(..end)?.replace(['\'', '"', '\\'], "");
    (!word.is_empty()).then_some(word)
}

/// `NAME() { NAME | NAME & }`, whatever the name; quoted text is no function.
pub(super) fn is_fork_bomb(cmd: &str) -> bool {
    let bare: String = unquoted(cmd).chars().filter(|c| !c.is_whitespace()).collect();
    bare.match_indices("(){").any(|(at, opening)| {
        let before = bare.get(..at).unwrap_or_default();
        let start = before.rfind([';', '&', '|', '{', '}', '(', ')']).map_or(0, |end| end + 1);
        let name = before.get(start..).unwrap_or_default();
        let name = name.strip_prefix("function").unwrap_or(name);
        let body = bare.get(at + opening.len()..).unwrap_or_default();
        let body = body.split('}').next().unwrap_or_default();
        !name.is_empty() && body.starts_with(&format!("{name}|{name}"))
    })
}

fn unquoted(cmd: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for char in cmd.chars() {
        match (quote, char) {
            (None, '\'' | '"') => quote = Some(char),
            (None, _) => out.push(char),
            (Some(open), _) if open == char => quote = None,
            _ => {}
        }
    }
    out
}

/// `bash <(curl …)`: a process substitution that a shell reads.
pub(super) fn feeds_shell(cmd: &str) -> bool {
    cmd.match_indices("<(").any(|(at, opening)| {
        let before = cmd.get(..at).unwrap_or_default();
        let start = before.rfind([';', '&', '|', '\n']).map_or(0, |end| end + 1);
        let program = before.get(start..).unwrap_or_default().trim().to_owned();
        let inner = cmd.get(at + opening.len()..).unwrap_or_default();
        let first = |text: &str| {
            let commands = shell::read(text.split(')').next().unwrap_or_default()).commands;
            commands.first().map(|command| runner::innermost(&command.words).to_vec())
        };
        let reads = first(&program).is_some_and(|words| {
            let name = words.first().map(|word| base_name(&word.text)).unwrap_or_default();
            runner::is_shell(name) || matches!(name, "source" | ".")
        });
        reads && first(inner).is_some_and(|words| runner::fetches(&words))
    })
}
