//! What the user is told of a folder that wants to be trusted.

use crate::settings::Want;

/// Lines of a question. A longer list is read in the file.
const MOST_LINES: usize = 40;
/// Chars of one of them.
const MOST_CHARS: usize = 300;

/// What the user reads.
pub fn text(want: &Want) -> String {
    let head = match want.changed {
        false => "This folder brings settings of its own. Do you trust them?",
        true => "The settings of this folder have changed since you trusted them. Do you still?",
    };
    let more = want.lines.len().saturating_sub(MOST_LINES);
    let more = (more > 0).then(|| format!("… and {more} more: read the file before you trust it"));
    let first = want.lines.iter().take(MOST_LINES).map(|line| shown(line));
    let lines: Vec<String> = first.chain(more).map(|line| format!("  {line}")).collect();
    format!(
        "{head}\n{}\n\nThis would count:\n{}\n\nIf you trust them, these rules decide behind your own \
         and before the built-in ones, what they allow is not asked, programs that they name are \
         started, and these settings take the place of yours, until a file changes. Protected places \
         stay protected. If not, what they ask and reject counts all the same, and nothing else.",
        shown(&want.seen.folder.display().to_string()),
        lines.join("\n"),
    )
}

/// Written by whoever wrote the repository: nothing of it may look like another line, or like less.
fn shown(line: &str) -> String {
    let plain = |c: char| match c {
        c if c.is_control() || is_format(c) => c.escape_unicode().to_string(),
        c => c.to_string(),
    };
    let mut chars = line.chars();
    let short: String = chars.by_ref().take(MOST_CHARS).map(plain).collect();
    match chars.count() {
        0 => short,
        more => format!("{short}… ({more} more chars: read the file before you trust it)"),
    }
}

/// Characters that change the direction of text, or have no width.
fn is_format(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::Seen;

    #[test]
    fn what_a_repository_writes_cannot_hide_in_the_question() {
        let seen = Seen {
            folder: "/w".into(),
            files: Vec::new(),
            watched: Vec::new(),
            hash: "h".to_owned(),
        };
        let mut lines = vec!["a:1: allow Bash\n\nNothing \u{202e}else\u{200b}".to_owned()];
        lines.push(format!("a:2: {}", "x".repeat(400)));
        lines.extend((0..50).map(|n| format!("a:{n}: y")));
        let text = text(&Want { seen, lines, changed: false });
        assert!(
            text.contains(r"  a:1: allow Bash\u{a}\u{a}Nothing \u{202e}else\u{200b}"),
            "{text}"
        );
        assert!(text.contains("… (105 more chars: read the file"), "{text}");
        assert!(text.contains("… and 12 more: read the file"), "{text}");
    }
}
