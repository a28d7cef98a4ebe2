//! Requests, answers and waiting: single-threaded, every step of a test in its order.

use crate::DEADLINE;
use crate::checks::Checks;
use crate::editor::{Ask, Editor, OnEdit, Outcome};
use crate::position::Encoding;
use crate::process::{Incoming, Process};
use crate::wire;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// A result, or a JSON-RPC error object.
pub type Reply = Result<Value, Value>;

/// A scripted LSP client with an editor behind it.
///
/// It reads only while a test waits for something; the pipes are emptied by threads meanwhile. When
/// dropped it fails the test if a message broke the protocol, the server panicked, or an error
/// message to the user was not taken by [`Client::take_messages`].
pub struct Client {
    /// The child.
    pub process: Process,
    /// Buffers and the treatment of edits.
    pub editor: Editor,
    /// What must hold for every message.
    pub checks: Checks,
    /// Every notification so far: method and parameters.
    pub notifications: Vec<(String, Value)>,
    /// Asks that nobody has answered yet.
    pub asks: Vec<Ask>,
    /// Settings for `workspace/configuration`.
    pub settings: Value,
    /// The answer to `redline/format`.
    pub formatted: Value,
    held: Vec<(Value, Value)>,
    late: Vec<(&'static str, Value)>,
    /// Parameters of every `window/showDocument` so far.
    pub shown: Vec<Value>,
    reviews: HashMap<String, Value>,
    replies: HashMap<u64, Reply>,
    open: HashMap<u64, String>,
    next_id: u64,
    closed: bool,
    orderly: bool,
}

impl Client {
    /// Starts `command`; nothing is sent.
    pub fn start(command: Command, editor: Editor) -> Self {
        Self {
            process: Process::start(command),
            editor,
            checks: Checks::default(),
            notifications: Vec::new(),
            asks: Vec::new(),
            settings: Value::Null,
            formatted: json!({ "formatted": false }),
            held: Vec::new(),
            late: Vec::new(),
            shown: Vec::new(),
            reviews: HashMap::new(),
            replies: HashMap::new(),
            open: HashMap::new(),
            next_id: 1,
            closed: false,
            orderly: false,
        }
    }

    /// Sends bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.process.send(bytes.to_vec());
    }

    /// Sends a message as a frame.
    pub fn send(&mut self, message: &Value) {
        self.raw(&wire::frame(message.to_string().as_bytes()));
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: &Value) {
        self.send(&wire::notification(method, params));
    }

    /// Sends a request; [`Client::finish`] takes its answer.
    pub fn begin(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.open.insert(id, method.to_owned());
        self.send(&wire::request(id, method, params));
        id
    }

    /// Waits for the answer of a request.
    pub fn finish(&mut self, id: u64) -> Reply {
        let method = self.open.get(&id).cloned().unwrap_or_default();
        self.wait(&format!("the answer to {method}"), |client| client.replies.remove(&id))
    }

    /// The answer of a request, if it is there.
    pub fn answered(&self, id: u64) -> bool {
        self.replies.contains_key(&id)
    }

    /// A request and its answer.
    pub fn request(&mut self, method: &str, params: &Value) -> Reply {
        let id = self.begin(method, params);
        self.finish(id)
    }

    /// A request that must succeed.
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.request(method, params).unwrap_or_else(|error| panic!("{method} {params}: {error}"))
    }

    /// A request that must fail: the error's code and message.
    pub fn refused(&mut self, method: &str, params: &Value) -> (i64, String) {
        match self.request(method, params) {
            Ok(result) => panic!("{method} {params} succeeded: {result}"),
            Err(error) => {
                let message = error["message"].as_str().expect("a message").to_owned();
                (error["code"].as_i64().expect("a code"), message)
            }
        }
    }

    /// Waits until `condition` gives something, reading messages meanwhile.
    pub fn wait<T>(&mut self, what: &str, condition: impl FnMut(&mut Self) -> Option<T>) -> T {
        self.wait_within(DEADLINE, what, condition)
    }

    /// [`Client::wait`] with a limit of its own.
    pub fn wait_within<T>(
        &mut self,
        limit: Duration,
        what: &str,
        mut condition: impl FnMut(&mut Self) -> Option<T>,
    ) -> T {
        let end = Instant::now() + limit;
        loop {
            if let Some(found) = condition(self) {
                return found;
            }
            if !self.pump(end) {
                self.give_up(what);
            }
        }
    }

    /// [`Client::wait`] for something that no message tells of: asked again after each round trip.
    pub fn poll<T>(&mut self, what: &str, mut condition: impl FnMut(&mut Self) -> Option<T>) -> T {
        let end = Instant::now() + DEADLINE;
        loop {
            if let Some(found) = condition(self) {
                return found;
            }
            if Instant::now() >= end {
                self.give_up(what);
            }
            self.call("redline/status", &json!({}));
        }
    }

    /// Waits for the end of the server's output and gives its exit status.
    pub fn wait_for_exit(&mut self, limit: Duration) -> Option<ExitStatus> {
        self.orderly = true;
        let end = Instant::now() + limit;
        while !self.closed && self.pump(end) {}
        self.process.wait(end.saturating_duration_since(Instant::now()))
    }

    /// Shuts the server down as LSP says; its exit status.
    pub fn shut_down(&mut self) -> Option<ExitStatus> {
        self.call("shutdown", &Value::Null);
        self.notify("exit", &Value::Null);
        self.wait_for_exit(DEADLINE)
    }

    /// Ends the server as `kill -9` does. What it had sent before can still be read.
    pub fn kill(&mut self) {
        self.orderly = true;
        self.process.kill();
    }

    /// Reads what a killed server has sent, to its end; a last message may be torn.
    pub fn drain(&mut self) {
        while let Ok(incoming) = self.process.output.recv_timeout(DEADLINE) {
            match incoming {
                Incoming::Message(message) => self.receive(&message),
                Incoming::Garbage(_) | Incoming::Closed => return,
            }
        }
    }

    /// Reads up to `count` messages, within `limit`, and stops at the answer of `request`.
    pub fn read(&mut self, count: usize, limit: Duration, request: Option<u64>) {
        let end = Instant::now() + limit;
        for _ in 0..count {
            let answered = request.is_some_and(|id| self.answered(id));
            if answered || !self.pump(end) {
                return;
            }
        }
    }

    /// The lines of the log so far.
    pub fn log(&self) -> Vec<String> {
        let lines = self.notified("window/logMessage");
        lines.map(|params| params["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Waits for a line of the log that contains `part`; the line.
    pub fn logged(&mut self, part: &str) -> String {
        self.wait(&format!("{part:?} in the log"), |client| {
            client.log().into_iter().find(|line| line.contains(part))
        })
    }

    /// Answers a question of the server.
    pub fn answer(&mut self, ask: &Ask, result: &Value) {
        self.asks.retain(|open| open.id != ask.id);
        self.send(&json!({ "jsonrpc": "2.0", "id": ask.id, "result": result }));
    }

    /// Allows this call and no other: `once`, or where files are not on disk, `runWithout`.
    pub fn allow(&mut self, ask: &Ask) {
        let offered = |id: &str| {
            let options = ask.params["options"].as_array();
            options.is_some_and(|options| options.iter().any(|option| option["id"] == id))
        };
        let option = ["once", "runWithout"].into_iter().find(|id| offered(id));
        let option = option.unwrap_or_else(|| panic!("nothing allows the call: {:#}", ask.params));
        self.answer(ask, &json!({ "option": option }));
    }

    /// Waits for the next open ask.
    pub fn next_ask(&mut self) -> Ask {
        self.wait("an ask", |client| client.asks.first().cloned())
    }

    /// How the next edits are treated.
    pub fn plan(&mut self, plan: &[OnEdit]) {
        self.editor.plan.extend(plan.iter().cloned());
    }

    /// The user pauses: what waits for that is sent.
    pub fn idle(&mut self) {
        for (method, params) in std::mem::take(&mut self.late) {
            self.notify(method, &params);
        }
    }

    /// Whether an edit is held.
    pub fn holds_edit(&self) -> bool {
        !self.held.is_empty()
    }

    /// Treats the oldest held edit now.
    pub fn release_edit(&mut self, how: &OnEdit) {
        let (id, params) = self.held.remove(0);
        let outcome = self.editor.apply_edit(&params, how);
        self.carry_out(&id, outcome);
    }

    /// The newest review state of `uri`, as the server last sent it.
    pub fn review(&self, uri: &str) -> Option<&Value> {
        self.reviews.get(uri)
    }

    /// Error and warning messages to the user so far; taken, so that they don't fail the test.
    pub fn take_messages(&mut self) -> Vec<String> {
        let (messages, rest) = std::mem::take(&mut self.notifications)
            .into_iter()
            .partition::<Vec<_>, _>(|(method, _)| method == "window/showMessage");
        self.notifications = rest;
        messages.iter().map(|(_, p)| p["message"].as_str().unwrap_or("").to_owned()).collect()
    }

    /// Waits for a message to the user that contains `part`; it, taken with all others.
    pub fn take_messages_when(&mut self, part: &str) -> String {
        self.wait(&format!("a message with {part:?}"), |client| {
            client.take_messages().into_iter().find(|text| text.contains(part))
        })
    }

    /// Parameters of every notification `method` so far.
    pub fn notified<'a>(&'a self, method: &'a str) -> impl Iterator<Item = &'a Value> {
        self.notifications.iter().filter(move |(name, _)| name == method).map(|(_, params)| params)
    }

    /// Opens a file from disk.
    pub fn open(&mut self, path: &Path) -> String {
        let text = std::fs::read_to_string(path).expect("a text file");
        self.open_as(path, &text)
    }

    /// Opens a file with a text that may differ from the disk's.
    pub fn open_as(&mut self, path: &Path, text: &str) -> String {
        let uri = crate::sandbox::uri(path);
        let (version, step) = self.editor.versions;
        let mut document = crate::Document::new(path.to_path_buf(), text.to_owned(), version);
        document.step = step;
        self.editor.documents.insert(uri.clone(), document);
        let item = json!({ "uri": uri, "languageId": "text", "version": version, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": item }));
        uri
    }

    /// The user types `text` before the first `needle`.
    pub fn type_before(&mut self, uri: &str, needle: &str, text: &str) {
        let (method, params) = self.editor.type_before(uri, needle, text);
        self.notify(method, &params);
    }

    /// The user replaces the first `needle`.
    pub fn replace(&mut self, uri: &str, needle: &str, with: &str) {
        let encoding = self.editor.encoding;
        let document = self.editor.document(uri);
        let at = document.find(needle);
        let change = document.replace(at..at + needle.len(), with, encoding);
        let (method, params) = self.editor.did_change(uri, vec![change]);
        self.notify(method, &params);
    }

    /// The user undoes (or redoes) one step; `report` says so to the server first.
    pub fn undo(&mut self, uri: &str, redo: bool, report: bool) {
        let encoding = self.editor.encoding;
        let document = self.editor.document(uri);
        let changes = if redo { document.redo(encoding) } else { document.undo(encoding) };
        let (method, params) = self.editor.did_change(uri, changes);
        if report {
            let reason = if redo { "redo" } else { "undo" };
            let version = &params["textDocument"]["version"];
            let report = json!({ "uri": uri, "version": version, "reason": reason });
            self.notify("redline/changeReason", &report);
        }
        self.notify(method, &params);
    }

    /// The editor's text of `uri`.
    pub fn text(&self, uri: &str) -> &str {
        &self.editor.documents.get(uri).unwrap_or_else(|| panic!("{uri} is not open")).text
    }

    /// Reads one message; false at the end of time or of the output.
    fn pump(&mut self, end: Instant) -> bool {
        let left = end.saturating_duration_since(Instant::now());
        match self.process.output.recv_timeout(left) {
            Ok(Incoming::Message(message)) => self.receive(&message),
            Ok(Incoming::Garbage(text)) => self.checks.problem(format!("not a message: {text}")),
            Ok(Incoming::Closed) => {
                self.closed = true;
                return self.orderly;
            }
            Err(_) => return false,
        }
        true
    }

    fn receive(&mut self, message: &Value) {
        self.checks.message(message);
        let params = message.get("params").cloned().unwrap_or(Value::Null);
        match (message["method"].as_str(), message.get("id")) {
            (Some(method), Some(id)) => self.on_request(method, id.clone(), params),
            (Some(method), None) => self.on_notification(method, params),
            (None, Some(Value::Null)) if message["error"].is_object() => {
                self.notifications.push(("error".into(), message["error"].clone()));
            }
            (None, _) => self.on_reply(message),
        }
    }

    fn on_reply(&mut self, message: &Value) {
        let id = message["id"].as_u64().unwrap_or(0);
        if self.open.remove(&id).is_none() {
            return self.checks.problem(format!("an answer to nothing: {message}"));
        }
        let reply = match message.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(message.get("result").cloned().unwrap_or(Value::Null)),
        };
        self.replies.insert(id, reply);
    }

    fn on_notification(&mut self, method: &str, params: Value) {
        if method == "redline/review" {
            self.checks.review(&params, &self.editor);
            let uri = params["uri"].as_str().unwrap_or("").to_owned();
            self.reviews.insert(uri, params.clone());
        }
        self.notifications.push((method.to_owned(), params));
    }

    fn on_request(&mut self, method: &str, id: Value, params: Value) {
        match method {
            "workspace/applyEdit" => self.on_apply_edit(&id, params),
            "redline/save" => {
                let uris: Vec<_> = params["uris"].as_array().expect("uris").iter().collect();
                let uris: Vec<_> =
                    uris.iter().map(|uri| uri.as_str().expect("a uri").to_owned()).collect();
                let outcome = self.editor.save(&uris);
                self.carry_out(&id, outcome);
            }
            "redline/permission"
            | "redline/trust"
            | "redline/question"
            | "window/showMessageRequest" => {
                self.asks.push(Ask { id, method: method.to_owned(), params });
            }
            "workspace/configuration" => self.reply(&id, self.configuration(&params)),
            "redline/format" => self.reply(&id, self.formatted.clone()),
            "window/showDocument" => {
                self.shown.push(params);
                self.reply(&id, json!({ "success": true }));
            }
            "redline/open"
            | "window/workDoneProgress/create"
            | "client/registerCapability"
            | "client/unregisterCapability"
            | "workspace/codeLens/refresh" => self.reply(&id, Value::Null),
            _ => self.refuse(&id, method),
        }
    }

    fn on_apply_edit(&mut self, id: &Value, params: Value) {
        let uris = |params: &Value| crate::editor::text_edits(params).map(|(uri, ..)| uri);
        let flying: Vec<_> = self.held.iter().flat_map(|(_, held)| uris(held)).collect();
        if uris(&params).any(|uri| flying.contains(&uri)) {
            self.checks.problem(format!("a second edit of a document in flight: {params}"));
        }
        self.editor.edits.push(params.clone());
        let how = self.editor.plan.pop_front().unwrap_or(OnEdit::Apply);
        let outcome = self.editor.apply_edit(&params, &how);
        if outcome.answer.is_none() {
            self.held.push((id.clone(), params));
        }
        self.carry_out(id, outcome);
    }

    /// One answer for each item, as LSP says.
    fn configuration(&self, params: &Value) -> Value {
        let items = params["items"].as_array().cloned().unwrap_or_default();
        let answer = |item: &Value| match item["section"].as_str() {
            Some("redline") => self.settings.clone(),
            _ => Value::Null,
        };
        items.iter().map(answer).collect()
    }

    fn carry_out(&mut self, id: &Value, outcome: Outcome) {
        match outcome.late {
            true => self.late.extend(outcome.notifications),
            false => outcome.notifications.iter().for_each(|(m, params)| self.notify(m, params)),
        }
        if let Some(answer) = outcome.answer {
            self.reply(id, answer);
        }
    }

    fn reply(&mut self, id: &Value, result: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    fn refuse(&mut self, id: &Value, method: &str) {
        self.checks.problem(format!("an unexpected request: {method}"));
        let error = json!({ "code": -32601, "message": "no such method" });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
    }

    fn give_up(&mut self, what: &str) -> ! {
        let exit = if self.closed { self.process.wait(DEADLINE) } else { None };
        let recent: Vec<_> = self.notifications.iter().rev().take(6).collect();
        panic!(
            "waited in vain for {what}; exit status {exit:?}; problems {:#?}; newest notifications \
             {recent:#?}; open asks {:#?}; standard error:\n{}",
            self.checks.problems,
            self.asks,
            self.process.errors(),
        );
    }

    fn last_problems(&mut self) -> Vec<String> {
        let mut problems = std::mem::take(&mut self.checks.problems);
        let errors = self.process.errors();
        if errors.contains("panicked at") {
            problems.push(format!("the server panicked:\n{errors}"));
        }
        let unread = self.notified("window/showMessage").filter(|params| params["type"] == 1);
        problems.extend(unread.map(|params| format!("an error nobody expected: {params}")));
        problems
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let problems = self.last_problems();
            assert!(problems.is_empty(), "{}", problems.join("\n"));
        }
    }
}

/// The parameters of `initialize` for an editor.
pub fn initialize_params(
    root: &Path,
    redline: &Value,
    encodings: &[Encoding],
    settings: &Value,
) -> Value {
    let uri = crate::sandbox::uri(root);
    let mut general = json!({});
    if !encodings.is_empty() {
        general["positionEncodings"] = encodings.iter().map(|e| json!(e.name())).collect();
    }
    json!({
        "processId": std::process::id(),
        "clientInfo": { "name": "redline-tests" },
        "rootUri": uri,
        "workspaceFolders": [{ "uri": uri, "name": "workspace" }],
        "initializationOptions": { "redline": settings },
        "capabilities": {
            "general": general,
            "workspace": {
                "applyEdit": true,
                "configuration": true,
                "codeLens": { "refreshSupport": true },
                "workspaceEdit": {
                    "documentChanges": true,
                    "resourceOperations": ["create", "rename", "delete"],
                },
            },
            "window": {
                "workDoneProgress": true,
                "showMessage": { "messageActionItem": { "additionalPropertiesSupport": false } },
            },
            "textDocument": { "synchronization": { "didSave": true } },
            "experimental": { "redline": redline },
        },
    })
}
