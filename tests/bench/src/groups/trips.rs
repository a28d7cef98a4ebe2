//! How long a request takes while nothing, a tool, or many open asks are there.

use super::allowing;
use super::text::{lines, text};
use crate::Result;
use crate::options::Options;
use crate::samples::{Samples, Spread, time};
use crate::section::{Row, Section};
use crate::server::Server;
use crate::words::seconds;
use redline_tests::Sandbox;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Target of every state that is not idle, as a multiple of idle.
const TARGET: f64 = 2.0;

/// Threads with an open ask each.
const ASKS: usize = 64;

/// Prints as fast as it is read, until it is ended. The file that it makes first says that it runs.
const PRINTING: &str = "yes 'a line of forty characters or so, again'";

/// What says that the printing command runs.
const STARTED: &str = "started";

/// What is measured in one state.
struct State {
    name: &'static str,
    target: Option<f64>,
    /// A request alone, and an edit with a request after it.
    request: Probe,
    edit: Probe,
}

/// One batch for each round, and all of them.
#[derive(Default)]
struct Probe {
    medians: Samples,
    all: Samples,
}

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    let (rounds, batch) = options.pick((20, 200), (1, 5));
    section.say(format!(
        "`redline/status` alone, and a one-character `didChange` in an open document of 100 KB with \
         `redline/status` after it, from the write to the whole answer. {rounds} rounds of {batch} \
         requests in each state in turns; the printing command runs only during its own part of a \
         round. Each state is a server of its own. The ratio of a median is the median over the \
         rounds, that of a 99th percentile is over all requests together. \"The same command \
         beside Redline\" shows how much of it is the load on the machine's cores: a shell outside \
         runs the command into a pipe that is read."
    ));
    let mut bench = Bench::new(options)?;
    for _ in 0..rounds {
        bench.round(batch)?;
    }
    bench.report(section);
    Ok(())
}

/// A server for each state.
struct Bench {
    idle: Document,
    sleeping: Document,
    asking: Document,
    printing: Document,
    states: [State; 5],
    sleep: u64,
    sandbox: Sandbox,
}

impl Bench {
    fn new(options: &Options) -> Result<Self> {
        let sandbox = Sandbox::new();
        let open = |settings: &Value| Document::open(&sandbox, settings, options);
        let mut sleeping = open(&allowing(&["Bash"]))?;
        let sleep = sleeping.bash("", "sleep 100000")?;
        let mut asking = open(&json!({}))?;
        for index in 0..ASKS {
            asking.bash(&format!("asking-{index}"), &format!("touch never-{index}"))?;
        }
        asking.server.wait(|server| server.asks == ASKS)?;
        let states = [
            state("idle", None),
            state("a tool sleeps", Some(TARGET)),
            state("64 asks are open", Some(TARGET)),
            state("a tool prints without end", Some(TARGET)),
            state("the same command beside Redline", None),
        ];
        let (idle, printing) = (open(&json!({}))?, open(&allowing(&["Bash"]))?);
        Ok(Self { idle, sleeping, asking, printing, states, sandbox, sleep })
    }

    fn round(&mut self, batch: usize) -> Result<()> {
        let [idle, sleeping, asking, printing, beside] = &mut self.states;
        idle.measure(&mut self.idle, batch)?;
        sleeping.measure(&mut self.sleeping, batch)?;
        self.sleeping.server.must_run(self.sleep)?;
        asking.measure(&mut self.asking, batch)?;
        let call = self.printing.bash("", &format!("touch {STARTED}; {PRINTING}"))?;
        self.printing.until_it_runs(&self.sandbox.path(STARTED), call)?;
        printing.measure(&mut self.printing, batch)?;
        self.printing.cancel(call)?;
        std::fs::remove_file(self.sandbox.path(STARTED))?;
        let load = Load::start()?;
        beside.measure(&mut self.idle, batch)?;
        drop(load);
        Ok(())
    }

    fn report(&self, section: &mut Section) {
        let [idle, others @ ..] = &self.states;
        for (what, of) in PARTS {
            for row in of(idle).rows(&format!("{what}, {}", idle.name), None) {
                section.row(row);
            }
            for state in others {
                for row in of(state).rows(&format!("{what}, {}", state.name), Some(of(idle))) {
                    section.row(match state.target {
                        Some(target) => row.at_most(target),
                        None => row,
                    });
                }
            }
        }
    }
}

/// What is measured in each state.
type Part = (&'static str, fn(&State) -> &Probe);
const PARTS: [Part; 2] =
    [("request", |state| &state.request), ("edit and request", |state| &state.edit)];

fn state(name: &'static str, target: Option<f64>) -> State {
    State { name, target, request: Probe::default(), edit: Probe::default() }
}

impl State {
    fn measure(&mut self, document: &mut Document, batch: usize) -> Result<()> {
        // The first after a pause finds cold caches and a sleeping core, in every state.
        for _ in 0..3 {
            document.trip(true)?;
        }
        self.request.batch(batch, || document.trip(false))?;
        self.edit.batch(batch, || document.trip(true))
    }
}

impl Probe {
    fn batch(&mut self, count: usize, mut trip: impl FnMut() -> Result<f64>) -> Result<()> {
        let batch: Samples =
            (0..count).map(|_| trip()).collect::<Result<Vec<_>>>()?.into_iter().collect();
        self.medians.push(batch.quantile(0.5));
        self.all.extend(&batch);
        Ok(())
    }

    fn rows(&self, what: &str, idle: Option<&Self>) -> [Row; 2] {
        let median = Row::new(format!("{what}: p50"), &self.medians, seconds);
        let p99 = self.all.quantile(0.99);
        let slow = Row::text(format!("{what}: p99"), seconds(p99));
        let Some(idle) = idle else { return [median, slow] };
        let theirs = idle.all.quantile(0.99);
        let ratio = Spread { low: p99 / theirs, mid: p99 / theirs, high: p99 / theirs };
        [
            median.against("idle", &self.medians, &idle.medians, seconds),
            slow.ratio(format!("idle: {}", seconds(theirs)), ratio),
        ]
    }
}

/// A server with an open document.
struct Document {
    server: Server,
    uri: String,
    line: usize,
    column: usize,
}

impl Document {
    fn open(sandbox: &Sandbox, settings: &Value, options: &Options) -> Result<Self> {
        let size = options.pick(100_000, 4_000);
        let text = text(size);
        let path = sandbox.write("a.txt", &text);
        let mut server = Server::redline(sandbox, &sandbox.workspace(), settings)?;
        let uri = server.open(&path, &text)?;
        Ok(Self { server, uri, line: lines(size) / 2, column: 0 })
    }

    /// Starts a command in a thread of its own, or in the connection's; the id of the request.
    fn bash(&mut self, thread: &str, command: &str) -> Result<u64> {
        let mut params = json!({ "name": "Bash", "args": { "cmd": command } });
        if !thread.is_empty() {
            params["threadId"] = json!(thread);
        }
        self.server.begin("redline/tool", &params)
    }

    /// Makes round trips until the command has made its file.
    fn until_it_runs(&mut self, started: &Path, call: u64) -> Result<()> {
        let end = Instant::now() + Duration::from_secs(20);
        while !started.exists() {
            self.trip(false)?;
            self.server.must_run(call)?;
            if Instant::now() > end {
                return Err("the printing command does not start".into());
            }
        }
        Ok(())
    }

    fn cancel(&mut self, call: u64) -> Result<()> {
        self.server.must_run(call)?;
        self.server.notify("$/cancelRequest", &json!({ "id": call }))?;
        // Cancelled is an error of the request, as it should be.
        let _cancelled = self.server.finish(call);
        Ok(())
    }

    /// Seconds of one round trip.
    fn trip(&mut self, edit: bool) -> Result<f64> {
        let mut bytes = if edit { self.typing() } else { Vec::new() };
        let (frame, id) = self.server.request("redline/status", &json!({}));
        bytes.extend(frame);
        Ok(time(|| self.server.answered(&bytes, id))?.0)
    }

    fn typing(&mut self) -> Vec<u8> {
        let at = json!({ "line": self.line, "character": self.column });
        self.column += 1;
        let change = json!([{ "range": { "start": at, "end": at }, "text": "x" }]);
        self.server.change(&self.uri, &change)
    }
}

/// The printing command in a shell that is not Redline's, and someone who reads it.
struct Load(Child, Child);

impl Load {
    fn start() -> Result<Self> {
        let mut printing = Command::new("bash");
        printing.args(["-c", &format!("exec {PRINTING}")]).stdout(Stdio::piped());
        let mut printing = printing.spawn()?;
        let output = printing.stdout.take().ok_or("no pipe")?;
        let mut reading = Command::new("cat");
        let reading = reading.stdin(Stdio::from(output)).stdout(Stdio::null()).spawn()?;
        Ok(Self(printing, reading))
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in [&mut self.0, &mut self.1] {
            let _gone_already = child.kill();
            let _reaped = child.wait();
        }
    }
}
