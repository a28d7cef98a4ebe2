//! How a verdict came about.

mod common;

use common::{Owned, policy, repository};
use redline_permissions::*;

/// Each part and what its rules came to: `PART`, then `LIST INDEX OUTCOME`, then `STAGE ACTION`. Rules
/// for other tools, and those that are not reached and would not match, are left out.
fn shown(explanation: &Explanation) -> Vec<String> {
    let mut lines = Vec::new();
    for part in &explanation.parts {
        lines.push(format!("{:?}", part.part));
        for held in &part.rules {
            let outcome = match &held.outcome {
                Outcome::No(WhyNot::Tool) | Outcome::NotReached { would_match: false } => continue,
                Outcome::No(why) => why.to_string(),
                Outcome::NotReached { .. } => "later".to_owned(),
                other => format!("{other:?}"),
            };
            // The number of a built-in rule is nobody's contract.
            let index = match held.list {
                RuleList::BuiltIn | RuleList::Trusted => "-".to_owned(),
                _ => held.index.to_string(),
            };
            lines.push(format!("{:?} {index} {outcome}", held.list));
        }
        lines.extend(part.stages.iter().map(|stage| format!("{:?} {}", stage.name, stage.action)));
    }
    lines.push(explanation.verdict.action.to_string());
    lines
}

fn check(call: &Owned, policy: &Policy, want: &[&str]) {
    let explanation = call.with(|call| policy.explain(call));
    assert_eq!(shown(&explanation), want);
    assert_eq!(explanation.verdict.reason, call.judge(policy).reason);
}

#[test]
fn every_part_of_a_command_walks_the_list() {
    let rules = policy(
        "allow Bash --cmd 'git *'\nreject Bash --cmd 'rm *' --cmd 'mv *'\nask --context subagent Bash",
    );
    check(
        &Owned::bash("git status && rm x"),
        &rules,
        &[
            "Command(\"git status\")",
            "User 0 Matches",
            "BuiltIn - later",
            "BuiltIn - later",
            "Rules allow",
            "Command(\"rm x\")",
            "User 0 `cmd` is `rm x`, which `git *` does not match",
            "User 1 Matches",
            "BuiltIn - later",
            "Rules reject",
            "reject",
        ],
    );
}

#[test]
fn the_forms_of_a_path_are_those_that_count() {
    let call = Owned::file("Read", "./a/../b.rs", "/srv/app/b.rs");
    let rules = policy("allow Read --path '*.md'\nreject Read --path '*.txt'\nask Read --limit 5");
    check(
        &call,
        &rules,
        &[
            "Call",
            "User 0 `*.md` matches none of the forms of `path`: `/srv/app/b.rs`, `b.rs`",
            "User 1 `*.txt` matches none of the forms of `path`: `./a/../b.rs`, \
             `/srv/app/b.rs`, `b.rs`",
            "User 2 the call has no `limit`",
            "BuiltIn - Matches",
            "Rules allow",
            "allow",
        ],
    );
}

#[test]
fn fences_repositories_and_grants_have_their_stage() {
    let outside = Owned::at("Read", "/etc/x");
    let mut rules = policy("").with_repository_rules(repository("reject Read --path '*.pem'"));
    let grant = parse_text("allow Read --path /etc/x").unwrap().remove(0).1;
    rules.add_grant(SourcedRule::session(grant));
    check(
        &outside,
        &rules,
        &[
            "Call",
            "BuiltIn - Matches",
            "Repository 0 `*.pem` matches none of the forms of `path`: `/etc/x`, `x`",
            "Grants 0 Matches",
            "Rules allow",
            "Fence ask",
            "Grants allow",
            "allow",
        ],
    );
    let rules = policy("").with_repository_rules(repository("ask Bash --cmd '*'"));
    let explanation = Owned::bash("$x").with(|call| rules.explain(call));
    assert!(shown(&explanation).contains(&"Repository 0 Matches".to_owned()), "{explanation:#?}");
}

#[test]
fn who_calls_and_what_is_not_understood() {
    let call = Owned::bash("for f in *; do ls $f; done").subagent();
    let rules = policy("ask --context thread Bash\nallow Bash --cmd 'ls *'");
    let lines = shown(&call.with(|call| rules.explain(call)));
    let has = |line: &str| lines.iter().any(|found| found.contains(line));
    assert!(has("User 0 it is for the main thread only"), "{lines:#?}");
    let rules = policy("allow Bash --cmd '* --version'");
    let lines = shown(&Owned::bash("\"$x\" --version").with(|call| rules.explain(call)));
    let unread =
        "what cannot be read is allowed only by a rule that says the whole command exactly";
    assert!(lines.iter().any(|line| line.contains(unread)), "{lines:#?}");
}
