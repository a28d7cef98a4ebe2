//! `redline tools list` and `redline tools show`.

use std::process::ExitCode;

use redline_tools::{Dialect, ToolSpec, builtin};
use serde_json::{Value, json};

use super::{error, print};

/// Prints what a model of that dialect is offered.
pub fn list(dialect: Dialect, as_json: bool) -> ExitCode {
    let registry = builtin();
    let specs = registry.offered(dialect);
    print(&if as_json { json_line(&specs) } else { table(&specs) });
    ExitCode::SUCCESS
}

/// Prints one tool.
pub fn show(name: &str, dialect: Dialect) -> ExitCode {
    let registry = builtin();
    match registry.resolve(name, dialect) {
        Some(tool) => {
            print(&page(&tool.spec));
            ExitCode::SUCCESS
        }
        None => {
            error(&unknown(name, &registry.offered(dialect)));
            ExitCode::FAILURE
        }
    }
}

fn unknown(name: &str, offered: &[&ToolSpec]) -> String {
    let names: Vec<&str> = offered.iter().map(|spec| spec.name.as_str()).collect();
    format!("there is no tool called {name:?}; there are {}", names.join(", "))
}

fn json_line(specs: &[&ToolSpec]) -> String {
    let tool = |spec: &&ToolSpec| {
        json!({
            "name": spec.name,
            "description": spec.description,
            "inputSchema": spec.input_schema,
            "source": spec.source.name(),
        })
    };
    format!("{}\n", specs.iter().map(tool).collect::<Value>())
}

fn table(specs: &[&ToolSpec]) -> String {
    let width = specs.iter().map(|spec| spec.name.len()).max().unwrap_or(0);
    let row = |spec: &&ToolSpec| format!("{:width$}  {}\n", spec.name, summary(&spec.description));
    specs.iter().map(row).collect()
}

/// The first sentence, or the first line where that ends earlier.
fn summary(description: &str) -> &str {
    let line = description.trim().lines().next().unwrap_or_default();
    line.find(". ").map_or(line, |at| &line[..=at])
}

/// A tool's description and arguments, for people.
pub fn page(spec: &ToolSpec) -> String {
    let mut out = format!("{}\n\n{}\n", spec.name, spec.description.trim());
    let arguments = arguments(&spec.input_schema);
    if !arguments.is_empty() {
        out += "\nArguments\n";
        out += &arguments;
    }
    out + &format!("\nCall it: redline tools use {}{}\n", spec.name, example(&spec.input_schema))
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|n| n == name))
}

fn arguments(schema: &Value) -> String {
    let text = |(name, property): (&String, &Value)| {
        let kind = property.get("type").and_then(Value::as_str).unwrap_or("any");
        let need = if is_required(schema, name) { ", required" } else { "" };
        let about = property.get("description").and_then(Value::as_str).unwrap_or_default();
        format!("  --{name}  ({kind}{need})\n      {}\n", about.replace('\n', "\n      "))
    };
    properties(schema).map(text).collect()
}

fn example(schema: &Value) -> String {
    let names = properties(schema).map(|(name, _)| name).filter(|name| is_required(schema, name));
    names.map(|name| format!(" --{name} …")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_how_to_call_the_tool() {
        let registry = builtin();
        let page = page(&registry.resolve("edit_file", Dialect::Amp).unwrap().spec);
        assert!(page.starts_with("edit_file\n"), "{page}");
        assert!(page.contains("  --old_str  (string, required)\n"), "{page}");
        let call = "Call it: redline tools use edit_file --path … --old_str … --new_str …\n";
        assert!(page.ends_with(call), "{page}");
    }

    #[test]
    fn the_list_is_one_json_line() {
        let registry = builtin();
        let line = json_line(&registry.offered(Dialect::Amp));
        let tools: Vec<Value> = serde_json::from_str(&line).unwrap();
        let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
        for name in ["Read", "edit_file", "create_file", "Bash"] {
            assert!(names.contains(&name), "{names:?}");
        }
        assert_eq!(line.matches('\n').count(), 1);
    }

    #[test]
    fn a_summary_is_one_sentence() {
        assert_eq!(summary("Reads. And more."), "Reads.");
        assert_eq!(summary("One line\nTwo"), "One line");
        assert_eq!(summary(""), "");
    }
}
