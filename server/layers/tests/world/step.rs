//! Random things that happen to a file, and the texts that they happen to.

use proptest::prelude::*;
use redline_layers::Decision;

/// One thing that happens. Places are numbers that the world maps to places that exist.
#[derive(Debug, Clone)]
pub enum Step {
    Type(Spot, Word),
    Overwrite(Spot, Word),
    Delete(Spot),
    /// Several cursors, one event.
    Cursors(Vec<(Spot, Word)>),
    TakeBack,
    DoAgain,
    /// A formatter: blanks at the start of some lines.
    Format(u8),
    /// The file is read again: whatever changed is found by a diff.
    Reload(Spot, Word),
    /// Some program takes text away.
    ToolDelete(Spot),
    Propose(Thread, Vec<(Spot, Word)>),
    /// A rule allows it.
    Apply(Thread, Vec<(Spot, Word)>),
    Decide(Decision, u16),
    DecideAll(Decision),
    OpenAgain(u16),
    Settle(u16),
}

impl Step {
    pub fn is_a_decision(&self) -> bool {
        matches!(self, Step::Decide(..) | Step::DecideAll(_) | Step::OpenAgain(_) | Step::Settle(_))
    }
}

pub type Thread = u16;

/// A place and how much of the text behind it is meant.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    pub at: u16,
    pub len: u8,
}

/// What is written there, behind a char that is written once only.
#[derive(Debug, Clone, Copy)]
pub enum Word {
    Nothing,
    Mark,
    Ascii,
    Wide,
    Family,
    Combining,
    Line,
    /// A line end, then text: Enter at the end of a line.
    Enter,
    /// Two lines of text.
    Lines,
}

impl Word {
    /// The text around the char that `mark` gives.
    pub fn text(self, eol: &str, mark: impl FnOnce() -> char) -> String {
        match self {
            Word::Nothing => String::new(),
            Word::Mark => mark().to_string(),
            Word::Ascii => format!("{}x", mark()),
            Word::Wide => format!("{}界語", mark()),
            Word::Family => format!("{}👩‍👩‍👧", mark()),
            Word::Combining => format!("e{}\u{301}\u{323}", mark()),
            Word::Line => format!("{}{eol}", mark()),
            Word::Enter => format!("{eol}{}", mark()),
            Word::Lines => format!("{}{eol}y{eol}", mark()),
        }
    }
}

/// Texts to start from: all classes of chars, and all kinds of line ends.
pub const BASES: [&str; 7] = [
    "alpha\nbeta 界\r\ngamma é\n\ndelta 👩‍👩‍👧 x\nlast",
    "fn a() {\n    b();\n}\n\nfn c() {\n    d();\n}\n",
    "eins\r\nzwei\r\n\r\nvier\r\n",
    "汉字\n漢字仮名\n한글\n",
    "👩‍👩‍👧\n🇩🇪🏳️‍🌈\ne\u{301}o\u{308}\u{323}\n",
    "one long line without any end",
    "",
];

fn spot() -> impl Strategy<Value = Spot> {
    (any::<u16>(), 0u8..14).prop_map(|(at, len)| Spot { at, len })
}

fn word() -> impl Strategy<Value = Word> {
    use Word::*;
    proptest::sample::select(vec![
        Mark, Ascii, Wide, Family, Combining, Line, Line, Enter, Enter, Lines,
    ])
}

fn word_or_nothing() -> impl Strategy<Value = Word> {
    prop_oneof![3 => word(), 1 => Just(Word::Nothing)]
}

fn edits() -> impl Strategy<Value = Vec<(Spot, Word)>> {
    proptest::collection::vec((spot(), word_or_nothing()), 1..4)
}

fn how() -> impl Strategy<Value = Decision> {
    use Decision::*;
    proptest::sample::select(vec![Accept, Reject, Undo])
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (spot(), word()).prop_map(|(spot, word)| Step::Type(spot, word)),
        1 => (spot(), word()).prop_map(|(spot, word)| Step::Overwrite(spot, word)),
        2 => spot().prop_map(Step::Delete),
        1 => edits().prop_map(Step::Cursors),
        1 => Just(Step::TakeBack),
        1 => Just(Step::DoAgain),
        1 => any::<u8>().prop_map(Step::Format),
        1 => (spot(), word_or_nothing()).prop_map(|(spot, word)| Step::Reload(spot, word)),
        1 => spot().prop_map(Step::ToolDelete),
        5 => (any::<u16>(), edits()).prop_map(|(thread, edits)| Step::Propose(thread, edits)),
        1 => (any::<u16>(), edits()).prop_map(|(thread, edits)| Step::Apply(thread, edits)),
        3 => (how(), any::<u16>()).prop_map(|(how, which)| Step::Decide(how, which)),
        1 => any::<u16>().prop_map(Step::OpenAgain),
        1 => any::<u16>().prop_map(Step::Settle),
    ]
}

/// A text to start from and what happens to it.
pub fn life(most: usize) -> impl Strategy<Value = (usize, Vec<Step>)> {
    (0..BASES.len(), proptest::collection::vec(step(), 1..most))
}

/// What several cursors do at once.
pub fn cursors() -> impl Strategy<Value = Vec<(Spot, Word)>> {
    proptest::collection::vec((spot(), word_or_nothing()), 1..5)
}

/// What one user does, event by event.
pub fn events(most: usize) -> impl Strategy<Value = Vec<Vec<(Spot, Word)>>> {
    proptest::collection::vec(proptest::collection::vec((spot(), word_or_nothing()), 1..3), 1..most)
}

pub fn any_spot() -> impl Strategy<Value = Spot> {
    spot()
}

pub fn config() -> ProptestConfig {
    let cases = std::env::var("REDLINE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: 1 << 20,
        ..ProptestConfig::default()
    }
}
