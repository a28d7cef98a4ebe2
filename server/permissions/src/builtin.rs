//! The built-in rules.

use std::sync::{Arc, LazyLock};

use crate::rules::Rules;
use crate::{Action, Call, Source, SourcedRule, parse_text};

const TEXT: &str = include_str!("builtin.rules");

static RULES: LazyLock<Arc<Rules>> = LazyLock::new(|| {
    // If it did not parse (a test says it does), nothing would be allowed.
    let parsed = parse_text(TEXT).unwrap_or_default();
    let sourced = parsed.into_iter().map(|(line, rule)| SourcedRule {
        rule,
        source: Source::BuiltIn,
        line: Some(line),
    });
    Arc::new(Rules::new(sourced.collect()))
});

pub(crate) fn rules() -> Arc<Rules> {
    RULES.clone()
}

/// A read is a tool that a built-in rule allows whatever its arguments are.
pub(crate) fn is_read(call: &Call) -> bool {
    let rules = RULES.of(call.names, call.context);
    rules.iter().any(|it| it.rule.rule.action == Action::Allow && it.rule.rule.matches.is_empty())
}
