//! The pages on which the protocol is written down, one on each side, tell the same story: the same
//! methods in the same order, and in each method the same fields.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "test code")]

use redline_tests::binary::repository;
use std::collections::{BTreeMap, BTreeSet};

const SERVER: &str = "server/redline/src/lsp/protocol.rs";
const VSCODE: &str = "editors/vscode/src/protocol.ts";
const NEOVIM: &str = "editors/neovim/lua/redline/protocol.lua";

/// Our methods, in the order of the protocol's description.
const METHODS: [&str; 21] = [
    "redline/prompt",
    "redline/cancel",
    "redline/tool",
    "redline/resolve",
    "redline/reviews",
    "redline/content",
    "redline/threads",
    "redline/thread",
    "redline/turns",
    "redline/rewind",
    "redline/status",
    "redline/changeReason",
    "redline/review",
    "redline/permissionWithdrawn",
    "redline/threadEvent",
    "redline/permission",
    "redline/trust",
    "redline/question",
    "redline/save",
    "redline/open",
    "redline/format",
];

/// What the server takes from other crates, or writes by an attribute: no field of its page.
const NOT_ON_THE_SERVERS_PAGE: [&str; 6] =
    ["type", "choices", "defaultValue", "required", "question", "selected"];

fn read(page: &str) -> String {
    std::fs::read_to_string(repository().join(page))
        .unwrap_or_else(|error| panic!("{page}: {error}; where is the protocol written down now?"))
}

/// The quoted method names of a page, each at its first place.
fn methods(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split(['"', '\'']) {
        let name = part.strip_prefix("redline/").unwrap_or("");
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic());
        if is_name && !found.iter().any(|known| known == part) {
            found.push(part.to_owned());
        }
    }
    found
}

/// A line of a page without what is only said to the reader.
fn code(line: &str) -> &str {
    let line = line.trim();
    if let Some(annotation) = line.strip_prefix("---@") {
        return annotation;
    }
    let is_talk = ["//", "/*", "*", "--", "#["].iter().any(|start| line.starts_with(start));
    if is_talk { "" } else { line }
}

/// Names that a line gives a type: `name: T`, `name?: T`, Lua's `field name T`.
fn fields(line: &str) -> Vec<String> {
    let line = code(line);
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    if let Some(field) = line.strip_prefix("field ") {
        found.push(field.split(|c: char| !word(c)).next().unwrap_or_default().to_owned());
    }
    for (at, _) in line.match_indices(": ") {
        let before = line[..at].trim_end_matches('?');
        let start = before.rfind(|c: char| !word(c)).map_or(0, |index| index + 1);
        found.push(camel(&before[start..]));
    }
    found.retain(|name| !name.is_empty());
    found
}

/// `thread_id` → `threadId`
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (first, rest) = part.split_at(part.len().min(1));
        out += &first.to_ascii_uppercase();
        out += rest;
    }
    out
}

/// The fields between a method's name and the next one's.
fn sections(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut section = None;
    for line in text.lines() {
        match methods(line).pop() {
            Some(method) => section = Some(method),
            None => {
                let Some(method) = &section else { continue };
                found.entry(method.clone()).or_default().extend(fields(line));
            }
        }
    }
    found
}

/// Every field of the server's page; it gives its methods' names on top, not section by section.
fn servers_fields() -> BTreeSet<String> {
    let text = read(SERVER);
    let (_, rest) =
        text.split_once("// ---- client → server, requests").expect("its first heading");
    let (ours, _) = rest.split_once("// ---- standard methods").expect("its last heading");
    ours.lines().flat_map(fields).collect()
}

fn check(page: &str) {
    assert_eq!(methods(&read(page)), METHODS, "{page} has other methods, or another order");
}

#[test]
fn the_servers_page() {
    check(SERVER);
}

#[test]
fn neovims_page() {
    check(NEOVIM);
}

#[test]
fn vscodes_page() {
    check(VSCODE);
}

#[test]
fn both_editors_know_the_same_fields_of_each_method() {
    let (vscode, neovim) = (sections(&read(VSCODE)), sections(&read(NEOVIM)));
    for method in METHODS {
        assert_eq!(vscode.get(method), neovim.get(method), "{method}: VS Code left, Neovim right");
    }
}

#[test]
fn the_server_knows_the_fields_that_the_editors_know() {
    let mut server = servers_fields();
    server.extend(NOT_ON_THE_SERVERS_PAGE.map(str::to_owned));
    let editors: BTreeSet<String> = sections(&read(VSCODE)).into_values().flatten().collect();
    let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
        one.difference(other).cloned().collect::<Vec<_>>()
    };
    assert_eq!(only(&editors, &server), [""; 0], "the server does not know these");
    assert_eq!(only(&server, &editors), [""; 0], "the editors do not know these");
}

#[test]
fn only_quoted_names_count() {
    let page = "/// `redline/hidden`\n\"redline/b\", 'redline/a', \"redline/b\", \"redline/x y\"";
    assert_eq!(methods(page), ["redline/b", "redline/a"]);
}

#[test]
fn fields_are_read_in_three_languages() {
    let check = |line: &str, expected: &[&str]| assert_eq!(fields(line), expected, "{line}");
    check("    pub thread_id: Option<crate::Id>,", &["threadId"]);
    check("  context?: PromptContext;", &["context"]);
    check("  selection?: { uri: string; range: Range };", &["selection", "uri", "range"]);
    check("---@field failed { hunk: string, reason: string }[]", &["failed", "hunk", "reason"]);
    check("---@field uri? string of: a file", &["uri", "of"]);
    check("  /** Of the open document: its version. */", &[]);
    check("    /// of: that", &[]);
    check("export type Action = 'accept' | 'reject';", &[]);
}
