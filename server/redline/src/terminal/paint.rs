//! Colours: when, and which.

use std::io::IsTerminal;

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    #[default]
    Auto,
    /// Also into pipes and files
    Always,
    /// Plain text
    Never,
}

impl ColorChoice {
    /// The colours for a stream; NO_COLOR counts when it is set to anything but nothing
    /// (no-color.org), an explicit choice counts more.
    pub fn paint(self, stream: &impl IsTerminal) -> Paint {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        self.decide(stream.is_terminal(), no_color || dumb)
    }

    fn decide(self, terminal: bool, unwanted: bool) -> Paint {
        match self {
            ColorChoice::Always => Paint::Ansi,
            ColorChoice::Auto if terminal && !unwanted => Paint::Ansi,
            ColorChoice::Auto | ColorChoice::Never => Paint::Plain,
        }
    }
}

/// How styled text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// With the 16 colours that every terminal theme defines, so that its contrast holds.
    Ansi,
    /// Without any escape sequence.
    Plain,
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Nothing special.
    Normal,
    /// A heading.
    Strong,
    /// Of less interest.
    Faint,
    /// Text that goes.
    Old,
    /// The words of it that really go.
    OldWord,
    /// Text that comes.
    New,
    /// The words of it that are really new.
    NewWord,
    /// Something to mind.
    Warning,
    /// Something to type.
    Key,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Style::Normal => "0",
            Style::Strong => "1",
            Style::Faint => "2",
            Style::Old => "31",
            Style::OldWord => "7;31",
            Style::New => "32",
            Style::NewWord => "7;32",
            Style::Warning => "33",
            Style::Key => "1;36",
        }
    }
}

impl Paint {
    /// The text in a style.
    pub fn text(self, style: Style, text: &str) -> String {
        match self {
            Paint::Ansi if style != Style::Normal && !text.is_empty() => {
                format!("\x1b[{}m{text}\x1b[0m", style.code())
            }
            _ => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_explicit_choice_beats_the_environment() {
        for (choice, terminal, unwanted, want) in [
            (ColorChoice::Auto, true, false, Paint::Ansi),
            (ColorChoice::Auto, true, true, Paint::Plain),
            (ColorChoice::Auto, false, false, Paint::Plain),
            (ColorChoice::Always, false, true, Paint::Ansi),
            (ColorChoice::Never, true, false, Paint::Plain),
        ] {
            assert_eq!(choice.decide(terminal, unwanted), want, "{choice:?} {terminal} {unwanted}");
        }
    }
}
