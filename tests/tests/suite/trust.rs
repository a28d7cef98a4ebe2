//! Trust in a folder: its own rules count once the user trusts them, until they change.

use redline_tests::plain::Plain;
use redline_tests::{Ask, Options, Sandbox, Session};
use serde_json::{Value, json};
use std::path::PathBuf;

const FILE: &str = ".redline/settings.json";
const RULES: &str = r#"{
  "redline.model": "theirs",
  "redline.permissions": [
    {"tool": "Bash", "action": "allow", "matches": {"cmd": "touch *"}},
    {"tool": "Read", "action": "ask", "matches": {"path": "*.key"}}
  ]
}"#;

fn options(settings: Value) -> Options {
    let mut options = Options { settings, ..Options::default() };
    options.redline["trust"] = json!(true);
    options
}

fn start() -> Session {
    Session::with(&[(FILE, RULES), ("a.key", "x\n")], options(json!({})))
}

fn list(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().parent().expect("the sandbox").join("config/trust.json")
}

fn next(session: &mut Session) -> Ask {
    let ask = session.client.next_ask();
    assert_eq!(ask.method, "redline/trust", "{:#}", ask.params);
    ask
}

fn trusts(session: &mut Session, ask: &Ask, trust: bool) {
    session.client.answer(ask, &json!({ "trust": trust }));
}

/// Waits until trust was kept.
fn kept(session: &mut Session) {
    let list = list(&session.sandbox);
    session.client.poll("trust.json", |_| list.exists().then_some(()));
}

/// Whether `touch` runs without an ask of that call; an ask is rejected.
fn runs(session: &mut Session) -> bool {
    let params = json!({ "name": "Bash", "args": { "cmd": "touch b.txt" } });
    let call = session.client.begin("redline/tool", &params);
    let ask = session.client.wait("an ask or a result", |client| {
        let ask = client.asks.iter().find(|ask| ask.method == "redline/permission").cloned();
        match ask {
            Some(ask) => Some(Some(ask)),
            None => client.answered(call).then_some(None),
        }
    });
    if let Some(ask) = &ask {
        session.client.answer(ask, &json!({ "option": "reject" }));
    }
    let result = session.client.finish(call).expect("a result");
    assert_eq!(result["status"] == "done", ask.is_none(), "{result}");
    ask.is_none()
}

fn withdrawn(session: &mut Session, ask: &Ask) {
    let id = ask.params["trustId"].clone();
    session.client.wait("the withdrawal", |client| {
        let mut all = client.notified("redline/permissionWithdrawn");
        all.find(|params| params["askId"] == id).map(|_| ())
    });
    session.client.asks.retain(|open| open.id != ask.id);
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> (i32, String) {
    let output = sandbox.command(arguments).output().expect("output");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().expect("a code"), String::from_utf8(text).expect("UTF-8"))
}

#[test]
fn the_question_shows_all_that_would_count() {
    let mut session = start();
    let ask = next(&mut session);
    let workspace = session.sandbox.workspace();
    assert_eq!(ask.params["folder"], json!(workspace.to_str().unwrap()));
    assert_eq!((&ask.params["files"], &ask.params["changed"]), (&json!([FILE]), &json!(false)));
    let text = ask.params["text"].as_str().expect("a text");
    for part in [
        ".redline/settings.json:2: redline.model = \"theirs\"",
        ".redline/settings.json:4: allow Bash --cmd 'touch *'",
        "until a file changes",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("*.key"), "what counts anyway is no question: {text}");
    // Nothing waits for the answer.
    assert!(!runs(&mut session));
    trusts(&mut session, &ask, false);
    assert!(!runs(&mut session));
    assert!(session.client.asks.is_empty(), "once a session");
    assert!(!list(&session.sandbox).exists());
    // The next session asks again.
    let mut session = session.restart();
    next(&mut session);
}

#[test]
fn trusted_rules_count_until_the_file_changes() {
    let mut session = start();
    let ask = next(&mut session);
    trusts(&mut session, &ask, true);
    kept(&mut session);
    assert!(runs(&mut session));
    let status = session.client.call("redline/status", &json!({}));
    assert_eq!(status["model"], "theirs", "{status}");
    let mut session = session.restart();
    assert!(runs(&mut session));
    assert!(session.client.asks.is_empty());
    session.sandbox.write(FILE, RULES.replace("touch *", "*"));
    assert!(!runs(&mut session), "it is no longer trusted");
    let ask = next(&mut session);
    assert_eq!(ask.params["changed"], true);
    assert!(ask.params["text"].as_str().unwrap().contains("allow Bash --cmd '*'"));
    // As it was: trusted, and the question has no point any more.
    session.sandbox.write(FILE, RULES);
    assert!(runs(&mut session));
    withdrawn(&mut session, &ask);
}

#[test]
fn an_answer_counts_for_what_was_shown_only() {
    let mut session = start();
    let ask = next(&mut session);
    session.sandbox.write(FILE, RULES.replace("touch *", "*"));
    trusts(&mut session, &ask, true);
    let again = next(&mut session);
    assert_ne!(again.params["trustId"], ask.params["trustId"]);
    assert!(again.params["text"].as_str().unwrap().contains("--cmd '*'"), "{:#}", again.params);
    assert!(!list(&session.sandbox).exists());
    assert!(!runs(&mut session));
    let told = session.client.take_messages();
    assert!(told.iter().all(|text| text.contains("changed while you were asked")), "{told:?}");
}

#[test]
fn what_is_no_answer_trusts_nothing() {
    for odd in [json!(null), json!(true), json!({ "trust": "yes" }), json!({})] {
        let mut session = start();
        let ask = next(&mut session);
        session.client.answer(&ask, &odd);
        assert!(!runs(&mut session), "{odd}");
        assert!(!list(&session.sandbox).exists(), "{odd}");
    }
}

#[test]
fn an_editor_that_does_not_trust_the_folder_has_the_first_word() {
    let mut session =
        Session::with(&[(FILE, RULES), ("a.key", "x\n")], options(json!({ "trusted": false })));
    assert!(!runs(&mut session));
    assert!(session.client.asks.is_empty(), "no question: {:?}", session.client.asks);
    // What is trusted on the command line counts in no restricted editor.
    assert_eq!(run(&session.sandbox, &["trust", "--yes"]).0, 0);
    assert!(!runs(&mut session));
    let settings = json!({ "settings": { "redline": { "trusted": true } } });
    session.client.notify("workspace/didChangeConfiguration", &settings);
    assert!(runs(&mut session));
    let settings = json!({ "settings": { "redline": { "trusted": false } } });
    session.client.notify("workspace/didChangeConfiguration", &settings);
    assert!(!runs(&mut session));
}

#[test]
fn the_command_line_asks_lists_and_takes_back() {
    let mut session = start();
    let ask = next(&mut session);
    let (code, said) = run(&session.sandbox, &["trust"]);
    assert!(
        code == 1 && said.contains("allow Bash --cmd 'touch *'") && said.contains("--yes"),
        "{said}"
    );
    assert!(run(&session.sandbox, &["trust", "--list"]).1.contains("You trust no folder"));
    assert_eq!(run(&session.sandbox, &["trust", "--yes"]).0, 0);
    assert!(runs(&mut session), "a running server goes by it");
    withdrawn(&mut session, &ask);
    let (code, said) = run(&session.sandbox, &["trust"]);
    assert!(code == 0 && said.contains("is trusted"), "{said}");
    assert!(run(&session.sandbox, &["trust", "--list"]).1.contains("/workspace  (since "));
    let args = ["tools", "use", "Bash", "--cmd", "touch c.txt", "--json"];
    assert_eq!(run(&session.sandbox, &args).0, 0);
    session.sandbox.write(FILE, RULES.replace("theirs", "others"));
    assert!(run(&session.sandbox, &["trust", "--list"]).1.contains("not trusted now"));
    let (code, said) = run(&session.sandbox, &args);
    assert!(code == 2 && said.contains("redline trust"), "{said}");
    session.sandbox.write(FILE, RULES);
    let (_, said) = run(&session.sandbox, &["trust", "--revoke"]);
    assert!(said.contains("is no longer trusted"), "{said}");
    assert!(!runs(&mut session));
    session.sandbox.write(FILE, "{");
    assert_eq!(run(&session.sandbox, &["trust", "--yes"]).0, 1);
    assert_eq!(run(&session.sandbox, &["trust", "missing"]).0, 1);
    session.client.take_messages();
}

#[test]
fn a_command_asks_once_more() {
    let mut session = start();
    let ask = next(&mut session);
    trusts(&mut session, &ask, false);
    assert_eq!(session.command("redline.trust", &json!([])), true);
    let ask = next(&mut session);
    trusts(&mut session, &ask, true);
    kept(&mut session);
    assert!(runs(&mut session));
    assert_eq!(session.command("redline.trust", &json!([])), false);
    let params = json!({ "command": "redline.trust", "arguments": ["/nowhere"] });
    let (_, why) = session.client.refused("workspace/executeCommand", &params);
    assert!(why.contains("is no folder of this workspace"), "{why}");
}

#[test]
fn an_editor_without_a_plugin_is_asked_in_a_message() {
    let sandbox = Sandbox::new();
    sandbox.write(FILE, RULES);
    let mut session = Session::start_in(sandbox, Plain::Helix.options());
    let ask = session.client.next_ask();
    assert_eq!(ask.method, "window/showMessageRequest");
    let titles: Vec<&Value> =
        ask.params["actions"].as_array().unwrap().iter().map(|action| &action["title"]).collect();
    assert_eq!(titles, ["Not now", "Trust"], "a stray Enter takes the first");
    assert!(ask.params["message"].as_str().unwrap().contains("allow Bash --cmd 'touch *'"));
    session.client.answer(&ask, &json!({ "title": "Trust" }));
    kept(&mut session);
    assert!(runs(&mut session));
}

/// A program that decides is trusted as it was read.
#[cfg(unix)]
#[test]
fn a_changed_delegate_is_not_trusted() {
    let rules =
        r#"{"redline.permissions": [{"tool": "Bash", "action": "delegate", "to": "./check"}]}"#;
    let sandbox = Sandbox::new();
    sandbox.write(FILE, rules);
    sandbox.write("check", "#!/bin/sh\nexit 0\n");
    let mut session = Session::start_in(sandbox, options(json!({})));
    let ask = next(&mut session);
    assert_eq!(ask.params["files"], json!([FILE, "check"]));
    trusts(&mut session, &ask, true);
    kept(&mut session);
    session.sandbox.write("check", "#!/bin/sh\nexit 0\n\n");
    assert!(!runs(&mut session));
    assert_eq!(next(&mut session).params["changed"], true);
}
