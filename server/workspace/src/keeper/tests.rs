use std::{fs, path::Path};

use redline_layers::ThreadId;
use redline_text::{Document, Edit, Text};

use super::{Keeper, Kept, Shelf, Written};
use crate::{
    Change, Config, DiskText, Effect, Entry, Event, Origin, Proposal, ProposeMode, ResolveAction,
    ResolveRequest, Session, Snapshot, Ticket, WorkspacePath,
    io::journal::{Log, Owner, Taken},
};

/// A session, and its journal in a folder of its own.
struct Desk {
    dir: tempfile::TempDir,
    session: Session,
    shelf: Option<Shelf>,
}

fn path(name: &str) -> WorkspacePath {
    WorkspacePath::assume_canonical(&Path::new("/w").join(name))
}

fn disk(text: &str) -> DiskText {
    DiskText::new(Document { text: Text::from(text), format: Default::default() })
}

fn session() -> Session {
    Session::new(Config { roots: vec!["/w".into()], ..Config::default() })
}

fn open(dir: &Path, waste: u64) -> (Shelf, Kept) {
    let Taken::Owner(owner) = Owner::try_take(dir).unwrap() else { panic!("it is free") };
    Shelf::open_with(Path::new("/w"), dir, owner, waste).unwrap()
}

impl Desk {
    fn new(waste: u64) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (shelf, kept) = open(dir.path(), waste);
        let mut desk = Self { dir, session: session(), shelf: Some(shelf) };
        desk.event(Event::JournalOpened { last_op: kept.last_op });
        desk
    }

    fn shelf(&mut self) -> &mut Shelf {
        self.shelf.as_mut().unwrap()
    }

    fn event(&mut self, event: Event) {
        for effect in self.session.handle(event) {
            if let Effect::Journal { file, entry } = effect {
                let written = self.shelf.as_mut().unwrap().write(file.as_path(), entry);
                assert_ne!(written.unwrap(), Written::No);
            }
        }
    }

    /// Replaces the first `old` in a file that holds `text` on disk.
    fn propose(&mut self, file: &str, text: &str, old: &str, new: &str) {
        let event = self.proposal(file, text, old, new);
        self.event(event);
    }

    fn proposal(&self, file: &str, text: &str, old: &str, new: &str) -> Event {
        let thread = ThreadId::from("t");
        let held = self.session.snapshot(&path(file), &thread);
        let snapshot = held.unwrap_or_else(|| Snapshot::of_disk(path(file), Some(disk(text))));
        let at = snapshot.text.to_string().find(old).unwrap();
        let change = Change::Edit(vec![Edit::new(at..at + old.len(), new)]);
        let [agent, tool, call] = ["me", "edit_file", "c"].map(str::to_owned);
        let origin = Origin { thread, agent, tool, call };
        let proposal = Proposal { snapshot, origin, change, mode: ProposeMode::Pending };
        Event::Propose { ticket: Ticket(1), proposal: Box::new(proposal) }
    }

    fn resolve(&mut self, action: ResolveAction) {
        let request = ResolveRequest::all(action);
        self.event(Event::Resolve { ticket: Ticket(2), request });
    }

    fn reviews(&self) -> Vec<String> {
        self.session.reviews().iter().map(|review| format!("{:?}", review.hunks)).collect()
    }

    /// The session and its shelf are opened again; what is waste above `waste` bytes is thrown out.
    fn again(mut self, waste: u64) -> (Self, Kept) {
        self.shelf = None;
        let (shelf, mut kept) = open(self.dir.path(), waste);
        let mut desk = Self { dir: self.dir, session: session(), shelf: Some(shelf) };
        for (file, restored) in std::mem::take(&mut kept.files) {
            let disk = restored.known_disk();
            desk.event(Event::Restored { file, restored: Box::new(restored), disk });
        }
        desk.event(Event::JournalOpened { last_op: kept.last_op });
        (desk, kept)
    }

    fn len(&self, name: &str) -> u64 {
        fs::metadata(self.dir.path().join(name)).unwrap().len()
    }

    /// The names of what was put aside.
    fn aside(&self) -> Vec<String> {
        let entries = fs::read_dir(self.dir.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("unread-")).collect()
    }
}

const NEVER: u64 = u64::MAX;
const FILE: &str = "one\ntwo\nthree\nfour\nfive\n";

fn worked(waste: u64) -> Desk {
    let mut desk = Desk::new(waste);
    desk.propose("a", FILE, "two", "TWO");
    desk.propose("b", FILE, "four", "FOUR");
    desk.resolve(ResolveAction::Reject);
    desk.propose("a", FILE, "five", "FIVE");
    let disk = Some(disk(&FILE.replace("one", "zero\none")));
    let known = desk.session.known_disk(&path("a")).map(|disk| disk.hash);
    desk.event(Event::DiskChanged { file: path("a"), known, disk });
    desk
}

#[test]
fn what_was_written_is_read_again() {
    let desk = worked(NEVER);
    let reviews = desk.reviews();
    assert_eq!(reviews.len(), 2);
    let (desk, kept) = desk.again(NEVER);
    assert_eq!((desk.reviews(), kept.last_op), (reviews.clone(), 3));
    assert_eq!(kept.troubles, Vec::<String>::new());
    let (desk, _) = desk.again(NEVER);
    assert_eq!(desk.reviews(), reviews);
}

#[test]
fn throwing_out_keeps_what_counts() {
    let mut desk = worked(NEVER);
    for n in 0..200 {
        desk.propose("a", FILE, "three", &format!("three {n}"));
        desk.resolve(ResolveAction::Reject);
    }
    let (reviews, long) = (desk.reviews(), desk.len("review.log"));
    // All of the state is written anew by the first start; the second throws out what was before.
    let (desk, _) = desk.again(NEVER);
    let (desk, kept) = desk.again(1);
    assert!(desk.len("review.log") < long * 2, "{} of {long}", desk.len("review.log"));
    assert_eq!((desk.reviews(), kept.last_op), (reviews.clone(), 203));
    // While it goes on, too: the places in the log are the new ones.
    let mut desk = desk;
    desk.propose("b", FILE, "one", "ONE");
    let reviews = desk.reviews();
    let (desk, kept) = desk.again(1);
    assert_eq!((desk.reviews(), kept.last_op), (reviews, 204));
    assert_eq!(kept.troubles, Vec::<String>::new());
}

#[test]
fn what_has_ended_is_gone_and_its_ops_are_not_given_again() {
    let mut desk = worked(NEVER);
    for file in ["a", "b"] {
        let written = desk.shelf().write(path(file).as_path(), Entry::End);
        assert_eq!(written.unwrap(), Written::Yes);
    }
    for waste in [NEVER, 1, NEVER, 1] {
        let (shelf, kept) = {
            desk.shelf = None;
            open(desk.dir.path(), waste)
        };
        assert_eq!((kept.files.len(), kept.last_op), (0, 3), "{waste}");
        desk.shelf = Some(shelf);
    }
    assert!(desk.len("review.log") < 200, "{}", desk.len("review.log"));
}

#[test]
fn what_waits_for_nobody_does_not_pile_up() {
    let mut desk = Desk::new(NEVER);
    for n in 0..70 {
        desk.propose(&format!("f{n:02}"), FILE, "two", "TWO");
        desk.resolve(ResolveAction::Reject);
    }
    desk.propose("f03", FILE, "two", "TWO");
    let (desk, kept) = desk.again(NEVER);
    assert_eq!(desk.reviews().len(), 51, "50, and one that waits");
    assert_eq!(desk.session.counts().pending_hunks, 1);
    assert_eq!(kept.last_op, 71);
    assert_eq!(desk.again(NEVER).0.reviews().len(), 51);
}

#[test]
fn texts_that_nothing_needs_are_thrown_out() {
    let text = |n: usize| -> String {
        let line =
            |i: usize| format!("{} is number {i} of {n}\n", (i + 1) * (n + 7) * 7919 % 65_537);
        FILE.chars().chain((0..400).map(line).collect::<String>().chars()).collect()
    };
    let mut desk = Desk::new(100_000);
    desk.propose("a", &text(0), "two", "TWO");
    for n in 1..60 {
        let known = desk.session.known_disk(&path("a")).map(|disk| disk.hash);
        let disk = Some(disk(&text(n)));
        desk.event(Event::DiskChanged { file: path("a"), known, disk });
    }
    let one = text(0).len() as u64;
    assert!(desk.len("texts") < 200_000 + 2 * one, "{} of texts of {one}", desk.len("texts"));
    assert_eq!(desk.shelf().texts_in_use().len(), 2);
    let reviews = desk.reviews();
    let (mut desk, kept) = desk.again(1);
    assert_eq!((desk.reviews(), kept.troubles), (reviews.clone(), Vec::new()));
    assert!(desk.len("texts") < 4 * one, "{} of texts of {one}", desk.len("texts"));
    assert_eq!(desk.shelf().texts_in_use().len(), 1);
    assert_eq!(desk.again(NEVER).0.reviews(), reviews);
}

#[test]
fn a_record_that_means_nothing_costs_its_file_only() {
    let mut desk = worked(NEVER);
    desk.shelf = None;
    let mut log = Log::open(&desk.dir.path().join("review.log")).unwrap().log;
    log.append(br#"{"file":"/w/a","entry":{"ofTheFuture":1}}"#).unwrap();
    log.append(b"no record").unwrap();
    drop(log);
    let b = desk.reviews().remove(1);
    let (desk, kept) = desk.again(NEVER);
    assert_eq!((desk.reviews(), kept.last_op), (vec![b], 3));
    assert_eq!(kept.troubles.len(), 2, "{:?}", kept.troubles);
    assert!(kept.troubles[1].contains("/w/a cannot be shown"), "{:?}", kept.troubles);
    let aside = fs::read_to_string(desk.dir.path().join(&desk.aside()[0])).unwrap();
    assert!(aside.contains("FIVE") && aside.contains("ofTheFuture"), "{aside}");
    let (desk, kept) = desk.again(NEVER);
    assert_eq!(kept.troubles.len(), 1, "the file's is said once: {:?}", kept.troubles);
    assert_eq!(desk.aside().len(), 1);
}

#[test]
fn what_is_put_aside_never_replaces_another() {
    let mut desk = worked(NEVER);
    for _ in 0..3 {
        let told = desk.shelf().put_file_aside(path("a").as_path(), "of a test");
        assert!(told.contains("of a test"), "{told}");
    }
    let mut names = desk.aside();
    names.sort();
    assert_eq!(names, ["unread-1-a.jsonl", "unread-2-a.jsonl", "unread-3-a.jsonl"]);
}

#[test]
fn a_disk_that_refuses_is_told_once() {
    let mut desk = worked(NEVER);
    fs::remove_dir_all(desk.dir.path()).unwrap();
    let mut write = |old: &str| {
        let event = desk.proposal("a", FILE, old, "new");
        let effects = desk.session.handle(event);
        let entry = effects.into_iter().find_map(|effect| match effect {
            Effect::Journal { file, entry } => Some((file, entry)),
            _ => None,
        });
        let (file, entry) = entry.unwrap();
        desk.shelf().write(file.as_path(), entry).ok()
    };
    assert_eq!([write("three"), write("one")], [None, Some(Written::No)]);
    assert!(desk.shelf().is_failing());
}

#[test]
fn a_file_belongs_to_the_innermost_folder() {
    let dir = tempfile::tempdir().unwrap();
    let mut keeper = Keeper::default();
    for (name, root) in [("one", "/w"), ("two", "/w/in")] {
        let dir = dir.path().join(name);
        fs::create_dir(&dir).unwrap();
        let Taken::Owner(owner) = Owner::try_take(&dir).unwrap() else { panic!("it is free") };
        keeper.add(Shelf::open_with(Path::new(root), &dir, owner, NEVER).unwrap().0);
    }
    keeper.leave(Path::new("/w/in/theirs"));
    let mut desk = Desk::new(NEVER);
    let mut write = |file: &str| {
        desk.event(Event::JournalOpened { last_op: 0 });
        desk.propose(file, FILE, "two", "TWO");
        let begin = desk.session.handle(Event::JournalOpened { last_op: 0 });
        let entry = begin.into_iter().find_map(|effect| match effect {
            Effect::Journal { file: of, entry } if of == path(file) => Some(entry),
            _ => None,
        });
        keeper.write(&path(file), entry.unwrap()).unwrap()
    };
    assert_eq!(write("a"), Written::Yes);
    assert_eq!(write("in/b"), Written::Yes);
    assert_eq!(write("in/theirs/c"), Written::No);
    assert_eq!(write("/outside/d"), Written::Yes);
    let names = |at: usize| -> Vec<String> {
        keeper.shelves[at].files.keys().map(|path| path.display().to_string()).collect()
    };
    assert_eq!(names(0), ["/outside/d", "/w/a"]);
    assert_eq!(names(1), ["/w/in/b"]);
}
