//! Formats in JSON: cargo's messages (one object a line), eslint's and ruff's lists.

use serde_json::Value;

use crate::tools::check::diagnostic::{Diagnostic, Severity};

/// The diagnostics of JSON formats, and the lines that are none of them.
pub(super) fn taken<'a>(output: &'a str, source: &str) -> (Vec<Diagnostic>, Vec<&'a str>) {
    let (mut found, mut rest) = (Vec::new(), Vec::new());
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        if text.starts_with('{') && cargo(text, source, &mut found) {
            continue;
        }
        if text.starts_with('[')
            && let Some((list, length)) = first_value(from(output, text))
            && is_list_of_reports(&list)
        {
            found.extend(reports(&list, source));
            // The list may be written over many lines.
            let after = from(output, text).get(length..).unwrap_or_default();
            lines = after.lines();
            continue;
        }
        rest.push(line);
    }
    (found, rest)
}

/// The output from a part of it on.
fn from<'a>(output: &'a str, part: &str) -> &'a str {
    let start = (part.as_ptr() as usize).saturating_sub(output.as_ptr() as usize);
    output.get(start..).unwrap_or_default()
}

fn first_value(text: &str) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

/// `false`: the line is no message of cargo's.
fn cargo(line: &str, source: &str, found: &mut Vec<Diagnostic>) -> bool {
    let Ok(message) = serde_json::from_str::<Value>(line) else { return false };
    let Some(reason) = message["reason"].as_str() else { return false };
    if reason == "compiler-message" {
        found.extend(rustc(&message["message"], source));
    }
    true
}

fn rustc(message: &Value, source: &str) -> Option<Diagnostic> {
    let spans = message["spans"].as_array()?;
    let span = spans.iter().find(|span| span["is_primary"] == true).or(spans.first())?;
    let level = message["level"].as_str().unwrap_or_default();
    let label = span["label"].as_str().filter(|label| !label.is_empty());
    let text = message["message"].as_str()?;
    Some(Diagnostic {
        file: span["file_name"].as_str()?.to_owned(),
        line: span["line_start"].as_u64()?,
        column: span["column_start"].as_u64(),
        severity: Severity::parse(level).unwrap_or(Severity::Error),
        message: label.map_or_else(|| text.to_owned(), |label| format!("{text}: {label}")),
        code: message["code"]["code"].as_str().map(str::to_owned),
        source: source.to_owned(),
    })
}

fn is_list_of_reports(list: &Value) -> bool {
    let known = |it: &Value| it["messages"].is_array() || it["location"].is_object();
    list.as_array().is_some_and(|items| items.iter().all(known))
}

fn reports(list: &Value, source: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for item in list.as_array().into_iter().flatten() {
        match item["messages"].as_array() {
            Some(messages) => {
                found.extend(messages.iter().filter_map(|message| eslint(item, message, source)));
            }
            None => found.extend(ruff(item, source)),
        }
    }
    found
}

fn eslint(file: &Value, message: &Value, source: &str) -> Option<Diagnostic> {
    let is_error = message["severity"].as_u64() == Some(2) || message["fatal"] == true;
    Some(Diagnostic {
        file: file["filePath"].as_str()?.to_owned(),
        line: message["line"].as_u64().unwrap_or(1),
        column: message["column"].as_u64(),
        severity: if is_error { Severity::Error } else { Severity::Warning },
        message: message["message"].as_str()?.to_owned(),
        code: message["ruleId"].as_str().map(str::to_owned),
        source: source.to_owned(),
    })
}

fn ruff(item: &Value, source: &str) -> Option<Diagnostic> {
    let level = item["severity"].as_str().and_then(Severity::parse);
    Some(Diagnostic {
        file: item["filename"].as_str()?.to_owned(),
        line: item["location"]["row"].as_u64()?,
        column: item["location"]["column"].as_u64(),
        severity: level.unwrap_or(Severity::Error),
        message: item["message"].as_str()?.to_owned(),
        code: item["code"].as_str().map(str::to_owned),
        source: source.to_owned(),
    })
}
