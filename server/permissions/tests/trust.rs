//! Rules of folders that the user trusts, and grants that count in one folder.

mod common;

use std::path::{Path, PathBuf};

use Action::{Allow, Ask, Delegate, Reject};
use common::*;
use redline_permissions::*;
use serde_json::json;

fn trusted(user: &str, theirs: &str) -> Policy {
    policy(user).with_trusted_rules(PathBuf::from(ROOT), repository(theirs))
}

#[test]
fn behind_the_users_before_the_built_in_ones() {
    let rows = [
        ("", "allow Bash --cmd 'make *'", Allow, Origin::Trusted),
        ("ask Bash", "allow Bash --cmd 'make *'", Ask, Origin::User),
        ("reject Bash", "allow Bash --cmd 'make *'", Reject, Origin::User),
        ("", "reject Bash", Reject, Origin::Trusted),
        ("", "delegate --to check Bash", Delegate, Origin::Trusted),
        // They still tighten what the user allows.
        ("allow Bash", "ask Bash", Ask, Origin::Repository),
        ("allow Bash", "reject Bash --cmd '*all*'", Reject, Origin::Repository),
        ("allow Bash", "allow Bash --cmd 'make *'\nreject Bash", Allow, Origin::User),
        ("allow Bash", "delegate --to check Bash", Delegate, Origin::Repository),
        // Nothing of theirs matches.
        ("", "allow Bash --cmd 'cargo *'", Ask, Origin::BuiltIn),
    ];
    for (user, theirs, action, origin) in rows {
        let verdict = Owned::bash("make all").judge(&trusted(user, theirs));
        assert_eq!((verdict.action, verdict.origin), (action, origin), "{user} / {theirs}");
        let want: &[&str] = if action == Delegate { &["check"] } else { &[] };
        assert_eq!(verdict.delegates, want, "{user} / {theirs}");
    }
}

#[test]
fn protected_places_stay_so() {
    for path in ["/srv/app/.git/config", "/srv/app/.redline/settings.json"] {
        let place = path.split('/').nth(3).unwrap();
        let rules = format!("allow edit_file --path '*{place}/*'\nallow *");
        let verdict = Owned::at("edit_file", path).judge(&trusted("", &rules));
        assert_eq!((verdict.action, verdict.grantable), (Ask, false), "{path}");
    }
}

/// Two folders in one session: what one of them allows is not allowed in the other.
#[test]
fn they_count_in_their_folder_only() {
    let both = vec![PathBuf::from(ROOT), PathBuf::from("/srv/other")];
    let theirs = "allow Bash --cmd 'make *'\nreject Bash --cmd 'rm *'";
    let policy = trusted("", theirs);
    let judged = |cmd: &str, cwd: &str| {
        let args = json!({ "cmd": cmd });
        policy.evaluate(&Call {
            writes: &[],
            names: &["Bash"],
            args: &args,
            context: Context::Thread,
            cwd: Path::new(cwd),
            workspace: &both,
            paths: &[],
        })
    };
    assert_eq!(judged("make all", "/srv/app/sub").action, Allow);
    assert_eq!(judged("make all", "/srv/other").action, Ask);
    assert_eq!(judged("make all", "/elsewhere").action, Allow, "the first folder is the session's");
    assert_eq!(judged("rm x", "/srv/other").action, Reject, "tightening counts everywhere");
}

/// One repository's first match must not hide another's.
#[test]
fn each_file_tightens_by_itself() {
    let of = |text: &str, path: &str| {
        let source = Source::Repository { path: PathBuf::from(path) };
        repository(text).into_iter().map(move |rule| SourcedRule { source: source.clone(), ..rule })
    };
    let mut rules: Vec<SourcedRule> = of("allow Bash", "/a").collect();
    rules.extend(of("reject Bash", "/b"));
    let policy = policy("allow Bash").with_repository_rules(rules);
    assert_eq!(Owned::bash("ls").judge(&policy).action, Reject);
    assert!(policy.may_reject(&["Bash"]));
}

#[test]
fn a_command_in_the_background_needs_a_grant_of_its_own() {
    let in_front = Owned::bash("make all");
    let mut behind = in_front.clone();
    behind.args["run_in_background"] = true.into();
    let granted = |call: &Owned| {
        policy("").with_grants(call.grants().into_iter().map(SourcedRule::session).collect())
    };
    assert_eq!(behind.judge(&granted(&in_front)).action, Ask);
    assert_eq!(behind.judge(&granted(&behind)).action, Allow);
    assert_eq!(in_front.judge(&granted(&behind)).action, Ask);
    let mut said = in_front.clone();
    said.args["run_in_background"] = false.into();
    assert_eq!(said.judge(&granted(&in_front)).action, Allow);
    // A rule of the user's that does not speak of it covers both.
    assert_eq!(behind.judge(&policy("allow Bash --cmd 'make *'")).action, Allow);
}

#[test]
fn where_a_call_is_at_home() {
    let roots: Vec<PathBuf> = ["/a", "/a/b", "/c"].map(PathBuf::from).to_vec();
    let check = |cwd: &str, want: usize| assert_eq!(home(Path::new(cwd), &roots), roots.get(want));
    check("/a/x", 0);
    check("/a/b/x", 1);
    check("/c", 2);
    check("/elsewhere", 0);
    assert_eq!(home(Path::new("/a"), &[]), None);
}
