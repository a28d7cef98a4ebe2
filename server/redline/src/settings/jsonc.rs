//! JSON with comments and trailing commas, whose values know where they stand: so that an error in
//! a settings file can name line and column.

use std::ops::Range;

use serde_json::{Map, Number, Value};

/// Deeper nesting is an error, so that no file can exhaust the stack.
const MAX_DEPTH: usize = 64;

/// A place in a file: line and column (in chars), from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The char in it.
    pub column: usize,
}

/// A value and where it starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it starts.
    pub place: Place,
    /// Its bytes in the text. Of an object that a text without any stands for: none, at the end.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// A JSON value with the places of its parts.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Null, a boolean, a number or a string.
    Scalar(Value),
    /// The items in order.
    Array(Vec<Node>),
    /// The members in the file's order, doubles included, with the place of each key.
    Object(Vec<Member>),
}

/// A key, its place, and its value.
pub type Member = (String, Place, Node);

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where.
    pub place: Place,
    /// What was expected.
    pub message: String,
}

impl Node {
    /// The value without places; of a key that is there twice, the last one.
    pub fn value(&self) -> Value {
        match &self.kind {
            Kind::Scalar(value) => value.clone(),
            Kind::Array(items) => items.iter().map(Node::value).collect(),
            Kind::Object(members) => {
                let pairs = members.iter().map(|(key, _, node)| (key.clone(), node.value()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.kind {
            Kind::Scalar(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// What it is, for messages: `a number`.
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::Array(_) => "a list",
            Kind::Object(_) => "an object",
            Kind::Scalar(Value::Null) => "null",
            Kind::Scalar(Value::Bool(_)) => "a truth value",
            Kind::Scalar(Value::Number(_)) => "a number",
            Kind::Scalar(_) => "a string",
        }
    }
}

/// Reads a whole file. An empty one (or one of comments only) is an empty object.
pub fn parse(text: &str) -> Result<Node, SyntaxError> {
    let mut parser = Parser {
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
        end: text.len(),
        line: 1,
        column: 1,
    };
    parser.skip()?;
    if parser.rest.is_empty() {
        let (place, span) = (parser.place(), text.len()..text.len());
        return Ok(Node { place, span, kind: Kind::Object(Vec::new()) });
    }
    let node = parser.value(0)?;
    parser.skip()?;
    match parser.rest.is_empty() {
        true => Ok(node),
        false => Err(parser.error("expected the end of the file")),
    }
}

struct Parser<'a> {
    rest: &'a str,
    /// Bytes of the whole text.
    end: usize,
    line: usize,
    column: usize,
}

impl<'a> Parser<'a> {
    fn place(&self) -> Place {
        Place { line: self.line, column: self.column }
    }

    /// The byte that is looked at.
    fn at(&self) -> usize {
        self.end - self.rest.len()
    }

    fn error(&self, expected: &str) -> SyntaxError {
        let found = match self.rest.chars().next() {
            None => "the end of the file".to_owned(),
            Some(c) => format!("{c:?}"),
        };
        SyntaxError { place: self.place(), message: format!("{expected}, found {found}") }
    }

    /// Takes `len` bytes, which end on a char boundary.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        for c in taken.chars() {
            match c {
                '\n' => (self.line, self.column) = (self.line + 1, 1),
                _ => self.column += 1,
            }
        }
        self.rest = rest;
        taken
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest.starts_with(token);
        if found {
            self.take(token.len());
        }
        found
    }

    /// White space and comments.
    fn skip(&mut self) -> Result<(), SyntaxError> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.take(blank);
            if self.rest.starts_with("//") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let end = self.rest.find("*/").ok_or_else(|| SyntaxError {
                    place: self.place(),
                    message: "this comment has no end; add */".to_owned(),
                })?;
                self.take(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        let (place, start) = (self.place(), self.at());
        if depth > MAX_DEPTH {
            return Err(SyntaxError { place, message: "nested too deeply".to_owned() });
        }
        let kind = match self.rest.as_bytes().first() {
            Some(b'{') => Kind::Object(self.object(depth)?),
            Some(b'[') => Kind::Array(self.array(depth)?),
            Some(b'"') => Kind::Scalar(Value::String(self.string()?)),
            _ => Kind::Scalar(self.word()?),
        };
        Ok(Node { place, span: start..self.at(), kind })
    }

    fn object(&mut self, depth: usize) -> Result<Vec<(String, Place, Node)>, SyntaxError> {
        self.list("{", "}", |parser| {
            let place = parser.place();
            if !parser.rest.starts_with('"') {
                return Err(parser.error("expected a key in double quotes or }"));
            }
            let key = parser.string()?;
            parser.skip()?;
            if !parser.eat(":") {
                return Err(parser.error(&format!("expected : after the key {key:?}")));
            }
            parser.skip()?;
            Ok((key, place, parser.value(depth + 1)?))
        })
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Node>, SyntaxError> {
        self.list("[", "]", |parser| parser.value(depth + 1))
    }

    /// Items between brackets with commas; the last may have one too.
    fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<Vec<T>, SyntaxError> {
        let mut items = Vec::new();
        self.eat(open);
        loop {
            self.skip()?;
            if self.eat(close) {
                return Ok(items);
            }
            items.push(item(self)?);
            self.skip()?;
            if !self.eat(",") && !self.rest.starts_with(close) {
                return Err(self.error(&format!("expected , or {close}")));
            }
        }
    }

    fn string(&mut self) -> Result<String, SyntaxError> {
        let place = self.place();
        let bad = |message: String| SyntaxError { place, message };
        let end = string_end(self.rest).ok_or_else(|| bad("this string has no end".to_owned()))?;
        let text = self.take(end);
        serde_json::from_str(text).map_err(|e| bad(format!("bad string: {}", reason(&e))))
    }

    fn word(&mut self) -> Result<Value, SyntaxError> {
        let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let end = self.rest.find(|c| !inside(c)).unwrap_or(self.rest.len());
        let value = match &self.rest[..end] {
            "null" => Some(Value::Null),
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            number => number.parse::<Number>().ok().map(Value::Number),
        };
        let value = value.ok_or_else(|| self.error("expected a value"))?;
        self.take(end);
        Ok(value)
    }
}

/// The byte after the closing quote of the string that `text` starts with.
fn string_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

/// serde's words without its own idea of the place, which counts from the string's start.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(text: &str, want: Value) {
        assert_eq!(parse(text).map(|node| node.value()), Ok(want), "{text}");
    }

    fn check_error(text: &str, line: usize, column: usize, message: &str) {
        let place = Place { line, column };
        assert_eq!(parse(text), Err(SyntaxError { place, message: message.to_owned() }), "{text}");
    }

    #[test]
    fn comments_and_trailing_commas_are_welcome() {
        check("", json!({}));
        check("\u{feff}// nothing yet\n", json!({}));
        check(
            "{ /* a */ \"a\": [1, -2.5e3, true, null,], // b\n \"b\": {}, }",
            json!({"a": [1, -2.5e3, true, null], "b": {}}),
        );
        check(
            r#"{"url": "http://x/*no*/", "q": "a\"b\\", "u": "\u00e9\ud83c\udf15"}"#,
            json!({"url": "http://x/*no*/", "q": "a\"b\\", "u": "é🌕"}),
        );
    }

    #[test]
    fn an_error_names_its_place() {
        check_error("{\n  \"a\" 1\n}", 2, 7, "expected : after the key \"a\", found '1'");
        check_error("{\"é\": tru}", 1, 7, "expected a value, found 't'");
        check_error("{\"a\": 1 \"b\": 2}", 1, 9, "expected , or }, found '\"'");
        check_error("[1", 1, 3, "expected , or ], found the end of the file");
        check_error("{\"a\": \"x\n\"}", 1, 7, "this string has no end");
        check_error("{\"a\": \"\\q\"}", 1, 7, "bad string: invalid escape");
        check_error("/* x", 1, 1, "this comment has no end; add */");
        check_error("{} x", 1, 4, "expected the end of the file, found 'x'");
        check_error("{a: 1}", 1, 2, "expected a key in double quotes or }, found 'a'");
    }

    #[test]
    fn nesting_has_a_limit() {
        assert!(parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn values_know_where_they_stand() {
        let node = parse("{\n  \"a\": [\n    7\n  ]\n}").unwrap();
        let Kind::Object(members) = node.kind else { panic!() };
        let (_, key, list) = &members[0];
        let Kind::Array(items) = &list.kind else { panic!() };
        assert_eq!((key.line, list.place.column, items[0].place.line), (2, 8, 3));
    }
}
