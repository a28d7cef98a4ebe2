use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, at, done, message},
    testing::TestHost,
};

/// `$` in a path is the workspace's folder.
async fn check(fixture: &Fixture, path: &str, more: Value, want: &str) {
    let args = match path.strip_prefix("$/") {
        Some(name) => at(fixture, name, more),
        None => {
            let mut args = json!({"path": path});
            more.as_object().unwrap().iter().for_each(|(k, v)| args[k] = v.clone());
            args
        }
    };
    assert_eq!(done(&fixture.call("Read", args).await), want, "{path}");
}

fn fixture() -> Fixture {
    let fixture = Fixture::new(&[
        ("a.txt", "first\r\nsecond\n\nlast"),
        ("empty", ""),
        ("sub/dir/x", ""),
        ("sub/B", ""),
        ("sub/a", ""),
        (".env", "SECRET=1"),
        (".env.example", "SECRET="),
    ]);
    std::fs::write(fixture.root.join("../home/h.txt"), "at home").unwrap();
    fixture
}

#[tokio::test]
async fn the_behaviour_contract() {
    let f = fixture();
    // 1. "If path is a file: Return line-numbered content"
    check(&f, "$/a.txt", json!({}), "1: first\n2: second\n3: \n4: last").await;
    check(&f, "$/empty", json!({}), "").await;
    let part = "2: second\n[Lines 2-2 of 4. Go on with read_range: [3, 4].]";
    check(&f, "$/a.txt", json!({"read_range": [2, 2]}), part).await;
    // 2. "If path is a directory: Return entry list with / suffix for subdirs"
    check(&f, "$/sub", json!({}), "B\na\ndir/").await;
    // 4. "Resolve relative paths against working directory"
    check(&f, "sub/../a.txt", json!({"read_range": [4, 9]}), "4: last").await;
    check(&f, ".env.example", json!({}), "1: SECRET=").await;
}

#[tokio::test]
async fn the_home_directory() {
    // 3. "Expand ~ to home directory"
    let f = Fixture::with(&[], "allow Read", TestHost::default(), crate::builtin());
    std::fs::write(f.root.join("../home/h.txt"), "at home").unwrap();
    check(&f, "~/h.txt", json!({}), "1: at home").await;
    check(&f, "~", json!({}), "h.txt").await;
}

#[tokio::test]
async fn images_are_visual_content() {
    // 5. "For images: Return visual content (multimodal)"
    let f = fixture();
    let write = |name: &str, bytes: &[u8]| std::fs::write(f.root.join(name), bytes).unwrap();
    let png = b"\x89PNG\r\n\x1a\nrest";
    write("i.png", png);
    write("i.JPG", b"\xFF\xD8\xFFrest");
    write("i.gif", b"GIF89arest");
    write("text.png", b"no image");
    for (name, media_type) in
        [("i.png", "image/png"), ("i.JPG", "image/jpeg"), ("i.gif", "image/gif")]
    {
        let result = f.call("Read", at(&f, name, json!({}))).await;
        assert_eq!(result["result"]["type"], "image");
        assert_eq!(result["result"]["media_type"], media_type);
    }
    let result = f.call("Read", at(&f, "i.png", json!({}))).await;
    assert_eq!(result["result"]["data"], "iVBORw0KGgpyZXN0");
    check(&f, "$/text.png", json!({}), "1: no image").await;
    write("big.png", &[&png[..], &vec![0; 6 * 1024 * 1024]].concat());
    let result = f.call("Read", at(&f, "big.png", json!({}))).await;
    assert!(message(&result).starts_with("The image is larger than 5 MB"));
}

#[tokio::test]
async fn the_error_responses() {
    let f = fixture();
    let check = async |name: &str, more: Value, want: &str| {
        let result = f.call("Read", at(&f, name, more)).await;
        assert_eq!(message(&result), want.replace('$', &f.path("")), "{name}");
        result
    };
    let none = check("none", json!({}), "ENOENT: no such file or directory '$none'").await;
    assert_eq!(none["error"]["absolutePath"], f.path("none"));
    // 7. "Block reads of secret files (.env, credentials.*, etc.)"
    let secret = "Refusing to read env file. Reading secrets is not permitted.";
    let refused = check(".env", json!({}), secret).await;
    assert_eq!(refused["error"]["errorCode"], "reading-secret-file");
    check("credentials.json", json!({}), secret).await;
    std::fs::write(f.root.join("data"), b"a\0b").unwrap();
    check("data", json!({}), "File appears to be binary and cannot be displayed as text.").await;
    std::fs::write(f.root.join("large"), "0123456\n".repeat(8_193)).unwrap();
    let large = "File content exceeds maximum allowed size (65536 bytes)\nIt has 8193 lines (65544 \
                 bytes). Read part of it with read_range: [start, end].";
    check("large", json!({}), large).await;
    let ends = "read_range ends (line 2) before it starts (line 3)";
    check("a.txt", json!({"read_range": [3, 2]}), ends).await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_to_a_secret_is_a_secret() {
    let f = fixture();
    std::os::unix::fs::symlink(".env", f.root.join("harmless.txt")).unwrap();
    let result = f.call("Read", at(&f, "harmless.txt", json!({}))).await;
    assert_eq!(result["error"]["errorCode"], "reading-secret-file");
}

#[tokio::test]
async fn only_a_rule_that_names_the_file_lifts_the_guard() {
    let check = async |rule: &str, want: &str| {
        let f = Fixture::with(&[(".env", "A=1")], rule, TestHost::default(), crate::builtin());
        let result = f.call("Read", json!({"path": ".env"})).await;
        assert_eq!(result["status"], want, "{rule}: {result}");
    };
    check("allow Read --path .env", "done").await;
    check("allow Read --path .env --path .env", "done").await;
    check("allow Read", "error").await;
    check("allow Read --path '*'", "error").await;
    check("allow Read --path '*.env'", "error").await;
    check("allow Read --path .env --path 'x*'", "error").await;
}

#[tokio::test]
async fn limits_of_a_large_file() {
    let f = fixture();
    std::fs::write(f.root.join("large"), "0123456\n".repeat(8_193)).unwrap();
    // 6. "Enforce a hard cap of 2,000 lines even if read_range is larger"
    let result = f.call("Read", at(&f, "large", json!({"read_range": [8_000, 99_999]}))).await;
    assert!(done(&result).ends_with("8193: 0123456"));
    let result = f.call("Read", at(&f, "large", json!({"read_range": [1, 99_999]}))).await;
    assert_eq!(done(&result).matches(": 0123456").count(), 2_000);
}

#[tokio::test]
async fn what_is_no_utf_8_can_still_be_looked_at() {
    let f = fixture();
    std::fs::write(f.root.join("latin1"), b"caf\xE9\n").unwrap();
    let result = f.call("Read", at(&f, "latin1", json!({}))).await;
    assert!(done(&result).starts_with("1: caf\u{FFFD}\n[Shown with U+FFFD where "), "{result}");
}

#[tokio::test]
async fn a_thread_reads_its_own_proposals() {
    let f = fixture();
    let args = at(&f, "a.txt", json!({"old_str": "second", "new_str": "2nd"}));
    f.call("edit_file", args).await;
    f.call("create_file", at(&f, "new.txt", json!({"content": "n"}))).await;
    check(&f, "$/a.txt", json!({}), "1: first\n2: 2nd\n3: \n4: last").await;
    check(&f, "$/new.txt", json!({}), "1: n").await;
    assert_eq!(f.disk("a.txt"), "first\r\nsecond\n\nlast");
    assert!(!f.root.join("new.txt").exists());
}

#[tokio::test]
async fn folders_have_what_the_thread_sees() {
    let f = fixture();
    let create = async |name: &str| {
        f.call("create_file", at(&f, name, json!({"content": "n"}))).await;
    };
    for name in ["sub/new.txt", "sub/deep/er/x", "sub/dir/y", "fresh/one.txt"] {
        create(name).await;
    }
    check(&f, "$/sub", json!({}), "B\na\ndeep/\ndir/\nnew.txt").await;
    // A folder that is only proposed.
    check(&f, "$/sub/deep", json!({}), "er/").await;
    check(&f, "$/fresh", json!({}), "one.txt").await;
    // A document that the user has not saved yet.
    let file = f.workspace.path("sub/unsaved", &f.root).unwrap();
    f.workspace.opened(file, "file:///unsaved".to_owned(), 1, "typed".to_owned());
    check(&f, "$/sub", json!({}), "B\na\ndeep/\ndir/\nnew.txt\nunsaved").await;
    // Another thread's proposals are none of ours.
    let mut other = f.scope.clone();
    other.thread = "T-2".into();
    let call = crate::ToolCall {
        id: "c".to_owned(),
        name: "Read".to_owned(),
        args: json!({"path": f.path("sub")}),
    };
    let result = f.tools.run(&other, vec![call], &|_| {}).await.remove(0);
    assert_eq!(done(&crate::fixture::wire(&result)), "B\na\ndir/\nunsaved");
}

#[tokio::test]
async fn ranges_of_every_kind() {
    let f = fixture();
    let check = async |given: Value, want: &str| {
        check(&f, "$/a.txt", json!({"read_range": given}), want).await;
    };
    check(
        json!([1.5, 2.9]),
        "1: first\n2: second\n[Lines 1-2 of 4. Go on with read_range: [3, 4].]",
    )
    .await;
    check(json!([-5, 1e300]), "1: first\n2: second\n3: \n4: last").await;
    check(json!([0, u64::MAX]), "1: first\n2: second\n3: \n4: last").await;
    check(json!([u64::MAX, u64::MAX]), "[The file has 4 lines: none in this range.]").await;
    check(json!([5, 9]), "[The file has 4 lines: none in this range.]").await;
    for bad in [json!([2, 1]), json!([1, -1]), json!([1]), json!([1, 2, 3]), json!("1"), json!({})]
    {
        let result = f.call("Read", at(&f, "a.txt", json!({"read_range": bad}))).await;
        assert!(message(&result).contains("read_range"), "{bad}: {result}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_is_no_file_on_a_disk_is_an_error_at_once() {
    let f = Fixture::with(&[("a", "x")], "allow Read", TestHost::default(), crate::builtin());
    for name in ["pipe", "pipe.png"] {
        make_fifo(&f.root.join(name));
    }
    std::os::unix::fs::symlink("/dev/zero", f.root.join("zero.png")).unwrap();
    std::fs::File::create(f.root.join("sparse")).unwrap().set_len(1 << 40).unwrap();
    let check = async |path: &str, want: &str| {
        let result = f.call("Read", json!({"path": path, "read_range": [1, 2]})).await;
        assert!(message(&result).contains(want), "{path}: {result:.300}");
    };
    check("pipe", "is not a regular file").await;
    check("pipe.png", "is not a regular file").await;
    check("zero.png", "is not a regular file").await;
    check("/dev/stdin", "").await;
    check("/proc/self/environ", "is an interface of the kernel").await;
    check("sparse", "is larger than 268435456 bytes").await;
    check("a/b", "Not a directory").await;
    check("a\0b", "NUL").await;
    check(&"x/".repeat(5_000_000), "no path is longer than").await;
    check("", "the path is empty").await;
}

#[cfg(target_os = "linux")]
fn make_fifo(path: &std::path::Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

#[tokio::test]
async fn a_webp_is_told_by_more_than_its_container() {
    let f = fixture();
    std::fs::write(f.root.join("i.webp"), b"RIFF\0\0\0\0WEBPVP8 ").unwrap();
    std::fs::write(f.root.join("sound.webp"), b"RIFF\0\0\0\0WAVEfmt ").unwrap();
    let result = f.call("Read", at(&f, "i.webp", json!({}))).await;
    assert_eq!(result["result"]["media_type"], "image/webp");
    let result = f.call("Read", at(&f, "sound.webp", json!({}))).await;
    assert!(message(&result).starts_with("File appears to be binary"), "{result}");
}
