//! Subagents: conversations inside a call, with tools of their own and the thread's proposals.

use super::bad_input::{number_in, wait_until_gone};
use redline_tests::session::{id, strings};
use redline_tests::{Options, Sandbox, Script, Session};
use serde_json::{Value, json};

fn task<'a>(call: &'a str, what: &str) -> (&'a str, &'static str, Value) {
    (call, "Task", json!({ "prompt": format!("Please {what}."), "description": what }))
}

fn finder<'a>(call: &'a str, query: &str) -> (&'a str, &'static str, Value) {
    (call, "finder", json!({ "query": query }))
}

fn read<'a>(call: &'a str, file: &str) -> (&'a str, &'static str, Value) {
    (call, "Read", json!({ "path": format!("${{workspace}}/{file}") }))
}

fn bash<'a>(call: &'a str, cmd: &str) -> (&'a str, &'static str, Value) {
    (call, "Bash", json!({ "cmd": cmd }))
}

fn start(script: Script) -> Session {
    Session::with(&[("a.txt", "one\ntwo\n")], Options::default().script(script))
}

/// With rules of the user's.
fn start_with(rules: &Value, script: Script) -> Session {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\ntwo\n");
    sandbox.configure(&json!({ "redline.permissions": rules }));
    Session::start_in(sandbox, Options::default().script(script))
}

/// Statuses of a call so far, with repetitions left out; `parent`: the call of its subagent.
fn statuses(session: &Session, call: &str, parent: Option<&str>) -> Vec<String> {
    let is_it =
        |p: &&Value| p["event"]["toolCallId"] == call && p["parentToolUseId"].as_str() == parent;
    let events = session.client.notified("redline/threadEvent").filter(is_it);
    let mut all: Vec<String> =
        events.map(|p| p["event"]["status"].as_str().expect("a status").to_owned()).collect();
    all.dedup();
    all
}

/// The result of a subagent's call, as it was streamed.
fn result_of(session: &Session, call: &str, parent: &str) -> Value {
    let is_it = |p: &&Value| p["event"]["toolCallId"] == call && p["parentToolUseId"] == parent;
    let events = session.client.notified("redline/threadEvent").filter(is_it);
    events.last().unwrap_or_else(|| panic!("no event of {call} in {parent}"))["event"]["result"]
        .clone()
}

#[test]
fn a_task_edits_in_its_threads_review() {
    let script = Script::new()
        .call(&[task("c1", "make two TWO")])
        .edit("s1", "a.txt", "two", "TWO")
        .answering("Task")
        .say("Made it.")
        .answering("c1")
        .call(&[read("r1", "a.txt")])
        .say("Look.")
        .say("I see.");
    let mut session = start(script);
    let uri = session.open("a.txt");
    let end = session.prompt("send one");
    assert_eq!(end["reason"], "awaitingReview", "{end}");
    let hunks = session.pending(&uri, 1);
    let thread = session.thread.clone().unwrap();
    assert_eq!(
        hunks[0]["origin"],
        json!({ "threadId": thread, "agent": "Task", "tool": "edit_file", "toolCallId": "s1" })
    );
    assert_eq!(session.client.text(&uri), "one\ntwo\n", "the buffer is the user's");
    assert_eq!(session.sandbox.disk("a.txt"), "one\ntwo\n");
    let (said, is_error) = session.tool_result("c1");
    assert!(!is_error && said.starts_with("Made it.\nFiles that Task changed: a.txt."), "{said}");
    assert!(said.contains("Proposed; not in the file until the user accepts (1 hunk)"), "{said}");
    assert_eq!(session.tool_result("r1").0, "1: one\n2: TWO", "the thread sees it at once");

    session.decide("accept", &[id(&hunks[0])]);
    assert_eq!(session.client.text(&uri), "one\nTWO\n");
    session.prompt("and?");
    let told = session.told_since("and?");
    assert!(told.iter().any(|line| line.starts_with("accepted a.txt:2-2 (s1)")), "{told:#?}");
}

#[test]
fn its_events_name_the_call_that_sent_it() {
    let script = Script::new()
        .call(&[task("c1", "look")])
        .call(&[read("s1", "a.txt")])
        .answering("c1")
        .say("Seen.")
        .answering("c1")
        .say("Done.");
    let mut session = start(script);
    let turn = session.begin_prompt("send one");
    session.turn_end(&turn);
    let events: Vec<Value> = session.client.notified("redline/threadEvent").cloned().collect();
    let lines: Vec<String> = events
        .iter()
        .map(|p| {
            let event = &p["event"];
            let what = ["delta", "status", "reason"].into_iter().find_map(|it| event[it].as_str());
            let parent = p["parentToolUseId"].as_str().unwrap_or("-");
            format!("{parent} {} {}", event["type"].as_str().unwrap(), what.unwrap_or_default())
        })
        .collect();
    let want = [
        "- toolCall in-progress",
        "c1 toolCall in-progress",
        "c1 toolCall done",
        "c1 text Seen.",
        "- toolCall done",
        "- text Done.",
        "- turnEnd done",
    ];
    assert_eq!(lines, want);
    let thread = session.thread.clone().unwrap();
    for (n, event) in events.iter().enumerate() {
        assert_eq!((&event["threadId"], &event["turnId"]), (&json!(thread), &json!(turn)));
        assert_eq!(event["seq"], n + 1);
    }
    let threads = session.client.call("redline/threads", &json!({}));
    assert_eq!(threads["threads"].as_array().unwrap().len(), 1, "{threads}");
    let said = format!("{:?}", session.messages());
    assert!(!said.contains("s1"), "its messages are its own: {said}");
}

#[test]
fn its_messages_are_a_thread_of_their_own() {
    let script = Script::new()
        .call(&[finder("c1", "Where is two?")])
        .say("In a.txt, line 2.")
        .answering("finder")
        .call(&[("l1", "task_list", json!({}))])
        .call(&[("f1", "find_thread", json!({ "query": "COUNT" }))])
        .say("Done.");
    let mut session = start(script);
    session.prompt("count them");
    assert_eq!(session.tool_result("c1"), ("In a.txt, line 2.".to_owned(), false));
    let tasks: Value = serde_json::from_str(&session.tool_result("l1").0).unwrap();
    let task = &tasks["tasks"][0];
    assert_eq!(
        (&task["agent"], &task["about"], &task["status"], &task["call"]),
        (&json!("finder"), &json!("Where is two?"), &json!("done"), &json!("c1"))
    );
    let thread = session.client.call("redline/thread", &json!({ "threadId": task["threadId"] }));
    let messages = thread["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 2, "{messages:#?}");
    for message in messages {
        assert_eq!(message["parent_tool_use_id"], "c1");
        assert_eq!(message["session_id"], json!(session.thread));
    }
    let found: Value = serde_json::from_str(&session.tool_result("f1").0).unwrap();
    assert_eq!(found["threads"][0]["threadId"], json!(session.thread), "{found}");
    assert_eq!(found["threads"].as_array().unwrap().len(), 1, "{found}");
}

#[test]
fn a_finder_reads_what_its_thread_has_proposed() {
    let grep = ("g1", "Grep", json!({ "pattern": "TWO" }));
    let script = Script::new()
        .edit("e1", "a.txt", "two", "TWO")
        .call(&[finder("c1", "Where is TWO?")])
        .call(&[read("r1", "a.txt"), grep])
        .answering("finder")
        .say("Line 2.")
        .answering("finder")
        .say("Done.");
    let mut session = start(script);
    session.prompt("go");
    assert_eq!(result_of(&session, "r1", "c1")["result"], "1: one\n2: TWO");
    let found = strings(&result_of(&session, "g1", "c1")["result"]);
    assert_eq!(found, ["a.txt:2: TWO"]);
    assert_eq!(session.sandbox.disk("a.txt"), "one\ntwo\n");
}

#[test]
fn a_finder_has_no_tool_that_changes_anything() {
    let edit = redline_tests::sandbox::edit("a.txt", "two", "TWO");
    let calls = [("e1", "Edit", edit), bash("b1", "echo hi"), task("t1", "do it")];
    let script = Script::new()
        .call(&[finder("c1", "Where?")])
        .call(&calls)
        .answering("finder")
        .say("I can't.")
        .answering("finder")
        .say("Done.");
    let mut session = start(script);
    assert_eq!(session.prompt("go")["reason"], "done");
    for (call, tool) in [("e1", "edit_file"), ("b1", "Bash"), ("t1", "Task")] {
        let message = result_of(&session, call, "c1")["error"]["message"].clone();
        let message = message.as_str().expect("an error");
        let want = format!("{tool} is not among the tools of finder. Tools: Read, glob, Grep.");
        assert_eq!(message, want);
    }
    assert!(session.client.asks.is_empty());
    assert_eq!(session.tool_result("c1").0, "I can't.");
}

/// They overlap: all of them wait for the user at once.
#[test]
fn parallel_finders_each_get_their_own_lines() {
    let rules = json!([{ "tool": "Read", "action": "ask" }]);
    let script = Script::new()
        .call(&[finder("c1", "one?"), finder("c2", "two?"), finder("c3", "three?")])
        .call(&[read("r", "a.txt")])
        .answering("c3")
        .call(&[read("r", "a.txt")])
        .answering("c2")
        .call(&[read("r", "a.txt")])
        .answering("c1")
        .say("Answer 2.")
        .answering("c2")
        .say("Answer 1.")
        .answering("c1")
        .say("Answer 3.")
        .answering("c3")
        .say("Done.");
    let mut session = start_with(&rules, script);
    let turn = session.begin_prompt("go");
    session.client.wait("three asks", |client| (client.asks.len() == 3).then_some(()));
    for ask in session.client.asks.clone().iter().rev() {
        session.client.allow(ask);
    }
    assert_eq!(session.turn_end(&turn)["reason"], "done");
    for n in 1..=3 {
        assert_eq!(session.tool_result(&format!("c{n}")).0, format!("Answer {n}."));
        assert_eq!(result_of(&session, "r", &format!("c{n}"))["result"], "1: one\n2: two");
    }
}

#[test]
fn two_tasks_at_once_edit_one_file() {
    let script = Script::new()
        .call(&[task("c1", "make one ONE"), task("c2", "make two TWO")])
        .edit("e", "a.txt", "one", "ONE")
        .answering("c1")
        .edit("e", "a.txt", "two", "TWO")
        .answering("c2")
        .say("One.")
        .answering("c1")
        .say("Two.")
        .answering("c2")
        .call(&[read("r", "a.txt")])
        .say("Done.");
    let mut session = start(script);
    session.prompt("go");
    assert_eq!(session.tool_result("r").0, "1: ONE\n2: TWO");
    for call in ["c1", "c2"] {
        let said = session.tool_result(call).0;
        assert!(said.contains("Files that Task changed: a.txt."), "{said}");
    }
}

#[test]
fn a_request_that_is_cancelled_ends_its_subagent() {
    let rules = json!([{ "tool": "Bash", "action": "ask" }]);
    let script = Script::new().call(&[bash("b1", "echo hi")]).answering("Task");
    let mut session = start_with(&rules, script);
    let (_, name, args) = task("", "run it");
    let call = session.client.begin("redline/tool", &json!({ "name": name, "args": args }));
    let ask = session.client.next_ask();
    session.client.notify("$/cancelRequest", &json!({ "id": call }));
    assert!(session.client.finish(call).is_err());
    let withdrawn = ask.params["askId"].clone();
    session.client.wait("the ask is withdrawn", |client| {
        let mut all = client.notified("redline/permissionWithdrawn");
        all.any(|p| p["askId"] == withdrawn).then_some(())
    });
    let thread = session.client.call("redline/threads", &json!({}))["threads"][0].clone();
    assert_eq!(thread["threadId"], "direct");
    let tasks = session.tool("task_list", &json!({}));
    assert_eq!(tasks["result"]["tasks"][0]["status"], "cancelled", "{tasks}");
}

#[test]
fn a_subagents_command_is_asked_as_a_threads_is() {
    let script = Script::new()
        .call(&[task("c1", "run it")])
        .call(&[bash("b1", "echo ran > ran.txt")])
        .answering("Task")
        .say("I was not allowed.")
        .answering("Task")
        .say("Done.");
    let mut session = start(script);
    let turn = session.begin_prompt("go");
    let ask = session.client.next_ask();
    assert_eq!(ask.params["args"]["cmd"], "echo ran > ran.txt");
    session.client.answer(&ask, &json!({ "option": "reject", "comment": "no" }));
    session.turn_end(&turn);
    let last = statuses(&session, "b1", Some("c1")).pop();
    assert_eq!(last.as_deref(), Some("rejected-by-user"));
    assert_eq!(session.tool_result("c1"), ("I was not allowed.".to_owned(), false));
    assert!(!session.sandbox.path("ran.txt").exists());
}

#[test]
fn rules_can_tell_subagents_from_threads() {
    let rules = json!([
        { "tool": "Bash", "action": "allow", "context": "thread" },
        { "tool": "Bash", "matches": { "cmd": "echo *" }, "action": "allow", "context": "subagent" },
        { "tool": "Bash", "matches": { "cmd": "rm *" }, "action": "reject", "context": "subagent" },
    ]);
    let script = Script::new()
        .call(&[task("c1", "run it")])
        .call(&[bash("b1", "echo hi")])
        .answering("Task")
        .call(&[bash("b2", "rm -rf x")])
        .answering("Task")
        .say("unreached");
    let mut session = start_with(&rules, script);
    let end = session.prompt("go");
    assert_eq!(statuses(&session, "b1", Some("c1")), ["in-progress", "done"]);
    assert_eq!(statuses(&session, "b2", Some("c1")), ["in-progress", "rejected-by-user"]);
    // A reject without a word ends the turn, the thread's as well.
    assert_eq!(statuses(&session, "c1", None), ["in-progress", "rejected-by-user"]);
    assert_eq!(end["message"], "stopped: Task was rejected", "{end}");
    let (said, is_error) = session.tool_result("c1");
    assert!(is_error && said.starts_with("Task was stopped: Bash was rejected: "), "{said}");
    assert!(session.client.asks.is_empty());
}

#[test]
fn a_rule_that_asks_asks_the_user_in_the_threads_name() {
    let rules = json!([{ "tool": "Bash", "action": "ask" }]);
    let script = Script::new()
        .call(&[task("c1", "run it")])
        .call(&[bash("b1", "echo hi")])
        .answering("Task")
        .say("It said hi.")
        .answering("Task")
        .say("Done.");
    let mut session = start_with(&rules, script);
    let turn = session.begin_prompt("go");
    let ask = session.client.next_ask();
    session.client.allow(&ask);
    session.turn_end(&turn);
    let want = ["in-progress", "blocked-on-user", "in-progress", "done"];
    assert_eq!(statuses(&session, "b1", Some("c1")), want);
    assert_eq!(statuses(&session, "c1", None), ["in-progress", "done"]);
}

#[test]
fn cancel_ends_a_subagents_command_and_leaves_no_orphan() {
    let rules = json!([{ "tool": "Bash", "action": "allow" }]);
    let command = "sleep 600 & echo $! > pid.tmp && mv pid.tmp pid && wait";
    let script = Script::new()
        .call(&[task("c1", "wait"), task("c2", "think")])
        .call(&[bash("b1", command)])
        .answering("c1")
        .call(&[bash("b2", "echo never")])
        .answering("c2")
        .say("unreached")
        .answering("c1");
    let mut session = start_with(&rules, script);
    let turn = session.begin_prompt("go");
    let file = session.sandbox.path("pid");
    let pid = number_in(&mut session, &file);
    let thread = session.thread.clone().unwrap();
    session.client.call("redline/cancel", &json!({ "threadId": thread }));
    let end = session.turn_end(&turn);
    assert_eq!(end["reason"], "cancelled", "{end}");
    let last = |call: &str, parent| statuses(&session, call, parent).pop();
    assert_eq!(last("b1", Some("c1")).as_deref(), Some("cancelled"));
    assert_eq!(last("c1", None).as_deref(), Some("cancelled"));
    assert!(session.tool_result("c1").1);
    wait_until_gone(pid);
    let said = format!("{:?}", session.messages());
    assert!(!said.contains("unreached"), "{said}");
}

#[test]
fn cancel_withdraws_a_subagents_ask() {
    let rules = json!([{ "tool": "Bash", "action": "ask" }]);
    let script =
        Script::new().call(&[task("c1", "run")]).call(&[bash("b1", "echo hi")]).answering("Task");
    let mut session = start_with(&rules, script);
    let turn = session.begin_prompt("go");
    let ask = session.client.next_ask();
    let thread = session.thread.clone().unwrap();
    session.client.call("redline/cancel", &json!({ "threadId": thread }));
    session.turn_end(&turn);
    let withdrawn = ask.params["askId"].clone();
    session.client.wait("the ask is withdrawn", |client| {
        let mut all = client.notified("redline/permissionWithdrawn");
        all.any(|p| p["askId"] == withdrawn).then_some(())
    });
    assert_eq!(
        statuses(&session, "b1", Some("c1")),
        ["in-progress", "blocked-on-user", "cancelled"]
    );
}

#[test]
fn a_provider_that_fails_is_an_error_of_the_call() {
    let script = Script::new().call(&[task("c1", "do it")]).say("I'll do it myself.");
    let mut session = start(script);
    assert_eq!(session.prompt("go")["reason"], "done");
    let (said, is_error) = session.tool_result("c1");
    assert_eq!((said.as_str(), is_error), ("Task did not come to an end: script ended", true));
    assert_eq!(statuses(&session, "c1", None), ["in-progress", "error"]);
}

#[test]
fn a_call_outside_a_turn_sends_one_too() {
    let script = Script::new().say("Here.").answering("finder");
    let mut session = start(script);
    let result = session.tool("finder", &json!({ "query": "Where?" }));
    assert_eq!(result, json!({ "status": "done", "result": "Here." }));
    let parent = |p: &&Value| p["event"]["type"] == "text" && p["parentToolUseId"].is_string();
    assert_eq!(session.client.notified("redline/threadEvent").filter(parent).count(), 1);
}

#[test]
fn a_plain_client_hears_what_the_agent_says_and_not_its_subagents() {
    let script = Script::new()
        .call(&[finder("c1", "Where?")])
        .say("Chatter.")
        .answering("finder")
        .say("The answer.");
    let mut session = Session::with(&[], Options::plain().script(script));
    session.begin_prompt("go");
    let text = session.client.wait("the message", |client| {
        let message = client.notified("window/showMessage").next()?;
        Some(message["message"].as_str().expect("a text").to_owned())
    });
    assert_eq!(text, "The answer.");
}

#[test]
fn without_a_conversation_there_is_no_subagent() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["tools", "use", "finder", "--query", "Where?"]);
    let output = command.output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("finder needs a conversation to belong to"), "{said}");
}
