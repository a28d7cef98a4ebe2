//! What is found in rules that do not do what they look like.

mod common;

use common::user;
use redline_permissions::check::{KnownArgument, KnownTool, check as found};

fn tools() -> Vec<KnownTool> {
    let tool = |names: &[&str], arguments: &[(&str, &str, bool)], proposes: bool| {
        let argument = |&(name, kind, is_path): &(&str, &str, bool)| KnownArgument {
            name: name.to_owned(),
            types: vec![kind.to_owned()],
            is_path,
        };
        KnownTool {
            names: names.iter().map(|&name| name.to_owned()).collect(),
            arguments: arguments.iter().map(argument).collect(),
            proposes,
        }
    };
    vec![
        tool(&["Read", "read"], &[("path", "string", true), ("limit", "number", false)], false),
        tool(
            &["edit_file", "Edit"],
            &[("path", "string", true), ("old_str", "string", false)],
            true,
        ),
        tool(&["create_file"], &[("path", "string", true), ("content", "string", false)], true),
        tool(&["Bash", "bash"], &[("cmd", "string", false), ("cwd", "string", false)], false),
        tool(&["web_search"], &[("query", "string", false), ("max", "integer", false)], false),
        tool(&["mermaid"], &[("code", "string", false)], false),
    ]
}

/// Each finding as `INDEX KIND`, and a part of what is said.
fn check(rules: &str, want: &[(&str, &str)]) {
    let flaws = found(&user(rules), &tools());
    let shown: Vec<String> =
        flaws.iter().map(|flaw| format!("{} {}: {}", flaw.rule, flaw.kind, flaw.text)).collect();
    assert_eq!(flaws.len(), want.len(), "{rules}\n{shown:#?}");
    for (shown, (start, part)) in shown.iter().zip(want) {
        assert!(
            shown.starts_with(start) && shown.contains(part),
            "{rules}\n{shown}\n{start} {part}"
        );
    }
}

#[test]
fn rules_that_say_what_they_mean() {
    for rules in [
        "",
        "reject mermaid",
        "ask '*'",
        "reject '**/my-tool'",
        "reject tb__anything --what x\nask mcp__server__tool --x 1",
        "allow Bash --cmd 'ls *' --cmd ls --cmd 'cargo fmt --check'",
        "allow Bash --cmd '/^git (status|log)$/'",
        "allow Bash --cmd 'git push --force' --cmd 'cat .env' --cmd '/^git (status|push --force)$/'",
        "allow edit_file --path 'src/*' --path '~/notes/*'",
        "allow Read --path /etc/hosts --path '$HOME/x'",
        "ask web_search --query '*node*' --query '*npm*'\nreject web_search --max 5",
        "allow Bash --cmd 'git push origin main'\nreject Bash --cmd 'git push*'",
        "allow --context thread Bash --cmd 'ls *'\nreject --context subagent Bash",
        "reject '{edit_file,create_file}' --content '*secret*'",
        "delegate --to gh-helper Bash --cmd 'gh *'",
        "reject edit_file --path '.*'",
    ] {
        check(rules, &[]);
    }
}

#[test]
fn rules_that_never_match() {
    check("reject bsh", &[("0 never", "no tool `bsh`")]);
    check("reject edit_files", &[("0 never", "no tool")]);
    check("reject 'x_*'", &[("0 never", "no tool")]);
    check("reject Bash --command x", &[("0 never", "Bash has no argument `command`")]);
    check("reject Bash --message x", &[("0 never", "no argument `message`")]);
    check("reject '{Read,Edit}' --cmd x", &[("0 never", "no argument `cmd`")]);
    check("reject web_search --query 5", &[("0 never", "5 without more quotes")]);
    check("reject web_search --max '5*'", &[("0 never", "pattern over text")]);
    check("allow Read --path './src/*'", &[]);
    check("allow Read --path '../x'", &[("0 never", "starts with `..`")]);
    check("allow Read --path src/", &[("0 never", "ends with a slash")]);
    check("allow Read --path '~/x/'", &[("0 never", "ends with a slash")]);
    check("allow Read --path 'a//b'", &[("0 never", "has `//`")]);
    check("allow Read --path 'a/../b'", &[("0 never", "has `..`")]);
    check("allow Read --path 'a/./b' --path 'ok/*'", &[("0 never", "has `/./`")]);
    check("allow Bash --cmd 'cd x && *'", &[("0 never", "each simple command")]);
    check("allow Bash --cmd 'echo * > out'", &[("0 never", "allows nothing by itself")]);
}

/// What is said of them depends on how far the reader sees through them; something is.
#[test]
fn rules_about_programs_that_run_others() {
    for runner in ["sudo *", "env *", "xargs *", "bash -c *", "nohup *", "timeout *", "eval *"] {
        let rule = format!("allow Bash --cmd '{runner}'");
        let flaws = found(&user(&rule), &tools());
        let kinds: Vec<&str> = flaws.iter().map(|flaw| flaw.kind.name()).collect();
        assert!(matches!(kinds.as_slice(), ["never"] | ["wide", ..]), "{rule}: {kinds:?}");
    }
}

#[test]
fn rules_that_catch_only_one_spelling() {
    check("reject edit_file --path 'a//secrets/*'", &[("0 narrow", "in just this way")]);
    check("reject Read --path secrets/", &[("0 narrow", "ends with a slash")]);
    check("reject Read --path /etc/", &[("0 narrow", "regular expression")]);
    check("allow Read --path /src/", &[("0 narrow", "regular expression")]);
    check("ask Read --path '/\\.env$/'", &[]);
}

#[test]
fn rules_that_another_one_hides() {
    check("ask Bash\nallow Bash --cmd 'ls *'", &[("1 shadowed", "never decides")]);
    check("ask '*'\nreject mermaid", &[("1 shadowed", "rule 0 (line 1), `ask '*'`")]);
    check("reject mermaid\nreject mermaid", &[("1 shadowed", "does the same")]);
    check("ask Edit\nallow edit_file --path 'src/*'", &[("1 shadowed", "`ask Edit`")]);
    check(
        "allow Bash --cmd 'ls*' --cmd 'ls'\nreject Bash --cmd 'ls /etc'",
        &[("0 wide", "lsevil"), ("1 shadowed", "left are calls that only look like it")],
    );
    check("reject mermaid\nask mermaid", &[("1 contradictory", "says reject of the same calls")]);
    check(
        "reject Bash --cmd 'git push*'\nallow Bash --cmd 'git push origin main'",
        &[("1 shadowed", "never decides")],
    );
    check("ask Bash --cmd a\nask Bash --cmd b", &[]);
    check(
        "ask Bash --cmd 'a*' --cmd 'b*'\nreject Bash --cmd 'b*' --cmd 'a*'",
        &[("1 contradictory", "ask of the same")],
    );
}

#[test]
fn rules_that_allow_more_than_they_seem_to() {
    check("allow '*'", &[("0 wide", "every tool")]);
    check("allow Bash", &[("0 wide", "any command")]);
    check("allow Bash --cmd '*'", &[("0 wide", "any command")]);
    check("allow Bash --cmd '/.*/'", &[("0 wide", "any command")]);
    check("allow Bash --cmd 'ls*'", &[("0 wide", "`lsevil`")]);
    check("allow Bash --cmd '* --version'", &[("0 wide", "`rm -r x --version`")]);
    check("allow Bash --cmd '/cargo fmt/'", &[("0 wide", "`rm -r x cargo fmt`")]);
    check("allow Bash --cmd '/^cargo fmt/'", &[("0 wide", "`cargo fmtevil`")]);
    check("allow Bash --cmd '/^(a|b)$|c/'", &[("0 wide", "not bound to the start")]);
    check("allow Bash --cmd 'git *'", &[("0 wide", "`git` also runs any program")]);
    check("allow Bash --cmd 'git*'", &[("0 wide", "`gitevil`"), ("0 wide", "`git` also")]);
    check("allow Bash --cmd '/^git .*$/'", &[("0 wide", "`git` also")]);
    check("allow Bash --cmd 'python *'", &[("0 wide", "any code")]);
    check("allow Bash --cmd 'node *'", &[("0 wide", "any code")]);
    check("allow Bash --cmd 'npm run *'", &[("0 wide", "the project's files say")]);
    check("allow Bash --cmd 'npm run test'", &[]);
    check("allow Bash --cmd 'npx *'", &[("0 wide", "from the network")]);
    check("allow Bash --cmd 'cat *'", &[("0 wide", "`cat .env`")]);
    check("allow edit_file", &[("0 wide", "without a review")]);
    check("allow '{edit,create}_file' --path '*'", &[("0 wide", "without a review")]);
    check("allow edit_file --path '*.md'", &[("0 wide", "outside the folder, as in")]);
    check("allow edit_file --path '/\\.md$/'", &[("0 wide", "outside the folder, as in")]);
    check("allow edit_file --path '/^docs\\/.*\\.md$/'", &[]);
    check("allow Read", &[("0 wide", "opened unasked")]);
    check("allow 'mcp__*'", &[("0 wide", "every MCP server")]);
    check("allow 'mcp__files__*'", &[]);
    check("allow --context subagent Bash", &[("0 wide", "any command")]);
    check("allow Bash --cmd 'ls *' --cwd '/tmp/*'", &[]);
}

proptest::proptest! {
    #[test]
    fn any_rules_are_checked(
        rules in proptest::collection::vec(
            (
                "(allow|ask|reject)",
                "(Bash|edit_file|Read|\\*|mcp__\\*|[a-z{},*?]{1,8})",
                "(cmd|path|query|max|[a-z]{1,4})",
                "[a-z*/ .~|^$&;<>(){}=-]{0,16}",
            ),
            0..6,
        ),
    ) {
        let quoted = |text: &str| format!("'{text}'");
        let line = |(action, tool, key, value): &(String, String, String, String)| {
            format!("{action} {} --{key} {}\n", quoted(tool), quoted(value))
        };
        // Those that are no rules are another test's.
        let lines: String = rules
            .iter()
            .map(line)
            .filter(|line| redline_permissions::parse_text(line).is_ok())
            .collect();
        let count = lines.lines().count();
        for flaw in found(&user(&lines), &tools()) {
            assert!(flaw.rule < count && flaw.other.is_none_or(|other| other < flaw.rule));
        }
    }
}
