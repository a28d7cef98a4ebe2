//! An agent's edits become pending hunks; the editor and the disk stay as they were.

use redline_tests::session::{id, strings};
use redline_tests::{Options, Script, Session};
use serde_json::json;

const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

#[test]
fn a_prompt_edits_and_nothing_changes_yet() {
    let script = Script::new()
        .line(json!([
            { "type": "text", "text": "I shout." },
            { "type": "tool_use", "id": "c1", "name": "edit_file",
              "input": redline_tests::sandbox::edit("a.txt", "two", "TWO") },
        ]))
        .say("Done.");
    let mut session = Session::with(&[("a.txt", FILE)], Options::default().script(script));
    let uri = session.open("a.txt");
    let end = session.prompt("shout");
    assert_eq!(end["reason"], "awaitingReview", "{end}");

    let hunk = session.pending(&uri, 1).remove(0);
    assert_eq!((&hunk["oldText"], &hunk["newText"]), (&json!("two\n"), &json!("TWO\n")));
    assert_eq!(hunk["range"]["start"], json!({ "line": 1, "character": 0 }));
    assert_eq!(hunk["mixed"], false);
    assert_eq!(hunk["origin"]["toolCallId"], "c1");
    assert_eq!(hunk["origin"]["tool"], "edit_file");
    assert_eq!(hunk["origin"]["threadId"], json!(session.thread));

    session.assert_in_sync(&uri);
    assert_eq!(session.client.text(&uri), FILE);
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
    assert!(session.client.editor.edits.is_empty());
    let thread = session.thread.clone();
    let params = json!({ "uri": uri, "projection": "agent", "threadId": thread });
    let agent = session.client.call("redline/content", &params);
    assert_eq!(agent["text"], FILE.replace("two", "TWO"));
}

#[test]
fn a_turn_is_told_as_it_happens() {
    let script = Script::new().edit("c1", "a.txt", "two", "TWO").say("All done.");
    let mut session = Session::with(&[("a.txt", FILE)], Options::default().script(script));
    session.prompt("go");
    let events: Vec<_> = session.client.notified("redline/threadEvent").cloned().collect();
    let of = |kind: &'static str| events.iter().filter(move |event| event["event"]["type"] == kind);
    let text: String = of("text").filter_map(|e| e["event"]["delta"].as_str()).collect();
    assert!(text.contains("All done."), "{text}");
    let calls: Vec<_> = of("toolCall").collect();
    let last = &calls.last().expect("a toolCall event")["event"];
    assert_eq!((&last["toolCallId"], &last["name"]), (&json!("c1"), &json!("edit_file")));
    assert_eq!(last["status"], "done");
    assert!(last["args"].is_object() && last["title"].is_string(), "{last}");
    assert_eq!(of("turnEnd").count(), 1);
    assert!(events.iter().all(|e| e["seq"].is_number() && e["turnId"].is_string()));
}

#[test]
fn a_direct_call_proposes_too() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    let path = session.sandbox.path("a.txt");
    let args = json!({ "path": path, "old_str": "five", "new_str": "FIVE" });
    let result = session.tool("edit_file", &args);
    assert_eq!(result["status"], "done", "{result}");
    assert_eq!(result["review"]["state"], "pending");
    let hunk = session.pending(&uri, 1).remove(0);
    assert_eq!(strings(&result["review"]["hunks"]), [id(&hunk)]);
    let diff = result["result"]["diff"].as_str().expect("a diff");
    assert!(diff.contains("-five") && diff.contains("+FIVE"), "{diff}");
    assert_eq!(result["result"]["lineRange"], json!([5, 5]));
    assert_eq!(strings(&result["trackFiles"]), [path.to_str().unwrap()]);
}

#[test]
fn reviews_lists_every_file() {
    let mut session = Session::with_files(&[("a.txt", FILE), ("b.txt", FILE)]);
    session.edit("a.txt", "two", "TWO");
    session.edit("b.txt", "two", "TWO");
    session.edit("b.txt", "six", "SIX");
    let files = session.client.call("redline/reviews", &json!({}))["files"].clone();
    let files = files.as_array().unwrap();
    let hunks = |name: &str| {
        let uri = session.uri(name);
        let file = files.iter().find(|file| file["uri"] == uri).expect("a review");
        file["hunks"].as_array().unwrap().len()
    };
    assert_eq!((files.len(), hunks("a.txt"), hunks("b.txt")), (2, 1, 2));
    let status = session.client.call("redline/status", &json!({}));
    assert_eq!((&status["pendingHunks"], &status["pendingFiles"]), (&json!(3), &json!(2)));
}

#[test]
fn the_agent_edits_its_own_pending_text() {
    let script = Script::new()
        .edit("c1", "a.txt", "two", "zwei und mehr")
        .edit("c2", "a.txt", "zwei und mehr", "zwei")
        .call(&[("c3", "Read", json!({ "path": "${workspace}/a.txt" }))])
        .say("Done.");
    let mut session = Session::with(&[("a.txt", FILE)], Options::default().script(script));
    let uri = session.open("a.txt");
    session.prompt("translate");
    for call in ["c1", "c2"] {
        let (text, is_error) = session.tool_result(call);
        assert!(!is_error, "{call}: {text}");
        assert!(text.contains("not in the file until the user accepts"), "{call}: {text}");
    }
    let (read, _) = session.tool_result("c3");
    assert!(read.contains("2: zwei\n"), "{read}");
    let hunk = session.pending(&uri, 1).remove(0);
    assert_eq!((&hunk["oldText"], &hunk["newText"]), (&json!("two\n"), &json!("zwei\n")));
    assert_eq!(session.client.text(&uri), FILE);
}

#[test]
fn replace_all_is_one_call_with_several_hunks() {
    let mut session = Session::with_files(&[("a.txt", "x\n1\n2\n3\nx\n4\n5\n6\nx\n")]);
    let uri = session.open("a.txt");
    let path = session.sandbox.path("a.txt");
    let args = json!({ "path": path, "old_str": "x", "new_str": "y", "replace_all": true });
    let result = session.tool("edit_file", &args);
    let hunks = session.pending(&uri, 3);
    assert_eq!(strings(&result["review"]["hunks"]).len(), 3);
    assert!(hunks.iter().all(|hunk| hunk["newText"] == "y\n"));
}

#[test]
fn edits_on_one_line_are_one_hunk() {
    let mut session = Session::with_files(&[("a.txt", "one two three\n")]);
    let uri = session.open("a.txt");
    let first = session.edit("a.txt", "one", "ONE");
    session.edit("a.txt", "three", "THREE");
    let hunks = session.hunks_when(&uri, "both edits", |hunks| {
        hunks.len() == 1 && hunks[0]["newText"] == "ONE two THREE\n"
    });
    assert_eq!(id(&hunks[0]), first[0], "a merge keeps the older id");
    assert_eq!(hunks[0]["oldText"], "one two three\n");
}

#[test]
fn the_unsaved_buffer_is_what_the_agent_edits() {
    let mut session = Session::with_files(&[("a.txt", FILE)]);
    let uri = session.open("a.txt");
    session.client.replace(&uri, "two", "two point five");
    let hunks = session.edit("a.txt", "point five", "and a half");
    let hunk = session.pending(&uri, 1).remove(0);
    assert_eq!(hunk["oldText"], "two point five\n");
    assert_eq!(hunks, [id(&hunk)]);
    assert_eq!(session.sandbox.disk("a.txt"), FILE);
}

#[test]
fn words_are_inside_the_texts() {
    let mut session = Session::with_files(&[("a.txt", "let 😀 = old_name + 1;\n")]);
    let uri = session.open("a.txt");
    session.edit("a.txt", "old_name", "new_name");
    let hunk = session.pending(&uri, 1).remove(0);
    let Some(words) = hunk.get("words") else { return };
    for (side, text) in [("old", &hunk["oldText"]), ("new", &hunk["newText"])] {
        let length = session.client.editor.encoding.length(text.as_str().unwrap()) as u64;
        for span in words[side].as_array().expect("a list of spans") {
            let (start, end) = (span[0].as_u64().unwrap(), span[1].as_u64().unwrap());
            assert!(start <= end && end <= length, "{span} in {text}");
        }
    }
}
