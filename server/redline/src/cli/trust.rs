//! `redline trust`: whether a folder's own settings count.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;

use super::{CliError, error, folder, print};
use crate::{
    settings::{Files, Want, config_dir},
    terminal::{ColorChoice, Console, Tty, is_interactive, printable},
    trust::{TrustStore, look, text},
};

/// Shown at the end of the command's help.
pub const HELP: &str = "\
A folder's .redline/settings.json only tightens your rules until you trust it; then its rules and
settings count, and a change of that file (or of a program that it names) ends the trust and asks again.
Trust is kept in trust.json of Redline's configuration folder.

Exit code: 0 trusted, or nothing to trust; 1 error; 2 not trusted.";

/// The words behind `trust`.
#[derive(Debug, Args)]
pub struct Words {
    /// The folder; without it, this one
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// List the folders that you trust
    #[arg(long, conflicts_with_all = ["folder", "revoke", "yes"])]
    list: bool,
    /// Trust it no longer
    #[arg(long, conflicts_with = "yes")]
    revoke: bool,
    /// Trust it without a question
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn main(words: &Words, color: ColorChoice) -> Result<ExitCode, CliError> {
    let Some(config) = config_dir() else {
        error("there is no folder for your settings; set REDLINE_CONFIG_DIR");
        return Ok(ExitCode::FAILURE);
    };
    let store = TrustStore::in_folder(&config);
    if words.list {
        print(&listed(&store)?);
        return Ok(ExitCode::SUCCESS);
    }
    let root = match &words.folder {
        // One that is gone can still be trusted no longer.
        Some(named) if words.revoke => named.canonicalize().unwrap_or_else(|_| named.clone()),
        Some(named) => named.canonicalize().map_err(CliError::Folder)?,
        None => folder()?,
    };
    if words.revoke {
        let was = store.revoke(&root)?;
        let said = if was { "is no longer trusted" } else { "was not trusted" };
        print(&printable(&format!("{} {said}.", root.display())));
        print("\n");
        return Ok(ExitCode::SUCCESS);
    }
    trust(&store, config, &root, words.yes, color)
}

fn listed(store: &TrustStore) -> Result<String, CliError> {
    let all = store.read()?;
    if all.is_empty() {
        return Ok("You trust no folder.\n".to_owned());
    }
    let line = |known: &crate::trust::Trusted| {
        let is_same = look(&known.folder).is_ok_and(|seen| seen.hash == known.hash);
        let changed = if is_same { "" } else { ", but its files have changed: not trusted now" };
        let since = known.at.get(..10).unwrap_or(&known.at);
        printable(&format!("{}  (since {since}{changed})", known.folder.display())) + "\n"
    };
    Ok(all.iter().map(line).collect())
}

fn trust(
    store: &TrustStore,
    config: PathBuf,
    root: &Path,
    yes: bool,
    color: ColorChoice,
) -> Result<ExitCode, CliError> {
    let (files, troubles) = Files::open(Some(config), &[root.to_owned()]);
    if !troubles.is_empty() {
        troubles.iter().for_each(|trouble| error(&trouble.to_string()));
        return Ok(ExitCode::FAILURE);
    }
    let settings = files.settings(true);
    let Some(want) = files.wants(&settings).pop() else {
        let as_now = |hash: &str| look(root).is_ok_and(|seen| seen.hash == hash);
        let trusted = files.trusted(root).is_some_and(|known| as_now(&known.hash));
        let said = match trusted {
            true => "is trusted, as it is now",
            false => "has no settings of its own that trust would change",
        };
        print(&format!("{}\n", printable(&format!("{} {said}.", root.display()))));
        return Ok(ExitCode::SUCCESS);
    };
    print(&format!("{}\n\n", text(&want)));
    if !yes && !is_interactive() {
        error("nobody is there to ask: use --yes, or run it in a terminal");
        return Ok(ExitCode::FAILURE);
    }
    if !yes && !agrees(color) {
        print("Not trusted.\n");
        return Ok(ExitCode::from(2));
    }
    kept(store, &want)
}

/// A whole word: one key is too easily pressed.
fn agrees(color: ColorChoice) -> bool {
    let mut tty = Tty::new(color);
    tty.forget_typed();
    tty.line("Type yes to trust it: ").is_some_and(|word| word.eq_ignore_ascii_case("yes"))
}

/// What was read is what is trusted.
fn kept(store: &TrustStore, want: &Want) -> Result<ExitCode, CliError> {
    let seen = &want.seen;
    if !look(&seen.folder).is_ok_and(|now| now.hash == seen.hash) {
        error("its files have changed meanwhile: not trusted; look at them once more");
        return Ok(ExitCode::FAILURE);
    }
    store.trust(seen)?;
    print("Trusted, until one of these files changes.\n");
    Ok(ExitCode::SUCCESS)
}
