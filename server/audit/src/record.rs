//! What is written down.

use std::path::PathBuf;

use redline_permissions::{Action, Context, ResolvedPath};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::redact;

/// One line of the log, without its place in the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// The first line of each file.
    File(FileRecord),
    /// A call that has been judged; written before it has any effect.
    Call(Box<CallRecord>),
    /// Who decided a call that had to be written down before anybody had: a program that a rule names
    /// was asked about it.
    Answer(Box<AnswerRecord>),
    /// How a call ended.
    Result(ResultRecord),
    /// What became of proposals.
    Decision(DecisionRecord),
    /// Something was not written as it should have been; written by the next one who can.
    Recovered(RecoveredRecord),
    /// Of a newer version.
    #[serde(other)]
    Unknown,
}

/// Which file of the log it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Of the form of the lines.
    pub version: u32,
    /// Counted from 1, over all files that there ever were.
    pub number: u64,
}

/// Who calls, wherever a record says it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Caller {
    /// The thread.
    pub thread: String,
    /// The subagent's own conversation, if it is one's call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// The call's id; unique in its conversation.
    pub call: String,
    /// The tool's canonical name.
    pub tool: String,
}

/// A call that was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// Whose call of what.
    #[serde(flatten)]
    pub caller: Caller,
    /// The agent's display name.
    pub agent: String,
    /// Thread or subagent, as rules see it.
    pub context: Context,
    /// The tool that made this call for itself: a command that `format_file` runs, say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// The directory that it starts from.
    pub cwd: PathBuf,
    /// The workspace's folders; the first one is the folder that the log is filtered by.
    pub folders: Vec<PathBuf>,
    /// The arguments under the names that rules have for them, redacted.
    pub args: Value,
    /// Arguments with something left out because it is a secret, or may be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<String>,
    /// Arguments that were too long.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<String>,
    /// All names that rules see, where there are more than the tool's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The paths among the arguments, and what they really are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathRecord>,
    /// The files that its command writes by redirections, and what they really are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<PathRecord>,
    /// The commands that the call amounts to, where its tool finds them out itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<CommandRecord>,
    /// What the rules said; `None`: it did not come so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictRecord>,
    /// Who had the last word.
    pub by: Decider,
}

/// Who decided a call, after its own record. What is written last counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// Whose call of what; of several commands of one call the last before this.
    #[serde(flatten)]
    pub caller: Caller,
    /// What the rules say now, where that is something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictRecord>,
    /// Who had the last word.
    pub by: Decider,
}

/// A path argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathRecord {
    /// The argument.
    pub arg: String,
    /// As it was written, redacted.
    pub written: String,
    /// What it really is, redacted.
    pub real: PathBuf,
    /// Whether that is in one of the folders.
    pub inside: bool,
}

/// A command, as rules for Bash see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRecord {
    /// Its text, redacted.
    pub cmd: String,
    /// Where it runs, redacted.
    pub cwd: PathBuf,
    /// All names that rules see; none: `Bash`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The files that it writes by redirections, and what they really are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<PathRecord>,
}

/// What the rules said of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictRecord {
    /// The verdict.
    pub action: Action,
    /// The sentence that the user reads too.
    pub reason: String,
    /// The rule's text form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Where the rule stands.
    pub source: String,
    /// The line there, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// Who had the last word on a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase")]
pub enum Decider {
    /// The rules.
    Rule,
    /// Something the user has granted before.
    Grant,
    /// The user, now.
    User {
        /// What was chosen: `once`, `session`, `reject`, ….
        option: String,
        /// What the user said to it, redacted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
    /// A program that a rule names.
    Delegate {
        /// The program.
        program: String,
        /// `allow`, `ask` (or it could not be asked) or `reject`.
        answer: String,
    },
    /// Nobody: no rule is about it, it was no valid call, or the question was withdrawn.
    None,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultRecord {
    /// Whose call of what.
    #[serde(flatten)]
    pub caller: Caller,
    /// `done`, `error`, `rejected-by-user` or `cancelled`.
    pub status: String,
    /// An error's code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What went wrong, redacted and short. What a tool found is not written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The hunks that it proposed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hunks: Vec<String>,
    /// Milliseconds, with the time that the user took to answer.
    pub ms: u64,
}

/// What became of proposals in one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// The thread that proposed them.
    pub thread: String,
    /// The file.
    pub file: PathBuf,
    /// The hunks; those of a `rewound` or `withdrawn` proposal may have no name left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hunks: Vec<String>,
    /// The calls that proposed them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// What became of them.
    pub decision: Decision,
    /// Whose word it was.
    pub by: Author,
    /// What the user said to it, redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// What can become of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It is in the file.
    Accepted,
    /// It is not, and does not wait any more.
    Rejected,
    /// What was in the file is not any more.
    Undone,
    /// It waits again.
    Reopened,
    /// A rule allowed it: it is in the file, and the user can undo it.
    Applied,
    /// The user went back to before its turn.
    Rewound,
    /// Its agent took it back.
    Withdrawn,
    /// What was decided before could not be done: a write failed, or the editor refused the edit.
    Failed,
}

/// Who decides proposals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// The user.
    User,
    /// A rule that allows the edit.
    Rule,
    /// The agent itself.
    Agent,
    /// Another program, which wrote exactly that into the file: a commit, another editor.
    Program,
}

/// What the writer found when it went on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RecoveredRecord {
    /// The line before this one was cut off after so many bytes: the process was killed or the disk
    /// was full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torn: Option<u64>,
    /// So many lines are gone from the end of the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<u64>,
    /// The head was gone or could not be read, so that nobody can say how many lines are gone from the
    /// end of the log; this is the number of the last one that was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headless: Option<u64>,
    /// So many records could not be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwritten: Option<u64>,
}

impl From<&ResolvedPath> for PathRecord {
    fn from(path: &ResolvedPath) -> Self {
        PathRecord {
            arg: path.arg.clone(),
            written: redact::text(&path.written),
            real: redact::path(&path.real),
            inside: path.inside_workspace,
        }
    }
}

impl From<&PathRecord> for ResolvedPath {
    fn from(path: &PathRecord) -> Self {
        ResolvedPath {
            arg: path.arg.clone(),
            written: path.written.clone(),
            real: path.real.clone(),
            inside_workspace: path.inside,
        }
    }
}
