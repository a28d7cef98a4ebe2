use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    builtin,
    fixture::{Fixture, at, done, message, until},
    testing::TestHost,
};

async fn bash(f: &Fixture, cmd: &str) -> String {
    done(&f.call("Bash", json!({"cmd": cmd})).await).to_owned()
}

/// What is between `<output>` and `</output>`.
async fn output(f: &Fixture, cmd: &str) -> String {
    let result = bash(f, cmd).await;
    let (_, rest) = result.split_once("<output>").unwrap();
    rest.rsplit_once("</output>").unwrap().0.to_owned()
}

#[tokio::test]
async fn the_output_format() {
    let f = Fixture::new(&[]);
    let root = f.path("");
    let want = format!(
        "<command>echo hi</command>\n<working_directory>{}</working_directory>\n\
         <output>hi\n</output>\n<exit_code>0</exit_code>",
        root.trim_end_matches('/')
    );
    assert_eq!(bash(&f, "echo hi").await, want);
}

#[tokio::test]
async fn the_behaviour_contract() {
    let f = Fixture::new(&[("sub/x", "")]);
    // 1. "Uses bash (or sh if bash unavailable)"
    assert_eq!(output(&f, "[[ a == a ]] && echo ${BASH_VERSION:+bash}").await, "bash\n");
    // 3. and 4. Neither variables nor the directory last.
    bash(&f, "export X=1; cd sub; pwd").await;
    assert_eq!(output(&f, "echo [$X] ${PWD##*/}").await, "[] w\n");
    // 7. "Non-zero exit codes are NOT errors (informational)"
    assert!(bash(&f, "exit 3").await.ends_with("<exit_code>3</exit_code>"));
    assert!(bash(&f, "kill -9 $$").await.ends_with("<exit_code>137</exit_code>"));
    // 8. "Strips trailing & from commands"
    assert!(bash(&f, "echo x &").await.starts_with("<command>echo x</command>"));
    // cd becomes cwd, which may also be given
    let moved = bash(&f, "cd sub && ls").await;
    assert!(moved.starts_with("<command>ls</command>\n"), "{moved}");
    assert!(moved.contains("/w/sub</working_directory>\n<output>x\n</output>"), "{moved}");
    let given = f.call("Bash", json!({"cmd": "ls", "cwd": f.path("sub")})).await;
    assert!(done(&given).contains("<output>x\n</output>"));
    let missing = f.call("Bash", json!({"cmd": "ls", "cwd": "nowhere"})).await;
    assert!(message(&missing).starts_with("the working directory does not exist: "));
}

#[tokio::test]
async fn output_is_kept_in_order_and_as_text() {
    let f = Fixture::new(&[]);
    assert_eq!(output(&f, "echo 1; echo 2 >&2; echo 3").await, "1\n2\n3\n");
    assert_eq!(output(&f, "printf 'a\\xffb'").await, "a\u{FFFD}b");
    assert_eq!(output(&f, "cat; echo ended").await, "ended\n");
}

#[tokio::test]
async fn the_last_50_000_characters() {
    // 2. "Output truncated to last 50,000 characters"
    let f = Fixture::new(&[]);
    let result = bash(&f, "head -c 300000 /dev/zero | tr '\\0' y; echo end").await;
    assert!(result.contains(&format!("<output>{}end\n</output>", "y".repeat(49_996))));
    assert!(
        result.contains("yend\n</output>\n<exit_code>0</exit_code>\nNote: only the last 50000 ")
    );
}

#[tokio::test]
async fn a_process_left_behind_does_not_hold_the_call() {
    let f = Fixture::new(&[]);
    let start = Instant::now();
    let result = bash(&f, "sleep 600 & echo started $!").await;
    assert!(start.elapsed() < Duration::from_secs(60));
    assert!(result.contains("Note: it left processes running (process group "), "{result}");
    kill_what_was_started(&f, &result).await;
}

/// The command says it twice: as it was given, and as it was run.
async fn kill_what_was_started(f: &Fixture, result: &str) {
    let (_, rest) = result.rsplit_once("started ").unwrap();
    let killed = bash(f, &format!("kill {}", rest.lines().next().unwrap())).await;
    assert!(killed.ends_with("<exit_code>0</exit_code>"), "{killed}");
}

async fn is_ended_by_a_cancel(cmd: &str) {
    let f = Arc::new(Fixture::new(&[]));
    let marker = f.root.join("pid");
    let call = tokio::spawn({
        let (f, cmd) = (f.clone(), cmd.to_owned());
        async move { f.call("Bash", json!({"cmd": cmd})).await }
    });
    let pid = || std::fs::read_to_string(&marker).ok().filter(|pid| pid.ends_with('\n'));
    until("the command starts", || pid().is_some()).await;
    f.scope.cancel.cancel();
    assert_eq!(call.await.unwrap(), json!({"status": "cancelled"}));
    let pid: i32 = pid().unwrap().trim().parse().unwrap();
    until("the process ends", || is_gone(pid)).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn much_output_ends() {
    let f = Fixture::new(&[]);
    let result = bash(&f, "head -c 1000000000 /dev/zero").await;
    assert!(result.ends_with("of 1000000000 bytes of output are shown."), "{}", result.len());
}

/// Ended; perhaps nobody has asked for its exit code yet.
fn is_gone(pid: i32) -> bool {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')),
        Err(_) => true,
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_cancel_ends_the_whole_group() {
    is_ended_by_a_cancel("sleep 600 & echo $! > pid; wait").await;
    is_ended_by_a_cancel("trap '' TERM; (trap '' TERM; echo $BASHPID > pid; sleep 600); sleep 600")
        .await;
    // What has left the group, also as a daemon does.
    is_ended_by_a_cancel("setsid sh -c 'echo $$ > pid; sleep 600' & wait").await;
    is_ended_by_a_cancel(
        "nohup setsid sh -c 'echo $$ > pid; sleep 600' >/dev/null 2>&1 & sleep 600",
    )
    .await;
}

#[tokio::test]
async fn a_process_in_another_session_does_not_hold_the_call() {
    let f = Fixture::new(&[]);
    let result = bash(&f, "setsid nohup sleep 600 & echo started $!").await;
    assert!(result.contains("Note: it left processes running (process "), "{result}");
    kill_what_was_started(&f, &result).await;
}

#[tokio::test]
async fn dangerous_commands_are_refused_after_the_permission() {
    let check = async |rules: &str, cmd: &str, refused: bool| {
        // Without coreutils' programs on its PATH nothing of this could do harm even if it ran.
        let f = Fixture::with(&[], rules, TestHost::allowing(), builtin());
        let cmd = format!("PATH=/nowhere; {cmd}");
        let result = f.call("Bash", json!({"cmd": cmd})).await;
        if !refused {
            return assert_eq!(result["status"], "done", "{result}");
        }
        assert_eq!(result["error"]["errorCode"], "dangerous-command", "{result}");
        assert!(
            message(&result).starts_with("Refusing to run a dangerous command: `mkfs nowhere`")
        );
    };
    check("", "mkfs nowhere", true).await;
    check("allow Bash", "mkfs nowhere", true).await;
    check("allow Bash --cmd '*'", "mkfs nowhere", true).await;
    check("allow Bash --cmd 'mkfs *' --cmd 'PATH*'", "mkfs nowhere", true).await;
    check("", "echo 'mkfs nowhere'", false).await;
    // Lifted by a rule that says exactly this.
    let rules = "allow Bash --cmd 'mkfs nowhere'\nallow Bash";
    check(rules, "mkfs nowhere", false).await;
    check("allow Bash --cmd 'PATH=/nowhere; mkfs nowhere'", "mkfs nowhere", false).await;
    let rules = "ask Bash --cmd 'mkfs nowhere'\nallow Bash";
    check(rules, "mkfs nowhere", true).await;
    let f = Fixture::with(&[], "reject Bash", TestHost::allowing(), builtin());
    let result = f.call("Bash", json!({"cmd": "mkfs nowhere"})).await;
    assert_eq!(result["status"], "rejected-by-user", "the permission comes first: {result}");
}

#[tokio::test]
async fn what_cannot_be_run_is_said() {
    let f = Fixture::with(&[("a.txt", "")], "allow Bash", TestHost::default(), builtin());
    let long = "x".repeat(10_000_000);
    for (args, want) in [
        (json!({"cmd": "a\0b"}), "could not run the command: "),
        (json!({"cmd": long}), "the command has 10000000 bytes, and a shell takes at most "),
        (
            json!({"cmd": "ls", "cwd": "/dev/null"}),
            "the working directory does not exist: /dev/null",
        ),
        (json!({"cmd": "ls", "cwd": "a.txt"}), "the working directory does not exist: "),
        (json!({"cmd": "ls", "cwd": "a\0b"}), "the path "),
        (json!({"cmd": 1}), "Bash: \"cmd\" must be a string"),
        (json!({}), "Bash: \"cmd\" is missing"),
    ] {
        let result = f.call("Bash", args.clone()).await;
        assert!(message(&result).starts_with(want), "{result}");
    }
    assert!(f.host.asks().is_empty());
    let up = f.call("Bash", json!({"cmd": "pwd", "cwd": "sub/../../w"})).await;
    assert_eq!(up["status"], "done", "{up}");
}

#[tokio::test]
async fn what_it_wrote_is_seen() {
    let f = Fixture::new(&[("a.txt", "a\n")]);
    let args = at(&f, "a.txt", json!({"old_str": "a", "new_str": "b"}));
    f.call("edit_file", args).await;
    bash(&f, "echo c >> a.txt").await;
    let read = f.call("Read", at(&f, "a.txt", json!({}))).await;
    assert_eq!(done(&read), "1: b\n2: c");
}

#[tokio::test]
async fn progress_is_told_while_it_runs() {
    let f = Fixture::new(&[]);
    // The command goes on when it has been told of, so that the test waits for no time.
    let call = bash(&f, "echo seen; until [ -e go ]; do sleep 0.01; done");
    let watch = async {
        until("progress", || f.host.progress().iter().any(|text| text == "seen\n")).await;
        std::fs::write(f.root.join("go"), "").unwrap();
    };
    tokio::join!(call, watch);
    assert!(f.events().iter().any(|event| event.progress.as_deref() == Some("seen\n")));
}

#[tokio::test]
async fn what_it_did_not_see_is_said() {
    let f = Fixture::new(&[("a.txt", "a\n")]);
    let args = at(&f, "a.txt", json!({"old_str": "a", "new_str": "b"}));
    f.call("edit_file", args).await;
    let result = bash(&f, "cat a.txt").await;
    let note = "Note: 1 file has proposals or unsaved text that this command did not see: a.txt";
    assert!(result.contains("<output>a\n</output>"), "{result}");
    assert!(result.ends_with(note), "{result}");
}

#[tokio::test]
async fn calls_of_two_threads_take_turns() {
    // 5. "Runs serially (not in parallel)": in a workspace, not only in a batch.
    let f = Fixture::new(&[]);
    let cmd = "mkdir lock && sleep 0.05 && rmdir lock && echo alone";
    let other = crate::fixture::scope(&f.root, "T-2");
    let call = |id: &str| {
        let (name, args) = ("Bash".to_owned(), json!({"cmd": cmd}));
        vec![crate::ToolCall { id: id.to_owned(), name, args }]
    };
    let quiet = |_| {};
    let (a, b) = tokio::join!(
        f.tools.run(&f.scope, call("1"), &quiet),
        f.tools.run(&other, call("2"), &quiet)
    );
    for result in [a, b].concat() {
        let result: Value = crate::fixture::wire(&result);
        assert!(done(&result).contains("<output>alone\n</output>"), "{result}");
    }
}
