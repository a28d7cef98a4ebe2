//! Random scenes: whatever the user, the agent, and a slow or odd editor do, the session holds the
//! editor's text, no char of the user's is lost, and every decision is answered once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod desk;

use desk::{Desk, Manner, URI, path};
use proptest::prelude::*;
use redline_text::{Edit, Encoding, Text};
use redline_workspace::{
    Change, ContentChange, Effect, Event, ProposeError, ProposeMode, Reply, ResolveAction,
    ResolveRequest, Ticket,
};

const TEXT: &str = "alpha\nbeta 界\r\ngamma\n\ndelta 👩‍👩‍👧 x\nlast";

#[derive(Debug, Clone)]
enum Step {
    Type(u16),
    TypeTwice(u16, u16),
    Propose(u16, u16, bool),
    Apply(u16, u16),
    Final(u16),
    Delete(bool, bool),
    HoldWrites,
    Save,
    Decide(u8, u16),
    DecideAll(u8),
    Hold,
    Release,
    Manner(u8),
    CloseAndOpen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any::<u16>().prop_map(Step::Type),
        2 => any::<(u16, u16)>().prop_map(|(a, b)| Step::TypeTwice(a, b)),
        4 => any::<(u16, u16, bool)>().prop_map(|(a, b, c)| Step::Propose(a, b, c)),
        1 => any::<(u16, u16)>().prop_map(|(a, b)| Step::Apply(a, b)),
        1 => any::<u16>().prop_map(Step::Final),
        2 => any::<(bool, bool)>().prop_map(|(a, b)| Step::Delete(a, b)),
        1 => Just(Step::HoldWrites),
        1 => Just(Step::Save),
        4 => any::<(u8, u16)>().prop_map(|(a, b)| Step::Decide(a, b)),
        1 => any::<u8>().prop_map(Step::DecideAll),
        1 => Just(Step::Hold),
        2 => Just(Step::Release),
        1 => any::<u8>().prop_map(Step::Manner),
        1 => Just(Step::CloseAndOpen),
    ]
}

struct Scene {
    desk: Desk,
    typed: u32,
    news: u32,
    asked: Vec<Ticket>,
}

impl Scene {
    fn step(&mut self, step: &Step) {
        match *step {
            Step::Type(at) => {
                let at = self.place(at);
                let new = self.fresh();
                self.desk.types_at(at..at, &new);
            }
            Step::TypeTwice(a, b) => self.type_twice(a, b),
            Step::Propose(at, len, write) => self.propose(at, len, write, ProposeMode::Pending),
            // Applied at once: answered only when an editor that holds its answer lets go.
            Step::Apply(at, len) if self.is_quiet() => {
                self.propose(at, len, false, ProposeMode::Applied);
            }
            Step::Apply(..) => {}
            Step::Delete(own, applied) => self.delete(own, applied && self.is_quiet()),
            Step::HoldWrites => self.desk.holds_writes = true,
            Step::Save => self.save(),
            Step::Final(which) => self.finish_by_hand(which),
            Step::Decide(how, which) => {
                let hunks: Vec<_> = self
                    .desk
                    .session
                    .review(&path())
                    .iter()
                    .flat_map(|review| review.hunks.iter().map(|hunk| hunk.id))
                    .collect();
                if let Some(&id) = hunks.get(which as usize % hunks.len().max(1)) {
                    let request = ResolveRequest::hunks(action(how), vec![id]);
                    self.asked.push(self.desk.decides(request));
                }
            }
            Step::DecideAll(how) => {
                self.asked.push(self.desk.decides(ResolveRequest::all(action(how))));
            }
            Step::Hold => self.desk.holds = true,
            Step::Release => self.desk.release(),
            Step::Manner(n) => {
                self.desk.manner =
                    [Manner::Together, Manner::OneByOne, Manner::Full][n as usize % 3];
            }
            Step::CloseAndOpen => self.close_and_open(),
        }
        self.no_char_is_lost();
    }

    /// A multi-cursor event: one notification, two changes.
    fn type_twice(&mut self, a: u16, b: u16) {
        let (a, b) = (self.place(a), self.place(b));
        let text = self.desk.text.clone();
        let changes = [a.max(b), a.min(b)].map(|at| ContentChange {
            range: Some(text.position_range(at..at, Encoding::Utf16)),
            text: self.fresh(),
        });
        self.desk.change(changes.into());
    }

    /// The agent replaces text of the file's or its own, never the user's.
    fn propose(&mut self, at: u16, len: u16, write: bool, mode: ProposeMode) {
        self.news += 1;
        let new = char::from_u32(0x100000 + self.news).unwrap();
        let change = move |text: &Text| {
            let start = place_in(text, at);
            let mut end = text.floor(start + len as usize % 9);
            let slice = text.slice(start..end).into_owned();
            if let Some(user) = slice.find(is_user) {
                end = start + user;
            }
            let edit = Edit::new(start..end, format!("{new}\n"));
            let mut whole = text.clone();
            whole.apply(&edit);
            if write { Change::Write(whole) } else { Change::Edit(vec![edit]) }
        };
        let proposed = self.desk.proposal(&path(), "one", change, mode);
        match proposed {
            Ok(_) => {}
            // Deleted, and written again: looked at twice, as the tool does.
            Err(ProposeError::Stale) if write => {
                let again = self.desk.proposal(&path(), "one", change, mode);
                assert!(again.is_ok() || self.is_busy(), "{again:?}");
            }
            Err(error) => assert!(self.is_gone() || self.is_busy(), "{error:?}"),
        }
    }

    /// A deletion is taken, or there is a reason.
    fn delete(&mut self, own: bool, applied: bool) {
        let mode = if applied { ProposeMode::Applied } else { ProposeMode::Pending };
        let thread = if own { "one" } else { "two" };
        let before = self.desk.on_disk();
        let there = self.desk.disk.contains_key(&path());
        let unsaved = before != self.desk.text.to_string();
        match self.desk.proposal(&path(), thread, |_| Change::Delete, mode) {
            Ok(_) => assert!(there && !(applied && unsaved)),
            Err(ProposeError::Failed(_)) => assert!(applied && unsaved),
            Err(ProposeError::Going | ProposeError::Stale) => {}
            Err(ProposeError::NotOnDisk) => assert!(!there),
            Err(error) => panic!("{error:?}"),
        }
        assert!(applied || there == self.desk.disk.contains_key(&path()), "nothing but proposed");
    }

    fn save(&mut self) {
        let text = self.desk.text.to_string();
        self.desk.disk.insert(path(), desk::disk(&text));
        self.desk.event(Event::Saved { uri: URI.to_owned() });
    }

    fn is_gone(&self) -> bool {
        self.desk.session.is_gone(&path(), &"one".into())
    }

    /// A decision is on its way.
    fn is_busy(&self) -> bool {
        !self.desk.held.is_empty()
    }

    /// Nothing is in flight.
    fn is_quiet(&self) -> bool {
        let mut answers = self.asked.iter().map(|ticket| self.desk.replies.get(ticket));
        !self.desk.holds
            && !self.desk.holds_writes
            && self.desk.held.is_empty()
            && answers.all(|answer| answer.is_some())
    }

    fn finish_by_hand(&mut self, which: u16) {
        let review = self.desk.session.review(&path());
        let hunks = review.map(|review| review.hunks).unwrap_or_default();
        if let Some(hunk) = hunks.get(which as usize % hunks.len().max(1)) {
            let request = ResolveRequest::hunks(ResolveAction::Accept, vec![hunk.id]);
            let final_text = Some(format!("{}by hand\n", hunk.new_text));
            self.asked.push(self.desk.decides(ResolveRequest { final_text, ..request }));
        }
    }

    fn close_and_open(&mut self) {
        self.desk.held.retain(|effect| matches!(effect, Effect::WriteFile { .. }));
        self.desk.holds = false;
        // What is not saved would be lost by the user's own decision: save first.
        self.save();
        let disk = self.desk.disk.get(&path()).cloned();
        self.desk.event(Event::Closed { uri: URI.to_owned(), disk });
        let text = self.desk.on_disk();
        self.desk.text = Text::from(text.as_str());
        let disk = self.desk.disk.get(&path()).cloned();
        let (uri, version) = (URI.to_owned(), self.desk.version);
        self.desk.event(Event::Opened { file: path(), uri, version, text, disk });
    }

    fn no_char_is_lost(&self) {
        let text = self.desk.text.to_string();
        let lost =
            (1..=self.typed).filter(|n| !text.contains(char::from_u32(0xF0000 + n).unwrap()));
        assert_eq!(lost.count(), 0, "in {text:?}");
    }

    /// An editor that answers at last, and clocks that run out.
    fn settle(&mut self) {
        self.desk.release();
        for _ in 0..40 {
            let edits: Vec<_> = self
                .desk
                .effects
                .iter()
                .filter_map(|effect| match effect {
                    Effect::ApplyEdit { edit, .. } => Some(*edit),
                    _ => None,
                })
                .collect();
            edits.into_iter().for_each(|edit| self.desk.event(Event::EditExpired { edit }));
        }
        for ticket in &self.asked {
            assert!(matches!(self.desk.replies.get(ticket), Some(Reply::Resolved(Ok(_)))));
        }
    }

    fn place(&self, at: u16) -> usize {
        place_in(&self.desk.text, at)
    }

    fn fresh(&mut self) -> String {
        self.typed += 1;
        char::from_u32(0xF0000 + self.typed).unwrap().to_string()
    }
}

fn is_user(c: char) -> bool {
    (0xF0000..0x100000).contains(&(c as u32))
}

fn action(how: u8) -> ResolveAction {
    [ResolveAction::Accept, ResolveAction::Reject, ResolveAction::Reopen][how as usize % 3]
}

fn place_in(text: &Text, at: u16) -> usize {
    let at = text.floor(at as usize % (text.len() + 1));
    if at > 0 && text.slice(at - 1..at + 1) == "\r\n" { at - 1 } else { at }
}

fn cases() -> ProptestConfig {
    let cases = std::env::var("REDLINE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(600);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn nothing_is_lost(steps in proptest::collection::vec(step(), 1..40)) {
        let desk = Desk::open(TEXT);
        let mut scene = Scene { desk, typed: 0, news: 0, asked: Vec::new() };
        steps.iter().for_each(|step| scene.step(step));
        scene.settle();
    }

    /// Killed at any moment and started again, the session shows the same hunks under the same names,
    /// once the editor has opened what it holds.
    #[test]
    fn a_restart_brings_the_review_back(
        steps in proptest::collection::vec(step(), 1..40), more in proptest::collection::vec(step(), 0..10)
    ) {
        let desk = Desk::open(TEXT);
        let mut scene = Scene { desk, typed: 0, news: 0, asked: Vec::new() };
        steps.iter().for_each(|step| scene.step(step));
        let want: Vec<String> =
            scene.desk.shown().iter().map(|line| line.replace("accepting", "pending")).collect();
        scene.desk.restarts();
        scene.desk.opens();
        scene.asked.clear();
        prop_assert_eq!(scene.desk.shown(), want);
        more.iter().for_each(|step| scene.step(step));
        scene.settle();
    }

    /// One notification with several changes, one notification for each, and one with the whole
    /// text: the hunks are the same afterwards.
    #[test]
    fn split_and_joined_streams_end_alike(
        steps in proptest::collection::vec(step(), 1..20), a in any::<u16>(), b in any::<u16>()
    ) {
        let run = |split: bool| {
            let desk = Desk::open(TEXT);
            let mut scene = Scene { desk, typed: 0, news: 0, asked: Vec::new() };
            steps.iter().for_each(|step| scene.step(step));
            scene.settle();
            if split {
                let (a, b) = (scene.place(a), scene.place(b));
                for at in [a.max(b), a.min(b)] {
                    let new = scene.fresh();
                    scene.desk.types_at(at..at, &new);
                }
            } else {
                scene.type_twice(a, b);
            }
            (scene.desk.shown(), scene.desk.text.to_string())
        };
        prop_assert_eq!(run(true), run(false));
    }
}
