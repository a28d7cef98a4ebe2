//! All tools by name.

use std::{collections::HashMap, sync::Arc};

use crate::{
    Dialect, Mode, ToolDefinition, ToolSpec,
    dialect::{ALIASES, aliases, normalise},
};

/// The tools of one process. A name is looked up in the call's dialect, then among the aliases,
/// then in the other dialects (callable, not offered).
#[derive(Default, Clone)]
pub struct Registry {
    tools: Vec<Arc<ToolDefinition>>,
    by_name: HashMap<(Option<Dialect>, String), usize>,
}

/// Why a tool was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// Two tools of one dialect would have the same name.
    #[error("there is a tool called {0} already; rename one of the two")]
    Taken(String),
    /// The name does not say where the tool comes from.
    #[error("a tool of that source is called {prefix}…, but this one {name}")]
    Prefix {
        /// What the name should start with.
        prefix: &'static str,
        /// The name.
        name: String,
    },
}

impl Registry {
    /// No tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool.
    ///
    /// # Errors
    /// If its name is taken, or lacks the prefix of its source.
    pub fn register(&mut self, tool: ToolDefinition) -> Result<(), RegistryError> {
        let ToolSpec { name, source, dialect, .. } = &tool.spec;
        if !name.starts_with(source.prefix()) {
            return Err(RegistryError::Prefix { prefix: source.prefix(), name: name.clone() });
        }
        let key = (*dialect, name.clone());
        if self.by_name.contains_key(&key) || self.by_name.contains_key(&(None, name.clone())) {
            return Err(RegistryError::Taken(name.clone()));
        }
        self.by_name.insert(key, self.tools.len());
        self.tools.push(Arc::new(tool));
        Ok(())
    }

    /// The tool that a call of `name` means. Argument names are another matter: see `normalised`.
    pub fn resolve(&self, name: &str, dialect: Dialect) -> Option<Arc<ToolDefinition>> {
        let own = |name: &str| self.get(Some(dialect), name).or_else(|| self.get(None, name));
        let alias = || ALIASES.iter().find(|(old, _)| *old == name).map(|(_, now)| *now);
        let elsewhere = |name: &str| {
            let others = Dialect::ALL.into_iter().filter(|other| *other != dialect);
            others.into_iter().find_map(|other| self.get(Some(other), name))
        };
        own(name)
            .or_else(|| own(alias()?))
            .or_else(|| elsewhere(name))
            .or_else(|| elsewhere(alias()?))
            .cloned()
    }

    /// What a model of that dialect is offered, in the order of registration. What the dialect has
    /// no tool of its own for, by that name or an alias of it, it is offered from the default.
    pub fn offered(&self, dialect: Dialect) -> Vec<&ToolSpec> {
        self.offered_in(dialect, None)
    }

    /// As `offered`, for a thread in that mode; `None`: it has all tools.
    pub fn offered_in(&self, dialect: Dialect, mode: Option<&Mode>) -> Vec<&ToolSpec> {
        let has = |name: &str| self.by_name.contains_key(&(Some(dialect), name.to_owned()));
        let lacks = |spec: &ToolSpec| !has(&spec.name) && !aliases(&spec.name).any(has);
        let is_offered = |spec: &&ToolSpec| match spec.dialect {
            None => true,
            Some(family) if family == dialect => true,
            Some(family) => family == Dialect::default() && lacks(spec),
        };
        let is_ours = |spec: &&ToolSpec| mode.is_none_or(|mode| mode.has(spec));
        self.specs().filter(is_offered).filter(is_ours).collect()
    }

    /// Every tool's specification.
    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|tool| &tool.spec)
    }

    fn get(&self, dialect: Option<Dialect>, name: &str) -> Option<&Arc<ToolDefinition>> {
        let index = self.by_name.get(&(dialect, name.to_owned()))?;
        self.tools.get(*index)
    }

    /// For a model that called something that is not there.
    pub(crate) fn unknown(&self, name: &str, dialect: Dialect, mode: Option<&Mode>) -> String {
        format!("There is no tool called {name:?}. {}", self.instead(dialect, mode))
    }

    /// For a subagent that called something that is not for it.
    pub(crate) fn not_in_mode(&self, name: &str, dialect: Dialect, mode: &Mode) -> String {
        let who = mode.subagent_type.as_deref().unwrap_or("this thread");
        format!("{name} is not among the tools of {who}. {}", self.instead(dialect, Some(mode)))
    }

    fn instead(&self, dialect: Dialect, mode: Option<&Mode>) -> String {
        let offered = self.offered_in(dialect, mode);
        match offered.as_slice() {
            [] => "There are no tools: answer without them.".to_owned(),
            offered => {
                let names: Vec<&str> = offered.iter().map(|spec| spec.name.as_str()).collect();
                format!("Tools: {}.", names.join(", "))
            }
        }
    }
}

/// `args` with the names that the tool's schema has for them.
pub(crate) fn normalised(args: &serde_json::Value, tool: &ToolDefinition) -> serde_json::Value {
    let mut args = if args.is_null() { serde_json::json!({}) } else { args.clone() };
    normalise(&mut args, &tool.spec.input_schema);
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Meta, Source, ToolResult};
    use serde_json::{Value, json};

    fn tool(name: &str, source: Source, dialect: Option<Dialect>) -> ToolDefinition {
        let spec = ToolSpec {
            name: name.to_owned(),
            description: format!("{dialect:?}"),
            input_schema: json!({}),
            source,
            dialect,
            subagent_types: None,
            limits: String::new(),
            meta: Meta::default(),
        };
        ToolDefinition::new(spec, |_, _| async { ToolResult::Cancelled })
    }

    fn sample() -> Registry {
        let mut registry = Registry::new();
        for name in ["Read", "edit_file", "create_file", "delete_file", "Bash"] {
            registry.register(tool(name, Source::Builtin, Some(Dialect::Amp))).unwrap();
        }
        for name in ["edit_file", "ls"] {
            registry.register(tool(name, Source::Builtin, Some(Dialect::AgentAir))).unwrap();
        }
        registry.register(tool("tb__lint", Source::Toolbox, None)).unwrap();
        registry
    }

    #[test]
    fn names_of_seed_001() {
        let registry = sample();
        let check = |written: &str, want: Option<&str>| {
            let found = registry.resolve(written, Dialect::Amp);
            assert_eq!(found.as_ref().map(|tool| tool.spec.name.as_str()), want, "{written}");
        };
        for (written, want) in [
            ("Read", "Read"),
            ("read", "Read"),
            ("read_file", "Read"),
            ("Write", "create_file"),
            ("write", "create_file"),
            ("write_file", "create_file"),
            ("Edit", "edit_file"),
            ("edit", "edit_file"),
            ("Delete", "delete_file"),
            ("delete", "delete_file"),
            ("run_terminal_command", "Bash"),
            ("ls", "ls"),
            ("tb__lint", "tb__lint"),
        ] {
            check(written, Some(want));
        }
        for unknown in ["", "READ", "tb__", "mcp__x"] {
            check(unknown, None);
        }
    }

    #[test]
    fn the_calls_own_dialect_comes_first() {
        let registry = sample();
        let family = |name, dialect| registry.resolve(name, dialect).unwrap().spec.dialect;
        assert_eq!(family("edit_file", Dialect::Amp), Some(Dialect::Amp));
        assert_eq!(family("edit_file", Dialect::AgentAir), Some(Dialect::AgentAir));
        assert_eq!(family("Edit", Dialect::AgentAir), Some(Dialect::AgentAir));
        assert_eq!(family("Edit", Dialect::Amplifier), Some(Dialect::Amp));
        let names = |dialect| -> Vec<&str> {
            registry.offered(dialect).iter().map(|spec| spec.name.as_str()).collect()
        };
        let air = ["Read", "create_file", "delete_file", "Bash", "edit_file", "ls", "tb__lint"];
        assert_eq!(names(Dialect::AgentAir), air);
        let amp = ["Read", "edit_file", "create_file", "delete_file", "Bash", "tb__lint"];
        assert_eq!(names(Dialect::Amplifier), amp);
    }

    #[test]
    fn what_can_not_be_registered() {
        let mut registry = sample();
        let mut check = |tool, want| assert_eq!(registry.register(tool), Err(want));
        let taken = RegistryError::Taken("Bash".to_owned());
        check(tool("Bash", Source::Builtin, Some(Dialect::Amp)), taken);
        let (prefix, name) = ("mcp__", "search".to_owned());
        check(tool("search", Source::Mcp, None), RegistryError::Prefix { prefix, name });
        let message = registry.unknown("Frob", Dialect::Amp, None);
        let tools = "Read, edit_file, create_file, delete_file, Bash, tb__lint";
        assert_eq!(message, format!("There is no tool called \"Frob\". Tools: {tools}."));
    }

    #[test]
    fn a_mode_offers_what_it_includes() {
        let registry = sample();
        let check = |mode: Value, dialect, want: &[&str]| {
            let mode: Mode = serde_json::from_value(mode).unwrap();
            let offered = registry.offered_in(dialect, Some(&mode));
            let names: Vec<&str> = offered.iter().map(|spec| spec.name.as_str()).collect();
            assert_eq!(names, want);
        };
        let reader = json!({"includeTools": ["Read", "ls", "edit_file"], "subagentType": "finder"});
        check(reader.clone(), Dialect::Amp, &["Read", "edit_file"]);
        check(reader.clone(), Dialect::AgentAir, &["Read", "edit_file", "ls"]);
        check(json!({"includeTools": [], "allowToolbox": true}), Dialect::Amp, &["tb__lint"]);
        let mode: Mode = serde_json::from_value(reader).unwrap();
        assert_eq!(
            registry.not_in_mode("Bash", Dialect::Amp, &mode),
            "Bash is not among the tools of finder. Tools: Read, edit_file."
        );
        assert_eq!(
            registry.unknown("x", Dialect::Amp, Some(&Mode::default())),
            "There is no tool called \"x\". There are no tools: answer without them."
        );
    }
}
