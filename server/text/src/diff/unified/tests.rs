use expect_test::{Expect, expect};

use super::*;

fn check(old: Option<&str>, new: Option<&str>, want: Expect) {
    let text = |s: Option<&str>| s.map(Text::from);
    want.assert_eq(&unified(text(old).as_ref(), text(new).as_ref(), "/src/a.txt"));
}

#[test]
fn diffs_look_like_git() {
    check(Some("a\nb\n"), Some("a\nb\n"), expect![""]);
    check(
        Some("1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
        Some("1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
        expect![[r#"
            --- a/src/a.txt
            +++ b/src/a.txt
            @@ -2,7 +2,7 @@
             2
             3
             4
            -5
            +five
             6
             7
             8
        "#]],
    );
    check(
        Some("a"),
        Some("a\n"),
        expect![[r#"
            --- a/src/a.txt
            +++ b/src/a.txt
            @@ -1 +1 @@
            -a
            \ No newline at end of file
            +a
        "#]],
    );
}

#[test]
fn files_come_and_go() {
    check(
        None,
        Some("a\nb\n"),
        expect![[r#"
            --- /dev/null
            +++ b/src/a.txt
            @@ -0,0 +1,2 @@
            +a
            +b
        "#]],
    );
    check(
        Some("a\n"),
        None,
        expect![[r#"
            --- a/src/a.txt
            +++ /dev/null
            @@ -1 +0,0 @@
            -a
        "#]],
    );
    check(
        None,
        Some(""),
        expect![[r#"
            diff --git a/src/a.txt b/src/a.txt
            new file mode 100644
        "#]],
    );
}
