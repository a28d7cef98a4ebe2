//! The first `glob` of a fresh process, and the next one, beside `rg --files` on a warm tree.

use super::grep::corpus;
use crate::Result;
use crate::options::Options;
use crate::samples::{Samples, Side, in_turns, time};
use crate::section::{Row, Section};
use crate::server::Server;
use crate::words::seconds;
use redline_tests::Sandbox;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::path::Path;
use std::process::Command;

/// Targets, as parts of ripgrep's time.
const FIRST: f64 = 1.2;
const LATER: f64 = 0.15;

/// A few names of a large tree, and of the small one of a smoke run.
const PATTERNS: [(&str, &str); 2] = [("by name", "**/Kconfig*"), ("by ending", "**/*.txt")];

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    let sandbox = Sandbox::new();
    let Some(corpus) = corpus(options, &sandbox) else {
        section.say("Not measured: there is no tree to search (set REDLINE_BENCH_CORPUS).");
        return Ok(());
    };
    section.say(
        "The tree of Grep's figures. *First*: the first `glob` of a process that was just started, \
         from the request to its answer; *later*: the same again in the same process, which looks at \
         the stamps of all folders. The peer is a process of `rg --files --glob`, from its start to \
         its end with all output read.",
    );
    for (name, pattern) in PATTERNS {
        measure(options, section, (&sandbox, &corpus), (name, pattern))?;
    }
    Ok(())
}

fn measure(
    options: &Options,
    section: &mut Section,
    (sandbox, corpus): (&Sandbox, &Path),
    (name, pattern): (&str, &str),
) -> Result<()> {
    let later = RefCell::new(Samples::default());
    let found = RefCell::new((0, 0));
    let ours: Side = Box::new(|| {
        let mut server = Server::redline(sandbox, corpus, &json!({}))?;
        let (first, result) = time(|| glob(&mut server, pattern))?;
        found.borrow_mut().0 = files_in(&result);
        later.borrow_mut().push(time(|| glob(&mut server, pattern))?.0);
        Ok(first)
    });
    let theirs: Side = Box::new(|| match &options.ripgrep {
        Some(rg) => {
            let (seconds, files) = time(|| ripgrep(rg, corpus, pattern))?;
            found.borrow_mut().1 = files;
            Ok(seconds)
        }
        None => Ok(0.0),
    });
    let [first, peer] = in_turns(options.pick(15, 1), [ours, theirs])?;
    let (ours, theirs) = found.into_inner();
    if options.ripgrep.is_some() {
        section.remark(format!("{name} (`{pattern}`): Redline finds {ours} files, rg {theirs}."));
    }
    let later = later.into_inner().without_first();
    for (when, samples, target) in [("first", &first, FIRST), ("later", &later, LATER)] {
        let row = Row::new(format!("{name}, {when}"), samples, seconds);
        let row = match &options.ripgrep {
            Some(_) => row.against("rg", samples, &peer, seconds),
            None => row.without("rg: not installed"),
        };
        section.row(row.at_most(target));
    }
    Ok(())
}

fn glob(server: &mut Server, pattern: &str) -> Result<Value> {
    let params = json!({ "name": "glob", "args": { "filePattern": pattern } });
    super::done(server.call("redline/tool", &params)?)
}

/// With those that are only counted.
fn files_in(result: &Value) -> u64 {
    let result = &result["result"];
    let shown = result["files"].as_array().map_or(0, Vec::len) as u64;
    shown + result["remaining"].as_u64().unwrap_or(0)
}

fn ripgrep(rg: &Path, corpus: &Path, pattern: &str) -> Result<u64> {
    let mut command = Command::new(rg);
    command.args(["--no-config", "--files", "--glob", pattern, "."]).current_dir(corpus);
    let output = command.output()?;
    match output.status.code() {
        Some(0 | 1) => Ok(output.stdout.split_inclusive(|&byte| byte == b'\n').count() as u64),
        _ => Err(format!("rg: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}
