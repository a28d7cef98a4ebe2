//! didChange streams, as wild as a client could send them: the session's text is a plain string's.

use std::collections::VecDeque;

use proptest::{collection::vec, prelude::*, sample::Index};
use redline_fuzz::{fuzz, naive, text};
use redline_layers::{Projection, ThreadId};
use redline_text::{Document, Edit, Encoding, Position, PositionRange};
use redline_workspace::{
    Change, ChangeReason, Config, ContentChange, DiskText, EditId, Effect, Event, Origin, Proposal,
    ProposeMode, ResolveAction, ResolveRequest, Session, Ticket, WorkspacePath,
};

const URI: &str = "file:///w/a.txt";

#[derive(Debug, Clone)]
enum Step {
    /// One notification; its version goes up by this, or down.
    Changed(i32, Vec<(Option<(Position, Position)>, String)>),
    /// One notification of somebody who types: a place that exists.
    Typed(text::Swap),
    Reason(ChangeReason),
    Propose(text::Swap, ProposeMode),
    Decide(ResolveAction),
    /// The client says whether it applied what it was asked for; whether it did is another matter.
    Answer(bool),
    Expire,
    Save,
    /// Closed, and opened with this text.
    Open(String),
    /// Said of a document that nobody has opened.
    Elsewhere,
}

fn step() -> impl Strategy<Value = Step> {
    use Step::*;
    let range = proptest::option::weighted(0.9, (text::position(), text::position()));
    let change = (range, text::short());
    let reason = prop_oneof![Just(ChangeReason::Undo), Just(ChangeReason::Redo)];
    let mode = prop_oneof![3 => Just(ProposeMode::Pending), 1 => Just(ProposeMode::Applied)];
    let action = proptest::sample::select(vec![
        ResolveAction::Accept,
        ResolveAction::Reject,
        ResolveAction::Reopen,
        ResolveAction::Drop,
    ]);
    prop_oneof![
        6 => (-2..4, vec(change, 0..4)).prop_map(|(by, changes)| Changed(by, changes)),
        4 => text::swap().prop_map(Typed),
        1 => reason.prop_map(Reason),
        3 => (text::swap(), mode).prop_map(|(swap, mode)| Propose(swap, mode)),
        2 => action.prop_map(Decide),
        1 => any::<bool>().prop_map(Answer),
        1 => Just(Expire),
        1 => Just(Save),
        1 => text::short().prop_map(Open),
        1 => Just(Elsewhere),
    ]
}

struct Client {
    session: Session,
    encoding: Encoding,
    /// The editor's text: what the session must hold.
    plain: String,
    version: i32,
    tickets: u64,
    asked: VecDeque<EditId>,
}

impl Client {
    fn open(text: &str, encoding: Encoding) -> Self {
        let config = Config { roots: vec!["/w".into()], encoding, ..Config::default() };
        let mut client = Client {
            session: Session::new(config),
            encoding,
            plain: String::new(),
            version: 1,
            tickets: 0,
            asked: VecDeque::new(),
        };
        client.opened(text.to_owned(), Some(disk(text)));
        client
    }

    fn opened(&mut self, text: String, disk: Option<DiskText>) {
        self.plain.clone_from(&text);
        let (uri, version) = (URI.to_owned(), self.version);
        self.event(Event::Opened { file: path(), uri, version, text, disk });
    }

    fn event(&mut self, event: Event) {
        for effect in self.session.handle(event) {
            if let Effect::ApplyEdit { edit, .. } = effect {
                self.asked.push_back(edit);
            }
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Changed(by, changes) => self.changed(by, changes.into_iter().map(content)),
            Step::Typed(swap) => {
                let range = swap.range(&self.plain);
                let at = |at: usize| naive::position(&self.plain, at, self.encoding);
                let range = PositionRange { start: at(range.start), end: at(range.end) };
                self.changed(1, [ContentChange { range: Some(range), text: swap.new }].into_iter());
            }
            Step::Reason(reason) => {
                let (uri, version) = (URI.to_owned(), self.version + 1);
                self.event(Event::ChangeReason { uri, version, reason });
            }
            Step::Propose(swap, mode) => self.propose(&swap, mode),
            Step::Decide(action) => {
                let (ticket, request) = (self.ticket(), ResolveRequest::all(action));
                self.event(Event::Resolve { ticket, request });
            }
            Step::Answer(applied) => {
                if let Some(edit) = self.asked.pop_front() {
                    self.event(Event::EditAnswered { edit, applied, reason: None });
                }
            }
            Step::Expire => {
                if let Some(edit) = self.asked.pop_front() {
                    self.event(Event::EditExpired { edit });
                }
            }
            Step::Save => self.event(Event::Saved { uri: URI.to_owned() }),
            Step::Open(text) => {
                let disk = Some(disk(&self.plain));
                self.event(Event::Closed { uri: URI.to_owned(), disk: disk.clone() });
                self.opened(text, disk);
            }
            Step::Elsewhere => {
                let (uri, version, changes) = ("file:///w/b.txt".to_owned(), 3, Vec::new());
                self.event(Event::Changed { uri, version, changes });
            }
        }
    }

    fn changed(&mut self, by: i32, changes: impl Iterator<Item = ContentChange>) {
        let changes: Vec<ContentChange> = changes.collect();
        changes.iter().for_each(|change| naive::change(&mut self.plain, change, self.encoding));
        self.version += by;
        self.event(Event::Changed { uri: URI.to_owned(), version: self.version, changes });
    }

    fn propose(&mut self, swap: &text::Swap, mode: ProposeMode) {
        let thread = ThreadId::from("one");
        let Some(snapshot) = self.session.snapshot(&path(), &thread) else { return };
        let text = snapshot.text.to_string();
        let change = Change::Edit(vec![Edit::new(swap.range(&text), swap.new.as_str())]);
        let origin = Origin {
            thread,
            agent: "agent".to_owned(),
            tool: "edit_file".to_owned(),
            call: "call".to_owned(),
        };
        let proposal = Box::new(Proposal { snapshot, change, origin, mode });
        let ticket = self.ticket();
        self.event(Event::Propose { ticket, proposal });
    }

    fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets)
    }

    fn check(&self) -> Result<(), TestCaseError> {
        let held = self.session.content(&path(), &Projection::Editor);
        prop_assert_eq!(held.as_deref(), Some(self.plain.as_str()));
        for hunk in self.session.review(&path()).iter().flat_map(|review| &review.hunks) {
            let range = naive::range(&self.plain, hunk.range, self.encoding);
            let back = naive::position(&self.plain, range.start, self.encoding);
            prop_assert_eq!(back, hunk.range.start, "a hunk at a place that there is");
        }
        Ok(())
    }
}

fn content((range, text): (Option<(Position, Position)>, String)) -> ContentChange {
    ContentChange { range: range.map(|(start, end)| PositionRange { start, end }), text }
}

fn path() -> WorkspacePath {
    WorkspacePath::assume_canonical(std::path::Path::new("/w/a.txt"))
}

fn disk(text: &str) -> DiskText {
    DiskText::new(Document { text: text.into(), format: Default::default() })
}

#[test]
fn changes() {
    let input = (text::long(), text::encoding(), vec(step(), 1..20));
    fuzz("changes", 250, input, |(text, encoding, steps)| {
        let mut client = Client::open(&text, encoding);
        for step in steps {
            client.step(step);
            client.check()?;
        }
        Ok(())
    });
}

/// The same stream in one notification and in one for each change: the same text and hunks.
#[test]
fn batches() {
    let changes = vec((text::position(), text::position(), text::short()), 1..6);
    let input = (text::short(), text::encoding(), vec(text::swap(), 0..3), changes, any::<Index>());
    fuzz("changes", 250, input, |(text, encoding, swaps, changes, cut)| {
        let mut whole = Client::open(&text, encoding);
        let mut parts = Client::open(&text, encoding);
        for client in [&mut whole, &mut parts] {
            swaps.iter().for_each(|swap| client.propose(swap, ProposeMode::Pending));
        }
        let changes: Vec<ContentChange> =
            changes.into_iter().map(|(a, b, text)| content((Some((a, b)), text))).collect();
        let (first, rest) = changes.split_at(cut.index(changes.len()));
        whole.changed(1, changes.iter().cloned());
        for part in [first, rest] {
            parts.changed(1, part.iter().cloned());
        }
        whole.check()?;
        parts.check()?;
        prop_assert_eq!(&whole.plain, &parts.plain);
        Ok(())
    });
}
