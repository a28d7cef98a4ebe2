//! The JSON form: `amp.permissions` and `redline.permissions` (seed 004).

use serde_json::{Map, Value};

use crate::{
    Action, Condition, Context, Literal, Matches, Pattern, Place, Problem, Rule, RuleError,
};

/// What is wrong with a condition, and the dotted path to it.
type Nested<T> = Result<T, (String, Problem)>;

/// Reads the array that stands under `amp.permissions` or `redline.permissions`.
///
/// # Errors
/// The first problem, with the rule's index and property. Unknown properties are errors: a
/// misspelt `context` would make a rule wider than it was meant.
pub fn parse_json(value: &Value) -> Result<Vec<Rule>, RuleError> {
    let Value::Array(rules) = value else {
        let place = Place::Json { rule: None, key: String::new() };
        return Err(RuleError { place, problem: wrong("an array of rules", value) });
    };
    rules.iter().enumerate().map(|(index, value)| at(index, rule(value))).collect()
}

/// The JSON form of a rule.
pub fn to_json(rule: &Rule) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("tool", rule.tool.clone().into());
    if !rule.matches.is_empty() {
        put("matches", Value::Object(rule.matches.to_json()));
    }
    put("action", rule.action.name().into());
    if let Some(context) = rule.context {
        put("context", context.name().into());
    }
    if let Some(to) = &rule.to {
        put("to", to.clone().into());
    }
    if let Some(message) = &rule.message {
        put("message", message.clone().into());
    }
    Value::Object(object)
}

fn at<T>(index: usize, result: Nested<T>) -> Result<T, RuleError> {
    result.map_err(|(key, problem)| RuleError {
        place: Place::Json { rule: Some(index), key },
        problem,
    })
}

fn rule(value: &Value) -> Nested<Rule> {
    let Value::Object(object) = value else {
        return Err((String::new(), wrong("a rule, an object with `tool` and `action`", value)));
    };
    if let Some(key) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let expected = "tool, matches, action, context, to or message";
        return Err((key.clone(), Problem::Key { expected, found: format!("`{key}`") }));
    }
    let action = named(object, "action", "allow, ask, reject or delegate", Action::parse)?;
    let tool = text(object, "tool")?.ok_or_else(|| missing("tool", "a tool name"))?;
    let mut rule = Rule::new(action.ok_or_else(|| missing("action", ACTIONS))?, tool);
    rule.context = named(object, "context", "thread or subagent", Context::parse)?;
    rule.to = text(object, "to")?;
    rule.message = text(object, "message")?;
    if let Some(conditions) = object.get("matches") {
        rule.matches = matches(conditions).map_err(under("matches"))?;
    }
    rule.check().map_err(|problem| (blamed(&problem).to_owned(), problem))?;
    Ok(rule)
}

const KEYS: [&str; 6] = ["tool", "matches", "action", "context", "to", "message"];
const ACTIONS: &str = "allow, ask, reject or delegate";

fn blamed(problem: &Problem) -> &'static str {
    match problem {
        Problem::Tool { .. } => "tool",
        Problem::MessageWithoutReject => "message",
        _ => "to",
    }
}

fn matches(value: &Value) -> Nested<Matches> {
    let Value::Object(object) = value else {
        return Err((String::new(), wrong("an object of argument → condition", value)));
    };
    let mut matches = Matches::default();
    for (key, value) in object {
        if key.is_empty() {
            // A dot, so that the path says that there is a key and not that it ends.
            let (expected, found) = ("an argument's name", "an empty one".to_owned());
            return Err((".".to_owned(), Problem::Key { expected, found }));
        }
        matches.add(key, condition(value).map_err(under(key))?);
    }
    Ok(matches)
}

/// Reads one condition.
pub(crate) fn condition(value: &Value) -> Nested<Condition> {
    Ok(match value {
        Value::String(text) => Pattern::new(text).map(Condition::Pattern).map_err(here)?,
        Value::Null => Condition::Literal(Literal::Null),
        Value::Bool(value) => Condition::Literal(Literal::Bool(*value)),
        Value::Number(value) => Condition::Literal(Literal::Number(value.clone())),
        Value::Object(_) => Condition::Nested(matches(value)?),
        Value::Array(all) => {
            let one = |(index, value): (usize, &Value)| {
                condition(value).map_err(under(&index.to_string()))
            };
            let all = all.iter().enumerate().map(one).collect::<Nested<Vec<_>>>()?;
            let problem = || Problem::expected("at least one alternative", "an empty array");
            Condition::any(all).ok_or_else(|| here(problem()))?
        }
    })
}

fn here(problem: Problem) -> (String, Problem) {
    (String::new(), problem)
}

fn under(key: &str) -> impl Fn((String, Problem)) -> (String, Problem) + '_ {
    move |(inner, problem)| match inner.as_str() {
        "" => (key.to_owned(), problem),
        _ => (format!("{key}.{inner}"), problem),
    }
}

fn text(object: &Map<String, Value>, key: &str) -> Nested<Option<String>> {
    match object.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err((key.to_owned(), wrong("text", other))),
    }
}

fn named<T>(
    object: &Map<String, Value>,
    key: &str,
    expected: &'static str,
    parse: fn(&str) -> Option<T>,
) -> Nested<Option<T>> {
    let Some(name) = text(object, key)? else { return Ok(None) };
    let fail = || (key.to_owned(), Problem::expected(expected, format!("`{name}`")));
    parse(&name).map(Some).ok_or_else(fail)
}

fn missing(key: &str, expected: &'static str) -> (String, Problem) {
    (key.to_owned(), Problem::expected(expected, "nothing"))
}

fn wrong(expected: &'static str, found: &Value) -> Problem {
    let kind = match found {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    Problem::expected(expected, kind)
}
