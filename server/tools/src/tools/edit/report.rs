//! What the model is told of an edit that was found.

use redline_text::{Batch, FileEncoding, Match, Names, Report, Text};
use redline_workspace::Proposed;
use serde_json::{Value, json};

use super::{Form, Look, Wanted};
use crate::{ToolContext, ToolResult, tools::proposal};

/// The result of a proposal (seed 000, edit_file, "Success Output").
pub(super) fn done(
    context: &ToolContext,
    proposed: &Proposed,
    wanted: &Wanted,
    batch: &Batch,
    caution: Option<String>,
) -> ToolResult {
    let diff = proposal::diff(context, proposed);
    let mut result = json!({
        "diff": diff.text,
        "lineRange": diff.line_range,
    });
    if wanted.form != Form::One {
        result["edits"] = reports(batch);
    }
    let notes: Vec<String> =
        how(batch, wanted).into_iter().chain(diff.note).chain(caution).collect();
    if !notes.is_empty() {
        result["note"] = notes.join("\n").into();
    }
    proposal::answered(context, proposed, result)
}

/// Seed 002, multi_edit: "Dry-run reports the number of edits that would apply, the count of fuzzy
/// matches with average similarity, and the byte size difference".
pub(super) fn dry_run(context: &ToolContext, look: &Look, wanted: &Wanted) -> ToolResult {
    let Look { snapshot, batch, caution } = look;
    let mut after = snapshot.text.clone();
    after.apply_all(&batch.edits);
    let diff = proposal::diff_of(context, &snapshot.file, Some(&snapshot.text), &after);
    let mut notes = vec!["Dry run: nothing was proposed.".to_owned()];
    notes.extend(how(batch, wanted).into_iter().chain(diff.note).chain(caution.clone()));
    let encoding = snapshot.disk.as_ref().map(|disk| disk.format.encoding).unwrap_or_default();
    ToolResult::done(json!({
        "dryRun": true,
        "editCount": batch.reports.len(),
        "replacementCount": batch.edits.len(),
        "fuzzyMatches": batch.fuzzy(),
        "averageSimilarity": batch.average_similarity().map(rounded),
        "sizeDifference": size_difference(&snapshot.text, &after, encoding),
        "edits": reports(batch),
        "diff": diff.text,
        "lineRange": diff.line_range,
        "note": notes.join("\n"),
    }))
}

/// In the bytes of the file.
fn size_difference(before: &Text, after: &Text, encoding: FileEncoding) -> i64 {
    let units = |text: &Text| text.chunks().map(|it| it.encode_utf16().count()).sum::<usize>();
    let size = |text: &Text| match encoding {
        FileEncoding::Utf8 | FileEncoding::Bytes | FileEncoding::Link => text.len(),
        FileEncoding::Utf16Le | FileEncoding::Utf16Be => 2 * units(text),
    };
    let signed = |size: usize| i64::try_from(size).unwrap_or(i64::MAX);
    signed(size(after)) - signed(size(before))
}

/// One for each edit, in the caller's order; lines are those of the text before.
fn reports(batch: &Batch) -> Value {
    let one = |report: &Report| {
        json!({
            "match": kind(report.how),
            "similarity": rounded(report.score),
            "lines": [report.first_line, report.last_line],
            "replaced": report.replaced,
            "occurrences": report.matches,
        })
    };
    batch.reports.iter().map(one).collect()
}

fn kind(how: Match) -> &'static str {
    match how {
        Match::Exact => "exact",
        Match::LineEndings => "line-endings",
        Match::Whitespace => "whitespace",
        Match::Escapes => "escapes",
        Match::LookAlikes => "look-alikes",
        Match::Similar => "similar",
    }
}

fn rounded(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}

/// DESIGN, section 4: the result says how it matched, where that is not what was asked for.
fn how(batch: &Batch, wanted: &Wanted) -> Vec<String> {
    let mut notes = Vec::new();
    for (index, report) in batch.reports.iter().enumerate() {
        let said = [matched(report, wanted.names()), occurrences(report)];
        let said: Vec<String> = said.into_iter().flatten().collect();
        match (said.is_empty(), wanted.form) {
            (true, _) => {}
            (_, Form::One) => notes.extend(said),
            (_, Form::Several { .. }) => {
                notes.push(format!("edit {}: {}", index + 1, said.join(" ")))
            }
        }
    }
    notes
}

fn matched(report: &Report, names: Names) -> Option<String> {
    let Names { old, new } = names;
    // Never 100 % where something differs.
    let percent = (report.score * 100.0).floor();
    let said = match report.how {
        Match::Exact => return None,
        Match::LineEndings => format!("{old} matched but for line ends."),
        Match::Whitespace => format!(
            "{old} matched but for white space ({percent} % similar); {new} was indented to fit the \
             place."
        ),
        Match::Escapes => format!(
            "{old} matched with line breaks, tabs and quotes in place of its escapes ({percent} % \
             similar); {new} was read the same way."
        ),
        Match::LookAlikes => format!(
            "{old} matched but for chars that look alike, such as quotes and dashes ({percent} % \
             similar); what {new} has from {old} is as in the file."
        ),
        Match::Similar => format!(
            "{old} is not in the file as it is; replaced was what is {percent} % similar: check the \
             diff."
        ),
    };
    Some(said)
}

fn occurrences(report: &Report) -> Option<String> {
    match (report.replaced, report.matches) {
        (replaced, matches) if replaced < matches => {
            Some(format!("Replaced occurrence 1 of {matches}."))
        }
        (0 | 1, _) => None,
        (replaced, _) => Some(format!("Replaced {replaced} occurrences.")),
    }
}
