use expect_test::expect;
use redline_layers::ThreadId;
use redline_permissions::{Context, Policy};
use serde_json::json;

use super::*;
use crate::terminal::Typist;

fn ask() -> Ask {
    let (args, cwd) = (json!({"cmd": "make"}), std::path::PathBuf::from("/p"));
    let call = redline_permissions::Call {
        names: &["Bash"],
        args: &args,
        context: Context::Thread,
        cwd: &cwd,
        workspace: &[],
        paths: &[],
        writes: &[],
    };
    let option = |id, label: &str, covers: Option<&str>| AskOption {
        id,
        label: label.to_owned(),
        covers: covers.map(str::to_owned),
    };
    Ask {
        thread: ThreadId::from("t"),
        call: "c".to_owned(),
        title: "Bash make".to_owned(),
        tool: "Bash".to_owned(),
        reason: Policy::default().evaluate(&call).reason,
        args: args.clone(),
        cwd: cwd.clone(),
        detail: Some("make clean &&\n  make \x1b[8mhidden".to_owned()),
        pending: vec!["a.rs".to_owned(), "b.rs".to_owned()],
        unsaved: vec![],
        options: vec![
            option(OptionId::Once, "Allow once", None),
            option(OptionId::Session, "Allow for this session", Some("allow Bash --cmd make")),
            option(OptionId::Reject, "Reject", None),
        ],
    }
}

fn check(keys: &str, option: OptionId, comment: Option<&str>) {
    let typist = Typist::new(keys);
    let answer = answer(&ask(), (1, 1), &mut *typist.lock().unwrap(), &|| false);
    let comment = comment.map(str::to_owned);
    assert_eq!(answer, Some(AskAnswer { option, comment }), "{keys:?}");
}

#[test]
fn one_key_for_each_answer_and_enter_is_none() {
    check("y", OptionId::Once, None);
    check("\n\nx\x1bs", OptionId::Session, None);
    check("n", OptionId::Reject, None);
    check("cuse ninja\n", OptionId::Reject, Some("use ninja"));
    check("c\x1bn", OptionId::Reject, None);
    check("c\n", OptionId::Reject, None);
    check("\n", OptionId::Reject, None);
    check("", OptionId::Reject, None);
}

#[test]
fn what_is_not_on_disk_has_answers_of_its_own() {
    let mut ask = ask();
    let option = |id, label: &str| AskOption { id, label: label.to_owned(), covers: None };
    ask.options = vec![
        option(OptionId::AcceptAndRun, "Accept and run"),
        option(OptionId::SaveAndRun, "Save and run"),
        option(OptionId::RunWithout, "Run without these changes"),
        option(OptionId::Reject, "Reject"),
    ];
    for (keys, want) in [
        ("ya", OptionId::AcceptAndRun),
        ("sw", OptionId::SaveAndRun),
        ("\nx", OptionId::RunWithout),
        ("n", OptionId::Reject),
    ] {
        let typist = Typist::new(keys);
        let answer = answer(&ask, (1, 1), &mut *typist.lock().unwrap(), &|| false);
        assert_eq!(answer.map(|answer| answer.option), Some(want), "{keys:?}");
    }
    let text = render(&ask, (1, 1), 80, Paint::Plain);
    for part in
        ["pending  a.rs, b.rs (not on disk)", "  a  Accept and run\n", "  w  Save and run\n"]
    {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}

#[test]
fn a_withdrawn_ask_has_no_answer() {
    let typist = Typist::new("y");
    assert_eq!(answer(&ask(), (1, 1), &mut *typist.lock().unwrap(), &|| true), None);
}

#[test]
fn everything_is_shown() {
    let mut ask = ask();
    let text = render(&ask, (2, 3), 40, Paint::Plain);
    for part in
        ["(2 of 3)", "make clean &&\n", "      make ^[[8mhidden\n", "in  /p\n", "a.rs, b.rs"]
    {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    assert!(text.lines().all(|line| line.len() <= 60), "{text}");
    ask.detail = None;
    ask.pending.clear();
    let text = render(&ask, (1, 1), 80, Paint::Plain);
    let (head, tail) = (text.split("    why").next(), text.split("\n\n").last());
    expect![[r#"

        The agent asks to use Bash
            Bash {"cmd":"make"}
            in  /p
        …
          y  Allow once
          s  Allow for this session: allow Bash --cmd make
          n  Reject
          c  Reject and tell the agent why
    "#]]
    .assert_eq(&format!("{}…\n{}", head.unwrap_or(""), tail.unwrap_or("")));
}
