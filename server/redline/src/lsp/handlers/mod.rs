//! One file per group of methods. A handler of a notification is synchronous from its first line to
//! its last: what it does is done before the next message is looked at.

pub mod command;
pub mod decision;
pub mod documents;
pub mod grants;
pub mod plain;
pub mod review;
pub mod rewind;
pub mod threads;
