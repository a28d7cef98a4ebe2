//! `redline permissions …`, as scripts rely on it.

use redline_tests::Sandbox;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn run_in(mut command: Command, input: &str) -> (i32, String, String) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let _may_end_before_reading = pipe.write_all(input.as_bytes());
    drop(pipe);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("output");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

/// `redline permissions WORDS`: exit code, stdout, stderr.
fn permissions(sandbox: &Sandbox, words: &[&str], input: &str) -> (i32, String, String) {
    run_in(sandbox.command(&[&["permissions"], words].concat()), input)
}

fn settings(sandbox: &Sandbox) -> PathBuf {
    sandbox.state().with_file_name("config").join("settings.json")
}

fn with_rules(text: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::write(settings(&sandbox), text).expect("settings");
    sandbox
}

/// Numbers of built-in rules change with the rules.
fn without_numbers(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("matched-rule: ") {
        Some(number) if number.parse::<usize>().is_ok() => "matched-rule: N\n".to_owned(),
        _ if line.starts_with("reason: ") => String::new(),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn the_examples_of_the_manual() {
    let sandbox = Sandbox::new();
    let words = ["test", "Bash", "--cmd", "git commit -m 'test'"];
    let (code, out, error) = permissions(&sandbox, &words, "");
    let want = "tool: Bash\narguments: {\"cmd\":\"git commit -m 'test'\"}\naction: ask\n\
                matched-rule: N\nsource: builtin\n";
    assert_eq!((code, without_numbers(&out).as_str(), error.as_str()), (1, want, ""), "{out}");
    assert!(out.contains("\nreason: Asks because "), "{out}");
    let path = sandbox.path("README.md");
    let path = path.to_str().unwrap();
    let (code, out, _) = permissions(&sandbox, &["test", "edit_file", "--path", path], "");
    let want = format!(
        "tool: edit_file\narguments: {{\"path\":\"{path}\"}}\naction: ask\nmatched-rule: N\n\
         source: builtin\nthen: the edit waits as hunks for your review, and changes nothing before\n"
    );
    assert_eq!((code, without_numbers(&out)), (1, want));
}

#[test]
fn a_test_exits_with_its_verdict_and_runs_nothing() {
    let sandbox = with_rules(
        r#"{"redline.permissions": [
            {"tool": "Bash", "matches": {"cmd": "touch a"}, "action": "allow"},
            {"tool": "Bash", "matches": {"cmd": "touch b"}, "action": "reject", "message": "No b."},
            {"tool": "Bash", "matches": {"cmd": "touch c"}, "action": "delegate", "to": "touch"}
        ]}"#,
    );
    sandbox.write("sub/x", "");
    let test = |words: &[&str]| permissions(&sandbox, &[&["test"], words].concat(), "");
    let check = |words: &[&str], code: i32, parts: &[&str]| {
        let (got, out, error) = test(words);
        assert_eq!(got, code, "{words:?}\n{out}\n{error}");
        for part in parts {
            assert!(format!("{out}\n{error}").contains(part), "{words:?}\n{out}\n{error}");
        }
    };
    check(&["Bash", "--cmd", "touch a"], 0, &["action: allow", "matched-rule: 0", "source: user"]);
    check(
        &["Bash", "--cmd", "touch b"],
        2,
        &["action: reject", "matched-rule: 1", "message: No b."],
    );
    check(&["Bash", "--cmd", "touch c"], 1, &["action: delegate", "delegate: touch would decide"]);
    check(&["Bash", "--cmd", "touch d"], 1, &["action: ask"]);
    check(&["Bash", "--cmd", "touch d", "--context", "subagent"], 1, &["action: ask"]);
    check(&["mcp__a__b", "--x", "1"], 1, &["matched-rule: none", "source: none"]);
    check(&["mcp__a__b", "--context", "subagent"], 2, &["action: reject"]);
    check(&["Bash", "--cmd", "cd sub && touch a"], 0, &["runs: touch a (in "]);
    check(&["Read", "--path", ".env"], 0, &["guard: ", "holds secrets"]);
    check(&["Bash", "--cmd", "rm -rf /"], 1, &["guard: `rm -rf /` deletes"]);
    check(&["Read", "--path", "/etc/passwd"], 1, &["source: builtin", "outside the workspace"]);
    check(&["Bash", "--context", "someone"], 3, &["is not thread or subagent"]);
    check(&["Bash", "--yes"], 3, &["not expected here"]);
    check(&["Read", "--read_range", "x"], 3, &["expected"]);
    check(
        &["Bash", "--cmd", "touch a", "--tmeout", "5"],
        0,
        &["note: Bash has no argument `tmeout`"],
    );
    check(
        &["edit_file", "--path", "a", "--pth", "b"],
        1,
        &["note: edit_file has no argument `pth`"],
    );
    check(&["Read", "--path", "a\u{1}b"], 0, &[]);
    let (code, out, error) = test(&["Bash", "--cmd", "touch b", "--quiet"]);
    assert_eq!((code, out.as_str(), error.as_str()), (2, "", ""));
    for name in ["a", "b", "c"] {
        assert!(!sandbox.path(name).exists(), "{name}");
    }
}

#[test]
fn a_test_as_json() {
    let sandbox = with_rules(
        "{\n\"amp.permissions\": [\n{\"tool\": \"Read\", \"matches\": {\"path\": \"*.md\"}, \"action\": \"reject\"}]}",
    );
    let input = json!({"path": sandbox.path("a.md")}).to_string();
    let (code, out, _) = permissions(&sandbox, &["test", "Read", "--json", "--input", "-"], &input);
    let got: Value = serde_json::from_str(&out).expect("one JSON line");
    assert_eq!((code, out.lines().count()), (2, 1));
    for (key, want) in [
        ("tool", json!("Read")),
        ("action", json!("reject")),
        ("matchedRule", json!(0)),
        ("source", json!("user")),
        ("line", json!(3)),
        ("file", json!(settings(&sandbox))),
        ("rule", json!("reject Read --path '*.md'")),
        ("delegates", json!([])),
    ] {
        assert_eq!(got[key], want, "{key}: {got}");
    }
}

#[test]
fn lists_are_numbered_and_say_where_each_rule_stands() {
    let sandbox = with_rules(
        "{\n  \"redline.permissions\": [\n    {\"tool\": \"x\", \"action\": \"ask\"},\n    {\"tool\": \"y\", \"action\": \"reject\"}\n  ]\n}",
    );
    sandbox.write(
        ".redline/settings.json",
        r#"{"redline.permissions": [{"tool": "z", "action": "allow"}]}"#,
    );
    let (code, out, _) = permissions(&sandbox, &["list"], "");
    let place = settings(&sandbox).display().to_string();
    let want = format!(
        "Your rules\n   0  ask x  {place}:3\n   1  reject y  {place}:4\n\n\
         This folder's rules, which only tighten\n   0  allow z  .redline/settings.json:1\n"
    );
    assert_eq!((code, out), (0, want));
    let (_, out, _) = permissions(&sandbox, &["list", "--json"], "");
    let got: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(got[1]["index"], 1);
    assert_eq!(got[1]["rule"], json!({"tool": "y", "action": "reject"}));
    assert_eq!(got[2]["source"], "workspace");
    let (_, out, _) = permissions(&sandbox, &["list", "--builtin", "--json"], "");
    let builtin: Value = serde_json::from_str(&out).expect("JSON");
    let sources = builtin.as_array().expect("a list").iter().map(|rule| &rule["source"]);
    assert!(sources.clone().count() > 20 && sources.clone().all(|source| source == "builtin"));
}

const FILE: &str = r#"{
  // how it looks
  "editor.fontSize": 12, /* points */
  "redline.permissions": [
    // no diagrams
    { "tool": "mermaid", "action": "reject" }, // really
    {"tool": "Bash", "action": "ask"}
  ],
  "redline.model": "m" // mine
}
"#;

#[test]
fn an_edit_changes_the_rules_and_nothing_else() {
    let sandbox = with_rules(FILE);
    let rules = "# comment\nask '*'\nreject mermaid\n";
    let (code, out, error) = permissions(&sandbox, &["edit"], rules);
    assert_eq!(code, 0, "{error}");
    assert!(out.starts_with("Saved 2 rules in "), "{out}");
    let want = FILE.replace(
        "    // no diagrams\n    { \"tool\": \"mermaid\", \"action\": \"reject\" }, // really\n    {\"tool\": \"Bash\", \"action\": \"ask\"}\n",
        "    { \"tool\": \"*\", \"action\": \"ask\" },\n    // no diagrams\n    { \"tool\": \"mermaid\", \"action\": \"reject\" } // really\n",
    );
    assert_eq!(fs::read_to_string(settings(&sandbox)).unwrap(), want);
    let (code, out, _) = permissions(&sandbox, &["edit"], rules);
    assert_eq!((code, out.starts_with("Nothing changed in ")), (0, true), "{out}");
}

#[test]
fn an_edit_with_an_error_saves_nothing() {
    let check = |file: &str, input: &str, want: &str| {
        let sandbox = with_rules(file);
        let (code, out, error) = permissions(&sandbox, &["edit"], input);
        assert_eq!((code, out.as_str()), (1, ""), "{input}\n{error}");
        assert!(error.contains(want), "{input}\n{error}");
        assert_eq!(fs::read_to_string(settings(&sandbox)).unwrap(), file);
    };
    check(
        FILE,
        "ask Bash\nreject Bash --cmd '/(/'\n",
        "2:19: `/(/` is not a valid regular expression",
    );
    check(FILE, "ask Bash\n  deny x\n", "2:3: expected an action");
    check(FILE, "ask Bash --cmd 'x", "1:16: this single quote is never closed");
    check(FILE, "", "standard input is empty");
    check("{\"redline.permissions\": [], \"amp.permissions\": []}", "ask x", "has both");
    check("{\"redline.permissions\": 5}", "ask x", "settings.json:1:25:");
    check("{\"redline.permissions\": [{}]}", "ask x", "tool");
    check("{", "ask x", "settings.json:1:2:");
}

#[cfg(unix)]
#[test]
fn an_added_rule_is_the_first() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let sandbox = Sandbox::new();
    let add = |words: &[&str]| permissions(&sandbox, &[&["add"], words].concat(), "");
    assert_eq!(add(&["reject", "mermaid"]).0, 0);
    let (code, out, _) = add(&["ask", "web_search", "--query", "*node*", "--query", "*npm*"]);
    let want = "ask web_search --query '*node*' --query '*npm*'\nsaved as the first rule of ";
    assert_eq!((code, out.starts_with(want)), (0, true), "{out}");
    let (_, out, _) = permissions(&sandbox, &["list"], "");
    let rules: Vec<&str> = out.lines().filter_map(|line| line.split("  ").nth(2)).collect();
    assert_eq!(
        rules,
        ["ask web_search --query '*node*' --query '*npm*'", "reject mermaid"],
        "{out}"
    );
    // The file may be a link into a folder of dotfiles, with a mode of its own.
    let real = sandbox.outside("dotfiles.json");
    fs::rename(settings(&sandbox), &real).unwrap();
    symlink(&real, settings(&sandbox)).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(add(&["ask Bash --cmd 'git push*'"]).0, 0);
    assert!(fs::symlink_metadata(settings(&sandbox)).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fs::read_to_string(&real).unwrap().contains("git push*"));
    let (code, _, error) = add(&["allow", "Bash", "--cmd"]);
    assert_eq!(code, 1);
    assert!(error.contains("word 4 of the rule: expected a value"), "{error}");
    let (code, out, _) = add(&["--workspace", "allow", "Bash", "--cmd", "ls"]);
    assert_eq!(
        (code, out.contains("has no effect before the folder is trusted")),
        (0, true),
        "{out}"
    );
    assert!(sandbox.disk(".redline/settings.json").contains("\"ls\""));
}

#[test]
fn rules_of_amp_stay_where_they_are() {
    let sandbox = with_rules("{\"amp.permissions\": [{\"tool\": \"Bash\", \"action\": \"ask\"}]}");
    assert_eq!(permissions(&sandbox, &["add", "reject", "mermaid"], "").0, 0);
    let want = "{\"amp.permissions\": [{ \"tool\": \"mermaid\", \"action\": \"reject\" }, \
                {\"tool\": \"Bash\", \"action\": \"ask\"}]}";
    assert_eq!(fs::read_to_string(settings(&sandbox)).unwrap(), want);
}

#[test]
fn an_explanation_shows_every_rule_in_order() {
    let sandbox = with_rules(
        r#"{"redline.permissions": [
            {"tool": "Bash", "matches": {"cmd": "git *"}, "action": "allow"},
            {"tool": "Bash", "matches": {"cmd": "rm *"}, "action": "reject"}
        ]}"#,
    );
    let words = ["explain", "Bash", "--cmd", "git status && rm x"];
    let (code, out, _) = permissions(&sandbox, &words, "");
    assert_eq!(code, 2, "{out}");
    let mut rest = out.as_str();
    for part in [
        "The command `git status`",
        "0 ✓ allow Bash --cmd 'git *'",
        "rules → allow",
        "The command `rm x`",
        "no: `cmd` is `rm x`, which `git *` does not match",
        "1 ✓ reject Bash --cmd 'rm *'",
        "rules → reject",
        "Verdict: reject",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part}\n{out}"));
        rest = &rest[at..];
    }
    let (_, out, _) = permissions(&sandbox, &[&words[..], &["--json"]].concat(), "");
    let got: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(got["parts"][1]["rules"][1]["outcome"], "matches", "{got}");
    assert_eq!(got["parts"][0]["text"], "git status");
}

#[test]
fn a_check_names_file_and_line() {
    let sandbox = with_rules(
        "{\"redline.permissions\": [\n{\"tool\": \"Bash\", \"matches\": {\"cmd\": \"ls*\"}, \"action\": \"allow\"},\n{\"tool\": \"Bsh\", \"action\": \"ask\"}]}",
    );
    let (code, out, _) = permissions(&sandbox, &["check"], "");
    let place = settings(&sandbox).display().to_string();
    assert_eq!(code, 1);
    assert!(out.contains(&format!("{place}:2: wide: allow Bash --cmd 'ls*'\n")), "{out}");
    assert!(out.contains(&format!("{place}:3: never: ask Bsh\n")), "{out}");
    assert!(out.ends_with("\n2 findings in 2 rules.\n"), "{out}");
    let (code, out, _) = permissions(&sandbox, &["check", "--json"], "");
    let got: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &got[1]["kind"], &got[1]["line"]), (1, &json!("never"), &json!(3)));
    let (code, out, _) = permissions(&Sandbox::new(), &["check"], "");
    assert_eq!((code, out.as_str()), (0, "Nothing found in 0 rules.\n"));
}

#[test]
fn permissions_alone_prints_its_help() {
    let sandbox = Sandbox::new();
    let (code, out, error) = permissions(&sandbox, &[], "");
    let text = format!("{out}{error}");
    for name in ["list", "test", "explain", "add", "edit", "check"] {
        assert!(text.contains(&format!("\n  {name} ")), "{code} {text}");
        let (code, out, _) = permissions(&sandbox, &[name, "--help"], "");
        assert_eq!(code, 0);
        assert!(out.contains("xample") || name == "check", "{out}");
    }
}

#[test]
fn what_cannot_be_judged_is_no_verdict() {
    let sandbox = Sandbox::new();
    for name in ["test", "explain"] {
        let check = |words: &[&str]| {
            let words = [&[name], words].concat();
            let (code, out, error) = permissions(&sandbox, &words, "");
            assert_eq!(code, 3, "{words:?}\n{out}\n{error}");
            assert!(!error.is_empty(), "{words:?}");
        };
        check(&[]);
        check(&["--json"]);
        check(&["Bash", "ls"]);
        check(&["Bash", "--cmd", "ls", "--dialect", "klingon"]);
        check(&["Bash", "--cmd", "ls", "--input", "x"]);
        check(&["--color", "sometimes", "Bash", "--cmd", "ls"]);
    }
    fs::write(settings(&sandbox), "{").expect("settings");
    assert_eq!(permissions(&sandbox, &["explain", "Bash", "--cmd", "ls"], "").0, 3);
}

#[test]
fn a_mistyped_key_is_an_error_and_another_unknown_one_a_finding() {
    let sandbox = with_rules("{\n  \"redline.permisions\": []\n}");
    let place = settings(&sandbox).display().to_string();
    for words in [&["check"][..], &["list"], &["add", "ask", "Bash"]] {
        let (code, out, error) = permissions(&sandbox, words, "");
        let want = format!("{place}:2:3: there is no setting \"redline.permisions\"");
        assert!(code == 1 && error.contains(&want), "{words:?} {code}\n{out}\n{error}");
    }
    let sandbox = with_rules("{\n  \"redline.modle\": \"m\"\n}");
    let (code, out, error) = permissions(&sandbox, &["check"], "");
    let want = ":2:3: unknown: there is no setting \"redline.modle\": it is ignored; did you mean \
                \"redline.model\"?\n\n1 finding in 0 rules.\n";
    assert!(code == 1 && out.ends_with(want) && error.is_empty(), "{code}\n{out}\n{error}");
    let (_, out, _) = permissions(&sandbox, &["check", "--json"], "");
    let got: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&got[0]["kind"], &got[0]["line"]), (&json!("unknown"), &json!(2)));
}

#[test]
fn rules_with_a_byte_order_mark_are_rules() {
    let sandbox = Sandbox::new();
    let (code, out, error) = permissions(&sandbox, &["edit"], "\u{feff}ask Bash\n");
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("Saved 1 rule "), "{out}");
    let (code, ..) = permissions(&sandbox, &["edit"], "\u{feff}");
    assert_eq!(code, 1, "nothing but the mark is nothing");
}

#[test]
fn a_file_that_no_reader_takes_is_not_saved() {
    let sandbox = Sandbox::new();
    let utf16: Vec<u8> = "\u{feff}{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(settings(&sandbox), &utf16).expect("settings");
    let (code, out, error) = permissions(&sandbox, &["add", "ask", "Bash"], "");
    assert!(code == 1 && error.contains("save it as UTF-8"), "{out}\n{error}");
    assert_eq!(fs::read(settings(&sandbox)).expect("settings"), utf16);
}
