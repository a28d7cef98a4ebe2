//! `redline permissions`.

mod log;
mod past;
mod replay;

use std::process::ExitCode;

use clap::Subcommand;

use super::CliError;

/// What there is to do.
#[derive(Debug, Subcommand)]
pub enum PermissionsCommand {
    /// List what agents have called, and who said what to it
    #[command(after_help = log::HELP)]
    Log(log::Options),
    /// Say which calls of the past would get another verdict with other rules of yours
    #[command(after_help = replay::HELP)]
    Replay(replay::Options),
}

/// Runs the command.
pub fn run(command: PermissionsCommand) -> Result<ExitCode, CliError> {
    match command {
        PermissionsCommand::Log(options) => log::main(&options),
        PermissionsCommand::Replay(options) => Ok(replay::main(&options)),
    }
}
