//! Where a text is that is not where it was looked for: what only a tool can know.

use std::collections::BTreeSet;

use redline_layers::Projection;
use redline_permissions::guards::is_secret_file;
use redline_text::{Place, Text, place_of};
use redline_workspace::{HunkState, HunkView, Snapshot, WorkspacePath};

use crate::ToolContext;

/// So many sentences help; more only hide the first.
const MOST_CLUES: usize = 2;
/// Chars, white space aside, that a text needs to be told from others: a bracket is in every file.
const TELLING: usize = 10;
/// Files above this are not searched for an error's sake, in bytes.
const MOST_SEARCHED: u64 = 4 * 1024 * 1024;

/// Sentences, each after a line break, about an old text that the thread does not see in the file;
/// the nearest cause first.
pub(super) fn clues(context: &ToolContext, snapshot: &Snapshot, old: &str) -> String {
    let case = Case { context, snapshot, old };
    let kinds: [&dyn Fn() -> Option<String>; 5] = [
        &|| case.rejected(),
        &|| case.own_hunk().or_else(|| case.own_edit()),
        &|| case.only_on_disk(),
        &|| case.other_proposal(),
        &|| case.other_file(),
    ];
    let found = kinds.iter().filter_map(|kind| kind());
    found.take(MOST_CLUES).map(|clue| format!("\n{clue}")).collect()
}

/// A sentence, after a line break, about files of the same name that the thread saw lately.
pub(super) fn namesakes(context: &ToolContext, file: &WorkspacePath) -> String {
    let name = file.as_path().file_name();
    let is_there = |other: &WorkspacePath| context.read(other).is_ok_and(|it| it.exists);
    let seen = context.memory.files(&context.scope.thread);
    let found = seen
        .into_iter()
        .find(|other| other != file && other.as_path().file_name() == name && is_there(other));
    found.map_or_else(String::new, |other| format!("\nDid you mean {other}, which you saw lately?"))
}

struct Case<'a> {
    context: &'a ToolContext,
    snapshot: &'a Snapshot,
    old: &'a str,
}

impl Case<'_> {
    /// DESIGN, section 6: an edit of rejected text is told so.
    fn rejected(&self) -> Option<String> {
        let texts = self.context.workspace.query(|it| it.rejected_texts(&self.snapshot.file));
        texts.iter().any(|text| self.is_in(text)).then(|| {
            "The user rejected an earlier proposal with this text: it is not in the file. Read the \
             file again, and mind what the user said."
                .to_owned()
        })
    }

    /// The editor, or the file before what rules allowed, has the text: a proposal changed it.
    fn own_hunk(&self) -> Option<String> {
        let hunk = self.hunks().into_iter().find(|hunk| self.is_own(hunk) && self.shares(hunk))?;
        let had = |projection| self.projection(projection).is_some_and(|text| self.is_in(&text));
        if !had(Projection::Editor) && !had(Projection::Base) {
            return None;
        }
        let state = if hunk.state == HunkState::Applied { "applied" } else { "pending" };
        let call = &hunk.origin.call;
        let now = self.now(&hunk.new_text);
        Some(format!("Your own edit {call} ({state}) has changed this text already.{now}"))
    }

    /// What the thread replaced is remembered, also once the user has accepted it.
    fn own_edit(&self) -> Option<String> {
        let edits = self.context.memory.edits(&self.context.scope.thread, &self.snapshot.file);
        let edit = edits.iter().find(|edit| self.is_in(&edit.old) && !self.is_in(&edit.new))?;
        let now = self.now(&edit.new);
        Some(format!("Your own edit {} has replaced this text already.{now}", edit.call))
    }

    fn only_on_disk(&self) -> Option<String> {
        let disk = self.snapshot.disk.as_ref().filter(|_| self.snapshot.open)?;
        // What a proposal replaced is in the editor's text, and was told.
        let editor = self.projection(Projection::Editor)?;
        let place = place_of(&disk.text, self.old).filter(|_| !self.is_in(&editor))?;
        Some(format!(
            "The file on disk has it ({}), but the user has changed that in the editor and not \
             saved: the editor's text counts. Read the file again.",
            lines(place)
        ))
    }

    fn other_proposal(&self) -> Option<String> {
        let waits = |hunk: &HunkView| !matches!(hunk.state, HunkState::Rejected);
        let mut hunks = self.hunks().into_iter().filter(|hunk| waits(hunk) && !self.is_own(hunk));
        let hunk = hunks.find(|hunk| self.is_in(&hunk.new_text))?;
        Some(format!(
            "It is in a proposal of another agent ({}, {}) that the user has not accepted: you can \
             edit it when it is in the file.",
            hunk.origin.agent, hunk.origin.call
        ))
    }

    fn other_file(&self) -> Option<String> {
        if self.old.chars().filter(|c| !c.is_whitespace()).count() < TELLING {
            return None;
        }
        let seen = self.context.memory.files(&self.context.scope.thread);
        let others = seen.into_iter().filter(|file| *file != self.snapshot.file);
        let (file, place) = others.into_iter().find_map(|file| {
            let place = self.place_in(&file)?;
            Some((file, place))
        })?;
        let name = file.display_in(&self.context.workspace.roots());
        Some(format!(
            "{name} has it ({}), which you saw lately: is that the file you mean?",
            lines(place)
        ))
    }

    fn place_in(&self, file: &WorkspacePath) -> Option<Place> {
        let size = std::fs::metadata(file.as_path()).map_or(0, |it| it.len());
        if size > MOST_SEARCHED || is_secret_file(file.as_path()) {
            return None;
        }
        place_of(&self.context.read(file).ok()?.text, self.old)
    }

    fn projection(&self, projection: Projection) -> Option<String> {
        self.context.workspace.query(|session| session.content(&self.snapshot.file, &projection))
    }

    fn hunks(&self) -> Vec<HunkView> {
        let review = self.context.workspace.query(|session| session.review(&self.snapshot.file));
        review.map(|review| review.hunks).unwrap_or_default()
    }

    fn is_own(&self, hunk: &HunkView) -> bool {
        hunk.origin.thread == self.context.scope.thread && hunk.state != HunkState::Rejected
    }

    /// Whether the hunk replaces a line of the old text.
    fn shares(&self, hunk: &HunkView) -> bool {
        let bare = |line: &'_ str| Some(line.trim().to_owned()).filter(|line| !line.is_empty());
        let gone: BTreeSet<String> = hunk.old_text.lines().filter_map(bare).collect();
        let mut wanted = self.old.lines().filter_map(bare);
        wanted.any(|line| gone.iter().any(|gone| gone.contains(&line)))
    }

    fn is_in(&self, text: &str) -> bool {
        place_of(&Text::from(text), self.old).is_some()
    }

    /// Where the text is that came in its place.
    fn now(&self, new: &str) -> String {
        match place_of(&self.snapshot.text, new) {
            Some(place) => format!(" Now see {}: edit what is there.", lines(place)),
            None => " Read the file again, and edit what is there.".to_owned(),
        }
    }
}

fn lines(place: Place) -> String {
    let Place { first_line, last_line, .. } = place;
    if first_line == last_line {
        format!("line {first_line}")
    } else {
        format!("lines {first_line}–{last_line}")
    }
}
