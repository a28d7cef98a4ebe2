//! The result: matches in the seed's format, and what the reader should know about them.

use std::path::Path;

use super::{
    MAX_TOTAL, WANTED,
    found::{Found, Hit, Skip},
    search::Done,
};
use crate::tools::files::{Place, name};

/// Names that a note gives before it only counts.
const MAX_NAMES: usize = 3;

/// Seed 000, Grep, "Success Output" and "No Results", then notes.
pub(super) fn result(done: &Done, places: &[Place], literal: bool) -> Vec<String> {
    let found = &done.found;
    let mut out: Vec<String> = Vec::new();
    for (file, _, hits) in found.files() {
        let name = name(places, file);
        out.extend(hits.iter().filter_map(|hit| match hit {
            Hit::Match(line) => Some(format!("{name}:{}: {}", line.number, line.text)),
            Hit::Context(_) | Hit::Break => None,
        }));
    }
    if out.is_empty() {
        out.push("No results found.".to_owned());
    }
    if found.is_empty() && !literal {
        out.push(
            "If you meant to search for a literal string, run Grep again with literal:true."
                .to_owned(),
        );
    }
    if found.is_full() {
        out.push(format!(
            "Note: there are more matches; these are the first {MAX_TOTAL} in the order of paths. \
             Narrow the search with a longer pattern, path or glob."
        ));
    }
    out.extend(longer(found, places));
    out.extend(skipped(found, places));
    out
}

/// A search that had nothing to search must not look like one that found nothing.
pub(in crate::tools) fn why_nothing(
    done: &Done,
    places: &[Place],
    glob: Option<&str>,
) -> Option<String> {
    if done.binary && places.iter().all(|place| place.real.is_file()) {
        return Some("Note: the file is binary: it was not searched.".to_owned());
    }
    if done.looked {
        return None;
    }
    let there = match glob {
        Some(glob) => format!("no file matches the glob {glob:?}"),
        None => "there is no file to search".to_owned(),
    };
    Some(format!("Note: {there}; hidden and ignored files are left out."))
}

fn longer(found: &Found, places: &[Place]) -> Option<String> {
    let names = named(found.longer(), places)?;
    let shown = WANTED.matches;
    Some(format!("Note: files with more matches than the first {shown}, which are shown: {names}"))
}

/// What was not searched, and why.
pub(in crate::tools) fn skipped(found: &Found, places: &[Place]) -> Vec<String> {
    let of = |want: fn(&Skip) -> bool| {
        let paths = found.skipped().filter(|(_, why)| want(why)).map(|(path, _)| path);
        named(paths, places)
    };
    let reason = found.skipped().find_map(|(_, why)| match why {
        Skip::Unreadable(reason) => Some(reason.as_str()),
        Skip::Secret | Skip::Forbidden => None,
    });
    let secret = of(|why| *why == Skip::Secret)
        .map(|names| format!("Note: not searched, since they may hold secrets: {names}"));
    let forbidden = of(|why| *why == Skip::Forbidden)
        .map(|names| format!("Note: not searched, since a permission rule rejects it: {names}"));
    let unreadable = of(|why| matches!(why, Skip::Unreadable(_)))
        .map(|names| format!("Note: could not be read ({}): {names}", reason.unwrap_or_default()));
    [secret, forbidden, unreadable].into_iter().flatten().collect()
}

/// The number of files and the names of the first ones; `None` if there are none.
fn named<'p>(paths: impl Iterator<Item = &'p Path>, places: &[Place]) -> Option<String> {
    let names: Vec<String> = paths.map(|path| name(places, path)).collect();
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    let unit = if names.len() == 1 { "file" } else { "files" };
    let first = names.get(..MAX_NAMES).unwrap_or(&names).join(", ");
    (!names.is_empty()).then(|| format!("{} {unit} ({first}{more})", names.len()))
}
