//! Questions of the agent in the terminal, one after the other.

use redline_tools::{Answer, Question, QuestionKind};

use super::{
    Console, Paint, Style,
    cells::{printable, rows, wrapped},
};

/// What a typed line means.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reply {
    /// The answer; `None`: the question stays open.
    Answer(Option<Answer>),
    Back,
    Leave,
    /// It is no answer, and why.
    Again(String),
}

/// Asks all questions, one at a time. `None`: the user does not want to answer.
pub fn answers(questions: &[Question], console: &mut dyn Console) -> Option<Vec<Answer>> {
    let mut answers: Vec<Option<Answer>> = Vec::new();
    console.forget_typed();
    while let Some(question) = questions.get(answers.len()) {
        let place = (answers.len() + 1, questions.len());
        console.print(&render(question, place, console.width(), console.paint()));
        match reply(question, place.0 > 1, console) {
            Reply::Answer(answer) => answers.push(answer),
            Reply::Back => drop(answers.pop()),
            Reply::Leave | Reply::Again(_) => {
                console.print("You left the questions; the agent is told.\n\n");
                return None;
            }
        }
    }
    console.print("\n");
    Some(answers.into_iter().flatten().collect())
}

/// Never `Reply::Again`: that is shown, and the line is read once more.
fn reply(question: &Question, can_go_back: bool, console: &mut dyn Console) -> Reply {
    let prompt = console.paint().text(Style::Key, "> ");
    loop {
        let Some(line) = console.line(&prompt) else { return Reply::Leave };
        match meaning(&line, question, can_go_back) {
            Reply::Again(why) => console.print(&format!("{why}\n")),
            reply => return reply,
        }
    }
}

/// The question as text in at most `width` columns.
fn render(question: &Question, (n, of): (usize, usize), width: usize, paint: Paint) -> String {
    let place = if of > 1 { format!("  ({n} of {of})") } else { String::new() };
    let must = if question.required { ", and needs an answer" } else { "" };
    let mut out =
        format!("\n{}\n", paint.text(Style::Warning, &format!("The agent asks{must}{place}")));
    if let Some(note) = &question.note {
        out += &format!("    {}\n", paint.text(Style::Warning, &printable(note)));
    }
    out += &wrapped(&question.text, "    ", width);
    if question.kind != QuestionKind::FreeText {
        for (choice, n) in question.choices.iter().zip(1..) {
            out += &numbered(n, choice, width, paint);
        }
    }
    out + &paint.text(Style::Faint, &wrapped(&hint(question, n > 1), "  ", width))
}

fn numbered(n: usize, choice: &str, width: usize, paint: Paint) -> String {
    let mut head = format!("  {} ", paint.text(Style::Key, &format!("{n:>3}")));
    let mut out = String::new();
    for line in choice.lines() {
        let styles = (Style::Normal, Style::Normal);
        for row in rows(line, &[], styles, width.saturating_sub(6), paint) {
            out += &format!("{head}{row}\n");
            head = " ".repeat(6);
        }
    }
    out
}

fn hint(question: &Question, can_go_back: bool) -> String {
    let how = match question.kind {
        QuestionKind::SingleChoice => "A number, or an answer of your own",
        QuestionKind::MultiChoice => "Numbers (1,3), or answers of your own",
        QuestionKind::FreeText => "Your answer",
    };
    let enter = match (default(question), question.required) {
        (Some(text), _) => format!("; Enter: {}", printable(text)),
        (None, false) => "; Enter: no answer".to_owned(),
        (None, true) => String::new(),
    };
    let back = if can_go_back { "; <: back" } else { "" };
    format!("{how}{enter}{back}; q: leave; =TEXT: exactly TEXT")
}

fn default(question: &Question) -> Option<&str> {
    let text = question.default_value.as_deref().filter(|text| !text.trim().is_empty());
    text.filter(|_| question.kind == QuestionKind::FreeText)
}

fn meaning(line: &str, question: &Question, can_go_back: bool) -> Reply {
    let answer = |selected, text| {
        Reply::Answer(Some(Answer { question: question.text.clone(), selected, text }))
    };
    let said = |text: &str| answer(Vec::new(), Some(text.to_owned()));
    match (line.trim(), question.kind) {
        ("q", _) => Reply::Leave,
        ("<", _) if can_go_back => Reply::Back,
        ("<", _) => Reply::Again("This is the first question.".to_owned()),
        ("" | "=", _) => match (default(question), question.required) {
            (Some(text), _) => said(text),
            (None, false) => Reply::Answer(None),
            (None, true) => {
                Reply::Again("This question needs an answer (q leaves all).".to_owned())
            }
        },
        (line, kind) => match (line.strip_prefix('='), kind) {
            (Some(exactly), _) => said(exactly),
            (None, QuestionKind::FreeText) => said(line),
            (None, QuestionKind::SingleChoice) => match numbers(line, &question.choices) {
                Some(Err(why)) => Reply::Again(why),
                Some(Ok(chosen)) if chosen.len() > 1 => {
                    Reply::Again("Choose one of them only.".to_owned())
                }
                Some(Ok(chosen)) => answer(chosen, None),
                None => said(line),
            },
            (None, QuestionKind::MultiChoice) => match several(line, &question.choices) {
                Ok(chosen) => answer(chosen, None),
                Err(why) => Reply::Again(why),
            },
        },
    }
}

/// `None`: these are words.
fn numbers(line: &str, choices: &[String]) -> Option<Result<Vec<String>, String>> {
    let parts = line.split([',', ' ']).filter(|part| !part.is_empty());
    let numbers: Vec<usize> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let chosen = |n: &usize| {
        let choice = n.checked_sub(1).and_then(|index| choices.get(index)).cloned();
        choice.ok_or_else(|| format!("There is no choice {n}; ={n} answers with that number."))
    };
    let mut found: Vec<String> = Vec::new();
    for choice in numbers.iter().map(chosen) {
        match choice {
            Ok(choice) if found.contains(&choice) => {}
            Ok(choice) => found.push(choice),
            Err(why) => return Some(Err(why)),
        }
    }
    Some(Ok(found)).filter(|_| !numbers.is_empty())
}

/// Numbers and words, between commas.
fn several(line: &str, choices: &[String]) -> Result<Vec<String>, String> {
    let mut found: Vec<String> = Vec::new();
    for part in line.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let parts = numbers(part, choices).unwrap_or_else(|| Ok(vec![part.to_owned()]))?;
        for choice in parts {
            if !found.contains(&choice) {
                found.push(choice);
            }
        }
    }
    match found.is_empty() {
        true => Err("That is no answer; Enter alone gives none.".to_owned()),
        false => Ok(found),
    }
}

#[cfg(test)]
mod tests;
