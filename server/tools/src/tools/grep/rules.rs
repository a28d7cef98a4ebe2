//! Rules about single files, where the call is about a folder.

use std::path::Path;

use redline_permissions::{Action, Call, Origin, ResolvedPath};
use serde_json::{Value, json};

use crate::{ToolContext, dialect::aliases};

/// Whether a rule of the user's or the repository's rejects a Grep or a Read of this file: a search
/// of the folder that it is in must not show it either. What would be asked is not: the call as a
/// whole was permitted.
pub(super) fn forbid(context: &ToolContext, args: &Value, file: &Path) -> bool {
    ["Grep", "Read"].into_iter().any(|tool| rejects(context, args, tool, file))
}

fn rejects(context: &ToolContext, args: &Value, tool: &str, file: &Path) -> bool {
    let names: Vec<&str> = std::iter::once(tool).chain(aliases(tool)).collect();
    let roots = context.workspace.roots();
    let written = file.to_string_lossy().into_owned();
    let mut args = args.clone();
    args["path"] = json!(written);
    let paths = [ResolvedPath {
        arg: "path".to_owned(),
        written,
        real: file.to_owned(),
        inside_workspace: roots.iter().any(|root| file.starts_with(root)),
    }];
    let call = Call {
        names: &names,
        args: &args,
        context: context.scope.context,
        cwd: &context.scope.cwd,
        workspace: &roots,
        paths: &paths,
    };
    let verdict = context.workspace.query(|session| session.evaluate(&call));
    verdict.action == Action::Reject && matches!(verdict.origin, Origin::User | Origin::Repository)
}
