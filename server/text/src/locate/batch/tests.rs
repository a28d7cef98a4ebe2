use proptest::prelude::*;

use super::*;

const ONE: Options = Options::ONE;

fn run(
    file: &str,
    edits: &[(&str, &str)],
    options: Options,
) -> Result<(String, Batch), BatchError> {
    let replacements: Vec<_> =
        edits.iter().map(|&(old, new)| Replacement { old, new, options }).collect();
    let mut text = Text::from(file);
    let batch = locate_batch(&text, &replacements)?;
    let before = text.len() as isize;
    text.apply_all(&batch.edits);
    assert_eq!(text.len() as isize - before, batch.delta());
    Ok((text.to_string(), batch))
}

fn check(file: &str, edits: &[(&str, &str)], want: &str) {
    assert_eq!(run(file, edits, ONE).map(|(text, _)| text), Ok(want.to_owned()), "{edits:?}");
}

#[test]
fn all_are_looked_for_in_the_original() {
    check("a\nb\n", &[("a", "b"), ("b", "a")], "b\na\n");
    check(
        "hello\nworld",
        &[("world", "world hello"), ("hello", "hello world")],
        "hello world\nworld hello",
    );
    check("ab", &[("b", "2"), ("a", "1")], "12");
    check("a\r\nb\r\nc\r\n", &[("a\nb", "A\nB"), ("c", "C")], "A\r\nB\r\nC\r\n");
}

#[test]
fn overlaps_are_refused_by_name() {
    let overlap = |first, second, line| Err(BatchError::Overlap { first, second, line });
    let run = |file, edits| run(file, edits, ONE).map(|(text, _)| text);
    assert_eq!(run("x\nabcdef", &[("cdef", "1"), ("abcd", "2")]), overlap(1, 0, 2));
    assert_eq!(run("one", &[("one", "1"), ("one", "2")]), overlap(0, 1, 1));
    assert_eq!(run("", &[("", "1"), ("", "2")]), overlap(0, 1, 1));
}

#[test]
fn all_or_nothing() {
    let failed = run("a\nb\n", &[("a", "A"), ("b", "b"), ("zzz", "Z")], ONE).unwrap_err();
    let BatchError::Failed { failed, of: 3 } = failed else { panic!("{failed:?}") };
    assert_eq!(failed.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(run("a", &[], ONE).unwrap_err(), BatchError::Empty);
    assert_eq!(run("a", &[("a", "b"); 51], ONE).unwrap_err(), BatchError::TooMany(51));
}

#[test]
fn every_replacement_is_reported() {
    let options = Options { first_of_several: true, ..ONE };
    let (text, batch) = run("x\nx\n  y  z\n", &[("y z", "Y"), ("x", "X")], options).unwrap();
    assert_eq!(text, "X\nx\n  Y\n");
    let report = |how, score, matches, line| Report {
        how,
        score,
        matches,
        replaced: 1,
        first_line: line,
        last_line: line,
    };
    assert_eq!(
        batch.reports,
        [report(Match::Whitespace, 0.95, 1, 3), report(Match::Exact, 1.0, 2, 1)]
    );
    assert_eq!((batch.fuzzy(), batch.average_similarity()), (1, Some(0.95)));
}

proptest! {
    #[test]
    fn the_order_of_the_replacements_does_not_matter(
        lines in proptest::collection::vec("[a-z]{1,4}", 1..12), order in any::<proptest::sample::Index>(),
        chosen in proptest::collection::vec(any::<bool>(), 12),
    ) {
        let lines: Vec<String> = lines.iter().enumerate().map(|(i, l)| format!("{i}.{l}\n")).collect();
        let wanted: Vec<usize> = (0..lines.len()).filter(|&i| chosen[i]).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let news: Vec<String> = lines.iter().map(|line| format!("new {line}{line}")).collect();
        let mut edits: Vec<_> = wanted.iter().map(|&i| (lines[i].as_str(), news[i].as_str())).collect();
        edits.rotate_left(order.index(wanted.len()));
        let mut want = lines.clone();
        wanted.iter().for_each(|&i| want[i].clone_from(&news[i]));
        // `1.a` is in `11.a` too.
        match run(&lines.concat(), &edits, ONE) {
            Ok((text, batch)) => {
                prop_assert_eq!(text, want.concat());
                prop_assert_eq!(batch.fuzzy(), 0);
                prop_assert_eq!(batch.average_similarity(), None);
            }
            Err(error) => prop_assert!(error.to_string().contains("multiple matches")),
        }
    }
}
