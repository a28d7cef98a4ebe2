//! The file tools of the three dialects, through the binary.

use redline_tests::{Options, Sandbox, Session};
use serde_json::{Value, json};

/// A call in a dialect.
fn call(session: &mut Session, dialect: &str, name: &str, args: &Value) -> Value {
    let params = json!({ "name": name, "args": args, "dialect": dialect });
    session.client.call("redline/tool", &params)
}

fn text(result: &Value) -> &str {
    assert_eq!(result["status"], "done", "{result}");
    result["result"].as_str().unwrap_or_else(|| panic!("not a text: {result}"))
}

fn hunks(result: &Value) -> Vec<String> {
    let hunks = result["review"]["hunks"].as_array().unwrap_or_else(|| panic!("{result}"));
    hunks.iter().map(|id| id.as_str().expect("an id").to_owned()).collect()
}

#[test]
fn agent_airs_files() {
    let mut session = Session::with_files(&[("src/main.rs", "fn main() {}\n")]);
    let air =
        |session: &mut Session, name: &str, args: Value| call(session, "agent-air", name, &args);
    let path = session.sandbox.path("src/config.yaml");
    let content = "host: localhost\nport: 5432";
    let written = air(&mut session, "write_file", json!({ "file_path": path, "content": content }));
    let first = format!("Successfully created '{}' ({} bytes)", path.display(), content.len());
    assert_eq!(text(&written).lines().next(), Some(first.as_str()));
    let src = session.sandbox.path("src");
    let listed = air(&mut session, "ls", json!({ "path": src }));
    assert_eq!(text(&listed), "config.yaml\nmain.rs\n", "what is proposed is listed");
    let read = air(&mut session, "read_file", json!({ "file_path": path, "offset": 1 }));
    let want = "<file>\n00002| port: 5432\n\n(End of file - 2 total lines)\n</file>";
    assert_eq!(text(&read), want);
    assert!(!path.exists());
    session.decide("accept", &hunks(&written));
    assert_eq!(session.sandbox.disk("src/config.yaml"), content, "no final newline is added");
}

#[test]
fn amplifiers_files() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "x = 1\n");
    std::fs::create_dir(sandbox.outside("guides")).unwrap();
    std::fs::write(sandbox.outside("guides/style.md"), "# Style\n").unwrap();
    let settings = json!({ "bundles": { "house": sandbox.outside("guides") } });
    let mut session = Session::start_in(sandbox, Options { settings, ..Options::default() });
    let amplifier =
        |session: &mut Session, name: &str, args: Value| call(session, "amplifier", name, &args);
    let guide = amplifier(&mut session, "read_file", json!({ "file_path": "@house:style.md" }));
    assert_eq!(text(&guide), "     1\t# Style");
    assert!(session.client.asks.is_empty(), "bundles are configured to be read");
    let edit = json!({ "file_path": "a.py", "old_string": "x = 1", "new_string": "x = 2" });
    let unread = amplifier(&mut session, "edit_file", edit.clone());
    let message = unread["error"]["message"].as_str().unwrap_or_else(|| panic!("{unread}"));
    assert_eq!(message.lines().next(), Some("Must read file before editing"));
    amplifier(&mut session, "read_file", json!({ "file_path": "a.py" }));
    let edited = amplifier(&mut session, "edit_file", edit);
    assert_eq!(edited["review"]["state"], "pending", "{edited}");
    // What the user types counts as a change since the read.
    let uri = session.open("a.py");
    session.client.type_before(&uri, "x", "# ");
    let again = json!({ "file_path": "a.py", "content": "y\n" });
    let unread = amplifier(&mut session, "write_file", again);
    assert_eq!(unread["status"], "error", "{unread}");
    session.decide("accept", &hunks(&edited));
}

#[cfg(unix)]
#[test]
fn a_formatter_on_path_makes_a_proposal() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    sandbox.write("a.go", "package   main\n");
    let bin = sandbox.home().join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::fs::write(bin.join("gofmt"), "#!/bin/sh\ntr -s ' '\n").unwrap();
    std::fs::set_permissions(bin.join("gofmt"), PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = sandbox.command(&["lsp"]);
    command.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    let options = Options::default();
    let mut session = Session::start_command(sandbox, command, options, &json!({}));
    let result = session.tool("format_file", &json!({ "path": "a.go" }));
    let message = result["result"]["message"].as_str().unwrap_or_else(|| panic!("{result}"));
    assert!(message.ends_with("a.go with gofmt."), "{message}");
    assert_eq!(session.sandbox.disk("a.go"), "package   main\n");
    session.decide("accept", &hunks(&result));
    assert_eq!(session.sandbox.disk("a.go"), "package main\n");
}

#[test]
fn the_editors_formatter_makes_a_proposal() {
    let mut session = Session::with_files(&[("a.xyz", "a  b\nc\n")]);
    let uri = session.open("a.xyz");
    let range = json!({
        "start": { "line": 0, "character": 1 }, "end": { "line": 0, "character": 3 }
    });
    let edits = json!([{ "range": range, "newText": " " }]);
    session.client.formatted = json!({ "formatted": true, "edits": edits, "version": 1 });
    let result = session.tool("format_file", &json!({ "path": "a.xyz" }));
    assert_eq!(result["review"]["state"], "pending", "{result}");
    assert_eq!(session.client.text(&uri), "a  b\nc\n", "the buffer is the user's");
    session.decide("accept", &hunks(&result));
    assert_eq!(session.client.text(&uri), "a b\nc\n");
}
