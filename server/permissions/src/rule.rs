//! Rules, and where they came from.

use std::fmt;
use std::path::PathBuf;

use crate::{Action, Context, Matches, Problem, tool};

/// One permission rule (seed 004). [`crate::parse_text`] and [`crate::parse_json`] make valid ones;
/// `Display` prints the text form.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Glob over tool names, case-insensitive; `*` stops at `/`, `**` crosses it.
    pub tool: String,
    /// Conditions on arguments; all must hold.
    pub matches: Matches,
    /// What happens when it matches.
    pub action: Action,
    /// Only calls from there; `None`: from everywhere.
    pub context: Option<Context>,
    /// The program that decides. Present exactly if the action is [`Action::Delegate`].
    pub to: Option<String>,
    /// What the model is told. Only with [`Action::Reject`]; without one a reject halts the turn.
    pub message: Option<String>,
}

impl Rule {
    /// A rule for every call of the tools that `tool` matches.
    pub fn new(action: Action, tool: impl Into<String>) -> Self {
        let matches = Matches::default();
        Rule { tool: tool.into(), matches, action, context: None, to: None, message: None }
    }

    /// Checks what the types cannot say.
    ///
    /// # Errors
    /// [`Problem`] names the field and what it should be.
    pub fn check(&self) -> Result<(), Problem> {
        tool::ToolGlob::new(&self.tool)?;
        match (self.action, &self.to) {
            (Action::Delegate, None) => return Err(Problem::DelegateWithoutTo),
            (Action::Delegate, Some(to)) if to.is_empty() => {
                return Err(Problem::DelegateWithoutTo);
            }
            (Action::Delegate, Some(_)) | (_, None) => {}
            (_, Some(_)) => return Err(Problem::ToWithoutDelegate),
        }
        match (self.action, &self.message) {
            (Action::Reject, _) | (_, None) => Ok(()),
            _ => Err(Problem::MessageWithoutReject),
        }
    }
}

/// Where a rule stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The user's configuration.
    User {
        /// The file.
        path: PathBuf,
    },
    /// Redline's own rules.
    BuiltIn,
    /// The repository's configuration, which may only tighten.
    Repository {
        /// The file.
        path: PathBuf,
    },
    /// "Allow for the session" in a dialog.
    SessionGrant {
        /// The folder that it counts in, canonical; `None`: everywhere.
        folder: Option<PathBuf>,
    },
    /// "Always allow" in a dialog.
    SavedGrant {
        /// The file that it was saved in.
        path: PathBuf,
        /// The folder that it counts in, canonical; `None`: everywhere.
        folder: Option<PathBuf>,
        /// The day on which it was saved, `2026-11-21`, in UTC.
        day: String,
    },
    /// The editor's own settings; the user's.
    Editor,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::User { path } => write!(f, "user {}", path.display()),
            Source::BuiltIn => f.write_str("built-in"),
            Source::Repository { path } => write!(f, "repository {}", path.display()),
            Source::SessionGrant { .. } => f.write_str("session grant"),
            Source::SavedGrant { path, .. } => write!(f, "saved grant {}", path.display()),
            Source::Editor => f.write_str("editor settings"),
        }
    }
}

/// A rule with its place, so that every verdict can name it.
#[derive(Debug, Clone, PartialEq)]
pub struct SourcedRule {
    /// The rule.
    pub rule: Rule,
    /// Where it stands.
    pub source: Source,
    /// The line there, counted from 1.
    pub line: Option<u32>,
}

impl SourcedRule {
    /// A grant that lasts until the process ends.
    pub fn session(rule: Rule) -> Self {
        Self::session_in(None, rule)
    }

    /// The same, for one folder or (`None`) for all.
    pub fn session_in(folder: Option<PathBuf>, rule: Rule) -> Self {
        SourcedRule { rule, source: Source::SessionGrant { folder }, line: None }
    }
}
