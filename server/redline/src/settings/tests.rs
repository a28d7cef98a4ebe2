use std::path::Path;

use expect_test::{Expect, expect};

use super::*;

fn merged(parts: &[(Author, &str)]) -> Result<Settings, SettingsError> {
    let mut settings = Settings::default();
    for (author, text) in parts {
        let path = match author {
            Author::User => "/home/u/settings.json",
            Author::Repository | Author::Trusted => "/repo/.redline/settings.json",
            Author::Editor => "editor settings",
        };
        settings.merge_text(text, Path::new(path), *author)?;
    }
    Ok(settings)
}

fn check(parts: &[(Author, &str)], want: Expect) {
    let text = match merged(parts) {
        Err(e) => e.to_string(),
        Ok(settings) => {
            let rule = |rule: &SourcedRule| {
                let line = rule.line.map(|line| format!(":{line}")).unwrap_or_default();
                format!("{} {} ({}{line})", rule.rule.action.name(), rule.rule.tool, rule.source)
            };
            let rules = settings.user_rules.iter().chain(&settings.repository_rules);
            let mut lines = vec![format!("{:?}", settings.agent)];
            lines.push(format!("save: {}", settings.saves_on_accept()));
            lines.extend(rules.map(rule));
            lines.extend(settings.notes.clone());
            lines.join("\n")
        }
    };
    want.assert_eq(&text);
}

#[test]
fn the_editor_comes_before_the_file() {
    let user = r#"{
  // mine
  "redline.provider": "script", "redline.script": "a.jsonl",
  "redline.model": "m", "redline.saveOnAccept": false,
  "editor.fontSize": 12,
  "redline.permissions": [
    { "tool": "Bash", "action": "ask" },
  ],
  "amp.permissions": [{ "tool": "Read", "action": "allow" }]
}"#;
    let editor = r#"{"model": "n", "dialect": "amplifier", "script": "/s",
        "provider": null, "permissions": [{"tool": "glob", "action": "reject"}]}"#;
    check(
        &[(Author::User, user), (Author::Editor, editor)],
        expect![[r#"
            AgentSettings { provider: Some("script"), model: Some("n"), script: Some("/s"), dialect: Amplifier }
            save: false
            reject glob (editor settings)
            ask Bash (user /home/u/settings.json:7)
            allow Read (user /home/u/settings.json:9)"#]],
    );
}

#[test]
fn a_repository_can_only_tighten() {
    let repository = r#"{
  "redline.provider": "x",
  "redline.script": "evil.jsonl",
  "redline.saveOnAccept": true, "redline.dialect": "agent-air",
  "redline.permissions": [{"tool": "Bash", "action": "allow"}]
}"#;
    let user = r#"{"redline.saveOnAccept": false}"#;
    check(
        &[(Author::User, user), (Author::Repository, repository)],
        expect![[r#"
            AgentSettings { provider: None, model: None, script: None, dialect: Amp }
            save: false
            allow Bash (repository /repo/.redline/settings.json:5)
            /repo/.redline/settings.json:2: a repository cannot set provider; it is ignored. Set it in your own settings, or look at `redline trust`.
            /repo/.redline/settings.json:3: a repository cannot set script; it is ignored. Set it in your own settings, or look at `redline trust`.
            /repo/.redline/settings.json:4: a repository cannot set dialect; it is ignored. Set it in your own settings, or look at `redline trust`.
            /repo/.redline/settings.json: rules of a repository that allow or delegate (1) do not count until you trust the folder: see `redline trust`."#]],
    );
}

#[test]
fn errors_name_file_line_and_column() {
    let wrong = |text| [(Author::User, text)];
    check(
        &wrong("{\n  \"redline.model\" 1\n}"),
        expect![[
            r#"/home/u/settings.json:2:19: expected : after the key "redline.model", found '1'"#
        ]],
    );
    check(&wrong("[]"), expect!["/home/u/settings.json:1:1: expected an object, found a list"]);
    check(
        &wrong("{\"redline.model\": 5}"),
        expect!["/home/u/settings.json:1:19: model: expected a string, found a number"],
    );
    check(
        &wrong("{\"redline.dialect\": \"klingon\"}"),
        expect![[
            r#"/home/u/settings.json:1:21: there is no dialect "klingon"; use amp, agent-air or amplifier"#
        ]],
    );
    check(
        &wrong("{\"redline.saveOnAccept\": \"yes\"}"),
        expect![
            "/home/u/settings.json:1:26: redline.saveOnAccept: expected true or false, found a string"
        ],
    );
    check(
        &wrong("{\"redline.permissions\": 1}"),
        expect![
            "/home/u/settings.json:1:25: redline.permissions: expected an array of rules, found a number"
        ],
    );
    let rules = "{\"amp.permissions\": [\n  {\"tool\": \"Bash\", \"action\": \"ask\"},\n  {\"tool\": \"Bash\",\n   \"action\": \"alow\"}]}";
    check(
        &wrong(rules),
        expect![
            "/home/u/settings.json:4:14: amp.permissions: expected allow, ask, reject or delegate, found `alow`"
        ],
    );
    let regex = "{\"redline.permissions\": [\n  {\"tool\": \"Bash\", \"action\": \"ask\", \"matches\": {\n    \"cmd\": \"/(/\"}}]}";
    check(
        &wrong(regex),
        expect![
            "/home/u/settings.json:3:12: redline.permissions: `/(/` is not a valid regular expression: unclosed group"
        ],
    );
}

/// Line and column are those of the part that is wrong, whatever is wrong with it.
#[test]
fn what_is_wrong_with_a_rule_is_pointed_at() {
    let rows = [
        (r#"[1]"#, "1:2: expected a rule, an object with `tool` and `action`, found a number"),
        (r#"[{"tool": "x"}]"#, "1:2: expected allow, ask, reject or delegate, found nothing"),
        (r#"[{"action": "ask"}]"#, "1:2: expected a tool name, found nothing"),
        (r#"[{"tool": 1, "action": "ask"}]"#, "1:11: expected text, found a number"),
        (
            r#"[{"tool": "x", "action": "no"}]"#,
            "1:26: expected allow, ask, reject or delegate, found `no`",
        ),
        (
            "[{\"tool\": \"x\", \"action\": \"ask\",\n  \"contxt\": \"thread\"}]",
            "2:3: expected tool, matches, action, context, to or message, found `contxt`",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "context": "main"}]"#,
            "1:44: expected thread or subagent, found `main`",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "matches": []}]"#,
            "1:44: expected an object of argument → condition, found an array",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "matches": {"a": []}}]"#,
            "1:50: expected at least one alternative, found an empty array",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "matches": {"a": ["b", "/(/"]}}]"#,
            "1:56: `/(/` is not a valid regular expression: unclosed group",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "matches": {"a.b": {"c": {"d.e": "//"}}}}]"#,
            "1:66: an empty regular expression matches everything: write `*` if that is meant",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "matches": {"a": {"b": "y", "": "z"}}}]"#,
            "1:61: expected an argument's name, found an empty one",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "matches": {"a": "b", "a": "c"}}]"#,
            "1:55: `a` is there twice; alternatives are written as one array, \"a\": [.., ..]",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "tool": "y"}]"#,
            "1:33: `tool` is there twice; alternatives are written as one array, \"tool\": [.., ..]",
        ),
        (
            r#"[{"tool": "x", "action": "delegate"}]"#,
            "1:2: `delegate` needs `to`, the program that decides",
        ),
        (
            r#"[{"tool": "x", "action": "delegate", "to": ""}]"#,
            "1:44: `delegate` needs `to`, the program that decides",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "to": "y"}]"#,
            "1:39: `to` belongs to `delegate` rules only",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "message": "y"}]"#,
            "1:44: `message` belongs to `reject` rules only",
        ),
        (
            r#"[{"tool": "a{b", "action": "ask"}]"#,
            "1:11: `a{b` is not a valid tool name pattern: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
        ),
        (
            r#"[{"tool": "", "action": "ask"}]"#,
            "1:11: `` is not a valid tool name pattern: it is empty; write '*' for every tool",
        ),
        (
            r#"[{"tool": "x", "action": "ask", "matches": {"a": "/(a{1000}){1000}/"}}]"#,
            "1:50: `/(a{1000}){1000}/` is not a valid regular expression: it is too large once it is compiled; make its repetitions shorter, or write several rules",
        ),
    ];
    for (rules, want) in rows {
        let text = format!("{{\"redline.permissions\":\n{rules}}}");
        let error = merged(&[(Author::User, &text)]).unwrap_err().to_string();
        let (line, rest) = want.split_once(':').unwrap();
        let line = line.parse::<usize>().unwrap() + 1;
        let (column, message) = rest.split_once(": ").unwrap();
        let want = format!("/home/u/settings.json:{line}:{column}: redline.permissions: {message}");
        assert_eq!(error, want, "{rules}");
    }
}

#[test]
fn the_commands_of_check_are_the_users_alone() {
    let text = r#"{"redline.check": {"lint": "make lint", "test": ["a", "b"]}}"#;
    let mut settings = Settings::default();
    settings.merge_text(text, Path::new("/x"), Author::Repository).unwrap();
    assert!(settings.tools.check.is_empty());
    assert!(settings.notes[0].contains("a repository cannot set check"), "{:?}", settings.notes);
    settings.merge_text(text, Path::new("/x"), Author::User).unwrap();
    assert_eq!(settings.tools.check["lint"], ["make lint"]);
    assert_eq!(settings.tools.check["test"], ["a", "b"]);
    for wrong in [r#"{"lnt": "x"}"#, r#"{"lint": 1}"#, r#"{"lint": [1]}"#, "[]"] {
        let text = format!("{{\"redline.check\": {wrong}}}");
        assert!(settings.merge_text(&text, Path::new("/x"), Author::User).is_err(), "{wrong}");
    }
}

#[test]
fn a_broken_file_changes_nothing() {
    let mut settings = Settings::default();
    let text = r#"{"redline.model": "m", "redline.dialect": 1}"#;
    assert!(settings.merge_text(text, Path::new("/x"), Author::User).is_err());
    assert_eq!(settings, Settings::default());
}

#[test]
fn a_missing_file_is_no_error_and_a_folder_is_one() {
    let dir = tempfile::tempdir().unwrap();
    let roots = [dir.path().to_owned()];
    assert_eq!(Files::open(None, &roots).1, []);
    std::fs::create_dir_all(dir.path().join(".redline/settings.json")).unwrap();
    let troubles = Files::open(None, &roots).1;
    assert!(matches!(troubles[..], [Trouble::Settings(SettingsError::Unreadable { .. })]));
}

#[test]
fn who_searches_the_web_is_the_users_choice() {
    let set = |author, text: &str| {
        merged(&[(author, text)]).map_err(|e| e.to_string()).map(|it| it.tools.web_search)
    };
    let of = |provider, url, key| Ok(redline_tools::WebSearch::new(provider, url, key).ok());
    for (text, want) in [
        (r#"{"redline.webSearch": "native"}"#, of("native", None, None)),
        (r#"{"redline.webSearch": {"provider": "native"}}"#, of("native", None, None)),
        (
            r#"{"redline.webSearch": {"provider": "searxng", "url": "http://localhost:8888"}}"#,
            of("searxng", Some("http://localhost:8888"), None),
        ),
        (
            r#"{"redline.webSearch": {"provider": "brave", "keyEnv": "B_KEY"}}"#,
            of("brave", None, Some("B_KEY")),
        ),
        (r#"{"redline.webSearch": null}"#, Ok(None)),
    ] {
        assert_eq!(set(Author::User, text), want, "{text}");
    }
    let editor = r#"{"webSearch": {"provider": "tavily"}}"#;
    assert_eq!(set(Author::Editor, editor), of("tavily", None, None));
    let evil = r#"{"redline.webSearch": {"provider": "searxng", "url": "https://evil.example"}}"#;
    assert_eq!(set(Author::Repository, evil), Ok(None));
}

#[test]
fn a_wrong_web_search_is_pointed_at_and_shows_no_key() {
    let wrong = |text: &'static str| [(Author::User, text)];
    check(
        &wrong("{\"redline.webSearch\": {\n  \"provider\": \"google\"}}"),
        expect![[
            r#"/home/u/settings.json:2:15: webSearch.provider: expected "searxng", "brave", "tavily" or "native""#
        ]],
    );
    check(
        &wrong("{\"redline.webSearch\": {}}"),
        expect![[
            r#"/home/u/settings.json:1:23: webSearch.provider: expected "searxng", "brave", "tavily" or "native""#
        ]],
    );
    check(
        &wrong("{\"redline.webSearch\": 5}"),
        expect![[
            r#"/home/u/settings.json:1:23: webSearch: expected "native" or an object, found a number"#
        ]],
    );
    check(
        &wrong("{\"redline.webSearch\": \"brve\"}"),
        expect![[
            r#"/home/u/settings.json:1:23: webSearch.provider: expected "searxng", "brave", "tavily" or "native""#
        ]],
    );
    check(
        &wrong("{\"redline.webSearch\": {\"provider\": \"searxng\"}}"),
        expect![[
            r#"/home/u/settings.json:1:23: webSearch.url: searxng needs "url", the address of your server, such as "http://localhost:8888""#
        ]],
    );
    check(
        &wrong("{\"redline.webSearch\": {\"provider\": \"searxng\",\n \"url\": \"ftp://x\"}}"),
        expect![[
            r#"/home/u/settings.json:2:9: webSearch.url: expected an http or https address without a name or password: only http and https addresses are read, and this one is "ftp". If it has no scheme, write https:// before it."#
        ]],
    );
    check(
        &wrong("{\"redline.webSearch\": {\"provider\": \"brave\",\n \"keyEnv\": \"BSA-hunter2\"}}"),
        expect![[
            r#"/home/u/settings.json:2:12: webSearch.keyEnv: expected the name of an environment variable, such as "BRAVE_API_KEY"; the key itself is read from there and never from a file"#
        ]],
    );
    check(
        &wrong("{\"redline.webSearch\": {\"provider\": \"brave\",\n \"key\": \"hunter2\"}}"),
        expect![[
            r#"/home/u/settings.json:2:2: webSearch: there is no "key" in it; it takes provider, url and keyEnv; a key itself is read from the environment"#
        ]],
    );
    check(
        &wrong("{\"redline.webSearch\": {\"provider\": \"brave\", \"url\": 1}}"),
        expect!["/home/u/settings.json:1:52: webSearch.url: expected a string, found a number"],
    );
}

#[test]
fn a_mistyped_key_of_rules_is_an_error() {
    let user = |text| [(Author::User, text)];
    check(
        &user("{\n  \"redline.permisions\": [{\"tool\": \"Bash\", \"action\": \"reject\"}]}"),
        expect![[
            r#"/home/u/settings.json:2:3: there is no setting "redline.permisions", and rules there count for nothing; write "redline.permissions""#
        ]],
    );
    check(
        &user("{\"amp.permission\": []}"),
        expect![[
            r#"/home/u/settings.json:1:2: there is no setting "amp.permission", and rules there count for nothing; write "amp.permissions""#
        ]],
    );
    check(
        &[(Author::Editor, "{\"permision\": []}")],
        expect![[
            r#"editor settings:1:2: there is no setting "permision", and rules there count for nothing; write "redline.permissions""#
        ]],
    );
}

#[test]
fn an_unknown_key_is_told_and_takes_nothing_with_it() {
    let text = "{\n \"redline.modle\": \"m\",\n \"redline.toolbox\": \"t\", \"redline.colour\": 1,\n \"redline.dialect\": \"amplifier\"}";
    let settings = merged(&[(Author::User, text)]).unwrap();
    assert_eq!(settings.agent.dialect, Dialect::Amplifier);
    assert_eq!(
        settings.told(),
        [
            r#"/home/u/settings.json:2:2: there is no setting "redline.modle": it is ignored; did you mean "redline.model"?"#,
            r#"/home/u/settings.json:3:26: there is no setting "redline.colour": it is ignored"#,
        ]
    );
}

#[test]
fn the_editor_may_send_rules_of_amp() {
    let mut settings = Settings::default();
    let rules = serde_json::json!([{"tool": "Bash", "action": "reject"}]);
    settings.merge_editor(&serde_json::json!({ "amp.permissions": rules })).unwrap();
    assert_eq!((settings.user_rules.len(), settings.strays.len()), (1, 0));
}
