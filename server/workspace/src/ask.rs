//! Asks: what is shown to the user, and what comes back.

use std::path::PathBuf;

use redline_layers::ThreadId;
use redline_permissions::Reason;

/// A permission that only the user can give. Mirrors `redline/permission`.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Who asks.
    pub thread: ThreadId,
    /// For which tool call.
    pub call: String,
    /// One line: what would happen.
    pub title: String,
    /// The tool's canonical name.
    pub tool: String,
    /// Its arguments, exactly.
    pub args: serde_json::Value,
    /// The directory it would run in.
    pub cwd: PathBuf,
    /// The command, or a diffstat.
    pub detail: Option<String>,
    /// Files whose pending proposals the call would not see.
    pub pending: Vec<String>,
    /// Files whose unsaved text the call would not see.
    pub unsaved: Vec<String>,
    /// Why it is asked.
    pub reason: Reason,
    /// Why it is asked once more.
    pub note: Option<String>,
    /// What the user can choose. Never empty; no option is a default.
    pub options: Vec<AskOption>,
}

/// One choice of an ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskOption {
    /// Its meaning.
    pub id: OptionId,
    /// What the user reads.
    pub label: String,
    /// The rules that choosing it would add, in text form, one a line.
    pub covers: Option<String>,
}

/// The meanings of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionId {
    /// This call only.
    Once,
    /// Calls that the rule covers, until the process ends.
    Session,
    /// Calls that the rule covers, in this folder, from now on.
    Folder,
    /// Calls that the rule covers, everywhere, from now on.
    Always,
    /// Not this call.
    Reject,
    /// What the thread has proposed is accepted and brought to the disk first.
    AcceptAndRun,
    /// What the user has not saved is saved first.
    SaveAndRun,
    /// This call only, without what is not on disk.
    RunWithout,
}

impl OptionId {
    /// All of them.
    pub const ALL: [OptionId; 8] = [
        OptionId::Once,
        OptionId::Session,
        OptionId::Folder,
        OptionId::Always,
        OptionId::Reject,
        OptionId::AcceptAndRun,
        OptionId::SaveAndRun,
        OptionId::RunWithout,
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            OptionId::Once => "once",
            OptionId::Session => "session",
            OptionId::Folder => "folder",
            OptionId::Always => "always",
            OptionId::Reject => "reject",
            OptionId::AcceptAndRun => "acceptAndRun",
            OptionId::SaveAndRun => "saveAndRun",
            OptionId::RunWithout => "runWithout",
        }
    }

    /// The option of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name)
    }
}

/// The user's answer. Dismissing a dialog is `Reject` without a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskAnswer {
    /// What was chosen.
    pub option: OptionId,
    /// Told to the model.
    pub comment: Option<String>,
    /// The option's rules as the user edited them, in text form.
    pub rule: Option<String>,
}

impl AskAnswer {
    /// The option as it was offered, without a word.
    pub fn plain(option: OptionId) -> Self {
        AskAnswer { option, comment: None, rule: None }
    }

    /// No, and perhaps why.
    pub fn reject(comment: Option<String>) -> Self {
        AskAnswer { option: OptionId::Reject, comment, rule: None }
    }
}

/// How an ask ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskOutcome {
    /// The user answered.
    Answered(AskAnswer),
    /// It was withdrawn before that.
    Withdrawn(String),
}
