//! Streams of small edits through the binary, by the size of the document and by pending hunks.

use super::text::{lines, text, word};
use super::{done, rope};
use crate::Result;
use crate::options::Options;
use crate::samples::{Samples, repeats, time};
use crate::section::{Row, Section};
use crate::server::Server;
use crate::words::{bytes, number, seconds};
use redline_tests::Sandbox;
use redline_text::{Text, line_edits};
use serde_json::{Value, json};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// Target of the growth from the smallest document to the largest.
pub const GROWTH: f64 = 2.0;

/// Target of what hunks add to a keystroke, as a part of a diff of the whole file.
const REVIEW: f64 = 0.01;

/// Characters on a line before the typist begins the next one.
const WIDTH: usize = 60;

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    let (rounds, fill) = options.pick((15, 200), (1, 2));
    section.say(format!(
        "Someone types: one-character edits in the middle of the document, each its own \
         `didChange`, sent without waiting; a request goes last and the time to its answer is shared \
         among the edits. {rounds} rounds, all servers in turns, each with as many edits as take \
         about {fill} ms. The client reads every notification. CPU is the server's own time (user \
         and system) for one edit over all rounds. The node server keeps a TextDocument with \
         incremental sync and does nothing else with it. Pending hunks lie evenly over the document; \
         nobody types inside one."
    ));
    let sandbox = Sandbox::new();
    let sizes: &[usize] =
        options.pick(&[100_000, 1_000_000, 10_000_000, 100_000_000], &[4_000, 8_000]);
    let hunks: &[usize] = options.pick(&[50, 500], &[2]);
    let mut lanes = lanes(options, &sandbox, sizes, hunks)?;
    let fill = Duration::from_millis(fill);
    for lane in &mut lanes {
        lane.calibrate(fill, options.pick(20, 2))?;
    }
    let mut rediff = Rediff::new(options.pick(1_000_000, 4_000), hunks[0]);
    for _ in 0..rounds {
        lanes.iter_mut().try_for_each(Lane::round)?;
        rediff.round();
    }
    report(section, &lanes, sizes);
    rediff.report(section, &lanes);
    rope::run(options, section)
}

/// Redline at every size, also with hunks but for the largest, and node but for the largest.
fn lanes(
    options: &Options,
    sandbox: &Sandbox,
    sizes: &[usize],
    hunks: &[usize],
) -> Result<Vec<Lane>> {
    let mut lanes = Vec::new();
    for (index, &size) in sizes.iter().enumerate() {
        lanes.push(Lane::redline(sandbox, size, 0)?);
        if index + 1 == sizes.len() {
            break;
        }
        if let Some(peers) = &options.peers {
            lanes.push(Lane::node(sandbox, peers, size)?);
        }
        for &hunks in hunks {
            lanes.push(Lane::redline(sandbox, size, hunks)?);
        }
    }
    Ok(lanes)
}

fn report(section: &mut Section, lanes: &[Lane], sizes: &[usize]) {
    let find = |who: Who, size: usize| lanes.iter().find(|l| l.who == who && l.size == size);
    for &size in sizes {
        let Some(plain) = find(Who::Redline { hunks: 0 }, size) else { continue };
        let row = plain.row();
        section.row(match find(Who::Node, size) {
            Some(node) => row.against("node", &plain.each, &node.each, seconds),
            None => row,
        });
        for lane in lanes.iter().filter(|lane| lane.size == size && lane.hunks() > 0) {
            section.row(lane.row().against("no hunk", &lane.each, &plain.each, seconds));
        }
    }
    let ends = [sizes.first(), sizes.last()];
    let ends = ends.map(|size| find(Who::Redline { hunks: 0 }, size.copied().unwrap_or_default()));
    if let [Some(small), Some(large)] = ends {
        let what = format!("growth from {} to {}", written(small.size), written(large.size));
        let row = Row::new(what, &large.each, seconds);
        let name = written(small.size);
        section.row(row.against(&name, &large.each, &small.each, seconds).at_most(GROWTH));
    }
}

fn written(size: usize) -> String {
    bytes(size as f64)
}

/// The line of hunk `index` of `hunks`.
fn line_of(index: usize, hunks: usize, size: usize) -> usize {
    index * lines(size) / hunks
}

/// What a hunk replaces in a line, and by what.
fn replacement(line: usize) -> [String; 2] {
    let old = format!("jumps over {}", word(line));
    let new = format!("leaps {old}");
    [old, new]
}

/// What an editor without layers does for each keystroke: a line diff of the whole file.
struct Rediff {
    size: usize,
    hunks: usize,
    old: Text,
    new: Text,
    each: Samples,
}

impl Rediff {
    fn new(size: usize, hunks: usize) -> Self {
        let text = text(size);
        let changed = (0..hunks).fold(text.clone(), |text, index| {
            let [old, new] = replacement(line_of(index, hunks, size));
            text.replacen(&old, &new, 1)
        });
        let (old, new) = (Text::from(text.as_str()), Text::from(changed.as_str()));
        Self { size, hunks, old, new, each: Samples::default() }
    }

    fn round(&mut self) {
        let start = Instant::now();
        black_box(line_edits(&self.old, &self.new));
        self.each.push(start.elapsed().as_secs_f64());
    }

    /// What the hunks add to a keystroke, beside a diff.
    fn report(&self, section: &mut Section, lanes: &[Lane]) {
        let of = |hunks: usize| {
            lanes.iter().find(|l| l.size == self.size && l.who == Who::Redline { hunks })
        };
        let (Some(with), Some(without)) = (of(self.hunks), of(0)) else { return };
        let added = with.each.minus(&without.each);
        let (lines, hunks) = (number(lines(self.size) as f64), self.hunks);
        let what = format!("{lines} lines: what {hunks} hunks add to a keystroke");
        let row = Row::new(what, &added, seconds);
        section.row(row.against("a line diff", &added, &self.each, seconds).at_most(REVIEW));
    }
}

/// Who gets the edits.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    Redline { hunks: usize },
    Node,
}

/// One server, one document, one typist.
struct Lane {
    who: Who,
    size: usize,
    server: Server,
    uri: String,
    line: usize,
    column: usize,
    edits: usize,
    total: usize,
    cpu: f64,
    /// Seconds for one edit, round by round.
    each: Samples,
}

impl Lane {
    fn redline(sandbox: &Sandbox, size: usize, hunks: usize) -> Result<Self> {
        let server = Server::redline(sandbox, &sandbox.workspace(), &json!({}))?;
        let name = format!("{size}-{hunks}.txt");
        let mut lane = Self::open(sandbox, Who::Redline { hunks }, server, size, &name)?;
        for index in 0..hunks {
            lane.propose(&sandbox.path(&name), line_of(index, hunks, size))?;
        }
        Ok(lane)
    }

    fn node(sandbox: &Sandbox, peers: &Path, size: usize) -> Result<Self> {
        let server = Server::node(peers, &sandbox.workspace())?;
        Self::open(sandbox, Who::Node, server, size, &format!("{size}-node.txt"))
    }

    fn open(
        sandbox: &Sandbox,
        who: Who,
        mut server: Server,
        size: usize,
        name: &str,
    ) -> Result<Self> {
        let text = text(size);
        let uri = server.open(&sandbox.write(name, &text), &text)?;
        // Hunks lie at multiples of lines / hunks: two lines after one there is none.
        let line = lines(size) / 2 + 2;
        let each = Samples::default();
        Ok(Self { who, size, server, uri, line, column: 0, edits: 1, total: 0, cpu: 0.0, each })
    }

    fn propose(&mut self, path: &Path, line: usize) -> Result<()> {
        let [old, new] = replacement(line);
        let args = json!({ "path": path, "old_str": old, "new_str": new });
        let params = json!({ "name": "edit_file", "args": args });
        done(self.server.call("redline/tool", &params)?)?;
        Ok(())
    }

    fn hunks(&self) -> usize {
        match self.who {
            Who::Redline { hunks } => hunks,
            Who::Node => 0,
        }
    }

    fn calibrate(&mut self, fill: Duration, first: usize) -> Result<()> {
        self.edits = first;
        // The first batch meets cold caches, and node's compiler.
        self.batch()?;
        let each = Duration::from_secs_f64(self.batch()?);
        self.edits = repeats(each, fill, first, 20_000);
        Ok(())
    }

    fn round(&mut self) -> Result<()> {
        let before = self.server.process.cpu()?;
        let each = self.batch()?;
        self.cpu += self.server.process.cpu()? - before;
        self.total += self.edits;
        self.each.push(each);
        Ok(())
    }

    /// Seconds for one edit of a batch.
    fn batch(&mut self) -> Result<f64> {
        let mut frames = Vec::new();
        for _ in 0..self.edits {
            let change = self.keystroke();
            frames.extend(self.server.change(&self.uri, &change));
        }
        let (method, params) = match self.who {
            Who::Redline { .. } => ("redline/status", json!({})),
            Who::Node => ("bench/status", json!({ "uri": self.uri })),
        };
        let (request, id) = self.server.request(method, &params);
        frames.extend(request);
        let (seconds, _) = time(|| self.server.stream(&frames, id))?;
        Ok(seconds / self.edits as f64)
    }

    fn keystroke(&mut self) -> Value {
        let at = json!({ "line": self.line, "character": self.column });
        let full = self.column == WIDTH;
        let text = if full { "\n" } else { "x" };
        (self.line, self.column) =
            if full { (self.line + 1, 0) } else { (self.line, self.column + 1) };
        json!([{ "range": { "start": at, "end": at }, "text": text }])
    }

    fn row(&self) -> Row {
        let hunks = match self.hunks() {
            0 => String::new(),
            hunks => format!(", {hunks} pending hunks"),
        };
        let rate = number(1.0 / self.each.spread().mid);
        let cpu = seconds(self.cpu / self.total.max(1) as f64);
        let row = Row::new(format!("{}{hunks}", written(self.size)), &self.each, seconds);
        row.also(&format!("{rate} a second, CPU {cpu}"))
    }
}
