//! The project's formatter, started on the text that the thread sees.

use std::{env, path::Path};

use redline_text::Text;
use redline_workspace::WorkspacePath;

use super::{
    Neat,
    find::{self, Choice, Program},
    formatters::Start,
    process,
};
use crate::{ToolContext, ToolResult};

/// The text as the project's formatter has it.
///
/// # Errors
/// There is none, it is not installed, it may not run, or it fails: nothing was changed.
pub(super) async fn formatted(
    context: &ToolContext,
    file: &WorkspacePath,
    text: &Text,
) -> Result<Neat, ToolResult> {
    let path = file.clone();
    let found = context.blocking(move |context| find_now(context, &path)).await;
    let (choice, program) = found.map_err(|message| ToolResult::file_error(message, file))?;
    let (args, directory) = (choice.args(file.as_path()), choice.directory());
    // What starts a program there may be the project's choice: version managers look for it.
    let starts_there = choice.formatter.start == Start::Project;
    if program.is_projects || choice.formatter.loads_code || starts_there {
        let words = [program.path.to_string_lossy().into_owned()];
        let cmd: Vec<String> = words.iter().chain(&args).map(|word| quoted(word)).collect();
        context.may_run(&cmd.join(" "), &directory).await?;
    }
    let name = choice.formatter.name;
    let neat = process::run(&program.path, &args, &directory, text.to_string()).await;
    let neat = neat.map_err(|error| {
        let message = format!("{name} could not format it: {error}\nNothing was changed.");
        ToolResult::file_error(message, file)
    })?;
    let by = match &choice.mark {
        Some(mark) => {
            let mark = WorkspacePath::assume_canonical(mark);
            format!("{name}, by {}", mark.display_in(&context.workspace.roots()))
        }
        None => name.to_owned(),
    };
    Ok(Neat { text: Text::from(neat), by })
}

fn find_now(context: &ToolContext, file: &WorkspacePath) -> Result<(Choice, Program), String> {
    let roots = context.workspace.roots();
    let choice = find::choose(file.as_path(), &roots).ok_or_else(|| unknown(file.as_path()))?;
    let path = env::var_os("PATH").unwrap_or_default();
    match choice.program(&path, &roots) {
        Some(program) => Ok((choice, program)),
        None => Err(not_installed(&choice)),
    }
}

fn unknown(file: &Path) -> String {
    let found = match find::known(file).as_slice() {
        [] => "no formatter for such files is known here".to_owned(),
        names => format!("no configuration of {} was found above it", names.join(", ")),
    };
    format!(
        "No formatter for {}\nThe editor has none for it, or does not have it open with the text that \
         you see, and {found}. Format it yourself with edit_file, or run the project's own command.",
        file.display()
    )
}

fn not_installed(choice: &Choice) -> String {
    let name = choice.formatter.name;
    let why = match &choice.mark {
        Some(mark) => format!("The project formats it with {name} ({})", mark.display()),
        None => format!("Such files are formatted with {name}"),
    };
    format!(
        "{name} is not installed\n{why}, which is neither on PATH nor in the project \
         (node_modules/.bin, .venv/bin). Nothing was changed; ask the user to install it."
    )
}

/// As a shell would have to be told it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        for (word, want) in [
            ("--a=b/c", "--a=b/c"),
            ("a b", "'a b'"),
            ("", "''"),
            ("it's", "'it'\\''s'"),
            ("$x", "'$x'"),
        ] {
            assert_eq!(quoted(word), want);
        }
    }
}
