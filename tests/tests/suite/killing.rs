//! The server is killed (`kill -9`) at random points of random work. Whatever it had acknowledged is
//! there after the next start, and nothing is there by half.
//!
//! `REDLINE_KILLS=1000` kills so often (100 without it), `REDLINE_SEED` begins at another seed. A
//! failure prints its seed and what was done.

mod act;

use self::act::{Act, Fact, Facts};
use redline_tests::dice::Dice;
use redline_tests::session::strings;
use redline_tests::{Options, Session};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, SystemTime};

/// Kills in one workspace: enough to die of what earlier deaths left.
const LIVES: usize = 10;
const LINES: usize = 80;
const OPEN: [&str; 2] = ["a.txt", "b.txt"];
const CLOSED: &str = "c.txt";

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_is_half_done() {
    let (kills, seed) = (number("REDLINE_KILLS", 100), number("REDLINE_SEED", 1));
    for world in 0..kills.div_ceil(LIVES) {
        let mut world = World::new((seed + world) as u64);
        for _ in 0..LIVES {
            world.live_and_die();
        }
        world.leaves_nothing_behind();
    }
}

struct World {
    seed: u64,
    dice: Dice,
    session: Option<Session>,
    /// What the server has acknowledged, by file.
    sure: Facts,
    /// What it or the editor wrote.
    disk: BTreeMap<String, String>,
    ids: BTreeSet<String>,
    used: BTreeSet<(String, usize)>,
    count: usize,
    /// When a call was last made. With it goes what was decided before: it is listed no more.
    called: usize,
    /// When hunks were last decided.
    decided: BTreeMap<String, usize>,
    history: Vec<String>,
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("REDLINE_SEED={}; what was done:\n{}", self.seed, self.history.join("\n"));
            if let Some(session) = &self.session {
                eprintln!("the last server's log:\n{}", session.client.log().join("\n"));
                let root = session.sandbox.workspace();
                let log = fs::read(session.sandbox.kept(&root).join("review.log"));
                let log = log.unwrap_or_default();
                eprintln!("its journal:\n{}", String::from_utf8_lossy(&log));
            }
        }
    }
}

impl World {
    fn new(seed: u64) -> Self {
        let text: String = (0..LINES).map(|n| format!("line {n} of it\n")).collect();
        let files = ["a.txt", "b.txt", CLOSED].map(|name| (name, text.as_str()));
        let mut session = Session::with(&files, Options::default());
        OPEN.iter().for_each(|name| drop(session.open(name)));
        let disk = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
        Self {
            seed,
            dice: Dice::new(seed),
            session: Some(session),
            sure: Facts::new(),
            disk: BTreeMap::from(disk),
            ids: BTreeSet::new(),
            used: BTreeSet::new(),
            count: 0,
            called: 0,
            decided: BTreeMap::new(),
            history: Vec::new(),
        }
    }

    fn session(&mut self) -> &mut Session {
        self.session.as_mut().expect("a session")
    }

    fn live_and_die(&mut self) {
        for _ in 0..self.dice.below(7) {
            let act = self.choose();
            self.history.push(format!("{act:?}"));
            let request = self.begin(&act);
            self.finish(&act, request);
        }
        let act = self.choose();
        self.history.push(format!("{act:?}, killed:"));
        let request = self.begin(&act);
        let acknowledged = self.kill(request);
        self.history.push(format!("  acknowledged: {acknowledged}"));
        self.restart();
        self.compare(&act, acknowledged);
    }

    fn choose(&mut self) -> Act {
        self.count += 1;
        let count = self.count;
        let act = match self.dice.below(20) {
            0..6 => self.propose(),
            6 => Some(Act::Create { file: format!("new{count}.txt") }),
            7..13 => self.decide(),
            13..18 => self.typing(),
            _ => self.dice.pick(&OPEN).map(|file| Act::Save { file: (*file).to_owned() }),
        };
        act.unwrap_or_else(|| Act::Create { file: format!("new{count}.txt") })
    }

    /// On a line that no hunk has had.
    fn propose(&mut self) -> Option<Act> {
        let file = (*self.dice.pick(&["a.txt", "b.txt", CLOSED])?).to_owned();
        let line = self.dice.below(LINES);
        let old = format!("line {line} of it\n");
        let agent = format!("agent {}", self.count);
        let new = match self.dice.below(3) {
            0 => format!("{agent}\n"),
            1 => format!("{agent}\nand more\n"),
            _ => format!("line {line} of the {agent}\n"),
        };
        self.used.insert((file.clone(), line)).then_some(Act::Propose { file, old, new })
    }

    fn decide(&mut self) -> Option<Act> {
        let files: Vec<String> = self.sure.keys().cloned().collect();
        let file = self.dice.pick(&files)?.clone();
        let hunk = self.dice.pick(&self.sure[&file])?.clone();
        let (action, to) = match hunk.state.as_str() {
            "pending" if self.dice.one_in(3) => ("reject", "rejected"),
            "pending" => ("accept", "accepted"),
            "accepted" | "rejected" if !self.may_vanish(&hunk) => ("reopen", "pending"),
            _ => return None,
        };
        // A new file that was made is not unmade here: it may be anywhere by now.
        let created = file.starts_with("new") && action == "reopen";
        (!created).then_some(Act::Decide { file, action, to, hunk })
    }

    fn may_vanish(&self, fact: &Fact) -> bool {
        let decided = self.decided.get(&fact.id).copied().unwrap_or_default();
        fact.state != "pending" && decided < self.called
    }

    /// Anywhere in an open document, in a hunk it may be.
    fn typing(&mut self) -> Option<Act> {
        let file = (*self.dice.pick(&OPEN)?).to_owned();
        let before = format!("line {} of it", self.dice.below(LINES));
        let end = if self.dice.one_in(2) { " " } else { "\n" };
        let text = format!("user {}{end}", self.count);
        let uri = self.session().uri(&file);
        self.session().client.text(&uri).contains(&before).then_some(Act::Type {
            file,
            before,
            text,
        })
    }

    fn begin(&mut self, act: &Act) -> Option<u64> {
        match act {
            Act::Propose { .. } | Act::Create { .. } => self.called = self.count,
            Act::Decide { hunk, .. } => drop(self.decided.insert(hunk.id.clone(), self.count)),
            Act::Type { .. } | Act::Save { .. } => {}
        }
        let session = self.session();
        let tool = |name: &str, args: Value| json!({ "name": name, "args": args });
        let (method, params) = match act {
            Act::Propose { file, old, new } => {
                let path = session.sandbox.path(file);
                let args = json!({ "path": path, "old_str": old, "new_str": new });
                ("redline/tool", tool("edit_file", args))
            }
            Act::Create { file } => {
                let args = json!({ "path": session.sandbox.path(file), "content": "new\n" });
                ("redline/tool", tool("create_file", args))
            }
            Act::Decide { action, hunk, .. } => {
                ("redline/resolve", json!({ "action": action, "hunks": [hunk.id] }))
            }
            Act::Type { file, before, text } => {
                let uri = session.uri(file);
                session.client.type_before(&uri, before, text);
                return None;
            }
            Act::Save { file } => {
                let uri = session.uri(file);
                for (method, params) in session.client.editor.save(&[uri]).notifications {
                    session.client.notify(method, &params);
                }
                return None;
            }
        };
        Some(session.client.begin(method, &params))
    }

    fn finish(&mut self, act: &Act, request: Option<u64>) {
        let Some(request) = request else { return self.settle() };
        let answer =
            self.session().client.finish(request).unwrap_or_else(|e| panic!("{act:?}: {e}"));
        if let Act::Decide { hunk, .. } = act {
            assert_eq!(
                strings(&answer["resolved"]),
                *std::slice::from_ref(&hunk.id),
                "{act:?}: {answer}"
            );
        } else {
            assert_eq!(answer["status"], "done", "{act:?}: {answer}");
            for hunk in strings(&answer["review"]["hunks"]) {
                assert!(self.ids.insert(hunk.clone()), "{hunk} was given before");
            }
        }
        self.sure = self.facts();
        self.disk = self.files();
    }

    /// Nothing tells that a notification has been written down but an answer after it.
    fn settle(&mut self) {
        if let Some(fact) = self.sure.values().flatten().next().cloned() {
            let params = json!({ "action": "reopen", "hunks": [fact.id], "revision": null });
            if fact.state == "pending" {
                self.session().client.call("redline/resolve", &params);
            }
        }
        self.sure = self.facts();
        self.disk = self.files();
    }

    /// Whether the request was answered before the end, or what was sent last was no request.
    fn kill(&mut self, request: Option<u64>) -> bool {
        let (messages, micros) = (self.dice.below(8), self.dice.below(3000) as u64);
        let (reads, drains) = (self.dice.one_in(2), self.dice.one_in(2));
        let client = &mut self.session().client;
        match reads {
            true => client.read(messages, Duration::from_millis(50), request),
            // Not a wait for anything: the moment is the test's subject.
            false => std::thread::park_timeout(Duration::from_micros(micros)),
        }
        client.kill();
        if drains {
            client.drain();
        }
        request.is_some_and(|request| client.answered(request))
    }

    /// The editor lives on: its buffers are opened again. Some servers do not survive their own start.
    fn restart(&mut self) {
        let mut session = self.session.take().expect("a session");
        let documents = std::mem::take(&mut session.client.editor.documents);
        let mut session = session.restart();
        while self.dice.one_in(6) {
            let micros = self.dice.below(5000) as u64;
            std::thread::park_timeout(Duration::from_micros(micros));
            session = session.restart();
        }
        for document in documents.values() {
            session.client.open_as(&document.path, &document.text);
        }
        self.session = Some(session);
    }

    fn compare(&mut self, act: &Act, acknowledged: bool) {
        let (found, disk) = (self.facts(), self.files());
        let files: BTreeSet<&String> = found.keys().chain(self.sure.keys()).collect();
        let none = Vec::new();
        for file in files {
            let (is, was) =
                (found.get(file).unwrap_or(&none), self.sure.get(file).unwrap_or(&none));
            let gone = |fact: &&Fact| !self.may_vanish(fact) || is.iter().any(|f| f.id == fact.id);
            let was: Vec<Fact> = was.iter().filter(gone).cloned().collect();
            let same = *is == was && !(acknowledged && act.file() == file);
            let right = same || act.file() == file && act.leads_to(&was, is);
            assert!(right, "{file} was {was:#?}\nand is {is:#?}");
        }
        self.compare_disk(act, &found, &disk);
        for name in OPEN {
            let uri = self.session().uri(name);
            self.session().assert_in_sync(&uri);
        }
        let told = self.session().client.log();
        assert!(!told.iter().any(|line| line.contains("cannot be")), "{told:?}");
        self.ids.extend(found.values().flatten().map(|fact| fact.id.clone()));
        (self.sure, self.disk) = (found, disk);
    }

    /// What the server writes is the old or the new text, and the hunk's state says which.
    fn compare_disk(&self, act: &Act, found: &Facts, disk: &BTreeMap<String, String>) {
        for file in
            disk.keys().chain(self.disk.keys()).filter(|file| !OPEN.contains(&file.as_str()))
        {
            let (is, was) = (disk.get(file), self.disk.get(file));
            let Act::Decide { hunk, to, file: decided, .. } = act else {
                assert_eq!(is, was, "{file}");
                continue;
            };
            let done = decided == file
                && found.get(file).is_some_and(|facts| {
                    facts.iter().any(|fact| fact.id == hunk.id && fact.state == *to)
                });
            let text = was.map_or("", String::as_str);
            let want = match (hunk.state.as_str(), *to) {
                _ if !done => was.cloned(),
                ("pending", "accepted") if was.is_none() => Some(hunk.new.clone()),
                ("pending", "accepted") => Some(text.replacen(&hunk.old, &hunk.new, 1)),
                ("accepted", "pending") => Some(text.replacen(&hunk.new, &hunk.old, 1)),
                _ => was.cloned(),
            };
            assert_eq!(is, want.as_ref(), "{file}, after {act:?}");
        }
    }

    fn facts(&mut self) -> Facts {
        let root = self.session().uri("");
        let answer = self.session().client.call("redline/reviews", &json!({}));
        let text = |hunk: &Value, key: &str| hunk[key].as_str().unwrap().to_owned();
        let fact = |hunk: &Value| Fact {
            id: text(hunk, "id"),
            state: text(hunk, "state"),
            old: text(hunk, "oldText"),
            new: text(hunk, "newText"),
        };
        let files = answer["files"].as_array().unwrap().iter().map(|file| {
            let name = file["uri"].as_str().unwrap().trim_start_matches(&root).to_owned();
            (name, file["hunks"].as_array().unwrap().iter().map(fact).collect())
        });
        files.collect()
    }

    /// The texts of the workspace's files, but for what a killed write may leave for a day.
    fn files(&mut self) -> BTreeMap<String, String> {
        let entries = fs::read_dir(self.session().sandbox.workspace()).unwrap();
        let entries = entries.map(|entry| entry.unwrap()).filter(|entry| entry.path().is_file());
        let file = |entry: fs::DirEntry| {
            let text = fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), text)
        };
        entries.map(file).filter(|(name, _)| !name.starts_with(".redline-")).collect()
    }

    /// A day later a start or a write sweeps away what killed writes have left.
    fn leaves_nothing_behind(&mut self) {
        let old = SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60);
        let session = self.session();
        let root = session.sandbox.workspace();
        let folders = [root.clone(), session.sandbox.kept(&root)];
        let left = || {
            let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
            let paths = entries.map(|entry| entry.unwrap().path());
            let ours = |path: &std::path::PathBuf| path.to_string_lossy().contains("/.redline-");
            paths.filter(ours).collect::<Vec<_>>()
        };
        for path in left() {
            fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
        }
        self.restart();
        let file = "last.txt".to_owned();
        let request = self.begin(&Act::Create { file: file.clone() });
        self.finish(&Act::Create { file: file.clone() }, request);
        let hunk = self.sure[&file][0].clone();
        let act = Act::Decide { file, action: "accept", to: "accepted", hunk };
        let request = self.begin(&act);
        self.finish(&act, request);
        assert_eq!(left(), Vec::<std::path::PathBuf>::new());
    }
}
