//! Settings from files: the user's and the workspace's `settings.json` (PROTOCOL.md, "Settings").
//!
//! A repository is not the user. Its file may say how things look and may tighten permissions; it
//! may not choose what a prompt is sent to or what answers it (`provider`, `model`, `script`) nor which
//! tools that one has (`dialect`), and its `saveOnAccept` can only switch saving off. What is ignored for that reason is told in
//! [`Settings::notes`]. All of it counts once the user trusts the folder (`crate::trust`).

mod files;
mod hold;
pub mod jsonc;
pub mod keys;
pub mod rules;
pub mod store;
mod tools;
mod write;

use std::path::{Path, PathBuf};

use jsonc::{Kind, Node, Place};
use keys::Unread;
use redline_agent::AgentSettings;
use redline_permissions::{Action, Policy, SourcedRule};
use redline_tools::{Dialect, ToolSettings};
use serde_json::Value;

pub use files::{Files, Trouble, Want};

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
    /// Rules of folders that the user trusts, by folder.
    pub trusted_rules: Vec<(PathBuf, Vec<SourcedRule>)>,
    /// What the user has granted and saved.
    pub grants: Vec<SourcedRule>,
    /// What repositories say and what would count if the user trusted them.
    pub withheld: Vec<Withheld>,
    /// What the user should know about settings that were left out, one sentence each.
    pub notes: Vec<String>,
    /// Keys of ours that are no settings; they set nothing.
    pub strays: Vec<Stray>,
}

/// A key that is no setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// The file, or the name of the editor's settings.
    pub file: PathBuf,
    /// From 1.
    pub line: usize,
    /// In chars, from 1.
    pub column: usize,
    /// What it is, and what may have been meant.
    pub text: String,
}

impl std::fmt::Display for Stray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Stray { file, line, column, text } = self;
        write!(f, "{}:{line}:{column}: {text}", file.display())
    }
}

/// What a repository's file says and may not decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// The file.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: usize,
    /// A rule in its text form, or a setting with its value; one line.
    pub text: String,
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
    /// A repository that the user trusts.
    Trusted,
    Editor,
}

impl Settings {
    /// The user's file and the workspace's: the settings of a command.
    ///
    /// # Errors
    /// See [`SettingsError`]. A file that does not exist is none.
    pub fn load(roots: &[PathBuf]) -> Result<Self, SettingsError> {
        let (files, troubles) = Files::open(config_dir(), roots);
        let mut settings = files.settings(true);
        for trouble in troubles {
            match trouble {
                Trouble::Settings(error) => return Err(error),
                Trouble::List(text) => settings.notes.push(text),
            }
        }
        Ok(settings)
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
        let policy = rules::policy(self.user_rules.clone(), self.repository_rules.clone());
        let trusted = self.trusted_rules.iter().cloned();
        let with = |policy: Policy, (folder, rules)| policy.with_trusted_rules(folder, rules);
        trusted.fold(policy, with).with_grants(self.grants.clone())
    }

    /// The tools' part, with the folder that the user's settings are in.
    pub fn for_tools(&self) -> ToolSettings {
        ToolSettings { config: config_dir(), ..self.tools.clone() }
    }

    /// What the user should know, all of it.
    pub fn told(&self) -> Vec<String> {
        self.notes.iter().cloned().chain(self.strays.iter().map(Stray::to_string)).collect()
    }

    /// Whether accepting saves the file.
    pub fn saves_on_accept(&self) -> bool {
        self.save_on_accept.unwrap_or(true)
    }

    fn merge_text(&mut self, text: &str, path: &Path, author: Author) -> Result<(), SettingsError> {
        let file = File { path, author };
        let root = jsonc::parse(text).map_err(|e| file.wrong(e.place, e.message))?;
        let Kind::Object(members) = &root.kind else {
            let message = format!("expected an object, found {}", root.describe());
            return Err(file.wrong(root.place, message));
        };
        let mut merged = self.clone();
        for (key, place, node) in members {
            merged.set(key, *place, node, &file)?;
        }
        *self = merged;
        Ok(())
    }

    fn set(
        &mut self,
        key: &str,
        place: Place,
        node: &Node,
        file: &File<'_>,
    ) -> Result<(), SettingsError> {
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
                let dialect = parsed.map_err(|e| file.wrong(node.place, e.to_string()))?;
                if !self.is_not_theirs("dialect", node, file) {
                    self.agent.dialect = dialect;
                }
            }
            (Some("saveOnAccept"), _) => self.save(key, node, file)?,
            // The editor's word on the folder: `lsp::settings` goes by it.
            (Some("trusted"), _) if file.author == Author::Editor => {
                node.as_bool().ok_or_else(|| file.expected(key, "true or false", node))?;
            }
            (Some(name), _) if tools::NAMES.contains(&name) => self.tool(name, node, file)?,
            // Other settings belong to other parts, or to other programs.
            _ => {
                if let Some(text) = file.unread(key, place, node)? {
                    let (file, Place { line, column }) = (file.path.to_owned(), place);
                    self.strays.push(Stray { file, line, column, text });
                }
            }
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
                "{}:{}: a repository cannot set {name}; it is ignored. Set it in your own settings, or \
                 look at `redline trust`.",
                file.path.display(),
                node.place.line
            ));
            self.withhold(node, file, format!("redline.{name} = {}", node.value()));
        }
        file.author == Author::Repository
    }

    fn withhold(&mut self, node: &Node, file: &File<'_>, text: String) {
        let (file, line) = (file.path.to_owned(), node.place.line);
        self.withheld.push(Withheld { file, line, text });
    }

    fn tool(&mut self, name: &str, node: &Node, file: &File<'_>) -> Result<(), SettingsError> {
        if self.is_not_theirs(name, node, file) {
            return Ok(());
        }
        tools::set(&mut self.tools, name, node, file)
    }

    fn save(&mut self, key: &str, node: &Node, file: &File<'_>) -> Result<(), SettingsError> {
        let value = node.as_bool().ok_or_else(|| file.expected(key, "true or false", node))?;
        if value && file.author == Author::Repository {
            self.withhold(node, file, "redline.saveOnAccept = true".to_owned());
        } else {
            self.save_on_accept = Some(value);
        }
        Ok(())
    }

    fn withhold_rules(&mut self, rules: &[SourcedRule], file: &File<'_>) {
        let giving: Vec<&SourcedRule> = rules.iter().filter(|rule| gives(rule)).collect();
        if giving.is_empty() {
            return;
        }
        self.notes.push(format!(
            "{}: rules of a repository that allow or delegate ({}) do not count until you trust the \
             folder: see `redline trust`.",
            file.path.display(),
            giving.len()
        ));
        self.withheld.extend(giving.into_iter().map(|rule| Withheld {
            file: file.path.to_owned(),
            line: rule.line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1),
            text: rule.rule.to_string(),
        }));
    }

    fn add_rules(&mut self, key: &str, node: &Node, file: &File<'_>) -> Result<(), SettingsError> {
        let source = rules::source(file.author, file.path);
        let found = rules::read(node, source)
            .map_err(|(place, message)| file.wrong(place, format!("{key}: {message}")))?;
        match file.author {
            Author::Repository => {
                self.withhold_rules(&found, file);
                self.repository_rules.extend(found);
            }
            Author::Trusted => match self.trusted_rules.last_mut() {
                Some((folder, rules)) if folder == file.root() => rules.extend(found),
                _ => self.trusted_rules.push((file.root().to_owned(), found)),
            },
            Author::User => self.user_rules.extend(found),
            Author::Editor => drop(self.user_rules.splice(0..0, found)),
        }
        Ok(())
    }
}

/// Rules that give something; the others count anyway.
fn gives(rule: &SourcedRule) -> bool {
    matches!(rule.rule.action, Action::Allow | Action::Delegate)
}

struct File<'a> {
    path: &'a Path,
    author: Author,
}

impl File<'_> {
    /// The workspace's folder that the file is of.
    fn root(&self) -> &Path {
        self.path.parent().and_then(Path::parent).unwrap_or(Path::new(""))
    }

    fn wrong(&self, place: Place, message: String) -> SettingsError {
        let Place { line, column } = place;
        SettingsError::Wrong { path: self.path.display().to_string(), line, column, message }
    }

    fn expected(&self, key: &str, want: &str, node: &Node) -> SettingsError {
        self.wrong(node.place, format!("{key}: expected {want}, found {}", node.describe()))
    }

    /// What to say of a key that sets nothing. One that is meant to hold rules is an error: they would
    /// count for nothing.
    fn unread(
        &self,
        key: &str,
        place: Place,
        node: &Node,
    ) -> Result<Option<String>, SettingsError> {
        match keys::unread(key, node, self.author) {
            Unread::Fine => Ok(None),
            Unread::Rules(meant) => Err(self.wrong(
                place,
                format!(
                    "there is no setting {key:?}, and rules there count for nothing; write {meant:?}"
                ),
            )),
            Unread::Stray(near) => {
                let near = near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
                Ok(Some(format!("there is no setting {key:?}: it is ignored{near}")))
            }
        }
    }

    fn text<'n>(&self, key: &str, node: &'n Node) -> Result<&'n str, SettingsError> {
        node.as_str().ok_or_else(|| self.expected(key, "a string", node))
    }
}

/// The files that a repository's settings name as a program that decides, or as a conversation; none if
/// the text is not understood. `path`: where the settings stand.
pub fn named_files(text: &str, path: &Path) -> Vec<PathBuf> {
    let mut settings = Settings::default();
    if settings.merge_text(text, path, Author::Trusted).is_err() {
        return Vec::new();
    }
    let rules = settings.trusted_rules.iter().flat_map(|(_, rules)| rules);
    let programs = rules.filter_map(|rule| rule.rule.to.as_deref());
    // One without a slash is looked for elsewhere.
    let programs = programs.filter(|to| to.contains('/')).map(PathBuf::from);
    programs.chain(settings.agent.script).collect()
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
