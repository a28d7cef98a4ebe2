//! The failures of tower-lsp's own loop, and what a stream can hold that is no frame.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncWriteExt, BufReader, DuplexStream},
    sync::Notify,
    task::JoinHandle,
};
use tower_lsp::{
    LanguageServer, LspService,
    jsonrpc::Result,
    lsp_types::{InitializeParams, InitializeResult},
};

use super::{
    Frame, Peer, Reader, Stop,
    frame::{MAX_FRAME, framed},
    serve, write,
};

struct Mock {
    peer: Peer,
    seen: Arc<Mutex<Vec<u64>>>,
    gate: Arc<Notify>,
}

#[tower_lsp::async_trait]
impl LanguageServer for Mock {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        Ok(InitializeResult::default())
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }
}

/// Notes its number before anything else, as didChange does.
async fn note(server: &Mock, params: Value) {
    server.seen.lock().unwrap().push(params["n"].as_u64().unwrap());
    tokio::task::yield_now().await;
}

/// Waits for the client.
async fn dialog(server: &Mock, params: Value) -> Result<Value> {
    server.peer.request("window/showMessageRequest", params).await
}

/// Waits for the test.
async fn wait(server: &Mock, _: Value) -> Result<Value> {
    server.gate.notified().await;
    Ok(json!("through"))
}

async fn panics(_: &Mock, params: Value) -> Result<Value> {
    if params["late"] == true {
        tokio::task::yield_now().await;
    }
    panic!("a handler panics")
}

struct Bench {
    to: DuplexStream,
    from: Reader<BufReader<DuplexStream>>,
    seen: Arc<Mutex<Vec<u64>>>,
    gate: Arc<Notify>,
    peer: Peer,
    stop: Stop,
    code: JoinHandle<i32>,
}

impl Bench {
    async fn new() -> Self {
        let (to, input) = tokio::io::duplex(1 << 16);
        let (output, from) = tokio::io::duplex(1 << 16);
        let (peer, outbox) = Peer::new();
        let (seen, gate, stop) = (Arc::default(), Arc::new(Notify::new()), Stop::default());
        let mock = Mock { peer: peer.clone(), seen: Arc::clone(&seen), gate: Arc::clone(&gate) };
        tokio::spawn(write(outbox, output, stop.clone()));
        let (service, _) = LspService::build(|_| mock)
            .custom_method("test/note", note)
            .custom_method("test/dialog", dialog)
            .custom_method("test/wait", wait)
            .custom_method("test/panic", panics)
            .finish();
        let (serving, stopping) = (peer.clone(), stop.clone());
        let code = tokio::spawn(async move {
            serve(service, BufReader::new(input), &serving, &stopping).await
        });
        let from = Reader::new(BufReader::new(from));
        let mut bench = Self { to, from, seen, gate, peer, stop, code };
        bench.send(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}}})).await;
        assert_eq!(bench.receive().await["id"], 0);
        bench
    }

    async fn raw(&mut self, bytes: &[u8]) {
        self.to.write_all(bytes).await.unwrap();
    }

    async fn send(&mut self, message: Value) {
        self.raw(&framed(message.to_string().as_bytes())).await;
    }

    async fn receive(&mut self) -> Value {
        let next = tokio::time::timeout(Duration::from_secs(20), self.from.next());
        match next.await.expect("a message within twenty seconds") {
            Frame::Body(body) => serde_json::from_slice(&body).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    async fn ended(self) -> i32 {
        let code = tokio::time::timeout(Duration::from_secs(20), self.code);
        code.await.expect("the loop ends").unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_thousand_changes_keep_their_order() {
    let mut bench = Bench::new().await;
    for n in 0..2000 {
        bench.send(json!({"jsonrpc": "2.0", "method": "test/note", "params": {"n": n}})).await;
    }
    bench.send(json!({"jsonrpc": "2.0", "id": 1, "method": "shutdown"})).await;
    assert_eq!(bench.receive().await["id"], 1);
    assert_eq!(*bench.seen.lock().unwrap(), (0..2000).collect::<Vec<u64>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_dialogs_and_a_thousand_messages_block_nobody() {
    let mut bench = Bench::new().await;
    for id in 1..=64 {
        let params = json!({"type": 3, "message": id.to_string()});
        bench
            .send(json!({"jsonrpc": "2.0", "id": id, "method": "test/dialog", "params": params}))
            .await;
    }
    for n in 0..1000 {
        bench.send(json!({"jsonrpc": "2.0", "method": "test/note", "params": {"n": n}})).await;
    }
    let mut asked = Vec::new();
    for _ in 0..64 {
        asked.push(bench.receive().await);
    }
    // Answered last first, each twice: the second answer is nobody's.
    for ask in asked.iter().rev().chain(&asked) {
        let answer = json!({"jsonrpc": "2.0", "id": ask["id"], "result": ask["params"]["message"]});
        bench.send(answer).await;
    }
    for _ in 0..64 {
        let response = bench.receive().await;
        assert_eq!(response["result"], response["id"].to_string());
    }
    assert_eq!(bench.seen.lock().unwrap().len(), 1000);
}

#[tokio::test]
async fn a_panic_in_a_handler_is_an_answer() {
    let mut bench = Bench::new().await;
    for (id, late) in [(7, false), (8, true)] {
        let params = json!({"late": late});
        bench
            .send(json!({"jsonrpc": "2.0", "id": id, "method": "test/panic", "params": params}))
            .await;
        let error = bench.receive().await;
        assert_eq!((&error["id"], &error["error"]["code"]), (&json!(id), &json!(-32603)));
    }
    // Parameters that make a notification panic end nothing either.
    bench.send(json!({"jsonrpc": "2.0", "method": "test/note", "params": {}})).await;
    bench.send(json!({"jsonrpc": "2.0", "id": 9, "method": "shutdown", "params": null})).await;
    assert_eq!(bench.receive().await, json!({"jsonrpc": "2.0", "id": 9, "result": null}));
}

#[tokio::test]
async fn a_cancelled_request_says_so_and_a_late_answer_is_ignored() {
    let mut bench = Bench::new().await;
    bench.send(json!({"jsonrpc": "2.0", "id": 1, "method": "test/dialog", "params": {}})).await;
    let asked = bench.receive().await;
    bench.send(json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}})).await;
    assert_eq!(bench.receive().await["error"]["code"], -32800);
    for id in [asked["id"].clone(), json!(4711), json!("x"), json!(null), json!(1.5)] {
        bench.send(json!({"jsonrpc": "2.0", "id": id, "result": null})).await;
        bench.send(json!({"jsonrpc": "2.0", "id": id, "error": "odd"})).await;
    }
    bench.send(json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"})).await;
    assert_eq!(bench.receive().await["id"], 2);
}

#[tokio::test]
async fn exit_codes_follow_the_specification() {
    let exit = json!({"jsonrpc": "2.0", "method": "exit"});
    let shutdown = json!({"jsonrpc": "2.0", "id": 1, "method": "shutdown"});
    // `exit` ends the loop with the input still open and a handler still waiting.
    let wait = json!({"jsonrpc": "2.0", "id": 2, "method": "test/wait", "params": {}});
    for (messages, code) in [(vec![&wait, &exit], 1), (vec![&wait, &shutdown, &exit], 0)] {
        let mut bench = Bench::new().await;
        for message in messages {
            bench.send(message.clone()).await;
        }
        assert_eq!(bench.ended().await, code);
    }
    // The end of input in the middle of a dialog, and in the middle of a frame.
    for tail in [&b""[..], b"Content-Le", b"Content-Length: 50\r\n\r\n{\"json"] {
        for (shut, code) in [(false, 1), (true, 0)] {
            let mut bench = Bench::new().await;
            bench
                .send(json!({"jsonrpc": "2.0", "id": 1, "method": "test/dialog", "params": {}}))
                .await;
            if shut {
                bench.send(shutdown.clone()).await;
            }
            bench.raw(tail).await;
            let (to, _) = tokio::io::duplex(1);
            bench.to = to;
            assert_eq!(bench.ended().await, code);
        }
    }
}

#[tokio::test]
async fn a_stop_and_a_client_that_does_not_read_end_the_loop() {
    let bench = Bench::new().await;
    bench.stop.now();
    assert_eq!(bench.ended().await, 1);

    let mut bench = Bench::new().await;
    let (gone, _) = tokio::io::duplex(1);
    bench.from = Reader::new(BufReader::new(gone));
    bench.peer.notify("window/logMessage", json!({}));
    assert_eq!(bench.ended().await, 1);
}

#[tokio::test]
async fn what_a_handler_sends_arrives_before_its_answer() {
    let mut bench = Bench::new().await;
    bench.send(json!({"jsonrpc": "2.0", "id": 1, "method": "test/wait", "params": {}})).await;
    for n in 0..100 {
        bench.peer.notify("redline/review", json!({ "n": n }));
    }
    bench.gate.notify_one();
    for n in 0..100 {
        assert_eq!(bench.receive().await["params"]["n"], n);
    }
    assert_eq!(bench.receive().await["result"], "through");
}

/// What the server answers to a piece of the stream, before the answer to a good request behind it.
async fn check(bytes: &[u8], want: Expect) {
    let mut bench = Bench::new().await;
    bench.raw(bytes).await;
    bench.send(json!({"jsonrpc": "2.0", "id": "good", "method": "shutdown"})).await;
    let mut answers = Vec::new();
    loop {
        let answer = bench.receive().await;
        if answer["id"] == "good" {
            assert_eq!(answer["result"], Value::Null);
            break;
        }
        let error = &answer["error"];
        answers.push(format!(
            "{} {} {}",
            answer["id"],
            error["code"],
            error["message"].as_str().unwrap()
        ));
    }
    want.assert_eq(&answers.join("\n"));
}

#[tokio::test]
async fn malformed_frames_are_answered_and_skipped() {
    let note = r#"{"jsonrpc":"2.0","method":"test/note","params":{"n":1}}"#;
    check(b"", expect![[""]]).await;
    check(b"\r\n\n\r\n", expect![[""]]).await;
    check(
        format!("Content-Type: text\r\n\r\n{note}").as_bytes(),
        expect![
            "null -32600 a frame without Content-Length; skipped to the next Content-Length header"
        ],
    )
    .await;
    check(
        format!("Content-Length: -5\r\n\r\n{note}").as_bytes(),
        expect![[r#"null -32600 Content-Length "-5" is not a number of bytes; skipped to the next Content-Length header"#]],
    )
    .await;
    check(
        format!("Content-Length: 99999999999999999999999\r\n\r\n{note}").as_bytes(),
        expect![[r#"null -32600 Content-Length "99999999999999999999999" is not a number of bytes; skipped to the next Content-Length header"#]],
    )
    .await;
    check(
        format!("Content-Length: {}\r\n\r\n{note}", MAX_FRAME + 1).as_bytes(),
        expect!["null -32600 Content-Length 67108865 is more than 67108864 bytes; skipped to the next Content-Length header"],
    )
    .await;
    check(
        format!("Content-Length: 5\r\nContent-Length: 6\r\n\r\n{note}").as_bytes(),
        expect!["null -32600 a frame with two lengths; skipped to the next Content-Length header"],
    )
    .await;
    let length = note.len();
    check(
        format!("content-length:{length}\nCONTENT-LENGTH: {length}\r\nX: y\r\n\r\n{note}")
            .as_bytes(),
        expect![[""]],
    )
    .await;
    check(
        format!("Content-Length: {}\r\n\r\n{note}", length - 3).as_bytes(),
        expect![[r#"
            null -32700 Parse error
            null -32600 no header: "1}}Content-Length: 49"; skipped to the next Content-Length header"#]],
    )
    .await;
    check(
        b"no header at all ",
        expect![[r#"null -32600 no header: "no header at all Content-Length: 49"; skipped to the next Content-Length header"#]],
    )
    .await;
    check(
        b"\xff\xfe\r\n\x00\x01:\r\n",
        expect![[r#"null -32600 no header: "��"; skipped to the next Content-Length header"#]],
    )
    .await;
    check(
        &[vec![b'x'; 100_000], b"\r\n".to_vec()].concat(),
        expect![[r#"null -32600 no header: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"; skipped to the next Content-Length header"#]],
    )
    .await;
}

#[tokio::test]
async fn malformed_messages_are_answered() {
    async fn body(body: &[u8], want: Expect) {
        check(&framed(body), want).await;
    }
    body(b"", expect!["null -32700 Parse error"]).await;
    body(b"{\"id\": 1,", expect!["null -32700 Parse error"]).await;
    body(b"{\"a\": \"\xff\"}", expect!["null -32700 Parse error"]).await;
    body("[".repeat(100_000).as_bytes(), expect!["null -32700 Parse error"]).await;
    body(b"[]", expect!["null -32600 Invalid request"]).await;
    body(b"3", expect!["null -32600 Invalid request"]).await;
    body(br#"{"jsonrpc":"2.0"}"#, expect![[""]]).await;
    body(br#"{"jsonrpc":"2.0","id":3,"method":4}"#, expect!["3 -32600 Invalid request"]).await;
    body(br#"{"jsonrpc":"1.0","id":3,"method":"x"}"#, expect!["3 -32600 Invalid request"]).await;
    body(br#"{"jsonrpc":"2.0","id":{},"method":"x"}"#, expect!["null -32600 Invalid request"])
        .await;
    body(br#"{"jsonrpc":"2.0","id":3,"method":"no/such"}"#, expect!["3 -32601 Method not found"])
        .await;
    body(br#"{"jsonrpc":"2.0","id":3,"method":"$/no/such"}"#, expect!["3 -32601 Method not found"])
        .await;
    body(br#"{"jsonrpc":"2.0","method":"no/such"}"#, expect![[""]]).await;
    body(
        br#"{"jsonrpc":"2.0","id":3,"method":"test/dialog"}"#,
        expect!["3 -32602 Missing params field"],
    )
    .await;
    body(
        br#"{"jsonrpc":"2.0","id":3,"method":"test/note","params":{}}"#,
        expect!["3 -32600 Invalid request"],
    )
    .await;
}
