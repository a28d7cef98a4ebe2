use expect_test::{Expect, expect};

use super::*;
use crate::PromptError;

/// The turn's end after a script of one line.
async fn check(script: &str, want: Expect) {
    let mut bench = Bench::new(script, Paper::default());
    bench.prompt("go");
    let end = bench.until_end().await;
    want.assert_eq(&end.replace(&bench._script.path().display().to_string(), "SCRIPT"));
}

#[tokio::test]
async fn broken_lines_end_the_turn_with_file_and_line() {
    check("", expect!["turn-1 1 end error script ended"]).await;
    check(
        "\n \nnot json\n",
        expect!["turn-1 1 end error SCRIPT, line 3: expected ident at column 2"],
    )
    .await;
    check("{}", expect!["turn-1 1 end error SCRIPT, line 1: missing field `content`"]).await;
    check(
        r#"{"content":[{"type":"tool_use","name":"A","input":{}}]}"#,
        expect!["turn-1 1 end error SCRIPT, line 1: missing field `id`"],
    )
    .await;
    check(
        r#"{"for":3,"content":[]}"#,
        expect!["turn-1 1 end error SCRIPT, line 1: invalid type: integer `3`, expected a string"],
    )
    .await;
    check(
        r#"{"content":[{"type":"image"}]}"#,
        expect!["turn-1 1 end error SCRIPT, line 1: unknown variant `image`, expected one of `text`, `tool_use`, `tool_result`"],
    )
    .await;
    check(
        r#"{"content":[{"type":"tool_result","tool_use_id":"a","content":"b","is_error":false}]}"#,
        expect![
            "turn-1 1 end error SCRIPT, line 1: content holds only blocks of type text and tool_use"
        ],
    )
    .await;
}

#[tokio::test]
async fn a_broken_line_is_used_up() {
    let mut bench = Bench::new("oops\n{\"content\":[]}\n", Paper::default());
    bench.prompt("go");
    bench.until_end().await;
    bench.prompt("go on");
    expect!["turn-2 2 end done -"].assert_eq(&bench.until_end().await);
}

#[tokio::test]
async fn a_script_that_is_not_there_is_named() {
    let mut bench = Bench::new("", Paper::default());
    let script = Some(PathBuf::from("/nowhere/script.jsonl"));
    bench.agent.configure(AgentSettings { script, ..AgentSettings::default() });
    bench.prompt("go");
    expect!["turn-1 1 end error cannot read the script /nowhere/script.jsonl: No such file or directory (os error 2)"]
        .assert_eq(&bench.until_end().await);
}

#[tokio::test(start_paused = true)]
async fn an_answer_can_be_slow_and_cancelled() {
    let script = r#"{"content":[{"type":"text","text":"late"}],"delayMs":3600000}"#;
    let mut bench = Bench::new(script, Paper::default());
    bench.prompt("go");
    tokio::task::yield_now().await;
    bench.agent.cancel(&ThreadId::from("T"));
    expect!["turn-1 1 end cancelled -"].assert_eq(&bench.until_end().await);
}

#[tokio::test]
async fn settings_without_a_provider_refuse_the_prompt_and_say_what_to_set() {
    let bench = Bench::new("", Paper::default());
    let refuse = |provider: Option<&str>, want: Expect| {
        let provider = provider.map(str::to_owned);
        bench.agent.configure(AgentSettings { provider, ..AgentSettings::default() });
        let prompt = Prompt { text: "go".into(), ..Prompt::default() };
        want.assert_eq(&bench.agent.prompt(prompt).unwrap_err().to_string());
    };
    refuse(
        None,
        expect![[
            r#"no model provider is set: set `redline.provider` (built so far: "script", with `redline.script` naming a recorded conversation)"#
        ]],
    );
    refuse(
        Some("script"),
        expect![[
            r#"the provider "script" needs `redline.script`: the path of a JSON Lines file of answers"#
        ]],
    );
    refuse(
        Some("anthropic"),
        expect![[
            r#"the provider "anthropic" is not built yet; use "script" with `redline.script` naming a recorded conversation"#
        ]],
    );
    refuse(
        Some("gpt"),
        expect![[r#"there is no provider "gpt"; `redline.provider` can be "script""#]],
    );
    let empty = Prompt { text: " \n".into(), ..Prompt::default() };
    assert_eq!(bench.agent.prompt(empty), Err(PromptError::Empty));
}
