//! The result: matches in the seed's format, and what the reader should know about them.

use std::path::Path;

use super::{
    found::{Found, MAX_TOTAL, Skip},
    search::Outcome,
};
use crate::tools::files::Place;

/// Names that a note gives before it only counts.
const MAX_NAMES: usize = 3;

/// Seed 000, Grep, "Success Output" and "No Results", then notes.
pub(super) fn result(outcome: &Outcome, place: &Place, literal: bool) -> Vec<String> {
    let found = &outcome.found;
    let mut out: Vec<String> = found
        .files()
        .flat_map(|(file, hits)| {
            let name = place.name(file);
            hits.iter().map(move |hit| format!("{name}:{}: {}", hit.line, hit.text))
        })
        .collect();
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
    out.extend(longer(found, place));
    out.extend(skipped(found, place));
    out
}

fn longer(found: &Found, place: &Place) -> Option<String> {
    let names = named(found.longer(), place)?;
    Some(format!("Note: files with more matches than the first 10, which are shown: {names}"))
}

fn skipped(found: &Found, place: &Place) -> Vec<String> {
    let of = |want: fn(&Skip) -> bool| {
        let paths = found.skipped().filter(|(_, why)| want(why)).map(|(path, _)| path);
        named(paths, place)
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
fn named<'p>(paths: impl Iterator<Item = &'p Path>, place: &Place) -> Option<String> {
    let names: Vec<String> = paths.map(|path| place.name(path)).collect();
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    let unit = if names.len() == 1 { "file" } else { "files" };
    let first = names.get(..MAX_NAMES).unwrap_or(&names).join(", ");
    (!names.is_empty()).then(|| format!("{} {unit} ({first}{more})", names.len()))
}
