//! What has a limit instead of a peer: an edit of a huge file, and a diff for display.

use super::text::{lines, text, word};
use super::{allowing, done};
use crate::Result;
use crate::options::Options;
use crate::samples::{Samples, Spread, time};
use crate::section::{Row, Section};
use crate::server::Server;
use crate::words::{bytes, seconds};
use redline_tests::Sandbox;
use redline_text::{Text, unified_with_lines};
use serde_json::json;
use std::hint::black_box;
use std::time::Instant;

/// Seconds that an `edit_file` on 100 MB may take.
const HUGE_LIMIT: f64 = 1.0;
/// Seconds that a diff for display of a file of 20,000 lines with 50 changes may take.
const DIFF_LIMIT: f64 = 0.010;

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    let size = options.pick(100_000_000, 4_000);
    for (what, tools) in [("proposed", &[][..]), ("applied by a rule", &["edit_file"])] {
        let samples = huge(options, size, tools)?;
        let what = format!("{}, not open: {what}", bytes(size as f64));
        section.row(limited(&what, &samples, HUGE_LIMIT));
    }
    let lines = options.pick(20_000, 100);
    let what = format!("in process, diff for display, {lines} lines, 50 changes");
    section.row(limited(&what, &diffs(options, lines), DIFF_LIMIT));
    section.remark(
        "*Not open* is a file that no editor shows: it is read, decoded and searched in each call, \
         and with a rule that allows it written, too (temporary file, fsync, rename). *Diff for \
         display* is the git-style diff and the changed line range of a result.",
    );
    Ok(())
}

/// A figure that has a limit, in seconds.
pub(super) fn limited(what: &str, samples: &Samples, limit: f64) -> Row {
    let Spread { low, mid, high } = samples.spread();
    let of = Spread { low: low / limit, mid: mid / limit, high: high / limit };
    let row = Row::new(what, samples, seconds);
    row.ratio(format!("the limit: {}", seconds(limit)), of).at_most(1.0)
}

/// Calls on one file that is not open, another line in each.
fn huge(options: &Options, size: usize, allowed: &[&str]) -> Result<Samples> {
    let sandbox = Sandbox::new();
    let path = sandbox.write("huge.txt", text(size));
    let mut server = Server::redline(&sandbox, &sandbox.workspace(), &allowing(allowed))?;
    let mut samples = Samples::default();
    let rounds = options.pick(5, 1);
    for round in 0..=rounds {
        let word = word(lines(size) / 4 + round * lines(size) / 2 / (rounds + 1));
        let args = json!({
            "path": path, "old_str": format!("over {word}"), "new_str": format!("across {word}"),
        });
        let params = json!({ "name": "edit_file", "args": args });
        let (seconds, result) = time(|| server.call("redline/tool", &params))?;
        done(result)?;
        samples.push(seconds);
    }
    Ok(samples.without_first())
}

fn diffs(options: &Options, lines: usize) -> Samples {
    let line = |n: usize, changed: bool| {
        let more = if changed { " and then some" } else { "" };
        format!("    let value_{n} = compute({n}, \"{}\");{more}\n", n % 97)
    };
    let step = lines / 50;
    let before: String = (0..lines).map(|n| line(n, false)).collect();
    let after: String = (0..lines).map(|n| line(n, n % step == step / 2)).collect();
    let (before, after) = (Text::from(before), Text::from(after));
    let round = || {
        let start = Instant::now();
        black_box(unified_with_lines(Some(&before), Some(&after), "src/file.rs"));
        start.elapsed().as_secs_f64()
    };
    (0..options.pick(50, 1)).map(|_| round()).collect()
}
