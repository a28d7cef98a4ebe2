//! A file that a user, two agents and tools work on, with books kept of who typed what.

use std::collections::BTreeMap;

use redline_layers::{
    Author, Decision, Hunk, HunkId, Layers, Op, OpId, PieceId, PieceState, Projection, ThreadId,
};
use redline_text::{Edit, Text};

/// One random thing that happens.
#[derive(Debug, Clone)]
pub struct Step {
    kind: u8,
    at: u16,
    len: u16,
    what: u16,
}

impl From<(u8, u16, u16, u16)> for Step {
    fn from((kind, at, len, what): (u8, u16, u16, u16)) -> Self {
        Step { kind, at, len, what }
    }
}

#[derive(Debug, Clone)]
pub struct World {
    pub layers: Layers,
    threads: u16,
    next_op: u32,
    next_char: u32,
    /// The user's chars that an op's pieces removed from its thread's view when it was made.
    seen: BTreeMap<OpId, Vec<char>>,
    chars: BTreeMap<PieceId, Vec<char>>,
}

const BASE: &str = "alpha\nbeta 界\r\ngamma é\n\ndelta 👩‍👩‍👧 x\nlast";
const USER: u32 = 0xF0000;
const AGENT: u32 = 0x100000;

impl World {
    pub fn new(threads: u16) -> Self {
        World {
            layers: Layers::new(Text::from(BASE)),
            threads,
            next_op: 1,
            next_char: 0,
            seen: BTreeMap::new(),
            chars: BTreeMap::new(),
        }
    }

    pub fn agent(&self, thread: u16) -> Projection {
        Projection::Agent(thread_id(thread))
    }

    pub fn open(&self) -> Vec<HunkId> {
        self.layers.hunks().iter().map(|hunk| hunk.id).collect()
    }

    pub fn hunks_in(&self, pick: impl Fn(PieceState) -> bool) -> Vec<HunkId> {
        self.layers.hunks().iter().filter(|h| pick(h.state)).map(|h| h.id).collect()
    }

    pub fn run(&mut self, steps: &[Step]) {
        steps.iter().for_each(|step| self.step(step));
    }

    pub fn step(&mut self, step: &Step) {
        match step.kind {
            0..=4 => self.type_something(step),
            5 => self.change(Author::User, self.deletion(step.at, step.len % 12)),
            6 => self.change(Author::Tool, self.deletion(step.at, step.len % 6)),
            7..=10 => self.propose(step, None),
            11 => self.propose(step, Some(PieceState::Applied)),
            12 => self.decide(Decision::Accept, step.at),
            13 => self.decide(Decision::Reject, step.at),
            14 => self.reopen(step.at),
            _ => self.settle(step.at),
        }
    }

    /// A boundary of the editor's text.
    pub fn place(&self, at: u16) -> usize {
        place_in(self.layers.editor(), at)
    }

    pub fn deletion(&self, at: u16, len: u16) -> Edit {
        let text = self.layers.editor();
        let start = self.place(at);
        Edit::new(start..text.floor(start + len as usize), "")
    }

    fn type_something(&mut self, step: &Step) {
        let at = self.place(step.at);
        let mut new = String::new();
        for _ in 0..step.len % 3 + 1 {
            new.push(self.fresh(USER));
        }
        if step.what.is_multiple_of(4) {
            new.push('\n');
        }
        self.change(Author::User, Edit::new(at..at, new));
    }

    fn change(&mut self, author: Author, edit: Edit) {
        let mut want = self.layers.editor().clone();
        want.apply(&edit);
        self.layers.change(author, &edit);
        assert_eq!(self.layers.editor(), &want);
    }

    fn propose(&mut self, step: &Step, state: Option<PieceState>) {
        let thread = thread_id(step.what % self.threads);
        let before = self.layers.project(&Projection::Agent(thread.clone()));
        let mut edits = vec![self.agent_edit(&before, step.at, step.len)];
        let second = self.agent_edit(&before, step.at / 2, step.len / 7);
        if step.what.is_multiple_of(3) && second.range.end < edits[0].range.start {
            edits.insert(0, second);
        }
        let mut want = before.clone();
        want.apply_all(&edits);
        let op = Op { id: OpId(self.next_op), thread: thread.clone(), edits, creates: false };
        self.next_op += 1;
        let editor = self.layers.editor().clone();
        let ids = self.layers.propose(&op);
        self.book(&op, &before, &ids);
        let after = self.layers.project(&Projection::Agent(thread));
        assert_eq!(after, want, "the thread sees its own proposal");
        assert_eq!(self.layers.editor(), &editor, "a proposal leaves the editor alone");
        if let Some(state) = state {
            self.layers.set_state(&ids, state);
        }
    }

    fn book(&mut self, op: &Op, before: &Text, ids: &[PieceId]) {
        let mut seen = Vec::new();
        for (edit, id) in op.edits.iter().zip(ids) {
            let old = before.slice(edit.range.clone());
            seen.extend(old.chars().filter(|c| is_user(*c)));
            let news = edit.new.chars().filter(|c| *c as u32 >= AGENT).collect();
            self.chars.insert(*id, news);
        }
        self.seen.insert(op.id, seen);
    }

    fn agent_edit(&mut self, text: &Text, at: u16, len: u16) -> Edit {
        let start = place_in(text, at);
        let end = text.floor(start + (len % 14) as usize);
        let mut new = String::new();
        for _ in 0..len % 4 {
            new.push(self.fresh(AGENT));
        }
        if len.is_multiple_of(5) {
            new.push('\n');
        }
        if start == end && new.is_empty() {
            new.push(self.fresh(AGENT));
        }
        Edit::new(start..end, new)
    }

    fn decide(&mut self, how: Decision, at: u16) {
        let open = self.open();
        if let Some(id) = open.get(at as usize % open.len().max(1)) {
            self.layers.resolve(how, &[*id]);
        }
    }

    fn reopen(&mut self, at: u16) {
        let decided = self.layers.decided_hunks();
        if let Some(hunk) = decided.get(at as usize % decided.len().max(1)) {
            self.layers.resolve(Decision::Reopen, &[hunk.id]);
        }
    }

    fn settle(&mut self, at: u16) {
        let decided = self.layers.decided_hunks();
        if let Some(hunk) = decided.get(at as usize % decided.len().max(1)) {
            self.layers.settle(&[hunk.id]);
        }
    }

    /// Ranges are whole lines and do not overlap, the old text is the editor's, and accepting puts
    /// exactly the new text there.
    pub fn check_hunks(&self) {
        let editor = self.layers.editor().to_string();
        let hunks = self.layers.hunks();
        for pair in hunks.windows(2) {
            assert!(pair[0].range.end <= pair[1].range.start, "{hunks:?}");
        }
        for hunk in hunks {
            let (start, end) = (hunk.range.start, hunk.range.end);
            assert!(start == 0 || editor[..start].ends_with('\n'), "{hunk:?}");
            assert!(
                end == start || end == editor.len() || editor[..end].ends_with('\n'),
                "{hunk:?}"
            );
            if !hunk.state.in_editor() && hunk.state != PieceState::Conflict {
                assert_eq!(editor[hunk.range.clone()], hunk.old);
                self.check_accepting(&hunk, &editor);
            }
            if hunk.state == PieceState::Applied {
                assert_eq!(editor[hunk.range.clone()], hunk.new);
            }
        }
    }

    fn check_accepting(&self, hunk: &Hunk, editor: &str) {
        let mut copy = self.layers.clone();
        copy.resolve(Decision::Accept, &[hunk.id]);
        let (before, after) = (&editor[..hunk.range.start], &editor[hunk.range.end..]);
        assert_eq!(copy.editor().to_string(), format!("{before}{}{after}", hunk.new));
    }

    /// The user's chars that the editor had before and has no longer after.
    pub fn user_chars_lost(&mut self, act: impl FnOnce(&mut Layers)) -> Vec<char> {
        let before = self.layers.editor().to_string();
        act(&mut self.layers);
        let after = self.layers.editor().to_string();
        before.chars().filter(|c| is_user(*c) && !after.contains(*c)).collect()
    }

    /// Whether an op of the hunk removed that char when it was made.
    pub fn was_seen(&self, hunk: &Hunk, c: char) -> bool {
        hunk.pieces.iter().any(|id| self.seen.get(&id.op).is_some_and(|seen| seen.contains(&c)))
    }

    /// What a piece inserted.
    pub fn chars_of(&self, id: PieceId) -> &[char] {
        self.chars.get(&id).map_or(&[], Vec::as_slice)
    }

    fn fresh(&mut self, from: u32) -> char {
        self.next_char += 1;
        char::from_u32(from + self.next_char).unwrap()
    }
}

fn is_user(c: char) -> bool {
    (USER..AGENT).contains(&(c as u32))
}

fn thread_id(thread: u16) -> ThreadId {
    ThreadId::from(["one", "two"][thread as usize])
}

fn place_in(text: &Text, at: u16) -> usize {
    let at = text.floor(at as usize % (text.len() + 1));
    // Nobody puts the cursor between CR and LF.
    if at > 0 && text.slice(at - 1..at + 1) == "\r\n" { at - 1 } else { at }
}
