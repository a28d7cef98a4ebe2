use serde_json::{Value, json};

use crate::{
    Answer, Dialect, ToolStatus, builtin,
    fixture::{Fixture, message},
    testing::TestHost,
};

fn fixture(replies: impl IntoIterator<Item = Option<Vec<Answer>>>) -> Fixture {
    let mut f = Fixture::with(&[], "", TestHost::answering(replies), builtin());
    f.scope.dialect = Dialect::AgentAir;
    f
}

fn picked(question: &str, selected: &[&str]) -> Answer {
    let selected = selected.iter().map(|it| (*it).to_owned()).collect();
    Answer { question: question.to_owned(), selected, text: None }
}

fn said(question: &str, text: &str) -> Answer {
    let (question, text) = (question.to_owned(), Some(text.to_owned()));
    Answer { question, selected: Vec::new(), text }
}

const WHICH: &str = "Which database should we use?";
const MORE: &str = "Any additional requirements?";

fn example() -> Value {
    json!({"questions": [
        {
            "text": WHICH, "type": "SingleChoice", "choices": ["PostgreSQL", "MySQL", "SQLite"],
            "required": true
        },
        {"text": MORE, "type": "FreeText", "required": false}
    ]})
}

async fn ask(f: &Fixture, args: Value) -> Value {
    f.call("ask_user_questions", args).await
}

#[tokio::test]
async fn the_example_of_seed_002() {
    let answers = vec![picked(WHICH, &["SQLite"]), said(MORE, "fast")];
    let f = fixture([Some(answers)]);
    let result = ask(&f, example()).await;
    let want = json!({"answers": [
        {"question": WHICH, "answer": ["SQLite"]}, {"question": MORE, "answer": ["fast"]}
    ]});
    assert_eq!((&result["status"], &result["result"]), (&json!("done"), &want));
    assert!(f.host.asks().is_empty(), "no permission is needed to ask");
    let statuses: Vec<ToolStatus> = f.events().iter().map(|event| event.status).collect();
    assert!(statuses.contains(&ToolStatus::Done), "{statuses:?}");
}

#[tokio::test]
async fn own_answers_and_skipped_questions_are_fine() {
    let f = fixture([Some(vec![said(WHICH, "DuckDB")])]);
    let result = ask(&f, example()).await;
    let want = json!([{"question": WHICH, "answer": ["DuckDB"]}, {"question": MORE, "answer": []}]);
    assert_eq!(result["result"]["answers"], want, "{result}");
    let many = json!({"questions": [
        {"text": "Many?", "type": "MultiChoice", "choices": ["a", "b", "a"], "note": "model's"}
    ]});
    let both = Answer { text: Some("c".to_owned()), ..picked("Many?", &["a", " ", "b"]) };
    let f = fixture([Some(vec![both]), Some(vec![])]);
    let result = ask(&f, many.clone()).await;
    assert_eq!(result["result"]["answers"][0]["answer"], json!(["a", "b", "c"]), "{result}");
    let shown = &f.host.questions()[0][0];
    assert_eq!((shown.choices.len(), &shown.note), (2, &None));
    assert_eq!(ask(&f, many).await["result"]["answers"][0]["answer"], json!([]));
}

#[tokio::test]
async fn all_problems_have_a_code_and_the_user_is_asked_once_more() {
    let check = async |first: Vec<Answer>, second: Vec<Answer>, code: &str, asked: &[&str]| {
        let f = fixture([Some(first), Some(second)]);
        let result = ask(&f, example()).await;
        let questions = f.host.questions();
        let again: Vec<&str> = questions[1].iter().map(|it| it.text.as_str()).collect();
        assert_eq!(again, asked, "{result}");
        assert!(questions[1].iter().all(|it| it.note.is_some()), "{questions:?}");
        match code {
            "" => assert_eq!(result["status"], "done", "{result}"),
            code => assert_eq!(result["error"]["errorCode"], code, "{result}"),
        }
        result
    };
    let good = || vec![picked(WHICH, &["SQLite"])];
    let two = || vec![picked(WHICH, &["SQLite", "MySQL"]), said(MORE, "kept")];
    let result = check(two(), good(), "", &[WHICH]).await;
    assert_eq!(result["result"]["answers"][1]["answer"], json!(["kept"]));
    check(vec![], good(), "", &[WHICH]).await;
    check(vec![said(WHICH, "  ")], vec![], "required_field_empty", &[WHICH]).await;
    check(two(), two(), "too_many_selections", &[WHICH]).await;
    check(
        vec![Answer { text: Some("x".into()), ..good().remove(0) }],
        two(),
        "too_many_selections",
        &[WHICH],
    )
    .await;
    let stray = || vec![picked(WHICH, &["SQLite"]), said("What?", "x")];
    check(stray(), good(), "", &[WHICH, MORE]).await;
    let result = check(stray(), stray(), "unknown_question", &[WHICH, MORE]).await;
    let text = message(&result);
    let data: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let details = json!([{"question": "What?", "error": "unknown_question"}]);
    assert_eq!(data, json!({"error": "validation_failed", "details": details}));
    assert!(text.starts_with("Validation failed: 'What?': unknown_question\n"), "{text}");
}

#[tokio::test]
async fn choice_questions_need_choices_and_nobody_is_asked() {
    let f = fixture([]);
    let args = json!({"questions": [
        {"text": "A?", "type": "SingleChoice", "choices": []},
        {"text": "B?", "type": "MultiChoice"},
        {"text": "C?", "type": "FreeText", "defaultValue": "x"}
    ]});
    let result = ask(&f, args).await;
    assert_eq!(result["error"]["errorCode"], "empty_choices");
    let first = message(&result).lines().next().unwrap().to_owned();
    assert_eq!(first, "Validation failed: 'A?': empty_choices, 'B?': empty_choices");
    assert!(f.host.questions().is_empty());
}

#[tokio::test]
async fn a_user_may_decline_and_a_host_may_have_no_user() {
    let f = fixture([None]);
    let result = ask(&f, example()).await;
    assert!(message(&result).starts_with("User declined to answer\n"), "{result}");
    assert_eq!(result["error"]["errorCode"], "declined");
    // Also when asked once more.
    let f = fixture([Some(vec![]), None]);
    assert!(message(&ask(&f, example()).await).starts_with("User declined"));
    let f = Fixture::new(&[]);
    let host = std::sync::Arc::new(crate::SessionHost::new(f.workspace.clone()));
    let tools = crate::Tools::new(f.workspace.clone(), host, builtin());
    let call =
        crate::ToolCall { id: "c".into(), name: "ask_user_questions".into(), args: example() };
    let result = crate::fixture::wire(&tools.run(&f.scope, vec![call], &|_| {}).await[0]);
    let want =
        "Nobody can be asked: the client of this session cannot ask questions; go on without it.";
    assert_eq!(message(&result), want);
}

#[tokio::test(start_paused = true)]
async fn the_clock_stands_still_while_the_user_thinks() {
    let mut f = Fixture::with(&[], "", TestHost::silent(), builtin());
    f.scope.dialect = Dialect::AgentAir;
    let asked = ask(&f, example());
    let long = tokio::time::sleep(std::time::Duration::from_secs(100_000));
    tokio::select! {
        result = asked => panic!("{result}"),
        () = long => {}
    }
    let statuses: Vec<ToolStatus> = f.events().iter().map(|event| event.status).collect();
    assert_eq!(statuses, [ToolStatus::InProgress, ToolStatus::BlockedOnUser]);
}

#[tokio::test]
async fn bad_questions_are_named() {
    let f = fixture([]);
    let check = async |questions: Value, want: &str| {
        let result = ask(&f, json!({"questions": questions})).await;
        assert!(message(&result).contains(want), "{want}: {result}");
    };
    let free = |text: &str| json!({"text": text, "type": "FreeText"});
    check(json!([]), "ask 1 to 20 questions").await;
    check(Value::Array((0..21).map(|n| free(&n.to_string())).collect()), "1 to 20").await;
    check(json!([free(" ")]), "questions[0]: \"text\" is empty").await;
    check(json!([free("a"), free("a")]), "questions[1]: there is a question with the same").await;
    check(json!([free(&"x".repeat(10_000_000))]), "longer than 4000 chars").await;
    check(json!([{"text": "a", "type": "Choice"}]), "\"questions[0].type\" must be one of").await;
    check(json!([{"text": "a"}]), "\"questions[0].type\" is missing").await;
    let choices = json!([{"text": "a", "type": "SingleChoice", "choices": ["x", " "]}]);
    check(choices, "one of its choices is empty").await;
    check(json!([{"text": "a", "type": "SingleChoice", "choices": "x"}]), "must be an array").await;
    check(json!("x"), "\"questions\" must be an array").await;
    assert!(f.host.questions().is_empty());
}
