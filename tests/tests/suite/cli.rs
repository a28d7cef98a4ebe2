//! `redline tools …` and `redline demo`, as scripts rely on them: no terminal anywhere.

use redline_tests::Sandbox;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// Runs the binary with `input` on standard input and waits a bounded time.
fn run(sandbox: &Sandbox, arguments: &[&str], input: &str) -> Output {
    let mut command = sandbox.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let _may_end_before_reading = pipe.write_all(input.as_bytes());
    drop(pipe);
    let start = Instant::now();
    let output = child.wait_with_output().expect("output");
    assert!(start.elapsed() < Duration::from_secs(60), "{arguments:?} took {:?}", start.elapsed());
    output
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn everything(output: &Output) -> String {
    format!("{}\n{}", stdout(output), String::from_utf8_lossy(&output.stderr))
}

/// `tools use NAME … --json --input -`: exit code and the ToolResult, which is one line.
pub fn tool(sandbox: &Sandbox, name: &str, flags: &[&str], args: &Value) -> (i32, Value) {
    let arguments = [&["tools", "use", name], flags, &["--json", "--input", "-"]].concat();
    let output = run(sandbox, &arguments, &args.to_string());
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "one JSON line: {}", everything(&output));
    (code(&output), serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn a_read_prints_its_result() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    let (code, result) = tool(&sandbox, "Read", &[], &json!({ "path": sandbox.path("a.txt") }));
    assert_eq!((code, &result["status"]), (0, &json!("done")), "{result}");
    assert_eq!(result["result"], "1: one");
    let path = sandbox.path("a.txt");
    let output = run(&sandbox, &["tools", "use", "Read", "--path", path.to_str().unwrap()], "");
    assert_eq!((self::code(&output), stdout(&output).trim_end()), (0, "1: one"));
}

#[test]
fn an_error_exits_with_1() {
    let sandbox = Sandbox::new();
    let (code, result) = tool(&sandbox, "Read", &[], &json!({ "path": "missing.txt" }));
    assert_eq!((code, &result["status"]), (1, &json!("error")));
    let (code, result) = tool(&sandbox, "no_such_tool", &[], &json!({}));
    assert_eq!((code, &result["status"]), (1, &json!("error")));
}

#[test]
fn a_deletion_without_a_terminal_waits_and_yes_accepts_it() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    let args = json!({ "path": sandbox.path("a.txt") });
    let (code, result) = tool(&sandbox, "delete_file", &[], &args);
    assert_eq!((code, &result["review"]["state"]), (0, &json!("pending")), "{result}");
    assert_eq!(sandbox.disk("a.txt"), "one\n");
    let output = run(&sandbox, &["review", "--list"], "");
    assert_eq!(
        code_of_list(&output),
        (2, "a.txt:1: deletion -1 +0, delete_file by you\n".to_owned())
    );
    sandbox.write("b.txt", "two\n");
    let args = json!({ "path": sandbox.path("b.txt") });
    let (code, result) = tool(&sandbox, "delete_file", &["--yes"], &args);
    assert_eq!((code, &result["status"]), (0, &json!("done")), "{result}");
    assert!(!sandbox.path("b.txt").exists());
}

#[test]
fn an_edit_without_a_terminal_waits() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    let args = json!({ "path": sandbox.path("a.txt"), "old_str": "one", "new_str": "ONE" });
    let (code, result) = tool(&sandbox, "edit_file", &[], &args);
    assert_eq!((code, &result["status"]), (0, &json!("done")), "{result}");
    assert_eq!(result["review"]["state"], "pending", "{result}");
    assert_eq!(sandbox.disk("a.txt"), "one\n");
    // The next run sees it, as its agent would.
    let (_, read) = tool(&sandbox, "Read", &[], &json!({ "path": sandbox.path("a.txt") }));
    assert_eq!(read["result"], "1: ONE", "{read}");
    let output = run(&sandbox, &["review", "--list"], "");
    assert_eq!(code_of_list(&output), (2, "a.txt:1: -1 +1, edit_file by you\n".to_owned()));
}

fn code_of_list(output: &Output) -> (i32, String) {
    (code(output), stdout(output))
}

#[test]
fn nothing_waits_in_an_untouched_folder() {
    let sandbox = Sandbox::new();
    let output = run(&sandbox, &["review", "--list"], "");
    assert_eq!(code_of_list(&output), (0, String::new()));
}

#[test]
fn an_edit_that_cannot_wait_needs_yes() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    std::fs::remove_dir(sandbox.state()).unwrap();
    std::fs::write(sandbox.state(), "no folder").unwrap();
    let args = json!({ "path": sandbox.path("a.txt"), "old_str": "one", "new_str": "ONE" });
    let arguments = ["tools", "use", "edit_file", "--json", "--input", "-"];
    let output = run(&sandbox, &arguments, &args.to_string());
    assert_eq!(code(&output), 2, "{}", everything(&output));
    assert!(everything(&output).contains("--yes"), "{}", everything(&output));
    assert_eq!(sandbox.disk("a.txt"), "one\n");
}

#[test]
fn yes_accepts_the_hunks() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    let args = json!({ "path": sandbox.path("a.txt"), "old_str": "one", "new_str": "ONE" });
    let (code, result) = tool(&sandbox, "edit_file", &["--yes"], &args);
    assert_eq!((code, &result["status"]), (0, &json!("done")), "{result}");
    assert_eq!(sandbox.disk("a.txt"), "ONE\n");
    let args = json!({ "path": sandbox.path("new/b.txt"), "content": "b" });
    let (code, result) = tool(&sandbox, "create_file", &["--yes"], &args);
    assert_eq!((code, &result["status"]), (0, &json!("done")), "{result}");
    assert_eq!(sandbox.disk("new/b.txt"), "b\n");
}

#[test]
fn a_command_without_a_terminal_is_rejected_or_allowed_by_yes() {
    let sandbox = Sandbox::new();
    let args = json!({ "cmd": "echo x > ran.txt" });
    let (code, result) = tool(&sandbox, "Bash", &[], &args);
    assert_eq!((code, &result["status"]), (2, &json!("rejected-by-user")), "{result}");
    assert!(!sandbox.path("ran.txt").exists());
    let (code, result) = tool(&sandbox, "Bash", &["--yes"], &args);
    assert_eq!((code, &result["status"]), (0, &json!("done")), "{result}");
    assert_eq!(sandbox.disk("ran.txt"), "x\n");
}

#[test]
fn broken_input_is_a_clear_error() {
    let sandbox = Sandbox::new();
    for input in ["{\"path\": ", "", "[1]"] {
        let arguments = ["tools", "use", "Read", "--json", "--input", "-"];
        let output = run(&sandbox, &arguments, input);
        assert_eq!(code(&output), 1, "{input:?}: {}", everything(&output));
        assert!(everything(&output).trim().len() > 5, "{input:?}");
    }
}

#[test]
fn the_tools_are_listed() {
    let sandbox = Sandbox::new();
    let output = run(&sandbox, &["tools", "list"], "");
    assert_eq!(code(&output), 0);
    for name in ["Read", "edit_file", "create_file", "Bash"] {
        assert!(stdout(&output).contains(name), "{name} in {}", stdout(&output));
    }
    let output = run(&sandbox, &["tools", "show", "edit_file"], "");
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("old_str"), "{}", stdout(&output));
    let output = run(&sandbox, &["tools", "list", "--json"], "");
    let list: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert!(list.to_string().contains("\"edit_file\""), "{list}");
}

#[test]
fn the_demo_without_a_terminal_shows_a_diff() {
    let sandbox = Sandbox::new();
    let output = run(&sandbox, &["demo"], "");
    let text = stdout(&output);
    assert_eq!(code(&output), 0, "{}", everything(&output));
    let has = |start: char| text.lines().any(|line| line.starts_with(start));
    assert!(has('+') && has('-') && text.contains("@@"), "a diff: {text}");
    assert!(!text.contains('\u{1b}'), "no colours without a terminal");
    assert!(text.contains("redline"), "how to go on: {text}");
    let left: Vec<_> = std::fs::read_dir(sandbox.workspace()).unwrap().collect();
    assert!(left.is_empty(), "nothing here changed: {left:?}");
}
