//! What 500 rules cost: verdicts, and reading them. In process, without the wire.

use super::large::limited;
use crate::Result;
use crate::options::Options;
use crate::samples::Samples;
use crate::section::Section;
use redline_permissions::{
    Action, Call, Context, Policy, ResolvedPath, Source, SourcedRule, parse_json, parse_text,
    to_json,
};
use serde_json::{Value, json};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Targets in seconds: a verdict on a call of a file tool, one on a typical command, and all that
/// 500 rules add to the start.
const FILE: f64 = 20e-6;
const COMMAND: f64 = 200e-6;
const LOAD: f64 = 5e-3;

const RULES: usize = 500;
const ROOT: &str = "/home/u/project";

pub fn run(options: &Options, section: &mut Section) -> Result<()> {
    section.say(
        "In process: 500 rules of the user's before the built-in ones, half of them about commands, \
         a third about files, the rest about other tools; a sixth of the patterns are regular \
         expressions. No rule of the user's matches, so that every one is looked at. *File*: an \
         `edit_file` and a `Read`. *Command*: `cargo test --workspace && git status | head -20 > \
         out.txt`, read and judged part by part. *Reading*: the rules from JSON and from text, \
         checked and made ready.",
    );
    let text = rules(RULES);
    let policy = policy(&text)?;
    for tool in ["edit_file", "Read"] {
        let path = format!("{ROOT}/server/src/module/file.rs");
        let samples = verdicts(options, &policy, tool, &json!({ "path": path }), Some(&path))?;
        section.row(limited(&format!("a verdict, {RULES} rules: {tool}"), &samples, FILE));
    }
    let cmd = "cargo test --workspace && git status | head -20 > out.txt";
    let samples = verdicts(options, &policy, "Bash", &json!({ "cmd": cmd }), None)?;
    section.row(limited(&format!("a verdict, {RULES} rules: a command"), &samples, COMMAND));
    let json = serde_json::to_string(&json_of(&text)?)?;
    let loads = reads(options, || Ok(parse_json(&serde_json::from_str(&json)?)?))?;
    section.row(limited(&format!("reading {RULES} rules: JSON"), &loads, LOAD));
    let loads =
        reads(options, || Ok(parse_text(&text)?.into_iter().map(|(_, rule)| rule).collect()))?;
    section.row(limited(&format!("reading {RULES} rules: text"), &loads, LOAD));
    Ok(())
}

/// Rules such as people have, none of which matches the calls here.
fn rules(count: usize) -> String {
    let line = |n: usize| match (n % 12, word(n)) {
        (0, w) => format!("allow Bash --cmd 'tool{w}' --cmd 'tool{w} *'"),
        (1, w) => format!("reject Bash --cmd '*secret{w}*'"),
        (2, w) => format!("ask Bash --cmd 'deploy{w} *' --cmd '*prod{w}*'"),
        (3, w) => format!("allow Bash --cmd '/^make (target{w}|all{w})$/'"),
        (4, w) => format!("reject --message 'use tool{w}' Bash --cmd 'npm run script{w}*'"),
        (5, w) => format!("delegate --to helper Bash --cmd 'gh pr{w} *'"),
        (6, w) => format!("reject edit_file --path 'vendor{w}/*'"),
        (7, w) => format!("ask {{edit_file,create_file}} --path '*.lock{w}'"),
        (8, w) => format!("reject Read --path '~/.private{w}/*'"),
        (9, w) => format!("allow {{Read,edit_file}} --path '/generated{w}\\/.*\\.rs$/'"),
        (10, w) => format!("ask mcp__server{w}__*"),
        (_, w) => format!("allow --context subagent mcp__server{w}__query --limit {n}"),
    };
    (0..count).map(line).collect::<Vec<_>>().join("\n")
}

/// A word for a number, of letters that the calls have, too: what the rules are told apart by is not
/// which letters there are.
fn word(n: usize) -> String {
    let letters = ['e', 'r', 's', 't', 'o', 'u'];
    (0..4).map(|place| letters[n / 6usize.pow(place) % 6]).collect()
}

fn policy(text: &str) -> Result<Policy> {
    let source = Source::User { path: "/settings".into() };
    let sourced = |(line, rule)| SourcedRule { rule, source: source.clone(), line: Some(line) };
    let rules = parse_text(text)?.into_iter().map(sourced).collect();
    Ok(Policy::builtin().with_home("/home/u".into()).with_user_rules(rules))
}

fn json_of(text: &str) -> Result<Value> {
    Ok(parse_text(text)?.iter().map(|(_, rule)| to_json(rule)).collect())
}

/// Rounds of many verdicts; each gives the time of one.
fn verdicts(
    options: &Options,
    policy: &Policy,
    tool: &str,
    args: &Value,
    path: Option<&str>,
) -> Result<Samples> {
    let roots = [PathBuf::from(ROOT)];
    let resolved = |arg: &str, written: &str| ResolvedPath {
        arg: arg.to_owned(),
        written: written.to_owned(),
        real: Path::new(ROOT).join(written),
        inside_workspace: true,
    };
    let paths: Vec<ResolvedPath> = path.map(|path| resolved("path", path)).into_iter().collect();
    let writes = [resolved("", "out.txt")];
    let call = Call {
        names: &[tool],
        args,
        context: Context::Thread,
        cwd: &roots[0],
        workspace: &roots,
        paths: &paths,
        writes: &writes,
    };
    let is_users = policy.evaluate(&call).matched.is_some_and(|it| it.source != Source::BuiltIn);
    if is_users || policy.evaluate(&call).action == Action::Reject {
        return Err("a rule of the user's matches".into());
    }
    let many = options.pick(500, 2);
    let round = || {
        let start = Instant::now();
        for _ in 0..many {
            black_box(policy.evaluate(black_box(&call)));
        }
        start.elapsed().as_secs_f64() / f64::from(many)
    };
    let samples: Samples = (0..=options.pick(15, 1)).map(|_| round()).collect();
    Ok(samples.without_first())
}

/// Rounds of reading the rules and making a policy of them.
fn reads(
    options: &Options,
    read: impl Fn() -> Result<Vec<redline_permissions::Rule>>,
) -> Result<Samples> {
    let round = || {
        let start = Instant::now();
        let sourced = |rule| SourcedRule { rule, source: Source::Editor, line: None };
        let rules = read()?.into_iter().map(sourced).collect();
        black_box(Policy::builtin().with_user_rules(rules));
        Ok(start.elapsed().as_secs_f64())
    };
    let samples: Result<Samples> = (0..=options.pick(31, 1)).map(|_| round()).collect();
    Ok(samples?.without_first())
}
