//! The processes of one command, and their end.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::{
    process::Child,
    time::{Instant, sleep},
};

use super::{
    mark::Mark,
    watcher::{Watched, watched},
};

/// How long processes may take to end after SIGTERM, before SIGKILL.
const TERM_GRACE: Duration = Duration::from_secs(1);
/// How often it is looked whether they have.
const LOOK: Duration = Duration::from_millis(5);
/// How often what is found is killed: a process may start another one while it is looked for.
const ROUNDS: usize = 16;

/// A process group, and whatever bears its mark: killed when it is dropped, unless it was let go.
pub(super) struct Group {
    group: Option<Pid>,
    mark: Mark,
    _watched: Option<Watched>,
}

impl Group {
    pub fn of(child: &Child, mark: Mark) -> Self {
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let watched = group.map(|group| watched(group, &mark));
        Self { group, mark, _watched: watched }
    }

    /// Lets it go; the answer is what still runs of it. `held`: somebody has its pipe open.
    pub fn left_alone(mut self, held: bool) -> Option<String> {
        let group = self.group.take()?;
        if is_there(group) {
            return Some(format!("process group {}", group.as_raw_nonzero()));
        }
        let others = if held { self.mark.processes() } else { Vec::new() };
        let names: Vec<String> =
            others.iter().map(|pid| format!("process {}", pid.as_raw_nonzero())).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// SIGTERM to all of it, and SIGKILL to what is left after `TERM_GRACE`.
    pub async fn end(mut self, child: &mut Child) {
        let Some(group) = self.group else { return };
        // An error means that nothing of it is left.
        let _ = kill_process_group(group, Signal::TERM);
        self.mark.signal_outside(group, Signal::TERM);
        let deadline = Instant::now() + TERM_GRACE;
        while Instant::now() < deadline {
            let ended = matches!(child.try_wait(), Ok(Some(_)) | Err(_));
            if ended && !is_there(group) && self.mark.processes().is_empty() {
                self.group = None;
                return;
            }
            sleep(LOOK).await;
        }
        drop(self);
        let _ = child.wait().await;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(group) = self.group else { return };
        let _ = kill_process_group(group, Signal::KILL);
        for _ in 0..ROUNDS {
            if self.mark.signal_outside(group, Signal::KILL) == 0 {
                return;
            }
        }
    }
}

fn is_there(group: Pid) -> bool {
    test_kill_process_group(group).is_ok()
}
