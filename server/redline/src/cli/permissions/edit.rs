//! `redline permissions edit`: the user's rules as text, in an editor or from standard input.

use std::{
    ffi::OsString,
    io::{IsTerminal, Read, Write, stdin},
    path::Path,
    process::{Command, ExitCode, ExitStatus},
};

use redline_permissions::{Place, Rule, RuleError, parse_text};
use tempfile::NamedTempFile;

use super::shown;
use crate::{
    cli::{CliError, print},
    settings::store::RulesFile,
    terminal::{ColorChoice, Console, Key, Tty, is_interactive},
};

/// The part of the help that clap can't know.
pub const HELP: &str = "\
In a terminal $VISUAL or $EDITOR opens with your rules in text form; otherwise the rules are read from
standard input, and stand in the place of all you had. If anything is wrong nothing is saved, and
LINE:COLUMN says where. The settings file keeps its other settings and its comments.

Example:
  redline permissions edit <<'EOF'
  # Ask before every tool use
  ask '*'
  EOF";

/// Why nothing was saved.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// Standard input cannot be read.
    #[error("cannot read the rules from standard input: {0}; nothing was saved")]
    Input(std::io::Error),
    /// Nothing came, and there are rules that it would remove.
    #[error(
        "standard input is empty: nothing was changed. To remove all rules, send a comment such as \
         `# none`"
    )]
    Empty,
    /// The temporary file cannot be made or read.
    #[error("the temporary file: {0}; nothing was saved")]
    Temporary(std::io::Error),
    /// The editor cannot be started.
    #[error("cannot start the editor {editor:?}: {reason}; set VISUAL or EDITOR to another one")]
    NoEditor {
        /// As it is set.
        editor: String,
        /// The operating system's words.
        reason: std::io::Error,
    },
    /// The editor did not end well.
    #[error("the editor ended with {0}; nothing was saved")]
    Editor(ExitStatus),
}

/// Runs the command.
pub fn main(color: ColorChoice) -> Result<ExitCode, CliError> {
    let file = RulesFile::of_user()?;
    match stdin().is_terminal() {
        true => in_editor(&file, color),
        false => from_input(&file),
    }
}

fn from_input(file: &RulesFile) -> Result<ExitCode, CliError> {
    let mut text = String::new();
    stdin().read_to_string(&mut text).map_err(EditError::Input)?;
    if without_mark(&text).trim().is_empty() && file.rules().next().is_some() {
        return Err(EditError::Empty.into());
    }
    match parse_text(without_mark(&text)) {
        Ok(rules) => save(file, rules),
        Err(wrong) => {
            complain(&wrong, "nothing was saved");
            Ok(ExitCode::FAILURE)
        }
    }
}

/// A byte order mark, as some editors write it, is no part of a rule.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn in_editor(file: &RulesFile, color: ColorChoice) -> Result<ExitCode, CliError> {
    let temporary = tempfile::Builder::new().prefix("redline-").suffix(".rules").tempfile();
    let mut temporary = temporary.map_err(EditError::Temporary)?;
    let rules: Vec<String> = file.rules().map(|rule| format!("{rule}\n")).collect();
    let text = format!("{}\n{}", header(file), rules.concat());
    temporary.write_all(text.as_bytes()).map_err(EditError::Temporary)?;
    loop {
        edited(temporary.path())?;
        let text = std::fs::read_to_string(temporary.path()).map_err(EditError::Temporary)?;
        match parse_text(without_mark(&text)) {
            Ok(rules) => return saved_or_kept(file, rules, temporary),
            Err(wrong) => complain(&wrong, "nothing is saved yet"),
        }
        if !again(color) {
            print(&format!("Nothing was saved; {}\n", kept(temporary)));
            return Ok(ExitCode::FAILURE);
        }
    }
}

/// What was typed is not lost with an error.
fn saved_or_kept(
    file: &RulesFile,
    rules: Vec<(u32, Rule)>,
    temporary: NamedTempFile,
) -> Result<ExitCode, CliError> {
    let saved = save(file, rules);
    if saved.is_err() {
        print(&format!("{}\n", kept(temporary)));
    }
    saved
}

fn kept(temporary: NamedTempFile) -> String {
    match temporary.keep() {
        Ok((_, path)) => {
            format!("what you typed is in {0}: redline permissions edit < {0}", path.display())
        }
        Err(error) => format!("what you typed could not be kept: {error}"),
    }
}

fn save(file: &RulesFile, rules: Vec<(u32, Rule)>) -> Result<ExitCode, CliError> {
    let rules: Vec<Rule> = rules.into_iter().map(|(_, rule)| rule).collect();
    let place = shown::short(file.path());
    if file.rules().eq(&rules) {
        print(&format!("Nothing changed in {place}.\n"));
        return Ok(ExitCode::SUCCESS);
    }
    file.replace(&rules)?;
    let count = match rules.len() {
        1 => "1 rule".to_owned(),
        n => format!("{n} rules"),
    };
    print(&format!("Saved {count} in {place}.\n"));
    Ok(ExitCode::SUCCESS)
}

/// `LINE:COLUMN: problem` on stderr.
fn complain(wrong: &RuleError, then: &str) {
    let place = match &wrong.place {
        Place::Text { line, column } => format!("{line}:{column}"),
        other @ Place::Json { .. } => other.to_string(),
    };
    // Nobody is left to be told that nobody can be told.
    let _ = writeln!(std::io::stderr().lock(), "{place}: {}; {then}", wrong.problem);
}

fn header(file: &RulesFile) -> String {
    format!(
        "\
# Your permission rules, one a line. The first that matches a call decides; after yours come the
# built-in ones: redline permissions list --builtin
#
#   ACTION [--context thread|subagent] [--to PROGRAM] [--message TEXT] TOOL [--ARGUMENT PATTERN]...
#   ACTION: allow, ask, reject, delegate      PATTERN: a glob with *, or /a regular expression/
#
# They are saved in {} under \"{}\".
# If a rule is wrong nothing is saved.
",
        file.path().display(),
        file.key()
    )
}

fn again(color: ColorChoice) -> bool {
    if !is_interactive() {
        return false;
    }
    let mut console = Tty::new(color);
    console.print("Edit again? [y,n] ");
    console.forget_typed();
    loop {
        let answer = match console.key(&|| false) {
            Key::Char('y' | 'Y') => true,
            Key::Char('n' | 'N') | Key::Escape | Key::End | Key::Stopped => false,
            _ => continue,
        };
        console.print("\n");
        return answer;
    }
}

fn edited(file: &Path) -> Result<(), EditError> {
    let editor = editor();
    let shown = || editor.to_string_lossy().into_owned();
    let status = command(&editor, file)
        .status()
        .map_err(|reason| EditError::NoEditor { editor: shown(), reason })?;
    if status.success() { Ok(()) } else { Err(EditError::Editor(status)) }
}

fn editor() -> OsString {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let usual = if cfg!(windows) { "notepad" } else { "vi" };
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| usual.into())
}

/// As git starts editors: the program itself, or through a shell if its text has anything that only
/// a shell understands, spaces among it.
fn command(editor: &OsString, file: &Path) -> Command {
    const SPECIAL: &str = "|&;<>()$`\\\"' \t\n*?[#~=%";
    let text = editor.to_string_lossy();
    if cfg!(windows) || !text.contains(|c| SPECIAL.contains(c)) {
        let mut command = Command::new(editor);
        command.arg(file);
        return command;
    }
    let mut script = editor.clone();
    script.push(" \"$@\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(editor).arg(file);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_is_started_as_git_does() {
        let check = |editor: &str, want: &[&str]| {
            let command = command(&OsString::from(editor), Path::new("/tmp/a b"));
            let words: Vec<String> = std::iter::once(command.get_program())
                .chain(command.get_args())
                .map(|word| word.to_string_lossy().into_owned())
                .collect();
            assert_eq!(words, want, "{editor}");
        };
        check("vim", &["vim", "/tmp/a b"]);
        if cfg!(unix) {
            check("code -w", &["sh", "-c", "code -w \"$@\"", "code -w", "/tmp/a b"]);
            check("A=1 vi", &["sh", "-c", "A=1 vi \"$@\"", "A=1 vi", "/tmp/a b"]);
        }
    }
}
