//! The time a call may take: progress starts it again, and it stands still while the user is waited
//! for (DESIGN, section 3; seed 001, "Timeout Behavior").

use std::time::Duration;

use tokio::{
    sync::watch,
    time::{Instant, sleep},
};

/// The time that a call may take without progress, unless its tool may run as long as it likes.
pub(crate) const LIMIT: Duration = Duration::from_secs(120);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct State {
    paused: usize,
    resets: u64,
}

/// Shared by a call's context and the dispatch that watches it.
#[derive(Debug)]
pub(crate) struct Clock(watch::Sender<State>);

impl Default for Clock {
    fn default() -> Self {
        Self(watch::channel(State::default()).0)
    }
}

impl Clock {
    /// There was progress.
    pub fn reset(&self) {
        self.0.send_modify(|state| state.resets += 1);
    }

    /// Stands still until the guard is dropped.
    pub fn pause(&self) -> Paused<'_> {
        self.0.send_modify(|state| state.paused += 1);
        Paused(self)
    }

    /// To be told when it begins to stand still, and when it goes on.
    pub fn waits(&self) -> Waits {
        Waits(self.0.subscribe())
    }

    /// Ends when `limit` has passed since the last progress, pauses not counted.
    pub async fn expired(&self, limit: Duration) {
        let mut changes = self.0.subscribe();
        let mut left = limit;
        let mut seen = *changes.borrow_and_update();
        loop {
            let since = Instant::now();
            tokio::select! {
                () = sleep(left), if seen.paused == 0 => return,
                _ = changes.changed() => {}
            }
            let now = *changes.borrow_and_update();
            if now.resets != seen.resets {
                left = limit;
            } else if seen.paused == 0 {
                left = left.saturating_sub(since.elapsed());
            }
            seen = now;
        }
    }
}

/// Tells whether a clock stands still.
pub(crate) struct Waits(watch::Receiver<State>);

impl Waits {
    /// Waits until it does what it did not do, `true` for standing still; never ends if the clock
    /// is gone.
    pub async fn is_still(&mut self, not: bool) -> bool {
        let told = self.0.wait_for(|state| (state.paused > 0) != not).await.is_ok();
        if told { !not } else { std::future::pending().await }
    }
}

/// While it lives the clock stands still.
pub(crate) struct Paused<'a>(&'a Clock);

impl Drop for Paused<'_> {
    fn drop(&mut self) {
        self.0.0.send_modify(|state| state.paused -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    const SECOND: Duration = Duration::from_secs(1);

    /// Seconds of the paused test clock until `expired(10 s)` ends while `script` runs beside it.
    async fn expires<F: Future<Output = ()>>(script: impl FnOnce(Arc<Clock>) -> F) -> u64 {
        let clock = Arc::new(Clock::default());
        let start = Instant::now();
        let script = script(clock.clone());
        let watch = async {
            clock.expired(10 * SECOND).await;
            start.elapsed().as_secs()
        };
        tokio::join!(watch, script).0
    }

    #[tokio::test(start_paused = true)]
    async fn it_runs_out() {
        assert_eq!(expires(|_| async {}).await, 10);
    }

    #[tokio::test(start_paused = true)]
    async fn progress_starts_it_again() {
        let script = |clock: Arc<Clock>| async move {
            sleep(9 * SECOND).await;
            clock.reset();
            sleep(9 * SECOND).await;
            clock.reset();
        };
        assert_eq!(expires(script).await, 28);
    }

    #[tokio::test(start_paused = true)]
    async fn it_stands_still_while_the_user_is_waited_for() {
        let script = |clock: Arc<Clock>| async move {
            sleep(4 * SECOND).await;
            let outer = clock.pause();
            let inner = clock.pause();
            sleep(500 * SECOND).await;
            drop(inner);
            sleep(500 * SECOND).await;
            drop(outer);
        };
        assert_eq!(expires(script).await, 1010);
    }
}
