//! A sandbox, a client and the steps that most tests share.

use crate::client::{Client, initialize_params};
use crate::editor::Editor;
use crate::position::Encoding;
use crate::sandbox::{self, Sandbox, Script};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

/// How a session starts.
#[derive(Clone, Debug)]
pub struct Options {
    /// `capabilities.experimental.redline`; `null` for a plain LSP client.
    pub redline: Value,
    /// The encodings that the client offers.
    pub encodings: Vec<Encoding>,
    /// Whether changes are sent as whole texts.
    pub full_sync: bool,
    /// The version of a fresh buffer, and by how much it grows.
    pub versions: (i64, i64),
    /// All that the client says of itself, in place of the rest; `null`: nothing special.
    pub introduction: Value,
    /// The recorded conversation.
    pub script: Script,
    /// Further settings.
    pub settings: Value,
    /// Folders beside the workspace.
    pub folders: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            redline: json!({
                "review": true, "permission": true, "question": true, "save": true, "open": true,
                "format": true, "threadEvents": true, "changeReason": true,
            }),
            encodings: Vec::new(),
            full_sync: false,
            versions: (1, 1),
            introduction: Value::Null,
            script: Script::new(),
            settings: json!({}),
            folders: Vec::new(),
        }
    }
}

impl Options {
    /// A client that speaks standard LSP only.
    pub fn plain() -> Self {
        Self { redline: Value::Null, ..Self::default() }
    }

    /// With this recorded conversation.
    #[must_use]
    pub fn script(mut self, script: Script) -> Self {
        self.script = script;
        self
    }
}

/// A running server with a workspace of its own.
pub struct Session {
    /// The client; first, so that the server ends before its folders go.
    pub client: Client,
    /// The folders.
    pub sandbox: Sandbox,
    /// The result of `initialize`.
    pub server: Value,
    /// The thread of the last prompt.
    pub thread: Option<String>,
    options: Options,
}

impl Session {
    /// Starts the server in an empty workspace.
    pub fn start(options: Options) -> Self {
        Self::start_in(Sandbox::new(), options)
    }

    /// Starts the server with the default options and these files in the workspace.
    pub fn with_files(files: &[(&str, &str)]) -> Self {
        Self::with(files, Options::default())
    }

    /// Starts the server with these files in the workspace.
    pub fn with(files: &[(&str, &str)], options: Options) -> Self {
        let sandbox = Sandbox::new();
        for (name, content) in files {
            sandbox.write(name, content);
        }
        Self::start_in(sandbox, options)
    }

    /// Starts the server in `sandbox`.
    pub fn start_in(sandbox: Sandbox, options: Options) -> Self {
        let script = sandbox.script(&options.script);
        Self::start_with_script(sandbox, options, script)
    }

    /// Starts the server with a script that is already there.
    pub fn start_with_script(sandbox: Sandbox, options: Options, script: PathBuf) -> Self {
        let mut settings = json!({ "provider": "script", "script": script });
        if let Some(more) = options.settings.as_object() {
            more.iter().for_each(|(key, value)| settings[key] = value.clone());
        }
        let command = sandbox.command(&["lsp"]);
        Self::start_command(sandbox, command, options, &settings)
    }

    /// Starts a server with this command.
    pub fn start_command(
        sandbox: Sandbox,
        command: Command,
        options: Options,
        settings: &Value,
    ) -> Self {
        let editor = Editor::new(Encoding::Utf16, options.full_sync, options.versions);
        let mut client = Client::start(command, editor);
        client.settings = settings.clone();
        let mut params =
            initialize_params(&sandbox.workspace(), &options.redline, &options.encodings, settings);
        for folder in &options.folders {
            let folder = json!({ "uri": sandbox::uri(folder), "name": "another" });
            params["workspaceFolders"].as_array_mut().expect("folders").push(folder);
        }
        for field in ["capabilities", "clientInfo"] {
            if options.introduction.get(field).is_some() {
                params[field] = options.introduction[field].clone();
            }
        }
        let server = client.call("initialize", &params);
        client.editor.encoding =
            Encoding::named(server["capabilities"]["positionEncoding"].as_str());
        client.notify("initialized", &json!({}));
        Self { client, sandbox, server, thread: None, options }
    }

    /// Ends the server as `kill -9` does, and starts another one in the same folders. No document is
    /// open in it.
    pub fn restart(self) -> Self {
        let Self { mut client, sandbox, options, .. } = self;
        client.kill();
        drop(client);
        Self::start_in(sandbox, options)
    }

    /// A second server in the same folders.
    pub fn second(&self) -> Self {
        Self::start_in(self.sandbox.clone(), self.options.clone())
    }

    /// The hunks of a file, as the server lists them now.
    pub fn listed(&mut self, uri: &str) -> Vec<Value> {
        let answer = self.client.call("redline/reviews", &json!({}));
        let files = answer["files"].as_array().expect("files").iter();
        let hunks = files.filter(|file| file["uri"] == uri).map(|file| file["hunks"].as_array());
        hunks.flatten().flatten().cloned().collect()
    }

    /// Opens a workspace file; its URI.
    pub fn open(&mut self, relative: &str) -> String {
        let path = self.sandbox.path(relative);
        self.client.open(&path)
    }

    /// The URI of a workspace file.
    pub fn uri(&self, relative: &str) -> String {
        sandbox::uri(&self.sandbox.path(relative))
    }

    /// Prompts the thread (the first prompt starts it) and waits for the end of the turn: its event.
    pub fn prompt(&mut self, text: &str) -> Value {
        let turn = self.begin_prompt(text);
        self.turn_end(&turn)
    }

    /// Prompts the thread; the turn's id.
    pub fn begin_prompt(&mut self, text: &str) -> String {
        let mut params = json!({ "text": text });
        if let Some(thread) = &self.thread {
            params["threadId"] = json!(thread);
        }
        let started = self.client.call("redline/prompt", &params);
        self.thread = Some(started["threadId"].as_str().expect("threadId").to_owned());
        started["turnId"].as_str().expect("turnId").to_owned()
    }

    /// Waits for the end of a turn: its event.
    pub fn turn_end(&mut self, turn: &str) -> Value {
        self.client.wait("the end of the turn", |client| {
            let ends = |p: &&Value| p["turnId"] == turn && p["event"]["type"] == "turnEnd";
            client.notified("redline/threadEvent").find(ends).map(|p| p["event"].clone())
        })
    }

    /// One direct tool call in the connection's implicit thread: its `ToolResult`.
    pub fn tool(&mut self, name: &str, args: &Value) -> Value {
        self.client.call("redline/tool", &json!({ "name": name, "args": args }))
    }

    /// `edit_file` on a workspace file, which must succeed: the ids of its hunks.
    pub fn edit(&mut self, file: &str, old: &str, new: &str) -> Vec<String> {
        let path = self.sandbox.path(file);
        let args = json!({ "path": path, "old_str": old, "new_str": new });
        let result = self.tool("edit_file", &args);
        assert_eq!(result["status"], "done", "edit_file: {result}");
        strings(&result["review"]["hunks"])
    }

    /// `redline/resolve`.
    pub fn resolve(&mut self, params: &Value) -> Value {
        self.client.call("redline/resolve", params)
    }

    /// Resolves these hunks, which must all be resolved.
    pub fn decide(&mut self, action: &str, hunks: &[String]) -> Value {
        let result = self.resolve(&json!({ "action": action, "hunks": hunks }));
        let mut resolved = strings(&result["resolved"]);
        let mut wanted = hunks.to_vec();
        resolved.sort();
        wanted.sort();
        assert_eq!(resolved, wanted, "{action}: {result}");
        result
    }

    /// Waits until the newest review of `uri` meets a condition; its hunks.
    pub fn hunks_when(
        &mut self,
        uri: &str,
        what: &str,
        condition: impl Fn(&[Value]) -> bool,
    ) -> Vec<Value> {
        let what = format!("a review of {uri} with {what}");
        self.client.wait(&what, |client| {
            let hunks = client.review(uri)?["hunks"].as_array()?;
            condition(hunks).then(|| hunks.clone())
        })
    }

    /// Waits until `uri` has this many pending hunks; those.
    pub fn pending(&mut self, uri: &str, count: usize) -> Vec<Value> {
        let is_pending = |hunk: &&Value| hunk["state"] == "pending";
        let enough = |hunks: &[Value]| hunks.iter().filter(is_pending).count() == count;
        let hunks = self.hunks_when(uri, &format!("{count} pending hunks"), enough);
        hunks.into_iter().filter(|hunk| hunk["state"] == "pending").collect()
    }

    /// Waits until hunk `id` of `uri` has this state; the hunk.
    pub fn hunk_in_state(&mut self, uri: &str, id: &str, state: &str) -> Value {
        let is_it = |hunk: &&Value| hunk["id"] == id && hunk["state"] == state;
        let what = format!("hunk {id} {state}");
        let hunks = self.hunks_when(uri, &what, |hunks| hunks.iter().any(|hunk| is_it(&hunk)));
        hunks.into_iter().find(|hunk| is_it(&hunk)).expect("found before")
    }

    /// A projection of a file as the server sees it.
    pub fn content(&mut self, uri: &str, projection: &str) -> String {
        let params = json!({ "uri": uri, "projection": projection });
        let answer = self.client.call("redline/content", &params);
        answer["text"].as_str().unwrap_or_else(|| panic!("{projection} of {uri}: {answer}")).into()
    }

    /// The server's editor projection must be the editor's text, byte for byte.
    pub fn assert_in_sync(&mut self, uri: &str) {
        let content = self.content(uri, "editor");
        assert_eq!(content, self.client.text(uri), "the server's text of {uri}");
    }

    /// Everything in the messages of the thread's newest turn: what was told and answered.
    pub fn messages(&mut self) -> Vec<Value> {
        let thread = self.thread.clone().expect("a prompt before");
        let answer = self.client.call("redline/thread", &json!({ "threadId": thread }));
        answer["messages"].as_array().expect("messages").clone()
    }

    /// The lines of every text that the model was given after the prompt `text`, with it.
    pub fn told_since(&mut self, text: &str) -> Vec<String> {
        let messages = self.messages();
        let from =
            messages.iter().position(|message| texts(message).iter().any(|t| t.contains(text)));
        let from = from.unwrap_or_else(|| panic!("no prompt {text:?} in {messages:#?}"));
        let given = messages[from..].iter().filter(|message| message["type"] == "user");
        let texts = given.flat_map(texts).collect::<Vec<_>>();
        texts.iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
    }

    /// The content of the tool result of call `id`, and whether it is an error.
    pub fn tool_result(&mut self, id: &str) -> (String, bool) {
        let messages = self.messages();
        let blocks = messages.iter().flat_map(|m| m["message"]["content"].as_array().cloned());
        let result = blocks.flatten().find(|block| block["tool_use_id"] == id);
        let result = result.unwrap_or_else(|| panic!("no result of {id} in {messages:#?}"));
        (flat(&result["content"]), result["is_error"] == true)
    }
}

/// The strings of a JSON array.
pub fn strings(list: &Value) -> Vec<String> {
    let list = list.as_array().unwrap_or_else(|| panic!("not a list: {list}"));
    list.iter().map(|item| item.as_str().expect("a string").to_owned()).collect()
}

/// The id of a hunk.
pub fn id(hunk: &Value) -> String {
    hunk["id"].as_str().expect("an id").to_owned()
}

/// The texts of one message of a thread.
fn texts(message: &Value) -> Vec<String> {
    match &message["message"]["content"] {
        Value::Array(blocks) => blocks.iter().map(flat).collect(),
        other => vec![flat(other)],
    }
}

/// The text inside a content block or a tool result's content.
fn flat(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(flat).collect::<Vec<_>>().join("\n"),
        Value::Object(_) if value["text"].is_string() => flat(&value["text"]),
        Value::Object(_) => flat(&value["content"]),
        _ => String::new(),
    }
}
