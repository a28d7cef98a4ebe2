//! The one way in which a whole file is written, whatever the call is named: proposed as a creation
//! or as a minimal difference, tried once more if the file changed meanwhile.

use redline_text::{Eol, Format, Text, encode, eol_of};
use redline_workspace::{Change, ProposeError, Proposed, Snapshot, WorkspacePath};
use serde_json::{Value, json};

use super::{
    files::{folder, is_gone},
    guidance, proposal, secret,
};
use crate::{Dialect, ToolContext, ToolResult};

/// What a call of any family wants to write.
#[derive(Debug, Clone)]
pub(super) struct Wanted<'a> {
    /// The file.
    pub file: WorkspacePath,
    /// Its path, in the caller's words.
    pub path: &'a str,
    /// The content, in the caller's words.
    pub content: &'a str,
    /// Whose contract holds.
    pub family: Dialect,
    /// Whether parent folders that do not exist are created when the user accepts.
    pub creates_folders: bool,
}

/// Proposes the file, as far as the permission allows.
pub(super) async fn written(context: &ToolContext, wanted: Wanted<'_>) -> ToolResult {
    match write(context, &wanted).await {
        Ok(result) | Err(result) => result,
    }
}

/// Tried twice: a file may appear or change between the look and the proposal.
async fn write(context: &ToolContext, wanted: &Wanted<'_>) -> Result<ToolResult, ToolResult> {
    let file = &wanted.file;
    if let Some(refused) = secret(context, wanted.path, file.as_path()) {
        return Err(refused);
    }
    let (mut tries, mut takes_place) = (2, false);
    loop {
        tries -= 1;
        let snapshot = look(context, wanted, takes_place).await?;
        takes_place |= !snapshot.exists && is_gone(context, file);
        let text = content(wanted, &snapshot);
        let format = snapshot.disk.as_ref().map(|disk| disk.format).unwrap_or_default();
        let existed = snapshot.exists;
        let written = Written { existed, text: text.clone(), format };
        match context.propose(snapshot, Change::Write(text)).await {
            Ok(proposed) => {
                context.saw(file);
                return Ok(answer(context, wanted, &written, Some(&proposed)).await);
            }
            // Overwriting a file with its own text is what the caller wanted.
            Err(ProposeError::Nothing) => return Ok(answer(context, wanted, &written, None).await),
            Err(ProposeError::Stale) if tries > 0 => {}
            Err(error) => return Err(ToolResult::file_error(error.to_string(), file)),
        }
    }
}

/// `takes_place`: the thread had deleted the file, and the deletion is withdrawn now to make way. There
/// was nothing to read.
async fn look(
    context: &ToolContext,
    wanted: &Wanted<'_>,
    takes_place: bool,
) -> Result<Snapshot, ToolResult> {
    let (file, family) = (wanted.file.clone(), wanted.family);
    let creates_folders = wanted.creates_folders;
    let look = move |context: &ToolContext| {
        let snapshot = context.read(&file).map_err(|error| error.to_string())?;
        let must_read = context.reads_first(family) && snapshot.exists && !takes_place;
        if must_read && !context.is_read(&snapshot) {
            return Err(UNREAD.to_owned());
        }
        if !snapshot.exists && !creates_folders && !has_folder(context, &file) {
            return Err(no_folder(&file));
        }
        Ok(snapshot)
    };
    let found = context.blocking(look).await;
    found.map_err(|message| ToolResult::file_error(message, &wanted.file))
}

/// Seed 003, "Errors and Troubleshooting". The seed has it in prose only: here it holds.
pub(super) const UNREAD: &str = "Must read file before editing\nNothing was changed: you have not \
                                 read this file, or it has changed since. Read it with read_file, \
                                 then try again.";

/// The parent folder is there, or will be: something else of the thread's is in it.
fn has_folder(context: &ToolContext, file: &WorkspacePath) -> bool {
    let parent = file.as_path().parent().map(WorkspacePath::assume_canonical);
    parent.is_none_or(|parent| !matches!(folder(context, &parent), Ok(None)))
}

/// Seed 002, write_file: "any missing parent directories are automatically created", if wanted.
fn no_folder(file: &WorkspacePath) -> String {
    format!(
        "Failed to create {file}: its parent directory does not exist\nSet create_directories to \
         true, or write to another directory."
    )
}

/// Amp: seed 000, create_file 2: "Appends trailing newline if content doesn't end with one", and a
/// file that has CR LF line ends keeps them. The other families: exactly what was given.
fn content(wanted: &Wanted<'_>, snapshot: &Snapshot) -> Text {
    let mut content = wanted.content.to_owned();
    if wanted.family != Dialect::Amp {
        return Text::from(content);
    }
    if !content.is_empty() && !content.ends_with('\n') {
        content.push('\n');
    }
    let keeps_crlf = snapshot.exists && eol_of(&snapshot.text) == Eol::CrLf;
    if keeps_crlf && !content.contains('\r') {
        content = content.replace('\n', "\r\n");
    }
    Text::from(content)
}

/// What was proposed.
struct Written {
    existed: bool,
    text: Text,
    format: Format,
}

impl Written {
    fn message(&self, wanted: &Wanted<'_>) -> String {
        let verb = if self.existed { "overwrote" } else { "created" };
        match wanted.family {
            // Seed 000, create_file, "Implementation".
            Dialect::Amp => format!("Successfully {verb} file {}", wanted.file),
            // Seed 002: "the exact number of bytes written is reported": as the file will have them.
            Dialect::AgentAir | Dialect::Amplifier => {
                let bytes = encode(&self.text, self.format).len();
                format!("Successfully {verb} '{}' ({bytes} bytes)", wanted.file)
            }
        }
    }
}

async fn answer(
    context: &ToolContext,
    wanted: &Wanted<'_>,
    written: &Written,
    proposed: Option<&Proposed>,
) -> ToolResult {
    let message = written.message(wanted);
    let path = wanted.file.clone();
    let look = move |context: &ToolContext| {
        (guidance::near(&path, context), proposal::caution(context, &path))
    };
    let (guidance, caution) = context.blocking(look).await;
    let result = match guidance.as_slice() {
        [] => Value::from(message),
        found => json!({"message": message, "discoveredGuidanceFiles": found}),
    };
    match proposed {
        Some(proposed) => {
            let done = proposal::answered(context, proposed, result);
            caution.iter().fold(done, |done, note| done.with_note(note))
        }
        None => ToolResult::done(result).with_note("The file had this content already."),
    }
}
