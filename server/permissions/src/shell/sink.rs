//! What is found while reading, over all the texts inside each other.

use std::collections::HashSet;

use super::place::Place;
use super::{Shell, SimpleCommand};

/// More than anybody writes by hand; each part is held against all rules.
const MAX_COMMANDS: usize = 1_000;
/// Bytes of a text that is read at all.
const MAX_BYTES: usize = 256 * 1024;
/// How often the bytes of a text may be read again as texts inside it.
const MAX_READS: usize = 16;

/// Characters of the part that is told as not understood.
const MAX_NOTE: usize = 120;

pub(super) struct Sink {
    shell: Shell,
    /// Bytes that may still be read.
    budget: usize,
    again: usize,
    pub(super) place: Place,
    /// Names that arithmetic reads; if their values are texts of others, those are evaluated.
    pub(super) evaluated: HashSet<String>,
    /// Names whose values are not plain numbers.
    pub(super) tainted: HashSet<String>,
    /// The functions whose bodies are read, outermost first.
    pub(super) functions: Vec<String>,
    /// Names of arrays: a declaration reads their values as lists of words once more.
    pub(super) arrays: HashSet<String>,
    /// Whether there is arithmetic, an expansion with an operator, or one in a here-document.
    pub(super) computes: bool,
    /// Whether the text is for a shell that lacks what is bash's own (`sh`).
    pub(super) is_posix: bool,
}

impl Sink {
    pub(super) fn new(bytes: usize) -> Self {
        Sink {
            shell: Shell::default(),
            budget: if bytes > MAX_BYTES { 0 } else { (bytes + 64) * MAX_READS },
            again: 3,
            place: Place::default(),
            evaluated: HashSet::new(),
            tainted: HashSet::new(),
            functions: Vec::new(),
            arrays: HashSet::new(),
            computes: false,
            is_posix: false,
        }
    }

    /// Whether so many bytes more may be read.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        match self.budget.checked_sub(bytes + 1) {
            Some(rest) => {
                self.budget = rest;
                true
            }
            None => {
                self.note("the length of the text".to_owned());
                false
            }
        }
    }

    /// Whether a place may be read in another way, once more. Not without end: each place inside
    /// would double the time.
    pub(super) fn may_read_again(&mut self) -> bool {
        let may = self.again > 0;
        self.again = self.again.saturating_sub(1);
        may
    }

    pub(super) fn note(&mut self, part: String) {
        let short = || match part.char_indices().nth(MAX_NOTE) {
            Some((end, _)) => format!("{}…", part.get(..end).unwrap_or_default()),
            None => part.clone(),
        };
        self.shell.opaque.get_or_insert_with(short);
    }

    pub(super) fn push(&mut self, command: SimpleCommand) {
        if self.is_full() {
            self.note("the number of its commands".to_owned());
        } else {
            self.shell.commands.push(command);
        }
    }

    /// Whether there is no room for more.
    pub(super) fn is_full(&self) -> bool {
        self.count() >= MAX_COMMANDS
    }

    pub(super) fn count(&self) -> usize {
        self.shell.commands.len()
    }

    /// The commands that were found since there were so many.
    pub(super) fn since(&mut self, count: usize) -> &mut [SimpleCommand] {
        self.shell.commands.get_mut(count..).unwrap_or_default()
    }

    pub(super) fn write(&mut self, file: String) {
        if self.shell.writes.len() < MAX_COMMANDS {
            self.shell.writes.push(file);
        } else {
            self.note("the number of the files it writes to".to_owned());
        }
    }

    pub(super) fn finish(mut self) -> Shell {
        if let Some(name) = self.evaluated.iter().filter(|name| self.tainted.contains(*name)).min()
        {
            let part = format!("the value of `{name}`, which arithmetic would evaluate,");
            self.note(part);
        }
        if self.place.is_doubtful() {
            self.note("the directory of a file that it writes to".to_owned());
        }
        let moves = self.place.has_moved();
        for command in &mut self.shell.commands {
            (command.moves, command.computes) = (moves, self.computes);
        }
        self.shell
    }
}
