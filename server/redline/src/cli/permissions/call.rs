//! The call that `test` and `explain` are asked about: written as for `tools use`, and never made.

use redline_layers::ThreadId;
use redline_permissions::{Call, Context, Policy, Reason, SourcedRule};
use redline_tools::{Cancel, Dialect, Judged, Scope, ToolCall, builtin};
use serde_json::Value;

use super::settings;
use crate::{
    cli::{
        CliError, House,
        args::{ArgsError, Input, Words, from_json, read_input, typed},
        folder,
    },
    settings::Settings,
    terminal::{Answers, ColorChoice},
};

/// The call in question.
#[derive(Debug)]
pub struct Question {
    /// As it was written, with the types that the tool's schema has.
    pub call: ToolCall,
    /// Who would make it.
    pub context: Context,
    /// The family of tools.
    pub dialect: Dialect,
    /// One JSON line.
    pub json: bool,
    /// Only the exit code.
    pub quiet: bool,
    /// Show the tool instead.
    pub help: bool,
    /// When to use colours, if it was said behind the name.
    pub color: Option<ColorChoice>,
    /// The settings in force.
    pub settings: Settings,
}

impl Question {
    /// Reads the words of the command.
    pub fn parse(words: &[String]) -> Result<Self, CliError> {
        let (quiet, words): (Vec<String>, Vec<String>) =
            words.iter().cloned().partition(|word| word == "--quiet");
        let mut words = Words::parse(&words)?;
        if words.yes || words.only.is_some() {
            let stray = if words.yes { "--yes" } else { "--only" };
            return Err(ArgsError::Stray(stray.to_owned()).into());
        }
        let settings = settings()?;
        let dialect = words.dialect.unwrap_or(settings.agent.dialect);
        let tool = builtin().resolve(&words.name, dialect);
        let schema = tool.map_or(Value::Null, |tool| tool.spec.input_schema.clone());
        let context = context(&mut words.input, &schema)?;
        let args = match &words.input {
            Input::File(name) => from_json(&read_input(name)?, name)?,
            Input::Pairs(pairs) => typed(pairs, &schema)?,
        };
        let call = ToolCall { id: "cli".to_owned(), name: words.name, args };
        let (json, help, color) = (words.json, words.help, words.color);
        let quiet = !quiet.is_empty();
        Ok(Self { call, context, dialect, json, quiet, help, color, settings })
    }

    /// Judges the call as dispatch would, and shows it to `look`. Nothing is run, asked or started.
    pub async fn judge<T>(&self, look: impl FnMut(&Call<'_>) -> T) -> Result<Judged<T>, CliError> {
        let root = folder()?;
        let house = House::open(root, &self.settings, Answers::No("nothing is run here"));
        let scope = Scope {
            thread: ThreadId::from("cli"),
            agent: "you".to_owned(),
            context: self.context,
            cwd: house.root.clone(),
            dialect: self.dialect,
            cancel: Cancel::new(),
            mode: None,
            subagent: None,
        };
        let judged = house.tools.judge(&scope, self.call.clone(), look).await;
        judged.map_err(CliError::Judge)
    }
}

/// `--context`, unless it is an argument of the tool's that has another value.
fn context(input: &mut Input, schema: &Value) -> Result<Context, ArgsError> {
    let Input::Pairs(pairs) = input else { return Ok(Context::Thread) };
    let is_own = schema["properties"].get("context").is_some();
    let Some(at) = pairs.iter().position(|(name, _)| name == "context") else {
        return Ok(Context::Thread);
    };
    let value = pairs.get(at).and_then(|(_, value)| value.as_deref()).unwrap_or_default();
    match Context::parse(value) {
        Some(context) => {
            pairs.remove(at);
            Ok(context)
        }
        None if is_own => Ok(Context::Thread),
        None => {
            let reason = format!("{value:?} is not thread or subagent");
            Err(ArgsError::Value { option: "context", reason })
        }
    }
}

/// The rule that a reason is about, and its number in its own list.
pub fn matched<'a>(
    policy: &'a Policy,
    settings: &'a Settings,
    reason: &Reason,
) -> Option<(usize, &'a SourcedRule)> {
    let text = reason.rule.as_deref()?;
    let trusted = settings.trusted_rules.iter().map(|(_, rules)| rules.as_slice());
    let mut lists = vec![settings.user_rules.as_slice()];
    lists.extend(trusted);
    lists.push(policy.builtin_rules());
    lists.push(settings.repository_rules.as_slice());
    lists.push(policy.grants());
    let is_it = |rule: &SourcedRule| {
        rule.line == reason.line
            && rule.source.to_string() == reason.source
            && rule.rule.to_string() == text
    };
    let mut found = lists.into_iter().map(|list| list.iter().enumerate().find(|(_, r)| is_it(r)));
    found.find_map(|found| found)
}

/// Arguments on one line.
pub fn one_line(args: &Value) -> String {
    serde_json::to_string(args).unwrap_or_default()
}
