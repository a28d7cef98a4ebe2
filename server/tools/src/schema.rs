//! The part of JSON Schema that tools use: `type` (one or several), `properties`, `required`,
//! `additionalProperties: false`, `items`, `minItems`, `maxItems`, `enum`. Anything else in a schema
//! is for the model's eyes only.

use std::fmt;

use serde_json::{Map, Value};

/// Arguments that fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Validated {
    /// The arguments that the schema knows.
    pub args: Value,
    /// Names that it does not know: left out of `args`.
    pub ignored: Vec<String>,
}

/// The first thing that does not fit: which field, what it should be, what came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// A value of another kind.
    #[error("{field} must be {expected}, but is {got}")]
    Wrong {
        /// A path such as `edits[2].old_str`.
        field: Field,
        /// In words.
        expected: String,
        /// In words.
        got: String,
    },
    /// A value that must be there.
    #[error("{field} is missing; it must be {expected}")]
    Missing {
        /// See `Wrong`.
        field: Field,
        /// See `Wrong`.
        expected: String,
    },
    /// A name that the schema forbids.
    #[error("{field} is no argument of this tool; it takes {known}")]
    Unknown {
        /// See `Wrong`.
        field: Field,
        /// The names that it takes.
        known: String,
    },
}

/// The place of a value: empty for the arguments as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field(String);

impl Field {
    fn member(&self, name: &str) -> Field {
        if self.0.is_empty() { Field(name.to_owned()) } else { Field(format!("{}.{name}", self.0)) }
    }

    fn item(&self, index: usize) -> Field {
        Field(format!("{}[{index}]", self.0))
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("the arguments") } else { write!(f, "\"{}\"", self.0) }
    }
}

/// Checks arguments against a schema. An optional argument that is null counts as not given; one
/// that the schema does not know is left out and named, unless the schema forbids it.
///
/// # Errors
/// The first thing that does not fit.
pub fn validate(args: &Value, schema: &Value) -> Result<Validated, SchemaError> {
    let mut ignored = Vec::new();
    let Value::Object(given) = args else {
        return Err(wrong(&Field::default(), "an object", args));
    };
    check_object(given, schema, &Field::default())?;
    let known = schema.get("properties").and_then(Value::as_object);
    let mut kept = Map::new();
    for (name, value) in given {
        match known {
            Some(known) if !known.contains_key(name) => ignored.push(name.clone()),
            _ if value.is_null() && !required(schema).any(|it| it == name) => {}
            _ => drop(kept.insert(name.clone(), value.clone())),
        }
    }
    Ok(Validated { args: Value::Object(kept), ignored })
}

fn check(value: &Value, schema: &Value, field: &Field) -> Result<(), SchemaError> {
    if !kinds(schema).is_empty() && !kinds(schema).iter().any(|kind| is(value, kind)) {
        return Err(wrong(field, &expected(schema), value));
    }
    if let Some(options) = schema.get("enum").and_then(Value::as_array)
        && !options.contains(value)
    {
        return Err(wrong(field, &expected(schema), value));
    }
    match value {
        Value::Object(fields) => check_object(fields, schema, field),
        Value::Array(items) => check_array(items, value, schema, field),
        _ => Ok(()),
    }
}

fn check_object(
    fields: &Map<String, Value>,
    schema: &Value,
    field: &Field,
) -> Result<(), SchemaError> {
    let empty = Map::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    for name in required(schema) {
        if !fields.contains_key(name) {
            let expected = known.get(name).map_or("given".to_owned(), expected);
            return Err(SchemaError::Missing { field: field.member(name), expected });
        }
    }
    for (name, value) in fields {
        match known.get(name) {
            Some(_) if value.is_null() && !required(schema).any(|it| it == name) => {}
            Some(schema) => check(value, schema, &field.member(name))?,
            None if schema.get("additionalProperties") == Some(&Value::Bool(false)) => {
                let known = known.keys().cloned().collect::<Vec<_>>().join(", ");
                return Err(SchemaError::Unknown { field: field.member(name), known });
            }
            None => {}
        }
    }
    Ok(())
}

fn check_array(
    items: &[Value],
    value: &Value,
    schema: &Value,
    field: &Field,
) -> Result<(), SchemaError> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
    let len = items.len() as u64;
    if bound("minItems").is_some_and(|min| len < min) || bound("maxItems").is_some_and(|m| len > m)
    {
        return Err(wrong(field, &expected(schema), value));
    }
    let Some(schema) = schema.get("items") else { return Ok(()) };
    items.iter().enumerate().try_for_each(|(i, item)| check(item, schema, &field.item(i)))
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn kinds(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// A kind that we do not know fits: schemas of others may be newer than we are.
fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => is_integer(value),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
}

fn expected(schema: &Value) -> String {
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        let options: Vec<String> = options.iter().map(Value::to_string).collect();
        return format!("one of {}", options.join(", "));
    }
    let kinds: Vec<String> = kinds(schema).into_iter().map(|kind| in_words(kind, schema)).collect();
    if kinds.is_empty() { "given".to_owned() } else { kinds.join(" or ") }
}

fn in_words(kind: &str, schema: &Value) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    if kind != "array" {
        return format!("{article} {kind}");
    }
    let of = schema.get("items").map(kinds).unwrap_or_default().join(" or ");
    let of = if of.is_empty() { "value".to_owned() } else { of };
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
    let count = match (bound("minItems"), bound("maxItems")) {
        (Some(min), Some(max)) if min == max => format!("{min} "),
        (Some(min), Some(max)) => format!("{min} to {max} "),
        (Some(min), None) => format!("at least {min} "),
        (None, Some(max)) => format!("at most {max} "),
        (None, None) => String::new(),
    };
    format!("an array of {count}{of}s")
}

fn wrong(field: &Field, expected: &str, got: &Value) -> SchemaError {
    let (field, expected) = (field.clone(), expected.to_owned());
    SchemaError::Wrong { field, expected, got: describe(got) }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(it) => format!("the boolean {it}"),
        Value::Number(it) => format!("the number {it}"),
        Value::String(it) => format!("the string {:?}", shortened(it)),
        Value::Array(items) if items.len() == 1 => "an array of 1 element".to_owned(),
        Value::Array(items) => format!("an array of {} elements", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn shortened(text: &str) -> String {
    const LIMIT: usize = 40;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
