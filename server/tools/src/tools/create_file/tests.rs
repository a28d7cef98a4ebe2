use serde_json::{Value, json};

use crate::fixture::{Fixture, at, done};

async fn create(f: &Fixture, name: &str, content: &str) -> Value {
    f.call("create_file", at(f, name, json!({"content": content}))).await
}

async fn read(f: &Fixture, name: &str) -> String {
    done(&f.call("Read", at(f, name, json!({}))).await).to_owned()
}

const PROPOSED: &str = "Proposed; not in the file until the user accepts (1 hunk).";

#[tokio::test]
async fn the_behaviour_contract() {
    let f = Fixture::new(&[("old.txt", "a\nb\nc\n")]);
    // 1. "Creates parent directories if they don't exist": when the user accepts
    let result = create(&f, "deep/er/new.txt", "x").await;
    let path = f.path("deep/er/new.txt");
    assert_eq!(done(&result), format!("Successfully created file {path}\n{PROPOSED}"));
    assert_eq!(result["trackFiles"], json!([path]));
    assert_eq!(result["review"]["state"], "pending");
    assert!(!f.root.join("deep").exists());
    assert_eq!(read(&f, "deep/er/new.txt").await, "1: x");
    // 3. "Overwrites existing files without warning"
    let result = create(&f, "old.txt", "a\nB\nc\n").await;
    let path = f.path("old.txt");
    assert_eq!(done(&result), format!("Successfully overwrote file {path}\n{PROPOSED}"));
    assert_eq!(f.disk("old.txt"), "a\nb\nc\n");
}

#[tokio::test]
async fn a_final_line_end() {
    // 2. "Appends trailing newline if content doesn't end with one"
    let f = Fixture::new(&[("crlf", "a\r\nb\r\n")]);
    let text = |name: &str| {
        let file = f.workspace.path(name, &f.root).unwrap();
        f.workspace.read(&file, &f.scope.thread).unwrap().text.to_string()
    };
    for (content, want) in [("a", "a\n"), ("a\n", "a\n"), ("", ""), ("a\r\nb\r\n", "a\r\nb\r\n")] {
        create(&f, "new", content).await;
        assert_eq!(text("new"), want);
    }
    // The line ends that a file has survive (DESIGN, section 4).
    create(&f, "crlf", "a\nc").await;
    assert_eq!(text("crlf"), "a\r\nc\r\n");
}

#[tokio::test]
async fn guidance_is_discovered_once() {
    // 5. "Checks for AGENTS.md discovery after creation"
    let f = Fixture::new(&[("AGENTS.md", "root"), ("sub/AGENTS.md", "sub")]);
    let result = create(&f, "sub/x", "x").await;
    let found = json!([f.path("AGENTS.md"), f.path("sub/AGENTS.md")]);
    assert_eq!(result["result"]["discoveredGuidanceFiles"], found);
    let message = format!("Successfully created file {}", f.path("sub/x"));
    assert_eq!(result["result"]["message"], message);
    assert_eq!(result["result"]["note"], PROPOSED);
    assert!(create(&f, "sub/y", "y").await["result"].is_string());
}

#[tokio::test]
async fn the_same_content_is_no_proposal() {
    let f = Fixture::new(&[("a", "a\n")]);
    let result = create(&f, "a", "a").await;
    assert!(done(&result).ends_with("The file had this content already."), "{result}");
    assert_eq!(result.get("review"), None);
}

#[tokio::test]
async fn secrets_are_not_written() {
    let f = Fixture::new(&[]);
    let result = create(&f, ".env", "A=1").await;
    assert_eq!(result["error"]["errorCode"], "reading-secret-file");
}

#[cfg(unix)]
#[tokio::test]
async fn overwriting_a_read_only_file_is_proposed_with_a_caution() {
    use std::os::unix::fs::PermissionsExt;
    let f = Fixture::new(&[("a", "a\n")]);
    let mode = std::fs::Permissions::from_mode(0o444);
    std::fs::set_permissions(f.root.join("a"), mode).unwrap();
    let result = create(&f, "a", "b").await;
    assert!(done(&result).contains("\nThe file is read-only: "), "{result}");
}
