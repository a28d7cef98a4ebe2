//! The text form: `<action> [--<action-arg> …] <tool> [--<key> <value>] …` (seed 004).

use serde_json::Value;

use crate::json::condition;
use crate::lexer::{self, Word};
use crate::{Action, Condition, Context, Pattern, Place, Problem, Rule, RuleError};

/// Reads rules, one a line, with `#` comments. A value that is a JSON literal (`true`, `null`, `5`)
/// or a JSON object is that value; everything else is a pattern. Returns each rule with the line
/// it starts on, counted from 1.
///
/// # Errors
/// The first problem, with line and column (chars), both counted from 1.
pub fn parse_text(text: &str) -> Result<Vec<(u32, Rule)>, RuleError> {
    let rules = lexer::rules(text)?;
    rules.iter().map(|words| Ok((words.first().map_or(1, |w| w.line), rule(words)?))).collect()
}

/// Reads one rule from words that a shell has already taken apart.
///
/// # Errors
/// As [`parse_text`]; the line is 1 and the column is the word's number.
pub fn parse_words<S: AsRef<str>>(words: &[S]) -> Result<Rule, RuleError> {
    let numbered = (1u32..).zip(words);
    let words: Vec<Word> = numbered
        .map(|(column, word)| Word { text: word.as_ref().to_owned(), line: 1, column })
        .collect();
    rule(&words)
}

fn rule(words: &[Word]) -> Result<Rule, RuleError> {
    let mut reader = Reader { words, at: 0 };
    let action = reader.take("an action (allow, ask, reject or delegate)")?;
    let parsed = Action::parse(&action.text)
        .ok_or_else(|| unexpected(action, "an action (allow, ask, reject or delegate)"))?;
    let mut rule = Rule::new(parsed, "");
    while let Some(name) = reader.option() {
        action_argument(&mut rule, name, &mut reader)?;
    }
    let tool = reader.take("a tool name")?;
    rule.tool = tool.text.clone();
    while let Some(word) = reader.next() {
        let key = key(word)?;
        let value = reader.take("a value after the argument's name")?;
        rule.matches.add(key, text_condition(value)?);
    }
    let place = blame(words, tool, &rule);
    rule.check().map_err(|problem| RuleError { place, problem })?;
    Ok(rule)
}

/// Where a problem with the rule as a whole is shown.
fn blame(words: &[Word], tool: &Word, rule: &Rule) -> Place {
    match (rule.check(), words.first()) {
        (Err(Problem::Tool { .. }), _) | (_, None) => tool.place(),
        (_, Some(first)) => first.place(),
    }
}

fn action_argument(rule: &mut Rule, name: &Word, reader: &mut Reader) -> Result<(), RuleError> {
    const EXPECTED: &str = "--context, --to or --message before the tool's name";
    let (field, label) = match name.text.as_str() {
        "--context" => return context(rule, name, reader),
        "--to" => (&mut rule.to, "to"),
        "--message" => (&mut rule.message, "message"),
        _ => return Err(unexpected(name, EXPECTED)),
    };
    if field.is_some() {
        return Err(RuleError { place: name.place(), problem: Problem::Twice(label) });
    }
    *field = Some(reader.take("a value after the action's argument")?.text.clone());
    Ok(())
}

fn context(rule: &mut Rule, name: &Word, reader: &mut Reader) -> Result<(), RuleError> {
    if rule.context.is_some() {
        return Err(RuleError { place: name.place(), problem: Problem::Twice("context") });
    }
    let value = reader.take("thread or subagent")?;
    let context = Context::parse(&value.text);
    rule.context = Some(context.ok_or_else(|| unexpected(value, "thread or subagent"))?);
    Ok(())
}

/// `--key`, `--key:` or `--key:op`, of which no operator is known. The last colon counts, so a key
/// with a colon is written with one more behind it.
fn key(word: &Word) -> Result<String, RuleError> {
    let fail = |problem| Err(RuleError { place: word.place(), problem });
    let expected = "--<argument> <value>";
    let Some(name) = word.text.strip_prefix("--").filter(|name| !name.is_empty()) else {
        return fail(Problem::expected(expected, quoted(&word.text)));
    };
    match (name.rsplit_once(':'), name.split_once('=')) {
        (Some(("", _)), _) => fail(Problem::expected(expected, quoted(&word.text))),
        (Some((key, "")), _) => Ok(key.to_owned()),
        (Some((_, operation)), _) => fail(Problem::Operation(operation.to_owned())),
        (None, Some((key, _))) => fail(Problem::Equals(key.to_owned())),
        (None, None) => Ok(name.to_owned()),
    }
}

fn text_condition(word: &Word) -> Result<Condition, RuleError> {
    let at = |problem| RuleError { place: word.place(), problem };
    match as_json(&word.text) {
        Some(value) => condition(&value).map_err(|(_, problem)| at(problem)),
        None => Pattern::new(&word.text).map(Condition::Pattern).map_err(at),
    }
}

/// The JSON that a value's text stands for, if it stands for any. Text that would be taken for a
/// literal or an object is written as a JSON string, and so is text that looks like such a string.
pub(crate) fn as_json(text: &str) -> Option<Value> {
    if text.trim() != text {
        return None;
    }
    match serde_json::from_str(text).ok()? {
        Value::Array(_) => None,
        Value::String(inner) => as_json(&inner).map(|_| Value::String(inner)),
        value => Some(value),
    }
}

struct Reader<'a> {
    words: &'a [Word],
    at: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a Word> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word)
    }

    fn option(&mut self) -> Option<&'a Word> {
        self.words.get(self.at).filter(|word| word.text.starts_with('-'))?;
        self.next()
    }

    fn take(&mut self, expected: &'static str) -> Result<&'a Word, RuleError> {
        let end = self.words.last().map_or(Place::Text { line: 1, column: 1 }, |last| {
            let width = u32::try_from(last.text.chars().count()).unwrap_or(u32::MAX);
            Place::Text { line: last.line, column: last.column.saturating_add(width) }
        });
        let problem = Problem::expected(expected, "the end of the rule");
        self.next().ok_or(RuleError { place: end, problem })
    }
}

fn unexpected(word: &Word, expected: &'static str) -> RuleError {
    RuleError { place: word.place(), problem: Problem::expected(expected, quoted(&word.text)) }
}

fn quoted(text: &str) -> String {
    format!("`{text}`")
}
