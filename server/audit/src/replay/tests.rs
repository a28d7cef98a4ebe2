use super::*;
use crate::{Caller, CommandRecord, Decider, PathRecord, VerdictRecord};
use redline_permissions::{Context, Source, parse_text};

fn rules(text: &str) -> Vec<SourcedRule> {
    let source = Source::User { path: "/settings".into() };
    let all = parse_text(text).unwrap().into_iter();
    all.map(|(line, rule)| SourcedRule { rule, source: source.clone(), line: Some(line) }).collect()
}

fn call(tool: &str, args: Value) -> CallRecord {
    CallRecord {
        caller: Caller { thread: "T".into(), subagent: None, call: "c".into(), tool: tool.into() },
        agent: "A".into(),
        context: Context::Thread,
        within: None,
        cwd: "/w".into(),
        folders: vec!["/w".into()],
        args,
        redacted: vec![],
        cut: vec![],
        names: vec![],
        paths: vec![],
        writes: vec![],
        commands: vec![],
        verdict: Some(VerdictRecord {
            action: Action::Ask,
            reason: String::new(),
            rule: None,
            source: "no rule".into(),
            line: None,
        }),
        by: Decider::Rule,
    }
}

fn judge(now: &str, then: &str, call: &CallRecord) -> Result<(Action, Action), Unjudged> {
    let (old, new) = (rules(now), rules(then));
    let now = Policy::builtin().with_user_rules(old.clone());
    let then = Policy::builtin().with_user_rules(new.clone());
    let all = old.iter().chain(&new).chain(now.builtin_rules()).collect();
    let judged = Replay { now: &now, then: &then, rules: all }.judge(call)?;
    assert_eq!(judged.differs(), judged.now.action != judged.then.action);
    Ok((judged.now.action, judged.then.action))
}

#[test]
fn other_rules_give_other_verdicts() {
    use Action::{Allow, Ask, Reject};
    let bash = call("Bash", json!({"cmd": "make deploy"}));
    assert_eq!(judge("", "allow Bash --cmd 'make *'", &bash), Ok((Ask, Allow)));
    assert_eq!(judge("allow Bash --cmd 'make *'", "reject Bash", &bash), Ok((Allow, Reject)));
    assert_eq!(judge("", "", &bash), Ok((Ask, Ask)));
    let mut read = call("Read", json!({"path": "a"}));
    let path = |inside| PathRecord {
        arg: "path".into(),
        written: "a".into(),
        real: "/w/a".into(),
        inside,
    };
    read.paths = vec![path(true)];
    assert_eq!(judge("", "reject Read --path '/w/**'", &read), Ok((Allow, Reject)));
    read.paths = vec![path(false)];
    assert_eq!(judge("", "", &read), Ok((Ask, Ask)));
    let mut other = call("edit_file", json!({"path": "a"}));
    other.names = vec!["edit_file".into(), "Edit".into()];
    other.paths = vec![path(true)];
    assert_eq!(judge("", "reject Edit", &other), Ok((Ask, Reject)));
}

fn command(cmd: &str) -> CommandRecord {
    CommandRecord { cmd: cmd.into(), cwd: "/w".into(), names: vec![], writes: vec![] }
}

#[test]
fn a_command_goes_by_all_its_names_and_what_it_writes() {
    use Action::{Allow, Ask, Reject};
    let mut check = call("Check", json!({}));
    check.commands = vec![command("make a")];
    assert_eq!(judge("", "reject run_terminal_command", &check), Ok((Ask, Ask)));
    check.commands[0].names = vec!["Bash".into(), "run_terminal_command".into()];
    assert_eq!(judge("", "reject run_terminal_command", &check), Ok((Ask, Reject)));
    check.commands[0].cmd = "echo a > b".into();
    let path = |real: &str, inside| PathRecord {
        arg: "path".into(),
        written: "b".into(),
        real: real.into(),
        inside,
    };
    check.commands[0].writes = vec![path("/w/b", true)];
    assert_eq!(
        judge("", "allow Bash\nreject edit_file --path '/etc/*'", &check).map(|it| it.1),
        Ok(Allow)
    );
    check.commands[0].writes = vec![path("/etc/b", false)];
    assert_eq!(
        judge("", "allow Bash\nreject edit_file --path '/etc/*'", &check).map(|it| it.1),
        Ok(Reject)
    );
    check.commands[0].writes = vec![path("/w/token=[redacted]", true)];
    assert_eq!(judge("", "", &check), Err(Unjudged::Incomplete("path".into())));
}

#[test]
fn commands_that_a_tool_found() {
    use Action::{Allow, Ask, Reject};
    let mut check = call("Check", json!({}));
    check.commands = vec![command("make a")];
    assert_eq!(judge("", "allow Bash --cmd 'make a'", &check), Ok((Ask, Allow)));
    assert_eq!(judge("allow Bash", "reject Check", &check), Ok((Allow, Reject)));
    check.commands.push(command("make b"));
    assert_eq!(judge("", "allow Bash --cmd 'make a'", &check), Ok((Ask, Ask)));
}

#[test]
fn what_cannot_be_judged() {
    let mut bash = call("Bash", json!({"cmd": "x [redacted]"}));
    bash.redacted = vec!["cmd".into()];
    let incomplete = |name: &str| Err(Unjudged::Incomplete(name.into()));
    assert_eq!(judge("", "", &bash), incomplete("cmd"));
    let mut edit = call("edit_file", json!({"path": "a", "new_str": "[redacted]"}));
    edit.redacted = vec!["new_str".into()];
    edit.cut = vec!["old_str".into()];
    assert!(judge("", "", &edit).is_ok(), "no rule is about it");
    assert_eq!(judge("", "reject edit_file --new_str '*x*'", &edit), incomplete("new_str"));
    assert_eq!(judge("ask edit_file --old_str '*x*'", "", &edit), incomplete("old_str"));
    edit.cut = vec!["*".into()];
    assert_eq!(judge("", "", &edit), incomplete("*"));
    let env = call("Bash", json!({"cmd": "ls", "env": {"PATH": "/x"}}));
    assert_eq!(judge("", "allow Bash", &env), Err(Unjudged::Environment));
    let mut invalid = call("Bash", json!({}));
    invalid.verdict = None;
    assert_eq!(judge("", "", &invalid), Err(Unjudged::Invalid));
}
