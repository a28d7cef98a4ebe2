//! A client with no plugin: commands, code lenses, message requests.

use redline_tests::{Options, Script, Session};
use serde_json::{Value, json};

const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

fn lenses(session: &mut Session, uri: &str) -> Vec<Value> {
    let params = json!({ "textDocument": { "uri": uri } });
    let lenses = session.client.call("textDocument/codeLens", &params);
    let lenses = lenses.as_array().cloned().unwrap_or_default();
    let resolved = lenses.into_iter().map(|lens| match lens.get("command") {
        Some(_) => lens,
        None => session.client.call("codeLens/resolve", &lens),
    });
    resolved.collect()
}

fn title(lens: &Value) -> &str {
    lens["command"]["title"].as_str().unwrap_or("")
}

/// Runs the command of a lens.
fn press(session: &mut Session, lens: &Value) {
    let params = json!({
        "command": lens["command"]["command"],
        "arguments": lens["command"]["arguments"],
    });
    session.client.call("workspace/executeCommand", &params);
}

fn command(session: &mut Session, name: &str, arguments: &Value) {
    let params = json!({ "command": name, "arguments": arguments });
    session.client.call("workspace/executeCommand", &params);
}

fn text_becomes(session: &mut Session, uri: &str, expected: &str) {
    let what = format!("the text {expected:?}");
    session.client.wait(&what, |client| (client.text(uri) == expected).then_some(()));
    session.assert_in_sync(uri);
}

fn with_two_hunks() -> (Session, String, Vec<String>) {
    let mut session = Session::with(&[("a.txt", FILE)], Options::plain());
    let uri = session.open("a.txt");
    let mut hunks = session.edit("a.txt", "two", "TWO");
    hunks.extend(session.edit("a.txt", "six", "SIX"));
    (session, uri, hunks)
}

#[test]
fn each_hunk_has_its_lenses() {
    let (mut session, uri, _) = with_two_hunks();
    let lenses = lenses(&mut session, &uri);
    let lines = |wanted: &str| -> Vec<_> {
        let these = lenses.iter().filter(|lens| title(lens) == wanted);
        these.map(|lens| lens["range"]["start"]["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(lines("Accept"), [1, 5], "{lenses:#?}");
    assert_eq!(lines("Reject"), [1, 5]);
    assert_eq!((lines("1 of 2"), lines("2 of 2")), (vec![1], vec![5]));
}

#[test]
fn pressing_a_lens_decides() {
    let (mut session, uri, _) = with_two_hunks();
    let before = lenses(&mut session, &uri);
    let of = |wanted: &str, line: u64| {
        let is_it = |lens: &&Value| title(lens) == wanted && lens["range"]["start"]["line"] == line;
        before.iter().find(is_it).expect("a lens").clone()
    };
    press(&mut session, &of("Accept", 1));
    text_becomes(&mut session, &uri, &FILE.replace("two", "TWO"));
    press(&mut session, &of("Reject", 5));
    session.client.poll("no lens left", |client| {
        let params = json!({ "textDocument": { "uri": uri } });
        let left = client.call("textDocument/codeLens", &params);
        let accept = |lens: &&Value| title(lens) == "Accept";
        left.as_array().is_none_or(|left| left.iter().find(accept).is_none()).then_some(())
    });
    assert_eq!(session.content(&uri, "agent"), FILE.replace("two", "TWO"));
}

#[test]
fn commands_decide() {
    let (mut session, uri, hunks) = with_two_hunks();
    command(&mut session, "redline.accept", &json!([hunks[1]]));
    text_becomes(&mut session, &uri, &FILE.replace("six", "SIX"));
    command(&mut session, "redline.reject", &json!([hunks[0], "no"]));
    assert_eq!(session.content(&uri, "agent"), FILE.replace("six", "SIX"));

    session.edit("a.txt", "one", "ONE");
    session.edit("a.txt", "three", "THREE");
    command(&mut session, "redline.acceptAll", &json!([uri]));
    let expected = FILE.replace("six", "SIX").replace("one", "ONE").replace("three", "THREE");
    text_becomes(&mut session, &uri, &expected);

    session.edit("a.txt", "five", "FIVE");
    command(&mut session, "redline.rejectAll", &json!([]));
    assert_eq!(session.content(&uri, "agent"), expected);
}

#[test]
fn a_prompt_by_command() {
    let script = Script::new().edit("c1", "a.txt", "two", "TWO").say("Done.");
    let mut session = Session::with(&[("a.txt", FILE)], Options::plain().script(script));
    let uri = session.open("a.txt");
    command(&mut session, "redline.prompt", &json!(["shout"]));
    session.client.poll("a proposal", |client| {
        let reviews = client.call("redline/reviews", &json!({}));
        (reviews["files"].as_array().map(Vec::len) == Some(1)).then_some(())
    });
    assert!(session.client.notified("redline/review").next().is_none(), "not declared, not sent");
    assert!(session.client.notified("redline/threadEvent").next().is_none());
    command(&mut session, "redline.acceptAll", &json!([]));
    text_becomes(&mut session, &uri, &FILE.replace("two", "TWO"));
}

#[test]
fn an_unknown_command_is_an_error() {
    let mut session = Session::start(Options::plain());
    let params = json!({ "command": "redline.noSuchCommand", "arguments": [] });
    let (_, message) = session.client.refused("workspace/executeCommand", &params);
    assert!(message.contains("redline.noSuchCommand"), "{message}");
}

/// Asks by message request and answers with the action whose title has `word`; the tool's result.
fn ask_by_message(word: Option<&str>) -> (Session, Value) {
    let mut session = Session::start(Options::plain());
    let params = json!({ "name": "Bash", "args": { "cmd": "echo hello > ran.txt" } });
    let call = session.client.begin("redline/tool", &params);
    let ask = session.client.next_ask();
    assert_eq!(ask.method, "window/showMessageRequest");
    let message = ask.params["message"].as_str().expect("a message");
    assert!(message.contains("echo hello > ran.txt"), "the exact command: {message}");
    let titles: Vec<_> = ask.params["actions"].as_array().expect("actions").clone();
    let answer = word.map_or(Value::Null, |word| {
        let has = |action: &&Value| {
            action["title"].as_str().is_some_and(|title| title.to_lowercase().contains(word))
        };
        titles.iter().find(has).unwrap_or_else(|| panic!("{word} in {titles:?}")).clone()
    });
    session.client.answer(&ask, &answer);
    let result = session.client.finish(call).expect("a result");
    (session, result)
}

#[test]
fn an_ask_by_message_request() {
    let (session, result) = ask_by_message(Some("once"));
    assert_eq!(result["status"], "done", "{result}");
    assert!(session.sandbox.path("ran.txt").exists());
    for word in [Some("reject"), None] {
        let (session, result) = ask_by_message(word);
        assert_eq!(result["status"], "rejected-by-user", "{word:?}: {result}");
        assert!(!session.sandbox.path("ran.txt").exists());
    }
}
