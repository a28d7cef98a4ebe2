use redline_workspace::{ResolveAction, ResolveRequest};
use serde_json::{Value, json};

use crate::{
    builtin,
    fixture::{Fixture, at, done, message},
    testing::TestHost,
};

async fn edit(f: &Fixture, old: &str, new: &str) -> Value {
    f.call("edit_file", at(f, "a.txt", json!({"old_str": old, "new_str": new}))).await
}

async fn undo(f: &Fixture) -> Value {
    f.call("undo_edit", at(f, "a.txt", json!({}))).await
}

async fn seen(f: &Fixture) -> String {
    done(&f.call("Read", at(f, "a.txt", json!({}))).await).to_owned()
}

#[tokio::test]
async fn what_waits_is_withdrawn_newest_first() {
    let f = Fixture::new(&[("a.txt", "one\ntwo\n")]);
    edit(&f, "one", "1").await;
    edit(&f, "two", "2").await;
    let result = undo(&f).await;
    assert_eq!(result["result"]["message"], "Undone: 1 change withdrawn.");
    assert!(result["result"]["diff"].as_str().unwrap().contains("-2\n+two\n"), "{result}");
    assert_eq!(seen(&f).await, "1: 1\n2: two");
    undo(&f).await;
    assert_eq!(seen(&f).await, "1: one\n2: two");
    assert!(message(&undo(&f).await).starts_with("no edit of yours is left to undo"));
    assert_eq!(f.disk("a.txt"), "one\ntwo\n");
}

#[tokio::test]
async fn what_the_user_accepted_is_undone_by_a_proposal() {
    let f = Fixture::new(&[("a.txt", "one\ntwo\n")]);
    edit(&f, "one", "1").await;
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
    assert_eq!(f.disk("a.txt"), "1\ntwo\n");
    edit(&f, "two", "2").await;
    undo(&f).await;
    let result = undo(&f).await;
    let said = "Undone: 1 change that the file has: their undo is an edit.";
    assert_eq!(result["result"]["message"], said);
    assert_eq!(result["review"]["state"], "pending");
    assert_eq!(seen(&f).await, "1: one\n2: two");
    assert_eq!(f.disk("a.txt"), "1\ntwo\n", "the file is the user's");
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
    assert_eq!(f.disk("a.txt"), "one\ntwo\n");
}

#[tokio::test]
async fn what_a_rule_applied_is_undone_as_the_rule_allows() {
    let rules = "allow {edit_file,undo_edit}\n";
    let f = Fixture::with(&[("a.txt", "one\ntwo\n")], rules, TestHost::default(), builtin());
    edit(&f, "one", "1").await;
    assert_eq!(f.disk("a.txt"), "1\ntwo\n");
    assert_eq!(undo(&f).await["review"]["state"], "applied");
    assert_eq!(f.disk("a.txt"), "one\ntwo\n");
}

#[tokio::test]
async fn what_the_user_rejected_is_skipped() {
    let f = Fixture::new(&[("a.txt", "one\ntwo\n")]);
    edit(&f, "one", "1").await;
    edit(&f, "two", "2").await;
    let review = f.workspace.query(|session| session.reviews());
    let last = review[0].hunks.last().unwrap().id;
    let reject = ResolveRequest::hunks(ResolveAction::Reject, vec![last]);
    f.workspace.resolve(reject).await.unwrap();
    undo(&f).await;
    assert_eq!(seen(&f).await, "1: one\n2: two");
    assert!(message(&undo(&f).await).starts_with("no edit of yours"));
}

#[tokio::test]
async fn a_file_that_was_to_be_created_is_not() {
    let f = Fixture::new(&[]);
    f.call("create_file", at(&f, "a.txt", json!({"content": "new"}))).await;
    undo(&f).await;
    let result = f.call("Read", at(&f, "a.txt", json!({}))).await;
    assert_eq!(result["status"], "error", "{result}");
    assert!(message(&undo(&f).await).starts_with("no edit of yours"));
}
