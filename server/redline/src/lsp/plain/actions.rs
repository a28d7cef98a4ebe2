//! Code actions: how editors without lenses decide.

use redline_text::Encoding;
use redline_workspace::{HunkState, HunkView, Review};
use serde_json::Value;

use super::{Lines, Numbered, diagnostics::diagnostic, touching, undecided, words};
use crate::lsp::{
    protocol::Command,
    standard::{CodeAction, Offer},
};

/// The kind of all of them. None is preferred and none fixes anything on its own: nothing that an
/// editor does by itself (on save, on format) may accept a proposal.
pub const KIND: &str = "quickfix";

/// What the client asks for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The lines where the user is.
    pub lines: Lines,
    /// The kinds that are wanted; `None`: all.
    pub only: Option<&'a [String]>,
    /// The user asked (a client that does not say counts as one who did).
    pub invoked: bool,
    /// The client takes actions with a kind; else bare commands.
    pub literals: bool,
    /// Positions of what is offered.
    pub encoding: Encoding,
    /// `redline.show` has a window to show in.
    pub shows: bool,
}

/// What can be done at those lines. `review`: of this file, if it has one; `elsewhere`: how many
/// hunks wait in other files.
pub fn actions(
    review: Option<&Review>,
    elsewhere: usize,
    uri: &str,
    asked: Asked<'_>,
) -> Vec<Offer> {
    if !wanted(asked.only) {
        return Vec::new();
    }
    let mut offers = Vec::new();
    if let Some(review) = review {
        offers.extend(of_hunks(review, asked));
        let here = offers.is_empty() && !asked.invoked;
        if !here {
            offers.extend(of_file(review, uri, asked));
        }
    }
    if asked.invoked {
        offers.extend(of_all(review, elsewhere, asked));
    }
    offers
}

/// A kind is wanted if it, or one that holds it, is named.
fn wanted(only: Option<&[String]>) -> bool {
    only.is_none_or(|only| only.iter().any(|kind| kind == KIND || kind.is_empty()))
}

fn of_hunks(review: &Review, asked: Asked<'_>) -> Vec<Offer> {
    let mut offers = Vec::new();
    for numbered in undecided(review) {
        if touching(numbered.hunk, asked.lines) {
            offers.extend(of_hunk(review, numbered, asked));
        }
    }
    let decided = |hunk: &&HunkView| {
        matches!(hunk.state, HunkState::Accepted | HunkState::Rejected)
            && touching(hunk, asked.lines)
    };
    for hunk in review.hunks.iter().filter(decided) {
        let title = format!("Redline: reopen the {} change", hunk.state.name());
        let title = format!("{title} ({})", words::summary(hunk, review.change));
        offers.push(offer(title, "redline.reopen", vec![hunk.id.to_string().into()], asked));
    }
    offers
}

fn of_hunk(review: &Review, numbered: Numbered<'_>, asked: Asked<'_>) -> Vec<Offer> {
    let Numbered { hunk, n, of } = numbered;
    let (yes, no) = match hunk.state {
        HunkState::Applied => (Some("keep"), "undo"),
        HunkState::Conflict => (None, "reject"),
        _ => (Some("accept"), "reject"),
    };
    let one = |verb: &str, command| {
        let title =
            format!("Redline: {verb} {n} of {of} ({})", words::summary(hunk, review.change));
        let mut offer = offer(title, command, vec![hunk.id.to_string().into()], asked);
        if let Offer::Action(action) = &mut offer {
            action.diagnostics = vec![diagnostic(review, numbered, asked.encoding)];
        }
        offer
    };
    let accept = yes.map(|verb| one(verb, "redline.accept"));
    accept.into_iter().chain([one(no, "redline.reject")]).collect()
}

/// With one pending hunk there is nothing that its own actions do not do.
fn of_file(review: &Review, uri: &str, asked: Asked<'_>) -> Vec<Offer> {
    let pending = pending(review);
    let one = |verb: &str, command| {
        let title = format!("Redline: {verb} all {pending} in this file");
        offer(title, command, vec![Value::from(uri)], asked)
    };
    match pending {
        0 | 1 => Vec::new(),
        _ => vec![one("accept", "redline.acceptAll"), one("reject", "redline.rejectAll")],
    }
}

fn of_all(review: Option<&Review>, elsewhere: usize, asked: Asked<'_>) -> Vec<Offer> {
    let total = elsewhere + review.map_or(0, pending);
    let mut offers = Vec::new();
    if asked.shows && total > 0 {
        let title = format!("Redline: show all proposals as a diff ({total})");
        offers.push(offer(title, "redline.show", Vec::new(), asked));
    }
    if elsewhere > 0 {
        let one = |verb: &str, command| {
            offer(format!("Redline: {verb} all {total} in all files"), command, Vec::new(), asked)
        };
        offers.extend([one("accept", "redline.acceptAll"), one("reject", "redline.rejectAll")]);
    }
    offers
}

/// Hunks of a file that `acceptAll` would take.
pub fn pending(review: &Review) -> usize {
    review.hunks.iter().filter(|hunk| hunk.state == HunkState::Pending).count()
}

fn offer(title: String, command: &'static str, arguments: Vec<Value>, asked: Asked<'_>) -> Offer {
    let command = Command { title: title.clone(), command, arguments };
    match asked.literals {
        true => Offer::Action(CodeAction { title, kind: KIND, diagnostics: Vec::new(), command }),
        false => Offer::Command(command),
    }
}
