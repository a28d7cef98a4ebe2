//! Arguments made from a schema, for tests that walk the registry: so that no new tool is forgotten.

use std::path::Path;

use serde_json::{Map, Value, json};

/// Arguments that a tool of this schema takes, optional ones left out. Paths are those of files that
/// the walking tests make: `a.txt` in `root`.
pub(crate) fn plausible(schema: &Value, root: &Path) -> Value {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let fields = required.filter_map(Value::as_str).map(|name| {
        let property = &schema["properties"][name];
        (name.to_owned(), one(name, property, root))
    });
    Value::Object(fields.collect::<Map<_, _>>())
}

/// A value for one argument.
pub(crate) fn one(name: &str, property: &Value, root: &Path) -> Value {
    if let Some(first) = property.get("enum").and_then(|options| options.get(0)) {
        return first.clone();
    }
    match property.get("type").and_then(Value::as_str) {
        Some("string") => text(name, root).into(),
        Some("number" | "integer") => json!(1),
        Some("boolean") => json!(false),
        Some("array") => {
            let count = property.get("minItems").and_then(Value::as_u64).unwrap_or(1);
            let item = one(name, &property["items"], root);
            Value::Array((0..count).map(|_| item.clone()).collect())
        }
        Some("object") => plausible(property, root),
        _ => Value::Null,
    }
}

fn text(name: &str, root: &Path) -> String {
    let at = |file: &str| root.join(file).display().to_string();
    match name {
        "path" | "file_path" => at("a.txt"),
        "cwd" | "working_dir" => root.display().to_string(),
        "cmd" | "command" => "true".to_owned(),
        "old_str" | "old_string" => "one".to_owned(),
        "new_str" | "new_string" => "two".to_owned(),
        "url" => "http://127.0.0.1:9/".to_owned(),
        _ => "a".to_owned(),
    }
}
