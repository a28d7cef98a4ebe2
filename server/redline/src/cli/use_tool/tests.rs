use std::path::PathBuf;

use serde_json::json;

use super::*;
use crate::terminal::Typist;

struct Fixture {
    house: House,
    presence: Presence,
    file: PathBuf,
    _dir: tempfile::TempDir,
}

fn fixture(presence: Presence) -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let file = root.join("a.txt");
    std::fs::write(&file, "this\n").unwrap();
    let house = House::open(root, &Settings::default(), presence.answers());
    Fixture { house, presence, file, _dir: dir }
}

impl Fixture {
    async fn run(&self, name: &str, args: Value) -> Value {
        let call = ToolCall { id: "cli".to_owned(), name: name.to_owned(), args };
        let result = run(&self.house, call, Dialect::Amp, &self.presence, false).await;
        serde_json::to_value(result).unwrap()
    }

    async fn edit(&self) -> (Value, String) {
        let args = json!({"path": self.file, "old_str": "this", "new_str": "that"});
        let result = self.run("edit_file", args).await;
        (result, std::fs::read_to_string(&self.file).unwrap())
    }
}

fn user(keys: &str) -> Presence {
    Presence::User(Typist::new(keys))
}

#[tokio::test]
async fn yes_accepts_an_edit() {
    let (result, text) = fixture(Presence::Yes).edit().await;
    assert_eq!((text.as_str(), &result["status"]), ("that\n", &json!("done")));
    assert_eq!(result["review"]["state"], "resolved");
    assert_eq!(result["review"]["decisions"][0]["decision"], "accepted");
    let all = result.to_string();
    assert!(!all.contains("not in the file") && all.contains("Accepted: 1 of 1"), "{all}");
}

#[tokio::test]
async fn nobody_means_no_edit_and_a_reason() {
    let (result, text) = fixture(Presence::Nobody).edit().await;
    assert_eq!((text.as_str(), &result["status"]), ("this\n", &json!("rejected-by-user")));
    let reason = result["reason"].as_str().unwrap();
    assert!(reason.contains("--yes") && reason.contains("cannot wait"), "{reason}");
}

#[tokio::test]
async fn the_user_reviews() {
    let (result, text) = fixture(user("y")).edit().await;
    assert_eq!((text.as_str(), &result["status"]), ("that\n", &json!("done")));
    let (result, text) = fixture(user("cwhy\n")).edit().await;
    assert_eq!((text.as_str(), &result["comment"]), ("this\n", &json!("why")));
    let (result, text) = fixture(user("q")).edit().await;
    assert_eq!((text.as_str(), &result["status"]), ("this\n", &json!("rejected-by-user")));
    assert!(result["reason"].as_str().unwrap().contains("undecided"));
}

#[tokio::test]
async fn a_command_is_asked() {
    let echo = json!({"cmd": "python3 -c 'print(6 * 7)'"});
    for (presence, status) in [
        (user("\ny"), "done"),
        (user("n"), "rejected-by-user"),
        (user(""), "rejected-by-user"),
        (Presence::Yes, "done"),
        (Presence::Nobody, "rejected-by-user"),
    ] {
        let result = fixture(presence).run("Bash", echo.clone()).await;
        assert_eq!(result["status"], status, "{result}");
        assert_eq!(result.to_string().contains("42"), status == "done", "{result}");
    }
}

#[tokio::test]
async fn errors_are_errors() {
    let fixture = fixture(Presence::Yes);
    let result = fixture.run("frobnicate", json!({})).await;
    assert_eq!(result["status"], "error");
    let result = fixture.run("Read", json!({"path": "nowhere"})).await;
    assert_eq!(result["status"], "error", "{result}");
}

#[test]
fn results_are_printed_for_people() {
    assert_eq!(text(&json!("a")), "a\n");
    let value = json!({"diff": "-a\n+b\n", "lineRange": [1, 2], "note": "n"});
    assert_eq!(text(&value), "diff:\n-a\n+b\n\nlineRange: [1,2]\nnote: n\n");
    assert_eq!(
        no_field("x", &value),
        "the result has no field \"x\"; it has diff, lineRange, note"
    );
}
