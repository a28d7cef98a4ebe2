//! What an accepted edit leaves on the disk, byte for byte (DESIGN, section 4: line ends, byte
//! order mark, final newline and encoding survive every edit).

use std::{fs, path::Path};

use redline_workspace::{ResolveAction, ResolveRequest, Resolved};
use serde_json::{Value, json};

use crate::{
    builtin,
    fixture::{Fixture, at, message},
    testing::TestHost,
};

/// A file `f` with these bytes.
fn with_bytes(bytes: &[u8], rules: &str) -> Fixture {
    let f = Fixture::with(&[], rules, TestHost::allowing(), builtin());
    fs::write(f.root.join("f"), bytes).unwrap();
    f
}

async fn edit(f: &Fixture, old: &str, new: &str) -> Value {
    f.call("edit_file", at(f, "f", json!({"old_str": old, "new_str": new}))).await
}

async fn accept(f: &Fixture) -> Resolved {
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap()
}

fn bytes(f: &Fixture) -> Vec<u8> {
    fs::read(f.root.join("f")).unwrap()
}

fn shown(bytes: &[u8]) -> String {
    bytes.iter().take(400).flat_map(|b| std::ascii::escape_default(*b)).map(char::from).collect()
}

/// Proposed and accepted, and applied by a rule: both leave `want`; a proposal and a reject leave
/// what was there.
async fn check(before: &[u8], old: &str, new: &str, want: &[u8]) {
    let f = with_bytes(before, "");
    let result = edit(&f, old, new).await;
    assert_eq!(result["status"], "done", "{}: {result}", shown(before));
    assert_eq!(bytes(&f), before, "a proposal leaves the disk alone");
    let resolved = accept(&f).await;
    assert!(resolved.failed.is_empty() && !resolved.resolved.is_empty(), "{resolved:?}");
    assert_eq!(shown(&bytes(&f)), shown(want), "accepted: {old:?} → {new:?}");
    assert!(bytes(&f) == want);

    let f = with_bytes(before, "allow edit_file");
    let result = edit(&f, old, new).await;
    assert_eq!(result["review"]["state"], "applied", "{result}");
    assert_eq!(shown(&bytes(&f)), shown(want), "applied: {old:?} → {new:?}");
    let undo =
        ResolveRequest { include_applied: true, ..ResolveRequest::all(ResolveAction::Reject) };
    f.workspace.resolve(undo).await.unwrap();
    assert!(bytes(&f) == before, "undone: {}", shown(&bytes(&f)));
}

#[tokio::test]
async fn line_ends_survive() {
    // CR LF, in an old text that has LF.
    check(b"a\r\nb\r\nc\r\n", "a\nb", "a\nB\nB2", b"a\r\nB\r\nB2\r\nc\r\n").await;
    // LF, in an old text that has CR LF.
    check(b"a\nb\nc\n", "a\r\nb", "a\r\nB\r\nB2", b"a\nB\nB2\nc\n").await;
    // Mixed: lines that stay keep theirs, new ones take that of their place.
    check(b"a\r\nb\nc\r\nd\n", "b\nc\nd", "b\nC\nC2\nd", b"a\r\nb\nC\r\nC2\r\nd\n").await;
    check(b"a\nb\r\nc\n", "b", "B\nB2", b"a\nB\r\nB2\r\nc\n").await;
    // Lone CRs, alone in a file and in a line.
    check(b"a\rb\rc", "b", "B\nB2", b"a\rB\rB2\rc").await;
    check(b"a\rb\rc\r", "a\nb", "A\nb", b"A\rb\rc\r").await;
    check(b"a\rb\nc\r\n", "c", "C", b"a\rb\nC\r\n").await;
    // The caller may want other line ends, and says so.
    check(b"a\r\nb\r\n", "a\r\nb", "a\nb", b"a\nb\r\n").await;
}

#[tokio::test]
async fn the_end_of_the_file_survives() {
    check(b"a\nb", "b", "B", b"a\nB").await;
    check(b"a\nb\n", "b", "B", b"a\nB\n").await;
    check(b"a\r\nb", "a", "A", b"A\r\nb").await;
    check(b"a\n\n\n", "a", "A", b"A\n\n\n").await;
    // An old text with a line end that the last line has not.
    check(b"a\nb", "b\n", "B\n", b"a\nB").await;
    check(b"a\nb \n", "b\n", "B\n", b"a\nB\n").await;
    check(b"a\nlast word", "a\nlast word", "", b"").await;
}

#[tokio::test]
async fn a_byte_order_mark_and_the_encoding_survive() {
    check(b"\xEF\xBB\xBFa\r\nb", "a\nb", "A\nb", b"\xEF\xBB\xBFA\r\nb").await;
    // The mark is no part of the text, also where the caller sends it.
    check(b"\xEF\xBB\xBFa\n", "\u{feff}a", "\u{feff}b", b"\xEF\xBB\xBFb\n").await;
    check(b"\xEF\xBB\xBFa\n", "a\n", "", b"\xEF\xBB\xBF").await;
    check(
        b"\xFF\xFEa\0\r\0\n\0",
        "a",
        "\u{e9}\u{1F600}",
        b"\xFF\xFE\xE9\0\x3D\xD8\x00\xDE\r\0\n\0",
    )
    .await;
    check(b"\xFE\xFF\0a\0\n", "a", "b\nc", b"\xFE\xFF\0b\0\n\0c\0\n").await;
    // A mark inside a text is a char like others.
    check("a\u{feff}b\n".as_bytes(), "b", "c", "a\u{feff}c\n".as_bytes()).await;
}

#[tokio::test]
async fn bytes_beside_the_edit_are_as_they_were() {
    let odd = "\u{85}\u{2028}\u{b}\u{c}\u{1b}[0m e\u{301} \u{e9} 👩‍👩‍👧 \u{200b}\u{a0}\t  ";
    let text = |word: &str| format!("{odd}\n{odd}{word}{odd}\r\n\r{odd}  ").into_bytes();
    check(&text("old_word"), "old_word", "new_word", &text("new_word")).await;
    // What is written the other way in Unicode stays so.
    check("e\u{301}\nx\n".as_bytes(), "x", "\u{e9}", "e\u{301}\n\u{e9}\n".as_bytes()).await;
    // The replacement is literal.
    check(b"a\n", "a", r"$& \1 $0 \n", b"$& \\1 $0 \\n\n").await;
}

#[tokio::test]
async fn an_empty_file_can_be_filled() {
    check(b"", "", "a\nb", b"a\nb").await;
    check(b"\xEF\xBB\xBF", "", "a\n", b"\xEF\xBB\xBFa\n").await;
}

#[tokio::test]
async fn a_very_long_line() {
    let line = |word: &str| {
        let half = "0123456789 abc,def;".repeat(5_000_000 / 19);
        format!("first\n{half}{word}{half}\nlast").into_bytes()
    };
    let (before, want) = (line("<needle>"), line("<thread>"));
    let f = with_bytes(&before, "");
    let result = edit(&f, "<needle>", "<thread>").await;
    assert_eq!(result["result"]["lineRange"], json!([2, 2]), "{:.300}", result.to_string());
    assert!(result.to_string().len() < 200_000);
    accept(&f).await;
    assert!(bytes(&f) == want);
}

#[tokio::test]
async fn what_is_no_text_is_refused_and_left_alone() {
    let check = async |before: &[u8], want: &str| {
        for rules in ["", "allow edit_file"] {
            let f = with_bytes(before, rules);
            let result = edit(&f, "a", "b").await;
            assert!(message(&result).contains(want), "{result}");
            assert_eq!(result["error"]["absolutePath"], f.path("f"));
            assert_eq!(bytes(&f), before);
        }
    };
    check(b"a\0b\n", "binary (NUL at byte 1)").await;
    check(b"\x7FELF\x02\x01\x01\0a", "binary").await;
    check(b"caf\xE9 a\n", "not valid UTF-8 at byte 3").await;
    check(b"\xEF\xBB\xBFa\xFF\n", "not valid UTF-8 at byte 4").await;
    check(b"\xFF\xFEa\0b", "not valid UTF-16 at byte 4").await;
    check(b"\xFE\xFF\xD8\x00\0a", "not valid UTF-16 at byte 2").await;
    // UTF-16 without a mark.
    check(b"a\0\n\0", "UTF-16").await;
    check(b"\0a\0\n", "UTF-16").await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_symlink_stays_and_its_target_is_edited() {
    let f = Fixture::new(&[("real/target.txt", "a\n")]);
    std::os::unix::fs::symlink("real/target.txt", f.root.join("f")).unwrap();
    std::os::unix::fs::symlink("f", f.root.join("g")).unwrap();
    let result = f.call("edit_file", at(&f, "g", json!({"old_str": "a", "new_str": "b"}))).await;
    let target = f.path("real/target.txt");
    assert_eq!(result["trackFiles"], json!([target]), "{result}");
    assert!(result["result"]["diff"].as_str().unwrap().starts_with("--- a/real/target.txt\n"));
    accept(&f).await;
    assert_eq!(f.disk("real/target.txt"), "b\n");
    for (link, target) in [("f", "real/target.txt"), ("g", "f")] {
        assert_eq!(fs::read_link(f.root.join(link)).unwrap(), Path::new(target));
    }
}

#[cfg(unix)]
fn set_mode(f: &Fixture, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(f.root.join("f"), fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_read_only_file_can_be_proposed_for_but_not_written() {
    let f = with_bytes(b"a\n", "");
    set_mode(&f, 0o444);
    let result = edit(&f, "a", "b").await;
    let note = result["result"]["note"].as_str().unwrap();
    assert!(note.contains("The file is read-only: "), "{note}");
    let resolved = accept(&f).await;
    assert!(resolved.resolved.is_empty(), "{resolved:?}");
    assert!(resolved.failed[0].1.contains("make it writable first"), "{resolved:?}");
    assert_eq!(bytes(&f), b"a\n");
    // The hunk waits; once the file is writable it can be accepted, and the mode stays.
    set_mode(&f, 0o640);
    assert_eq!(accept(&f).await.resolved.len(), 1);
    assert_eq!(bytes(&f), b"b\n");
    let mode = std::os::unix::fs::MetadataExt::mode(&fs::metadata(f.root.join("f")).unwrap());
    assert_eq!(mode & 0o7777, 0o640);
}

#[cfg(unix)]
#[tokio::test]
async fn a_read_only_file_is_not_written_by_rule() {
    let f = with_bytes(b"a\n", "allow edit_file");
    set_mode(&f, 0o444);
    let result = edit(&f, "a", "b").await;
    assert!(message(&result).contains("make it writable first"), "{result}");
    assert_eq!(bytes(&f), b"a\n");
    // Nothing of it is left over for the next look.
    let read = f.call("Read", at(&f, "f", json!({}))).await;
    assert_eq!(read["result"], "1: a");
}
