//! Where plans are kept: files in `.agent-air/plans/` of the workspace's folder.
//!
//! A change is a read, a pure edit, and a write that is made only if the file still is what was read
//! (`io::write`, under its locks); else all of it is done again. So no change is lost, whichever
//! thread or process makes another one. Within this process a lock for each file lets them take
//! turns instead of trying.
//!
//! A plan that the session holds (open in an editor, or with hunks) is changed there, like an edit
//! that a rule allows: what the user has not saved stays.

use std::{
    collections::HashMap,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use redline_text::{Format, Text};
use redline_workspace::{
    Change, ProposeError, Proposed, Snapshot, WorkspacePath, WriteError, WriteRequest, io,
};

use super::{edit::PlanEdit, error::PlanError, id::PlanId};
use crate::ToolContext;

/// How often a change is tried anew. Each time another one has come before it.
const TRIES: usize = 100;
/// Bytes of a plan file that is read at all.
const MOST_READ: u64 = 1024 * 1024;

/// One lock for each file that was written, and one for the folder: whoever wants a new id.
#[derive(Default)]
struct Turns(Mutex<HashMap<PathBuf, Arc<Mutex<()>>>>);

impl Turns {
    fn of(&self, path: &Path) -> Arc<Mutex<()>> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        turns.entry(path.to_owned()).or_default().clone()
    }
}

/// The plans of a workspace. Everything blocks.
pub(super) struct Store<'a> {
    context: &'a ToolContext,
    /// Canonical.
    root: PathBuf,
}

/// A plan that was written.
pub(super) struct Saved {
    pub id: PlanId,
    pub file: WorkspacePath,
    pub text: String,
    /// The session made the change.
    pub proposed: Option<Proposed>,
}

/// How far a change has come on the disk's side.
enum Attempt {
    Saved(Saved),
    /// The session holds the file: the change is to be proposed to it.
    Held(Box<Snapshot>, String),
}

impl<'a> Store<'a> {
    /// Of the workspace's folder that the thread works in, else of its first.
    pub fn new(context: &'a ToolContext) -> Result<Self, PlanError> {
        let roots = context.workspace.roots();
        let near = roots.iter().filter(|root| context.scope.cwd.starts_with(root));
        let near = near.max_by_key(|root| root.as_os_str().len());
        let root = near.or(roots.first()).cloned().ok_or(PlanError::NoWorkspace)?;
        Ok(Self { context, root })
    }

    fn folder(&self) -> Result<PathBuf, PlanError> {
        let folder = self.own(Path::new(".agent-air/plans"))?;
        Ok(folder.as_path().to_owned())
    }

    /// The file of a plan. No link may lead elsewhere: nobody is asked before a plan is written.
    pub fn file(&self, id: PlanId) -> Result<WorkspacePath, PlanError> {
        self.own(&Path::new(".agent-air/plans").join(id.file()))
    }

    fn own(&self, name: &Path) -> Result<WorkspacePath, PlanError> {
        let plain = self.root.join(name);
        let file = self.context.workspace.path(&name.to_string_lossy(), &self.root)?;
        if file.as_path() == plain {
            return Ok(file);
        }
        let (written, real) = (plain.display().to_string(), file.to_string());
        Err(PlanError::Linked { written, real })
    }

    /// All plans that the thread sees, in order.
    pub fn ids(&self) -> Result<Vec<PlanId>, PlanError> {
        let folder = self.folder()?;
        let failed = |error: std::io::Error| {
            let (path, reason) = (folder.display().to_string(), error.to_string());
            PlanError::Read { path, reason }
        };
        let mut names: Vec<PlanId> = match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed(error)),
            Ok(entries) => {
                let named = |entry: fs::DirEntry| PlanId::of_file(entry.file_name().to_str()?);
                entries.flatten().filter_map(named).collect()
            }
        };
        names.extend(self.held(&folder));
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Plans that may be in the session alone.
    fn held(&self, folder: &Path) -> Vec<PlanId> {
        let name = |file: &WorkspacePath| {
            let inside = file.as_path().strip_prefix(folder).ok()?;
            PlanId::of_file(inside.to_str()?)
        };
        self.context.workspace.query(|session| session.held_files().filter_map(name).collect())
    }

    /// A plan's text as the thread sees it; `None`: there is no such plan.
    pub fn read(&self, id: PlanId) -> Result<Option<String>, PlanError> {
        let file = self.file(id)?;
        bounded(&file)?;
        let snapshot = self.context.read(&file).map_err(|error| PlanError::read(&file, &error))?;
        Ok(snapshot.exists.then(|| snapshot.text.to_string()))
    }

    /// One new plan under the next id that is free.
    fn create(&self, edit: &PlanEdit) -> Result<Saved, PlanError> {
        let folder = self.folder()?;
        let turn = self.context.state::<Turns>().of(&folder);
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..TRIES {
            let id = PlanId::next(self.ids()?)?;
            let file = self.file(id)?;
            let text = edit.apply(id, None)?;
            match write(&file, &text, Format::default(), None) {
                Ok(()) => return Ok(Saved { id, file, text, proposed: None }),
                // Another process has taken the id.
                Err(WriteError::Changed(_)) => {}
                Err(error) => return Err(PlanError::write(&file, &error)),
            }
        }
        Err(PlanError::Busy(folder.display().to_string()))
    }

    /// A change of a plan that is there.
    fn change(&self, id: PlanId, edit: &PlanEdit) -> Result<Attempt, PlanError> {
        let file = self.file(id)?;
        bounded(&file)?;
        let turn = self.context.state::<Turns>().of(file.as_path());
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..TRIES {
            if self.context.workspace.query(|session| session.held_files().any(|it| *it == file)) {
                return self.change_held(id, &file, edit);
            }
            let disk = io::read(&file).map_err(|error| PlanError::read(&file, &error))?;
            let disk = disk.ok_or_else(|| edit.missing(id, &file))?;
            let text = edit.apply(id, Some(&disk.text.to_string()))?;
            match write(&file, &text, disk.format, Some(disk.hash)) {
                Ok(()) => return Ok(Attempt::Saved(Saved { id, file, text, proposed: None })),
                Err(WriteError::Changed(_)) => {}
                Err(error) => return Err(PlanError::write(&file, &error)),
            }
        }
        Err(PlanError::Busy(file.to_string()))
    }

    fn change_held(
        &self,
        id: PlanId,
        file: &WorkspacePath,
        edit: &PlanEdit,
    ) -> Result<Attempt, PlanError> {
        let snapshot = self.context.read(file).map_err(|error| PlanError::read(file, &error))?;
        if !snapshot.exists {
            return Err(edit.missing(id, file));
        }
        let text = edit.apply(id, Some(&snapshot.text.to_string()))?;
        Ok(Attempt::Held(Box::new(snapshot), text))
    }
}

impl PlanEdit {
    fn missing(&self, id: PlanId, file: &WorkspacePath) -> PlanError {
        match self {
            PlanEdit::Write(_) => PlanError::Nothing(id.to_string()),
            PlanEdit::Mark { .. } => PlanError::NoFile(file.to_string()),
        }
    }
}

/// A new plan.
pub(super) async fn create(context: &ToolContext, edit: PlanEdit) -> Result<Saved, PlanError> {
    context.blocking(move |context| Store::new(context)?.create(&edit)).await
}

/// A change of a plan that is there, on the disk or in the session.
pub(super) async fn change(
    context: &ToolContext,
    id: PlanId,
    edit: PlanEdit,
) -> Result<Saved, PlanError> {
    let edit = Arc::new(edit);
    for _ in 0..TRIES {
        let wanted = edit.clone();
        let attempt = move |context: &ToolContext| Store::new(context)?.change(id, &wanted);
        let (snapshot, text) = match context.blocking(attempt).await? {
            Attempt::Saved(saved) => return Ok(saved),
            Attempt::Held(snapshot, text) => (*snapshot, text),
        };
        let file = snapshot.file.clone();
        let change = Change::Write(Text::from(text.as_str()));
        let proposed = match context.propose(snapshot, change).await {
            Ok(proposed) => Some(proposed),
            // It says so already.
            Err(ProposeError::Nothing) => None,
            Err(ProposeError::Stale) => continue,
            Err(error) => return Err(PlanError::propose(&file, &error)),
        };
        return Ok(Saved { id, file, text, proposed });
    }
    Err(PlanError::Busy(id.to_string()))
}

fn write(
    file: &WorkspacePath,
    text: &str,
    format: Format,
    expect: Option<u64>,
) -> Result<(), WriteError> {
    let text = Some((Text::from(text), format));
    io::write(&WriteRequest { file: file.clone(), text, expect, mode: None }).map(drop)
}

fn bounded(file: &WorkspacePath) -> Result<(), PlanError> {
    let size = fs::metadata(file.as_path()).map(|meta| meta.len()).unwrap_or_default();
    match size > MOST_READ {
        true => Err(PlanError::TooLarge { path: file.to_string(), most: MOST_READ }),
        false => Ok(()),
    }
}
