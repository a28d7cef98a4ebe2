//! The edits of other agents' test suites: what must be replaced is, and nothing else ever is.
//!
//! `cargo xtask conformance` shows the table; `fixtures/README.md` says what a case is.

mod conformance {
    pub mod case;
    pub mod tally;
}

use conformance::{case::Case, tally::Tally};

const CASES: &str = include_str!("../fixtures/edit_cases.jsonl");

#[test]
fn peers_edits() {
    let mut tally = Tally::default();
    for line in CASES.lines() {
        let case: Case = serde_json::from_str(line).expect("a case");
        let (verdict, got) = case.verdict();
        tally.add(&case, verdict, &got);
    }
    println!("{tally}");
    assert!(tally.meets_targets(), "a target is missed");
}
