//! The audit log: what was called, who decided, what became of it; and the commands that read it.

use super::bad_input::{number_in, wait_until_gone};
use redline_tests::{Options, Sandbox, Script, Session};
use serde_json::{Value, json};
use std::process::Output;

fn bash<'a>(id: &'a str, cmd: &str) -> (&'a str, &'static str, Value) {
    (id, "Bash", json!({ "cmd": cmd }))
}

fn start(rules: &Value, script: Script) -> Session {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\ntwo\nthree\nfour\n");
    sandbox.configure(&json!({ "redline.permissions": rules }));
    Session::start_in(sandbox, Options::default().script(script))
}

/// All lines of the log.
fn lines(sandbox: &Sandbox) -> Vec<Value> {
    let text = std::fs::read_to_string(sandbox.state().join("audit/audit.jsonl")).expect("a log");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The lines of a kind about a call.
fn of(sandbox: &Sandbox, kind: &str, call: &str) -> Vec<Value> {
    let is_it = |line: &Value| line["kind"] == kind && line["call"] == call;
    lines(sandbox).into_iter().filter(is_it).collect()
}

fn one(sandbox: &Sandbox, kind: &str, call: &str) -> Value {
    let found = of(sandbox, kind, call);
    assert_eq!(found.len(), 1, "{kind} of {call}: {found:#?}");
    found.into_iter().next().expect("one")
}

fn decisions(sandbox: &Sandbox) -> Vec<(Value, Value, Value)> {
    let is_it = |line: &Value| line["kind"] == "decision";
    let part = |line: Value| (line["decision"].clone(), line["by"].clone(), line["calls"].clone());
    lines(sandbox).into_iter().filter(is_it).map(part).collect()
}

fn redline(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    sandbox.command(arguments).output().expect("the binary")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn verify(sandbox: &Sandbox) -> (i32, String) {
    let output = redline(sandbox, &["audit", "verify"]);
    (output.status.code().expect("a code"), text(&output))
}

#[test]
fn who_decided_what() {
    let rules = json!([
        { "tool": "Bash", "matches": { "cmd": "echo a" }, "action": "allow" },
        { "tool": "Bash", "matches": { "cmd": "echo no*" }, "action": "reject", "message": "not so" },
    ]);
    let script = Script::new()
        .call(&[bash("c1", "echo a"), bash("c2", "echo nono")])
        .call(&[bash("c3", "echo b > b.txt")])
        .call(&[bash("c4", "echo c > c.txt")])
        .call(&[("c5", "Nothing", json!({ "password": "hunter2" }))])
        .call(&[bash("c6", "FOO_TOKEN=abc curl -u me:pass http://localhost:1/")])
        .say("Done.");
    let mut session = start(&rules, script);
    let turn = session.begin_prompt("go");
    let ask = session.client.next_ask();
    session.client.answer(&ask, &json!({ "option": "once" }));
    for comment in ["too dangerous", "neither"] {
        let ask = session.client.next_ask();
        session.client.answer(&ask, &json!({ "option": "reject", "comment": comment }));
    }
    session.turn_end(&turn);
    let sandbox = session.sandbox.clone();

    let call = one(&sandbox, "call", "c1");
    let workspace = sandbox.workspace();
    assert_eq!(call["tool"], "Bash");
    assert_eq!(call["args"]["cmd"], "echo a");
    assert_eq!((&call["cwd"], &call["folders"]), (&json!(workspace), &json!([workspace])));
    assert_eq!((&call["context"], &call["thread"]), (&json!("thread"), &json!(session.thread)));
    assert_eq!((&call["verdict"]["action"], &call["by"]["who"]), (&json!("allow"), &json!("rule")));
    assert_eq!(call["verdict"]["rule"], "allow Bash --cmd 'echo a'");
    assert!(call["verdict"]["source"].as_str().unwrap().starts_with("user "), "{call}");
    assert!(call["verdict"]["reason"].as_str().unwrap().starts_with("Allowed because"), "{call}");
    let end = one(&sandbox, "result", "c1");
    assert_eq!(end["status"], "done");
    assert!(end["ms"].is_u64() && end.get("text").is_none(), "{end}");
    assert!(call["seq"].as_u64() < end["seq"].as_u64(), "before it ran");

    let call = one(&sandbox, "call", "c2");
    assert_eq!(
        (&call["verdict"]["action"], &call["by"]["who"]),
        (&json!("reject"), &json!("rule"))
    );
    assert_eq!(one(&sandbox, "result", "c2")["status"], "rejected-by-user");

    let call = one(&sandbox, "call", "c3");
    assert_eq!(call["verdict"]["action"], "ask");
    assert_eq!(call["by"], json!({ "who": "user", "option": "once" }));
    let call = one(&sandbox, "call", "c4");
    assert_eq!(
        call["by"],
        json!({ "who": "user", "option": "reject", "comment": "too dangerous" })
    );

    let call = one(&sandbox, "call", "c5");
    assert_eq!(
        (&call["by"]["who"], &call["args"]["password"]),
        (&json!("none"), &json!("[redacted]"))
    );
    assert_eq!(one(&sandbox, "result", "c5")["status"], "error");

    let call = one(&sandbox, "call", "c6");
    assert_eq!(
        call["args"]["cmd"],
        "FOO_TOKEN=[redacted] curl -u me:[redacted] http://localhost:1/"
    );
    assert_eq!(call["redacted"], json!(["cmd"]));
    let log = std::fs::read_to_string(sandbox.state().join("audit/audit.jsonl")).unwrap();
    for secret in ["hunter2", "abc curl", "me:pass"] {
        assert!(!log.contains(secret), "{secret} in the log");
    }
    let (code, said) = verify(&sandbox);
    assert!(code == 0 && said.starts_with("OK: 13 lines, "), "{said}");

    let listed = text(&redline(&sandbox, &["permissions", "log"]));
    let listed: Vec<&str> = listed.lines().collect();
    assert_eq!(listed.len(), 6, "{listed:#?}");
    assert!(
        listed[0].contains("allow") && listed[0].ends_with("done       Bash echo a"),
        "{listed:#?}"
    );
    assert!(
        listed[3].contains("you: reject: too dangerous  rejected   Bash echo c > c.txt"),
        "{listed:#?}"
    );
    let filtered = redline(&sandbox, &["permissions", "log", "--action", "reject", "--json"]);
    let filtered: Value = serde_json::from_slice(&filtered.stdout).expect("one line");
    assert_eq!(
        (&filtered["call"]["call"], &filtered["result"]["status"]),
        (&json!("c2"), &json!("rejected-by-user"))
    );
    for none in [["--tool", "Read"], ["--since", "2999-01-01"], ["--thread", "T-none"]] {
        let output = redline(&sandbox, &[&["permissions", "log"], &none[..]].concat());
        assert_eq!(text(&output), "", "{none:?}");
    }
    let elsewhere = |more: &[&str]| {
        let mut command = sandbox.command(&[&["permissions", "log"], more].concat());
        text(&command.current_dir(sandbox.home()).output().expect("the binary")).lines().count()
    };
    assert_eq!(
        (elsewhere(&[]), elsewhere(&["--all"]), elsewhere(&["--all", "--limit", "2"])),
        (0, 6, 2)
    );
}

#[test]
fn edits_and_their_decisions() {
    let allow = json!([{ "tool": "create_file", "action": "allow" }]);
    let new = json!({ "path": "${workspace}/new.txt", "content": "x\n" });
    let script = Script::new()
        .edit("e1", "a.txt", "one", "ONE")
        .edit("e2", "a.txt", "three", "THREE")
        .call(&[("e3", "create_file", new)])
        .say("Done.");
    let mut session = start(&allow, script);
    let uri = session.open("a.txt");
    session.prompt("edit");
    let hunks: Vec<String> = session
        .pending(&uri, 2)
        .iter()
        .map(|hunk| hunk["id"].as_str().unwrap().to_owned())
        .collect();
    session.decide("accept", &hunks[..1]);
    session.resolve(&json!({ "action": "reject", "hunks": hunks[1..], "comment": "token=abc no" }));
    session.decide("reopen", &hunks[1..]);
    let sandbox = session.sandbox.clone();
    assert_eq!(one(&sandbox, "call", "e1")["verdict"]["action"], "ask");
    assert_eq!(one(&sandbox, "call", "e1")["by"]["who"], "rule");
    assert_eq!(one(&sandbox, "result", "e1")["hunks"], json!(hunks[..1]));
    let paths = &one(&sandbox, "call", "e1")["paths"];
    assert_eq!(paths[0]["real"], json!(sandbox.path("a.txt")));
    let all = decisions(&sandbox);
    let wanted = [
        ("applied", "rule", "e3"),
        ("accepted", "user", "e1"),
        ("rejected", "user", "e2"),
        ("reopened", "user", "e2"),
    ];
    let wanted = wanted.map(|(what, by, call)| (json!(what), json!(by), json!([call])));
    assert_eq!(all, wanted);
    let rejected = lines(&sandbox).into_iter().find(|line| line["decision"] == "rejected").unwrap();
    assert_eq!(rejected["comment"], "token=[redacted] no");
    assert_eq!(
        (&rejected["file"], &rejected["hunks"]),
        (&json!(sandbox.path("a.txt")), &json!(hunks[1..]))
    );
    let listed = text(&redline(&sandbox, &["permissions", "log", "--tool", "edit_file"]));
    let wanted = format!("[{} accepted]", hunks[0]);
    assert!(listed.lines().next().unwrap().ends_with(&wanted), "{listed}");
    assert_eq!(verify(&sandbox).0, 0);
}

#[test]
fn subagents_and_the_command_line() {
    let task = json!({ "prompt": "Please look.", "description": "look" });
    let script = Script::new()
        .call(&[("c1", "Task", task)])
        .call(&[("s1", "Read", json!({ "path": "${workspace}/a.txt" }))])
        .answering("Task")
        .say("Seen.")
        .answering("c1")
        .say("Done.");
    let mut session = start(&json!([]), script);
    session.prompt("send one");
    let sandbox = session.sandbox.clone();
    let call = one(&sandbox, "call", "s1");
    assert_eq!((&call["context"], &call["agent"]), (&json!("subagent"), &json!("Task")));
    assert!(call["subagent"].is_string() && call["thread"] == json!(session.thread), "{call}");
    let order = [
        &one(&sandbox, "call", "c1"),
        &call,
        &one(&sandbox, "result", "s1"),
        &one(&sandbox, "result", "c1"),
    ];
    assert!(order.is_sorted_by_key(|line| line["seq"].as_u64()), "{order:#?}");

    // Two processes, one log.
    let path = sandbox.path("a.txt");
    let output = redline(&sandbox, &["tools", "use", "Read", "--path", path.to_str().unwrap()]);
    assert!(output.status.success());
    let call = one(&sandbox, "call", "cli");
    assert_eq!((&call["thread"], &call["agent"]), (&json!("cli"), &json!("you")));
    assert_eq!(session.tool("Read", &json!({ "path": path }))["status"], "done");
    assert_eq!(verify(&sandbox).0, 0);
}

#[test]
fn a_kill_in_the_middle_of_a_call() {
    let cmd = "echo $$ > pid.txt; exec sleep 60";
    let rules = json!([{ "tool": "Bash", "action": "allow" }]);
    let mut session = start(&rules, Script::new().call(&[bash("c1", cmd)]).say("unreached"));
    session.begin_prompt("go");
    let file = session.sandbox.path("pid.txt");
    let pid = number_in(&mut session, &file);
    session.client.kill();
    let sandbox = session.sandbox.clone();
    assert_eq!(one(&sandbox, "call", "c1")["args"]["cmd"], cmd);
    assert!(of(&sandbox, "result", "c1").is_empty());
    assert_eq!(verify(&sandbox).0, 0);
    let listed = text(&redline(&sandbox, &["permissions", "log"]));
    assert!(listed.contains("no end"), "{listed}");
    std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill");
    wait_until_gone(pid);
}

#[test]
fn tampering_is_named() {
    let mut session = start(&json!([]), Script::new());
    let path = session.sandbox.path("a.txt");
    for _ in 0..3 {
        session.tool("Read", &json!({ "path": path }));
    }
    let sandbox = session.sandbox.clone();
    let log = sandbox.state().join("audit/audit.jsonl");
    let shown = redline(&sandbox, &["audit", "path"]);
    assert_eq!(text(&shown).trim_end(), log.to_str().unwrap());
    let whole = std::fs::read_to_string(&log).unwrap();
    assert_eq!(verify(&sandbox).0, 0);
    std::fs::write(&log, whole.replacen("\"Read\"", "\"Bash\"", 1)).unwrap();
    let (code, said) = verify(&sandbox);
    assert!(code == 1 && said.contains("audit.jsonl:2: changed"), "{said}");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    std::fs::write(&log, [&lines[..3], &lines[4..]].concat().concat()).unwrap();
    let output = redline(&sandbox, &["audit", "verify", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["ok"], &report["broken"]["fault"]), (&json!(false), &json!("missing")));
    assert_eq!(report["broken"]["line"], 4);
}

#[test]
fn other_rules_on_the_past() {
    let rules = json!([{ "tool": "Bash", "matches": { "cmd": "seq *" }, "action": "allow" }]);
    let script = Script::new()
        .call(&[bash("c1", "seq 1"), bash("c2", "seq 2"), bash("c3", "seq 'password=x'")])
        .say("Done.");
    let mut session = start(&rules, script);
    session.prompt("go");
    let sandbox = session.sandbox.clone();
    let replay = |rules: &str| {
        let file = sandbox.outside("rules");
        std::fs::write(&file, rules).unwrap();
        redline(&sandbox, &["permissions", "replay", file.to_str().unwrap(), "--json"])
    };
    let output = replay("allow Bash --cmd 'seq 1'\n");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert_eq!((&report["calls"], &report["unjudged"][0]["calls"]), (&json!(3), &json!(1)));
    let changed = report["changed"].as_array().unwrap();
    assert_eq!(changed.len(), 1, "{report:#}");
    assert_eq!(changed[0]["args"]["cmd"], "seq 2");
    assert_eq!((&changed[0]["now"], &changed[0]["then"]), (&json!("allow"), &json!("ask")));
    let same = replay(&rules.to_string());
    assert_eq!(same.status.code(), Some(0), "{}", text(&same));
    let wrong = replay("permit Bash\n");
    assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong));
    assert!(text(&wrong).contains("line 1"), "{}", text(&wrong));
}

#[test]
fn the_user_can_switch_it_off_and_a_repository_cannot() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.write(".redline/settings.json", "{\"redline.audit\": false}");
    let path = sandbox.path("a.txt");
    let read = || redline(&sandbox, &["tools", "use", "Read", "--path", path.to_str().unwrap()]);
    let said = text(&read());
    assert!(said.contains("a repository cannot set audit"), "{said}");
    assert_eq!(of(&sandbox, "call", "cli").len(), 1);
    sandbox.configure(&json!({ "redline.audit": false }));
    read();
    assert_eq!(of(&sandbox, "call", "cli").len(), 1);
}

#[test]
fn what_cannot_be_written_stops_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    std::fs::create_dir_all(sandbox.state()).unwrap();
    std::fs::write(sandbox.state().join("audit"), "in the way").unwrap();
    let mut session = Session::start_in(sandbox, Options::default());
    let path = session.sandbox.path("a.txt");
    for _ in 0..2 {
        assert_eq!(session.tool("Read", &json!({ "path": path }))["status"], "done");
    }
    session.client.logged("this is no ordinary folder");
    let count = session.client.log().iter().filter(|line| line.contains("audit log")).count();
    assert_eq!(count, 1, "it is said once");
}
