//! Paths that are no files, for every tool that takes one: a clear error at once, nothing changed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    Dialect::{self, AgentAir, Amp, Amplifier},
    builtin,
    fixture::{Fixture, message},
    testing::TestHost,
};

/// Tools with the name of their path and what else they need.
fn tools() -> Vec<(Dialect, &'static str, &'static str, Value)> {
    let edit = json!({"old_string": "a", "new_string": "b"});
    vec![
        (Amp, "Read", "path", json!({})),
        (Amp, "edit_file", "path", json!({"old_str": "a", "new_str": "b"})),
        (Amp, "create_file", "path", json!({"content": "x"})),
        (Amp, "format_file", "path", json!({})),
        (AgentAir, "read_file", "file_path", json!({})),
        (AgentAir, "write_file", "file_path", json!({"content": "x"})),
        (AgentAir, "edit_file", "file_path", edit.clone()),
        (AgentAir, "multi_edit", "file_path", json!({"edits": [edit.clone()]})),
        (AgentAir, "ls", "path", json!({})),
        (Amplifier, "read_file", "file_path", json!({})),
        (Amplifier, "write_file", "file_path", json!({"content": "x"})),
        (Amplifier, "edit_file", "file_path", edit),
    ]
}

fn fixture() -> Fixture {
    let rules = "allow Read\nallow ls\nallow edit_file\nallow create_file";
    let f = Fixture::with(&[("file", "a\n")], rules, TestHost::default(), builtin());
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::symlink;

        use rustix::fs::{CWD, FileType, Mode, mknodat};
        for name in ["fifo", "fifo.png", "fifo.rs"] {
            mknodat(CWD, f.root.join(name), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        }
        symlink("loop", f.root.join("loop")).unwrap();
        symlink("nowhere", f.root.join("dangling")).unwrap();
        symlink("/dev/zero", f.root.join("zero.rs")).unwrap();
    }
    f
}

async fn refused(f: &Fixture, name: &str, args: &Value) {
    let start = Instant::now();
    let result = f.call(name, args.clone()).await;
    let shown = format!("{name} {args:.200}");
    assert!(!message(&result).is_empty(), "{shown}");
    assert!(message(&result).len() < 4_000, "{shown}: {} bytes", message(&result).len());
    assert!(start.elapsed() < Duration::from_secs(10), "{shown}");
}

#[tokio::test]
async fn what_is_no_file_is_refused_by_every_tool() {
    let mut f = fixture();
    let mut bad = vec![String::new(), "a\0b".to_owned(), f.path("file/below"), f.path("a\0b")];
    bad.extend([f.path(&"x/".repeat(500_000)), f.path(&"é".repeat(5_000))]);
    if cfg!(target_os = "linux") {
        let specials = ["fifo", "fifo.png", "fifo.rs", "loop", "dangling", "zero.rs"];
        bad.extend(specials.map(|name| f.path(name)));
        bad.extend(["/dev/zero", "/dev/tty", "/proc/self/mem"].map(str::to_owned));
    }
    for (dialect, name, path, more) in tools() {
        f.scope.dialect = dialect;
        for written in &bad {
            let mut args = more.clone();
            args[path] = written.as_str().into();
            refused(&f, name, &args).await;
        }
        for wrong in [json!(5), json!(null), json!(["a"]), json!({"a": 1})] {
            let mut args = more.clone();
            args[path] = wrong;
            refused(&f, name, &args).await;
        }
        refused(&f, name, &more).await;
    }
    assert_eq!(f.disk("file"), "a\n");
    assert_eq!(f.workspace.query(|session| session.reviews().len()), 0);
}

#[tokio::test]
async fn a_folder_is_no_file_and_a_file_no_folder() {
    let mut f = fixture();
    std::fs::create_dir(f.root.join("folder.rs")).unwrap();
    for (dialect, name, path, mut args) in tools() {
        f.scope.dialect = dialect;
        let lists = matches!(name, "Read" | "ls") || (dialect, name) == (Amplifier, "read_file");
        if !lists {
            args[path] = f.path("folder.rs").into();
            refused(&f, name, &args).await;
        }
    }
    f.scope.dialect = AgentAir;
    refused(&f, "ls", &json!({"path": f.path("file")})).await;
}
