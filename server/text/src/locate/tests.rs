mod lenient;
mod mutations;
mod similar;

use proptest::prelude::*;

use super::*;
use crate::testing::sample;

const ONE: Options = Options::ONE;
const ALL: Options = Options::ALL;

fn run(file: &str, old: &str, new: &str, options: Options) -> Result<(Match, String), LocateError> {
    let mut text = Text::from(file);
    let located = locate(&text, old, new, options)?;
    assert_eq!(located.matches, located.edits.len());
    text.apply_all(&located.edits);
    Ok((located.how, text.to_string()))
}

fn check(how: Match, file: &str, old: &str, new: &str, want: &str) {
    assert_eq!(run(file, old, new, ONE), Ok((how, want.to_owned())), "{file:?} {old:?}");
}

fn check_all(how: Match, file: &str, old: &str, new: &str, want: &str) {
    assert_eq!(run(file, old, new, ALL), Ok((how, want.to_owned())), "{file:?} {old:?}");
}

#[test]
fn exact_text_is_replaced_literally() {
    use Match::Exact;
    check(Exact, "let a = 1;\n", "a = 1", "b = 2", "let b = 2;\n");
    check(Exact, "a $1 b", "$1", "$& \\1 $'", "a $& \\1 $' b");
    check(Exact, "    a\n    b\n", "a\n    b", "c", "    c\n");
    check(Exact, "a\nb", "b", "", "a\n");
    check(Exact, "", "", "a\n", "a\n");
    check(Exact, "a = 1\n", "\u{feff}a = 1", "\u{feff}a = 2", "a = 2\n");
    check_all(Exact, "x x x", "x", "xx", "xx xx xx");
    check_all(Exact, "aaaa", "aa", "b", "bb");
}

#[test]
fn exact_text_takes_the_line_ends_of_its_place() {
    use Match::Exact;
    check(Exact, "a\r\nb\r\nc\r\n", "b", "b1\nb2", "a\r\nb1\r\nb2\r\nc\r\n");
    check(Exact, "a\nb\nc", "b\nc", "B\r\nC", "a\nB\nC");
    check(Exact, "a\r\nb\nc\n", "b", "b\nb", "a\r\nb\nb\nc\n");
    check(Exact, "a\r\nb\nc\n", "a", "a\na", "a\r\na\r\nb\nc\n");
    check(Exact, "a\r\nb\r\n", "a\r\nb", "a\nb", "a\nb\r\n");
    check(Exact, "a\rb\r", "b", "b\nc", "a\rb\rc\r");
    check_all(Exact, "x\r\nx\n", "x", "y\nz", "y\r\nz\r\ny\nz\n");
}

#[test]
fn line_ends_may_differ() {
    use Match::LineEndings;
    check(LineEndings, "a\r\nb\r\nc\r\n", "a\nb", "a\nx\ny", "a\r\nx\r\ny\r\nc\r\n");
    check(LineEndings, "  a\r\n  b\r\n", "a\n  b", "a\n  c", "  a\r\n  c\r\n");
    check(LineEndings, "a\nb\n", "a\r\nb", "a\r\nc", "a\nc\n");
    check(LineEndings, "a\rb\r", "a\nb", "a\nc", "a\rc\r");
    check(LineEndings, "a\r\nb\r\n", "\nb", "\nc", "a\r\nc\r\n");
    // Lines that stay keep their own ends, also between each other's.
    check(LineEndings, "a\r\nb\nc\r\nd\n", "a\nb\nc\nd\n", "a\nb\nX\nd\n", "a\r\nb\nX\r\nd\n");
    check(LineEndings, "a\nb\r\nc\n", "a\nb\nc\n", "b\nc\n", "b\r\nc\n");
}

#[test]
fn a_match_never_cuts_a_line_end_in_two() {
    let multiple = LocateError::Multiple { count: 2, lines: vec![1, 2] };
    assert_eq!(run("a\r\nb\nb", "\nb", "\nc", ONE), Err(multiple));
    check_all(Match::LineEndings, "a\r\nb\nb", "\nb", "\nc", "a\r\nc\nc");
    // The CR is white space at the end of the line then.
    check(Match::Whitespace, "a\r\nb", "a\r", "c", "c\r\nb");
}

#[test]
fn white_space_may_differ_in_whole_lines() {
    use Match::Whitespace;
    check(Whitespace, "foo   \nbar\t\t\n", "foo\nbar", "X", "X\n");
    check(Whitespace, "a\nconst   x =  5;\n", "const x = 5;", "const x = 6;", "a\nconst x = 6;\n");
    check(Whitespace, "hello\u{a0}world\n", "hello world", "x", "x\n");
    check(Whitespace, "a  b\r\nc\r\n", "a b\nc", "a\nc", "a\r\nc\r\n");
    check(Whitespace, "x  y", "   \n\t  x y  \t\n  ", "z", "z");
    check(Whitespace, "a\nx  y\nb\n", "\nx y\n\n", "\nz\n\n", "a\nz\nb\n");
    check(Whitespace, "a\nb", "b\n", "c\n", "a\nc");
    check(Whitespace, "a  b\nc\n", "a b\n", "x", "x\nc\n");
    check(Whitespace, "a  b\nc\n", "a b\n", "", "c\n");
    check_all(
        Whitespace,
        "\tf( a )\nx\n\tf( a )\n",
        "  f( a )",
        "  g( a )",
        "\tg( a )\nx\n\tg( a )\n",
    );
}

#[test]
fn the_replacement_is_indented_as_its_place() {
    let check = |file, old, new, want| check(Match::Whitespace, file, old, new, want);
    // All of it is moved by what the first line is.
    check(
        "    if x:\n        y\n",
        "if x:\n    y",
        "if x:\n    z\nelse:\n    y",
        "    if x:\n        z\n    else:\n        y\n",
    );
    // Blanks become tabs, and tabs blanks.
    check(
        "\tif x:\n\t\ty\n",
        "if x:\n    y",
        "if x:\n    z\n        w",
        "\tif x:\n\t\tz\n\t\t\tw\n",
    );
    check("  if x:\n    y\n", "if x:\n\ty", "if x:\n\tz\n\t\tw", "  if x:\n    z\n      w\n");
    // Only the first line had lost its indentation.
    check(
        "    if  x:\n        y\n    z\n",
        "if x:\n        y\n    z",
        "if x:\n        w\n    else:\n        y\n    z",
        "    if x:\n        w\n    else:\n        y\n    z\n",
    );
    // It has to go left.
    check(
        "if x:\n    y\n",
        "        if x:\n            y",
        "        if x:\n            z",
        "if x:\n    z\n",
    );
    check("\ta\n\tb\n", "\t\t\ta\n\t\t\tb", "\t\ta\n\t\t\tc", "a\n\tc\n");
    // Lines that stay, stay as deep as they are; blank lines stay empty.
    check("  \ta\n\tb\n\n    c\n", "a\nb\n\nc", "a\nX\nb\n   \nc", "  \ta\n  \tX\n\tb\n\n    c\n");
}

#[test]
fn another_text_is_asked_for_the_same_lines() {
    let place = |first_line, last_line, matches, how| Place { first_line, last_line, matches, how };
    let check =
        |file: &str, old, want| assert_eq!(place_of(&Text::from(file), old), want, "{file:?}");
    check("a\nb\nc\nb\n", "b\n", Some(place(2, 2, 2, Match::Exact)));
    check("a\r\nb\r\n", "a\nb", Some(place(1, 2, 1, Match::LineEndings)));
    check("x\n  a  b\n  c\n", "a b\nc", Some(place(2, 3, 1, Match::Whitespace)));
    check("it’s all\n", "it's all", None);
    check("a\n\n", "\n", None);
    check("", "", None);
}

#[test]
fn what_is_not_sure_is_refused() {
    let check = |file, old, new, want| assert_eq!(run(file, old, new, ONE), Err(want));
    check("a", "a", "a", LocateError::Same);
    check("a", "", "", LocateError::Same);
    check("a", "", "b", LocateError::EmptyOld);
    check("a\n\n", " \n", "b", LocateError::NotFound(Hint::Blank));
    check("x\ny x\n", "x", "z", LocateError::Multiple { count: 2, lines: vec![1, 2] });
    check("}\n}\n}\n", "}\n}", "]", LocateError::Multiple { count: 2, lines: vec![1, 2] });
    check("}\r\n}\r\n}", "}\n}", "]", LocateError::Multiple { count: 2, lines: vec![1, 2] });
    check(" }\n}\n} ", "} \n}", "]", LocateError::Multiple { count: 2, lines: vec![1, 2] });
    check("a  b\n a b \n", "a   b", "z", LocateError::Multiple { count: 2, lines: vec![1, 2] });
    check(
        &"x\n".repeat(9),
        "x",
        "z",
        LocateError::Multiple { count: 9, lines: vec![1, 2, 3, 4, 5] },
    );
    assert!(matches!(
        run("port = 80\n", "port = 81", "port = 1", ONE),
        Err(LocateError::NotFound(_))
    ));
    assert_eq!(run("   ", "", "b", ALL), Err(LocateError::EmptyOld));
}

fn options() -> impl Strategy<Value = Options> {
    let threshold = (0.0f64..1.0).prop_map(|least| Threshold::new(least).unwrap_or_default());
    let leniency = prop_oneof![
        Just(Leniency::Literal),
        Just(Leniency::Lenient),
        threshold.prop_map(Leniency::Similar),
    ];
    (any::<bool>(), any::<bool>(), leniency).prop_map(
        |(replace_all, first_of_several, leniency)| Options {
            replace_all,
            first_of_several,
            leniency,
        },
    )
}

proptest! {
    #[test]
    fn exact_is_what_a_string_replacement_is(
        file in "[ab\n😀 ]{0,60}", old in "[ab😀]{1,3}", new in "[abc\n😀]{0,4}",
    ) {
        let got = run(&file, &old, &new, ALL);
        match got {
            Ok((Match::Exact, text)) => prop_assert_eq!(text, file.replace(&old, &new)),
            Ok(_) => prop_assert!(!file.contains(&old)),
            Err(LocateError::Same) => prop_assert_eq!(old, new),
            Err(_) => prop_assert!(!file.contains(&old)),
        }
    }

    #[test]
    fn no_input_panics_and_only_whole_matches_change(
        file in sample(), old in sample(), new in sample(), options in options(), escapes: bool,
    ) {
        let mut text = Text::from(file.as_str());
        let escaped = |s: String| s.replace('\n', "\\n").replace('{', "“");
        let (old, new) = if escapes { (escaped(old), escaped(new)) } else { (old, new) };
        match locate(&text, &old, &new, options) {
            Ok(located) => {
                prop_assert!(located.edits.windows(2).all(|w| w[0].range.end <= w[1].range.start));
                prop_assert!(located.edits.iter().all(|edit| edit.range.end <= text.len()));
                prop_assert!(located.matches >= located.edits.len() && !located.edits.is_empty());
                prop_assert!(options.replace_all || located.edits.len() == 1);
                prop_assert!((0.0..=1.0).contains(&located.score));
                text.apply_all(&located.edits);
            }
            Err(error) => {
                prop_assert!(!error.to_string().is_empty());
                prop_assert!(!error.worded(Names::AIR).to_string().contains("old_str "));
            }
        }
    }

    #[test]
    fn a_part_of_the_text_is_found_with_any_line_ends(
        file in sample(), from in 0usize..60, len in 1usize..40, crlf: bool,
    ) {
        let text = Text::from(file.as_str());
        let (from, to) = (text.floor(from), text.floor(from + len));
        let part = file[from.min(to)..to].replace("\r\n", "\n");
        let old = if crlf { part.replace('\n', "\r\n") } else { part };
        match locate(&text, &old, "new", ALL) {
            Ok(located) => prop_assert!(located.how != Match::Whitespace || old.contains('\r')),
            Err(LocateError::EmptyOld | LocateError::Same | LocateError::NotFound(Hint::Blank)) => {}
            Err(LocateError::NotFound(Hint::AlreadyApplied { .. })) => {}
            // A lone CR next to an LF, or half of a CR LF pair.
            Err(_) => prop_assert!(file.contains('\r')),
        }
    }

    #[test]
    fn line_ends_outside_and_of_kept_lines_survive(
        lines in proptest::collection::vec(("[a-z]{1,3}", any::<bool>()), 3..12),
        at in 0usize..12, crlf: bool,
    ) {
        let unique = |(i, (word, windows)): (usize, &(String, bool))| {
            (format!("{word}{i}."), if *windows { "\r\n" } else { "\n" })
        };
        let lines: Vec<(String, &str)> = lines.iter().enumerate().map(unique).collect();
        let at = at % (lines.len() - 2);
        let join = |lines: &[(String, &str)]| lines.iter().map(|(l, e)| l.clone() + e).collect::<String>();
        let given = if crlf { "\r\n" } else { "\n" };
        let shown = |lines: &[(String, &str)]| lines.iter().map(|(l, _)| l.clone() + given).collect::<String>();
        let mut after = lines.clone();
        after[at + 1].0 = "changed".into();
        let region = at..at + 3;
        let got = run(&join(&lines), &shown(&lines[region.clone()]), &shown(&after[region]), ONE);
        prop_assert_eq!(got.unwrap().1, join(&after));
    }
}
