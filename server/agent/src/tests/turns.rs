use expect_test::{Expect, expect};
use redline_tools::{ReviewNote, ReviewState};

use super::*;

const READ_THEN_SAY: &str = r#"{"content":[{"type":"text","text":"Looking."},{"type":"tool_use","id":"c1","name":"Read","input":{"path":"${workspace}/a"}}]}
{"content":[{"type":"text","text":"Done."}]}
"#;

fn tools(list: &[(&'static str, Does)]) -> Paper {
    Paper { tools: list.iter().cloned().collect(), ..Paper::default() }
}

async fn check(script: &str, paper: Paper, events: Expect, transcript: Expect) -> Bench {
    let mut bench = Bench::new(script, paper);
    bench.prompt("go");
    let got = bench.until_end().await;
    let file = bench._script.path().display().to_string();
    events.assert_eq(&got.replace(&file, "SCRIPT"));
    transcript.assert_eq(&bench.transcript());
    bench
}

#[tokio::test]
async fn a_turn_calls_tools_until_the_model_ends() {
    let paper = tools(&[("Read", Does::Answers(ToolResult::done("text of a")))]);
    let bench = check(
        READ_THEN_SAY,
        paper,
        expect![[r#"
            turn-1 1 text "Looking."
            turn-1 2 tool c1 in-progress
            turn-1 3 tool c1 done
            turn-1 4 text "Done."
            turn-1 5 end done -"#]],
        expect![[r#"
            user: "go"
            assistant: "Looking." | call "c1" "Read"
            user: result "c1" "text of a" error=false
            assistant: "Done.""#]],
    )
    .await;
    expect!["started T, ended T"].assert_eq(&bench.paper.posted.lock().unwrap().join(", "));
    let sent = &bench.agent.messages(&ThreadId::from("T")).unwrap()[1];
    assert_eq!(sent["message"]["content"][1]["input"]["path"], "/project/a");
    assert_eq!(sent["message"]["stop_reason"], "tool_use");
}

#[tokio::test]
async fn proposals_end_the_turn_awaiting_review_and_the_model_reads_that_they_wait() {
    let note =
        ReviewNote { state: ReviewState::Pending, hunks: vec!["h1".into()], decisions: vec![] };
    let result =
        ToolResult::Done { result: "diff".into(), track_files: vec![], review: Some(note) };
    let paper = Paper { pending: Mutex::new(1), ..tools(&[("Read", Does::Answers(result))]) };
    check(
        READ_THEN_SAY,
        paper,
        expect![[r#"
            turn-1 1 text "Looking."
            turn-1 2 tool c1 in-progress
            turn-1 3 tool c1 done
            turn-1 4 text "Done."
            turn-1 5 end awaitingReview -"#]],
        expect![[r#"
            user: "go"
            assistant: "Looking." | call "c1" "Read"
            user: result "c1" "diff\nProposed; not in the file until the user accepts (1 hunk)." error=false
            assistant: "Done.""#]],
    )
    .await;
}

const TWO_CALLS: &str = r#"{"content":[{"type":"tool_use","id":"c1","name":"A","input":{}},{"type":"tool_use","id":"c2","name":"B","input":{}}]}
{"content":[{"type":"text","text":"I see."}]}
"#;

#[tokio::test]
async fn a_rejection_without_a_word_ends_the_turn_with_every_call_answered() {
    let rejected =
        ToolResult::RejectedByUser { reason: "rejected by the user".into(), comment: None };
    let paper =
        tools(&[("A", Does::Answers(rejected)), ("B", Does::Answers(ToolResult::Cancelled))]);
    check(
        TWO_CALLS,
        paper,
        expect![[r#"
            turn-1 1 tool c1 in-progress
            turn-1 2 tool c1 rejected-by-user
            turn-1 3 tool c2 in-progress
            turn-1 4 tool c2 cancelled
            turn-1 5 end done stopped: A was rejected"#]],
        expect![[r#"
            user: "go"
            assistant: call "c1" "A" | call "c2" "B"
            user: result "c1" "rejected by the user" error=true | result "c2" "Cancelled by the user." error=true"#]],
    )
    .await;
}

#[tokio::test]
async fn a_rejection_with_a_comment_is_told_and_the_model_goes_on() {
    let comment = Some("use B".to_owned());
    let rejected = ToolResult::RejectedByUser { reason: "rejected by the user".into(), comment };
    let paper =
        tools(&[("A", Does::Answers(rejected)), ("B", Does::Answers(ToolResult::done("ok")))]);
    check(
        TWO_CALLS,
        paper,
        expect![[r#"
            turn-1 1 tool c1 in-progress
            turn-1 2 tool c1 rejected-by-user
            turn-1 3 tool c2 in-progress
            turn-1 4 tool c2 done
            turn-1 5 text "I see."
            turn-1 6 end done -"#]],
        expect![[r#"
            user: "go"
            assistant: call "c1" "A" | call "c2" "B"
            user: result "c1" "rejected by the user\nThe user says: use B" error=true | result "c2" "ok" error=false
            assistant: "I see.""#]],
    )
    .await;
}

#[tokio::test]
async fn decisions_ride_on_the_next_user_message() {
    let decisions = vec![
        Decisions { lines: vec!["accepted a:1-2 (c0)".into()], pending: 2 },
        Decisions { lines: vec![], pending: 3 },
        Decisions { lines: vec![], pending: 2 },
        Decisions { lines: vec![], pending: 2 },
    ];
    let paper = Paper {
        decisions: Mutex::new(decisions),
        ..tools(&[("Read", Does::Answers(ToolResult::done("x")))])
    };
    let script = format!("{READ_THEN_SAY}\n{}", r#"{"content":[{"type":"text","text":"Hm."}]}"#);
    let mut bench = Bench::new(&script, paper);
    for text in ["go", "more"] {
        bench.prompt(text);
        bench.until_end().await;
    }
    expect![[r#"
        user: "accepted a:1-2 (c0)\nstill pending: 2" | "go"
        assistant: "Looking." | call "c1" "Read"
        user: result "c1" "x" error=false
        assistant: "Done."
        user: "more"
        assistant: "Hm.""#]]
    .assert_eq(&bench.transcript());
}

#[tokio::test]
async fn cancel_answers_every_call_and_withdraws_asks() {
    let mut bench =
        Bench::new(TWO_CALLS, tools(&[("A", Does::WaitsForCancel), ("B", Does::WaitsForCancel)]));
    bench.prompt("go");
    bench.event().await;
    let thread = ThreadId::from("T");
    assert!(bench.agent.cancel(&thread));
    expect![[r#"
        turn-1 2 tool c1 cancelled
        turn-1 3 tool c2 in-progress
        turn-1 4 tool c2 cancelled
        turn-1 5 end cancelled -"#]]
    .assert_eq(&bench.until_end().await);
    expect![[r#"
        user: "go"
        assistant: call "c1" "A" | call "c2" "B"
        user: result "c1" "Cancelled by the user." error=true | result "c2" "Cancelled by the user." error=true"#]]
    .assert_eq(&bench.transcript());
    expect!["started T, withdraw T None, ended T"]
        .assert_eq(&bench.paper.posted.lock().unwrap().join(", "));
    assert!(!bench.agent.cancel(&thread), "nothing runs any more");
}

#[tokio::test(start_paused = true)]
async fn cancel_does_not_wait_for_a_tool_that_does_not_listen() {
    let mut bench = Bench::new(TWO_CALLS, tools(&[("A", Does::Hangs), ("B", Does::Hangs)]));
    bench.prompt("go");
    bench.event().await;
    bench.agent.shutdown().await;
    expect!["turn-1 2 end cancelled -"].assert_eq(&bench.until_end().await);
    assert!(bench.transcript().ends_with(r#"result "c2" "Cancelled by the user." error=true"#));
    let late = bench.agent.prompt(Prompt { text: "x".into(), ..Prompt::default() });
    assert_eq!(late, Err(crate::PromptError::ShuttingDown));
}

#[tokio::test]
async fn a_panic_in_a_tool_ends_the_turn_and_not_the_thread() {
    let script = format!("{TWO_CALLS}{TWO_CALLS}");
    let paper = tools(&[("A", Does::Panics), ("B", Does::Hangs)]);
    let mut bench = check(
        &script,
        paper,
        expect![[r#"
            turn-1 1 tool c1 in-progress
            turn-1 2 end error internal error: the turn was stopped; see the log"#]],
        expect![[r#"
            user: "go"
            assistant: call "c1" "A" | call "c2" "B"
            user: result "c1" "Cancelled by the user." error=true | result "c2" "Cancelled by the user." error=true"#]],
    )
    .await;
    bench.prompt("again");
    expect![[r#"
        turn-2 3 text "I see."
        turn-2 4 end done -"#]]
    .assert_eq(&bench.until_end().await);
}

#[tokio::test]
async fn a_prompt_during_a_turn_joins_it_at_the_next_request() {
    let mut bench = Bench::new(READ_THEN_SAY, tools(&[("Read", Does::WaitsForGate)]));
    let turn = bench.prompt("go");
    while !matches!(bench.event().await.event, ThreadEventKind::ToolCall(_)) {}
    assert_eq!(bench.prompt("and hurry"), turn);
    bench.paper.gate.notify_one();
    bench.until_end().await;
    expect![[r#"
        user: "go"
        assistant: "Looking." | call "c1" "Read"
        user: result "c1" "through" error=false | "and hurry"
        assistant: "Done.""#]]
    .assert_eq(&bench.transcript());
}

#[tokio::test]
async fn threads_are_listed_with_their_state() {
    let mut bench = Bench::new(READ_THEN_SAY, tools(&[("Read", Does::WaitsForGate)]));
    bench.prompt("go\nsecond line");
    while !matches!(bench.event().await.event, ThreadEventKind::ToolCall(_)) {}
    let state = |bench: &Bench| {
        let list = bench.agent.threads();
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].title, "go");
        list[0].state.name()
    };
    assert_eq!(state(&bench), "running");
    bench.paper.gate.notify_one();
    bench.until_end().await;
    assert_eq!(state(&bench), "idle");
    *bench.paper.pending.lock().unwrap() = 1;
    assert_eq!(state(&bench), "awaitingReview");
    assert_eq!(bench.agent.messages(&ThreadId::from("nobody")), None);
}
