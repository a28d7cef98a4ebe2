//! `redline permissions …`: one file for each subcommand.

mod add;
mod call;
mod check;
mod edit;
mod explain;
mod grants;
mod list;
mod log;
mod past;
mod replay;
mod shown;
mod test;

use std::process::ExitCode;

use clap::Subcommand;

pub use add::AddError;
pub use edit::EditError;
pub use test::NOT_JUDGED;

use super::{CliError, error, folder, print, wait};
use crate::{settings::Settings, terminal::ColorChoice};

/// Shown at the end of the command's help.
pub const HELP: &str = "\
Rules are read from the first to the last, and the first that matches decides: yours, then the
built-in ones; a folder's own .redline/settings.json only tightens what came out.

Your rules stand in settings.json of Redline's configuration folder, under \"redline.permissions\" or
\"amp.permissions\". Those in your editor's settings count in the editor only, and are not seen here.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum PermissionsCommand {
    /// List the rules in force, numbered as `test` and `explain` name them
    #[command(after_help = list::HELP)]
    List {
        /// Only the built-in rules
        #[arg(long)]
        builtin: bool,
        /// One JSON line: index, source, file, line and rule of each
        #[arg(long)]
        json: bool,
    },
    /// Say what the rules make of a call, without making it
    #[command(
        override_usage = "redline permissions test TOOL [OPTIONS] (--ARG VALUE … | --input FILE|-)",
        after_help = test::HELP
    )]
    Test {
        /// The tool's name, options, and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        words: Vec<String>,
    },
    /// Show every rule in order: why it does not match a call, and which does
    #[command(
        override_usage = "redline permissions explain TOOL [OPTIONS] (--ARG VALUE … | --input FILE|-)",
        after_help = explain::HELP
    )]
    Explain {
        /// The tool's name, options, and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        words: Vec<String>,
    },
    /// Put a rule before your others
    #[command(
        override_usage = "redline permissions add [--workspace] ACTION [--context C] [--to PROGRAM] \
                          [--message TEXT] TOOL [--ARG PATTERN …]",
        after_help = add::HELP,
        arg_required_else_help = true
    )]
    Add {
        /// Save it in this folder's .redline/settings.json
        #[arg(long)]
        workspace: bool,
        /// The rule in text form
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        words: Vec<String>,
    },
    /// Find rules that can never match, that others hide, or that allow more than they seem to
    #[command(after_help = check::HELP)]
    Check {
        /// One JSON line
        #[arg(long)]
        json: bool,
    },
    /// Change your rules in an editor, or replace them by those on standard input
    #[command(after_help = edit::HELP)]
    Edit,
    /// List what you have granted for good ("Always allow …"), or take it back
    #[command(after_help = grants::HELP)]
    Grants(grants::Words),
    /// List what agents have called, and who said what to it
    #[command(after_help = log::HELP)]
    Log(log::Options),
    /// Say which calls of the past would get another verdict with other rules of yours
    #[command(after_help = replay::HELP)]
    Replay(replay::Options),
}

/// Runs a subcommand.
pub fn main(command: PermissionsCommand, color: ColorChoice) -> Result<ExitCode, CliError> {
    match command {
        PermissionsCommand::List { builtin, json } => list::main(builtin, json, color),
        PermissionsCommand::Test { words } => wait(test::main(&words, color)),
        PermissionsCommand::Add { workspace, words } => add::main(&words, workspace),
        PermissionsCommand::Check { json } => check::main(json, color),
        PermissionsCommand::Edit => edit::main(color),
        PermissionsCommand::Grants(words) => grants::main(&words),
        PermissionsCommand::Log(options) => log::main(&options),
        PermissionsCommand::Replay(options) => Ok(replay::main(&options)),
        PermissionsCommand::Explain { words } => wait(explain::main(&words, color)),
    }
}

/// The settings in force in this folder, and what the user should know about them on stderr.
fn settings() -> Result<Settings, CliError> {
    let settings = Settings::load(&[folder()?])?;
    settings.told().iter().for_each(|note| error(note));
    Ok(settings)
}
