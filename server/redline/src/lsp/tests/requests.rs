use expect_test::{Expect, expect};

use super::*;
use crate::lsp::protocol::METHODS;

#[tokio::test]
async fn initialize_says_what_the_server_does() {
    let mut client = Client::connect();
    assert_eq!(
        client.ask("redline/status", json!({})).await.unwrap_err(),
        "-32002 Server not initialized"
    );
    let root = format!("file://{}", client.folder.path().display());
    let params = json!({"processId": null, "rootUri": root, "capabilities": {
        "general": {"positionEncodings": ["utf-8", "utf-16"]},
        "textDocument": {"completion": 3},
    }});
    let answer = client.ask("initialize", params).await.unwrap();
    expect![[r#"
        {
          "positionEncoding": "utf-16",
          "textDocumentSync": {
            "openClose": true,
            "change": 2,
            "save": {
              "includeText": false
            }
          },
          "hoverProvider": true,
          "codeActionProvider": true,
          "codeLensProvider": {
            "resolveProvider": false
          },
          "executeCommandProvider": {
            "commands": [
              "redline.prompt",
              "redline.accept",
              "redline.reject",
              "redline.acceptAll",
              "redline.rejectAll",
              "redline.cancel",
              "redline.reopen",
              "redline.show",
              "redline.ask",
              "redline.newThread",
              "redline.rewind",
              "redline.grants",
              "redline.revoke",
              "redline.trust",
              "redline.refuse"
            ]
          },
          "experimental": {
            "redline": {
              "version": 1
            }
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&answer["capabilities"]).unwrap());
    assert_eq!(client.leave().await, 0);
}

#[tokio::test]
async fn every_method_of_the_page_has_a_route() {
    let mut client = Client::start(json!({}), json!({})).await;
    let unknown = "-32601 Method not found";
    for method in &METHODS[..11] {
        let answer = client.ask(method, json!({})).await;
        assert_ne!(answer, Err(unknown.to_owned()), "{method}");
    }
    // A notification that is sent as a request.
    assert_eq!(client.ask(METHODS[11], json!({})).await.unwrap_err(), "-32600 Invalid request");
    assert_eq!(client.ask("redline/nothing", json!({})).await.unwrap_err(), unknown);
}

#[tokio::test]
async fn wrong_parameters_name_the_field() {
    let mut client =
        Client::start(json!({}), json!({"provider": "script", "script": "/nowhere"})).await;
    for (method, params, want) in [
        ("redline/prompt", json!({}), "-32602 missing field `text`"),
        ("redline/turns", json!({}), "-32602 missing field `threadId`"),
        ("redline/rewind", json!({"threadId": "t"}), "-32602 missing field `turn`"),
        (
            "redline/rewind",
            json!({"threadId": "t", "turn": -1}),
            "-32602 turn: invalid value: integer `-1`, expected u32",
        ),
        (
            "workspace/executeCommand",
            json!({"command": "redline.rewind", "arguments": ["two"]}),
            "-32602 arguments[0]: expected the turn's number, got \"two\"",
        ),
        (
            "redline/prompt",
            json!({"text": 3}),
            "-32602 text: invalid type: integer `3`, expected a string",
        ),
        (
            "redline/prompt",
            json!({"text": " "}),
            "-32602 text: the prompt is empty; say what the agent should do",
        ),
        (
            "redline/prompt",
            json!({"text": "a", "context": {"selection": {"uri": "file:///a", "range": {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}}}}}),
            "-32602 context.selection.range.start.line: invalid value: integer `-1`, expected u32",
        ),
        (
            "redline/resolve",
            json!({"action": "eat"}),
            "-32602 action: unknown variant `eat`, expected one of `accept`, `reject`, `reopen`, `drop`",
        ),
        (
            "redline/resolve",
            json!({"action": "accept", "uri": "untitled:1"}),
            "-32602 uri: \"untitled:1\" names no file",
        ),
        (
            "redline/resolve",
            json!({"action": "accept", "hunks": "h1"}),
            "-32602 hunks: invalid type: string \"h1\", expected a sequence",
        ),
        ("redline/content", json!({"uri": "file:///a"}), "-32602 missing field `projection`"),
        (
            "redline/tool",
            json!({"name": "Read", "args": []}),
            "-32602 args: invalid type: sequence, expected a map",
        ),
        (
            "redline/tool",
            json!({"name": "Read", "args": {}, "dialect": "x"}),
            "-32602 dialect: unknown variant `x`, expected one of `amp`, `agent-air`, `amplifier`",
        ),
        ("redline/thread", json!({"threadId": "x"}), "-32602 threadId: no thread \"x\""),
        (
            "workspace/executeCommand",
            json!({"command": "redline.eat"}),
            "-32602 command: there is no command \"redline.eat\"; there are redline.prompt, redline.accept, redline.reject, redline.acceptAll, redline.rejectAll, redline.cancel, redline.reopen, redline.show, redline.ask, redline.newThread, redline.rewind, redline.grants, redline.revoke, redline.trust, redline.refuse",
        ),
        (
            "workspace/executeCommand",
            json!({"command": "redline.accept"}),
            "-32602 arguments[0]: missing: a hunk's id, or its place as PATH:LINE",
        ),
        (
            "workspace/executeCommand",
            json!({"command": "redline.prompt", "arguments": [3]}),
            "-32602 arguments[0]: expected the prompt as a string, got 3",
        ),
        ("textDocument/codeLens", json!({}), "-32602 missing field `textDocument`"),
    ] {
        assert_eq!(client.ask(method, params).await.unwrap_err(), want, "{method}");
    }
}

#[tokio::test]
async fn notifications_that_are_wrong_are_logged_and_change_nothing() {
    let mut client = Client::start(json!({}), json!({})).await;
    client.tell("textDocument/didOpen", json!({"textDocument": {"uri": 3}})).await;
    let logged = client.hear("window/logMessage").await;
    let text = &logged["params"]["message"];
    assert_eq!(
        text,
        "textDocument/didOpen ignored: textDocument.uri: invalid type: integer `3`, expected a string"
    );
    assert_eq!(client.ask("redline/reviews", json!(null)).await, Ok(json!({"files": []})));
    assert_eq!(client.leave().await, 0);
}

#[tokio::test]
async fn ids_that_are_no_hunks_are_stale() {
    let mut client = Client::start(json!({}), json!({})).await;
    let stale = json!({"resolved": [], "stale": ["x", "日"], "failed": [], "mixed": []});
    let params = json!({"action": "accept", "hunks": ["x", "日"]});
    assert_eq!(client.ask("redline/resolve", params).await, Ok(stale));
}

#[tokio::test]
async fn a_prompt_without_a_provider_fails_and_says_what_to_set() {
    let mut client = Client::start(json!({}), json!({})).await;
    let error = client.ask("redline/prompt", json!({"text": "go"})).await.unwrap_err();
    assert!(error.starts_with("-32803 no model provider is set"), "{error}");
}

const SAYS_HELLO: &str = r#"{"content":[{"type":"text","text":"Hello."}]}"#;

/// All messages of that method up to the last of the turn, without the thread's name.
async fn turn(client: &mut Client, want: Expect) {
    let mut lines = Vec::new();
    loop {
        let message = client.hear("redline/threadEvent").await;
        let params = &message["params"];
        lines.push(format!("{} {} {}", params["turnId"], params["seq"], params["event"]));
        if params["event"]["type"] == "turnEnd" {
            break;
        }
    }
    want.assert_eq(&lines.join("\n"));
}

#[tokio::test]
async fn a_prompt_streams_its_turn() {
    let declared = json!({"experimental": {"redline": {"threadEvents": true}}});
    let mut client = Client::start(declared, json!({"script": "s.jsonl"})).await;
    client.write("s.jsonl", SAYS_HELLO);
    let prompt = json!({"text": "go", "threadId": "T", "context": {"activeUri": "untitled:1"}});
    let answer = client.ask("redline/prompt", prompt).await.unwrap();
    assert_eq!(answer, json!({"threadId": "T", "turnId": "turn-1"}));
    turn(
        &mut client,
        expect![[r#"
            "turn-1" 1 {"type":"text","delta":"Hello."}
            "turn-1" 2 {"type":"turnEnd","reason":"done"}"#]],
    )
    .await;
    let thread = client.ask("redline/thread", json!({"threadId": "T"})).await.unwrap();
    assert_eq!(thread["messages"][1]["message"]["content"][0]["text"], "Hello.");
    let threads = client.ask("redline/threads", json!({})).await.unwrap();
    assert_eq!(threads["threads"][0]["title"], "go");
    assert_eq!(threads["threads"][0]["state"], "idle");
    let status = client.ask("redline/status", json!({})).await.unwrap();
    assert_eq!(status["model"], "script");
    assert_eq!(client.leave().await, 0);
}

#[tokio::test]
async fn a_plain_client_is_told_in_standard_messages() {
    let capabilities = json!({"window": {"workDoneProgress": true}});
    let mut client = Client::start(capabilities, json!({"script": "s.jsonl"})).await;
    client.write("s.jsonl", r#"{"content":[{"type":"text","text":"Hello."}],"delayMs":50}"#);
    let params = json!({"command": "redline.prompt", "arguments": ["go"]});
    client.ask("workspace/executeCommand", params).await.unwrap();
    let create = client.hear("window/workDoneProgress/create").await;
    client.send(json!({"jsonrpc": "2.0", "id": create["id"], "result": null})).await;
    let token = &create["params"]["token"];
    for kind in ["begin", "end"] {
        let progress = client.hear("$/progress").await;
        assert_eq!(
            (&progress["params"]["token"], &progress["params"]["value"]["kind"]),
            (token, &json!(kind))
        );
    }
    let said = client.hear("window/showMessage").await;
    assert_eq!(said["params"], json!({"type": 3, "message": "Hello."}));
}

#[tokio::test]
async fn a_progress_can_be_cancelled() {
    let capabilities = json!({"window": {"workDoneProgress": true},
        "experimental": {"redline": {"threadEvents": true}}});
    let mut client = Client::start(capabilities, json!({"script": "s.jsonl"})).await;
    client.write("s.jsonl", r#"{"content":[],"delayMs":3600000}"#);
    client.ask("redline/prompt", json!({"text": "go"})).await.unwrap();
    let create = client.hear("window/workDoneProgress/create").await;
    let token = create["params"]["token"].clone();
    client.tell("window/workDoneProgress/cancel", json!({ "token": token })).await;
    turn(&mut client, expect![[r#""turn-1" 1 {"type":"turnEnd","reason":"cancelled"}"#]]).await;
}

#[tokio::test]
async fn settings_come_from_the_configuration_too() {
    let capabilities = json!({"workspace": {"configuration": true},
        "experimental": {"redline": {"threadEvents": true}}});
    let mut client = Client::start(capabilities, json!({"script": "nowhere"})).await;
    client.write("s.jsonl", SAYS_HELLO);
    let asked = client.hear("workspace/configuration").await;
    let answer = json!([{"script": "s.jsonl"}]);
    client.send(json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer})).await;
    // The answer is taken in a task of its own: wait until it shows.
    client
        .tell(
            "workspace/didChangeConfiguration",
            json!({"settings": {"redline": {"script": "s.jsonl"}}}),
        )
        .await;
    client.ask("redline/prompt", json!({"text": "go"})).await.unwrap();
    turn(
        &mut client,
        expect![[r#"
            "turn-1" 1 {"type":"text","delta":"Hello."}
            "turn-1" 2 {"type":"turnEnd","reason":"done"}"#]],
    )
    .await;
}

#[tokio::test]
async fn the_end_of_input_during_a_turn_ends_the_server() {
    let mut client = Client::start(json!({}), json!({"script": "s.jsonl"})).await;
    client.write("s.jsonl", r#"{"content":[],"delayMs":3600000}"#);
    client.ask("redline/prompt", json!({"text": "go"})).await.unwrap();
    drop(client.to);
    assert_eq!(client.code.await.unwrap(), 1);
}
