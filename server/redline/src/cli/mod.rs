//! The command line.

mod args;
mod audit;
mod house;
mod out;
mod permissions;
mod review;
mod tools;
mod trust;
mod use_tool;

use std::{future::Future, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use redline_tools::Dialect;

use crate::{
    demo, lsp,
    settings::{Settings, SettingsError, store::StoreError},
    terminal::ColorChoice,
};

pub use house::House;
pub use out::{error, print};

/// A coding agent proposes, you redline.
///
/// Redline gives a coding agent its tools inside your editor. It sees what you see, changes
/// nothing that you have not accepted, and asks before it does anything your rules do not allow.
#[derive(Debug, Parser)]
#[command(name = "redline", version, arg_required_else_help = true, after_help = FIRST_STEPS)]
struct Cli {
    /// Use colours: auto, always or never
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        hide_default_value = true
    )]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

const FIRST_STEPS: &str = "\
First steps:
  redline demo                 a minute with a sample project: no key, no network
  redline demo --editor nvim   the same in Neovim
  redline review               what an agent proposed in this folder, hunk by hunk
  redline tools list           what an agent can call";

#[derive(Debug, Subcommand)]
enum Command {
    /// Show the whole thing on a sample project: an agent proposes, you accept or reject
    Demo {
        /// Review in this editor instead of the terminal
        #[arg(long, value_enum, value_name = "EDITOR")]
        editor: Option<demo::Editor>,
    },
    /// Serve an editor: the Language Server Protocol over stdin and stdout
    Lsp {
        /// Accepted because editors add it; there is no other way
        #[arg(long)]
        stdio: bool,
        /// Added by some editors
        #[arg(long = "clientProcessId", hide = true)]
        client_process_id: Option<u32>,
    },
    /// Decide what an agent has proposed in this folder, hunk by hunk
    #[command(after_help = review::HELP)]
    Review {
        /// Only list what waits
        #[arg(long)]
        list: bool,
    },
    /// List the tools that an agent can call, show one, or call it yourself
    #[command(subcommand)]
    Tools(ToolsCommand),
    /// The rules that decide what an agent may do: list, try, change and check them
    #[command(subcommand, after_help = permissions::HELP)]
    Permissions(permissions::PermissionsCommand),
    /// Let a folder's own settings count as if they were yours, until they change
    #[command(after_help = trust::HELP)]
    Trust(trust::Words),
    /// The log of all calls: is it as it was written?
    #[command(subcommand)]
    Audit(audit::AuditCommand),
}

#[derive(Debug, Subcommand)]
enum ToolsCommand {
    /// List the tools
    List {
        /// One JSON line with names, descriptions and schemas
        #[arg(long)]
        json: bool,
        /// The family of tools: amp, agent-air or amplifier
        #[arg(long, value_name = "DIALECT")]
        dialect: Option<Dialect>,
    },
    /// Show what a tool does and what it takes
    Show {
        /// The tool
        name: String,
        /// The family of tools: amp, agent-air or amplifier
        #[arg(long, value_name = "DIALECT")]
        dialect: Option<Dialect>,
    },
    /// Call a tool, with the same permissions and the same review as an agent's call
    #[command(
        override_usage = "redline tools use NAME [OPTIONS] (--ARG VALUE … | --input FILE|-)",
        after_help = use_tool::HELP,
        arg_required_else_help = true
    )]
    Use {
        /// The tool's name, options, and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        words: Vec<String>,
    },
}

/// What went wrong before a command could do its work.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The folder that it should work in is not there.
    #[error("cannot use the current folder: {0}")]
    Folder(std::io::Error),
    /// A settings file is wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The operating system gives no threads.
    #[error("cannot start: {0}")]
    Runtime(std::io::Error),
    /// The words of `tools use`.
    #[error(transparent)]
    Args(#[from] args::ArgsError),
    /// A call that cannot be judged: a path that names nothing, or the like.
    #[error("{0}")]
    Judge(String),
    /// Rules that cannot be read or saved.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The words of `permissions add`.
    #[error(transparent)]
    Add(#[from] permissions::AddError),
    /// See `permissions edit`.
    #[error(transparent)]
    Edit(#[from] permissions::EditError),
    /// A list of Redline's own.
    #[error(transparent)]
    List(#[from] redline_workspace::io::ledger::LedgerError),
    /// The audit log cannot be read.
    #[error(transparent)]
    Audit(#[from] redline_audit::io::AuditError),
    /// There is no place where it could be.
    #[error("there is no home directory with an audit log; set REDLINE_STATE_DIR")]
    NoState,
    /// A time that was written in another way.
    #[error("--since: {0}")]
    Since(#[from] redline_audit::NoMoment),
    /// See `demo`.
    #[error(transparent)]
    Demo(#[from] demo::DemoError),
}

/// Runs the command that this process was started with.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => {
            // Exit code 2 means "rejected" here, so wrong usage is an ordinary error.
            let _ = usage.print();
            let wrong = if is_of_verdicts() { permissions::NOT_JUDGED } else { 1 };
            return ExitCode::from(if usage.use_stderr() { wrong } else { 0 });
        }
    };
    run(cli).unwrap_or_else(|failed| {
        error(&failed.to_string());
        ExitCode::FAILURE
    })
}

/// Whether the command's exit code is a verdict, and 1 means "ask".
fn is_of_verdicts() -> bool {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let mut rest = words.iter().skip_while(|word| *word != "permissions").skip(1);
    rest.any(|word| word == "test" || word == "explain")
}

fn run(cli: Cli) -> Result<ExitCode, CliError> {
    match cli.command {
        Command::Demo { editor } => wait(demo::run(editor, cli.color))?.map_err(CliError::from),
        Command::Lsp { .. } => {
            let code = wait(lsp::run())?;
            Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
        }
        Command::Review { list } => wait(review::main(list, cli.color))?,
        Command::Tools(ToolsCommand::List { json, dialect }) => {
            let dialect = dialect.map_or_else(default_dialect, Ok)?;
            Ok(tools::list(dialect, json))
        }
        Command::Tools(ToolsCommand::Show { name, dialect }) => {
            let dialect = dialect.map_or_else(default_dialect, Ok)?;
            Ok(tools::show(&name, dialect))
        }
        Command::Audit(command) => audit::run(&command),
        Command::Tools(ToolsCommand::Use { words }) => wait(use_tool::main(&words, cli.color))?,
        Command::Permissions(command) => permissions::main(command, cli.color),
        Command::Trust(words) => trust::main(&words, cli.color),
    }
}

fn default_dialect() -> Result<Dialect, CliError> {
    Ok(Settings::load(&[folder()?])?.agent.dialect)
}

/// The folder that commands work in.
fn folder() -> Result<PathBuf, CliError> {
    std::env::current_dir().and_then(|path| path.canonicalize()).map_err(CliError::Folder)
}

/// Runs a future to its end. The runtime is left to the operating system: a thread that still
/// waits for a key would otherwise hold the process.
fn wait<T>(future: impl Future<Output = T>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(CliError::Runtime)?;
    let output = runtime.block_on(future);
    runtime.shutdown_background();
    Ok(output)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_holds() {
        Cli::command().debug_assert();
    }

    #[test]
    fn tools_use_leaves_the_tools_own_arguments_alone() {
        let words = ["redline", "tools", "use", "Bash", "--cmd", "ls -la", "--json", "--help"];
        let Command::Tools(ToolsCommand::Use { words }) = Cli::parse_from(words).command else {
            panic!("not tools use");
        };
        assert_eq!(words, ["Bash", "--cmd", "ls -la", "--json", "--help"]);
    }
}
