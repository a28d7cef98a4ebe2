//! Changing one list in a settings file and nothing else: every other byte stays, and so do the
//! comments of the items that stay.

use std::ops::Range;

use serde_json::Value;

use super::jsonc::{self, Kind, Node, Place, SyntaxError};

/// Why a text cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotWritten {
    /// Where.
    pub place: Place,
    /// What is wrong, and what to do.
    pub message: String,
}

impl From<SyntaxError> for NotWritten {
    fn from(SyntaxError { place, message }: SyntaxError) -> Self {
        NotWritten { place, message }
    }
}

/// An item of the new list.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// The old list's item of that index, as it is written, with its comments.
    Kept(usize),
    /// A new one.
    New(Value),
}

/// The text with these items in the list under `key`. Where there is no such key, or no text at all,
/// it is made.
///
/// # Errors
/// The text is no JSON object, the key is there twice, or its value is no list.
pub fn replaced(text: &str, key: &str, items: &[Item]) -> Result<String, NotWritten> {
    let file = File::read(text, key)?;
    let Some(old) = &file.old else { return Ok(file.with_member(key, &file.list(items, &[])?)) };
    let (items_of_old, rest) = sources(text, old);
    let list = file.list_with(items, &items_of_old, &rest)?;
    Ok(spliced(text, old.span.clone(), &list))
}

/// The text with one more item at the front of the list under `key`.
///
/// # Errors
/// As `replaced`.
pub fn prepended(text: &str, key: &str, item: &Value) -> Result<String, NotWritten> {
    let file = File::read(text, key)?;
    let first = file.old.as_ref().and_then(|old| children(old).first());
    let (Some(old), Some(first)) = (&file.old, first) else {
        return replaced(text, key, &[Item::New(item.clone())]);
    };
    let open = old.span.start + 1;
    let before = text.get(open..first.span.start).unwrap_or_default();
    let Some(line) = before.split_once('\n').map(|(line, _)| line.trim_end_matches('\r')) else {
        return Ok(spliced(text, open..open, &format!("{}, ", spaced(item))));
    };
    // A comment behind the bracket is about the list.
    let trimmed = line.trim();
    let is_whole = trimmed.is_empty()
        || trimmed.starts_with("//")
        || trimmed.starts_with("/*") && trimmed.ends_with("*/");
    let at = if is_whole { open + line.len() } else { open };
    let indent = indent_of(text, first.span.start).unwrap_or("    ");
    Ok(spliced(text, at..at, &format!("{}{indent}{},", file.newline, spaced(item))))
}

/// A text that is to be changed.
struct File<'a> {
    text: &'a str,
    root: Node,
    /// The list under the key.
    old: Option<Node>,
    newline: &'static str,
    /// The indentation of a member.
    indent: &'a str,
}

impl<'a> File<'a> {
    fn read(text: &'a str, key: &str) -> Result<Self, NotWritten> {
        let root = jsonc::parse(text)?;
        let wrong = |place, message| Err(NotWritten { place, message });
        let Kind::Object(members) = &root.kind else {
            return wrong(root.place, format!("expected an object, found {}", root.describe()));
        };
        let mut named = members.iter().filter(|(name, ..)| name == key);
        let old = named.next().map(|(.., node)| node.clone());
        if let Some((_, place, _)) = named.next() {
            return wrong(*place, format!("{key:?} is there twice: leave one of the two"));
        }
        if let Some(node) = old.as_ref().filter(|node| !matches!(node.kind, Kind::Array(_))) {
            let is_null = node.kind == Kind::Scalar(Value::Null);
            if !is_null {
                return wrong(
                    node.place,
                    format!("{key}: expected a list, found {}", node.describe()),
                );
            }
        }
        let indent = members.first().and_then(|(_, place, _)| line_indent(text, *place));
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Ok(File { text, old, newline, indent: indent.unwrap_or("  "), root })
    }

    fn list(&self, items: &[Item], rest: &[String]) -> Result<String, NotWritten> {
        self.list_with(items, &[], rest)
    }

    /// `rest`: comments at the end of the list.
    fn list_with(
        &self,
        items: &[Item],
        old: &[Written],
        rest: &[String],
    ) -> Result<String, NotWritten> {
        let inner = format!("{}{}{}", self.newline, self.indent, self.indent);
        let mut out = String::from("[");
        for (index, item) in items.iter().enumerate() {
            let written = match item {
                Item::New(value) => &Written { item: spaced(value), ..Written::default() },
                Item::Kept(index) => old.get(*index).ok_or_else(|| NotWritten {
                    place: self.root.place,
                    message: format!("there is no item {index} to keep"),
                })?,
            };
            written.before.iter().for_each(|comment| out += &format!("{inner}{comment}"));
            let comma = if index + 1 < items.len() { "," } else { "" };
            out += &format!("{inner}{}{comma}", written.item);
            written.behind.iter().for_each(|comment| out += &format!(" {comment}"));
        }
        rest.iter().for_each(|comment| out += &format!("{inner}{comment}"));
        if out.len() > 1 {
            out += &format!("{}{}", self.newline, self.indent);
        }
        Ok(out + "]")
    }

    /// With one more member at the end of the object.
    fn with_member(&self, key: &str, list: &str) -> String {
        let (newline, text) = (self.newline, self.text);
        let member = format!("{}{}: {list}", self.indent, Value::from(key));
        if self.root.span.is_empty() {
            let before = text.trim_end();
            let gap = if before.trim_start_matches('\u{feff}').is_empty() { "" } else { newline };
            return format!("{before}{gap}{{{newline}{member}{newline}}}{newline}");
        }
        let close = self.root.span.end - 1;
        let last = match &self.root.kind {
            Kind::Object(members) => members.last().map(|(.., node)| node.span.end),
            _ => None,
        };
        let end = last.unwrap_or(close);
        let tail = text.get(end..close).unwrap_or_default();
        let comma = if last.is_none() || has_comma(tail) { "" } else { "," };
        let (head, foot) =
            (text.get(..end).unwrap_or_default(), text.get(close..).unwrap_or_default());
        format!("{}{comma}{}{newline}{member}{newline}{foot}", head.trim_end(), tail.trim_end())
    }
}

/// An item as it is written.
#[derive(Debug, Clone, Default)]
struct Written {
    /// Comments on lines before it.
    before: Vec<String>,
    item: String,
    /// Comments on its line.
    behind: Vec<String>,
}

fn children(list: &Node) -> &[Node] {
    match &list.kind {
        Kind::Array(items) => items,
        _ => &[],
    }
}

/// The items of a list with their comments, and the comments behind the last line.
fn sources(text: &str, list: &Node) -> (Vec<Written>, Vec<String>) {
    let items = children(list);
    let mut all: Vec<Written> = Vec::new();
    let mut at = list.span.start + 1;
    for item in items {
        let (behind, before) = comments(text.get(at..item.span.start).unwrap_or_default());
        match all.last_mut() {
            Some(last) => last.behind = behind,
            None => all.push(Written { before: behind, ..Written::default() }),
        }
        let item_text = text.get(item.span.clone()).unwrap_or_default().to_owned();
        match all.last_mut().filter(|last| last.item.is_empty()) {
            Some(first) => {
                first.before.extend(before);
                first.item = item_text;
            }
            None => all.push(Written { before, item: item_text, behind: Vec::new() }),
        }
        at = item.span.end;
    }
    let (behind, rest) =
        comments(text.get(at..list.span.end.saturating_sub(1)).unwrap_or_default());
    match all.last_mut() {
        Some(last) => {
            last.behind = behind;
            (all, rest)
        }
        None => (all, behind.into_iter().chain(rest).collect()),
    }
}

/// The comments between two items: those on the first line, and the others.
fn comments(between: &str) -> (Vec<String>, Vec<String>) {
    let (mut first, mut others) = (Vec::new(), Vec::new());
    let mut rest = between;
    let mut is_first = true;
    while let Some(char) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            is_first &= char != '\n';
            rest = rest.get(char.len_utf8()..).unwrap_or_default();
            continue;
        };
        let (comment, after) = rest.split_at(length);
        let comments = if is_first { &mut first } else { &mut others };
        comments.push(comment.trim_end().to_owned());
        rest = after;
    }
    (first, others)
}

/// Whether a comma stands there outside comments.
fn has_comma(between: &str) -> bool {
    let (first, others) = comments(between);
    let inside: usize = first.iter().chain(&others).map(|text| text.matches(',').count()).sum();
    between.matches(',').count() > inside
}

fn spliced(text: &str, span: Range<usize>, new: &str) -> String {
    let (head, foot) = (text.get(..span.start), text.get(span.end..));
    format!("{}{new}{}", head.unwrap_or_default(), foot.unwrap_or_default())
}

/// The white space before the byte, if its line starts with it.
fn indent_of(text: &str, at: usize) -> Option<&str> {
    let line = text.get(..at)?.rsplit('\n').next()?;
    line.trim().is_empty().then_some(line)
}

fn line_indent(text: &str, place: Place) -> Option<&str> {
    let line = text.lines().nth(place.line.checked_sub(1)?)?;
    let indent = line.get(..line.len() - line.trim_start().len())?;
    let is_first = indent.chars().count() + 1 == place.column && place.line > 1;
    (is_first && !indent.is_empty()).then_some(indent)
}

/// JSON on one line, as people write it.
pub fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::from(key.as_str()), spaced(value))
            };
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const KEY: &str = "redline.permissions";

    fn check(text: &str, items: &[Item], want: &str) {
        let got = replaced(text, KEY, items).unwrap();
        assert_eq!(got, want, "{text}");
        let value = jsonc::parse(&got).unwrap().value();
        assert_eq!(value[KEY].as_array().map(Vec::len), Some(items.len()), "{got}");
    }

    fn new(value: Value) -> Item {
        Item::New(value)
    }

    #[test]
    fn a_list_that_is_not_there_is_made() {
        let one = [new(json!({"a": 1}))];
        let alone = "{\n  \"redline.permissions\": [\n    { \"a\": 1 }\n  ]\n}\n";
        check("", &one, alone);
        check("  \n", &one, alone);
        check("\u{feff}", &one, &format!("\u{feff}{alone}"));
        check("// mine\n", &one, &format!("// mine\n{alone}"));
        check("{}", &[], "{\n  \"redline.permissions\": []\n}");
        check("{ // mine\n}\n", &[], "{ // mine\n  \"redline.permissions\": []\n}\n");
        check("{\"x\": 1}", &[], "{\"x\": 1,\n  \"redline.permissions\": []\n}");
        check(
            "{\r\n\t\"x\": 1 // one, two\r\n}\r\n",
            &one,
            "{\r\n\t\"x\": 1, // one, two\r\n\t\"redline.permissions\": [\r\n\t\t{ \"a\": 1 }\r\n\t]\r\n}\r\n",
        );
        check(
            "{\n    \"x\": [1], // one\n    /* end */\n}",
            &[],
            "{\n    \"x\": [1], // one\n    /* end */\n    \"redline.permissions\": []\n}",
        );
    }

    const FILE: &str = r#"{
  // before
  "x": "http://[y]", /* x */
  "redline.permissions": [ // the list
    // of the first
    {"a": 1}, // behind the first
    /* of the second */ {"b": [ 1 ]} , // behind the second
    {"c": 3}
    // at the end
  ], // after
  "z": { "redline.permissions": [] }
}
"#;

    #[test]
    fn what_stays_keeps_its_text_and_comments() {
        let items = [Item::Kept(1), new(json!({"n": true})), Item::Kept(0)];
        let want = r#"{
  // before
  "x": "http://[y]", /* x */
  "redline.permissions": [
    /* of the second */
    {"b": [ 1 ]}, // behind the second
    { "n": true },
    // the list
    // of the first
    {"a": 1} // behind the first
    // at the end
  ], // after
  "z": { "redline.permissions": [] }
}
"#;
        check(FILE, &items, want);
        let all = [Item::Kept(0), Item::Kept(1), Item::Kept(2)];
        let again = replaced(FILE, KEY, &all).unwrap();
        assert_eq!(jsonc::parse(&again).unwrap().value(), jsonc::parse(FILE).unwrap().value());
        check("{\"redline.permissions\": null, }", &[], "{\"redline.permissions\": [], }");
    }

    #[test]
    fn an_item_in_front() {
        let check = |text: &str, want: &str| {
            let got = prepended(text, KEY, &json!({"n": 0})).unwrap();
            assert_eq!(got, want, "{text}");
            assert_eq!(jsonc::parse(&got).unwrap().value()[KEY][0], json!({"n": 0}), "{got}");
        };
        check(
            "{\"redline.permissions\": [{\"a\": 1}]}",
            "{\"redline.permissions\": [{ \"n\": 0 }, {\"a\": 1}]}",
        );
        check("{}", "{\n  \"redline.permissions\": [\n    { \"n\": 0 }\n  ]\n}");
        let lines =
            |first: &str| FILE.replace("[ // the list\n", &format!("[ // the list\n{first}"));
        check(&lines(""), &lines("    { \"n\": 0 },\n"));
        check(
            "{\"redline.permissions\": [ /* a\n b */ {\"a\": 1}]}",
            "{\"redline.permissions\": [\n    { \"n\": 0 }, /* a\n b */ {\"a\": 1}]}",
        );
        check(
            "{\"redline.permissions\": [ // none\n]}",
            "{\"redline.permissions\": [\n    { \"n\": 0 }\n    // none\n  ]}",
        );
    }

    #[test]
    fn what_cannot_be_changed_says_where() {
        let check = |text: &str, line: usize, message: &str| {
            let got = replaced(text, KEY, &[]).unwrap_err();
            assert_eq!((got.place.line, got.message.as_str()), (line, message), "{text}");
            assert_eq!(prepended(text, KEY, &Value::Null), Err(got));
        };
        check("[]", 1, "expected an object, found a list");
        check("{\n\"x\" 1}", 2, "expected : after the key \"x\", found '1'");
        check(
            "{\"redline.permissions\":\n5}",
            2,
            "redline.permissions: expected a list, found a number",
        );
        check(
            "{\"redline.permissions\": [],\n\"redline.permissions\": []}",
            2,
            "\"redline.permissions\" is there twice: leave one of the two",
        );
    }

    /// White space, comments and commas wherever they may stand.
    fn gap(dice: &mut impl FnMut(usize) -> usize) -> &'static str {
        ["", " ", "\n", "\n    ", "// a, [b]\n", "/* , ] } */", "\r\n\t", "/*\n*/\n// \" x\n"]
            [dice(8)]
    }

    #[test]
    fn whatever_the_file_looks_like() {
        let mut seed = 7_u32;
        let mut dice = move |sides: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) as usize % sides
        };
        for _ in 0..3_000 {
            let count = dice(4);
            let values: Vec<Value> = (0..count).map(|n| json!({"n": n, "s": "//]"})).collect();
            let mut list = format!("[{}", gap(&mut dice));
            for (n, value) in values.iter().enumerate() {
                let comma = if n + 1 < count || dice(2) == 0 { "," } else { "" };
                let [one, two] = [gap(&mut dice), gap(&mut dice)];
                list += &format!("{value}{one}{comma}{two}");
            }
            list.push(']');
            let [a, b, c, d] = std::array::from_fn(|_| gap(&mut dice));
            let text = match dice(3) {
                0 => format!("{a}{{{b}\"x\":{c}1{d}}}"),
                _ => format!("{a}{{\"x\": [1],{b}\"{KEY}\":{c}{list}{d},\"y\": 2}}"),
            };
            let old = jsonc::parse(&text).unwrap().value();
            let len = old[KEY].as_array().map_or(0, Vec::len);
            let pick = |_| match dice(3) {
                0 => (Item::New(json!({"new": [null]})), json!({"new": [null]})),
                _ if len > 0 => {
                    let index = dice(len);
                    (Item::Kept(index), old[KEY][index].clone())
                }
                _ => (Item::New(json!(1)), json!(1)),
            };
            let (items, want): (Vec<Item>, Vec<Value>) = (0..3).map(pick).unzip();
            let mut all = old.clone();
            all[KEY] = want.into();
            let got = replaced(&text, KEY, &items).unwrap();
            assert_eq!(jsonc::parse(&got).map(|node| node.value()), Ok(all), "{text}\n->\n{got}");
            let got = prepended(&text, KEY, &json!("first")).unwrap();
            let value = jsonc::parse(&got).map(|node| node.value()).unwrap();
            assert_eq!(value[KEY][0], "first", "{text}\n->\n{got}");
            assert_eq!(value[KEY].as_array().map(Vec::len), Some(len + 1), "{text}\n->\n{got}");
        }
    }
}
