//! Commands: what rules see of them, and what they must not let through.

mod common;

use common::{Owned, policy, repository};
use redline_permissions::Action::{self, Allow, Ask, Delegate, Reject};
use redline_permissions::{Origin, Policy, SourcedRule, shell};

fn check(rules: &str, rows: &[(&str, Action)]) {
    let policy = policy(rules);
    for (cmd, expect) in rows {
        let verdict = Owned::bash(cmd).judge(&policy);
        assert_eq!(verdict.action, *expect, "{cmd:?}: {}", verdict.reason.text);
    }
}

#[test]
fn each_simple_command_is_judged_by_itself() {
    let rules = "allow Bash --cmd ls --cmd 'ls *' --cmd 'git status' --cmd 'echo *'
        reject Bash --cmd 'rm *'";
    check(
        rules,
        &[
            ("ls", Allow),
            ("ls -la", Allow),
            ("  ls   -la  ", Allow),
            ("ls -la; git status", Allow),
            ("ls && git status || echo no", Allow),
            ("ls -la | echo x & git status\nls", Allow),
            ("(ls; git status)", Allow),
            ("! ls", Allow),
            ("ls # a comment; rm x", Allow),
            ("ls 2>&1", Allow),
            ("ls >/dev/null 2>&1", Allow),
            ("ls &>/dev/null", Allow),
            ("ls < input", Allow),
            ("echo $HOME", Allow),
            ("echo 'a; rm x'", Allow),
            ("echo \"$(git status)\"", Allow),
            ("ls \\\n -la", Allow),
            ("git push", Ask),
            ("rm x", Reject),
            ("ls; rm x", Reject),
            ("", Ask),
            ("   ", Ask),
            ("# nothing", Ask),
        ],
    );
}

/// `allow ls *` must not let any of these through, nor `allow echo *`.
#[test]
fn evasions_of_an_allow() {
    let rules = "allow Bash --cmd ls --cmd 'ls *' --cmd 'echo *' --cmd 'find *' --cmd 'time *' \
        --cmd 'env *' --cmd 'git *' --cmd 'printf *' --cmd '[ *'";
    let evasions = [
        "ls -la; rm x",
        "ls -la;rm x",
        "ls && rm x",
        "ls || rm x",
        "ls | rm x",
        "ls |& rm x",
        "ls & rm x",
        "ls\nrm x",
        "ls \\\\\nrm x",
        "ls $(rm x)",
        "ls \"$(rm x)\"",
        "ls \"a`rm x`\"",
        "ls `rm x`",
        "ls $(echo $(rm x))",
        "echo ${X:-$(rm x)}",
        "echo $((a[$(rm x)]))",
        "echo $[1]",
        "ls <(rm x)",
        "ls >(rm x)",
        "ls > x",
        "ls >> x",
        "ls >| x",
        "ls &> x",
        "ls >& x",
        "ls >&-5",
        "printf -v 'a[$(rm x)]' y",
        "[ -v 'a[`rm x`]' ]",
        "ls 2> x",
        "ls 3<> x",
        "ls >/dev/null >x",
        "ls > /dev/null/../../x",
        "ls > \"$X\"",
        "ls <<EOF\n$(rm x)\nEOF",
        "(ls; rm x)",
        "{ ls; rm x; }",
        "if ls; then rm x; fi",
        "for f in *; do rm $f; done",
        "ls() { rm x; }; ls",
        "function ls { rm x; }",
        "case x in x) rm x;; esac",
        "[[ -n x ]]",
        "((x=1))",
        "eval 'rm x'",
        "bash -c 'rm x'",
        "sh x",
        "/bin/sh -c 'rm x'",
        "ls | xargs rm",
        "sudo ls",
        "find . -exec rm {} ;",
        "find . -delete",
        "find . -fprintf out x",
        "$X ls",
        "$(echo rm) x",
        "`echo rm` x",
        "\"$X\" ls",
        "l? -la",
        "/bin/r[m] x",
        "ls {a,b}",
        "ls 'unbalanced",
        "ls \"unbalanced",
        "ls $(unbalanced",
        "ls `unbalanced",
        "ls \\",
        "ls )",
        "ls (",
        "(ls) rm x",
        "ls $\"x\"",
        "PATH=/evil ls",
        "LD_PRELOAD=x ls",
        "PATH=/evil; ls",
        "alias ls=rm; ls",
        "trap 'rm x' EXIT; ls",
        ". ./x; ls",
        "source x",
        "exec rm x",
        "command rm x",
        "ls\0rm",
        "ls \r\nrm x",
        "\"\" ls",
        "a=(rm x); ls",
    ];
    let policy = policy(rules);
    let judged = evasions.map(|cmd| (cmd, Owned::bash(cmd).judge(&policy)));
    let wrong = judged.iter().filter(|(_, it)| it.action != Ask || !it.grantable);
    let wrong: Vec<(&str, Action)> = wrong.map(|(cmd, it)| (*cmd, it.action)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(evasions.len() >= 40);
}

#[test]
fn evasions_of_a_reject() {
    let rules = "reject Bash --cmd 'rm *' --cmd rm --cmd 'git push*'
        allow Bash --cmd '*'";
    check(
        rules,
        &[
            ("rm x", Reject),
            ("'rm' x", Reject),
            ("r\\m x", Reject),
            ("r''m x", Reject),
            ("\"r\"m  x", Reject),
            ("r\\\nm x", Reject),
            ("/bin/rm x", Reject),
            ("A=b rm x", Reject),
            ("! rm x", Reject),
            ("ls $(rm x)", Reject),
            ("ls `rm x`", Reject),
            ("sudo rm x", Reject),
            ("xargs rm", Reject),
            ("bash -c 'rm x'", Reject),
            ("find . -exec rm {} \\;", Reject),
            ("if true; then rm x; fi", Reject),
            ("for f in *; do rm $f; done", Reject),
            ("{ rm x; }", Reject),
            ("rm x 'unbalanced", Reject),
            ("rm x; ls 'unbalanced", Reject),
            ("git   push", Reject),
            ("git pu\"sh\" origin", Reject),
            ("git push>/dev/null", Reject),
            ("X=push; git $X", Ask),
            ("git ${X} origin", Ask),
            ("git $(echo push)", Ask),
            ("git status", Allow),
            ("ls $X", Allow),
        ],
    );
}

#[test]
fn a_rule_without_conditions_needs_no_analysis() {
    check(
        "allow Bash",
        &[("eval x", Allow), ("ls > x", Allow), ("for f in *; do x; done", Allow), ("'", Allow)],
    );
    check("allow Bash", &[("ls > .git/hooks/x", Ask), ("ls > .redline/settings.json", Ask)]);
    check(
        "reject Bash --cmd 'rm *'\nallow Bash",
        &[("ls", Allow), ("eval \"$x\"", Ask), ("rm x", Reject), ("ls $X", Allow), ("$X", Ask)],
    );
    check("reject Bash", &[("eval x", Reject), ("ls", Reject)]);
}

#[test]
fn an_ask_or_reject_sees_the_whole_text_at_its_place() {
    check("reject Bash --cmd '*; curl *'\nallow Bash --cmd '*'", &[("git a; curl x", Reject)]);
    check(
        "allow Bash --cmd 'git *'\nreject Bash --cmd '*curl*'",
        &[("git curl", Allow), ("git a | curl x", Reject), ("git a | make", Ask)],
    );
    check("allow Bash --cmd 'git *'\nask Bash --cmd '*push*'", &[("git push", Allow)]);
}

#[test]
fn an_exact_allow_covers_the_whole_text() {
    let cmd = "for f in *; do rm \"$f\"; done > log";
    check(&format!("allow Bash --cmd '{cmd}'"), &[]);
    for cmd in [cmd, "make; rm x", "a * b", "eval 'x'", "true", "5", "/x/", "~/x", "cargo test"] {
        let call = Owned::bash(cmd);
        let mut policy = policy("");
        assert_eq!(call.judge(&policy).action, Ask);
        let [rule] = call.grants().try_into().unwrap();
        policy.add_grant(SourcedRule::session(rule));
        let verdict = call.judge(&policy);
        assert_eq!((verdict.action, verdict.origin), (Allow, Origin::Grant), "{cmd}");
        for other in [format!("{cmd} "), format!("{cmd}; rm x"), format!("{cmd}x"), "rm x".into()] {
            if other.trim() != cmd {
                assert_eq!(Owned::bash(&other).judge(&policy).action, Ask, "{cmd} → {other}");
            }
        }
        let rejecting = Policy::builtin().with_user_rules(common::user("reject Bash"));
        assert_eq!(call.judge(&rejecting).action, Reject);
    }
}

#[test]
fn redirections_are_writes() {
    let rules = "allow Bash --cmd 'ls *' --cmd ls\nreject edit_file --path '.*'";
    check(rules, &[("ls > .env", Reject), ("ls > a/.env", Reject), ("ls > x", Ask)]);
    let verdict = Owned::bash("ls > out.txt").judge(&policy(rules));
    assert_eq!(verdict.origin, Origin::Redirection);
    assert!(verdict.reason.text.contains("`out.txt`"), "{}", verdict.reason.text);
    for cmd in ["ls > .git/hooks/x", "ls > a/../.mcp.json", "echo $(ls > .vscode/x)"] {
        let call = Owned::bash(cmd);
        assert!(!call.judge(&policy("")).grantable, "{cmd}");
        assert!(call.grants().is_empty(), "{cmd}");
    }
}

#[test]
fn delegates_are_named() {
    let rules = "delegate --to gh-helper Bash --cmd 'gh *'\nallow Bash --cmd 'ls'";
    check(rules, &[("gh pr", Delegate), ("ls; gh pr", Delegate), ("gh pr; rm x", Ask)]);
    let verdict = Owned::bash("gh pr; rm x").judge(&policy(rules));
    assert_eq!(verdict.delegates, ["gh-helper"]);
}

#[test]
fn a_repository_tightens_parts() {
    let policy = policy("allow Bash --cmd '*'").with_repository_rules(repository(
        "reject Bash --cmd 'npm *'\nallow Bash --cmd 'sudo *'\nask Bash --cmd 'make*'",
    ));
    for (cmd, expect) in [
        ("ls", Allow),
        ("ls; npm i", Reject),
        ("make", Ask),
        ("sudo npm i", Reject),
        ("n\"p\"m i", Reject),
    ] {
        assert_eq!(Owned::bash(cmd).judge(&policy).action, expect, "{cmd}");
    }
}

#[test]
fn parts_are_named() {
    let rows = [
        ("for $x in y; do z; done", "the name of the loop's variable"),
        ("ls <<EOF", "the unclosed here-document"),
        ("sh -c 'ls <(x)'", "the process substitution"),
        ("ls 'x", "the unbalanced quotes"),
        ("$CMD x", "`$CMD` in the place of a command"),
        ("sudo --shell x", "what `sudo` would run"),
        ("ls | parallel rm", "what `parallel` would run"),
        ("find . $X", "`$X` among the arguments of `find`"),
        ("echo ${x@P}", "the expansion `${x@P}`"),
        ("ls {a,b}", "the brace expansion `{a,b}`"),
        ("eval \"$x\"", "what `eval` would run"),
        ("bash -s x", "what `bash` reads and runs"),
        ("ls > $x", "the file `$x` that a redirection writes to"),
        ("coproc ls", "the coprocess"),
        ("if true", "the missing `then`"),
        ("printf -v 'a[$(x)]' y", "what `printf` would evaluate"),
    ];
    for (cmd, expect) in rows {
        assert_eq!(shell::read(cmd).opaque.as_deref(), Some(expect), "{cmd}");
    }
}

#[test]
fn what_a_shell_would_run() {
    let rows: [(&str, &[&str]); 6] = [
        ("a b;c|d&&e", &["a b", "c", "d", "e"]),
        ("a $(b $(c) `d`)", &["c", "d", "b $(c) `d`", "a $(b $(c) `d`)"]),
        ("a 2>&1 >x b", &["a b"]),
        ("x 2>y 3", &["x 3"]),
        ("(a; (b)); c", &["a", "b", "c"]),
        ("a 'b  c'   \"d\"", &["a 'b  c' \"d\""]),
    ];
    for (cmd, expect) in rows {
        let shell = shell::read(cmd);
        let texts: Vec<&str> = shell.commands.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, expect, "{cmd}");
        assert_eq!(shell.opaque, None, "{cmd}");
    }
}
