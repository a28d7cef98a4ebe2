//! Open asks never block the wire.

use redline_tests::{Options, Session};
use serde_json::json;
use std::time::Instant;

#[test]
fn four_open_asks_and_a_thousand_messages_never_block() {
    let mut session = Session::with_files(&[("a.txt", "start\n")]);
    let uri = session.open("a.txt");
    let calls: Vec<_> = (1..=4)
        .map(|n| {
            let args = json!({ "cmd": format!("echo {n} >> ran.txt") });
            let params = json!({ "name": "Bash", "args": args, "threadId": format!("t{n}") });
            session.client.begin("redline/tool", &params)
        })
        .collect();
    session.client.wait("four asks", |client| (client.asks.len() == 4).then_some(()));

    let start = Instant::now();
    let mut requests = Vec::new();
    for n in 0..1000 {
        match n % 4 {
            0 => requests.push(session.client.begin("redline/status", &json!({}))),
            1 => {
                let params = json!({ "uri": uri, "projection": "editor" });
                requests.push(session.client.begin("redline/content", &params));
            }
            _ => session.client.type_before(&uri, "start", "x"),
        }
    }
    for request in requests {
        session.client.finish(request).expect("an answer");
    }
    assert!(start.elapsed() < redline_tests::DEADLINE, "{:?}", start.elapsed());
    session.assert_in_sync(&uri);
    let status = session.client.call("redline/status", &json!({}));
    assert_eq!(status["asks"], 4);

    let asks: Vec<_> = session.client.asks.clone();
    for ask in asks.iter().rev() {
        session.client.answer(ask, &json!({ "option": "once" }));
    }
    for call in calls {
        let result = session.client.finish(call).expect("an answer");
        assert_eq!(result["status"], "done", "{result}");
    }
    assert_eq!(session.sandbox.disk("ran.txt").lines().count(), 4);
}

#[test]
fn proposals_and_decisions_go_on_while_an_ask_is_open() {
    let mut session = Session::with_files(&[("a.txt", "one\n")]);
    let uri = session.open("a.txt");
    let params =
        json!({ "name": "Bash", "args": { "cmd": "echo x > x.txt" }, "threadId": "asker" });
    let call = session.client.begin("redline/tool", &params);
    let ask = session.client.next_ask();
    let hunks = session.edit("a.txt", "one", "ONE");
    session.decide("accept", &hunks);
    assert_eq!(session.client.text(&uri), "ONE\n");
    session.client.answer(&ask, &json!({ "option": "reject" }));
    let result = session.client.finish(call).expect("an answer");
    assert_eq!(result["status"], "rejected-by-user", "{result}");
}

/// Order of arrival: each request sees exactly the changes that were sent before it.
#[test]
fn a_request_never_overtakes_a_change() {
    let options = Options { versions: (0, 1), ..Options::default() };
    let mut session = Session::with(&[("a.txt", "")], options);
    let uri = session.open("a.txt");
    let mut expected = Vec::new();
    for n in 0..500 {
        let encoding = session.client.editor.encoding;
        let document = session.client.editor.document(&uri);
        let end = document.text.len();
        let change = document.replace(end..end, &format!("{n}\n"), encoding);
        let (method, params) = session.client.editor.did_change(&uri, vec![change]);
        session.client.notify(method, &params);
        let params = json!({ "uri": uri, "projection": "editor" });
        let id = session.client.begin("redline/content", &params);
        expected.push((id, session.client.text(&uri).to_owned()));
    }
    for (id, text) in expected {
        let answer = session.client.finish(id).expect("an answer");
        assert_eq!(answer["text"], json!(text));
    }
}
