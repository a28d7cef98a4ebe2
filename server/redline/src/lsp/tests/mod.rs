//! The server over in-memory pipes, as a client sees it.

mod examples;
mod front;
mod job;
mod requests;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncWriteExt, BufReader, DuplexStream},
    task::JoinHandle,
};

use super::transport::{Frame, Reader, framed};

/// A client of its own making.
struct Client {
    to: DuplexStream,
    from: Reader<BufReader<DuplexStream>>,
    code: JoinHandle<i32>,
    folder: tempfile::TempDir,
    next: i64,
    /// What came while something else was waited for.
    unread: Vec<Value>,
}

impl Client {
    /// Before `initialize`.
    fn connect() -> Self {
        let (to, input) = tokio::io::duplex(1 << 20);
        let (output, from) = tokio::io::duplex(1 << 20);
        let code = tokio::spawn(super::serve(BufReader::new(input), output, None));
        let from = Reader::new(BufReader::new(from));
        let folder = tempfile::tempdir().unwrap();
        Self { to, from, code, folder, next: 1, unread: Vec::new() }
    }

    /// After `initialized`, with these capabilities and settings.
    async fn start(capabilities: Value, settings: Value) -> Self {
        let mut client = Self::connect();
        let params = json!({
            "processId": null,
            "rootUri": format!("file://{}", client.folder.path().display()),
            "capabilities": capabilities,
            "initializationOptions": { "redline": settings },
        });
        client.ask("initialize", params).await.unwrap();
        client.tell("initialized", json!({})).await;
        client
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    async fn send(&mut self, message: Value) {
        self.to.write_all(&framed(message.to_string().as_bytes())).await.unwrap();
    }

    async fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    /// A request's result or its error's code and message.
    async fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.next;
        self.next += 1;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        let answer =
            self.wait(|message| message.get("method").is_none() && message["id"] == id).await;
        match answer.get("error") {
            Some(error) => Err(format!("{} {}", error["code"], error["message"].as_str().unwrap())),
            None => Ok(answer["result"].clone()),
        }
    }

    /// The next message of that method.
    async fn hear(&mut self, method: &str) -> Value {
        self.wait(|message| message["method"] == method).await
    }

    async fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.unread.iter().position(&wanted) {
            return self.unread.remove(at);
        }
        loop {
            let next = tokio::time::timeout(Duration::from_secs(20), self.from.next());
            let message = match next.await.expect("a message within twenty seconds") {
                Frame::Body(body) => serde_json::from_slice(&body).unwrap(),
                other => panic!("{other:?}"),
            };
            if wanted(&message) {
                return message;
            }
            self.unread.push(message);
        }
    }

    async fn leave(mut self) -> i32 {
        self.ask("shutdown", Value::Null).await.unwrap();
        self.tell("exit", Value::Null).await;
        self.code.await.unwrap()
    }
}
