//! `redline permissions …`: one file for each subcommand.

mod grants;

use std::process::ExitCode;

use clap::Subcommand;

use super::{CliError, error, print};
use crate::terminal::ColorChoice;

/// Shown at the end of the command's help.
pub const HELP: &str = "\
Rules are read from the first to the last, and the first that matches decides: yours, then the
built-in ones; a folder's own .redline/settings.json only tightens what came out.

Your rules stand in settings.json of Redline's configuration folder, under \"redline.permissions\" or
\"amp.permissions\". Those in your editor's settings count in the editor only, and are not seen here.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum PermissionsCommand {
    /// List what you have granted for good ("Always allow …"), or take it back
    #[command(after_help = grants::HELP)]
    Grants(grants::Words),
}

/// Runs a subcommand.
pub fn main(command: PermissionsCommand, _color: ColorChoice) -> Result<ExitCode, CliError> {
    match command {
        PermissionsCommand::Grants(words) => grants::main(&words),
    }
}
