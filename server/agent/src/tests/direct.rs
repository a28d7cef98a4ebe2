use expect_test::expect;
use redline_permissions::Context;

use super::*;

fn call(name: &str) -> ToolCall {
    ToolCall { id: String::new(), name: name.to_owned(), args: Value::Null }
}

fn bench(does: Does) -> Bench {
    Bench::new("", Paper { tools: HashMap::from([("A", does)]), ..Paper::default() })
}

#[tokio::test]
async fn a_direct_call_is_a_turn_of_its_own() {
    let mut bench = bench(Does::Answers(ToolResult::done("x")));
    let result = bench.agent.tool(None, call("A"), Context::Thread, Dialect::Amp).await;
    assert_eq!(result, ToolResult::done("x"));
    expect![[r#"
        turn-1 1 tool call-1 in-progress
        turn-1 2 tool call-1 done
        turn-1 3 end done -"#]]
    .assert_eq(&bench.until_end().await);
    expect!["started direct, ended direct"]
        .assert_eq(&bench.paper.posted.lock().unwrap().join(", "));
    assert_eq!(bench.agent.messages(&ThreadId::from("direct")), Some(vec![]));
}

#[tokio::test]
async fn dropping_a_direct_call_cancels_it() {
    let mut bench = bench(Does::WaitsForCancel);
    let thread = Some(ThreadId::from("T"));
    let agent = bench.agent.clone();
    let waiting =
        tokio::spawn(
            async move { agent.tool(thread, call("A"), Context::Thread, Dialect::Amp).await },
        );
    bench.event().await;
    waiting.abort();
    expect![[r#"
        turn-1 2 tool call-1 cancelled
        turn-1 3 end done -"#]]
    .assert_eq(&bench.until_end().await);
    let posted = bench.paper.posted.lock().unwrap().join(", ");
    expect![[r#"started T, withdraw T Some("call-1"), ended T"#]].assert_eq(&posted);
}

#[tokio::test]
async fn a_panic_in_a_direct_call_is_an_error_and_the_thread_is_idle_again() {
    let bench = bench(Does::Panics);
    let result = bench.agent.tool(None, call("A"), Context::Thread, Dialect::Amp).await;
    assert_eq!(result.status(), ToolStatus::Error);
    assert_eq!(bench.agent.threads()[0].state.name(), "idle");
}
