//! The general limit of results (seed 001, "Truncation Implementation"): cuts fall on char
//! boundaries and never inside tags, lists lose whole elements, images are whole or an error.

use serde_json::Value;

use crate::ToolResult;

/// Bytes of a result, for tools without a limit of their own.
pub(super) const LIMIT: usize = 102_400;
/// Bytes of an image, before it is written in Base64.
const IMAGE_LIMIT: usize = 5 * 1024 * 1024;

pub(super) fn trimmed(result: ToolResult) -> ToolResult {
    match result {
        ToolResult::Done { result, track_files, review } => match value(result) {
            Ok(result) => ToolResult::Done { result, track_files, review },
            Err(message) => ToolResult::error(message),
        },
        ToolResult::Error { message, error_code, absolute_path } => {
            ToolResult::Error { message: text(message, LIMIT), error_code, absolute_path }
        }
        other => other,
    }
}

fn value(result: Value) -> Result<Value, String> {
    match result {
        Value::String(it) => Ok(Value::String(text(it, LIMIT))),
        Value::Array(items) => Ok(Value::Array(elements(items))),
        Value::Object(fields) if fields.get("type").is_some_and(|it| it == "image") => {
            image(Value::Object(fields))
        }
        object => Ok(longest_texts(object)),
    }
}

fn text(mut text: String, limit: usize) -> String {
    if text.len() <= limit {
        return text;
    }
    let size = text.len();
    text.truncate(cut(&text, limit));
    text.push_str(&notice(size));
    text
}

/// The words of seed 001.
fn notice(bytes: usize) -> String {
    let kilobytes = (bytes + 512) / 1024;
    format!("\n\n[Tool result truncated: {kilobytes}KB exceeds limit. Please refine the query.]")
}

/// The last place at or before `limit` that is a char boundary and not inside a tag.
fn cut(text: &str, limit: usize) -> usize {
    const LONGEST_TAG: usize = 128;
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let kept = &text[..end];
    match kept.rfind('<') {
        Some(open) if end - open < LONGEST_TAG && !kept[open..].contains('>') => open,
        _ => end,
    }
}

fn elements(items: Vec<Value>) -> Vec<Value> {
    let mut size = 2;
    let fits = |item: &Value| {
        size += bytes(item) + 1;
        size <= LIMIT
    };
    let count = items.len();
    let mut kept: Vec<Value> = items.into_iter().take_while(fits).collect();
    let left = count - kept.len();
    if left > 0 {
        let notice = format!(
            "[Tool result truncated: {left} of {count} elements left out. Please refine the query.]"
        );
        kept.push(notice.into());
    }
    kept
}

fn image(image: Value) -> Result<Value, String> {
    let data = image.get("data").and_then(Value::as_str).map_or(0, str::len);
    if data / 4 * 3 <= IMAGE_LIMIT {
        return Ok(image);
    }
    Err("The image is larger than 5 MB; make it smaller and try again.".to_owned())
}

/// Cuts the longest text in an object until all of it fits.
fn longest_texts(mut object: Value) -> Value {
    for _ in 0..8 {
        let excess = bytes(&object).saturating_sub(LIMIT);
        let Some(longest) = (excess > 0).then(|| longest(&mut object)).flatten() else { break };
        let keep = longest.len().saturating_sub(excess + notice(longest.len()).len());
        *longest = text(std::mem::take(longest), keep);
    }
    object
}

fn longest(value: &mut Value) -> Option<&mut String> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(items) => items.iter_mut().filter_map(longest).max_by_key(|it| it.len()),
        Value::Object(fields) => fields.values_mut().filter_map(longest).max_by_key(|it| it.len()),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// How long it is as JSON.
fn bytes(value: &Value) -> usize {
    value.to_string().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn done(result: Value) -> Value {
        match trimmed(ToolResult::done(result)) {
            ToolResult::Done { result, .. } => result,
            ToolResult::Error { message, .. } => panic!("{message}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_fits_stays() {
        for fits in [json!("a"), json!(["a"]), json!({"a": "b"}), json!(1), Value::Null] {
            assert_eq!(done(fits.clone()), fits);
        }
        let all = json!("x".repeat(LIMIT));
        assert_eq!(done(all.clone()), all);
    }

    #[test]
    fn the_words_of_seed_001() {
        let long = "x".repeat(LIMIT + 1);
        let want = format!(
            "{}\n\n[Tool result truncated: 100KB exceeds limit. Please refine the query.]",
            "x".repeat(LIMIT)
        );
        assert_eq!(done(json!(long)), json!(want));
        assert!(notice(153_600).contains("150KB"));
    }

    #[test]
    fn cuts_split_no_char_and_no_tag() {
        assert_eq!(cut("aé", 2), 1);
        assert_eq!(cut("a<output>b", 4), 1);
        assert_eq!(cut("a<b>c", 4), 4);
        assert_eq!(cut("日本", 1), 0);
    }

    #[test]
    fn lists_lose_whole_elements_and_say_how_many() {
        let kept = done(json!(vec!["x".repeat(1000); 200]));
        let kept = kept.as_array().unwrap();
        assert_eq!(kept.len(), 103);
        let left = "[Tool result truncated: 98 of 200 elements left out. Please refine the query.]";
        assert_eq!(kept[102], left);
    }

    #[test]
    fn images_are_whole_or_an_error() {
        let image = |len: usize| json!({"type": "image", "data": "A".repeat(len)});
        assert_eq!(done(image(1_000_000)), image(1_000_000));
        let result = trimmed(ToolResult::done(image(8 * 1024 * 1024)));
        assert_eq!(result.status(), crate::ToolStatus::Error);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn objects_fit_afterwards(
            a in "[a-zé\"\n<]{0,50}", n in 0usize..8000, b in "[a-zé\"\n<]{0,50}", m in 0usize..8000,
        ) {
            let got = done(json!({"a": a.repeat(n), "b": [b.repeat(m)], "c": 1}));
            prop_assert!(bytes(&got) <= LIMIT, "{}", bytes(&got));
            prop_assert_eq!(&got["c"], &json!(1));
        }
    }
}
