//! One word of a command.

use crate::spelled::Sign;

/// A word, as written and as the shell would pass it on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// As written, without joined lines.
    pub(super) raw: String,
    /// What is known of it, without quotes; an unknown (a variable, a substitution) stands between
    /// each two pieces. Never empty.
    pieces: Vec<String>,
    /// Whether an unquoted `*`, `?` or `[` stands in it.
    pub(super) globs: bool,
    /// Where these stand: the piece, and the byte in it.
    patterns: Vec<(usize, usize)>,
    /// Whether it begins with one: a file named like an option may take its place.
    globs_at_once: bool,
    /// Whether any of it was quoted.
    pub(super) quoted: bool,
    /// Whether an unquoted unknown stands in it: it may be several words, or none.
    pub(super) splits: bool,
    /// Unquoted `{`, `,`, `..`, `}` seen in that order.
    brace: Brace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brace {
    None,
    Open,
    Dot,
    Separated,
    Closed,
}

impl Word {
    pub(super) fn new() -> Self {
        let pieces = vec![String::new()];
        Word {
            raw: String::new(),
            pieces,
            globs: false,
            patterns: Vec::new(),
            globs_at_once: false,
            quoted: false,
            splits: false,
            brace: Brace::None,
        }
    }

    /// A word that is known, as if it were written in quotes.
    pub(super) fn known(raw: &str, text: &str) -> Self {
        let mut word = Word::new();
        word.raw = raw.to_owned();
        word.quoted = true;
        text.chars().for_each(|char| word.push(char));
        word
    }

    /// Words of which nothing is known: what `xargs` appends.
    pub(super) fn unknown() -> Self {
        let mut word = Word::new();
        word.push_unknown(false);
        word
    }

    /// The same with an unknown in the place of each `hole`: what `find` and `xargs` fill in.
    pub(super) fn with_holes(&self, hole: &str) -> Self {
        if hole.is_empty() || !self.raw.contains(hole) && !self.cooked().contains(hole) {
            return self.clone();
        }
        let split =
            |piece: &String| -> Vec<String> { piece.split(hole).map(str::to_owned).collect() };
        // Patterns are at other places then, which nobody looks for.
        let mut word = Word { pieces: Vec::new(), patterns: Vec::new(), ..self.clone() };
        for piece in &self.pieces {
            word.pieces.extend(split(piece));
        }
        if word.pieces.len() < 2 {
            // It came about by taking quotes away, or stands in an unknown: nobody knows.
            word.pieces = vec![String::new(), String::new()];
        }
        word
    }

    /// A character that stands for itself.
    pub(super) fn push(&mut self, char: char) {
        if let Some(last) = self.pieces.last_mut() {
            last.push(char);
        }
    }

    /// An unquoted character, with what it may mean.
    pub(super) fn push_bare(&mut self, char: char) {
        let globs = matches!(char, '*' | '?' | '[');
        if let Some(last) = self.pieces.last().filter(|_| globs) {
            self.patterns.push((self.pieces.len() - 1, last.len()));
        }
        self.globs_at_once |= globs && self.is_known() && self.pieces.iter().all(String::is_empty);
        self.globs |= globs;
        self.brace = match (self.brace, char) {
            (Brace::None, '{') => Brace::Open,
            (Brace::Open | Brace::Dot, ',') | (Brace::Dot, '.') => Brace::Separated,
            (Brace::Open, '.') => Brace::Dot,
            (Brace::Dot, _) => Brace::Open,
            (Brace::Separated, '}') => Brace::Closed,
            (same, _) => same,
        };
        self.push(char);
    }

    /// Something whose value is not known here.
    pub(super) fn push_unknown(&mut self, quoted: bool) {
        self.splits |= !quoted;
        self.pieces.push(String::new());
    }

    pub(super) fn is_known(&self) -> bool {
        self.pieces.len() == 1
    }

    /// Whether it stands for several words.
    pub(super) fn expands_braces(&self) -> bool {
        self.brace == Brace::Closed
    }

    pub(super) fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// The word without quotes; unknowns as they are written.
    pub(super) fn cooked(&self) -> String {
        if self.is_known() { self.pieces.concat() } else { self.raw.clone() }
    }

    /// The text of a word that is known.
    pub(super) fn text(&self) -> Option<&str> {
        self.pieces.first().map(String::as_str).filter(|_| self.is_known())
    }

    /// Whether the program could take it for an option, or for several words.
    pub(super) fn may_be_option(&self) -> bool {
        let first = self.pieces.first().map(String::as_str).unwrap_or_default();
        let starts_unknown = !self.is_known() && first.is_empty();
        first.starts_with('-') || starts_unknown || self.splits || self.globs_at_once
    }

    /// What it may become when file names take the place of patterns.
    pub(super) fn signs(&self, signs: &mut Vec<Sign>) {
        if self.globs && self.patterns.is_empty() {
            return signs.push(Sign::Unknown);
        }
        let mut patterns = self.patterns.iter().peekable();
        for (index, piece) in self.pieces.iter().enumerate() {
            signs.extend((index > 0).then_some(Sign::Unknown));
            for (at, char) in piece.char_indices() {
                let is_pattern = patterns.next_if(|&&place| place == (index, at)).is_some();
                signs.push(match char {
                    _ if !is_pattern => Sign::Char(char),
                    '*' if index == 0 && at == 0 => Sign::Start,
                    _ => Sign::Names,
                });
                // Where the brackets end follows rules of its own.
                if is_pattern && char == '[' {
                    signs.extend((!self.is_known()).then_some(Sign::Unknown));
                    return;
                }
            }
        }
    }

    /// Whether it is exactly this, unquoted.
    pub(super) fn is_bare(&self, text: &str) -> bool {
        !self.quoted && self.raw == text
    }

    /// The variable's name, if it assigns one before the command's name.
    pub(super) fn assigned(&self) -> Option<&str> {
        let (name, _) = self.raw.split_once('=')?;
        let name = name.strip_suffix('+').unwrap_or(name);
        is_name(name).then_some(name)
    }

    /// Whether it would assign an element of an array there: what is between the brackets follows
    /// rules of its own.
    pub(super) fn is_element(&self) -> bool {
        self.raw.split_once('[').is_some_and(|(name, _)| is_name(name))
    }

    /// Whether it numbers the file descriptor of a redirection that follows at once.
    pub(super) fn is_descriptor(&self) -> bool {
        !self.raw.is_empty() && self.raw.chars().all(|c| c.is_ascii_digit())
    }

    /// Whether it begins with an unquoted `~`.
    pub(super) fn is_home(&self) -> bool {
        self.raw.starts_with('~')
    }
}

/// Whether that is a variable's name.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
