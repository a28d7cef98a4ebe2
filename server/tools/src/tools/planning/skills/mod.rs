//! `list_skills` (seed 002): folders with a SKILL.md, of the workspace and of the user.

mod find;
mod frontmatter;

use serde_json::{Value, json};

use self::find::{Found, MOST_BYTES, MOST_SKILLS, Skill, find};
use crate::{
    Access, Dialect, ExecutionProfile, Resource, ResourceKey, ToolContext, ToolDefinition,
    ToolResult, ToolSpec,
};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let schema = json!({"type": "object", "properties": {}});
    let limits = format!("{MOST_SKILLS} skills; a SKILL.md of at most {MOST_BYTES} bytes");
    let spec = ToolSpec::builtin("list_skills", Dialect::AgentAir, DESCRIPTION, schema);
    let keys = |_: &Value| {
        vec![ResourceKey { key: Resource::Named("skills".to_owned()), mode: Access::Read }]
    };
    ToolDefinition::new(spec.limits(limits), run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "List all available skills: name, description, and the path of each one's \
SKILL.md, which says how to use it. Read that file before you use the skill.";

async fn run(context: ToolContext, _: Value) -> ToolResult {
    let Found { skills, notes, .. } = context.blocking(find).await;
    let done = match skills.as_slice() {
        [] => ToolResult::done("No skills available."),
        skills => ToolResult::done(skills.iter().map(shown).collect::<Value>()),
    };
    match notes.as_slice() {
        [] => done,
        notes => done.with_note(&format!("Note: not listed: {}.", notes.join("; "))),
    }
}

fn shown(skill: &Skill) -> Value {
    let Skill { name, description, path } = skill;
    json!({"name": name, "description": description, "path": path.display().to_string()})
}

#[cfg(test)]
mod tests;
