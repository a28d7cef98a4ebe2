//! Permission rules of a settings file, with the line that each one stands on.

use std::path::Path;

use redline_permissions::{self as permissions, Policy, RuleError, Source, SourcedRule};

use super::{
    Author,
    jsonc::{Kind, Node, Place},
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
    let rules = permissions::parse_json(&node.value())
        .map_err(|RuleError { place, problem }| (find(node, &place), problem.to_string()))?;
    let lines = items(node).iter().map(|item| u32::try_from(item.place.line).ok());
    let sourced = |(rule, line)| SourcedRule { rule, source: source.clone(), line };
    // The editor's settings have no lines that a user could look at.
    let lines = lines.map(|line| line.filter(|_| source != Source::Editor));
    Ok(rules.into_iter().zip(lines).map(sourced).collect())
}

fn items(node: &Node) -> &[Node] {
    match &node.kind {
        Kind::Array(items) => items,
        _ => &[],
    }
}

/// The place in the file of a place in the rules: as deep as it can be followed.
fn find(list: &Node, place: &permissions::Place) -> Place {
    let permissions::Place::Json { rule: Some(index), key } = place else { return list.place };
    let Some(mut node) = items(list).get(*index) else { return list.place };
    for part in key.split('.') {
        let Kind::Object(members) = &node.kind else { break };
        let Some((_, _, value)) = members.iter().find(|(name, ..)| name == part) else { break };
        node = value;
    }
    node.place
}

/// The engine with these rules before (the user's) and behind (a repository's) its own.
pub fn policy(user: Vec<SourcedRule>, repository: Vec<SourcedRule>) -> Policy {
    let policy = Policy::builtin().with_user_rules(user).with_repository_rules(repository);
    match std::env::home_dir() {
        Some(home) => policy.with_home(home),
        None => policy,
    }
}
