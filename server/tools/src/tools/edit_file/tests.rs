use serde_json::{Value, json};

use crate::{
    builtin,
    fixture::{Fixture, at, message},
    testing::TestHost,
};

const TEXT: &str = "fn main() {\n    let a = 1;\n    let b = 1;\n}\n";

fn edit(f: &Fixture, old: &str, new: &str) -> Value {
    at(f, "m.rs", json!({"old_str": old, "new_str": new}))
}

fn fixture() -> Fixture {
    Fixture::new(&[("m.rs", TEXT), (".env", "A=1"), ("crlf.txt", "a\r\nb\r\n")])
}

#[tokio::test]
async fn the_success_output() {
    let f = fixture();
    let result = f.call("edit_file", edit(&f, "a = 1", "a = 2")).await;
    let diff = "--- a/m.rs\n+++ b/m.rs\n@@ -1,4 +1,4 @@\n fn main() {\n-    let a = 1;\n\
                +    let a = 2;\n     let b = 1;\n }\n";
    assert_eq!(
        result,
        json!({
            "status": "done",
            // 7. "Returns git-style diff showing changes"
            "result": {
                "diff": diff,
                "lineRange": [2, 2],
                "note": "Proposed; not in the file until the user accepts (1 hunk).",
            },
            "trackFiles": [f.path("m.rs")],
            "review": {"state": "pending", "hunks": ["h1"]},
        })
    );
    assert_eq!(f.disk("m.rs"), TEXT);
}

#[tokio::test]
async fn a_rule_that_allows_applies_at_once() {
    let f = Fixture::with(&[("m.rs", TEXT)], "allow edit_file", TestHost::default(), builtin());
    let result = f.call("edit_file", edit(&f, "a = 1", "a = 2")).await;
    assert_eq!(result["review"]["state"], "applied", "{result}");
    assert_eq!(result["result"].get("note"), None);
}

#[tokio::test]
async fn the_error_responses() {
    let f = fixture();
    let check = async |args: Value, want: &str| {
        let result = f.call("edit_file", args).await;
        assert_eq!(message(&result).lines().next().unwrap(), want);
        assert!(result["error"]["absolutePath"].is_string());
    };
    // 1. "File MUST exist (use create_file for new files)"
    let none = at(&f, "none", json!({"old_str": "a", "new_str": "b"}));
    check(none, "file not found. Cannot update a file that doesn't exist.").await;
    // 2. "old_str MUST exist in file content"
    check(edit(&f, "absent", "x"), "Could not find exact match for old_str").await;
    // 3. "old_str != new_str (strings must differ)"
    check(edit(&f, "a = 1", "a = 1"), "old_str and new_str must be different").await;
    // 4. "If replace_all: false: old_str must appear exactly once"
    let multiple = "found multiple matches for edit (2 occurrences). Use replace_all or provide \
                    more context.";
    check(edit(&f, " = 1", " = 2"), multiple).await;
    let secret = at(&f, ".env", json!({"old_str": "1", "new_str": "2"}));
    check(secret, "Refusing to read env file. Reading secrets is not permitted.").await;
    assert_eq!(f.disk("m.rs"), TEXT);
}

#[tokio::test]
async fn all_occurrences() {
    // 5. "If replace_all: true: replace all occurrences"
    let f = fixture();
    let mut args = edit(&f, " = 1", " = 2");
    args["replace_all"] = true.into();
    let result = f.call("edit_file", args).await;
    assert_eq!(result["result"]["lineRange"], json!([2, 3]));
    let note = result["result"]["note"].as_str().unwrap();
    assert!(note.starts_with("Replaced 2 occurrences.\nProposed;"), "{note}");
}

#[tokio::test]
async fn whitespace_is_matched_where_exact_fails() {
    // 6. "Attempts fuzzy whitespace matching if exact match fails"
    let f = fixture();
    let result = f.call("edit_file", edit(&f, "let a = 1;\nlet b = 1;", "let c = 1;")).await;
    let diff = result["result"]["diff"].as_str().unwrap();
    assert!(diff.contains("\n+    let c = 1;\n"), "{diff}");
    let note = result["result"]["note"].as_str().unwrap();
    assert!(note.starts_with("old_str matched but for white space"), "{note}");
}

#[tokio::test]
async fn an_edit_of_ones_own_pending_text() {
    let f = fixture();
    f.call("edit_file", edit(&f, "a = 1", "answer = 1")).await;
    let result = f.call("edit_file", edit(&f, "answer = 1", "answer = 42")).await;
    let diff = result["result"]["diff"].as_str().unwrap();
    assert!(diff.contains("-    let answer = 1;\n+    let answer = 42;\n"), "{diff}");
}

#[tokio::test]
async fn names_of_the_other_families() {
    let f = fixture();
    let args = json!({"file_path": "m.rs", "old_string": "a = 1", "new_string": "a = 3"});
    let result = f.call("Edit", args).await;
    assert_eq!(result["status"], "done", "{result}");
    assert_eq!(f.events()[0].call.name, "edit_file");
}

#[tokio::test]
async fn a_folder_and_a_binary_file_are_no_texts() {
    let f = fixture();
    std::fs::write(f.root.join("bin"), b"a\0b").unwrap();
    std::fs::create_dir(f.root.join("dir")).unwrap();
    for (name, want) in [("bin", "binary"), ("dir", "not a regular file")] {
        let args = at(&f, name, json!({"old_str": "a", "new_str": "b"}));
        let result = f.call("edit_file", args).await;
        assert!(message(&result).contains(want), "{result}");
    }
}

#[tokio::test]
async fn the_result_says_how_it_matched() {
    let text = "fn f() {\n\tlet a = \u{201c}x\u{201d};\n\tlet b = 'y';\n}\n";
    let check = async |old: &str, new: &str, want: Option<&str>, plus: &str| {
        let f = Fixture::new(&[("f.rs", text)]);
        let args = at(&f, "f.rs", json!({"old_str": old, "new_str": new}));
        let result = f.call("edit_file", args).await;
        assert_eq!(result["status"], "done", "{old:?}: {result}");
        let note = result["result"]["note"].as_str().unwrap();
        assert_eq!(note.lines().count(), 1 + want.iter().len(), "{note}");
        assert!(want.is_none_or(|want| note.starts_with(want)), "{note}");
        let diff = result["result"]["diff"].as_str().unwrap();
        assert!(diff.contains(&format!("\n+{plus}\n")), "{diff}");
    };
    check("let b", "let c", None, "\tlet c = 'y';").await;
    let how = "old_str matched but for white space (95 % similar); new_str was indented";
    check("    let b  = 'y';", "    let c = 'y';", Some(how), "\tlet c = 'y';").await;
    let how = "old_str matched with line breaks, tabs and quotes in place of its escapes (";
    check("\\tlet b = \\'y\\';", "\\tlet c = \\'y\\';", Some(how), "\tlet c = 'y';").await;
    let how = "old_str matched but for chars that look alike, such as quotes and dashes (";
    let plus = "\tlet aa = \u{201c}x\u{201d};";
    check("let a = \"x\";", "let aa = \"x\";", Some(how), plus).await;
}

#[tokio::test]
async fn similar_text_is_taken_where_it_is_asked_for() {
    let text = "fn f() {\n    let total = sum(items, start) + rest;\n}\n";
    let old = "let total=sum( items,start )+rest;";
    let mut f = Fixture::new(&[("f.rs", text)]);
    f.scope.dialect = crate::Dialect::AgentAir;
    let args = |fuzzy: bool| {
        let new = "let total = 0;";
        json!({"file_path": "f.rs", "old_string": old, "new_string": new, "fuzzy_match": fuzzy})
    };
    let exact = f.call("edit_file", args(false)).await;
    assert!(message(&exact).starts_with("Could not find exact match for old_string: \"let tot"));
    let result = f.call("edit_file", args(true)).await;
    let note = result["result"]["note"].as_str().unwrap_or_else(|| panic!("{result}"));
    assert!(note.starts_with("old_string is not in the file as it is; replaced was what is "));
    let diff = result["result"]["diff"].as_str().unwrap();
    assert!(diff.contains("\n+    let total = 0;\n"), "{diff}");
}
