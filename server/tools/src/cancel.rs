//! A wish to stop, shared by everybody who should hear of it.

use tokio::sync::watch;

/// Cloneable; all clones are one. Once cancelled it stays so.
#[derive(Debug, Clone)]
pub struct Cancel(watch::Sender<bool>);

impl Default for Cancel {
    fn default() -> Self {
        Self(watch::channel(false).0)
    }
}

impl Cancel {
    /// One that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels; a second time changes nothing.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Ends when it is cancelled, at once if it is.
    pub async fn cancelled(&self) {
        let mut changes = self.0.subscribe();
        // The sender lives as long as `self`, so the only way out is a cancel.
        let _ = changes.wait_for(|cancelled| *cancelled).await;
    }
}
