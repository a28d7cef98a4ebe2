//! `mermaid` (seed 000 names it; DESIGN, section 3: `mermaid {code}`). Clients show the diagram: they
//! have the call's arguments.

use serde_json::{Value, json};

use super::text;
use crate::{Dialect, ExecutionProfile, ToolContext, ToolDefinition, ToolResult, ToolSpec};

/// Bytes of a diagram: what Mermaid draws unless it is told otherwise (`maxTextSize`).
const MAX_BYTES: usize = 50_000;

/// The words that diagrams begin with, in Mermaid 11.
const KINDS: [&str; 32] = [
    "flowchart",
    "graph",
    "sequenceDiagram",
    "classDiagram",
    "stateDiagram-v2",
    "stateDiagram",
    "erDiagram",
    "gantt",
    "journey",
    "pie",
    "gitGraph",
    "mindmap",
    "timeline",
    "quadrantChart",
    "requirementDiagram",
    "C4Context",
    "C4Container",
    "C4Component",
    "C4Dynamic",
    "C4Deployment",
    "sankey-beta",
    "xychart-beta",
    "block-beta",
    "packet-beta",
    "kanban",
    "architecture-beta",
    "radar-beta",
    "treemap-beta",
    "sankey",
    "xychart",
    "block",
    "packet",
];

/// Older spellings, which are drawn but not proposed.
const OLDER: [&str; 5] =
    ["classDiagram-v2", "flowchart-elk", "flowchart-v2", "requirement", "zenuml"];

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "code": {
                "type": "string",
                "description": "The diagram in Mermaid's language, without a code fence."
            }
        },
        "required": ["code"]
    });
    let spec = ToolSpec::builtin("mermaid", Dialect::Amp, DESCRIPTION, schema)
        .limits(format!("{MAX_BYTES} bytes of diagram"));
    ToolDefinition::new(spec, run)
        .profile(ExecutionProfile::keys(|_| Vec::new()))
        .prepare(|args, _, _| bare(args))
}

const DESCRIPTION: &str = "Show the user a diagram in Mermaid's language: a flowchart, a sequence, \
states, classes, entities, a timeline and so on. Use it where a picture says more than a paragraph.";

async fn run(_: ToolContext, args: Value) -> ToolResult {
    match check(text(&args, "code")) {
        Ok(()) => ToolResult::done("shown"),
        Err(message) => ToolResult::error(message),
    }
}

/// Without the fence that models put around code out of habit: clients put their own.
fn bare(mut args: Value) -> Value {
    let inner = args.get("code").and_then(Value::as_str).and_then(|code| {
        let rest = code.trim().strip_prefix("```")?.strip_suffix("```")?;
        let rest = rest.strip_prefix("mermaid").unwrap_or(rest);
        rest.starts_with('\n').then(|| rest.trim_matches('\n').to_owned())
    });
    if let Some(inner) = inner {
        args["code"] = Value::String(inner);
    }
    args
}

/// Whether it looks like a diagram; what is wrong inside it the client says.
fn check(code: &str) -> Result<(), String> {
    if code.len() > MAX_BYTES {
        return Err(format!(
            "code: the diagram has {} bytes, and {MAX_BYTES} are the most that is drawn; draw a \
             part of it.",
            code.len()
        ));
    }
    if code.contains('\0') {
        return Err("code: it holds a NUL character; give plain text.".to_owned());
    }
    let Some(line) = first_line(code) else {
        return Err(format!("code: it is empty. {}", begins()));
    };
    let ends = |char: char| char.is_whitespace() || ":;({".contains(char);
    let kind = line.split(ends).next().unwrap_or_default();
    if KINDS.contains(&kind) || OLDER.contains(&kind) {
        return Ok(());
    }
    let kind: String = kind.chars().take(40).collect();
    Err(format!("code: {kind:?} is no kind of diagram. {}", begins()))
}

fn begins() -> String {
    format!("The first line begins with one of: {}.", KINDS.join(", "))
}

/// The first line that is neither front matter nor a comment nor a directive.
fn first_line(code: &str) -> Option<&str> {
    let mut lines = code.lines().map(str::trim).skip_while(|line| line.is_empty()).peekable();
    if lines.peek() == Some(&"---") {
        lines.next();
        lines.by_ref().find(|line| *line == "---")?;
    }
    let mut in_directive = false;
    lines.find(|line| {
        let starts = line.starts_with("%%{");
        let is_directive = in_directive || starts;
        in_directive = is_directive && !line.ends_with("}%%");
        !(is_directive || line.is_empty() || line.starts_with("%%"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, done, message};

    #[tokio::test]
    async fn diagrams_are_shown() {
        let f = Fixture::new(&[]);
        for code in [
            "graph TD\n  A --> B",
            "graph TD; A-->B",
            "flowchart LR\n A",
            "\n\n  sequenceDiagram\n A->>B: hi",
            "%% a comment\n\npie title Pets",
            "%%{init: {'theme': 'dark'}}%%\nclassDiagram",
            "%%{\n  init: {}\n}%%\nstateDiagram-v2",
            "---\ntitle: x\n---\nerDiagram",
            "gitGraph:\n commit",
            "C4Context\n title x",
            "zenuml\n a",
            "```mermaid\ngraph TD\nA-->B\n```",
            "```\ngraph TD\n```",
        ] {
            assert_eq!(done(&f.call("mermaid", json!({"code": code})).await), "shown", "{code}");
        }
        assert!(f.host.asks().is_empty());
    }

    #[tokio::test]
    async fn clients_get_the_code_without_a_fence() {
        let f = Fixture::new(&[]);
        f.call("mermaid", json!({"code": " ```mermaid\ngraph TD\nA-->B\n```\n"})).await;
        assert_eq!(f.events()[0].call.args, json!({"code": "graph TD\nA-->B"}));
    }

    #[tokio::test]
    async fn what_is_no_diagram() {
        let f = Fixture::new(&[]);
        for (args, want) in [
            (json!({}), "mermaid: \"code\" is missing"),
            (json!({"code": 5}), "mermaid: \"code\" must be a string"),
            (json!({"code": ""}), "code: it is empty. The first line begins with one of: flow"),
            (json!({"code": "%% only\n%%{ x"}), "code: it is empty"),
            (json!({"code": "---\ntitle: x"}), "code: it is empty"),
            (json!({"code": "hello world"}), "code: \"hello\" is no kind of diagram."),
            (json!({"code": "GRAPH TD"}), "code: \"GRAPH\" is no kind"),
            (json!({"code": "digraph { a }"}), "code: \"digraph\" is no kind"),
            (json!({"code": "graph TD\0"}), "code: it holds a NUL"),
            (json!({"code": "```mermaid graph TD```"}), "is no kind of diagram"),
            (json!({"code": "x".repeat(10 << 20)}), "code: the diagram has 10485760 bytes"),
        ] {
            let result = f.call("mermaid", args).await;
            assert!(message(&result).contains(want), "{want}: {result}");
        }
    }
}
