//! Conditions on arguments.

use serde_json::{Map, Number, Value};

use crate::Pattern;

/// What an argument must be.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Text that matches.
    Pattern(Pattern),
    /// Exactly this JSON literal.
    Literal(Literal),
    /// One of these; never empty, never one alone, never nested in itself ([`Condition::any`]).
    Any(Vec<Condition>),
    /// An object whose properties match.
    Nested(Matches),
}

/// A JSON literal other than text.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `null`; an argument that is absent is not null.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number; 1 and 1.0 are the same.
    Number(Number),
}

impl Condition {
    /// One of several conditions, in the one form that equal alternatives have. `None` if there is
    /// no alternative, which nothing could match.
    pub fn any(alternatives: impl IntoIterator<Item = Condition>) -> Option<Self> {
        let mut flat = Vec::new();
        for alternative in alternatives {
            match alternative {
                Condition::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => None,
            1 => flat.pop(),
            _ => Some(Condition::Any(flat)),
        }
    }

    /// Exactly this text.
    pub fn exactly(text: &str) -> Self {
        Condition::Pattern(Pattern::exactly(text))
    }

    /// The JSON form.
    pub fn to_json(&self) -> Value {
        match self {
            Condition::Pattern(pattern) => Value::String(pattern.text().to_owned()),
            Condition::Literal(literal) => literal.to_json(),
            Condition::Any(all) => Value::Array(all.iter().map(Condition::to_json).collect()),
            Condition::Nested(matches) => Value::Object(matches.to_json()),
        }
    }
}

impl Literal {
    /// The JSON form.
    pub fn to_json(&self) -> Value {
        match self {
            Literal::Null => Value::Null,
            Literal::Bool(value) => Value::Bool(*value),
            Literal::Number(value) => Value::Number(value.clone()),
        }
    }

    /// Whether it is that value.
    pub(crate) fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Literal::Number(one), Value::Number(other)) => {
                one == other || ((one.is_f64() || other.is_f64()) && one.as_f64() == other.as_f64())
            }
            _ => self.to_json() == *value,
        }
    }
}

/// Conditions by argument, in the order in which they were written; every key once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matches(Vec<(String, Condition)>);

impl Matches {
    /// Whether there is no condition: the rule matches all calls of its tools.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The condition on an argument.
    pub fn get(&self, key: &str) -> Option<&Condition> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, condition)| condition)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Condition)> {
        self.0.iter().map(|(key, condition)| (key.as_str(), condition))
    }

    /// Adds an alternative: a second condition on the same argument is *or*.
    pub fn add(&mut self, key: impl Into<String>, condition: Condition) {
        let key = key.into();
        match self.0.iter_mut().find(|(name, _)| *name == key) {
            None => self.0.push((key, condition)),
            Some((_, old)) => {
                if let Some(both) = Condition::any([old.clone(), condition]) {
                    *old = both;
                }
            }
        }
    }

    /// The same with one more condition.
    pub fn with(mut self, key: impl Into<String>, condition: Condition) -> Self {
        self.add(key, condition);
        self
    }

    /// The same without what is said of an argument.
    pub fn without(mut self, key: &str) -> Self {
        self.0.retain(|(name, _)| name != key);
        self
    }

    /// The JSON form.
    pub fn to_json(&self) -> Map<String, Value> {
        self.iter().map(|(key, condition)| (key.to_owned(), condition.to_json())).collect()
    }
}
