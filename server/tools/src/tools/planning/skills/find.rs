//! Looking for skills: folders with a SKILL.md. Blocks.

use std::{
    collections::HashSet,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::frontmatter::{Head, head};
use crate::{ToolContext, tools::files::Seen};

/// Skills of a list.
pub(super) const MOST_SKILLS: usize = 200;
/// Names that are looked at in one folder of skills.
const MOST_NAMES: usize = 2_000;
/// Bytes of a SKILL.md.
pub(super) const MOST_BYTES: u64 = 256 * 1024;
/// Chars of a name, of a description.
const MOST_CHARS: [usize; 2] = [100, 1_024];
/// Notes about skills that are not listed.
const MOST_NOTES: usize = 20;

/// A skill of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Skill {
    pub name: String,
    pub description: String,
    /// Its SKILL.md.
    pub path: PathBuf,
}

/// Skills, and why others are none.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub skills: Vec<Skill>,
    pub notes: Vec<String>,
    files: HashSet<PathBuf>,
    more: usize,
}

const FILE: &str = "SKILL.md";

/// Folders of skills, the first to be believed first; `true`: the workspace's own, where nothing may
/// lead out of it.
fn folders(context: &ToolContext) -> Vec<(PathBuf, bool)> {
    let ours = [".redline/skills", ".agents/skills", ".claude/skills"];
    let roots = context.workspace.roots();
    let mut all: Vec<(PathBuf, bool)> =
        roots.iter().flat_map(|root| ours.map(|name| (root.join(name), true))).collect();
    let settings = &context.settings;
    let users = settings.config.iter().map(|config| config.join("skills"));
    let claudes = context.workspace.home().map(|home| home.join(".claude/skills"));
    all.extend(users.chain(claudes).chain(settings.skills.iter().cloned()).map(|it| (it, false)));
    all
}

/// All skills; of two with one name the first.
pub(super) fn find(context: &ToolContext) -> Found {
    let mut found = Found::default();
    let roots = context.workspace.roots();
    for (folder, is_ours) in folders(context) {
        let seen = Seen::at(context, &folder);
        for file in files(&folder, &seen, &mut found) {
            let bounds = if is_ours { Some(roots.as_slice()) } else { None };
            found.take(context, &file, bounds);
        }
    }
    if found.more > 0 {
        found.notes.push(format!("… and {} more that are not listed", found.more));
    }
    found
}

/// The SKILL.md of each folder in `folder`, by name; those included that are proposed.
fn files(folder: &Path, seen: &Seen, found: &mut Found) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = match fs::read_dir(folder) {
        Err(error) => {
            let is_none = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
            found.note(folder, &error.to_string(), !is_none);
            Vec::new()
        }
        Ok(entries) => entries
            .flatten()
            .take(MOST_NAMES)
            .map(|entry| entry.path().join(FILE))
            .filter(|file| file.symlink_metadata().is_ok())
            .collect(),
    };
    let is_skill = |file: &PathBuf| {
        file.file_name().is_some_and(|name| name == FILE)
            && file.parent().and_then(Path::parent) == Some(folder)
    };
    files.extend(seen.only_here().map(|(file, _)| file).filter(is_skill));
    files.sort();
    files
}

impl Found {
    fn note(&mut self, path: &Path, why: &str, is_worth_it: bool) {
        match is_worth_it {
            true if self.notes.len() < MOST_NOTES => {
                self.notes.push(format!("{}: {why}", path.display()));
            }
            true => self.more += 1,
            false => {}
        }
    }

    /// The same file by another way counts once.
    fn take(&mut self, context: &ToolContext, file: &Path, bounds: Option<&[PathBuf]>) {
        let skill = match read(context, file, bounds) {
            Ok((real, skill)) => self.files.insert(real).then_some(skill),
            Err(why) => return self.note(file, &why, true),
        };
        let Some(skill) = skill else { return };
        let twin = self.skills.iter().find(|other| other.name == skill.name);
        match twin.map(|twin| twin.path.display().to_string()) {
            Some(twin) => self.note(file, &format!("{twin} has the same name"), true),
            None if self.skills.len() >= MOST_SKILLS => self.more += 1,
            None => self.skills.push(skill),
        }
    }
}

fn read(
    context: &ToolContext,
    file: &Path,
    bounds: Option<&[PathBuf]>,
) -> Result<(PathBuf, Skill), String> {
    let path = context.workspace.path(&file.to_string_lossy(), &context.scope.cwd);
    let path = path.map_err(|error| error.to_string())?;
    if bounds.is_some_and(|roots| !path.is_inside(roots)) {
        return Err("it leads out of the workspace".to_owned());
    }
    if fs::metadata(path.as_path()).is_ok_and(|meta| meta.len() > MOST_BYTES) {
        return Err(format!("it is larger than {MOST_BYTES} bytes"));
    }
    let snapshot = context.read(&path).map_err(|error| error.to_string())?;
    if !snapshot.exists {
        return Err("it is gone".to_owned());
    }
    let head = head(&snapshot.text.to_string());
    let head = head.ok_or("it does not begin with a head between two lines ---")?;
    Ok((path.as_path().to_owned(), skill(file, head)?))
}

fn skill(file: &Path, head: Head) -> Result<Skill, String> {
    let folder = file.parent().and_then(Path::file_name);
    let folder = folder.map(|name| name.to_string_lossy().into_owned());
    let name = head.name.or(folder).unwrap_or_default();
    let description = head.description.ok_or("its head has no description")?;
    let [name, description] = [(name, 0), (description, 1)]
        .map(|(text, at)| text.chars().take(MOST_CHARS[at]).collect::<String>());
    Ok(Skill { name, description, path: file.to_owned() })
}
