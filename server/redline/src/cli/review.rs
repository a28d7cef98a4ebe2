//! `redline review`: what waits in this folder, hunk by hunk.

use std::{
    fmt::Write as _,
    process::ExitCode,
    sync::{Arc, Mutex},
};

use redline_workspace::{HunkState, HunkView, Review, Workspace};

use super::{CliError, House, error, folder, print};
use crate::{
    settings::Settings,
    terminal::{Answers, ColorChoice, SharedConsole, Tty, is_interactive, review},
};

/// Shown at the end of the command's help.
pub const HELP: &str = "\
What an agent proposed and nobody has decided waits here, also after the editor or the run that it came
from has ended. In a terminal it is shown hunk by hunk; without one, or with --list, it is listed.

While an editor keeps the review of the folder, review there.
Exit code: 0 nothing waits any more, 1 error, 2 something still waits.";

/// Runs the command.
pub async fn main(list: bool, color: ColorChoice) -> Result<ExitCode, CliError> {
    let root = folder()?;
    let settings = Settings::load(std::slice::from_ref(&root))?;
    settings.told().iter().for_each(|note| error(note));
    let console: SharedConsole = Arc::new(Mutex::new(Tty::new(color)));
    let house = House::open(root, &settings, Answers::User(Arc::clone(&console)));
    if let Err(why) = house.keep() {
        error(&why);
        return Ok(ExitCode::FAILURE);
    }
    // What could not be taken up is said first.
    house.workspace.settled().await;
    if list || !is_interactive() {
        print(&listed(&house.workspace));
    } else if waiting(&house.workspace) == 0 {
        print("Nothing waits for you in this folder.\n");
    } else {
        let tally = review(&house.workspace, &console, None).await;
        print(&format!("{}\n", closing(tally.accepted(), tally.rejected(), tally.undecided)));
    }
    Ok(match waiting(&house.workspace) {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(2),
    })
}

fn closing(accepted: usize, rejected: usize, undecided: usize) -> String {
    let decided = format!("{accepted} accepted, {rejected} rejected");
    match undecided {
        0 => format!("{decided}."),
        n => format!("{decided}; {n} still waiting: `redline review` shows them again."),
    }
}

/// The hunks that wait for the user.
pub fn waiting(workspace: &Workspace) -> usize {
    workspace.query(|session| session.counts()).pending_hunks
}

/// `a.txt  h1 12-14 pending (edit_file by agent)`, a line each.
fn listed(workspace: &Workspace) -> String {
    let mut out = String::new();
    for review in workspace.query(|session| session.reviews()) {
        let name = review.file.display_in(&workspace.roots());
        for hunk in review.hunks.iter().filter(|hunk| waits(hunk)) {
            let _infallible = writeln!(out, "{}", line(&name, &review, hunk));
        }
    }
    out
}

fn line(name: &str, review: &Review, hunk: &HunkView) -> String {
    let (minus, plus) = (hunk.old_text.lines().count(), hunk.new_text.lines().count());
    let what = match review.change {
        redline_workspace::FileChange::Created => "new file ",
        redline_workspace::FileChange::Deleted => "deletion ",
        redline_workspace::FileChange::Modified => "",
    };
    let state = if hunk.state == HunkState::Conflict { " (its old text is gone)" } else { "" };
    format!(
        "{name}:{}: {what}-{minus} +{plus}, {} by {}{state}",
        hunk.lines(),
        hunk.origin.tool,
        hunk.origin.agent
    )
}

fn waits(hunk: &HunkView) -> bool {
    matches!(hunk.state, HunkState::Pending | HunkState::Accepting | HunkState::Conflict)
}
