//! Where old text is found, what is said where it is not, and several edits in one call.

use redline_tests::session::{id, strings};
use redline_tests::{Options, Script, Session};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};

const FILE: &str = "fn main() {\n\tlet total = compute();\n\tprint(total);\n}\n";

fn edit(session: &mut Session, old: &str, new: &str) -> Value {
    let path = session.sandbox.path("a.rs");
    session.tool("edit_file", &json!({ "path": path, "old_str": old, "new_str": new }))
}

fn message(result: &Value) -> &str {
    assert_eq!(result["status"], "error", "{result}");
    result["error"]["message"].as_str().unwrap()
}

fn check_hint(result: &Value, want: &str) {
    let (first, rest) = message(result).split_once('\n').expect("a hint");
    assert_eq!(first, "Could not find exact match for old_str");
    assert!(rest.contains(want), "{want:?} is not in {rest}");
}

#[test]
fn white_space_may_differ_and_the_new_text_is_indented() {
    let mut session = Session::with_files(&[("a.rs", FILE)]);
    let uri = session.open("a.rs");
    let old = "let total = compute();\nprint(total);";
    let result = edit(&mut session, old, "if ready {\n    print(total);\n}");
    let note = result["result"]["note"].as_str().unwrap_or_default();
    assert!(note.contains("but for white space"), "{result}");
    let hunk = session.pending(&uri, 1).remove(0);
    assert_eq!(hunk["newText"], "\tif ready {\n\t\tprint(total);\n\t}\n");
    assert_eq!(session.client.text(&uri), FILE);
}

#[test]
fn what_only_the_tool_knows_is_said() {
    let other = "mod b;\nfn helper_of_mine() {}\n";
    let mut session = Session::with_files(&[("a.rs", FILE), ("src/b.rs", other)]);
    let uri = session.open("a.rs");
    // In the user's unsaved text: found. Only on disk: not, and said.
    session.client.replace(&uri, "compute()", "typed()");
    check_hint(
        &edit(&mut session, "let total = compute();", "x"),
        "The file on disk has it (line 2)",
    );
    let result = edit(&mut session, "let total = typed();", "let sum = typed();");
    assert_eq!(result["status"], "done", "{result}");
    // Changed by an own edit, pending and then accepted.
    let own = "has changed this text already. Now see line 2";
    check_hint(&edit(&mut session, "let total = typed();", "x"), own);
    session.decide("accept", &strings(&result["review"]["hunks"]));
    let own = "has replaced this text already. Now see line 2";
    check_hint(&edit(&mut session, "let total = typed();", "x"), own);
    // Rejected by the user.
    let result = edit(&mut session, "print(total)", "eprint(total)");
    session.decide("reject", &strings(&result["review"]["hunks"]));
    check_hint(&edit(&mut session, "eprint(total)", "x"), "The user rejected an earlier proposal");
    // In a file that was read lately.
    let path = session.sandbox.path("src/b.rs");
    session.tool("Read", &json!({ "path": path }));
    let found = "src/b.rs has it (line 2), which you saw lately";
    check_hint(&edit(&mut session, "fn helper_of_mine() {}", "x"), found);
    let uris = session.client.call("redline/reviews", &json!({}));
    assert!(!uris.to_string().contains("b.rs"), "an error proposes nothing: {uris}");
}

#[test]
fn several_matches_are_counted_and_listed() {
    let mut session = Session::with_files(&[("a.rs", &"x = 1\ny\n".repeat(7))]);
    let result = edit(&mut session, "x = 1", "x = 2");
    let want = "found multiple matches for edit (7 occurrences). Use replace_all or provide more \
                context.\nThey start at lines 1, 3, 5, 7, 9 and 2 more.";
    assert_eq!(message(&result), want);
}

fn multi(session: &mut Session, edits: Value, dry_run: bool) -> Value {
    let path = session.sandbox.path("a.rs");
    session.tool("multi_edit", &json!({ "file_path": path, "edits": edits, "dry_run": dry_run }))
}

#[test]
fn several_edits_are_one_call_and_one_undo_step() {
    let mut session = Session::with_files(&[("a.rs", FILE)]);
    let uri = session.open("a.rs");
    let edits = json!([
        { "old_string": "print(total)", "new_string": "show(sum)" },
        { "old_string": "fn main()", "new_string": "fn start()" },
    ]);
    let plan = multi(&mut session, edits.clone(), true);
    assert_eq!(plan["result"]["sizeDifference"], json!(-2), "{plan}");
    assert_eq!(plan.get("review"), None);
    let result = multi(&mut session, edits, false);
    let hunks = session.pending(&uri, 2);
    assert_eq!(strings(&result["review"]["hunks"]), hunks.iter().map(id).collect::<Vec<_>>());
    assert!(hunks.iter().all(|hunk| hunk["origin"]["tool"] == "multi_edit"));
    assert_eq!(result["result"]["lineRange"], json!([1, 3]));
    session.decide("accept", &strings(&result["review"]["hunks"]));
    let want = FILE.replace("print(total)", "show(sum)").replace("main", "start");
    assert_eq!(session.client.text(&uri), want);
    session.client.undo(&uri, false, true);
    assert_eq!(session.client.text(&uri), FILE);
    session.pending(&uri, 2);
}

#[test]
fn one_edit_that_fails_fails_them_all() {
    let mut session = Session::with_files(&[("a.rs", FILE)]);
    let edits = json!([
        { "old_string": "fn main()", "new_string": "fn start()" },
        { "old_string": "nowhere", "new_string": "x" },
    ]);
    let result = multi(&mut session, edits, false);
    let want = "edit 2 of 2: Could not find exact match for old_string: \"nowhere\"";
    assert_eq!(message(&result).lines().next(), Some(want));
    let edits = json!([
        { "old_string": "main() {", "new_string": "x" },
        { "old_string": "fn main", "new_string": "y" },
    ]);
    let result = multi(&mut session, edits, false);
    assert!(message(&result).contains("edit 2 and edit 1 overlap at line 1"), "{result}");
    let reviews = session.client.call("redline/reviews", &json!({}));
    assert_eq!(reviews["files"], json!([]));
}

#[test]
fn a_model_of_agent_air_edits() {
    let edits = json!([{ "old_string": "main", "new_string": "start" }]);
    let input = json!({ "file_path": "${workspace}/a.rs", "edits": edits });
    let first = json!({
        "file_path": "${workspace}/a.rs", "old_string": "total", "new_string": "sum",
    });
    let script = Script::new()
        .call(&[("c1", "multi_edit", input)])
        .call(&[("c2", "edit_file", first)])
        .say("Done.");
    let settings = json!({ "dialect": "agent-air" });
    let options = Options { settings, ..Options::default() }.script(script);
    let mut session = Session::with(&[("a.rs", FILE)], options);
    let uri = session.open("a.rs");
    session.prompt("go");
    let (text, is_error) = session.tool_result("c2");
    assert!(!is_error && text.contains("Replaced occurrence 1 of 2."), "{text}");
    let hunks = session.pending(&uri, 2);
    let texts: Vec<_> = hunks.iter().map(|hunk| &hunk["newText"]).collect();
    assert_eq!(texts, ["fn start() {\n", "\tlet sum = compute();\n"]);
}

/// `git apply` in the workspace; `None` where there is no Git.
fn git_apply(session: &Session, diff: &str) -> Option<()> {
    let mut git = Command::new("git")
        .args(["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"])
        .current_dir(session.sandbox.workspace())
        .env("GIT_CEILING_DIRECTORIES", session.sandbox.path(".."))
        .stdin(Stdio::piped())
        .spawn()
        .ok()?;
    git.stdin.take().unwrap().write_all(diff.as_bytes()).unwrap();
    assert!(git.wait().unwrap().success(), "{diff}");
    Some(())
}

#[test]
fn the_diff_applies_with_git_and_the_line_range_is_that_of_the_new_text() {
    for (name, before, old, new, range) in [
        ("a.rs", "1\n2\n3\n4\n5\n", "3", "three\nand more", [3, 4]),
        ("dir/b c.txt", "one\r\ntwo\r\nthree", "three", "3", [3, 3]),
        ("dir/größe \"x\".txt", "one\ntwo", "one\n", "", [1, 1]),
        ("mixed", "one\r\ntwo\nthree\r\n", "two\nthree", "2\n2b\n3", [2, 4]),
        ("filled", "", "", "one\ntwo", [1, 2]),
        ("emptied", "one\ntwo", "one\ntwo", "", [1, 1]),
    ] {
        let mut session = Session::with_files(&[(name, before)]);
        let path = session.sandbox.path(name);
        let args = json!({ "path": path, "old_str": old, "new_str": new });
        let result = session.tool("edit_file", &args);
        assert_eq!(result["result"]["lineRange"], json!(range), "{name}: {result}");
        let agent = {
            let uri = session.uri(name);
            session.content(&uri, "agent")
        };
        let diff = result["result"]["diff"].as_str().expect("a diff").to_owned();
        if git_apply(&session, &diff).is_some() {
            assert_eq!(session.sandbox.disk(name), agent, "{diff}");
        }
    }
}
