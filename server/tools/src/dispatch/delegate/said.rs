//! What a program says on stderr, as text for a model and for people.

/// The text without what would act on a terminal or hide from a reader: escape sequences, control
/// characters but line ends and tabs, and marks that turn the direction of writing.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\x1b' => skip_sequence(&mut chars),
            '\n' | '\t' => out.push(char),
            char if char.is_control() || turns(char) => {}
            char => out.push(char),
        }
    }
    out.trim().to_owned()
}

/// The first line that says something, in at most `most` chars.
pub(super) fn first_line(text: &str, most: usize) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    })
}

/// Of `ESC [ … letter` and `ESC ] … BEL`, all; of others, the char after the escape.
fn skip_sequence(chars: &mut std::str::Chars<'_>) {
    let is_end: fn(char) -> bool = match chars.next() {
        Some('[') => |char| ('@'..='~').contains(&char),
        Some(']' | 'P' | '^' | '_') => |char| matches!(char, '\x07' | '\x1b' | '\u{9c}' | '\n'),
        _ => return,
    };
    chars.by_ref().find(|char| is_end(*char));
}

fn turns(char: char) -> bool {
    matches!(char, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_and_nothing_hides() {
        for (text, want) in [
            ("no\n", "no"),
            ("\x1b[1;31mno\x1b[0m pushes\tplease\r\n", "no pushes\tplease"),
            ("\x1b]0;title\x07no", "no"),
            ("a\0b\x07c\x1b", "abc"),
            ("gi\u{202e}t\u{200b}", "git"),
            ("\n\n first\nsecond \n", "first\nsecond"),
            ("日本", "日本"),
        ] {
            assert_eq!(plain(text), want, "{text:?}");
        }
        assert_eq!(first_line("\n  äb c\nd", 2), Some("äb…".to_owned()));
        assert_eq!(first_line("ab\n", 2), Some("ab".to_owned()));
        assert_eq!(first_line(" \n", 2), None);
    }
}
