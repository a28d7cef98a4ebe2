//! A desk to try a session at: an editor with one buffer, a disk in memory, an agent that
//! proposes. Every answer that the real outside would give is given at once, unless told otherwise.

#![allow(dead_code)]

use std::collections::{BTreeMap, VecDeque};

use redline_layers::{HunkId, ThreadId};
use redline_text::{Document, Edit, Encoding, Text};
use redline_workspace::{
    Base, Change, Checkpoint, Config, ContentChange, DiskText, Effect, Entry, Event, HunkState,
    Note, Origin, Past, Proposal, ProposeError, ProposeMode, Proposed, Reply, ResolveAction,
    ResolveRequest, Resolved, Restored, Review, Rewound, Session, TextEdit, Ticket, WorkspacePath,
    WriteError,
};

pub const URI: &str = "file:///w/a.txt";

/// How the editor tells of an edit that it has applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// One notification with all changes, last first (VS Code).
    Together,
    /// One notification for each change, last first (Neovim).
    OneByOne,
    /// One notification with the whole text.
    Full,
}

pub struct Desk {
    pub session: Session,
    pub text: Text,
    pub version: i32,
    pub manner: Manner,
    /// The edits that the editor was asked for and has not answered: with `holds`.
    pub held: Vec<Effect>,
    pub holds: bool,
    pub holds_writes: bool,
    /// Time stands still for reviews that can wait.
    pub later: bool,
    pub disk: BTreeMap<WorkspacePath, DiskText>,
    pub replies: BTreeMap<Ticket, Reply>,
    pub effects: Vec<Effect>,
    pub reviews: BTreeMap<WorkspacePath, Review>,
    /// What was written down, by file.
    pub journal: BTreeMap<WorkspacePath, Vec<Entry>>,
    /// What was changed, oldest first.
    pub checkpoints: Vec<Checkpoint>,
    queue: VecDeque<Effect>,
    busy: bool,
    tickets: u64,
    calls: u32,
}

pub fn path() -> WorkspacePath {
    other("a.txt")
}

pub fn other(name: &str) -> WorkspacePath {
    WorkspacePath::assume_canonical(&std::path::Path::new("/w").join(name))
}

impl Desk {
    /// The file is on disk and not open.
    pub fn closed(text: &str) -> Desk {
        let config = Config {
            roots: vec!["/w".into()],
            encoding: Encoding::Utf16,
            save_on_accept: true,
            client_saves: true,
            ..Config::default()
        };
        let mut desk = Desk {
            session: Session::new(config),
            text: Text::from(text),
            version: 1,
            manner: Manner::Together,
            held: Vec::new(),
            holds: false,
            holds_writes: false,
            later: false,
            disk: BTreeMap::new(),
            replies: BTreeMap::new(),
            effects: Vec::new(),
            reviews: BTreeMap::new(),
            journal: BTreeMap::new(),
            checkpoints: Vec::new(),
            queue: VecDeque::new(),
            busy: false,
            tickets: 0,
            calls: 0,
        };
        desk.disk.insert(path(), disk(text));
        desk.event(Event::JournalOpened { last_op: 0 });
        desk
    }

    /// The file is open, as on disk.
    pub fn open(text: &str) -> Desk {
        Desk::closed(text).opened()
    }

    fn opened(self) -> Desk {
        let mut desk = self;
        let text = desk.text.to_string();
        let (uri, disk) = (URI.to_owned(), desk.disk.get(&path()).cloned());
        desk.event(Event::Opened { file: path(), uri, version: 1, text, disk });
        desk
    }

    pub fn event(&mut self, event: Event) {
        self.queue.extend(self.session.handle(event));
        if std::mem::replace(&mut self.busy, true) {
            return;
        }
        while let Some(effect) = self.queue.pop_front() {
            self.effects.push(effect.clone());
            self.perform(effect);
        }
        self.busy = false;
        if self.session.uri_of(&path()).is_some() {
            let held = self.session.content(&path(), &redline_layers::Projection::Editor);
            assert_eq!(held.unwrap(), self.text.to_string(), "the session has the editor's text");
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Reply { ticket, reply } => {
                assert!(self.replies.insert(ticket, reply).is_none(), "one reply each");
            }
            Effect::ApplyEdit { .. } if self.holds => self.held.push(effect),
            Effect::ApplyEdit { edit, version, edits, .. } => {
                let applied = version == self.version;
                if applied {
                    self.apply(&edits);
                }
                let reason = (!applied).then(|| "stale".to_owned());
                self.event(Event::EditAnswered { edit, applied, reason });
            }
            Effect::Save { uri } => {
                self.disk.insert(path(), disk(&self.text.to_string()));
                self.event(Event::Saved { uri: uri.clone() });
                self.event(Event::SaveAnswered { uri });
            }
            Effect::WriteFile { .. } if self.holds_writes => self.held.push(effect),
            Effect::WriteFile { write, request } => {
                let now = self.disk.get(&request.file);
                let result = if now.map(|disk| disk.hash) == request.expect {
                    let new =
                        request.text.map(|(text, format)| DiskText::new(Document { text, format }));
                    let new =
                        new.map(|new| new.with_mode(now.and_then(|it| it.mode).or(request.mode)));
                    match &new {
                        Some(new) => self.disk.insert(request.file, new.clone()),
                        None => self.disk.remove(&request.file),
                    };
                    Ok(new)
                } else {
                    Err(WriteError::Changed(now.cloned().map(Box::new)))
                };
                self.event(Event::Written { write, result });
            }
            Effect::Checkpoint(mark) => self.checkpoints.push(*mark),
            Effect::Journal { file, entry } => {
                let entries = self.journal.entry(file).or_default();
                if !matches!(entry, Entry::Add(_)) {
                    entries.clear();
                }
                entries.push(through_json(entry));
            }
            Effect::ReviewsLater { .. } if self.later => {}
            Effect::ReviewsLater { .. } => self.event(Event::ReviewsDue),
            Effect::Review(review) => {
                self.reviews.insert(review.file.clone(), review);
            }
            _ => {}
        }
    }

    /// The editor applies an edit of ours and tells of it in its manner.
    pub fn apply(&mut self, edits: &[TextEdit]) {
        let changes: Vec<ContentChange> = edits
            .iter()
            .rev()
            .map(|edit| ContentChange { range: Some(edit.range), text: edit.new.clone() })
            .collect();
        match self.manner {
            Manner::Together => self.change(changes),
            Manner::OneByOne => changes.into_iter().for_each(|change| self.change(vec![change])),
            Manner::Full => {
                let mut text = self.text.clone();
                changes.iter().for_each(|change| put(&mut text, change));
                self.change(vec![ContentChange { range: None, text: text.to_string() }]);
            }
        }
    }

    /// Answers the held edit, as an editor that checks versions.
    pub fn release(&mut self) {
        self.holds = false;
        self.holds_writes = false;
        for effect in std::mem::take(&mut self.held) {
            self.perform(effect);
        }
    }

    pub fn change(&mut self, changes: Vec<ContentChange>) {
        changes.iter().for_each(|change| put(&mut self.text, change));
        self.version += 2; // Versions may jump.
        self.event(Event::Changed { uri: URI.to_owned(), version: self.version, changes });
    }

    /// The user replaces the first `old` by `new`; with an empty `old`, `at` says where.
    pub fn types(&mut self, old: &str, new: &str) {
        let start = self.text.to_string().find(old).expect("the text to type over");
        self.types_at(start..start + old.len(), new);
    }

    pub fn types_at(&mut self, range: std::ops::Range<usize>, new: &str) {
        let edit = Edit::new(range, new).trimmed(&self.text);
        let range = Some(self.text.position_range(edit.range, Encoding::Utf16));
        self.change(vec![ContentChange { range, text: edit.new }]);
    }

    /// The user's edit as the editor tells it, not made smaller.
    pub fn types_raw(&mut self, range: std::ops::Range<usize>, new: &str) {
        let range = Some(self.text.position_range(range, Encoding::Utf16));
        self.change(vec![ContentChange { range, text: new.to_owned() }]);
    }

    /// The agent replaces the first `old` by `new` in what it sees.
    pub fn proposes(&mut self, old: &str, new: &str) -> Vec<HunkId> {
        self.proposal(&path(), "one", edit(old, new), ProposeMode::Pending).unwrap().hunks
    }

    pub fn proposal(
        &mut self,
        file: &WorkspacePath,
        thread: &str,
        change: impl FnOnce(&Text) -> Change,
        mode: ProposeMode,
    ) -> Result<Proposed, ProposeError> {
        let thread = ThreadId::from(thread);
        let snapshot = self.session.snapshot(file, &thread).unwrap_or_else(|| {
            let disk = self.disk.get(file).cloned();
            redline_workspace::Snapshot::of_disk(file.clone(), disk)
        });
        self.calls += 1;
        let origin = Origin {
            thread,
            agent: "agent".to_owned(),
            tool: "edit_file".to_owned(),
            call: format!("call{}", self.calls),
        };
        let change = change(&snapshot.text);
        let proposal = Box::new(Proposal { snapshot, change, origin, mode });
        let ticket = self.ticket();
        self.event(Event::Propose { ticket, proposal });
        match self.replies.remove(&ticket) {
            Some(Reply::Proposed(result)) => result,
            other => panic!("no answer to a proposal: {other:?}"),
        }
    }

    /// The user decides; the answer may still be out (see `answer`).
    pub fn decides(&mut self, request: ResolveRequest) -> Ticket {
        let ticket = self.ticket();
        self.event(Event::Resolve { ticket, request });
        ticket
    }

    pub fn resolves(&mut self, action: ResolveAction, hunks: &[HunkId]) -> Resolved {
        let ticket = self.decides(ResolveRequest::hunks(action, hunks.to_vec()));
        self.answer(ticket)
    }

    pub fn answer(&mut self, ticket: Ticket) -> Resolved {
        match self.replies.remove(&ticket) {
            Some(Reply::Resolved(result)) => result.unwrap(),
            other => panic!("no answer to a decision: {other:?}"),
        }
    }

    /// A turn of the thread "one" begins.
    pub fn turn(&mut self) {
        self.event(Event::TurnStarted { thread: ThreadId::from("one") });
    }

    /// The user goes back to before a turn of the thread "one".
    pub fn rewinds(&mut self, turn: u32) -> Rewound {
        let disk = self.disk.clone();
        let past = |mark: &Checkpoint| Past {
            file: mark.file.clone(),
            before: mark.before.clone(),
            after: mark.after.clone(),
            format: mark.format,
            mode: mark.mode,
            disk: disk.get(&mark.file).cloned(),
        };
        let meant = self.checkpoints.iter().rev().filter(|mark| mark.turn >= turn);
        let past = meant.map(past).collect();
        let ticket = self.ticket();
        self.event(Event::Rewind { ticket, thread: ThreadId::from("one"), turn, past });
        match self.replies.remove(&ticket) {
            Some(Reply::Rewound(rewound)) => rewound,
            other => panic!("no way back: {other:?}"),
        }
    }

    /// What the agent is told.
    pub fn told(&mut self) -> (Vec<String>, usize) {
        let ticket = self.ticket();
        self.event(Event::TakeDecisions { ticket, thread: ThreadId::from("one") });
        match self.replies.remove(&ticket) {
            Some(Reply::Decisions { lines, pending }) => (lines, pending),
            other => panic!("no decisions: {other:?}"),
        }
    }

    pub fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets)
    }

    /// `id state start-end old→new` of each hunk of the last review.
    pub fn shown(&self) -> Vec<String> {
        let Some(review) = self.reviews.get(&path()) else { return Vec::new() };
        let line = |hunk: &redline_workspace::HunkView| {
            let mixed = if hunk.mixed { " mixed" } else { "" };
            let (start, end) = (hunk.range.start, hunk.range.end);
            format!(
                "{} {}{mixed} {}:{}-{}:{} {:?}→{:?}",
                hunk.id,
                hunk.state.name(),
                start.line,
                start.character,
                end.line,
                end.character,
                hunk.old_text,
                hunk.new_text
            )
        };
        review.hunks.iter().map(line).collect()
    }

    pub fn state(&self, hunk: HunkId) -> Option<HunkState> {
        let reviews = self.session.reviews();
        reviews.iter().flat_map(|r| &r.hunks).find(|h| h.id == hunk).map(|h| h.state)
    }

    /// The process is killed, and another one reads what was written down. No document is open in it.
    pub fn restarts(&mut self) {
        let config = self.session.config().clone();
        self.session = Session::new(config);
        self.held.clear();
        self.queue.clear();
        self.reviews.clear();
        self.replies.clear();
        for (file, entries) in std::mem::take(&mut self.journal) {
            self.journal.insert(file.clone(), entries.clone());
            if let Some(restored) = Restored::read(entries).unwrap() {
                let disk = self.disk.get(&file).cloned();
                self.event(Event::Restored { file, restored: Box::new(restored), disk });
            }
        }
        self.event(Event::JournalOpened { last_op: 0 });
    }

    /// The editor opens what it holds.
    pub fn opens(&mut self) {
        let (uri, text) = (URI.to_owned(), self.text.to_string());
        let disk = self.disk.get(&path()).cloned();
        self.version = 1;
        self.event(Event::Opened { file: path(), uri, version: 1, text, disk });
    }

    pub fn on_disk(&self) -> String {
        self.disk.get(&path()).map(|disk| disk.text.to_string()).unwrap_or_default()
    }

    pub fn saves(&self) -> usize {
        self.effects.iter().filter(|effect| matches!(effect, Effect::Save { .. })).count()
    }
}

pub fn edit(old: &str, new: &str) -> impl FnOnce(&Text) -> Change {
    let (old, new) = (old.to_owned(), new.to_owned());
    move |text| {
        let start = text.to_string().find(&old).expect("the text to edit");
        Change::Edit(vec![Edit::new(start..start + old.len(), new)])
    }
}

pub fn write(text: &str) -> impl FnOnce(&Text) -> Change {
    let text = Text::from(text);
    move |_| Change::Write(text)
}

pub fn disk(text: &str) -> DiskText {
    DiskText::new(Document { text: Text::from(text), format: Default::default() })
}

fn put(text: &mut Text, change: &ContentChange) {
    let range = match change.range {
        Some(range) => text.offset_range(range, Encoding::Utf16),
        None => 0..text.len(),
    };
    text.apply(&Edit::new(range, change.text.as_str()));
}

/// What a journal on disk makes of an entry.
fn through_json(entry: Entry) -> Entry {
    let out = |text: Text| Ok::<_, ()>(text.to_string());
    let back = |text: String| Ok::<_, ()>(Text::from(text));
    match entry {
        Entry::Begin(base) => {
            let json = serde_json::to_string(&base.map(out).unwrap()).unwrap();
            let base: Base<String> = serde_json::from_str(&json).unwrap();
            Entry::Begin(Box::new(base.map(back).unwrap()))
        }
        Entry::Add(notes) => {
            let again = |note: Note<Text>| {
                let json = serde_json::to_string(&note.map(out).unwrap()).unwrap();
                serde_json::from_str::<Note<String>>(&json).unwrap().map(back).unwrap()
            };
            Entry::Add(notes.into_iter().map(again).collect())
        }
        Entry::End => Entry::End,
    }
}
