//! Similarity, which a caller asks for.

use super::*;

const SIMILAR: Options = Options { leniency: Leniency::Similar(SEVENTY), ..ONE };
const SEVENTY: Threshold = Threshold::DEFAULT;

fn similar(file: &str, old: &str, new: &str, want: &str) {
    let got = run(file, old, new, SIMILAR).map(|(_, text)| text);
    assert_eq!(got, Ok(want.to_owned()), "{file:?} {old:?}");
    // Nobody gets it unasked.
    assert!(run(file, old, new, ONE).is_err(), "{file:?} {old:?}");
}

fn refused(file: &str, old: &str, new: &str) {
    let got = run(file, old, new, SIMILAR);
    assert!(matches!(got, Err(LocateError::NotFound(_))), "{file:?} {old:?}: {got:?}");
}

#[test]
fn a_mistyped_line_in_a_block() {
    similar(
        "function getData() {\n    const results = fetchData();\n    return results.filter(Boolean);\n}\n",
        "function getData() {\n    const result = fetchData();\n    return results.filter(Boolean);\n}",
        "function getData() {\n    const data = fetchData();\n    return data.filter(Boolean);\n}",
        "function getData() {\n    const data = fetchData();\n    return data.filter(Boolean);\n}\n",
    );
    similar(
        "const myConfig = {\n  enableFeature: true,\n  retries: 3\n};",
        "const myConfig = {\n  enableFeature: true\n  retries: 3\n};",
        "const myConfig = {\n  enableFeature: false,\n  retries: 5\n};",
        "const myConfig = {\n  enableFeature: false,\n  retries: 5\n};",
    );
    // What the caller leaves alone is left alone, mistyped or not; the rest is moved to its place.
    similar(
        "  fn a() {\n      let length = 1;\n      b();\n      c();\n  }\n",
        "fn a() {\n    let lenght = 1;\n    b();\n    c();\n}",
        "fn a() {\n    let lenght = 1;\n    b();\n    d();\n}",
        "  fn a() {\n      let length = 1;\n      b();\n      d();\n  }\n",
    );
}

#[test]
fn a_small_difference_may_be_all_that_matters() {
    refused(
        "a\nserver:\n  port: 8080\n  host: x\nb\n",
        "a\nserver:\n  port: 8081\n  host: x\nb",
        "c",
    );
    refused(
        "def a():\n    if x.is_admin:\n        grant()\n    end()\n",
        "def a():\n    if not x.is_admin:\n        grant()\n    end()",
        "z",
    );
    refused(
        "fn b() {\n    x();\n    y();\n    z();\n}\n",
        "fn a() {\n    x();\n    y();\n    z();\n}",
        "z",
    );
    refused(
        "import b\nimport a\nimport c\nimport d\n",
        "import a\nimport b\nimport c\nimport d",
        "z",
    );
    refused("a\nсost = 1\nc\nd\n", "a\ncost = 1\nc\nd", "z");
    refused("hello\nworld", "world!", "everyone");
    refused("f() {\n  log(\"hello\")\n}\n", "f() {\n  log(\"wrong\")\n}", "z");
    refused("a\nb\nc == d\ne\nf\n", "a\nb\nc != d\ne\nf", "z");
}

#[test]
fn the_next_best_place_must_be_far_behind() {
    let block = |name: &str| format!("start\nlet {name} = value_of_it();\nmiddle\nmore\nend\n");
    let old = block("vaule");
    refused(&format!("{}{}", block("value"), block("other")), &old, "z");
    similar(&format!("{}x\ny\nz\n", block("value")), &old, "z\n", "z\nx\ny\nz\n");
    // The same lines, moved by one, are no other place.
    let braces = |word: &str| format!("}}\nfn f() {{\n    {word}_of_it();\n    other();\n}}\n");
    similar(&braces("value"), braces("vaule").strip_prefix("}\n").unwrap(), "z\n", "}\nz\n");
}

#[test]
fn blanks_between_signs_and_kinds_of_quotes() {
    similar(
        "  function  f( a, b ) {\n",
        "function f(a, b) {",
        "const f = (a, b) => {",
        "  const f = (a, b) => {\n",
    );
    similar("a = \"x\" + 'y'\n", "a = 'x' + 'y'", "a = 'x' + 'z'", "a = \"x\" + 'z'\n");
    let twice = "f(\"a\");\n\nf(\"a\");\n";
    let multiple = LocateError::Multiple { count: 2, lines: vec![1, 3] };
    assert_eq!(run(twice, "f('a');", "g();", SIMILAR), Err(multiple));
    let all = Options { replace_all: true, ..SIMILAR };
    assert_eq!(run(twice, "f('a');", "g();", all), Ok((Match::Similar, "g();\n\ng();\n".into())));
    // `notfound` is not `not found`.
    refused("if notfound:\n", "if not found:", "x");
}

#[test]
fn numbers_from_read_are_no_text() {
    similar("line 1\nline to delete\nline 3", "2 | line to delete", "", "line 1\nline 3");
    similar(
        "    fn f() {\n        x;\n    }\n",
        "1:     fn f() {\n2:         x;\n3:     }",
        "1:     fn f() {\n2:         y;\n3:     }",
        "    fn f() {\n        y;\n    }\n",
    );
    similar(
        "function f() {\r\n  return true;\r\n}\r\n",
        "9→function f() {\n10→  return true;\n11→}",
        "function f() {\n  return false;\n}",
        "function f() {\r\n  return false;\r\n}\r\n",
    );
    // Less like it than was asked for.
    refused("line 1\nline 2\nline 3", "1 | line 1\n2 | line 2\n3 | line 3", "z");
}

#[test]
fn the_score_is_told_and_obeyed() {
    let located = |options| locate(&Text::from("it’s working\n"), "it's working", "x", options);
    let score = located(SIMILAR).unwrap().score;
    assert!((score - 11.0 / 12.0).abs() < 1e-9);
    let strict = Options { leniency: Leniency::Similar(Threshold::new(0.95).unwrap()), ..ONE };
    assert!(matches!(located(strict), Err(LocateError::NotFound(_))));
    assert_eq!(locate(&Text::from("a  b"), "a b", "c", strict).unwrap().score, 0.95);
    assert_eq!((Threshold::new(1.1), Threshold::new(f64::NAN)), (None, None));
}
