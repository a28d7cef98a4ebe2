//! Places where a write is always asked, because what stands there starts programs or grants
//! permissions.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::forms::lexical;
use crate::own::Own;
use crate::{Call, Condition, ResolvedPath, Rule};

const PLACES: [&str; 5] = [".git", ".vscode", ".mcp.json", ".redline", ".amp"];
const OWN: [&str; 2] = [".redline", ".amp"];
const PAPERS: [&str; 2] = ["plans", "notes"];

/// Where a write is always asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place<'a> {
    /// A name, wherever in the workspace.
    Named(&'static str),
    /// A folder of Redline's own.
    Own(&'a Path),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Named(name) => f.write_str(name),
            Place::Own(folder) => write!(f, "{}", folder.display()),
        }
    }
}

/// The protected place that a call would write to.
pub(crate) fn place<'a>(call: &Call, own: Own<'a>) -> Option<Place<'a>> {
    let ours = call.paths.iter().find_map(|path| own.holds(path, call.cwd)).map(Place::Own);
    ours.or_else(|| named(call).map(Place::Named))
}

/// The place that is protected wherever it is.
pub(crate) fn named(call: &Call) -> Option<&'static str> {
    call.paths.iter().find_map(|path| place_of(path, call.cwd, call.workspace))
}

/// The protected place that a path leads to, as it is or as it is written.
fn place_of(path: &ResolvedPath, cwd: &Path, workspace: &[PathBuf]) -> Option<&'static str> {
    let written = lexical(&path.written, cwd, None);
    [path.real.as_path(), written.as_path()].into_iter().find_map(|form| within(form, workspace))
}

/// What lies above the workspace's folder does not count: a workspace may itself stand in one.
fn within(path: &Path, workspace: &[PathBuf]) -> Option<&'static str> {
    let root =
        workspace.iter().filter(|root| path.starts_with(root)).max_by_key(|r| r.as_os_str().len());
    let inner = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
    let names: Vec<String> =
        inner.components().map(|part| part.as_os_str().to_string_lossy().to_lowercase()).collect();
    let is_paper = root.is_some()
        && matches!(names.as_slice(), [own, papers, _, ..]
            if OWN.contains(&own.as_str()) && PAPERS.contains(&papers.as_str()));
    let deep = if is_paper { names.get(2..) } else { names.get(..) }.unwrap_or_default();
    deep.iter().find_map(|name| PLACES.into_iter().find(|place| place == name))
}

/// Whether a rule of the user's names the place literally, which lifts the protection.
pub(crate) fn names(rule: &Rule, place: &str) -> bool {
    rule.matches.iter().any(|(_, condition)| mentions(condition, place))
}

fn mentions(condition: &Condition, place: &str) -> bool {
    match condition {
        // Every alternative, since the one that matched may be another.
        Condition::Any(all) => all.iter().all(|one| mentions(one, place)),
        Condition::Pattern(pattern) => {
            pattern.text().replace('\\', "").split('/').any(|component| component == place)
        }
        Condition::Literal(_) => false,
        Condition::Nested(inner) => inner.iter().any(|(_, one)| mentions(one, place)),
    }
}
