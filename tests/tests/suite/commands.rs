//! Commands over the wire: what is not on disk when one runs, and what ends with the server.

use redline_tests::session::strings;
use redline_tests::{Ask, Options, Sandbox, Session};
use serde_json::{Value, json};

const FILES: [(&str, &str); 2] = [("a.txt", "one\n"), ("b.txt", "two\n")];

/// A server whose user allows every command.
fn allowing() -> Session {
    let settings = json!({ "permissions": [{ "tool": "Bash", "action": "allow" }] });
    Session::with(&FILES, Options { settings, ..Options::default() })
}

/// Begins a command that copies both files.
fn begin(session: &mut Session) -> u64 {
    let args = json!({ "cmd": "cat a.txt b.txt > seen.txt" });
    session.client.begin("redline/tool", &json!({ "name": "Bash", "args": args }))
}

fn options(ask: &Ask) -> Vec<String> {
    let options = ask.params["options"].as_array().unwrap().iter();
    options.map(|option| option["id"].as_str().unwrap().to_owned()).collect()
}

fn finish(session: &mut Session, call: u64, option: &str) -> Value {
    let ask = session.client.next_ask();
    session.client.answer(&ask, &json!({ "option": option }));
    session.client.finish(call).expect("a result")
}

#[test]
fn a_command_that_a_rule_allows_asks_about_proposals() {
    let mut session = allowing();
    session.edit("a.txt", "one", "ONE");
    let call = begin(&mut session);
    let ask = session.client.next_ask();
    assert_eq!(strings(&ask.params["pending"]), ["a.txt"]);
    assert_eq!(options(&ask), ["acceptAndRun", "runWithout", "reject"]);
    assert!(ask.params["reason"]["text"].as_str().unwrap().contains("not on disk"), "{ask:?}");
    assert!(!session.sandbox.path("seen.txt").exists());
    let result = finish(&mut session, call, "acceptAndRun");
    assert_eq!(result["status"], "done", "{result}");
    assert_eq!(session.sandbox.disk("seen.txt"), "ONE\ntwo\n");
    assert!(!result["result"].as_str().unwrap().contains("Note:"), "{result}");
    let uri = session.uri("a.txt");
    assert!(session.listed(&uri).iter().all(|hunk| hunk["state"] == "accepted"));
}

#[test]
fn accept_and_run_brings_an_open_document_to_the_disk() {
    let mut session = allowing();
    let (a, b) = (session.open("a.txt"), session.open("b.txt"));
    session.edit("a.txt", "one", "ONE");
    session.client.replace(&b, "two", "typed");
    let call = begin(&mut session);
    let ask = session.client.next_ask();
    assert_eq!(options(&ask), ["acceptAndRun", "saveAndRun", "runWithout", "reject"]);
    assert_eq!(strings(&ask.params["unsaved"]), ["b.txt"]);
    let result = finish(&mut session, call, "acceptAndRun");
    assert_eq!(result["status"], "done", "{result}");
    assert_eq!(session.sandbox.disk("seen.txt"), "ONE\ntyped\n");
    assert_eq!(session.client.text(&a), "ONE\n");
}

#[test]
fn save_and_run_saves_and_leaves_proposals_waiting() {
    let mut session = allowing();
    let b = session.open("b.txt");
    session.edit("a.txt", "one", "ONE");
    session.client.replace(&b, "two", "typed");
    let call = begin(&mut session);
    let result = finish(&mut session, call, "saveAndRun");
    assert_eq!(session.sandbox.disk("seen.txt"), "one\ntyped\n", "{result}");
    let note = "Note: 1 file has proposals or unsaved text that this command did not see: a.txt";
    assert!(result["result"].as_str().unwrap().ends_with(note), "{result}");
    let uri = session.uri("a.txt");
    session.pending(&uri, 1);
}

#[test]
fn run_without_says_what_was_not_seen() {
    let mut session = allowing();
    session.edit("a.txt", "one", "ONE");
    let call = begin(&mut session);
    let result = finish(&mut session, call, "runWithout");
    assert_eq!(session.sandbox.disk("seen.txt"), "one\ntwo\n");
    assert!(result["result"].as_str().unwrap().contains("did not see: a.txt"), "{result}");
    let call = begin(&mut session);
    let result = finish(&mut session, call, "reject");
    assert_eq!(result["status"], "rejected-by-user");
    let call = begin(&mut session);
    let result = finish(&mut session, call, "saveAndRun");
    assert_eq!(result["status"], "rejected-by-user", "what was not offered allows nothing");
    assert_eq!(session.sandbox.disk("a.txt"), "one\n");
}

#[test]
fn a_command_that_only_looks_is_not_asked_about() {
    let mut session = allowing();
    session.edit("a.txt", "one", "ONE");
    let result = session.tool("Bash", &json!({ "cmd": "cat a.txt && git status" }));
    assert!(result["result"].as_str().unwrap().contains("did not see: a.txt"), "{result}");
    assert!(session.client.asks.is_empty());
}

/// The programs that Check finds on the PATH.
#[test]
fn check_runs_the_projects_programs() {
    let sandbox = Sandbox::new();
    sandbox.write("Cargo.toml", "[package]\nname = \"x\"\n");
    sandbox.write("src/lib.rs", "a\nb\n");
    let message = json!({ "reason": "compiler-message", "message": {
        "level": "error", "message": "wrong", "code": { "code": "E0001" },
        "spans": [{ "file_name": "src/lib.rs", "line_start": 2, "column_start": 1, "is_primary": true }],
    }});
    let script = format!("#!/bin/sh\necho '{message}'\necho \"$*\" >> ran.txt\n[ $1 = test ]\n");
    let program = sandbox.write("bin/cargo", script);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).unwrap();
    let mut command = sandbox.command(&["tools", "use", "Check", "--json", "--yes"]);
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", sandbox.path("bin").display()));
    let output = command.output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let result = &result["result"];
    assert_eq!(
        result["summary"],
        "typecheck: 1 error, failed with exit code 1; lint: 1 error, failed with exit code 1; test: 1 error"
    );
    let found = json!([{ "file": "src/lib.rs", "line": 2, "column": 1, "severity": "error",
        "message": "wrong", "code": "E0001", "source": "typecheck" }]);
    assert_eq!(result["diagnostics"], found, "{result}");
    let ran = sandbox.disk("ran.txt");
    let ran: Vec<&str> = ran.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(ran, ["check", "clippy", "test"]);
}

/// Nobody is there to ask: what a rule allows runs without what is not on disk, and says so.
#[test]
fn without_a_user_an_allowed_command_runs_without_what_waits() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    let rules = json!([{ "tool": "Bash", "action": "allow", "matches": { "cmd": "cp *" } }]);
    sandbox.configure(&json!({ "redline.permissions": rules }));
    let run = |arguments: &[&str]| {
        let mut command = sandbox.command(&[&["tools", "use"], arguments].concat());
        let output = command.arg("--json").stdin(std::process::Stdio::null()).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let path = sandbox.path("a.txt").display().to_string();
    run(&["edit_file", "--path", &path, "--old_str", "one", "--new_str", "ONE"]);
    let result = run(&["Bash", "--cmd", "cp a.txt b.txt"]);
    assert_eq!(result["status"], "done", "{result}");
    assert!(result["result"].as_str().unwrap().contains("did not see: a.txt"), "{result}");
    assert_eq!(sandbox.disk("b.txt"), "one\n");
    let result = run(&["Bash", "--cmd", "touch c.txt"]);
    assert_eq!(result["status"], "rejected-by-user", "{result}");
}

/// A command without end, of a tool; the number of its process.
fn endless(session: &mut Session, file: &str, background: bool) -> u32 {
    // In a session of its own: its group is not the command's.
    let command = format!("setsid sh -c 'echo $$ > {file}; sleep 600' & wait");
    let args = json!({ "command": command, "run_in_background": background });
    let params = json!({ "name": "bash", "args": args, "threadId": file, "dialect": "agent-air" });
    session.client.begin("redline/tool", &params);
    let path = session.sandbox.path(file);
    super::bad_input::number_in(session, &path)
}

#[test]
fn what_runs_ends_with_a_server_that_is_killed() {
    let mut session = allowing();
    let pids = [endless(&mut session, "task.pid", true), endless(&mut session, "call.pid", false)];
    session.client.kill();
    pids.into_iter().for_each(super::bad_input::wait_until_gone);
}

#[test]
fn background_tasks_end_with_the_server() {
    let mut session = allowing();
    let pid = endless(&mut session, "task.pid", true);
    session.client.shut_down();
    super::bad_input::wait_until_gone(pid);
}

/// A gigabyte of output is read, and only its end is kept.
#[cfg(target_os = "linux")]
#[test]
fn much_output_takes_no_memory() {
    let mut session = allowing();
    let before = session.client.process.most_memory();
    let args = json!({ "cmd": "head -c 1000000000 /dev/zero" });
    let result = session.tool("Bash", &args);
    let shown = result["result"].as_str().unwrap();
    assert!(shown.ends_with("of 1000000000 bytes of output are shown."), "{}", shown.len());
    let after = session.client.process.most_memory();
    assert!(after < before + 100_000, "KB: {before} before, {after} at most");
}
