//! What is wrong with questions and with answers (seed 002, ask_user_questions). Pure.

use std::{collections::HashSet, fmt};

use serde::Serialize;
use serde_json::json;

use crate::{Answer, Question, QuestionKind, ToolResult};

/// Questions of a call.
pub(super) const MOST_QUESTIONS: usize = 20;
/// Choices of a question.
pub(super) const MOST_CHOICES: usize = 100;
/// Chars of a question, of a choice, of a default value.
pub(super) const MOST_CHARS: usize = 4_000;

/// Seed 002: "Validation errors return a structured response with error codes".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Code {
    RequiredFieldEmpty,
    TooManySelections,
    EmptyChoices,
    UnknownQuestion,
}

impl Code {
    pub fn name(self) -> &'static str {
        match self {
            Code::RequiredFieldEmpty => "required_field_empty",
            Code::TooManySelections => "too_many_selections",
            Code::EmptyChoices => "empty_choices",
            Code::UnknownQuestion => "unknown_question",
        }
    }

    /// What the user reads when they are asked once more.
    pub fn note(self) -> &'static str {
        match self {
            Code::RequiredFieldEmpty => "This question must be answered.",
            Code::TooManySelections => "Choose one answer only.",
            Code::EmptyChoices => "There is nothing to choose from.",
            Code::UnknownQuestion => "The last answers were to other questions.",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Code::RequiredFieldEmpty => {
                "The user left a required question open, twice. Go on \
                                         without the answer, or ask in another way."
            }
            Code::TooManySelections => {
                "The answers do not fit, twice. Ask the question as \
                                        MultiChoice."
            }
            Code::EmptyChoices => {
                "Nobody was asked. Give each choice question its choices, or make \
                                   it FreeText."
            }
            Code::UnknownQuestion => "The client answered what was not asked. Go on without it.",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Problem {
    pub question: String,
    pub error: Code,
}

impl Problem {
    fn new(question: &str, error: Code) -> Self {
        Self { question: question.to_owned(), error }
    }
}

/// "Before display, choice questions are checked for non-empty choice arrays."
pub(super) fn before(questions: &[Question]) -> Vec<Problem> {
    let is_empty = |it: &&Question| it.kind != QuestionKind::FreeText && it.choices.is_empty();
    let problem = |it: &Question| Problem::new(&it.text, Code::EmptyChoices);
    questions.iter().filter(is_empty).map(problem).collect()
}

/// "After the user responds, validation confirms that required questions have answers, that
/// SingleChoice questions have at most one selection, and that all answered questions exist."
pub(super) fn after(questions: &[Question], answers: &[Answer]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for question in questions {
        let values = values(question, answers);
        if question.required && values.is_empty() {
            problems.push(Problem::new(&question.text, Code::RequiredFieldEmpty));
        }
        if question.kind == QuestionKind::SingleChoice && values.len() > 1 {
            problems.push(Problem::new(&question.text, Code::TooManySelections));
        }
    }
    for answer in answers {
        if !questions.iter().any(|question| question.text == answer.question) {
            problems.push(Problem::new(&answer.question, Code::UnknownQuestion));
        }
    }
    problems
}

/// What was answered to a question: choices and words alike, since both may be the user's own.
pub(super) fn values(question: &Question, answers: &[Answer]) -> Vec<String> {
    let own = answers.iter().filter(|answer| answer.question == question.text);
    let all = own.flat_map(|answer| answer.selected.iter().chain(&answer.text));
    all.filter(|value| !value.trim().is_empty()).cloned().collect()
}

/// Seed 002 has no code for these.
pub(super) fn unfit(questions: &[Question]) -> Option<String> {
    if questions.is_empty() || questions.len() > MOST_QUESTIONS {
        let n = questions.len();
        return Some(format!("ask 1 to {MOST_QUESTIONS} questions at once, not {n}"));
    }
    let mut texts = HashSet::new();
    for (at, question) in questions.iter().enumerate() {
        let what = if question.text.trim().is_empty() {
            "\"text\" is empty; say what you want to know".to_owned()
        } else if !texts.insert(&question.text) {
            "there is a question with the same text before it; answers could not be told apart"
                .to_owned()
        } else if question.choices.len() > MOST_CHOICES {
            format!("it has more than {MOST_CHOICES} choices; ask for less at once")
        } else if question.choices.iter().any(|choice| choice.trim().is_empty()) {
            "one of its choices is empty".to_owned()
        } else if is_long(question) {
            format!("its texts are longer than {MOST_CHARS} chars; make them shorter")
        } else {
            continue;
        };
        return Some(format!("questions[{at}]: {what}"));
    }
    None
}

fn is_long(question: &Question) -> bool {
    let texts = std::iter::once(&question.text).chain(&question.choices);
    let mut texts = texts.chain(&question.default_value);
    texts.any(|text| text.len() > MOST_CHARS && text.chars().count() > MOST_CHARS)
}

/// The error that says all of it, in words and as data.
pub(super) fn failed(problems: &[Problem]) -> ToolResult {
    let list: Vec<String> =
        problems.iter().map(|it| format!("'{}': {}", it.question, it.error)).collect();
    let first = problems.first().map(|problem| problem.error);
    let data = json!({"error": "validation_failed", "details": problems});
    let message = format!(
        "Validation failed: {}\n{data}\n{}",
        list.join(", "),
        first.map(Code::hint).unwrap_or_default()
    );
    let error_code = first.map(|code| code.name().to_owned());
    ToolResult::Error { message, error_code, absolute_path: None }
}
