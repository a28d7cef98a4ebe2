//! Which commands check a project: the user's, else what its files tell.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::project::{self, Folder};
use crate::{Ground, Line};

/// Folders below the workspace's that are looked into where it has no project itself.
const MOST_FOLDERS: usize = 64;
/// Commands of one call.
const MOST_LINES: usize = 24;

/// What a command is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Typecheck,
    Lint,
    Test,
}

impl Kind {
    /// In the order in which they run.
    pub const ALL: [Kind; 3] = [Kind::Typecheck, Kind::Lint, Kind::Test];

    /// The name in arguments, settings and results.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Typecheck => "typecheck",
            Kind::Lint => "lint",
            Kind::Test => "test",
        }
    }
}

/// The commands of a call. Looks at the disk; opens plain files only.
pub(super) fn commands(args: &Value, ground: &Ground<'_>) -> Result<Vec<Line>, String> {
    let (folder, root) = folder(args, ground)?;
    let wanted = wanted(args);
    let projects = projects(&folder, &root);
    let mut lines = Vec::new();
    for kind in wanted.iter().copied() {
        let own = ground.settings.check.get(kind.name());
        lines.extend(own.into_iter().flatten().map(|cmd| line(kind, cmd.clone(), &root)));
        if own.is_none() {
            let found = projects.iter().flat_map(|folder| {
                let commands = project::commands(&Disk(folder.clone()));
                let mine = commands.into_iter().filter(move |(other, _)| *other == kind);
                mine.map(move |(_, cmd)| line(kind, cmd, folder))
            });
            lines.extend(found);
        }
    }
    lines.truncate(MOST_LINES);
    if lines.is_empty() { Err(nothing(&wanted, &folder)) } else { Ok(lines) }
}

fn line(kind: Kind, cmd: String, cwd: &Path) -> Line {
    Line { kind: kind.name().to_owned(), cmd, cwd: cwd.to_owned() }
}

fn wanted(args: &Value) -> Vec<Kind> {
    let given = args.get("kinds").and_then(Value::as_array).filter(|kinds| !kinds.is_empty());
    let is_wanted =
        |kind: &Kind| given.is_none_or(|kinds| kinds.iter().any(|it| it == kind.name()));
    Kind::ALL.into_iter().filter(is_wanted).collect()
}

/// The folder that `path` is or is in, and the workspace's folder that it is in.
fn folder(args: &Value, ground: &Ground<'_>) -> Result<(PathBuf, PathBuf), String> {
    let written = args.get("path").and_then(Value::as_str).unwrap_or(".");
    let path = ground.cwd.join(written);
    let real = path.canonicalize().map_err(|error| format!("cannot check {written:?}: {error}"))?;
    let folder = if real.is_dir() { real } else { real.parent().unwrap_or(&real).to_owned() };
    let inside = ground.roots.iter().filter(|root| folder.starts_with(root));
    match inside.max_by_key(|root| root.as_os_str().len()) {
        Some(root) => Ok((folder, root.clone())),
        None => Err(format!("{written:?} is outside the workspace; check a file or folder in it")),
    }
}

/// The nearest folder upwards that has a project; where none has, those right below the root.
fn projects(folder: &Path, root: &Path) -> Vec<PathBuf> {
    let has = |folder: &Path| !project::commands(&Disk(folder.to_owned())).is_empty();
    let mut up = folder.ancestors().take_while(|folder| folder.starts_with(root));
    if let Some(nearest) = up.find(|folder| has(folder)) {
        return vec![nearest.to_owned()];
    }
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut below: Vec<PathBuf> =
        folders.map(|entry| entry.path()).filter(|it| is_own(it)).collect();
    below.sort();
    below.truncate(MOST_FOLDERS);
    below.retain(|folder| has(folder));
    below
}

/// Not what tools have put there.
fn is_own(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    !name.starts_with('.') && !matches!(&*name, "node_modules" | "target" | "vendor" | "venv")
}

fn nothing(wanted: &[Kind], folder: &Path) -> String {
    let names: Vec<&str> = wanted.iter().map(|kind| kind.name()).collect();
    format!(
        "Found no {} command for {}. Looked for Cargo.toml, package.json, tsconfig.json, \
         pyproject.toml, go.mod, and the targets check, lint and test of a Makefile or justfile. The \
         user can configure it in settings.json: \"redline.check\": {{\"{}\": \"COMMAND\"}}. Or run \
         the command with Bash.",
        names.join(" or "),
        folder.display(),
        names.first().copied().unwrap_or("test"),
    )
}

/// A folder of the disk.
struct Disk(PathBuf);

impl Folder for Disk {
    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    fn read(&self, name: &str) -> Option<String> {
        const MOST: u64 = 1024 * 1024;
        let path = self.0.join(name);
        // Looked at before it is opened: a FIFO would be waited for.
        let found = std::fs::metadata(&path).ok()?;
        (found.is_file() && found.len() <= MOST).then(|| std::fs::read_to_string(path).ok())?
    }
}
