//! A link that is swapped while the user is asked.
#![cfg(unix)]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures::future::BoxFuture;
use redline_workspace::{Ask, AskOutcome, OptionId};
use serde_json::{Value, json};

use crate::{
    Dialect, Host, Scope, ToolCall, Tools, builtin,
    fixture::{Fixture, done, message, wire},
    testing::{TestHost, answer},
};

/// Does something before it allows what it is asked.
struct Meanwhile<F> {
    act: F,
    asks: AtomicUsize,
}

impl<F: Fn(usize) + Send + Sync> Host for Meanwhile<F> {
    fn ask(&self, ask: Ask) -> BoxFuture<'_, AskOutcome> {
        (self.act)(self.asks.fetch_add(1, Ordering::SeqCst));
        let offers = |id| ask.options.iter().any(|option| option.id == id);
        let option = if offers(OptionId::Once) { OptionId::Once } else { OptionId::RunWithout };
        Box::pin(std::future::ready(AskOutcome::Answered(answer(option))))
    }
}

/// `ROOT/w/link` leads to `ROOT/home/a`, and there is `ROOT/home/b`; both are folders with a file `f`.
fn fixture(rules: &str) -> (Fixture, PathBuf) {
    let f = Fixture::with(&[], rules, TestHost::default(), builtin());
    let home = f.root.parent().unwrap().join("home");
    for name in ["a", "b"] {
        fs::create_dir(home.join(name)).unwrap();
        fs::write(home.join(name).join("f"), format!("{name}\n")).unwrap();
    }
    link(&home.join("a"), &f.root.join("link"));
    (f, home)
}

fn link(to: &Path, at: &Path) {
    let _ = fs::remove_file(at);
    std::os::unix::fs::symlink(to, at).unwrap();
}

/// The result of a call while whose ask something happens, and how often it was asked.
async fn call(
    f: &Fixture,
    dialect: Dialect,
    (name, args): (&str, Value),
    act: impl Fn(usize) + Send + Sync + 'static,
) -> (Value, usize) {
    let host = Arc::new(Meanwhile { act, asks: AtomicUsize::new(0) });
    let tools = Tools::new(f.workspace.clone(), host.clone(), builtin());
    let scope = Scope { dialect, ..f.scope.clone() };
    let call = ToolCall { id: "c".into(), name: name.to_owned(), args };
    let results = tools.run(&scope, vec![call], &|_| {}).await;
    (wire(&results[0]), host.asks.load(Ordering::SeqCst))
}

fn is_refused(name: &str, result: &Value) {
    let said = message(result);
    let wants = ["led to", "when it was permitted and leads to", "now; nothing was done"];
    assert!(wants.iter().all(|want| said.contains(want)), "{name}: {said}");
}

#[tokio::test]
async fn a_link_that_is_swapped_while_the_user_is_asked() {
    let rows = [
        (Dialect::Amp, "Read", json!({"path": "link/f"})),
        (Dialect::Amp, "edit_file", json!({"path": "link/f", "old_str": "b", "new_str": "x"})),
        (Dialect::Amp, "create_file", json!({"path": "link/new", "content": "x"})),
        (Dialect::Amp, "delete_file", json!({"path": "link/f"})),
        (Dialect::Amp, "Grep", json!({"path": "link", "pattern": "b"})),
        (Dialect::AgentAir, "read_file", json!({"file_path": "LINK/f"})),
        (Dialect::AgentAir, "write_file", json!({"file_path": "LINK/new", "content": "x"})),
        (Dialect::Amplifier, "read_file", json!({"file_path": "link/f"})),
        (Dialect::Amplifier, "write_file", json!({"file_path": "link/new", "content": "x"})),
    ];
    for (dialect, name, args) in rows {
        let (f, home) = fixture("");
        // Agent Air's must be absolute.
        let link_path = f.root.join("link").display().to_string();
        let args = serde_json::from_str(&args.to_string().replace("LINK", &link_path)).unwrap();
        let (at, to) = (f.root.join("link"), home.join("b"));
        let (result, asks) = call(&f, dialect, (name, args), move |_| link(&to, &at)).await;
        assert_eq!(asks, 1, "{name}: {result}");
        is_refused(name, &result);
        let held = |name: &str| fs::read_to_string(home.join(name)).ok();
        assert_eq!((held("a/f"), held("b/f")), (Some("a\n".into()), Some("b\n".into())), "{name}");
        assert_eq!((held("a/new"), held("b/new")), (None, None), "{name}");
        assert!(f.workspace.query(|session| session.reviews().is_empty()), "{name}");
    }
}

#[tokio::test]
async fn a_directory_that_is_swapped_while_the_user_is_asked() {
    for (dialect, name, cwd, cmd) in [
        (Dialect::Amp, "Bash", "cwd", "cmd"),
        (Dialect::AgentAir, "bash", "working_dir", "command"),
    ] {
        let (f, home) = fixture("");
        let args = json!({cmd: "touch ran", cwd: home.join("a").display().to_string()});
        let there = home.clone();
        let swap = move |_| {
            fs::rename(there.join("a"), there.join("c")).unwrap();
            link(&there.join("b"), &there.join("a"));
        };
        let (result, _) = call(&f, dialect, (name, args), swap).await;
        is_refused(name, &result);
        assert!(!home.join("b/ran").exists() && !home.join("c/ran").exists(), "{name}");

        // Of a link the user was shown where it leads, and there it runs.
        let (f, home) = fixture("");
        let args = json!({cmd: "touch ran", cwd: f.path("link")});
        let (at, to) = (f.root.join("link"), home.join("b"));
        let (result, _) = call(&f, dialect, (name, args), move |_| link(&to, &at)).await;
        assert_eq!(result["status"], "done", "{result}");
        assert!(home.join("a/ran").exists() && !home.join("b/ran").exists(), "{name}");
    }
}

#[tokio::test]
async fn a_file_that_a_command_writes_and_that_is_swapped() {
    let (f, home) = fixture("");
    let (at, to) = (f.root.join("link"), home.join("b"));
    let args = json!({"cmd": "echo x > link/f"});
    let (result, _) = call(&f, Dialect::Amp, ("Bash", args), move |_| link(&to, &at)).await;
    is_refused("Bash", &result);
    assert_eq!(fs::read_to_string(home.join("b/f")).unwrap(), "b\n");
}

/// A rule allows edits of what is in the folder; a link out of it is none of that.
#[tokio::test]
async fn a_command_may_write_what_an_edit_may() {
    let rules = "allow Bash --cmd 'echo *'\nallow edit_file --path 'out/*'";
    let (f, home) = fixture(rules);
    fs::create_dir(f.root.join("out")).unwrap();
    link(&home.join("a/f"), &f.root.join("out/link"));
    let run = async |cmd: &str| call(&f, Dialect::Amp, ("Bash", json!({"cmd": cmd})), |_| ()).await;
    for (cmd, want) in [
        ("echo x > out/new", 0),
        ("echo x > ./out/../out/new", 0),
        ("echo x > elsewhere", 1),
        ("echo x > out/link", 1),
        ("echo x > out/../elsewhere", 1),
        ("echo x > /proc/self/cwd/out/new", 0),
        ("echo x > /dev/null", 0),
    ] {
        let (result, asks) = run(cmd).await;
        assert_eq!((result["status"].as_str(), asks), (Some("done"), want), "{cmd}: {result}");
    }
    assert!(done(&run("echo x > out/new").await.0).contains("<exit_code>0"));
}

#[tokio::test]
async fn a_file_that_changes_while_the_user_is_asked_is_asked_again() {
    let (f, home) = fixture("");
    let edit = ("edit_file", json!({"path": "link/f", "old_str": "a", "new_str": "x"}));
    let file = home.join("a/f");
    let once = move |asked: usize| {
        if asked == 0 {
            fs::write(&file, "a, b\n").unwrap();
        }
    };
    let (result, asks) = call(&f, Dialect::Amp, edit.clone(), once).await;
    assert_eq!((result["status"].as_str(), asks), (Some("done"), 2), "{result}");
    // Not for ever.
    let file = home.join("a/f");
    let always = move |asked: usize| fs::write(&file, format!("a {asked}\n")).unwrap();
    let (result, asks) = call(&f, Dialect::Amp, edit, always).await;
    assert!(message(&result).starts_with("Not run: the rules or the files"), "{result}");
    assert_eq!(asks, 4);
    // Whoever may read a file may read what it holds by then.
    let file = home.join("a/f");
    let always = move |asked: usize| fs::write(&file, format!("b {asked}\n")).unwrap();
    let read = ("Read", json!({"path": "link/f"}));
    let (result, asks) = call(&f, Dialect::Amp, read, always).await;
    assert_eq!((done(&result), asks), ("1: b 0", 1));
}
