//! The one way in which old text is replaced, whatever the call is named: located in what the
//! thread sees, proposed as one op, located again once if the user typed at the place meanwhile.

mod elsewhere;
mod failure;
mod report;
mod wanted;

use std::sync::Arc;

use redline_text::{Batch, locate_batch};
use redline_workspace::{Change, ProposeError, Snapshot, WorkspacePath};

use super::{proposal, secret};
use crate::{Dialect, ToolContext, ToolResult, memory::Made};
use failure::Failure;

pub(super) use wanted::{Form, Piece, Wanted};

/// In words, for an edit tool of any family that makes so many edits at most.
pub(super) fn limits(edits: usize) -> String {
    let bytes = format!("{} bytes of the diff", proposal::MOST_DIFF);
    if edits == 1 { bytes } else { format!("{edits} edits; {bytes}") }
}

/// Makes the replacements, as far as the permission allows.
pub(super) async fn edited(context: ToolContext, wanted: Wanted) -> ToolResult {
    match edit(&context, &Arc::new(wanted)).await {
        Ok(result) | Err(result) => result,
    }
}

async fn edit(context: &ToolContext, wanted: &Arc<Wanted>) -> Result<ToolResult, ToolResult> {
    let file = match &wanted.file {
        Some(file) => file.clone(),
        None => {
            let found = context.path(&wanted.path);
            found.map_err(|error| ToolResult::error(error.to_string()))?
        }
    };
    if let Some(refused) = secret(context, &wanted.path, file.as_path()) {
        return Err(refused);
    }
    let look = look(context, &file, wanted).await?;
    match wanted.form {
        Form::Several { dry_run: true } => Ok(report::dry_run(context, &look, wanted)),
        _ => proposed(context, &file, wanted, look).await,
    }
}

/// A file as the thread sees it, and where the old texts are in it.
struct Look {
    snapshot: Snapshot,
    batch: Batch,
    caution: Option<String>,
}

async fn look(
    context: &ToolContext,
    file: &WorkspacePath,
    wanted: &Arc<Wanted>,
) -> Result<Look, ToolResult> {
    let (path, wanted) = (file.clone(), wanted.clone());
    let found = context.blocking(move |context| look_now(context, &path, &wanted)).await;
    found.map_err(|failure| ToolResult::file_error(failure.to_string(), file))
}

fn look_now(context: &ToolContext, file: &WorkspacePath, wanted: &Wanted) -> Result<Look, Failure> {
    let snapshot = context.read(file)?;
    if !snapshot.exists {
        return Err(missing(context, file, wanted));
    }
    if context.reads_first(wanted.family) && !context.is_read(&snapshot) {
        return Err(Failure::Unread);
    }
    match locate_batch(&snapshot.text, &wanted.replacements()) {
        Ok(batch) => Ok(Look { snapshot, batch, caution: proposal::caution(context, file) }),
        Err(error) => Err(failure::explained(context, &snapshot, wanted, &error)),
    }
}

fn missing(context: &ToolContext, file: &WorkspacePath, wanted: &Wanted) -> Failure {
    let namesakes = elsewhere::namesakes(context, file);
    match wanted.family {
        Dialect::Amp | Dialect::AgentAir => Failure::Missing(namesakes),
        Dialect::Amplifier => Failure::NoFile(wanted.path.clone(), namesakes),
    }
}

/// Tried twice: the user may type at the place between the look and the proposal.
async fn proposed(
    context: &ToolContext,
    file: &WorkspacePath,
    wanted: &Arc<Wanted>,
    mut look: Look,
) -> Result<ToolResult, ToolResult> {
    let mut is_first = true;
    loop {
        let Look { snapshot, batch, caution } = look;
        match context.propose(snapshot, Change::Edit(batch.edits.clone())).await {
            Ok(proposed) => {
                remember(context, file, wanted);
                return Ok(report::done(context, &proposed, wanted, &batch, caution));
            }
            Err(ProposeError::Stale) if is_first => is_first = false,
            Err(error) => return Err(ToolResult::file_error(error.to_string(), file)),
        }
        look = self::look(context, file, wanted).await?;
    }
}

fn remember(context: &ToolContext, file: &WorkspacePath, wanted: &Wanted) {
    context.saw(file);
    for Piece { old, new, .. } in &wanted.pieces {
        let (old, new) = (old.clone(), new.clone());
        let made = Made { file: file.clone(), call: context.call.clone(), old, new };
        context.memory.made(&context.scope.thread, made);
    }
}

#[cfg(test)]
mod fidelity;
#[cfg(test)]
mod tests;
