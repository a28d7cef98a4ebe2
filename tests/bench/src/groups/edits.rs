//! `edit_file` in an open document and on the disk, beside an MCP server's.

use super::text::{lines, text, word};
use super::{allowing, done, large};
use crate::Result;
use crate::mcp::Mcp;
use crate::options::Options;
use crate::samples::{Samples, Side, in_turns, time};
use crate::section::{Row, Section};
use crate::server::Server;
use crate::words::{bytes, seconds};
use redline_tests::Sandbox;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::path::PathBuf;
use std::process::Command;

/// Targets, as parts of the peer's time.
const OPEN: f64 = 0.05;
const ON_DISK: f64 = 0.25;

/// The size for which the targets are set.
const JUDGED: usize = 1_000_000;

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    section.say(
        "One call replaces text on one line in the middle half of the file, another line in each \
         round, from the request to its answer. *Proposed*: the document is open and the call becomes \
         a pending hunk. *Proposed and accepted*: besides, `redline/resolve` accepts it, and our \
         client applies the `workspace/applyEdit` at once with a `didChange`, up to the answer of \
         `redline/resolve`; the editor does not save. *On disk*: the file is not open and a rule \
         allows the edit, so that the call ends when the file is written (temporary file, fsync, \
         rename). The peer is npm's `@modelcontextprotocol/server-filesystem`, its `edit_file` over \
         its own stdio in the same turns; it writes the file (no fsync).",
    );
    let sizes: &[usize] = options.pick(&[100_000, JUDGED, 10_000_000], &[4_000]);
    for &size in sizes {
        measure(options, section, size)?;
    }
    section.remark("The targets are set for 1 MB; the other sizes are held to the same.");
    large::run(options, section)
}

/// The sides of one size.
struct Sides {
    proposed: Samples,
    accepted: Samples,
    disk: Samples,
    peer: Option<Samples>,
}

fn measure(options: &Options, section: &mut Section, size: usize) -> Result<()> {
    let sides = sides(options, size)?;
    let size = bytes(size as f64);
    let rows = [
        ("open: proposed", &sides.proposed, OPEN),
        ("open: proposed and accepted", &sides.accepted, OPEN),
        ("on disk", &sides.disk, ON_DISK),
    ];
    for (what, ours, target) in rows {
        let row = Row::new(format!("{size}, {what}"), ours, seconds);
        section.row(match &sides.peer {
            Some(peer) => row.against("MCP", ours, peer, seconds).at_most(target),
            None => row.without("MCP: not installed").at_most(target),
        });
    }
    Ok(())
}

fn sides(options: &Options, size: usize) -> Result<Sides> {
    let sandbox = Sandbox::new();
    let text = text(size);
    let file = |name: &str| sandbox.write(name, &text);
    let workspace = sandbox.workspace();
    let mut open =
        Lane::new(Server::redline(&sandbox, &workspace, &allowing(&[]))?, file("open.txt"));
    open.server.open(&open.path, &text)?;
    let allowing = allowing(&["edit_file"]);
    let mut disk = Lane::new(Server::redline(&sandbox, &workspace, &allowing)?, file("disk.txt"));
    let theirs = file("peer.txt");
    let mut peer = options.peers.as_ref().map(|peers| start_peer(peers, &sandbox)).transpose()?;
    let (proposed, round) = (RefCell::new(Samples::default()), RefCell::new(0));
    let rounds = options.pick(40, 1);
    // The middle half of the lines, one for each round and one to warm up.
    let edit =
        |round: usize| Replacement::of(lines(size) / 4 + round * lines(size) / 2 / (rounds + 1));
    let sides: [Side; 3] = [
        Box::new(|| {
            let (call, accept) = open.propose_and_accept(&edit(*round.borrow()))?;
            proposed.borrow_mut().push(call);
            Ok(call + accept)
        }),
        Box::new(|| Ok(disk.call(&edit(*round.borrow()))?.0)),
        Box::new(|| {
            let edit = edit(*round.borrow());
            *round.borrow_mut() += 1;
            let Some(peer) = &mut peer else { return Ok(0.0) };
            let edits = json!([{ "oldText": edit.old, "newText": edit.new }]);
            let arguments = json!({ "path": theirs, "edits": edits });
            Ok(time(|| peer.tool("edit_file", &arguments))?.0)
        }),
    ];
    let [accepted, disk_times, peer_times] = in_turns(rounds, sides)?;
    same_text(&disk.path, peer.is_some().then_some(&theirs))?;
    // The first call was the warm-up's.
    let proposed = proposed.into_inner().without_first();
    let peer = peer.is_some().then_some(peer_times);
    Ok(Sides { proposed, accepted, disk: disk_times, peer })
}

fn start_peer(peers: &std::path::Path, sandbox: &Sandbox) -> Result<Mcp> {
    let main = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";
    Mcp::start(Command::new("node").arg(peers.join(main)).arg(sandbox.workspace()))
}

/// Both sides must have done the same work.
fn same_text(ours: &PathBuf, theirs: Option<&PathBuf>) -> Result<()> {
    let Some(theirs) = theirs else { return Ok(()) };
    if std::fs::read(ours)? == std::fs::read(theirs)? {
        return Ok(());
    }
    Err("the file that Redline wrote is not the file that the peer wrote".into())
}

struct Replacement {
    old: String,
    new: String,
}

impl Replacement {
    fn of(line: usize) -> Self {
        let word = word(line);
        Self { old: format!("jumps over {word}"), new: format!("leaps across {word}") }
    }
}

/// A server and the file that it edits.
struct Lane {
    server: Server,
    path: PathBuf,
}

impl Lane {
    fn new(server: Server, path: PathBuf) -> Self {
        Self { server, path }
    }

    fn call(&mut self, edit: &Replacement) -> Result<(f64, Value)> {
        let args = json!({ "path": self.path, "old_str": edit.old, "new_str": edit.new });
        let params = json!({ "name": "edit_file", "args": args });
        let (seconds, result) = time(|| self.server.call("redline/tool", &params))?;
        Ok((seconds, done(result)?))
    }

    fn propose_and_accept(&mut self, edit: &Replacement) -> Result<(f64, f64)> {
        let (call, result) = self.call(edit)?;
        let hunks = &result["review"]["hunks"];
        if result["review"]["state"] != "pending" {
            return Err(format!("expected a pending hunk: {result}").into());
        }
        let params = json!({ "action": "accept", "hunks": hunks });
        let (accept, result) = time(|| self.server.call("redline/resolve", &params))?;
        if &result["resolved"] != hunks {
            return Err(format!("the hunk was not accepted: {result}").into());
        }
        Ok((call, accept))
    }
}
