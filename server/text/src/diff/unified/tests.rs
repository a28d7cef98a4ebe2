use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::testing::sample;

fn check(old: Option<&str>, new: Option<&str>, want: Expect) {
    let text = |s: Option<&str>| s.map(Text::from);
    let (old, new) = (text(old), text(new));
    let (diff, lines) = unified_with_lines(old.as_ref(), new.as_ref(), "/src/a.txt");
    want.assert_eq(&diff);
    let none = Text::new();
    let (old, new) = (old.as_ref().unwrap_or(&none), new.as_ref().unwrap_or(&none));
    assert_eq!(lines, super::super::changed_lines(old, new));
}

#[test]
fn diffs_look_like_git() {
    check(Some("a\nb\n"), Some("a\nb\n"), expect![""]);
    check(
        Some("1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
        Some("1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
        expect![[r#"
            --- a/src/a.txt
            +++ b/src/a.txt
            @@ -2,7 +2,7 @@
             2
             3
             4
            -5
            +five
             6
             7
             8
        "#]],
    );
    check(
        Some("a"),
        Some("a\n"),
        expect![[r#"
            --- a/src/a.txt
            +++ b/src/a.txt
            @@ -1 +1 @@
            -a
            \ No newline at end of file
            +a
        "#]],
    );
}

#[test]
fn files_come_and_go() {
    check(
        None,
        Some("a\nb\n"),
        expect![[r#"
            --- /dev/null
            +++ b/src/a.txt
            @@ -0,0 +1,2 @@
            +a
            +b
        "#]],
    );
    check(
        Some("a\n"),
        None,
        expect![[r#"
            --- a/src/a.txt
            +++ /dev/null
            @@ -1 +0,0 @@
            -a
        "#]],
    );
    check(
        None,
        Some(""),
        expect![[r#"
            diff --git a/src/a.txt b/src/a.txt
            new file mode 100644
        "#]],
    );
}

/// What a reader of the format makes of it: numbers and signs alone decide.
fn applied(old: &str, diff: &str) -> Option<String> {
    let mut rest = old.split_inclusive('\n');
    let (mut out, mut taken) = (String::new(), 0);
    let mut lines = diff.split_inclusive('\n').skip(2).peekable();
    while let Some(line) = lines.next() {
        let Some(span) = line.strip_prefix("@@ -") else {
            let ended = lines.next_if(|next| next.starts_with('\\')).is_some();
            let (sign, text) = line.split_at(1);
            let text = if ended { text.strip_suffix('\n')? } else { text };
            if sign != "+" {
                taken += 1;
                (rest.next()? == text).then_some(())?;
            }
            if sign != "-" {
                out += text;
            }
            continue;
        };
        let (start, count) = match span.split_once(' ')?.0.split_once(',') {
            Some((start, count)) => (start.parse().ok()?, count.parse().ok()?),
            None => (span.split_once(' ')?.0.parse().ok()?, 1),
        };
        let before: usize = if count == 0 { start } else { start - 1 };
        out.extend(rest.by_ref().take(before - taken));
        taken = before;
    }
    out.extend(rest);
    Some(out)
}

proptest! {
    #[test]
    fn reading_a_diff_back_gives_the_new_text(old in sample(), new in sample()) {
        let diff = unified(Some(&old.as_str().into()), Some(&new.as_str().into()), "a");
        prop_assert_eq!(applied(&old, &diff), Some(new), "{}", diff);
    }

    #[test]
    fn a_small_change_of_a_long_text_reads_back(
        count in 0usize..80, changes in proptest::collection::vec((0usize..80, sample()), 0..6),
    ) {
        let mut lines: Vec<String> = (0..count).map(|n| format!("{}\n", n % 9)).collect();
        let old = lines.concat();
        for (at, text) in changes {
            if let Some(line) = lines.get_mut(at) {
                *line = text;
            }
        }
        let new = lines.concat();
        let diff = unified(Some(&old.as_str().into()), Some(&new.as_str().into()), "a");
        prop_assert_eq!(applied(&old, &diff), Some(new), "{}", diff);
    }
}
