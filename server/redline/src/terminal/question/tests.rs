use expect_test::expect;

use super::*;
use crate::terminal::Typist;

fn question(text: &str, kind: QuestionKind, choices: &[&str]) -> Question {
    Question {
        text: text.to_owned(),
        kind,
        choices: choices.iter().map(|it| (*it).to_owned()).collect(),
        default_value: None,
        required: false,
        note: None,
    }
}

fn which() -> Question {
    let choices = ["PostgreSQL", "MySQL", "SQLite"];
    Question { required: true, ..question("Which?", QuestionKind::SingleChoice, &choices) }
}

fn many() -> Question {
    question("Many?", QuestionKind::MultiChoice, &["a", "b", "c"])
}

fn name() -> Question {
    let default_value = Some("moon".to_owned());
    Question { default_value, ..question("Name?", QuestionKind::FreeText, &[]) }
}

/// Of each question what was answered.
type Values = Vec<(String, Vec<String>)>;

/// The answers, `None` if they were left, and the screen.
fn typed(questions: &[Question], keys: &str) -> (Option<Values>, String) {
    let typist = Typist::new(keys);
    let found = answers(questions, &mut *typist.lock().unwrap());
    let values = |answer: Answer| {
        let all = answer.selected.into_iter().chain(answer.text).collect();
        (answer.question, all)
    };
    let screen = typist.lock().unwrap().screen.clone();
    (found.map(|all| all.into_iter().map(values).collect()), screen)
}

fn check(question: Question, keys: &str, want: Option<&[&str]>) {
    let (found, screen) = typed(std::slice::from_ref(&question), keys);
    let found = found.map(|all| all.into_iter().flat_map(|(_, values)| values).collect::<Vec<_>>());
    let want = want.map(|all| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
    assert_eq!(found, want, "{keys:?}\n{screen}");
}

#[test]
fn what_a_line_means() {
    check(which(), "2\n", Some(&["MySQL"]));
    check(which(), "DuckDB, of course\n", Some(&["DuckDB, of course"]));
    check(which(), "\n4\n1 2\n0\n3\n", Some(&["SQLite"]));
    check(which(), "=4\n", Some(&["4"]));
    check(which(), "=q\n", Some(&["q"]));
    for keys in ["q\n", "\x1b", "", "\n\n"] {
        check(which(), keys, None);
    }
    check(many(), "1,3\n", Some(&["a", "c"]));
    check(many(), "3 1 3\n", Some(&["c", "a"]));
    check(many(), "2, my own, 9\n, ,\n2, my own\n", Some(&["b", "my own"]));
    check(many(), "\n", Some(&[]));
    check(name(), "\n", Some(&["moon"]));
    check(name(), "3\n", Some(&["3"]));
    check(name(), "q\n", None);
    check(question("Free?", QuestionKind::FreeText, &[]), "\n", Some(&[]));
    check(
        Question { required: true, ..question("Free?", QuestionKind::FreeText, &[]) },
        "\nx\n",
        Some(&["x"]),
    );
}

#[test]
fn one_can_go_back() {
    let (found, screen) = typed(&[which(), many(), name()], "<\n1\n2\n<\n<\n3\n1\n\n");
    let want = [("Which?", "SQLite"), ("Many?", "a"), ("Name?", "moon")];
    let want: Values =
        want.iter().map(|(text, value)| ((*text).to_owned(), vec![(*value).to_owned()])).collect();
    assert_eq!(found, Some(want), "{screen}");
    assert!(screen.contains("This is the first question."), "{screen}");
    assert!(screen.contains("(3 of 3)"), "{screen}");
}

#[test]
fn how_it_looks() {
    let odd = Question {
        note: Some("Choose one answer only.".to_owned()),
        choices: vec!["red\x1b[2J".to_owned(), "blue\nand green".to_owned()],
        ..which()
    };
    let (_, screen) = typed(&[odd, name()], "1\nq\n");
    expect![[r#"

        The agent asks, and needs an answer  (1 of 2)
            Choose one answer only.
            Which?
            1 red^[[2J
            2 blue
              and green
          A number, or an answer of your own; q: leave; =TEXT: exactly TEXT
        > 1

        The agent asks  (2 of 2)
            Name?
          Your answer; Enter: moon; <: back; q: leave; =TEXT: exactly TEXT
        > q
        You left the questions; the agent is told.

    "#]]
    .assert_eq(&screen);
}
