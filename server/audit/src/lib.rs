//! The audit log: every call before it has an effect, its result, and what became of its proposals.
//!
//! One log for all processes of a user: JSON Lines, each line with the hash of the one before
//! (`chain`), secrets left out ([`redact`]), bounded by rotation. All but [`io`] is pure.

mod chain;
pub mod io;
mod moment;
mod record;
pub mod redact;
mod replay;
mod verify;

pub use chain::{Entry, Hash, Head, NoHash};
pub use moment::{Moment, NoMoment};
pub use record::{
    AnswerRecord, Author, CallRecord, Caller, CommandRecord, Decider, Decision, DecisionRecord,
    FileRecord, PathRecord, Record, RecoveredRecord, ResultRecord, VerdictRecord,
};
pub use replay::{Judged, Replay, Unjudged};
pub use verify::{Fault, Finding, Report, Source, verify};
