//! A language server as an editor sees it, with as little work on our side as can be.
//!
//! Messages are read where they are waited for, on the measuring thread: no channel adds its own
//! time. What the server asks is answered at once: an edit by the `didChange` that it makes.

use crate::Result;
use crate::process::Process;
use redline_tests::sandbox::{Sandbox, uri};
use redline_tests::{editor, wire};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// A running server that has answered `initialize`.
pub struct Server {
    /// The child.
    pub process: Process,
    /// How many permissions were asked for and left open.
    pub asks: usize,
    /// Seconds from before the start of the process to the answer of `initialize`.
    pub start: f64,
    next_id: u64,
    versions: HashMap<String, i64>,
    answers: HashMap<u64, Value>,
}

/// What tells answers, requests and notifications apart; the rest is skipped, not built.
#[derive(Deserialize)]
struct Envelope {
    id: Option<Value>,
    method: Option<IgnoredAny>,
}

impl Server {
    /// Starts Redline on `root`; `settings` are `initializationOptions.redline`.
    ///
    /// # Errors
    /// It does not start or does not answer.
    pub fn redline(sandbox: &Sandbox, root: &Path, settings: &Value) -> Result<Self> {
        Self::start(&mut sandbox.command(&["lsp"]), root, settings)
    }

    /// Starts the node server of the peers' folder on `root`.
    ///
    /// # Errors
    /// It does not start or does not answer.
    pub fn node(peers: &Path, root: &Path) -> Result<Self> {
        let mut command = Command::new("node");
        Self::start(command.arg(peers.join("server.js")).arg("--stdio"), root, &Value::Null)
    }

    fn start(command: &mut Command, root: &Path, settings: &Value) -> Result<Self> {
        let begin = Instant::now();
        let mut server = Self {
            process: Process::start(command)?,
            asks: 0,
            start: 0.0,
            next_id: 1,
            versions: HashMap::new(),
            answers: HashMap::new(),
        };
        server.call("initialize", &initialize(root, settings))?;
        server.start = begin.elapsed().as_secs_f64();
        server.notify("initialized", &json!({}))?;
        Ok(server)
    }

    /// Opens a document whose text is on the disk at `path`; its URI.
    ///
    /// # Errors
    /// The pipe is closed.
    pub fn open(&mut self, path: &Path, text: &str) -> Result<String> {
        let uri = uri(path);
        self.versions.insert(uri.clone(), 1);
        let document = json!({ "uri": uri, "languageId": "plaintext", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }))?;
        Ok(uri)
    }

    /// The frame of a `didChange` with these changes, in the document's next version.
    pub fn change(&mut self, uri: &str, changes: &Value) -> Vec<u8> {
        let version = self.versions.entry(uri.to_owned()).or_default();
        *version += 1;
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        frame(&wire::notification("textDocument/didChange", &params))
    }

    /// The frame of a request, and its id.
    pub fn request(&mut self, method: &str, params: &Value) -> (Vec<u8>, u64) {
        let id = self.next_id;
        self.next_id += 1;
        (frame(&wire::request(id, method, params)), id)
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// The pipe is closed.
    pub fn notify(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&frame(&wire::notification(method, params)))
    }

    /// Sends a request; [`Server::finish`] waits for its answer.
    ///
    /// # Errors
    /// The pipe is closed.
    pub fn begin(&mut self, method: &str, params: &Value) -> Result<u64> {
        let (frame, id) = self.request(method, params);
        self.send(&frame)?;
        Ok(id)
    }

    /// A request and its result.
    ///
    /// # Errors
    /// The pipe is closed, or the answer is an error.
    pub fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        let id = self.begin(method, params)?;
        self.finish(id)
    }

    /// Waits for an answer and gives its result.
    ///
    /// # Errors
    /// The server ended, or the answer is an error.
    pub fn finish(&mut self, id: u64) -> Result<Value> {
        while !self.answers.contains_key(&id) {
            let body = self.read()?;
            self.take(&body)?;
        }
        let mut answer = self.answers.remove(&id).unwrap_or_default();
        match answer.get("error") {
            Some(error) => Err(format!("the server answered {error}").into()),
            None => Ok(answer["result"].take()),
        }
    }

    /// Makes sure that a request has no answer yet, as far as messages were read.
    ///
    /// # Errors
    /// It has one.
    pub fn must_run(&self, id: u64) -> Result<()> {
        match self.answers.get(&id) {
            None => Ok(()),
            Some(answer) => Err(format!("ended before it should: {answer}").into()),
        }
    }

    /// Writes a few frames and waits for the answer of `id`.
    ///
    /// # Errors
    /// The server ended, or the answer is an error.
    pub fn answered(&mut self, frames: &[u8], id: u64) -> Result<Value> {
        self.send(frames)?;
        self.finish(id)
    }

    /// Writes frames while it reads, so that neither side waits for a full pipe, until `id` is
    /// answered.
    ///
    /// # Errors
    /// The server ended, or the answer is an error.
    pub fn stream(&mut self, frames: &[u8], id: u64) -> Result<Value> {
        let Process { input, output, .. } = &mut self.process;
        let bodies = std::thread::scope(|scope| {
            let writer = scope.spawn(move || input.write_all(frames).and_then(|()| input.flush()));
            let bodies = read_until(output, id);
            let written = writer.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()));
            bodies.and_then(|bodies| written.map(|()| bodies).map_err(Into::into))
        })?;
        bodies.iter().try_for_each(|body| self.take(body))?;
        self.finish(id)
    }

    /// Waits until a condition holds; reads messages meanwhile.
    ///
    /// # Errors
    /// The server ended.
    pub fn wait(&mut self, condition: impl Fn(&Self) -> bool) -> Result<()> {
        while !condition(self) {
            let body = self.read()?;
            self.take(&body)?;
        }
        Ok(())
    }

    fn send(&mut self, frame: &[u8]) -> Result<()> {
        self.process.input.write_all(frame)?;
        Ok(self.process.input.flush()?)
    }

    fn read(&mut self) -> Result<Vec<u8>> {
        Ok(wire::read_frame(&mut self.process.output)?.ok_or("the server ended")?)
    }

    /// Keeps an answer, answers a request, drops a notification.
    fn take(&mut self, body: &[u8]) -> Result<()> {
        match serde_json::from_slice(body)? {
            Envelope { id: Some(id), method: None } => {
                let id = id.as_u64().ok_or("an answer with an id that is not ours")?;
                self.answers.insert(id, serde_json::from_slice(body)?);
                Ok(())
            }
            Envelope { id: Some(id), method: Some(_) } => {
                self.react(&id, &serde_json::from_slice(body)?)
            }
            Envelope { id: None, .. } => Ok(()),
        }
    }

    fn react(&mut self, id: &Value, request: &Value) -> Result<()> {
        let result = match request["method"].as_str() {
            Some("workspace/applyEdit") => {
                self.apply(&request["params"])?;
                json!({ "applied": true })
            }
            Some("redline/permission") if !offers(&request["params"], "runWithout") => {
                self.asks += 1;
                return Ok(());
            }
            Some("redline/permission") => json!({ "option": "runWithout" }),
            _ => Value::Null,
        };
        self.send(&frame(&json!({ "jsonrpc": "2.0", "id": id, "result": result })))
    }

    /// What an editor sends when it applies edits: from the last to the first, in one notification.
    fn apply(&mut self, params: &Value) -> Result<()> {
        for (uri, _, mut edits) in editor::text_edits(params) {
            let start = |edit: &Value| {
                let start = &edit["range"]["start"];
                (start["line"].as_u64(), start["character"].as_u64())
            };
            edits.sort_by_key(start);
            let change = |edit: &Value| json!({ "range": edit["range"], "text": edit["newText"] });
            let frame = self.change(&uri, &edits.iter().rev().map(change).collect());
            self.send(&frame)?;
        }
        Ok(())
    }
}

/// Whether an ask has this option. A command is asked about what is not on disk even if a rule
/// allows it; the text that we type is of no use to it.
fn offers(params: &Value, option: &str) -> bool {
    params["options"].as_array().is_some_and(|all| all.iter().any(|one| one["id"] == option))
}

/// Every body up to the answer of `id` that is more than a notification.
fn read_until(output: &mut impl BufRead, id: u64) -> Result<Vec<Vec<u8>>> {
    let mut bodies = Vec::new();
    loop {
        let body = wire::read_frame(output)?.ok_or("the server ended")?;
        let head: Envelope = serde_json::from_slice(&body)?;
        let last = head.method.is_none() && head.id == Some(json!(id));
        if head.id.is_some() {
            bodies.push(body);
        }
        if last {
            return Ok(bodies);
        }
    }
}

fn frame(message: &Value) -> Vec<u8> {
    wire::frame(message.to_string().as_bytes())
}

fn initialize(root: &Path, settings: &Value) -> Value {
    let uri = uri(root);
    json!({
        "processId": std::process::id(),
        "clientInfo": { "name": "redline-bench" },
        "rootUri": uri,
        "workspaceFolders": [{ "uri": uri, "name": "bench" }],
        "initializationOptions": { "redline": settings },
        "capabilities": {
            "workspace": { "applyEdit": true, "workspaceEdit": { "documentChanges": true } },
            "textDocument": { "synchronization": { "didSave": true } },
            "experimental": {
                "redline": { "review": true, "permission": true, "threadEvents": true }
            },
        },
    })
}
