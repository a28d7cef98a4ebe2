use serde_json::{Value, json};

use crate::fixture::{Fixture, done, message};

fn todo(id: impl Into<Value>, content: &str, status: &str) -> Value {
    json!({"id": id.into(), "content": content, "status": status})
}

async fn write(f: &Fixture, todos: Value) -> Value {
    f.call("todo_write", json!({"todos": todos})).await
}

#[tokio::test]
async fn a_list_is_kept_until_the_next_one() {
    let f = Fixture::new(&[]);
    let empty = "The todo list is empty. Use todo_write to make one.";
    assert_eq!(done(&f.call("todo_read", json!({})).await), empty);
    let mut second = todo(2, "Write it\n[x] 9: not a todo", "in_progress");
    second["priority"] = "high".into();
    let result = write(&f, json!([todo("a", "Plan", "completed"), second])).await;
    let want =
        "Todos (1 of 2 completed):\n[x] a: Plan\n[~] 2: Write it\n    [x] 9: not a todo (high)";
    assert_eq!(done(&result), want);
    assert_eq!(done(&f.call("todo_read", json!({})).await), want);
    assert_eq!(done(&write(&f, json!([])).await), empty);
    assert_eq!(done(&f.call("todo_read", json!({})).await), empty);
    assert!(f.host.asks().is_empty());
}

#[tokio::test]
async fn each_thread_has_its_own() {
    let mut f = Fixture::new(&[]);
    write(&f, json!([todo("1", "mine", "pending")])).await;
    f.scope.thread = "T-2".into();
    assert!(done(&f.call("todo_read", json!({})).await).starts_with("The todo list is empty."));
    f.scope.thread = "T-1".into();
    assert!(done(&f.call("todo_read", json!({})).await).ends_with("[ ] 1: mine"));
}

#[tokio::test]
async fn what_is_wrong_is_named_and_changes_nothing() {
    let f = Fixture::new(&[]);
    write(&f, json!([todo("1", "stays", "pending")])).await;
    let check = async |todos: Value, wants: &[&str]| {
        let result = write(&f, todos).await;
        for want in wants {
            assert!(message(&result).contains(want), "{want}: {result}");
        }
    };
    let twice =
        json!([todo("1", "a", "pending"), todo(1, " ", "pending"), todo("", "c", "pending")]);
    check(twice, &["todos[1]: the id \"1\" is taken", "todos[1]: \"content\"", "todos[2]: \"id\""])
        .await;
    check(json!([todo("1", "a", "done")]), &["one of \"pending\", \"in_progress\""]).await;
    check(json!([{"id": "1", "content": "a"}]), &["\"todos[0].status\" is missing"]).await;
    let mut urgent = todo("1", "a", "pending");
    urgent["priority"] = "urgent".into();
    check(json!([urgent]), &["\"todos[0].priority\" must be one of"]).await;
    check(json!([todo(json!(1.5), "a", "pending")]), &["\"todos[0].id\""]).await;
    check(json!([todo("1", &"x".repeat(10_000_000), "pending")]), &["longer than 2000"]).await;
    check(Value::Array(vec![todo("1", "a", "pending"); 201]), &["at most 200"]).await;
    check(Value::Array(vec![todo("1", "", "pending"); 100]), &["… and 189 more"]).await;
    check(json!("x"), &["\"todos\" must be an array"]).await;
    assert!(done(&f.call("todo_read", json!({})).await).ends_with("[ ] 1: stays"));
}
