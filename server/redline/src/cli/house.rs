//! The floors below, put together for a process in a terminal.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use redline_audit::io::{Log, Place};
use redline_text::Encoding;
use redline_tools::{Tools, builtin};
use redline_workspace::{
    Config, GrantStore, Keeping, Workspace,
    io::journal::{Env, state_dir},
};

use crate::{
    settings::{Settings, config_dir},
    terminal::{Answers, TerminalFront, TerminalHost},
};

/// A workspace and its tools.
pub struct House {
    /// The folder, canonical.
    pub root: PathBuf,
    /// The session.
    pub workspace: Arc<Workspace>,
    /// The one dispatch.
    pub tools: Arc<Tools>,
}

impl House {
    /// Opens a folder. Must be called inside a tokio runtime.
    pub fn open(root: PathBuf, settings: &Settings, answers: Answers) -> Self {
        let config = Config {
            roots: vec![root.clone()],
            home: std::env::home_dir(),
            encoding: Encoding::Utf8,
            save_on_accept: settings.saves_on_accept(),
            client_saves: false,
            policy: settings.policy(),
        };
        let workspace = Workspace::start(config, TerminalFront::start(answers.clone()));
        let host = TerminalHost::new(Arc::clone(&workspace), answers);
        let tools = Tools::new(Arc::clone(&workspace), host, builtin());
        tools.configure(settings.for_tools());
        Self { root, workspace, tools }
    }

    /// What the user grants for longer than this process is saved in their configuration.
    pub fn save_grants(&self) {
        if let Some(config) = config_dir() {
            self.workspace.save_grants_in(GrantStore::in_folder(&config));
        }
    }

    /// Keeps what is under review beyond the end of this process, and takes up what was left. From now
    /// on calls and decisions are written down.
    ///
    /// # Errors
    /// Why not, for the user: another Redline does, or it can't be written.
    pub fn keep(&self) -> Result<(), String> {
        let none = "there is no home directory to keep the review in; set REDLINE_STATE_DIR";
        let state = state_dir(&Env::of_process()).ok_or(none)?;
        self.workspace.audit_to(Some(Arc::new(Log::new(Place::in_state(&state)))));
        match self.workspace.keep(&state).pop() {
            Some((_, Keeping::Ours(_))) => Ok(()),
            Some((root, Keeping::Theirs(pid))) => Err(kept_by(&root, pid)),
            Some((root, Keeping::Nobody(why))) => {
                Err(format!("{}: the review can't be kept: {why}", root.display()))
            }
            None => Err("there is no folder to keep the review of".to_owned()),
        }
    }
}

fn kept_by(root: &Path, pid: Option<u32>) -> String {
    let pid = pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
    format!(
        "another Redline{pid}, of an editor it may be, keeps the review of {}: review there, or end it",
        root.display()
    )
}
