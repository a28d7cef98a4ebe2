//! A file that a user, two agents and tools work on, with books kept of who typed what.

#![allow(dead_code)]

mod hunks;
mod step;

use std::collections::BTreeMap;

use redline_layers::{
    Author, Decision, Hunk, HunkId, Layers, Op, OpId, PieceId, PieceState, Projection,
    Step as Entry, ThreadId,
};
use redline_text::{Edit, Text, char_edits};

#[allow(unused_imports)]
pub use step::{BASES, Spot, Step, Word, any_spot, config, cursors, events, life};

/// The user's chars, the agents' and the tools': each one is written once only.
const USER: u32 = 0xF0000;
const AGENT: u32 = 0x100000;
const TOOL: u32 = 0xE000;

#[derive(Debug, Clone)]
pub struct World {
    pub layers: Layers,
    /// All that was done to the layers, as a journal remembers it.
    pub journal: Vec<Entry>,
    threads: u16,
    eol: &'static str,
    next_op: u32,
    next_char: u32,
    /// The user's chars that a piece removed from its thread's view when it was made.
    seen: BTreeMap<PieceId, Vec<char>>,
    chars: BTreeMap<PieceId, Vec<char>>,
    /// The chars on the lines of some piece when it was made: a piece that spans lines takes the
    /// rest of its first and last line along, so that its new text has copies of them.
    copied: Vec<char>,
    undo: Stack,
    redo: Stack,
}

/// Events of the user's as edits that take them back (or do them again), and the text that the last
/// one fits.
#[derive(Debug, Clone, Default)]
struct Stack {
    events: Vec<Vec<Edit>>,
}

impl World {
    pub fn new(threads: u16, base: usize) -> Self {
        let base = BASES[base];
        World {
            layers: Layers::new(Text::from(base)),
            journal: Vec::new(),
            threads,
            eol: if base.contains("\r\n") { "\r\n" } else { "\n" },
            next_op: 1,
            next_char: 0,
            seen: BTreeMap::new(),
            chars: BTreeMap::new(),
            copied: Vec::new(),
            undo: Stack::default(),
            redo: Stack::default(),
        }
    }

    /// A world in which all this has happened.
    pub fn after(threads: u16, (base, steps): &(usize, Vec<Step>)) -> Self {
        let mut world = World::new(threads, *base);
        steps.iter().for_each(|step| world.step(step));
        world
    }

    pub fn agent(&self, thread: u16) -> Projection {
        Projection::Agent(thread_id(thread))
    }

    pub fn projections(&self) -> [Projection; 4] {
        [Projection::Editor, Projection::Base, self.agent(0), self.agent(1)]
    }

    /// The text of every projection.
    pub fn texts(&self) -> [Text; 4] {
        self.projections().map(|projection| self.layers.project(&projection))
    }

    pub fn open(&self) -> Vec<HunkId> {
        self.layers.hunks().iter().map(|hunk| hunk.id).collect()
    }

    pub fn hunks_in(&self, pick: impl Fn(PieceState) -> bool) -> Vec<HunkId> {
        self.layers.hunks().iter().filter(|h| pick(h.state)).map(|h| h.id).collect()
    }

    pub fn has(&self, state: PieceState) -> bool {
        self.layers.pieces().any(|piece| piece.state == state)
    }

    pub fn step(&mut self, step: &Step) {
        match step {
            Step::Type(spot, word) => self.user(&[(Spot { len: 0, ..*spot }, *word)]),
            Step::Overwrite(spot, word) => self.user(&[(*spot, *word)]),
            Step::Delete(spot) => self.user(&[(*spot, Word::Nothing)]),
            Step::Cursors(edits) => self.user(edits),
            Step::TakeBack => self.undo(),
            Step::DoAgain => self.redo(),
            Step::Format(pick) => self.format(*pick),
            Step::Reload(spot, word) => self.reload(*spot, *word),
            Step::ToolDelete(spot) => self.tool(&self.edit_at(*spot, "")),
            Step::Propose(thread, edits) => self.propose(*thread, edits, false),
            Step::Apply(thread, edits) => self.propose(*thread, edits, true),
            Step::Decide(how, which) => self.decide(*how, &pick(&self.open(), *which)),
            Step::DecideAll(how) => self.decide(*how, &self.open()),
            Step::OpenAgain(which) => self.decide(Decision::Reopen, &pick(&self.decided(), *which)),
            Step::Settle(which) => self.take(Entry::Settle(pick(&self.decided(), *which))),
        }
    }

    fn decided(&self) -> Vec<HunkId> {
        self.layers.decided_hunks().iter().map(|hunk| hunk.id).collect()
    }

    /// With `REDLINE_TRACE` set, what is done is printed: so a minimal input becomes a test to read.
    fn take(&mut self, entry: Entry) {
        if std::env::var_os("REDLINE_TRACE").is_some() {
            eprintln!("{entry:?}");
        }
        self.layers.take(&entry);
        self.journal.push(entry);
    }

    /// A boundary of the editor's text.
    pub fn place(&self, at: u16) -> usize {
        place_in(self.layers.editor(), at)
    }

    fn edit_at(&self, spot: Spot, new: &str) -> Edit {
        Edit::new(range_in(self.layers.editor(), spot), new)
    }

    /// The edits of one event: ascending, in the text before it, and with more than a line end
    /// between them (beside which another one may be meant).
    pub fn event(&mut self, spots: &[(Spot, Word)]) -> Vec<Edit> {
        let text = self.layers.editor().clone();
        self.edits(&text, spots, USER)
    }

    fn edits(&mut self, text: &Text, spots: &[(Spot, Word)], from: u32) -> Vec<Edit> {
        let mut edits: Vec<Edit> = Vec::new();
        for (spot, word) in spots {
            let new = word.text(self.eol, || fresh(&mut self.next_char, from));
            let edit = Edit::new(range_in(text, *spot), new);
            let apart = |other: &Edit| {
                edit.range.end + 2 < other.range.start || other.range.end + 2 < edit.range.start
            };
            if !edit.is_noop(text) && edits.iter().all(apart) {
                edits.push(edit);
            }
        }
        edits.sort_by_key(|edit| edit.range.start);
        edits
    }

    fn user(&mut self, spots: &[(Spot, Word)]) {
        let edits = self.event(spots);
        self.type_event(&edits);
    }

    /// One event as editors tell it: last first.
    pub fn type_event(&mut self, edits: &[Edit]) {
        self.redo = Stack::default();
        let back = self.change_all(Author::User, edits.iter().rev());
        self.undo.events.push(back);
    }

    /// Takes the last event back.
    pub fn undo(&mut self) {
        if let Some(event) = self.undo.events.pop() {
            let back = self.change_all(Author::UserUndo, event.iter());
            self.redo.events.push(back);
        }
    }

    /// Does the event that was taken back again.
    pub fn redo(&mut self) {
        if let Some(event) = self.redo.events.pop() {
            let back = self.change_all(Author::UserUndo, event.iter());
            self.undo.events.push(back);
        }
    }

    /// Returns what takes it all back.
    fn change_all<'a>(
        &mut self,
        author: Author,
        edits: impl Iterator<Item = &'a Edit>,
    ) -> Vec<Edit> {
        let mut back: Vec<Edit> = edits
            .map(|edit| {
                let inverse = edit.inverse(self.layers.editor());
                self.change(author, edit);
                inverse
            })
            .collect();
        back.reverse();
        back
    }

    fn change(&mut self, author: Author, edit: &Edit) {
        let mut want = self.layers.editor().clone();
        want.apply(edit);
        self.take(Entry::Change(author, edit.clone()));
        assert_eq!(self.layers.editor(), &want);
    }

    fn tool(&mut self, edit: &Edit) {
        self.forget_undo();
        // What a program writes is nobody's, also if it is what somebody wrote.
        self.chars.values_mut().for_each(|chars| chars.retain(|c| !edit.new.contains(*c)));
        self.change(Author::Tool, edit);
    }

    /// What was undone before somebody else changed the text is not what an undo takes back now.
    fn forget_undo(&mut self) {
        (self.undo, self.redo) = (Stack::default(), Stack::default());
    }

    fn format(&mut self, pick: u8) {
        let text = self.layers.editor().clone();
        let line = |line: usize| Edit::new(text.line_start(line)..text.line_start(line), "  ");
        let lines = (0..text.line_count()).filter(|line| pick >> (line % 8) & 1 == 1);
        lines.rev().for_each(|number| self.tool(&line(number)));
    }

    fn reload(&mut self, spot: Spot, word: Word) {
        let before = self.layers.editor().clone();
        let new = word.text(self.eol, || fresh(&mut self.next_char, TOOL));
        let mut after = before.clone();
        after.apply(&Edit::new(range_in(&before, spot), new));
        char_edits(&before, &after).iter().rev().for_each(|edit| self.tool(edit));
    }

    fn propose(&mut self, thread: u16, spots: &[(Spot, Word)], applied: bool) {
        let thread = thread_id(thread % self.threads);
        let before = self.layers.project(&Projection::Agent(thread.clone()));
        let edits = self.edits(&before, spots, AGENT);
        if edits.is_empty() {
            return;
        }
        let mut want = before.clone();
        want.apply_all(&edits);
        let op = Op {
            id: OpId(self.next_op),
            thread: thread.clone(),
            edits,
            creates: false,
            deletes: false,
        };
        self.next_op += 1;
        let editor = self.layers.editor().clone();
        self.take(Entry::Propose(op.clone()));
        let new = self.layers.pieces().filter(|piece| piece.id.op == op.id);
        let ids: Vec<PieceId> = new.map(|piece| piece.id).collect();
        self.book(&op, &before, &ids);
        let after = self.layers.project(&Projection::Agent(thread));
        assert_eq!(after, want, "the thread sees its own proposal");
        assert_eq!(self.layers.editor(), &editor, "a proposal leaves the editor alone");
        if applied {
            self.forget_undo();
            self.take(Entry::State(ids, PieceState::Applied));
        }
    }

    fn book(&mut self, op: &Op, before: &Text, ids: &[PieceId]) {
        let agents = |text: &str| text.chars().filter(|c| *c as u32 >= AGENT).collect();
        let all: String = op.edits.iter().map(|edit| before.slice(edit.range.clone())).collect();
        for (at, id) in ids.iter().enumerate() {
            self.seen.insert(*id, all.chars().filter(|c| is_user(*c)).collect());
            // Which edit became which piece is plain only if each became one.
            let same = ids.len() == op.edits.len();
            let new = if same { agents(&op.edits[at].new) } else { Vec::new() };
            self.chars.insert(*id, new);
        }
        let lines = |edit: &&Edit| {
            edit.new.contains('\n') || before.slice(edit.range.clone()).contains('\n')
        };
        for edit in op.edits.iter().filter(lines) {
            let start = before.after_last_lf(0, edit.range.start).unwrap_or(0);
            let end = before.after_first_lf(edit.range.end, before.len()).unwrap_or(before.len());
            self.copied.extend(marks(&before.slice(start..end)));
        }
    }

    fn decide(&mut self, how: Decision, ids: &[HunkId]) {
        let before = self.layers.editor().clone();
        self.take(Entry::Resolve(how, ids.to_vec()));
        if self.layers.editor() != &before {
            self.forget_undo();
        }
    }

    /// The user's chars that the editor had before and has no longer after.
    pub fn user_chars_lost(&mut self, act: impl FnOnce(&mut Layers)) -> Vec<char> {
        let before = self.layers.editor().to_string();
        act(&mut self.layers);
        let after = self.layers.editor().to_string();
        before.chars().filter(|c| is_user(*c) && !after.contains(*c)).collect()
    }

    /// Whether a piece of the hunk removed that char when it was made.
    pub fn was_seen(&self, hunk: &Hunk, c: char) -> bool {
        let seen = |id| self.seen.get(id).is_some_and(|seen| seen.contains(&c));
        hunk.pieces.iter().any(seen) || self.copied.contains(&c)
    }

    /// Whether some piece may lawfully remove that char: it saw it when it was made.
    pub fn was_seen_at_all(&self, c: char) -> bool {
        self.copied.contains(&c) || self.seen.values().any(|seen| seen.contains(&c))
    }

    /// The chars that are written once only and that no piece has a copy of, in the editor's order.
    pub fn single_marks(&self) -> Vec<char> {
        let mut marks = marks(&self.layers.editor().to_string());
        marks.retain(|c| !self.copied.contains(c));
        marks
    }

    /// What a piece inserted.
    pub fn chars_of(&self, id: PieceId) -> &[char] {
        self.chars.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// The chars that are written once only, in order.
fn marks(text: &str) -> Vec<char> {
    text.chars().filter(|c| *c as u32 >= USER || (TOOL..0xF900).contains(&(*c as u32))).collect()
}

pub fn is_user(c: char) -> bool {
    (USER..AGENT).contains(&(c as u32))
}

fn fresh(next: &mut u32, from: u32) -> char {
    *next += 1;
    char::from_u32(from + *next).unwrap()
}

fn pick(ids: &[HunkId], which: u16) -> Vec<HunkId> {
    ids.get(which as usize % ids.len().max(1)).copied().into_iter().collect()
}

fn thread_id(thread: u16) -> ThreadId {
    ThreadId::from(["one", "two"][thread as usize])
}

fn place_in(text: &Text, at: u16) -> usize {
    // In proportion, so that a smaller number is a place further up, also in another text.
    whole(text, text.floor((at as usize * (text.len() + 1)) >> 16))
}

fn range_in(text: &Text, spot: Spot) -> std::ops::Range<usize> {
    let start = place_in(text, spot.at);
    start..whole(text, text.floor(start + spot.len as usize)).max(start)
}

/// Nobody puts the cursor between CR and LF.
fn whole(text: &Text, at: usize) -> usize {
    if at > 0 && text.byte(at - 1) == Some(b'\r') && text.byte(at) == Some(b'\n') {
        at - 1
    } else {
        at
    }
}

/// The whole lines that an edit touches.
fn lines_of(text: &Text, edit: &Edit) -> std::ops::Range<usize> {
    let start = text.after_last_lf(0, edit.range.start).unwrap_or(0);
    let end = text.after_first_lf(edit.range.end, text.len()).unwrap_or(text.len());
    start..end
}
