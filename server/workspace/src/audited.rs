//! The workspace's part of the audit log: who writes to it does so here.

use std::sync::{Arc, atomic::Ordering};

use redline_audit::{
    Record,
    io::{Attempt, AuditError, Log},
};

use crate::{LogLevel, Workspace, handle::lock};

impl Workspace {
    /// From now on calls and decisions are written down there; `None`: nowhere.
    pub fn audit_to(&self, log: Option<Arc<Log>>) {
        *lock(&self.audit) = log;
    }

    /// Whether the user wants that; they do if nobody says otherwise.
    pub fn wants_audit(&self, wants: bool) {
        self.is_unaudited.store(!wants, Ordering::Relaxed);
    }

    /// Whether calls and decisions are written down.
    pub fn is_audited(&self) -> bool {
        self.log_of_audit().is_some()
    }

    fn log_of_audit(&self) -> Option<Arc<Log>> {
        let is_off = self.is_unaudited.load(Ordering::Relaxed);
        lock(&self.audit).clone().filter(|_| !is_off)
    }

    /// Writes a record down; done when it is written. One line to an open file is written at once: that
    /// takes less than to have another thread do it. What may take longer (another process writes, a
    /// file is full or not open) is left to one that may block. That it cannot be written keeps nothing
    /// from going on: the user is told once, and the next record says how many are missing.
    pub async fn audit(&self, record: Record) {
        let Some(log) = self.log_of_audit() else { return };
        let outcome = match log.try_write(&record) {
            Attempt::Written => return,
            Attempt::Failed(error) => Err(error),
            Attempt::Later => {
                let writer = log.clone();
                let work = tokio::task::spawn_blocking(move || writer.write(&record));
                // Lost only with the runtime, that is, with the process.
                work.await.unwrap_or(Ok(()))
            }
        };
        if let Err(error) = outcome
            && log.must_tell()
        {
            self.log(LogLevel::Error, unwritten(&error));
        }
    }
}

fn unwritten(error: &AuditError) -> String {
    format!(
        "{error}. Calls go on without being written down; how many are missing is said there when it \
         can be written again."
    )
}
