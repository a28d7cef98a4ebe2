//! The call that is judged.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Context;

/// One tool call, as dispatch has resolved it.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// All names that a rule may be written against, the canonical one first:
    /// `["edit_file", "Edit"]`.
    pub names: &'a [&'a str],
    /// The arguments, under their canonical names (`path`, `cmd`).
    pub args: &'a Value,
    /// Who calls.
    pub context: Context,
    /// The directory that relative paths and commands start from.
    pub cwd: &'a Path,
    /// The workspace's folders, canonical.
    pub workspace: &'a [PathBuf],
    /// The paths among the arguments. A condition on an argument that is listed here is a condition
    /// on a path.
    pub paths: &'a [ResolvedPath],
    /// Of a command: where the files really are that [`crate::shell::read`] says it writes (`arg` is
    /// of no account, `written` as it says it). One that is missing here is never allowed as an edit
    /// would be, since its name may be a link.
    pub writes: &'a [ResolvedPath],
}

impl<'a> Call<'a> {
    /// The canonical name; empty if the caller gave none.
    pub fn name(&self) -> &'a str {
        self.names.first().copied().unwrap_or_default()
    }

    /// The command text of a Bash call.
    pub(crate) fn command(&self) -> Option<&'a str> {
        if !self.is_bash() {
            return None;
        }
        self.args.get(COMMAND).and_then(Value::as_str)
    }

    /// Whether rules see it as `Bash`.
    pub(crate) fn is_bash(&self) -> bool {
        self.names.iter().any(|name| name.eq_ignore_ascii_case("bash"))
    }
}

/// The argument that holds Bash's command.
pub(crate) const COMMAND: &str = "cmd";
/// The argument that holds a file's path.
pub(crate) const PATH: &str = "path";

/// A path argument and what it really is. The caller has followed the symlinks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedPath {
    /// The argument's name; of a nested one the names joined by dots.
    pub arg: String,
    /// The path as the model wrote it.
    pub written: String,
    /// Absolute, without symlinks, `.` and `..`. Of a file that does not exist: its real directory
    /// plus its name.
    pub real: PathBuf,
    /// Whether `real` lies in one of the workspace's folders.
    pub inside_workspace: bool,
}
