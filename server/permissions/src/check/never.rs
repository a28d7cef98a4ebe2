//! Rules, and alternatives in them, that no call can match.

use super::known::{KnownTool, matched, may_be_foreign, nearest};
use super::{FlawKind, Remark, regex_text};
use crate::glob::after_home;
use crate::{Condition, Literal, Rule};

pub(super) fn remarks(rule: &Rule, tools: &[KnownTool]) -> Vec<Remark> {
    let foreign = may_be_foreign(&rule.tool);
    let of_rule = matched(rule, tools);
    if of_rule.is_empty() {
        return if foreign { Vec::new() } else { vec![no_tool(rule, tools)] };
    }
    let mut remarks = Vec::new();
    for (key, condition) in rule.matches.iter() {
        let takers: Vec<&KnownTool> =
            of_rule.iter().copied().filter(|tool| tool.argument(key).is_some()).collect();
        if takers.is_empty() {
            remarks.extend((!foreign).then(|| no_argument(key, &of_rule)));
            continue;
        }
        for one in alternatives(condition) {
            remarks.extend(wrong_type(key, one, &takers).filter(|_| !foreign));
            let is_path = |tool: &&KnownTool| tool.argument(key).is_some_and(|it| it.is_path);
            remarks.extend(takers.iter().all(is_path).then(|| no_path(rule, key, one)).flatten());
        }
    }
    remarks
}

pub(super) fn alternatives(condition: &Condition) -> &[Condition] {
    match condition {
        Condition::Any(all) => all,
        one => std::slice::from_ref(one),
    }
}

fn no_tool(rule: &Rule, tools: &[KnownTool]) -> Remark {
    let names = tools.iter().flat_map(|tool| &tool.names).map(String::as_str);
    let text = format!("it can never match: there is no tool `{}`.", rule.tool);
    let remark = Remark::new(FlawKind::Never, text);
    match nearest(&rule.tool, names) {
        Some(name) => remark.instead(format!("`{name}`, if that is meant")),
        None => remark.instead("a name that `redline tools list` shows"),
    }
}

fn no_argument(key: &str, tools: &[&KnownTool]) -> Remark {
    let names = || tools.iter().flat_map(|tool| &tool.arguments).map(|it| it.name.as_str());
    let name = tools.first().map_or("", |tool| tool.name());
    let text = format!("it can never match: {name} has no argument `{key}`.");
    let remark = Remark::new(FlawKind::Never, text);
    let (action, mut all) = (["context", "to", "message"].contains(&key), Vec::new());
    all.extend(names());
    all.dedup();
    match nearest(key, names()) {
        _ if action => remark.instead(format!("`--{key}` before the tool's name")),
        Some(near) => remark.instead(format!("`--{near}`, if that is meant")),
        None if all.is_empty() => remark.instead("the rule without conditions"),
        None => remark.instead(format!("one of its arguments: {}", all.join(", "))),
    }
}

/// Patterns are about text, literals are not.
fn wrong_type(key: &str, condition: &Condition, tools: &[&KnownTool]) -> Option<Remark> {
    let types: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool.argument(key))
        .flat_map(|argument| match argument.types.as_slice() {
            [] => vec!["array"],
            types => types.iter().map(String::as_str).collect(),
        })
        .collect();
    let is_any = |kinds: &[&str]| types.iter().any(|kind| kinds.contains(kind));
    if is_any(&["array", "object"]) {
        return None;
    }
    let found = |what: &str| {
        let text = format!("`--{key}` can never match: {what}.");
        Some(Remark::new(FlawKind::Never, text))
    };
    match condition {
        Condition::Pattern(pattern) if !is_any(&["string"]) => {
            let what = format!("it is no text, and `{}` is a pattern over text", pattern.text());
            Some(found(&what)?.instead("the value itself: a number, true or false"))
        }
        Condition::Literal(literal @ (Literal::Number(_) | Literal::Bool(_)))
            if !is_any(&["number", "integer", "boolean"]) =>
        {
            let value = literal.to_json();
            let what = format!("it is text, and {value} without more quotes is not");
            Some(found(&what)?.instead(format!("`--{key} '\"{value}\"'`")))
        }
        _ => None,
    }
}

/// `./` at the start is where a relative path starts; else a resolved path has no `.`, `..`, `//` and no slash at its end.
fn no_path(rule: &Rule, key: &str, condition: &Condition) -> Option<Remark> {
    let Condition::Pattern(pattern) = condition else { return None };
    let text = pattern.text();
    if let Some(body) = regex_text::body(text) {
        return folder_as_regex(body, key);
    }
    let rest = after_home(text).unwrap_or(text);
    let odd = odd_part(text, rest)?;
    let instead = format!("`--{key} '{}'`", mended(text));
    let remark = if rule.action.tightens() {
        let text = format!(
            "`--{key} '{text}'` catches only a path that is written in just this way: once it is \
             resolved, no path {odd}."
        );
        Remark::new(FlawKind::Narrow, text)
    } else {
        let text = format!("`--{key} '{text}'` can never match: a resolved path never {odd}.");
        Remark::new(FlawKind::Never, text)
    };
    Some(remark.instead(instead))
}

fn odd_part(text: &str, rest: &str) -> Option<&'static str> {
    let is_start = |start: &str| text == start || text.starts_with(&format!("{start}/"));
    match () {
        () if is_start("..") => Some("starts with `..`"),
        () if rest.contains("//") => Some("has `//` in it"),
        () if rest.contains("/../") || rest.ends_with("/..") => Some("has `..` in it"),
        () if rest.contains("/./") || rest.ends_with("/.") => Some("has `/./` in it"),
        () if rest.len() > 1 && rest.ends_with('/') => Some("ends with a slash"),
        () => None,
    }
}

/// A guess, for the user to look at.
fn mended(text: &str) -> String {
    let mut text = text.to_owned();
    while text.contains("//") || text.contains("/./") {
        text = text.replace("//", "/").replace("/./", "/");
    }
    let text = text.strip_prefix("./").unwrap_or(&text);
    let text = text.strip_suffix("/.").unwrap_or(text);
    match text.strip_suffix('/') {
        Some(folder) => format!("{folder}/*"),
        None if text == "." || text.contains("..") => "/the/whole/path/*".to_owned(),
        None => text.to_owned(),
    }
}

/// `/etc/` looks like a folder.
fn folder_as_regex(body: &str, key: &str) -> Option<Remark> {
    let is_name = |c: char| c.is_alphanumeric() || "_-/.~".contains(c);
    if !body.chars().all(is_name) {
        return None;
    }
    let text = format!(
        "`--{key} /{body}/` is a regular expression, since it stands between slashes: it matches every \
         path with `{body}` anywhere in it."
    );
    let instead =
        format!("`--{key} '/{body}/*'` for the folder, or `--{key} '*{body}*'` if that is meant");
    Some(Remark::new(FlawKind::Narrow, text).instead(instead))
}
