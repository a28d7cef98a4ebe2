//! After `kill -9` and a restart: the same hunks, ids, decisions and texts.

use redline_tests::session::{id, strings};
use redline_tests::{OnEdit, Options, Session, sandbox};
use serde_json::{Value, json};
use std::fs;

const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

/// What a restart must not change of hunks.
fn facts(hunks: &[Value]) -> Vec<Value> {
    let fact = |h: &Value| {
        json!([h["id"], h["state"], h["oldText"], h["newText"], h["mixed"], h["origin"]])
    };
    hunks.iter().map(fact).collect()
}

fn states(hunks: &[Value]) -> Vec<(String, String)> {
    let state = |h: &Value| (id(h), h["state"].as_str().unwrap().to_owned());
    hunks.iter().map(state).collect()
}

/// Kills the server, starts it again and opens the buffer with the text that it had: everything is as
/// before.
fn restarted(mut session: Session, uri: &str) -> Session {
    let before = facts(&session.listed(uri));
    assert!(!before.is_empty(), "nothing to compare");
    let mut session = reopened(session, uri);
    assert_eq!(facts(&session.listed(uri)), before);
    session.assert_in_sync(uri);
    session
}

fn reopened(session: Session, uri: &str) -> Session {
    let document = &session.client.editor.documents[uri];
    let (path, text) = (document.path.clone(), document.text.clone());
    let mut session = session.restart();
    session.client.open_as(&path, &text);
    session
}

fn open_with(text: &str, options: Options) -> (Session, String) {
    let mut session = Session::with(&[("a.txt", text)], options);
    let uri = session.open("a.txt");
    (session, uri)
}

fn open() -> (Session, String) {
    open_with(FILE, Options::default())
}

/// An answer comes after everything before it has been written down.
fn settle(session: &mut Session, hunk: &str) {
    session.resolve(&json!({ "action": "reopen", "hunks": [hunk] }));
}

#[test]
fn proposals_wait_and_can_be_accepted() {
    let (mut session, uri) = open();
    let first = session.edit("a.txt", "two", "TWO");
    let second = session.edit("a.txt", "five\nsix\n", "5\n");
    let mut session = restarted(session, &uri);
    session.decide("accept", &[first, second].concat());
    assert_eq!(session.client.text(&uri), "one\nTWO\nthree\nfour\n5\nseven\n");
    assert_eq!(session.client.editor.edits.len(), 1);
    session.assert_in_sync(&uri);
    // And once more.
    restarted(session, &uri);
}

#[test]
fn proposals_wait_through_restarts_without_the_editor() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.uri("a.txt");
    let hunks = session.edit("a.txt", "two", "TWO");
    let before = facts(&session.listed(&uri));
    for _ in 0..3 {
        session = session.restart();
        assert_eq!(facts(&session.listed(&uri)), before);
    }
    session.decide("accept", &hunks);
    assert_eq!(session.sandbox.disk("a.txt"), FILE.replace("two", "TWO"));
    let mut session = session.restart();
    assert_eq!(states(&session.listed(&uri)), [(hunks[0].clone(), "accepted".to_owned())]);
    assert_eq!(session.sandbox.disk("a.txt"), FILE.replace("two", "TWO"));
}

#[test]
fn decisions_stay_and_can_be_reopened() {
    let options = Options { settings: json!({ "saveOnAccept": false }), ..Options::default() };
    for options in [options, Options::default()] {
        let (mut session, uri) = open_with(FILE, options);
        let accepted = session.edit("a.txt", "two", "TWO");
        let rejected = session.edit("a.txt", "four", "FOUR");
        let waiting = session.edit("a.txt", "six", "SIX");
        session.decide("accept", &accepted);
        session.decide("reject", &rejected);
        let mut session = restarted(session, &uri);
        session.hunk_in_state(&uri, &accepted[0], "accepted");
        session.hunk_in_state(&uri, &rejected[0], "rejected");
        session.decide("reopen", &accepted);
        assert_eq!(session.client.text(&uri), FILE);
        session.decide("reopen", &rejected);
        assert_eq!(session.pending(&uri, 3).len(), 3);
        let mut session = restarted(session, &uri);
        session.decide("accept", &[accepted, rejected, waiting].concat());
        let all = FILE.replace("two", "TWO").replace("four", "FOUR").replace("six", "SIX");
        assert_eq!(session.client.text(&uri), all);
    }
}

#[test]
fn what_was_accepted_and_not_saved_is_lost_with_the_buffer_and_waits_again() {
    let options = Options { settings: json!({ "saveOnAccept": false }), ..Options::default() };
    let (mut session, uri) = open_with(FILE, options);
    let hunks = session.edit("a.txt", "two", "TWO");
    session.decide("accept", &hunks);
    let mut session = session.restart();
    session.open("a.txt");
    let hunk = session.hunk_in_state(&uri, &hunks[0], "pending");
    assert_eq!((&hunk["oldText"], &hunk["newText"]), (&json!("two\n"), &json!("TWO\n")));
    session.decide("accept", &hunks);
    assert_eq!(session.client.text(&uri), FILE.replace("two", "TWO"));
}

/// Saved, and killed before the server heard of it.
#[test]
fn what_was_accepted_and_saved_at_the_very_end_is_accepted() {
    let options = Options { settings: json!({ "saveOnAccept": false }), ..Options::default() };
    for opens in [true, false] {
        let (mut session, uri) = open_with(FILE, options.clone());
        let hunks = session.edit("a.txt", "two", "TWO");
        session.decide("accept", &hunks);
        let text = session.client.text(&uri).to_owned();
        session.client.kill();
        session.sandbox.write("a.txt", &text);
        let mut session = session.restart();
        if opens {
            session.open("a.txt");
        }
        session.hunk_in_state(&uri, &hunks[0], "accepted");
        assert_eq!(session.content(&uri, "editor"), text);
    }
}

#[test]
fn applied_hunks_can_still_be_undone() {
    let sandbox = redline_tests::Sandbox::new();
    let allow = json!({ "redline.permissions": [{ "tool": "edit_file", "action": "allow" }] });
    sandbox.configure(&allow);
    sandbox.write("a.txt", FILE);
    let mut session = Session::start_in(sandbox, Options::default());
    let uri = session.open("a.txt");
    let hunks = session.edit("a.txt", "two", "TWO");
    session.hunk_in_state(&uri, &hunks[0], "applied");
    session.client.wait("the edit", |client| client.text(&uri).contains("TWO").then_some(()));
    let mut session = restarted(session, &uri);
    session.decide("reject", &hunks);
    assert_eq!(session.client.text(&uri), FILE);
    session.assert_in_sync(&uri);
}

#[test]
fn a_new_file_waits() {
    let mut session = Session::with_files(&[]);
    let path = session.sandbox.path("new/deep/a.txt");
    let args = json!({ "path": path, "content": "one\ntwo\n" });
    let hunks = strings(&session.tool("create_file", &args)["review"]["hunks"]);
    let uri = session.uri("new/deep/a.txt");
    let before = facts(&session.listed(&uri));
    let mut session = session.restart();
    assert_eq!(facts(&session.listed(&uri)), before);
    assert!(!session.sandbox.path("new").exists());
    session.edit("new/deep/a.txt", "two", "zwei");
    let mut session = session.restart();
    session.decide("accept", &hunks);
    assert_eq!(session.sandbox.disk("new/deep/a.txt"), "one\nzwei\n");
    let before = facts(&session.listed(&uri));
    let mut session = session.restart();
    assert_eq!(facts(&session.listed(&uri)), before);
    assert_eq!(session.sandbox.disk("new/deep/a.txt"), "one\nzwei\n");
}

#[test]
fn a_deletion_waits() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let path = session.sandbox.path("a.txt");
    let result = session.tool("delete_file", &json!({ "path": path }));
    if result["status"] != "done" {
        return; // Not every dialect offers it.
    }
    let hunks = strings(&result["review"]["hunks"]);
    let mut session = session.restart();
    assert!(path.exists());
    session.decide("accept", &hunks);
    assert!(!path.exists());
}

#[test]
fn typing_inside_and_beside_hunks_is_still_the_users() {
    let (mut session, uri) = open();
    let first = session.edit("a.txt", "two\nthree\n", "2\n3\n");
    let second = session.edit("a.txt", "six", "SIX");
    session.client.type_before(&uri, "three", "USER ");
    session.client.type_before(&uri, "one", "zero\n");
    session.client.type_before(&uri, "ix", "-");
    settle(&mut session, &second[0]);
    let mut session = restarted(session, &uri);
    session.client.type_before(&uri, "seven", "almost ");
    settle(&mut session, &second[0]);
    let mut session = restarted(session, &uri);
    session.resolve(&json!({ "action": "accept", "hunks": [first[0], second[0]] }));
    session.assert_in_sync(&uri);
    for text in ["USER", "zero\n", "-", "almost "] {
        assert!(session.client.text(&uri).contains(text), "{:?}", session.client.text(&uri));
    }
}

#[test]
fn a_buffer_that_changed_meanwhile() {
    let check = |text: &str, want: &str| {
        let (mut session, uri) = open();
        let hunks = session.edit("a.txt", "four", "FOUR");
        let path = session.sandbox.path("a.txt");
        let mut session = session.restart();
        session.client.open_as(&path, text);
        let hunk = session.hunk_in_state(&uri, &hunks[0], "pending");
        assert_eq!(hunk["newText"], "FOUR\n", "{text:?}");
        session.assert_in_sync(&uri);
        session.decide("accept", &hunks);
        assert_eq!(session.client.text(&uri), want, "{text:?}");
        assert_eq!(session.sandbox.disk("a.txt"), FILE, "unsaved text is never saved for the user");
    };
    check(
        "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\n",
        "zero\none\ntwo\nthree\nFOUR\nfive\nsix\nseven\n",
    );
    check("four\nfive\nSECHS\nseven\n", "FOUR\nfive\nSECHS\nseven\n");
    check("one\ntwo\nthree\nfour\n", "one\ntwo\nthree\nFOUR\n");
}

#[test]
fn a_file_that_changed_on_disk_meanwhile() {
    for opens in [true, false] {
        let (mut session, uri) = open();
        let hunks = session.edit("a.txt", "four", "FOUR");
        let new = format!("zero\n{}", FILE.replace("six", "SECHS"));
        session.client.kill();
        session.sandbox.write("a.txt", &new);
        let mut session = session.restart();
        if opens {
            session.open("a.txt");
        }
        let hunk = session.hunk_in_state(&uri, &hunks[0], "pending");
        assert_eq!(hunk["range"]["start"]["line"], 4, "{hunk}");
        assert_eq!(session.sandbox.disk("a.txt"), new);
        session.decide("accept", &hunks);
        let want = new.replace("four", "FOUR");
        assert_eq!(session.content(&uri, "editor"), want);
        if !opens {
            assert_eq!(session.sandbox.disk("a.txt"), want);
        }
    }
}

#[test]
fn old_text_that_is_gone_from_the_disk_is_a_conflict() {
    for opens in [true, false] {
        let (mut session, uri) = open();
        let hunks = session.edit("a.txt", "four", "FOUR");
        session.client.kill();
        let new = FILE.replace("four", "vier");
        session.sandbox.write("a.txt", &new);
        let mut session = session.restart();
        if opens {
            session.open("a.txt");
        }
        let hunk = session.hunk_in_state(&uri, &hunks[0], "conflict");
        let text = hunk["newText"].as_str().unwrap();
        assert!(text.contains("FOUR"), "the agent's text is shown: {hunk}");
        assert_eq!(session.sandbox.disk("a.txt"), new);
        session.decide("reject", &hunks);
        assert_eq!(session.sandbox.disk("a.txt"), new);
    }
}

#[test]
fn a_file_that_was_deleted_meanwhile_is_not_made_again() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.uri("a.txt");
    let hunks = session.edit("a.txt", "four", "FOUR");
    session.client.kill();
    fs::remove_file(session.sandbox.path("a.txt")).unwrap();
    let mut session = session.restart();
    let listed = session.listed(&uri);
    assert_eq!(states(&listed), [(hunks[0].clone(), "conflict".to_owned())]);
    assert!(listed[0]["newText"].as_str().unwrap().contains("FOUR"), "{listed:#?}");
    assert!(!session.sandbox.path("a.txt").exists());
    session.decide("reject", &hunks);
    assert!(!session.sandbox.path("a.txt").exists());
}

/// The server is killed while the editor has an edit that it has not answered.
fn killed_in_flight() -> (Session, String, Vec<String>) {
    let (mut session, uri) = open();
    let hunks = session.edit("a.txt", "two", "TWO");
    session.edit("a.txt", "six", "SIX");
    session.client.plan(&[OnEdit::Hold]);
    session.client.begin("redline/resolve", &json!({ "action": "accept", "hunks": hunks }));
    session.client.wait("the edit", |client| client.holds_edit().then_some(()));
    session.hunk_in_state(&uri, &hunks[0], "accepting");
    session.client.kill();
    (session, uri, hunks)
}

#[test]
fn an_accept_in_flight_that_the_editor_has_made() {
    for saved in [false, true] {
        let (session, uri, hunks) = killed_in_flight();
        let path = session.sandbox.path("a.txt");
        let text = FILE.replace("two", "TWO");
        if saved {
            fs::write(&path, &text).unwrap();
        }
        let mut session = session.restart();
        session.client.open_as(&path, &text);
        session.hunk_in_state(&uri, &hunks[0], "accepted");
        assert_eq!(session.pending(&uri, 1)[0]["newText"], "SIX\n");
        session.assert_in_sync(&uri);
        session.decide("reopen", &hunks);
        assert_eq!(session.client.text(&uri), FILE);
    }
}

#[test]
fn an_accept_in_flight_that_the_editor_has_not_made() {
    for typed in ["", "USER "] {
        let (session, uri, hunks) = killed_in_flight();
        let path = session.sandbox.path("a.txt");
        let text = FILE.replace("four", &format!("{typed}four"));
        let mut session = session.restart();
        session.client.open_as(&path, &text);
        session.hunk_in_state(&uri, &hunks[0], "pending");
        assert_eq!(session.pending(&uri, 2).len(), 2);
        assert_eq!(session.client.text(&uri), text);
        session.assert_in_sync(&uri);
        session.decide("accept", &hunks);
        assert_eq!(session.client.text(&uri), text.replace("two", "TWO"));
    }
}

/// Killed at some moment of a write: the disk says what became of it.
#[test]
fn an_accept_that_the_server_writes_itself() {
    for step in 0..12 {
        let mut session = Session::with_files(&[("a.txt", FILE)]);
        let uri = session.uri("a.txt");
        let hunks = session.edit("a.txt", "two", "TWO");
        session.edit("a.txt", "six", "SIX");
        session.client.begin("redline/resolve", &json!({ "action": "accept", "hunks": hunks }));
        // Not a wait for anything: the moment is the test's subject.
        std::thread::park_timeout(std::time::Duration::from_micros(400 * step));
        session.client.kill();
        let new = FILE.replace("two", "TWO");
        let disk = session.sandbox.disk("a.txt");
        assert!([FILE, &new].contains(&disk.as_str()), "{disk:?}");
        let mut session = session.restart();
        let state = if disk == new { "accepted" } else { "pending" };
        session.hunk_in_state(&uri, &hunks[0], state);
        assert_eq!(session.sandbox.disk("a.txt"), disk);
        session.resolve(&json!({ "action": "accept" }));
        assert_eq!(session.sandbox.disk("a.txt"), new.replace("six", "SIX"));
    }
}

#[test]
fn an_accept_is_undone_by_the_editor_after_the_restart() {
    for report in [true, false] {
        let (mut session, uri) = open();
        let hunks = session.edit("a.txt", "two", "TWO");
        session.decide("accept", &hunks);
        let mut session = restarted(session, &uri);
        if report {
            let version = session.client.editor.document(&uri).version + 1;
            let params = json!({ "uri": uri, "version": version, "reason": "undo" });
            session.client.notify("redline/changeReason", &params);
        }
        session.client.replace(&uri, "TWO", "two");
        session.hunk_in_state(&uri, &hunks[0], "pending");
        session.assert_in_sync(&uri);
    }
}

#[test]
fn two_threads_keep_what_is_theirs() {
    let (mut session, uri) = open();
    let path = session.sandbox.path("a.txt");
    let mut edit = |thread: &str, old: &str, new: &str| {
        let args = json!({ "path": path, "old_str": old, "new_str": new });
        let params = json!({ "name": "edit_file", "args": args, "threadId": thread });
        let result = session.client.call("redline/tool", &params);
        strings(&result["review"]["hunks"])
    };
    let red = edit("red", "two", "RED");
    let blue = edit("blue", "six", "BLUE");
    let both = edit("blue", "two", "BLUE TOO");
    let mut session = restarted(session, &uri);
    let params = json!({ "uri": uri, "projection": "agent", "threadId": "blue" });
    let agent = session.client.call("redline/content", &params);
    assert_eq!(agent["text"], FILE.replace("two", "BLUE TOO").replace("six", "BLUE"));
    session.decide("accept", &blue);
    session.decide("accept", &red);
    session.assert_in_sync(&uri);
    let states = states(&session.listed(&uri));
    let of_both = states.iter().find(|(hunk, _)| *hunk == both[0]);
    assert!(of_both.is_none_or(|(_, state)| state != "pending"), "{states:?}");
}

#[test]
fn several_folders() {
    let sandbox = redline_tests::Sandbox::new();
    let other = sandbox.outside("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("b.txt"), FILE).unwrap();
    sandbox.write("a.txt", FILE);
    let options = Options { folders: vec![other.clone()], ..Options::default() };
    let mut session = Session::start_in(sandbox, options);
    let (a, b) = (session.uri("a.txt"), sandbox::uri(&other.join("b.txt")));
    let mut hunks = session.edit("a.txt", "two", "TWO");
    let args = json!({ "path": other.join("b.txt"), "old_str": "six", "new_str": "SIX" });
    hunks.extend(strings(&session.tool("edit_file", &args)["review"]["hunks"]));
    let before = [facts(&session.listed(&a)), facts(&session.listed(&b))];
    for _ in 0..2 {
        session = session.restart();
        assert_eq!([facts(&session.listed(&a)), facts(&session.listed(&b))], before);
    }
    session.decide("accept", &hunks);
    assert_eq!(session.sandbox.disk("a.txt"), FILE.replace("two", "TWO"));
    assert_eq!(fs::read_to_string(other.join("b.txt")).unwrap(), FILE.replace("six", "SIX"));
    assert_ne!(session.sandbox.kept(&other), session.sandbox.kept(&session.sandbox.workspace()));
}

#[test]
fn encodings_and_line_ends_are_what_they_were() {
    let check = |before: &[u8], old: &str, new: &str, want: &[u8]| {
        let mut session = Session::start(Options::default());
        let path = session.sandbox.write("f.txt", before);
        let hunks = session.edit("f.txt", old, new);
        let mut session = session.restart();
        assert_eq!(fs::read(&path).unwrap(), before);
        session.decide("accept", &hunks);
        let disk = fs::read(&path).unwrap();
        assert_eq!(disk.escape_ascii().to_string(), want.escape_ascii().to_string());
    };
    check(b"\xFF\xFEa\0\r\0\n\0b\0", "b", "\u{1F600}", b"\xFF\xFEa\0\r\0\n\0\x3D\xD8\x00\xDE");
    check(b"\xEF\xBB\xBFone\r\ntwo", "two", "2\n3", b"\xEF\xBB\xBFone\r\n2\r\n3");
    check(b"one\rtwo\nthree\r\n", "two", "2", b"one\r2\nthree\r\n");

    let (mut session, uri) = open_with("a\r\nb\r\nc", Options::default());
    let hunks = session.edit("a.txt", "b", "B1\nB2");
    let mut session = restarted(session, &uri);
    session.decide("accept", &hunks);
    assert_eq!(session.client.text(&uri), "a\r\nB1\r\nB2\r\nc");
}

#[test]
fn ids_are_never_given_twice() {
    let mut session = Session::with_files(&[("a.txt", FILE), ("b.txt", FILE)]);
    let mut seen = Vec::new();
    let words = ["one", "two", "three", "four", "five"];
    for (round, word) in words.into_iter().enumerate() {
        for file in ["a.txt", "b.txt"] {
            let hunks = session.edit(file, word, &word.to_uppercase());
            assert!(!seen.contains(&hunks[0]), "{hunks:?} again, after {seen:?}");
            seen.extend(hunks.clone());
            if round % 2 == 0 {
                session.decide(if file == "a.txt" { "accept" } else { "reject" }, &hunks);
            }
        }
        session = session.restart();
    }
}

/// Damages a file of the journal; whatever it is, the server starts, says so, and the agent's text is
/// shown or can be found.
fn damaged(what: &str, damage: impl FnOnce(&mut Vec<u8>)) {
    let mut session = Session::with_files(&[("a.txt", FILE), ("b.txt", FILE)]);
    let first = session.edit("a.txt", "two", "MARK-ONE");
    session.edit("b.txt", "six", "MARK-TWO");
    session.client.kill();
    let kept = session.sandbox.kept(&session.sandbox.workspace());
    let path = kept.join(what);
    let mut bytes = fs::read(&path).unwrap();
    damage(&mut bytes);
    fs::write(&path, bytes).unwrap();

    let mut session = session.restart();
    let uris = ["a.txt", "b.txt"].map(|name| session.uri(name));
    let shown: Vec<Value> = uris.iter().flat_map(|uri| session.listed(uri)).collect();
    if shown.len() < 2 {
        let complains = |line: &String| line.contains("damaged") || line.contains("be shown (");
        session.client.wait(&format!("what is wrong with {what}"), |client| {
            client.log().into_iter().find(complains)
        });
    }
    for mark in ["MARK-ONE", "MARK-TWO"] {
        let is_shown = shown.iter().any(|hunk| hunk["newText"].to_string().contains(mark));
        assert!(is_shown || is_under(&kept, mark), "{what}: {mark} is gone");
    }
    // It works, with new ids.
    let new = session.edit("a.txt", "four", "FOUR");
    assert!(!first.contains(&new[0]) && !shown.iter().any(|hunk| id(hunk) == new[0]));
    let uri = session.uri("a.txt");
    let before = facts(&session.listed(&uri));
    let mut session = session.restart();
    assert_eq!(facts(&session.listed(&uri)), before);
    let complaints = session.client.log().iter().filter(|line| line.contains("damaged")).count();
    assert_eq!(complaints, 0, "said once: {:?}", session.client.log());
    session.decide("accept", &new);
    assert!(session.sandbox.disk("a.txt").contains("FOUR"));
}

/// Whether some file below `folder` holds `text`.
fn is_under(folder: &std::path::Path, text: &str) -> bool {
    let mut entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.any(|path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).contains(text))
}

#[test]
fn a_damaged_journal_is_put_aside() {
    damaged("review.log", |bytes| bytes.truncate(bytes.len() - 5));
    damaged("review.log", |bytes| bytes[2] ^= 1);
    damaged("review.log", |bytes| bytes.extend([0; 4096]));
    for place in 1..6 {
        damaged("review.log", |bytes| {
            let at = 8 + (bytes.len() - 9) * place / 5;
            bytes[at] ^= 0x10;
        });
    }
}

#[test]
fn damaged_texts_are_put_aside() {
    damaged("texts", |bytes| bytes[2] ^= 1);
    damaged("texts", |bytes| bytes.truncate(12));
    damaged("texts", Vec::clear);
    damaged("texts", |bytes| {
        let at = bytes.len() - 3;
        bytes[at] ^= 0x10;
    });
}
