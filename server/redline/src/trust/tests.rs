use std::fs;

use super::*;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

const SETTINGS: &str = ".redline/settings.json";

#[test]
fn a_change_of_any_file_that_counts_changes_the_hash() {
    let text = r#"{
  "redline.script": "talk.jsonl",
  "redline.permissions": [
    {"tool": "Bash", "action": "delegate", "to": "./tools/check.sh"},
    {"tool": "Read", "action": "delegate", "to": "/usr/bin/true"},
    {"tool": "Grep", "action": "delegate", "to": "../outside.sh"}
  ]
}"#;
    let dir = folder(&[
        (SETTINGS, text),
        ("tools/check.sh", "exit 0\n"),
        (".redline/talk.jsonl", "{}\n"),
        ("other.txt", "x"),
    ]);
    let seen = || look(dir.path()).unwrap();
    let first = seen();
    assert_eq!(first.names(), [SETTINGS, "tools/check.sh", ".redline/talk.jsonl"]);
    assert!(first.hash.starts_with("blake3:") && first.hash.len() == 71, "{}", first.hash);
    assert_eq!(seen().hash, first.hash);
    fs::write(dir.path().join("other.txt"), "y").unwrap();
    assert_eq!(seen().hash, first.hash);
    for name in [SETTINGS, "tools/check.sh", ".redline/talk.jsonl"] {
        let path = dir.path().join(name);
        let before = fs::read(&path).unwrap();
        fs::write(&path, [before.as_slice(), b"\n"].concat()).unwrap();
        assert_ne!(seen().hash, first.hash, "{name}");
        fs::write(&path, &before).unwrap();
        assert_eq!(seen().hash, first.hash);
    }
    fs::remove_file(dir.path().join("tools/check.sh")).unwrap();
    assert_ne!(seen().hash, first.hash);
}

#[test]
fn a_folder_without_such_files_and_odd_ones() {
    let dir = folder(&[]);
    assert_eq!(look(dir.path()).unwrap().names(), Vec::<String>::new());
    fs::create_dir_all(dir.path().join(SETTINGS)).unwrap();
    assert!(look(dir.path()).unwrap_err().to_string().contains("it is not a file"));
    fs::remove_dir(dir.path().join(SETTINGS)).unwrap();
    fs::write(dir.path().join(SETTINGS), b"\xff").unwrap();
    assert!(look(dir.path()).unwrap_err().to_string().contains("utf-8"));
    #[cfg(unix)]
    {
        fs::remove_file(dir.path().join(SETTINGS)).unwrap();
        let fifo = std::process::Command::new("mkfifo").arg(dir.path().join(SETTINGS)).status();
        assert!(fifo.unwrap().success());
        assert!(look(dir.path()).unwrap_err().to_string().contains("it is not a file"));
    }
}

#[cfg(unix)]
#[test]
fn a_link_counts_as_what_it_leads_to() {
    let dir = folder(&[("real.json", "{}")]);
    fs::create_dir(dir.path().join(".redline")).unwrap();
    std::os::unix::fs::symlink("../real.json", dir.path().join(SETTINGS)).unwrap();
    let before = look(dir.path()).unwrap().hash;
    fs::write(dir.path().join("real.json"), "{ }").unwrap();
    assert_ne!(look(dir.path()).unwrap().hash, before);
}

#[test]
fn trusted_listed_and_taken_back() {
    let (config, dir) = (folder(&[]), folder(&[(SETTINGS, "{}")]));
    let store = TrustStore::in_folder(&config.path().join("redline"));
    let seen = look(dir.path()).unwrap();
    store.trust(&seen).unwrap();
    fs::write(dir.path().join(SETTINGS), "{ }").unwrap();
    let changed = look(dir.path()).unwrap();
    store.trust(&changed).unwrap();
    let [only] = store.read().unwrap().try_into().unwrap();
    assert_eq!((only.folder.as_path(), &only.hash), (dir.path(), &changed.hash));
    assert!(store.revoke(dir.path()).unwrap());
    assert!(!store.revoke(dir.path()).unwrap());
    for (entry, want) in [
        (r#"{"folder": "x", "hash": "h", "at": "2026-11-21T04:07:09Z"}"#, "absolute"),
        (r#"{"folder": "/x", "hash": "h", "at": "then"}"#, "must be like"),
        (r#"{"folder": "/x", "at": "2026-11-21T04:07:09Z"}"#, "missing field"),
    ] {
        fs::write(store.path(), format!("[{entry}]")).unwrap();
        let error = store.trust(&seen).unwrap_err().to_string();
        assert!(error.contains(want) && error.contains("entry 1"), "{error}");
        assert_eq!(fs::read_to_string(store.path()).unwrap(), format!("[{entry}]"));
    }
}

#[cfg(unix)]
#[test]
fn a_program_counts_wherever_its_name_seems_to_lead() {
    use std::os::unix::fs::symlink;
    let dir = folder(&[("bin/decide", "exit 1\n"), ("deep/in/x", ""), ("deep/decide", "exit 1\n")]);
    let elsewhere = folder(&[("decide", "exit 1\n")]);
    symlink(dir.path().join("bin"), elsewhere.path().join("alias")).unwrap();
    symlink("deep/in", dir.path().join("d")).unwrap();
    let text = format!(
        r#"{{"redline.permissions": [
  {{"tool": "Bash", "action": "delegate", "to": "{}/alias/decide"}},
  {{"tool": "Read", "action": "delegate", "to": "{}/d/../decide"}}
]}}"#,
        elsewhere.path().display(),
        dir.path().display(),
    );
    fs::create_dir(dir.path().join(".redline")).unwrap();
    fs::write(dir.path().join(SETTINGS), text).unwrap();
    let seen = || look(dir.path()).unwrap();
    let first = seen();
    assert_eq!(first.names(), [SETTINGS, "bin/decide", "deep/decide"]);
    for name in ["bin/decide", "deep/decide"] {
        fs::write(dir.path().join(name), "exit 0\n").unwrap();
        assert_ne!(seen().hash, first.hash, "{name}");
        fs::write(dir.path().join(name), "exit 1\n").unwrap();
        assert_eq!(seen().hash, first.hash);
    }
    // Another file behind the link.
    fs::remove_file(dir.path().join("d")).unwrap();
    symlink("bin", dir.path().join("d")).unwrap();
    assert_ne!(seen().hash, first.hash);
    assert!(seen().watched.contains(&dir.path().join("d/../decide")));
}

#[cfg(target_os = "linux")]
#[test]
fn files_without_end_are_no_settings() {
    let dir = folder(&[]);
    fs::create_dir(dir.path().join(".redline")).unwrap();
    for (file, why) in [
        ("/proc/self/pagemap", "a file of the kernel's"),
        ("/proc/kmsg", "a file of the kernel's"),
        ("/dev/zero", "it is not a file"),
    ] {
        let _gone = fs::remove_file(dir.path().join(SETTINGS));
        std::os::unix::fs::symlink(file, dir.path().join(SETTINGS)).unwrap();
        let error = look(dir.path()).unwrap_err().to_string();
        assert!(error.contains(why), "{file}: {error}");
    }
}
