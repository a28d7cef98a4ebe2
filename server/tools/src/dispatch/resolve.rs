//! Which tool a call means, and what it will touch.

use std::sync::Arc;

use serde_json::Value;

use crate::{Footprint, Resource, Scope, ToolCall, ToolDefinition, Tools, registry::normalised};

/// A call in the words of the tool that it means.
pub(super) struct Resolved {
    /// With the tool's canonical name and the names that its schema has for the arguments; as
    /// written if there is no such tool.
    pub call: ToolCall,
    /// `Err` says why there is none.
    pub tool: Result<Arc<ToolDefinition>, String>,
    pub footprint: Footprint,
}

impl Tools {
    /// Before validation and permission: the schedule needs it, and a rule on `edit_file` must also
    /// catch `Edit`.
    pub(super) fn resolve(&self, scope: &Scope, call: ToolCall) -> Resolved {
        let tool = match self.tool(scope, &call.name) {
            Ok(tool) => tool,
            why => return Resolved { call, tool: why, footprint: Footprint::Unknown },
        };
        let args = normalised(&call.args, &tool);
        let footprint = self.footprint(scope, &tool, &args);
        let call = ToolCall { id: call.id, name: tool.spec.name.clone(), args };
        Resolved { call, tool: Ok(tool), footprint }
    }

    /// A tool that the thread's mode has not is none of its tools, by whatever name.
    fn tool(&self, scope: &Scope, name: &str) -> Result<Arc<ToolDefinition>, String> {
        let mode = scope.mode.as_deref();
        let found = self.registry.resolve(name, scope.dialect);
        let tool = found.ok_or_else(|| self.registry.unknown(name, scope.dialect, mode))?;
        match mode.filter(|mode| !mode.has(&tool.spec)) {
            Some(mode) => Err(self.registry.not_in_mode(&tool.spec.name, scope.dialect, mode)),
            None => Ok(tool),
        }
    }

    fn footprint(&self, scope: &Scope, tool: &ToolDefinition, args: &Value) -> Footprint {
        let Some(profile) = &tool.execution_profile else { return Footprint::Unknown };
        if profile.serial {
            return Footprint::Serial;
        }
        let Some(keys) = profile.resource_keys else { return Footprint::Keys(Vec::new()) };
        let name = |key: Resource| match key {
            // A path that names nothing is refused when the call's turn comes; it touches nothing.
            Resource::File { written, .. } => match self.workspace.path(&written, &scope.cwd) {
                Ok(file) => format!("file:{file}"),
                Err(_) => format!("written:{written}"),
            },
            Resource::Named(name) => format!("named:{name}"),
        };
        Footprint::Keys(keys(args).into_iter().map(|key| (name(key.key), key.mode)).collect())
    }
}
