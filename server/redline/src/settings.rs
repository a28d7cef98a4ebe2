//! Settings from files: the user's and the workspace's `settings.json` (PROTOCOL.md, "Settings").
//!
//! A repository is not the user. Its file may say how things look and may tighten permissions; it
//! may not choose what a prompt is sent to or what answers it (`provider`, `model`, `script`), and
//! its `saveOnAccept` can only switch saving off. What is ignored for that reason is told in
//! [`Settings::notes`].

pub mod jsonc;
pub mod rules;
mod tools;

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

use jsonc::{Kind, Node, Place};
use redline_agent::AgentSettings;
use redline_permissions::{Policy, SourcedRule};
use redline_tools::{Dialect, ToolSettings};
use serde_json::Value;

/// The settings in force. Later merges replace single values of earlier ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// The agent's part: provider, model, script, dialect.
    pub agent: AgentSettings,
    /// The tools' part: bundles, skills, ….
    pub tools: ToolSettings,
    /// Whether accepting saves the file; `None`: not said, which means yes.
    pub save_on_accept: Option<bool>,
    /// The user's rules, first match first: the editor's, then the file's.
    pub user_rules: Vec<SourcedRule>,
    /// Rules of repositories: they only tighten.
    pub repository_rules: Vec<SourcedRule>,
    /// What the user should know about settings that were left out, one sentence each.
    pub notes: Vec<String>,
}

/// What is wrong with a settings file. Nothing of that file is used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// It is there and cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's words.
        reason: String,
    },
    /// It says something that is not understood.
    #[error("{path}:{line}:{column}: {message}")]
    Wrong {
        /// The file; for the editor's settings, their name.
        path: String,
        /// From 1.
        line: usize,
        /// In chars, from 1.
        column: usize,
        /// What is wrong, and what was expected.
        message: String,
    },
}

/// Whose settings they are, which says what they may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Author {
    User,
    Repository,
    Editor,
}

impl Settings {
    /// The user's file and the workspace's: the settings of a command.
    ///
    /// # Errors
    /// See [`SettingsError`]. A file that does not exist is none.
    pub fn load(roots: &[PathBuf]) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        if let Some(folder) = config_dir() {
            settings.merge_user(&folder.join("settings.json"))?;
        }
        for root in roots {
            settings.merge_workspace(root)?;
        }
        Ok(settings)
    }

    /// The user's own file.
    ///
    /// # Errors
    /// See [`SettingsError`]; the settings are as they were then.
    pub fn merge_user(&mut self, path: &Path) -> Result<(), SettingsError> {
        self.merge_file(path, Author::User)
    }

    /// The file `.redline/settings.json` of a workspace folder.
    ///
    /// # Errors
    /// See [`SettingsError`]; the settings are as they were then.
    pub fn merge_workspace(&mut self, root: &Path) -> Result<(), SettingsError> {
        self.merge_file(&root.join(".redline/settings.json"), Author::Repository)
    }

    /// The editor's settings of section `redline` (`initializationOptions.redline`), whose keys
    /// have no prefix. They are the user's and come before the user's file.
    ///
    /// # Errors
    /// See [`SettingsError`]; the settings are as they were then.
    pub fn merge_editor(&mut self, section: &Value) -> Result<(), SettingsError> {
        let text = serde_json::to_string_pretty(section).unwrap_or_default();
        self.merge_text(&text, Path::new("editor settings"), Author::Editor)
    }

    /// The rules of all files, for the permission engine.
    pub fn policy(&self) -> Policy {
        rules::policy(self.user_rules.clone(), self.repository_rules.clone())
    }

    /// The tools' part, with the folder that the user's settings are in.
    pub fn for_tools(&self) -> ToolSettings {
        ToolSettings { config: config_dir(), ..self.tools.clone() }
    }

    /// Whether accepting saves the file.
    pub fn saves_on_accept(&self) -> bool {
        self.save_on_accept.unwrap_or(true)
    }

    fn merge_file(&mut self, path: &Path, author: Author) -> Result<(), SettingsError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(());
            }
            Err(e) => {
                let (path, reason) = (path.to_owned(), e.to_string());
                return Err(SettingsError::Unreadable { path, reason });
            }
        };
        self.merge_text(&text, path, author)
    }

    fn merge_text(&mut self, text: &str, path: &Path, author: Author) -> Result<(), SettingsError> {
        let file = File { path, author };
        let root = jsonc::parse(text).map_err(|e| file.wrong(e.place, e.message))?;
        let Kind::Object(members) = &root.kind else {
            let message = format!("expected an object, found {}", root.describe());
            return Err(file.wrong(root.place, message));
        };
        let mut merged = self.clone();
        for (key, _, node) in members {
            merged.set(key, node, &file)?;
        }
        *self = merged;
        Ok(())
    }

    fn set(&mut self, key: &str, node: &Node, file: &File<'_>) -> Result<(), SettingsError> {
        let prefixed = key.strip_prefix("redline.");
        let name = if file.author == Author::Editor { prefixed.or(Some(key)) } else { prefixed };
        if node.kind == Kind::Scalar(Value::Null) {
            return Ok(());
        }
        match (name, key) {
            (Some("permissions"), _) | (_, "amp.permissions") => self.add_rules(key, node, file)?,
            (Some(name @ ("provider" | "model" | "script")), _) => self.choose(name, node, file)?,
            (Some("dialect"), _) => {
                let parsed = file.text(key, node)?.parse::<Dialect>();
                self.agent.dialect = parsed.map_err(|e| file.wrong(node.place, e.to_string()))?;
            }
            (Some("saveOnAccept"), _) => self.save(key, node, file)?,
            (Some(name), _) if tools::NAMES.contains(&name) => self.tool(name, node, file)?,
            // Other settings belong to other parts, or to other programs.
            _ => {}
        }
        Ok(())
    }

    fn choose(&mut self, name: &str, node: &Node, file: &File<'_>) -> Result<(), SettingsError> {
        let text = file.text(name, node)?;
        if self.is_not_theirs(name, node, file) {
            return Ok(());
        }
        let value = Some(text.to_owned()).filter(|text| !text.is_empty());
        match name {
            "provider" => self.agent.provider = value,
            "model" => self.agent.model = value,
            _ => {
                let folder = file.path.parent().unwrap_or(Path::new(""));
                self.agent.script = value.map(|script| folder.join(script));
            }
        }
        Ok(())
    }

    /// Whether a repository says what only the user may; it is noted then.
    fn is_not_theirs(&mut self, name: &str, node: &Node, file: &File<'_>) -> bool {
        if file.author == Author::Repository {
            self.notes.push(format!(
                "{}:{}: a repository cannot set {name}; it is ignored. Set it in your own settings.",
                file.path.display(),
                node.place.line
            ));
        }
        file.author == Author::Repository
    }

    fn tool(&mut self, name: &str, node: &Node, file: &File<'_>) -> Result<(), SettingsError> {
        if self.is_not_theirs(name, node, file) {
            return Ok(());
        }
        tools::set(&mut self.tools, name, node, file)
    }

    fn save(&mut self, key: &str, node: &Node, file: &File<'_>) -> Result<(), SettingsError> {
        let value = node.as_bool().ok_or_else(|| file.expected(key, "true or false", node))?;
        if !value || file.author != Author::Repository {
            self.save_on_accept = Some(value);
        }
        Ok(())
    }

    fn add_rules(&mut self, key: &str, node: &Node, file: &File<'_>) -> Result<(), SettingsError> {
        let source = rules::source(file.author, file.path);
        let found = rules::read(node, source)
            .map_err(|(place, message)| file.wrong(place, format!("{key}: {message}")))?;
        match file.author {
            Author::Repository => self.repository_rules.extend(found),
            Author::User => self.user_rules.extend(found),
            Author::Editor => drop(self.user_rules.splice(0..0, found)),
        }
        Ok(())
    }
}

struct File<'a> {
    path: &'a Path,
    author: Author,
}

impl File<'_> {
    fn wrong(&self, place: Place, message: String) -> SettingsError {
        let Place { line, column } = place;
        SettingsError::Wrong { path: self.path.display().to_string(), line, column, message }
    }

    fn expected(&self, key: &str, want: &str, node: &Node) -> SettingsError {
        self.wrong(node.place, format!("{key}: expected {want}, found {}", node.describe()))
    }

    fn text<'n>(&self, key: &str, node: &'n Node) -> Result<&'n str, SettingsError> {
        node.as_str().ok_or_else(|| self.expected(key, "a string", node))
    }
}

/// The folder of the user's settings: `REDLINE_CONFIG_DIR`, else `redline` in the folder that the
/// system has for settings. `None` if there is no such folder.
pub fn config_dir() -> Option<PathBuf> {
    let folder = |name: &str| {
        let value = std::env::var_os(name).map(PathBuf::from);
        value.filter(|path| path.is_absolute())
    };
    let home = || folder("HOME").map(|home| home.join(".config"));
    let system = if cfg!(windows) { "APPDATA" } else { "XDG_CONFIG_HOME" };
    folder("REDLINE_CONFIG_DIR").or_else(|| Some(folder(system).or_else(home)?.join("redline")))
}

#[cfg(test)]
mod tests;
