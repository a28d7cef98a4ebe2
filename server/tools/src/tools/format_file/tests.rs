use std::fs;

use redline_text::{Position, PositionRange};
use redline_workspace::{OptionId, ResolveAction, ResolveRequest};
use serde_json::{Value, json};

use crate::{
    Formatted, builtin,
    fixture::{Fixture, done, message},
    testing::{TestHost, answer},
};

const UGLY: &str = "fn  main( ) {let x=1;}\n";
const NEAT: &str = "fn main() {\n    let x = 1;\n}\n";

async fn format(f: &Fixture, name: &str) -> Value {
    f.call("format_file", json!({"path": f.path(name)})).await
}

async fn accept(f: &Fixture) {
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
}

/// A program of the project.
fn program(f: &Fixture, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = f.root.join("node_modules/.bin").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A project that uses prettier, with the user's answers and rules.
fn with_prettier(rules: &str, answers: &[OptionId], script: &str) -> Fixture {
    let files = [(".prettierrc", "{}"), ("a.js", "A  b\nkeep\n")];
    let host = TestHost::new(answers.iter().map(|option| answer(*option)));
    let f = Fixture::with(&files, rules, host, builtin());
    program(&f, "prettier", script);
    f
}

#[tokio::test]
async fn rustfmt_formats_what_the_thread_sees() {
    let f = Fixture::new(&[("src/a.rs", UGLY), ("Cargo.toml", "[package]\nedition = \"2024\"\n")]);
    let edit = json!({"path": f.path("src/a.rs"), "old_str": "x=1", "new_str": "x=1;let y=2"});
    f.call("edit_file", edit).await;
    let result = format(&f, "src/a.rs").await;
    let said = &result["result"]["message"];
    assert_eq!(*said, format!("Formatted {} with rustfmt.", f.path("src/a.rs")), "{result}");
    assert_eq!(result["review"]["state"], "pending");
    let diff = result["result"]["diff"].as_str().unwrap();
    assert!(diff.contains("+    let y = 2;\n"), "{diff}");
    assert_eq!(f.disk("src/a.rs"), UGLY, "nothing is written before the user accepts");
    let again = format(&f, "src/a.rs").await;
    let path = f.path("src/a.rs");
    assert_eq!(done(&again), format!("{path} is already formatted (rustfmt)."));
    accept(&f).await;
    assert_eq!(f.disk("src/a.rs"), NEAT.replace("1;\n", "1;\n    let y = 2;\n"));
    assert!(f.host.asks().is_empty());
}

#[tokio::test]
async fn rustfmt_has_the_projects_configuration() {
    let f = Fixture::new(&[("a.rs", UGLY), ("rustfmt.toml", "tab_spaces = 2\n")]);
    format(&f, "a.rs").await;
    accept(&f).await;
    assert_eq!(f.disk("a.rs"), NEAT.replace("    ", "  "));
}

#[tokio::test]
async fn line_ends_survive() {
    let f = Fixture::new(&[("a.rs", "fn  main( ) {let x=1;}\r\n// b\r\n")]);
    format(&f, "a.rs").await;
    accept(&f).await;
    assert_eq!(f.disk("a.rs"), format!("{NEAT}// b\n").replace('\n', "\r\n"));
}

#[tokio::test]
async fn a_formatter_that_fails_changes_nothing() {
    let f = Fixture::new(&[("a.rs", "fn {\n")]);
    let result = format(&f, "a.rs").await;
    let text = message(&result);
    assert!(
        text.starts_with("rustfmt could not format it: it ended with exit status: 1\n"),
        "{text}"
    );
    assert!(
        text.contains("unclosed delimiter") && text.ends_with("Nothing was changed."),
        "{text}"
    );
    assert_eq!(f.workspace.query(|session| session.reviews().len()), 0);
}

#[tokio::test]
async fn an_allowed_format_is_applied() {
    let f = Fixture::with(&[("a.rs", UGLY)], "allow edit_file", TestHost::default(), builtin());
    let result = format(&f, "a.rs").await;
    assert_eq!(result["review"]["state"], "applied", "{result}");
    assert_eq!(f.disk("a.rs"), NEAT);
}

const LOWER: &str = "echo \"$@\" > args; tr 'A-Z' 'a-z' | tr -s ' '";

#[tokio::test]
async fn a_program_of_the_project_is_a_command() {
    let f = with_prettier("", &[OptionId::Once], LOWER);
    let result = format(&f, "a.js").await;
    let by = format!("Formatted {} with prettier, by .prettierrc.", f.path("a.js"));
    assert_eq!(result["result"]["message"], by, "{result}");
    assert!(result["result"]["diff"].as_str().unwrap().contains("-A  b\n+a b\n keep\n"));
    let args = format!("--stdin-filepath={}\n", f.path("a.js"));
    assert_eq!(f.disk("args"), args);
    let ask = f.host.asks().remove(0);
    let cmd = format!("{} {}", f.path("node_modules/.bin/prettier"), args.trim());
    assert_eq!(ask.detail.as_deref(), Some(cmd.as_str()));
    assert_eq!((ask.tool.as_str(), &ask.cwd), ("format_file", &f.root));
    // Not a second time without asking.
    let result = format(&f, "a.js").await;
    assert_eq!(result["status"], "rejected-by-user", "{result}");
}

#[tokio::test]
async fn rules_for_commands_decide_about_programs_of_the_project() {
    let check = async |rules: &str, want: &str, asks: usize| {
        let f = with_prettier(rules, &[OptionId::Reject], LOWER);
        let result = format(&f, "a.js").await;
        assert_eq!(result["status"], want, "{rules}: {result}");
        assert_eq!(f.host.asks().len(), asks, "{rules}");
        assert_eq!(f.root.join("args").exists(), want == "done", "{rules}");
    };
    check("", "rejected-by-user", 1).await;
    check("allow format_file", "rejected-by-user", 1).await;
    check("allow Bash", "done", 0).await;
    check("allow Bash --cmd '*/node_modules/.bin/prettier *'", "done", 0).await;
    check("reject Bash --cmd '*prettier*'", "rejected-by-user", 0).await;
}

#[tokio::test]
async fn programs_that_misbehave() {
    let check = async |script: &str, want: &str| {
        let f = with_prettier("allow Bash", &[], script);
        let result = format(&f, "a.js").await;
        let text = message(&result);
        assert!(
            text.starts_with("prettier could not format it: ") && text.contains(want),
            "{text}"
        );
        assert_eq!(f.workspace.query(|session| session.reviews().len()), 0);
    };
    check("cat > /dev/null; echo no such rule >&2; exit 2", "exit status: 2\nno such rule\n").await;
    check("cat > /dev/null", "it printed no text").await;
    check("cat > /dev/null; printf '\\377'", "not valid UTF-8").await;
    check("exec yes", "it printed more than").await;
    check("exit 3", "exit status: 3").await;
}

#[tokio::test]
async fn a_cancelled_format_leaves_no_process() {
    let f = with_prettier("allow Bash", &[], "echo $$ > pid; sleep 1000 & sleep 1000");
    let calls = vec![crate::ToolCall {
        id: "c".to_owned(),
        name: "format_file".to_owned(),
        args: json!({"path": f.path("a.js")}),
    }];
    let cancel = async {
        crate::fixture::until("it started", || {
            fs::read_to_string(f.root.join("pid")).is_ok_and(|pid| pid.ends_with('\n'))
        })
        .await;
        f.scope.cancel.cancel();
    };
    let (results, ()) = tokio::join!(f.tools.run(&f.scope, calls, &|_| {}), cancel);
    assert_eq!(results, [crate::ToolResult::Cancelled]);
    let pid: i32 = f.disk("pid").trim().parse().unwrap();
    let group = rustix::process::Pid::from_raw(pid).unwrap();
    crate::fixture::until("its group ended", || {
        rustix::process::test_kill_process_group(group).is_err()
    })
    .await;
}

#[tokio::test]
async fn what_can_not_be_formatted() {
    let f =
        Fixture::new(&[("a.xyz", "x"), ("a.py", "x"), (".env", "A=1"), ("b.lua", ""), ("d/x", "")]);
    let check = async |name: &str, want: &str| {
        let result = format(&f, name).await;
        assert!(message(&result).contains(want), "{result}");
    };
    check("a.xyz", "no formatter for such files is known here").await;
    check("a.py", "no configuration of ruff, black was found above it").await;
    check("none.rs", "file not found: ").await;
    check(".env", "Refusing to read env file.").await;
    check("d", "is not a regular file").await;
    fs::write(f.root.join("nul.rs"), b"a\0b").unwrap();
    check("nul.rs", "binary").await;
    fs::write(f.root.join(".ocamlformat"), "").unwrap();
    fs::write(f.root.join("a.ml"), "let x = 1").unwrap();
    check("a.ml", "ocamlformat is not installed").await;
}

/// Opens `a.js` with this text.
fn open(f: &Fixture, text: &str) {
    let file = f.workspace.path("a.js", &f.root).unwrap();
    f.workspace.opened(file, "file:///a.js".to_owned(), 3, text.to_owned());
}

fn editors(version: Option<i32>) -> Formatted {
    let at = |line, character| Position { line, character };
    let range = |start, end| PositionRange { start, end };
    let edits = vec![
        (range(at(1, 0), at(1, 4)), "KEEP".to_owned()),
        (range(at(0, 1), at(0, 3)), "+".to_owned()),
    ];
    Formatted::Edits { version, edits }
}

#[tokio::test]
async fn the_editors_formatter_makes_a_proposal() {
    for version in [None, Some(3)] {
        let f = with_prettier("", &[], LOWER);
        open(&f, "A  b\nkeep\n");
        f.host.formats(editors(version));
        let result = format(&f, "a.js").await;
        let by = format!("Formatted {} with the editor's formatter.", f.path("a.js"));
        assert_eq!(result["result"]["message"], by, "{result}");
        assert_eq!(result["review"]["state"], "pending");
        let read = f.call("Read", json!({"path": f.path("a.js")})).await;
        assert_eq!(done(&read), "1: A+b\n2: KEEP");
        let file = f.workspace.path("a.js", &f.root).unwrap();
        let shown = redline_layers::Projection::Editor;
        let shown = f.workspace.query(|session| session.content(&file, &shown));
        assert_eq!(shown.as_deref(), Some("A  b\nkeep\n"), "the buffer is the user's");
    }
}

#[tokio::test]
async fn the_editor_is_not_asked_for_what_it_does_not_show() {
    let check = async |prepare: &dyn Fn(&Fixture), formatted: Formatted| {
        let f = with_prettier("allow Bash", &[], LOWER);
        prepare(&f);
        f.host.formats(formatted);
        let result = format(&f, "a.js").await;
        let said = result["result"]["message"].as_str().unwrap_or_default();
        assert!(said.contains("with prettier"), "{result}");
    };
    check(&|_| {}, editors(None)).await;
    // For a version that is gone.
    check(&|f| open(f, "A  b\nkeep\n"), editors(Some(2))).await;
    check(&|f| open(f, "A  b\nkeep\n"), Formatted::Nothing).await;
    let (f, edit) =
        (with_prettier("allow Bash", &[], LOWER), json!({"old_str": "keep", "new_str": "X"}));
    open(&f, "A  b\nkeep\n");
    f.host.formats(editors(None));
    f.call("edit_file", crate::fixture::at(&f, "a.js", edit)).await;
    let result = format(&f, "a.js").await;
    assert!(result["result"]["message"].as_str().unwrap().contains("with prettier"), "{result}");
    let read = f.call("Read", json!({"path": f.path("a.js")})).await;
    assert_eq!(done(&read), "1: a b\n2: x");
}

#[tokio::test]
async fn a_client_without_previews_has_formatted_already() {
    let f = with_prettier("", &[], LOWER);
    open(&f, "A  b\nkeep\n");
    f.host.formats(Formatted::InBuffer);
    let result = format(&f, "a.js").await;
    assert!(done(&result).starts_with("The editor has formatted "), "{result}");
    assert!(f.host.asks().is_empty());
}
