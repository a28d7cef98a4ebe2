use std::time::Duration;

use super::*;

fn ledger(dir: &Path) -> Ledger<String> {
    Ledger::new(dir.join("config/list.json"))
}

fn add(ledger: &Ledger<String>, text: &str) -> Result<(), LedgerError> {
    ledger.change(|list| list.push(text.to_owned()))
}

#[test]
fn what_is_added_is_there_for_its_owner_only() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = ledger(dir.path());
    assert_eq!(ledger.read(), Ok(Vec::new()));
    add(&ledger, "a\n").unwrap();
    add(&ledger, "b").unwrap();
    assert_eq!(ledger.read().unwrap(), ["a\n", "b"]);
    let text = fs::read_to_string(ledger.path()).unwrap();
    assert_eq!(text, "[\n  \"a\\n\",\n  \"b\"\n]\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(ledger.path()), 0o600);
        assert_eq!(mode(&dir.path().join("config")), 0o700);
    }
    let names: Vec<_> = fs::read_dir(dir.path().join("config")).unwrap().collect();
    assert_eq!(names.len(), 1, "no temporary file is left: {names:?}");
}

#[test]
fn two_processes_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let add_all = |name: &'static str| {
        let ledger = ledger(dir.path());
        move || (0..20).for_each(|n| add(&ledger, &format!("{name}{n}")).unwrap())
    };
    std::thread::scope(|scope| {
        scope.spawn(add_all("a"));
        scope.spawn(add_all("b"));
    });
    assert_eq!(ledger(dir.path()).read().unwrap().len(), 40);
}

#[test]
fn a_damaged_list_counts_for_nothing_and_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = ledger(dir.path());
    make_dir(&dir.path().join("config")).unwrap();
    for (text, want) in [
        (
            "[\"a\",\n 1]",
            "list.json: entry 2: invalid type: integer `1`, expected a string; nothing in it counts",
        ),
        ("[\"a\"", ":1:4: EOF while parsing a list; nothing in it counts"),
        ("{}", ":1:0: invalid type: map, expected a sequence; nothing"),
    ] {
        fs::write(ledger.path(), text).unwrap();
        let error = ledger.read().unwrap_err();
        assert!(error.to_string().contains(want), "{error}");
        assert_eq!(add(&ledger, "b"), Err(error));
        assert_eq!(fs::read_to_string(ledger.path()).unwrap(), text);
    }
    fs::write(ledger.path(), b"[\"\xff\"]").unwrap();
    assert!(matches!(ledger.read(), Err(LedgerError::Unreadable { .. })));
    fs::write(ledger.path(), " \n").unwrap();
    assert_eq!(ledger.read(), Ok(Vec::new()));
}

#[cfg(unix)]
#[test]
fn links_folders_and_pipes() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = ledger(dir.path());
    make_dir(&dir.path().join("config")).unwrap();
    let elsewhere = dir.path().join("elsewhere.json");
    std::os::unix::fs::symlink(&elsewhere, ledger.path()).unwrap();
    let error = add(&ledger, "a").unwrap_err().to_string();
    assert!(error.contains("a link that leads nowhere"), "{error}");
    fs::write(&elsewhere, "[]").unwrap();
    add(&ledger, "a").unwrap();
    assert!(fs::symlink_metadata(ledger.path()).unwrap().is_symlink(), "the link is kept");
    assert!(fs::read_to_string(&elsewhere).unwrap().contains("\"a\""));
    fs::remove_file(ledger.path()).unwrap();
    fs::create_dir(ledger.path()).unwrap();
    assert!(ledger.read().unwrap_err().to_string().contains("it is not a file"));
    assert!(add(&ledger, "a").is_err());
    fs::remove_dir(ledger.path()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(ledger.path()).status().unwrap();
    assert!(made.success());
    assert!(ledger.read().unwrap_err().to_string().contains("it is not a file"));
    #[cfg(target_os = "linux")]
    {
        fs::remove_file(ledger.path()).unwrap();
        std::os::unix::fs::symlink("/proc/self/pagemap", ledger.path()).unwrap();
        assert!(ledger.read().unwrap_err().to_string().contains("a file of the kernel's"));
    }
}

#[test]
fn moments() {
    for (seconds, want) in [
        (0, "1970-01-01T00:00:00Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (1_795_234_029, "2026-11-21T04:07:09Z"),
    ] {
        let text = iso8601(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(text, want);
        assert!(is_moment(&text));
    }
    for other in ["", "2026-11-21", "2026-11-21T04:07:09+", "2026-11-21 04:07:09Z\u{202e}"] {
        assert!(!is_moment(other), "{other}");
    }
}
