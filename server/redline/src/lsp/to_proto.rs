//! From the house to the wire.

use std::ops::Range;

use redline_agent::{ThreadEvent, ThreadEventKind, ThreadSummary};
use redline_text::Encoding;
use redline_workspace::{
    Ask, AskId, AskOption, FileChange, HunkView, OptionId, Resolved, Review, Rewound, TextEdit,
    WorkspacePath,
};

use super::{protocol as wire, uri};

/// The state of one file, its words in `encoding`.
pub fn review(review: &Review, encoding: Encoding) -> wire::Review {
    wire::Review {
        uri: uri_of(review),
        revision: review.revision.0,
        version: review.version,
        change: match review.change {
            FileChange::Modified => "modified",
            FileChange::Created => "created",
            FileChange::Deleted => "deleted",
        },
        hunks: review.hunks.iter().map(|h| hunk(h, encoding)).collect(),
    }
}

/// The client's own name of the file, or one made of its path.
pub fn uri_of(review: &Review) -> String {
    review.uri.clone().unwrap_or_else(|| uri::from_path(review.file.as_path()))
}

fn hunk(hunk: &HunkView, encoding: Encoding) -> wire::Hunk {
    let old = spans(&hunk.old_text, &hunk.words_old, encoding);
    let new = spans(&hunk.new_text, &hunk.words_new, encoding);
    let words = !(old.is_empty() && new.is_empty());
    wire::Hunk {
        id: hunk.id.to_string(),
        state: hunk.state.name(),
        mixed: hunk.mixed,
        range: hunk.range,
        old_text: hunk.old_text.clone(),
        new_text: hunk.new_text.clone(),
        words: words.then_some(wire::Words { old, new }),
        origin: wire::Origin {
            thread_id: hunk.origin.thread.to_string(),
            agent: hunk.origin.agent.clone(),
            tool: hunk.origin.tool.clone(),
            tool_call_id: hunk.origin.call.clone(),
        },
    }
}

/// Byte spans as spans in `encoding`; ascending ones cost one pass.
fn spans(text: &str, spans: &[Range<usize>], encoding: Encoding) -> Vec<[usize; 2]> {
    let (mut byte, mut units) = (0, 0);
    let mut at = |offset: usize| {
        if offset < byte {
            (byte, units) = (0, 0);
        }
        units += text.get(byte..offset).map_or(0, |piece| encoding.len(piece));
        byte = offset;
        units
    };
    spans.iter().map(|span| [at(span.start), at(span.end)]).collect()
}

/// What became of a decision.
pub fn resolved(resolved: Resolved) -> wire::ResolveResult {
    let names = |ids: Vec<_>| ids.iter().map(ToString::to_string).collect();
    let failed = |(hunk, reason): (redline_layers::HunkId, String)| wire::Failed {
        hunk: hunk.to_string(),
        reason,
    };
    wire::ResolveResult {
        resolved: names(resolved.resolved),
        stale: names(resolved.stale),
        failed: resolved.failed.into_iter().map(failed).collect(),
        mixed: names(resolved.mixed),
    }
}

/// What going back has done; `name` makes a file's URI.
pub fn rewound(rewound: Rewound, name: impl Fn(&WorkspacePath) -> String) -> wire::RewindResult {
    let kept = |(file, reason): (WorkspacePath, String)| wire::Kept { uri: name(&file), reason };
    wire::RewindResult {
        files: rewound.files.iter().map(&name).collect(),
        withdrawn: rewound.withdrawn,
        kept: rewound.kept.into_iter().map(kept).collect(),
    }
}

/// An ask as the client shows it.
pub fn permission(id: AskId, ask: &Ask, queue: (usize, usize)) -> wire::PermissionParams {
    wire::PermissionParams {
        ask_id: id.to_string(),
        title: ask.title.clone(),
        tool: ask.tool.clone(),
        args: ask.args.clone(),
        cwd: ask.cwd.display().to_string(),
        detail: ask.detail.clone(),
        pending: ask.pending.clone(),
        unsaved: ask.unsaved.clone(),
        reason: wire::Reason {
            action: "ask",
            rule: ask.reason.rule.clone(),
            source: ask.reason.source.clone(),
            line: ask.reason.line,
            text: ask.reason.text.clone(),
        },
        options: ask.options.iter().map(option).collect(),
        queue: wire::Queue { index: queue.0, total: queue.1 },
        note: ask.note.clone(),
    }
}

fn option(option: &AskOption) -> wire::AskOption {
    wire::AskOption {
        id: option.id.name(),
        label: option.label.clone(),
        covers: option.covers.clone(),
    }
}

/// The same ask for `window/showMessageRequest`: all that the user needs to decide, in one text.
pub fn ask_text(ask: &Ask) -> String {
    let detail = ask.detail.iter().cloned();
    let files = |what: &str, files: &[String]| {
        (!files.is_empty()).then(|| format!("{what}: {}", files.join(", ")))
    };
    let lines: Vec<String> = ask
        .note
        .iter()
        .cloned()
        .chain([ask.title.clone()])
        .chain(detail)
        .chain([format!("in {}", ask.cwd.display())])
        .chain(files("does not see the proposals in", &ask.pending))
        .chain(files("does not see the unsaved text of", &ask.unsaved))
        .chain([ask.reason.text.clone()])
        .chain(kept(&ask.options))
        .collect();
    lines.join("\n")
}

/// The rules that answers stand for: nothing else of such a dialog says them, and it has no way to
/// edit them.
fn kept(options: &[AskOption]) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for option in options {
        let Some(covers) = option.covers.as_deref() else { continue };
        match groups.iter_mut().find(|(known, _)| *known == covers) {
            Some((_, labels)) => labels.push(&option.label),
            None => groups.push((covers, vec![&option.label])),
        }
    }
    let line = |(covers, labels): (&str, Vec<&str>)| {
        format!("{}: {}", labels.join(" / "), covers.replace('\n', "\n    "))
    };
    let saves = |option: &AskOption| matches!(option.id, OptionId::Folder | OptionId::Always);
    let hint = options.iter().any(saves).then(|| SAVED.to_owned());
    groups.into_iter().map(line).chain(hint).collect()
}

const SAVED: &str = "(saved rules are listed and taken back with: redline permissions grants)";

/// Edits of an open document.
pub fn edits(edits: &[TextEdit]) -> Vec<wire::TextEdit> {
    let one = |edit: &TextEdit| wire::TextEdit { range: edit.range, new_text: edit.new.clone() };
    edits.iter().map(one).collect()
}

/// One line of `redline/threads`.
pub fn thread(summary: ThreadSummary) -> wire::Thread {
    wire::Thread {
        thread_id: summary.thread.to_string(),
        title: summary.title,
        updated_at: summary.updated_at,
        state: summary.state.name().to_owned(),
    }
}

/// An event of a thread.
pub fn thread_event(event: ThreadEvent) -> wire::ThreadEvent {
    let body = match event.event {
        ThreadEventKind::Text { delta } => wire::EventBody::Text { delta },
        ThreadEventKind::ToolCall(tool) => wire::EventBody::ToolCall {
            tool_call_id: tool.call.id,
            name: tool.call.name,
            args: tool.call.args,
            status: tool.status.name(),
            title: tool.title,
            elapsed_ms: tool.elapsed_ms,
            progress: tool.progress,
            result: tool.result,
        },
        ThreadEventKind::Usage(usage) => wire::EventBody::Usage(usage),
        ThreadEventKind::TurnEnd { reason, message } => {
            wire::EventBody::TurnEnd { reason: reason.name(), message }
        }
    };
    wire::ThreadEvent {
        thread_id: event.thread.to_string(),
        turn_id: event.turn,
        seq: event.seq,
        parent_tool_use_id: event.parent,
        event: body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_keep_a_rule_say_which() {
        let check = |options: &[(OptionId, &str, Option<&str>)], want: &[&str]| {
            let option = |(id, label, covers): &(OptionId, &str, Option<&str>)| AskOption {
                id: *id,
                label: (*label).to_owned(),
                covers: covers.map(str::to_owned),
            };
            assert_eq!(kept(&options.iter().map(option).collect::<Vec<_>>()), want);
        };
        let (once, session) = ((OptionId::Once, "Once", None), OptionId::Session);
        check(&[once], &[]);
        check(
            &[once, (session, "Session", Some("allow a\nallow b"))],
            &["Session: allow a\n    allow b"],
        );
        let same = [
            (session, "Session", Some("allow a")),
            (OptionId::Folder, "In this folder", Some("allow a")),
            (OptionId::Always, "Everywhere", Some("allow b")),
        ];
        check(&same, &["Session / In this folder: allow a", "Everywhere: allow b", SAVED]);
    }
}
