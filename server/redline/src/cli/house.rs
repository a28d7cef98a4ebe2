//! The floors below, put together for a process in a terminal.

use std::{path::PathBuf, sync::Arc};

use redline_text::Encoding;
use redline_tools::{SessionHost, Tools, builtin};
use redline_workspace::{Config, Workspace};

use crate::{
    settings::Settings,
    terminal::{Answers, TerminalFront},
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
        let workspace = Workspace::start(config, TerminalFront::start(answers));
        let host = Arc::new(SessionHost::new(Arc::clone(&workspace)));
        let tools = Tools::new(Arc::clone(&workspace), host, builtin());
        Self { root, workspace, tools }
    }
}
