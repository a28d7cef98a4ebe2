//! The settings of a connection (PROTOCOL.md, "Settings"): the files, then
//! `initializationOptions.redline`, then what the client says of its configuration.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use redline_agent::{Agent, AgentSettings};
use redline_tools::Tools;
use serde_json::{Map, Value};

use super::log::Log;
use crate::settings::Settings;

/// The files' settings, and the client's in the order in which they came.
pub struct Configured {
    roots: Vec<PathBuf>,
    files: Settings,
    options: Value,
    log: Log,
    /// The client's newest configuration.
    configuration: Mutex<Value>,
}

impl Configured {
    /// Reads the files; `options` is `initializationOptions.redline`. What cannot be used is named
    /// in the log.
    pub fn new(roots: Vec<PathBuf>, options: Value, log: Log) -> Self {
        let mut files = Settings::default();
        if let Some(folder) = crate::settings::config_dir() {
            note(&log, files.merge_user(&folder.join("settings.json")));
        }
        for root in &roots {
            note(&log, files.merge_workspace(root));
        }
        Self { roots, files, options, log, configuration: Mutex::default() }
    }

    /// All of them.
    pub fn settings(&self) -> Settings {
        let mut settings = self.files.clone();
        let configuration = self.configuration.lock().unwrap_or_else(PoisonError::into_inner);
        for section in [&self.options, &*configuration] {
            for (key, value) in section.as_object().into_iter().flatten() {
                // One by one: a key that cannot be used takes no other with it.
                let one = Value::Object(Map::from_iter([(key.clone(), value.clone())]));
                note(&self.log, settings.merge_editor(&one));
            }
        }
        for text in &settings.notes {
            self.log.line(redline_workspace::LogLevel::Warning, text);
        }
        settings
    }

    /// The client's configuration from now on, told to those who go by it.
    pub fn configure(&self, section: Value, agent: &Agent, tools: &Tools) {
        *self.configuration.lock().unwrap_or_else(PoisonError::into_inner) = section;
        let settings = self.settings();
        agent.configure(self.agent(&settings));
        tools.configure(settings.for_tools());
    }

    /// The agent's part. A relative script starts at the first root.
    pub fn agent(&self, settings: &Settings) -> AgentSettings {
        let mut agent = settings.agent.clone();
        if let (Some(script), Some(root)) = (&mut agent.script, self.roots.first()) {
            *script = root.join(&*script);
        }
        agent
    }
}

fn note(log: &Log, result: Result<(), crate::settings::SettingsError>) {
    if let Err(error) = result {
        log.error(&format!("settings: {error}"));
    }
}
