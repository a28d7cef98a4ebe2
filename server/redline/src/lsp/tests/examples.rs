//! PROTOCOL.md's shapes, as JSON.

use std::path::Path;

use expect_test::{Expect, expect};
use redline_layers::{HunkId, OpId, PieceId, Revision, ThreadId};
use redline_text::{Encoding, Position, PositionRange};
use redline_tools::{ToolCall, ToolEvent, ToolResult, ToolStatus};
use redline_workspace::{FileChange, HunkState, HunkView, Origin, Resolved, Review, WorkspacePath};
use serde::Serialize;

use crate::lsp::{plain, protocol as wire, to_proto};

fn check(message: impl Serialize, want: Expect) {
    want.assert_eq(&serde_json::to_string_pretty(&message).unwrap());
}

fn hunk(op: u32, state: HunkState, line: u32) -> HunkView {
    HunkView {
        id: HunkId(PieceId { op: OpId(op), index: 0 }),
        state,
        mixed: false,
        pieces: 1,
        range: PositionRange { start: Position::new(line, 0), end: Position::new(line + 1, 0) },
        old_text: "𝒳 old\n".into(),
        new_text: "𝒳 new\n".into(),
        words_old: vec![5..8, 9..9],
        words_new: vec![5..8, 0..4],
        origin: Origin {
            thread: ThreadId::from("T"),
            agent: "script".into(),
            tool: "edit_file".into(),
            call: "c1".into(),
        },
    }
}

fn review(hunks: Vec<HunkView>) -> Review {
    Review {
        file: WorkspacePath::assume_canonical(Path::new("/p/a b.rs")),
        uri: None,
        revision: Revision(3),
        version: None,
        change: FileChange::Modified,
        hunks,
    }
}

#[test]
fn reviews() {
    let shown = review(vec![hunk(1, HunkState::Pending, 4)]);
    check(
        to_proto::review(&shown, Encoding::Utf16),
        expect![[r#"
            {
              "uri": "file:///p/a%20b.rs",
              "revision": 3,
              "version": null,
              "change": "modified",
              "hunks": [
                {
                  "id": "h1",
                  "state": "pending",
                  "mixed": false,
                  "range": {
                    "start": {
                      "line": 4,
                      "character": 0
                    },
                    "end": {
                      "line": 5,
                      "character": 0
                    }
                  },
                  "oldText": "𝒳 old\n",
                  "newText": "𝒳 new\n",
                  "words": {
                    "old": [
                      [
                        3,
                        6
                      ],
                      [
                        7,
                        7
                      ]
                    ],
                    "new": [
                      [
                        3,
                        6
                      ],
                      [
                        0,
                        2
                      ]
                    ]
                  },
                  "origin": {
                    "threadId": "T",
                    "agent": "script",
                    "tool": "edit_file",
                    "toolCallId": "c1"
                  }
                }
              ]
            }"#]],
    );
    for (encoding, want) in [(Encoding::Utf8, [5, 8]), (Encoding::Utf32, [2, 5])] {
        let words = to_proto::review(&shown, encoding).hunks.remove(0).words.unwrap();
        assert_eq!(words.old[0], want);
    }
}

#[test]
fn the_clients_own_uri_is_kept() {
    let named = Review { uri: Some("file:///p/a b.rs".into()), ..review(vec![]) };
    assert_eq!(to_proto::review(&named, Encoding::Utf16).uri, "file:///p/a b.rs");
}

#[test]
fn lenses_of_undecided_hunks() {
    let states =
        [HunkState::Pending, HunkState::Accepted, HunkState::Applied, HunkState::Accepting];
    let hunks = states.iter().zip(1..).map(|(state, op)| hunk(op, *state, op)).collect();
    let lenses = plain::lenses::lenses(&review(hunks));
    let shown: Vec<String> = lenses
        .iter()
        .map(|lens| {
            let arguments = serde_json::to_string(&lens.command.arguments).unwrap();
            format!(
                "{} {} {} {arguments}",
                lens.range.start.line, lens.command.title, lens.command.command
            )
        })
        .collect();
    expect![[r#"
        1 Accept redline.accept ["h1"]
        1 Reject redline.reject ["h1"]
        1 1 of 2  []
        3 Accept redline.accept ["h3"]
        3 Reject redline.reject ["h3"]
        3 2 of 2  []"#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn decisions() {
    let id = |op| HunkId(PieceId { op: OpId(op), index: 0 });
    let resolved = Resolved {
        resolved: vec![id(1)],
        stale: vec![id(2)],
        failed: vec![(id(3), "no".into())],
        mixed: vec![id(1)],
    };
    check(
        to_proto::resolved(resolved),
        expect![[r#"
            {
              "resolved": [
                "h1"
              ],
              "stale": [
                "h2"
              ],
              "failed": [
                {
                  "hunk": "h3",
                  "reason": "no"
                }
              ],
              "mixed": [
                "h1"
              ]
            }"#]],
    );
}

#[test]
fn events() {
    let event = |event| redline_agent::ThreadEvent {
        thread: ThreadId::from("T"),
        turn: "turn-1".into(),
        seq: 1,
        parent: None,
        event,
    };
    let call =
        ToolCall { id: "c1".into(), name: "Read".into(), args: serde_json::json!({"path": "a"}) };
    let tool = ToolEvent {
        call,
        status: ToolStatus::Done,
        title: "Read a".into(),
        elapsed_ms: Some(3),
        progress: None,
        result: Some(ToolResult::done("x")),
    };
    check(
        to_proto::thread_event(event(redline_agent::ThreadEventKind::ToolCall(Box::new(tool)))),
        expect![[r#"
            {
              "threadId": "T",
              "turnId": "turn-1",
              "seq": 1,
              "event": {
                "type": "toolCall",
                "toolCallId": "c1",
                "name": "Read",
                "args": {
                  "path": "a"
                },
                "status": "done",
                "title": "Read a",
                "elapsedMs": 3,
                "result": {
                  "status": "done",
                  "result": "x"
                }
              }
            }"#]],
    );
    let of_subagent = redline_agent::ThreadEvent {
        parent: Some("c1".into()),
        ..event(redline_agent::ThreadEventKind::Text { delta: "x".into() })
    };
    check(
        to_proto::thread_event(of_subagent),
        expect![[r#"
            {
              "threadId": "T",
              "turnId": "turn-1",
              "seq": 1,
              "parentToolUseId": "c1",
              "event": {
                "type": "text",
                "delta": "x"
              }
            }"#]],
    );
    let usage = redline_agent::Usage { input_tokens: 1, output_tokens: 2, ..Default::default() };
    check(
        to_proto::thread_event(event(redline_agent::ThreadEventKind::Usage(usage))).event,
        expect![[r#"
            {
              "type": "usage",
              "input_tokens": 1,
              "max_tokens": 0,
              "output_tokens": 2
            }"#]],
    );
}

#[test]
fn edits_with_and_without_versions() {
    let edits = vec![wire::TextEdit { range: PositionRange::default(), new_text: "x".into() }];
    let text_document = wire::EditedDocument { uri: "file:///a".into(), version: 3 };
    let edit = wire::WorkspaceEdit::DocumentChanges([wire::DocumentEdit { text_document, edits }]);
    check(
        wire::ApplyEdit { label: "Accept".into(), edit },
        expect![[r#"
            {
              "label": "Accept",
              "edit": {
                "documentChanges": [
                  {
                    "textDocument": {
                      "uri": "file:///a",
                      "version": 3
                    },
                    "edits": [
                      {
                        "range": {
                          "start": {
                            "line": 0,
                            "character": 0
                          },
                          "end": {
                            "line": 0,
                            "character": 0
                          }
                        },
                        "newText": "x"
                      }
                    ]
                  }
                ]
              }
            }"#]],
    );
    let edit = wire::WorkspaceEdit::Changes(serde_json::Map::new());
    check(
        wire::ApplyEdit { label: "Accept".into(), edit },
        expect![[r#"
            {
              "label": "Accept",
              "edit": {
                "changes": {}
              }
            }"#]],
    );
}
