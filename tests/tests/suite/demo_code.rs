//! `redline demo --editor code`, with a program in the place of `code` that writes down how it was
//! called. The real VS Code runs it in `tests/vscode`.
#![cfg(unix)]

use redline_tests::sandbox::Sandbox;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Output;

/// Writes its arguments and what the demo tells the extension, a line each; refuses what it is told
/// to refuse.
const CODE: &str = r#"#!/bin/sh
for word in "$@"; do echo "arg $word"; done >> "$CALLS"
echo "prompt $REDLINE_DEMO_PROMPT" >> "$CALLS"
echo "open $REDLINE_DEMO_OPEN" >> "$CALLS"
case "$*" in *"$REFUSE"*) echo "will not" >&2; exit 3;; esac
"#;

struct Desk {
    sandbox: Sandbox,
    calls: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let calls = sandbox.outside("calls.txt");
        fs::write(sandbox.outside("code"), CODE).unwrap();
        fs::set_permissions(sandbox.outside("code"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(sandbox.outside("redline.vsix"), "").unwrap();
        fs::create_dir(sandbox.outside("tmp")).unwrap();
        Self { sandbox, calls }
    }

    fn run(&self, code: &str, refuse: &str) -> Output {
        self.run_with(code, refuse, "redline.vsix")
    }

    fn run_with(&self, code: &str, refuse: &str, vsix: &str) -> Output {
        let mut command = self.sandbox.command(&["demo", "--editor", "code"]);
        command
            .env("REDLINE_CODE", self.sandbox.outside(code))
            .env("REDLINE_VSIX", self.sandbox.outside(vsix))
            .env("TMPDIR", self.sandbox.outside("tmp"))
            .env("CALLS", &self.calls)
            .env("REFUSE", refuse);
        command.output().unwrap()
    }

    fn calls(&self) -> Vec<String> {
        fs::read_to_string(&self.calls).unwrap().lines().map(str::to_owned).collect()
    }

    /// Of the only sample project there is.
    fn sample(&self) -> Option<PathBuf> {
        let mut entries = fs::read_dir(self.sandbox.outside("tmp")).unwrap().flatten();
        entries.next().map(|entry| entry.path())
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

#[test]
fn it_installs_the_extension_and_opens_the_sample_in_a_profile_of_its_own() {
    let desk = Desk::new();
    let output = desk.run("code", "nothing");
    assert!(output.status.success(), "{}", said(&output));
    let sample = desk.sample().expect("the sample stays");
    let vsix = desk.sandbox.outside("redline.vsix");
    let arg = |text: String| format!("arg {text}");
    let (data, root) = (sample.join("vscode"), sample.join("moon"));
    let calls = desk.calls();
    let has = |line: &String| assert!(calls.contains(line), "{line} in {calls:#?}");
    has(&arg(data.display().to_string()));
    has(&arg(sample.join("vscode-extensions").display().to_string()));
    has(&arg("--install-extension".to_owned()));
    has(&arg(vsix.display().to_string()));
    has(&arg(root.display().to_string()));
    has(&format!("open {}", root.join("phase.py").display()));
    assert!(calls.iter().any(|line| line.starts_with("prompt On the night")), "{calls:#?}");
    let settings = fs::read_to_string(data.join("User/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    let thread = sample.join("thread.jsonl");
    assert_eq!(settings["redline.script"], thread.display().to_string());
    assert!(said(&output).contains(&root.display().to_string()), "{}", said(&output));
}

#[test]
fn without_code_it_prints_the_command_that_installs() {
    let desk = Desk::new();
    let output = desk.run("missing", "nothing");
    assert_eq!(output.status.code(), Some(1));
    let vsix = desk.sandbox.outside("redline.vsix");
    let line = format!("missing --install-extension {}", vsix.display());
    assert!(said(&output).contains(&line), "{}", said(&output));
    assert_eq!(desk.sample(), None, "no folder is left behind");
}

#[test]
fn a_code_that_refuses_is_an_error_with_its_words() {
    for refuse in ["--version", "--install-extension", "--new-window"] {
        let desk = Desk::new();
        let output = desk.run("code", refuse);
        assert_eq!(output.status.code(), Some(1), "{refuse}: {}", said(&output));
        assert!(said(&output).contains('3') || said(&output).contains("will not"), "{refuse}");
        assert_eq!(desk.sample(), None, "{refuse}: no folder is left behind");
    }
}

#[test]
fn a_package_that_is_not_there_is_named() {
    let desk = Desk::new();
    let output = desk.run_with("code", "nothing", "typo.vsix");
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("typo.vsix"), "{}", said(&output));
}
