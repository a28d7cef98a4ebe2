//! `redline demo`: a recorded thread on a sample project, through the real pipeline.
//!
//! Only what the model says is recorded. The tools, the permissions, the hunks, the files and the
//! test run are real, in a temporary folder.

mod code;
mod nvim;
mod project;
mod talk;
mod tour;

use std::{
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, Mutex},
};

use crate::{
    cli::print,
    terminal::{ColorChoice, SharedConsole, Tty, is_interactive},
};

pub use project::Project;

/// `--editor`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Editor {
    /// Neovim 0.11 or newer
    Nvim,
    /// Visual Studio Code 1.96 or newer
    Code,
}

/// Why the demo cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// No room for the sample project.
    #[error(
        "cannot write the sample project to {0}: {1}; set TMPDIR to a folder that you can write"
    )]
    Copy(PathBuf, std::io::Error),
    /// The recorded thread did not end as it should.
    #[error("the recorded thread ended early: {0}")]
    Thread(String),
    /// Not what was promised, so exit code 0 would be a lie.
    #[error("the demo did not end well: {0}")]
    Review(String),
    /// The editor is not there or too old.
    #[error("{0}")]
    Editor(String),
}

/// Shows the demo in the terminal or in an editor.
pub async fn run(editor: Option<Editor>, color: ColorChoice) -> Result<ExitCode, DemoError> {
    match editor {
        None => in_terminal(color).await,
        Some(Editor::Nvim) => nvim::run(),
        Some(Editor::Code) => code::run(),
    }
}

async fn in_terminal(color: ColorChoice) -> Result<ExitCode, DemoError> {
    let project = Project::create()?;
    let console: SharedConsole = Arc::new(Mutex::new(Tty::new(color)));
    let watched = is_interactive();
    let shown = tour::run(&project, console, watched).await;
    // With somebody there the folder stays, so that it can be looked at. The system clears it away.
    match watched {
        true => project.keep(),
        false => project.remove(),
    }
    shown?;
    print(NEXT_STEPS);
    Ok(ExitCode::SUCCESS)
}

/// How to go on.
const NEXT_STEPS: &str = "
On your own project:
  Neovim            put editors/neovim on 'runtimepath', vim.lsp.enable('redline'),
                    then :Redline prompt …   (try: redline demo --editor nvim)
  VS Code           code --install-extension redline-….vsix (made by cargo xtask package),
                    then `Redline: Ask the Agent…`   (try: redline demo --editor code)
  another editor    let it start `redline lsp` as a language server
  a shell           redline tools use Read --path README.md
  all there is      redline --help and redline tools list
Models are not connected yet: for now a recorded script answers a prompt
(settings redline.provider = \"script\" and redline.script).
";
