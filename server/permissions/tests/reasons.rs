//! The sentences that a user reads.

mod common;

use common::{Owned, policy, repository};
use expect_test::{Expect, expect};
use redline_permissions::{Policy, SourcedRule};
use serde_json::json;

fn check(call: &Owned, policy: &Policy, expect: Expect) {
    let reason = call.judge(policy).reason;
    let line = reason.line.map(|line| format!(":{line}")).unwrap_or_default();
    expect.assert_eq(&format!("{}\n[{}{line}]", reason.text, reason.source));
}

#[test]
fn sentences() {
    let none = policy("");
    check(&Owned::bash("cargo test"), &none, expect![[r#""#]]);
    check(&Owned::bash("ls > out.txt"), &none, expect![[r#""#]]);
    check(&Owned::bash("for f in *; do rm $f; done"), &none, expect![[r#""#]]);
    check(&Owned::bash("ls; rm x"), &policy("allow Bash --cmd ls"), expect![[r#""#]]);
    check(
        &Owned::bash("git $X"),
        &policy("reject Bash --cmd 'git push*'\nallow Bash"),
        expect![[r#""#]],
    );
    check(&Owned::bash("git push"), &policy("ask Bash --cmd 'git push*'"), expect![[r#""#]]);
    check(&Owned::bash("git push"), &policy("\nreject Bash"), expect![[r#""#]]);
    check(&Owned::bash("git push"), &policy("allow Bash"), expect![[r#""#]]);
    check(&Owned::bash("gh pr"), &policy("delegate --to gh-helper Bash"), expect![[r#""#]]);
    check(&Owned::at("Read", "/work/app/x"), &none, expect![[r#""#]]);
    check(&Owned::at("Read", "/etc/hosts"), &none, expect![[r#""#]]);
    check(&Owned::at("edit_file", "/work/app/x"), &none, expect![[r#""#]]);
    check(&Owned::at("edit_file", "/work/app/.git/x"), &none, expect![[r#""#]]);
    check(&Owned::new("mcp__x__y", json!({"a": 1})), &none, expect![[r#""#]]);
    check(&Owned::new("mcp__x__y", json!({"a": 1})).subagent(), &none, expect![[r#""#]]);
    check(&Owned::bash(&"x".repeat(500)), &none, expect![[r#""#]]);
}

#[test]
fn sentences_about_repositories_and_grants() {
    let theirs = policy("").with_repository_rules(repository("ask Read\nreject Grep"));
    check(&Owned::at("Read", "/work/app/x"), &theirs, expect![[r#""#]]);
    check(&Owned::at("Grep", "/work/app/x"), &theirs, expect![[r#""#]]);
    let call = Owned::bash("cargo test");
    let mut granted = policy("");
    granted.add_grant(SourcedRule::session(call.grants().remove(0)));
    check(&call, &granted, expect![[r#""#]]);
}
