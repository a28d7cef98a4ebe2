//! Open asks and what becomes of them.

use std::collections::BTreeMap;

use redline_layers::ThreadId;
use redline_permissions::{Source, SourcedRule, parse_text};

use super::Session;
use crate::{Ask, AskAnswer, AskId, AskOutcome, Effect, LogLevel, OptionId, Reply, Ticket};

/// The asks that wait for the user, oldest first.
#[derive(Debug, Default)]
pub(super) struct Asks {
    open: BTreeMap<AskId, (Ask, Ticket)>,
    last: u64,
}

impl Asks {
    pub fn len(&self) -> usize {
        self.open.len()
    }

    pub fn all(&self) -> Vec<(AskId, Ask)> {
        self.open.iter().map(|(id, (ask, _))| (*id, ask.clone())).collect()
    }
}

impl Session {
    pub(super) fn ask(&mut self, ticket: Ticket, ask: Ask) {
        self.asks.last += 1;
        let id = AskId(self.asks.last);
        self.asks.open.insert(id, (ask.clone(), ticket));
        let queue = (self.asks.len(), self.asks.len());
        self.effect(Effect::ShowAsk { id, ask: Box::new(ask), queue });
    }

    /// Each ask takes one answer: a late, second or unknown one changes nothing.
    pub(super) fn ask_answered(&mut self, id: AskId, answer: AskAnswer) {
        let Some((ask, ticket)) = self.asks.open.remove(&id) else {
            self.log(
                LogLevel::Warning,
                format!("an answer to {id}, which is not open, is ignored"),
            );
            return;
        };
        if answer.option == OptionId::Session {
            self.grant(&ask);
        }
        self.reply(ticket, Reply::Ask(AskOutcome::Answered(answer)));
    }

    pub(super) fn withdraw_asks(&mut self, thread: &ThreadId, call: Option<&str>, reason: &str) {
        let fits = |ask: &Ask| ask.thread == *thread && call.is_none_or(|call| ask.call == call);
        let ids: Vec<AskId> =
            self.asks.open.iter().filter(|(_, (ask, _))| fits(ask)).map(|(id, _)| *id).collect();
        for id in ids {
            if let Some((_, ticket)) = self.asks.open.remove(&id) {
                self.effect(Effect::WithdrawAsk { id, reason: reason.to_owned() });
                self.reply(ticket, Reply::Ask(AskOutcome::Withdrawn(reason.to_owned())));
            }
        }
    }

    fn grant(&mut self, ask: &Ask) {
        let option = ask.options.iter().find(|option| option.id == OptionId::Session);
        let Some(text) = option.and_then(|option| option.covers.as_deref()) else { return };
        match parse_text(text) {
            Ok(rules) => {
                for (_, rule) in rules {
                    let source = Source::SessionGrant;
                    self.config.policy.add_grant(SourcedRule { rule, source, line: None });
                }
            }
            Err(error) => {
                self.log(LogLevel::Error, format!("the grant `{text}` is no rule: {error}"))
            }
        }
    }
}
