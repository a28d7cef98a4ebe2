//! A redirection that writes is a write to that path.

mod common;

use common::{Owned, policy, repository};
use redline_permissions::Action::{self, Allow, Ask, Reject};
use redline_permissions::{Origin, ResolvedPath, Rule, SourcedRule};

fn check(rules: &str, rows: &[(&str, Action)]) {
    let policy = policy(rules);
    for (cmd, expect) in rows {
        let verdict = Owned::bash(cmd).judge(&policy);
        assert_eq!(verdict.action, *expect, "{rules} | {cmd:?}: {}", verdict.reason.text);
    }
}

const ECHO: &str = "allow Bash --cmd 'echo *' --cmd cd --cmd 'cd *'\n";

#[test]
fn a_write_is_allowed_where_the_edit_is() {
    for rule in [
        "allow edit_file --path 'out/*'",
        "allow create_file --path 'out/*'",
        "allow {edit_file,create_file} --path 'out/*'",
        "allow edit_file --path './out/*'",
        "allow edit_file --path '/srv/app/out/*'",
    ] {
        check(
            &format!("{ECHO}{rule}"),
            &[
                ("echo a > out/x", Allow),
                ("echo a >> out/x", Allow),
                ("echo a 2> 'out/x'", Allow),
                ("echo a > out/x; echo b > out/y", Allow),
                ("echo a > /srv/app/out/x", Allow),
                ("> out/x", Allow),
                ("echo a > out/x > x", Ask),
                ("echo a > x", Ask),
                ("echo a > out/../x", Ask),
                ("rm a > out/x", Ask),
                // Where these are is not known before they run.
                ("echo a > out/$X", Ask),
                ("echo a > out/*", Ask),
                ("echo a > ~/out/x", Ask),
                ("cd sub; echo a > out/x", Ask),
                ("cd sub; echo a > /srv/app/out/x", Allow),
                ("cd .. && echo a > app/out/x", Allow),
                ("cd $X && echo a > out/x", Ask),
            ],
        );
    }
    check(&format!("{ECHO}allow edit_file"), &[("echo a > x", Allow), ("echo a > $X", Ask)]);
    check(ECHO, &[("echo a > /dev/null", Allow), ("echo a 2>/dev/stderr >&2", Allow)]);
    check(&format!("{ECHO}allow edit_file"), &[("echo a > /dev/sda", Ask)]);
}

#[test]
fn a_write_is_judged_in_the_directory_where_it_is() {
    check(
        "allow Bash --cmd '*'\nallow edit_file --path 'out/*'",
        &[
            ("cd out && echo a > x", Allow),
            ("command cd out && echo a > x", Allow),
            ("time cd out && echo a > x", Allow),
            ("eval 'cd out && echo a > x'", Allow),
            ("timeout 5 bash -c 'cd out && echo a > x'", Allow),
            // These succeed where the `cd` failed, or move another process.
            ("! cd out && echo a > x", Ask),
            ("! command cd out && tee x", Ask),
            ("setsid -f cd out && echo a > x", Ask),
            ("echo out | xargs cd && echo a > x", Ask),
            ("xargs cd out && echo a > x", Ask),
            ("find . -exec cd out \\; && echo a > x", Ask),
            ("nice cd out && echo a > x", Ask),
            ("command time cd out && echo a > x", Ask),
            ("timeout 5 command cd out && echo a > x", Ask),
            // A wrapper takes the command elsewhere.
            ("env tee out/x", Allow),
            ("env -C .. tee out/x", Ask),
            ("env --chdir=.. tee out/x", Ask),
            ("env -C .. tee /srv/app/out/x", Allow),
            ("sudo -D .. tee out/x", Ask),
            ("chroot .. tee out/x", Ask),
            ("find . -exec tee out/x \\;", Allow),
            ("find . -execdir tee out/x \\;", Ask),
            ("env -C .. ls; tee out/x", Allow),
            ("dd if=a of=out/x", Allow),
            ("dd if=\"$A\" of=out/x", Allow),
            ("dd if=$(echo /dev/null of=P9)", Ask),
            ("dd if=*", Ask),
        ],
    );
}

#[test]
fn a_write_is_rejected_where_the_edit_is() {
    for rule in ["reject edit_file --path 'gen/*'", "reject create_file --path 'gen/*'"] {
        check(
            &format!("{rule}\nallow Bash"),
            &[
                ("echo a > gen/x", Reject),
                ("echo a > ./gen//x", Reject),
                ("echo a > sub/../gen/x", Reject),
                ("echo a > /proc/self/cwd/gen/x", Reject),
                ("cd gen; echo a > x", Reject),
                ("cd gen && echo a > x", Reject),
                ("echo a > x", Allow),
                ("cd $X; echo a > x", Ask),
                ("echo a > $X", Ask),
                ("cd sub; echo a > x", Allow),
            ],
        );
    }
    check("ask edit_file --path 'gen/*'\nallow Bash", &[("echo a > gen/x", Ask), ("> x", Allow)]);
    check("reject Bash --cmd '*> *'\nallow edit_file", &[("echo a > x", Reject)]);
    check("ask Bash --cmd '*> *'\nallow Bash\nallow edit_file", &[("echo a > x", Ask)]);
    check("reject Bash --cmd 'rm *'\nallow Bash", &[("echo a > x", Allow)]);
}

#[test]
fn the_agents_papers() {
    check(ECHO, &[("echo a > .redline/plans/p.md", Allow), ("echo a > .redline/p.md", Ask)]);
}

#[test]
fn links_are_followed() {
    let rules = format!("{ECHO}reject edit_file --path 'gen/*'\nallow edit_file --path 'out/*'");
    let policy = policy(&rules);
    let check = |written: &str, real: &str, want: Action| {
        let mut call = Owned::bash(&format!("echo a > {written}"));
        call.writes.push(ResolvedPath {
            arg: String::new(),
            written: written.to_owned(),
            real: real.into(),
            inside_workspace: real.starts_with("/srv/app/"),
        });
        let verdict = call.judge(&policy);
        assert_eq!(verdict.action, want, "{written} → {real}: {}", verdict.reason.text);
        verdict
    };
    check("out/x", "/srv/app/out/x", Allow);
    check("out/x", "/srv/app/elsewhere", Ask);
    check("link", "/srv/app/out/x", Allow);
    check("out/x", "/srv/app/gen/x", Reject);
    check("gen/x", "/srv/app/out/x", Reject);
    assert!(!check("out/x", "/srv/app/.git/config", Ask).grantable);
    let outside = check("out/x", "/etc/x", Ask);
    assert_eq!(outside.origin, Origin::Redirection);
    let said = outside.reason.text;
    assert!(
        said.starts_with("Asks because it would write `out/x`, and `/etc/x` lies outside"),
        "{said}"
    );
}

#[test]
fn protected_places_are_asked_whatever_is_granted() {
    let call = Owned::bash("echo a > .git/hooks/x");
    for rules in ["allow Bash", "allow edit_file", "allow *"] {
        let mut policy = policy(rules);
        policy.add_grant(SourcedRule::session(Rule::new(Allow, "*")));
        let verdict = call.judge(&policy);
        assert_eq!((verdict.action, verdict.grantable), (Ask, false), "{rules}");
        assert_eq!(verdict.origin, Origin::Protected);
        let said = verdict.reason.text;
        assert!(said.contains("it would write `.git/hooks/x`, and files in `.git` can"), "{said}");
    }
    check(
        &format!("{ECHO}allow edit_file --path '.git/hooks/*'"),
        &[("echo a > .git/hooks/x", Allow)],
    );
}

#[test]
fn repositories_and_grants() {
    let theirs = repository("reject edit_file --path 'gen/*'");
    let policy = policy("allow Bash").with_repository_rules(theirs);
    assert_eq!(Owned::bash("echo > gen/x").judge(&policy).action, Reject);
    assert_eq!(Owned::bash("echo > x").judge(&policy).action, Allow);
    let mut granted = common::policy(ECHO);
    granted
        .add_grant(SourcedRule::session(Owned::at("edit_file", "/srv/app/x").grants().remove(0)));
    assert_eq!(Owned::bash("echo a > x").judge(&granted).action, Allow);
    assert_eq!(Owned::bash("echo a > y").judge(&granted).action, Ask);
    let call = Owned::bash("echo a > y");
    granted.add_grant(SourcedRule::session(call.grants().remove(0)));
    assert_eq!(call.judge(&granted).action, Allow);
}

#[test]
fn the_rule_that_decided_is_named() {
    let rules = format!("{ECHO}allow edit_file --path 'out/*'\nreject edit_file --path 'gen/*'");
    let matched = |cmd: &str| Owned::bash(cmd).judge(&policy(&rules)).matched.map(|it| it.text);
    assert_eq!(matched("echo > gen/x").as_deref(), Some("reject edit_file --path 'gen/*'"));
    assert_eq!(matched("echo > x").as_deref(), Some("ask edit_file"));
}
