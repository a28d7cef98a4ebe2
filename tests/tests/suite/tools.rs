//! The contracts of the four tools, called directly.

use redline_tests::{Options, Sandbox, Session};
use serde_json::{Value, json};

/// The first line of the error of a call that must fail.
fn error(session: &mut Session, name: &str, args: &Value) -> String {
    let result = session.tool(name, args);
    assert_eq!(result["status"], "error", "{name} {args}: {result}");
    let message = result["error"]["message"].as_str().expect("a message");
    message.lines().next().unwrap_or("").to_owned()
}

fn text(session: &mut Session, name: &str, args: &Value) -> String {
    let result = session.tool(name, args);
    assert_eq!(result["status"], "done", "{name} {args}: {result}");
    result["result"].as_str().unwrap_or_else(|| panic!("not a text: {result}")).to_owned()
}

/// The result of a Bash call that is allowed once.
fn bash(session: &mut Session, args: &Value) -> Value {
    let call = session.client.begin("redline/tool", &json!({ "name": "Bash", "args": args }));
    let ask = session.client.next_ask();
    session.client.allow(&ask);
    session.client.finish(call).expect("a result")
}

#[test]
fn read_numbers_the_lines() {
    let mut session = Session::with_files(&[("a.txt", "alpha\nbeta\n\ngamma")]);
    let path = session.sandbox.path("a.txt");
    let read = |session: &mut Session, path: &Value, range: Option<[i64; 2]>| {
        let mut args = json!({ "path": path });
        if let Some(range) = range {
            args["read_range"] = json!(range);
        }
        text(session, "Read", &args)
    };
    let all = read(&mut session, &json!(path), None);
    assert_eq!(all, "1: alpha\n2: beta\n3: \n4: gamma");
    assert_eq!(read(&mut session, &json!("a.txt"), None), all, "relative to the workspace");
    // A note on what was left out may follow.
    let some = read(&mut session, &json!(path), Some([2, 2]));
    assert_eq!(some.lines().next(), Some("2: beta"), "{some}");
}

#[test]
fn read_lists_a_directory() {
    let mut session =
        Session::with_files(&[("d/file.txt", ""), ("d/subdir/x", ""), ("d/another.js", "")]);
    let path = session.sandbox.path("d");
    let listing = text(&mut session, "Read", &json!({ "path": path }));
    let mut entries: Vec<_> = listing.lines().collect();
    entries.sort_unstable();
    assert_eq!(entries, ["another.js", "file.txt", "subdir/"]);
}

#[test]
fn read_has_its_limits() {
    let many: String = (0..2500).map(|_| "x\n").collect();
    let long = format!("{}\nnext\n", "y".repeat(10_000));
    let large = format!("{}\n", "z".repeat(99)).repeat(700);
    let mut session =
        Session::with_files(&[("many.txt", &many), ("long.txt", &long), ("large.txt", &large)]);
    let numbered = |text: &str| text.lines().filter(|line| line.ends_with(": x")).count();
    let default = text(&mut session, "Read", &json!({ "path": "many.txt" }));
    assert_eq!(numbered(&default), 500);
    let args = json!({ "path": "many.txt", "read_range": [1, 2500] });
    assert_eq!(numbered(&text(&mut session, "Read", &args)), 2000);
    let cut = text(&mut session, "Read", &json!({ "path": "long.txt" }));
    let first = cut.lines().next().unwrap();
    assert!(first.len() < 4096 + 200, "{} bytes", first.len());
    assert!(cut.contains("2: next"), "{}", &cut[cut.len() - 50..]);
    let message = error(&mut session, "Read", &json!({ "path": "large.txt" }));
    let expected = "File content exceeds maximum allowed size (65536 bytes)";
    assert!(message.starts_with(expected), "{message}");
    let args = json!({ "path": "large.txt", "read_range": [700, 700] });
    assert!(text(&mut session, "Read", &args).starts_with("700: zzz"));
}

#[test]
fn read_fails_with_the_seeds_words() {
    let sandbox = Sandbox::new();
    sandbox.write("bin.dat", b"\x7fELF\x00\x01\x02\x00");
    sandbox.write(".env", "KEY=value\n");
    let mut session = Session::start_in(sandbox, Options::default());
    let missing = error(&mut session, "Read", &json!({ "path": "missing.txt" }));
    assert!(missing.starts_with("ENOENT: no such file or directory"), "{missing}");
    let binary = error(&mut session, "Read", &json!({ "path": "bin.dat" }));
    assert_eq!(binary, "File appears to be binary and cannot be displayed as text.");
    let secret = session.tool("Read", &json!({ "path": ".env" }));
    assert_eq!(secret["status"], "error", "{secret}");
    assert_eq!(secret["error"]["errorCode"], "reading-secret-file");
    let message = secret["error"]["message"].as_str().unwrap();
    let expected = "Refusing to read env file. Reading secrets is not permitted.";
    assert_eq!(message.lines().next(), Some(expected));
}

#[test]
fn read_expands_the_home_directory() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.home().join("note.txt"), "at home\n").unwrap();
    let mut session = Session::start_in(sandbox, Options::default());
    let params = json!({ "name": "Read", "args": { "path": "~/note.txt" } });
    let call = session.client.begin("redline/tool", &params);
    // Reading outside the workspace may ask.
    session.client.wait("an ask or an answer", |client| {
        (client.answered(call) || !client.asks.is_empty()).then_some(())
    });
    if let Some(ask) = session.client.asks.first().cloned() {
        session.client.answer(&ask, &json!({ "option": "once" }));
    }
    let result = session.client.finish(call).expect("a result");
    assert_eq!(result["result"], "1: at home", "{result}");
}

#[test]
fn edit_file_fails_with_the_seeds_words() {
    let mut session = Session::with_files(&[("a.txt", "x = 1\ny = 2\nx = 1\n")]);
    let check = |session: &mut Session, path: &str, old: &str, new: &str, expected: &str| {
        let args = json!({ "path": path, "old_str": old, "new_str": new });
        let message = error(session, "edit_file", &args);
        assert!(message.starts_with(expected), "{message}");
    };
    let file_not_found = "file not found. Cannot update a file that doesn't exist.";
    check(&mut session, "missing.txt", "a", "b", file_not_found);
    check(&mut session, "a.txt", "zebra", "b", "Could not find exact match for old_str");
    check(&mut session, "a.txt", "x = 1", "b", "found multiple matches for edit");
    check(&mut session, "a.txt", "y = 2", "y = 2", "old_str and new_str must be different");
    let files = session.client.call("redline/reviews", &json!({}))["files"].clone();
    assert_eq!(files, json!([]), "no error leaves a proposal");
}

#[test]
fn several_matches_name_their_count_and_lines() {
    let mut session = Session::with_files(&[("a.txt", "x = 1\ny = 2\nx = 1\n")]);
    let args = json!({ "path": "a.txt", "old_str": "x = 1", "new_str": "x = 3" });
    let result = session.tool("edit_file", &args);
    let message = result["error"]["message"].as_str().expect("a message");
    assert!(message.contains("2 occurrences"), "{message}");
    assert!(message.contains('1') && message.contains('3'), "the lines: {message}");
}

#[test]
fn edit_file_matches_other_whitespace_if_nothing_is_exact() {
    let mut session = Session::with_files(&[("a.rs", "fn a() {\n    let x = 1;\n}\n")]);
    session.edit("a.rs", "fn a() {\n  let x = 1;\n}", "fn a() {\n  let x = 2;\n}");
    let uri = session.uri("a.rs");
    assert_eq!(session.content(&uri, "agent"), "fn a() {\n    let x = 2;\n}\n");
}

#[test]
fn arguments_are_checked_by_field() {
    let mut session = Session::with_files(&[("a.txt", "one\n")]);
    for (name, args, field) in [
        ("edit_file", json!({ "path": "a.txt", "old_str": 5, "new_str": "x" }), "old_str"),
        ("edit_file", json!({ "path": "a.txt", "old_str": "one" }), "new_str"),
        ("create_file", json!({ "path": "b.txt" }), "content"),
        ("Bash", json!({ "cmd": ["ls"] }), "cmd"),
        ("Read", json!({ "path": "a.txt", "read_range": "all" }), "read_range"),
        ("Read", json!({}), "path"),
    ] {
        let result = session.tool(name, &args);
        assert_eq!(result["status"], "error", "{name} {args}: {result}");
        let message = result["error"]["message"].as_str().expect("a message");
        assert!(message.contains(field), "{name} {args}: {message}");
    }
    assert!(session.client.asks.is_empty(), "an invalid call asks nothing");
}

#[test]
fn other_names_of_the_tools_resolve() {
    let mut session = Session::with_files(&[("a.txt", "one\n")]);
    for name in ["Read", "read", "read_file"] {
        assert_eq!(text(&mut session, name, &json!({ "path": "a.txt" })), "1: one", "{name}");
    }
    let unknown = session.tool("no_such_tool", &json!({}));
    assert_eq!(unknown["status"], "error", "{unknown}");
    assert!(unknown["error"]["message"].as_str().unwrap().contains("no_such_tool"), "{unknown}");
}

#[test]
fn bash_prints_the_seeds_form() {
    let mut session = Session::with_files(&[("sub/x", "")]);
    let workspace = session.sandbox.workspace();
    let result = bash(&mut session, &json!({ "cmd": "echo out; echo err >&2; exit 3" }));
    assert_eq!(result["status"], "done", "a failing command is no error: {result}");
    let text = result["result"].as_str().expect("a text");
    let start = format!(
        "<command>echo out; echo err >&2; exit 3</command>\n<working_directory>{}</working_directory>\n<output>",
        workspace.display(),
    );
    assert!(text.starts_with(&start), "{text}");
    assert!(text.contains("out\n") && text.contains("err\n"), "{text}");
    assert!(text.ends_with("</output>\n<exit_code>3</exit_code>"), "{text}");
}

#[test]
fn bash_prepares_the_command() {
    let mut session = Session::with_files(&[("sub/x", "")]);
    let sub = session.sandbox.path("sub");
    for args in
        [json!({ "cmd": "cd sub && realpath ." }), json!({ "cmd": "realpath .", "cwd": sub })]
    {
        let result = bash(&mut session, &args);
        let text = result["result"].as_str().unwrap_or_else(|| panic!("{result}"));
        assert!(text.contains("<command>realpath .</command>"), "{text}");
        let output = format!("<output>{}", sub.display());
        assert!(text.contains(&output), "{text}");
    }
    let result = bash(&mut session, &json!({ "cmd": "echo fore > fore.txt &" }));
    assert!(result["result"].as_str().unwrap().contains("<command>echo fore > fore.txt</command>"));
    assert_eq!(session.sandbox.disk("fore.txt"), "fore\n", "it has run when the call returns");
}

#[test]
fn bash_keeps_the_end_of_a_long_output() {
    let mut session = Session::with_files(&[]);
    let result = bash(&mut session, &json!({ "cmd": "seq 1 20000; echo the-end" }));
    let text = result["result"].as_str().expect("a text");
    assert!(text.contains("the-end") && !text.contains("<output>1\n2\n"), "{}", text.len());
    assert!(text.len() < 51_000, "{}", text.len());
}

#[test]
fn nothing_persists_between_commands() {
    let mut session = Session::with_files(&[("sub/x", "")]);
    bash(&mut session, &json!({ "cmd": "export REDLINE_X=1; cd sub; true" }));
    let result = bash(&mut session, &json!({ "cmd": "echo [$REDLINE_X]; pwd; true" }));
    let text = result["result"].as_str().expect("a text");
    assert!(text.contains("[]"), "{text}");
    assert!(!text.contains("/sub\n"), "{text}");
}

/// What a command wrote is a tool's edit: an open proposal on that file moves along.
#[test]
fn a_command_that_writes_a_file_is_seen() {
    let mut session = Session::with_files(&[("a.txt", "one\ntwo\nthree\n")]);
    let hunks = session.edit("a.txt", "three", "THREE");
    bash(&mut session, &json!({ "cmd": "printf 'zero\\n' | cat - a.txt > b.txt; cp b.txt a.txt" }));
    let read = text(&mut session, "Read", &json!({ "path": "a.txt" }));
    assert_eq!(read, "1: zero\n2: one\n3: two\n4: THREE");
    session.decide("accept", &hunks);
    assert_eq!(session.sandbox.disk("a.txt"), "zero\none\ntwo\nTHREE\n");
}
