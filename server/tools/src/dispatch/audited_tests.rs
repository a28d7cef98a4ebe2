use std::sync::Arc;

use redline_audit::{
    Entry,
    io::{Log, Place, entries},
};
use serde_json::{Value, json};

use super::*;
use crate::{builtin, fixture::Fixture, testing::TestHost};

const SECRET: &str = "hunter2";

/// With a log beside the workspace.
fn audited(rules: &str, host: TestHost) -> (Fixture, Place) {
    let f = Fixture::with(&[("a.txt", "a\n")], rules, host, builtin());
    let place = Place::in_state(&f.root.parent().unwrap().join("state"));
    f.workspace.audit_to(Some(Arc::new(Log::new(place.clone()))));
    (f, place)
}

fn text(place: &Place) -> String {
    std::fs::read_to_string(place.current()).unwrap()
}

fn records(place: &Place) -> Vec<Record> {
    entries(place).unwrap().into_iter().map(|Entry { record, .. }| record).collect()
}

fn call(place: &Place) -> CallRecord {
    let call = |record| match record {
        Record::Call(call) => Some(*call),
        _ => None,
    };
    records(place).into_iter().find_map(call).unwrap()
}

async fn leaves_out(tool: &str, args: Value) -> CallRecord {
    let (f, place) = audited("", TestHost::default());
    f.call(tool, args).await;
    assert!(!text(&place).contains(SECRET), "{}", text(&place));
    call(&place)
}

#[tokio::test]
async fn paths_without_secrets() {
    let read = leaves_out("Read", json!({"path": "x/token=hunter2/a"})).await;
    assert_eq!(read.paths[0].written, "x/token=[redacted]");
}

#[tokio::test]
async fn what_a_command_writes_into_a_secret_file() {
    let cmd = "cat > .env <<'E'\nA=hunter2\nE";
    let bash = leaves_out("Bash", json!({ "cmd": cmd })).await;
    assert_eq!(
        (&bash.args["cmd"], &bash.redacted[..]),
        (&json!("[redacted]"), &["cmd".into()][..])
    );
    let tee = leaves_out("Bash", json!({"cmd": "echo hunter2 >> id_rsa && ls"})).await;
    assert_eq!(tee.args["cmd"], "[redacted]");
}

#[cfg(unix)]
#[tokio::test]
async fn a_call_is_written_before_its_delegate_runs() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("decide");
    let seen = dir.path().join("seen");
    // Written by another process, which has closed it when it is run.
    let script = r#"printf '#!/bin/sh\ncp "%s" "%s"\n' "$2" "$3" > "$1"; chmod 755 "$1""#;
    let write = |log: &Place| {
        let mut sh = std::process::Command::new("sh");
        let sh = sh.args(["-c", script, "sh"]).arg(&program).arg(log.current()).arg(&seen);
        assert!(sh.status().unwrap().success());
    };
    let rules = format!("delegate --to '{}' Bash", program.display());
    let (f, place) = audited(&rules, TestHost::default());
    write(&place);
    assert_eq!(f.call("Bash", json!({"cmd": "touch ran"})).await["status"], "done");
    let then = std::fs::read_to_string(&seen).unwrap();
    assert!(then.contains(r#""kind":"call""#) && then.contains(r#""by":{"who":"none"}"#), "{then}");
    let kinds: Vec<&str> = records(&place).iter().map(kind).collect();
    assert_eq!(kinds, ["file", "call", "answer", "result"]);
    let answer = records(&place).into_iter().find_map(|record| match record {
        Record::Answer(answer) => Some(answer.by),
        _ => None,
    });
    let program = program.display().to_string();
    assert_eq!(answer, Some(Decider::Delegate { program, answer: "allow".into() }));
}

fn kind(record: &Record) -> &'static str {
    match record {
        Record::File(_) => "file",
        Record::Call(_) => "call",
        Record::Answer(_) => "answer",
        Record::Result(_) => "result",
        _ => "other",
    }
}
