use super::*;
use proptest::prelude::*;
use serde_json::json;

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "read_range": {
                "type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2
            },
            "replace_all": {"type": "boolean", "default": false},
            "count": {"type": "integer"},
            "mode": {"enum": ["a", "b"]},
            "either": {"type": ["string", "null"]},
            "edits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"old": {"type": "string"}},
                    "required": ["old"],
                    "additionalProperties": false
                }
            }
        },
        "required": ["path"]
    })
}

fn check(args: Value, want: &str) {
    match validate(&args, &schema()) {
        Ok(fits) => panic!("{args} fits: {fits:?}"),
        Err(error) => assert_eq!(error.to_string(), want),
    }
}

#[test]
fn errors_name_the_field_what_it_should_be_and_what_came() {
    check(json!("x"), r#"the arguments must be an object, but is the string "x""#);
    check(json!({}), r#""path" is missing; it must be a string"#);
    check(json!({"path": 7}), r#""path" must be a string, but is the number 7"#);
    check(json!({"path": null}), r#""path" must be a string, but is null"#);
    let with = |name: &str, value: Value| json!({"path": "p", name: value});
    check(
        with("replace_all", json!("yes")),
        r#""replace_all" must be a boolean, but is the string "yes""#,
    );
    check(with("count", json!(1.5)), r#""count" must be an integer, but is the number 1.5"#);
    check(with("mode", json!("c")), r#""mode" must be one of "a", "b", but is the string "c""#);
    check(with("either", json!(1)), r#""either" must be a string or a null, but is the number 1"#);
    let range = r#""read_range" must be an array of 2 numbers, but is "#;
    check(with("read_range", json!("1-2")), &format!("{range}the string \"1-2\""));
    check(with("read_range", json!([1])), &format!("{range}an array of 1 element"));
    check(with("read_range", json!([1, 2, 3])), &format!("{range}an array of 3 elements"));
    check(
        with("read_range", json!([1, "2"])),
        r#""read_range[1]" must be a number, but is the string "2""#,
    );
    check(with("edits", json!([{}])), r#""edits[0].old" is missing; it must be a string"#);
    check(
        with("edits", json!([{"old": "", "x": 1}])),
        r#""edits[0].x" is no argument of this tool; it takes old"#,
    );
    let long = "é".repeat(50);
    let shown = "é".repeat(40);
    check(
        with("count", json!(long)),
        &format!("\"count\" must be an integer, but is the string \"{shown}…\""),
    );
}

#[test]
fn what_the_schema_does_not_know_is_left_out_and_named() {
    let args = json!({"path": "p", "frob": 1, "count": 2.0, "mode": null, "either": null});
    let fits = validate(&args, &schema()).unwrap();
    assert_eq!(fits.args, json!({"path": "p", "count": 2.0}));
    assert_eq!(fits.ignored, ["frob"]);
}

#[test]
fn a_schema_without_properties_takes_everything() {
    let fits = validate(&json!({"x": 1}), &json!({"type": "object"})).unwrap();
    assert_eq!(fits, Validated { args: json!({"x": 1}), ignored: vec![] });
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-zé]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let name = "path|read_range|type|items|properties|required|edits|enum|minItems";
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((name, inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_arguments_and_no_schema_can_panic(args in any_json(), schema in any_json()) {
        let _ = validate(&args, &schema).map_err(|error| error.to_string());
    }
}
