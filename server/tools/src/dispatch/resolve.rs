//! Which tool a call means, and what it will touch.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    Footprint, Resource, Scope, ToolCall, ToolDefinition, Tools,
    bundle::{self, LocateError, Located},
    registry::normalised,
};

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

    /// The real file that a call of the tool names.
    pub(super) fn locate(
        &self,
        scope: &Scope,
        tool: &ToolDefinition,
        written: &str,
    ) -> Result<Located, LocateError> {
        if tool.spec.meta.links {
            let file = self.workspace.entry(written, &scope.cwd)?;
            return Ok(Located { file, in_bundle: false });
        }
        let (settings, family) = (self.settings(), tool.spec.dialect);
        bundle::locate(&self.workspace, &settings, family, written, &scope.cwd)
    }

    fn footprint(&self, scope: &Scope, tool: &ToolDefinition, args: &Value) -> Footprint {
        let Some(profile) = &tool.execution_profile else { return Footprint::Unknown };
        if profile.serial {
            return Footprint::Serial;
        }
        let Some(keys) = profile.resource_keys else { return Footprint::Keys(Vec::new()) };
        let names = |key: Resource| match key {
            // A path that names nothing is refused when the call's turn comes; it touches nothing.
            Resource::File { written, .. } => match self.locate(scope, tool, &written) {
                Ok(located) => vec![format!("file:{}", located.file)],
                Err(_) => vec![format!("written:{written}")],
            },
            Resource::Url { written, .. } => vec![format!("url:{written}")],
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
