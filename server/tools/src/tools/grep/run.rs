//! A whole search, as the tools of all families have it: its places, what the thread sees of them,
//! and the rules about single files.

use std::sync::atomic::AtomicBool;

use grep_regex::RegexMatcher;
use ignore::types::Types;
use serde_json::Value;

use super::{
    found::Found,
    rules,
    scan::Wanted,
    search::{Done, Filter, NoIndex, Outcome, Search},
};
use crate::{
    ToolContext, ToolResult,
    tools::{
        files::{Globs, Place, Seen},
        secret,
    },
};

/// What a call asks for.
pub(in crate::tools) struct Asked<'a> {
    pub matcher: &'a RegexMatcher,
    pub wanted: Wanted,
    pub found: Found,
    pub path: Option<&'a str>,
    pub glob: Option<&'a str>,
    pub types: Option<Types>,
    /// The call's arguments, for rules about them.
    pub args: &'a Value,
    pub stop: &'a AtomicBool,
}

/// Why there was no search.
pub(in crate::tools) enum Trouble {
    /// The file may hold secrets: the guard's answer.
    Secret(Box<ToolResult>),
    /// There is nothing at this path.
    Missing(String),
    /// The glob is none.
    Glob(String),
    /// In words.
    Other(String),
}

/// Searches. Also gives the places, which have the names of the files.
///
/// # Errors
/// See `Trouble`.
pub(in crate::tools) fn search(
    context: &ToolContext,
    mut asked: Asked<'_>,
) -> Result<(Done, Vec<Place>), Trouble> {
    let places = Place::all(context, asked.path);
    let places = places.map_err(|error| Trouble::Other(error.to_string()))?;
    let may_forbid = rules::may_forbid(context);
    let is_forbidden =
        |file: &std::path::Path| may_forbid && rules::forbid(context, asked.args, file);
    let found = std::mem::replace(&mut asked.found, Found::new(0, super::Unit::Files));
    let outcome = Outcome::new(found);
    for place in &places {
        let filter = filter(context, place, &asked)?;
        let search = Search {
            matcher: asked.matcher,
            wanted: asked.wanted,
            place,
            filter: &filter,
            seen: &Seen::at(context, &place.real),
            sieve: &NoIndex,
            is_forbidden: &is_forbidden,
            stop: asked.stop,
        };
        in_place(context, asked.path, &search, &outcome)?;
    }
    Ok((outcome.done(), places))
}

fn filter(context: &ToolContext, place: &Place, asked: &Asked<'_>) -> Result<Filter, Trouble> {
    let types = asked.types.clone();
    let Some(glob) = asked.glob else { return Ok(Filter { globs: None, types }) };
    // A pattern may start from the place or from the working directory.
    let cwd = asked.path.map(|_| context.scope.cwd.as_path());
    let bases: Vec<_> = cwd.into_iter().chain([place.real.as_path()]).collect();
    let globs = Globs::new(glob, &bases).map_err(|error| Trouble::Glob(error.to_string()))?;
    Ok(Filter { globs: Some(globs), types })
}

fn in_place(
    context: &ToolContext,
    written: Option<&str>,
    search: &Search<'_>,
    outcome: &Outcome,
) -> Result<(), Trouble> {
    let real = search.place.real.as_path();
    if real.is_dir() {
        search.folder(outcome);
        return Ok(());
    }
    if let Some(refused) = secret(context, written.unwrap_or_default(), real) {
        return Err(Trouble::Secret(Box::new(refused)));
    }
    let missing = || Trouble::Missing(real.display().to_string());
    match search.seen.get(real) {
        Some(Some(_)) => search.file(outcome),
        Some(None) => return Err(missing()),
        None if real.is_file() => search.file(outcome),
        // A folder of proposed files.
        None if search.seen.has(real) => search.folder(outcome),
        None if real.exists() => {
            return Err(Trouble::Other(format!("{} is not a regular file", real.display())));
        }
        None => return Err(missing()),
    }
    Ok(())
}
