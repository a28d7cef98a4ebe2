//! The two forms of rules.
#![allow(clippy::unwrap_used)]

use redline_permissions::{parse_json, parse_text, to_json};
use serde_json::json;

fn printed(text: &str) -> Vec<String> {
    parse_text(text).unwrap().iter().map(|(line, rule)| format!("{line}: {rule}")).collect()
}

#[test]
fn the_manuals_examples() {
    let text = r#"
# Basic allow/reject rules
allow Bash --cmd 'git *'
reject Bash --cmd "python *" # at the end
ask '*'
allow --context thread Bash
reject --context subagent Bash --cmd "rm -rf *" --cmd "find *" --cmd "git commit *"
ask Grep --path '$HOME/*'
delegate --to my-gh-permission-helper Bash --cmd "gh *"
ask web_search --query: "*node*" \
    --query "*npm*"
"#;
    let expect = [
        "3: allow Bash --cmd 'git *'",
        "4: reject Bash --cmd 'python *'",
        "5: ask '*'",
        "6: allow --context thread Bash",
        "7: reject --context subagent Bash --cmd 'rm -rf *' --cmd 'find *' --cmd 'git commit *'",
        "8: ask Grep --path '$HOME/*'",
        "9: delegate --to my-gh-permission-helper Bash --cmd 'gh *'",
        "10: ask web_search --query '*node*' --query '*npm*'",
    ];
    assert_eq!(printed(text), expect);
}

#[test]
fn quoting() {
    let rows = [
        (r"allow a --k it\'s", r"1: allow a --k 'it'\''s'"),
        (r#"allow a --k "a\"b\$c\d""#, r#"1: allow a --k 'a"b$c\d'"#),
        ("allow a --k 'x\ny'\r\n", "1: allow a --k 'x\ny'"),
        ("allow a --k ''", "1: allow a --k ''"),
        ("allow a --k a#b", "1: allow a --k 'a#b'"),
        (r#"allow a --k '"x"'"#, r#"1: allow a --k '"x"'"#),
        ("allow a --a:b: c", "1: allow a --a:b: c"),
        ("allow a --k 'true' --k null --k 1.5", "1: allow a --k true --k null --k 1.5"),
        (r#"allow a --k '"true"'"#, r#"1: allow a --k '"true"'"#),
    ];
    for (text, expect) in rows {
        assert_eq!(printed(text), [expect], "{text}");
    }
}

#[test]
fn errors_of_the_text_form() {
    let rows = [
        (
            "permit Bash",
            "line 1, column 1: expected an action (allow, ask, reject or delegate), found `permit`",
        ),
        ("\n  allow", "line 2, column 8: expected a tool name, found the end of the rule"),
        (
            "allow Bash --cmd",
            "line 1, column 17: expected a value after the argument's name, found the end of the rule",
        ),
        ("allow Bash cmd x", "line 1, column 12: expected --<argument> <value>, found `cmd`"),
        (
            "allow Bash --cmd=x y",
            "line 1, column 12: write `--cmd value` with a space instead of `=`",
        ),
        (
            "allow Bash --cmd:re x",
            "line 1, column 12: unknown operator `re`: conditions have none, write `--key value`",
        ),
        ("allow Bash --cmd 'x", "line 1, column 18: this single quote is never closed"),
        ("allow Bash --cmd \"x", "line 1, column 18: this double quote is never closed"),
        (
            "allow Bash --cmd a;b",
            "line 1, column 19: `;` means something to a shell: put the value in single quotes",
        ),
        ("allow --to x Bash", "line 1, column 1: `to` belongs to `delegate` rules only"),
        ("delegate Bash", "line 1, column 1: `delegate` needs `to`, the program that decides"),
        ("ask --message x Bash", "line 1, column 1: `message` belongs to `reject` rules only"),
        (
            "allow --context main Bash",
            "line 1, column 17: expected thread or subagent, found `main`",
        ),
        (
            "allow --context thread --context thread Bash",
            "line 1, column 24: `--context` is given twice",
        ),
        (
            "allow --cmd x Bash",
            "line 1, column 7: expected --context, --to or --message before the tool's name, found `--cmd`",
        ),
        (
            "allow ''",
            "line 1, column 7: `` is not a valid tool name pattern: it is empty; write '*' for every tool",
        ),
        (
            "allow Bash --cmd //",
            "line 1, column 18: an empty regular expression matches everything: write `*` if that is meant",
        ),
        (
            "allow Bash --cmd '/(/'",
            "line 1, column 18: `/(/` is not a valid regular expression: unclosed group",
        ),
    ];
    for (text, expect) in rows {
        assert_eq!(parse_text(text).unwrap_err().to_string(), expect, "{text}");
    }
    let error = parse_text("ask Bash\nallow 'a{b'").unwrap_err().to_string();
    assert!(error.starts_with("line 2, column 7: `a{b` is not a valid tool name"), "{error}");
}

/// They may stand in anybody's repository: to compile them would end the process.
#[test]
fn tool_names_that_are_too_large() {
    let nested = |levels: usize| format!("{}a{}", "{".repeat(levels), "}".repeat(levels));
    for glob in [nested(300), nested(100_000), "[a-z]".repeat(200_000)] {
        let error = parse_json(&json!([{"tool": glob, "action": "reject"}])).unwrap_err();
        let error = error.to_string();
        assert!(error.ends_with("it is too long; write several rules") && error.len() < 300);
    }
    let rules = json!([{"tool": nested(50), "action": "ask"}, {"tool": "*?[!a]".repeat(166), "action": "ask"}]);
    assert_eq!(parse_json(&rules).unwrap().len(), 2);
}

#[test]
fn the_json_form() {
    let rules = json!([
        {"tool": "Bash", "matches": {"cmd": ["rm -rf *", "/^x/"]}, "action": "reject", "message": "no"},
        {"tool": "x", "matches": {"a": {"b": [1, {"c": null}]}, "d": true}, "action": "allow"},
        {"tool": "Bash", "action": "delegate", "to": "p", "context": "subagent"},
    ]);
    let parsed = parse_json(&rules).unwrap();
    let texts: Vec<String> = parsed.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "reject --message no Bash --cmd 'rm -rf *' --cmd '/^x/'",
            r#"allow x --a '{"b":[1,{"c":null}]}' --d true"#,
            "delegate --context subagent --to p Bash",
        ]
    );
    let again = serde_json::Value::Array(parsed.iter().map(to_json).collect());
    assert_eq!(parse_json(&again).unwrap(), parsed);
}

#[test]
fn errors_of_the_json_form() {
    let rows = [
        (json!({}), "permissions: expected an array of rules, found an object"),
        (
            json!([1]),
            "permissions[0]: expected a rule, an object with `tool` and `action`, found a number",
        ),
        (
            json!([{"tool": "x"}]),
            "permissions[0].action: expected allow, ask, reject or delegate, found nothing",
        ),
        (json!([{"action": "ask"}]), "permissions[0].tool: expected a tool name, found nothing"),
        (
            json!([{"tool": "x", "action": "no"}]),
            "permissions[0].action: expected allow, ask, reject or delegate, found `no`",
        ),
        (
            json!([{"tool": "x", "action": "ask", "contxt": "thread"}]),
            "permissions[0].contxt: expected tool, matches, action, context, to or message, found `contxt`",
        ),
        (
            json!([{"tool": "x", "action": "ask", "matches": []}]),
            "permissions[0].matches: expected an object of argument → condition, found an array",
        ),
        (
            json!([{"tool": "x", "action": "ask", "matches": {"a": []}}]),
            "permissions[0].matches.a: expected at least one alternative, found an empty array",
        ),
        (
            json!([{"tool": "x", "action": "ask", "matches": {"a": {"b": "/(/"}}}]),
            "permissions[0].matches.a.b: `/(/` is not a valid regular expression: unclosed group",
        ),
        (
            json!([{"tool": "x", "action": "ask", "matches": {"a": ["b", "//"]}}]),
            "permissions[0].matches.a.1: an empty regular expression matches everything: write `*` if that is meant",
        ),
        (
            json!([{"tool": "x", "action": "ask", "matches": {"": "b"}}]),
            "permissions[0].matches: expected an argument's name, found an empty one",
        ),
        (
            json!([{"tool": "x", "action": "delegate"}]),
            "permissions[0].to: `delegate` needs `to`, the program that decides",
        ),
    ];
    for (value, expect) in rows {
        assert_eq!(parse_json(&value).unwrap_err().to_string(), expect, "{value}");
    }
}
