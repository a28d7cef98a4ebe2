//! Which tools a thread has (seed 001, "Permission Check Logic").

use serde::{Deserialize, Serialize};

use crate::{Source, ToolSpec};

/// The tools that a model is offered and may call. This is not the permission: a tool of the mode
/// is asked for like any other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mode {
    /// The builtin tools, by their canonical names in any dialect.
    pub include_tools: Vec<String>,
    /// Whether tools of MCP servers are among them: all or none.
    #[serde(default)]
    pub allow_mcp: bool,
    /// Whether tools of toolboxes are among them, as far as `subagent_type` goes.
    #[serde(default)]
    pub allow_toolbox: bool,
    /// Which subagent this is; `None` or empty: none, so that no tool of a toolbox is kept from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent_type: Option<String>,
}

impl Mode {
    /// `checkToolPermission` of seed 001. `subagent_types` are those that a toolbox's tool says it
    /// is for; `None`: it says nothing.
    pub fn allows(&self, tool: &str, subagent_types: Option<&[String]>) -> bool {
        if tool.starts_with(Source::Mcp.prefix()) {
            return self.allow_mcp;
        }
        if tool.starts_with(Source::Toolbox.prefix()) {
            return self.allow_toolbox && self.is_for_us(subagent_types);
        }
        self.include_tools.iter().any(|name| name == tool)
    }

    /// Whether the tool is among them.
    pub fn has(&self, tool: &ToolSpec) -> bool {
        self.allows(&tool.name, tool.subagent_types.as_deref())
    }

    fn is_for_us(&self, types: Option<&[String]>) -> bool {
        let ours = self.subagent_type.as_deref().filter(|ours| !ours.is_empty());
        match (ours, types) {
            (Some(ours), Some(types)) => types.iter().any(|one| one == "all" || one == ours),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    /// Seed 001 line by line, over JSON as its JavaScript is: what is missing is undefined, and an
    /// empty text is false.
    fn naive(tool: &str, mode: &Value, toolbox: Option<&Value>) -> bool {
        let includes = |list: &Value, name: &str| {
            list.as_array().unwrap().iter().any(|one| one.as_str() == Some(name))
        };
        if tool.starts_with("mcp__") {
            return mode["allowMcp"].as_bool().unwrap_or(false);
        }
        if tool.starts_with("tb__") {
            if !mode["allowToolbox"].as_bool().unwrap_or(false) {
                return false;
            }
            let ours = mode["subagentType"].as_str().unwrap_or("");
            let types = toolbox.and_then(|toolbox| toolbox.get("subagentTypes"));
            if let (false, Some(types)) = (ours.is_empty(), types) {
                return includes(types, "all") || includes(types, ours);
            }
            return true;
        }
        includes(&mode["includeTools"], tool)
    }

    fn name() -> impl Strategy<Value = String> {
        let starts = vec!["", "mcp__", "mcp_", "tb__", "tb_", "MCP__", "x_mcp__"];
        let ends = vec!["", "Read", "read", "Bash", "all"];
        (prop::sample::select(starts), prop::sample::select(ends))
            .prop_map(|(start, end)| format!("{start}{end}"))
    }

    fn kind() -> impl Strategy<Value = String> {
        prop::sample::select(vec!["", "all", "Task", "finder"]).prop_map(str::to_owned)
    }

    fn maybe(strategy: impl Strategy<Value = Value>) -> impl Strategy<Value = Option<Value>> {
        prop::option::of(strategy)
    }

    /// A mode as a settings file may have it: each field but the first may be missing.
    fn mode() -> impl Strategy<Value = Value> {
        let flag = || maybe(any::<bool>().prop_map(Value::from));
        let tools = prop::collection::vec(name(), 0..4);
        let ours = maybe(kind().prop_map(Value::from));
        (tools, flag(), flag(), ours).prop_map(|(tools, mcp, toolbox, ours)| {
            let mut mode = json!({ "includeTools": tools });
            let fields = [("allowMcp", mcp), ("allowToolbox", toolbox), ("subagentType", ours)];
            for (name, value) in fields.into_iter().filter_map(|(n, v)| Some((n, v?))) {
                mode[name] = value;
            }
            mode
        })
    }

    proptest! {
        #[test]
        fn it_is_the_seeds_function(
            tool in name(),
            written in mode(),
            types in prop::option::of(prop::collection::vec(kind(), 0..3)),
            has_toolbox in any::<bool>(),
        ) {
            let mode: Mode = serde_json::from_value(written.clone()).unwrap();
            let types = types.filter(|_| has_toolbox);
            let toolbox = match &types {
                Some(types) => json!({ "subagentTypes": types }),
                None => json!({}),
            };
            let want = naive(&tool, &written, has_toolbox.then_some(&toolbox));
            prop_assert_eq!(mode.allows(&tool, types.as_deref()), want);
        }
    }

    #[test]
    fn a_mode_is_written_as_in_the_seed() {
        let written = json!({
            "includeTools": ["Read"], "allowMcp": false, "allowToolbox": true,
            "subagentType": "finder"
        });
        let mode: Mode = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(serde_json::to_value(&mode).unwrap(), written);
        assert!(serde_json::from_value::<Mode>(json!({})).is_err(), "it lists its tools");
    }
}
