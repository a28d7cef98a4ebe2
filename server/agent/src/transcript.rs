//! A conversation as a text that a model can read.

use crate::{Block, Message};

/// Characters of a tool's arguments and of its result that are shown.
const MOST_ARGS: usize = 300;
const MOST_RESULT: usize = 1000;

/// All of it, under its title.
pub(crate) fn text(title: &str, messages: &[Message]) -> String {
    let mut out = format!("# {title}\n");
    for message in messages {
        let who = match message {
            Message::User { .. } => "User",
            Message::Assistant { .. } => "Assistant",
        };
        let is_said = |block: &&Block| matches!(block, Block::Text { .. });
        if message.content().iter().any(|block| is_said(&block)) {
            out += &format!("\n## {who}\n");
        }
        for block in message.content() {
            out.push('\n');
            out += &part(block);
            out.push('\n');
        }
    }
    out
}

fn part(block: &Block) -> String {
    match block {
        Block::Text { text } => text.trim().to_owned(),
        Block::ToolUse { name, input, .. } => {
            let args = serde_json::to_string(input).unwrap_or_default();
            format!("[{name} {}]", cut(&args, MOST_ARGS))
        }
        Block::ToolResult { content, is_error, .. } => {
            let sign = if *is_error { "failed: " } else { "" };
            format!("> {sign}{}", cut(content.trim(), MOST_RESULT).replace('\n', "\n> "))
        }
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}… ({} bytes more)", &text[..end], text.len() - end),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use redline_layers::ThreadId;
    use serde_json::{Map, Value};

    #[test]
    fn a_conversation_reads_well() {
        let thread = ThreadId::from("T");
        let input = Map::from_iter([("path".to_owned(), Value::from("é".repeat(400)))]);
        let result = |content: &str, is_error| Block::ToolResult {
            tool_use_id: "c".into(),
            content: content.to_owned(),
            is_error,
        };
        let messages = [
            Message::user(&thread, vec![Block::text("fix it\n")]),
            Message::assistant(
                &thread,
                vec![
                    Block::text("Looking."),
                    Block::ToolUse { id: "c".into(), name: "Read".into(), input },
                ],
                None,
                None,
            ),
            Message::user(&thread, vec![result("1: a\n2: b\n", false), result("no", true)]),
            Message::assistant(&thread, vec![Block::text("Done.")], None, None),
        ];
        let text = text("fix it", &messages).replace(&"é".repeat(290), "(290 é)");
        expect![[r##"
            # fix it

            ## User

            fix it

            ## Assistant

            Looking.

            [Read {"path":"(290 é)é… (220 bytes more)]

            > 1: a
            > 2: b

            > failed: no

            ## Assistant

            Done.
        "##]]
        .assert_eq(&text);
    }
}
