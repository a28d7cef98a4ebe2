//! Editors that know nothing of Redline, and what their users do.

use crate::session::{Options, Session};
use serde_json::{Value, json};

/// An editor that speaks standard LSP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// UTF-8 first, documents shown on request, edits only at the exact version.
    Helix,
    /// Stands still while it waits for a command, tells changes when its user pauses.
    Eglot,
    /// Declares nothing: no edits from the server, no progress, no diagnostics.
    Bare,
}

impl Plain {
    /// What it says in `initialize`: `capabilities` and `clientInfo`.
    pub fn introduction(self) -> Value {
        let text = match self {
            Self::Helix => include_str!("editors/helix.json"),
            Self::Eglot => include_str!("editors/eglot.json"),
            Self::Bare => include_str!("editors/bare.json"),
        };
        serde_json::from_str(text).expect("JSON")
    }

    /// A session of it.
    pub fn options(self) -> Options {
        let versions = if self == Self::Eglot { (0, 1) } else { (1, 1) };
        Options { introduction: self.introduction(), versions, ..Options::plain() }
    }
}

/// What a user of such an editor does and sees.
impl Session {
    /// Runs a command; its result.
    pub fn command(&mut self, name: &str, arguments: &Value) -> Value {
        let params = json!({ "command": name, "arguments": arguments });
        self.client.call("workspace/executeCommand", &params)
    }

    /// A prompt by command; waits until the server has said that the turn is over: its words.
    pub fn prompt_by_command(&mut self, text: &str) -> String {
        let before = self.client.notified("window/showMessage").count();
        let started = self.command("redline.prompt", &json!([text]));
        self.thread = Some(started["threadId"].as_str().expect("threadId").to_owned());
        self.client.wait("the end of the turn", |client| {
            let said = client.notified("window/showMessage").nth(before)?;
            Some(said["message"].as_str()?.to_owned())
        })
    }

    /// Code actions on a line (from 0), asked for by the user.
    pub fn actions(&mut self, uri: &str, line: u32) -> Vec<Value> {
        let at = json!({ "line": line, "character": 0 });
        let params = json!({
            "textDocument": { "uri": uri },
            "range": { "start": at, "end": at },
            "context": { "diagnostics": [], "triggerKind": 1 },
        });
        let answer = self.client.call("textDocument/codeAction", &params);
        answer.as_array().expect("a list").clone()
    }

    /// Chooses the code action on a line whose title has `word`.
    pub fn act(&mut self, uri: &str, line: u32, word: &str) -> Value {
        let actions = self.actions(uri, line);
        let has = |action: &&Value| action["title"].as_str().is_some_and(|t| t.contains(word));
        let action = actions.iter().find(has);
        let action = action.unwrap_or_else(|| panic!("no action with {word:?}: {actions:#?}"));
        let command = if action["command"].is_string() { action } else { &action["command"] };
        let (name, arguments) = (command["command"].clone(), command["arguments"].clone());
        self.command(name.as_str().expect("a command"), &arguments)
    }

    /// The hover on a line, as text.
    pub fn hover(&mut self, uri: &str, line: u32) -> Option<String> {
        let params = json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": 0 },
        });
        let answer = self.client.call("textDocument/hover", &params);
        answer["contents"]["value"].as_str().map(str::to_owned)
    }

    /// The diagnostics of a document as the editor shows them now.
    pub fn diagnostics(&self, uri: &str) -> Vec<Value> {
        let of = |params: &&Value| params["uri"] == uri;
        let newest = self.client.notified("textDocument/publishDiagnostics").filter(of).last();
        newest.and_then(|p| p["diagnostics"].as_array().cloned()).unwrap_or_default()
    }

    /// Waits until the diagnostics of a document are on these lines (from 0); those.
    pub fn marked(&mut self, uri: &str, lines: &[u64]) -> Vec<Value> {
        let uri = uri.to_owned();
        self.client.wait(&format!("marks on {lines:?}"), |client| {
            let of = |params: &&Value| params["uri"] == json!(uri);
            let newest = client.notified("textDocument/publishDiagnostics").filter(of).last();
            let shown = newest.map(|p| p["diagnostics"].as_array().cloned().unwrap_or_default());
            let shown = shown.unwrap_or_default();
            let on = |d: &Value| d["range"]["start"]["line"].as_u64();
            let found: Vec<u64> = shown.iter().filter_map(on).collect();
            (found == lines).then_some(shown)
        })
    }

    /// Waits until the buffer holds `text` and the server has the same.
    pub fn becomes(&mut self, uri: &str, text: &str) {
        let what = format!("the text {text:?}");
        self.client.wait(&what, |client| (client.text(uri) == text).then_some(()));
        self.client.idle();
        self.client.poll("the server's text", |client| {
            let params = json!({ "uri": uri, "projection": "editor" });
            let content = client.call("redline/content", &params);
            (content["text"] == text).then_some(())
        });
    }

    /// Waits until that many hunks are pending.
    pub fn pending_count(&mut self, count: u64) {
        self.client.poll(&format!("{count} pending hunks"), |client| {
            let status = client.call("redline/status", &json!({}));
            (status["pendingHunks"] == count).then_some(())
        });
    }

    /// The answer to a message request: the action whose title has `word`.
    pub fn choice(ask: &crate::Ask, word: &str) -> Value {
        let actions = ask.params["actions"].as_array().expect("actions");
        let has = |action: &&Value| action["title"].as_str().is_some_and(|t| t.contains(word));
        actions.iter().find(has).unwrap_or_else(|| panic!("{word} in {actions:?}")).clone()
    }
}
