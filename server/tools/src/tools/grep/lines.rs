//! A line as it is shown.

/// Characters before a match that lies further behind.
const BEFORE: usize = 40;

/// The line without its end: as the seed has it, the first `max` characters and `...`; where the
/// match, at byte `at`, starts behind those, the `max` around its start. Bytes that are no UTF-8
/// become U+FFFD.
pub(super) fn shown(line: &[u8], at: usize, max: usize) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let at = at.min(line.len());
    if at < max || (at < window(max) && chars(&line[..at]) < max) {
        return cut(line, max);
    }
    let mut from = start(line, at);
    // Not within a character.
    while from < at && line[from] & 0xC0 == 0x80 {
        from += 1;
    }
    format!("...{}", cut(&line[from..], max))
}

/// Bytes that hold `max` characters in any case, broken ones at the end aside.
fn window(max: usize) -> usize {
    4 * (max + 1)
}

fn chars(bytes: &[u8]) -> usize {
    String::from_utf8_lossy(bytes).chars().count()
}

/// The byte that is `BEFORE` characters before `at`.
fn start(line: &[u8], at: usize) -> usize {
    let is_first = |byte: &u8| byte & 0xC0 != 0x80;
    let firsts = line[..at].iter().enumerate().rev().filter(|(_, byte)| is_first(byte));
    firsts.take(BEFORE).last().map_or(at, |(index, _)| index).max(at.saturating_sub(4 * BEFORE))
}

fn cut(line: &[u8], max: usize) -> String {
    let window = &line[..line.len().min(window(max))];
    let text = String::from_utf8_lossy(window);
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MAX_CHARS: usize = 200;

    fn check(line: &str, at: usize, want: &str) {
        assert_eq!(shown(line.as_bytes(), at, MAX_CHARS), want);
    }

    #[test]
    fn lines_are_cut_on_characters() {
        check("  a b\t\r\n", 2, "  a b\t");
        check("", 0, "");
        check("a\r", 0, "a");
        check(&"x".repeat(200), 0, &"x".repeat(200));
        check(&format!("{}\r\n", "x".repeat(200)), 0, &"x".repeat(200));
        check(&"x".repeat(201), 0, &format!("{}...", "x".repeat(200)));
        check(&"é".repeat(300), 0, &format!("{}...", "é".repeat(200)));
        check(&"😀".repeat(5_000), 0, &format!("{}...", "😀".repeat(200)));
    }

    #[test]
    fn a_match_far_behind_is_shown() {
        let line = format!("{}needle{}", "x".repeat(5_000), "y".repeat(5_000));
        let want = format!("...{}needle{}...", "x".repeat(40), "y".repeat(154));
        check(&line, 5_000, &want);
        let line = format!("{}needle", "é".repeat(300));
        check(&line, 600, &format!("...{}needle", "é".repeat(40)));
        let line = format!("{}needle", "é".repeat(150));
        check(&line, 300, &line);
    }

    #[test]
    fn what_is_no_utf_8_is_shown_as_far_as_it_goes() {
        assert_eq!(shown(b"caf\xE9 needle\n", 5, MAX_CHARS), "caf\u{FFFD} needle");
        let zeros = vec![0x80; 3_000];
        assert_eq!(
            shown(&zeros, 2_900, MAX_CHARS).chars().filter(|c| *c == '\u{FFFD}').count(),
            100
        );
    }

    proptest! {
        #[test]
        fn any_bytes_any_place(
            line in proptest::collection::vec(any::<u8>(), 0..1500), at in 0usize..1600,
        ) {
            let shown = shown(&line, at, MAX_CHARS);
            prop_assert!(shown.chars().count() <= MAX_CHARS + 6);
        }
    }
}
