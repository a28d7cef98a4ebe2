//! The list of plans, in Agent Air's words.

use super::{
    id::PlanId,
    plan::{Plan, Progress, line},
};

/// Plans of a list; the newest have the highest ids.
pub(super) const MOST: usize = 500;
/// Chars of a title in it.
const MOST_CHARS: usize = 200;

/// "If no plans exist or the plans directory hasn't been created, a message directing the user to
/// markdown_plan is returned."
pub(super) const NONE: &str = "No plans found. Use markdown_plan to create one.";

/// Plans by id, after `left_out` older ones; of a plan that can't be read, why.
pub(super) fn list(left_out: usize, plans: &[(PlanId, Result<Plan, String>)]) -> String {
    if plans.is_empty() {
        return NONE.to_owned();
    }
    let mut text = format!("Found {} plan(s):\n\n", left_out + plans.len());
    if left_out > 0 {
        text += &format!("(The first {left_out} are not listed.)\n");
    }
    for (id, plan) in plans {
        text += &match plan {
            Ok(plan) => entry(*id, plan),
            Err(why) => format!("- **{id}**: cannot be read: {}\n", short(&line(why))),
        };
    }
    text
}

fn entry(id: PlanId, plan: &Plan) -> String {
    let Plan { title, status, created, steps } = plan;
    let count = |progress| steps.iter().filter(|step| step.progress == progress).count();
    let total = match steps.len() {
        0 => "no steps".to_owned(),
        all => format!("{}/{all} completed", count(Progress::Completed)),
    };
    let [title, status, created] = [title, status, created].map(|it| short(it));
    let mut text = format!("- **{id}**: {title} [{status}] (created: {created}, {total})\n");
    let parts: Vec<String> = PARTS
        .into_iter()
        .map(|(progress, name)| (count(progress), name))
        .filter(|(n, _)| *n > 0)
        .map(|(n, name)| format!("{n} {name}"))
        .collect();
    // "When steps are in multiple states, a detailed breakdown is shown."
    if parts.len() > 1 {
        text += &format!("  Steps: {}\n", parts.join(", "));
    }
    text
}

const PARTS: [(Progress, &str); 4] = [
    (Progress::Completed, "completed"),
    (Progress::Started, "in progress"),
    (Progress::Pending, "pending"),
    (Progress::Skipped, "skipped"),
];

fn short(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
