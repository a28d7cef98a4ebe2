//! A hunk in words and as a diff.

use redline_text::{Text, unified};
use redline_workspace::{FileChange, HunkState, HunkView, Review};

/// The longest line of a summary or of a short diff, in characters.
const WIDTH: usize = 60;
/// The longest line of a long diff, in characters.
const LONG_WIDTH: usize = 1_000;

/// One line: what becomes of what.
pub fn summary(hunk: &HunkView, change: FileChange) -> String {
    if hunk.state == HunkState::Conflict {
        return "conflict: the text it was made for is gone, it can only be rejected".to_owned();
    }
    let body = body(hunk);
    let side = |sign| body.lines().filter_map(move |line| line.strip_prefix(sign));
    let (old, new) = (side('-').count(), side('+').count());
    let first = |sign| short(side(sign).find(|line| !line.trim().is_empty()).unwrap_or("").trim());
    match (change, old, new) {
        (FileChange::Created, ..) => format!("new file, {}", lines(hunk.new_text.lines().count())),
        (FileChange::Deleted, ..) => "the file goes".to_owned(),
        (_, 0, 0) => "only line ends change".to_owned(),
        (_, 1, 1) => format!("{} → {}", first('-'), first('+')),
        (_, 0, new) => format!("{} more: {}", lines(new), first('+')),
        (_, old, 0) => format!("{} less: {}", lines(old), first('-')),
        (_, old, new) => format!("{} → {}: {}", lines(old), new, first('+')),
    }
}

/// What becomes of the user's typing in a hunk, of which "it" is said; `None`: there is none.
pub fn mixed(hunk: &HunkView, change: FileChange) -> Option<&'static str> {
    let text = match change {
        FileChange::Deleted => "cannot be accepted, because you typed in the file since",
        FileChange::Created | FileChange::Modified => "keeps what you typed inside",
    };
    hunk.mixed.then_some(text)
}

/// The change as lines with `-`, `+` or a blank before them, at most `most` of them.
pub fn diff(hunk: &HunkView, most: usize) -> String {
    let body = body(hunk);
    let width = if most > 40 { LONG_WIDTH } else { 2 * WIDTH };
    let count = body.lines().count();
    let mut out: Vec<String> = body.lines().take(most).map(|line| cut(line, width)).collect();
    if count > most {
        out.push(format!("… {} more", lines(count - most)));
    }
    out.join("\n")
}

/// The files that wait, for a message: `a.rs (2), new.rs (new file)`; `None`: nothing waits.
pub fn waiting(reviews: &[Review], name: impl Fn(&Review) -> String) -> Option<String> {
    let one = |review: &Review| {
        let waits = |hunk: &&HunkView| {
            matches!(hunk.state, HunkState::Pending | HunkState::Conflict | HunkState::Accepting)
        };
        let what = match (review.change, review.hunks.iter().filter(waits).count()) {
            (_, 0) => return None,
            (FileChange::Created, _) => "new file".to_owned(),
            (FileChange::Deleted, _) => "to be deleted".to_owned(),
            (FileChange::Modified, n) => n.to_string(),
        };
        Some(format!("{} ({what})", name(review)))
    };
    let files: Vec<String> = reviews.iter().filter_map(one).collect();
    (!files.is_empty()).then(|| files.join(", "))
}

/// The lines of a unified diff of the hunk alone, without its headers. Line ends that are all CR LF
/// are no news; of others the CR is shown.
fn body(hunk: &HunkView) -> String {
    let (old, new) = (hunk.old_text.as_str(), hunk.new_text.as_str());
    let dos = [old, new].iter().all(|text| {
        text.split_inclusive('\n').all(|line| line.ends_with("\r\n") || !line.contains('\r'))
    });
    let same_but_ends = old.replace("\r\n", "\n") == new.replace("\r\n", "\n");
    let side = |text: &str| {
        Text::from(if dos && !same_but_ends { text.replace("\r\n", "\n") } else { text.to_owned() })
    };
    let all = unified(Some(&side(old)), Some(&side(new)), "x");
    let head = |line: &&str| !(line.starts_with("--- a/x") || line.starts_with("+++ b/x"));
    let mut out = String::new();
    for (index, line) in all.split_inclusive('\n').enumerate() {
        let is_head = index < 2 && !head(&line);
        if is_head || (line.starts_with("@@ ") && out.is_empty()) {
            continue;
        }
        match line.starts_with("@@ ") {
            true => out.push_str(" ⋮\n"),
            false => out.push_str(&line.replace('\r', "␍")),
        }
    }
    out
}

fn lines(count: usize) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

fn short(text: &str) -> String {
    cut(text, WIDTH)
}

/// At most `width` characters.
fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}
