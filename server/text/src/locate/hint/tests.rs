use expect_test::{Expect, expect};

use crate::{Leniency, Names, Options, Text, locate};

fn check(text: &str, old: &str, new: &str, want: Expect) {
    refused(text, old, new, Options::ONE, want);
}

/// Without any leniency.
fn literally(text: &str, old: &str, new: &str, want: Expect) {
    refused(text, old, new, Options { leniency: Leniency::Literal, ..Options::ONE }, want);
}

fn refused(text: &str, old: &str, new: &str, options: Options, want: Expect) {
    let error = locate(&Text::from(text), old, new, options).unwrap_err();
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
            Nearest: line 4 (85 % alike, 0 of 1 lines equal). Line 4 differs in quotes:
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
            Nearest: lines 3–4 (96 % alike, 1 of 2 lines equal). Line 4 differs in text:
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
            Nearest: line 7 (72 % alike, 0 of 1 lines equal). Line 7 differs in white space:
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
    literally(
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
            old_str is empty; give the lines to replace, or write the whole file."#]],
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

#[test]
fn white_space_is_shown_to_who_wants_it_literally() {
    literally(
        "a\n\tif x:\n\t\ty()\n",
        "a\n\tif x:\n    y()",
        "z",
        expect![[r#"
            Could not find exact match for old_str
            Nearest: lines 1–3 (75 % alike, 3 of 3 lines equal but for white space). Line 3 differs in white space:
              file:    →→y()
              old_str: ····y()
            Re-read lines 1–3 and copy the text from there."#]],
    );
}

#[test]
fn hints_are_worded_for_the_dialect() {
    let text = Text::from("let a = 1;\n");
    let error = locate(&text, "9: let a = 1;", "b", Options::ONE).unwrap_err();
    expect![[r#"
        Could not find exact match for old_string
        old_string has line-number prefixes, which are not in the file. Without them it is at line 1; take them out of old_string and new_string."#]].assert_eq(&error.worded(Names::AIR).to_string());
    let old = "let a = 1;\n// ... rest of code ...";
    let error = locate(&text, old, "b", Options::ONE).unwrap_err();
    expect![[r#"
        Could not find exact match for old_str
        old_str has a placeholder in place of lines of the file: // ... rest of code ...
        Give every line that is to be replaced, or make one edit for each part that changes."#]]
    .assert_eq(&error.to_string());
    let error = locate(&text, "let a = 1;", "let a = 2;\n// ... rest of code ...", Options::ONE);
    expect![[r#"
        new_str has a placeholder in place of code: // ... rest of code ...
        Nothing was changed. Write the code out, or replace only the lines that change."#]]
    .assert_eq(&error.unwrap_err().to_string());
}
