//! What the tools make of a plan file's text. Pure.

use serde_json::Value;

use super::{
    error::PlanError,
    id::PlanId,
    plan::{Plan, Progress, Step, block, line, marks},
};
use crate::tools::text;

/// Bytes of a plan file that is written: what read_plan can return whole.
pub(super) const MOST: usize = 100_000;

/// A change of a plan file.
#[derive(Debug, Clone)]
pub(super) enum PlanEdit {
    /// The whole plan. Its date is that of the plan in whose place it comes.
    Write(Plan),
    /// The mark of a step, counted from 1 as it was given.
    Mark { step: Value, progress: Progress },
}

impl PlanEdit {
    /// A `markdown_plan` whose arguments fit its schema. "Each step starts as pending."
    ///
    /// # Errors
    /// If a text that must be there is blank.
    pub fn write(args: &Value, today: String) -> Result<Self, PlanError> {
        let title = line(text(args, "title"));
        if title.is_empty() {
            return Err(PlanError::Title);
        }
        let given = args.get("steps").and_then(Value::as_array).into_iter().flatten();
        let steps = given.zip(1..).map(|(it, at)| step(it, at)).collect::<Result<_, _>>()?;
        let status = args.get("status").and_then(Value::as_str).unwrap_or("draft").to_owned();
        Ok(Self::Write(Plan { title, status, created: today, steps }))
    }

    /// The new text of a plan file; `old`: of a new one there is none.
    ///
    /// # Errors
    /// If there is no such step, or the text were too long.
    pub fn apply(&self, id: PlanId, old: Option<&str>) -> Result<String, PlanError> {
        let new = match self {
            PlanEdit::Write(plan) => plan.clone().dated(old).render(&id.to_string()),
            PlanEdit::Mark { step, progress } => {
                marked(id, old.unwrap_or_default(), step, *progress)?
            }
        };
        let is_longer = old.is_none_or(|old| new.len() > old.len());
        match new.len() {
            size if size > MOST && is_longer => Err(PlanError::TooLong { size, most: MOST }),
            _ => Ok(new),
        }
    }
}

impl Plan {
    /// A plan that comes in the place of another was created when that was.
    fn dated(mut self, old: Option<&str>) -> Self {
        let created = old.map(|old| Plan::parse(old).created);
        if let Some(created) = created.filter(|it| it != "unknown" && it.len() <= 40) {
            self.created = created;
        }
        self
    }
}

fn step(args: &Value, at: usize) -> Result<Step, PlanError> {
    let description = block(text(args, "description"));
    if description.is_empty() {
        return Err(PlanError::Description(at));
    }
    let notes = Some(block(text(args, "notes"))).filter(|notes| !notes.is_empty());
    Ok(Step { progress: Progress::Pending, description, notes })
}

/// The rest of the file stays as it is, byte for byte.
fn marked(id: PlanId, old: &str, step: &Value, progress: Progress) -> Result<String, PlanError> {
    let marks = marks(old);
    if marks.is_empty() {
        return Err(PlanError::NoSteps(id.to_string()));
    }
    let index = whole(step).and_then(|step| step.checked_sub(1));
    let found = index.and_then(|index| usize::try_from(index).ok()).and_then(|at| marks.get(at));
    let Some((at, _)) = found else {
        let (step, id, count) = (step.to_string(), id.to_string(), marks.len());
        return Err(PlanError::Range { step, id, count });
    };
    let mut new = old.to_owned();
    new.replace_range(*at..at + 1, progress.mark().encode_utf8(&mut [0; 4]));
    Ok(new)
}

/// 3 and 3.0 are the same step.
fn whole(step: &Value) -> Option<u64> {
    let from_float = || step.as_f64().filter(|n| n.fract() == 0.0 && (0.0..1e9).contains(n));
    step.as_u64().or_else(|| from_float().map(|n| n as u64))
}

/// The first line of a step's description.
pub(super) fn about(text: &str, step: &Value) -> String {
    let index = whole(step).and_then(|step| usize::try_from(step).ok()?.checked_sub(1));
    let steps = Plan::parse(text).steps;
    let step = index.and_then(|index| steps.get(index));
    step.and_then(|step| step.description.lines().next()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const OLD: &str = "# Plan: x\r\n**Created**: 2020-02-02\r\n\r\n1. [ ] a\r\n9. [X] b\r\nend";

    fn id() -> PlanId {
        PlanId::parse("plan-007").unwrap()
    }

    #[test]
    fn a_mark_is_one_byte() {
        let check = |step: Value, progress, want: Result<String, &str>| {
            let got = PlanEdit::Mark { step, progress }.apply(id(), Some(OLD));
            assert_eq!(got.map_err(|error| error.to_string()), want.map_err(str::to_owned));
        };
        check(json!(1), Progress::Started, Ok(OLD.replace("[ ]", "[~]")));
        check(json!(2.0), Progress::Pending, Ok(OLD.replace("[X]", "[ ]")));
        let range =
            |step: &str| format!("Step {step} is out of range. Plan 'plan-007' has 2 step(s).");
        for (step, text) in
            [(json!(0), "0"), (json!(-1), "-1"), (json!(3), "3"), (json!(1e300), "1e+300")]
        {
            check(step, Progress::Completed, Err(&range(text)));
        }
        let none = PlanEdit::Mark { step: json!(1), progress: Progress::Completed };
        let error = none.apply(id(), Some("no plan")).unwrap_err().to_string();
        assert!(error.starts_with("No steps found in plan 'plan-007'."), "{error}");
    }

    #[test]
    fn a_plan_in_the_place_of_another_keeps_its_date() {
        let args = json!({"title": "T\n2", "steps": [{"description": " a ", "notes": " "}]});
        let edit = PlanEdit::write(&args, "2026-11-21".to_owned()).unwrap();
        let created = |old| Plan::parse(&edit.apply(id(), old).unwrap()).created;
        assert_eq!(created(None), "2026-11-21");
        assert_eq!(created(Some(OLD)), "2020-02-02");
        assert_eq!(created(Some("mine")), "2026-11-21");
        let text = edit.apply(id(), None).unwrap();
        assert!(text.starts_with("# Plan: T 2\n\n**ID**: plan-007\n**Status**: draft\n"), "{text}");
        assert!(text.ends_with("\n\n1. [ ] a\n"), "{text}");
    }

    #[test]
    fn a_plan_is_of_some_length() {
        let args = json!({"title": "t", "steps": [{"description": "x".repeat(MOST)}]});
        let edit = PlanEdit::write(&args, String::new()).unwrap();
        assert!(matches!(edit.apply(id(), None), Err(PlanError::TooLong { .. })));
        // A long one that is there can be worked through.
        let long = format!("1. [ ] {}", "x".repeat(MOST));
        let edit = PlanEdit::Mark { step: json!(1), progress: Progress::Skipped };
        assert!(edit.apply(id(), Some(&long)).is_ok());
    }
}
