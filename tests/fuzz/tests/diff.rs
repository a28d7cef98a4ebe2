//! Unified diffs: read back and applied to the old text, they give the new one.

use proptest::prelude::*;
use redline_fuzz::{fuzz, text};
use redline_text::{Text, unified};

#[test]
fn diff() {
    let input = (text::pair(), any::<(bool, bool)>(), "[a-z \"\\\\é\t]{1,8}(/[a-z]{1,4})?");
    fuzz("diff", 400, input, |((old, new), (no_old, no_new), path)| {
        let rope = |text: &str| Text::from(text);
        let (old, new) =
            (if no_old { String::new() } else { old }, if no_new { String::new() } else { new });
        let sides = ((!no_old).then(|| rope(&old)), (!no_new).then(|| rope(&new)));
        let diff = unified(sides.0.as_ref(), sides.1.as_ref(), &path);
        if old == new {
            let appears = no_old != no_new;
            prop_assert_eq!(diff.lines().count(), if appears { 2 } else { 0 }, "{}", diff);
            return Ok(());
        }
        check_header(&diff, no_old, no_new)?;
        let body: Vec<&str> = diff.split_inclusive('\n').skip(2).collect();
        let applied = apply(&old, &body).map_err(TestCaseError::fail)?;
        prop_assert_eq!(applied, new, "{}", diff);
        Ok(())
    });
}

fn check_header(diff: &str, no_old: bool, no_new: bool) -> Result<(), TestCaseError> {
    let mut lines = diff.lines();
    let (old, new) = (lines.next().unwrap_or(""), lines.next().unwrap_or(""));
    prop_assert_eq!(old == "--- /dev/null", no_old, "{}", diff);
    prop_assert_eq!(new == "+++ /dev/null", no_new, "{}", diff);
    prop_assert!(no_old || old.starts_with("--- a/") || old.starts_with("--- \"a/"), "{diff}");
    prop_assert!(no_new || new.starts_with("+++ b/") || new.starts_with("+++ \"b/"), "{diff}");
    Ok(())
}

/// Applies hunks as strictly as `patch` without fuzz: counts, places and context must be right.
fn apply(old: &str, body: &[&str]) -> Result<String, String> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let (mut out, mut at, mut rest) = (String::new(), 0, body);
    while let [head, tail @ ..] = rest {
        let (from, to) = header(head).ok_or_else(|| format!("no hunk: {head:?}"))?;
        let copied = old.get(at..from.start).ok_or("hunks overlap or leave the file")?;
        out.extend(copied.iter().copied());
        let lines = out.split_inclusive('\n').count();
        if lines != to.start {
            return Err(format!("{head:?} is at line {lines} of the new file"));
        }
        (at, rest) = (from.start, tail);
        let (mut seen_old, mut seen_new) = (0, 0);
        while (seen_old, seen_new) != (from.count, to.count) {
            let (sign, line, tail) = line(rest)?;
            rest = tail;
            if sign != '+' {
                if old.get(at) != Some(&line.as_str()) {
                    return Err(format!("{line:?} is not in the old file at {at}"));
                }
                at += 1;
                seen_old += 1;
            }
            if sign != '-' {
                out.push_str(&line);
                seen_new += 1;
            }
        }
    }
    out.extend(old[at..].iter().copied());
    Ok(out)
}

/// One line of a hunk, with the line end that the file has there.
fn line<'a, 'b>(rest: &'b [&'a str]) -> Result<(char, String, &'b [&'a str]), String> {
    let [line, rest @ ..] = rest else { return Err("a hunk ends too early".to_owned()) };
    let sign = line.chars().next().filter(|sign| " +-".contains(*sign));
    let sign = sign.ok_or_else(|| format!("no line of a hunk: {line:?}"))?;
    match rest {
        [none, rest @ ..] if *none == "\\ No newline at end of file\n" => {
            Ok((sign, line[1..].strip_suffix('\n').unwrap_or(&line[1..]).to_owned(), rest))
        }
        _ => Ok((sign, line[1..].to_owned(), rest)),
    }
}

struct Side {
    /// Lines above.
    start: usize,
    count: usize,
}

/// `@@ -1,2 +3 @@`
fn header(line: &str) -> Option<(Side, Side)> {
    let inner = line.strip_prefix("@@ -")?.strip_suffix(" @@\n")?;
    let (old, new) = inner.split_once(" +")?;
    let side = |text: &str| -> Option<Side> {
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        let (start, count): (usize, usize) = (start.parse().ok()?, count.parse().ok()?);
        Some(Side { start: if count == 0 { start } else { start.checked_sub(1)? }, count })
    };
    Some((side(old)?, side(new)?))
}
