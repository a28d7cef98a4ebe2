//! What an edit that was not found is told, and one whose place changed on the way.

use std::sync::Arc;

use redline_text::Options;
use redline_workspace::{ContentChange, Event, ResolveAction, ResolveRequest};
use serde_json::{Value, json};

use super::{Form, Piece, Wanted, look, proposed};
use crate::{
    Registry, ToolContext, ToolDefinition, builtin,
    fixture::{Fixture, at, message},
    testing::TestHost,
};

const TEXT: &str = "fn main() {\n    let total = compute();\n    print(total);\n}\n";

fn fixture(rules: &str) -> Fixture {
    Fixture::with(&[("m.rs", TEXT), ("other.rs", "")], rules, TestHost::allowing(), builtin())
}

async fn edit(f: &Fixture, old: &str, new: &str) -> Value {
    f.call("edit_file", at(f, "m.rs", json!({"old_str": old, "new_str": new}))).await
}

fn open(f: &Fixture, name: &str, text: &str) -> String {
    let file = f.workspace.path(name, &f.root).unwrap();
    let uri = format!("file://{file}");
    f.workspace.opened(file, uri.clone(), 1, text.to_owned());
    uri
}

/// The first line is the seed's; `wants` are somewhere after it.
fn check(result: &Value, wants: &[&str]) {
    let (first, rest) = message(result).split_once('\n').unwrap_or_else(|| panic!("{result}"));
    assert_eq!(first, "Could not find exact match for old_str");
    for want in wants {
        assert!(rest.contains(want), "{want:?} is not in {rest}");
    }
}

#[tokio::test]
async fn text_that_an_own_pending_edit_has_changed() {
    let f = fixture("");
    edit(&f, "let total = compute();", "let sum = add_up();\n    log(sum);").await;
    let result = edit(&f, "let total = compute();", "let total = 1;").await;
    check(
        &result,
        &["Your own edit c0 (pending) has changed this text already. Now see lines 2–3"],
    );
    // Also where only one of several lines was changed.
    let result = edit(&f, "fn main() {\n    let total = compute();", "x").await;
    check(&result, &["Your own edit c0 (pending)"]);
}

#[tokio::test]
async fn text_that_an_own_applied_or_accepted_edit_has_changed() {
    let f = fixture("allow edit_file");
    edit(&f, "let total = compute();", "let sum = add_up();").await;
    let result = edit(&f, "let total = compute();", "let total = 1;").await;
    check(&result, &["Your own edit c0 (applied) has changed this text already. Now see line 2"]);

    let f = fixture("");
    edit(&f, "let total = compute();", "let sum = add_up();").await;
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
    let result = edit(&f, "total = compute()", "total = 1").await;
    check(&result, &["Your own edit c0 has replaced this text already. Now see line 2"]);
}

#[tokio::test]
async fn text_that_the_user_rejected() {
    let f = fixture("");
    edit(&f, "let total = compute();", "let sum = add_up();").await;
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Reject)).await.unwrap();
    let result = edit(&f, "let sum = add_up();", "let sum = 2;").await;
    check(&result, &["The user rejected an earlier proposal with this text"]);
}

#[tokio::test]
async fn text_that_is_only_on_disk() {
    let f = fixture("");
    open(&f, "m.rs", &TEXT.replace("compute()", "typed_by_the_user()"));
    let result = edit(&f, "let total = compute();", "x").await;
    check(&result, &["The file on disk has it (line 2)", "not saved"]);
    // And what is only in the editor is found.
    let result = edit(&f, "typed_by_the_user", "typed").await;
    assert_eq!(result["status"], "done", "{result}");
    assert_eq!(f.disk("m.rs"), TEXT);
}

#[tokio::test]
async fn text_that_another_thread_has_proposed() {
    let mut f = fixture("");
    edit(&f, "let total = compute();", "let sum = add_up();").await;
    f.scope.thread = "T-2".into();
    let result = edit(&f, "let sum = add_up();", "x").await;
    check(&result, &["It is in a proposal of another agent (Test, c0)"]);
}

#[tokio::test]
async fn text_that_is_in_a_file_that_was_read_lately() {
    let mut f = fixture("");
    std::fs::create_dir(f.root.join("src")).unwrap();
    std::fs::write(f.root.join("src/lib.rs"), "mod a;\nfn   helper_of_mine() {}\n").unwrap();
    std::fs::write(f.root.join(".env"), "helper_of_mine=1\n").unwrap();
    let old = "fn helper_of_mine() {}";
    let unread = edit(&f, old, "x").await;
    assert!(!message(&unread).contains("src/lib.rs"), "{unread}");
    f.call("Read", at(&f, "src/lib.rs", json!({}))).await;
    f.call("Read", at(&f, "other.rs", json!({}))).await;
    check(&edit(&f, old, "x").await, &["src/lib.rs has it (line 2), which you saw lately"]);
    // A bracket is in every file, and what another thread read is its own affair.
    let bracket = edit(&f, "{}", "x").await;
    assert!(!message(&bracket).contains("src/lib.rs"), "{bracket}");
    f.scope.thread = "T-2".into();
    let other = edit(&f, old, "x").await;
    assert!(!message(&other).contains("src/lib.rs"), "{other}");
}

#[tokio::test]
async fn a_missing_file_with_the_name_of_one_that_was_read() {
    let f = Fixture::new(&[("src/deep/lib.rs", "a\n")]);
    f.call("Read", at(&f, "src/deep/lib.rs", json!({}))).await;
    let result =
        f.call("edit_file", at(&f, "lib.rs", json!({"old_str": "a", "new_str": "b"}))).await;
    let want = format!("Did you mean {}, which you saw lately?", f.path("src/deep/lib.rs"));
    assert!(message(&result).ends_with(&want), "{result}");
}

/// A tool that looks, lets the user type, and then proposes what it saw.
fn slow_edit(typed: &'static str) -> ToolDefinition {
    let mut tool = builtin().resolve("edit_file", crate::Dialect::Amp).unwrap().as_ref().clone();
    tool.spec.name = "slow_edit".to_owned();
    tool.run = Arc::new(move |context, args| {
        Box::pin(async move {
            let piece = |old: &str, new: &str| Piece {
                old: old.to_owned(),
                new: new.to_owned(),
                options: Options::ONE,
            };
            let path = args["path"].as_str().unwrap_or_default().to_owned();
            let pieces = vec![piece("total = compute()", "total = 1"), piece("print", "show")];
            let form = Form::Several { dry_run: false };
            let wanted =
                Arc::new(Wanted { path, pieces, family: crate::Dialect::Amp, file: None, form });
            let file = context.path(&wanted.path).unwrap();
            let seen = look(&context, &file, &wanted).await.unwrap_or_else(|_| panic!("not found"));
            type_over(&context, typed);
            match proposed(&context, &file, &wanted, seen).await {
                Ok(result) | Err(result) => result,
            }
        })
    });
    tool
}

fn type_over(context: &ToolContext, text: &str) {
    let file = context.path("m.rs").unwrap();
    let uri = context.workspace.query(|session| session.uri_of(&file)).unwrap();
    let changes = vec![ContentChange { range: None, text: text.to_owned() }];
    context.workspace.post(Event::Changed { uri, version: 2, changes });
}

async fn slowly(typed: &'static str) -> (Fixture, Value) {
    let mut registry = Registry::new();
    registry.register(slow_edit(typed)).unwrap();
    let f = Fixture::with(&[("m.rs", TEXT)], "ask slow_edit", TestHost::allowing(), registry);
    open(&f, "m.rs", TEXT);
    let result = f.call("slow_edit", at(&f, "m.rs", json!({"old_str": "", "new_str": ""}))).await;
    (f, result)
}

#[tokio::test]
async fn a_place_that_changed_meanwhile_is_located_again_once() {
    // The window between the texts covers both places: stale, and found again further down.
    let typed =
        "// new\nfn main() {\n    let total = compute(); // now\n    print(total); // too\n}\n";
    let (_, result) = slowly(typed).await;
    assert_eq!(result["status"], "done", "{result}");
    let diff = result["result"]["diff"].as_str().unwrap();
    assert!(diff.contains("+    let total = 1; // now\n+    show(total); // too\n"), "{diff}");
    assert_eq!(result["review"]["state"], "pending");
}

#[tokio::test]
async fn a_place_that_is_gone_meanwhile_changes_nothing() {
    let typed = "fn main() {\n    let total = compute();\n    puts(total);\n}\n";
    let (f, result) = slowly(typed).await;
    let text = message(&result);
    assert!(text.starts_with("edit 2 of 2: Could not find exact match for old_str"), "{text}");
    assert_eq!(f.workspace.query(|session| session.reviews().len()), 0);
}

#[tokio::test]
async fn a_diff_that_is_too_long_has_whole_hunks() {
    let lines = |word: &str| -> String {
        (0..4000).map(|n| format!("{}{n} {word} {}\n", "x".repeat(20), "y".repeat(20))).collect()
    };
    let f = Fixture::new(&[("f", &lines("old"))]);
    let args = json!({"old_str": "9 old", "new_str": "9 new", "replace_all": true});
    let result = f.call("edit_file", at(&f, "f", args)).await;
    let diff = result["result"]["diff"].as_str().unwrap();
    assert!(diff.len() <= 64 * 1024 && diff.ends_with('\n'), "{}", diff.len());
    let shown = diff.matches("\n@@ ").count();
    let note = result["result"]["note"].as_str().unwrap();
    assert!(note.contains(&format!("it has the first {shown} of 400 hunks")), "{note}");
    assert_eq!(diff.matches("\n+xxx").count(), shown);
}
