//! Where log lines go: the client's log, and the file of `REDLINE_LOG` or else stderr.

use std::{
    fs::File,
    io::Write,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use redline_workspace::LogLevel;
use serde_json::json;

use super::transport::Peer;

/// The log file that the environment names.
pub fn file_from_env() -> Option<PathBuf> {
    std::env::var_os("REDLINE_LOG").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Log(Arc<Inner>);

struct Inner {
    peer: Peer,
    file: Option<(PathBuf, Mutex<File>)>,
}

impl Log {
    /// Appends to `file` if it is given and can be opened, else writes to stderr.
    pub fn new(peer: Peer, file: Option<PathBuf>) -> Self {
        let open = |path: PathBuf| {
            let file = File::options().create(true).append(true).open(&path);
            match file {
                Ok(file) => Some((path, Mutex::new(file))),
                Err(error) => {
                    eprintln!("redline: cannot write the log {}: {error}", path.display());
                    None
                }
            }
        };
        Self(Arc::new(Inner { peer, file: file.and_then(open) }))
    }

    /// The file, if lines go to one.
    pub fn file(&self) -> Option<&PathBuf> {
        self.0.file.as_ref().map(|(path, _)| path)
    }

    /// One line, and a message that the user sees.
    pub fn tell(&self, level: LogLevel, text: &str) {
        let (kind, _) = kind(level);
        self.0.peer.notify("window/showMessage", json!({ "type": kind, "message": text }));
        self.line(level, text);
    }

    /// One line.
    pub fn line(&self, level: LogLevel, text: &str) {
        let (kind, name) = kind(level);
        self.0.peer.notify("window/logMessage", json!({ "type": kind, "message": text }));
        let line = format!("redline: {name}: {text}\n");
        // A log that cannot be written is no reason to stop; there is nobody left to tell.
        let _ = match &self.0.file {
            Some((_, file)) => file
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .write_all(line.as_bytes()),
            None => std::io::stderr().write_all(line.as_bytes()),
        };
    }

    /// Good to know.
    pub fn info(&self, text: &str) {
        self.line(LogLevel::Info, text);
    }

    /// Something is wrong.
    pub fn error(&self, text: &str) {
        self.line(LogLevel::Error, text);
    }
}

/// LSP's `MessageType`, and the word in the file.
fn kind(level: LogLevel) -> (u8, &'static str) {
    match level {
        LogLevel::Error => (1, "error"),
        LogLevel::Warning => (2, "warning"),
        LogLevel::Info => (3, "info"),
    }
}
