//! docs/tools.md, made from the registry: `cargo xtask docs` writes it, and a test compares.

use std::{fmt::Write, path::PathBuf};

use expect_test::expect_file;
use redline_permissions::{Action, Call, Context, Policy, ResolvedPath};
use serde_json::{Map, Value, json};

use crate::{
    Access, Dialect, Registry, Resource, ResourceKey, ToolDefinition, builtin,
    dialect::{aliases, ruled, ruled_name, ruled_names},
    samples,
};

const INTRODUCTION: &str = "\
<!-- Made by `cargo xtask docs` from the registry. Do not edit. -->
# Tools

A model is offered the tools of one dialect (`redline.dialect`: `amp`, `agent-air`, `amplifier`); a tool that a dialect
lacks comes from `amp`. The tools of the other dialects can be called too, and old names are understood.

**Permission** is what the built-in rules say of a call inside the workspace; your own rules come first. *hunks*: the
change waits for you in the editor. *asks*: a question first. Reads that leave the workspace always ask. Subagents get a
no where others get a question. **Touches** is what decides which calls of one message may run at once: calls that
touch the same thing, one of them writing, come one after the other. A call may take 120 s without progress unless it
says *no timeout*; a result has at most 102,400 bytes unless it says otherwise.
";

fn page(registry: &Registry) -> String {
    let mut tools: Vec<_> = registry.tools().collect();
    tools.sort_by_key(|tool| (tool.spec.dialect, tool.spec.name.to_lowercase()));
    let mut page = INTRODUCTION.to_owned();
    page += &overview(registry, &tools);
    for (dialect, title) in [
        (None, "In every dialect"),
        (Some(Dialect::Amp), "amp"),
        (Some(Dialect::AgentAir), "agent-air"),
        (Some(Dialect::Amplifier), "amplifier"),
    ] {
        let mut of = tools.iter().filter(|tool| tool.spec.dialect == dialect).peekable();
        if of.peek().is_some() {
            let _ = write!(page, "\n## {title}\n");
        }
        of.for_each(|tool| page += &section(tool));
    }
    page
}

fn overview(registry: &Registry, tools: &[&ToolDefinition]) -> String {
    let mut table = "\n| tool | amp | agent-air | amplifier | permission | touches |\n| --- | --- | --- | --- | --- | --- |\n".to_owned();
    for tool in tools {
        let offered = Dialect::ALL.map(|dialect| {
            let is = registry.offered(dialect).iter().any(|spec| std::ptr::eq(*spec, &tool.spec));
            if is { "offered" } else { "" }
        });
        let (amp, air, amplifier) = (offered[0], offered[1], offered[2]);
        let (name, permission, touches) = (&tool.spec.name, permission(tool), touches(tool));
        let _ = writeln!(
            table,
            "| [`{name}`](#{}) | {amp} | {air} | {amplifier} | {permission} | {touches} |",
            anchor(tool)
        );
    }
    table
}

/// As the usual renderers make it of a heading.
fn anchor(tool: &ToolDefinition) -> String {
    heading(tool).to_lowercase().replace([' ', '('], "-").replace([')', '`'], "").replace("--", "-")
}

fn heading(tool: &ToolDefinition) -> String {
    match tool.spec.dialect {
        None | Some(Dialect::Amp) => tool.spec.name.clone(),
        Some(dialect) => format!("{} in {dialect}", tool.spec.name),
    }
}

fn section(tool: &ToolDefinition) -> String {
    let spec = &tool.spec;
    let mut text = format!("\n### {}\n\n{}\n\n", heading(tool), spec.description.trim());
    text += &arguments(&spec.input_schema);
    let _ = writeln!(text, "- Permission: {}", permission(tool));
    let _ = writeln!(text, "- Touches: {}", touches(tool));
    let time = if spec.meta.disable_timeout { "no timeout" } else { "120 s without progress" };
    let _ = writeln!(text, "- Time: {time}");
    let general = if spec.meta.own_limit { "its own" } else { "102,400 bytes" };
    let limits = if spec.limits.is_empty() { general } else { &spec.limits };
    let _ = writeln!(text, "- Limits: {limits}");
    let others: Vec<String> = aliases(&spec.name).map(|name| format!("`{name}`")).collect();
    if !others.is_empty() {
        let _ = writeln!(text, "- Also called: {}", others.join(", "));
    }
    text
}

fn arguments(schema: &Value) -> String {
    let empty = Map::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    if known.is_empty() {
        return "No arguments.\n\n".to_owned();
    }
    let mut table = "| argument | type | |\n| --- | --- | --- |\n".to_owned();
    rows(&mut table, "", schema);
    table.push('\n');
    table
}

/// Those of a list of objects too, as `edits[].old_string`.
fn rows(table: &mut String, prefix: &str, schema: &Value) {
    let required = |name: &str| {
        let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        names.into_iter().any(|it| it == name)
    };
    for (name, property) in
        schema.get("properties").and_then(Value::as_object).into_iter().flatten()
    {
        let about = property.get("description").and_then(Value::as_str).unwrap_or_default();
        let about = about.replace('|', "\\|").replace('\n', " ");
        let must = if required(name) { ", required" } else { "" };
        let _ = writeln!(table, "| `{prefix}{name}` | {}{must} | {about} |", kind(property));
        if let Some(items) = property.get("items").filter(|items| items.get("properties").is_some())
        {
            rows(table, &format!("{prefix}{name}[]."), items);
        }
    }
}

fn kind(property: &Value) -> String {
    if let Some(options) = property.get("enum").and_then(Value::as_array) {
        let options: Vec<String> = options.iter().map(|option| format!("`{option}`")).collect();
        return options.join(", ");
    }
    let kind = property.get("type").and_then(Value::as_str).unwrap_or("any").to_owned();
    let of = property.get("items").and_then(|items| items.get("type")).and_then(Value::as_str);
    let kind = of.map_or(kind.clone(), |of| format!("{kind} of {of}"));
    match property.get("default") {
        Some(default) => format!("{kind}, default `{default}`"),
        None => kind,
    }
}

/// What the built-in rules say of a usual call.
fn permission(tool: &ToolDefinition) -> &'static str {
    match (action(tool), tool.spec.meta.proposes) {
        (Action::Allow, _) => "allowed",
        (Action::Ask | Action::Delegate, true) => "hunks",
        (Action::Ask | Action::Delegate, false) => "asks",
        (Action::Reject, _) => "rejected",
    }
}

fn action(tool: &ToolDefinition) -> Action {
    let root = PathBuf::from("/w");
    let args = samples::plausible(&tool.spec.input_schema, &root);
    let resolved = |key: ResourceKey| match key.key {
        Resource::Named(_) | Resource::Folders | Resource::Url { .. } => None,
        Resource::File { argument, written } => Some(ResolvedPath {
            arg: ruled_name(&argument).to_owned(),
            real: root.join(&written),
            written,
            inside_workspace: true,
        }),
    };
    let paths: Vec<ResolvedPath> = keys(tool, &args).into_iter().filter_map(resolved).collect();
    let call = Call {
        names: &ruled_names(&tool.spec.name),
        args: &ruled(&args),
        context: Context::Thread,
        cwd: &root,
        workspace: std::slice::from_ref(&root),
        paths: &paths,
        writes: &[],
    };
    Policy::builtin().evaluate(&call).action
}

fn keys(tool: &ToolDefinition, args: &Value) -> Vec<ResourceKey> {
    let profile = tool.execution_profile.as_ref();
    profile.and_then(|profile| profile.resource_keys).map(|keys| keys(args)).unwrap_or_default()
}

fn touches(tool: &ToolDefinition) -> String {
    let Some(profile) = &tool.execution_profile else {
        return "everything: runs alone in its batch".to_owned();
    };
    if profile.serial {
        return "everything: runs alone in the workspace".to_owned();
    }
    let args = samples::plausible(&tool.spec.input_schema, &PathBuf::from("/w"));
    let keys = keys(tool, &args);
    let word = |key: &ResourceKey| {
        let how = if key.mode == Access::Write { "writes" } else { "reads" };
        match &key.key {
            Resource::File { argument, .. } => format!("{how} `{argument}`"),
            Resource::Url { argument, .. } => format!("{how} `{argument}`"),
            Resource::Folders => format!("{how} the workspace"),
            Resource::Named(name) => format!("{how} {name}"),
        }
    };
    let words: Vec<String> = keys.iter().map(word).collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

/// `cargo xtask docs` runs this with UPDATE_EXPECT=1.
#[test]
fn the_page_of_tools_is_that_of_the_registry() {
    expect_file!["../../../docs/tools.md"].assert_eq(&page(&builtin()));
}

#[test]
fn a_page_shows_nested_arguments_and_choices() {
    let schema = json!({
        "properties": {
            "edits": {"type": "array", "items": {"type": "object", "properties": {
                "old": {"type": "string", "description": "a|b"}
            }, "required": ["old"]}},
            "mode": {"enum": ["x", "y"]},
            "n": {"type": "integer", "default": 3},
        },
        "required": ["edits"],
    });
    let want = "| argument | type | |\n| --- | --- | --- |\n\
        | `edits` | array of object, required |  |\n\
        | `edits[].old` | string, required | a\\|b |\n\
        | `mode` | `\"x\"`, `\"y\"` |  |\n\
        | `n` | integer, default `3` |  |\n\n";
    assert_eq!(arguments(&schema), want);
}
