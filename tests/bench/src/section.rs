//! One group's part of the page: what was done, a table, and remarks.

use crate::machine;
use crate::samples::{Samples, Spread};
use crate::words;
use std::fmt;

/// How a number is written.
pub type Unit = fn(f64) -> String;

/// A part of the page.
pub struct Section {
    /// The group.
    pub name: &'static str,
    title: &'static str,
    intro: Vec<String>,
    rows: Vec<Row>,
    remarks: Vec<String>,
}

/// A line of the table.
pub struct Row {
    what: String,
    ours: String,
    peer: String,
    ratio: Option<Spread>,
    target: Option<f64>,
}

impl Section {
    /// An empty one.
    pub fn new(name: &'static str, title: &'static str) -> Self {
        Self { name, title, intro: Vec::new(), rows: Vec::new(), remarks: Vec::new() }
    }

    /// Says how the figures came about.
    pub fn say(&mut self, text: impl Into<String>) {
        self.intro.push(text.into());
    }

    /// Says something below the table.
    pub fn remark(&mut self, text: impl Into<String>) {
        self.remarks.push(text.into());
    }

    /// Adds a line.
    pub fn row(&mut self, row: Row) {
        eprintln!("   {row}");
        self.rows.push(row);
    }
}

impl Row {
    /// A figure of our own, with its middle half.
    pub fn new(what: impl Into<String>, ours: &Samples, unit: Unit) -> Self {
        Self::text(what, words::spread(ours.spread(), unit))
    }

    /// A figure in words.
    pub fn text(what: impl Into<String>, ours: impl Into<String>) -> Self {
        let (what, ours) = (what.into(), ours.into());
        Self { what, ours, peer: String::new(), ratio: None, target: None }
    }

    /// Says more about our own figure.
    pub fn also(mut self, text: &str) -> Self {
        self.ours = format!("{}; {text}", self.ours);
        self
    }

    /// A peer that ran in turns with ours.
    pub fn against(mut self, name: &str, ours: &Samples, peer: &Samples, unit: Unit) -> Self {
        self.peer = format!("{name}: {}", words::spread(peer.spread(), unit));
        self.ratio = Some(ours.over(peer));
        self
    }

    /// A peer and a ratio that are known already.
    pub fn ratio(mut self, peer: impl Into<String>, ratio: Spread) -> Self {
        (self.peer, self.ratio) = (peer.into(), Some(ratio));
        self
    }

    /// A peer that is not there.
    pub fn without(mut self, peer: &str) -> Self {
        peer.clone_into(&mut self.peer);
        self
    }

    /// The ratio must not be above this.
    pub fn at_most(mut self, target: f64) -> Self {
        self.target = Some(target);
        self
    }

    fn met(&self) -> &'static str {
        match (self.ratio, self.target) {
            (Some(ratio), Some(target)) if ratio.mid <= target => "yes",
            (Some(_), Some(_)) => "**no**",
            _ => "",
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratio = self.ratio.map(ratio).unwrap_or_default();
        let target = self.target.map(|target| format!("≤ {target}")).unwrap_or_default();
        let Self { what, ours, peer, .. } = self;
        write!(f, "| {what} | {ours} | {peer} | {ratio} | {target} | {} |", self.met())
    }
}

fn ratio(ratio: Spread) -> String {
    // A pooled ratio has no spread.
    if ratio.low == ratio.high {
        return words::number(ratio.mid);
    }
    words::spread(ratio, words::number)
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## {}\n", self.title)?;
        let (name, run) = (self.name, machine::run());
        writeln!(f, "`cargo xtask bench {name}`: {run}.")?;
        for text in &self.intro {
            writeln!(f, "{text}")?;
        }
        if !self.rows.is_empty() {
            writeln!(f, "\n| figure | Redline | peer | ratio | target | met |")?;
            writeln!(f, "| --- | --- | --- | --- | --- | --- |")?;
        }
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        for text in &self.remarks {
            writeln!(f, "\n{text}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_whether_its_target_is_met() {
        let samples = |values: [f64; 3]| values.into_iter().collect::<Samples>();
        let (ours, peer) = (samples([0.002; 3]), samples([0.004; 3]));
        let check = |target: f64, expect: &str| {
            let row = Row::new("x", &ours, words::seconds).also("more");
            let row = row.against("node", &ours, &peer, words::seconds).at_most(target);
            assert_eq!(row.to_string(), expect);
        };
        let ours = "2.00 ms (2.00 ms – 2.00 ms); more";
        let peer = "node: 4.00 ms (4.00 ms – 4.00 ms)";
        check(0.5, &format!("| x | {ours} | {peer} | 0.500 | ≤ 0.5 | yes |"));
        check(0.4, &format!("| x | {ours} | {peer} | 0.500 | ≤ 0.4 | **no** |"));
    }

    #[test]
    fn without_a_peer_nothing_is_met_or_missed() {
        let row = Row::text("x", "1").without("node: not installed").at_most(0.5);
        assert_eq!(row.to_string(), "| x | 1 | node: not installed |  | ≤ 0.5 |  |");
    }
}
