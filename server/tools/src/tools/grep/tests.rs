use std::{
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use redline_workspace::WorkspacePath;
use serde_json::{Value, json};

use super::{
    WANTED,
    found::{Found, Unit},
    pattern::{Options, compiled},
    search::{Filter, NoIndex, Outcome, Search},
};
use crate::{
    ToolCall, ToolResult, builtin,
    fixture::{Fixture, at, message, scope},
    testing::TestHost,
    tools::{
        StopOnDrop,
        files::{Place, Seen},
    },
};

/// The lines of a result, in the notation of the tests: `ROOT` is the workspace's folder.
async fn lines(fixture: &Fixture, args: Value) -> Vec<String> {
    let result = fixture.call("Grep", args).await;
    assert_eq!(result["status"], "done", "{result}");
    let root = fixture.root.display().to_string();
    let items = result["result"].as_array().unwrap_or_else(|| panic!("{result}"));
    items.iter().map(|item| item.as_str().unwrap().replace(&root, "ROOT")).collect()
}

async fn check(fixture: &Fixture, args: Value, want: &[&str]) {
    assert_eq!(lines(fixture, args.clone()).await, want, "{args}");
}

const NONE: [&str; 2] = [
    "No results found.",
    "If you meant to search for a literal string, run Grep again with literal:true.",
];

fn fixture() -> Fixture {
    Fixture::new(&[
        ("a.txt", "first needle\nsecond\r\nNEEDLE three\r\n"),
        ("b/c.rs", "fn needle() {}\n"),
        ("b/d.rs", "other\n"),
        ("b.md", "a needle (x) {1}\n"),
    ])
}

#[tokio::test]
async fn the_behaviour_contract() {
    let f = fixture();
    // 2. "Case-insensitive by default"; "path/file.ts:42: matching line content"
    let all = [
        "a.txt:1: first needle",
        "a.txt:3: NEEDLE three",
        "b/c.rs:1: fn needle() {}",
        "b.md:1: a needle (x) {1}",
    ];
    check(&f, json!({"pattern": "needle"}), &all).await;
    check(&f, json!({"pattern": "Needle", "caseSensitive": true}), &NONE).await;
    check(&f, json!({"pattern": "NEEDLE", "caseSensitive": true}), &all[1..2]).await;
    // 3. "Uses Rust-style regex (escape { and } with \)"
    check(&f, json!({"pattern": r"fn \w+\(\) \{\}"}), &all[2..3]).await;
    check(&f, json!({"pattern": "(x) {1}", "literal": true}), &all[3..]).await;
    check(&f, json!({"pattern": "three$"}), &all[1..2]).await;
    check(&f, json!({"pattern": "needle", "path": f.path("b")}), &all[2..3]).await;
    check(&f, json!({"pattern": "needle", "path": "b/c.rs"}), &all[2..3]).await;
    check(&f, json!({"pattern": "needle", "path": "./b/../a.txt"}), &all[..2]).await;
    check(&f, json!({"pattern": "needle", "glob": "*.rs"}), &all[2..3]).await;
    check(&f, json!({"pattern": "needle", "glob": "b/**"}), &all[2..3]).await;
    check(&f, json!({"pattern": "needle", "glob": "!*.rs", "path": ""}), &[all[0], all[1], all[3]])
        .await;
    // Models write an empty text for "none".
    check(&f, json!({"pattern": "needle", "path": "b", "glob": ""}), &all[2..3]).await;
    // 6. "No results is NOT an error"
    check(&f, json!({"pattern": "absent"}), &NONE).await;
    check(&f, json!({"pattern": "absent", "literal": true}), &NONE[..1]).await;
}

#[tokio::test]
async fn errors_say_what_to_do() {
    let f = fixture();
    let check = async |args: Value, want: &str| {
        let result = f.call("Grep", args.clone()).await;
        let message = message(&result);
        assert!(message.starts_with("ripgrep exited with code 2\n"), "{message}");
        assert!(message.contains(want), "{args}: {message}");
    };
    check(json!({"pattern": "f("}), "unclosed group").await;
    check(json!({"pattern": "f("}), "run Grep again with literal:true").await;
    check(json!({"pattern": "a\nb"}), "line by line").await;
    check(json!({"pattern": "(".repeat(99_999) + &")".repeat(99_999)}), "nest").await;
    check(json!({"pattern": "x", "path": "none"}), "ENOENT: no such file or directory '").await;
    check(json!({"pattern": "x", "path": "b/*.rs"}), "Give patterns as glob").await;
    check(json!({"pattern": "x", "glob": "{a"}), "{a").await;
    // "Cannot use with glob."
    check(json!({"pattern": "x", "glob": "c.*", "path": "b"}), "cannot be used together").await;
    check(json!({"pattern": "a{"}), "escape { and } with \\").await;
    let result = f.call("Grep", json!({})).await;
    assert_eq!(message(&result), "Grep: \"pattern\" is missing; it must be a string.");
}

#[tokio::test]
async fn what_is_left_out_of_a_folder() {
    let f = Fixture::new(&[
        (".gitignore", "target/\n*.log\n"),
        (".github/x.yml", "needle\n"),
        (".git/config", "needle\n"),
        ("target/a.rs", "needle\n"),
        ("a.log", "needle\n"),
        ("binary", "needle\0\n"),
        ("src/a.rs", "needle\n"),
    ]);
    check(&f, json!({"pattern": "needle"}), &["src/a.rs:1: needle"]).await;
    // Named ones are searched.
    check(&f, json!({"pattern": "needle", "path": "target"}), &["target/a.rs:1: needle"]).await;
    check(&f, json!({"pattern": "needle", "path": "a.log"}), &["a.log:1: needle"]).await;
    let github = [".github/x.yml:1: needle"];
    check(&f, json!({"pattern": "needle", "glob": ".github/**"}), &github).await;
    // A glob brings back nothing that is ignored.
    let nothing = |glob: &str| {
        format!("Note: no file matches the glob {glob:?}; hidden and ignored files are left out.")
    };
    let want = [NONE[0], NONE[1], &nothing("*.log")];
    check(&f, json!({"pattern": "needle", "glob": "*.log"}), &want).await;
    let binary = [NONE[0], NONE[1], "Note: the file is binary: it was not searched."];
    check(&f, json!({"pattern": "needle", "path": "binary"}), &binary).await;
}

/// An ignore file of somebody's repository must not end the process.
#[tokio::test]
async fn ignore_files_of_many_levels() {
    for levels in [800, 100_000] {
        let rules = format!("{}x{}\n", "{".repeat(levels), "}".repeat(levels));
        let f = Fixture::new(&[("a", "needle"), ("b/.gitignore", &rules), ("b/c", "needle")]);
        f.call("create_file", at(&f, "b/d", json!({"content": "needle"}))).await;
        check(&f, json!({"pattern": "needle"}), &["a:1: needle"]).await;
        std::fs::rename(f.path("b/.gitignore"), f.path(".gitignore")).unwrap();
        let all = ["a:1: needle", "b/c:1: needle", "b/d:1: needle"];
        check(&f, json!({"pattern": "needle"}), &all).await;
    }
}

#[cfg(unix)]
#[tokio::test]
async fn ignore_files_that_never_end() {
    let f = Fixture::new(&[("a", "needle"), ("b/c", "needle")]);
    let made = std::process::Command::new("mkfifo").arg(f.path("b/.gitignore")).status().unwrap();
    assert!(made.success());
    check(&f, json!({"pattern": "needle"}), &["a:1: needle"]).await;
    let both = ["a:1: needle", "b/c:1: needle"];
    std::fs::rename(f.path("b/.gitignore"), f.path(".ignore")).unwrap();
    check(&f, json!({"pattern": "needle"}), &both).await;
}

#[tokio::test]
async fn secret_files_are_skipped_and_counted() {
    let f = Fixture::new(&[
        ("credentials.json", "needle"),
        ("keys/server.pem", "needle"),
        (".env", "needle"),
        ("a", "needle"),
    ]);
    let note = "Note: not searched, since they may hold secrets: 2 files (credentials.json, \
                keys/server.pem)";
    check(&f, json!({"pattern": "needle"}), &["a:1: needle", note]).await;
    for path in [".env", "credentials.json"] {
        let result = f.call("Grep", json!({"pattern": "needle", "path": path})).await;
        assert_eq!(result["error"]["errorCode"], "reading-secret-file", "{result}");
    }
    let env = "Note: not searched, since they may hold secrets: 1 file (.env)";
    check(&f, json!({"pattern": "needle", "glob": ".env*"}), &[NONE[0], NONE[1], env]).await;
}

#[tokio::test]
async fn only_a_rule_that_names_the_file_lifts_the_guard() {
    let check = async |rule: &str, path: &str, want: &str| {
        let files = [("s/.env", "needle"), ("s/id_rsa", "needle")];
        let f = Fixture::with(&files, rule, TestHost::default(), builtin());
        let result = f.call("Grep", json!({"pattern": "needle", "path": path})).await;
        assert!(result.to_string().contains(want), "{rule} {path}: {result}");
    };
    check("allow Grep --path s/.env", "s/.env", "s/.env:1: needle").await;
    check("allow Grep --path s", "s/.env", "Refusing to read env file").await;
    check("allow Grep --path s", "s", "may hold secrets: 1 file (s/id_rsa)").await;
}

#[tokio::test]
async fn rules_about_single_files_hold_in_a_folder() {
    let check = async |rule: &str, want: &[&str]| {
        let files = [("private/a", "needle"), ("public", "needle")];
        let f = Fixture::with(&files, rule, TestHost::allowing(), builtin());
        let got = lines(&f, json!({"pattern": "needle"})).await;
        assert_eq!(got, want, "{rule}");
    };
    let note = "Note: not searched, since a permission rule rejects it: 1 file (private/a)";
    check("reject Grep --path 'private/*'", &["public:1: needle", note]).await;
    check("reject Read --path 'private/*'", &["public:1: needle", note]).await;
    check("ask Read --path 'private/*'", &["private/a:1: needle", "public:1: needle"]).await;
    // Nor may the notes tell whether it has a match.
    let files = [("private/a", "needle"), ("public", "")];
    let rule = "reject Read --path 'private/*'";
    let f = Fixture::with(&files, rule, TestHost::allowing(), builtin());
    for pattern in ["needle", "absent"] {
        self::check(&f, json!({"pattern": pattern}), &[NONE[0], NONE[1], note]).await;
    }
}

#[tokio::test]
async fn a_place_outside_the_workspace_is_asked_for() {
    let f = fixture();
    let outside = f.root.join("../home");
    std::fs::write(outside.join("h.txt"), "needle").unwrap();
    let home = outside.canonicalize().unwrap().join("h.txt").display().to_string();
    let want = format!("{home}:1: needle");
    check(&f, json!({"pattern": "needle", "path": "~"}), &[&want]).await;
    check(&f, json!({"pattern": "needle", "path": "../home"}), &[&want]).await;
    assert_eq!(f.host.asks().len(), 2);
    check(&f, json!({"pattern": "needle", "path": "b"}), &["b/c.rs:1: fn needle() {}"]).await;
    assert_eq!(f.host.asks().len(), 2);
    let denied = Fixture::with(&[], "", TestHost::default(), builtin());
    let result = denied.call("Grep", json!({"pattern": "x", "path": "../home"})).await;
    assert_eq!(result["status"], "rejected-by-user");
}

#[tokio::test]
async fn all_folders_of_the_workspace_are_searched() {
    let files = [("one/a", "needle"), ("two/b", "needle"), ("three/c", "needle")];
    let f = Fixture::folders(&["one", "two"], &files);
    let both = ["a:1: needle", "ROOT/two/b:1: needle"];
    check(&f, json!({"pattern": "needle"}), &both).await;
    check(&f, json!({"pattern": "needle", "glob": "b"}), &both[1..]).await;
    check(&f, json!({"pattern": "needle", "path": "."}), &both[..1]).await;
    let result = f.call("glob", json!({"filePattern": "*"})).await;
    assert_eq!(result["result"]["files"], json!([f.path("one/a"), f.path("two/b")]));
    // An edit in the other folder comes before a search that follows it.
    let edit = at(&f, "two/b", json!({"old_str": "needle", "new_str": "edited"}));
    let results = f.run(&[("edit_file", edit), ("Grep", json!({"pattern": "edited"}))]).await;
    let want = format!("{}:1: edited", f.path("two/b"));
    assert_eq!(results[1]["result"], json!([want]));
    assert!(f.host.asks().is_empty());
}

/// A model must get its answer at once, whatever it writes.
#[tokio::test]
async fn absurd_patterns() {
    let f = Fixture::new(&[("a", &"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n".repeat(1_000))]);
    let check = async |pattern: String, want: &str| {
        let result = f.call("Grep", json!({"pattern": pattern})).await;
        assert!(result.to_string().contains(want), "{pattern:.40}: {result:.400}");
    };
    check("x".repeat(10_000_000), "The pattern has 10000000 bytes").await;
    check("(a{1000}){1000}".to_owned(), "size limit").await;
    check(r"(\w{1000}){1000}".to_owned(), "size limit").await;
    check("a{99999999999}".to_owned(), "decimal literal invalid").await;
    check("(".repeat(100_000), "ripgrep exited with code 2").await;
    check("[".repeat(100_000), "ripgrep exited with code 2").await;
    // No backtracking: the time grows with the text alone.
    check("(x+x+)+y".to_owned(), "No results found.").await;
    check("((x*)*)*z".to_owned(), "No results found.").await;
    check(format!("{}{}$", "x?".repeat(200), "x".repeat(200)), "No results found.").await;
    check(String::new(), "a:1: xxx").await;
    check("\0".to_owned(), "No results found.").await;
}

#[cfg(unix)]
#[tokio::test]
async fn what_never_ends_is_not_read() {
    let f = Fixture::new(&[("a", "needle"), ("d/b", "needle")]);
    for name in ["pipe", "d/pipe"] {
        let made = std::process::Command::new("mkfifo").arg(f.path(name)).status().unwrap();
        assert!(made.success());
    }
    std::os::unix::fs::symlink("/dev/zero", f.root.join("zero")).unwrap();
    check(&f, json!({"pattern": "needle"}), &["a:1: needle", "d/b:1: needle"]).await;
    for path in ["pipe", "/dev/zero", "zero"] {
        let result = f.call("Grep", json!({"pattern": "x", "path": path})).await;
        assert!(message(&result).contains(" is not a regular file"), "{path}: {result}");
    }
    let nul = f.call("Grep", json!({"pattern": "x", "path": "a\0b"})).await;
    assert_eq!(nul["status"], "error", "{nul}");
    let result = f.call("glob", json!({"filePattern": "**/pipe"})).await;
    assert_eq!(result["result"]["files"], json!([]));
}

#[cfg(unix)]
#[tokio::test]
async fn symlinks() {
    use std::os::unix::fs::symlink;
    let f = Fixture::new(&[("mydir/file.txt", "test"), (".env", "test")]);
    std::fs::write(f.root.join("../home/h.txt"), "test").unwrap();
    symlink(f.root.join("mydir"), f.root.join("mylink")).unwrap();
    symlink(f.root.join(".env"), f.root.join("harmless")).unwrap();
    symlink(f.root.join("../home"), f.root.join("away")).unwrap();
    symlink(&f.root, f.root.join("mydir/up")).unwrap();
    // Not followed on the way, and kept as a name where one is given.
    check(&f, json!({"pattern": "test"}), &["mydir/file.txt:1: test"]).await;
    let linked = ["mylink/file.txt:1: test"];
    check(&f, json!({"pattern": "test", "path": "mylink"}), &linked).await;
    check(&f, json!({"pattern": "test", "path": "mylink/file.txt"}), &linked).await;
    let result = f.call("Grep", json!({"pattern": "test", "path": "harmless"})).await;
    assert_eq!(result["error"]["errorCode"], "reading-secret-file");
    assert!(f.host.asks().is_empty());
    check(&f, json!({"pattern": "test", "path": "away"}), &["away/h.txt:1: test"]).await;
    assert_eq!(f.host.asks().len(), 1);
}

#[tokio::test]
async fn the_limits_of_the_seed() {
    let many: Vec<(String, String)> = (0..30)
        .map(|n| (format!("d{}/f{n:02}", n % 3), "needle\n".repeat(if n == 0 { 3 } else { 12 })))
        .collect();
    let files: Vec<(&str, &str)> = many.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let f = Fixture::new(&files);
    let got = lines(&f, json!({"pattern": "needle"})).await;
    let hits = || got.iter().filter(|line| line.ends_with(": needle"));
    assert_eq!(hits().count(), 100);
    assert_eq!(hits().filter(|line| line.starts_with("d0/f03:")).count(), 10);
    assert_eq!(
        got[..4],
        ["d0/f00:1: needle", "d0/f00:2: needle", "d0/f00:3: needle", "d0/f03:1: needle"]
    );
    assert_eq!(
        got[100..],
        [
            "Note: there are more matches; these are the first 100 in the order of paths. Narrow \
             the search with a longer pattern, path or glob.",
            "Note: files with more matches than the first 10, which are shown: 9 files (d0/f03, \
             d0/f06, d0/f09, …)",
        ]
    );
    for _ in 0..20 {
        assert_eq!(lines(&f, json!({"pattern": "needle"})).await, got);
    }
}

#[tokio::test]
async fn long_lines_are_cut() {
    let f = Fixture::new(&[("long", &format!("needle{}", "é".repeat(400)))]);
    let want = format!("long:1: needle{}...", "é".repeat(194));
    check(&f, json!({"pattern": "needle"}), &[&want]).await;
}

#[tokio::test]
async fn a_thread_searches_what_it_sees() {
    let f = Fixture::new(&[("a.txt", "old text\n"), (".gitignore", "target\n")]);
    let edit = at(&f, "a.txt", json!({"old_str": "old", "new_str": "new needle"}));
    f.call("edit_file", edit).await;
    for name in ["deep/new.txt", ".hidden/x", "target/x"] {
        f.call("create_file", at(&f, name, json!({"content": "created needle"}))).await;
    }
    let both = ["a.txt:1: new needle text", "deep/new.txt:1: created needle"];
    check(&f, json!({"pattern": "needle"}), &both).await;
    check(&f, json!({"pattern": "old text"}), &NONE).await;
    check(&f, json!({"pattern": "needle", "path": "deep"}), &both[1..]).await;
    check(&f, json!({"pattern": "needle", "path": "deep/new.txt"}), &both[1..]).await;
    check(&f, json!({"pattern": "needle", "glob": "deep/*"}), &both[1..]).await;
    check(&f, json!({"pattern": "needle", "glob": ".hidden/*"}), &[".hidden/x:1: created needle"])
        .await;
    check(&f, json!({"pattern": "needle", "glob": "!deep"}), &both[..1]).await;
    // Another thread sees the disk.
    let call = ToolCall { id: "o".into(), name: "Grep".into(), args: json!({"pattern": "needle"}) };
    let other = f.tools.run(&scope(&f.root, "T-2"), vec![call], &|_| {}).await;
    assert_eq!(other, [ToolResult::done(NONE.to_vec())]);
}

#[tokio::test]
async fn unsaved_text_is_searched() {
    let f = Fixture::new(&[("a.txt", "on disk\n")]);
    let open = |name: &str, text: &str| {
        let path = f.root.join(name);
        let file = WorkspacePath::assume_canonical(&path);
        f.workspace.opened(file, format!("file://{}", path.display()), 1, text.to_owned());
    };
    open("a.txt", "needle typed\n");
    open("never saved.txt", "\nneedle too\n");
    open("unsaved.pem", "needle\n");
    let note = "Note: not searched, since they may hold secrets: 1 file (unsaved.pem)";
    let want = ["a.txt:1: needle typed", "never saved.txt:2: needle too", note];
    check(&f, json!({"pattern": "needle"}), &want).await;
    check(&f, json!({"pattern": "on disk"}), &[NONE[0], NONE[1], note]).await;
    for name in ["never saved.txt", "unsaved.pem"] {
        f.workspace.closed(format!("file://{}", f.path(name)));
    }
    check(&f, json!({"pattern": "needle"}), &want[..1]).await;
}

#[tokio::test]
async fn an_edit_before_it_in_the_same_batch_is_searched() {
    let f = fixture();
    let results = f
        .run(&[
            ("edit_file", at(&f, "b/d.rs", json!({"old_str": "other", "new_str": "edited"}))),
            ("Grep", json!({"pattern": "edited"})),
            ("grep", json!({"pattern": "edited", "path": "b", "type": "rust"})),
        ])
        .await;
    assert_eq!(results[1]["result"], json!(["b/d.rs:1: edited"]));
    let note = "Note: ignored what is no argument of Grep: type.";
    assert_eq!(results[2]["result"], json!(["b/d.rs:1: edited", note]));
}

#[tokio::test]
async fn a_cancelled_call_does_not_search() {
    let f = fixture();
    f.scope.cancel.cancel();
    let result = f.call("Grep", json!({"pattern": "x"})).await;
    assert_eq!(result, json!({"status": "cancelled"}));
}

#[test]
fn a_call_that_is_dropped_stops_its_threads() {
    let drop_it = Mutex::new(Some(StopOnDrop::default()));
    let flag = drop_it.lock().unwrap().as_ref().unwrap().flag();
    let dir = tempfile::tempdir().unwrap();
    for n in 0..500 {
        std::fs::write(dir.path().join(n.to_string()), "needle").unwrap();
    }
    let options = Options { case_sensitive: true, literal: true, multiline: false };
    let matcher = compiled("needle", options).unwrap();
    let looked = AtomicUsize::new(0);
    // The first file that is found is the moment of the cancel.
    let is_forbidden = |_: &Path| {
        drop(drop_it.lock().unwrap().take());
        looked.fetch_add(1, Ordering::SeqCst);
        false
    };
    let search = Search {
        matcher: &matcher,
        wanted: WANTED,
        place: &Place::alone(dir.path()),
        filter: &Filter::default(),
        seen: &Seen::default(),
        sieve: &NoIndex,
        is_forbidden: &is_forbidden,
        stop: &flag,
    };
    search.folder(&Outcome::new(Found::new(100, Unit::Lines)));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    assert!(looked.into_inner() <= threads.min(12), "no thread looks at a further file");
}

#[cfg(unix)]
#[tokio::test]
async fn what_can_not_be_read_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let f = Fixture::new(&[("a", "needle"), ("closed/x", "needle"), ("b", "needle")]);
    let set = |name: &str, mode: u32| {
        std::fs::set_permissions(f.root.join(name), PermissionsExt::from_mode(mode)).unwrap();
    };
    set("closed", 0);
    set("b", 0);
    let got = lines(&f, json!({"pattern": "needle"})).await;
    set("closed", 0o755);
    // Root reads everything.
    if std::fs::File::open(f.root.join("b")).is_err() {
        let note = "Note: could not be read (Permission denied (os error 13)): 2 files (b, closed)";
        assert_eq!(got, ["a:1: needle", note]);
    }
}
