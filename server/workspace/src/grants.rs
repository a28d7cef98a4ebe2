//! Grants that outlive the process: `grants.json` in the user's configuration. A grant turns an ask
//! into allow and nothing else; each belongs to one folder, or to all.

use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

use redline_permissions::{Action, Rule, Source, SourcedRule, parse_text};
use serde::{Deserialize, Serialize};

use crate::io::ledger::{Ledger, LedgerError, is_moment, iso8601};

/// The name of the file in the configuration's folder.
pub const FILE: &str = "grants.json";

/// One saved grant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Entry", into = "Entry")]
pub struct SavedGrant {
    /// What it allows.
    pub rule: Rule,
    /// The folder that it counts in, canonical; `None`: everywhere.
    pub folder: Option<PathBuf>,
    /// When it was saved: UTC, `2026-11-21T04:07:09Z`.
    pub saved_at: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    rule: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<PathBuf>,
    saved_at: String,
}

impl From<SavedGrant> for Entry {
    fn from(grant: SavedGrant) -> Self {
        let SavedGrant { rule, folder, saved_at } = grant;
        Entry { rule: rule.to_string(), folder, saved_at }
    }
}

impl TryFrom<Entry> for SavedGrant {
    type Error = String;

    fn try_from(entry: Entry) -> Result<Self, String> {
        let Entry { rule: text, folder, saved_at } = entry;
        let rules = allowing(&text).map_err(|why| format!("the rule {text:?}: {why}"))?;
        let [rule] = <[Rule; 1]>::try_from(rules)
            .map_err(|rules| format!("{text:?} is {} rules and should be one", rules.len()))?;
        if folder.as_ref().is_some_and(|folder| !folder.is_absolute()) {
            return Err("\"folder\" must be an absolute path".to_owned());
        }
        if !is_moment(&saved_at) {
            return Err(format!("\"savedAt\" must be like 2026-11-21T04:07:09Z, not {saved_at:?}"));
        }
        Ok(SavedGrant { rule, folder, saved_at })
    }
}

/// The most bytes of rules that an answer may have.
const MOST: usize = 64 * 1024;

/// The rules that a user writes as a grant: at least one, and each allows something.
///
/// # Errors
/// What is wrong, with its line and column, from 1.
pub fn allowing(text: &str) -> Result<Vec<Rule>, String> {
    if text.len() > MOST {
        return Err(format!("the text has more than {MOST} bytes"));
    }
    let rules = parse_text(text).map_err(|error| error.to_string())?;
    if let Some((line, rule)) = rules.iter().find(|(_, rule)| rule.action != Action::Allow) {
        let action = rule.action;
        return Err(format!(
            "line {line}, column 1: expected an `allow` rule, found `{action}`; a grant only allows"
        ));
    }
    match rules.is_empty() {
        true => Err("line 1, column 1: expected an `allow` rule, found nothing".to_owned()),
        false => Ok(rules.into_iter().map(|(_, rule)| rule).collect()),
    }
}

/// The saved grants.
#[derive(Debug, Clone)]
pub struct GrantStore(Ledger<SavedGrant>);

impl GrantStore {
    /// Those of a configuration folder, which may not be there.
    pub fn in_folder(config: &Path) -> Self {
        Self(Ledger::new(config.join(FILE)))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// All of them, oldest first.
    ///
    /// # Errors
    /// See [`LedgerError`].
    pub fn read(&self) -> Result<Vec<SavedGrant>, LedgerError> {
        self.0.read()
    }

    /// All of them, for the rules in force.
    ///
    /// # Errors
    /// See [`LedgerError`].
    pub fn rules(&self) -> Result<Vec<SourcedRule>, LedgerError> {
        Ok(self.read()?.into_iter().map(|grant| self.sourced(grant)).collect())
    }

    /// Adds rules for a folder, or for all. One that is there already is not added again.
    ///
    /// # Errors
    /// See [`LedgerError`].
    pub fn save(
        &self,
        rules: &[Rule],
        folder: Option<&Path>,
    ) -> Result<Vec<SourcedRule>, LedgerError> {
        let saved_at = iso8601(SystemTime::now());
        let made = |rule: &Rule| SavedGrant {
            rule: rule.clone(),
            folder: folder.map(Path::to_owned),
            saved_at: saved_at.clone(),
        };
        let saved = self.0.change(|list| {
            let mut saved = Vec::new();
            for grant in rules.iter().map(made) {
                let same = |known: &&SavedGrant| known.is_same(&grant);
                let known = list.iter().find(same).cloned();
                saved.push(known.unwrap_or_else(|| {
                    list.push(grant.clone());
                    grant
                }));
            }
            saved
        })?;
        Ok(saved.into_iter().map(|grant| self.sourced(grant)).collect())
    }

    /// Takes back those that fit (with their places in the list, from 0); they are returned.
    ///
    /// # Errors
    /// See [`LedgerError`].
    pub fn revoke(
        &self,
        fits: impl Fn(usize, &SavedGrant) -> bool,
    ) -> Result<Vec<SavedGrant>, LedgerError> {
        self.0.change(|list| {
            let all = std::mem::take(list).into_iter().enumerate();
            let (gone, kept): (Vec<_>, Vec<_>) = all.partition(|(at, grant)| fits(*at, grant));
            list.extend(kept.into_iter().map(|(_, grant)| grant));
            gone.into_iter().map(|(_, grant)| grant).collect()
        })
    }

    fn sourced(&self, grant: SavedGrant) -> SourcedRule {
        let day = grant.day().to_owned();
        let (path, folder) = (self.path().to_owned(), grant.folder);
        let source = Source::SavedGrant { path, folder, day };
        SourcedRule { rule: grant.rule, source, line: None }
    }
}

impl SavedGrant {
    /// The day on which it was saved: `2026-11-21`.
    pub fn day(&self) -> &str {
        self.saved_at.get(..10).unwrap_or(&self.saved_at)
    }

    fn is_same(&self, other: &SavedGrant) -> bool {
        self.rule == other.rule && self.folder == other.folder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Vec<Rule> {
        allowing(text).unwrap()
    }

    #[test]
    fn saved_listed_and_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let store = GrantStore::in_folder(dir.path());
        let folder = Path::new("/w");
        let saved = store.save(&rules("allow Bash --cmd 'git push'\nallow Read"), Some(folder));
        let saved = saved.unwrap();
        let Source::SavedGrant { folder: Some(kept), day, .. } = &saved[0].source else {
            panic!("{saved:?}");
        };
        assert_eq!((kept.as_path(), day.len()), (folder, 10));
        store.save(&rules("allow Bash --cmd 'git push'"), None).unwrap();
        let again = store.save(&rules("allow Bash --cmd 'git push'"), Some(folder)).unwrap();
        assert_eq!(again, saved[..1]);
        assert_eq!(store.rules().unwrap().len(), 3);
        let text = std::fs::read_to_string(store.path()).unwrap();
        assert!(
            text.contains("\"rule\": \"allow Bash --cmd 'git push'\",\n    \"folder\": \"/w\",")
        );
        let gone = store.revoke(|at, _| at == 1).unwrap();
        assert_eq!(gone[0].rule.to_string(), "allow Read");
        assert_eq!(store.revoke(|_, grant| grant.folder.is_none()).unwrap().len(), 1);
        assert_eq!(store.read().unwrap().len(), 1);
        assert!(store.revoke(|_, _| false).unwrap().is_empty());
    }

    #[test]
    fn what_is_no_grant() {
        let dir = tempfile::tempdir().unwrap();
        let store = GrantStore::in_folder(dir.path());
        let at = "2026-11-21T04:07:09Z";
        for (entry, want) in [
            (format!(r#"{{"rule": "reject Bash", "savedAt": "{at}"}}"#), "found `reject`"),
            (format!(r#"{{"rule": "alow Bash", "savedAt": "{at}"}}"#), "line 1, column 1"),
            (format!(r#"{{"rule": "allow A\nallow B", "savedAt": "{at}"}}"#), "2 rules"),
            (format!(r#"{{"rule": "", "savedAt": "{at}"}}"#), "found nothing"),
            (format!(r#"{{"rule": "allow A", "folder": "x", "savedAt": "{at}"}}"#), "absolute"),
            (r#"{"rule": "allow A", "savedAt": "yesterday"}"#.to_owned(), "must be like"),
            (format!(r#"{{"rule": "allow A", "savedAt": "{at}", "to": 1}}"#), "unknown field"),
        ] {
            std::fs::write(store.path(), format!("[\n  {entry}\n]\n")).unwrap();
            let error = store.rules().unwrap_err().to_string();
            assert!(error.contains(want) && error.contains("grants.json: entry 1:"), "{error}");
            assert!(store.save(&rules("allow Read"), None).is_err());
            assert!(std::fs::read_to_string(store.path()).unwrap().contains(&entry));
        }
    }
}
