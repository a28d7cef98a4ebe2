use std::sync::Arc;

use redline_permissions::{Action, Rule, SourcedRule};
use redline_workspace::{Event, OptionId};
use serde_json::{Value, json};

use crate::{
    ToolSettings, builtin,
    fixture::{Fixture, at, done, message, until},
    testing::{TestHost, answer},
};

/// Programs of a project, which print what real ones do.
const FILES: [(&str, &str); 6] = [
    ("Makefile", "check:\n\t@sh types.sh\nlint:\n\t@sh lint.sh\ntest:\n\t@echo fine\n"),
    (
        "types.sh",
        "echo 'src/a.ts(2,3): error TS2322: wrong'; echo 'src/a.ts(2,3): error TS2322: wrong'; exit 2",
    ),
    ("lint.sh", "echo 'src/b.ts:1:1: warning: unused' >&2"),
    ("src/a.ts", "a\nb\n"),
    ("src/b.ts", "a\n"),
    ("sub/deep/x", ""),
];

fn with(rules: &str, host: TestHost) -> Fixture {
    Fixture::with(&FILES, rules, host, builtin())
}

fn configured(f: &Fixture, rows: &[(&str, &[&str])]) {
    let owned = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let check = rows.iter().map(|(kind, list)| ((*kind).to_owned(), owned(list))).collect();
    f.tools.configure(ToolSettings { check, ..ToolSettings::default() });
}

async fn check(f: &Fixture, args: Value) -> Value {
    let result = f.call("Check", args).await;
    assert_eq!(result["status"], "done", "{result}");
    result["result"].clone()
}

#[tokio::test]
async fn the_projects_own_commands_and_what_they_say() {
    let f = with("allow Check", TestHost::default());
    let result = check(&f, json!({})).await;
    assert_eq!(
        result["summary"],
        "typecheck: 1 error, failed with exit code 2; lint: 1 warning; test: ok"
    );
    let want = json!([
        {"file": "src/a.ts", "line": 2, "column": 3, "severity": "error", "message": "wrong",
         "code": "TS2322", "source": "typecheck"},
        {"file": "src/b.ts", "line": 1, "column": 1, "severity": "warning", "message": "unused",
         "source": "lint"},
    ]);
    assert_eq!(result["diagnostics"], want);
    let root = f.root.display().to_string();
    let command = |kind, command, code| json!({"kind": kind, "command": command, "cwd": root, "exitCode": code});
    let commands = json!([
        command("typecheck", "make check", 2),
        command("lint", "make lint", 0),
        command("test", "make test", 0),
    ]);
    assert_eq!(result["commands"], commands);
}

#[tokio::test]
async fn some_kinds_and_some_files() {
    let f = with("allow Check", TestHost::default());
    let result = check(&f, json!({"kinds": ["lint"]})).await;
    assert_eq!(result["summary"], "lint: 1 warning");
    let result =
        check(&f, json!({"path": "src/b.ts", "kinds": ["test", "lint", "typecheck"]})).await;
    assert_eq!(result["diagnostics"].as_array().unwrap().len(), 1, "{result}");
    assert_eq!(result["elsewhere"], 2, "{result}");
    let result = check(&f, json!({"path": "sub/deep"})).await;
    assert_eq!(result["commands"].as_array().unwrap().len(), 3, "the project above it");
}

#[tokio::test]
async fn what_cannot_be_checked() {
    let f = Fixture::with(&[("a.txt", "")], "allow Check", TestHost::default(), builtin());
    for (args, want) in [
        (json!({}), "Found no typecheck or lint or test command for "),
        (json!({"kinds": ["lint"]}), "Found no lint command for "),
        (json!({"path": "nowhere"}), "cannot check \"nowhere\": "),
        (json!({"path": "/"}), "\"/\" is outside the workspace"),
        (json!({"path": "a\0b"}), "cannot check \"a\\0b\": "),
        (json!({"path": "x".repeat(100_000)}), "cannot check "),
        (json!({"kinds": ["all"]}), "Check: \"kinds[0]\" must be "),
        (json!({"kinds": 1}), "Check: \"kinds\" must be an array"),
        (json!({"path": 1}), "Check: \"path\" must be a string"),
    ] {
        let result = f.call("Check", args.clone()).await;
        let said = message(&result);
        assert!(said.starts_with(want), "{args}: {said}");
        if want.starts_with("Found no") {
            assert!(said.contains("\"redline.check\": {"), "{said}");
        }
    }
    assert!(f.host.asks().is_empty());
}

#[tokio::test]
async fn the_users_commands_come_first() {
    let f = with("allow Check", TestHost::default());
    let rows: [(&str, &[&str]); 2] =
        [("lint", &["echo 'sub/x.c:4: odd'; exit 1", "no-such-program-at-all"]), ("test", &[])];
    configured(&f, &rows);
    let result = check(&f, json!({})).await;
    assert_eq!(
        result["summary"],
        "typecheck: 1 error, failed with exit code 2; lint: 1 error, failed with exit code 1; \
         lint: failed with exit code 127"
    );
    assert_eq!(result["commands"][0]["command"], "make check");
    let missing = &result["commands"][2];
    assert!(missing["output"].as_str().unwrap().contains("not found"), "{missing}");
    assert!(missing["hint"].as_str().unwrap().contains("not installed"), "{missing}");
    assert_eq!(result["diagnostics"][0]["file"], "src/a.ts");
    assert_eq!(result["diagnostics"][1]["file"], "sub/x.c");
}

#[tokio::test]
async fn it_asks_for_the_exact_commands() {
    let f = with("", TestHost::new([answer(OptionId::Once), answer(OptionId::Reject)]));
    check(&f, json!({})).await;
    let ask = f.host.asks().remove(0);
    assert_eq!((ask.tool.as_str(), ask.title.as_str()), ("Check", "Run: make check (and 2 more)"));
    assert_eq!(ask.detail.as_deref(), Some("make check\nmake lint\nmake test"));
    assert_eq!(ask.args["commands"][0]["cmd"], "make check");
    let covers = ask.options[1].covers.clone().unwrap();
    assert_eq!(covers.lines().count(), 3, "{covers}");
    assert!(covers.lines().all(|rule| rule.starts_with("allow Bash --cmd 'make ")), "{covers}");
    let result = f.call("Check", json!({"kinds": ["test"]})).await;
    assert_eq!(result["status"], "rejected-by-user", "{result}");
}

#[tokio::test]
async fn rules_for_commands_are_rules_for_it() {
    let run = async |rules: &str, args: Value| {
        let f = with(rules, TestHost::default());
        let result = f.call("Check", args).await;
        (result["status"].as_str().unwrap().to_owned(), f.host.asks().len())
    };
    let (all, lint) = (json!({}), json!({"kinds": ["lint"]}));
    let (done, rejected) = ("done".to_owned(), "rejected-by-user".to_owned());
    assert_eq!(run("allow Bash --cmd 'make *'", all.clone()).await, (done.clone(), 0));
    assert_eq!(run("allow Bash --cmd 'make lint'", lint.clone()).await, (done.clone(), 0));
    assert_eq!(run("allow Bash --cmd 'make lint'", all.clone()).await, (rejected.clone(), 1));
    assert_eq!(
        run("reject Bash --cmd 'make test'\nallow Bash", all.clone()).await,
        (rejected.clone(), 0)
    );
    assert_eq!(
        run("reject Bash --cmd 'make test'\nallow Bash", lint.clone()).await,
        (done.clone(), 0)
    );
    assert_eq!(run("reject Check\nallow Bash", all.clone()).await, (rejected.clone(), 0));
    assert_eq!(run("ask Check\nallow Bash", all).await, (rejected, 1));
    assert_eq!(run("allow Check\nreject Bash", lint).await, (done, 0));
}

/// Rules of the user's for commands go before what a repository says of the tool.
#[tokio::test]
async fn a_repositorys_rule_for_it_lifts_no_rule_for_commands() {
    let check = async |own: &str, theirs: &str, trusted: bool, expect: (&str, usize)| {
        let f = with(own, TestHost::allowing()).with_theirs(theirs, trusted);
        let result = f.call("Check", json!({"kinds": ["lint"]})).await;
        let seen = (result["status"].as_str().unwrap(), f.host.asks().len());
        assert_eq!(seen, expect, "{own} | {theirs}: {result}");
    };
    for theirs in ["ask Check", "allow Check", "ask Bash"] {
        check("reject Bash --cmd 'make *'", theirs, false, ("rejected-by-user", 0)).await;
        check("reject Bash --cmd 'make *'", theirs, true, ("rejected-by-user", 0)).await;
        check("ask Bash --cmd 'make *'", theirs, true, ("done", 1)).await;
    }
    check("allow Bash", "ask Check", false, ("done", 1)).await;
    check("allow Bash", "allow Check", false, ("done", 0)).await;
    check("", "allow Check", false, ("done", 1)).await;
    check("", "allow Check", true, ("done", 0)).await;
    check("allow Check", "reject Check", false, ("rejected-by-user", 0)).await;
}

#[tokio::test]
async fn a_grant_for_it_lifts_asks_for_commands_and_no_more() {
    for (rules, expect) in [
        ("", ("done", 0)),
        ("ask Bash --cmd 'make *'", ("done", 0)),
        ("reject Bash --cmd 'make *'", ("rejected-by-user", 0)),
    ] {
        let f = with(rules, TestHost::default());
        let rule = Rule::new(Action::Allow, "Check");
        let mut policy = f.workspace.query(|session| session.config().policy.clone());
        policy.add_grant(SourcedRule::session(rule));
        let policy = Box::new(policy);
        f.workspace.post(Event::Configured { policy, save_on_accept: true });
        let result = f.call("Check", json!({"kinds": ["lint"]})).await;
        let seen = (result["status"].as_str().unwrap(), f.host.asks().len());
        assert_eq!(seen, expect, "{rules}: {result}");
    }
}

#[tokio::test]
async fn what_a_model_calls_commands_is_not_run() {
    let f = with("allow Check", TestHost::default());
    let evil = json!([{"kind": "lint", "cmd": "touch evil", "cwd": f.root}]);
    check(&f, json!({"kinds": ["lint"], "commands": evil})).await;
    assert!(!f.root.join("evil").exists());
}

#[tokio::test]
async fn dangerous_commands_are_refused_here_too() {
    let f = with("allow Check", TestHost::default());
    configured(&f, &[("lint", &["mkfs nowhere"])]);
    let result = f.call("Check", json!({"kinds": ["lint"]})).await;
    assert_eq!(result["error"]["errorCode"], "dangerous-command", "{result}");
}

#[tokio::test]
async fn it_tells_its_progress_and_ends_on_a_cancel() {
    let f = Arc::new(with("allow Check", TestHost::default()));
    configured(&f, &[("test", &["echo begun; setsid sleep 680 & sleep 680"])]);
    let call = tokio::spawn({
        let f = f.clone();
        async move { f.call("Check", json!({"kinds": ["test"]})).await }
    });
    let told = |part: &str| f.host.progress().iter().any(|text| text.contains(part));
    until("progress", || told("$ echo begun; ") && told("begun\n")).await;
    f.scope.cancel.cancel();
    assert_eq!(call.await.unwrap(), json!({"status": "cancelled"}));
    let g = Fixture::new(&[]);
    let left = g.call("Bash", json!({"cmd": "pgrep -f '^sleep 680' || echo none"})).await;
    assert!(done(&left).contains("<output>none\n"), "{left}");
}

#[tokio::test]
async fn it_sees_the_disk_and_what_it_wrote_is_seen() {
    let f = with("allow Check", TestHost::new([answer(OptionId::RunWithout)]));
    configured(&f, &[("lint", &["echo c >> src/b.ts"])]);
    f.call("edit_file", at(&f, "src/b.ts", json!({"old_str": "a", "new_str": "b"}))).await;
    let result = check(&f, json!({"kinds": ["lint"]})).await;
    assert!(result["note"].as_str().unwrap().ends_with("did not see: src/b.ts"), "{result}");
    let ids: Vec<_> = f.host.asks()[0].options.iter().map(|it| it.id.name()).collect();
    assert_eq!(ids, ["acceptAndRun", "runWithout", "reject"]);
    let read = f.call("Read", at(&f, "src/b.ts", json!({}))).await;
    assert_eq!(done(&read), "1: b\n2: c");
}

#[tokio::test]
async fn much_is_cut_to_the_worst() {
    let f = with("allow Check", TestHost::default());
    let cmd = "for n in $(seq 300); do echo a.c:$n: warning: w; done; echo z.c:1: error: e";
    configured(&f, &[("lint", &[cmd])]);
    let result = check(&f, json!({"kinds": ["lint"]})).await;
    assert_eq!(result["diagnostics"].as_array().unwrap().len(), super::MAX_DIAGNOSTICS);
    assert_eq!(result["diagnostics"][0]["message"], "e");
    assert_eq!(
        (&result["leftOut"], &result["summary"]),
        (&json!(201), &json!("lint: 1 error, 300 warnings in 2 files"))
    );
}

#[tokio::test]
async fn projects_below_a_root_that_has_none() {
    let make = "lint:\n\t@echo x.c:1: bad\n";
    let files =
        [("one/Makefile", make), ("two/Makefile", make), ("two/x.c", ""), (".hid/Makefile", make)];
    let f = Fixture::with(&files, "allow Check", TestHost::default(), builtin());
    let result = check(&f, json!({})).await;
    let shown: Vec<&Value> =
        result["diagnostics"].as_array().unwrap().iter().map(|it| &it["file"]).collect();
    assert_eq!(shown, ["one/x.c", "two/x.c"]);
    let result = check(&f, json!({"path": "two/x.c"})).await;
    assert_eq!(result["commands"].as_array().unwrap().len(), 1);
}

/// A device or a pipe in the place of a manifest is never opened.
#[cfg(unix)]
#[tokio::test]
async fn odd_files_are_no_manifests() {
    let f = Fixture::with(&[("a", "")], "allow Check\nallow Bash", TestHost::default(), builtin());
    let made = f.call("Bash", json!({"cmd": "mkfifo Makefile package.json pyproject.toml"})).await;
    assert!(done(&made).ends_with("<exit_code>0</exit_code>"), "{made}");
    std::fs::create_dir(f.root.join("Cargo.toml")).unwrap();
    let result = f.call("Check", json!({})).await;
    assert!(message(&result).starts_with("Found no "), "{result}");
}
