//! Back to before a turn.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use redline_layers::ThreadId;
use redline_workspace::{RewindError, Rewound, Workspace, WorkspacePath};
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};

use super::decision::{INFO, WARNING, after_answer, tell};
use crate::lsp::{
    from_proto, protocol as wire,
    server::{House, Server},
    to_proto, uri,
};

/// `redline/turns`
pub async fn turns(server: &Server, params: Value) -> Result<wire::TurnsResult> {
    let house = server.house()?;
    let params: wire::ThreadParams = from_proto::params(params)?;
    let turns = house.workspace.turns(&ThreadId::from(params.thread_id.as_str()));
    let name = |file: &PathBuf| uri_of(&house.workspace, &WorkspacePath::assume_canonical(file));
    let names = |files: BTreeSet<PathBuf>| files.iter().map(name).collect();
    let turn = |(turn, files)| wire::Turn { turn, files: names(files) };
    Ok(wire::TurnsResult { turns: turns.into_iter().map(turn).collect() })
}

/// `redline/rewind`
pub async fn rewind(server: &Server, params: Value) -> Result<wire::RewindResult> {
    let house = server.house()?;
    let params: wire::RewindParams = from_proto::params(params)?;
    let thread = ThreadId::from(params.thread_id.as_str());
    let workspace = house.workspace.clone();
    // In a task of its own: it reads files before its first await, where the wire would wait for it.
    let task = tokio::spawn(async move { workspace.rewind(&thread, params.turn).await });
    let rewound = task.await.map_err(|_| Error::internal_error())?.map_err(from_proto::failed)?;
    Ok(to_proto::rewound(rewound, |file| uri_of(&house.workspace, file)))
}

/// Goes back once the command is answered, and tells the user what was done.
pub fn go(house: &House, thread: ThreadId, turn: u32) {
    let (workspace, peer) = (house.workspace.clone(), house.peer.clone());
    after_answer(house, move || {
        tokio::spawn(async move {
            let outcome = workspace.rewind(&thread, turn).await;
            let (kind, words) = words(&workspace, turn, outcome);
            tell(&peer, kind, &words);
        });
    });
}

/// The client's own name of a file, or one made of its path.
fn uri_of(workspace: &Workspace, file: &WorkspacePath) -> String {
    let own = workspace.query(|session| session.uri_of(file));
    own.unwrap_or_else(|| uri::from_path(file.as_path()))
}

fn words(
    workspace: &Arc<Workspace>,
    turn: u32,
    outcome: std::result::Result<Rewound, RewindError>,
) -> (u8, String) {
    match outcome {
        Ok(rewound) => {
            let kind = if rewound.kept.is_empty() { INFO } else { WARNING };
            (kind, sentence(turn, &rewound, &workspace.roots()))
        }
        Err(error) => (WARNING, error.to_string()),
    }
}

/// What was done, and what was not.
fn sentence(turn: u32, rewound: &Rewound, roots: &[PathBuf]) -> String {
    let (files, withdrawn) = (rewound.files.len(), rewound.withdrawn);
    let mut done = Vec::new();
    if files > 0 {
        done.push(format!("{} changed", counted(files, "file")));
    }
    if withdrawn > 0 {
        done.push(format!("{} withdrawn", counted(withdrawn, "proposal")));
    }
    let start = match (done.is_empty(), rewound.kept.is_empty()) {
        (false, _) => format!("Went back to before turn {turn}: {}", done.join(", ")),
        (true, false) => format!("Nothing went back to before turn {turn}"),
        (true, true) => format!("All is as it was before turn {turn} already"),
    };
    let kept = rewound.kept.iter();
    let kept = kept.map(|(file, why)| format!("; {}: {why}", file.display_in(roots)));
    std::iter::once(start).chain(kept).collect()
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn check(files: usize, withdrawn: usize, kept: &[(&str, &str)], want: &str) {
        let path = |name: &str| WorkspacePath::assume_canonical(Path::new(&format!("/p/{name}")));
        let rewound = Rewound {
            files: (0..files).map(|number| path(&number.to_string())).collect(),
            withdrawn,
            kept: kept.iter().map(|(name, why)| (path(name), (*why).to_owned())).collect(),
        };
        assert_eq!(sentence(3, &rewound, &[PathBuf::from("/p")]), want);
    }

    #[test]
    fn what_is_said() {
        check(2, 0, &[], "Went back to before turn 3: 2 files changed");
        check(1, 1, &[], "Went back to before turn 3: 1 file changed, 1 proposal withdrawn");
        check(
            0,
            2,
            &[("a.py", "it is gone")],
            "Went back to before turn 3: 2 proposals withdrawn; a.py: it is gone",
        );
        check(0, 0, &[("a", "no")], "Nothing went back to before turn 3; a: no");
        check(0, 0, &[], "All is as it was before turn 3 already");
    }
}
