//! What a call costs besides its work, and the smallest tool with work: in process, from the call to
//! its result.

use super::{large::limited, text::text};
use crate::Result;
use crate::options::Options;
use crate::samples::Samples;
use crate::section::Section;
use redline_audit::io::{Log, Place};
use redline_permissions::{Context, Policy, Source as Origin, SourcedRule, parse_text};
use redline_tests::Sandbox;
use redline_text::Encoding;
use redline_tools::testing::TestHost;
use redline_tools::{
    Cancel, Dialect, ExecutionProfile, Registry, Scope, ToolCall, ToolDefinition, ToolResult,
    ToolSpec, Tools, builtin,
};
use redline_workspace::{Config, Effect, Front, Workspace};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Targets in seconds: a call of a tool that does nothing; a `Read` of a file of the largest size.
const DISPATCH: f64 = 50e-6;
const READ: f64 = 1e-3;

/// The largest file that `Read` returns without a range (seed 000).
const READ_BYTES: usize = 65_536;

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    section.say(
        "In process, without the wire. *A tool that does nothing*: a call of an allowed tool whose \
         function returns at once, from the call to its result: resolve, validate, prepare, permit, \
         run, trim. *Audited*: with the two lines of the audit log, one of them before it runs. *Read*: a \
         file of 65,536 bytes that is not open.",
    );
    let sandbox = Sandbox::new();
    let file = sandbox.write("file.txt", text(READ_BYTES));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (dispatch, audited, read) = runtime.block_on(async {
        let (tools, workspace) = tools(&sandbox.workspace())?;
        let dispatch =
            calls(options, &tools, &sandbox.workspace(), "nothing", &json!({"text": "x"})).await?;
        let args = json!({"path": file});
        let read = calls(options, &tools, &sandbox.workspace(), "Read", &args).await?;
        workspace.audit_to(Some(Arc::new(Log::new(Place::in_state(&sandbox.state())))));
        let audited =
            calls(options, &tools, &sandbox.workspace(), "nothing", &json!({"text": "x"})).await?;
        Ok::<_, Box<dyn std::error::Error>>((dispatch, audited, read))
    })?;
    section.row(limited("a tool that does nothing", &dispatch, DISPATCH));
    section.row(limited("a tool that does nothing, audited", &audited, DISPATCH));
    section.row(limited("Read, 64 KiB", &read, READ));
    Ok(())
}

/// Rounds of many calls; each gives the time of one.
async fn calls(
    options: &Options,
    tools: &Tools,
    cwd: &Path,
    name: &str,
    args: &Value,
) -> Result<Samples> {
    let scope = Scope {
        thread: "T-bench".into(),
        agent: "Bench".to_owned(),
        context: Context::Thread,
        cwd: cwd.to_owned(),
        dialect: Dialect::Amp,
        cancel: Cancel::new(),
        mode: None,
        subagent: None,
    };
    let many = options.pick(500, 2);
    let mut samples = Samples::default();
    for _ in 0..=options.pick(15, 1) {
        let calls: Vec<ToolCall> = (0..many)
            .map(|id| ToolCall { id: id.to_string(), name: name.to_owned(), args: args.clone() })
            .collect();
        let start = Instant::now();
        for call in calls {
            let results = tools.run(&scope, vec![call], &|_| {}).await;
            if !matches!(results.first(), Some(ToolResult::Done { .. })) {
                return Err(format!("{name}: {results:?}").into());
            }
        }
        samples.push(start.elapsed().as_secs_f64() / f64::from(many));
    }
    Ok(samples.without_first())
}

/// The tools, and one that does nothing.
fn tools(root: &Path) -> Result<(Arc<Tools>, Arc<Workspace>)> {
    let rules = parse_text("allow nothing").map_err(|error| error.to_string())?;
    let source = Origin::User { path: "/settings".into() };
    let sourced = rules.into_iter().map(|(line, rule)| SourcedRule {
        rule,
        source: source.clone(),
        line: Some(line),
    });
    let config = Config {
        roots: vec![root.to_owned()],
        home: None,
        encoding: Encoding::Utf16,
        save_on_accept: true,
        client_saves: false,
        policy: Policy::builtin().with_user_rules(sourced.collect()),
    };
    let workspace = Workspace::start(config, Arc::new(Nobody));
    let mut registry: Registry = builtin();
    registry.register(nothing())?;
    let tools = Tools::new(workspace.clone(), Arc::new(TestHost::default()), registry);
    Ok((tools, workspace))
}

fn nothing() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"]
    });
    let spec = ToolSpec::builtin("nothing", None, "Does nothing.", schema);
    ToolDefinition::new(spec, |_, _| async { ToolResult::done("") })
        .profile(ExecutionProfile::keys(|_| Vec::new()))
}

/// Nobody looks on.
struct Nobody;

impl Front for Nobody {
    fn perform(&self, _: Effect, _: &Arc<Workspace>) {}
}
