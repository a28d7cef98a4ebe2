//! One owner for a folder's review: who keeps it, who takes it over, and what happens where it cannot
//! be kept.

use redline_tests::session::{id, strings};
use redline_tests::{Options, Sandbox, Session, sandbox};
use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Output, Stdio};

const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

fn run(mut command: Command) -> (i32, String) {
    command.stdin(Stdio::null());
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let text = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    (status.code().expect("an exit code"), text)
}

fn redline(sandbox: &Sandbox, arguments: &[&str]) -> (i32, String) {
    run(sandbox.command(arguments))
}

/// `redline tools use edit_file` where nobody is there to review.
fn headless_edit(sandbox: &Sandbox, file: &str, old: &str, new: &str) -> (i32, String) {
    let path = sandbox.path(file);
    let path = path.to_str().unwrap();
    let arguments =
        ["tools", "use", "edit_file", "--path", path, "--old_str", old, "--new_str", new];
    redline(sandbox, &arguments)
}

fn listed_states(session: &mut Session, uri: &str) -> Vec<(String, String)> {
    let state = |h: &Value| (id(h), h["state"].as_str().unwrap().to_owned());
    session.listed(uri).iter().map(state).collect()
}

/// Two servers on one folder: the second knows nothing of the first one's hunks until that ends.
fn taken_over(kill: bool) {
    let mut first = Session::with_files(&[("a.txt", FILE), ("b.txt", FILE)]);
    let (a, b) = (first.open("a.txt"), first.uri("b.txt"));
    let hunks = first.edit("a.txt", "two", "TWO");
    let before = first.listed(&a);

    let mut second = first.second();
    let pid = first.client.process.id();
    let line = second.client.logged("keeps the review");
    assert!(line.contains(&format!("process {pid}")), "{line}");
    assert_eq!(second.client.call("redline/reviews", &json!({}))["files"], json!([]));
    second.open("a.txt");
    let own = second.edit("b.txt", "six", "SIX");
    assert_ne!(own, hunks);
    second.decide("accept", &own);
    assert_eq!(second.sandbox.disk("b.txt"), FILE.replace("six", "SIX"));
    let own = second.edit("b.txt", "one", "ONE");
    second.client.type_before(&a, "seven", "typed ");

    if kill {
        first.client.kill();
    } else {
        assert!(first.client.shut_down().expect("it ends").success());
    }
    let hunk = second.hunk_in_state(&a, &hunks[0], "pending");
    assert_eq!(
        [&hunk["oldText"], &hunk["newText"]],
        [&before[0]["oldText"], &before[0]["newText"]]
    );
    second.hunk_in_state(&b, &own[0], "pending");
    assert_ne!(second.edit("a.txt", "six", "SIX"), hunks, "a new id");
    second.decide("accept", &hunks);
    let text = FILE.replace("two", "TWO").replace("seven", "typed seven");
    assert_eq!(second.client.text(&a), text);
    second.assert_in_sync(&a);

    let mut third = second.restart();
    let states = listed_states(&mut third, &b);
    assert!(states.contains(&(own[0].clone(), "pending".to_owned())), "kept since: {states:?}");
}

#[test]
fn the_second_takes_over_when_the_first_ends() {
    taken_over(false);
}

#[test]
fn the_second_takes_over_when_the_first_is_killed() {
    taken_over(true);
}

#[test]
fn proposals_of_both_in_one_file_are_not_lost() {
    let mut first = Session::with_files(&[("a.txt", FILE)]);
    let uri = first.uri("a.txt");
    first.edit("a.txt", "two", "FIRST");
    let mut second = first.second();
    let own = second.edit("a.txt", "six", "SECOND");
    first.client.kill();
    let line = second.client.logged("the agent's text is in");
    let kept = second.sandbox.kept(&second.sandbox.workspace());
    let aside = fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path());
    let mut aside = aside.filter(|path| path.to_string_lossy().contains("unread-"));
    let aside = aside.next().expect("what was put aside");
    assert!(line.contains(aside.to_str().unwrap()), "{line}");
    assert!(fs::read_to_string(aside).unwrap().contains("FIRST"));
    let mut second = second.restart();
    assert_eq!(listed_states(&mut second, &uri), [(own[0].clone(), "pending".to_owned())]);
}

#[test]
fn the_terminal_does_not_review_beside_an_editor() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    session.edit("a.txt", "two", "TWO");
    let pid = session.client.process.id();
    for arguments in [&["review"][..], &["review", "--list"]] {
        let (code, text) = redline(&session.sandbox, arguments);
        assert_eq!(code, 1, "{text}");
        assert!(
            text.contains(&format!("process {pid}")) && text.contains("keeps the review"),
            "{text}"
        );
    }
    session.client.kill();
    let (code, text) = redline(&session.sandbox, &["review", "--list"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("a.txt:2: -1 +1, edit_file"), "{text}");
}

#[test]
fn an_edit_beside_an_editor_without_a_terminal_is_not_made() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    session.client.call("redline/status", &json!({}));
    let (code, text) = headless_edit(&session.sandbox, "a.txt", "two", "TWO");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("keeps the review") && text.contains("--yes"), "{text}");
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
}

#[test]
fn what_a_run_left_is_shown_by_the_terminal_and_by_an_editor() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", FILE);
    let (code, text) = headless_edit(&sandbox, "a.txt", "two", "TWO");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("a.txt: waiting for your review"), "{text}");
    let (code, text) = headless_edit(&sandbox, "a.txt", "six", "SIX");
    assert_eq!(code, 0, "{text}");
    assert_eq!(sandbox.disk("a.txt"), FILE);
    let (code, text) = redline(&sandbox, &["review", "--list"]);
    assert_eq!((code, text.lines().count()), (2, 2), "{text}");

    let mut session = Session::start_in(sandbox, Options::default());
    let uri = session.open("a.txt");
    let hunks = session.pending(&uri, 2);
    session.decide("accept", &[id(&hunks[0])]);
    session.decide("reject", &[id(&hunks[1])]);
    assert_eq!(session.client.text(&uri), FILE.replace("two", "TWO"));
    session.client.wait("the save", |client| (!client.editor.saves.is_empty()).then_some(()));
    session.client.shut_down();
    let (code, text) = redline(&session.sandbox, &["review", "--list"]);
    assert_eq!((code, text.as_str()), (0, ""));
}

/// The document was open in an editor that was killed, and is opened again after the run.
#[test]
fn a_run_between_two_editors_adds_to_what_waits() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    session.open("a.txt");
    let first = session.edit("a.txt", "two", "TWO");
    session.client.kill();
    let (code, text) = headless_edit(&session.sandbox, "a.txt", "six", "SIX");
    assert_eq!(code, 0, "{text}");
    let mut session = session.restart();
    let uri = session.open("a.txt");
    let hunks = session.pending(&uri, 2);
    assert_eq!((id(&hunks[0]), &hunks[1]["newText"]), (first[0].clone(), &json!("SIX\n")));
    session.resolve(&json!({ "action": "accept" }));
    assert_eq!(session.client.text(&uri), FILE.replace("two", "TWO").replace("six", "SIX"));
    session.assert_in_sync(&uri);
}

/// `redline review` in a terminal that `script` makes, with these keys.
#[cfg(target_os = "linux")]
fn review_in_a_terminal(sandbox: &Sandbox, keys: &str) -> Option<(i32, String)> {
    use std::io::Write;
    let inner = sandbox.command(&["review"]);
    let line = format!("'{}' review", inner.get_program().to_str().unwrap());
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).current_dir(sandbox.workspace());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("TERM", "xterm").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().ok()?;
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(keys.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(pipe);
    Some((output.status.code().unwrap(), String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Also after an editor that had the file open was killed.
#[cfg(target_os = "linux")]
#[test]
fn a_review_in_the_terminal_decides_for_good() {
    for opens in [false, true] {
        let mut session = Session::with_files(&[("a.txt", FILE)]);
        if opens {
            session.open("a.txt");
        }
        session.edit("a.txt", "two", "TWO");
        session.edit("a.txt", "six", "SIX");
        session.client.kill();
        let Some((code, text)) = review_in_a_terminal(&session.sandbox, "yn") else {
            return eprintln!("there is no script(1) here");
        };
        assert_eq!(code, 0, "{text}");
        assert!(text.contains("1 accepted, 1 rejected."), "{text}");
        assert_eq!(session.sandbox.disk("a.txt"), FILE.replace("two", "TWO"));
        let (code, text) = redline(&session.sandbox, &["review", "--list"]);
        assert_eq!((code, text.as_str()), (0, ""));
    }
}

/// Nothing is kept, the user is told why, and all else works.
fn works_without_a_journal(mut session: Session, why: &str) {
    let line = session.client.logged("will not survive");
    assert!(line.contains(why), "{line}");
    let uri = session.open("a.txt");
    let hunks = session.edit("a.txt", "two", "TWO");
    session.client.type_before(&uri, "six", "typed ");
    let more = session.edit("a.txt", "four", "FOUR");
    session.decide("accept", &hunks);
    session.decide("reject", &more);
    assert_eq!(session.client.text(&uri), FILE.replace("two", "TWO").replace("six", "typed six"));
    session.assert_in_sync(&uri);
    let told = session.client.log().iter().filter(|line| line.contains("will not survive")).count();
    assert_eq!(told, 1, "once is enough: {:?}", session.client.log());
}

#[test]
fn a_state_directory_that_cannot_be() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", FILE);
    fs::remove_dir(sandbox.state()).unwrap();
    fs::write(sandbox.state(), "a file").unwrap();
    works_without_a_journal(Session::start_in(sandbox, Options::default()), "REDLINE_STATE_DIR");
}

#[test]
fn a_state_directory_that_vanishes_while_it_is_used() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    session.edit("a.txt", "seven", "SEVEN");
    fs::remove_dir_all(session.sandbox.state()).unwrap();
    let hunks = session.edit("a.txt", "two", "TWO");
    session.client.logged("was removed while Redline used it");
    session.decide("accept", &hunks);
    session.assert_in_sync(&uri);
}

#[test]
fn a_log_of_another_version_is_left_alone() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    session.edit("a.txt", "two", "TWO");
    session.client.kill();
    let log = session.sandbox.kept(&session.sandbox.workspace()).join("review.log");
    let mut bytes = fs::read(&log).unwrap();
    bytes[6] = 9;
    fs::write(&log, &bytes).unwrap();
    let _folders = session.sandbox.clone();
    works_without_a_journal(session.restart(), "format 9");
    assert_eq!(fs::read(&log).unwrap(), bytes);
}

/// A file system of 256 KB, if this is a user who may mount one.
#[cfg(target_os = "linux")]
struct Small(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Small {
    fn mount(at: std::path::PathBuf) -> Option<Self> {
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", "size=256k,mode=0700", "redline-test"]).arg(&at);
        let (code, text) = run(command);
        if code != 0 {
            eprintln!("not tested, because a file system cannot be mounted here: {text}");
        }
        (code == 0).then_some(Self(at))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Small {
    fn drop(&mut self) {
        let _left_to_the_system = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_once_and_mended_later() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", FILE);
    let Some(_small) = Small::mount(sandbox.state()) else { return };
    let mut session = Session::start_in(sandbox, Options::default());
    let uri = session.open("a.txt");
    session.edit("a.txt", "one", "ONE");
    let filler = session.sandbox.state().join("filler");
    let _full = fs::write(&filler, vec![0; 1 << 20]);
    let hunks = session.edit("a.txt", "two", &"TWO ".repeat(4000));
    let line = session.client.logged("will not survive");
    assert!(line.contains("full") || line.contains("space"), "{line}");
    session.client.type_before(&uri, "six", "typed ");
    session.decide("reject", &hunks);
    let more = session.edit("a.txt", "four", "FOUR");
    session.decide("accept", &more);
    session.assert_in_sync(&uri);
    let told = session.client.log().iter().filter(|line| line.contains("will not survive")).count();
    assert_eq!(told, 1, "{:?}", session.client.log());

    fs::remove_file(&filler).unwrap();
    session.client.logged("survives the end of Redline again");
    let before = listed_states(&mut session, &uri);
    let path = session.sandbox.path("a.txt");
    let text = session.client.text(&uri).to_owned();
    let mut session = session.restart();
    session.client.open_as(&path, &text);
    assert_eq!(listed_states(&mut session, &uri), before);
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let hunks = session.edit("a.txt", "two", "TWO");
    session.decide("accept", &hunks);
    session.edit("a.txt", "six", "SIX");
    let kept = session.sandbox.kept(&session.sandbox.workspace());
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let mut names = Vec::new();
    for entry in fs::read_dir(&kept).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(mode(&entry.path()), 0o600, "{:?}", entry.path());
        names.push(entry.file_name().into_string().unwrap());
    }
    for name in ["owner.lock", "review.log", "root", "texts"] {
        assert!(names.iter().any(|is| is == name), "{name} is not in {names:?}");
    }
    assert_eq!(mode(&kept), 0o700);
    assert_eq!(mode(kept.parent().unwrap()), 0o700);
}

#[test]
fn one_of_two_folders_is_somebody_elses() {
    let sandbox = Sandbox::new();
    let other = sandbox.outside("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("b.txt"), FILE).unwrap();
    sandbox.write("a.txt", FILE);
    let uri = sandbox::uri(&other.join("b.txt"));
    let first = Session::start_in(sandbox.clone(), Options::default());
    // The first has the workspace; this one gets the other folder, and waits for the workspace.
    let options = Options { folders: vec![other.clone()], ..Options::default() };
    let mut second = Session::start_in(sandbox, options);
    second.client.logged("keeps the review");
    let a = second.edit("a.txt", "two", "TWO");
    let args = json!({ "path": other.join("b.txt"), "old_str": "six", "new_str": "SIX" });
    let b = strings(&second.tool("edit_file", &args)["review"]["hunks"]);
    let log = fs::read(second.sandbox.kept(&other).join("review.log")).unwrap();
    let log = String::from_utf8_lossy(&log).into_owned();
    assert!(log.contains("b.txt") && !log.contains("a.txt"), "{log}");
    drop(first);
    let kept = second.sandbox.kept(&second.sandbox.workspace()).join("review.log");
    second.client.poll("the takeover", |_| {
        String::from_utf8_lossy(&fs::read(&kept).unwrap()).contains("a.txt").then_some(())
    });
    let mut second = second.restart();
    assert_eq!(listed_states(&mut second, &uri), [(b[0].clone(), "pending".to_owned())]);
    let uri = second.uri("a.txt");
    assert_eq!(listed_states(&mut second, &uri), [(a[0].clone(), "pending".to_owned())]);
}

/// A repository cannot turn what waits into a write of another file.
#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_file_gets_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", FILE);
    sandbox.write("b.txt", FILE);
    assert_eq!(headless_edit(&sandbox, "a.txt", "two", "TWO").0, 0);
    fs::remove_file(sandbox.path("a.txt")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("b.txt"), sandbox.path("a.txt")).unwrap();
    let (code, text) = redline(&sandbox, &["review", "--list"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("a.txt cannot be shown"), "{text}");
    assert_eq!(sandbox.disk("b.txt"), FILE);
}
