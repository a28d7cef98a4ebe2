//! The main job over the wire: a prompt, its hunks, the decisions, and what the agent is told.

use expect_test::expect;

use super::*;

const SCRIPT: &str = r#"{"content":[{"type":"tool_use","id":"c1","name":"edit_file","input":{"path":"${workspace}/a.txt","old_str":"one","new_str":"ONE"}},{"type":"tool_use","id":"c2","name":"edit_file","input":{"path":"${workspace}/a.txt","old_str":"nine","new_str":"NINE"}}]}
{"content":[{"type":"text","text":"Proposed."}]}
{"content":[{"type":"text","text":"Understood."}]}
"#;

const TEXT: &str = "one\n2\n3\n4\n5\n6\n7\n8\nnine\n";

fn ours() -> Value {
    json!({
        "workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true}},
        "experimental": {"redline": {"review": true, "permission": true, "save": true, "threadEvents": true}},
    })
}

/// A client with `a.txt` open under its own spelling of the URI, after a turn that proposed two
/// hunks.
async fn proposed() -> (Client, String, Vec<Value>) {
    let mut client = Client::start(ours(), json!({"script": "s.jsonl"})).await;
    client.write("s.jsonl", SCRIPT);
    let path = client.write("a.txt", TEXT);
    let uri = format!("file://{}", path.replace("a.txt", "%61.txt"));
    let document = json!({"uri": uri, "languageId": "text", "version": 1, "text": TEXT});
    client.tell("textDocument/didOpen", json!({ "textDocument": document })).await;
    say(&mut client, "go").await;
    let reviews = client.ask("redline/reviews", json!({})).await.unwrap();
    let hunks = reviews["files"][0]["hunks"].as_array().unwrap().clone();
    assert_eq!(reviews["files"][0]["uri"], uri);
    (client, uri, hunks)
}

async fn say(client: &mut Client, text: &str) -> Value {
    client.ask("redline/prompt", json!({"text": text, "threadId": "T"})).await.unwrap();
    client.wait(|m| m["params"]["event"]["type"] == "turnEnd").await
}

#[tokio::test]
async fn accept_one_reject_one_and_the_agent_is_told() {
    let (mut client, uri, hunks) = proposed().await;
    assert_eq!(hunks.len(), 2);
    assert_eq!((&hunks[0]["oldText"], &hunks[0]["newText"]), (&json!("one\n"), &json!("ONE\n")));

    // Accept: the answer waits for the edit, its didChange and the save.
    let accept = json!({"action": "accept", "uri": uri, "hunks": [hunks[0]["id"]]});
    client.send(json!({"jsonrpc": "2.0", "id": "accept", "method": "redline/resolve", "params": accept})).await;
    let edit = client.hear("workspace/applyEdit").await;
    let change = &edit["params"]["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": uri, "version": 1}));
    let changes: Vec<Value> = change["edits"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .map(|e| json!({"range": e["range"], "text": e["newText"]}))
        .collect();
    let document = json!({"uri": uri, "version": 2});
    client
        .tell(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": changes}),
        )
        .await;
    client.send(json!({"jsonrpc": "2.0", "id": edit["id"], "result": {"applied": true}})).await;
    let save = client.hear("redline/save").await;
    assert_eq!(save["params"], json!({ "uris": [uri] }));
    client.tell("textDocument/didSave", json!({"textDocument": {"uri": uri}})).await;
    client.send(json!({"jsonrpc": "2.0", "id": save["id"], "result": {"saved": [uri]}})).await;
    let accepted = client.wait(|m| m["id"] == "accept").await;
    assert_eq!(accepted["result"]["resolved"], json!([hunks[0]["id"]]));

    let reject = json!({"action": "reject", "hunks": [hunks[1]["id"]], "comment": "keep nine"});
    let rejected = client.ask("redline/resolve", reject).await.unwrap();
    assert_eq!(rejected["resolved"], json!([hunks[1]["id"]]));
    let content = json!({"uri": uri, "projection": "editor"});
    let text = client.ask("redline/content", content).await.unwrap();
    assert_eq!(text["text"], TEXT.replace("one", "ONE"));

    let end = say(&mut client, "and now?").await;
    assert_eq!(end["params"]["event"]["reason"], "done");
    let thread = client.ask("redline/thread", json!({"threadId": "T"})).await.unwrap();
    let told = &thread["messages"][4]["message"]["content"][0]["text"];
    expect![[r#"
        accepted a.txt:1-1 (c1)
        rejected a.txt:9-9 (c2): "keep nine""#]]
    .assert_eq(told.as_str().unwrap());
    assert_eq!(client.leave().await, 0);
}

#[tokio::test]
async fn the_turn_awaits_the_review_and_a_stale_id_changes_nothing() {
    let (mut client, uri, hunks) = proposed().await;
    let status = client.ask("redline/status", json!({})).await.unwrap();
    assert_eq!((&status["pendingHunks"], &status["pendingFiles"]), (&json!(2), &json!(1)));
    let threads = client.ask("redline/threads", json!({})).await.unwrap();
    assert_eq!(threads["threads"][0]["state"], "awaitingReview");
    let stale = client
        .ask("redline/resolve", json!({"action": "accept", "hunks": ["h99", "x"]}))
        .await
        .unwrap();
    assert_eq!(stale["stale"], json!(["h99", "x"]));
    let lenses =
        client.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}})).await.unwrap();
    assert_eq!(lenses.as_array().unwrap().len(), 6);
    assert_eq!(lenses[0]["command"]["arguments"], json!([hunks[0]["id"]]));
    let agent =
        client.ask("redline/content", json!({"uri": uri, "projection": "agent"})).await.unwrap();
    assert_eq!(agent["text"], TEXT.replace("one", "ONE").replace("nine", "NINE"));
}

#[tokio::test]
async fn a_client_that_refuses_an_edit_is_told_that_it_failed() {
    let (mut client, _, hunks) = proposed().await;
    let accept = json!({"action": "accept", "hunks": [hunks[0]["id"]]});
    client.send(json!({"jsonrpc": "2.0", "id": "accept", "method": "redline/resolve", "params": accept})).await;
    // Whatever the session tries, it gets the same answer.
    let answer = loop {
        let message =
            client.wait(|m| m["method"] == "workspace/applyEdit" || m["id"] == "accept").await;
        if message["id"] == "accept" {
            break message;
        }
        let refusal = json!({"applied": false, "failureReason": "no"});
        client.send(json!({"jsonrpc": "2.0", "id": message["id"], "result": refusal})).await;
    };
    assert_eq!(answer["result"]["failed"][0]["hunk"], hunks[0]["id"]);
    let reviews = client.ask("redline/reviews", json!({})).await.unwrap();
    assert_eq!(reviews["files"][0]["hunks"][0]["state"], "pending");
}

#[tokio::test]
async fn one_tool_call_asks_and_can_be_cancelled() {
    let mut client = Client::start(ours(), json!({})).await;
    let call = json!({"name": "Bash", "args": {"cmd": "touch made"}});
    client
        .send(json!({"jsonrpc": "2.0", "id": "tool", "method": "redline/tool", "params": call}))
        .await;
    let ask = client.hear("redline/permission").await;
    assert_eq!(ask["params"]["tool"], "Bash");
    client.tell("$/cancelRequest", json!({"id": "tool"})).await;
    let withdrawn = client.hear("redline/permissionWithdrawn").await;
    assert_eq!(withdrawn["params"]["askId"], ask["params"]["askId"]);
    let answer = client.wait(|m| m["id"] == "tool").await;
    assert_eq!(answer["error"]["code"], -32800);
    client.send(json!({"jsonrpc": "2.0", "id": ask["id"], "result": {"option": "once"}})).await;
    assert_eq!(client.ask("redline/reviews", json!({})).await, Ok(json!({"files": []})));
    assert!(!client.folder.path().join("made").exists());
}

#[tokio::test]
async fn a_place_in_the_second_folder_is_found_before_its_file_is_there() {
    let mut client = Client::connect();
    let folders = ["a", "b"].map(|name| {
        let path = client.folder.path().join(name);
        std::fs::create_dir(&path).unwrap();
        json!({"uri": format!("file://{}", path.display()), "name": name})
    });
    let params = json!({"processId": null, "workspaceFolders": folders, "capabilities": {}});
    client.ask("initialize", params).await.unwrap();
    client.tell("initialized", json!({})).await;
    let path = client.folder.path().join("b/new.txt").display().to_string();
    let call = json!({"name": "create_file", "args": {"path": path, "content": "x\n"}});
    assert_eq!(client.ask("redline/tool", call).await.unwrap()["status"], "done");
    let params = json!({"command": "redline.reject", "arguments": ["new.txt:1"]});
    assert_eq!(client.ask("workspace/executeCommand", params).await, Ok(Value::Null));
    assert_eq!(client.leave().await, 0);
}
