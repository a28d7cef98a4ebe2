//! Messages, in the shape of the stream JSON format (seed 004, `StreamJSONMessage`).

use redline_layers::ThreadId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One message of a thread, exactly as it was sent to or came from the provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// The user's text and the results of tools.
    User {
        /// What was said.
        message: UserMessage,
        /// The Task call that a subagent's message belongs to.
        parent_tool_use_id: Option<String>,
        /// The thread.
        session_id: ThreadId,
    },
    /// What the model answered.
    Assistant {
        /// What was said.
        message: AssistantMessage,
        /// The Task call that a subagent's message belongs to.
        parent_tool_use_id: Option<String>,
        /// The thread.
        session_id: ThreadId,
    },
}

/// The inner part of a user message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserMessage {
    role: UserRole,
    /// Tool results first, then text.
    pub content: Vec<Block>,
}

/// The inner part of an assistant message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssistantMessage {
    #[serde(rename = "type")]
    kind: MessageKind,
    role: AssistantRole,
    /// Text and tool calls, in the model's order.
    pub content: Vec<Block>,
    /// Why the model stopped.
    pub stop_reason: Option<StopReason>,
    /// What the request cost, where the provider says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum UserRole {
    User,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AssistantRole {
    Assistant,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MessageKind {
    Message,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// The model calls a tool.
    ToolUse {
        /// Named in the result.
        id: String,
        /// The tool, as the model wrote it.
        name: String,
        /// Its arguments, as the model wrote them.
        input: Map<String, Value>,
    },
    /// What a tool answered.
    ToolResult {
        /// The call.
        tool_use_id: String,
        /// What the model reads.
        content: String,
        /// Whether the call failed, was refused or was cancelled.
        is_error: bool,
    },
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It had nothing to add.
    EndTurn,
    /// It waits for tools.
    ToolUse,
    /// It ran out of room.
    MaxTokens,
}

/// Tokens of one request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Read, without the cached ones.
    pub input_tokens: u64,
    /// The model's window.
    pub max_tokens: u64,
    /// Written to the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_creation_input_tokens: Option<u64>,
    /// Read from the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read_input_tokens: Option<u64>,
    /// Written.
    pub output_tokens: u64,
    /// The provider's word for the queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_tier: Option<String>,
}

impl Block {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Block::Text { text: text.into() }
    }
}

impl Message {
    /// A message of the user in a main thread.
    pub fn user(thread: &ThreadId, content: Vec<Block>) -> Self {
        let message = UserMessage { role: UserRole::User, content };
        Message::User { message, parent_tool_use_id: None, session_id: thread.clone() }
    }

    /// A message of the model in a main thread.
    pub fn assistant(
        thread: &ThreadId,
        content: Vec<Block>,
        stop_reason: Option<StopReason>,
        usage: Option<Usage>,
    ) -> Self {
        let (kind, role) = (MessageKind::Message, AssistantRole::Assistant);
        let message = AssistantMessage { kind, role, content, stop_reason, usage };
        Message::Assistant { message, parent_tool_use_id: None, session_id: thread.clone() }
    }

    /// The same as a subagent's, sent by that call.
    pub(crate) fn sent_by(mut self, call: Option<&str>) -> Self {
        let (Message::User { parent_tool_use_id, .. }
        | Message::Assistant { parent_tool_use_id, .. }) = &mut self;
        *parent_tool_use_id = call.map(str::to_owned);
        self
    }

    /// Its parts.
    pub fn content(&self) -> &[Block] {
        match self {
            Message::User { message, .. } => &message.content,
            Message::Assistant { message, .. } => &message.content,
        }
    }

    /// Ids of the tool calls in it, in order.
    pub fn tool_uses(&self) -> impl Iterator<Item = &str> {
        self.content().iter().filter_map(|block| match block {
            Block::ToolUse { id, .. } => Some(id.as_str()),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(message: &Message, want: Expect) {
        let line = serde_json::to_string(message).unwrap();
        want.assert_eq(&line);
        assert_eq!(&serde_json::from_str::<Message>(&line).unwrap(), message);
    }

    /// Key for key the lines that the manual shows (seed 004).
    #[test]
    fn messages_are_lines_of_the_stream_format() {
        let thread = ThreadId::from("T-1");
        check(
            &Message::user(&thread, vec![Block::text("what is 3 + 5?")]),
            expect![[
                r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"what is 3 + 5?"}]},"parent_tool_use_id":null,"session_id":"T-1"}"#
            ]],
        );
        let input = Map::from_iter([("path".to_owned(), Value::from("/p"))]);
        let call = Block::ToolUse { id: "toolu_1".into(), name: "Read".into(), input };
        let usage = Usage { input_tokens: 10, output_tokens: 99, ..Usage::default() };
        check(
            &Message::assistant(&thread, vec![call], Some(StopReason::ToolUse), Some(usage)),
            expect![[
                r#"{"type":"assistant","message":{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{"path":"/p"}}],"stop_reason":"tool_use","usage":{"input_tokens":10,"max_tokens":0,"output_tokens":99}},"parent_tool_use_id":null,"session_id":"T-1"}"#
            ]],
        );
        let result = Block::ToolResult {
            tool_use_id: "toolu_1".into(),
            content: "x".into(),
            is_error: false,
        };
        check(
            &Message::user(&thread, vec![result]),
            expect![[
                r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x","is_error":false}]},"parent_tool_use_id":null,"session_id":"T-1"}"#
            ]],
        );
        check(
            &Message::assistant(&thread, vec![Block::text("8")], None, None),
            expect![[
                r#"{"type":"assistant","message":{"type":"message","role":"assistant","content":[{"type":"text","text":"8"}],"stop_reason":null},"parent_tool_use_id":null,"session_id":"T-1"}"#
            ]],
        );
    }
}
