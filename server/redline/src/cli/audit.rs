//! `redline audit`: the log of all calls as a whole.

use std::process::ExitCode;

use clap::Subcommand;
use redline_audit::{
    Finding, Report,
    io::{Place, sources},
    verify,
};
use redline_workspace::io::journal::{Env, state_dir};
use serde_json::{Value, json};

use super::{CliError, error, print};

/// What there is to do.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Check that the log is as it was written, and name the first line that is not
    #[command(after_help = "Exit code: 0 as it was written, 1 not.")]
    Verify {
        /// One JSON line
        #[arg(long)]
        json: bool,
    },
    /// Print where the log is
    Path,
}

/// Runs the command.
pub fn run(command: &AuditCommand) -> Result<ExitCode, CliError> {
    let place = place()?;
    match command {
        AuditCommand::Path => {
            print(&format!("{}\n", place.current().display()));
            Ok(ExitCode::SUCCESS)
        }
        AuditCommand::Verify { json } => {
            let (files, head) = sources(&place)?;
            let report = verify(&files, head, place.is_full());
            match json {
                true => print(&format!("{}\n", as_json(&report))),
                false => tell(&report),
            }
            Ok(if report.broken.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
        }
    }
}

/// The user's log.
pub fn place() -> Result<Place, CliError> {
    let state = state_dir(&Env::of_process()).ok_or(CliError::NoState)?;
    Ok(Place::in_state(&state))
}

fn tell(report: &Report) {
    for note in &report.notes {
        error(&format!("note: {}", at(note)));
    }
    match (&report.broken, report.span) {
        (Some(broken), _) => error(&at(broken)),
        (None, None) => print("OK: nothing has been written yet\n"),
        (None, Some((first, last))) => {
            let hash = report.end.map(|end| end.hash.to_string()).unwrap_or_default();
            print(&format!("OK: {} lines, {first} to {last}\nend: {hash}\n", report.lines));
        }
    }
}

fn at(finding: &Finding) -> String {
    match finding.file.as_str() {
        "" => finding.fault.to_string(),
        file => format!("{file}:{}: {}", finding.line, finding.fault),
    }
}

fn as_json(report: &Report) -> Value {
    let finding = |it: &Finding| json!({ "file": it.file, "line": it.line, "fault": it.fault.name(), "message": it.fault.to_string() });
    let end = report.end.map(|end| json!({ "seq": end.seq, "hash": end.hash }));
    json!({
        "ok": report.broken.is_none(),
        "lines": report.lines,
        "first": report.span.map(|span| span.0),
        "last": report.span.map(|span| span.1),
        "end": end,
        "notes": report.notes.iter().map(finding).collect::<Vec<_>>(),
        "broken": report.broken.as_ref().map(finding),
    })
}
