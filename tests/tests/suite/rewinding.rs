//! Back to before a turn: `redline/turns`, `redline/rewind`, and the command of plain clients.

use redline_tests::plain::Plain;
use redline_tests::{Options, Script, Session};
use serde_json::{Value, json};

const FILE: &str = "one\ntwo\nthree\nfour\nfive\n";

/// Each edit is a turn.
fn script(edits: &[(&str, &str, &str)]) -> Script {
    let turn = |script: Script, (index, (file, old, new)): (usize, &(&str, &str, &str))| {
        script.edit(&format!("c{index}"), file, old, new).say("Look.")
    };
    edits.iter().enumerate().fold(Script::new(), turn)
}

/// Prompts, and accepts what is proposed in the file.
fn accepted_turn(session: &mut Session, uri: &str, prompt: &str) {
    session.prompt(prompt);
    let ids: Vec<String> = session.pending(uri, 1).iter().map(redline_tests::session::id).collect();
    session.decide("accept", &ids);
}

/// Two turns in one thread, both accepted.
fn after_two_turns(open: bool) -> (Session, String) {
    let script = script(&[("a.txt", "two", "2"), ("a.txt", "four", "4")]);
    let mut session = Session::with(&[("a.txt", FILE)], Options::default().script(script));
    let uri = if open { session.open("a.txt") } else { session.uri("a.txt") };
    accepted_turn(&mut session, &uri, "first prompt");
    accepted_turn(&mut session, &uri, "second prompt");
    (session, uri)
}

fn rewind(session: &mut Session, turn: u32) -> Value {
    let params = json!({ "threadId": session.thread, "turn": turn });
    session.client.call("redline/rewind", &params)
}

fn turns(session: &mut Session) -> Value {
    let thread = session.thread.clone();
    session.client.call("redline/turns", &json!({ "threadId": thread }))
}

fn text_becomes(session: &mut Session, uri: &str, expected: &str) {
    let what = format!("the text {expected:?}");
    session.client.wait(&what, |client| (client.text(uri) == expected).then_some(()));
    session.assert_in_sync(uri);
}

#[test]
fn one_turn_after_the_other_over_an_open_document() {
    let (mut session, uri) = after_two_turns(true);
    session.client.type_before(&uri, "one", "mine ");
    let listed = json!({ "turns": [
        { "turn": 1, "files": [uri] },
        { "turn": 2, "files": [uri] },
    ] });
    assert_eq!(turns(&mut session), listed);

    let done = rewind(&mut session, 2);
    assert_eq!(done, json!({ "files": [uri], "withdrawn": 0, "kept": [] }));
    assert_eq!(session.client.text(&uri), "mine one\n2\nthree\nfour\nfive\n");
    session.assert_in_sync(&uri);
    rewind(&mut session, 1);
    assert_eq!(session.client.text(&uri), format!("mine {FILE}"));
    session.assert_in_sync(&uri);
    let edits = &session.client.editor.edits;
    let versions: Vec<_> = edits
        .iter()
        .map(|edit| edit["edit"]["documentChanges"][0]["textDocument"]["version"].clone())
        .collect();
    assert_eq!(versions.len(), 4, "two accepts, two ways back: {edits:#?}");
    assert!(versions.iter().all(Value::is_i64), "{versions:?}");
}

#[test]
fn the_way_back_is_undone_by_rejecting_it() {
    let (mut session, uri) = after_two_turns(true);
    let before = session.client.text(&uri).to_owned();
    rewind(&mut session, 1);
    assert_eq!(session.client.text(&uri), FILE);
    let hunks = session.hunks_when(&uri, "the way back", |hunks| {
        hunks.iter().any(|hunk| hunk["state"] == "applied")
    });
    let back = hunks.iter().find(|hunk| hunk["state"] == "applied").expect("applied");
    assert_eq!(back["origin"]["tool"], "rewind", "{back}");
    session.resolve(&json!({ "action": "reject", "include": "applied" }));
    assert_eq!(session.client.text(&uri), before);
    session.assert_in_sync(&uri);
}

#[test]
fn a_file_that_is_not_open() {
    let (mut session, uri) = after_two_turns(false);
    assert_eq!(session.sandbox.disk("a.txt"), "one\n2\nthree\n4\nfive\n");
    assert_eq!(rewind(&mut session, 2)["files"], json!([uri]));
    assert_eq!(session.sandbox.disk("a.txt"), "one\n2\nthree\nfour\nfive\n");
    rewind(&mut session, 1);
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
}

#[test]
fn what_waits_is_withdrawn_and_counted() {
    let script = script(&[("a.txt", "two", "2"), ("b.txt", "four", "4")]);
    let files = [("a.txt", FILE), ("b.txt", FILE)];
    let mut session = Session::with(&files, Options::default().script(script));
    let (a, b) = (session.open("a.txt"), session.open("b.txt"));
    accepted_turn(&mut session, &a, "first prompt");
    session.prompt("second prompt");
    session.pending(&b, 1);
    let done = rewind(&mut session, 2);
    assert_eq!(done, json!({ "files": [], "withdrawn": 1, "kept": [] }));
    session.pending(&b, 0);
    assert_eq!(session.client.text(&a), FILE.replace("two", "2"));
}

#[test]
fn a_place_that_has_changed_since_is_named() {
    let (mut session, uri) = after_two_turns(true);
    session.client.replace(&uri, "4", "four and a half");
    let done = rewind(&mut session, 1);
    assert_eq!(session.client.text(&uri), FILE.replace("four", "four and a half"));
    assert_eq!(done["kept"][0]["uri"], json!(uri), "{done}");
    let reason = done["kept"][0]["reason"].as_str().unwrap();
    assert_eq!(reason, "1 place has changed since and is as it was");
}

#[test]
fn a_direct_call_is_a_turn_of_its_own() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    for (old, new) in [("two", "2"), ("four", "4")] {
        let hunks = session.edit("a.txt", old, new);
        session.decide("accept", &hunks);
    }
    let threads = session.client.call("redline/threads", &json!({}));
    session.thread = threads["threads"][0]["threadId"].as_str().map(str::to_owned);
    let listed = turns(&mut session);
    assert_eq!(listed["turns"].as_array().map(Vec::len), Some(2), "{listed}");
    rewind(&mut session, 2);
    assert_eq!(session.client.text(&uri), FILE.replace("two", "2"));
}

#[test]
fn the_way_back_outlives_the_server() {
    let (session, _) = after_two_turns(false);
    let thread = session.thread.clone();
    let mut session = session.restart();
    session.thread = thread;
    assert_eq!(turns(&mut session)["turns"].as_array().map(Vec::len), Some(2));
    rewind(&mut session, 1);
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
}

#[test]
fn there_must_be_something_to_go_back_to() {
    let (mut session, uri) = after_two_turns(true);
    let thread = session.thread.clone();
    let before = session.client.text(&uri).to_owned();
    let no_thread = json!({ "threadId": "nobody", "turn": 1 });
    let no_turn = json!({ "threadId": thread, "turn": 3 });
    for (params, words) in [
        (no_thread, "the thread nobody has changed nothing since turn 1"),
        (no_turn, "has changed nothing since turn 3"),
    ] {
        let (code, message) = session.client.refused("redline/rewind", &params);
        assert_eq!(code, -32803, "{message}");
        assert!(message.contains(words), "{message}");
    }
    for (params, field) in [
        (json!({ "turn": 1 }), "threadId"),
        (json!({ "threadId": thread }), "turn"),
        (json!({ "threadId": thread, "turn": "1" }), "turn"),
    ] {
        let (code, message) = session.client.refused("redline/rewind", &params);
        assert_eq!(code, -32602, "{message}");
        assert!(message.contains(field), "{message}");
    }
    let nobody = session.client.call("redline/turns", &json!({ "threadId": "nobody" }));
    assert_eq!(nobody, json!({ "turns": [] }));
    assert_eq!(session.client.text(&uri), before);
}

#[test]
fn a_second_server_keeps_no_checkpoints() {
    let (mut session, _) = after_two_turns(false);
    let mut second = session.second();
    second.thread = session.thread.clone();
    let params = json!({ "threadId": session.thread, "turn": 1 });
    let (code, message) = second.client.refused("redline/rewind", &params);
    assert_eq!(code, -32803, "{message}");
    assert!(message.contains("another Redline keeps"), "{message}");
    rewind(&mut session, 1);
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
}

/// A plain client after two accepted turns.
fn plain() -> (Session, String) {
    let script = script(&[("a.txt", "two", "2"), ("a.txt", "four", "4")]);
    let mut session = Session::with(&[("a.txt", FILE)], Plain::Helix.options().script(script));
    let uri = session.open("a.txt");
    for (old, new) in [("two", "2"), ("four", "4")] {
        session.prompt_by_command("go");
        session.command("redline.acceptAll", &json!([]));
        let now = session.client.text(&uri).replace(old, new);
        text_becomes(&mut session, &uri, &now);
    }
    (session, uri)
}

/// Runs the command; what is said of it.
fn back_by_command(session: &mut Session, arguments: &Value) -> String {
    let before = session.client.notified("window/showMessage").count();
    session.command("redline.rewind", arguments);
    session.client.wait("what was done", |client| {
        let said = client.notified("window/showMessage").nth(before)?;
        Some(said["message"].as_str()?.to_owned())
    })
}

#[test]
fn a_plain_client_goes_back_turn_by_turn() {
    let (mut session, uri) = plain();
    let said = back_by_command(&mut session, &json!([]));
    assert_eq!(said, "Redline: Went back to before turn 2: 1 file changed");
    text_becomes(&mut session, &uri, &FILE.replace("two", "2"));
    let said = back_by_command(&mut session, &json!([1]));
    assert_eq!(said, "Redline: Went back to before turn 1: 1 file changed");
    text_becomes(&mut session, &uri, FILE);
    let said = back_by_command(&mut session, &json!([7]));
    assert!(said.contains("has changed nothing since turn 7"), "{said}");
}

#[test]
fn a_plain_client_is_told_what_stays() {
    let (mut session, uri) = plain();
    session.client.replace(&uri, "4", "four and a half");
    let said = back_by_command(&mut session, &json!([1]));
    let expected = "Redline: Went back to before turn 1: 1 file changed; a.txt: 1 place has \
                    changed since and is as it was";
    assert_eq!(said, expected);
}

#[test]
fn without_a_thread_the_command_fails() {
    let mut session = Session::with(&[("a.txt", FILE)], Plain::Helix.options());
    let command = |arguments: Value| json!({ "command": "redline.rewind", "arguments": arguments });
    let (code, message) = session.client.refused("workspace/executeCommand", &command(json!([])));
    assert_eq!(code, -32803, "{message}");
    let (code, message) =
        session.client.refused("workspace/executeCommand", &command(json!(["two"])));
    assert_eq!(code, -32602, "{message}");
    assert!(message.starts_with("arguments[0]"), "{message}");
}
