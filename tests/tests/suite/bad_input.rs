//! Bad input: a clear error or nothing, the process lives on, no buffer changes.

use redline_tests::{DEADLINE, Options, Sandbox, Script, Session};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const FILE: &str = "one\ntwo\n";

fn start() -> (Session, String) {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    (session, uri)
}

/// After these bytes the server still answers and its buffer is the editor's.
fn survives(bytes: &[u8]) {
    let (mut session, uri) = start();
    session.client.raw(bytes);
    session.client.call("redline/status", &json!({}));
    session.assert_in_sync(&uri);
    session.client.take_messages();
    let status = session.client.shut_down().expect("the server exits");
    assert_eq!(status.code(), Some(0), "{:?}", String::from_utf8_lossy(bytes));
}

fn frame(body: &[u8]) -> Vec<u8> {
    redline_tests::wire::frame(body)
}

#[test]
fn malformed_json() {
    survives(&frame(b"{\"jsonrpc\": \"2.0\", \"id\": "));
    survives(&frame(b""));
    survives(&frame(b"null"));
    survives(&frame(b"[]"));
    survives(&frame(b"42"));
    survives(&frame(b"{}"));
    survives(&frame(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\xfe\"}"));
    survives(&frame("[".repeat(100_000).as_bytes()));
}

#[test]
fn frames_with_a_bad_length() {
    survives(b"\r\n");
    survives(b"X-Header: 1\r\n\r\n");
    survives(b"Content-Length: abc\r\n\r\n");
    survives(b"Content-Length: -5\r\n\r\n");
    survives(b"Content-Length: 99999999999999999999999\r\n\r\n");
    survives(b"Content-Length: 10737418240\r\n\r\n");
    survives(b"Content-Length:\r\n\r\n");
}

#[test]
fn a_frame_without_a_length_but_with_a_body() {
    survives(b"Content-Type: text/plain\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"x\"}");
}

#[test]
fn other_headers_and_other_cases_are_fine() {
    let (mut session, _) = start();
    let body = br#"{"jsonrpc":"2.0","method":"$/nothing"}"#;
    let header = format!(
        "content-length: {}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        body.len(),
    );
    session.client.raw(header.as_bytes());
    session.client.raw(body);
    session.client.call("redline/status", &json!({}));
}

#[test]
fn a_message_that_comes_byte_by_byte() {
    let (mut session, uri) = start();
    let params = json!({
        "textDocument": { "uri": uri, "version": 2 },
        "contentChanges": [{ "text": "ü\n" }],
    });
    let message = redline_tests::wire::notification("textDocument/didChange", &params);
    for byte in frame(message.to_string().as_bytes()) {
        session.client.raw(&[byte]);
    }
    assert_eq!(session.content(&uri, "editor"), "ü\n");
}

#[test]
fn an_unknown_method() {
    let (mut session, uri) = start();
    for method in ["redline/noSuchMethod", "textDocument/noSuchThing", "$/noSuchRequest"] {
        let (code, _) = session.client.refused(method, &json!({}));
        assert_eq!(code, -32601, "{method}");
    }
    session.client.notify("redline/noSuchNotification", &json!({ "x": 1 }));
    session.client.notify("$/noSuchNotification", &json!({}));
    session.assert_in_sync(&uri);
}

#[test]
fn wrong_parameters_name_the_field() {
    let (mut session, uri) = start();
    for (method, params, field) in [
        ("redline/prompt", json!({ "text": 1 }), "text"),
        ("redline/prompt", json!({}), "text"),
        ("redline/tool", json!({ "args": {} }), "name"),
        ("redline/tool", json!({ "name": "Read", "args": "x" }), "args"),
        ("redline/resolve", json!({ "action": 5 }), "action"),
        ("redline/resolve", json!({ "action": "burn" }), "action"),
        ("redline/resolve", json!({}), "action"),
        ("redline/resolve", json!({ "action": "accept", "hunks": "h1" }), "hunks"),
        ("redline/content", json!({ "projection": "editor" }), "uri"),
        ("redline/content", json!({ "uri": uri, "projection": "other" }), "projection"),
        ("redline/cancel", json!({}), "threadId"),
        ("redline/thread", json!({ "threadId": [] }), "threadId"),
    ] {
        let (code, message) = session.client.refused(method, &params);
        assert_eq!(code, -32602, "{method} {params}: {message}");
        assert!(message.contains(field), "{method} {params}: {message}");
    }
    session.assert_in_sync(&uri);
    assert_eq!(session.client.call("redline/reviews", &json!({}))["files"], json!([]));
}

#[test]
fn broken_notifications_change_no_buffer() {
    let (mut session, uri) = start();
    let at = |line: Value| json!({ "line": line, "character": 0 });
    let range = |line: Value| json!({ "start": at(line.clone()), "end": at(line) });
    for changes in [
        json!("x"),
        json!([{ "range": range(json!(-1)), "text": "x" }]),
        json!([{ "range": range(json!("0")), "text": "x" }]),
        json!([{ "range": range(json!(0)) }]),
        json!([{ "text": 5 }]),
    ] {
        let params = json!({
            "textDocument": { "uri": uri, "version": 2 }, "contentChanges": changes,
        });
        session.client.notify("textDocument/didChange", &params);
        assert_eq!(session.content(&uri, "editor"), FILE, "{changes}");
    }
    let document = json!({ "uri": "not a uri", "languageId": "x", "version": 1, "text": "" });
    session.client.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    session.client.notify("textDocument/didClose", &json!({}));
    session.client.notify("redline/changeReason", &json!({ "uri": uri, "reason": 1 }));
    session.assert_in_sync(&uri);
    session.client.take_messages();
}

#[test]
fn an_edit_turned_around_is_not_a_panic() {
    let (mut session, uri) = start();
    let range = json!({
        "start": { "line": 1, "character": 1 }, "end": { "line": 0, "character": 1 },
    });
    let params = json!({
        "textDocument": { "uri": uri, "version": 2 },
        "contentChanges": [{ "range": range, "text": "x" }],
    });
    session.client.notify("textDocument/didChange", &params);
    session.client.call("redline/status", &json!({}));
    session.content(&uri, "editor");
    session.client.take_messages();
}

#[test]
fn a_response_to_an_unknown_id_is_ignored() {
    let (mut session, uri) = start();
    for id in [json!(987_654), json!("no-such-id"), json!(null), json!(-1)] {
        session.client.send(&json!({ "jsonrpc": "2.0", "id": id, "result": { "option": "once" } }));
        let error = json!({ "code": 1, "message": "x" });
        session.client.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
    }
    session.assert_in_sync(&uri);
}

#[test]
fn a_request_before_initialize_is_refused() {
    use redline_tests::client::Client;
    let sandbox = Sandbox::new();
    let encoding = redline_tests::Encoding::Utf16;
    let editor = redline_tests::editor::Editor::new(encoding, false, (1, 1));
    let mut client = Client::start(sandbox.command(&["lsp"]), editor);
    let (code, _) = client.refused("redline/status", &json!({}));
    assert_eq!(code, -32002);
}

#[test]
fn end_of_input_in_the_middle_of_a_dialog() {
    let (mut session, _) = start();
    let params = json!({ "name": "Bash", "args": { "cmd": "echo x > x.txt" } });
    session.client.begin("redline/tool", &params);
    session.client.next_ask();
    session.client.process.close_input();
    let status = session.client.wait_for_exit(Duration::from_secs(10));
    assert_eq!(status.expect("the server exits").code(), Some(1));
    assert!(!session.sandbox.path("x.txt").exists());
}

#[test]
fn end_of_input_leaves_no_command_behind() {
    let (mut session, _) = start();
    let args = json!({ "cmd": "echo $$ > pid.txt; sleep 300" });
    session.client.begin("redline/tool", &json!({ "name": "Bash", "args": args }));
    let ask = session.client.next_ask();
    session.client.answer(&ask, &json!({ "option": "once" }));
    let file = session.sandbox.path("pid.txt");
    let pid = number_in(&mut session, &file);
    session.client.process.close_input();
    let status = session.client.wait_for_exit(Duration::from_secs(10));
    assert_eq!(status.expect("the server exits").code(), Some(1));
    wait_until_gone(pid);
}

#[test]
fn end_of_input_inside_a_frame() {
    let (mut session, _) = start();
    session.client.raw(b"Content-Length: 500\r\n\r\n{\"jsonrpc\"");
    session.client.process.close_input();
    let status = session.client.wait_for_exit(Duration::from_secs(10));
    assert_eq!(status.expect("the server exits").code(), Some(1));
}

/// Waits until a command has written a number into `file`.
pub fn number_in(session: &mut Session, file: &Path) -> u32 {
    session
        .client
        .poll("a number in a file", |_| std::fs::read_to_string(file).ok()?.trim().parse().ok())
}

/// Waits until a process is no more.
pub fn wait_until_gone(pid: u32) {
    let folder = format!("/proc/{pid}/stat");
    let end = Instant::now() + DEADLINE;
    while let Ok(stat) = std::fs::read_to_string(&folder) {
        // A zombie that nobody reaps (its parent is gone) runs no more.
        if stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')) {
            return;
        }
        assert!(Instant::now() < end, "process {pid} still runs");
        std::thread::yield_now();
    }
}

/// The error that ends a turn with these bytes as the script.
fn script_error(script: &[u8], options: Options) -> (String, Session) {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", FILE);
    let path = sandbox.script_bytes(script);
    let mut session = Session::start_with_script(sandbox, options, path);
    session.open("a.txt");
    let end = session.prompt("go");
    assert_eq!(end["reason"], "error", "{end}");
    session.client.take_messages();
    (end["message"].as_str().expect("a message").to_owned(), session)
}

#[test]
fn a_script_with_a_broken_line_names_it() {
    let good = Script::new().call(&[("c1", "Read", json!({ "path": "a.txt" }))]).text();
    for bad in ["{\"content\": [", "{\"no\": \"content\"}", "nonsense"] {
        let script = format!("{good}{bad}\n");
        let (message, mut session) = script_error(script.as_bytes(), Options::default());
        assert!(message.contains("script.jsonl"), "{message}");
        assert!(message.contains(":2") || message.contains("line 2"), "{message}");
        session.client.call("redline/status", &json!({}));
    }
}

#[test]
fn a_script_that_is_used_up_says_so() {
    let script = Script::new().call(&[("c1", "Read", json!({ "path": "a.txt" }))]).text();
    let (message, _) = script_error(script.as_bytes(), Options::default());
    assert!(message.contains("script ended"), "{message}");
}

#[test]
fn a_script_that_is_not_there_is_named() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("nowhere.jsonl");
    let mut session = Session::start_with_script(sandbox, Options::default(), path);
    match session.client.request("redline/prompt", &json!({ "text": "go" })) {
        Err(error) => assert!(error["message"].to_string().contains("nowhere.jsonl"), "{error}"),
        Ok(started) => {
            let turn = started["turnId"].as_str().unwrap().to_owned();
            let end = session.turn_end(&turn);
            assert_eq!(end["reason"], "error", "{end}");
            assert!(end["message"].to_string().contains("nowhere.jsonl"), "{end}");
        }
    }
    session.client.take_messages();
}

#[test]
fn a_path_outside_the_workspace_is_not_edited() {
    let mut session = Session::with_files(&[]);
    let path = session.sandbox.outside("secret.txt");
    std::fs::write(&path, "one\n").unwrap();
    for target in [path.clone(), session.sandbox.path("../outside/secret.txt")] {
        let args = json!({ "path": target, "old_str": "one", "new_str": "ONE" });
        let call =
            session.client.begin("redline/tool", &json!({ "name": "edit_file", "args": args }));
        session.client.wait("an ask or an answer", |client| {
            (client.answered(call) || !client.asks.is_empty()).then_some(())
        });
        if let Some(ask) = session.client.asks.first().cloned() {
            session.client.answer(&ask, &json!({ "option": "reject" }));
        }
        let result = session.client.finish(call).expect("a result");
        assert_ne!(result["status"], "done", "{result}");
        assert!(result.to_string().contains("secret.txt") || result["reason"].is_string());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\n");
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_workspace_is_outside() {
    let mut session = Session::with_files(&[]);
    let path = session.sandbox.outside("secret.txt");
    std::fs::write(&path, "one\n").unwrap();
    std::os::unix::fs::symlink(&path, session.sandbox.path("inside.txt")).unwrap();
    let args = json!({ "path": "inside.txt", "old_str": "one", "new_str": "ONE" });
    let call = session.client.begin("redline/tool", &json!({ "name": "edit_file", "args": args }));
    session.client.wait("an ask or an answer", |client| {
        (client.answered(call) || !client.asks.is_empty()).then_some(())
    });
    if let Some(ask) = session.client.asks.first().cloned() {
        session.client.answer(&ask, &json!({ "option": "reject" }));
    }
    let result = session.client.finish(call).expect("a result");
    assert_ne!(result["status"], "done", "{result}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\n");
}

/// `edit_file` on these bytes fails and leaves them.
fn edit_is_refused(bytes: &[u8]) {
    let sandbox = Sandbox::new();
    let path = sandbox.write("a.dat", bytes);
    let mut session = Session::start_in(sandbox, Options::default());
    let args = json!({ "path": path, "old_str": "one", "new_str": "ONE" });
    let result = session.tool("edit_file", &args);
    assert_eq!(result["status"], "error", "{result}");
    assert!(result["error"]["message"].as_str().is_some_and(|m| m.len() > 10), "{result}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_binary_file_is_not_edited() {
    edit_is_refused(b"one\x00two\x00\x01\x02");
}

#[test]
fn invalid_utf_8_is_not_edited() {
    edit_is_refused(b"one \xff\xfe\xc3( two\n");
}

#[test]
fn a_directory_is_not_edited() {
    let mut session = Session::with_files(&[("d/a.txt", "one\n")]);
    let args = json!({ "path": "d", "old_str": "one", "new_str": "ONE" });
    assert_eq!(session.tool("edit_file", &args)["status"], "error");
    let args = json!({ "path": "d", "content": "x" });
    assert_eq!(session.tool("create_file", &args)["status"], "error");
    assert_eq!(session.sandbox.disk("d/a.txt"), "one\n");
}

#[test]
fn an_unknown_thread_is_named() {
    let mut session = Session::start(Options::default());
    let (code, message) =
        session.client.refused("redline/thread", &json!({ "threadId": "no-such-thread" }));
    assert!([-32602, -32803].contains(&code), "{code} {message}");
    assert!(message.contains("no-such-thread"), "{message}");
}

#[test]
fn the_content_of_nothing_is_null() {
    let mut session = Session::with_files(&[]);
    let uri = session.uri("missing.txt");
    let params = json!({ "uri": uri, "projection": "editor" });
    assert_eq!(session.client.call("redline/content", &params), Value::Null);
}

/// The server ends with its editor, also when nobody closes its input.
#[cfg(target_os = "linux")]
#[test]
fn the_server_ends_with_its_editor() {
    use redline_tests::client::{Client, initialize_params};
    let sandbox = Sandbox::new();
    let mut parent = std::process::Command::new("sleep").arg("300").spawn().expect("sleep");
    let encoding = redline_tests::Encoding::Utf16;
    let editor = redline_tests::editor::Editor::new(encoding, false, (1, 1));
    let mut client = Client::start(sandbox.command(&["lsp"]), editor);
    let mut params = initialize_params(&sandbox.workspace(), &json!({}), &[], &json!({}));
    params["processId"] = json!(parent.id());
    client.call("initialize", &params);
    client.notify("initialized", &json!({}));
    parent.kill().expect("killed");
    parent.wait().expect("reaped");
    let status = client.wait_for_exit(DEADLINE).expect("the server exits");
    assert_eq!(status.code(), Some(1));
}
