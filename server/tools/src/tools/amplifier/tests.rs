use redline_workspace::{ContentChange, Event, ResolveAction, ResolveRequest};
use serde_json::{Value, json};

use crate::{
    Dialect, ToolSettings, builtin,
    fixture::{Fixture, done, message},
    testing::TestHost,
};

fn fixture(files: &[(&str, &str)]) -> Fixture {
    with_rules(files, "")
}

/// With a bundle `b`, which is outside the workspace.
fn with_rules(files: &[(&str, &str)], rules: &str) -> Fixture {
    let mut f = Fixture::with(files, rules, TestHost::default(), builtin());
    f.scope.dialect = Dialect::Amplifier;
    let bundle = f.root.parent().unwrap().join("bundle");
    std::fs::create_dir_all(bundle.join("docs")).unwrap();
    std::fs::write(bundle.join("docs/guide.md"), "# Guide\n").unwrap();
    std::fs::write(bundle.join(".env"), "A=1\n").unwrap();
    let bundles = [("b".to_owned(), bundle)].into();
    f.tools.configure(ToolSettings { bundles, ..ToolSettings::default() });
    f
}

async fn read(f: &Fixture, path: &str, more: Value) -> Value {
    let mut args = json!({"file_path": path});
    for (key, value) in more.as_object().unwrap() {
        args[key] = value.clone();
    }
    f.call("read_file", args).await
}

async fn edit(f: &Fixture, path: &str, old: &str, new: &str) -> Value {
    let args = json!({"file_path": path, "old_string": old, "new_string": new});
    f.call("edit_file", args).await
}

async fn write(f: &Fixture, path: &str, content: &str) -> Value {
    f.call("write_file", json!({"file_path": path, "content": content})).await
}

fn first_line(result: &Value) -> &str {
    message(result).lines().next().unwrap_or_default()
}

#[tokio::test]
async fn files_are_read_as_by_cat() {
    let f = fixture(&[("src/main.py", "import sys\n\ndef main():\n    print()\n")]);
    let all = "     1\timport sys\n     2\t\n     3\tdef main():\n     4\t    print()";
    for path in ["src/main.py".to_owned(), "./src/main.py".to_owned(), f.path("src/main.py")] {
        assert_eq!(done(&read(&f, &path, json!({})).await), all);
    }
    let check = async |more: Value, want: &str| {
        assert_eq!(done(&read(&f, "src/main.py", more.clone()).await), want, "{more}");
    };
    check(json!({"offset": 4}), "     4\t    print()").await;
    let some = "     2\t\n[Lines 2-2 of 4. Go on with offset: 3.]";
    check(json!({"offset": 2, "limit": 1}), some).await;
    check(json!({"offset": 0, "limit": 4}), all).await;
    check(json!({"offset": -9, "limit": 1e9 as u64}), all).await;
    check(json!({"offset": 9}), "[The file has 4 lines: none from line 9 on.]").await;
    check(json!({"limit": -1}), "     1\timport sys\n[Lines 1-1 of 4. Go on with offset: 2.]")
        .await;
}

#[tokio::test]
async fn the_limits_of_seed_003() {
    let wide = format!("{}\nx\n", "é".repeat(2_001));
    let exact = format!("{}\r\n", "é".repeat(2_000));
    let large = format!("{}\n", "z".repeat(1_500)).repeat(200);
    let f = fixture(&[
        ("many", &"x\n".repeat(2_500)),
        ("wide", &wide),
        ("exact", &exact),
        ("large", &large),
        ("empty", ""),
    ]);
    let result = read(&f, "many", json!({"limit": 2_500})).await;
    assert_eq!(done(&result).matches("\tx\n").count(), 2_000);
    assert!(done(&result).ends_with("[Lines 1-2000 of 2500. Go on with offset: 2001.]"));
    let want = format!("     1\t{}... [truncated]\n     2\tx", "é".repeat(2_000));
    assert_eq!(done(&read(&f, "wide", json!({})).await), want);
    let want = format!("     1\t{}", "é".repeat(2_000));
    assert_eq!(done(&read(&f, "exact", json!({})).await), want);
    let result = read(&f, "large", json!({})).await;
    let text = done(&result);
    assert!(text.len() < 102_500 && text.contains("of 200. Go on with offset: "), "{}", text.len());
    let warning = "Warning: File exists but has empty contents";
    assert_eq!(done(&read(&f, "empty", json!({})).await), warning);
}

#[tokio::test]
async fn directories_are_listed() {
    let files =
        [("src/main.py", ""), ("src/config.py", ""), ("src/utils/x", ""), ("src/components/y", "")];
    let f = fixture(&files);
    write(&f, "src/new.py", "x").await;
    let want = "DIR: components/\nDIR: utils/\nFILE: config.py\nFILE: main.py\nFILE: new.py";
    assert_eq!(done(&read(&f, "./src", json!({})).await), want);
    std::fs::create_dir(f.root.join("none")).unwrap();
    assert_eq!(done(&read(&f, "none", json!({})).await), "[The directory is empty.]");
}

#[tokio::test]
async fn what_can_not_be_read() {
    let f = fixture(&[(".env", "A=1")]);
    std::fs::write(f.root.join("data"), b"a\0b").unwrap();
    let check = async |path: &str, want: &str| {
        assert_eq!(first_line(&read(&f, path, json!({})).await), want);
    };
    check("none", "File not found: none").await;
    check("data", "Cannot read file: data (not a text file or encoding issue)").await;
    check(".env", "Refusing to read env file. Reading secrets is not permitted.").await;
    std::fs::write(f.root.join("i.png"), b"\x89PNG\r\n\x1a\nrest").unwrap();
    assert_eq!(read(&f, "i.png", json!({})).await["result"]["type"], "image");
}

#[tokio::test]
async fn bundles_are_read_without_asking_and_never_written() {
    let f = fixture(&[]);
    assert_eq!(done(&read(&f, "@b:docs/guide.md", json!({})).await), "     1\t# Guide");
    assert_eq!(done(&read(&f, "@b:docs", json!({})).await), "FILE: guide.md");
    assert!(f.host.asks().is_empty());
    let check = async |path: &str, want: &str| {
        let result = read(&f, path, json!({})).await;
        assert!(message(&result).starts_with(want), "{result}");
    };
    check("@b:.env", "Refusing to read env file.").await;
    check("@b:../w", "@b:../w leads out of its bundle").await;
    check("@other:x", "there is no bundle called \"other\"; there are: b.").await;
    let denied = "Access denied: @b:docs/guide.md is not within allowed write paths";
    assert_eq!(first_line(&edit(&f, "@b:docs/guide.md", "Guide", "x").await), denied);
    assert_eq!(first_line(&write(&f, "@b:docs/guide.md", "x").await), denied);
    assert_eq!(f.workspace.query(|session| session.reviews().len()), 0);
}

#[tokio::test]
async fn rules_see_the_real_file_of_a_bundle() {
    let check = async |rule: &str, want: &str| {
        let f = with_rules(&[], &rule.replace('$', "*/bundle"));
        let result = read(&f, "@b:docs/guide.md", json!({})).await;
        assert_eq!(result["status"], want, "{rule}: {result}");
    };
    check("reject Read --path '$/docs/*'", "rejected-by-user").await;
    check("reject read_file --path '@b:*'", "rejected-by-user").await;
    check("reject Read --path '$/other/*'", "done").await;
}

const UNREAD: &str = "Must read file before editing";

#[tokio::test]
async fn a_file_must_be_read_first() {
    let f = fixture(&[("a", "one\ntwo\n"), ("b", "b\n")]);
    assert_eq!(first_line(&edit(&f, "a", "one", "1").await), UNREAD);
    assert_eq!(first_line(&write(&f, "a", "1").await), UNREAD);
    read(&f, "b", json!({})).await;
    assert_eq!(first_line(&edit(&f, "a", "one", "1").await), UNREAD, "of another file");
    read(&f, "a", json!({"offset": 2, "limit": 1})).await;
    assert_eq!(edit(&f, "a", "one", "1").await["status"], "done");
    // What the thread wrote itself it has read.
    assert_eq!(edit(&f, "./a", "two", "2").await["status"], "done");
    assert_eq!(write(&f, "a", "three").await["status"], "done");
    // A new file needs no read, and then is known.
    assert_eq!(write(&f, "new", "x = 1").await["status"], "done");
    assert_eq!(edit(&f, "new", "x = 1", "x = 2").await["status"], "done");
    assert_eq!(f.disk("a"), "one\ntwo\n");
    // The user's accept changes nothing of what the thread saw.
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
    assert_eq!(edit(&f, "a", "three", "3").await["status"], "done");
    assert_eq!(f.disk("new"), "x = 2");
}

#[tokio::test]
async fn a_file_that_was_deleted_is_written_again() {
    for reads in [true, false] {
        let f = fixture(&[("a", "one\n")]);
        if reads {
            read(&f, "a", json!({})).await;
        }
        assert_eq!(f.call("delete_file", json!({"path": "a"})).await["status"], "done");
        let written = write(&f, "a", "two").await;
        assert_eq!(written["status"], "done", "{written}");
        assert_eq!(edit(&f, "a", "two", "three").await["status"], "done");
    }
}

#[tokio::test]
async fn no_name_of_a_tool_leads_around_it() {
    let f = fixture(&[("a", "one\n")]);
    for (name, args) in [
        ("create_file", json!({"path": "a", "content": "x"})),
        (
            "multi_edit",
            json!({"file_path": f.path("a"), "edits": [{"old_string": "one", "new_string": "1"}]}),
        ),
    ] {
        assert_eq!(first_line(&f.call(name, args).await), UNREAD, "{name}");
    }
}

/// Each knows what it has read itself.
#[tokio::test]
async fn what_a_subagent_read_its_thread_has_not() {
    let mut f = fixture(&[("a", "one\n")]);
    f.scope.subagent = Some("S-1".into());
    read(&f, "a", json!({})).await;
    f.scope.subagent = None;
    assert_eq!(first_line(&edit(&f, "a", "one", "1").await), UNREAD);
}

#[tokio::test]
async fn a_change_since_counts_as_not_read() {
    let f = fixture(&[("a", "one\ntwo\n"), ("open", "one\ntwo\n")]);
    for name in ["a", "open"] {
        read(&f, name, json!({})).await;
    }
    // On the disk.
    std::fs::write(f.root.join("a"), "one\ntwo\nthree\n").unwrap();
    assert_eq!(first_line(&edit(&f, "a", "one", "1").await), UNREAD);
    assert_eq!(first_line(&write(&f, "a", "1").await), UNREAD);
    read(&f, "a", json!({})).await;
    assert_eq!(edit(&f, "a", "one", "1").await["status"], "done");
    // In the buffer.
    let (file, uri) = (f.workspace.path("open", &f.root).unwrap(), "file:///open".to_owned());
    f.workspace.opened(file, uri.clone(), 1, "one\ntwo\n".to_owned());
    assert_eq!(edit(&f, "open", "one", "1").await["status"], "done");
    let changes = vec![ContentChange { range: None, text: "one\ntwo!\n".to_owned() }];
    f.workspace.post(Event::Changed { uri, version: 2, changes });
    assert_eq!(first_line(&edit(&f, "open", "two", "2").await), UNREAD);
    // And a rejected proposal.
    read(&f, "open", json!({})).await;
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Reject)).await.unwrap();
    assert_eq!(first_line(&edit(&f, "open", "two", "2").await), UNREAD);
}

#[tokio::test]
async fn the_errors_of_an_edit() {
    let f = fixture(&[("a", "x = 1\ny = 2\nx = 1\n")]);
    read(&f, "a", json!({})).await;
    let several = "old_string appears 2 times in file. Either provide more context to make it \
                   unique or set replace_all=true";
    let result = edit(&f, "a", "x = 1", "x = 2").await;
    assert_eq!(message(&result), format!("{several}\nThey start at lines 1, 3."));
    assert_eq!(first_line(&edit(&f, "a", "zebra", "x").await), "old_string not found in file: a");
    assert_eq!(first_line(&edit(&f, "none", "a", "b").await), "File not found: none");
    let same = "old_string and new_string must be different";
    assert_eq!(first_line(&edit(&f, "a", "y", "y").await), same);
    let all = json!({
        "file_path": "a", "old_string": "x = 1", "new_string": "x = 2", "replace_all": true
    });
    let result = f.call("edit_file", all).await;
    assert_eq!(result["result"]["lineRange"], json!([1, 3]), "{result}");
}

#[tokio::test]
async fn content_is_written_exactly() {
    let f = fixture(&[]);
    let result = write(&f, "src/é.py", "é").await;
    let want = format!("Successfully created '{}' (2 bytes)", f.path("src/é.py"));
    assert_eq!(done(&result).lines().next(), Some(want.as_str()));
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
    assert_eq!(f.disk("src/é.py"), "é");
}
