//! What one key costs while proposals wait, in process: the session's share of it.

use super::text::text;
use crate::Result;
use crate::options::Options;
use crate::samples::{Samples, Side, in_turns};
use crate::section::{Row, Section};
use crate::words::seconds;
use redline_layers::{Layers, Op, OpId, Projection};
use redline_text::{Edit, Encoding, Position, PositionRange, Text, line_edits};
use redline_workspace::{
    Change, Config, ContentChange, Event, Origin, Proposal, ProposeMode, Session, Ticket,
    WorkspacePath,
};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const URI: &str = "file:///w/a.txt";

/// Target: a key, as a part of a diff of the whole file.
const REDIFF: f64 = 0.01;

/// Bytes of a line of the text.
const LINE: usize = 40;

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    section.say(
        "In process: one `didChange` of one character through the session (layers, hunks, review), with \
         proposals waiting all over the file. *Far*: in a line that no hunk is near. *Beside*: in the line \
         after a hunk. *Inside*: in a line that a hunk replaces. The peer is one diff by lines of the \
         editor's text and the agent's (similar, Myers), which is what an editor without layers computes \
         after each key. *Viewport*: the hunks of 60 lines.",
    );
    let sizes: &[(usize, usize)] = options.pick(&[(20_000, 50), (100_000, 500)], &[(400, 5)]);
    for &(lines, hunks) in sizes {
        for (name, shift) in [("far", HALF), ("beside", 1), ("inside", 0)] {
            let [ours, rediff] = keys(options, lines, hunks, shift)?;
            let what = format!("{lines} lines, {hunks} hunks: a key {name}");
            let row = Row::new(what, &ours, seconds);
            section.row(row.against("rediff", &ours, &rediff, seconds).at_most(REDIFF));
        }
        let seen = viewport(options, lines, hunks)?;
        section.row(Row::new(format!("{lines} lines, {hunks} hunks: viewport"), &seen, seconds));
    }
    curve(options, section)
}

/// Half of the way to the next hunk.
const HALF: usize = usize::MAX;

/// Cost against the size of the file, with as many hunks each time.
fn curve(options: &Options, section: &mut Section) -> Result<()> {
    let sizes: &[usize] = options.pick(&[1_000, 10_000, 100_000, 1_000_000], &[200, 400]);
    let mut ends: Vec<Samples> = Vec::new();
    for &lines in sizes {
        let [ours, _] = keys(options, lines, options.pick(50, 5), 0)?;
        section.row(Row::new(format!("{lines} lines, 50 hunks: a key inside"), &ours, seconds));
        ends.push(ours);
    }
    if let (Some(small), Some(large)) = (ends.first(), ends.last()) {
        let row = Row::new("growth from the smallest to the largest", large, seconds);
        section.row(row.against("smallest", large, small, seconds).at_most(2.0));
    }
    Ok(())
}

fn keys(options: &Options, lines: usize, hunks: usize, shift: usize) -> Result<[Samples; 2]> {
    let step = lines / hunks;
    let mut session = session(lines, hunks);
    let shift = if shift == HALF { step / 2 } else { shift };
    let line = (hunks / 2 * step + shift) as u32;
    let (base, agent) = texts(lines, hunks);
    let many = options.pick(400, 4);
    let (mut column, mut version) = (0, 1);
    let sides: [Side; 2] = [
        Box::new(|| {
            let start = Instant::now();
            for _ in 0..many {
                (column, version) = ((column + 1) % 20, version + 1);
                let at = Position::new(line, column);
                let range = Some(PositionRange { start: at, end: at });
                let changes = vec![ContentChange { range, text: "x".to_owned() }];
                let uri = URI.to_owned();
                black_box(session.handle(Event::Changed { uri, version, changes }));
            }
            Ok(start.elapsed().as_secs_f64() / many as f64)
        }),
        Box::new(|| {
            let start = Instant::now();
            black_box(line_edits(&base, &agent));
            Ok(start.elapsed().as_secs_f64())
        }),
    ];
    in_turns(options.pick(15, 1), sides)
}

fn viewport(options: &Options, lines: usize, hunks: usize) -> Result<Samples> {
    let layers = layers(lines, hunks);
    let at = lines / 2 * LINE;
    let sides: [Side; 1] = [Box::new(|| {
        let start = Instant::now();
        let window = layers.window(at..at + 60 * LINE);
        black_box(layers.hunks_in(&window));
        Ok(start.elapsed().as_secs_f64())
    })];
    let [seen] = in_turns(options.pick(101, 1), sides)?;
    Ok(seen)
}

/// One word of every so many lines is replaced.
fn edits(lines: usize, hunks: usize) -> Vec<Edit> {
    let step = lines / hunks;
    (0..hunks).map(|n| n * step * LINE + 4).map(|at| Edit::new(at..at + 5, "QUICK")).collect()
}

fn layers(lines: usize, hunks: usize) -> Layers {
    let mut layers = Layers::new(Text::from(text(lines * LINE)));
    for (n, edit) in edits(lines, hunks).into_iter().enumerate() {
        let id = OpId(n as u32 + 1);
        layers.propose(&Op {
            id,
            thread: "one".into(),
            edits: vec![edit],
            creates: false,
            deletes: false,
        });
    }
    layers
}

fn texts(lines: usize, hunks: usize) -> (Text, Text) {
    let layers = layers(lines, hunks);
    (layers.editor().clone(), layers.project(&Projection::Agent("one".into())))
}

fn session(lines: usize, hunks: usize) -> Session {
    let config =
        Config { roots: vec!["/w".into()], encoding: Encoding::Utf16, ..Config::default() };
    let mut session = Session::new(config);
    let file = WorkspacePath::assume_canonical(Path::new("/w/a.txt"));
    let (uri, text) = (URI.to_owned(), text(lines * LINE));
    session.handle(Event::Opened { file: file.clone(), uri, version: 1, text, disk: None });
    let origin = Origin {
        thread: "one".into(),
        agent: "agent".to_owned(),
        tool: "edit_file".to_owned(),
        call: "call".to_owned(),
    };
    // One op: the text that the edits are of stays the same.
    if let Some(snapshot) = session.snapshot(&file, &origin.thread) {
        let change = Change::Edit(edits(lines, hunks));
        let proposal = Proposal { snapshot, change, origin, mode: ProposeMode::Pending };
        session.handle(Event::Propose { ticket: Ticket(1), proposal: Box::new(proposal) });
    }
    session.handle(Event::JournalOpened { last_op: 0 });
    session
}
