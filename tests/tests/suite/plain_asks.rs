//! Asks in an editor without a plugin: `window/showMessageRequest`.

use redline_tests::plain::Plain;
use redline_tests::{Ask, Script, Session};
use serde_json::{Value, json};

fn bash(id: &'static str, file: &str) -> (&'static str, &'static str, Value) {
    (id, "Bash", json!({ "cmd": format!("echo ran > {file} && cat {file}") }))
}

fn start(editor: Plain, script: Script) -> Session {
    Session::with(&[("a.txt", "one\n")], editor.options().script(script))
}

/// Begins a direct call that asks.
fn call(session: &mut Session, thread: &str, file: &str) -> u64 {
    let (_, name, args) = bash("", file);
    let params = json!({ "name": name, "args": args, "threadId": thread });
    session.client.begin("redline/tool", &params)
}

fn answer(session: &mut Session, ask: &Ask, word: &str) {
    let choice = Session::choice(ask, word);
    session.client.answer(ask, &choice);
}

#[test]
fn an_ask_is_answered_and_the_turn_goes_on() {
    for editor in [Plain::Helix, Plain::Eglot, Plain::Bare] {
        let script = Script::new().call(&[bash("c1", "ran.txt")]).say("Done.");
        let mut session = start(editor, script);
        let params = json!({ "command": "redline.prompt", "arguments": ["run it"] });
        session.client.call("workspace/executeCommand", &params);
        let ask = session.client.next_ask();
        assert_eq!(ask.method, "window/showMessageRequest");
        let text = ask.params["message"].as_str().expect("a message");
        for part in ["echo ran > ran.txt && cat ran.txt", "in /", "Asks because"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let first = &ask.params["actions"][0]["title"];
        assert_eq!(first, "Reject", "a stray Enter takes the first");
        answer(&mut session, &ask, "once");
        session.client.wait("the end of the turn", |client| {
            let said = |p: &&Value| p["message"] == "Done.";
            client.notified("window/showMessage").find(said).map(|_| ())
        });
        assert_eq!(session.sandbox.disk("ran.txt"), "ran\n");
    }
}

#[test]
fn what_is_no_choice_never_allows() {
    for nonsense in
        [json!(null), json!({ "title": "Sudo" }), json!({}), json!("Allow once"), json!([1])]
    {
        let mut session = start(Plain::Helix, Script::new());
        let call = call(&mut session, "T", "ran.txt");
        let ask = session.client.next_ask();
        session.client.answer(&ask, &nonsense);
        let result = session.client.finish(call).expect("a result");
        assert_eq!(result["status"], "rejected-by-user", "{nonsense}: {result}");
        assert!(!session.sandbox.path("ran.txt").exists());
    }
}

/// Helix has one dialog: a second one takes its place, and the first is never answered.
#[test]
fn one_dialog_at_a_time() {
    let mut session = start(Plain::Helix, Script::new());
    let first = call(&mut session, "T1", "one.txt");
    let ask = session.client.next_ask();
    let second = call(&mut session, "T2", "two.txt");
    session.client.poll("two asks", |client| {
        (client.call("redline/status", &json!({}))["asks"] == 2).then_some(())
    });
    assert_eq!(session.client.asks.len(), 1, "the second waits for its turn");
    answer(&mut session, &ask, "once");
    assert_eq!(session.client.finish(first).unwrap()["status"], "done");
    let ask = session.client.next_ask();
    assert!(ask.params["message"].as_str().unwrap().contains("two.txt"));
    answer(&mut session, &ask, "Reject");
    assert_eq!(session.client.finish(second).unwrap()["status"], "rejected-by-user");
}

/// A client that never answers: the dialog can be had again, the lost one counts no more, and the
/// turn can be cancelled.
#[test]
fn a_lost_dialog_can_be_had_again() {
    let script = Script::new().call(&[bash("c1", "ran.txt")]).say("unreached");
    let mut session = start(Plain::Helix, script);
    let params = json!({ "command": "redline.prompt", "arguments": ["run it"] });
    session.client.call("workspace/executeCommand", &params);
    let lost = session.client.next_ask();
    assert_eq!(session.command("redline.ask", &json!([])), true);
    let again = session.client.wait("the dialog", |client| client.asks.get(1).cloned());
    assert_eq!(again.params, lost.params);
    assert_ne!(again.id, lost.id);
    answer(&mut session, &lost, "once");
    session.client.call("redline/status", &json!({}));
    assert!(!session.sandbox.path("ran.txt").exists(), "only the newest dialog counts");

    session.command("redline.cancel", &json!([]));
    session.client.wait("the withdrawal", |client| {
        client.notified("$/cancelRequest").find(|p| p["id"] == again.id).map(|_| ())
    });
    answer(&mut session, &again, "once");
    assert_eq!(session.command("redline.ask", &json!([])), false);
    assert!(!session.sandbox.path("ran.txt").exists());
}

#[test]
fn a_withdrawn_ask_lets_the_next_one_through() {
    let mut session = start(Plain::Helix, Script::new());
    let first = call(&mut session, "T1", "one.txt");
    let lost = session.client.next_ask();
    let second = call(&mut session, "T2", "two.txt");
    session.client.notify("$/cancelRequest", &json!({ "id": first }));
    let ask = session
        .client
        .wait("the second", |client| client.asks.iter().find(|ask| ask.id != lost.id).cloned());
    answer(&mut session, &ask, "once");
    assert_eq!(session.client.finish(second).unwrap()["status"], "done");
    assert!(!session.sandbox.path("one.txt").exists());
}

/// A dialog of choices has no room for words.
#[test]
fn a_no_with_words() {
    let script = Script::new().call(&[bash("c1", "one.txt")]).say("Then not.");
    let mut session = start(Plain::Helix, script);
    assert_eq!(session.command("redline.refuse", &json!(["early"])), false);
    let params = json!({ "command": "redline.prompt", "arguments": ["run it"] });
    session.client.call("workspace/executeCommand", &params);
    let ask = session.client.next_ask();
    assert_eq!(session.command("redline.refuse", &json!(["use make"])), true);
    session.client.wait("the end of the turn", |client| {
        let said = |p: &&Value| p["message"] == "Then not.";
        client.notified("window/showMessage").find(said).map(|_| ())
    });
    let withdrawn = session.client.notified("$/cancelRequest").any(|p| p["id"] == ask.id);
    assert!(withdrawn, "the dialog goes");
    answer(&mut session, &ask, "once");
    assert!(!session.sandbox.path("one.txt").exists(), "a late answer counts no more");
}

/// What stands for rules says which.
#[test]
fn the_text_says_what_each_answer_would_keep() {
    let mut session = start(Plain::Helix, Script::new());
    call(&mut session, "T", "ran.txt");
    let ask = session.client.next_ask();
    let text = ask.params["message"].as_str().expect("a message");
    let rule = "allow Bash --cmd 'echo ran > ran.txt && cat ran.txt'";
    let says = |line: &str| line.starts_with("Allow for the session") && line.contains(rule);
    assert!(text.lines().any(says), "{text}");
    assert!(text.contains("Always allow in this folder"), "{text}");
    assert!(text.contains("redline permissions grants"), "{text}");
}

#[test]
fn progress_is_shown_where_it_is_declared_and_cancels() {
    for (editor, shown) in [(Plain::Helix, true), (Plain::Eglot, false)] {
        let script = Script::new().call(&[bash("c1", "ran.txt")]).say("unreached");
        let mut session = start(editor, script);
        let params = json!({ "command": "redline.prompt", "arguments": ["run it"] });
        session.client.call("workspace/executeCommand", &params);
        session.client.next_ask();
        if !shown {
            assert_eq!(session.client.notified("$/progress").count(), 0);
            continue;
        }
        let begun = session.client.wait("the progress", |client| {
            client.notified("$/progress").find(|p| p["value"]["kind"] == "begin").cloned()
        });
        let cancel = json!({ "token": begun["token"] });
        session.client.notify("window/workDoneProgress/cancel", &cancel);
        session.client.wait("its end", |client| {
            client.notified("$/progress").find(|p| p["value"]["kind"] == "end").map(|_| ())
        });
        assert!(!session.sandbox.path("ran.txt").exists());
    }
}
