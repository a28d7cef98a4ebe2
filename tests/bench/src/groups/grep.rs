//! The first `Grep` of a fresh process, and the next one, beside `rg` on a warm tree.

use super::text::text;
use crate::Result;
use crate::options::Options;
use crate::samples::{Samples, Side, in_turns, time};
use crate::section::{Row, Section};
use crate::server::Server;
use crate::words::seconds;
use redline_tests::Sandbox;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Targets, as parts of ripgrep's time: first call; later calls without a match and with many.
const FIRST: f64 = 1.0;
const LATER_NONE: f64 = 0.8;
const LATER_MANY: f64 = 0.6;

/// What is searched for in the Linux kernel, and in the small tree of a smoke run.
const PATTERNS: [(&str, &str, f64); 3] = [
    ("no match", "zq_nowhere_in_any_file", LATER_NONE),
    ("a rare word", "kmem_cache_create_usercopy", LATER_NONE),
    ("a common pattern", r"static\s+int", LATER_MANY),
];

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    let sandbox = Sandbox::new();
    let Some(corpus) = corpus(options, &sandbox) else {
        section.say("Not measured: there is no tree to search (set REDLINE_BENCH_CORPUS).");
        return Ok(());
    };
    let server = &mut Server::redline(&sandbox, &corpus, &json!({}))?;
    if let Err(why) = grep(server, "anything") {
        section.say(format!("Not measured: this binary has no tool `Grep` that answers ({why})."));
        return Ok(());
    }
    section.say(format!(
        "{}, all in the page cache. *First*: the first `Grep` of a process that was just started, \
         from the request to its answer. *Later*: the same again in the same process. The peer is a \
         process of `rg --line-number --max-count 10 --ignore-case`, as the tool's contract has it, \
         from its start to its end with all output read; it reads all files, while `Grep` may stop \
         at its 100 results.",
        if options.quick { "A small tree" } else { "Debian's linux-source-6.1" }
    ));
    for (name, pattern, later) in PATTERNS {
        measure(options, section, (&sandbox, &corpus), (name, pattern, later))?;
    }
    Ok(())
}

fn measure(
    options: &Options,
    section: &mut Section,
    (sandbox, corpus): (&Sandbox, &Path),
    (name, pattern, target): (&str, &str, f64),
) -> Result<()> {
    let (later, whole) = (RefCell::new(Samples::default()), RefCell::new(Samples::default()));
    let found = RefCell::new((0, 0));
    let ours: Side = Box::new(|| {
        let mut server = Server::redline(sandbox, corpus, &json!({}))?;
        let (first, result) = time(|| grep(&mut server, pattern))?;
        found.borrow_mut().0 = lines_in(&result);
        later.borrow_mut().push(time(|| grep(&mut server, pattern))?.0);
        whole.borrow_mut().push(server.start + first);
        Ok(first)
    });
    let theirs: Side = Box::new(|| match &options.ripgrep {
        Some(rg) => {
            let (seconds, lines) = time(|| ripgrep(rg, corpus, pattern))?;
            found.borrow_mut().1 = lines;
            Ok(seconds)
        }
        None => Ok(0.0),
    });
    let [first, peer] = in_turns(options.pick(15, 1), [ours, theirs])?;
    if options.ripgrep.is_some() {
        let (ours, theirs) = found.into_inner();
        section.remark(format!("{name} (`{pattern}`): Redline gives {ours} lines, rg {theirs}."));
    }
    let [later, whole] = [later, whole].map(|samples| samples.into_inner().without_first());
    let rows = [
        (format!("{name}, first"), &first, Some(FIRST)),
        (format!("{name}, first, with the start of Redline's process"), &whole, None),
        (format!("{name}, later"), &later, Some(target)),
    ];
    for (what, ours, target) in rows {
        let row = Row::new(what, ours, seconds);
        let row = match &options.ripgrep {
            Some(_) => row.against("rg", ours, &peer, seconds),
            None => row.without("rg: not installed"),
        };
        section.row(match target {
            Some(target) => row.at_most(target),
            None => row,
        });
    }
    Ok(())
}

/// The tree that the environment names, or in a smoke run a small one.
pub(super) fn corpus(options: &Options, sandbox: &Sandbox) -> Option<PathBuf> {
    if !options.quick {
        return options.corpus.clone();
    }
    for index in 0..20 {
        sandbox.write(&format!("folder-{}/{index}.txt", index % 4), text(4_000));
    }
    sandbox.write("folder-0/a.c", "static int a;\n");
    Some(sandbox.workspace())
}

fn grep(server: &mut Server, pattern: &str) -> Result<Value> {
    let params = json!({ "name": "Grep", "args": { "pattern": pattern } });
    super::done(server.call("redline/tool", &params)?)
}

/// Results begin with a path and a line's number; hints do not.
fn lines_in(result: &Value) -> usize {
    let is_line = |text: &&str| {
        text.split(": ")
            .next()
            .and_then(|place| place.rsplit_once(':'))
            .is_some_and(|(_, number)| number.parse::<usize>().is_ok())
    };
    let lines = result["result"].as_array().into_iter().flatten();
    lines.filter_map(Value::as_str).filter(is_line).count()
}

/// How many lines ripgrep prints.
fn ripgrep(rg: &Path, corpus: &Path, pattern: &str) -> Result<usize> {
    let mut command = Command::new(rg);
    command.args(["--no-config", "--line-number", "--max-count", "10", "--ignore-case", "-e"]);
    let output = command.arg(pattern).arg(".").current_dir(corpus).output()?;
    match output.status.code() {
        Some(0 | 1) => Ok(output.stdout.split_inclusive(|&byte| byte == b'\n').count()),
        _ => Err(format!("rg: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}
