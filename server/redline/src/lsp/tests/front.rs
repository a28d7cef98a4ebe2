//! Effects as messages, and the client's answers.

use std::{path::PathBuf, sync::Arc};

use expect_test::{Expect, expect};
use redline_layers::ThreadId;
use redline_permissions::{Action, Reason};
use redline_text::{Position, PositionRange};
use redline_workspace::{
    Ask, AskOption, AskOutcome, Config, EditId, Effect, Event, Front, LogLevel, OptionId, TextEdit,
    Workspace,
};

use super::*;
use crate::lsp::{
    client,
    front::EditorFront,
    log::Log,
    transport::{Outbox, Peer},
};

struct Bench {
    front: Arc<EditorFront>,
    workspace: Arc<Workspace>,
    peer: Peer,
    outbox: Outbox,
    /// Frames that came in one piece.
    received: Vec<Value>,
}

impl Bench {
    fn new(capabilities: Value) -> Self {
        let (peer, outbox) = Peer::new();
        let client = client::Client::new(&capabilities);
        let log = Log::new(peer.clone(), Some("/dev/null".into()));
        let front = Arc::new(EditorFront::new(peer.clone(), client, log));
        let config = Config {
            roots: vec![PathBuf::from("/")],
            home: None,
            encoding: client.encoding,
            save_on_accept: true,
            client_saves: client.declared.save,
            policy: crate::settings::Settings::default().policy(),
        };
        let workspace = Workspace::start(config, front.clone());
        Self { front, workspace, peer, outbox, received: Vec::new() }
    }

    fn perform(&self, effect: Effect) {
        self.front.perform(effect, &self.workspace);
    }

    async fn receive(&mut self) -> Value {
        while self.received.is_empty() {
            let next = tokio::time::timeout(Duration::from_secs(20), self.outbox.next());
            let batch = next.await.expect("a message within twenty seconds").unwrap();
            let mut reader = Reader::new(&batch[..]);
            while let Frame::Body(body) = reader.next().await {
                self.received.push(serde_json::from_slice(&body).unwrap());
            }
        }
        self.received.remove(0)
    }

    fn answer(&self, request: &Value, result: Value) {
        self.peer.answered(json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    }

    /// Asks through the session, as a tool does.
    fn ask(&self) -> JoinHandle<AskOutcome> {
        let workspace = self.workspace.clone();
        tokio::spawn(async move { workspace.ask(question()).await })
    }
}

fn question() -> Ask {
    let option = |id, label: &str| AskOption { id, label: label.into(), covers: None };
    Ask {
        thread: ThreadId::from("T"),
        call: "c1".into(),
        title: "Run a command".into(),
        tool: "Bash".into(),
        args: json!({"cmd": "make"}),
        cwd: PathBuf::from("/p"),
        detail: Some("make".into()),
        pending: vec!["a.rs".into()],
        unsaved: vec![],
        note: None,
        reason: reason(),
        options: vec![
            option(OptionId::Once, "Allow once"),
            option(OptionId::Session, "Allow for the session"),
            option(OptionId::Reject, "Reject"),
        ],
    }
}

fn reason() -> Reason {
    Reason {
        action: Action::Ask,
        rule: Some("ask Bash".into()),
        source: "built-in".into(),
        line: Some(7),
        text: "a built-in rule asks".into(),
    }
}

const OURS: &str = r#"{"review": true, "permission": true, "save": true}"#;

fn ours() -> Value {
    json!({"experimental": {"redline": serde_json::from_str::<Value>(OURS).unwrap()}})
}

fn show(message: &Value, want: Expect) {
    let text = format!("{} {}", message["method"].as_str().unwrap(), message["params"]);
    want.assert_eq(&text);
}

#[tokio::test]
async fn edits_are_versioned_where_the_client_takes_versions() {
    let edit = || {
        let range = PositionRange { start: Position::new(1, 0), end: Position::new(1, 2) };
        Effect::ApplyEdit {
            edit: EditId(1),
            uri: "file:///a b".into(),
            version: 3,
            edits: vec![TextEdit { range, new: "x".into() }],
            label: "Accept h1".into(),
        }
    };
    let mut bench = Bench::new(
        json!({"workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true}}}),
    );
    bench.perform(edit());
    show(
        &bench.receive().await,
        expect![[
            r#"workspace/applyEdit {"label":"Accept h1","edit":{"documentChanges":[{"textDocument":{"uri":"file:///a b","version":3},"edits":[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":2}},"newText":"x"}]}]}}"#
        ]],
    );
    let mut bench = Bench::new(json!({"workspace": {"applyEdit": true}}));
    bench.perform(edit());
    show(
        &bench.receive().await,
        expect![[
            r#"workspace/applyEdit {"label":"Accept h1","edit":{"changes":{"file:///a b":[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":2}},"newText":"x"}]}}}"#
        ]],
    );
}

#[tokio::test]
async fn saves_and_log_lines() {
    let mut bench = Bench::new(ours());
    bench.perform(Effect::Save { uri: "file:///a".into() });
    show(&bench.receive().await, expect![[r#"redline/save {"uris":["file:///a"]}"#]]);
    bench.perform(Effect::Log(LogLevel::Warning, "hm".into()));
    show(&bench.receive().await, expect![[r#"window/logMessage {"type":2,"message":"hm"}"#]]);
}

#[tokio::test]
async fn an_ask_is_shown_whole_and_answered() {
    let mut bench = Bench::new(ours());
    let outcome = bench.ask();
    let mut shown = bench.receive().await;
    shown["params"]["askId"] = json!("ASK");
    show(
        &shown,
        expect![[
            r#"redline/permission {"askId":"ASK","title":"Run a command","tool":"Bash","args":{"cmd":"make"},"cwd":"/p","detail":"make","pending":["a.rs"],"reason":{"action":"ask","rule":"ask Bash","source":"built-in","line":7,"text":"a built-in rule asks"},"options":[{"id":"once","label":"Allow once"},{"id":"session","label":"Allow for the session"},{"id":"reject","label":"Reject"}],"queue":{"index":1,"total":1}}"#
        ]],
    );
    bench.answer(&shown, json!({"option": "reject", "comment": "use just"}));
    expect![[r#"Answered(AskAnswer { option: Reject, comment: Some("use just"), rule: None })"#]]
        .assert_eq(&format!("{:?}", outcome.await.unwrap()));
}

#[tokio::test]
async fn what_is_no_answer_is_a_rejection() {
    for answer in [
        json!(null),
        json!({"option": "eat"}),
        json!("yes"),
        json!({"option": "once", "comment": 3}),
    ] {
        let mut bench = Bench::new(ours());
        let outcome = bench.ask();
        let shown = bench.receive().await;
        bench.answer(&shown, answer);
        expect!["Answered(AskAnswer { option: Reject, comment: None, rule: None })"]
            .assert_eq(&format!("{:?}", outcome.await.unwrap()));
    }
}

#[tokio::test]
async fn a_plain_client_is_asked_in_a_message() {
    let mut bench = Bench::new(json!({}));
    let outcome = bench.ask();
    let shown = bench.receive().await;
    show(
        &shown,
        expect![[
            r#"window/showMessageRequest {"type":3,"message":"Run a command\nmake\nin /p\ndoes not see the proposals in: a.rs\na built-in rule asks","actions":[{"title":"Reject"},{"title":"Allow once"},{"title":"Allow for the session"}]}"#
        ]],
    );
    bench.answer(&shown, json!({"title": "Allow for the session"}));
    expect!["Answered(AskAnswer { option: Session, comment: None, rule: None })"]
        .assert_eq(&format!("{:?}", outcome.await.unwrap()));
}

#[tokio::test]
async fn a_withdrawn_ask_leaves_the_screen_and_a_late_answer_is_nobodys() {
    for (capabilities, method) in
        [(ours(), "redline/permissionWithdrawn"), (json!({}), "$/cancelRequest")]
    {
        let mut bench = Bench::new(capabilities);
        let outcome = bench.ask();
        let shown = bench.receive().await;
        let (thread, reason) = (ThreadId::from("T"), "the call was cancelled".to_owned());
        bench.workspace.post(Event::WithdrawAsks { thread, call: None, reason });
        assert_eq!(bench.receive().await["method"], method);
        bench.answer(&shown, json!({"option": "once"}));
        expect![[r#"Withdrawn("the call was cancelled")"#]]
            .assert_eq(&format!("{:?}", outcome.await.unwrap()));
    }
}
