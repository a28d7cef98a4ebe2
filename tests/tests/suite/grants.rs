//! Grants for the session, a folder and everywhere; settings that change while the server runs.

use redline_tests::{Ask, Options, Sandbox, Session};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Output;

const COMMAND: &str = "echo ran >> ran.txt && cat ran.txt";

fn start() -> Session {
    Session::with_files(&[("a.txt", "one\n")])
}

fn config(sandbox: &Sandbox, name: &str) -> PathBuf {
    sandbox.home().parent().expect("the sandbox").join("config").join(name)
}

/// Begins a call of the command.
fn begin(session: &mut Session) -> u64 {
    let params = json!({ "name": "Bash", "args": { "cmd": COMMAND } });
    session.client.begin("redline/tool", &params)
}

fn status(session: &mut Session, call: u64) -> String {
    let result = session.client.finish(call).expect("a result");
    result["status"].as_str().expect("a status").to_owned()
}

/// Calls and answers the ask.
fn answered(session: &mut Session, answer: &Value) -> String {
    let call = begin(session);
    let ask = session.client.next_ask();
    session.client.answer(&ask, answer);
    status(session, call)
}

/// Whether the command is asked now; the ask is rejected.
fn is_asked(session: &mut Session) -> bool {
    let call = begin(session);
    let ask = session.client.wait("an ask or a result", |client| match client.asks.first() {
        Some(ask) => Some(Some(ask.clone())),
        None => client.answered(call).then_some(None),
    });
    if let Some(ask) = &ask {
        session.client.answer(ask, &json!({ "option": "reject" }));
    }
    let status = status(session, call);
    assert_eq!(status, if ask.is_some() { "rejected-by-user" } else { "done" });
    ask.is_some()
}

fn command(session: &mut Session, name: &str, arguments: &Value) -> Value {
    session.command(name, arguments)
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } = sandbox.command(arguments).output().expect("output");
    let text = [stdout, stderr].concat();
    (status.code().expect("a code"), String::from_utf8(text).expect("UTF-8"))
}

fn covers(ask: &Ask, id: &str) -> String {
    let options = ask.params["options"].as_array().expect("options");
    let option = options.iter().find(|option| option["id"] == id).expect("the option");
    option["covers"].as_str().expect("rules").to_owned()
}

#[test]
fn each_always_shows_the_rule_that_it_would_save() {
    let mut session = start();
    let call = begin(&mut session);
    let ask = session.client.next_ask();
    let options = ask.params["options"].as_array().expect("options").iter();
    let ids: Vec<&str> = options.map(|option| option["id"].as_str().expect("an id")).collect();
    assert_eq!(ids, ["once", "session", "folder", "always", "reject"]);
    for id in ["session", "folder", "always"] {
        assert!(covers(&ask, id).starts_with("allow Bash --cmd"), "{:#}", ask.params);
    }
    session.client.answer(&ask, &json!({ "option": "reject" }));
    assert_eq!(status(&mut session, call), "rejected-by-user");
    assert!(!config(&session.sandbox, "grants.json").exists());
}

#[test]
fn always_in_this_folder_survives_a_restart_and_counts_in_no_other() {
    let mut session = start();
    assert_eq!(answered(&mut session, &json!({ "option": "folder" })), "done");
    let text = std::fs::read_to_string(config(&session.sandbox, "grants.json")).expect("saved");
    let saved: Value = serde_json::from_str(&text).expect("JSON");
    let workspace = session.sandbox.workspace();
    assert_eq!(saved[0]["folder"], json!(workspace.to_str().unwrap()));
    assert!(!is_asked(&mut session));
    let mut session = session.restart();
    assert!(!is_asked(&mut session));
    // The same server with another folder.
    let other = Sandbox::new();
    std::fs::copy(config(&session.sandbox, "grants.json"), config(&other, "grants.json")).unwrap();
    let mut elsewhere = Session::start_in(other, Options::default());
    assert!(is_asked(&mut elsewhere));
    // The command line goes by it, too, and says so.
    let args = ["tools", "use", "Bash", "--cmd", COMMAND, "--json"];
    assert_eq!(run(&session.sandbox, &args).0, 0);
    assert_eq!(run(&elsewhere.sandbox, &args).0, 2);
}

#[test]
fn always_everywhere_counts_everywhere() {
    let mut session = start();
    assert_eq!(
        answered(
            &mut session,
            &json!({ "option": "always", "rule": "allow Bash --cmd 'echo *'\nallow Bash --cmd 'cat *'" })
        ),
        "done"
    );
    let other = Sandbox::new();
    std::fs::copy(config(&session.sandbox, "grants.json"), config(&other, "grants.json")).unwrap();
    let text = std::fs::read_to_string(config(&other, "grants.json")).unwrap();
    assert!(!text.contains("folder"), "{text}");
    let mut elsewhere = Session::start_in(other, Options::default());
    let call = elsewhere.tool("Bash", &json!({ "cmd": "cat a.txt; echo b" }));
    assert_eq!(call["status"], "done", "{call}");
}

#[test]
fn a_rule_that_is_none_is_asked_again() {
    let mut session = start();
    let call = begin(&mut session);
    let first = session.client.next_ask();
    assert!(first.params.get("note").is_none());
    session.client.answer(&first, &json!({ "option": "always", "rule": "allow Bash --cmd 'echo" }));
    let again = session.client.next_ask();
    assert_ne!(again.params["askId"], first.params["askId"]);
    let note = again.params["note"].as_str().expect("a note");
    assert!(note.contains("line 1, column 18"), "{note}");
    session.client.answer(&again, &json!({ "option": "session", "rule": "reject Bash" }));
    let again = session.client.next_ask();
    assert!(again.params["note"].as_str().unwrap().contains("`reject`"), "{:#}", again.params);
    // Late: nobody waits for this one any more.
    session.client.answer(&first, &json!({ "option": "always" }));
    session.client.answer(&again, &json!({ "option": "session" }));
    assert_eq!(status(&mut session, call), "done");
    assert!(!config(&session.sandbox, "grants.json").exists());
    assert!(!is_asked(&mut session));
}

#[test]
fn a_rule_that_misses_the_call_runs_it_once_and_says_so() {
    let mut session = start();
    let answer = json!({ "option": "session", "rule": "allow Bash --cmd 'make all'" });
    assert_eq!(answered(&mut session, &answer), "done");
    let said = session.client.wait("a word about it", |client| {
        client.take_messages().into_iter().find(|text| text.contains("does not cover"))
    });
    assert!(said.contains("is asked again"), "{said}");
    assert!(is_asked(&mut session));
}

#[test]
fn grants_are_listed_and_taken_back_by_commands() {
    let mut session = start();
    answered(&mut session, &json!({ "option": "session" }));
    let listed = command(&mut session, "redline.grants", &json!([]));
    assert_eq!(listed["saved"], json!([]));
    let rule = listed["session"][0]["rule"].clone();
    assert_eq!(command(&mut session, "redline.revoke", &json!([rule])), json!({ "revoked": 1 }));
    assert!(is_asked(&mut session));
    answered(&mut session, &json!({ "option": "folder" }));
    let listed = command(&mut session, "redline.grants", &json!([]));
    assert_eq!(listed["session"], json!([]));
    // In the folder it is for any directory.
    let session_rule = rule.as_str().expect("a rule").to_owned();
    let rule = listed["saved"][0]["rule"].clone();
    assert_eq!(listed["saved"][0]["number"], json!(1));
    let saved = rule.as_str().expect("a rule");
    assert!(session_rule.starts_with(saved) && !saved.contains("--cwd"), "{saved}");
    command(&mut session, "redline.revoke", &json!([rule]));
    assert!(is_asked(&mut session));
    for (arguments, want) in [
        (json!([rule]), "there is no such grant"),
        (json!(["allow"]), "line 1"),
        (json!([]), "missing: the rule"),
        (json!([5]), "expected the rule as a string"),
    ] {
        let params = json!({ "command": "redline.revoke", "arguments": arguments });
        let (_, why) = session.client.refused("workspace/executeCommand", &params);
        assert!(why.contains(want), "{why}");
    }
}

#[test]
fn a_grant_that_is_revoked_while_the_server_runs_is_asked_again() {
    let mut session = start();
    answered(&mut session, &json!({ "option": "folder" }));
    assert!(!is_asked(&mut session));
    let (code, listed) = run(&session.sandbox, &["permissions", "grants"]);
    assert!(
        code == 0 && listed.contains("  1  allow Bash") && listed.contains("(in /"),
        "{listed}"
    );
    let (_, line) = run(&session.sandbox, &["permissions", "grants", "--json"]);
    let list: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(list[0]["number"], 1);
    let (code, said) = run(&session.sandbox, &["permissions", "grants", "revoke", "1"]);
    assert!(code == 0 && said.starts_with("Revoked: allow Bash"), "{said}");
    assert!(is_asked(&mut session));
    assert_eq!(run(&session.sandbox, &["permissions", "grants", "revoke", "1"]).0, 1);
    assert_ne!(run(&session.sandbox, &["permissions", "grants", "revoke"]).0, 0);
}

#[test]
fn a_damaged_list_grants_nothing_and_is_left_alone() {
    let sandbox = Sandbox::new();
    let file = config(&sandbox, "grants.json");
    std::fs::write(&file, "[{\"rule\": \"allow Bash\"}]").unwrap();
    let mut session = Session::start_in(sandbox, Options::default());
    let told = session.client.take_messages_when("grants.json");
    assert!(told.contains("entry 1: missing field `savedAt`"), "{told}");
    assert!(is_asked(&mut session));
    // It cannot be saved there: it counts for the session, and the user is told.
    assert_eq!(answered(&mut session, &json!({ "option": "always" })), "done");
    let told = session.client.take_messages_when("could not be saved");
    assert!(told.contains("counts until Redline ends"), "{told}");
    assert!(!is_asked(&mut session));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "[{\"rule\": \"allow Bash\"}]");
    let (code, said) = run(&session.sandbox, &["permissions", "grants"]);
    assert!(code == 1 && said.contains("entry 1"), "{said}");
}

#[test]
fn settings_that_change_while_the_server_runs_judge_the_next_call() {
    let mut session = start();
    assert!(is_asked(&mut session));
    let rule =
        |action: &str| json!({ "redline.permissions": [{ "tool": "Bash", "action": action }] });
    session.sandbox.configure(&rule("allow"));
    assert!(!is_asked(&mut session));
    session.sandbox.configure(&rule("reject"));
    let call = begin(&mut session);
    assert_eq!(status(&mut session, call), "rejected-by-user");
    assert!(session.client.asks.is_empty());
    // Broken: what was in force stays so, and the user is told once.
    std::fs::write(config(&session.sandbox, "settings.json"), "{\n  \"redline.permissions\": [}")
        .unwrap();
    for _ in 0..2 {
        let call = begin(&mut session);
        assert_eq!(status(&mut session, call), "rejected-by-user");
    }
    let told = session.client.take_messages();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("settings.json:2:"), "{told:?}");
    session.sandbox.configure(&json!({}));
    assert!(is_asked(&mut session));
    // A repository's file tightens at once.
    session.sandbox.configure(&rule("allow"));
    assert!(!is_asked(&mut session));
    session.sandbox.write(
        ".redline/settings.json",
        r#"{"redline.permissions": [{"tool": "Bash", "action": "ask"}]}"#,
    );
    assert!(is_asked(&mut session));
}

#[test]
fn an_open_ask_is_judged_by_the_rules_of_the_moment_it_is_answered() {
    let mut session = start();
    let call = begin(&mut session);
    let ask = session.client.next_ask();
    let reject = json!({ "redline.permissions": [{ "tool": "Bash", "action": "reject" }] });
    session.sandbox.configure(&reject);
    session.client.answer(&ask, &json!({ "option": "once" }));
    assert_eq!(status(&mut session, call), "rejected-by-user");
    assert!(!session.sandbox.path("ran.txt").exists());
}

#[test]
fn the_editors_settings_put_rules_in_force() {
    let mut session = start();
    answered(&mut session, &json!({ "option": "session" }));
    for (action, want) in [("reject", "rejected-by-user"), ("ask", "done")] {
        let rules = json!([{ "tool": "Bash", "action": action }]);
        let settings = json!({ "settings": { "redline": { "permissions": rules } } });
        session.client.notify("workspace/didChangeConfiguration", &settings);
        let call = begin(&mut session);
        assert_eq!(status(&mut session, call), want, "grants for the session stay");
    }
}

#[test]
fn a_grant_for_a_command_is_none_for_the_same_in_the_background() {
    let mut session = start();
    let args = |behind: bool| {
        let cwd = "/";
        json!({ "command": "sleep 0.01; true", "run_in_background": behind, "working_dir": cwd })
    };
    let begin = |session: &mut Session, behind: bool| {
        let params = json!({ "name": "bash", "args": args(behind), "dialect": "agent-air" });
        session.client.begin("redline/tool", &params)
    };
    let call = begin(&mut session, false);
    let ask = session.client.next_ask();
    session.client.answer(&ask, &json!({ "option": "session" }));
    assert_eq!(status(&mut session, call), "done");
    let call = begin(&mut session, false);
    assert_eq!(status(&mut session, call), "done");
    let call = begin(&mut session, true);
    let ask = session.client.next_ask();
    assert!(covers(&ask, "session").contains("--run_in_background true"), "{:#}", ask.params);
    session.client.answer(&ask, &json!({ "option": "reject" }));
    status(&mut session, call);
}

#[test]
fn no_rule_that_is_wide_lets_an_agent_grant_itself_something() {
    let rules = json!([
        { "tool": "create_file", "action": "allow" },
        { "tool": "Bash", "action": "allow", "matches": { "cmd": "cp *" } },
    ]);
    let settings = json!({ "redline.permissions": rules });
    let options = Options { settings, ..Options::default() };
    let mut session = Session::with(&[("a.txt", "[]\n")], options);
    let file = config(&session.sandbox, "grants.json");
    let path = file.to_str().expect("text");
    for (name, args) in [
        ("create_file", json!({ "path": path, "content": "[]" })),
        ("Bash", json!({ "cmd": format!("cp a.txt {path}") })),
    ] {
        let call = session.client.begin("redline/tool", &json!({ "name": name, "args": args }));
        let ask = session.client.next_ask();
        let options = ask.params["options"].as_array().expect("options").iter();
        let ids: Vec<&str> = options.map(|option| option["id"].as_str().expect("an id")).collect();
        assert_eq!(ids, ["once", "reject"], "{:#}", ask.params);
        session.client.answer(&ask, &json!({ "option": "reject" }));
        assert_eq!(status(&mut session, call), "rejected-by-user");
        assert!(!file.exists());
    }
}

fn edit_settings(session: &mut Session, section: &Value) {
    let settings = json!({ "settings": { "redline": section } });
    session.client.notify("workspace/didChangeConfiguration", &settings);
}

#[test]
fn a_typing_error_in_the_editors_settings_takes_no_rule_away() {
    let mut session = start();
    // The client has said its settings once by then.
    assert!(is_asked(&mut session));
    let rejects = json!([{ "tool": "Bash", "action": "reject" }]);
    edit_settings(&mut session, &json!({ "permissions": rejects }));
    let broken = [
        json!({ "permissions": [{ "tool": "Bash", "action": "rejec" }] }),
        json!({ "permisions": rejects }),
    ];
    for section in broken {
        edit_settings(&mut session, &section);
        let call = begin(&mut session);
        assert_eq!(status(&mut session, call), "rejected-by-user", "{section}");
        session.client.take_messages_when("What it said before stays in force.");
    }
    edit_settings(&mut session, &json!({}));
    assert!(is_asked(&mut session));
    // Amp's key, as VS Code sends it.
    edit_settings(&mut session, &json!({ "amp.permissions": rejects }));
    let call = begin(&mut session);
    assert_eq!(status(&mut session, call), "rejected-by-user");
}

#[test]
fn a_users_file_that_is_broken_at_the_start_leaves_no_grant_in_force() {
    let mut session = start();
    answered(&mut session, &json!({ "option": "always" }));
    assert!(!is_asked(&mut session));
    let file = config(&session.sandbox, "settings.json");
    std::fs::write(&file, "{\n  oops\n}").expect("settings");
    let mut session = session.restart();
    let said = session.client.take_messages_when("settings.json:2:3: ");
    assert!(said.contains("no saved grant"), "{said}");
    let call = begin(&mut session);
    let ask = session.client.next_ask();
    assert!(ask.params["reason"].to_string().contains("settings.json, which cannot be used"));
    session.client.answer(&ask, &json!({ "option": "reject" }));
    assert_eq!(status(&mut session, call), "rejected-by-user");
    let path = session.sandbox.path("a.txt");
    let read = session.tool("Read", &json!({ "path": path }));
    assert_eq!(read["status"], "done", "{read}");
    // Without a restart.
    std::fs::write(&file, "{}").expect("settings");
    assert!(!is_asked(&mut session));
}
