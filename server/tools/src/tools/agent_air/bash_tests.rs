use std::{sync::Arc, time::Duration};

use redline_workspace::OptionId;
use serde_json::{Value, json};

use crate::{
    Dialect, ToolCall, builtin,
    fixture::{Fixture, done, message, scope, until, wire},
    testing::{TestHost, answer},
};

fn with(rules: &str, host: TestHost) -> Fixture {
    let mut f = Fixture::with(&[("sub/x", ""), ("a.txt", "a\n")], rules, host, builtin());
    f.scope.dialect = Dialect::AgentAir;
    f
}

fn fixture() -> Fixture {
    with("allow Bash", TestHost::default())
}

async fn bash(f: &Fixture, args: Value) -> Value {
    f.call("bash", args).await
}

async fn check(f: &Fixture, args: Value, want: &str) {
    assert_eq!(done(&bash(f, args.clone()).await), want, "{args}");
}

#[tokio::test]
async fn the_output_of_seed_002() {
    let f = fixture();
    check(&f, json!({"command": "echo a"}), "a\n").await;
    check(&f, json!({"command": "true"}), "").await;
    check(&f, json!({"command": "echo a; echo b >&2"}), "a\n[stderr]\nb\n").await;
    check(
        &f,
        json!({"command": "printf a; printf b >&2; exit 3"}),
        "a\n[stderr]\nb\n[Exit code: 3]",
    )
    .await;
    check(&f, json!({"command": "exit 3"}), "[Exit code: 3]").await;
    check(&f, json!({"command": "kill -9 $$"}), "[Exit code: 137]").await;
    check(&f, json!({"command": "printf 'a\\xff'"}), "a\u{FFFD}").await;
    check(&f, json!({"command": "cat; echo end"}), "end\n").await;
    check(&f, json!({"cmd": "echo of a sister dialect"}), "of a sister dialect\n").await;
}

#[tokio::test]
async fn both_streams_are_cut_by_themselves() {
    let f = fixture();
    let cmd = "head -c 102400 /dev/zero | tr '\\0' a; head -c 51200 /dev/zero | tr '\\0' b >&2";
    let all = format!("{}\n[stderr]\n{}", "a".repeat(102_400), "b".repeat(51_200));
    check(&f, json!({"command": cmd}), &all).await;
    let cmd = "head -c 1000000 /dev/zero | tr '\\0' a; head -c 1000000 /dev/zero | tr '\\0' b >&2";
    let cut = "\n[Output truncated due to size limit]";
    let all = format!("{}{cut}\n[stderr]\n{}{cut}", "a".repeat(102_400), "b".repeat(51_200));
    check(&f, json!({"command": cmd}), &all).await;
}

#[tokio::test]
async fn the_directory_is_kept_for_the_thread() {
    let f = fixture();
    let (root, sub) = (f.root.display().to_string(), f.path("sub"));
    check(&f, json!({"command": "pwd"}), &format!("{root}\n")).await;
    check(&f, json!({"command": "cd sub && pwd"}), &format!("{sub}\n")).await;
    check(&f, json!({"command": "pwd"}), &format!("{root}\n")).await;
    check(&f, json!({"command": "pwd", "working_dir": sub}), &format!("{sub}\n")).await;
    check(&f, json!({"command": "pwd"}), &format!("{sub}\n")).await;
    // What is wrong changes nothing.
    for (dir, want) in [
        ("sub", "working_dir must be an absolute path, but is \"sub\""),
        ("", "the path is empty; give the path of a file"),
        ("/nowhere", "working_dir does not exist: /nowhere (it is kept"),
        ("/dev/null", "working_dir is not a directory: /dev/null (it is kept"),
    ] {
        let result = bash(&f, json!({"command": "pwd", "working_dir": dir})).await;
        assert!(message(&result).starts_with(want), "{dir}: {result}");
    }
    let result = bash(&f, json!({"command": "mkfs x", "working_dir": root})).await;
    assert_eq!(result["error"]["errorCode"], "dangerous-command", "{result}");
    check(&f, json!({"command": "pwd"}), &format!("{sub}\n")).await;
    check(&f, json!({"command": "pwd", "working_dir": "~"}), &format!("{}\n", home(&f))).await;
    // Amp's tool and other threads have their own.
    assert!(done(&f.call("Bash", json!({"cmd": "pwd"})).await).contains(&format!(">{root}\n<")));
    let other = crate::Scope { dialect: Dialect::AgentAir, ..scope(&f.root, "T-2") };
    let call = ToolCall { id: "1".into(), name: "bash".into(), args: json!({"command": "pwd"}) };
    let result = f.tools.run(&other, vec![call], &|_| {}).await.remove(0);
    assert_eq!(done(&wire(&result)), format!("{root}\n"));
    // A directory that has gone is named.
    let gone = f.path("gone");
    std::fs::create_dir(&gone).unwrap();
    check(&f, json!({"command": "rmdir $PWD", "working_dir": gone}), "").await;
    let result = bash(&f, json!({"command": "pwd"})).await;
    assert!(message(&result).starts_with("working_dir does not exist: "), "{result}");
}

fn home(f: &Fixture) -> String {
    f.workspace.home().unwrap().display().to_string()
}

#[tokio::test]
async fn variables_are_for_one_call() {
    let f = with("allow Bash", TestHost::allowing());
    let args = json!({"command": "echo $A $N", "env": {"A": "a b", "N": 1}});
    check(&f, args, "a b 1\n").await;
    check(&f, json!({"command": "echo [$A]"}), "[]\n").await;
    for env in [json!({"": "x"}), json!({"A=B": "x"}), json!({"A": "\0"}), json!({"A": []})] {
        let result = bash(&f, json!({"command": "echo", "env": env})).await;
        assert!(message(&result).starts_with("env: "), "{result}");
    }
    let result = bash(&f, json!({"command": "echo", "env": [1]})).await;
    assert!(message(&result).contains("\"env\" must be an object"), "{result}");
}

#[tokio::test]
async fn timeouts_are_clamped_and_end_everything() {
    let f = fixture();
    for timeout in [json!(1), json!(-5), json!(1000)] {
        let command = "echo begun; setsid sleep 620 & sleep 620";
        let result = bash(&f, json!({"command": command, "timeout": timeout})).await;
        let said = message(&result);
        assert!(said.starts_with("Command timed out after 1 seconds"), "{said}");
        assert!(said.ends_with("\nbegun\n"), "{said}");
    }
    for timeout in [json!(600_001), json!(u64::MAX), json!(1e300)] {
        check(&f, json!({"command": "echo a", "timeout": timeout}), "a\n").await;
    }
    #[cfg(target_os = "linux")]
    check(&f, json!({"command": "pgrep -f '^sleep 620' || echo none"}), "none\n").await;
    for (args, want) in [
        (json!({"command": "  "}), "the command is empty"),
        (json!({"command": "a\0b"}), "could not run the command: "),
        (json!({}), "bash: \"command\" is missing"),
        (json!({"command": "ls", "timeout": "1"}), "bash: \"timeout\" must be an integer"),
    ] {
        let result = bash(&f, args).await;
        assert!(message(&result).starts_with(want), "{result}");
    }
}

#[tokio::test]
async fn rules_see_it_as_bash() {
    let f = with("reject Bash --cmd 'rm *'\nallow Bash --cwd '*/sub'", TestHost::default());
    let result = bash(&f, json!({"command": "rm a.txt"})).await;
    assert_eq!(result["status"], "rejected-by-user", "{result}");
    assert!(f.root.join("a.txt").exists());
    check(&f, json!({"command": "ls", "working_dir": f.path("sub")}), "x\n").await;
    // The directory that is kept is the one that rules see.
    check(&f, json!({"command": "ls"}), "x\n").await;
    assert!(f.host.asks().is_empty());
}

#[tokio::test]
async fn an_ask_shows_all_that_the_command_depends_on() {
    let f = with("", TestHost::new([answer(OptionId::Once), answer(OptionId::Reject)]));
    let args = json!({
        "command": "echo $A", "env": {"A": "b"}, "working_dir": f.path("sub"),
    });
    check(&f, args, "b\n").await;
    bash(&f, json!({"command": "make", "run_in_background": true})).await;
    let asks = f.host.asks();
    assert_eq!((asks[0].tool.as_str(), asks[0].cwd.clone()), ("bash", f.root.join("sub")));
    assert_eq!(asks[0].title, "Run: echo $A");
    assert_eq!(asks[0].detail.as_deref(), Some("echo $A\nwith A=b"));
    assert_eq!(asks[1].detail.as_deref(), Some("make\nin the background"));
    assert_eq!(asks[1].cwd, f.root.join("sub"), "the kept directory");
    let options = |n: usize| asks[n].options.iter().map(|it| it.id.name()).collect::<Vec<_>>();
    assert_eq!(options(0), ["once", "reject"], "a grant would not say the variables");
    assert_eq!(options(1), ["once", "session", "folder", "always", "reject"]);
    let covers = asks[1].options[1].covers.as_deref().unwrap();
    assert!(covers.contains("--cwd") && covers.contains("--run_in_background true"), "{covers}");
}

/// `PATH` and `LD_PRELOAD` make another command of the one that a rule allows.
#[tokio::test]
async fn a_rule_allows_the_variables_that_it_names_and_no_others() {
    let check = async |rules: &str, env: Value, asks: usize| {
        let f = with(rules, TestHost::allowing());
        let result = bash(&f, json!({"command": "cd .; echo 'x'", "env": env})).await;
        assert_eq!(done(&result), "x\n");
        assert_eq!(f.host.asks().len(), asks, "{rules} {env}");
        let text = f.host.asks().first().map(|ask| ask.reason.text.clone());
        assert!(text.is_none_or(|text| text.contains("sets variables")), "{rules}");
    };
    let (a, ab) = (json!({"A": "1"}), json!({"A": "1", "B": "1"}));
    check("allow Bash", json!({}), 0).await;
    check("allow Bash", a.clone(), 1).await;
    check(r#"allow Bash --env '{"A": "*"}'"#, a.clone(), 0).await;
    check(r#"allow Bash --env '{"A": "*"}'"#, ab.clone(), 1).await;
    check(r#"allow Bash --env '{"A": "*", "B": "*"}'"#, ab, 0).await;
    // A text that looks like one is no condition, and one command's rule is not the other's.
    check("allow Bash --cmd \"echo 'x'\" --cmd 'cd .' --cmd '--env.A'", a.clone(), 1).await;
    check("allow Bash --cmd 'cd .' --env '{\"A\": \"*\"}'\nallow Bash", a, 1).await;
}

async fn started(f: &Fixture, args: Value) -> (String, i32) {
    let mut args = args;
    args["run_in_background"] = true.into();
    let result = bash(f, args).await;
    assert_eq!(result["status"], "done", "{result}");
    let id = result["result"]["task_id"].as_str().unwrap().to_owned();
    (id, i32::try_from(result["result"]["process_id"].as_i64().unwrap()).unwrap())
}

async fn output(f: &Fixture, id: &str) -> Value {
    f.call("bash_output", json!({"task_id": id})).await["result"].clone()
}

async fn ended(f: &Fixture, id: &str) -> Value {
    tokio::time::timeout(Duration::from_secs(30), async {
        loop {
            let shown = output(f, id).await;
            if shown["status"] != "running" {
                return shown;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap()
}

#[tokio::test]
async fn a_background_task_from_its_start_to_its_end() {
    let f = fixture();
    assert_eq!(done(&f.call("bash_tasks", json!({})).await), "No background tasks.");
    let command =
        "echo begun; echo e >&2; until [ -e go ]; do sleep 0.01; done; echo >> a.txt; exit 4";
    let (id, process) = started(&f, json!({"command": command})).await;
    assert_eq!(id, "bash-1");
    assert!(process > 0);
    f.call("Read", json!({"path": f.path("a.txt")})).await;
    let listed = f.call("bash_tasks", json!({})).await;
    assert_eq!(listed["result"][0]["status"], "running", "{listed}");
    assert_eq!(listed["result"][0]["command"], command);
    // Other calls run meanwhile.
    check(&f, json!({"command": "touch go"}), "").await;
    let shown = ended(&f, &id).await;
    assert_eq!((&shown["status"], &shown["exit_code"]), (&json!("exited"), &json!(4)), "{shown}");
    assert_eq!(shown["output"], "begun\n[stderr]\ne\n[Exit code: 4]");
    assert_eq!(output(&f, &id).await["output"], shown["output"], "it can be read again");
    let killed = f.call("bash_kill", json!({"task_id": id})).await;
    assert_eq!(killed["result"]["status"], "exited", "{killed}");
    assert_eq!(killed["result"]["note"], "It had ended before.");
}

#[tokio::test]
async fn a_background_task_is_killed_or_runs_out_of_time() {
    let f = fixture();
    let (id, _) = started(&f, json!({"command": "setsid sleep 630 & sleep 630"})).await;
    let killed = f.call("bash_kill", json!({"task_id": id})).await;
    assert_eq!(killed["result"]["status"], "killed", "{killed}");
    let args = json!({"command": "sleep 630", "background_timeout": 10});
    let (id, _) = started(&f, args).await;
    assert_eq!(ended(&f, &id).await["status"], "timed out");
    check(&f, json!({"command": "pgrep -f '^sleep 630' || echo none"}), "none\n").await;
}

#[tokio::test]
async fn a_task_is_its_threads() {
    let f = fixture();
    let (id, _) = started(&f, json!({"command": "sleep 640"})).await;
    let other = scope(&f.root, "T-2");
    let call = |name: &str| {
        let args = json!({"task_id": id});
        vec![ToolCall { id: "1".into(), name: name.into(), args }]
    };
    for name in ["bash_kill", "bash_output"] {
        let result = f.tools.run(&other, call(name), &|_| {}).await.remove(0);
        let want = "There is no background task \"bash-1\": none was started here.";
        assert!(message(&wire(&result)).starts_with(want), "{result:?}");
    }
    let result = f.call("bash_output", json!({"task_id": "x"})).await;
    assert_eq!(message(&result), "There is no background task \"x\". Tasks: bash-1.");
    assert_eq!(output(&f, &id).await["status"], "running");
    f.call("bash_kill", json!({"task_id": id})).await;
}

#[tokio::test]
async fn tasks_are_bounded_in_number_and_in_what_they_keep() {
    let f = fixture();
    for n in 0..super::tasks::MOST_ENDED + 3 {
        let (id, _) = started(&f, json!({"command": format!("echo {n}")})).await;
        ended(&f, &id).await;
    }
    let (id, _) = started(&f, json!({"command": "head -c 1000000 /dev/zero; echo end"})).await;
    let shown = ended(&f, &id).await["output"].as_str().unwrap().to_owned();
    assert!(shown.starts_with("[Output truncated due to size limit]\n"));
    assert!(shown.ends_with("end\n") && shown.len() < 103_000);
    let listed = f.call("bash_tasks", json!({})).await["result"].as_array().unwrap().len();
    assert_eq!(listed, super::tasks::MOST_ENDED + 1);
    for _ in 0..super::tasks::MOST_RUNNING {
        started(&f, json!({"command": "sleep 650"})).await;
    }
    let more = bash(&f, json!({"command": "sleep 650", "run_in_background": true})).await;
    assert!(message(&more).starts_with("16 background tasks run already (bash-"), "{more}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn tasks_end_with_the_tools() {
    let f = fixture();
    let (_, process) = started(&f, json!({"command": "sleep 660 & sleep 660"})).await;
    let path = format!("/proc/{process}/stat");
    assert!(std::fs::exists(&path).unwrap());
    drop(f);
    let is_gone = || match std::fs::read_to_string(&path) {
        Ok(stat) => stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')),
        Err(_) => true,
    };
    tokio::time::timeout(Duration::from_secs(20), async {
        while !is_gone() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn a_cancel_ends_the_foreground_and_not_the_background() {
    let f = Arc::new(fixture());
    let (id, _) = started(&f, json!({"command": "sleep 670"})).await;
    let call = tokio::spawn({
        let f = f.clone();
        async move { bash(&f, json!({"command": "touch begun; sleep 670"})).await }
    });
    until("it begins", || f.root.join("begun").exists()).await;
    f.scope.cancel.cancel();
    assert_eq!(call.await.unwrap(), json!({"status": "cancelled"}));
    let other = crate::Scope { cancel: crate::Cancel::new(), ..f.scope.clone() };
    let args = json!({"task_id": id});
    let look = vec![ToolCall { id: "1".into(), name: "bash_output".into(), args }];
    let result = wire(&f.tools.run(&other, look, &|_| {}).await[0]);
    assert_eq!(result["result"]["status"], "running", "{result}");
}
