//! `redline permissions replay`.

use std::{
    collections::{BTreeMap, HashMap},
    io::Read,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use redline_audit::{Judged, Moment, Replay, Unjudged, io::entries};
use redline_permissions::{Policy, Source, SourcedRule, parse_text};
use serde_json::{Value, json};

use super::{
    super::{CliError, audit::place, error, folder, print},
    past::{PastCall, calls, plain},
};
use crate::settings::{Settings, jsonc, rules};

/// The part of the help that clap can't know.
pub const HELP: &str = "\
RULES are taken as your rules, in place of those of your settings: in the text form, as a JSON list,
or a settings file with `redline.permissions`; `-` is stdin. Nothing is run.
Exit code: 0 no call would get another verdict, 1 some would, 2 the rules or the log cannot be read.";

/// What is replayed.
#[derive(Debug, Args)]
pub struct Options {
    /// A file with rules, or `-`
    #[arg(value_name = "RULES")]
    rules: String,
    /// Only calls since then: 30m, 2h, 7d, 2026-11-21, 2026-11-21T04:07 (UTC)
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Those of other folders too
    #[arg(long)]
    all: bool,
    /// One JSON line
    #[arg(long)]
    json: bool,
}

/// What came of it.
#[derive(Default)]
struct Outcome {
    calls: usize,
    changed: Vec<(PastCall, Judged)>,
    /// How many could not be judged, by the reason.
    unjudged: BTreeMap<String, usize>,
}

/// Runs the command.
pub fn main(options: &Options) -> ExitCode {
    match outcome(options) {
        Ok(outcome) => {
            match options.json {
                true => print(&format!("{}\n", as_json(&outcome))),
                false => tell(&outcome),
            }
            if outcome.changed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            error(&why);
            ExitCode::from(2)
        }
    }
}

fn outcome(options: &Options) -> Result<Outcome, String> {
    let text = |error: CliError| error.to_string();
    let since = options.since.as_deref().map(|text| Moment::since(text, Moment::now()));
    let since = since.transpose().map_err(|error| text(error.into()))?;
    let here = folder().map_err(text)?;
    let user_rules = read(&options.rules)?;
    let past = entries(&place().map_err(text)?).map_err(|error| error.to_string())?;
    let fits = |past: &PastCall| {
        since.is_none_or(|since| past.time >= since) && (options.all || past.is_in(&here))
    };
    let mut outcome = Outcome::default();
    let mut houses: HashMap<Vec<PathBuf>, Both> = HashMap::new();
    for past in calls(past).into_iter().filter(fits) {
        let folders = past.call.folders.clone();
        if !houses.contains_key(&folders) {
            houses.insert(folders.clone(), Both::of(&folders, &user_rules)?);
        }
        let Some(both) = houses.get(&folders) else { continue };
        outcome.add(past, both);
    }
    Ok(outcome)
}

impl Outcome {
    fn add(&mut self, past: PastCall, both: &Both) {
        match both.replay().judge(&past.call) {
            Ok(judged) => {
                self.calls += 1;
                if judged.differs() {
                    self.changed.push((past, judged));
                }
            }
            // It was an error then, and would be one again.
            Err(Unjudged::Invalid) => {}
            Err(why) => {
                self.calls += 1;
                *self.unjudged.entry(why.to_string()).or_default() += 1;
            }
        }
    }
}

/// The rules for some folders, with the user's as they are and with the other ones.
struct Both {
    now: Policy,
    then: Policy,
    rules: Vec<SourcedRule>,
}

impl Both {
    fn of(folders: &[PathBuf], user_rules: &[SourcedRule]) -> Result<Self, String> {
        let settings = Settings::load(folders).map_err(|error| error.to_string())?;
        let other = Settings { user_rules: user_rules.to_vec(), ..settings.clone() };
        let (now, then) = (settings.policy(), other.policy());
        let all = [&settings.user_rules, &other.user_rules, &settings.repository_rules];
        let mut rules: Vec<SourcedRule> = all.into_iter().flatten().cloned().collect();
        rules.extend(settings.trusted_rules.iter().flat_map(|(_, rules)| rules).cloned());
        rules.extend(now.builtin_rules().iter().chain(now.grants()).cloned());
        Ok(Both { now, then, rules })
    }

    fn replay(&self) -> Replay<'_> {
        Replay { now: &self.now, then: &self.then, rules: self.rules.iter().collect() }
    }
}

/// The rules of a file, in whichever form.
fn read(name: &str) -> Result<Vec<SourcedRule>, String> {
    let mut text = String::new();
    let read = match name {
        "-" => std::io::stdin().read_to_string(&mut text).map(|_| ()),
        file => std::fs::read_to_string(file).map(|all| text = all),
    };
    read.map_err(|error| format!("cannot read the rules {name}: {error}"))?;
    let path = Path::new(if name == "-" { "stdin" } else { name });
    let source = Source::User { path: path.to_owned() };
    if !text.trim_start().starts_with(['[', '{']) {
        let rules = parse_text(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let sourced = |(line, rule)| SourcedRule { rule, source: source.clone(), line: Some(line) };
        return Ok(rules.into_iter().map(sourced).collect());
    }
    let wrong = |place: jsonc::Place, message: &str| {
        format!("{}:{}:{}: {message}", path.display(), place.line, place.column)
    };
    let root = jsonc::parse(&text).map_err(|error| wrong(error.place, &error.message))?;
    let lists: Vec<&jsonc::Node> = match &root.kind {
        jsonc::Kind::Object(members) => {
            let is_ours = |key: &str| matches!(key, "redline.permissions" | "amp.permissions");
            members.iter().filter(|(key, ..)| is_ours(key)).map(|(_, _, node)| node).collect()
        }
        _ => vec![&root],
    };
    if lists.is_empty() {
        return Err(wrong(root.place, "expected a list of rules, or \"redline.permissions\""));
    }
    let rules = lists.into_iter().map(|list| rules::read(list, source.clone()));
    let rules: Result<Vec<_>, _> = rules.collect();
    rules.map(|all| all.concat()).map_err(|(place, message)| wrong(place, &message))
}

fn tell(outcome: &Outcome) {
    let line = |(past, judged): &(PastCall, Judged)| {
        let (now, then) = (judged.now.action, judged.then.action);
        let why = plain(&judged.then.reason.text);
        format!("{}  {now} → {then}  {}\n    {why}\n", past.second(), past.title())
    };
    let mut text: String = outcome.changed.iter().map(line).collect();
    let (changed, calls) = (outcome.changed.len(), outcome.calls);
    text.push_str(&format!("{changed} of {calls} calls would get another verdict\n"));
    for (why, count) in &outcome.unjudged {
        text.push_str(&format!("{count} cannot be judged: {why}\n"));
    }
    print(&text);
}

fn as_json(outcome: &Outcome) -> Value {
    let changed = outcome.changed.iter().map(|(past, judged)| {
        json!({
            "seq": past.seq, "time": past.time, "tool": past.call.caller.tool, "args": past.call.args,
            "recorded": past.call.verdict.as_ref().map(|verdict| verdict.action),
            "now": judged.now.action, "then": judged.then.action,
            "reason": judged.then.reason.text,
        })
    });
    json!({
        "calls": outcome.calls,
        "changed": changed.collect::<Vec<_>>(),
        "unjudged": outcome.unjudged.iter().map(|(why, count)| json!({"reason": why, "calls": count}))
            .collect::<Vec<_>>(),
    })
}
