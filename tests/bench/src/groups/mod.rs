//! The groups of figures, in the order of the page.

mod changes;
mod edits;
mod glob;
mod grep;
mod large;
mod layers;
mod locate;
mod permissions;
mod rope;
mod start;
mod text;
mod tools;
mod trips;

use crate::Result;
use crate::options::Options;
use crate::section::Section;
use serde_json::{Value, json};

/// A group of figures.
pub struct Group {
    /// Its word on the command line.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// Measures and fills the section.
    pub run: fn(&Options, &mut Section) -> Result<()>,
}

/// All of them.
pub const GROUPS: [Group; 10] = [
    Group { name: "start", title: "Start and memory", run: start::run },
    Group { name: "changes", title: "Typing: didChange", run: changes::run },
    Group { name: "layers", title: "Typing: layers", run: layers::run },
    Group { name: "trips", title: "Round trips", run: trips::run },
    Group { name: "edits", title: "edit_file", run: edits::run },
    Group { name: "locate", title: "Locating old text", run: locate::run },
    Group { name: "grep", title: "Grep", run: grep::run },
    Group { name: "glob", title: "glob", run: glob::run },
    Group { name: "tools", title: "Calls of tools", run: tools::run },
    Group { name: "permissions", title: "Permissions", run: permissions::run },
];

/// Settings of a session whose agent may use these tools unasked.
fn allowing(tools: &[&str]) -> Value {
    let rules: Vec<_> =
        tools.iter().map(|tool| json!({ "tool": tool, "action": "allow" })).collect();
    json!({ "permissions": rules, "saveOnAccept": false })
}

/// The result of a tool call that must have succeeded.
fn done(result: Value) -> Result<Value> {
    if result["status"] == "done" { Ok(result) } else { Err(format!("the tool: {result}").into()) }
}
