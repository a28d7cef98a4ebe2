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
        note: None,
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
    assert_eq!(answer, Some(AskAnswer { option, comment, rule: None }), "{keys:?}");
}

#[test]
fn one_key_for_each_answer_and_enter_is_none() {
    check("y", OptionId::Once, None);
    check("\n\nx\x1bs\n", OptionId::Session, None);
    check("n", OptionId::Reject, None);
    check("cuse ninja\n", OptionId::Reject, Some("use ninja"));
    check("c\x1bn", OptionId::Reject, None);
    check("c\n", OptionId::Reject, None);
    check("\n", OptionId::Reject, None);
    check("", OptionId::Reject, None);
}

/// The options of a server that can save rules.
fn savable() -> Ask {
    let mut ask = ask();
    let covers = |text: &str| Some(text.to_owned());
    let option = |id, label: &str, covers| AskOption { id, label: label.to_owned(), covers };
    let two = "allow Bash --cmd make\nallow Bash --cmd 'make clean'";
    ask.options = vec![
        option(OptionId::Once, "Allow once", None),
        option(OptionId::Folder, "Always in this folder", covers("allow Bash --cmd make")),
        option(OptionId::Always, "Always everywhere", covers(two)),
        option(OptionId::Reject, "Reject", None),
    ];
    ask
}

#[test]
fn what_would_be_saved_can_be_edited_before() {
    let check = |keys: &str, option: OptionId, rule: Option<&str>| {
        let typist = Typist::new(keys);
        let answer = answer(&savable(), (1, 1), &mut *typist.lock().unwrap(), &|| false);
        let rule = rule.map(str::to_owned);
        let screen = typist.lock().unwrap().screen.clone();
        assert_eq!(answer, Some(AskAnswer { option, comment: None, rule }), "{keys:?} {screen}");
        screen
    };
    let screen = check("f\n", OptionId::Folder, None);
    assert!(screen.contains("saved for this folder"), "{screen}");
    assert!(screen.contains("\nRule: allow Bash --cmd make\n"), "{screen}");
    check("f*\n", OptionId::Folder, Some("allow Bash --cmd make*")).clear();
    check("f←←←←'\n\x1bn", OptionId::Reject, None).clear();
    check("f\x1by", OptionId::Once, None).clear();
    let screen = check("f'\n\x7f2\n", OptionId::Folder, Some("allow Bash --cmd make2"));
    assert!(screen.contains("quote"), "{screen}");
    let screen = check("e\n\n", OptionId::Always, None);
    assert!(screen.contains("Rule 1: allow Bash --cmd make\n"), "{screen}");
    assert!(screen.contains("Rule 2: allow Bash --cmd 'make clean'\n"), "{screen}");
    let empty = "\x7f".repeat(40);
    let second = Some("allow Bash --cmd 'make clean'");
    check(&format!("e{empty}\n\n"), OptionId::Always, second).clear();
    let screen = check(&format!("f{empty}\ny"), OptionId::Once, None);
    assert!(screen.contains("nothing to keep"), "{screen}");
}

#[test]
fn a_key_of_the_first_moment_is_none() {
    let check = |keys: &[(u64, char)], want: OptionId| {
        let typist = Typist::after(keys.iter().copied());
        let answer = answer(&ask(), (1, 1), &mut *typist.lock().unwrap(), &|| false);
        assert_eq!(answer.map(|answer| answer.option), Some(want), "{keys:?}");
    };
    check(&[(0, 'y'), (150, 'y'), (149, 'y')], OptionId::Reject);
    check(&[(0, 'y'), (299, 'y'), (1, 'y')], OptionId::Once);
    check(&[(10, '\n'), (10, 'c'), (300, 'y')], OptionId::Once);
    check(&[(300, 'y')], OptionId::Once);
}

#[test]
fn why_it_is_asked_again_is_shown() {
    let ask = Ask { note: Some("That was no\x1b rule.".to_owned()), ..ask() };
    let text = render(&ask, (1, 1), 80, Paint::Plain);
    assert!(text.contains("Bash\n    That was no^[ rule.\n    make clean"), "{text}");
}

#[test]
fn an_ask_that_is_withdrawn_while_its_rule_is_edited() {
    let typist = Typist::new("f all");
    let keys = std::cell::Cell::new(0);
    let stop = || keys.replace(keys.get() + 1) > 3;
    assert_eq!(answer(&savable(), (1, 1), &mut *typist.lock().unwrap(), &stop), None);
    let screen = typist.lock().unwrap().screen.clone();
    assert!(screen.ends_with("It is not needed any more.\n"), "{screen}");
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
