//! The ways to write a path, and what rules see of each.

mod common;

use common::{Owned, policy};
use redline_permissions::Action::{self, Allow, Ask, Reject};
use redline_permissions::Policy;

fn judged(policy: &Policy, (written, real): (&str, &str), want: Action) {
    let verdict = Owned::file("edit_file", written, real).judge(policy);
    assert_eq!(verdict.action, want, "{written} → {real}: {}", verdict.reason.text);
}

fn check(rule: &str, rows: &[(&str, &str, Action)]) {
    for (written, real, want) in rows {
        judged(&policy(rule), (written, real), *want);
    }
}

#[test]
fn a_reject_sees_the_file_however_it_is_written() {
    check(
        "reject edit_file --path 'secret/*'",
        &[
            ("secret/a", "/srv/app/secret/a", Reject),
            ("./secret/a", "/srv/app/secret/a", Reject),
            ("secret//a", "/srv/app/secret/a", Reject),
            ("secret/a/", "/srv/app/secret/a", Reject),
            ("sub/../secret/a", "/srv/app/secret/a", Reject),
            ("/srv/app/secret/a", "/srv/app/secret/a", Reject),
            ("/proc/self/cwd/secret/a", "/srv/app/secret/a", Reject),
            ("/proc/self/root/srv/app/secret/a", "/srv/app/secret/a", Reject),
            ("/dev/fd/9", "/srv/app/secret/a", Reject),
            ("link", "/srv/app/secret/a", Reject),
            // What is called so and leads elsewhere is rejected, too.
            ("secret/link", "/srv/app/a", Reject),
            ("/proc/self/cwd/secret/link", "/srv/app/a", Reject),
            ("public/a", "/srv/app/public/a", Ask),
        ],
    );
    check(
        "reject edit_file --path './secret/*'",
        &[("secret/a", "/srv/app/secret/a", Reject), ("a", "/srv/app/a", Ask)],
    );
    for home in ["~/.ssh/*", "$HOME/.ssh/*", "${HOME}/.ssh/*", "/home/u/.ssh/*"] {
        check(
            &format!("reject edit_file --path '{home}'"),
            &[
                ("~/.ssh/a", "/home/u/.ssh/a", Reject),
                ("$HOME/.ssh/a", "/home/u/.ssh/a", Reject),
                ("${HOME}/.ssh/a", "/elsewhere/a", Reject),
                ("~/.ssh/a", "/elsewhere/a", Reject),
                ("../../home/u/.ssh/a", "/home/u/.ssh/a", Reject),
                ("~/a", "/home/u/a", Ask),
            ],
        );
    }
}

#[test]
fn an_allow_sees_what_the_file_is() {
    check(
        "allow edit_file --path 'open/*'",
        &[
            ("open/a", "/srv/app/open/a", Allow),
            ("./x/../open//a", "/srv/app/open/a", Allow),
            ("/proc/self/cwd/open/a", "/srv/app/open/a", Allow),
            ("link", "/srv/app/open/a", Allow),
            ("open/link", "/srv/app/a", Ask),
            ("open/link", "/etc/a", Ask),
            ("open/a", "/srv/app/OPEN/a", Ask),
        ],
    );
    check("allow edit_file --path './*'", &[("a", "/srv/app/a", Allow), ("a", "/etc/a", Ask)]);
    check("allow edit_file --path '~/*'", &[("a", "/home/u/a", Allow), ("~/a", "/etc/a", Ask)]);
}

/// One name in two spellings: composed, and a letter with an accent behind it.
#[test]
fn composed_and_decomposed_characters() {
    let (one, two) = ("caf\u{e9}", "cafe\u{301}");
    for rule in [one, two, "*\u{e9}", "/f\u{e9}$/", "/fe\u{301}$/", "/f\\u{e9}$/"] {
        for name in [one, two] {
            let real = format!("/srv/app/{name}");
            check(&format!("reject edit_file --path '{rule}'"), &[(name, &real, Reject)]);
        }
    }
    for (rule, name, want) in
        [(one, one, Allow), (two, two, Allow), (one, two, Ask), (two, one, Ask)]
    {
        let real = format!("/srv/app/{name}");
        check(&format!("allow edit_file --path '{rule}'"), &[(name, &real, want)]);
    }
    let rejects = policy(&format!("reject Bash --cmd 'rm {one}'\nallow Bash"));
    assert_eq!(Owned::bash(&format!("rm {two}")).judge(&rejects).action, Reject);
}

#[test]
fn file_systems_that_do_not_regard_case() {
    let rows = [
        ("reject edit_file --path 'secret/*'", "SECRET/a", Reject),
        ("reject edit_file --path 'Secret/*'", "secret/a", Reject),
        ("reject edit_file --path '.ENV'", "sub/.env", Reject),
        ("reject edit_file --path '*.PEM'", "a.pem", Reject),
        ("reject edit_file --path '/^SECRET\\//'", "secret/a", Reject),
        ("reject edit_file --path 'CAF\u{c9}'", "cafe\u{301}", Reject),
        ("ask edit_file --path 'secret/*'\nallow edit_file", "SECRET/a", Ask),
        ("allow edit_file --path 'OPEN/*'", "open/a", Ask),
        ("allow edit_file --path 'open/*'", "open/a", Allow),
    ];
    for (rules, name, want) in rows {
        let real = format!("/srv/app/{name}");
        judged(&policy(rules).ignoring_case(true), (name, &real), want);
        if want == Reject {
            judged(&policy(rules), (name, &real), Ask);
        }
    }
    let rules = "reject edit_file --path '$HOME/.SSH/*'";
    judged(&policy(rules).ignoring_case(true), ("x", "/HOME/u/.ssh/a"), Reject);
}
