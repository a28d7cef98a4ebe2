use expect_test::{Expect, expect};
use redline_layers::{HunkId, ThreadId};
use redline_text::{Position, PositionRange, words};
use redline_workspace::Origin;

use super::*;

fn hunk(line: u32, old: &str, new: &str) -> HunkView {
    let (words_old, words_new) = words(old, new);
    let lines = old.split_inclusive('\n').count() as u32;
    HunkView {
        id: "h7".parse::<HunkId>().unwrap(),
        state: HunkState::Pending,
        mixed: false,
        range: PositionRange { start: Position::new(line, 0), end: Position::new(line + lines, 0) },
        old_text: old.to_owned(),
        new_text: new.to_owned(),
        words_old,
        words_new,
        origin: Origin {
            thread: ThreadId::from("t"),
            agent: "agent".to_owned(),
            tool: "edit_file".to_owned(),
            call: "c".to_owned(),
        },
        pieces: 1,
    }
}

fn page(hunk: &HunkView) -> Page<'_> {
    let (before, after) = (vec!["above\n".to_owned()], vec!["below\n".to_owned()]);
    Page { file: "src/x.rs", change: FileChange::Modified, place: (2, 5), hunk, before, after }
}

fn check(hunk: &HunkView, width: usize, paint: Paint, want: Expect) {
    let text = render(&page(hunk), width, paint);
    want.assert_eq(&text.replace('\x1b', "␛"));
}

#[test]
fn a_change_with_context_and_word_emphasis() {
    let hunk = hunk(8, "    let a = 1;\n", "    let a = 2;\n    let b = 3;\n");
    check(
        &hunk,
        80,
        Paint::Plain,
        expect![[r#"
        src/x.rs  hunk 2 of 5  (edit_file)
           8   above
           9 -     let a = 1;
             +     let a = 2;
             +     let b = 3;
          10   below
    "#]],
    );
    check(
        &hunk,
        80,
        Paint::Ansi,
        expect![[r#"
        ␛[1msrc/x.rs␛[0m␛[2m  hunk 2 of 5  (edit_file)␛[0m
        ␛[2m   8 ␛[0m  above
        ␛[2m   9 ␛[0m␛[31m- ␛[0m␛[31m    let a = ␛[0m␛[7;31m1␛[0m␛[31m;␛[0m
        ␛[2m     ␛[0m␛[32m+ ␛[0m␛[32m    let a = ␛[0m␛[7;32m2;␛[0m
        ␛[2m     ␛[0m␛[32m+ ␛[0m␛[7;32m    let b = 3␛[0m␛[32m;␛[0m
        ␛[2m  10 ␛[0m  below
    "#]],
    );
}

#[test]
fn lines_inside_a_hunk_that_stay_are_shown_once() {
    check(
        &hunk(1, "a\nsame\nb\n", "A\nsame\nB\n"),
        80,
        Paint::Plain,
        expect![[r#"
        src/x.rs  hunk 2 of 5  (edit_file)
           1   above
           2 - a
             + A
           3   same
           4 - b
             + B
           5   below
    "#]],
    );
}

#[test]
fn an_insertion_has_no_line_numbers_of_its_own() {
    check(
        &hunk(3, "", "new\n"),
        80,
        Paint::Plain,
        expect![[r#"
        src/x.rs  hunk 2 of 5  (edit_file)
           3   above
             + new
           4   below
    "#]],
    );
}

#[test]
fn long_and_wide_lines_wrap_inside_the_text_column() {
    let line = "日本語のとても長い行はここで折り返されます\n";
    check(
        &hunk(1, "short\n", line),
        24,
        Paint::Plain,
        expect![[r#"
        src/x.rs  hunk 2 of 5  (edit_file)
           1   above
           2 - short
             + 日本語のとても長
               い行はここで折り
               返されます
           3   below
    "#]],
    );
}

#[test]
fn line_ends_are_shown_where_they_are_the_news() {
    check(
        &hunk(1, "a\r\n", "b\r\n"),
        80,
        Paint::Plain,
        expect![[r#"
        src/x.rs  hunk 2 of 5  (edit_file)
           1   above
           2 - a
             + b
           3   below
    "#]],
    );
    check(
        &hunk(1, "a\r\n", "a\n"),
        80,
        Paint::Plain,
        expect![[r#"
        src/x.rs  hunk 2 of 5  (edit_file)
           1   above
           2 - a^M
             + a
           3   below
    "#]],
    );
    check(
        &hunk(1, "a", "a\n"),
        80,
        Paint::Plain,
        expect![[r#"
        src/x.rs  hunk 2 of 5  (edit_file)
           1   above
           2 - a
             \ no line end at the end of the file
             + a
           3   below
    "#]],
    );
}

#[test]
fn what_is_special_is_said() {
    let mut mixed = hunk(1, "a\n", "\x1b[2Jb\n");
    mixed.mixed = true;
    mixed.state = HunkState::Conflict;
    check(
        &mixed,
        80,
        Paint::Plain,
        expect![[r#"
        src/x.rs  hunk 2 of 5  (edit_file)
          conflict: the text it was made for is gone, it can only be rejected
          mixed: it keeps what you typed inside
           1   above
           2 - a
             + ^[[2Jb
           3   below
    "#]],
    );
    let empty = hunk(0, "", "");
    let page = Page { change: FileChange::Created, before: vec![], after: vec![], ..page(&empty) };
    let want = "src/x.rs  hunk 2 of 5  (edit_file)\n  a new file\n  the file is empty\n";
    assert_eq!(render(&page, 80, Paint::Plain), want);
}

#[test]
fn a_deletion_shows_what_goes() {
    let deletes = |hunk: &HunkView| {
        let page =
            Page { change: FileChange::Deleted, before: vec![], after: vec![], ..page(hunk) };
        render(&page, 80, Paint::Plain)
    };
    let head = "src/x.rs  hunk 2 of 5  (edit_file)\n  the file is deleted\n";
    assert_eq!(deletes(&hunk(0, "a\nb\n", "")), format!("{head}   1 - a\n   2 - b\n"));
    assert_eq!(deletes(&hunk(0, "", "")), format!("{head}  it is empty, or no text\n"));
    let mut typed = hunk(0, "a\n", "");
    typed.mixed = true;
    assert!(deletes(&typed).contains("you typed in it since: it cannot be accepted\n"));
    let long = deletes(&hunk(0, &"x\n".repeat(100), ""));
    assert!(long.ends_with("  60 - x\n     … and 40 more lines\n"), "{long}");
}
