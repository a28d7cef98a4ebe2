//! Invariants over arbitrary rules and calls.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Owned, rank};
use proptest::prelude::*;
use redline_permissions::*;
use serde_json::json;

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,3}",
        "[ -~\n\té☃]{0,8}",
        "[*/'\"\\\\ ${}:=#~]{0,6}",
        Just("true".to_owned()),
        Just("\"true\"".to_owned()),
        Just("{\"a\":1}".to_owned()),
        Just("-1e5".to_owned()),
        Just("[1, 2]".to_owned()),
        Just("/a\\/b{1,2}|[^\"' \n]=é:/".to_owned()),
        Just("a.b:c=d e\n\"'é".to_owned()),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    let leaf = prop_oneof![
        4 => word().prop_filter_map("regex", |text| Pattern::new(&text).ok())
            .prop_map(Condition::Pattern),
        1 => any::<bool>().prop_map(|value| Condition::Literal(Literal::Bool(value))),
        1 => Just(Condition::Literal(Literal::Null)),
        1 => any::<i64>().prop_map(|value| Condition::Literal(Literal::Number(value.into()))),
        1 => any::<f32>().prop_filter_map("finite", |value| {
            serde_json::Number::from_f64(f64::from(value)).map(Literal::Number)
        }).prop_map(Condition::Literal),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..3).prop_filter_map("empty", Condition::any),
            prop::collection::vec((key(), inner), 0..3)
                .prop_map(|all| Condition::Nested(matches(all))),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![Just("cmd".to_owned()), Just("path".to_owned()), word()]
        .prop_filter("empty", |key| !key.is_empty())
}

fn matches(all: Vec<(String, Condition)>) -> Matches {
    all.into_iter().fold(Matches::default(), |matches, (key, one)| matches.with(key, one))
}

fn rule() -> impl Strategy<Value = Rule> {
    let tool = prop_oneof![Just("Bash".to_owned()), Just("*".to_owned()), word()];
    let action = prop::sample::select(Action::ALL.to_vec());
    let context = prop::option::of(prop::sample::select(vec![Context::Thread, Context::Subagent]));
    let conditions = prop::collection::vec((key(), condition()), 0..3);
    (tool, action, context, conditions, word()).prop_filter_map(
        "valid",
        |(tool, action, context, all, text)| {
            let mut rule = Rule { context, matches: matches(all), ..Rule::new(action, tool) };
            match action {
                Action::Delegate => rule.to = Some(text),
                Action::Reject => rule.message = Some(text),
                _ => {}
            }
            rule.check().ok().map(|()| rule)
        },
    )
}

/// Rules that have something to do with Bash.
fn bash_rules() -> impl Strategy<Value = Vec<SourcedRule>> {
    let texts = [
        "allow Bash",
        "ask Bash",
        "reject Bash",
        "allow Bash --cmd '*'",
        "allow Bash --cmd 'a *'",
        "reject Bash --cmd 'b*'",
        "ask Bash --cmd '*$*'",
        "allow Bash --cmd '/^a/'",
        "delegate --to p Bash --cmd 'a*'",
        "reject edit_file --path 'x*'",
        "allow *",
    ];
    let rule = prop::sample::select(texts.to_vec());
    prop::collection::vec(rule, 0..4).prop_map(|lines| common::user(&lines.join("\n")))
}

fn command() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "x", " ", " ", ";", "&&", "|", "&", "\n", "(", ")", "$(", ")", "`", "'", "\"",
        "\\", "$X", "${X}", "${", ">", ">>", "<", "<<", "2>", ">&", "{", "}", ",", "#", "=",
        "eval", "for", "do", "!", "é", "\0", "[", "*", ".git/x",
    ]);
    prop_oneof![prop::collection::vec(piece, 0..12).prop_map(|all| all.concat()), ".{0,30}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_what_is_printed_gives_the_same(rules in prop::collection::vec(rule(), 1..4)) {
        let text: Vec<String> = rules.iter().map(ToString::to_string).collect();
        let read = parse_text(&text.join("\n")).map_err(|e| TestCaseError::fail(format!("{e}: {text:?}")))?;
        let read: Vec<Rule> = read.into_iter().map(|(_, rule)| rule).collect();
        prop_assert_eq!(&read, &rules);
        let value = serde_json::Value::Array(rules.iter().map(to_json).collect());
        let from_json = parse_json(&value).unwrap();
        prop_assert_eq!(&from_json, &rules);
        let printed: Vec<String> = from_json.iter().map(ToString::to_string).collect();
        prop_assert_eq!(&printed, &text);
        // As a file has it: the numbers are read again, too.
        let written: serde_json::Value = serde_json::from_str(&value.to_string()).unwrap();
        prop_assert_eq!(&parse_json(&written).unwrap(), &rules);
    }

    #[test]
    fn nothing_panics(cmd in command(), text in ".{0,40}", rules in prop::collection::vec(rule(), 0..4)) {
        let _ = parse_text(&text);
        let _ = parse_words(&[&text, &cmd]);
        let path = std::path::PathBuf::from("/c");
        let sourced = rules.into_iter().map(|rule| SourcedRule {
            rule, source: Source::User { path: path.clone() }, line: None,
        });
        let policy = Policy::builtin().with_user_rules(sourced.collect());
        Owned::bash(&cmd).judge(&policy);
        Owned::file("edit_file", &text, &cmd).judge(&policy);
        Owned::new("t", json!({ "a": text, "cmd": cmd })).judge(&policy);
        Owned::file("edit_file", &text, &cmd).grants();
    }

    #[test]
    fn tightening_never_loosens(
        cmd in command(), own in bash_rules(), theirs in bash_rules(), granted in bash_rules(),
        subagent in any::<bool>(),
    ) {
        let mut call = Owned::bash(&cmd);
        call.context = if subagent { Context::Subagent } else { Context::Thread };
        let mut base = Policy::builtin().with_user_rules(own);
        let before = call.judge(&base);
        granted.into_iter().for_each(|grant| base.add_grant(grant));
        let granted = call.judge(&base);
        let tightened = call.judge(&base.with_repository_rules(theirs));
        prop_assert!(rank(tightened.action) >= rank(granted.action), "{tightened:?} < {granted:?}");
        if before.action == Action::Reject {
            prop_assert_eq!(granted.action, Action::Reject);
        }
        if granted.action != before.action {
            prop_assert_eq!(before.action, Action::Ask);
            prop_assert!(before.grantable);
        }
    }

    #[test]
    fn a_grant_covers_its_call_and_no_longer_one(cmd in command(), more in command()) {
        let call = Owned::bash(&cmd);
        let Some(rule) = call.grants().pop() else { return Ok(()) };
        let mut policy = Policy::builtin();
        policy.add_grant(SourcedRule::session(rule));
        prop_assert_eq!(call.judge(&policy).action, Action::Allow);
        let longer = Owned::bash(&format!("{cmd}; zz {more}"));
        prop_assert_eq!(longer.judge(&policy).action, Action::Ask);
    }
}
