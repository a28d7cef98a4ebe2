//! What users of editors without a plugin see of proposals, and how they decide them.

use redline_tests::plain::Plain;
use redline_tests::{Encoding, OnEdit, Options, Script, Session};
use serde_json::{Value, json};

const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

fn script() -> Script {
    Script::new().edit("c1", "a.txt", "two", "TWO").edit("c2", "a.txt", "six", "SIX").say("Look.")
}

fn start(editor: Plain, script: Script) -> (Session, String) {
    let mut session = Session::with(&[("a.txt", FILE)], editor.options().script(script));
    let uri = session.open("a.txt");
    (session, uri)
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().filter_map(|action| action["title"].as_str()).collect()
}

/// The whole flow, as a user of Helix and one of eglot goes through it.
#[test]
fn prompt_see_accept_reject_and_tell() {
    for editor in [Plain::Helix, Plain::Eglot] {
        let (mut session, uri) = start(editor, script().say("I see."));
        if editor == Plain::Eglot {
            session.client.plan(&[OnEdit::Late, OnEdit::Late]);
        }
        let said = session.prompt_by_command("shout");
        assert_eq!(said, "Look.\nProposals wait for your review: a.txt (2)");
        let marks = session.marked(&uri, &[1, 5]);
        assert_eq!(marks[0]["source"], "redline");
        assert_eq!(marks[0]["code"], "h1");
        assert_eq!(marks[0]["message"], "proposal 1 of 2: two → TWO\n-two\n+TWO");
        assert_eq!(session.client.text(&uri), FILE, "nothing is in the buffer");

        session.act(&uri, 1, "accept 1 of 2");
        let accepted = FILE.replace("two", "TWO");
        session.becomes(&uri, &accepted);
        session.marked(&uri, &[5]);
        assert_eq!(session.sandbox.disk("a.txt"), FILE, "the user has not saved");
        session.command("redline.reject", &json!(["h2", "keep it small"]));
        session.marked(&uri, &[]);
        assert_eq!(session.client.text(&uri), accepted);

        session.prompt_by_command("and now?");
        let told = session.told_since("and now?");
        assert!(told.iter().any(|line| line.starts_with("accepted a.txt:2")), "{told:#?}");
        let rejected = |line: &&String| line.starts_with("rejected a.txt:6");
        let rejected = told.iter().find(rejected).expect("the reject");
        assert!(rejected.contains("keep it small"), "{rejected}");
        assert!(session.client.notified("redline/review").next().is_none());
    }
}

#[test]
fn a_command_is_answered_before_its_edit_comes() {
    let (mut session, uri) = start(Plain::Eglot, script());
    session.prompt_by_command("shout");
    session.client.plan(&[OnEdit::Hold]);
    // The client reads in order: whatever came before the answer has been seen with it.
    session.command("redline.acceptAll", &json!([uri]));
    assert!(!session.client.holds_edit(), "eglot stands still until the answer");
    session.client.wait("the edit", |client| client.holds_edit().then_some(()));
    session.client.release_edit(&OnEdit::Late);
    session.becomes(&uri, &FILE.replace("two", "TWO").replace("six", "SIX"));
}

#[test]
fn the_actions_of_a_line() {
    let (mut session, uri) = start(Plain::Helix, script());
    session.prompt_by_command("shout");
    let all = [
        "Redline: accept all 2 in this file",
        "Redline: reject all 2 in this file",
        "Redline: show all proposals as a diff (2)",
    ];
    let on_hunk = session.actions(&uri, 1);
    let own = ["Redline: accept 1 of 2 (two → TWO)", "Redline: reject 1 of 2 (two → TWO)"];
    assert_eq!(titles(&on_hunk), [&own[..], &all].concat());
    for action in &on_hunk {
        assert_eq!(action["kind"], "quickfix");
        assert!(action.get("isPreferred").is_none(), "nothing is accepted by itself: {action}");
        assert!(action.get("edit").is_none(), "{action}");
    }
    assert_eq!(on_hunk[0]["diagnostics"][0]["code"], "h1");
    let elsewhere = session.actions(&uri, 3);
    assert_eq!(titles(&elsewhere), all);

    // What an editor asks for by itself: on save, or to draw a bulb.
    let at = json!({ "line": 1, "character": 0 });
    let mut ask = |context: Value| {
        let range = json!({ "start": at, "end": at });
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
        session.client.call("textDocument/codeAction", &params).as_array().unwrap().len()
    };
    for only in ["source", "source.fixAll", "source.organizeImports", "refactor"] {
        assert_eq!(ask(json!({ "diagnostics": [], "only": [only] })), 0, "{only}");
    }
    assert_eq!(ask(json!({ "diagnostics": [], "only": ["quickfix"] })), 5);
    assert_eq!(ask(json!({ "diagnostics": [], "triggerKind": 2 })), 4, "no window by itself");
}

#[test]
fn bare_commands_for_clients_without_literals() {
    let (mut session, uri) = start(Plain::Bare, script());
    session.prompt_by_command("shout");
    let actions = session.actions(&uri, 1);
    assert_eq!(actions[0]["command"], "redline.accept");
    assert_eq!(actions[0]["arguments"], json!(["h1"]));
    assert!(actions.iter().all(|a| a.get("kind").is_none()), "{actions:#?}");
    assert!(actions.iter().all(|a| a["command"] != "redline.show"), "nowhere to show it");
    assert!(session.diagnostics(&uri).is_empty(), "not declared, not sent");
}

#[test]
fn a_place_names_its_hunks() {
    let (mut session, uri) = start(Plain::Helix, script());
    session.prompt_by_command("shout");
    let params = json!({ "command": "redline.accept", "arguments": ["a.txt:4"] });
    let (code, why) = session.client.refused("workspace/executeCommand", &params);
    assert_eq!(code, -32602);
    assert!(why.contains("no proposal is at a.txt:4"), "{why}");
    let path = session.sandbox.path("a.txt");
    session.command("redline.reject", &json!([format!("{}:6", path.display()), "no"]));
    session.marked(&uri, &[1]);
    session.command("redline.accept", &json!(["a.txt:1-3"]));
    session.becomes(&uri, &FILE.replace("two", "TWO"));
    // Helix: reopen the rejected one from its line.
    session.act(&uri, 5, "reopen the rejected change");
    session.marked(&uri, &[5]);
}

#[test]
fn the_hover_shows_the_change() {
    let ticks = Script::new().edit("c1", "a.txt", "two", "```\nTWO\n```").say("Look.");
    let (mut session, uri) = start(Plain::Helix, ticks.clone());
    session.prompt_by_command("shout");
    let hover = session.hover(&uri, 1).expect("a hover");
    assert!(hover.starts_with("**Redline: proposal 1 of 1** (script, edit_file; `h1`)"), "{hover}");
    assert!(hover.ends_with("````diff\n-two\n+```\n+TWO\n+```\n````"), "{hover}");
    assert_eq!(session.hover(&uri, 3), None);

    let (mut session, uri) = start(Plain::Eglot, ticks);
    session.prompt_by_command("shout");
    let hover = session.hover(&uri, 1).expect("a hover");
    assert!(hover.ends_with("h1)\n-two\n+```\n+TWO\n+```"), "{hover}");
}

#[test]
fn a_new_file_can_be_seen_and_accepted() {
    let create = json!({ "path": "${workspace}/new.txt", "content": "fresh\nair\n" });
    let script = Script::new().call(&[("c1", "create_file", create)]).say("Look.");
    let (mut session, uri) = start(Plain::Helix, script);
    let said = session.prompt_by_command("create");
    assert_eq!(said, "Look.\nProposals wait for your review: new.txt (new file)");
    let new = session.uri("new.txt");
    let marks = session.marked(&new, &[0]);
    assert_eq!(marks[0]["message"], "proposal 1 of 1: new file, 2 lines\n+fresh\n+air");

    session.act(&uri, 0, "show all proposals");
    let shown = session.client.wait("the diff", |client| client.shown.first().cloned());
    let path = shown["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("a file");
    let diff = std::fs::read_to_string(path).expect("the diff");
    assert_eq!(diff, "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+fresh\n+air\n");
    assert!(!session.sandbox.path("new.txt").exists());

    session.act(&uri, 0, "accept all 1 in all files");
    session.client.poll("the file", |_| session.sandbox.path("new.txt").exists().then_some(()));
    session.marked(&new, &[]);
    session.client.shut_down();
    assert!(!std::path::Path::new(path).exists(), "its own files go with the server");
}

#[test]
fn marks_are_told_again_to_an_editor_that_opens_the_file() {
    let options = Plain::Eglot.options().script(script());
    let mut session = Session::with(&[("a.txt", FILE)], options);
    session.prompt_by_command("shout");
    let uri = session.uri("a.txt");
    session.marked(&uri, &[1, 5]);
    let told = session.client.notified("textDocument/publishDiagnostics").count();
    assert_eq!(session.open("a.txt"), uri);
    session.client.wait("the marks", |client| {
        (client.notified("textDocument/publishDiagnostics").count() > told).then_some(())
    });
    session.marked(&uri, &[1, 5]);
}

#[test]
fn marks_follow_the_typing_and_nothing_is_told_twice() {
    let (mut session, uri) = start(Plain::Helix, script());
    session.prompt_by_command("shout");
    session.marked(&uri, &[1, 5]);
    session.client.type_before(&uri, "one", "zero\n");
    session.marked(&uri, &[2, 6]);
    let told = session.client.notified("textDocument/publishDiagnostics").count();
    session.client.type_before(&uri, "seven", "almost ");
    session.assert_in_sync(&uri);
    assert_eq!(session.client.notified("textDocument/publishDiagnostics").count(), told);
    session.client.type_before(&uri, "ix\n", "MINE");
    session.client.wait("the mixed mark", |client| {
        let newest = client.notified("textDocument/publishDiagnostics").last()?;
        let message = newest["diagnostics"][1]["message"].as_str()?;
        message.contains("keeps what you typed inside").then_some(())
    });
}

#[test]
fn positions_are_in_the_clients_encoding() {
    let text = "one\n😀 zwei two\nthree\n";
    for (offered, chosen, width) in [
        (&[Encoding::Utf8][..], "utf-8", 13),
        (&[Encoding::Utf8, Encoding::Utf32, Encoding::Utf16], "utf-16", 11),
        (&[Encoding::Utf32], "utf-32", 10),
    ] {
        let mut introduction = Plain::Helix.introduction();
        introduction["capabilities"]["general"]["positionEncodings"] =
            offered.iter().map(|e| json!(e.name())).collect();
        let script = Script::new().edit("c1", "a.txt", "two", "TWO").say("Look.");
        let options = Options { introduction, ..Plain::Helix.options() }.script(script);
        let mut session = Session::with(&[("a.txt", text)], options);
        assert_eq!(session.server["capabilities"]["positionEncoding"], chosen);
        let uri = session.open("a.txt");
        session.prompt_by_command("shout");
        let marks = session.marked(&uri, &[1]);
        assert_eq!(marks[0]["range"]["end"], json!({ "line": 1, "character": width }), "{chosen}");
        session.act(&uri, 1, "accept");
        session.becomes(&uri, &text.replace("two", "TWO"));
    }
}

#[test]
fn whole_texts_and_edits_without_versions() {
    let mut introduction = Plain::Eglot.introduction();
    introduction["capabilities"]["workspace"]["workspaceEdit"] = json!({});
    let options = Options { introduction, full_sync: true, ..Plain::Eglot.options() };
    let mut session = Session::with(&[("a.txt", FILE)], options.script(script()));
    let uri = session.open("a.txt");
    session.prompt_by_command("shout");
    session.client.type_before(&uri, "one", "zero\n");
    session.client.type_before(&uri, "wo\n", "-");
    session.act(&uri, 6, "accept 2 of 2");
    let expected = format!("zero\n{}", FILE.replace("two", "t-wo").replace("six", "SIX"));
    session.becomes(&uri, &expected);
    assert!(session.client.editor.edits[0]["edit"]["changes"].is_object());
}

#[test]
fn a_save_without_text() {
    let (mut session, uri) = start(Plain::Helix, script());
    session.prompt_by_command("shout");
    session.act(&uri, 1, "accept 1 of 2");
    let text = FILE.replace("two", "TWO");
    session.becomes(&uri, &text);
    session.sandbox.write("a.txt", &text);
    session.client.notify("textDocument/didSave", &json!({ "textDocument": { "uri": uri } }));
    session.assert_in_sync(&uri);
    // Saved: closing loses nothing, and the next proposal starts from it.
    session.client.notify("textDocument/didClose", &json!({ "textDocument": { "uri": uri } }));
    assert_eq!(session.content(&uri, "editor"), text);
}

#[test]
fn an_edit_that_meets_untold_typing_is_sent_again() {
    let (mut session, uri) = start(Plain::Eglot, script());
    session.prompt_by_command("shout");
    session.client.plan(&[OnEdit::Type { needle: "seven", text: "almost " }]);
    session.act(&uri, 1, "accept 1 of 2");
    session.becomes(&uri, &FILE.replace("two", "TWO").replace("seven", "almost seven"));
}

#[test]
fn an_edit_that_the_user_refuses_is_not_sent_again() {
    let (mut session, uri) = start(Plain::Eglot, script());
    session.prompt_by_command("shout");
    session.client.plan(&[OnEdit::Refuse, OnEdit::Refuse, OnEdit::Refuse]);
    session.act(&uri, 1, "accept 1 of 2");
    let warning = session.client.wait("the warning", |client| {
        let warns = |p: &&Value| p["type"] == 2;
        client.notified("window/showMessage").find(warns).cloned()
    });
    assert!(warning["message"].as_str().unwrap().contains("h1 is not done"), "{warning}");
    assert_eq!(session.client.editor.edits.len(), 1, "eglot asks its user each time");
    session.pending_count(2);
    session.client.editor.plan.clear();
    session.act(&uri, 1, "accept 1 of 2");
    session.becomes(&uri, &FILE.replace("two", "TWO"));
}

#[test]
fn a_client_that_takes_no_edits_is_told_what_to_do() {
    let (mut session, uri) = start(Plain::Bare, script());
    session.prompt_by_command("shout");
    session.command("redline.accept", &json!(["h1"]));
    let warning = session.client.wait("the warning", |client| {
        client.notified("window/showMessage").find(|p| p["type"] == 2).cloned()
    });
    assert!(warning["message"].as_str().unwrap().contains("close the file"), "{warning}");
    session.client.notify("textDocument/didClose", &json!({ "textDocument": { "uri": uri } }));
    session.command("redline.acceptAll", &json!([]));
    let expected = FILE.replace("two", "TWO").replace("six", "SIX");
    session.client.poll("the file", |_| (session.sandbox.disk("a.txt") == expected).then_some(()));
}

#[test]
fn what_is_not_there_any_more_is_said() {
    let (mut session, uri) = start(Plain::Helix, script());
    session.prompt_by_command("shout");
    for id in ["h1", "h1", "nonsense"] {
        session.command("redline.reject", &json!([id]));
    }
    let said = |client: &redline_tests::Client, word: &str| {
        client
            .notified("window/showMessage")
            .any(|p| p["message"].as_str().is_some_and(|text| text.contains(word)))
    };
    session.client.wait("both", |client| {
        (said(client, "not there any more: h1") && said(client, "not there any more: nonsense"))
            .then_some(())
    });
    session.marked(&uri, &[5]);
}

#[test]
fn a_new_conversation_knows_nothing_of_the_old() {
    let script = Script::new().say("One.").say("Two.").say("Three.");
    let (mut session, uri) = start(Plain::Helix, script);
    session.prompt_by_command("first");
    let first = session.thread.clone();
    session.prompt_by_command("second");
    assert_eq!(session.thread, first);
    session.command("redline.newThread", &json!([]));
    session.prompt_by_command("third");
    assert_ne!(session.thread, first);
    let told = session.told_since("third");
    let open = told.iter().any(|line| line.starts_with("open files: "));
    assert!(open, "a plain client does not say what is open, but the server knows: {told:?}");
    let _ = uri;
}
