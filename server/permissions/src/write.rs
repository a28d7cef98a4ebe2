//! A redirection that writes is a write to that path (DESIGN, section 5): it is judged as an edit.

use std::path::Path;

use serde_json::{Value, json};

use crate::forms::lexical;
use crate::{Call, ResolvedPath};

/// As what rules see a write: whoever may edit or create the file may write it.
pub(crate) const WRITERS: [&str; 2] = ["edit_file", "create_file"];

/// Places that take what is written and keep nothing.
const SINKS: [&str; 3] = ["/dev/null", "/dev/stdout", "/dev/stderr"];

/// Where a path is not a file's name: what is there depends on the process that opens it.
const LIVE: [&str; 3] = ["/dev", "/proc", "/sys"];

/// What a redirection writes to, as far as it can be told.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    /// As written, without quotes.
    pub(crate) file: &'a str,
    pub(crate) certainty: Certainty,
    args: Value,
    /// The files that it may be; never empty.
    paths: Vec<ResolvedPath>,
}

/// How well the file is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// It is that file.
    Certain,
    /// It is one of the files, unless links lead elsewhere.
    Likely,
    /// It may be any.
    Unknown,
}

/// The targets of a command's redirections.
pub(crate) fn targets<'a>(
    call: &Call,
    writes: &'a [String],
    home: Option<&str>,
) -> Vec<Target<'a>> {
    let kept = writes.iter().filter(|file| !SINKS.contains(&file.as_str()));
    kept.map(|file| target(call, file, home)).collect()
}

impl<'a> Target<'a> {
    /// The edit that it amounts to.
    pub(crate) fn call<'t>(&'t self, call: &Call<'t>) -> Call<'t> {
        Call { names: &WRITERS, args: &self.args, paths: &self.paths, writes: &[], ..*call }
    }
}

fn target<'a>(call: &Call, file: &'a str, home: Option<&str>) -> Target<'a> {
    let real = lexical(file, call.cwd, home);
    let known = call.writes.iter().find(|path| path.written == file);
    let mut paths: Vec<ResolvedPath> = known.cloned().into_iter().collect();
    let certainty = match &known {
        _ if !is_known(file) => Certainty::Unknown,
        Some(path) if is_plain(file) && !is_live(&real) && !is_live(&path.real) => {
            Certainty::Certain
        }
        _ => Certainty::Likely,
    };
    paths.extend(known.is_none().then(|| resolved(call, file, &real)));
    let paths =
        paths.into_iter().map(|path| ResolvedPath { arg: "path".to_owned(), ..path }).collect();
    Target { file, certainty, args: json!({ "path": file }), paths }
}

/// A path of which the caller has not said where it really leads.
fn resolved(call: &Call, file: &str, real: &Path) -> ResolvedPath {
    ResolvedPath {
        arg: "path".to_owned(),
        written: file.to_owned(),
        real: real.to_owned(),
        inside_workspace: call.workspace.iter().any(|root| real.starts_with(root)),
    }
}

/// Whether the shell would not make another name of it. A quoted name may look so, too; it is asked.
fn is_known(file: &str) -> bool {
    !file.is_empty() && !file.contains(['$', '`', '*', '?', '[', '{', '\\', '"', '\''])
}

fn is_plain(file: &str) -> bool {
    is_known(file) && !file.starts_with('~')
}

fn is_live(path: &Path) -> bool {
    LIVE.iter().any(|place| path.starts_with(place))
}
