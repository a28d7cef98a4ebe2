//! Bash asks: once, for the session, reject, reject with a comment, withdrawn.

use redline_tests::session::strings;
use redline_tests::{Ask, Options, Script, Session};
use serde_json::{Value, json};

const COMMAND: &str = "echo ran >> ran.txt && echo seen";

fn bash(id: &str) -> (&str, &str, Value) {
    (id, "Bash", json!({ "cmd": COMMAND }))
}

fn start(script: Script) -> Session {
    Session::with(&[("a.txt", "one\n")], Options::default().script(script))
}

/// How often the command ran.
fn runs(session: &Session) -> usize {
    std::fs::read_to_string(session.sandbox.path("ran.txt")).unwrap_or_default().lines().count()
}

fn choose(session: &mut Session, ask: &Ask, option: &str) {
    session.client.answer(ask, &json!({ "option": option }));
}

#[test]
fn the_ask_shows_everything() {
    let mut session = start(Script::new().call(&[bash("c1")]).say("Done."));
    let turn = session.begin_prompt("run it");
    let ask = session.client.next_ask();
    assert_eq!(ask.method, "redline/permission");
    let params = &ask.params;
    assert_eq!(params["tool"], "Bash");
    assert_eq!(params["args"]["cmd"], COMMAND);
    let workspace = session.sandbox.workspace();
    assert_eq!(params["cwd"], json!(workspace.to_str().unwrap()));
    assert_eq!(params["reason"]["action"], "ask");
    for field in ["source", "text"] {
        assert!(params["reason"][field].as_str().is_some_and(|t| !t.is_empty()), "{params:#}");
    }
    let rule = &params["reason"]["rule"];
    assert!(rule.is_string() || rule.is_null(), "{params:#}");
    assert!(params["askId"].is_string() && params["title"].is_string(), "{params:#}");
    let options: Vec<_> = params["options"].as_array().unwrap().iter().collect();
    for id in ["once", "session", "reject"] {
        let option = options.iter().find(|option| option["id"] == id).expect("the option");
        assert!(option["label"].is_string(), "{option}");
    }
    assert!(params["queue"]["total"].as_u64() >= Some(1), "{params:#}");
    let status = session.client.call("redline/status", &json!({}));
    assert_eq!(status["asks"], 1);
    assert_eq!(runs(&session), 0, "nothing runs before the answer");

    choose(&mut session, &ask, "once");
    let end = session.turn_end(&turn);
    assert_eq!(end["reason"], "done", "{end}");
    assert_eq!(runs(&session), 1);
    let (result, is_error) = session.tool_result("c1");
    assert!(!is_error, "{result}");
    for part in ["<output>seen", "<exit_code>0</exit_code>", "<working_directory>"] {
        assert!(result.contains(part), "{part} in {result}");
    }
}

#[test]
fn once_is_once() {
    let script = Script::new().call(&[bash("c1")]).call(&[bash("c2")]).say("Done.");
    let mut session = start(script);
    let turn = session.begin_prompt("run it twice");
    for _ in 0..2 {
        let ask = session.client.next_ask();
        choose(&mut session, &ask, "once");
    }
    session.turn_end(&turn);
    assert_eq!(runs(&session), 2);
}

#[test]
fn for_the_session_is_not_asked_again() {
    let script = Script::new().call(&[bash("c1")]).call(&[bash("c2")]).say("Done.");
    let mut session = start(script.call(&[bash("c3")]).say("Done."));
    let turn = session.begin_prompt("run it twice");
    let ask = session.client.next_ask();
    choose(&mut session, &ask, "session");
    session.turn_end(&turn);
    assert_eq!(runs(&session), 2);
    session.prompt("and once more");
    assert_eq!(runs(&session), 3);
    assert!(session.client.asks.is_empty());
}

#[test]
fn a_grant_for_one_command_covers_no_other() {
    let other = ("c2", "Bash", json!({ "cmd": "echo other >> ran.txt; rm -rf a.txt" }));
    let mut session = start(Script::new().call(&[bash("c1")]).call(&[other]).say("Done."));
    let turn = session.begin_prompt("go");
    let ask = session.client.next_ask();
    choose(&mut session, &ask, "session");
    let ask = session.client.next_ask();
    assert!(ask.params["args"]["cmd"].as_str().unwrap().contains("rm -rf"));
    choose(&mut session, &ask, "reject");
    session.turn_end(&turn);
    assert!(session.sandbox.path("a.txt").exists());
}

#[test]
fn a_reject_without_a_word_ends_the_turn() {
    let script = Script::new().call(&[bash("c1"), bash("c2")]).say("unreached");
    let mut session = start(script);
    let turn = session.begin_prompt("run it");
    let ask = session.client.next_ask();
    choose(&mut session, &ask, "reject");
    session.turn_end(&turn);
    assert_eq!(runs(&session), 0);
    assert!(session.client.asks.is_empty(), "later calls are not asked");
    let said = format!("{:?}", session.messages());
    assert!(!said.contains("unreached"), "no further model request: {said}");
    assert!(session.tool_result("c1").1, "the rejected call is an error");
    session.tool_result("c2");
}

#[test]
fn a_reject_with_a_comment_is_told_and_the_agent_goes_on() {
    let mut session = start(Script::new().call(&[bash("c1")]).say("I shall use make."));
    let turn = session.begin_prompt("run it");
    let ask = session.client.next_ask();
    session.client.answer(&ask, &json!({ "option": "reject", "comment": "use make instead" }));
    let end = session.turn_end(&turn);
    assert_eq!(end["reason"], "done", "{end}");
    assert_eq!(runs(&session), 0);
    let (text, is_error) = session.tool_result("c1");
    assert!(is_error && text.contains("use make instead"), "{text}");
    assert!(format!("{:?}", session.messages()).contains("I shall use make."));
}

#[test]
fn a_dismissed_ask_is_a_reject() {
    let mut session = start(Script::new());
    let params = json!({ "name": "Bash", "args": { "cmd": COMMAND } });
    let call = session.client.begin("redline/tool", &params);
    let ask = session.client.next_ask();
    session.client.answer(&ask, &Value::Null);
    let result = session.client.finish(call).expect("a result");
    assert_eq!(result["status"], "rejected-by-user", "{result}");
    assert!(result["reason"].is_string(), "{result}");
    assert_eq!(runs(&session), 0);
}

#[test]
fn answers_that_make_no_sense_never_allow() {
    for answer in [json!("once"), json!({ "option": "sudo" }), json!({}), json!([1])] {
        let mut session = start(Script::new());
        let params = json!({ "name": "Bash", "args": { "cmd": COMMAND } });
        let call = session.client.begin("redline/tool", &params);
        let ask = session.client.next_ask();
        session.client.answer(&ask, &answer);
        let result = session.client.finish(call).expect("a result");
        assert_ne!(result["status"], "done", "{answer}: {result}");
        assert_eq!(runs(&session), 0);
        session.client.take_messages();
    }
}

#[test]
fn an_error_as_the_answer_is_a_reject() {
    let mut session = start(Script::new());
    let params = json!({ "name": "Bash", "args": { "cmd": COMMAND } });
    let call = session.client.begin("redline/tool", &params);
    let ask = session.client.next_ask();
    session.client.asks.clear();
    let error = json!({ "code": -32603, "message": "the window is gone" });
    session.client.send(&json!({ "jsonrpc": "2.0", "id": ask.id, "error": error }));
    let result = session.client.finish(call).expect("a result");
    assert_ne!(result["status"], "done", "{result}");
    assert_eq!(runs(&session), 0);
    session.client.take_messages();
}

#[test]
fn cancel_withdraws_the_ask_and_a_late_answer_is_ignored() {
    let mut session = start(Script::new().call(&[bash("c1")]).say("unreached"));
    let turn = session.begin_prompt("run it");
    let ask = session.client.next_ask();
    let thread = session.thread.clone();
    let answer = session.client.call("redline/cancel", &json!({ "threadId": thread }));
    assert_eq!(answer, Value::Null);
    let withdrawn = session.client.wait("the withdrawal", |client| {
        client.notified("redline/permissionWithdrawn").next().cloned()
    });
    assert_eq!(withdrawn["askId"], ask.params["askId"]);
    assert!(withdrawn["reason"].is_string());
    let end = session.turn_end(&turn);
    assert_eq!(end["reason"], "cancelled", "{end}");

    choose(&mut session, &ask, "once");
    choose(&mut session, &ask, "session");
    let status = session.client.call("redline/status", &json!({}));
    assert_eq!(status["asks"], 0);
    assert_eq!(runs(&session), 0);
    assert!(session.client.process.alive());
}

#[test]
fn cancel_ends_a_running_command() {
    let sleep = ("c1", "Bash", json!({ "cmd": "echo $$ > pid.txt; sleep 300" }));
    let mut session = start(Script::new().call(&[sleep]).say("unreached"));
    let turn = session.begin_prompt("wait");
    let ask = session.client.next_ask();
    choose(&mut session, &ask, "once");
    let file = session.sandbox.path("pid.txt");
    let pid = super::bad_input::number_in(&mut session, &file);
    let thread = session.thread.clone();
    session.client.call("redline/cancel", &json!({ "threadId": thread }));
    let end = session.turn_end(&turn);
    assert_eq!(end["reason"], "cancelled", "{end}");
    super::bad_input::wait_until_gone(pid);
}

#[test]
fn cancelling_an_unknown_thread_harms_nothing() {
    let mut session = start(Script::new());
    let _refused_or_null =
        session.client.request("redline/cancel", &json!({ "threadId": "no-such-thread" }));
    session.client.call("redline/status", &json!({}));
}

#[test]
fn edits_and_an_ask_wait_side_by_side() {
    let script = Script::new().edit("c1", "a.txt", "one", "ONE").call(&[bash("c2")]).say("Done.");
    let mut session = start(script);
    let uri = session.open("a.txt");
    let turn = session.begin_prompt("go");
    let ask = session.client.next_ask();
    if let Some(pending) = ask.params.get("pending") {
        assert!(strings(pending).iter().any(|path| path.contains("a.txt")), "{pending}");
    }
    let hunk = session.pending(&uri, 1).remove(0);
    session.decide("accept", &[redline_tests::session::id(&hunk)]);
    session.client.allow(&ask);
    // What changed since the question was put may be a reason to put it again.
    session.client.wait("the run", |client| {
        if let Some(again) = client.asks.first().cloned() {
            client.allow(&again);
        }
        let ended = |p: &&Value| p["turnId"] == turn && p["event"]["type"] == "turnEnd";
        client.notified("redline/threadEvent").find(ended).map(|_| ())
    });
    assert_eq!(runs(&session), 1);
    assert_eq!(session.client.text(&uri), "ONE\n");
}

/// What another program wrote and the editor has loaded since is not unsaved; what the user typed is,
/// but not what they have open of another project.
#[test]
fn an_ask_names_what_is_unsaved_and_nothing_else() {
    let mut session = Session::with_files(&[("a.txt", "one\n"), ("b.txt", "two\n")]);
    let (loaded, typed) = (session.open("a.txt"), session.open("b.txt"));
    session.sandbox.write("a.txt", "other\n");
    session.client.replace(&loaded, "one", "other");
    session.client.replace(&typed, "two", "mine");
    let elsewhere = session.sandbox.outside("settings.json");
    std::fs::write(&elsewhere, "{}\n").unwrap();
    let elsewhere = session.client.open(&elsewhere);
    session.client.replace(&elsewhere, "{}", "{ }");
    let args = json!({ "name": "Bash", "args": { "cmd": "touch x" } });
    let call = session.client.begin("redline/tool", &args);
    let ask = session.client.next_ask();
    assert_eq!(ask.params["unsaved"], json!(["b.txt"]));
    session.client.allow(&ask);
    assert!(session.client.finish(call).is_ok());
}
