//! The figures of `docs/benchmarks.md`, each measured beside a peer that does the same work.
//!
//! `cargo xtask bench [GROUP] [--quick]` builds the binary, installs the peers and starts this. The
//! two sides of a ratio run in turns (A B A B …), so that what else the machine does falls on both;
//! what is written is the median and the middle half of the rounds.
//!
//! Nothing here asserts: a figure that misses its target is written down as missed.

mod docs;
mod groups;
mod machine;
mod mcp;
mod options;
mod process;
mod samples;
mod section;
mod server;
mod words;

use options::Options;
use section::Section;
use std::error::Error;
use std::process::ExitCode;

/// What ends a run: a sentence for whoever started it.
type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("redline-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let options = Options::read()?;
    for group in options.groups() {
        eprintln!("── {}", group.name);
        let mut section = Section::new(group.name, group.title);
        (group.run)(&options, &mut section)?;
        println!("{section}");
        // Written after each group: a long run that is stopped keeps what it has.
        if let Some(path) = options.page() {
            docs::update(path, &section, &machine::describe(&options))?;
        }
    }
    Ok(())
}
