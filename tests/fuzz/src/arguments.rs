//! Strategies for calls of tools, made from their schemas: mostly what a schema asks for, sometimes not.

use proptest::{collection::vec, prelude::*, sample::select, strategy::Union};
use redline_tools::{Dialect, Registry, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

/// Stands for the workspace's folder in a text.
pub const ROOT: &str = "${root}";

/// A call, and the dialect that it is made in.
pub fn call(registry: &Registry) -> impl Strategy<Value = (Dialect, ToolCall)> + use<> {
    let calls = registry.specs().map(|spec| {
        let (name, dialect) = (spec.name.clone(), spec.dialect.unwrap_or(Dialect::Amp));
        let call = move |args| (dialect, ToolCall { id: String::new(), name: name.clone(), args });
        arguments(spec).prop_map(call).boxed()
    });
    Union::new(calls)
}

fn arguments(spec: &ToolSpec) -> BoxedStrategy<Value> {
    prop_oneof![60 => object(&spec.input_schema), 1 => anything()].boxed()
}

/// Required members are mostly there, others sometimes.
fn object(schema: &Value) -> BoxedStrategy<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let known = schema["properties"].as_object().cloned().unwrap_or_default();
    let member = |(name, property): (String, Value)| {
        let often = if required.iter().any(|it| *it == name) { 0.97 } else { 0.3 };
        let value = prop_oneof![40 => one(&name, &property), 1 => anything()];
        (Just(name), proptest::option::weighted(often, value))
    };
    let members: Vec<_> = known.into_iter().map(member).collect();
    let made = |members: Vec<(String, Option<Value>)>| {
        let given = members.into_iter().filter_map(|(name, value)| Some((name, value?)));
        Value::Object(given.collect::<Map<_, _>>())
    };
    members.prop_map(made).boxed()
}

fn one(name: &str, schema: &Value) -> BoxedStrategy<Value> {
    if let Some(options) = schema["enum"].as_array() {
        return select(options.clone()).boxed();
    }
    match schema["type"].as_str() {
        Some("string") => text(name).prop_map(Value::from).boxed(),
        Some("number" | "integer") => number(),
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("array") => vec(one(name, &schema["items"]), 0..4).prop_map(Value::from).boxed(),
        Some("object") => object(schema),
        _ => anything(),
    }
}

const PATHS: [&str; 14] = [
    "a.txt",
    "b/c.txt",
    "new.txt",
    "b/new/x.rs",
    "b",
    "",
    ".",
    "..",
    "b/../a.txt",
    "empty",
    "crlf.txt",
    "missing",
    ".env",
    "Cargo.toml",
];

const TEXTS: [&str; 20] = [
    "one",
    "two",
    "three\n",
    "one\ntwo",
    "",
    " ",
    "\n",
    "é",
    "日本語",
    "x.*",
    "**/*",
    "*.{txt,rs}",
    "(",
    "[a-",
    "plan-001",
    "task-1",
    "T-fuzz",
    "true",
    "a\tb",
    "\u{feff}one\r\n",
];

fn text(name: &str) -> BoxedStrategy<String> {
    let places = select(PATHS.to_vec());
    let place = (any::<bool>(), places).prop_map(|(from_root, place)| {
        if from_root { format!("{ROOT}/{place}") } else { place.to_owned() }
    });
    let words = select(TEXTS.to_vec()).prop_map(str::to_owned);
    let [paths, others] =
        if name.contains("path") || name.ends_with("dir") { [12, 1] } else { [1, 8] };
    prop_oneof![paths => place, others => words, 1 => ".{0,24}", 1 => "\\PC{0,60}"].boxed()
}

fn number() -> BoxedStrategy<Value> {
    let usual = [json!(0), json!(1), json!(2), json!(3), json!(50), json!(0.5), json!(1.0)];
    let odd = [json!(-1), json!(i64::MIN), json!(u64::MAX), json!(1e308), json!(-0.0), json!(2500)];
    prop_oneof![4 => select(usual.to_vec()), 1 => select(odd.to_vec())].boxed()
}

fn anything() -> BoxedStrategy<Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    let deeper = |inner: BoxedStrategy<Value>| {
        let pairs = vec((".{0,4}", inner.clone()), 0..3);
        let object = pairs.prop_map(|pairs| Value::Object(pairs.into_iter().collect()));
        prop_oneof![vec(inner, 0..3).prop_map(Value::from), object]
    };
    scalar.prop_recursive(3, 12, 3, deeper).boxed()
}

/// The call with the folder in its texts, and an id.
pub fn placed(mut call: ToolCall, root: &str, id: String) -> ToolCall {
    replace(&mut call.args, root);
    ToolCall { id, ..call }
}

fn replace(value: &mut Value, root: &str) {
    match value {
        Value::String(text) if text.contains(ROOT) => *text = text.replace(ROOT, root),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, root)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace(field, root)),
        _ => {}
    }
}
