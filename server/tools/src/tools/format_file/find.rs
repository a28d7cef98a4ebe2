//! Which formatter a project uses for a file, and where its program is. Looks at the disk.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
};

use redline_workspace::{WorkspacePath, io};

use super::formatters::{Arg, FORMATTERS, Formatter, Mark, PROJECT_BINS, Start};

/// Bytes of a configuration file that are looked at.
const MAX_CONFIG: u64 = 1024 * 1024;

/// A formatter for a file.
#[derive(Debug)]
pub(super) struct Choice {
    pub formatter: &'static Formatter,
    /// The file that says so.
    pub mark: Option<PathBuf>,
    /// The file's folder and those above it, as far as the project goes.
    folders: Vec<PathBuf>,
}

/// A program that is there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub path: PathBuf,
    /// It belongs to the workspace: whoever wrote that wrote it.
    pub is_projects: bool,
}

/// The formatter whose mark is nearest to the file, else the one of the language; `None`: none is
/// known.
pub(super) fn choose(file: &Path, roots: &[PathBuf]) -> Option<Choice> {
    let extension = file.extension()?.to_str()?.to_ascii_lowercase();
    let folders = folders(file, roots);
    let fits = |it: &&Formatter| it.extensions.contains(&extension.as_str());
    let marked = FORMATTERS.iter().filter(fits).filter_map(|formatter| {
        let (near, mark) = nearest(formatter.marks, &folders)?;
        Some((near, formatter, Some(mark)))
    });
    let plain = FORMATTERS.iter().filter(fits).filter(|it| it.marks.is_empty());
    let plain = plain.map(|formatter| (folders.len(), formatter, None));
    // The first of several that are equally near.
    let (_, formatter, mark) = marked.chain(plain).min_by_key(|(near, ..)| *near)?;
    Some(Choice { formatter, mark, folders })
}

/// What would have to be there for a file of that kind, in words.
pub(super) fn known(file: &Path) -> Vec<&'static str> {
    let extension = file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let fits = |it: &&Formatter| it.extensions.contains(&extension.as_str());
    FORMATTERS.iter().filter(fits).map(|formatter| formatter.name).collect()
}

/// Up to the repository's top; without a repository, to that of the workspace.
fn folders(file: &Path, roots: &[PathBuf]) -> Vec<PathBuf> {
    let all: Vec<PathBuf> = file.ancestors().skip(1).map(Path::to_owned).collect();
    let top = all.iter().position(|folder| folder.join(".git").exists());
    let root = || all.iter().rposition(|folder| roots.contains(folder));
    let count = top.or_else(root).map_or(all.len(), |last| last + 1);
    all.into_iter().take(count).collect()
}

fn nearest(marks: &[Mark], folders: &[PathBuf]) -> Option<(usize, PathBuf)> {
    let in_folder = |folder: &PathBuf| marks.iter().find_map(|mark| found(*mark, folder));
    folders.iter().enumerate().find_map(|(near, folder)| Some((near, in_folder(folder)?)))
}

fn found(mark: Mark, folder: &Path) -> Option<PathBuf> {
    match mark {
        Mark::File(name) => Some(folder.join(name)).filter(|file| file.is_file()),
        Mark::Part(name, part) => {
            let file = folder.join(name);
            contents(&file)?.contains(part).then_some(file)
        }
    }
}

fn contents(file: &Path) -> Option<String> {
    let bytes = io::bytes(&WorkspacePath::assume_canonical(file), MAX_CONFIG).ok()?;
    String::from_utf8(bytes).ok()
}

impl Choice {
    /// Where its program is: on `path` (a list like `PATH`) or in the project. A formatter whose
    /// configuration is code is taken from the project first: it fits that code, and has to be
    /// asked for anyway.
    pub fn program(&self, path: &OsStr, roots: &[PathBuf]) -> Option<Program> {
        let local = || {
            let bins =
                self.folders.iter().flat_map(|folder| PROJECT_BINS.map(|bin| folder.join(bin)));
            executable(bins, self.formatter.name)
        };
        // A relative entry of PATH is a folder of whatever the current directory is.
        let on_path = || {
            let folders = env::split_paths(path).filter(|folder| folder.is_absolute());
            executable(folders, self.formatter.name)
        };
        let found = match self.formatter.loads_code {
            true => local().or_else(on_path)?,
            false => on_path().or_else(local)?,
        };
        let real = found.canonicalize().ok()?;
        let is_in = |path: &Path| {
            roots.iter().any(|root| path.starts_with(root))
                || self.folders.last().is_some_and(|top| path.starts_with(top))
        };
        Some(Program { is_projects: is_in(&found) || is_in(&real), path: found })
    }

    /// Where it is started.
    pub fn directory(&self) -> PathBuf {
        let project = self.mark.as_deref().and_then(Path::parent).map(Path::to_owned);
        let project = project.or_else(|| self.folders.first().cloned());
        match self.formatter.start {
            Start::Project => project.unwrap_or_else(elsewhere),
            Start::Elsewhere => elsewhere(),
        }
    }

    /// What it is started with.
    pub fn args(&self, file: &Path) -> Vec<String> {
        let name = file.to_string_lossy();
        let arg = |arg: &Arg| match *arg {
            Arg::Is(text) => vec![text.to_owned()],
            Arg::File(before) => vec![format!("{before}{name}")],
            Arg::Extension => {
                vec![file.extension().unwrap_or_default().to_string_lossy().into_owned()]
            }
            Arg::Edition => vec!["--edition".to_owned(), self.edition()],
            Arg::FolderOf(flag, names) => self.folder_of(flag, names).unwrap_or_default(),
        };
        self.formatter.args.iter().flat_map(arg).collect()
    }

    fn folder_of(&self, flag: &str, names: &[&str]) -> Option<Vec<String>> {
        let has = |folder: &&PathBuf| names.iter().any(|name| folder.join(name).is_file());
        let folder = self.folders.iter().find(has)?;
        Some(vec![flag.to_owned(), folder.to_string_lossy().into_owned()])
    }

    /// As `cargo fmt` would have it: of the package, or of the workspace that it points to.
    fn edition(&self) -> String {
        const NEWEST_WITHOUT_CARGO: &str = "2024";
        const CARGOS_DEFAULT: &str = "2015";
        let manifests =
            self.folders.iter().filter_map(|folder| contents(&folder.join("Cargo.toml")));
        let mut has_package = false;
        for manifest in manifests {
            let section = if has_package { "[workspace.package]" } else { "[package]" };
            match edition_in(&manifest, section) {
                Some(Edition::Is(edition)) => return edition,
                None if !has_package && manifest.contains("[package]") => {
                    return CARGOS_DEFAULT.to_owned();
                }
                Some(Edition::OfWorkspace) => {
                    has_package = true;
                    // The package may be the workspace's root itself.
                    if let Some(Edition::Is(edition)) = edition_in(&manifest, "[workspace.package]")
                    {
                        return edition;
                    }
                }
                None => {}
            }
        }
        if has_package { CARGOS_DEFAULT } else { NEWEST_WITHOUT_CARGO }.to_owned()
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Edition {
    Is(String),
    OfWorkspace,
}

/// The `edition` of a section of a manifest. Reads the lines that people and Cargo write; what it
/// does not understand is as if it were not there.
fn edition_in(manifest: &str, section: &str) -> Option<Edition> {
    let lines = manifest.lines().map(str::trim);
    let mut inside = lines.skip_while(|line| *line != section).skip(1);
    let line = inside.by_ref().take_while(|line| !line.starts_with('[')).find_map(|line| {
        let rest = line.strip_prefix("edition")?.trim_start();
        rest.starts_with(['=', '.']).then(|| rest.to_owned())
    })?;
    if line.contains("workspace") {
        return Some(Edition::OfWorkspace);
    }
    let year: String = line.chars().filter(char::is_ascii_digit).take(4).collect();
    (year.len() == 4).then_some(Edition::Is(year))
}

/// A folder that nobody but the system writes in: of a shared one, such as `/tmp`, the next user might
/// have made a project.
fn elsewhere() -> PathBuf {
    if cfg!(unix) { PathBuf::from("/") } else { env::temp_dir() }
}

fn executable(mut folders: impl Iterator<Item = PathBuf>, name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    folders.find_map(|folder| Some(folder.join(&name)).filter(|file| is_executable(file)))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests;
