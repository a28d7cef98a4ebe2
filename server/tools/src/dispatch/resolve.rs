//! Which tool a call means, and what it will touch.

use std::sync::Arc;

use serde_json::Value;

use crate::{Footprint, Resource, Scope, ToolCall, ToolDefinition, Tools, registry::normalised};

/// A call in the words of the tool that it means.
pub(super) struct Resolved {
    /// With the tool's canonical name and the names that its schema has for the arguments; as
    /// written if there is no such tool.
    pub call: ToolCall,
    pub tool: Option<Arc<ToolDefinition>>,
    pub footprint: Footprint,
}

impl Tools {
    /// Before validation and permission: the schedule needs it, and a rule on `edit_file` must also
    /// catch `Edit`.
    pub(super) fn resolve(&self, scope: &Scope, call: ToolCall) -> Resolved {
        let Some(tool) = self.registry.resolve(&call.name, scope.dialect) else {
            return Resolved { call, tool: None, footprint: Footprint::Unknown };
        };
        let args = normalised(&call.args, &tool);
        let footprint = self.footprint(scope, &tool, &args);
        let call = ToolCall { id: call.id, name: tool.spec.name.clone(), args };
        Resolved { call, tool: Some(tool), footprint }
    }

    fn footprint(&self, scope: &Scope, tool: &ToolDefinition, args: &Value) -> Footprint {
        let Some(profile) = &tool.execution_profile else { return Footprint::Unknown };
        if profile.serial {
            return Footprint::Serial;
        }
        let Some(keys) = profile.resource_keys else { return Footprint::Keys(Vec::new()) };
        let names = |key: Resource| match key {
            // A path that names nothing is refused when the call's turn comes; it touches nothing.
            Resource::File { written, .. } => match self.workspace.path(&written, &scope.cwd) {
                Ok(file) => vec![format!("file:{file}")],
                Err(_) => vec![format!("written:{written}")],
            },
            Resource::Folders => {
                let roots = self.workspace.roots();
                roots.iter().map(|root| format!("file:{}", root.display())).collect()
            }
            Resource::Named(name) => vec![format!("named:{name}")],
        };
        let touched = keys(args).into_iter();
        let touched =
            touched.flat_map(|key| names(key.key).into_iter().map(move |name| (name, key.mode)));
        Footprint::Keys(touched.collect())
    }
}
