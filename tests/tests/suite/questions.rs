//! Questions, permissions and plans of the agent, over the wire.

use redline_tests::plain::Plain;
use redline_tests::{Ask, Options, Sandbox, Script, Session};
use serde_json::{Value, json};

fn start() -> Session {
    Session::with(&[("a.txt", "one\n")], Options::default().script(Script::new()))
}

fn begin(session: &mut Session, name: &str, args: &Value) -> u64 {
    session.client.begin("redline/tool", &json!({ "name": name, "args": args }))
}

fn questions() -> Value {
    json!({ "questions": [
        { "text": "Which?", "type": "SingleChoice", "choices": ["red", "blue"], "required": true },
        { "text": "Why?", "type": "FreeText", "defaultValue": "so" }
    ] })
}

fn next(session: &mut Session) -> Ask {
    let ask = session.client.next_ask();
    assert_eq!(ask.method, "redline/question", "{:?}", ask.params);
    ask
}

#[test]
fn answers_are_checked_and_asked_for_once_more() {
    let mut session = start();
    let call = begin(&mut session, "ask_user_questions", &questions());
    let ask = next(&mut session);
    let mut shown = questions();
    shown["questions"][1]["required"] = false.into();
    assert_eq!(ask.params, shown);
    let answers = json!({ "answers": [
        { "question": "Which?", "selected": ["red", "blue"] }, { "question": "Why?", "text": "so" }
    ] });
    session.client.answer(&ask, &answers);
    let again = next(&mut session);
    assert_eq!(again.params["questions"].as_array().unwrap().len(), 1);
    assert_eq!(again.params["questions"][0]["note"], "Choose one answer only.");
    let own = json!({ "answers": [{ "question": "Which?", "text": "green" }] });
    session.client.answer(&again, &own);
    let result = session.client.finish(call).expect("a result");
    let want = json!({ "answers": [
        { "question": "Which?", "answer": ["green"] }, { "question": "Why?", "answer": ["so"] }
    ] });
    assert_eq!(result["result"], want, "{result}");
}

#[test]
fn a_dialog_that_is_dismissed_or_broken_is_told() {
    let mut session = start();
    for (answer, want) in [
        (json!(null), "User declined to answer"),
        (json!({ "answers": "x" }), "Nobody can be asked: "),
        (json!([1]), "Nobody can be asked: "),
    ] {
        let call = begin(&mut session, "ask_user_questions", &questions());
        let ask = next(&mut session);
        session.client.answer(&ask, &answer);
        let result = session.client.finish(call).expect("a result");
        let message = result["error"]["message"].as_str().expect("an error");
        assert!(message.starts_with(want), "{message}");
    }
}

#[test]
fn a_cancelled_turn_takes_its_question_back() {
    let script = Script::new().call(&[("c1", "ask_user_questions", questions())]).say("Done.");
    let mut session = Session::with(&[("a.txt", "one\n")], Options::default().script(script));
    let turn = session.begin_prompt("ask me");
    let ask = next(&mut session);
    let thread = session.client.wait("the call says that it waits for the user", |client| {
        let mut events = client.notified("redline/threadEvent");
        let blocked = events.find(|event| event["event"]["status"] == "blocked-on-user")?;
        Some(blocked["threadId"].clone())
    });
    session.client.call("redline/cancel", &json!({ "threadId": thread }));
    assert_eq!(session.turn_end(&turn)["reason"], "cancelled");
    session.client.wait("the question is taken back", |client| {
        client.notified("$/cancelRequest").find(|params| params["id"] == ask.id).map(|_| ())
    });
    // A late answer changes nothing.
    session.client.answer(&ask, &json!({ "answers": [] }));
    session.client.call("redline/status", &json!({}));
}

#[test]
fn an_editor_without_a_plugin_is_asked_in_messages() {
    for editor in [Plain::Helix, Plain::Eglot, Plain::Bare] {
        let options = editor.options().script(Script::new());
        let mut session = Session::with(&[("a.txt", "one\n")], options);
        let single = json!({ "questions": [
            { "text": "Which?", "type": "SingleChoice", "choices": ["red", "blue"] },
            { "text": "Sure?", "type": "SingleChoice", "choices": ["yes", "no"] }
        ] });
        let call = begin(&mut session, "ask_user_questions", &single);
        let ask = session.client.next_ask();
        assert_eq!(ask.method, "window/showMessageRequest");
        assert_eq!(ask.params["message"], "The agent asks (1 of 2): Which?");
        let titles = json!([{ "title": "No answer" }, { "title": "red" }, { "title": "blue" }]);
        assert_eq!(ask.params["actions"], titles, "a stray Enter takes the first");
        session.client.answer(&ask, &json!({ "title": "blue" }));
        let ask = session.client.next_ask();
        session.client.answer(&ask, &json!({ "title": "No answer" }));
        let result = session.client.finish(call).expect("a result");
        let want = json!({ "answers": [
            { "question": "Which?", "answer": ["blue"] }, { "question": "Sure?", "answer": [] }
        ] });
        assert_eq!(result["result"], want, "{result}");
        let result = session.tool("ask_user_questions", &questions());
        let message = result["error"]["message"].as_str().expect("an error");
        assert!(message.contains("only SingleChoice ones"), "{message}");
    }
}

/// Helix has one dialog: an ask and a question take turns.
#[test]
fn an_ask_and_a_question_take_turns_in_messages() {
    let mut session =
        Session::with(&[("a.txt", "one\n")], Plain::Helix.options().script(Script::new()));
    let bash = json!({ "name": "Bash", "args": { "cmd": "echo x > y" }, "threadId": "T1" });
    let first = session.client.begin("redline/tool", &bash);
    let ask = session.client.next_ask();
    let single = json!({ "questions": [
        { "text": "Which?", "type": "SingleChoice", "choices": ["red"], "required": true }
    ] });
    let params = json!({ "name": "ask_user_questions", "args": single, "threadId": "T2" });
    let second = session.client.begin("redline/tool", &params);
    session.client.call("redline/status", &json!({}));
    session.client.answer(&ask, &json!(null));
    assert_eq!(session.client.finish(first).expect("a result")["status"], "rejected-by-user");
    let question = session.client.next_ask();
    assert!(question.params["message"].as_str().unwrap().contains("Which?"));
    session.client.answer(&question, &json!(null));
    let result = session.client.finish(second).expect("a result");
    let message = result["error"]["message"].as_str().expect("an error");
    assert!(message.starts_with("User declined to answer"), "{message}");
}

#[test]
fn a_permission_is_what_the_option_shows_and_no_more() {
    let mut session = Session::with(
        &[("a.txt", "one\n"), ("b.txt", "one\n")],
        Options::default().script(Script::new()),
    );
    let file = session.sandbox.path("a.txt");
    let args = json!({
        "target_type": "path", "target": file, "level": "write", "description": "Change it"
    });
    let call = begin(&mut session, "ask_for_permissions", &args);
    let ask = session.client.next_ask();
    assert_eq!(ask.method, "redline/permission");
    assert_eq!(ask.params["args"], args);
    let option = &ask.params["options"][1];
    assert_eq!(option["id"], "session");
    let covers = option["covers"].as_str().expect("rules");
    assert!(covers.lines().all(|rule| rule.starts_with("allow ") && rule.contains("a.txt")));
    session.client.answer(&ask, &json!({ "option": "session" }));
    let result = session.client.finish(call).expect("a result");
    assert_eq!(result["result"]["granted"], true, "{result}");
    assert_eq!(result["result"]["scope"], "session", "{result}");
    let mut state = |name: &str| {
        let path = session.sandbox.path(name);
        let args = json!({ "path": path, "old_str": "one", "new_str": "two" });
        session.tool("edit_file", &args)["review"]["state"].clone()
    };
    assert_eq!((state("a.txt"), state("b.txt")), (json!("applied"), json!("pending")));
    let result = session.tool("ask_for_permissions", &args);
    assert_eq!(result["result"]["granted"], true, "it is remembered: {result}");
}

#[test]
fn a_plan_that_is_open_keeps_what_the_user_typed() {
    let mut session = start();
    let steps = json!([{ "description": "first" }, { "description": "second" }]);
    let result = session.tool("markdown_plan", &json!({ "title": "T", "steps": steps }));
    assert_eq!(result["status"], "done", "{result}");
    let name = ".agent-air/plans/plan-001.md";
    let uri = session.open(name);
    session.client.replace(&uri, "second", "second, and mine");
    let args = json!({ "plan_id": "plan-001", "step": 1, "status": "completed" });
    let result = session.tool("update_plan_step", &args);
    assert_eq!(result["result"], "Step 1 updated to completed: first", "{result}");
    let text = session.client.text(&uri).to_owned();
    assert!(text.ends_with("1. [x] first\n2. [ ] second, and mine\n"), "{text}");
    session.assert_in_sync(&uri);
    let read = session.tool("read_plan", &json!({ "plan_id": "plan-001" }));
    assert_eq!(read["result"], text);
}

/// Each process takes an id of its own, and no mark is lost.
#[test]
fn plans_are_written_by_several_processes_at_once() {
    const PROCESSES: usize = 6;
    let sandbox = Sandbox::new();
    let steps: Vec<Value> = (0..PROCESSES).map(|_| json!({ "description": "s" })).collect();
    let plan = json!({ "title": "T", "steps": steps });
    let all = |name: &'static str, args: &(dyn Fn(usize) -> Value + Sync)| {
        std::thread::scope(|scope| {
            let run = |n| {
                let sandbox = &sandbox;
                scope.spawn(move || super::cli::tool(sandbox, name, &[], &args(n)))
            };
            let running: Vec<_> = (0..PROCESSES).map(run).collect();
            for run in running {
                let (code, result) = run.join().unwrap();
                assert_eq!(code, 0, "{result}");
            }
        });
    };
    all("markdown_plan", &|_| plan.clone());
    all(
        "update_plan_step",
        &|n| json!({ "plan_id": "plan-001", "step": n + 1, "status": "completed" }),
    );
    let name = |n| format!(".agent-air/plans/plan-{n:03}.md");
    assert_eq!(sandbox.disk(&name(1)).matches("[x]").count(), PROCESSES);
    assert!(
        sandbox.path(&name(PROCESSES)).exists() && !sandbox.path(&name(PROCESSES + 1)).exists()
    );
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let sandbox = Sandbox::new();
    for flags in [&[][..], &["--yes"]] {
        let (code, result) = super::cli::tool(&sandbox, "ask_user_questions", flags, &questions());
        let message = result["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(code, 1, "{result}");
        assert!(message.contains("nobody is at a terminal"), "{result}");
    }
}
