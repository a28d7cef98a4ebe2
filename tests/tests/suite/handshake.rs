//! `initialize`, capabilities, encodings, the end.

use redline_tests::{DEADLINE, Encoding, Options, Session};
use serde_json::{Value, json};

#[test]
fn the_server_says_what_it_can_do() {
    for options in [Options::default(), Options::plain()] {
        let session = Session::start(options);
        let capabilities = &session.server["capabilities"];
        assert_eq!(capabilities["experimental"]["redline"]["version"], 1);
        assert!(!capabilities["textDocumentSync"].is_null(), "{capabilities}");
    }
}

/// A client that draws hunks itself wants no lenses; that one gets them is not promised.
#[test]
fn a_plain_client_is_offered_lenses_and_commands() {
    let session = Session::start(Options::plain());
    let capabilities = &session.server["capabilities"];
    assert!(capabilities["codeLensProvider"].is_object(), "{capabilities}");
    let commands = capabilities["executeCommandProvider"]["commands"].to_string();
    for name in ["prompt", "accept", "reject", "acceptAll", "rejectAll", "cancel"] {
        assert!(commands.contains(&format!("\"redline.{name}\"")), "{name} in {commands}");
    }
}

#[test]
fn the_encoding_is_utf_16_unless_negotiated() {
    let check = |offered: &[Encoding], expected: &[Option<&str>]| {
        let options = Options { encodings: offered.to_vec(), ..Options::default() };
        let session = Session::start(options);
        let chosen = session.server["capabilities"]["positionEncoding"].as_str();
        assert!(expected.contains(&chosen), "offered {offered:?}, chosen {chosen:?}");
    };
    check(&[], &[None, Some("utf-16")]);
    check(&[Encoding::Utf16], &[None, Some("utf-16")]);
    check(&[Encoding::Utf8], &[Some("utf-8")]);
    check(&[Encoding::Utf32], &[Some("utf-32")]);
}

#[test]
fn the_status_has_all_its_fields() {
    let mut session = Session::start(Options::default());
    let status = session.client.call("redline/status", &json!({}));
    for field in ["pendingHunks", "pendingFiles", "asks"] {
        assert_eq!(status[field], 0, "{field} in {status}");
    }
    for field in ["model", "dialect", "version", "logFile"] {
        assert!(status[field].is_string(), "{field} in {status}");
    }
    assert_eq!(status["dialect"], "amp");
}

#[test]
fn empty_lists_are_lists() {
    let mut session = Session::start(Options::default());
    assert_eq!(session.client.call("redline/reviews", &json!({}))["files"], json!([]));
    assert_eq!(session.client.call("redline/threads", &json!({}))["threads"], json!([]));
}

#[test]
fn exit_after_shutdown_is_0() {
    let mut session = Session::start(Options::default());
    let status = session.client.shut_down().expect("the server exits");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn exit_without_shutdown_is_1() {
    let mut session = Session::start(Options::default());
    session.client.notify("exit", &Value::Null);
    let status = session.client.wait_for_exit(DEADLINE).expect("the server exits");
    assert_eq!(status.code(), Some(1));
}

#[test]
fn end_of_input_after_shutdown_is_0() {
    let mut session = Session::start(Options::default());
    session.client.call("shutdown", &Value::Null);
    session.client.process.close_input();
    let status = session.client.wait_for_exit(DEADLINE).expect("the server exits");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn the_stdio_flag_changes_nothing() {
    use redline_tests::client::{Client, initialize_params};
    let sandbox = redline_tests::Sandbox::new();
    let editor = redline_tests::editor::Editor::new(Encoding::Utf16, false, (1, 1));
    let mut client = Client::start(sandbox.command(&["lsp", "--stdio"]), editor);
    let params = initialize_params(&sandbox.workspace(), &json!({}), &[], &json!({}));
    let server = client.call("initialize", &params);
    assert_eq!(server["capabilities"]["experimental"]["redline"]["version"], 1);
}
