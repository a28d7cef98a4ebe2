//! Parts of lines, escapes and look-alikes.

use super::*;

fn refused(file: &str, old: &str, new: &str) {
    let got = run(file, old, new, ONE);
    assert!(matches!(got, Err(LocateError::NotFound(_))), "{file:?} {old:?}: {got:?}");
}

#[test]
fn white_space_may_differ_inside_of_lines() {
    use Match::Whitespace;
    check(
        Whitespace,
        "This is a test file.\n",
        "  test file  ",
        "  sample file  ",
        "This is a sample file.\n",
    );
    check(Whitespace, "x = f( a,  b ) + 1\n", "f( a, b )", "g(b)", "x = g(b) + 1\n");
    check(
        Whitespace,
        "a {\n\tif (x ==  1) {\n\t\ty();\n",
        "if (x == 1) {\n    y();",
        "if (x) {\n    z();",
        "a {\n\tif (x) {\n\t\tz();\n",
    );
    check(
        Whitespace,
        "  } else if (a  == b) {\n    f();\n    g(); // h\n  }\n",
        "else if (a == b) {\n  f();\n  g();",
        "else if (a) {\n  f();\n  k();",
        "  } else if (a) {\n    f();\n    k(); // h\n  }\n",
    );
    // A word is not cut, a line end is one, and a few chars may be anywhere.
    refused("let maximum  = 10\n", "imum = 10", "x");
    refused("f(a,  b) + 1\n", "f(a, b)\n", "g()\n");
    refused("x (  ) y", "( )", "[]");
}

#[test]
fn lines_of_several_depths_are_moved_by_their_own_step() {
    use Match::Whitespace;
    check(
        Whitespace,
        "    if a:\n        b\n",
        "if a:\n  b",
        "if a:\n  if c:\n    b",
        "    if a:\n        if c:\n            b\n",
    );
    check(
        Whitespace,
        "  a\n    b\n",
        "    a\n        b",
        "    a\n        b\n            c",
        "  a\n    b\n      c\n",
    );
}

#[test]
fn escapes_are_read_as_chars() {
    use Match::Escapes;
    check(
        Escapes,
        "\t\thello\n\t\tworld",
        "\\t\\tworld",
        "\\t\\tworld hello",
        "\t\thello\n\t\tworld hello",
    );
    check(Escapes, "a = 1\nb = 2\n", "a = 1\\nb = 2", "a = 3\\nb = 4", "a = 3\nb = 4\n");
    check(Escapes, "s = 'It's';", "s = 'It\\'s';", "s = 'x';", "s = 'x';");
    check(Escapes, "t(`a ${b}`)\n", "t(`a \\${b}`)", "t(`${b}`)", "t(`${b}`)\n");
    // Only those for white space are meant, or only those for quotes.
    check(
        Escapes,
        "p(\"a\\n\")\nq()\n",
        "p(\\\"a\\n\\\")",
        "r(\\\"a\\n\\\")",
        "r(\"a\\n\")\nq()\n",
    );
    check(Escapes, "a\\\"b\nc\n", "a\\\"b\\nc", "x\\\"y\\nz", "x\\\"y\nz\n");
    // Nobody knows how to read what the old text has not.
    refused("a = 1\nb = 2\n", "a = 1\\nb = 2", "a = \\\"1\\\"\\nb = 2");
    // An exact match has no escapes.
    check(Match::Exact, "p(\"a\\n\")\n", "\"a\\n\"", "\"b\\n\"", "p(\"b\\n\")\n");
}

#[test]
fn look_alikes_are_found_and_kept() {
    use Match::LookAlikes;
    check(LookAlikes, "hello – world ‑ test\n", "hello - world - test", "REPLACED", "REPLACED\n");
    check(
        LookAlikes,
        "a\nit’s working\n",
        "it's working",
        "it's not working",
        "a\nit’s not working\n",
    );
    check(
        LookAlikes,
        "Do not ask “which?” every time, please.\n",
        "ask \"which?\" every time",
        "ask \"which?\" each \"time\"",
        "Do not ask “which?” each \"time\", please.\n",
    );
    check(LookAlikes, "caf\u{65}\u{301} = 1\n", "café = 1", "café = 2", "caf\u{65}\u{301} = 2\n");
    check(LookAlikes, "  a\u{200b}bc  =  1\r\n", "abc = 1", "abc = 2\nd", "  abc = 2\r\n  d\r\n");
    check(LookAlikes, "wait…\n", "wait...", "wait... more", "wait… more\n");
    check(LookAlikes, "a\n“b”\nc\n", "\"b\"", "d", "a\nd\nc\n");
    refused("a “b” c\n", "\"b\"", "d");
    // A straight quote that becomes a curly one is an edit.
    check(Match::Exact, "say \"a\"\n", "\"a\"", "“a”", "say “a”\n");
    check(LookAlikes, "say “a”\n", "say \"a\"", "say ‘a’", "say ‘a’\n");
    refused("éa = 1\n", "ea = 1", "x");
    refused("соst = 1\n", "cost = 1", "x");
    refused("a 👍 b\n", "a 👍🏽 b", "x");
    let multiple = LocateError::Multiple { count: 2, lines: vec![1, 2] };
    assert_eq!(run("it’s\nit‘s\n", "it's", "its", ONE), Err(multiple));
    check_all(LookAlikes, "it’s\nit‘s x\n", "it's", "it's y", "it’s y\nit‘s y x\n");
}

#[test]
fn placeholders_are_not_written() {
    let omission = |line: &str| Err(LocateError::Omission { line: line.to_owned() });
    let new = "fn a() {\n    // ... rest of code ...\n}";
    assert_eq!(
        run("fn a() {\n    b();\n}", "fn a() {\n    b();\n}", new, ONE),
        omission("// ... rest of code ...")
    );
    assert!(run(new, new, &new.replace("fn a", "fn b"), ONE).is_ok());
    let error = run("fn a() {\n    b();\n}", new, "x", ONE).unwrap_err();
    assert!(matches!(error, LocateError::NotFound(Hint::Omission { .. })), "{error}");
}

#[test]
fn a_caller_may_want_it_literally() {
    let literal = Options { leniency: Leniency::Literal, first_of_several: true, ..ONE };
    assert_eq!(
        run("x\r\nx\r\n", "x\nx", "y\nz", literal),
        Ok((Match::LineEndings, "y\r\nz\r\n".into()))
    );
    assert!(matches!(run("a  b\n", "a b", "c", literal), Err(LocateError::NotFound(_))));
    let mut text = Text::from("x x x");
    let located = locate(&text, "x", "y", literal).unwrap();
    assert_eq!((located.matches, located.edits.len(), located.score), (3, 1, 1.0));
    text.apply_all(&located.edits);
    assert_eq!(text.to_string(), "y x x");
}
