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

#[test]
fn git_applies_them() {
    let folder = Folder::new("git-apply");
    for path in ["plain", "with blank", "quo\"te", "back\\slash", "ta\tb", "größe"] {
        folder.check(Some("a\nb\n"), Some("a\nc\n"), path);
        folder.check(None, Some("a\nb"), path);
        folder.check(Some("a\r\nb"), None, path);
        folder.check(None, Some(""), path);
        folder.check(Some(""), None, path);
    }
    let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
    proptest!(config, |(old in sample(), new in sample())| {
        folder.check(Some(&old), Some(&new), "sample");
    });
}

fn sample() -> impl Strategy<Value = String> {
    let piece = prop_oneof![3 => "[ab]{0,2}", 3 => Just("\n".into()), 1 => Just("\r\n".into()), 1 => "[é\r]"];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces: Vec<String>| pieces.concat())
}
