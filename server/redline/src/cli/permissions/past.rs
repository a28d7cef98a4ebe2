//! Calls of the past, each with its end and the decisions on what it proposed.

use std::{collections::HashMap, path::Path};

use redline_audit::{CallRecord, Caller, DecisionRecord, Entry, Moment, Record, ResultRecord};
use serde_json::Value;

/// A call.
#[derive(Debug)]
pub struct PastCall {
    /// When it was judged.
    pub time: Moment,
    /// Its line of the log.
    pub seq: u64,
    /// By which process.
    pub pid: u32,
    /// What was asked for.
    pub call: CallRecord,
    /// How it ended; `None`: it has not, or the process was killed.
    pub result: Option<ResultRecord>,
    /// What became of its proposals, in order.
    pub decisions: Vec<DecisionRecord>,
}

/// The calls in a log, in order.
pub fn calls(entries: Vec<Entry>) -> Vec<PastCall> {
    let mut calls: Vec<PastCall> = Vec::new();
    // A process has one call of that name at a time; the last one of a name is meant.
    let mut by_caller: HashMap<(u32, Caller), usize> = HashMap::new();
    let mut by_hunk: HashMap<(String, String), usize> = HashMap::new();
    for Entry { seq, time, pid, record, .. } in entries {
        match record {
            Record::Call(call) => {
                by_caller.insert((pid, call.caller.clone()), calls.len());
                let (result, decisions) = (None, Vec::new());
                calls.push(PastCall { time, seq, pid, call: *call, result, decisions });
            }
            Record::Answer(answer) => {
                let at = by_caller.get(&(pid, answer.caller.clone()));
                if let Some(past) = at.and_then(|&at| calls.get_mut(at)) {
                    past.call.by = answer.by;
                    past.call.verdict = answer.verdict.or(past.call.verdict.take());
                }
            }
            Record::Result(result) => {
                let Some(&at) = by_caller.get(&(pid, result.caller.clone())) else { continue };
                for hunk in &result.hunks {
                    by_hunk.insert((result.caller.thread.clone(), hunk.clone()), at);
                }
                if let Some(call) = calls.get_mut(at) {
                    call.result = Some(result);
                }
            }
            Record::Decision(decision) => {
                let of = |hunk: &String| by_hunk.get(&(decision.thread.clone(), hunk.clone()));
                let mut at: Vec<usize> = decision.hunks.iter().filter_map(of).copied().collect();
                // A rule's word comes before the call's own end, which names its hunks.
                let is_it = |past: &PastCall| {
                    past.result.is_none()
                        && past.call.caller.thread == decision.thread
                        && decision.calls.contains(&past.call.caller.call)
                };
                if at.is_empty() {
                    at.extend(calls.iter().rposition(is_it));
                }
                at.dedup();
                for at in at {
                    if let Some(call) = calls.get_mut(at) {
                        call.decisions.push(decision.clone());
                    }
                }
            }
            Record::File(_) | Record::Recovered(_) | Record::Unknown => {}
        }
    }
    calls
}

impl PastCall {
    /// Whether it was made in this folder, in one above it or in one below.
    pub fn is_in(&self, here: &Path) -> bool {
        let near = |folder: &Path| folder.starts_with(here) || here.starts_with(folder);
        self.call.folders.iter().any(|folder| near(folder))
    }

    /// Whether it was a call of that tool, by any of the names that rules know it by.
    pub fn is_of(&self, tool: &str) -> bool {
        let names = self.call.names.iter().chain([&self.call.caller.tool]);
        names.into_iter().any(|name| name.eq_ignore_ascii_case(tool))
    }

    /// The tool and what the call was about, on one line.
    pub fn title(&self) -> String {
        let argument = |name: &&str| self.call.args.get(name).and_then(Value::as_str);
        let about = ABOUT.iter().find_map(argument).unwrap_or_default();
        let mut title = format!("{} {}", self.call.caller.tool, first_line(about));
        if let Some(within) = &self.call.within {
            title.push_str(&format!(" (for {within})"));
        }
        if self.call.caller.subagent.is_some() {
            title.push_str(&format!(" (subagent {})", self.call.agent));
        }
        plain(title.trim_end())
    }

    /// `2026-11-21 04:07:09`
    pub fn second(&self) -> String {
        self.time.to_string().replace('T', " ").chars().take(19).collect()
    }
}

/// The arguments that say what a call is about.
const ABOUT: [&str; 10] = [
    "cmd",
    "pattern",
    "filePattern",
    "path",
    "url",
    "query",
    "description",
    "task",
    "prompt",
    "threadId",
];

fn first_line(text: &str) -> String {
    const LIMIT: usize = 100;
    let line = text.lines().next().unwrap_or_default();
    let more = text.lines().nth(1).is_some();
    match line.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None if more => format!("{line} …"),
        None => line.to_owned(),
    }
}

/// What agents wrote must not move the cursor.
pub fn plain(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { '␤' } else { char }).collect()
}
