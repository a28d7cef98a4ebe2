//! The one log of a user, as a process writes to it.

use std::{
    fs::{File, TryLockError},
    sync::{
        Mutex, MutexGuard, PoisonError, TryLockError as Busy,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{AuditError, Place, at, writer::Writer};
use crate::Record;

/// Bytes of a file that is full.
const LIMIT: u64 = 8 << 20;
/// How long another process may hold the log: one that was stopped must not stop the others. It is not
/// waited for again before the log could be had once.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(1);

/// See the module's page. Nothing is opened or made before the first record.
#[derive(Debug)]
pub struct Log {
    /// Held for the time of one record.
    writer: Mutex<Writer>,
    unwritten: AtomicU64,
    told: AtomicBool,
    /// It was waited for in vain.
    held: AtomicBool,
}

/// What became of an attempt to write at once.
#[derive(Debug)]
pub enum Attempt {
    /// It is written.
    Written,
    /// It would have had to wait, or to do more than write a line: use [`Log::write`], where blocking
    /// is allowed.
    Later,
    /// It could not be written.
    Failed(AuditError),
}

impl Log {
    /// The log at that place.
    pub fn new(place: Place) -> Self {
        Self::with_limit(place, LIMIT)
    }

    /// With files that are full sooner.
    #[doc(hidden)]
    pub fn with_limit(place: Place, limit: u64) -> Self {
        let writer = Mutex::new(Writer::new(place, limit));
        Log {
            writer,
            unwritten: AtomicU64::default(),
            told: AtomicBool::default(),
            held: AtomicBool::default(),
        }
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        self.writer().place().clone()
    }

    /// Appends a record if that takes no more than a write of some hundred bytes to an open file: no
    /// waiting for another process or thread, no opening, no rotation.
    pub fn try_write(&self, record: &Record) -> Attempt {
        let mut writer = match self.writer.try_lock() {
            Ok(writer) => writer,
            Err(Busy::WouldBlock) => return Attempt::Later,
            Err(Busy::Poisoned(broken)) => broken.into_inner(),
        };
        if self.unwritten.load(Ordering::Relaxed) > 0 {
            return Attempt::Later;
        }
        match now(&mut writer, record) {
            Ok(true) => Attempt::Written,
            Ok(false) => Attempt::Later,
            Err(error) => Attempt::Failed(self.failed(error)),
        }
    }

    /// Appends a record. Blocks while another process writes, for a fifth of a second
    /// at most, and not at all if that was in vain the last time.
    ///
    /// # Errors
    /// See [`AuditError`]. The record is lost then, and the next one that is written says so.
    pub fn write(&self, record: &Record) -> Result<(), AuditError> {
        let mut writer = self.writer();
        let unwritten = self.unwritten.load(Ordering::Relaxed);
        let patience = if self.held.load(Ordering::Relaxed) { Duration::ZERO } else { PATIENCE };
        let outcome = waiting(&mut writer, record, unwritten, patience);
        self.held.store(matches!(outcome, Err(AuditError::Held { .. })), Ordering::Relaxed);
        match outcome {
            Ok(()) => {
                self.unwritten.fetch_sub(unwritten, Ordering::Relaxed);
                self.told.store(false, Ordering::Relaxed);
                Ok(())
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Whether the user has not been told yet that nothing can be written; from now on they have, until
    /// something could be.
    pub fn must_tell(&self) -> bool {
        !self.told.swap(true, Ordering::Relaxed)
    }

    fn failed(&self, error: AuditError) -> AuditError {
        self.unwritten.fetch_add(1, Ordering::Relaxed);
        error
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        // A record is written or not: no panic leaves anything half done that is not looked at again.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `false`: it has to wait.
fn now(writer: &mut Writer, record: &Record) -> Result<bool, AuditError> {
    let Some(lock) = writer.lock() else { return Ok(false) };
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(false),
        Err(TryLockError::Error(error)) => return Err(at(&writer.place().head())(error)),
    }
    let _unlock = Unlock(&lock);
    if !writer.is_ready()? {
        return Ok(false);
    }
    writer.write(record, 0).map(|()| true)
}

fn waiting(
    writer: &mut Writer,
    record: &Record,
    unwritten: u64,
    patience: Duration,
) -> Result<(), AuditError> {
    let path = writer.place().head();
    let deadline = Instant::now() + patience;
    let lock = writer.fresh_lock()?;
    loop {
        match lock.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(LOOK),
            Err(TryLockError::WouldBlock) => return Err(AuditError::Held { path }),
            Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
        }
    }
    let _unlock = Unlock(&lock);
    writer.prepare()?;
    writer.write(record, unwritten)
}

/// Gives the log back, whatever comes of the record.
struct Unlock<'a>(&'a File);

impl Drop for Unlock<'_> {
    fn drop(&mut self) {
        // Fails only if it was not locked.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests;
