//! Allow rules that allow more than they look like. Everything is tried: a rule is told of only with a
//! call that it, alone, allows.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::known::{KnownTool, matched};
use super::never::alternatives;
use super::probes::PROBES;
use super::{FlawKind, Remark, regex_text};
use crate::{
    Action, Call, Condition, Context, Matches, Pattern, Policy, ResolvedPath, Rule, SourcedRule,
    Verdict,
};

/// How much is told of one rule.
const MOST: usize = 3;

pub(super) fn remarks(rule: &Rule, tools: &[KnownTool]) -> Vec<Remark> {
    let trial = Trial::new(rule);
    if trial.everything() {
        let text = "it allows every tool with all arguments: any command, edits without a review, and \
                    tools of other programs.";
        return vec![wide(text).instead("a rule for each tool that you mean")];
    }
    let of_rule = matched(rule, tools);
    let mut remarks = Vec::new();
    if of_rule.iter().any(|tool| tool.is_bash()) {
        remarks.extend(commands(rule, &trial));
    }
    let tools = of_rule.iter().filter(|tool| !tool.is_bash());
    remarks.extend(tools.filter_map(|tool| files(rule, &trial, tool)).take(1));
    remarks.extend(servers(&trial));
    remarks.truncate(MOST);
    remarks
}

fn wide(text: impl Into<String>) -> Remark {
    Remark::new(FlawKind::Wide, text)
}

const ROOT: &str = "/redline-check/folder";
const ELSEWHERE: &str = "/redline-check/elsewhere";
const BASH: [&str; 3] = ["Bash", "run_terminal_command", "bash"];

/// The engine with this rule alone.
struct Trial {
    /// With all conditions.
    whole: Policy,
    /// With the condition on commands only: whatever else it asks for is given.
    command: Policy,
    context: Context,
    root: [PathBuf; 1],
}

impl Trial {
    fn new(rule: &Rule) -> Self {
        let alone = |rule: Rule| {
            let home = PathBuf::from("/redline-check/home");
            Policy::default().with_home(home).with_user_rules(vec![SourcedRule::session(rule)])
        };
        let mut matches = Matches::default();
        if let Some(condition) = rule.matches.get("cmd") {
            matches.add("cmd", condition.clone());
        }
        Trial {
            whole: alone(rule.clone()),
            command: alone(Rule { matches, ..rule.clone() }),
            context: rule.context.unwrap_or(Context::Thread),
            root: [PathBuf::from(ROOT)],
        }
    }

    fn call<'c>(
        &'c self,
        names: &'c [&'c str],
        args: &'c Value,
        paths: &'c [ResolvedPath],
    ) -> Call<'c> {
        let (context, workspace) = (self.context, &self.root);
        Call { names, args, context, cwd: Path::new(ROOT), workspace, paths, writes: &[] }
    }

    fn bash(&self, cmd: &str) -> Verdict {
        self.command.evaluate(&self.call(&BASH, &json!({ "cmd": cmd }), &[]))
    }

    fn runs(&self, cmd: &str) -> bool {
        self.bash(cmd).action == Action::Allow
    }

    fn calls(&self, name: &str) -> bool {
        let call = self.whole.evaluate(&self.call(&[name], &json!({}), &[]));
        call.action == Action::Allow
    }

    /// A tool that names a file outside the workspace.
    fn opens(&self, tool: &KnownTool, argument: &str, real: &str) -> bool {
        let names: Vec<&str> = tool.names.iter().map(String::as_str).collect();
        let path = ResolvedPath {
            arg: argument.to_owned(),
            written: real.to_owned(),
            real: PathBuf::from(real),
            inside_workspace: false,
        };
        let args = json!({ argument: real });
        let verdict = self.whole.evaluate(&self.call(&names, &args, &[path]));
        verdict.action == Action::Allow
    }

    fn everything(&self) -> bool {
        self.runs("redline-probe x") && self.calls("tb__redline-probe")
    }
}

fn commands(rule: &Rule, trial: &Trial) -> Vec<Remark> {
    if trial.runs("redline-probe x") && trial.runs("x") {
        let remark = wide("it allows any command.");
        return vec![remark.instead("a rule for each program that you mean: `--cmd 'ls *'`")];
    }
    let Some(condition) = rule.matches.get("cmd") else { return Vec::new() };
    let patterns = patterns(condition);
    let texts = patterns.iter().map(|pattern| pattern.text());
    let found: Vec<(&str, Remark)> =
        texts.filter_map(|text| Some((text, of_pattern(text, trial)?))).collect();
    // Where the program is not said at all, each program would be told of.
    let is_open = found.iter().any(|(text, _)| text.starts_with(['*', '/']));
    let mut remarks: Vec<Remark> = found.into_iter().map(|(_, remark)| remark).collect();
    if is_open {
        return remarks;
    }
    for probe in PROBES {
        let reaches = |example: &&&str| {
            patterns.iter().any(|pattern| leaves_open(pattern, example)) && trial.runs(example)
        };
        if let Some(example) = probe.examples.iter().find(reaches) {
            let text = format!("{}, as in `{example}`.", probe.does);
            remarks.push(wide(text).instead(probe.instead));
        }
    }
    remarks
}

fn patterns(condition: &Condition) -> Vec<&Pattern> {
    let each = alternatives(condition).iter().filter_map(|one| match one {
        Condition::Pattern(pattern) => Some(pattern),
        _ => None,
    });
    each.collect()
}

/// Whether the pattern matches the command without saying it: who writes a command out means it.
fn leaves_open(pattern: &Pattern, cmd: &str) -> bool {
    match regex_text::body(pattern.text()) {
        None => pattern.text().contains('*') && pattern.matches(cmd),
        Some(_) => pattern.matches(cmd) && pattern.matches(&format!("{cmd} redline-probe")),
    }
}

fn of_pattern(text: &str, trial: &Trial) -> Option<Remark> {
    if let Some(body) = regex_text::body(text) {
        return of_regex(body, trial);
    }
    let sample = text.replace('*', "x");
    if !trial.runs(&sample) {
        return Some(allows_nothing(text, &sample, trial));
    }
    let (before, after) = text.split_once('*')?;
    if before.trim().is_empty() {
        let example = text.replacen('*', "rm -r x", 1).replace('*', "x");
        let remark = format!("`{text}` allows any program, as in `{example}`.");
        return trial
            .runs(&example)
            .then(|| wide(remark).instead("the program's name in the place of the first `*`"));
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if before.ends_with(is_word) && !before.contains(' ') {
        let example = format!("{before}evil{}", after.replace('*', "x"));
        let remark =
            format!("`{text}` also allows other programs whose name begins so, as in `{example}`.");
        let instead = format!(
            "`{before} {}`, and `{before}` for the program alone",
            text.get(before.len()..)?
        );
        return trial.runs(&example).then(|| wide(remark).instead(instead));
    }
    None
}

/// An allow is held against each simple command by itself, and what is not understood is asked.
fn allows_nothing(text: &str, sample: &str, trial: &Trial) -> Remark {
    let reason = trial.bash(sample).reason.text;
    let why = reason.split(" because ").nth(1).and_then(|rest| rest.split(';').next());
    let why = why.unwrap_or("it is read in parts").trim_end_matches('.');
    let remark = format!(
        "`{text}` allows nothing by itself: `{sample}` is asked all the same, because {why}. An allow is \
         held against each simple command."
    );
    Remark::new(FlawKind::Never, remark).instead("a rule for each command that it is made of")
}

fn of_regex(body: &str, trial: &Trial) -> Option<Remark> {
    let (start, end) =
        (regex_text::is_anchored_at_start(body), regex_text::is_anchored_at_end(body));
    if start && end {
        return None;
    }
    let example = match start {
        false => format!("rm -r x {body}"),
        true => format!("{}evil", body.trim_start_matches('^')),
    };
    let shown = regex_text::is_plain(body.trim_start_matches('^')) && trial.runs(&example);
    let shown = if shown { format!(", as in `{example}`") } else { String::new() };
    let text = match (start, end) {
        (false, _) => format!(
            "`/{body}/` is not bound to the start: it matches anywhere in a command{shown}."
        ),
        _ => format!("`/{body}/` is not bound to the end: anything may follow{shown}."),
    };
    let middle = body.trim_start_matches('^').trim_end_matches('$');
    Some(wide(text).instead(format!("`/^({middle})$/`")))
}

/// Files outside the workspace, and edits without a review.
fn files(rule: &Rule, trial: &Trial, tool: &KnownTool) -> Option<Remark> {
    let argument = tool.path_argument()?;
    let name = tool.name();
    let condition = rule.matches.get(&argument.name);
    let anywhere = format!("{ELSEWHERE}/x.rs");
    let at_once =
        if tool.proposes { "written at once, without a review" } else { "opened unasked" };
    let narrower = format!("`--{} 'src/*'`", argument.name);
    if trial.opens(tool, &argument.name, &anywhere) {
        let text = format!("with {name} any file is {at_once}, also outside the folder.");
        return Some(wide(text).instead(narrower));
    }
    let mut texts = patterns(condition?).into_iter().map(Pattern::text);
    let leaving = |text: &&str| {
        let file = outside(text);
        file.is_some_and(|file| trial.opens(tool, &argument.name, &file))
    };
    let text = texts.find(leaving)?;
    let example = outside(text)?;
    let remark = format!(
        "with {name} `{text}` also matches files outside the folder, as in `{example}`: they are {at_once}."
    );
    Some(wide(remark).instead(narrower))
}

/// A file outside the workspace that a pattern might match without naming its folder.
fn outside(text: &str) -> Option<String> {
    match regex_text::body(text) {
        Some(body) if !regex_text::is_anchored_at_start(body) => {
            Some(format!("{ELSEWHERE}/{}", body.trim_end_matches('$').replace('\\', "")))
        }
        Some(_) => None,
        None => {
            let rest = text.strip_prefix('*')?.replace('*', "x");
            let gap = if rest.starts_with('/') { "" } else { "/x" };
            Some(format!("{ELSEWHERE}{gap}{rest}"))
        }
    }
}

fn servers(trial: &Trial) -> Option<Remark> {
    let text = "it allows every tool of every MCP server, of those too that are added later.";
    trial
        .calls("mcp__redline-probe__redline-probe")
        .then(|| wide(text).instead("`mcp__SERVER__*` for each server that you trust"))
}
