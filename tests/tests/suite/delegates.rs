//! Programs that decide (seed 004, `delegate --to PROGRAM`).

use std::{path::Path, process::Command};

use redline_tests::{Options, Sandbox, Script, Session};
use serde_json::{Value, json};

/// Decides by what the call says; writes down what it gets.
const DECIDE: &str = r#"
call=$(cat)
echo "$AMP_THREAD_ID $AGENT_TOOL_NAME $AGENT $PWD $call" >> "$0.log"
case $call in
*yes*) exit 0 ;;
*never*) echo "never on a Friday" >&2; exit 2 ;;
*) echo "who knows" >&2; exit 1 ;;
esac"#;

/// An executable beside the workspace. Written by a process of its own: one that this process has
/// open cannot be executed, and neither while a process that another test starts has it.
fn program(sandbox: &Sandbox, name: &str, script: &str) -> String {
    let path = sandbox.outside(name).display().to_string();
    let write = r#"printf '#!/bin/sh\n%s\n' "$2" > "$1"; chmod 755 "$1""#;
    let wrote = Command::new("sh").args(["-c", write, "sh", &path, script]).status();
    assert!(wrote.expect("sh").success());
    path
}

fn delegate(tool: &str, to: &str) -> Value {
    json!({ "tool": tool, "action": "delegate", "to": to })
}

/// The server with that folder on its PATH.
fn start(sandbox: &Sandbox, rules: &[Value], script: Script) -> Session {
    sandbox.write("a.txt", "one\n");
    sandbox.configure(&json!({ "redline.permissions": rules }));
    let options = Options::default().script(script);
    let settings = json!({ "provider": "script", "script": sandbox.script(&options.script) });
    let mut command = sandbox.command(&["lsp"]);
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", sandbox.outside("").display()));
    Session::start_command(sandbox.clone(), command, options, &settings)
}

fn bash<'a>(id: &'a str, cmd: &str) -> (&'a str, &'a str, Value) {
    (id, "Bash", json!({ "cmd": cmd }))
}

#[test]
fn a_program_on_the_path_allows_asks_and_rejects() {
    let sandbox = Sandbox::new();
    let decide = program(&sandbox, "decide", DECIDE);
    let script = Script::new()
        .call(&[bash("c1", "touch yes.txt")])
        .call(&[bash("c2", "touch never.txt")])
        .call(&[bash("c3", "touch perhaps.txt")])
        .say("Done.");
    let mut session = start(&sandbox, &[delegate("Bash", "decide")], script);
    let turn = session.begin_prompt("go");
    let ask = session.client.next_ask();
    assert_eq!(ask.params["args"]["cmd"], "touch perhaps.txt");
    let reason = &ask.params["reason"];
    assert_eq!(
        (&reason["action"], &reason["rule"]),
        (&json!("ask"), &json!("delegate --to decide Bash"))
    );
    let text = reason["text"].as_str().unwrap();
    assert!(
        text.starts_with(
            "Asks because the program `decide` leaves it to you and says: who knows; "
        )
    );
    let options: Vec<&Value> =
        ask.params["options"].as_array().unwrap().iter().map(|option| &option["id"]).collect();
    assert_eq!(options, ["once", "reject"], "the program would be asked again");
    session.client.answer(&ask, &json!({ "option": "once" }));
    let end = session.turn_end(&turn);
    assert_eq!(end["reason"], "done", "{end}");
    assert!(
        session.sandbox.path("yes.txt").exists() && session.sandbox.path("perhaps.txt").exists()
    );
    assert!(!session.sandbox.path("never.txt").exists());
    let (told, is_error) = session.tool_result("c2");
    assert!(is_error && told.contains("never on a Friday") && told.contains("`decide`"), "{told}");

    let log = std::fs::read_to_string(format!("{decide}.log")).unwrap();
    let workspace = session.sandbox.workspace();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 3, "once for each call: {log}");
    // As it will be run: with its directory.
    let args = json!({ "cmd": "touch yes.txt", "cwd": workspace });
    let want = format!("Bash amp {} {args}", workspace.display());
    let (thread, rest) = lines[0].split_once(' ').unwrap();
    assert_eq!(rest, want);
    assert!(!thread.is_empty() && lines[2].starts_with(thread), "{log}");
}

#[test]
fn a_program_that_is_not_there_asks_and_says_so() {
    let sandbox = Sandbox::new();
    let mut session = start(&sandbox, &[delegate("Bash", "no-such-helper")], Script::new());
    let params = json!({ "name": "Bash", "args": { "cmd": "touch ran.txt" } });
    let call = session.client.begin("redline/tool", &params);
    let ask = session.client.next_ask();
    let text = ask.params["reason"]["text"].as_str().unwrap();
    assert!(
        text.starts_with("Asks because the program `no-such-helper` is not on $PATH"),
        "{text}"
    );
    session.client.answer(&ask, &json!({ "option": "reject" }));
    assert_eq!(session.client.finish(call).unwrap()["status"], "rejected-by-user");
    assert!(!session.sandbox.path("ran.txt").exists());
}

#[test]
fn an_edit_that_a_program_allows_is_applied() {
    let sandbox = Sandbox::new();
    let decide = program(&sandbox, "decide", DECIDE);
    let mut session = start(&sandbox, &[delegate("edit_file", &decide)], Script::new());
    for (new, state) in [("yes", "applied"), ("perhaps", "pending")] {
        let path = session.sandbox.path("a.txt");
        let args = json!({ "path": path, "old_str": "one\n", "new_str": format!("one\n{new}\n") });
        let result = session.tool("edit_file", &args);
        assert_eq!(result["review"]["state"], state, "{result}");
    }
    assert!(session.client.asks.is_empty(), "a hunk is question enough");
    let path = session.sandbox.path("a.txt");
    let args = json!({ "path": path, "old_str": "one", "new_str": "never" });
    let result = session.tool("edit_file", &args);
    assert_eq!(result["comment"], "never on a Friday", "{result}");
}

#[test]
fn a_cancel_ends_a_program_that_does_not_answer() {
    let sandbox = Sandbox::new();
    let slow = program(&sandbox, "slow", "echo $$ > \"$0.pid\"; exec sleep 600");
    let script = Script::new().call(&[bash("c1", "touch ran.txt")]).say("unreached");
    let mut session = start(&sandbox, &[delegate("Bash", &slow)], script);
    let turn = session.begin_prompt("go");
    let pid = session.client.poll("the program", |_| {
        let text = std::fs::read_to_string(format!("{slow}.pid")).ok()?;
        text.strip_suffix('\n').map(str::to_owned)
    });
    let thread = session.thread.clone();
    session.client.call("redline/cancel", &json!({ "threadId": thread }));
    let end = session.turn_end(&turn);
    assert_eq!(end["reason"], "cancelled", "{end}");
    session.client.poll("its end", |_| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let runs = stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'));
        (!runs).then_some(())
    });
    assert!(!session.sandbox.path("ran.txt").exists());
}

/// A repository may not start programs: its delegate is an ask.
#[test]
fn a_repositorys_program_is_not_run() {
    let sandbox = Sandbox::new();
    let decide = program(&sandbox, "decide", DECIDE);
    let rules = json!({ "redline.permissions": [delegate("Bash", &decide)] });
    sandbox.write(".redline/settings.json", rules.to_string());
    let allow = json!({ "tool": "Bash", "action": "allow" });
    let mut session = start(&sandbox, &[allow], Script::new());
    let params = json!({ "name": "Bash", "args": { "cmd": "touch yes.txt" } });
    let call = session.client.begin("redline/tool", &params);
    let mut ask = session.client.next_ask();
    if ask.method != "redline/permission" {
        session.client.answer(&ask, &Value::Null);
        ask = session.client.next_ask();
    }
    session.client.answer(&ask, &json!({ "option": "reject" }));
    session.client.finish(call).unwrap();
    assert!(!Path::new(&format!("{decide}.log")).exists());
}

#[test]
fn nobodys_yes_overrules_a_program() {
    let sandbox = Sandbox::new();
    let decide = program(&sandbox, "decide", DECIDE);
    sandbox.configure(&json!({ "redline.permissions": [delegate("Bash", &decide)] }));
    for (cmd, code) in [("touch never.txt", 2), ("touch yes.txt", 0), ("touch perhaps.txt", 0)] {
        let arguments = ["tools", "use", "Bash", "--yes", "--json", "--cmd", cmd];
        let output = sandbox.command(&arguments).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(code), "{cmd}: {said}");
    }
    assert!(!sandbox.path("never.txt").exists() && sandbox.path("perhaps.txt").exists());
}
