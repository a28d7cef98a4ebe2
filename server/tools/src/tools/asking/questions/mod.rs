//! `ask_user_questions` (seed 002).

mod check;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use self::check::{
    MOST_CHARS, MOST_CHOICES, MOST_QUESTIONS, Problem, after, before, failed, unfit, values,
};
use crate::{
    Access, Answer, Dialect, ExecutionProfile, Question, Resource, ResourceKey, ToolContext,
    ToolDefinition, ToolResult, ToolSpec,
};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let limits = format!(
        "{MOST_QUESTIONS} questions, {MOST_CHOICES} choices each, texts of {MOST_CHARS} chars; waits \
         for the user as long as it takes"
    );
    let spec = ToolSpec::builtin("ask_user_questions", Dialect::AgentAir, DESCRIPTION, schema());
    let keys = |_: &Value| {
        vec![ResourceKey { key: Resource::Named("questions".to_owned()), mode: Access::Write }]
    };
    ToolDefinition::new(spec.limits(limits), run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Ask the user one or more questions and wait for the answers. SingleChoice: \
one of the choices; MultiChoice: any number of them; FreeText: in words. The user may always answer \
something else than the choices. Ask only what you cannot find out yourself.";

fn schema() -> Value {
    let question = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "Question text"},
            "type": {"type": "string", "enum": ["SingleChoice", "MultiChoice", "FreeText"]},
            "choices": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Options for choice questions"
            },
            "defaultValue": {
                "type": "string",
                "description": "Default for FreeText questions"
            },
            "required": {
                "type": "boolean",
                "default": false,
                "description": "Whether answer is required (default: false)"
            }
        },
        "required": ["text", "type"]
    });
    json!({
        "type": "object",
        "properties": {
            "questions": {
                "type": "array",
                "items": question,
                "description": "Array of question objects"
            }
        },
        "required": ["questions"]
    })
}

/// A user can read one call's questions at a time, whatever threads there are.
struct Turn(Semaphore);

impl Default for Turn {
    fn default() -> Self {
        Self(Semaphore::new(1))
    }
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    match ask(&context, &args).await {
        Ok(result) | Err(result) => result,
    }
}

async fn ask(context: &ToolContext, args: &Value) -> Result<ToolResult, ToolResult> {
    let questions = questions(args).map_err(|result| *result)?;
    let _still = context.clock.pause();
    let turn = context.state::<Turn>();
    // Never closed.
    let _turn = turn.0.acquire().await;
    let mut answers = answered(context, questions.clone()).await?;
    let problems = after(&questions, &answers);
    if !problems.is_empty() {
        let again = once_more(&questions, &problems);
        answers.retain(|answer| {
            let is_known = questions.iter().any(|question| question.text == answer.question);
            is_known && !again.iter().any(|question| question.text == answer.question)
        });
        answers.extend(answered(context, again).await?);
        let problems = after(&questions, &answers);
        if !problems.is_empty() {
            return Err(failed(&problems));
        }
    }
    let all = questions
        .iter()
        .map(|question| json!({"question": question.text, "answer": values(question, &answers)}));
    Ok(ToolResult::done(json!({"answers": all.collect::<Value>()})))
}

fn questions(args: &Value) -> Result<Vec<Question>, Box<ToolResult>> {
    let error = |what: String| Box::new(ToolResult::error(format!("ask_user_questions: {what}.")));
    let given = args.get("questions").cloned().unwrap_or_default();
    let mut questions =
        Vec::<Question>::deserialize(given).map_err(|it| error(format!("\"questions\": {it}")))?;
    if let Some(what) = unfit(&questions) {
        return Err(error(what));
    }
    for question in &mut questions {
        question.note = None;
        let mut seen = std::collections::HashSet::new();
        question.choices.retain(|choice| seen.insert(choice.clone()));
    }
    match before(&questions).as_slice() {
        [] => Ok(questions),
        problems => Err(Box::new(failed(problems))),
    }
}

/// Agent Air's own words where the user does not want to.
async fn answered(
    context: &ToolContext,
    questions: Vec<Question>,
) -> Result<Vec<Answer>, ToolResult> {
    match context.question(questions).await {
        Ok(Some(answers)) => Ok(answers),
        Ok(None) => Err(ToolResult::Error {
            message:
                "User declined to answer\nDo not ask the same again. Go on with what you know, \
                      or say what you need."
                    .to_owned(),
            error_code: Some("declined".to_owned()),
            absolute_path: None,
        }),
        Err(error) => Err(ToolResult::error(format!("Nobody can be asked: {error}."))),
    }
}

/// The questions whose answers do not do, each with what is wrong; all of them if the answers were
/// to none of them.
fn once_more(questions: &[Question], problems: &[Problem]) -> Vec<Question> {
    let with_note = |question: &Question, problem: &Problem| Question {
        note: Some(problem.error.note().to_owned()),
        ..question.clone()
    };
    let faulty = |question: &Question| {
        let problem = problems.iter().find(|problem| problem.question == question.text)?;
        Some(with_note(question, problem))
    };
    let again: Vec<Question> = questions.iter().filter_map(faulty).collect();
    match (again.is_empty(), problems.first()) {
        (true, Some(problem)) => questions.iter().map(|it| with_note(it, problem)).collect(),
        _ => again,
    }
}

#[cfg(test)]
mod tests;
