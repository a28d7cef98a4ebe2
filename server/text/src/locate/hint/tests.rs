use expect_test::{Expect, expect};

use crate::{Options, Text, locate};

fn check(text: &str, old: &str, new: &str, want: Expect) {
    let error = locate(&Text::from(text), old, new, Options::default()).unwrap_err();
    want.assert_eq(&error.to_string());
}

#[test]
fn errors_say_what_to_do_next() {
    let file =
        "import os\n\ndef one():\n    return 'a'\n\ndef two():\n\tx = f( 1 )\n    return 2\n";
    check(
        file,
        "    return \"a\"",
        "x",
        expect![[r#"
            Could not find exact match for old_str
            Nearest: line 4 (0 of 1 lines equal). Line 4 differs in quotes:
              file:    ····return 'a'
              old_str: ····return "a"
            Re-read line 4 and copy the text from there."#]],
    );
    check(
        file,
        "def one():\n    return 'b'",
        "x",
        expect![[r#"
            Could not find exact match for old_str
            Nearest: lines 3–4 (1 of 2 lines equal). Line 4 differs in text:
              file:    ····return 'a'
              old_str: ····return 'b'
            Re-read lines 3–4 and copy the text from there."#]],
    );
    check(
        file,
        "x = f(1)",
        "x = f(2)",
        expect![[r#"
            Could not find exact match for old_str
            Nearest: line 7 (0 of 1 lines equal). Line 7 differs in white space:
              file:    →x·=·f(·1·)
              old_str: x·=·f(1)
            Re-read line 7 and copy the text from there."#]],
    );
    check(
        file,
        "6: def two():\n7: \tx = f( 1 )",
        "x",
        expect![[r#"
        Could not find exact match for old_str
        old_str has line-number prefixes, which are not in the file. Without them it is at lines 6–7; take them out of old_str and new_str."#]],
    );
    check(
        file,
        "def two():\\n\\tx = f( 1 )",
        "x",
        expect![[r#"
        Could not find exact match for old_str
        old_str has escapes (\n, \t, \") where the file has the characters. Without them it is at lines 6–7; send real line breaks, tabs and quotes."#]],
    );
    check(
        file,
        "def zero():",
        "def one():\n    return 'a'",
        expect![[r#"
        Could not find exact match for old_str
        new_str is already there (lines 3–4): the edit seems to have been made. Re-read lines 3–4."#]],
    );
    check(
        file,
        "class Nothing: pass",
        "x",
        expect![[r#"
        Could not find exact match for old_str
        Nothing in the file is like it; read the file again."#]],
    );
    check(
        file,
        "return",
        "x",
        expect![[r#"
        found multiple matches for edit (2 occurrences). Use replace_all or provide more context.
        They start at lines 4, 8."#]],
    );
    check(file, "return", "return", expect!["old_str and new_str must be different"]);
    check(
        file,
        "",
        "x",
        expect![[r#"
        Could not find exact match for old_str
        old_str has no text to look for; give the lines to replace, or write the whole file."#]],
    );
    check(
        "",
        "a",
        "x",
        expect![[r#"
        Could not find exact match for old_str
        Nothing in the file is like it; read the file again."#]],
    );
    check(
        "  x  =  1\n",
        "x = 1",
        "  x  =  1",
        expect![[r#"
        Could not find exact match for old_str
        new_str is already there (line 1): the edit seems to have been made. Re-read line 1."#]],
    );
}
