use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::future::BoxFuture;
use redline_workspace::{Ask, AskAnswer, AskOutcome, Effect, Event, Front, OptionId, Workspace};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::{
    Dialect, ExecutionProfile, Host, Meta, Registry, ResourceKey, Scope, SessionHost, ToolCall,
    ToolContext, ToolDefinition, ToolEvent, ToolResult, ToolSpec, ToolStatus, Tools, builtin,
    fixture::{Fixture, at, done, message, until},
    testing::{TestHost, answer},
};

fn spec(name: &str, meta: Meta) -> ToolSpec {
    let schema = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "n": {"type": "integer"}},
        "required": ["n"],
    });
    ToolSpec::builtin(name, None, "", schema).meta(meta)
}

fn touches(args: &Value) -> Vec<ResourceKey> {
    ResourceKey::file(args, "path", crate::Access::Read)
}

/// A fixture whose one tool is `work`, allowed, without conflicts.
fn with<F, R>(meta: Meta, work: F) -> Fixture
where
    F: Fn(ToolContext, Value) -> R + Send + Sync + 'static,
    R: Future<Output = ToolResult> + Send + 'static,
{
    let mut registry = Registry::new();
    let tool =
        ToolDefinition::new(spec("work", meta), work).profile(ExecutionProfile::keys(touches));
    registry.register(tool).unwrap();
    Fixture::with(&[], "allow work", TestHost::default(), registry)
}

fn n(args: &Value) -> i64 {
    args["n"].as_i64().unwrap()
}

#[tokio::test]
async fn calls_that_are_wrong_get_an_error_that_says_so() {
    let f = with(Meta::default(), |_, _| async { ToolResult::done("ran") });
    let check = async |name: &str, args: Value, want: &str| {
        assert_eq!(message(&f.call(name, args).await), want);
    };
    check("frob", json!({}), "There is no tool called \"frob\". Tools: work.").await;
    check("work", json!({}), "work: \"n\" is missing; it must be an integer.").await;
    let wrong = "work: \"n\" must be an integer, but is the string \"1\".";
    check("work", json!({"n": "1"}), wrong).await;
    check("work", Value::Null, "work: \"n\" is missing; it must be an integer.").await;
    let empty = "the path is empty; give the path of a file";
    check("work", json!({"n": 1, "path": ""}), empty).await;
}

#[tokio::test]
async fn unknown_arguments_are_ignored_with_a_note() {
    let f = with(Meta::default(), |_, args| async move { ToolResult::done(args.to_string()) });
    let result = f.call("work", json!({"n": 1, "frob": 2, "x": 3})).await;
    let want = "{\"n\":1}\nNote: ignored what is no argument of work: frob, x.";
    assert_eq!(done(&result), want);
}

#[tokio::test]
async fn results_come_in_the_order_of_the_calls() {
    let (send, _) = tokio::sync::broadcast::channel::<i64>(8);
    let gate = Arc::new(send);
    // Call 0 ends only after call 1 has: they run at once.
    let f = with(Meta::default(), move |_, args| {
        let gate = gate.clone();
        async move {
            match n(&args) {
                0 => drop(gate.subscribe().recv().await),
                _ => {
                    while gate.send(1).is_err() {
                        tokio::task::yield_now().await;
                    }
                }
            }
            ToolResult::done(n(&args))
        }
    });
    let results = f.run(&[("work", json!({"n": 0})), ("work", json!({"n": 1}))]).await;
    let results: Vec<&Value> = results.iter().map(|result| &result["result"]).collect();
    assert_eq!(results, [0, 1]);
}

#[tokio::test]
async fn a_panic_is_an_error_of_that_call_alone() {
    let f = with(Meta::default(), |context, args| async move {
        match n(&args) {
            0 => panic!("oh {}", "no"),
            1 => context.blocking(|_| panic!("in a thread")).await,
            _ => ToolResult::done("fine"),
        }
    });
    let calls: Vec<_> = (0..3).map(|n| ("work", json!({"n": n}))).collect();
    let results = f.run(&calls).await;
    assert!(message(&results[0]).contains("(oh no)"), "{}", results[0]);
    assert!(message(&results[1]).contains("(in a thread)"), "{}", results[1]);
    assert_eq!(done(&results[2]), "fine");
}

#[tokio::test(start_paused = true)]
async fn a_call_without_progress_times_out() {
    let f = with(Meta::default(), |context, args| async move {
        for _ in 0..n(&args) {
            tokio::time::sleep(Duration::from_secs(100)).await;
            context.progress("alive".to_owned());
        }
        std::future::pending().await
    });
    let start = tokio::time::Instant::now();
    let result = f.call("work", json!({"n": 3})).await;
    assert_eq!(message(&result), "Tool execution timed out after 120 seconds");
    assert_eq!(start.elapsed().as_secs(), 420);
}

#[tokio::test(start_paused = true)]
async fn a_tool_may_have_no_timeout() {
    let meta = Meta { disable_timeout: true, ..Meta::default() };
    let f = with(meta, |_, _| async {
        tokio::time::sleep(Duration::from_secs(10_000)).await;
        ToolResult::done("at last")
    });
    assert_eq!(done(&f.call("work", json!({"n": 1})).await), "at last");
}

#[tokio::test(start_paused = true)]
async fn the_clock_stands_still_while_the_user_is_asked() {
    let f = with(Meta::default(), |context, _| async move {
        let mut asked = Box::pin(context.question(Vec::new()));
        let paused = context.clock.pause();
        tokio::time::sleep(Duration::from_secs(1_000)).await;
        drop(paused);
        let _ = (&mut asked).await;
        ToolResult::done("answered")
    });
    assert_eq!(done(&f.call("work", json!({"n": 1})).await), "answered");
}

#[tokio::test]
async fn large_results_are_trimmed() {
    let long = |_, _| async { ToolResult::done("x".repeat(200_000)) };
    let f = with(Meta::default(), long);
    assert!(
        done(&f.call("work", json!({"n": 1})).await).ends_with(
            "\n\n[Tool result truncated: 195KB exceeds limit. Please refine the query.]"
        )
    );
    let f = with(Meta { own_limit: true, ..Meta::default() }, long);
    assert_eq!(done(&f.call("work", json!({"n": 1})).await).len(), 200_000);
}

#[tokio::test]
async fn a_cancel_ends_what_runs_and_what_would() {
    let f = with(Meta::default(), |context, args| async move {
        if n(&args) == 1 {
            context.scope.cancel.cancel();
        }
        std::future::pending().await
    });
    let calls: Vec<_> = (0..3).map(|n| ("work", json!({"n": n}))).collect();
    let results = f.run(&calls).await;
    assert_eq!(results, vec![json!({"status": "cancelled"}); 3]);
    assert_eq!(f.run(&calls).await, results);
}

fn bash(answers: Vec<AskAnswer>, rules: &str) -> Fixture {
    Fixture::with(&[("a.txt", "a\n")], rules, TestHost::new(answers), builtin())
}

fn silent() -> Fixture {
    Fixture::with(&[("a.txt", "a\n")], "", TestHost::silent(), builtin())
}

fn cmd(cmd: &str) -> (&'static str, Value) {
    ("Bash", json!({"cmd": cmd}))
}

#[tokio::test]
async fn a_command_asks_and_says_what_it_is() {
    let f = bash(vec![answer(OptionId::Once)], "");
    let results = f.run(&[cmd("cd . && seq 1")]).await;
    assert!(done(&results[0]).contains("<output>1\n</output>"));
    let ask = f.host.asks().remove(0);
    assert_eq!((ask.tool.as_str(), ask.title.as_str()), ("Bash", "Run: seq 1"));
    assert_eq!((ask.detail.as_deref(), &ask.cwd), (Some("seq 1"), &f.root));
    assert_eq!(ask.args["cmd"], "seq 1");
    let ids: Vec<&str> = ask.options.iter().map(|option| option.id.name()).collect();
    assert_eq!(ids, ["once", "session", "folder", "always", "reject"]);
    let covers: Vec<bool> = ask.options.iter().map(|option| option.covers.is_some()).collect();
    assert_eq!(covers, [false, true, true, true, false]);
    // On a slow machine the command's output is also told as progress while it ends.
    let mut events = f.events();
    events.retain(|event| event.progress.is_none());
    let statuses: Vec<ToolStatus> = events.iter().map(|event| event.status).collect();
    let running = ToolStatus::InProgress;
    assert_eq!(statuses, [running, ToolStatus::BlockedOnUser, running, ToolStatus::Done]);
    assert!(events[3].result.is_some());
}

#[tokio::test]
async fn a_reject_without_a_word_ends_the_turn() {
    let f = bash(vec![answer(OptionId::Reject)], "");
    let results =
        f.run(&[cmd("touch x"), cmd("touch y"), ("Read", json!({"path": "a.txt"}))]).await;
    assert_eq!(results[0], json!({"status": "rejected-by-user", "reason": "Rejected by the user"}));
    assert_eq!(results[1..], [json!({"status": "cancelled"}), json!({"status": "cancelled"})]);
    assert!(!f.root.join("x").exists());
    assert_eq!(f.host.asks().len(), 1);
}

#[tokio::test]
async fn after_a_reject_with_a_word_it_goes_on() {
    let no = AskAnswer::reject(Some("use make".to_owned()));
    let f = bash(vec![no, answer(OptionId::Once)], "");
    let results = f.run(&[cmd("touch x"), cmd("echo on")]).await;
    assert_eq!(results[0]["comment"], "use make");
    assert_eq!(results[1]["status"], "done");
}

#[tokio::test]
async fn a_rule_that_rejects() {
    let f = bash(vec![], "reject Bash");
    let result = f.call("Bash", json!({"cmd": "ls"})).await;
    assert_eq!(result["status"], "rejected-by-user");
    assert_eq!(result.get("comment"), None);
    assert!(!result["reason"].as_str().unwrap().is_empty());
    let f = bash(vec![], "reject --message 'run the tests only' Bash");
    let results = f.run(&[cmd("ls"), ("Read", json!({"path": "a.txt"}))]).await;
    assert_eq!(results[0]["comment"], "run the tests only");
    assert_eq!(results[1]["status"], "done");
}

#[tokio::test]
async fn a_rule_on_edit_file_catches_its_other_names() {
    let f = bash(vec![], "reject edit_file");
    let args = at(&f, "a.txt", json!({"old_string": "a", "new_string": "b"}));
    assert_eq!(f.call("Edit", args).await["status"], "rejected-by-user");
}

#[tokio::test]
async fn reading_outside_the_workspace_asks() {
    let f = bash(vec![answer(OptionId::Once)], "");
    let outside = f.root.join("../home/h.txt");
    std::fs::write(&outside, "h").unwrap();
    let result = f.call("Read", json!({"path": outside.display().to_string()})).await;
    assert_eq!(done(&result), "1: h");
    assert_eq!(f.host.asks()[0].title, format!("Read {}", outside.display()));
}

/// A rule that asks must not open what no rule would have opened.
#[tokio::test]
async fn an_edit_outside_the_workspace_is_asked_whatever_rule_asks() {
    for rules in ["", "ask edit_file", "delegate --to true edit_file"] {
        let f = bash(vec![], rules);
        let outside = f.root.join("../home/token");
        std::fs::write(&outside, "token=1\n").unwrap();
        let path = outside.display().to_string();
        let args = json!({"path": path, "old_str": "token", "new_str": "x"});
        let result = f.call("edit_file", args).await;
        assert_eq!(result["status"], "rejected-by-user", "{rules}: {result}");
        assert_eq!(f.host.asks().len(), 1, "{rules}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_rule_on_the_directory_is_on_what_it_really_is() {
    let rules = "reject Bash --cwd '*/home'\nallow Bash --cmd pwd --cwd '*/w/*'";
    let f = bash(vec![], rules);
    std::fs::create_dir_all(f.root.join("sub")).unwrap();
    let outside = f.root.parent().unwrap().join("home");
    std::os::unix::fs::symlink(&outside, f.root.join("link")).unwrap();
    let check = async |tool: &str, name: &str, directory: &str, want: &str| {
        let cwd = format!("{}/{directory}", f.root.display());
        let args = if tool == "Bash" {
            json!({"cmd": "pwd", name: cwd})
        } else {
            json!({"command": "pwd", name: cwd})
        };
        let result = f.call(tool, args).await;
        assert_eq!(result["status"], want, "{directory}: {result}");
    };
    for (tool, name) in [("Bash", "cwd"), ("bash", "working_dir")] {
        check(tool, name, "sub", "done").await;
        check(tool, name, "sub/../../home", "rejected-by-user").await;
        check(tool, name, "link", "rejected-by-user").await;
    }
    assert!(f.host.asks().is_empty());
}

#[tokio::test]
async fn a_cancel_while_the_user_is_asked() {
    let f = Arc::new(silent());
    let call = tokio::spawn({
        let f = f.clone();
        async move { f.run(&[cmd("seq 1"), cmd("seq 2")]).await }
    });
    until("the ask", || !f.host.asks().is_empty()).await;
    f.scope.cancel.cancel();
    assert_eq!(call.await.unwrap(), vec![json!({"status": "cancelled"}); 2]);
}

#[tokio::test]
async fn an_ask_of_the_session_is_withdrawn_when_nobody_waits() {
    let f = Arc::new(silent());
    let host = Arc::new(SessionHost::new(f.workspace.clone()));
    let tools = Tools::new(f.workspace.clone(), host, builtin());
    let call = tokio::spawn({
        let scope = f.scope.clone();
        let (id, name, args) = ("c".to_owned(), "Bash".to_owned(), json!({"cmd": "seq 1"}));
        async move { tools.run(&scope, vec![ToolCall { id, name, args }], &|_| {}).await }
    });
    let performed = |what: &str| f.front.0.lock().unwrap().iter().any(|it| it.starts_with(what));
    until("the ask is shown", || performed("ShowAsk")).await;
    f.scope.cancel.cancel();
    assert_eq!(call.await.unwrap(), [ToolResult::Cancelled]);
    until("the ask is withdrawn", || performed("WithdrawAsk")).await;
}

/// Answers every ask with "for the session".
struct GrantingFront;

impl Front for GrantingFront {
    fn perform(&self, effect: Effect, workspace: &Arc<Workspace>) {
        if let Effect::ShowAsk { id: ask, .. } = effect {
            let answer = answer(OptionId::Session);
            workspace.post(Event::AskAnswered { ask, answer });
        }
    }
}

#[tokio::test]
async fn a_grant_for_the_session_covers_that_command_in_that_folder() {
    let f = Fixture::new(&[("sub/x", "")]);
    let config = f.workspace.query(|session| session.config().clone());
    let workspace = Workspace::start(config, Arc::new(GrantingFront));
    let host = Arc::new(SessionHost::new(workspace.clone()));
    let tools = Tools::new(workspace, host, builtin());
    let asked = Mutex::new(0);
    let count = |event: ToolEvent| {
        *asked.lock().unwrap() += usize::from(event.status == ToolStatus::BlockedOnUser);
    };
    for (n, (args, want)) in [
        (json!({"cmd": "expr 'a  b'"}), 1),
        (json!({"cmd": "expr 'a  b' &"}), 1),
        (json!({"cmd": "expr c"}), 2),
        (json!({"cmd": "expr 'a  b'", "cwd": "sub"}), 3),
        (json!({"cmd": "cd sub && expr 'a  b'"}), 3),
    ]
    .into_iter()
    .enumerate()
    {
        let call = ToolCall { id: n.to_string(), name: "Bash".to_owned(), args };
        let results = tools.run(&f.scope, vec![call.clone()], &count).await;
        assert_eq!(results[0].status(), ToolStatus::Done, "{results:?}");
        assert_eq!(*asked.lock().unwrap(), want, "{call:?}");
    }
}

#[tokio::test]
async fn what_is_always_allowed_is_not_bound_to_a_directory() {
    let f = bash(vec![answer(OptionId::Reject), answer(OptionId::Reject)], "");
    std::fs::create_dir(f.root.join("sub")).unwrap();
    let outside = tempfile::tempdir().unwrap();
    let outside = outside.path().canonicalize().unwrap();
    for (cwd, bound) in [
        (f.root.join("sub"), [true, false, false]),
        // The folder would not hold it.
        (outside, [true, true, false]),
    ] {
        f.call("Bash", json!({"cmd": "make all", "cwd": cwd})).await;
        let ask = f.host.asks().pop().unwrap();
        let covers = ask.options.iter().filter_map(|option| option.covers.as_deref());
        let covers: Vec<&str> = covers.collect();
        assert!(
            covers.iter().all(|it| it.starts_with("allow Bash --cmd 'make all'")),
            "{covers:?}"
        );
        let found: Vec<bool> = covers.iter().map(|it| it.contains("--cwd")).collect();
        assert_eq!(found, bound, "{covers:?}");
    }
}

#[tokio::test]
async fn asks_of_one_batch_come_in_order_and_at_once() {
    let f = Arc::new(silent());
    let outside: Vec<_> =
        (0..4).map(|n| ("Read", json!({"path": format!("../home/{n}")}))).collect();
    let call = tokio::spawn({
        let f = f.clone();
        async move { f.run(&outside).await }
    });
    until("the asks", || f.host.asks().len() == 4).await;
    let calls: Vec<String> = f.host.asks().into_iter().map(|ask| ask.call).collect();
    assert_eq!(calls, ["c0", "c1", "c2", "c3"]);
    f.scope.cancel.cancel();
    assert_eq!(call.await.unwrap().len(), 4);
}

#[tokio::test]
async fn two_edits_of_one_file_run_in_order() {
    let f = bash(vec![], "");
    let edit = |old: &str, new: &str| {
        ("edit_file", at(&f, "a.txt", json!({"old_str": old, "new_str": new})))
    };
    let results = f.run(&[edit("a", "b"), edit("b", "c"), edit("c", "d")]).await;
    let statuses: Vec<&Value> = results.iter().map(|result| &result["status"]).collect();
    assert_eq!(statuses, ["done", "done", "done"], "{results:?}");
    let read = f.call("Read", at(&f, "a.txt", json!({}))).await;
    assert_eq!(done(&read), "1: d");
}

#[tokio::test]
async fn events_tell_the_resolved_call_and_end_with_its_result() {
    let f = bash(vec![], "");
    f.call("read_file", json!({"file_path": "a.txt"})).await;
    let events = f.events();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0].call.args, json!({"path": "a.txt"}));
    assert_eq!(
        (events[0].title.as_str(), events[0].status),
        ("Read a.txt", ToolStatus::InProgress)
    );
    assert_eq!(events[1].result, Some(ToolResult::done("1: a")));
    assert!(events[1].elapsed_ms.is_some());
}

/// An edit waits; a rule allows the command.
async fn waiting(host: TestHost) -> Fixture {
    let f = Fixture::with(&[("a.txt", "a\n")], "allow Bash", host, builtin());
    let edit = at(&f, "a.txt", json!({"old_str": "a", "new_str": "b"}));
    assert_eq!(f.call("edit_file", edit).await["status"], "done");
    f
}

fn ids(f: &Fixture) -> Vec<&'static str> {
    f.host.asks().last().unwrap().options.iter().map(|option| option.id.name()).collect()
}

#[tokio::test]
async fn what_is_not_on_disk_is_asked_although_a_rule_allows_the_command() {
    for (option, want) in [(OptionId::AcceptAndRun, "b\n"), (OptionId::RunWithout, "a\n")] {
        let f = waiting(TestHost::new([answer(option)])).await;
        let result = f.call("Bash", json!({"cmd": "cp a.txt seen"})).await;
        assert_eq!(result["status"], "done", "{result}");
        assert_eq!(f.disk("seen"), want);
        let note = done(&result).contains("Note: 1 file has proposals");
        assert_eq!(note, option == OptionId::RunWithout, "{result}");
        assert_eq!(ids(&f), ["acceptAndRun", "runWithout", "reject"]);
        let ask = f.host.asks().remove(0);
        assert_eq!(ask.pending, ["a.txt"]);
        assert_eq!(ask.reason.action, redline_permissions::Action::Allow);
        assert!(ask.reason.text.starts_with("Asks because the command would not see"), "{ask:?}");
    }
}

#[tokio::test]
async fn what_was_not_offered_allows_nothing() {
    for option in [OptionId::Once, OptionId::Session, OptionId::SaveAndRun, OptionId::Reject] {
        let f = waiting(TestHost::new([answer(option)])).await;
        let result = f.call("Bash", json!({"cmd": "cp a.txt seen"})).await;
        assert_eq!(result["status"], "rejected-by-user", "{option:?}: {result}");
        assert!(!f.root.join("seen").exists());
        assert_eq!(f.disk("a.txt"), "a\n");
    }
}

#[tokio::test]
async fn a_command_that_only_looks_is_not_asked_about() {
    let f = waiting(TestHost::default()).await;
    let result = f.call("Bash", json!({"cmd": "cat a.txt | head -1"})).await;
    assert!(done(&result).contains("did not see: a.txt"), "{result}");
    assert!(f.host.asks().is_empty());
    // Nor where another thread's proposals wait.
    let other = crate::Scope { thread: "T-2".into(), ..f.scope.clone() };
    let (id, name, args) = ("1".to_owned(), "Bash".to_owned(), json!({"cmd": "cp a.txt seen"}));
    let result = f.tools.run(&other, vec![ToolCall { id, name, args }], &|_| {}).await.remove(0);
    assert_eq!(result.status(), ToolStatus::Done);
    assert!(f.host.asks().is_empty());
}

/// Answers when it is told to.
#[derive(Default)]
struct Slow {
    asked: Notify,
    go: Notify,
}

impl Host for Slow {
    fn ask(&self, _: Ask) -> BoxFuture<'_, AskOutcome> {
        Box::pin(async {
            self.asked.notify_one();
            self.go.notified().await;
            AskOutcome::Answered(answer(OptionId::AcceptAndRun))
        })
    }
}

#[tokio::test]
async fn what_came_while_the_user_was_asked_is_not_accepted() {
    let f = waiting(TestHost::default()).await;
    let slow = Arc::new(Slow::default());
    let tools = Tools::new(f.workspace.clone(), slow.clone(), builtin());
    let call = ToolCall { id: "c".into(), name: "Bash".into(), args: json!({"cmd": "touch ran"}) };
    let run = tools.run(&f.scope, vec![call], &|_| {});
    let meanwhile = async {
        slow.asked.notified().await;
        // The same hunk, with other content.
        let edit = at(&f, "a.txt", json!({"old_str": "b", "new_str": "evil"}));
        assert_eq!(f.call("edit_file", edit).await["status"], "done");
        slow.go.notify_one();
    };
    let (results, ()) = tokio::join!(run, meanwhile);
    let said = serde_json::to_value(&results[0]).unwrap();
    assert!(message(&said).starts_with("Not run: proposals have changed"), "{said}");
    assert_eq!(f.disk("a.txt"), "a\n");
    assert!(!f.root.join("ran").exists());
}

/// Variables can make any program run another one.
#[tokio::test]
async fn a_command_with_variables_does_not_only_look() {
    let f = waiting(TestHost::new([answer(OptionId::RunWithout)])).await;
    let scope = Scope { dialect: Dialect::AgentAir, ..f.scope.clone() };
    let args = json!({"command": "git diff", "env": {"GIT_EXTERNAL_DIFF": "./x"}});
    let call = ToolCall { id: "env".into(), name: "bash".into(), args };
    f.tools.run(&scope, vec![call], &|_| {}).await;
    assert_eq!(f.host.asks()[0].pending, ["a.txt"]);
}

#[tokio::test]
async fn a_save_that_the_host_cannot_do_runs_nothing() {
    let f = Fixture::with(
        &[("a.txt", "a\n")],
        "allow Bash",
        TestHost::new([answer(OptionId::SaveAndRun), answer(OptionId::RunWithout)]),
        builtin(),
    );
    let file = f.workspace.path("a.txt", &f.root).unwrap();
    f.workspace.opened(file, "file:///a".to_owned(), 1, "typed\n".to_owned());
    let result = f.call("Bash", json!({"cmd": "cp a.txt seen"})).await;
    assert!(message(&result).starts_with("Not run: the editor did not save "), "{result}");
    assert_eq!(ids(&f), ["saveAndRun", "runWithout", "reject"]);
    assert!(!f.root.join("seen").exists());
    let result = f.call("Bash", json!({"cmd": "cp a.txt seen"})).await;
    assert!(done(&result).ends_with("did not see: a.txt"), "{result}");
}

#[tokio::test]
async fn an_ask_for_an_edit_shows_it() {
    let f = bash(vec![], "");
    let outside = f.root.parent().unwrap().join("home/h.txt");
    std::fs::write(&outside, "secret\n").unwrap();
    let path = outside.display().to_string();
    f.call("edit_file", json!({"path": path, "old_str": "one", "new_str": "two"})).await;
    f.call("create_file", json!({"path": path, "content": "x\n"})).await;
    let file = f.workspace.path(&path, &f.root).unwrap();
    f.workspace.opened(file, "file:///h".to_owned(), 1, "secret\nx\n".to_owned());
    f.call("create_file", json!({"path": path, "content": "x\n"})).await;
    let details: Vec<String> = f.host.asks().into_iter().filter_map(|ask| ask.detail).collect();
    let unread = "+1  (in place of all that it holds)\n+x";
    assert_eq!(
        details,
        [
            format!("{path}  +1 −1\n-one\n+two"),
            format!("{path}  {unread}"),
            format!("{path}  −1\n-secret\n x"),
        ]
    );
}
