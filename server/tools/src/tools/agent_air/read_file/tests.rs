use proptest::prelude::*;
use redline_text::Text;
use serde_json::{Value, json};

use super::{line_count, page};
use crate::{
    Dialect, builtin,
    fixture::{Fixture, done, message},
    testing::TestHost,
};

fn fixture(files: &[(&str, &str)]) -> Fixture {
    let mut f = Fixture::with(files, "", TestHost::default(), builtin());
    f.scope.dialect = Dialect::AgentAir;
    f
}

async fn read(f: &Fixture, name: &str, more: Value) -> Value {
    let mut args = json!({"file_path": f.path(name)});
    for (key, value) in more.as_object().unwrap() {
        args[key] = value.clone();
    }
    f.call("read_file", args).await
}

#[tokio::test]
async fn pages_say_where_they_end() {
    let f = fixture(&[("a", "one\ntwo\r\n\nfour"), ("empty", "")]);
    let check = async |name: &str, more: Value, want: &str| {
        let want = format!("<file>\n{want}\n</file>");
        assert_eq!(done(&read(&f, name, more.clone()).await), want, "{more}");
    };
    let end = "(End of file - 4 total lines)";
    let all = format!("00001| one\n00002| two\n00003| \n00004| four\n\n{end}");
    check("a", json!({}), &all).await;
    check("a", json!({"offset": -7, "limit": 4}), &all).await;
    check("a", json!({"offset": 3}), &format!("00004| four\n\n{end}")).await;
    check("a", json!({"offset": 4}), &format!("\n\n{end}")).await;
    check("a", json!({"offset": 4_000_000_000_u64}), &format!("\n\n{end}")).await;
    let more = |line: &str, n: usize| {
        format!(
            "{line}\n\n(File has 4 total lines. Use 'offset' parameter to read beyond line {n})"
        )
    };
    check("a", json!({"offset": 1, "limit": 1}), &more("00002| two", 2)).await;
    check("a", json!({"limit": 0}), &more("00001| one", 1)).await;
    check("a", json!({"limit": -3}), &more("00001| one", 1)).await;
    check("empty", json!({}), "\n\n(End of file - 0 total lines)").await;
}

#[tokio::test]
async fn the_limits_of_seed_002() {
    let many = "x\n".repeat(2_500);
    let wide = format!("{}\n", "é".repeat(2_001));
    let large = format!("{}\n", "z".repeat(1_000)).repeat(100);
    let f = fixture(&[("many", &many), ("wide", &wide), ("large", &large)]);
    let result = read(&f, "many", json!({})).await;
    let text = done(&result);
    assert_eq!(text.matches("| x\n").count(), 2_000);
    assert!(text.ends_with(
        "\n\n(File has 2500 total lines. Use 'offset' parameter to read beyond line 2000)\n</file>"
    ));
    let cut = format!("<file>\n00001| {}...\n\n(End", "é".repeat(2_000));
    assert!(done(&read(&f, "wide", json!({})).await).starts_with(&cut));
    let result = read(&f, "large", json!({})).await;
    let text = done(&result);
    assert!(text.len() < 51_200 + 200, "{}", text.len());
    assert!(text.ends_with(
        "(Output truncated at 51200 bytes. Use 'offset' parameter to read beyond line 50)\n</file>"
    ));
}

#[tokio::test]
async fn the_errors() {
    let f = fixture(&[("main.rs", "x"), ("maine.rs", "x"), (".env", "A=1"), ("d/x", "")]);
    let write = |name: &str, bytes: &[u8]| std::fs::write(f.root.join(name), bytes).unwrap();
    write("x.zip", b"PK");
    write("nul", b"a\0b");
    write("odd", b"\x01\x02\x03\x04ab");
    let check = async |name: &str, want: &str| {
        let want = want.replace("$", &f.path(name));
        let result = read(&f, name, json!({})).await;
        assert_eq!(message(&result).lines().next(), Some(want.as_str()), "{result}");
        result
    };
    check("x.zip", "Cannot read binary file: $").await;
    check("nul", "Cannot read binary file: $").await;
    check("odd", "Cannot read binary file: $").await;
    check("d", "Cannot read directory: $. Use ls instead.").await;
    check(".env", "Refusing to read env file. Reading secrets is not permitted.").await;
    check("nowhere", "File not found: $").await;
    check("gone.zip", "File not found: $").await;
    let result = check("mian.rs", "File not found: $").await;
    let names = format!("Did you mean one of these?\n{}", f.path("main.rs"));
    assert!(message(&result).contains(&names), "{result}");
    for relative in ["main.rs", "./main.rs", "sub/../x"] {
        let result = f.call("read_file", json!({"file_path": relative})).await;
        let want = format!("file_path must be an absolute path, got: {relative}");
        assert_eq!(message(&result).lines().next(), Some(want.as_str()));
    }
}

#[tokio::test]
async fn it_reads_what_the_thread_sees() {
    let f = fixture(&[("a", "one\n")]);
    let edit = json!({"file_path": f.path("a"), "old_string": "one", "new_string": "1"});
    f.call("edit_file", edit).await;
    f.call("write_file", json!({"file_path": f.path("new/b"), "content": "n"})).await;
    let end = "\n\n(End of file - 1 total lines)\n</file>";
    assert_eq!(done(&read(&f, "a", json!({})).await), format!("<file>\n00001| 1{end}"));
    assert_eq!(done(&read(&f, "new/b", json!({})).await), format!("<file>\n00001| n{end}"));
    let result = read(&f, "new", json!({})).await;
    assert!(message(&result).ends_with("Use ls instead."), "{result}");
}

proptest! {
    #[test]
    fn every_line_is_on_one_page(text in "[a\r\n\u{e9}\u{1f600}]{0,60}", limit in 1usize..9) {
        let text = Text::from(text.as_str());
        let total = line_count(&text);
        let mut seen = Vec::new();
        let mut offset = 0;
        while offset < total {
            let page = page(&text, offset, limit);
            let lines: Vec<String> =
                page.lines().filter(|line| line.get(5..6) == Some("|")).map(str::to_owned).collect();
            prop_assert_eq!(lines.len(), limit.min(total - offset));
            offset += lines.len();
            seen.extend(lines);
        }
        let whole = page(&text, 0, usize::MAX);
        prop_assert!(whole.contains(&seen.join("\n")));
        page(&text, usize::MAX, usize::MAX);
    }
}
