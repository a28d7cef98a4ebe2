//! What must hold for every message of every test, from the protocol page.

use crate::editor::Editor;
use crate::position;
use serde_json::Value;
use std::collections::HashMap;

/// Collects what broke the protocol.
#[derive(Debug, Default)]
pub struct Checks {
    /// One sentence each.
    pub problems: Vec<String>,
    revisions: HashMap<String, u64>,
}

const STATES: [&str; 6] = ["pending", "accepting", "applied", "accepted", "rejected", "conflict"];

impl Checks {
    /// Notes a problem.
    pub fn problem(&mut self, text: impl Into<String>) {
        self.problems.push(text.into());
    }

    /// A message must be JSON-RPC 2.0.
    pub fn message(&mut self, message: &Value) {
        if message["jsonrpc"] != "2.0" {
            self.problem(format!("not JSON-RPC 2.0: {message}"));
        }
    }

    /// The invariants of a `redline/review`.
    pub fn review(&mut self, review: &Value, editor: &Editor) {
        if let Err(why) = self.check_review(review, editor) {
            self.problem(format!("{why}, in the review {review:#}"));
        }
    }

    fn check_review(&mut self, review: &Value, editor: &Editor) -> Result<(), String> {
        let uri = review["uri"].as_str().ok_or("no uri")?;
        let revision = review["revision"].as_u64().ok_or("no revision")?;
        let last = self.revisions.insert(uri.to_owned(), revision);
        if last.is_some_and(|last| last > revision) {
            return Err(format!("the revision went back from {last:?}"));
        }
        if !["modified", "created", "deleted"].contains(&review["change"].as_str().unwrap_or("")) {
            return Err("an unknown change".into());
        }
        let hunks = review["hunks"].as_array().ok_or("no hunks")?;
        hunks.iter().try_for_each(check_shape)?;
        check_order(hunks)?;
        let Some(document) = editor.documents.get(uri) else { return Ok(()) };
        let Some(version) = review["version"].as_i64() else { return Ok(()) };
        let text = document.told.get(&version).ok_or("a version that the editor never had")?;
        hunks.iter().try_for_each(|hunk| check_place(hunk, text, editor))
    }
}

fn check_shape(hunk: &Value) -> Result<(), String> {
    let state = hunk["state"].as_str().unwrap_or("");
    let texts = ["id", "oldText", "newText"].iter().all(|key| hunk[key].is_string());
    let origin = ["threadId", "agent", "tool", "toolCallId"];
    if !STATES.contains(&state) {
        return Err(format!("unknown state {state:?}"));
    }
    if !texts || !hunk["mixed"].is_boolean() {
        return Err("a hunk lacks id, oldText, newText or mixed".into());
    }
    if !origin.iter().all(|key| hunk["origin"][key].is_string()) {
        return Err("a hunk lacks its origin".into());
    }
    if state == "rejected" && hunk["range"]["start"] != hunk["range"]["end"] {
        return Err("a rejected hunk has a range that is not empty".into());
    }
    Ok(())
}

fn undecided(hunk: &Value) -> bool {
    ["pending", "accepting", "conflict"].contains(&hunk["state"].as_str().unwrap_or(""))
}

fn point(position: &Value) -> (u64, u64) {
    let number = |key: &str| position[key].as_u64().unwrap_or(u64::MAX);
    (number("line"), number("character"))
}

fn check_order(hunks: &[Value]) -> Result<(), String> {
    let mut ranges: Vec<_> = hunks
        .iter()
        .filter(|hunk| undecided(hunk))
        .map(|hunk| (point(&hunk["range"]["start"]), point(&hunk["range"]["end"])))
        .collect();
    ranges.sort_unstable();
    if ranges.iter().any(|(start, end)| start > end) {
        return Err("a range ends before it starts".into());
    }
    if ranges.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return Err("ranges of undecided hunks overlap".into());
    }
    Ok(())
}

/// `oldText` is the editor's text of `range`, whole lines.
fn check_place(hunk: &Value, text: &str, editor: &Editor) -> Result<(), String> {
    let range = position::byte_range(text, &hunk["range"], editor.encoding);
    let exact = position::lsp_range(text, &range, editor.encoding);
    if exact != hunk["range"] {
        return Err(format!("a range beyond the text: {}", hunk["range"]));
    }
    if !undecided(hunk) {
        return Ok(());
    }
    if hunk["oldText"] != text[range.clone()] {
        return Err(format!("oldText is not the editor's {:?}", &text[range]));
    }
    let whole = |at: usize| position::line_starts(text).contains(&at) || at == text.len();
    if !whole(range.start) || !whole(range.end) {
        return Err("a range that is not whole lines".into());
    }
    Ok(())
}
