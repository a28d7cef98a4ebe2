use std::path::Path;

use redline_tools::{Cancel, Dialect, Scope, ToolCall};
use serde_json::json;

use super::*;
use crate::{
    cli::House,
    settings::Settings,
    terminal::{Answers, Typist},
};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

async fn propose(house: &House, path: &Path, old: &str, new: &str) {
    let args = json!({"path": path, "old_str": old, "new_str": new});
    call(house, "edit_file", new, args).await;
}

async fn call(house: &House, tool: &str, id: &str, args: serde_json::Value) {
    let scope = Scope {
        thread: redline_layers::ThreadId::from("t"),
        agent: "test".to_owned(),
        context: redline_permissions::Context::Thread,
        cwd: house.root.clone(),
        dialect: Dialect::Amp,
        cancel: Cancel::new(),
        mode: None,
        subagent: None,
    };
    let call = ToolCall { id: id.to_owned(), name: tool.to_owned(), args };
    let results = house.tools.run(&scope, vec![call], &|_| {}).await;
    assert!(matches!(results[..], [redline_tools::ToolResult::Done { .. }]), "{results:?}");
}

/// Two files with the proposals ONE and SEVEN (a.txt) and TWO (b.txt); the user types `keys`.
async fn check(keys: &str, a: &str, b: &str, tally: (usize, usize, usize)) -> String {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let (file_a, file_b) = (root.join("a.txt"), root.join("b.txt"));
    std::fs::write(&file_a, TEXT).unwrap();
    std::fs::write(&file_b, TEXT).unwrap();
    let typist = Typist::new(keys);
    let console: SharedConsole = typist.clone();
    let answers = Answers::User(Arc::clone(&console));
    let house = House::open(root, &Settings::default(), answers);
    propose(&house, &file_a, "one", "ONE").await;
    propose(&house, &file_a, "seven", "SEVEN").await;
    propose(&house, &file_b, "two", "TWO").await;
    let got = review(&house.workspace, &console, None).await;
    let screen = typist.lock().unwrap().screen.clone();
    assert_eq!((got.accepted(), got.rejected(), got.undecided), tally, "{screen}");
    let changed = |words: &str| {
        words
            .split(' ')
            .filter(|w| !w.is_empty())
            .fold(TEXT.to_owned(), |text, word| text.replace(&word.to_lowercase(), word))
    };
    assert_eq!(std::fs::read_to_string(&file_a).unwrap(), changed(a), "{screen}");
    assert_eq!(std::fs::read_to_string(&file_b).unwrap(), changed(b), "{screen}");
    screen
}

#[tokio::test]
async fn keys_decide_as_in_git_add_p() {
    check("yyy", "ONE SEVEN", "TWO", (3, 0, 0)).await;
    check("nyn", "SEVEN", "", (1, 2, 0)).await;
    check("ad", "ONE SEVEN", "", (2, 1, 0)).await;
    check("da", "", "TWO", (1, 2, 0)).await;
    check("yq", "ONE", "", (1, 0, 2)).await;
    check("y", "ONE", "", (1, 0, 2)).await;
}

#[tokio::test]
async fn enter_and_unknown_keys_decide_nothing() {
    let screen = check("\n?xq", "", "", (0, 0, 3)).await;
    assert!(screen.contains("Enter alone decides nothing"), "{screen}");
    assert_eq!(screen.matches("accept this hunk and the rest").count(), 2, "{screen}");
}

#[tokio::test]
async fn a_comment_goes_with_a_reject_and_can_be_left() {
    let screen = check("c\x1bcnot that\nad", "SEVEN", "", (1, 2, 0)).await;
    assert!(screen.contains("Why not? not that\n  rejected\n"), "{screen}");
}

#[tokio::test]
async fn the_header_counts_hunks_of_the_file() {
    let screen = check("yyy", "ONE SEVEN", "TWO", (3, 0, 0)).await;
    for header in ["a.txt  hunk 1 of 2  (edit_file)", "a.txt  hunk 2 of 2", "b.txt  hunk 1 of 1"] {
        assert!(screen.contains(header), "{header} in {screen}");
    }
}

#[tokio::test]
async fn a_deletion_is_shown_and_decided() {
    for (keys, gone) in [("y", true), ("n", false)] {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let file = root.join("a.txt");
        std::fs::write(&file, TEXT).unwrap();
        let typist = Typist::new(keys);
        let console: SharedConsole = typist.clone();
        let answers = Answers::User(Arc::clone(&console));
        let house = House::open(root, &Settings::default(), answers);
        call(&house, "delete_file", "d", json!({"path": file})).await;
        review(&house.workspace, &console, None).await;
        assert_eq!(file.exists(), !gone);
        let screen = typist.lock().unwrap().screen.clone();
        let page = "a.txt  hunk 1 of 1  (delete_file)\n  the file is deleted\n   1 - one\n";
        assert!(screen.contains(page), "{screen}");
    }
}
