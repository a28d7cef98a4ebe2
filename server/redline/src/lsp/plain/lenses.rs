//! Code lenses of a file: `Accept`, `Reject`, `n of m` on each hunk.

use redline_workspace::Review;

use super::{Numbered, undecided};
use crate::lsp::protocol as wire;

/// The lenses of a file's undecided hunks.
pub fn lenses(review: &Review) -> Vec<wire::CodeLens> {
    undecided(review).into_iter().flat_map(lens).collect()
}

fn lens(Numbered { hunk, n, of }: Numbered<'_>) -> [wire::CodeLens; 3] {
    let id = || vec![hunk.id.to_string().into()];
    let one = |title: String, command, arguments| wire::CodeLens {
        range: hunk.range,
        command: wire::Command { title, command, arguments },
    };
    [
        one("Accept".to_owned(), "redline.accept", id()),
        one("Reject".to_owned(), "redline.reject", id()),
        one(format!("{n} of {of}"), "", Vec::new()),
    ]
}
