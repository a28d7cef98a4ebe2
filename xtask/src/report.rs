//! What the steps came to: a table and a closing line that adds them all up.

use std::process::ExitCode;
use std::time::Duration;

/// Tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
}

impl Count {
    /// Both numbers added up.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// One thing, done or not.
    pub fn one(ok: bool) -> Self {
        Self { passed: usize::from(ok), failed: usize::from(!ok) }
    }
}

/// One line of the table.
#[derive(Debug)]
pub struct Row {
    /// What ran.
    pub name: String,
    /// What it counted.
    pub count: Count,
    /// How long it took.
    pub time: Duration,
    /// Why it failed, if its own output does not say so.
    pub note: String,
}

/// What the steps are. Only tests close with the line that CI counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Suites, each with many tests.
    Tests,
    /// Linters, each a single check.
    Lints,
}

/// All steps.
#[derive(Debug)]
pub struct Report {
    kind: Kind,
    rows: Vec<Row>,
}

impl Report {
    /// A report without steps.
    pub fn new(kind: Kind) -> Self {
        Self { kind, rows: Vec::new() }
    }

    /// Notes a step.
    pub fn push(&mut self, row: Row) {
        let verdict = if row.count.failed == 0 { "ok" } else { "FAILED" };
        println!("── {}: {verdict}, {:.1} s", row.name, row.time.as_secs_f64());
        if !row.note.is_empty() {
            println!("   {}", row.note);
        }
        self.rows.push(row);
    }

    /// Prints the table and the closing line; the exit code says whether all passed.
    pub fn close(self) -> ExitCode {
        let mut total = Count::default();
        println!("\n{:<44} {:>7} {:>7} {:>9}", "step", "passed", "failed", "seconds");
        for Row { name, count, time, note } in &self.rows {
            let seconds = time.as_secs_f64();
            println!("{name:<44} {:>7} {:>7} {seconds:>9.1}", count.passed, count.failed);
            if count.failed > 0 && !note.is_empty() {
                println!("    {note}");
            }
            total.add(*count);
        }
        println!("\n{}", self.closing_line(total));
        if total.failed == 0 && total.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn closing_line(&self, Count { passed, failed }: Count) -> String {
        match self.kind {
            Kind::Tests => format!("{passed} passed, {failed} failed"),
            Kind::Lints => format!("lint: {passed} of {} in order", passed + failed),
        }
    }
}
