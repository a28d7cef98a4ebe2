use proptest::prelude::*;

use super::*;

fn step(progress: Progress, description: &str, notes: Option<&str>) -> Step {
    Step { progress, description: description.to_owned(), notes: notes.map(str::to_owned) }
}

fn sample() -> Plan {
    Plan {
        title: "Refactor authentication module".to_owned(),
        status: "active".to_owned(),
        created: "2026-11-21".to_owned(),
        steps: vec![
            step(Progress::Completed, "Extract auth logic", Some("Watch out for circular deps")),
            step(Progress::Pending, "Add tests\n\n1. [x] no step\nNotes: none\n# no title", None),
        ],
    }
}

const SAMPLE: &str = "\
# Plan: Refactor authentication module

**ID**: plan-001
**Status**: active
**Created**: 2026-11-21

## Steps

1. [x] Extract auth logic
   Notes: Watch out for circular deps
2. [ ] Add tests

   1. [x] no step
   Notes\\: none
   # no title
";

#[test]
fn the_form_of_a_plan() {
    assert_eq!(sample().render("plan-001"), SAMPLE);
    assert_eq!(Plan::parse(SAMPLE), sample());
    assert_eq!(Plan::parse(&SAMPLE.replace('\n', "\r\n")), sample());
    let marks: Vec<(&str, Progress)> =
        marks(SAMPLE).into_iter().map(|(at, it)| (&SAMPLE[at - 1..at + 2], it)).collect();
    assert_eq!(marks, [("[x]", Progress::Completed), ("[ ]", Progress::Pending)]);
}

#[test]
fn what_people_wrote_is_read_as_far_as_it_can_be() {
    let text = "\u{feff}\n# Mine\nstatus: Active\n\nSome words.\n\n\
                1) [X] done\n  more of it\n\tNotes:\n\tone\n\n   two\n\
                a line of nobody\n   of nobody either\n\
                1. [~] running\n2. [?] no step\n3.[ ] no step\n[ ] no step\n7. [-]\n- [ ] no step";
    let plan = Plan::parse(text);
    assert_eq!((plan.title.as_str(), plan.status.as_str()), ("Mine", "Active"));
    assert_eq!(plan.created, "unknown");
    let want = [
        step(Progress::Completed, "done\nmore of it", Some("one\n\ntwo")),
        step(Progress::Started, "running", None),
        step(Progress::Skipped, "", None),
    ];
    assert_eq!(plan.steps, want);
    assert_eq!(Plan::parse("").title, "Untitled");
}

#[test]
fn texts_are_cleaned() {
    assert_eq!(block(" \r\n  a\0b\t \rc \n\n"), "a b\nc");
    assert_eq!(line(" a\n  b\r\nc "), "a b c");
    assert_eq!(block("\n \n"), "");
}

/// Texts that try to be something else.
fn words() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("   ".to_owned()),
        Just("Notes:".to_owned()),
        Just("Notes\\:".to_owned()),
        Just("1. [x] ".to_owned()),
        Just("# Plan: ".to_owned()),
        Just("**Status**: ".to_owned()),
        Just("\r".to_owned()),
        Just("\t".to_owned()),
        "\\PC{0,4}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn text() -> impl Strategy<Value = String> {
    words().prop_map(|it| block(&it)).prop_filter("empty", |it| !it.is_empty())
}

prop_compose! {
    fn any_step()(mark in 0..4usize, description in text(), notes in prop::option::of(text())) -> Step {
        Step { progress: Progress::ALL[mark], description, notes }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        title in text().prop_map(|it| line(&it)),
        steps in prop::collection::vec(any_step(), 1..6),
    ) {
        let (status, created) = ("draft".to_owned(), "2026-11-21".to_owned());
        let plan = Plan { title, status, created, steps };
        let text = plan.render("plan-001");
        prop_assert_eq!(&Plan::parse(&text), &plan);
        prop_assert_eq!(marks(&text).len(), plan.steps.len());
    }

    #[test]
    fn no_text_is_too_odd_to_be_read(text in words()) {
        let plan = Plan::parse(&text);
        prop_assert_eq!(marks(&text).len(), plan.steps.len());
        let again = Plan::parse(&plan.render("plan-001"));
        prop_assert_eq!(again.steps.len(), plan.steps.len());
    }
}
