//! From the start of the process to the answer of `initialize`, and memory after a first document.

use super::text::text;
use crate::Result;
use crate::options::Options;
use crate::samples::{Samples, Side, in_turns};
use crate::section::{Row, Section, Unit};
use crate::server::Server;
use crate::words::{bytes, seconds};
use redline_tests::Sandbox;
use serde_json::{Value, json};
use std::cell::RefCell;

/// What is seen of one side.
#[derive(Default)]
struct Seen {
    start: Samples,
    resident: Samples,
    anonymous: Samples,
    peak: Samples,
}

/// Target of the start, as a part of node's.
const START: f64 = 0.03;

/// Target of resident memory, as a part of node's.
const MEMORY: f64 = 0.15;

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    let size = options.pick(100_000, 4_000);
    section.say(format!(
        "Start: from before the process is started to the answer of `initialize`. Memory: after \
         `initialize`, `initialized` and one `didOpen` of {}, when a request sent after them is \
         answered (VmRSS; of it not from files, that is, neither program text nor libraries: RssAnon; peak: VmHWM). The peer is `tests/bench/peers/server.js`: \
         vscode-languageserver with incremental TextDocuments and nothing else.",
        bytes(size as f64)
    ));
    let sandbox = Sandbox::new();
    let text = text(size);
    let path = sandbox.write("a.txt", &text);
    let (ours, node) = (RefCell::new(Seen::default()), RefCell::new(Seen::default()));
    let redline: Side = Box::new(|| {
        let mut server = Server::redline(&sandbox, &sandbox.workspace(), &json!({}))?;
        server.open(&path, &text)?;
        server.call("redline/status", &json!({}))?;
        look(&server, &mut ours.borrow_mut())
    });
    let peer: Side = Box::new(|| {
        let Some(peers) = &options.peers else { return Ok(0.0) };
        let mut server = Server::node(peers, &sandbox.workspace())?;
        let uri = server.open(&path, &text)?;
        let status = server.call("bench/status", &json!({ "uri": uri }))?;
        if status["version"] == Value::Null {
            return Err("the node server did not see the document".into());
        }
        look(&server, &mut node.borrow_mut())
    });
    in_turns(options.pick(30, 1), [redline, peer])?;
    let [ours, node] = [ours, node].map(|seen| seen.into_inner().without_warm_up());
    report(section, &ours, options.peers.is_some().then_some(&node));
    Ok(())
}

impl Seen {
    fn without_warm_up(self) -> Self {
        let Self { start, resident, anonymous, peak } = self;
        let [start, resident, anonymous, peak] =
            [start, resident, anonymous, peak].map(Samples::without_first);
        Self { start, resident, anonymous, peak }
    }
}

fn look(server: &Server, seen: &mut Seen) -> Result<f64> {
    seen.start.push(server.start);
    seen.resident.push(server.process.memory("VmRSS")?);
    seen.anonymous.push(server.process.memory("RssAnon")?);
    seen.peak.push(server.process.memory("VmHWM")?);
    Ok(server.start)
}

fn report(section: &mut Section, ours: &Seen, node: Option<&Seen>) {
    let row = |what: &str, of: fn(&Seen) -> &Samples, unit: Unit| {
        let row = Row::new(what, of(ours), unit);
        match node {
            Some(node) => row.against("node", of(ours), of(node), unit),
            None => row.without("node: not installed"),
        }
    };
    section.row(row("start to `initialize`", |seen| &seen.start, seconds).at_most(START));
    section.row(row("resident memory", |seen| &seen.resident, bytes).at_most(MEMORY));
    section.row(row("of it not from files", |seen| &seen.anonymous, bytes));
    section.row(row("peak memory", |seen| &seen.peak, bytes));
}
