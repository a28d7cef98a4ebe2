//! What a simple command runs besides itself.

use std::sync::Arc;

use super::appended;
use super::builtins::Check;
use super::command::{Around, base_name};
use super::emit::{Remarks, Words};
use super::grammar::Draft;
use super::reader::{self, Reader};
use super::variables::{is_dangerous, is_integer};
use super::word::Word;
use super::wrappers::{self, Kind, Script};

/// How many programs that run programs may stand before each other.
const MAX_WRAPPERS: usize = 6;

impl Reader<'_> {
    /// A simple command is complete.
    pub(super) fn finish(&mut self, draft: Draft) {
        let around = self.around.clone();
        if let Some(word) = draft.words.iter().find(|word| word.expands_braces()) {
            let part = format!("the brace expansion `{}`", word.raw);
            self.note(part);
        }
        if draft.words.is_empty() {
            return self.reads_alone(&draft, &around);
        }
        self.run(&draft.words, &around, &draft);
    }

    /// `$(< FILE)` reads without a command.
    fn reads_alone(&mut self, draft: &Draft, around: &Arc<Around>) {
        for read in &draft.reads {
            let word = Word::known(&format!("<{}", read.raw), "<");
            let words = [word];
            self.tell(Words { all: &words, run: &[] }, around, draft, Remarks::default());
        }
    }

    pub(super) fn run(&mut self, all: &[Word], around: &Arc<Around>, draft: &Draft) {
        let bare = all.iter().position(|word| word.assigned().is_none()).unwrap_or(all.len());
        let words = Words { all, run: all.get(bare..).unwrap_or_default() };
        let remarks = self.assignments(all.get(..bare).unwrap_or_default(), words.run);
        if around.depth > MAX_WRAPPERS {
            self.note("the number of programs that run programs");
        } else if words.run.is_empty() {
            return self.tell(words, around, draft, remarks);
        } else if let Some(part) = place(words.run) {
            self.note(part);
        } else {
            return self.classified(words, around, draft, remarks);
        }
        self.tell(words, around, draft, Remarks { tails: true, ..remarks });
    }

    /// Variables that are set: what arithmetic must not evaluate, and what changes later commands.
    fn assignments(&mut self, assignments: &[Word], run: &[Word]) -> Remarks {
        let mut remarks = Remarks::default();
        for word in assignments {
            let Some(name) = word.assigned() else { continue };
            let value = word.raw.split_once('=').map(|(_, value)| value).unwrap_or_default();
            let is_number = value.chars().all(|c| c.is_ascii_digit()) || is_arithmetic(value);
            if !is_number || word.raw.contains("+=") {
                self.sink.tainted.insert(name.to_owned());
            }
            if self.sink.is_posix && word.raw.contains("+=") {
                self.note(format!("`{}` in the place of a command", word.raw));
            }
            let is_index = is_integer(name) && value.chars().all(|c| c.is_ascii_digit());
            if is_dangerous(name) && !is_index {
                let program = run.first().map_or("later commands", |word| word.raw.as_str());
                let part = format!("what `{}` changes about `{program}`", word.raw);
                remarks.caution.get_or_insert(part);
                remarks.needs.push(format!("{name}="));
            }
        }
        remarks
    }

    fn classified(
        &mut self,
        words: Words<'_>,
        around: &Arc<Around>,
        draft: &Draft,
        remarks: Remarks,
    ) {
        match wrappers::kind(words.run) {
            Kind::Plain => self.plain(words, around, draft, remarks),
            Kind::Wraps { from, harmless } => {
                let is_harmless = harmless && !words.assigns();
                let mut inner = self.around(words, around, false, !is_harmless);
                if let Some(inner) = Arc::get_mut(&mut inner) {
                    inner.outside |= !stays(words, around);
                }
                if !is_harmless {
                    self.tell(words, around, draft, remarks);
                }
                let place = self.sink.place.keep();
                let moves = elsewhere(words.run.get(..from).unwrap_or_default());
                if moves {
                    self.sink.place.lose();
                }
                self.run(words.run.get(from..).unwrap_or_default(), &inner, draft);
                if moves {
                    self.sink.place.restore(place);
                }
            }
            Kind::Appends { words: inner, tail } => {
                let mut outer = self.around(words, around, false, words.assigns());
                if words.assigns() {
                    self.tell(words, around, draft, remarks);
                }
                if let Some(outer) = Arc::get_mut(&mut outer) {
                    outer.tail |= tail;
                    outer.outside = true;
                }
                self.run(&inner, &outer, draft);
            }
            Kind::Script(script) => self.script(&script, words, around, draft, remarks),
            Kind::Input => {
                self.note(format!("what `{}` reads and runs", base_name(&name(words.run))));
                self.tell(words, around, draft, remarks);
                self.input(draft);
            }
            Kind::Opaque(part) => {
                self.note(part);
                self.tell(words, around, draft, Remarks { tails: true, ..remarks });
            }
        }
    }

    /// A text that is run: its commands are the parts.
    fn script(
        &mut self,
        script: &Script,
        words: Words<'_>,
        around: &Arc<Around>,
        draft: &Draft,
        remarks: Remarks,
    ) {
        if let Some(part) = &script.doubt {
            self.note(part.clone());
        }
        let is_harmless = script.harmless && !words.assigns();
        let mut inner = self.around(words, around, true, !is_harmless);
        if let Some(inner) = Arc::get_mut(&mut inner) {
            inner.outside &= script.here;
        }
        let count = self.sink.count();
        let place = self.sink.place.keep();
        self.sink.place.branches += usize::from(script.later);
        // `eval` and `trap` leave it to the shell that reads them.
        let posix = script.posix || script.here && self.sink.is_posix;
        self.read_script(&script.text, posix, &inner);
        self.sink.place.branches -= usize::from(script.later);
        if !script.here {
            self.sink.place.restore(place);
        }
        for command in self.sink.since(count) {
            command.is_piped |= draft.is_piped;
            command.reads.extend(draft.reads.iter().map(super::command::argument));
        }
        if !is_harmless || self.sink.count() == count {
            self.tell(words, around, draft, remarks);
        }
    }

    fn read_script(&mut self, text: &str, posix: bool, around: &Arc<Around>) {
        let before = std::mem::replace(&mut self.sink.is_posix, posix);
        let read = self.deeper(|reader| {
            reader::read_within(text, reader.sink, reader.depth, around);
            Ok(())
        });
        self.sink.is_posix = before;
        if let Err(reader::Lost(part)) = read {
            self.note(part);
        }
    }

    /// A shell runs its input. What that may be is told, so that a reject rule can see it; it stays
    /// opaque, since another command may take some of it away.
    fn input(&mut self, draft: &Draft) {
        self.documents.iter_mut().for_each(|document| document.is_script = true);
        if let Some(Some(text)) = &draft.script {
            self.script_of_input(text);
        }
    }

    pub(super) fn script_of_input(&mut self, text: &str) {
        let place = self.sink.place.keep();
        self.read_script(text, false, &Around::none());
        self.sink.place.restore(place);
    }

    fn plain(&mut self, words: Words<'_>, around: &Arc<Around>, draft: &Draft, remarks: Remarks) {
        let mut remarks = remarks;
        let Check { opaque, caution, needs } = self.check(words.run, around.tail);
        remarks.tails |= opaque.is_some();
        if let Some(part) = opaque {
            self.note(part);
        }
        remarks.caution = remarks.caution.or(caution);
        remarks.needs.extend(needs);
        self.moves(words.run, around.outside);
        self.tell(words, around, draft, remarks);
        if matches!(base_name(&name(words.run)), "find" | "gfind") {
            self.executed(words.run, around, draft);
        }
    }

    /// The commands of `find … -exec COMMAND ;`: each must be allowed by itself.
    fn executed(&mut self, run: &[Word], around: &Arc<Around>, draft: &Draft) {
        let place = self.sink.place.keep();
        if run.iter().any(|word| matches!(word.text(), Some("-execdir" | "-okdir"))) {
            self.sink.place.lose();
        }
        for command in appended::executed(run) {
            if around.depth > MAX_WRAPPERS || command.is_empty() {
                self.note("what `find -exec` would run");
                continue;
            }
            let inner = Arc::new(Around {
                depth: around.depth + 1,
                outside: true,
                parent: Some(around.clone()),
                ..Around::default()
            });
            self.run(&command, &inner, draft);
        }
        self.sink.place.restore(place);
    }

    fn moves(&mut self, run: &[Word], outside: bool) {
        let name = name(run);
        match (name.as_str(), run) {
            // It moves another process, if anything.
            ("cd" | "pushd" | "popd", _) if outside => self.sink.place.change(None),
            ("popd", _) => self.sink.place.change(None),
            ("cd", [_, to]) | ("pushd", [_, to]) => {
                let is_plain = !to.globs && !to.is_home() && !to.may_be_option();
                let text = to.text().filter(|text| is_plain && !text.is_empty());
                let text = text.filter(|text| *text != "-").map(str::to_owned);
                self.sink.place.change(text.as_deref());
            }
            ("cd" | "pushd", _) => self.sink.place.change(None),
            _ => {}
        }
    }
}

/// Whether a value is one `$((…))` and nothing besides: a number.
fn is_arithmetic(value: &str) -> bool {
    let Some(rest) = value.strip_prefix("$((") else { return false };
    if value.contains(['`', '"', '\'', '[', '\\', '{']) || rest.contains("$(") {
        return false;
    }
    let mut open = 2_usize;
    for (at, char) in rest.char_indices() {
        match char {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return at + 1 == rest.len();
        }
    }
    false
}

/// The program as it is named.
fn name(run: &[Word]) -> String {
    run.first().map(Word::cooked).unwrap_or_default()
}

/// Whether this shell itself runs what a wrapper runs. `time` is a keyword only where a pipeline
/// begins.
fn stays(words: Words<'_>, around: &Around) -> bool {
    let is_time = |word: &Word| word.is_bare("time") && !words.assigns() && around.depth == 0;
    matches!(name(words.run).as_str(), "command" | "builtin")
        || words.run.first().is_some_and(is_time)
}

/// Whether a wrapper may run its command in another directory. Its words up to the command.
fn elsewhere(wrapper: &[Word]) -> bool {
    let changes = |word: &Word| {
        let text = word.cooked();
        text.starts_with("--ch") || text.starts_with('-') && text.contains(['C', 'D', 'R'])
    };
    match base_name(&name(wrapper)) {
        "chroot" | "pkexec" => true,
        "env" | "sudo" | "doas" => wrapper.iter().any(changes),
        _ => false,
    }
}

/// What stands where the program's name should.
fn place(run: &[Word]) -> Option<String> {
    let first = run.first()?;
    let raw = &first.raw;
    if !first.is_known() {
        return Some(match raw.as_str() {
            "" => "an unknown word in the place of a command".to_owned(),
            raw => format!("`{raw}` in the place of a command"),
        });
    }
    if first.globs && !first.is_bare("[") {
        return Some(format!("the pattern `{raw}` in the place of a command"));
    }
    first.cooked().is_empty().then(|| "an empty name in the place of a command".to_owned())
}
