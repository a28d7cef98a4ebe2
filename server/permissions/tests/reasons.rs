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
    check(
        &Owned::bash("cargo test"),
        &none,
        expect![[r#"
            Asks because of built-in rule `ask Bash` (line 60); to allow it always, add `allow Bash --cmd 'cargo test'` to your rules.
            [built-in:60]"#]],
    );
    check(
        &Owned::bash("ls > out.txt"),
        &none,
        expect![[r#"
            Asks because it would write `out.txt`, and built-in rule `ask edit_file` (line 33) asks for that; to allow it always, add `allow Bash --cmd 'ls > out.txt'` to your rules.
            [built-in:33]"#]],
    );
    check(
        &Owned::bash("for f in *; do rm $f; done"),
        &none,
        expect![[r#"
            Asks because of built-in rule `ask Bash` (line 60); to allow it always, add `allow Bash --cmd '/^for f in \*; do rm \$f; done$/'` to your rules.
            [built-in:60]"#]],
    );
    check(
        &Owned::bash("ls; rm x"),
        &policy("allow Bash --cmd ls"),
        expect![[r#"
            Asks for `rm x` because of built-in rule `ask Bash` (line 60); to allow it always, add `allow Bash --cmd 'ls; rm x'` to your rules.
            [built-in:60]"#]],
    );
    check(
        &Owned::bash("git p$X"),
        &policy("reject Bash --cmd 'git push*'\nallow Bash"),
        expect![[r#"
            Asks because what its variables or patterns stand for is not known, and it may be what your rule `reject Bash --cmd 'git push*'` (/home/u/.config/redline/settings.json, line 1) is about; to allow it always, put `allow Bash --cmd 'git p$X'` before that rule.
            [user /home/u/.config/redline/settings.json:1]"#]],
    );
    check(
        &Owned::bash("git push"),
        &policy("ask Bash --cmd 'git push*'"),
        expect![[r#"
        Asks because of your rule `ask Bash --cmd 'git push*'` (/home/u/.config/redline/settings.json, line 1); to allow it always, put `allow Bash --cmd 'git push'` before that rule.
        [user /home/u/.config/redline/settings.json:1]"#]],
    );
    check(
        &Owned::bash("git push"),
        &policy("\nreject Bash"),
        expect![[r#"
        Rejected because of your rule `reject Bash` (/home/u/.config/redline/settings.json, line 2); to change that, edit or remove the rule.
        [user /home/u/.config/redline/settings.json:2]"#]],
    );
    check(
        &Owned::bash("git push"),
        &policy("allow Bash"),
        expect![[r#"
        Allowed because of your rule `allow Bash` (/home/u/.config/redline/settings.json, line 1); to be asked, edit or remove that rule.
        [user /home/u/.config/redline/settings.json:1]"#]],
    );
    check(
        &Owned::bash("gh pr"),
        &policy("delegate --to gh-helper Bash"),
        expect![[r#"
        Delegated because of your rule `delegate --to gh-helper Bash` (/home/u/.config/redline/settings.json, line 1); change that rule to decide without the program.
        [user /home/u/.config/redline/settings.json:1]"#]],
    );
    check(
        &Owned::at("Read", "/srv/app/x"),
        &none,
        expect![[r#"
        Allowed because of built-in rule `allow Read` (line 8); to be asked, add `ask Read` to your rules.
        [built-in:8]"#]],
    );
    check(
        &Owned::at("Read", "/etc/hosts"),
        &none,
        expect![[r#"
            Asks because `/etc/hosts` lies outside the workspace, and the built-in rules are about files inside it; to allow it always, add `allow Read --path /etc/hosts` to your rules.
            [built-in]"#]],
    );
    check(
        &Owned::at("edit_file", "/srv/app/x"),
        &none,
        expect![[r#"
            Asks because of built-in rule `ask edit_file` (line 33); to allow it always, add `allow edit_file --path /srv/app/x` to your rules.
            [built-in:33]"#]],
    );
    check(
        &Owned::at("edit_file", "/srv/app/.git/x"),
        &none,
        expect![[r#"
        Asks because it would write to `.git`, where files can start programs or grant permissions; no grant covers it, only an `allow` rule of yours that names `.git` does.
        [built-in]"#]],
    );
    check(
        &Owned::new("mcp__x__y", json!({"a": 1})),
        &none,
        expect![[r#"
        Asks because no rule covers `mcp__x__y`; to allow it always, add `allow mcp__x__y --a 1` to your rules.
        [no rule]"#]],
    );
    check(
        &Owned::new("mcp__x__y", json!({"a": 1})).subagent(),
        &none,
        expect![[r#"
        Rejected because no rule covers `mcp__x__y` and a subagent cannot ask; to allow it always, add `allow mcp__x__y --a 1` to your rules.
        [no rule]"#]],
    );
    check(
        &Owned::bash(&"x".repeat(500)),
        &none,
        expect![[r#"
            Asks because of built-in rule `ask Bash` (line 60); to allow it always, add an `allow` rule for this call of `Bash` to your rules.
            [built-in:60]"#]],
    );
}

#[test]
fn sentences_about_repositories_and_grants() {
    let theirs = policy("").with_repository_rules(repository("ask Read\nreject Grep"));
    check(
        &Owned::at("Read", "/srv/app/x"),
        &theirs,
        expect![[r#"
        Asks because of this repository's rule `ask Read` (.redline/settings.json, line 1); no rule of yours can lift it, but an answer for the session can.
        [repository .redline/settings.json:1]"#]],
    );
    check(
        &Owned::at("Grep", "/srv/app/x"),
        &theirs,
        expect![[r#"
        Rejected because of this repository's rule `reject Grep` (.redline/settings.json, line 2); to change that, edit or remove the rule in the repository.
        [repository .redline/settings.json:2]"#]],
    );
    let call = Owned::bash("cargo test");
    let mut granted = policy("");
    granted.add_grant(SourcedRule::session(call.grants().remove(0)));
    check(
        &call,
        &granted,
        expect![[r#"
        Allowed because of your grant for this session, `allow Bash --cmd 'cargo test'`; the grant ends when Redline does.
        [session grant]"#]],
    );
}

#[test]
fn sentences_about_saved_grants_and_trusted_folders() {
    let call = Owned::bash("cargo publish");
    let grant = |folder: Option<&str>| SourcedRule {
        rule: call.grants().remove(0),
        source: redline_permissions::Source::SavedGrant {
            path: "/home/u/.config/redline/grants.json".into(),
            folder: folder.map(Into::into),
            day: "2026-11-21".to_owned(),
        },
        line: None,
    };
    check(
        &call,
        &policy("").with_grants(vec![grant(Some("/elsewhere")), grant(Some(common::ROOT))]),
        expect![[r#"
            Allowed because of the grant `allow Bash --cmd 'cargo publish'` that you saved for this folder on 2026-11-21; to be asked again, revoke it with `redline permissions grants revoke`.
            [saved grant /home/u/.config/redline/grants.json]"#]],
    );
    check(
        &call,
        &policy("").with_grants(vec![grant(None)]),
        expect![[r#"
        Allowed because of the grant `allow Bash --cmd 'cargo publish'` that you saved for all folders on 2026-11-21; to be asked again, revoke it with `redline permissions grants revoke`.
        [saved grant /home/u/.config/redline/grants.json]"#]],
    );
    let trusted = repository("allow Bash --cmd 'cargo publish'");
    check(
        &call,
        &policy("").with_trusted_rules(common::ROOT.into(), trusted),
        expect![[r#"
        Allowed because of this repository's rule `allow Bash --cmd 'cargo publish'` (.redline/settings.json, line 1), which you trust; to be asked, edit or remove that rule.
        [repository .redline/settings.json:1]"#]],
    );
}
