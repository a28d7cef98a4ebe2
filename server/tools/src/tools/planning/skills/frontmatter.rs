//! The head of a SKILL.md: `name` and `description` between two lines `---`.
//!
//! It is called YAML and often is none (`description: Use when: …`), so it is read with more patience
//! than YAML has: top-level keys with plain, quoted, folded (`>`) or literal (`|`) text.

/// What a skill says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub name: Option<String>,
    pub description: Option<String>,
}

/// `None`: the text has no head.
pub(super) fn head(text: &str) -> Option<Head> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    lines.next().filter(|line| line.trim_end() == "---")?;
    let mut body: Vec<&str> = Vec::new();
    loop {
        match lines.next()?.trim_end() {
            "---" | "..." => break,
            line => body.push(line),
        }
    }
    let mut head = Head::default();
    let mut rest = body.as_slice();
    while let Some((line, after)) = rest.split_first() {
        let more = after.iter().take_while(|line| line.is_empty() || line.starts_with([' ', '\t']));
        let (inner, next) = after.split_at(more.count());
        rest = next;
        let Some((key, value)) = line.split_once(':') else { continue };
        let value = Some(value_of(value.trim(), inner)).filter(|value| !value.is_empty());
        match key.trim() {
            "name" => head.name = value,
            "description" => head.description = value,
            _ => {}
        }
    }
    Some(head)
}

fn value_of(first: &str, inner: &[&str]) -> String {
    if let Some(style) = first.chars().next().filter(|c| matches!(c, '|' | '>'))
        && first[1..].chars().all(|c| c.is_ascii_digit() || "+-".contains(c))
    {
        let lines: Vec<&str> = inner.iter().map(|line| line.trim()).collect();
        return match style {
            '|' => lines.join("\n").trim().to_owned(),
            _ => folded(lines),
        };
    }
    let all = folded(std::iter::once(first).chain(inner.iter().map(|line| line.trim())).collect());
    match all.as_bytes().first() {
        Some(b'"') => double_quoted(&all[1..]).unwrap_or(all),
        Some(b'\'') => single_quoted(&all[1..]).unwrap_or(all),
        _ => all.split(" #").next().unwrap_or_default().trim_end().to_owned(),
    }
}

/// Lines as one; an empty line ends a paragraph.
fn folded(lines: Vec<&str>) -> String {
    let mut text = String::new();
    for line in lines {
        match (line.is_empty(), text.is_empty() || text.ends_with('\n')) {
            (true, _) => text.push('\n'),
            (false, true) => text.push_str(line),
            (false, false) => text.extend([" ", line]),
        }
    }
    text.trim().to_owned()
}

/// `None`: there is no closing quote.
fn double_quoted(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            '"' => return Some(out),
            '\\' => out.push(match chars.next()? {
                'n' => '\n',
                't' => '\t',
                other => other,
            }),
            other => out.push(other),
        }
    }
}

fn single_quoted(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    loop {
        match chars.next()? {
            '\'' if chars.peek() == Some(&'\'') => {
                chars.next();
                out.push('\'');
            }
            '\'' => return Some(out),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, name: Option<&str>, description: Option<&str>) {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let want = Head { name: own(name), description: own(description) };
        assert_eq!(head(text), Some(want), "{text:?}");
    }

    #[test]
    fn heads_as_people_write_them() {
        check("---\nname: a\ndescription: Does it.\n---\ntext", Some("a"), Some("Does it."));
        check(
            "\u{feff}---\r\nname: 'it''s'\r\ndescription: \"a\\n\\\"b\\\" #1\" # no\r\n---\r\n",
            Some("it's"),
            Some("a\n\"b\" #1"),
        );
        check(
            "---\nname: a # the name\ndescription: Use when: asked\n---\n",
            Some("a"),
            Some("Use when: asked"),
        );
        check(
            "---\ndescription: >-\n  one\n  two\n\n  three\nname: b\n---",
            Some("b"),
            Some("one two\nthree"),
        );
        check("---\ndescription: |\n  one\n  two\nname: b\n...", Some("b"), Some("one\ntwo"));
        check(
            "---\ndescription: one\n  two\n  name: no\nlicense: MIT\n---",
            None,
            Some("one two name: no"),
        );
        check("---\nmetadata:\n  name: inner\n---\nname: outside", None, None);
        check("---\nname:\ndescription: \"open\n---\n", None, Some("\"open"));
        check("---\n---\n", None, None);
    }

    #[test]
    fn without_an_end_it_is_none() {
        for text in ["", "# Title", "---", "---\nname: a", " ---\nname: a\n---", "----\n---"] {
            assert_eq!(head(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "---\n([a-z:'\"|>\\\\ \n#é-]|name: |description: ){0,40}\n---\n") {
            prop_assert!(head(&text).is_some());
        }
    }
}
