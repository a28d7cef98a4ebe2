//! Permission rules of a settings file, with the line that each one stands on.

use std::path::{Path, PathBuf};

use redline_permissions::{self as permissions, Policy, Problem, RuleError, Source, SourcedRule};
use redline_workspace::io::journal::{Env, state_dir};

use super::{
    Author,
    jsonc::{Kind, Member, Node, Place},
};

pub(super) fn source(author: Author, path: &Path) -> Source {
    match author {
        Author::User => Source::User { path: path.to_owned() },
        Author::Repository | Author::Trusted => Source::Repository { path: path.to_owned() },
        Author::Editor => Source::Editor,
    }
}

/// The rules of a list, or what is wrong with it and where.
pub fn read(node: &Node, source: Source) -> Result<Vec<SourcedRule>, (Place, String)> {
    items(node).iter().try_for_each(once)?;
    let rules = permissions::parse_json(&node.value())
        .map_err(|error| (find(node, &error), error.problem.to_string()))?;
    let lines = items(node).iter().map(|item| u32::try_from(item.place.line).ok());
    let sourced = |(rule, line)| SourcedRule { rule, source: source.clone(), line };
    // The editor's settings have no lines that a user could look at.
    let lines = lines.map(|line| line.filter(|_| source != Source::Editor));
    Ok(rules.into_iter().zip(lines).map(sourced).collect())
}

/// Every key of an object in a rule stands there once: of two conditions one would be lost.
fn once(node: &Node) -> Result<(), (Place, String)> {
    match &node.kind {
        Kind::Scalar(_) => Ok(()),
        Kind::Array(items) => items.iter().try_for_each(once),
        Kind::Object(members) => {
            for (index, (key, place, value)) in members.iter().enumerate() {
                if members.iter().take(index).any(|(other, ..)| other == key) {
                    let message = format!(
                        "`{key}` is there twice; alternatives are written as one array, \
                         \"{key}\": [.., ..]"
                    );
                    return Err((*place, message));
                }
                once(value)?;
            }
            Ok(())
        }
    }
}

fn items(node: &Node) -> &[Node] {
    match &node.kind {
        Kind::Array(items) => items,
        _ => &[],
    }
}

/// The place in the file of what is wrong with the rules: as deep as it can be followed.
fn find(list: &Node, error: &RuleError) -> Place {
    let permissions::Place::Json { rule: Some(index), key } = &error.place else {
        return list.place;
    };
    let Some(mut node) = items(list).get(*index) else { return list.place };
    let (mut rest, mut at) = (key.as_str(), node.place);
    while let Some((key, value, behind)) = step(node, rest) {
        at = if matches!(error.problem, Problem::Key { .. }) { key } else { value.place };
        (node, rest) = (value, behind);
    }
    at
}

/// The item or member that a dotted path starts with, the place of its key, and the rest of the path.
/// A key may itself have dots: the longest that fits.
fn step<'n, 'p>(node: &'n Node, path: &'p str) -> Option<(Place, &'n Node, &'p str)> {
    if path.is_empty() {
        return None;
    }
    let behind = |name: &str| match path.strip_prefix(name)? {
        "" => Some(""),
        rest => rest.strip_prefix('.'),
    };
    match &node.kind {
        Kind::Scalar(_) => None,
        Kind::Array(items) => {
            let fits = |(index, item): (usize, &'n Node)| {
                Some((item.place, item, behind(&index.to_string())?))
            };
            items.iter().enumerate().find_map(fits)
        }
        Kind::Object(members) => {
            let fits = |(name, place, value): &'n Member| Some((*place, value, behind(name)?));
            members.iter().filter_map(fits).min_by_key(|(.., rest)| rest.len())
        }
    }
}

/// The engine with these rules before (the user's) and behind (a repository's) its own.
pub fn policy(user: Vec<SourcedRule>, repository: Vec<SourcedRule>) -> Policy {
    let policy = Policy::builtin().with_user_rules(user).with_repository_rules(repository);
    let policy = policy.with_own_folders(own_folders());
    match std::env::home_dir() {
        Some(home) => policy.with_home(home),
        None => policy,
    }
}

/// Where settings, grants and records stand, or will.
fn own_folders() -> Vec<[PathBuf; 2]> {
    let config = super::config_dir();
    // Of who keeps settings elsewhere the files are links.
    let file = |name| config.as_ref().map(|config| config.join(name));
    let files = ["settings.json", "grants.json", "trust.json"].map(file);
    let files = files.into_iter().flatten().filter(|file| file.is_symlink());
    let folders = [config.clone(), state_dir(&Env::of_process())].into_iter().flatten();
    let both = |folder: PathBuf| {
        let real = real(&folder);
        [folder, real]
    };
    folders.chain(files).map(both).collect()
}

/// Without links, as far as it is there.
fn real(folder: &Path) -> PathBuf {
    let mut all = folder.ancestors();
    let found = all.find_map(|there| {
        let inner = folder.strip_prefix(there).ok()?;
        Some(there.canonicalize().ok()?.join(inner))
    });
    found.unwrap_or_else(|| folder.to_owned())
}
