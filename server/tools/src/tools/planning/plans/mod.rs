//! `markdown_plan`, `update_plan_step`, `list_plans`, `read_plan` (seed 002, "Planning"). They never
//! ask: plans are the agent's own papers.

mod edit;
mod error;
mod id;
mod list;
mod plan;
mod store;

use std::time::SystemTime;

use serde_json::{Value, json};

use self::{
    edit::{MOST, PlanEdit, about},
    error::PlanError,
    id::PlanId,
    plan::{Plan, Progress},
    store::{Saved, Store},
};
use crate::{
    Access, Dialect, ExecutionProfile, Resource, ResourceKey, ResourceKeys, ToolContext,
    ToolDefinition, ToolResult, ToolSpec, stamp,
    tools::{proposal, text},
};

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    let spec =
        |name, description, schema| ToolSpec::builtin(name, Dialect::AgentAir, description, schema);
    let reads: ResourceKeys = |_| touched(Access::Read);
    let writes: ResourceKeys = |_| touched(Access::Write);
    let (reads, writes) = (ExecutionProfile::keys(reads), ExecutionProfile::keys(writes));
    let nothing = json!({"type": "object", "properties": {}});
    let long = format!("a plan is at most {MOST} bytes long");
    let many = format!("the newest {} plans", list::MOST);
    vec![
        ToolDefinition::new(
            spec("markdown_plan", WRITE, write_schema()).limits(long),
            |context, args| async move { ended(write(&context, &args).await) },
        )
        .profile(writes),
        ToolDefinition::new(
            spec("update_plan_step", UPDATE, update_schema()),
            |context, args| async move { ended(update(&context, &args).await) },
        )
        .profile(writes),
        ToolDefinition::new(
            spec("list_plans", LIST, nothing).limits(many),
            |context, _| async move { ended(list(&context).await) },
        )
        .profile(reads),
        ToolDefinition::new(spec("read_plan", READ, read_schema()), |context, args| async move {
            ended(read(&context, &args).await)
        })
        .profile(reads),
    ]
}

const WRITE: &str = "Create a plan, a Markdown file in .agent-air/plans/ that outlives this \
conversation, or update one: with plan_id the whole plan is overwritten, and its steps are pending \
again. To mark a step use update_plan_step.";

const UPDATE: &str = "Set the status of one step of a plan. Any status may follow any other.";

const LIST: &str = "List all plans of the workspace: id, title, status, creation date, progress.";

const READ: &str = "Read a plan: the whole Markdown file.";

fn write_schema() -> Value {
    let step = json!({
        "type": "object",
        "properties": {
            "description": {"type": "string", "description": "Step description"},
            "notes": {"type": "string", "description": "Optional notes for the step"}
        },
        "required": ["description"]
    });
    json!({
        "type": "object",
        "properties": {
            "plan_id": {
                "type": "string",
                "description": "Plan ID to update. Omit to create a new plan."
            },
            "title": {"type": "string", "description": "Plan title"},
            "steps": {
                "type": "array",
                "minItems": 1,
                "items": step,
                "description": "Array of step objects"
            },
            "status": {
                "type": "string",
                "enum": ["draft", "active", "completed", "abandoned"],
                "default": "draft",
                "description": "Plan status (default: draft)"
            }
        },
        "required": ["title", "steps"]
    })
}

fn update_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "plan_id": {"type": "string", "description": "Plan ID"},
            "step": {"type": "integer", "description": "Step number (1-indexed)"},
            "status": {"type": "string", "enum": Progress::ALL.map(Progress::name)}
        },
        "required": ["plan_id", "step", "status"]
    })
}

fn read_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "plan_id": {"type": "string", "description": "Plan ID to read (e.g., plan-001)"}
        },
        "required": ["plan_id"]
    })
}

fn touched(mode: Access) -> Vec<ResourceKey> {
    vec![ResourceKey { key: Resource::Named("plans".to_owned()), mode }]
}

fn ended(result: Result<ToolResult, PlanError>) -> ToolResult {
    result.unwrap_or_else(|error| ToolResult::error(error.to_string()))
}

async fn write(context: &ToolContext, args: &Value) -> Result<ToolResult, PlanError> {
    let id = args.get("plan_id").and_then(Value::as_str).map(PlanId::parse).transpose()?;
    let edit = PlanEdit::write(args, stamp::day(SystemTime::now()))?;
    let saved = match id {
        Some(id) => store::change(context, id, edit).await?,
        None => store::create(context, edit).await?,
    };
    let message = format!("Plan '{}' saved to {}\n\n{}", saved.id, saved.file, saved.text);
    Ok(answered(context, &saved, message))
}

async fn update(context: &ToolContext, args: &Value) -> Result<ToolResult, PlanError> {
    let id = PlanId::parse(text(args, "plan_id"))?;
    let step = args.get("step").cloned().unwrap_or_default();
    // The schema has no other.
    let progress = Progress::parse(text(args, "status")).unwrap_or(Progress::Pending);
    let saved = store::change(context, id, PlanEdit::Mark { step: step.clone(), progress }).await?;
    let about = about(&saved.text, &step);
    let message = format!("Step {step} updated to {}: {about}", progress.name());
    Ok(answered(context, &saved, message))
}

fn answered(context: &ToolContext, saved: &Saved, message: String) -> ToolResult {
    match &saved.proposed {
        Some(proposed) => proposal::answered(context, proposed, message.into()),
        None => {
            let track_files = vec![saved.file.to_string()];
            ToolResult::Done { result: message.into(), track_files, review: None }
        }
    }
}

async fn list(context: &ToolContext) -> Result<ToolResult, PlanError> {
    let look = |context: &ToolContext| -> Result<String, PlanError> {
        let store = Store::new(context)?;
        let ids = store.ids()?;
        let left_out = ids.len().saturating_sub(list::MOST);
        let look = |id: PlanId| match store.read(id) {
            Ok(text) => Some((id, Ok(Plan::parse(&text?)))),
            Err(error) => Some((id, Err(error.to_string()))),
        };
        let plans: Vec<_> = ids[left_out..].iter().filter_map(|id| look(*id)).collect();
        Ok(list::list(left_out, &plans))
    };
    Ok(ToolResult::done(context.blocking(look).await?))
}

async fn read(context: &ToolContext, args: &Value) -> Result<ToolResult, PlanError> {
    let id = PlanId::parse(text(args, "plan_id"))?;
    let look = move |context: &ToolContext| Store::new(context)?.read(id);
    let text = context.blocking(look).await?;
    text.map(ToolResult::done).ok_or_else(|| PlanError::NotFound(id.to_string()))
}

#[cfg(test)]
mod tests;
