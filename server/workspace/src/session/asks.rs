//! Open asks and what becomes of them.

use std::collections::BTreeMap;

use redline_layers::ThreadId;

use super::{Session, grants::granted};
use crate::{Ask, AskAnswer, AskId, AskOutcome, Effect, LogLevel, Reply, Ticket};

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

    /// Each ask takes one answer: a late, second or unknown one changes nothing. One that grants what
    /// is no grant is none: it is asked once more, under another id.
    pub(super) fn ask_answered(&mut self, id: AskId, answer: AskAnswer) {
        let Some((ask, ticket)) = self.asks.open.remove(&id) else {
            self.log(
                LogLevel::Warning,
                format!("an answer to {id}, which is not open, is ignored"),
            );
            return;
        };
        match granted(&ask, &answer) {
            Ok(Some(granted)) => self.grant(&ask, granted),
            Ok(None) => {}
            Err(why) => return self.ask(ticket, again(ask, &why)),
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
}

/// The same ask once more: what the user wrote is no grant, and nothing is guessed.
fn again(ask: Ask, why: &str) -> Ask {
    let note = format!("Nothing was granted, and nothing has run: {why}. Choose again.");
    Ask { note: Some(note), ..ask }
}
