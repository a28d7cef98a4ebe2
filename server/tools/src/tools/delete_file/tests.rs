use std::{os::unix::fs::PermissionsExt, path::Path};

use redline_workspace::{ResolveAction, ResolveRequest};
use serde_json::{Value, json};

use crate::{
    Scope, ToolCall, builtin,
    fixture::{Fixture, at, done, message, scope, wire},
    testing::TestHost,
};

async fn delete(f: &Fixture, name: &str) -> Value {
    f.call("delete_file", at(f, name, json!({}))).await
}

async fn all(f: &Fixture, action: ResolveAction) {
    let answer = f.workspace.resolve(ResolveRequest::all(action)).await.unwrap();
    assert!(answer.failed.is_empty(), "{answer:?}");
}

fn is_there(f: &Fixture, name: &str) -> bool {
    f.root.join(name).symlink_metadata().is_ok()
}

const FILES: [(&str, &str); 3] = [("a.txt", "needle\n"), ("b.txt", "needle\n"), ("sub/c", "x")];

#[tokio::test]
async fn the_file_is_gone_for_the_thread_and_there_for_others() {
    let f = Fixture::new(&FILES);
    let result = delete(&f, "a.txt").await;
    let path = f.path("a.txt");
    let want = format!("Successfully deleted file {path}\n{}", super::PROPOSED);
    assert_eq!(done(&result), want);
    assert_eq!(
        (&result["review"]["state"], &result["trackFiles"]),
        (&"pending".into(), &json!([path]))
    );
    assert_eq!(f.disk("a.txt"), "needle\n");
    for name in ["Read", "delete_file", "edit_file"] {
        let args = at(&f, "a.txt", json!({"old_str": "needle", "new_str": "x"}));
        let said = f.call(name, args).await;
        let want = if name == "Read" { "ENOENT" } else { "file not found" };
        assert!(message(&said).starts_with(want), "{name} {said}");
    }
    let found = f.call("Grep", json!({"pattern": "needle", "path": f.path("")})).await;
    assert_eq!(found["result"], json!(["b.txt:1: needle"]), "{found}");
    let found = f.call("glob", json!({"filePattern": "*.txt"})).await;
    assert_eq!(found["result"]["files"], json!([f.path("b.txt")]), "{found}");
    assert_eq!(done(&f.call("Read", at(&f, "", json!({}))).await), "b.txt\nsub/");

    let other = Scope { ..scope(&f.root, "T-2") };
    let call = ToolCall { id: "x".into(), name: "Read".into(), args: at(&f, "a.txt", json!({})) };
    let seen = f.tools.run(&other, vec![call], &|_| {}).await;
    assert_eq!(done(&wire(&seen[0])), "1: needle");

    all(&f, ResolveAction::Accept).await;
    assert!(!is_there(&f, "a.txt"));
    all(&f, ResolveAction::Reopen).await;
    assert_eq!(f.disk("a.txt"), "needle\n");
}

#[tokio::test]
async fn what_can_not_be_deleted() {
    let f = Fixture::new(&[("sub/a", "x"), (".env", "KEY=1")]);
    std::process::Command::new("mkfifo").arg(f.path("fifo")).status().unwrap();
    for (name, want) in [
        ("sub", "this is a directory, and only files can be deleted: delete the files in it"),
        ("missing", "file not found. Cannot delete a file that doesn't exist."),
        ("sub/a/b", "cannot resolve"),
        (".env", "Refusing to read env file."),
        ("", "this is a directory"),
    ] {
        let said = delete(&f, name).await;
        assert!(message(&said).starts_with(want), "{name}: {said}");
    }
    assert!(message(&delete(&f, "fifo").await).ends_with("fifo is not a regular file"));
    for args in [json!({}), json!({"path": 7}), json!({"path": ""}), json!({"path": "a\0b"})] {
        assert_eq!(f.call("delete_file", args).await["status"], "error");
    }
    assert!(is_there(&f, "fifo") && is_there(&f, ".env") && is_there(&f, "sub/a"));
    assert!(f.workspace.query(|session| session.reviews()).is_empty());
}

#[tokio::test]
async fn aliases_and_sister_dialects_name_it() {
    let f = Fixture::new(&FILES);
    assert_eq!(f.call("Delete", at(&f, "a.txt", json!({}))).await["status"], "done");
    let args = json!({"file_path": f.path("b.txt")});
    assert_eq!(f.call("delete", args).await["status"], "done");
}

#[tokio::test]
async fn a_rule_lets_it_go_at_once_and_undo_brings_it_back() {
    let rules = "allow {delete_file,undo_edit,create_file,edit_file}\n";
    let f = Fixture::with(&FILES, rules, TestHost::default(), builtin());
    let mode = std::fs::Permissions::from_mode(0o750);
    std::fs::set_permissions(f.root.join("a.txt"), mode).unwrap();
    let result = delete(&f, "a.txt").await;
    assert_eq!(done(&result), format!("Successfully deleted file {}", f.path("a.txt")));
    assert_eq!(result["review"]["state"], "applied");
    assert!(!is_there(&f, "a.txt"));
    let result = f.call("undo_edit", at(&f, "a.txt", json!({}))).await;
    assert_eq!(result["status"], "done", "{result}");
    assert_eq!(f.disk("a.txt"), "needle\n");
    let mode = f.root.join("a.txt").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
}

#[tokio::test]
async fn what_the_user_accepted_is_created_again_by_a_proposal() {
    let f = Fixture::new(&FILES);
    delete(&f, "a.txt").await;
    let result = f.call("undo_edit", at(&f, "a.txt", json!({}))).await;
    assert_eq!(result["result"]["message"], "Undone: 1 change withdrawn.");
    assert_eq!(done(&f.call("Read", at(&f, "a.txt", json!({}))).await), "1: needle");

    delete(&f, "a.txt").await;
    all(&f, ResolveAction::Accept).await;
    let result = f.call("undo_edit", at(&f, "a.txt", json!({}))).await;
    assert_eq!(result["review"]["state"], "pending", "{result}");
    assert!(!is_there(&f, "a.txt"));
    all(&f, ResolveAction::Accept).await;
    assert_eq!(f.disk("a.txt"), "needle\n");
}

#[tokio::test]
async fn deleted_and_created_is_an_overwrite() {
    let f = Fixture::new(&[("a.txt", "one\r\ntwo\r\n")]);
    delete(&f, "a.txt").await;
    let args = at(&f, "a.txt", json!({"content": "one\n2\n"}));
    let result = f.call("create_file", args).await;
    assert!(done(&result).starts_with("Successfully overwrote file"), "{result}");
    let reviews = f.workspace.query(|session| session.reviews());
    assert_eq!((reviews[0].hunks.len(), &*reviews[0].hunks[0].old_text), (1, "two\r\n"));
    all(&f, ResolveAction::Accept).await;
    assert_eq!(f.disk("a.txt"), "one\r\n2\r\n");
}

#[tokio::test]
async fn what_is_no_text_comes_back_byte_for_byte() {
    let f = Fixture::new(&[("a.txt", "x")]);
    let bytes = [0x89, b'P', b'N', b'G', 0, 255, b'\n'];
    std::fs::write(f.root.join("logo.png"), bytes).unwrap();
    let result = delete(&f, "logo.png").await;
    assert_eq!(result["status"], "done", "{result}");
    let read = f.call("Read", at(&f, "logo.png", json!({}))).await;
    assert!(message(&read).starts_with("ENOENT"), "{read}");
    let create = f.call("create_file", at(&f, "logo.png", json!({"content": "x"}))).await;
    assert!(message(&create).contains("it is no text file"), "{create}");
    all(&f, ResolveAction::Accept).await;
    assert!(!is_there(&f, "logo.png"));
    all(&f, ResolveAction::Reopen).await;
    assert_eq!(std::fs::read(f.root.join("logo.png")).unwrap(), bytes);
    std::fs::write(f.root.join("logo.png"), [1, 0]).unwrap();
    let answer = f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
    assert_eq!(answer.failed.len(), 1, "it has changed since");
    assert!(is_there(&f, "logo.png"));
}

#[tokio::test]
async fn of_a_link_the_link_goes() {
    let f = Fixture::new(&FILES);
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, f.root.join(name)).unwrap();
    };
    link("a.txt", "link");
    link("nowhere", "dangling");
    link("sub", "folder");
    for name in ["link", "dangling", "folder"] {
        let result = delete(&f, name).await;
        assert_eq!(result["status"], "done", "{name}: {result}");
    }
    let found = done(&f.call("Read", at(&f, "", json!({}))).await).to_owned();
    assert_eq!(found, "a.txt\nb.txt\nsub/");
    all(&f, ResolveAction::Accept).await;
    assert!(!is_there(&f, "link") && !is_there(&f, "dangling") && !is_there(&f, "folder"));
    assert_eq!((f.disk("a.txt"), f.disk("sub/c")), ("needle\n".into(), "x".into()));
    all(&f, ResolveAction::Reopen).await;
    let target = |name: &str| std::fs::read_link(f.root.join(name)).unwrap();
    assert_eq!(target("link"), Path::new("a.txt"));
    assert_eq!(target("dangling"), Path::new("nowhere"));
}

#[tokio::test]
async fn another_threads_edit_waits_behind_a_deletion() {
    let f = Fixture::new(&FILES);
    delete(&f, "a.txt").await;
    let other = scope(&f.root, "T-2");
    let args = at(&f, "a.txt", json!({"old_str": "needle", "new_str": "pin"}));
    let call = ToolCall { id: "x".into(), name: "edit_file".into(), args };
    let result = wire(&f.tools.run(&other, vec![call], &|_| {}).await[0]);
    assert!(result["result"]["note"].as_str().unwrap().contains("another agent's deletion"));
    all(&f, ResolveAction::Reject).await;
    all(&f, ResolveAction::Accept).await;
    assert_eq!(f.disk("a.txt"), "pin\n");
}
