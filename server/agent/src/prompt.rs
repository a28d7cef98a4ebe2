//! What the user says, and what was on the screen meanwhile.

use redline_layers::ThreadId;

use crate::Block;

/// A message of the user.
#[derive(Debug, Clone, Default)]
pub struct Prompt {
    /// What was said. Not empty.
    pub text: String,
    /// The thread that it belongs to; `None` starts a new one, an unknown one starts a thread of
    /// that name.
    pub thread: Option<ThreadId>,
    /// The model for this turn and the thread's later ones; `None`: the thread's, else the
    /// settings'.
    pub model: Option<String>,
    /// Where the user was.
    pub context: Option<PromptContext>,
}

/// Where the user was while writing a prompt. Paths, not URIs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptContext {
    /// The file in front.
    pub active: Option<String>,
    /// What was selected.
    pub selection: Option<Selection>,
    /// All open files.
    pub open: Vec<String>,
}

/// A selection in whole lines, counted from 1, both inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The file.
    pub file: String,
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl Prompt {
    /// The prompt as parts of a user message: the context first, as a text of its own.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let context = self.context.as_ref().and_then(PromptContext::text).map(Block::text);
        context.into_iter().chain([Block::text(self.text.as_str())]).collect()
    }
}

impl PromptContext {
    fn text(&self) -> Option<String> {
        let active = self.active.iter().map(|file| format!("active file: {file}"));
        let selection = self.selection.iter().map(|s| match s.first == s.last {
            true => format!("selection: {}:{}", s.file, s.first),
            false => format!("selection: {}:{}-{}", s.file, s.first, s.last),
        });
        let open = (!self.open.is_empty()).then(|| format!("open files: {}", self.open.join(", ")));
        let lines: Vec<String> = active.chain(selection).chain(open).collect();
        (!lines.is_empty()).then(|| format!("In the user's editor:\n{}", lines.join("\n")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(context: PromptContext, want: Expect) {
        let prompt = Prompt { text: "go".into(), context: Some(context), ..Prompt::default() };
        let texts: Vec<String> = prompt
            .blocks()
            .into_iter()
            .map(|block| match block {
                Block::Text { text } => text,
                other => panic!("{other:?}"),
            })
            .collect();
        want.assert_eq(&texts.join("\n--\n"));
    }

    #[test]
    fn the_context_is_a_short_text_before_the_prompt() {
        check(PromptContext::default(), expect![["go"]]);
        check(
            PromptContext {
                active: Some("src/a.rs".into()),
                selection: Some(Selection { file: "src/a.rs".into(), first: 3, last: 7 }),
                open: vec!["src/a.rs".into(), "b".into()],
            },
            expect![[r#"
                In the user's editor:
                active file: src/a.rs
                selection: src/a.rs:3-7
                open files: src/a.rs, b
                --
                go"#]],
        );
    }
}
