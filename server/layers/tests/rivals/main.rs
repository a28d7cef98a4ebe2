//! The same random workloads under three designs: which of them loses what the user typed?
//!
//! `cargo test -p redline-layers --test rivals -- --nocapture` prints the table of docs/layers.md.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod chars;
mod ours;
mod rows;
mod workload;

use chars::Chars;
use ours::{Applied, Pending};
use redline_text::Edit;
use rows::Rows;
use workload::{Kind, Losses, run};

/// A way to keep an agent's edits of a file under review while the user types.
pub trait Design {
    /// A file with this text, and nothing to review.
    fn new(base: &str) -> Self;
    /// The user's buffer.
    fn buffer(&self) -> String;
    /// What the agent edits: the buffer too, unless proposals are kept out of it.
    fn agents_text(&self) -> String {
        self.buffer()
    }
    /// One tool call: ascending, apart.
    fn agent(&mut self, edits: &[Edit]);
    /// One event: ascending, apart.
    fn user(&mut self, edits: &[Edit]);
    /// The buffer, if everything that is under review were rejected (undone).
    fn reject_all(&self) -> String;
    /// The buffer, if everything that is under review were accepted (kept).
    fn accept_all(&self) -> String {
        self.buffer()
    }
}

/// How many workloads went wrong, and in what way.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counts {
    typed_lost: usize,
    chars_lost: usize,
    agents_left: usize,
    deleted_back: usize,
    file_lost: usize,
    accept_lost: usize,
}

impl Counts {
    fn add(&mut self, losses: &Losses) {
        self.typed_lost += usize::from(losses.typed > 0);
        self.chars_lost += losses.typed;
        self.agents_left += usize::from(losses.agents > 0);
        self.deleted_back += usize::from(losses.back > 0);
        self.file_lost += usize::from(losses.file > 0);
        self.accept_lost += usize::from(losses.accepted > 0);
    }
}

fn count<D: Design>(kind: Kind, workloads: u64) -> Counts {
    let mut counts = Counts::default();
    for seed in 0..workloads {
        counts.add(&run::<D>(kind, seed));
    }
    counts
}

fn workloads() -> u64 {
    let cases = std::env::var("REDLINE_CASES").ok().and_then(|n| n.parse().ok());
    cases.unwrap_or(1000)
}

fn row(name: &str, counts: Counts, workloads: u64) -> String {
    let share = |n: usize| match n {
        0 => "0".to_owned(),
        n => format!("{:.1} %", 100.0 * n as f64 / workloads as f64),
    };
    let cells = [
        name.to_owned(),
        share(counts.typed_lost),
        format!("{:.1}", counts.chars_lost as f64 / workloads as f64),
        share(counts.deleted_back),
        share(counts.agents_left),
        share(counts.accept_lost),
    ];
    format!("| {} |", cells.join(" | "))
}

#[test]
fn only_provenance_keeps_what_the_user_typed() {
    let n = workloads();
    println!("{n} workloads of each kind; shares are of workloads.\n\n{HEADING}");
    for kind in [Kind::Anywhere, Kind::Near, Kind::Cursors] {
        let rows = count::<Rows>(kind, n);
        let chars = count::<Chars>(kind, n);
        let applied = count::<Applied>(kind, n);
        let pending = count::<Pending>(kind, n);
        println!("| **{}** | | | | | |", kind.name());
        println!("{}", row("row ranges (Zed's rule)", rows, n));
        println!("{}", row("whole events (VS Code's rule)", chars, n));
        println!("{}", row("Redline, in the buffer", applied, n));
        println!("{}", row("Redline, proposed", pending, n));
        assert_eq!(applied, Counts::default());
        assert_eq!(pending, Counts::default());
        assert!(rows.typed_lost > 0 && chars.typed_lost > 0, "else the comparison says nothing");
    }
}

const HEADING: &str = "\
| | typed text lost by reject-all | chars of it, on average | deleted text back after reject-all \
| agent's text left after reject-all | typed text lost by accept-all |
| --- | --- | --- | --- | --- | --- |";

/// The worked example of docs/layers.md.
#[test]
fn a_word_typed_into_a_changed_line() {
    fn reject<D: Design>() -> String {
        let mut design = D::new("let total = 1;\nprint(total)\n");
        let at = |design: &D, text: &str| design.buffer().find(text).unwrap();
        let one = at(&design, "1");
        design.agent(&[Edit::new(one..one + 1, "sum(items)")]);
        let (start, end) = (at(&design, "total"), at(&design, ";") + 1);
        // One event: the variable gets another name, and the line a comment.
        design.user(&[Edit::new(start..start, "grand_"), Edit::new(end..end, " // checked")]);
        let items = at(&design, "items") + "items".len();
        design.user(&[Edit::new(items..items, ".paid")]);
        design.reject_all()
    }
    assert_eq!(reject::<Rows>(), "let total = 1;\nprint(total)\n");
    assert_eq!(reject::<Chars>(), "let grand_total = 1; // checked\nprint(total)\n");
    assert_eq!(reject::<Applied>(), "let grand_total = 1.paid; // checked\nprint(total)\n");
}

/// The models do what the two editors' own tests and comments say.
#[test]
fn the_models_follow_their_rules() {
    let mut rows = Rows::new("abc\ndef\nghi\njkl\nmno");
    rows.agent(&[Edit::new(6..11, "F\nGHI")]);
    // Beside the changed rows the user's rows go into the base, on them they do not.
    rows.user(&[Edit::new(2..2, "X"), Edit::new(12..12, "Y")]);
    assert_eq!(rows.reject_all(), "abXc\ndef\nghi\nYjkl\nmno");
    rows.user(&[Edit::new(6..6, "Z")]);
    assert_eq!(rows.buffer(), "abXc\ndZeF\nGHI\nYjkl\nmno");
    assert_eq!(rows.reject_all(), "abXc\ndef\nghi\nYjkl\nmno");

    let mut chars = Chars::new("abc def ghi");
    chars.agent(&[Edit::new(4..7, "12345")]);
    // Right beside the agent's text is no conflict, inside it is, and then for the whole event.
    chars.user(&[Edit::new(4..4, "X"), Edit::new(9..9, "Y")]);
    assert_eq!(chars.reject_all(), "abc XdefY ghi");
    chars.user(&[Edit::new(0..0, "U"), Edit::new(6..6, "V")]);
    assert_eq!(chars.buffer(), "Uabc X1V2345Y ghi");
    assert_eq!(chars.reject_all(), "abc XdefY ghi");
}
