//! What is under the review journal: files that survive `kill -9`, and nothing of what they mean.
//!
//! - [`Folder`]: where a folder's state lives, in the user's state directory.
//! - [`Owner`]: one process per folder may write there; it ends with the process.
//! - [`Log`]: records (bytes) in a file, appended and checksummed; a torn tail is dropped.
//! - [`Store`]: texts by their content; a text that is nearly known costs nearly nothing.
//!
//! Everything blocks, and nothing here locks a mutex: whoever has an [`Owner`] keeps the log and
//! the store on one thread. What an `append` or `put` returned `Ok` for survives the end of the
//! process; what `sync` returned `Ok` for survives the end of the power. A record should be written
//! after the texts that it names, so that it never names one that is not there.

mod bytes;
mod folder;
mod frame;
mod index;
mod log;
mod manifest;
mod owner;
mod pack;
mod rewrite;
mod split;
mod store;
mod text_id;

pub use folder::{Env, Folder, FolderError, state_dir};
pub use log::{Log, LogError, Opened, Tail};
pub use owner::{Owner, OwnerError, Taken};
pub use rewrite::Rewrite;
pub use store::{Retained, Store, StoreError};
pub use text_id::{NotATextId, TextId};
