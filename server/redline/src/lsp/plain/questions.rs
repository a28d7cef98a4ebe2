//! Questions of the agent to a client that has no dialog of ours for them: those with one answer
//! among choices, as `window/showMessageRequest`.

use std::sync::Arc;

use redline_tools::{Answer, HostError, Question, QuestionKind};

use super::MessageAsks;

/// Asks them one after the other. `None`: the user left one open that must be answered.
///
/// # Errors
/// If one of them takes more than a click.
pub async fn answers(
    asks: &Arc<MessageAsks>,
    questions: &[Question],
) -> Result<Option<Vec<Answer>>, HostError> {
    if questions.iter().any(|question| question.kind != QuestionKind::SingleChoice) {
        return Err(HostError::Unavailable(
            "ask questions in words or with several answers, only SingleChoice ones",
        ));
    }
    let mut answers = Vec::new();
    for (question, n) in questions.iter().zip(1..) {
        let text = text(question, n, questions.len());
        let picked = asks.choose(text, titles(question)).await.map_err(HostError::Failed)?;
        match picked {
            Some(choice) => answers.push(Answer {
                question: question.text.clone(),
                selected: vec![choice],
                text: None,
            }),
            None if question.required => return Ok(None),
            None => {}
        }
    }
    Ok(Some(answers))
}

fn text(question: &Question, n: usize, of: usize) -> String {
    let place = if of > 1 { format!(" ({n} of {of})") } else { String::new() };
    let note = question.note.as_ref().map(|note| format!("\n{note}")).unwrap_or_default();
    format!("The agent asks{place}: {}{note}", question.text)
}

/// What a stray Enter takes comes first: no answer.
fn titles(question: &Question) -> Vec<String> {
    let names = ["No answer", "Leave it open", "None of these"];
    let none = names.into_iter().find(|name| !question.choices.iter().any(|it| it == name));
    let mut titles = vec![none.unwrap_or("(no answer)").to_owned()];
    titles.extend(question.choices.iter().cloned());
    titles
}
