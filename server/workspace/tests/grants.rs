//! What an answer grants: for the session, saved, as the user edited it, and not at all.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod desk;

use std::path::{Path, PathBuf};

use desk::Desk;
use redline_layers::ThreadId;
use redline_permissions::{
    Action, Call, Context, Policy, Reason, Rule, Source, SourcedRule, parse_text,
};
use redline_workspace::{
    Ask, AskAnswer, AskId, AskOption, AskOutcome, Effect, Event, LogLevel, OptionId, Reply, Ticket,
};

const COVERS: &str = "allow Bash --cmd 'make all'\nallow Read";

fn ask() -> Ask {
    let option = |id, covers: Option<&str>| AskOption {
        id,
        label: String::new(),
        covers: covers.map(str::to_owned),
    };
    Ask {
        thread: ThreadId::from("one"),
        call: "c".to_owned(),
        title: "Run a command".to_owned(),
        tool: "Bash".to_owned(),
        args: serde_json::json!({"cmd": "make all"}),
        cwd: "/w/sub".into(),
        detail: None,
        pending: Vec::new(),
        unsaved: Vec::new(),
        note: None,
        reason: Reason {
            action: Action::Ask,
            rule: None,
            source: "built-in".to_owned(),
            line: None,
            text: "asks".to_owned(),
        },
        options: vec![
            option(OptionId::Once, None),
            option(OptionId::Session, Some(COVERS)),
            option(OptionId::Folder, Some(COVERS)),
            option(OptionId::Always, Some(COVERS)),
            option(OptionId::Reject, None),
        ],
    }
}

fn asked(desk: &mut Desk, ask: Ask) -> (Ticket, AskId) {
    let ticket = desk.ticket();
    desk.event(Event::Ask { ticket, ask: Box::new(ask) });
    let id = desk.session.asks().last().unwrap().0;
    (ticket, id)
}

fn answered(desk: &mut Desk, id: AskId, option: OptionId, rule: Option<&str>) {
    let answer = AskAnswer { rule: rule.map(str::to_owned), ..AskAnswer::plain(option) };
    desk.event(Event::AskAnswered { ask: id, answer });
}

fn grants(desk: &Desk) -> Vec<String> {
    let grants = desk.session.config().policy.grants();
    grants.iter().map(|grant| format!("{}: {}", grant.source, grant.rule)).collect()
}

fn saves(desk: &Desk) -> Vec<(usize, Option<String>)> {
    let of = |effect: &Effect| match effect {
        Effect::SaveGrants { rules, folder } => {
            Some((rules.len(), folder.as_ref().map(|folder| folder.display().to_string())))
        }
        _ => None,
    };
    desk.effects.iter().filter_map(of).collect()
}

fn rule(text: &str) -> Rule {
    parse_text(text).unwrap().remove(0).1
}

fn saved(text: &str) -> SourcedRule {
    let (path, folder) = ("/config/grants.json".into(), Some("/w".into()));
    let source = Source::SavedGrant { path, folder, day: "2026-11-21".to_owned() };
    SourcedRule { rule: rule(text), source, line: None }
}

#[test]
fn each_choice_grants_what_it_says() {
    let in_folder = vec![(2, Some("/w".to_owned()))];
    for (option, count, effects) in [
        (OptionId::Once, 0, vec![]),
        (OptionId::Session, 2, vec![]),
        (OptionId::Folder, 2, in_folder),
        (OptionId::Always, 2, vec![(2, None)]),
        (OptionId::Reject, 0, vec![]),
        // Not offered: a no.
        (OptionId::RunWithout, 0, vec![]),
    ] {
        let mut desk = Desk::closed("x");
        let (ticket, id) = asked(&mut desk, ask());
        answered(&mut desk, id, option, None);
        assert_eq!((grants(&desk).len(), saves(&desk)), (count, effects), "{option:?}");
        let Reply::Ask(AskOutcome::Answered(answer)) = &desk.replies[&ticket] else {
            panic!("{option:?}");
        };
        let want = if option == OptionId::RunWithout { OptionId::Reject } else { option };
        assert_eq!(answer.option, want);
    }
}

#[test]
fn the_users_own_text_takes_the_place_of_what_was_shown() {
    let edited = "allow Bash --cmd 'make *'";
    for (option, want) in [
        (OptionId::Session, vec![format!("session grant: {edited}")]),
        (OptionId::Always, vec![format!("session grant: {edited}")]),
        (OptionId::Once, vec![]),
        (OptionId::Reject, vec![]),
    ] {
        let mut desk = Desk::closed("x");
        let (_, id) = asked(&mut desk, ask());
        answered(&mut desk, id, option, Some(edited));
        assert_eq!(grants(&desk), want, "{option:?}");
    }
    // Where nothing may be granted, no text makes a grant.
    let mut desk = Desk::closed("x");
    let mut bare = ask();
    bare.options.iter_mut().for_each(|option| option.covers = None);
    let (_, id) = asked(&mut desk, bare);
    answered(&mut desk, id, OptionId::Session, Some("allow *"));
    assert!(grants(&desk).is_empty());
}

#[test]
fn what_is_no_grant_is_asked_again() {
    let long = "#".repeat((1 << 20) + 1);
    for (text, note) in [
        ("allow Bash --cmd 'make", "line 1, column 18: this single quote is never closed"),
        ("allow Read\nreject Bash", "line 2, column 1: expected an `allow` rule, found `reject`"),
        ("allow Read --path '/[/'", "line 1, column"),
        (" \n", "found nothing"),
        (long.as_str(), "more than"),
    ] {
        let mut desk = Desk::closed("x");
        let (ticket, first) = asked(&mut desk, ask());
        answered(&mut desk, first, OptionId::Always, Some(text));
        assert!(!desk.replies.contains_key(&ticket), "the call waits");
        assert!(grants(&desk).is_empty() && saves(&desk).is_empty());
        let [(second, again)] = desk.session.asks().try_into().unwrap();
        assert_ne!(second, first);
        let shown = again.note.unwrap();
        assert!(shown.contains(note) && shown.starts_with("Nothing was granted"), "{shown}");
        assert_eq!(again.options, ask().options);
        // The first one is over: its answer is late.
        answered(&mut desk, first, OptionId::Always, None);
        assert!(grants(&desk).is_empty() && !desk.replies.contains_key(&ticket));
        answered(&mut desk, second, OptionId::Session, None);
        assert_eq!(grants(&desk).len(), 2);
        assert!(matches!(&desk.replies[&ticket], Reply::Ask(AskOutcome::Answered(_))));
        answered(&mut desk, second, OptionId::Always, None);
        answered(&mut desk, AskId(99), OptionId::Always, None);
        assert!(saves(&desk).is_empty(), "late, repeated and unknown answers grant nothing");
    }
}

#[test]
fn a_saved_grant_takes_the_place_of_the_sessions() {
    let mut desk = Desk::closed("x");
    let (_, id) = asked(&mut desk, ask());
    answered(&mut desk, id, OptionId::Folder, Some("allow Read"));
    let rules = vec![rule("allow Read")];
    let result = Ok(vec![saved("allow Read")]);
    for _ in 0..2 {
        let (rules, result) = (rules.clone(), result.clone());
        desk.event(Event::GrantsSaved { rules, result });
        assert_eq!(grants(&desk), ["saved grant /config/grants.json: allow Read"]);
    }
}

#[test]
fn what_cannot_be_saved_counts_for_the_session_and_is_told() {
    let mut desk = Desk::closed("x");
    let (_, id) = asked(&mut desk, ask());
    answered(&mut desk, id, OptionId::Always, Some("allow Read"));
    let rules = vec![rule("allow Read")];
    desk.event(Event::GrantsSaved { rules, result: Err("the disk is full".to_owned()) });
    assert_eq!(grants(&desk), ["session grant: allow Read"]);
    let told = desk.effects.iter().any(|effect| {
        matches!(effect, Effect::Tell(LogLevel::Error, text) if text.contains("the disk is full"))
    });
    assert!(told, "{:?}", desk.effects);
}

#[test]
fn what_cannot_be_saved_for_a_folder_counts_there_only() {
    let mut desk = Desk::closed("x");
    let (_, id) = asked(&mut desk, ask());
    answered(&mut desk, id, OptionId::Folder, Some("allow Bash --cmd 'make *'"));
    let rules = vec![rule("allow Bash --cmd 'make *'")];
    let result = Err("the disk is full".to_owned());
    desk.event(Event::GrantsSaved { rules, result });
    let roots = [PathBuf::from("/w"), PathBuf::from("/other")];
    let args = serde_json::json!({"cmd": "make all"});
    let judged = |cwd: &str| {
        let call = Call {
            names: &["Bash"],
            args: &args,
            context: Context::Thread,
            cwd: Path::new(cwd),
            workspace: &roots,
            paths: &[],
            writes: &[],
        };
        desk.session.config().policy.evaluate(&call).action
    };
    assert_eq!(judged("/w/sub"), Action::Allow);
    assert_eq!(judged("/other"), Action::Ask);
}

#[test]
fn new_rules_leave_the_sessions_grants_and_take_the_saved_ones() {
    let mut desk = Desk::closed("x");
    let (_, id) = asked(&mut desk, ask());
    answered(&mut desk, id, OptionId::Session, None);
    let policy = Policy::builtin().with_grants(vec![saved("allow Grep")]);
    desk.event(Event::Configured { policy: Box::new(policy), save_on_accept: false });
    let want = [
        "saved grant /config/grants.json: allow Grep",
        "session grant: allow Bash --cmd 'make all'",
        "session grant: allow Read",
    ];
    assert_eq!(grants(&desk), want);
    assert!(!desk.session.config().save_on_accept);
    desk.event(Event::Revoked { rule: rule("allow Read") });
    desk.event(Event::Revoked { rule: rule("allow Grep") });
    assert_eq!(grants(&desk), want[..2], "the saved ones are revoked in their file");
}
