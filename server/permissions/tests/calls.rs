//! Calls of other tools: paths, conditions, built-in rules, grants.

mod common;

use common::{Owned, policy, repository};
use redline_permissions::Action::{self, Allow, Ask, Reject};
use redline_permissions::{
    Context, Origin, Policy, Rule, Source, SourcedRule, grant_anywhere, guards, parse_text,
};
use serde_json::{Value, json};

fn check(rules: &str, call: &Owned, expect: Action) {
    let verdict = call.judge(&policy(rules));
    assert_eq!(verdict.action, expect, "{rules} | {}: {}", call.args, verdict.reason.text);
}

#[test]
fn built_in_reads() {
    for tool in ["Read", "glob", "Grep", "finder", "ls"] {
        check("", &Owned::at(tool, "/srv/app/src/a.rs"), Allow);
        check("", &Owned::at(tool, "/srv/app/.git/config"), Allow);
        let outside = Owned::file(tool, "link", "/etc/passwd");
        let verdict = outside.judge(&policy(""));
        assert_eq!((verdict.action, verdict.origin), (Ask, Origin::Outside));
        assert!(verdict.grantable);
        check("allow * --path '/etc/*'", &outside, Allow);
        check("allow * --path 'link'", &outside, Ask);
    }
    for tool in ["web_search", "todo_write", "todo_read", "read_thread", "find_thread", "mermaid"] {
        check("", &Owned::new(tool, json!({})), Allow);
    }
}

#[test]
fn built_in_edits() {
    for tool in
        ["edit_file", "create_file", "delete_file", "undo_edit", "format_file", "multi_edit"]
    {
        let verdict = Owned::at(tool, "/srv/app/src/a.rs").judge(&policy(""));
        assert_eq!((verdict.action, verdict.origin), (Ask, Origin::BuiltIn));
        assert!(verdict.grantable);
        for paper in [".redline/plans/a.md", ".amp/notes/x/y.md", ".agent-air/plans/p.md"] {
            check("", &Owned::at(tool, &format!("/srv/app/{paper}")), Allow);
        }
        check("", &Owned::at(tool, "/elsewhere/.redline/plans/a.md"), Ask);
    }
}

#[test]
fn protected_places() {
    let paths = [
        ".redline/settings.json",
        ".redline/plans",
        ".amp/settings.json",
        ".mcp.json",
        "sub/.mcp.json",
        ".vscode/tasks.json",
        ".git/hooks/pre-commit",
        "sub/.git/config",
        ".GIT/config",
        ".redline/plans/.git/config",
    ];
    for path in paths {
        let call = Owned::at("edit_file", &format!("/srv/app/{path}"));
        for rules in ["", "allow edit_file", "allow edit_file --path '*'", "ask edit_file"] {
            let verdict = call.judge(&policy(rules));
            assert_eq!((verdict.action, verdict.grantable), (Ask, false), "{path}: {rules}");
        }
        assert!(call.grants().is_empty(), "{path}");
        let mut granted = policy("");
        granted.add_grant(SourcedRule::session(redline_permissions::Rule::new(Allow, "*")));
        assert_eq!(call.judge(&granted).action, Ask, "{path}");
        check("reject edit_file", &call, Reject);
    }
    let named = "allow edit_file --path '.vscode/*'";
    check(named, &Owned::at("edit_file", "/srv/app/.vscode/tasks.json"), Allow);
    check(named, &Owned::at("edit_file", "/srv/app/.git/config"), Ask);
    let through_link = Owned::file("edit_file", "src/x", "/srv/app/.git/hooks/x");
    assert!(!through_link.judge(&policy("")).grantable);
    let out_of_plans = Owned::file("edit_file", ".redline/plans/../x", "/srv/app/.redline/x");
    assert!(!out_of_plans.judge(&policy("")).grantable);
    let linked_plan = Owned::file("edit_file", ".redline/plans/x", "/srv/app/src/x");
    check("", &linked_plan, Ask);
}

#[test]
fn a_workspace_inside_a_protected_place() {
    let mut call = Owned::at("edit_file", "/home/u/.redline/tree/a.rs");
    call.workspace = vec!["/home/u/.redline/tree".into()];
    assert!(call.judge(&policy("")).grantable);
}

#[test]
fn paths() {
    let edit = |written, real| Owned::file("edit_file", written, real);
    let rows = [
        // The manual's example catches dotfiles, wherever they are.
        ("reject edit_file --path '.*'", edit("/srv/app/a/.env", "/srv/app/a/.env"), Reject),
        ("reject edit_file --path '.*'", edit("a/b", "/srv/app/a/b"), Ask),
        ("reject edit_file --path 'a/*'", edit("./a/../a/b", "/srv/app/a/b"), Reject),
        ("reject edit_file --path 'a/*'", edit("a/b", "/srv/app/z"), Reject),
        ("reject edit_file --path '/srv/app/a/*'", edit("a/b", "/etc/x"), Reject),
        ("reject edit_file --path '/etc/*'", edit("a/b", "/etc/x"), Reject),
        ("reject edit_file --path '~/*'", edit("x", "/home/u/x"), Reject),
        ("reject edit_file --path '$HOME/*'", edit("/home/u/x", "/home/u/x"), Reject),
        ("reject edit_file --path '${HOME}/x'", edit("/home/u/x", "/home/u/x"), Reject),
        ("reject edit_file --path '~/*'", edit("x", "/home/us/x"), Ask),
        ("allow edit_file --path '~/*'", edit("x", "/home/u/x"), Allow),
        ("allow edit_file --path 'src/*'", edit("src/a", "/srv/app/src/a"), Allow),
        ("allow edit_file --path 'src/*'", edit("src/a", "/etc/a"), Ask),
        ("allow edit_file --path 'a'", edit("/srv/app/x/a", "/srv/app/x/a"), Ask),
        ("allow edit_file --path '/srv/app/*'", edit("x", "/srv/app/a/b"), Allow),
        ("allow edit_file --path '/\\.md$/'", edit("x", "/srv/app/a.md"), Allow),
        ("allow edit_file --path '*.MD'", edit("x.md", "/srv/app/x.md"), Ask),
        ("reject Edit", edit("x", "/srv/app/x"), Ask),
    ];
    for (rules, call, expect) in rows {
        check(rules, &call, expect);
    }
    let mut aliased = edit("x", "/srv/app/x");
    aliased.names = vec!["edit_file", "Edit"];
    check("reject edit", &aliased, Reject);
}

#[test]
fn every_path_of_an_allow_any_of_a_reject() {
    let mut call = Owned::at("Read", "/srv/app/a");
    call.paths.extend(Owned::at("Read", "/srv/app/b").paths);
    call.args = json!({"path": ["/srv/app/a", "/srv/app/b"]});
    check("allow Read --path '*/a'\nreject Read", &call, Reject);
    check("allow Read --path '*/a' --path '*/b'\nreject Read", &call, Allow);
    check("reject Read --path '*/b'", &call, Reject);
}

#[test]
fn conditions() {
    let call = Owned::new(
        "mcp__db__query",
        json!({
            "sql": "select *\nfrom t", "limit": 5, "dry": true, "none": null,
            "options": {"mode": "fast", "depth": 1.0}, "tags": ["a", "b"], "empty": []
        }),
    );
    let rows = [
        ("allow mcp__db__query --sql 'select *'", Allow),
        ("allow mcp__db__query --sql 'Select *'", Ask),
        ("allow mcp__db__query --sql select", Ask),
        ("allow mcp__db__query --sql '/^select/'", Allow),
        ("allow mcp__db__query --sql '/t$/'", Allow),
        ("allow mcp__db__query --sql '/^from/'", Ask),
        ("allow mcp__db__query --limit 5", Allow),
        ("allow mcp__db__query --limit '5.0'", Allow),
        ("allow mcp__db__query --limit '\"5\"'", Ask),
        ("allow mcp__db__query --limit '*'", Ask),
        ("allow mcp__db__query --dry true", Allow),
        ("allow mcp__db__query --dry false", Ask),
        ("allow mcp__db__query --none null", Allow),
        ("allow mcp__db__query --absent null", Ask),
        ("allow mcp__db__query --limit 4 --limit 5 --dry true", Allow),
        ("allow mcp__db__query --limit 5 --dry false", Ask),
        ("allow mcp__db__query --options '{\"mode\":\"f*\"}'", Allow),
        ("allow mcp__db__query --options '{\"mode\":\"f*\",\"depth\":1}'", Allow),
        ("allow mcp__db__query --options '{\"mode\":[\"x\",\"slow\"]}'", Ask),
        ("allow mcp__db__query --tags a", Ask),
        ("allow mcp__db__query --tags a --tags b", Allow),
        ("allow mcp__db__query --empty '*'", Ask),
        ("reject mcp__db__query --tags b", Reject),
        ("allow MCP__DB__*", Allow),
        ("allow mcp__{db,fs}__quer?", Allow),
        ("allow mcp__[a-e]b__query", Allow),
        ("allow mcp__x__*", Ask),
        ("allow query", Ask),
        ("allow --context subagent *", Ask),
        ("allow --context thread *", Allow),
    ];
    for (rules, expect) in rows {
        check(rules, &call, expect);
    }
    let slashed = Owned::new("a/b/tool", json!({}));
    check("allow *", &slashed, Ask);
    check("allow a/*", &slashed, Ask);
    check("allow **/tool", &slashed, Allow);
    check("allow a/**", &slashed, Allow);
}

#[test]
fn no_match() {
    let call = Owned::new("unknown_tool", json!({}));
    check("", &call, Ask);
    check("", &call.clone().subagent(), Reject);
    assert_eq!(call.subagent().judge(&policy("")).origin, Origin::NoRule);
    let manual = "allow --context thread Bash\nreject --context subagent Bash --cmd 'rm -rf *'";
    check(manual, &Owned::bash("rm -rf x"), Allow);
    check(manual, &Owned::bash("rm -rf x").subagent(), Reject);
}

#[test]
fn order_and_messages() {
    let call = Owned::at("edit_file", "/srv/app/x");
    check("ask edit_file\nallow edit_file", &call, Ask);
    check("allow edit_file\nreject edit_file", &call, Allow);
    let verdict = call.judge(&policy("reject --message 'Use the generator.' edit_file"));
    assert_eq!(verdict.message.as_deref(), Some("Use the generator."));
    assert_eq!(call.judge(&policy("reject edit_file")).message, None);
}

#[test]
fn a_repository_only_tightens() {
    let rows = [
        ("allow Read", "reject Read", Reject),
        ("allow Read", "ask Read", Ask),
        ("reject Read", "allow Read", Reject),
        ("reject Read", "ask Read", Reject),
        ("ask Read", "allow Read", Ask),
        ("allow Read", "delegate --to evil Read", Ask),
        ("", "reject R*", Reject),
    ];
    for (own, theirs, expect) in rows {
        let policy = policy(own).with_repository_rules(repository(theirs));
        let verdict = Owned::at("Read", "/srv/app/x").judge(&policy);
        assert_eq!(verdict.action, expect, "{own} | {theirs}");
        assert!(verdict.delegates.is_empty());
    }
}

/// Where no other rule speaks, that the repository's does is to be seen: a tool that is judged by what
/// it runs is judged by the rule.
#[test]
fn a_repositorys_rule_shows_where_no_other_speaks() {
    let policy = policy("").with_repository_rules(repository("ask Check"));
    let verdict = Owned::new("Check", json!({})).judge(&policy);
    assert_eq!((verdict.action, verdict.origin), (Ask, Origin::Repository));
}

#[test]
fn grants_are_narrow() {
    let rows = [
        (Owned::file("Read", "link", "/etc/a*b"), r"allow Read --path '/^/etc/a\*b$/'"),
        (Owned::at("Read", "/etc/hosts"), "allow Read --path /etc/hosts"),
        (Owned::bash("cargo test"), "allow Bash --cmd 'cargo test'"),
        (Owned::bash("ls *.rs"), r"allow Bash --cmd '/^ls \*\.rs$/'"),
        (Owned::bash("/x/"), "allow Bash --cmd '/^/x/$/'"),
        (
            Owned::new("Bash", json!({"cmd": "ls", "cwd": "/srv/app/sub"})),
            "allow Bash --cmd ls --cwd /srv/app/sub",
        ),
        (
            Owned::new("Bash", json!({"cmd": "ls", "run_in_background": true})),
            "allow Bash --cmd ls --run_in_background true",
        ),
        (
            Owned::new("mcp__x__y", json!({"a": "true", "b": true, "c": {"d": "*"}})),
            r#"allow mcp__x__y --a '"true"' --b true --c '{"d":"/^\\*$/"}'"#,
        ),
    ];
    for (call, expect) in rows {
        let [rule] = call.grants().try_into().unwrap();
        assert_eq!(rule.to_string(), expect);
        let mut policy = Policy::default();
        policy.add_grant(SourcedRule::session(rule));
        assert_eq!(call.judge(&policy).action, Allow, "{expect}");
        assert_eq!(policy.grants().len(), 1);
    }
    let subagent = Owned { context: Context::Subagent, ..Owned::bash("ls") };
    assert_eq!(subagent.grants().len(), 1);
    assert!(Owned::new("Bash", json!({})).grants().is_empty());
}

/// An "always" is for these arguments, and no others.
#[test]
fn a_grant_for_arguments_is_exact() {
    let none = [
        json!({}),
        json!({"a": []}),
        json!({"program": "git", "args": ["push", "--dry-run"]}),
        json!({"a": {"b": ["x"]}}),
        json!({"a": 1, "": 2}),
    ];
    for args in none {
        assert!(Owned::new("mcp__x", args.clone()).grants().is_empty(), "{args}");
    }
    let yes = json!({"a": "x", "n": 1, "o": {"p": "q"}});
    let granted = |call: &Owned| {
        policy("").with_grants(call.grants().into_iter().map(SourcedRule::session).collect())
    };
    let of_yes = granted(&Owned::new("mcp__x", yes.clone()));
    let check = |args: Value, expect| {
        let verdict = Owned::new("mcp__x", args.clone()).judge(&of_yes);
        assert_eq!(verdict.action, expect, "{args}");
    };
    check(yes, Allow);
    check(json!({"n": 1, "o": {"p": "q"}, "a": "x"}), Allow);
    check(json!({}), Ask);
    check(json!({"a": "x"}), Ask);
    check(json!({"a": "x", "n": 1, "o": {"p": "q"}, "force": true}), Ask);
    check(json!({"a": "x", "n": 1, "o": {"p": "q", "force": true}}), Ask);
    check(json!({"a": ["x"], "n": 1, "o": {"p": "q"}}), Ask);
    check(json!({"a": "x", "n": 1, "o": [{"p": "q"}]}), Ask);
    // Of a call with paths these are said, and not how much of a file is read.
    let mut read = Owned::at("Read", "/etc/hosts");
    let of_read = granted(&read);
    read.args["read_range"] = json!([1, 2]);
    assert_eq!(read.judge(&of_read).action, Allow);
    // A path that it does not speak of is another call.
    let of_number = granted(&Owned::new("mcp__x", json!({"n": 1})));
    let mut with_path = Owned::at("mcp__x", "/etc/hosts");
    with_path.args["n"] = 1.into();
    assert_eq!(with_path.judge(&of_number).action, Ask);
    // What the user has written instead goes as far as it says.
    let all = parse_text("allow mcp__x").unwrap().remove(0).1;
    let of_all = policy("").with_grants(vec![SourcedRule::session(all)]);
    assert_eq!(Owned::new("mcp__x", json!({"a": ["x"]})).judge(&of_all).action, Allow);
}

#[test]
fn secret_files() {
    let rows = [
        (".env", true),
        ("a/.env.local", true),
        (".ENV", true),
        (".env.example", false),
        (".env.sample", false),
        (".env.template", false),
        (".environment", false),
        ("credentials", true),
        ("credentials.json", true),
        ("server.pem", true),
        ("id_rsa", true),
        ("id_ed25519.pub", false),
        ("id_map.rs", false),
        ("src/main.rs", false),
        ("/", false),
    ];
    for (path, expect) in rows {
        assert_eq!(guards::is_secret_file(path.as_ref()), expect, "{path}");
    }
}

#[test]
fn the_rule_that_decided_is_numbered_from_0_in_its_own_list() {
    let check = |call: &Owned, policy: &Policy, want: Option<(usize, &str, u32, &str)>| {
        let matched = call.judge(policy).matched;
        let got = matched.as_ref().map(|it| {
            let source = it.source.to_string();
            let source = source.split(' ').next().unwrap().to_owned();
            (it.index, source, it.line.unwrap_or_default(), it.text.as_str())
        });
        assert_eq!(got, want.map(|(i, s, l, t)| (i, s.to_owned(), l, t)));
    };
    let own = policy("\nask Read\n\nreject Bash --cmd 'rm *'\nallow Bash --cmd 'ls*'\n");
    check(&Owned::at("Read", "/srv/app/x"), &own, Some((0, "user", 2, "ask Read")));
    check(&Owned::bash("ls; rm x"), &own, Some((1, "user", 4, "reject Bash --cmd 'rm *'")));
    check(&Owned::bash("ls -la"), &own, Some((2, "user", 5, "allow Bash --cmd 'ls*'")));
    let grep = Owned::at("Grep", "/srv/app/x").judge(&own).matched.unwrap();
    assert_eq!((grep.index, grep.source, grep.text.as_str()), (2, Source::BuiltIn, "allow Grep"));
    let theirs = own.clone().with_repository_rules(repository("ask ls\nask Grep"));
    check(&Owned::at("Grep", "/srv/app/x"), &theirs, Some((1, "repository", 2, "ask Grep")));
    check(&Owned::new("mcp__x", json!({})), &own, None);
    check(&Owned::at("Read", "/etc/hosts"), &policy(""), None);
    let mut granted = policy("");
    let other = Owned::bash("make a").grants().remove(0);
    granted.add_grant(SourcedRule::session(other));
    let call = Owned::bash("make b");
    granted.add_grant(SourcedRule::session(call.grants().remove(0)));
    check(&call, &granted, Some((1, "session", 0, "allow Bash --cmd 'make b'")));
}

#[test]
fn a_grant_anywhere_is_of_that_command_still() {
    let mut call = Owned::bash("make 'a  *'");
    call.args["cwd"] = json!("/srv/app/sub");
    let [rule] = <[Rule; 1]>::try_from(call.grants()).unwrap();
    assert!(rule.matches.get("cwd").is_some(), "{rule}");
    let rule = grant_anywhere(rule);
    assert!(rule.matches.get("cwd").is_none(), "{rule}");
    let granted = policy("").with_grants(vec![SourcedRule::session(rule)]);
    for (cmd, cwd, expect) in [
        ("make 'a  *'", "/srv/app/sub", Allow),
        ("make 'a  *'", "/srv/app/other", Allow),
        ("make 'a  x'", "/srv/app/sub", Ask),
        ("make 'a  *'; ./evil", "/srv/app/sub", Ask),
    ] {
        let mut call = Owned::bash(cmd);
        call.args["cwd"] = json!(cwd);
        assert_eq!(call.judge(&granted).action, expect, "{cmd} in {cwd}");
    }
    // An argument of another tool is no directory of a command.
    let other = parse_text("allow Deploy --cwd /srv/app").unwrap().remove(0).1;
    assert_eq!(grant_anywhere(other.clone()), other);
}
