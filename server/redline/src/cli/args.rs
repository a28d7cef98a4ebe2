//! The words behind `redline tools use`: our options, and the tool's own arguments by its schema.

use std::io::Read;

use redline_tools::Dialect;
use serde_json::{Map, Value};

use crate::terminal::ColorChoice;

/// One call, as it was written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Words {
    /// The tool.
    pub name: String,
    /// The family; `None`: the settings'.
    pub dialect: Option<Dialect>,
    /// The whole result as one JSON line.
    pub json: bool,
    /// Answer asks with yes, accept hunks.
    pub yes: bool,
    /// Print only this field of the result.
    pub only: Option<String>,
    /// Show the tool instead of calling it.
    pub help: bool,
    /// When to use colours, if it was said behind the name.
    pub color: Option<ColorChoice>,
    /// Where the arguments come from.
    pub input: Input,
}

/// Where a call's arguments come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// `--ARG VALUE`, in order; an argument without a value is a switch.
    Pairs(Vec<(String, Option<String>)>),
    /// A file with a JSON object; `-` is stdin.
    File(String),
}

impl Default for Input {
    fn default() -> Self {
        Input::Pairs(Vec::new())
    }
}

/// Words that make no call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgsError {
    /// Nothing to call.
    #[error("name the tool to call; `redline tools list` shows them")]
    NoName,
    /// Neither an option nor its value.
    #[error("{0:?} is not expected here; arguments are written --NAME VALUE")]
    Stray(String),
    /// An option at the end.
    #[error("--{0} needs a value")]
    NoValue(&'static str),
    /// An option with something that it does not know.
    #[error("--{option}: {reason}")]
    Value {
        /// The option.
        option: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// Two sources of arguments.
    #[error("use either --input or single arguments, not both")]
    Both,
    /// An argument twice that is not a list.
    #[error("--{0} is given twice; only lists can be")]
    Twice(String),
    /// A value of another type.
    #[error("--{name}: expected {expected}, got {got:?}")]
    Type {
        /// The argument.
        name: String,
        /// A JSON Schema type.
        expected: String,
        /// What was written.
        got: String,
    },
    /// `--input` holds something else.
    #[error("--input {source_name}: {reason}")]
    Input {
        /// The file's name.
        source_name: String,
        /// What is wrong.
        reason: String,
    },
}

impl Words {
    /// Reads the words.
    ///
    /// # Errors
    /// See [`ArgsError`].
    pub fn parse(words: &[String]) -> Result<Self, ArgsError> {
        let mut call = Self::default();
        let mut pairs = Vec::new();
        let mut file = None;
        let mut words = words.iter().cloned().peekable();
        while let Some(word) = words.next() {
            let long = word.strip_prefix("--").filter(|rest| !rest.is_empty());
            let Some(option) = long.or_else(|| is_short(&word).then_some(word.as_str())) else {
                match word.as_str() {
                    "-h" => call.help = true,
                    _ if call.name.is_empty() && !word.starts_with('-') => call.name = word,
                    _ => return Err(ArgsError::Stray(word)),
                }
                continue;
            };
            let (name, mut value) = match option.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (option.to_owned(), None),
            };
            let mut take =
                |name| value.take().or_else(|| words.next()).ok_or(ArgsError::NoValue(name));
            match name.as_str() {
                "json" => call.json = true,
                "yes" => call.yes = true,
                "help" => call.help = true,
                "only" => call.only = Some(take("only")?),
                "dialect" => call.dialect = Some(known("dialect", &take("dialect")?)?),
                "color" => call.color = Some(color(&take("color")?)?),
                "input" => file = Some(take("input")?),
                _ => {
                    let value = value.or_else(|| words.next_if(|next| is_value(&name, next)));
                    pairs.push((name, value));
                }
            }
        }
        call.input = match file {
            Some(_) if !pairs.is_empty() => return Err(ArgsError::Both),
            Some(file) => Input::File(file),
            None => Input::Pairs(pairs),
        };
        if call.name.is_empty() { Err(ArgsError::NoName) } else { Ok(call) }
    }
}

/// Some tools have arguments such as `-A`, whose name has the dash. `-h` is ours.
fn is_short(word: &str) -> bool {
    let mut chars = word.chars();
    let is_dash = chars.next() == Some('-');
    let is_letter = chars.next().is_some_and(|c| c.is_ascii_alphabetic() && c != 'h');
    is_dash && is_letter && matches!(chars.next(), None | Some('='))
}

/// Whether the next word is the value of an argument, and not the next argument. Behind a short one
/// a word with a dash is only if it is a number.
fn is_value(name: &str, next: &str) -> bool {
    if name.starts_with('-') {
        return !next.starts_with('-') || next.parse::<f64>().is_ok();
    }
    !next.starts_with("--")
}

fn known<T>(option: &'static str, text: &str) -> Result<T, ArgsError>
where
    T: std::str::FromStr<Err: ToString>,
{
    text.parse().map_err(|e: T::Err| ArgsError::Value { option, reason: e.to_string() })
}

fn color(text: &str) -> Result<ColorChoice, ArgsError> {
    <ColorChoice as clap::ValueEnum>::from_str(text, false).map_err(|_| ArgsError::Value {
        option: "color",
        reason: format!("{text:?} is not auto, always or never"),
    })
}

/// The arguments as the tool's schema has them: numbers, truth values, lists (an argument given
/// several times, or JSON) and objects (JSON). What the schema does not know stays text.
///
/// # Errors
/// A value of another type, or one given twice.
pub fn typed(pairs: &[(String, Option<String>)], schema: &Value) -> Result<Value, ArgsError> {
    let mut args = Map::new();
    for (name, text) in pairs {
        let property = schema.get("properties").and_then(|all| all.get(name));
        let kind = property.and_then(|p| p.get("type")).and_then(Value::as_str);
        let value = match kind {
            Some("array") => list(name, text.as_deref(), property, args.remove(name))?,
            _ if args.contains_key(name) => return Err(ArgsError::Twice(name.clone())),
            kind => single(name, text.as_deref(), kind)?,
        };
        args.insert(name.clone(), value);
    }
    Ok(Value::Object(args))
}

fn list(
    name: &str,
    text: Option<&str>,
    property: Option<&Value>,
    before: Option<Value>,
) -> Result<Value, ArgsError> {
    let mut items = match before {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    };
    match text.map(serde_json::from_str) {
        Some(Ok(Value::Array(more))) => items.extend(more),
        _ => {
            let kind = property.and_then(|p| p.get("items")?.get("type")?.as_str());
            items.push(single(name, text, kind)?);
        }
    }
    Ok(Value::Array(items))
}

fn single(name: &str, text: Option<&str>, kind: Option<&str>) -> Result<Value, ArgsError> {
    let wrong = |expected: &str, got: &str| ArgsError::Type {
        name: name.to_owned(),
        expected: expected.to_owned(),
        got: got.to_owned(),
    };
    match (kind, text) {
        (Some("boolean") | None, None) => Ok(Value::Bool(true)),
        (Some(kind), None) => Err(wrong(kind, "nothing")),
        (Some(kind @ ("number" | "integer" | "boolean" | "object")), Some(text)) => {
            let value = serde_json::from_str(text).ok().filter(|value| fits(value, kind));
            value.ok_or_else(|| wrong(kind, text))
        }
        (_, Some(text)) => Ok(Value::String(text.to_owned())),
    }
}

fn fits(value: &Value, kind: &str) -> bool {
    match kind {
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => value.is_number(),
    }
}

/// The text behind `--input`.
///
/// # Errors
/// If it cannot be read.
pub fn read_input(name: &str) -> Result<String, ArgsError> {
    let mut text = String::new();
    let read = match name {
        "-" => std::io::stdin().read_to_string(&mut text).map(|_| text),
        file => std::fs::read_to_string(file),
    };
    read.map_err(|e| ArgsError::Input { source_name: name.to_owned(), reason: e.to_string() })
}

/// The arguments in a JSON text.
///
/// # Errors
/// If it is not a JSON object.
pub fn from_json(text: &str, source_name: &str) -> Result<Value, ArgsError> {
    let wrong = |reason: String| ArgsError::Input { source_name: source_name.to_owned(), reason };
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(other) => Err(wrong(format!("expected a JSON object, got {other}"))),
        Err(e) => Err(wrong(format!("not JSON: {e}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(words: &str) -> Result<Words, ArgsError> {
        Words::parse(&words.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_and_arguments_may_be_mixed() {
        let got = parse("--json edit_file --path a --yes --old_str=-x=1 --new_str -- --only diff");
        // `--` alone is no option here, and a value may start with one dash only.
        assert_eq!(got, Err(ArgsError::Stray("--".to_owned())));
        let got =
            parse("--json edit_file --path a --yes --old_str=-x=1 --new_str -y --all").unwrap();
        let pair = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        let pairs = vec![
            pair("path", Some("a")),
            pair("old_str", Some("-x=1")),
            pair("new_str", Some("-y")),
            pair("all", None),
        ];
        assert_eq!(got.input, Input::Pairs(pairs));
        assert!(got.json && got.yes && !got.help);
        assert_eq!(got.name, "edit_file");
    }

    #[test]
    fn arguments_whose_name_has_a_dash() {
        let got = parse("grep --dialect agent-air --pattern -x -i -A 3 -C=-1 -n false -B -1 -i");
        let pair = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        let pairs = vec![
            pair("pattern", Some("-x")),
            pair("-i", None),
            pair("-A", Some("3")),
            pair("-C", Some("-1")),
            pair("-n", Some("false")),
            pair("-B", Some("-1")),
            pair("-i", None),
        ];
        assert_eq!(got.unwrap().input, Input::Pairs(pairs));
        let schema = json!({"properties": {"-A": {"type": "integer"}, "-i": {"type": "boolean"}}});
        let own = |pairs: Vec<(String, Option<String>)>| typed(&pairs, &schema);
        assert_eq!(own(vec![pair("-A", Some("3"))]), Ok(json!({"-A": 3})));
        assert_eq!(own(vec![pair("-i", None)]), Ok(json!({"-i": true})));
        assert!(parse("grep -h").unwrap().help);
        assert_eq!(parse("grep -xy"), Err(ArgsError::Stray("-xy".into())));
    }

    #[test]
    fn what_makes_no_call() {
        assert_eq!(parse("--json"), Err(ArgsError::NoName));
        assert_eq!(parse("Read a b"), Err(ArgsError::Stray("a".into())));
        assert_eq!(parse("Read --only"), Err(ArgsError::NoValue("only")));
        assert_eq!(parse("Read --input - --path x"), Err(ArgsError::Both));
        assert!(parse("Read --dialect x").is_err_and(|e| e.to_string().contains("amplifier")));
        assert!(parse("Read --color x").is_err());
        assert_eq!(parse("Read --input -").unwrap().input, Input::File("-".into()));
    }

    #[test]
    fn values_get_the_type_that_the_schema_has() {
        let schema = json!({"properties": {
            "path": {"type": "string"}, "limit": {"type": "number"}, "n": {"type": "integer"},
            "all": {"type": "boolean"}, "range": {"type": "array", "items": {"type": "number"}},
            "map": {"type": "object"},
        }});
        let check = |pairs: &[(&str, Option<&str>)], want: Result<Value, &str>| {
            let own = |(name, value): &(&str, Option<&str>)| {
                ((*name).to_owned(), value.map(str::to_owned))
            };
            let pairs: Vec<_> = pairs.iter().map(own).collect();
            let got = typed(&pairs, &schema).map_err(|e| e.to_string());
            assert_eq!(got, want.map_err(str::to_owned));
        };
        check(&[("path", Some("5")), ("limit", Some("5"))], Ok(json!({"path": "5", "limit": 5})));
        check(&[("all", None)], Ok(json!({"all": true})));
        check(&[("all", Some("false"))], Ok(json!({"all": false})));
        check(&[("range", Some("1")), ("range", Some("9"))], Ok(json!({"range": [1, 9]})));
        check(&[("range", Some("[1, 9]"))], Ok(json!({"range": [1, 9]})));
        check(&[("map", Some("{\"a\":1}"))], Ok(json!({"map": {"a": 1}})));
        check(&[("other", Some("x"))], Ok(json!({"other": "x"})));
        check(&[("n", Some("1.5"))], Err("--n: expected integer, got \"1.5\""));
        check(&[("path", None)], Err("--path: expected string, got \"nothing\""));
        let twice = "--path is given twice; only lists can be";
        check(&[("path", Some("a")), ("path", Some("b"))], Err(twice));
    }

    #[test]
    fn input_is_an_object() {
        assert_eq!(from_json("{\"a\": 1}", "-"), Ok(json!({"a": 1})));
        let text = |result: Result<Value, ArgsError>| result.unwrap_err().to_string();
        assert_eq!(text(from_json("[]", "f")), "--input f: expected a JSON object, got []");
        assert!(text(from_json("{", "-")).starts_with("--input -: not JSON: EOF"));
    }
}
