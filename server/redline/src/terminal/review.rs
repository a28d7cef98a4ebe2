//! The review: one hunk after the other, as in `git add -p`.

use std::{collections::HashMap, sync::Arc};

use redline_layers::HunkId;
use redline_tools::HunkDecision;
use redline_workspace::{
    FileChange, HunkState, HunkView, ResolveAction, ResolveRequest, Resolved, Review, Workspace,
    WorkspacePath,
};

use super::{
    Console, Key, Paint, SharedConsole, Style,
    hunk::{Page, render},
    printable, with_console,
};

const CONTEXT: usize = 3;
const HELP: &str = concat!(
    "  y  accept this hunk: it is written into the file\n",
    "  n  reject this hunk\n",
    "  c  reject this hunk and tell the agent why\n",
    "  a  accept this hunk and the rest of this file\n",
    "  d  reject this hunk and the rest of this file\n",
    "  q  quit; this hunk and all others stay undecided\n",
    "  ?  show this help\n",
);

/// What the user decided.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Decided hunks, in order: `accepted` hunks are in their files now.
    pub decisions: Vec<HunkDecision>,
    /// Hunks that wait.
    pub undecided: usize,
}

impl Tally {
    /// Everything was accepted without being looked at.
    pub fn accepted_all(resolved: &Resolved) -> Self {
        let mut tally = Self::default();
        tally.add(ResolveAction::Accept, None, resolved);
        tally
    }

    /// Hunks that are in their files now.
    pub fn accepted(&self) -> usize {
        self.decisions.iter().filter(|decision| decision.decision == ACCEPTED).count()
    }

    /// Hunks that were thrown away.
    pub fn rejected(&self) -> usize {
        self.decisions.len() - self.accepted()
    }

    fn add(&mut self, action: ResolveAction, comment: Option<&String>, resolved: &Resolved) {
        self.decisions.extend(resolved.resolved.iter().map(|hunk| HunkDecision {
            hunk: hunk.to_string(),
            decision: word(action).to_owned(),
            comment: comment.cloned(),
            diff: None,
        }));
    }
}

const ACCEPTED: &str = "accepted";

fn word(action: ResolveAction) -> &'static str {
    match action {
        ResolveAction::Accept => ACCEPTED,
        _ => "rejected",
    }
}

/// What a key means for the hunk that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Choice {
    This(ResolveAction, Option<String>),
    RestOfFile(ResolveAction),
    Quit,
}

/// Goes through everything that is undecided in the workspace (or `only` these hunks) until it is decided or the user
/// quits. A hunk that changed while the user looked at it is shown again, never decided.
pub async fn review(
    workspace: &Arc<Workspace>,
    console: &SharedConsole,
    only: Option<&[HunkId]>,
) -> Tally {
    let mut tally = Tally::default();
    let mut seen: HashMap<WorkspacePath, usize> = HashMap::new();
    while let Some((review, hunk)) = next(workspace, only) {
        let decided = seen.entry(review.file.clone()).or_default();
        let page = OwnedPage::new(workspace, &review, &hunk, *decided);
        let choice = with_console(console, move |console| ask(&page, console)).await;
        let request = match choice.unwrap_or(Choice::Quit) {
            Choice::Quit => break,
            Choice::This(action, comment) => request(&review, vec![hunk.id], action, comment),
            Choice::RestOfFile(action) => request(&review, undecided(&review), action, None),
        };
        let (action, comment) = (request.action, request.comment.clone());
        let result = workspace.resolve(request).await;
        if let Ok(resolved) = &result {
            *decided += resolved.resolved.len();
            tally.add(action, comment.as_ref(), resolved);
        }
        let report = result.map_err(|e| e.to_string());
        with_console(console, move |console| {
            let text = outcome(action, &report, console.paint());
            console.print(&text);
        })
        .await;
    }
    let meant = |hunk: &HunkId| only.is_none_or(|only| only.contains(hunk));
    let reviews = workspace.query(|session| session.reviews());
    tally.undecided = reviews.iter().flat_map(undecided).filter(meant).count();
    tally
}

fn next(workspace: &Workspace, only: Option<&[HunkId]>) -> Option<(Review, HunkView)> {
    let meant = |hunk: &HunkView| only.is_none_or(|only| only.contains(&hunk.id));
    workspace.query(|session| session.reviews()).into_iter().find_map(|review| {
        let hunk = review.hunks.iter().find(|hunk| is_undecided(hunk) && meant(hunk))?.clone();
        Some((review, hunk))
    })
}

fn is_undecided(hunk: &HunkView) -> bool {
    matches!(hunk.state, HunkState::Pending | HunkState::Conflict)
}

fn undecided(review: &Review) -> Vec<HunkId> {
    review.hunks.iter().filter(|hunk| is_undecided(hunk)).map(|hunk| hunk.id).collect()
}

fn request(
    review: &Review,
    hunks: Vec<HunkId>,
    action: ResolveAction,
    comment: Option<String>,
) -> ResolveRequest {
    let (file, revision) = (Some(review.file.clone()), Some(review.revision));
    ResolveRequest { file, revision, comment, ..ResolveRequest::hunks(action, hunks) }
}

/// What a page borrows, taken out of the session so that the user can look at it for hours.
struct OwnedPage {
    file: String,
    review: Review,
    hunk: HunkView,
    place: (usize, usize),
    before: Vec<String>,
    after: Vec<String>,
}

impl OwnedPage {
    fn new(workspace: &Workspace, review: &Review, hunk: &HunkView, decided: usize) -> Self {
        let editor = redline_layers::Projection::Editor;
        let text = workspace.query(|s| s.content(&review.file, &editor)).unwrap_or_default();
        let (before, after) = match review.change {
            // The whole file is the hunk, however much of it is shown.
            FileChange::Deleted => (Vec::new(), Vec::new()),
            FileChange::Created | FileChange::Modified => around(&text, hunk),
        };
        let total = decided + undecided(review).len();
        Self {
            file: review.file.display_in(&workspace.roots()),
            review: review.clone(),
            hunk: hunk.clone(),
            place: (decided + 1, total),
            before,
            after,
        }
    }

    fn render(&self, width: usize, paint: Paint) -> String {
        let page = Page {
            file: &self.file,
            change: self.review.change,
            place: self.place,
            hunk: &self.hunk,
            before: self.before.clone(),
            after: self.after.clone(),
        };
        render(&page, width, paint)
    }
}

/// The lines of the file that frame a hunk.
fn around(text: &str, hunk: &HunkView) -> (Vec<String>, Vec<String>) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = (hunk.range.start.line as usize).min(lines.len());
    let last = (first + hunk.old_text.split_inclusive('\n').count()).min(lines.len());
    let own = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
    let end = (last + CONTEXT).min(lines.len());
    (own(&lines[first.saturating_sub(CONTEXT)..first]), own(&lines[last..end]))
}

/// Shows the page until a key decides.
fn ask(page: &OwnedPage, console: &mut dyn Console) -> Choice {
    let (width, paint) = (console.width(), console.paint());
    console.print(&format!("\n{}\n", page.render(width, paint)));
    let question = paint.text(Style::Key, "Accept this hunk? [y,n,c,a,d,q,?] ");
    loop {
        console.print(&question);
        let key = console.key(&|| false);
        match key {
            Key::Char(c) => console.print(&format!("{}\n", printable(&c.to_string()))),
            _ => console.print("\n"),
        }
        match choice(key, page.hunk.state, console) {
            Ok(Some(choice)) => return choice,
            Ok(None) => {}
            Err(hint) => console.print(hint),
        }
    }
}

/// The meaning of a key; nothing if the user changed their mind, else what to show instead.
fn choice(
    key: Key,
    state: HunkState,
    console: &mut dyn Console,
) -> Result<Option<Choice>, &'static str> {
    let can_accept = state == HunkState::Pending;
    Ok(Some(match key {
        Key::Char('y' | 'a') if !can_accept => {
            return Err("This hunk is in conflict: reject it (n, c), or quit (q).\n");
        }
        Key::Char('y') => Choice::This(ResolveAction::Accept, None),
        Key::Char('n') => Choice::This(ResolveAction::Reject, None),
        Key::Char('c') => match console.line("Why not? ") {
            None => return Ok(None),
            Some(text) => {
                let comment = Some(text).filter(|text| !text.is_empty());
                Choice::This(ResolveAction::Reject, comment)
            }
        },
        Key::Char('a') => Choice::RestOfFile(ResolveAction::Accept),
        Key::Char('d') => Choice::RestOfFile(ResolveAction::Reject),
        Key::Char('q') | Key::End | Key::Stopped => Choice::Quit,
        Key::Enter => return Err("Enter alone decides nothing; y accepts, n rejects, ? helps.\n"),
        _ => return Err(HELP),
    }))
}

fn outcome(action: ResolveAction, result: &Result<Resolved, String>, paint: Paint) -> String {
    let resolved = match result {
        Ok(resolved) => resolved,
        Err(message) => return paint.text(Style::Warning, &format!("Not decided: {message}\n")),
    };
    let mut out = String::new();
    let word = word(action);
    let style = if word == ACCEPTED { Style::New } else { Style::Old };
    match resolved.resolved.len() {
        0 => {}
        1 => out += &paint.text(style, &format!("  {word}\n")),
        n => out += &paint.text(style, &format!("  {n} hunks {word}\n")),
    }
    if !resolved.stale.is_empty() {
        let text = "It changed while you looked at it. This is how it is now:\n";
        out += &paint.text(Style::Warning, text);
    }
    for (_, reason) in &resolved.failed {
        let text = format!("It could not be written: {}\n", printable(reason));
        out += &paint.text(Style::Warning, &text);
    }
    out
}

#[cfg(test)]
mod tests;
