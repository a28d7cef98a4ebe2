use proptest::prelude::*;

use super::*;
use crate::{Text, locate::view::LfLines};

/// Every window, compared.
fn plainly(view: &View, olds: &[&str]) -> Vec<(f64, usize)> {
    let lines: Vec<&str> = view.lines().collect();
    let windows = lines.windows(olds.len().max(1)).enumerate();
    windows.map(|(i, window)| (naive(&window.join("\n"), &olds.join("\n")), i)).collect()
}

fn naive(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let best = (corner + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = best;
        }
    }
    let long = a.len().max(b.len());
    if long == 0 { 1.0 } else { 1.0 - row[b.len()] as f64 / long as f64 }
}

#[test]
fn scores_are_shares_of_equal_chars() {
    let check =
        |a: &str, b: &str, want: f64| assert!((score(a, b) - want).abs() < 1e-9, "{a:?} {b:?}");
    check("", "", 1.0);
    check("a\r\nb\n", "a\nb", 1.0);
    check("if not x:\n    y()", "if x:\n    y()", 1.0 - 4.0 / 17.0);
    check("é", "e", 0.0);
    check("hello\nworld", "", 0.0);
    let long = "x".repeat(1 << 16);
    check(&long, &format!("{long}y"), f64::from(1 << 16) / f64::from((1 << 16) + 1));
}

proptest! {
    #[test]
    fn what_is_found_is_what_a_full_search_finds(
        text in "([abcé ]{0,6}\n){0,12}[abc]{0,3}", old in "[abcé ]{0,6}(\n[abcé ]{0,6}){0,3}",
        limit in 0.0f64..1.0, at in 0usize..12,
    ) {
        let text = Text::from(text);
        let view = View::new(&text);
        let olds: Vec<&str> = old.lines_lf().collect();
        if olds.iter().all(|line| line.is_empty()) {
            return Ok(());
        }
        let mut all = plainly(&view, &olds);
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        // Next to a limit, rounding decides.
        prop_assume!(all.iter().all(|&(score, _)| (score - limit).abs() > 1e-9));
        let best = all.first().filter(|best| best.0 > limit).map(|best| best.1);
        prop_assert_eq!(nearest(&view, &olds, limit), best);
        let rival = all.iter().any(|&(score, line)| score > limit && line.abs_diff(at) >= olds.len());
        prop_assert_eq!(has_rival(&view, &olds, at, limit), rival);
    }

    #[test]
    fn a_cutoff_changes_no_score(a in "[ab\n]{0,90}", b in "[ab\n]{0,90}", cutoff in 0.0f64..1.0) {
        let args = levenshtein::Args::default().score_cutoff(cutoff);
        let got = BatchComparator::new(a.chars()).normalized_similarity_with_args(b.chars(), &args);
        let want = naive(&a, &b);
        prop_assume!((want - cutoff).abs() > 1e-9);
        prop_assert_eq!(got.is_some(), want > cutoff);
        prop_assert!(got.is_none_or(|got| (got - want).abs() < 1e-9));
    }

    #[test]
    fn a_cutoff_changes_no_score_of_long_texts(
        words in proptest::collection::vec("[a-f]{1,9}", 20..120), at in 0usize..20, cutoff in 0.0f64..1.0,
        word in "[a-f]{0,9}",
    ) {
        let a = words.join(" ");
        let mut words = words;
        words[at] = word;
        let b = words.join(" ");
        let args = levenshtein::Args::default().score_cutoff(cutoff);
        let got = BatchComparator::new(a.chars()).normalized_similarity_with_args(b.chars(), &args);
        let want = naive(&a, &b);
        prop_assume!((want - cutoff).abs() > 1e-9);
        prop_assert_eq!(got.is_some(), want > cutoff);
        prop_assert!(got.is_none_or(|got| (got - want).abs() < 1e-9));
    }
}
