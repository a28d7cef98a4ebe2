//! What the user grants with the answer to an ask, and what becomes of it.
//!
//! A grant counts for the session at once, whatever becomes of the file that it is saved in.

use std::path::PathBuf;

use redline_permissions::{Policy, Rule, Source, SourcedRule, home};

use super::Session;
use crate::{Ask, AskAnswer, Effect, LogLevel, OptionId, grants::allowing};

/// The most bytes of rules that a user writes.
const MOST: usize = 1 << 20;

/// The rules of an answer, and how long they are to count.
#[derive(Debug)]
pub(super) struct Granted {
    rules: Vec<Rule>,
    option: OptionId,
}

/// What an answer grants; `None`: nothing, which is most often meant. Only what an option shows can
/// be granted, and only there can the user's own text take its place.
///
/// # Errors
/// What is wrong with the user's text.
pub(super) fn granted(ask: &Ask, answer: &AskAnswer) -> Result<Option<Granted>, String> {
    let option = answer.option;
    if !matches!(option, OptionId::Session | OptionId::Folder | OptionId::Always) {
        return Ok(None);
    }
    let chosen = ask.options.iter().find(|offered| offered.id == option);
    let Some(shown) = chosen.and_then(|chosen| chosen.covers.as_deref()) else { return Ok(None) };
    let text = answer.rule.as_deref().unwrap_or(shown);
    if text.len() > MOST.max(shown.len()) {
        return Err(format!("the rules have more than {MOST} bytes"));
    }
    let rules = allowing(text)?;
    Ok(Some(Granted { rules, option }))
}

fn is_of_session(grant: &SourcedRule) -> bool {
    matches!(grant.source, Source::SessionGrant { .. })
}

impl Session {
    pub(super) fn grant(&mut self, ask: &Ask, granted: Granted) {
        let Granted { rules, option } = granted;
        let folder = home(&ask.cwd, &self.config.roots).filter(|_| option == OptionId::Folder);
        let folder = folder.cloned();
        for rule in &rules {
            let grant = SourcedRule::session_in(folder.clone(), rule.clone());
            self.config.policy.add_grant(grant);
        }
        match option {
            OptionId::Folder => {
                // Without a folder there is nothing to keep it for: everywhere is not what was said.
                if let Some(folder) = folder {
                    self.save_grants(rules, Some(folder));
                }
            }
            OptionId::Always => self.save_grants(rules, None),
            _ => {}
        }
    }

    fn save_grants(&mut self, rules: Vec<Rule>, folder: Option<PathBuf>) {
        self.effect(Effect::SaveGrants { rules, folder });
    }

    /// The saved ones take the place of those for the session.
    pub(super) fn grants_saved(
        &mut self,
        rules: &[Rule],
        result: Result<Vec<SourcedRule>, String>,
    ) {
        let saved = match result {
            Ok(saved) => saved,
            Err(why) => {
                let text = format!(
                    "What you granted counts until Redline ends: it could not be saved: {why}"
                );
                self.effect(Effect::Tell(LogLevel::Error, text));
                return;
            }
        };
        let mut grants = self.config.policy.grants().to_vec();
        let is_replaced = |grant: &SourcedRule| {
            // One that counts elsewhere, too, is another.
            let of_session = |saved: &SourcedRule| match (&grant.source, &saved.source) {
                (Source::SessionGrant { folder: of }, Source::SavedGrant { folder, .. }) => {
                    folder.is_none() || of == folder
                }
                _ => false,
            };
            saved.contains(grant) || (rules.contains(&grant.rule) && saved.iter().any(of_session))
        };
        grants.retain(|grant| !is_replaced(grant));
        grants.extend(saved);
        self.config.policy.set_grants(grants);
    }

    pub(super) fn revoked(&mut self, rule: &Rule) {
        let mut grants = self.config.policy.grants().to_vec();
        grants.retain(|grant| !is_of_session(grant) || grant.rule != *rule);
        self.config.policy.set_grants(grants);
    }

    pub(super) fn configured(&mut self, policy: Policy, save_on_accept: bool) {
        // The file system is still the same.
        let policy = policy.ignoring_case(self.config.policy.ignores_case());
        let former = std::mem::replace(&mut self.config.policy, policy);
        for grant in former.grants().iter().filter(|grant| is_of_session(grant)) {
            self.config.policy.add_grant(grant.clone());
        }
        self.config.save_on_accept = save_on_accept;
    }
}
