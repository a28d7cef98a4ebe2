//! What a tool is: its specification, its function, and what it touches (seed 001, "The Three-Part
//! Structure").

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Dialect, ToolContext, ToolResult, ToolSettings};

/// The work of a tool. Its arguments have been validated and prepared, and the call is permitted.
pub type ToolFunction =
    Arc<dyn Fn(ToolContext, Value) -> BoxFuture<'static, ToolResult> + Send + Sync>;

/// A tool.
#[derive(Clone)]
pub struct ToolDefinition {
    /// What a model is told about it, and how it is treated.
    pub spec: ToolSpec,
    /// Its work.
    pub run: ToolFunction,
    /// What it touches; without one it conflicts with every other call.
    pub execution_profile: Option<ExecutionProfile>,
    /// Changes arguments before the permission is looked up.
    pub prepare: Option<Prepare>,
}

impl ToolDefinition {
    /// A tool without a profile, whose arguments are taken as they come.
    pub fn new<F, R>(spec: ToolSpec, run: F) -> Self
    where
        F: Fn(ToolContext, Value) -> R + Send + Sync + 'static,
        R: Future<Output = ToolResult> + Send + 'static,
    {
        let run: ToolFunction = Arc::new(move |context, args| Box::pin(run(context, args)));
        Self { spec, run, execution_profile: None, prepare: None }
    }

    /// With a profile.
    pub fn profile(self, profile: ExecutionProfile) -> Self {
        Self { execution_profile: Some(profile), ..self }
    }

    /// With a preparation.
    pub fn prepare(self, prepare: Prepare) -> Self {
        Self { prepare: Some(prepare), ..self }
    }
}

/// Changes validated arguments before the permission is looked up, so that rules see what will run.
/// Gets the thread's working directory and the user's home.
pub type Prepare = fn(args: Value, cwd: &Path, home: Option<&Path>) -> Value;

/// What a model is told about a tool, and how the dispatch treats it.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    /// Its one name: what rules, asks and logs call it.
    pub name: String,
    /// For the model.
    pub description: String,
    /// JSON Schema of the arguments: the part of it that `schema` knows.
    pub input_schema: Value,
    /// Where it comes from.
    pub source: Source,
    /// The family that offers it; `None`: all of them.
    pub dialect: Option<Dialect>,
    /// The subagents that a toolbox made it for (seed 001, `subagentTypes`); `None`: it does not say.
    pub subagent_types: Option<Vec<String>>,
    /// What bounds its result and its work, in words, for people (docs/tools.md); empty: the
    /// general limit alone.
    pub limits: String,
    /// How the dispatch treats it.
    pub meta: Meta,
}

impl ToolSpec {
    /// A tool of this crate, treated with caution: see `Meta`.
    pub fn builtin(
        name: &str,
        dialect: impl Into<Option<Dialect>>,
        description: &str,
        input_schema: Value,
    ) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            input_schema,
            source: Source::Builtin,
            dialect: dialect.into(),
            subagent_types: None,
            limits: String::new(),
            meta: Meta::default(),
        }
    }

    /// With what bounds it, in words.
    pub fn limits(self, limits: impl Into<String>) -> Self {
        Self { limits: limits.into(), ..self }
    }

    /// Treated like that.
    pub fn meta(self, meta: Meta) -> Self {
        Self { meta, ..self }
    }
}

/// Where a tool comes from (seed 001, "Tool Sources").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// This crate.
    Builtin,
    /// A server that speaks the Model Context Protocol.
    Mcp,
    /// An executable file of a toolbox.
    Toolbox,
}

impl Source {
    /// What the names of its tools start with.
    pub fn prefix(self) -> &'static str {
        match self {
            Source::Builtin => "",
            Source::Mcp => "mcp__",
            Source::Toolbox => "tb__",
        }
    }

    /// The name on the command line and in settings.
    pub fn name(self) -> &'static str {
        match self {
            Source::Builtin => "builtin",
            Source::Mcp => "mcp",
            Source::Toolbox => "toolbox",
        }
    }
}

/// How the dispatch treats a tool. The default is the cautious choice everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Meta {
    /// It may run as long as it likes.
    pub disable_timeout: bool,
    /// It bounds its result itself: the general limit is not for it.
    pub own_limit: bool,
    /// It proposes changes of files: where a rule says ask, they become pending hunks.
    pub proposes: bool,
    /// A path that ends in a symbolic link names the link, not what it leads to.
    pub links: bool,
    /// On a cancel it ends by itself within moments (to end its processes first); other tools are
    /// dropped at once.
    pub ends_on_cancel: bool,
    /// Where its thread's earlier calls have set a directory, it starts there.
    pub keeps_directory: bool,
}

/// What a call touches, so that calls which do not conflict can run at once (seed 001, "Execution
/// Profiles & Batching").
#[derive(Debug, Clone, Copy, Default)]
pub struct ExecutionProfile {
    /// It runs alone, in its workspace and not only in its batch.
    pub serial: bool,
    /// What a call with these arguments touches.
    pub resource_keys: Option<ResourceKeys>,
    /// What a call with these arguments will run, where the call itself does not say it. Asked and
    /// ruled as commands of Bash, and handed to the tool as its argument `commands`.
    pub commands: Option<Commands>,
}

/// The commands that a call will run; may look at files. `Err` says why there are none.
pub type Commands = fn(&Value, &Ground<'_>) -> Result<Vec<Line>, String>;

/// What commands are found by.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The thread's directory.
    pub cwd: &'a Path,
    /// The workspace's folders, canonical.
    pub roots: &'a [PathBuf],
    /// What the user configured.
    pub settings: &'a ToolSettings,
}

/// One command of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// What it is for: `typecheck`, …
    pub kind: String,
    /// For the shell.
    pub cmd: String,
    /// Where; absolute.
    pub cwd: PathBuf,
}

/// What a call with these arguments touches. Sees unvalidated arguments too.
pub type ResourceKeys = fn(&Value) -> Vec<ResourceKey>;

impl ExecutionProfile {
    /// Runs alone.
    pub const SERIAL: Self = Self { serial: true, resource_keys: None, commands: None };

    /// Conflicts by what it touches.
    pub fn keys(resource_keys: ResourceKeys) -> Self {
        Self { serial: false, resource_keys: Some(resource_keys), commands: None }
    }
}

/// One thing that a call touches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ResourceKey {
    /// What.
    pub key: Resource,
    /// How.
    pub mode: Access,
}

impl ResourceKey {
    /// The file that argument `name` names, if it does.
    pub fn file(args: &Value, name: &str, mode: Access) -> Vec<Self> {
        let written = args.get(name).and_then(Value::as_str);
        let file = |written: &str| Resource::File {
            argument: name.to_owned(),
            written: written.to_owned(),
        };
        written.map(|written| Self { key: file(written), mode }).into_iter().collect()
    }

    /// The page that argument `name` names, if it does.
    pub fn url(args: &Value, name: &str, mode: Access) -> Vec<Self> {
        let written = args.get(name).and_then(Value::as_str);
        let page = |written: &str| Resource::Url {
            argument: name.to_owned(),
            written: written.to_owned(),
        };
        written.map(|written| Self { key: page(written), mode }).into_iter().collect()
    }
}

/// A name of something that can be touched.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Resource {
    /// A file or folder; the dispatch resolves it to its canonical path. Rules about the argument
    /// are rules about that path.
    File {
        /// The argument's name.
        argument: String,
        /// The path, as a model wrote it.
        written: String,
    },
    /// A page of the web. A rule of the user's that names it literally lifts the tool's own guard.
    Url {
        /// The argument's name.
        argument: String,
        /// The address, as it was prepared.
        written: String,
    },
    /// All folders of the workspace.
    Folders,
    /// Anything else.
    Named(String),
}

/// Reading or changing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// It stays as it is.
    Read,
    /// It changes.
    Write,
}
