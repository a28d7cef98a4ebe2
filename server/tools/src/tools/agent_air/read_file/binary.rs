//! Seed 002, read_file: "binary file detection runs through a two-stage process".

use std::path::Path;

use redline_text::Text;

/// Stage one: "the file extension is checked against known binary formats".
const EXTENSIONS: [&str; 53] = [
    "zip", "tar", "gz", "tgz", "bz2", "xz", "7z", "rar", "exe", "dll", "so", "dylib", "a", "lib",
    "o", "obj", "class", "jar", "war", "pyc", "pyo", "wasm", "bin", "dat", "db", "sqlite",
    "sqlite3", "png", "jpg", "jpeg", "gif", "bmp", "ico", "webp", "tiff", "mp3", "mp4", "avi",
    "mov", "mkv", "wav", "flac", "ogg", "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt",
    "ods", "odp",
];

/// Bytes of the start that stage two looks at.
const HEAD: usize = 4096;

/// The extension, in lower case, if it is one of a binary format.
pub(super) fn extension(path: &Path) -> Option<String> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    EXTENSIONS.contains(&extension.as_str()).then_some(extension)
}

/// Stage two: "null bytes … and whether more than 30% of characters are non-printable".
pub(super) fn is_content(text: &Text) -> bool {
    let head = text.slice(0..text.len().min(HEAD));
    let is_odd = |c: &char| matches!(c, '\u{1}'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{fffd}');
    let odd = head.chars().filter(is_odd).count();
    head.contains('\0') || odd * 10 > head.chars().count() * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_stages() {
        for (name, want) in [("a.ZIP", true), ("a.rs", false), ("zip", false), (".gz", false)] {
            assert_eq!(extension(Path::new(name)).is_some(), want, "{name}");
        }
        for (text, want) in [
            ("", false),
            ("text\t\r\n\u{c}", false),
            ("日本語", false),
            ("a\0", true),
            ("\u{1}\u{2}\u{3}aaaaaaa", false),
            ("\u{1}\u{2}\u{3}\u{4}aaaaaa", true),
        ] {
            assert_eq!(is_content(&Text::from(text)), want, "{text:?}");
        }
        let late = format!("{}\0", "x".repeat(HEAD));
        assert!(!is_content(&Text::from(late)), "only the start is looked at");
    }
}
