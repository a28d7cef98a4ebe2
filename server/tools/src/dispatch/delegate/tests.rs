use std::{path::Path, process::Command, sync::Arc};

use redline_workspace::OptionId;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::found::found;
use crate::{
    ToolSettings, builtin,
    fixture::{Fixture, at, done, until},
    testing::{TestHost, answer},
};

/// A folder of programs that decide.
struct Programs(TempDir);

impl Programs {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Written by another process: a file that this one has open for writing cannot be executed,
    /// and a process that another test starts meanwhile would have it open too.
    fn add(&self, name: &str, script: &str, mode: &str) -> String {
        let path = self.path(name);
        let write = r#"printf '#!/bin/sh\n%s\n' "$2" > "$1"; chmod "$3" "$1""#;
        let wrote = Command::new("sh").args(["-c", write, "sh", &path, script, mode]).status();
        assert!(wrote.unwrap().success());
        path
    }

    fn program(&self, script: &str) -> String {
        self.add("decide", script, "755")
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

fn with(rules: &str, host: TestHost) -> Fixture {
    Fixture::with(&[("a.txt", "a\n"), (".env", "KEY=1\n")], rules, host, builtin())
}

/// Bash is delegated to the program; the user is asked nothing, or says no.
fn delegating(program: &str) -> Fixture {
    with(&format!("delegate --to '{program}' Bash"), TestHost::default())
}

async fn touch(f: &Fixture) -> Value {
    f.call("Bash", json!({"cmd": "touch ran"})).await
}

fn ran(f: &Fixture) -> bool {
    f.root.join("ran").exists()
}

/// Why it was asked, once, and only for this call.
fn asked(f: &Fixture) -> String {
    let asks = f.host.asks();
    assert_eq!(asks.len(), 1, "{asks:?}");
    let ids: Vec<OptionId> = asks[0].options.iter().map(|option| option.id).collect();
    assert_eq!(ids, [OptionId::Once, OptionId::Reject]);
    asks[0].reason.text.clone()
}

#[tokio::test]
async fn exit_0_allows() {
    let programs = Programs::new();
    let f = delegating(&programs.program("echo nonsense; echo words >&2"));
    assert_eq!(touch(&f).await["status"], "done");
    assert!(ran(&f) && f.host.asks().is_empty());
}

#[tokio::test]
async fn exit_1_asks_and_says_why() {
    let programs = Programs::new();
    let program = programs.program(r"printf '\033[31mnot sure\n' >&2; exit 1");
    let f = delegating(&program);
    assert_eq!(touch(&f).await["status"], "rejected-by-user");
    assert!(!ran(&f));
    let want = format!(
        "Asks because the program `{program}` leaves it to you and says: not sure; it decides \
         because of your rule `delegate --to {program} Bash` (/settings, line 1); change that rule to \
         decide without the program."
    );
    assert_eq!(asked(&f), want);
}

#[tokio::test]
async fn an_ask_of_a_program_can_be_allowed() {
    let programs = Programs::new();
    let program = programs.program("exit 1");
    let rules = format!("delegate --to {program} Bash");
    let f = with(&rules, TestHost::new([answer(OptionId::Once), answer(OptionId::Session)]));
    assert_eq!(touch(&f).await["status"], "done");
    assert!(ran(&f));
    // Not offered: the program would ask again.
    assert_eq!(touch(&f).await["status"], "rejected-by-user");
}

#[tokio::test]
async fn exit_2_rejects_and_the_model_is_told() {
    let programs = Programs::new();
    let program = programs.program(r"printf 'no \033[1mpushes\033[0m on Friday\n' >&2; exit 2");
    let f = delegating(&program);
    let calls = [("Bash", json!({"cmd": "touch ran"})), ("Read", at(&f, "a.txt", json!({})))];
    let results = f.run(&calls).await;
    assert_eq!(results[0]["status"], "rejected-by-user");
    assert_eq!(results[0]["comment"], "no pushes on Friday");
    let reason = results[0]["reason"].as_str().unwrap();
    let want = format!("Rejected by the program `{program}`; it decides because of your rule ");
    assert!(reason.starts_with(&want), "{reason}");
    assert_eq!(results[1]["status"], "done", "the turn goes on");
    assert!(!ran(&f) && f.host.asks().is_empty());
}

#[tokio::test]
async fn a_reject_without_words_does_not_end_the_turn() {
    let programs = Programs::new();
    let f = delegating(&programs.program("exit 77"));
    let calls = [("Bash", json!({"cmd": "touch ran"})), ("Read", at(&f, "a.txt", json!({})))];
    let results = f.run(&calls).await;
    assert_eq!(results[0].get("comment"), None, "{results:?}");
    assert_eq!(results[1]["status"], "done", "{results:?}");
}

#[tokio::test]
async fn what_goes_wrong_is_asked() {
    let programs = Programs::new();
    let plain = programs.add("plain", "exit 0", "644");
    let interpreter = programs.path("odd");
    Command::new("sh")
        .args(["-c", "printf '#!/nowhere/sh\\n' > \"$1\"; chmod 755 \"$1\"", "sh", &interpreter])
        .status()
        .unwrap();
    for (program, want) in [
        (programs.program("kill -9 $$"), "was killed before it answered (signal: 9"),
        ("redline-no-such-program".to_owned(), "is not on $PATH"),
        (programs.path("missing"), "is not there ("),
        (plain, "is not executable"),
        (programs.path(""), "is no file"),
        ("/dev/null".to_owned(), "is no file"),
        ("./decide".to_owned(), "is neither a name to be found on $PATH nor an absolute path"),
        ("bin/decide".to_owned(), "is neither a name"),
        (interpreter, "could not be started ("),
    ] {
        let f = delegating(&program);
        assert_eq!(touch(&f).await["status"], "rejected-by-user", "{program}");
        let text = asked(&f);
        let want = format!("Asks because the program `{program}` {want}");
        assert!(text.starts_with(&want), "{text}");
        assert!(!ran(&f));
    }
}

#[tokio::test(start_paused = true)]
async fn a_program_that_does_not_answer_is_ended() {
    let programs = Programs::new();
    let f = delegating(&programs.program("trap '' TERM; sleep 621; sleep 621"));
    assert_eq!(touch(&f).await["status"], "rejected-by-user");
    assert!(asked(&f).contains(" did not answer within 10 seconds; it decides"));
    assert!(!is_running("621"));
}

#[tokio::test]
async fn it_gets_the_whole_call() {
    let programs = Programs::new();
    let seen = programs.path("seen");
    let script = format!(
        "{{ echo \"$AMP_THREAD_ID $AGENT_TOOL_NAME $AGENT $#\"; pwd; cat; }} > {seen}; echo again >> {seen}.times"
    );
    let f = delegating(&programs.program(&script));
    let cmd = "touch ran; echo 'a\"b\n日本' > /dev/null";
    let result = f.call("Bash", json!({"cmd": cmd, "cwd": f.path("")})).await;
    assert_eq!(result["status"], "done", "{result}");
    let text = std::fs::read_to_string(&seen).unwrap();
    let mut lines = text.splitn(3, '\n');
    assert_eq!(lines.next(), Some("T-1 Bash amp 0"));
    assert_eq!(lines.next(), f.root.to_str());
    let args: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert_eq!(args, json!({"cmd": cmd, "cwd": f.root.display().to_string()}));
    let times = std::fs::read_to_string(format!("{seen}.times")).unwrap();
    assert_eq!(times, "again\n", "once for all parts of the call");
}

#[tokio::test]
async fn neither_much_output_nor_input_that_is_not_read_matters() {
    let programs = Programs::new();
    let much = "head -c 3000000 /dev/zero | tr '\\0' x";
    let f = delegating(&programs.program(&format!("{much}; {much} >&2; exit 2")));
    let result = touch(&f).await;
    let comment = result["comment"].as_str().unwrap();
    assert_eq!(comment, "x".repeat(4_096) + "…");

    let program = programs.program("exit 0");
    let f = with(&format!("delegate --to {program} create_file"), TestHost::default());
    let args = at(&f, "big.txt", json!({"content": "x".repeat(2_000_000)}));
    assert_eq!(f.call("create_file", args).await["review"]["state"], "applied");
}

#[tokio::test]
async fn what_it_starts_ends_with_it() {
    let programs = Programs::new();
    let f =
        delegating(&programs.program(
            "sleep 622 & setsid sleep 622 & nohup setsid sleep 622 >/dev/null 2>&1 & exit 0",
        ));
    assert_eq!(touch(&f).await["status"], "done");
    until("they end", || !is_running("622")).await;
}

#[tokio::test]
async fn a_cancel_ends_it() {
    let programs = Programs::new();
    let started = programs.path("started");
    let f = Arc::new(delegating(
        &programs.program(&format!("echo > {started}; trap '' TERM; sleep 623; sleep 623")),
    ));
    let call = tokio::spawn({
        let f = f.clone();
        async move { touch(&f).await }
    });
    until("it starts", || Path::new(&started).exists()).await;
    f.scope.cancel.cancel();
    assert_eq!(call.await.unwrap(), json!({"status": "cancelled"}));
    until("it ends", || !is_running("623")).await;
    assert!(!ran(&f) && f.host.asks().is_empty());
}

/// A process with that argument that has not ended.
fn is_running(argument: &str) -> bool {
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes())
    })
}

#[tokio::test]
async fn the_most_restrictive_of_several_answers_counts() {
    for (first, second, want) in [
        ("exit 0", "exit 0", "done"),
        ("exit 0", "exit 1", "asked"),
        ("exit 1", "exit 0", "asked"),
        ("exit 1", "echo no >&2; exit 2", "no"),
        ("echo no >&2; exit 2", "exit 0", "no"),
    ] {
        let programs = Programs::new();
        let (a, b) = (programs.add("a", first, "755"), programs.add("b", second, "755"));
        let rules =
            format!("delegate --to {a} Bash --cmd 'touch *'\ndelegate --to {b} Bash --cmd 'pwd*'");
        let f = with(&rules, TestHost::default());
        let result = f.call("Bash", json!({"cmd": "touch ran; pwd -P"})).await;
        let comment = result["comment"].as_str().unwrap_or_default().to_owned();
        match want {
            "done" => assert_eq!(result["status"], "done", "{first}, {second}"),
            "asked" => assert!(asked(&f).contains(" leaves it to you"), "{first}, {second}"),
            want => assert_eq!((comment.as_str(), f.host.asks().len()), (want, 0)),
        }
        assert_eq!(ran(&f), want == "done", "{first}, {second}");
    }
}

#[tokio::test]
async fn it_decides_only_what_was_delegated() {
    let programs = Programs::new();
    let yes = programs.program("exit 0");
    let check = async |rules: &str, cmd: &str, asks: usize| {
        let f = with(&rules.replace("YES", &yes), TestHost::default());
        let result = f.call("Bash", json!({"cmd": cmd})).await;
        let want = if asks == 0 { "done" } else { "rejected-by-user" };
        assert_eq!((result["status"].as_str(), f.host.asks().len()), (Some(want), asks), "{cmd}");
    };
    let rules = "delegate --to YES Bash --cmd 'touch *'\nallow Bash --cmd ls";
    check(rules, "touch ran", 0).await;
    check(rules, "touch ran; ls", 0).await;
    check(rules, "touch ran; make all", 1).await;
    check(rules, "touch ran > other.txt", 1).await;
    check(rules, "touch ran; eval \"$X\"", 1).await;
    let first = format!("ask Bash --cmd '*secret*'\n{rules}");
    check(&first, "touch secret", 1).await;
    let f = with(&format!("delegate --to {yes} Bash"), TestHost::default());
    let refused = f.call("Bash", json!({"cmd": "PATH=/nowhere; mkfs nowhere"})).await;
    assert_ne!(refused["status"], "done", "guards stay: {refused}");
}

/// A reject of the program counts although another part asks anyway.
#[tokio::test]
async fn it_is_asked_before_the_user() {
    let programs = Programs::new();
    let no = programs.program("echo never >&2; exit 2");
    let f = with(&format!("delegate --to {no} Bash --cmd 'touch *'"), TestHost::allowing());
    let result = f.call("Bash", json!({"cmd": "touch ran; make all"})).await;
    assert_eq!((result["comment"].as_str(), f.host.asks().len()), (Some("never"), 0));
    // What the rules reject it is not asked.
    let seen = programs.path("seen");
    let no = programs.program(&format!("echo > {seen}"));
    let rules = format!("reject Bash --cmd 'pwd*'\ndelegate --to {no} Bash");
    let f = with(&rules, TestHost::allowing());
    assert_eq!(
        f.call("Bash", json!({"cmd": "touch ran; pwd"})).await["status"],
        "rejected-by-user"
    );
    assert!(!Path::new(&seen).exists());
}

#[tokio::test]
async fn edits() {
    let programs = Programs::new();
    let edit = json!({"old_str": "a", "new_str": "b"});
    for (script, want) in
        [("exit 0", "applied"), ("exit 1", "pending"), ("kill $$", "pending"), ("exit 2", "no")]
    {
        let program = programs.program(script);
        let f = with(&format!("delegate --to {program} edit_file"), TestHost::default());
        let result = f.call("edit_file", at(&f, "a.txt", edit.clone())).await;
        match want {
            "no" => assert_eq!(result["status"], "rejected-by-user", "{script}"),
            want => assert_eq!(result["review"]["state"], want, "{script}: {result}"),
        }
        assert!(f.host.asks().is_empty(), "a hunk is question enough");
    }
    // What no program can allow by itself.
    let yes = programs.program("exit 0");
    let rules = format!("delegate --to {yes} edit_file\ndelegate --to {yes} create_file");
    let f = with(&rules, TestHost::allowing());
    let args = at(&f, ".git/config", json!({"content": "x"}));
    assert_eq!(f.call("create_file", args).await["review"]["state"], "pending");
    let outside = f.root.join("../home/h.txt").display().to_string();
    let args = json!({"path": outside, "content": "x"});
    assert_eq!(f.call("create_file", args).await["review"]["state"], "pending");
    assert!(asked(&f).starts_with("Asks because `/"), "{}", asked(&f));
}

#[tokio::test]
async fn reads() {
    let programs = Programs::new();
    let yes = programs.program("exit 0");
    let rules = format!("delegate --to {yes} Read --path '*.env'\ndelegate --to {yes} Read");
    let f = with(&rules, TestHost::default());
    assert_eq!(done(&f.call("Read", at(&f, "a.txt", json!({}))).await), "1: a");
    let secret = f.call("Read", at(&f, ".env", json!({}))).await;
    assert_eq!(secret["error"]["errorCode"], "reading-secret-file", "{secret}");
    let result = f.call("Read", json!({"path": "/etc/hostname"})).await;
    assert_eq!(result["status"], "rejected-by-user");
    assert!(asked(&f).contains("lies outside the workspace, which no program can allow"));
}

/// Each command that a tool found is asked about by itself, whichever of them decides.
#[tokio::test]
async fn commands_that_a_tool_has_found() {
    let programs = Programs::new();
    let seen = programs.path("seen");
    let a = programs.add("a", &format!("cat >> {seen}; echo $AGENT_TOOL_NAME >> {seen}"), "755");
    let b = programs.add("b", "echo no tests today >&2; exit 2", "755");
    let rules =
        format!("delegate --to {a} Bash --cmd 'echo *'\ndelegate --to {b} Bash --cmd 'touch *'");
    let f = with(&rules, TestHost::default());
    let list = |cmd: &str| vec![cmd.to_owned()];
    let check = [("lint".to_owned(), list("echo fine")), ("test".to_owned(), list("touch ran"))];
    f.tools.configure(ToolSettings { check: check.into(), ..ToolSettings::default() });
    let result = f.call("Check", json!({})).await;
    assert_eq!(result["comment"], "no tests today", "{result}");
    assert!(!ran(&f));
    let text = std::fs::read_to_string(&seen).unwrap();
    let args = json!({"cmd": "echo fine", "cwd": f.root.display().to_string()});
    assert_eq!(text, format!("{args}Bash\n"));
    assert_eq!(f.call("Check", json!({"kinds": ["lint"]})).await["status"], "done");
}

/// What a repository asks about is the user's program's to reject still, but not to allow.
#[tokio::test]
async fn a_repositorys_ask_does_not_go_before_it() {
    let programs = Programs::new();
    let no = programs.add("no", "echo never >&2; exit 2", "755");
    let yes = programs.add("yes", "exit 0", "755");
    let rules = |program: &str| format!("delegate --to {program} Bash --cmd 'touch *'");
    let list = || [("test".to_owned(), vec!["touch ran".to_owned()])].into();
    for (tool, theirs, args) in [
        ("Check", "ask Check", json!({})),
        ("Check", "ask Bash", json!({})),
        ("Bash", "ask Bash", json!({"cmd": "touch ran"})),
    ] {
        let of = |program: &str, host| {
            let f = with(&rules(program), host).with_theirs(theirs, false);
            f.tools.configure(ToolSettings { check: list(), ..ToolSettings::default() });
            f
        };
        let f = of(&no, TestHost::allowing());
        let result = f.call(tool, args.clone()).await;
        assert_eq!(
            (result["comment"].as_str(), f.host.asks().len()),
            (Some("never"), 0),
            "{theirs}"
        );
        assert!(!ran(&f));
        let f = of(&yes, TestHost::default());
        let result = f.call(tool, args).await;
        assert_eq!((result["status"].as_str(), ran(&f)), (Some("rejected-by-user"), false));
        assert_eq!(f.host.asks().len(), 1, "{theirs}");
    }
}

#[test]
fn names_are_looked_up_outside_the_workspace() {
    let (programs, ours) = (Programs::new(), Programs::new());
    let (real, fake) = (programs.add("x", "", "755"), ours.add("x", "", "755"));
    programs.add("plain", "", "600");
    let roots = [ours.0.path().canonicalize().unwrap()];
    std::os::unix::fs::symlink(&roots[0], programs.path("link")).unwrap();
    let path = format!(".::{0}:{1}/link:{1}", ours.path(""), programs.0.path().display());
    let look = |name: &str, path: &str| {
        let found = found(name, Some(path.as_ref()), &roots);
        found.map(|file| file.display().to_string()).map_err(|error| error.to_string())
    };
    assert_eq!(look("x", &path), Ok(real.clone()));
    assert_eq!(look(&fake, ""), Ok(fake), "the user has written that");
    for (name, why) in
        [("x", "is not on $PATH (folders of the workspace do not count)"), ("", "is")]
    {
        assert!(look(name, &ours.path("")).unwrap_err().starts_with(why));
    }
    let outside = Programs::new();
    std::os::unix::fs::symlink(roots[0].join("x"), outside.path("x")).unwrap();
    let linked = look("x", &outside.0.path().display().to_string());
    assert!(linked.unwrap_err().starts_with("is not on $PATH"), "its file is the workspace's");
    // root may execute what nobody may, but not what nobody at all is allowed to.
    assert_eq!(look("plain", &path), Err("is not executable".to_owned()));
    assert!(look("link", &path).unwrap_err().starts_with("is not on $PATH"), "it is ours");
    std::fs::create_dir(programs.path("folder")).unwrap();
    assert_eq!(look("folder", &path), Err("is no file".to_owned()));
    assert!(look("a\0b", &path).is_err());
    assert!(look(&"x".repeat(100_000), &path).is_err());
}
