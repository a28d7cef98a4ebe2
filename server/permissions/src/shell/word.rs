//! One word of a command.

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
    /// Whether any of it was quoted.
    pub(super) quoted: bool,
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
        Word { raw: String::new(), pieces, globs: false, quoted: false, brace: Brace::None }
    }

    /// A character that stands for itself.
    pub(super) fn push(&mut self, char: char) {
        if let Some(last) = self.pieces.last_mut() {
            last.push(char);
        }
    }

    /// An unquoted character, with what it may mean.
    pub(super) fn push_bare(&mut self, char: char) {
        self.globs |= matches!(char, '*' | '?' | '[');
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
    pub(super) fn push_unknown(&mut self) {
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

    /// Whether a quoted text in it would be a substitution if it were evaluated.
    pub(super) fn hides_substitution(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| piece.contains("$(") || piece.contains(['`', '$']) && piece.contains('['))
    }

    /// Whether it is exactly this, unquoted.
    pub(super) fn is_bare(&self, text: &str) -> bool {
        !self.quoted && self.raw == text
    }

    /// Whether it assigns a variable, if it stands before the command's name.
    pub(super) fn is_assignment(&self) -> bool {
        let Some((name, _)) = self.raw.split_once('=') else { return false };
        let name = name.strip_suffix('+').unwrap_or(name);
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// Whether it numbers the file descriptor of a redirection that follows at once.
    pub(super) fn is_descriptor(&self) -> bool {
        !self.raw.is_empty() && self.raw.chars().all(|c| c.is_ascii_digit())
    }
}
