//! The pages on which the protocol is written down, one on each side, agree on the methods.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "test code")]

use redline_tests::binary::repository;

/// Our methods, in the order of the protocol's description.
const METHODS: [&str; 18] = [
    "redline/prompt",
    "redline/cancel",
    "redline/tool",
    "redline/resolve",
    "redline/reviews",
    "redline/content",
    "redline/threads",
    "redline/thread",
    "redline/status",
    "redline/changeReason",
    "redline/review",
    "redline/permissionWithdrawn",
    "redline/threadEvent",
    "redline/permission",
    "redline/question",
    "redline/save",
    "redline/open",
    "redline/format",
];

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

fn check(page: &str) {
    let path = repository().join(page);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{page}: {error}; where is the protocol written down now?"));
    assert_eq!(methods(&text), METHODS, "{page} has other methods, or another order");
}

#[test]
fn the_servers_page() {
    check("server/redline/src/lsp/protocol.rs");
}

#[test]
fn neovims_page() {
    check("editors/neovim/lua/redline/protocol.lua");
}

#[test]
fn only_quoted_names_count() {
    let page = "/// `redline/hidden`\n\"redline/b\", 'redline/a', \"redline/b\", \"redline/x y\"";
    assert_eq!(methods(page), ["redline/b", "redline/a"]);
}
