//! `redline permissions grants`: what the user has granted for good.

use std::{fmt::Write as _, path::PathBuf, process::ExitCode};

use clap::{Args, Subcommand};
use redline_workspace::{GrantStore, SavedGrant, grants::allowing};
use serde_json::{Value, json};

use super::{CliError, error, print};
use crate::{settings::config_dir, terminal::printable};

/// Shown at the end of the command's help.
pub const HELP: &str = "\
A grant turns what would be asked into allowed: never what a rule rejects, never a write to a protected
place. Grants for the session end with Redline; an editor lists them with its command redline.grants.

Examples:
  redline permissions grants
  redline permissions grants revoke 2
  redline permissions grants revoke \"allow Bash --cmd 'git push'\"";

/// The words behind `grants`.
#[derive(Debug, Args)]
pub struct Words {
    /// One JSON line: number, rule, folder and time of each
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Take a grant back; running Redlines go by it from their next call on
    Revoke {
        /// Its number in the list, or its rule
        #[arg(value_name = "N|RULE", required_unless_present = "all")]
        which: Option<String>,
        /// All grants; with a rule: in all folders that it was granted for
        #[arg(long)]
        all: bool,
    },
}

/// Runs the command.
pub fn main(words: &Words) -> Result<ExitCode, CliError> {
    let Some(config) = config_dir() else {
        error("there is no folder for your settings; set REDLINE_CONFIG_DIR");
        return Ok(ExitCode::FAILURE);
    };
    let store = GrantStore::in_folder(&config);
    let grants = store.read()?;
    match &words.command {
        None => {
            print(&if words.json { json_line(&grants) } else { table(&grants, store.path()) });
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Revoke { which, all }) => revoke(&store, &grants, which.as_deref(), *all),
    }
}

fn json_line(grants: &[SavedGrant]) -> String {
    let one = |(at, grant): (usize, &SavedGrant)| {
        json!({
            "number": at + 1,
            "rule": grant.rule.to_string(),
            "folder": grant.folder,
            "savedAt": grant.saved_at,
        })
    };
    format!("{}\n", grants.iter().enumerate().map(one).collect::<Value>())
}

fn table(grants: &[SavedGrant], path: &std::path::Path) -> String {
    if grants.is_empty() {
        return format!("Nothing is granted for good; it would stand in {}.\n", path.display());
    }
    let mut out = String::new();
    for (at, grant) in grants.iter().enumerate() {
        let _infallible = writeln!(out, "{:>3}  {}", at + 1, shown(grant));
    }
    out
}

fn shown(grant: &SavedGrant) -> String {
    let place = match &grant.folder {
        Some(folder) => format!("in {}", folder.display()),
        None => "everywhere".to_owned(),
    };
    printable(&format!("{}  ({place}, since {})", grant.rule, grant.day()))
}

fn revoke(
    store: &GrantStore,
    grants: &[SavedGrant],
    which: Option<&str>,
    all: bool,
) -> Result<ExitCode, CliError> {
    let meant = match chosen(grants, which, all) {
        Ok(meant) => meant,
        Err(why) => {
            error(&why);
            return Ok(ExitCode::FAILURE);
        }
    };
    // By what they say: another process may have taken one back meanwhile, and numbers move.
    let gone = store.revoke(|_, grant| meant.contains(&grant))?;
    let lines = gone.iter().map(|grant| format!("Revoked: {}\n", shown(grant)));
    print(&lines.collect::<String>());
    Ok(ExitCode::SUCCESS)
}

/// The grants that are meant, never none.
fn chosen<'g>(
    grants: &'g [SavedGrant],
    which: Option<&str>,
    all: bool,
) -> Result<Vec<&'g SavedGrant>, String> {
    let Some(which) = which else {
        return match grants {
            [] => Err("nothing is granted for good".to_owned()),
            grants => Ok(grants.iter().collect()),
        };
    };
    if let Ok(number) = which.parse::<usize>() {
        let found = number.checked_sub(1).and_then(|at| grants.get(at));
        let none = || format!("there is no grant {number}; there are {}", grants.len());
        return found.map(|grant| vec![grant]).ok_or_else(none);
    }
    let rules = allowing(which)?;
    let fits = |grant: &&SavedGrant| rules.contains(&grant.rule);
    let found: Vec<&SavedGrant> = grants.iter().filter(fits).collect();
    match found.len() {
        0 => Err(format!("no grant says {which:?}; `redline permissions grants` lists them")),
        n if n > 1 && !all => Err(format!(
            "{n} grants say that, for {}: name one by its number, or add --all",
            folders(&found)
        )),
        _ => Ok(found),
    }
}

fn folders(grants: &[&SavedGrant]) -> String {
    let name = |folder: &PathBuf| folder.display().to_string();
    let of = |grant: &&SavedGrant| grant.folder.as_ref().map_or("everywhere".to_owned(), name);
    grants.iter().map(of).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_grants_are_meant() {
        let grant = |rule: &str, folder: Option<&str>| SavedGrant {
            rule: allowing(rule).unwrap().remove(0),
            folder: folder.map(PathBuf::from),
            saved_at: "2026-11-21T04:07:09Z".to_owned(),
        };
        let all =
            [grant("allow A", None), grant("allow B", Some("/w")), grant("allow A", Some("/w"))];
        let check = |which: Option<&str>, every: bool, want: Result<&[usize], &str>| {
            let got = chosen(&all, which, every);
            match want {
                Ok(places) => {
                    let want: Vec<&SavedGrant> = places.iter().map(|at| &all[*at]).collect();
                    assert_eq!(got, Ok(want), "{which:?}");
                }
                Err(text) => assert!(got.clone().unwrap_err().contains(text), "{got:?}"),
            }
        };
        check(Some("2"), false, Ok(&[1]));
        check(Some("allow  'B'"), false, Ok(&[1]));
        check(Some("allow A"), false, Err("2 grants say that, for everywhere, /w"));
        check(Some("allow A"), true, Ok(&[0, 2]));
        check(None, true, Ok(&[0, 1, 2]));
        check(Some("0"), false, Err("there is no grant 0; there are 3"));
        check(Some("4"), true, Err("there is no grant 4"));
        check(Some("allow C"), false, Err("no grant says"));
        check(Some("reject A"), false, Err("expected an `allow` rule"));
        check(Some("nonsense"), false, Err("line 1, column 1"));
        assert!(chosen(&[], None, true).is_err());
    }
}
