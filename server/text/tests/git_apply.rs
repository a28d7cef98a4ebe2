//! `unified` against the real `git apply`; where there is no Git, nothing is checked.

#![allow(clippy::unwrap_used)] // A test that cannot set itself up has to fail.

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

use proptest::{prelude::*, test_runner::Config};
use redline_text::{Text, unified};

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("redline-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// What `git apply` makes of the diff; `None` where there is no Git.
    fn apply(&self, old: Option<&str>, diff: &str, path: &str) -> Option<Option<String>> {
        let file = self.0.join(path);
        let _ = fs::remove_file(&file);
        if let Some(old) = old {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, old).unwrap();
        }
        let mut git = Command::new("git")
            .args(["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"])
            .current_dir(&self.0)
            .env("GIT_CEILING_DIRECTORIES", std::env::temp_dir())
            .stdin(Stdio::piped())
            .spawn()
            .ok()?;
        git.stdin.take().unwrap().write_all(diff.as_bytes()).unwrap();
        assert!(git.wait().unwrap().success(), "{diff}");
        Some(fs::read_to_string(&file).ok())
    }

    fn check(&self, old: Option<&str>, new: Option<&str>, path: &str) {
        let text = |s: Option<&str>| s.map(Text::from);
        let diff = unified(text(old).as_ref(), text(new).as_ref(), path);
        if diff.is_empty() {
            return;
        }
        if let Some(applied) = self.apply(old, &diff, path) {
            assert_eq!(applied.as_deref(), new, "{diff}");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every kind of change, by both sides of the file.
const CHANGES: [(Option<&str>, Option<&str>); 20] = [
    (Some("a\nb\n"), Some("a\nc\n")),
    // CR LF, on all lines and on some; a line end that changes, a lone CR.
    (Some("a\r\nb\r\n"), Some("a\r\nc\r\n")),
    (Some("a\r\nb\nc\r\nd\n"), Some("a\r\nB\nC\r\nd\n")),
    (Some("a\r\nb\r\n"), Some("a\nb\r\n")),
    (Some("a\nb\n"), Some("a\r\nb\r\n")),
    (Some("a\rb\rc"), Some("a\rB\rc")),
    (Some("a\rb\n\rc\r\n"), Some("a\rb\n\rC\r\n")),
    // No final line end: before, after, on both sides, with CR LF, on a line that stays.
    (Some("a\nb"), Some("a\nc")),
    (Some("a\nb"), Some("a\nb\n")),
    (Some("a\nb\n"), Some("a\nb")),
    (Some("a\r\nb"), Some("a\r\nb\r\n")),
    (Some("a\nb\nc"), Some("A\nb\nc")),
    // Files that come, go, are filled and are emptied.
    (None, Some("a\nb\n")),
    (None, Some("a\r\nb")),
    (None, Some("")),
    (Some("a\r\nb"), None),
    (Some(""), None),
    (Some(""), Some("a\n")),
    (Some("a\nb"), Some("")),
    // What looks like a part of a diff.
    (Some("-- a\n++ b\n@@ -1 +1 @@\n"), Some("-- a\n\\ No newline at end of file\n")),
];

/// Names that Git quotes, or that it may take for something else.
const NAMES: [&str; 16] = [
    "plain",
    "deep/er/plain.rs",
    "with blank",
    "two  blanks and a dir/x y",
    "trailing ",
    "quo\"te",
    "\"quoted\"",
    "it's",
    "back\\slash",
    "ta\tb",
    "line\nfeed",
    "bell\u{7}",
    "größe 界 😀",
    "e\u{301}",
    "a/b",
    "--- dashes",
];

#[test]
fn git_applies_every_change_to_every_name() {
    let folder = Folder::new("git-apply");
    for path in NAMES {
        folder.check(Some("a\nb\n"), Some("a\nc\n"), path);
        folder.check(None, Some(""), path);
        folder.check(Some("a\r\nb"), None, path);
    }
    for (old, new) in CHANGES {
        for path in ["plain", "with blank", "quo\"te"] {
            folder.check(old, new, path);
        }
    }
}

#[test]
fn git_applies_random_changes() {
    let folder = Folder::new("git-apply-random");
    let config = Config { cases: 48, failure_persistence: None, ..Config::default() };
    proptest!(config, |(old in sample(), new in sample())| {
        folder.check(Some(&old), Some(&new), "sample");
    });
}

fn sample() -> impl Strategy<Value = String> {
    let piece = prop_oneof![3 => "[ab]{0,2}", 3 => Just("\n".into()), 1 => Just("\r\n".into()), 1 => "[é\r]"];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces: Vec<String>| pieces.concat())
}
