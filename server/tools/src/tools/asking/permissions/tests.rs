use redline_workspace::{AskAnswer, OptionId, ResolveAction, ResolveRequest};
use serde_json::{Value, json};

use crate::{
    Dialect, Registry, builtin,
    fixture::{Fixture, message},
    testing::{TestHost, answer},
};

fn fixture(rules: &str, answers: impl IntoIterator<Item = AskAnswer>) -> Fixture {
    let files = [("config.yaml", "a: 1\n"), ("src/a.rs", "a\n"), (".git/config", "x\n")];
    let mut f = Fixture::with(&files, rules, TestHost::new(answers), builtin());
    f.scope.dialect = Dialect::AgentAir;
    f
}

/// A session as an editor has it: the answers go through it, so that its grants count.
fn in_session(rules: &str, options: &'static [OptionId]) -> Fixture {
    let mut f = fixture(rules, []);
    let host = std::sync::Arc::new(crate::SessionHost::new(f.workspace.clone()));
    let tools: Registry = builtin();
    f.tools = crate::Tools::new(f.workspace.clone(), host, tools);
    let workspace = std::sync::Arc::downgrade(&f.workspace);
    tokio::spawn(async move {
        for option in options {
            loop {
                let Some(workspace) = workspace.upgrade() else { return };
                let open = workspace.query(|session| session.asks());
                if let Some((ask, _)) = open.first() {
                    let (ask, answer) = (*ask, answer(*option));
                    workspace.post(redline_workspace::Event::AskAnswered { ask, answer });
                    break;
                }
                drop(workspace);
                tokio::task::yield_now().await;
            }
        }
    });
    f
}

fn path(f: &Fixture, name: &str, level: &str) -> Value {
    json!({
        "target_type": "path", "target": f.path(name), "level": level,
        "description": "Write database\nconfiguration",
        "reason": "Save the connection settings you specified"
    })
}

async fn ask(f: &Fixture, args: Value) -> Value {
    let result = f.call("ask_for_permissions", args).await;
    assert_eq!(result["status"], "done", "{result}");
    result["result"].clone()
}

fn verdict(result: &Value) -> (bool, Option<&str>, Option<&str>) {
    (result["granted"].as_bool().unwrap(), result["scope"].as_str(), result["message"].as_str())
}

#[tokio::test]
async fn the_example_of_seed_002() {
    let f = fixture("", [answer(OptionId::Session)]);
    let args = path(&f, "config.yaml", "write");
    let result = ask(&f, args.clone()).await;
    let want = json!({
        "granted": true, "scope": "session", "message": null,
        "target": f.path("config.yaml"), "level": "write"
    });
    assert_eq!(result, want);
    let asked = f.host.asks().remove(0);
    assert_eq!((asked.tool.as_str(), &asked.args), ("ask_for_permissions", &args));
    let file = f.path("config.yaml");
    assert!(asked.title.starts_with("Permission to write /"), "{}", asked.title);
    let want = format!(
        "write {file}\nThe agent says: Write database configuration\nIts reason: Save the \
         connection settings you specified"
    );
    assert_eq!(asked.detail, Some(want));
    let ids: Vec<OptionId> = asked.options.iter().map(|option| option.id).collect();
    assert_eq!(ids[..2], [OptionId::Once, OptionId::Session]);
    assert_eq!(ids[2..], [OptionId::Folder, OptionId::Always, OptionId::Reject]);
    let rules = format!("allow edit_file --path '{file}'\nallow create_file --path '{file}'");
    let covers = asked.options[1].covers.clone().unwrap();
    assert_eq!(covers.replace('\'', ""), rules.replace('\'', ""));
    assert!(asked.options[1].label.contains("without review"), "{:?}", asked.options);
    // Cached: nobody is asked again.
    assert_eq!(ask(&f, args).await, result);
    assert!(verdict(&ask(&f, path(&f, "config.yaml", "read")).await).0);
    assert_eq!(f.host.asks().len(), 1);
    assert!(!verdict(&ask(&f, path(&f, "src/a.rs", "write")).await).0);
    assert_eq!(f.host.asks().len(), 2);
}

#[tokio::test]
async fn once_is_once_and_a_no_is_told() {
    let no = AskAnswer::reject(Some("use the other file".into()));
    let f = fixture("", [answer(OptionId::Once), no, answer(OptionId::Reject)]);
    let args = path(&f, "config.yaml", "write");
    assert_eq!(verdict(&ask(&f, args.clone()).await), (true, Some("once"), None));
    assert_eq!(verdict(&ask(&f, args.clone()).await), (false, None, Some("use the other file")));
    assert_eq!(verdict(&ask(&f, args).await), (false, None, None));
    assert_eq!(f.host.asks().len(), 3);
}

#[tokio::test]
async fn grants_cover_what_is_below_and_below_a_level() {
    let session = || answer(OptionId::Session);
    let f = fixture("", [session(), session(), session()]);
    let mut args = path(&f, "src", "admin");
    args["recursive"] = true.into();
    ask(&f, args).await;
    for level in ["read", "write", "execute", "admin"] {
        assert!(verdict(&ask(&f, path(&f, "src/deep/x", level)).await).0);
    }
    let of = |kind: &str, target: &str, level: &str| json!({"target_type": kind, "target": target, "level": level, "description": "d"});
    ask(&f, of("domain", "*.Example.com", "read")).await;
    assert!(verdict(&ask(&f, of("domain", "api.example.com", "read")).await).0);
    ask(&f, of("command", "git push", "execute")).await;
    assert!(verdict(&ask(&f, of("command", " git push ", "execute")).await).0);
    assert_eq!(f.host.asks().len(), 3);
    for other in [
        of("domain", "example.com", "read"),
        of("domain", "api.example.com", "write"),
        of("command", "git push --force", "execute"),
        path(&f, "config.yaml", "read"),
        path(&f, "srcs", "read"),
    ] {
        assert!(!verdict(&ask(&f, other.clone()).await).0, "{other}");
    }
    let covers: Vec<Option<String>> =
        f.host.asks().iter().take(3).map(|ask| ask.options[1].covers.clone()).collect();
    assert!(covers[0].as_ref().unwrap().contains("/src/*"), "{covers:?}");
    assert_eq!(covers[1], None, "no rule is for a domain: the answer is for the agent alone");
    assert_eq!(
        covers[2].as_deref(),
        Some(&*format!("allow Bash --cmd 'git push' --cwd {}", f.root.display()))
    );
}

async fn edit(f: &Fixture, name: &str) -> Value {
    let args = json!({"path": f.path(name), "content": "new\n"});
    f.call("create_file", args).await
}

#[tokio::test]
async fn only_the_shown_rule_changes_what_tools_may_do() {
    use OptionId::{Once, Reject, Session};
    // Once: edits still wait for the user.
    let f = in_session("", &[Once]);
    assert!(verdict(&ask(&f, path(&f, "config.yaml", "write")).await).0);
    assert_eq!(edit(&f, "config.yaml").await["review"]["state"], "pending");
    // Session: this file and no other.
    let f = in_session("", &[Session]);
    assert!(verdict(&ask(&f, path(&f, "config.yaml", "write")).await).0);
    assert_eq!(edit(&f, "config.yaml").await["review"]["state"], "applied");
    assert_eq!(edit(&f, "src/a.rs").await["review"]["state"], "pending");
    // A level without a rule changes nothing.
    let f = in_session("", &[Session, Session]);
    assert!(verdict(&ask(&f, path(&f, "config.yaml", "execute")).await).0);
    let domain =
        json!({"target_type": "domain", "target": "a.b", "level": "admin", "description": "d"});
    assert!(verdict(&ask(&f, domain).await).0);
    assert_eq!(edit(&f, "config.yaml").await["review"]["state"], "pending");
    assert_eq!(f.workspace.query(|session| session.config().policy.grants().len()), 0);
    // A no adds nothing.
    let f = in_session("", &[Reject]);
    assert!(!verdict(&ask(&f, path(&f, "config.yaml", "write")).await).0);
    assert_eq!(f.workspace.query(|session| session.config().policy.grants().len()), 0);
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
}

#[tokio::test]
async fn never_against_a_reject_never_for_protected_places() {
    use OptionId::Session;
    // Nobody is even asked for what a rule rejects.
    let f = fixture("reject edit_file --path '*.yaml'", [answer(Session)]);
    let result = ask(&f, path(&f, "config.yaml", "write")).await;
    let (granted, scope, why) = verdict(&result);
    assert_eq!((granted, scope), (false, None));
    assert!(why.unwrap().contains("reject edit_file"), "{result}");
    assert!(f.host.asks().is_empty());
    let push = json!({"target_type": "command", "target": "git push", "level": "execute", "description": "d"});
    let f = fixture("reject Bash --cmd '*push*'", [answer(Session)]);
    assert!(!verdict(&ask(&f, push).await).0);
    // A protected place: no rule is shown, none is added.
    let f = fixture("", [answer(Session)]);
    ask(&f, path(&f, ".git/config", "write")).await;
    assert_eq!(f.host.asks()[0].options.len(), 3);
    assert_eq!(f.host.asks()[0].options[1].covers, None);
    // Below a granted folder a protected place and a rejected file stay what they are.
    let f = in_session("reject create_file --path '*/a.rs'", &[Session]);
    let mut all = path(&f, "src", "write");
    all["target"] = f.root.display().to_string().into();
    all["recursive"] = true.into();
    assert!(verdict(&ask(&f, all).await).0);
    assert_eq!(edit(&f, "config.yaml").await["review"]["state"], "applied");
    assert_eq!(edit(&f, "src/a.rs").await["status"], "rejected-by-user");
    assert_eq!(edit(&f, ".git/config").await["review"]["state"], "pending");
    assert_eq!(f.disk(".git/config"), "x\n");
    let secret = edit(&f, ".env").await;
    assert_eq!(secret["error"]["errorCode"], "reading-secret-file", "{secret}");
}

#[tokio::test]
async fn bad_arguments_are_named() {
    let f = fixture("", []);
    let check = async |name: &str, value: Value, want: &str| {
        let mut args = path(&f, "config.yaml", "write");
        args[name] = value;
        let result = f.call("ask_for_permissions", args).await;
        assert!(message(&result).contains(want), "{want}: {result}");
    };
    check("target", json!(""), "\"target\" is empty").await;
    check("target", json!("a\0b"), "NUL").await;
    check("target", json!("x".repeat(10_000_000)), "longer than 4000").await;
    check("target_type", json!("domain"), "must be a host").await;
    check("target_type", json!("file"), "one of \"path\"").await;
    check("level", json!("root"), "one of \"read\"").await;
    check("description", json!(" \n "), "\"description\" is empty").await;
    check("recursive", json!("yes"), "\"recursive\" must be a boolean").await;
    assert!(f.host.asks().is_empty());
}
