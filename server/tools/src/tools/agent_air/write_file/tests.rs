use redline_workspace::{OptionId, ResolveAction, ResolveRequest};
use serde_json::{Value, json};

use crate::{
    Dialect, builtin,
    fixture::{Fixture, done, message},
    testing::{TestHost, answer},
};

fn fixture(files: &[(&str, &str)], rules: &str) -> Fixture {
    let mut f = Fixture::with(files, rules, TestHost::default(), builtin());
    f.scope.dialect = Dialect::AgentAir;
    f
}

async fn write(f: &Fixture, name: &str, content: &str, more: Value) -> Value {
    let mut args = json!({"file_path": f.path(name), "content": content});
    for (key, value) in more.as_object().unwrap() {
        args[key] = value.clone();
    }
    f.call("write_file", args).await
}

const PROPOSED: &str = "Proposed; not in the file until the user accepts (1 hunk).";

#[tokio::test]
async fn content_is_written_exactly_and_its_bytes_are_counted() {
    let f = fixture(&[("old", "a\r\nb\r\n")], "");
    let check = async |name: &str, content: &str, verb: &str| {
        let result = write(&f, name, content, json!({})).await;
        let (path, bytes) = (f.path(name), content.len());
        let want = format!("Successfully {verb} '{path}' ({bytes} bytes)\n{PROPOSED}");
        assert_eq!(done(&result), want);
        assert_eq!(result["trackFiles"], json!([path]));
    };
    // The example of seed 002, which has no final line end.
    check("config.yaml", "database:\n host: localhost\n port: 5432", "created").await;
    check("deep/er/é", "é😀", "created").await;
    check("old", "a\nb", "overwrote").await;
    assert_eq!(f.disk("old"), "a\r\nb\r\n");
    assert!(!f.root.join("deep").exists());
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
    assert_eq!(f.disk("config.yaml"), "database:\n host: localhost\n port: 5432");
    assert_eq!(f.disk("deep/er/é"), "é😀");
    assert_eq!(f.disk("old"), "a\nb");
}

#[tokio::test]
async fn bytes_are_those_of_the_files_encoding() {
    let f = fixture(&[], "allow write_file");
    std::fs::write(f.root.join("wide"), b"\xFF\xFEa\0\n\0").unwrap();
    let result = write(&f, "wide", "b😀", json!({})).await;
    assert!(done(&result).ends_with("wide' (8 bytes)"), "{result}");
    assert_eq!(std::fs::read(f.root.join("wide")).unwrap(), b"\xFF\xFEb\0\x3D\xD8\x00\xDE");
}

#[tokio::test]
async fn directories_are_created_only_if_wanted() {
    let f = fixture(&[], "");
    let no = json!({"create_directories": false});
    let result = write(&f, "new/x", "x", no.clone()).await;
    assert!(message(&result).starts_with("Failed to create "), "{result}");
    write(&f, "new/y", "y", json!({})).await;
    let result = write(&f, "new/x", "x", no.clone()).await;
    assert_eq!(result["status"], "done", "a proposed file's folder will be there: {result}");
    assert_eq!(write(&f, "z", "z", no).await["status"], "done");
}

#[tokio::test]
async fn what_is_refused() {
    let f = fixture(&[("d/x", ""), (".env", "")], "");
    let result = f.call("write_file", json!({"file_path": "x", "content": ""})).await;
    assert_eq!(message(&result), "file_path must be an absolute path, got: x");
    let result = write(&f, ".env", "A=1", json!({})).await;
    assert_eq!(result["error"]["errorCode"], "reading-secret-file");
    let result = write(&f, "d", "x", json!({})).await;
    assert!(message(&result).ends_with("is not a regular file"), "{result}");
    assert_eq!(f.workspace.query(|session| session.reviews().len()), 0);
}

#[tokio::test]
async fn an_ask_says_what_is_written_and_how_much() {
    let host = TestHost::new([answer(OptionId::Once), answer(OptionId::Once)]);
    let mut f = Fixture::with(&[], "", host, builtin());
    f.scope.dialect = Dialect::AgentAir;
    std::fs::write(f.root.join("../home/old"), "old").unwrap();
    for name in ["../home/new", "../home/old"] {
        let result = write(&f, name, "é\n", json!({})).await;
        assert_eq!(result["status"], "done", "{result}");
    }
    let titles: Vec<String> = f.host.asks().into_iter().map(|ask| ask.title).collect();
    let home = f.root.parent().unwrap().join("home");
    let title = |verb: &str, name: &str| {
        format!("write_file: {verb} {} (3 bytes)", home.join(name).display())
    };
    assert_eq!(titles, [title("Create", "new"), title("Overwrite", "old")]);
}
