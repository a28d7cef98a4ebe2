//! `edit_file` (seed 000, tool 2).

use redline_text::Options;
use serde_json::{Value, json};

use super::{
    edit::{Form, Piece, Wanted, edited, limits},
    flag, text,
};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition, ToolResult,
    ToolSpec,
};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin("edit_file", Dialect::Amp, DESCRIPTION, schema())
        .limits(limits(1))
        .meta(Meta { proposes: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "path", Access::Write);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Make a targeted replacement in an existing file. old_str must appear \
exactly once, unless replace_all is set; give enough surrounding lines to make it unique. The \
change is shown to the user, who accepts or rejects it; you see the file with it at once. Returns a \
git-style diff.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Absolute path to the file (MUST exist)"},
            "old_str": {
                "type": "string",
                "description": "Text to search for. Must match exactly."
            },
            "new_str": {"type": "string", "description": "Text to replace old_str with."},
            "replace_all": {
                "type": "boolean",
                "default": false,
                "description": "Replace all occurrences of old_str"
            }
        },
        "required": ["path", "old_str", "new_str"]
    })
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    edited(context, wanted(&args)).await
}

fn wanted(args: &Value) -> Wanted {
    let piece = Piece {
        old: text(args, "old_str").to_owned(),
        new: text(args, "new_str").to_owned(),
        options: Options { replace_all: flag(args, "replace_all"), ..Options::ONE },
    };
    Wanted {
        path: text(args, "path").to_owned(),
        pieces: vec![piece],
        family: Dialect::Amp,
        file: None,
        form: Form::One,
    }
}

#[cfg(test)]
mod tests;
