//! Rules about single files, where the call is about a folder.

use std::path::Path;

use redline_permissions::{Action, Call, Origin, ResolvedPath};
use serde_json::{Value, json};

use crate::{ToolContext, dialect::aliases};

const TOOLS: [&str; 2] = ["Grep", "Read"];

/// Whether `forbid` can be true for any file: most users have no such rule, and to ask for each file
/// takes longer than to search it.
pub(super) fn may_forbid(context: &ToolContext) -> bool {
    let names: Vec<&str> = TOOLS.into_iter().flat_map(names).collect();
    context.workspace.query(|session| session.may_reject(&names))
}

/// Whether a rule of the user's or the repository's rejects a Grep or a Read of this file: a search
/// of the folder that it is in must not show it either, nor whether it has a match. What would be
/// asked is not: the call as a whole was permitted.
pub(super) fn forbid(context: &ToolContext, args: &Value, file: &Path) -> bool {
    TOOLS.into_iter().any(|tool| rejects(context, args, tool, file))
}

fn names(tool: &'static str) -> impl Iterator<Item = &'static str> {
    std::iter::once(tool).chain(aliases(tool))
}

fn rejects(context: &ToolContext, args: &Value, tool: &'static str, file: &Path) -> bool {
    let names: Vec<&str> = names(tool).collect();
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
        writes: &[],
    };
    let verdict = context.workspace.query(|session| session.evaluate(&call));
    verdict.action == Action::Reject && matches!(verdict.origin, Origin::User | Origin::Repository)
}
