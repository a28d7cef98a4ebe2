//! Telling a command that was found.

use std::sync::Arc;

use super::SimpleCommand;
use super::command::{self, Around, Form, Own, argument};
use super::grammar::Draft;
use super::reader::Reader;
use super::word::Word;

/// What is known of a command that is told.
#[derive(Default)]
pub(super) struct Remarks {
    /// Its arguments may be the start of another command.
    pub(super) tails: bool,
    /// Why only a rule that names all of `needs` may allow it.
    pub(super) caution: Option<String>,
    pub(super) needs: Vec<String>,
}

/// The words of a command, split where its assignments end.
#[derive(Clone, Copy)]
pub(super) struct Words<'w> {
    pub(super) all: &'w [Word],
    pub(super) run: &'w [Word],
}

impl Words<'_> {
    pub(super) fn assigns(&self) -> bool {
        self.all.len() > self.run.len()
    }
}

impl Reader<'_> {
    pub(super) fn tell(
        &mut self,
        words: Words<'_>,
        around: &Arc<Around>,
        draft: &Draft,
        remarks: Remarks,
    ) {
        let Remarks { tails, caution, needs } = remarks;
        let text = command::written(words.all);
        let exact = if around.tail { Form::AnyTail } else { Form::Exact };
        let command = SimpleCommand {
            text: around.title.clone().unwrap_or_else(|| text.clone()),
            is_piped: draft.is_piped,
            assigns: words.assigns(),
            words: words.run.iter().map(argument).collect(),
            reads: draft.reads.iter().map(argument).collect(),
            caution,
            function: self.sink.functions.last().cloned(),
            moves: false,
            computes: false,
            own: Own {
                form: around.is_open().then(|| exact(text)),
                needs,
                looks: command::looks(words.all, words.run, tails),
                pieces: command::pieces(words.run),
                signs: command::signs(words.run),
            },
            around: around.clone(),
        };
        self.sink.push(command);
    }

    /// What stands around the commands that these words run.
    pub(super) fn around(
        &self,
        words: Words<'_>,
        parent: &Arc<Around>,
        is_script: bool,
        covers: bool,
    ) -> Arc<Around> {
        let text = command::written(words.all);
        let title = parent.title.clone().unwrap_or_else(|| text.clone());
        let exact = if parent.tail { Form::AnyTail } else { Form::Exact };
        Arc::new(Around {
            form: parent.is_open().then(|| exact(text)),
            looks: command::looks(words.all, words.run, false),
            pieces: command::pieces(words.run),
            signs: command::signs(words.run),
            title: (!is_script).then_some(title),
            covers,
            tail: parent.tail && !is_script,
            outside: parent.outside,
            depth: parent.depth + 1,
            parent: Some(parent.clone()),
        })
    }
}
