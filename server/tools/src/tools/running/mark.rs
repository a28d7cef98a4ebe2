//! Finding the processes of a command again that have left its process group: they have inherited its
//! environment. (One that was started with an empty environment is not found.)

use std::{
    env,
    ffi::OsString,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use rustix::process::{Pid, Signal};

/// The variable that bears the marks of a command and of those that it is part of.
pub(super) const VARIABLE: &str = "REDLINE_CALL";

/// Unlike any other command's, of this process or of another one.
#[derive(Debug, Clone)]
pub(super) struct Mark(String);

impl Mark {
    pub fn new() -> Self {
        static START: OnceLock<u128> = OnceLock::new();
        static LAST: AtomicU64 = AtomicU64::new(0);
        let since = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let start = START.get_or_init(|| since().as_nanos());
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        Self(format!("{:x}-{start:x}-{number:x}.", std::process::id()))
    }

    /// The text; letters, digits, dashes and a dot.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The variable's value: a Redline that runs in a command of another one's keeps that one's mark.
    pub fn value(&self) -> OsString {
        let mut value = env::var_os(VARIABLE).unwrap_or_default();
        value.push(&self.0);
        value
    }

    /// Signals what bears the mark and is not in the group; the answer is how many there were.
    pub fn signal_outside(&self, group: Pid, signal: Signal) -> usize {
        let outside = |pid: &Pid| rustix::process::getpgid(Some(*pid)) != Ok(group);
        let pids: Vec<Pid> = self.processes().into_iter().filter(outside).collect();
        pids.iter().for_each(|pid| self.signal(*pid, signal));
        pids.len()
    }

    #[cfg(target_os = "linux")]
    fn signal(&self, pid: Pid, signal: Signal) {
        use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};
        // The handle is of the process that has the number now; only then it is sure whose it is.
        let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return };
        if self.is_on(pid) {
            // It may have ended by itself.
            let _ = pidfd_send_signal(handle, signal);
        }
    }

    /// All processes that bear the mark, as far as this user may look.
    #[cfg(target_os = "linux")]
    pub fn processes(&self) -> Vec<Pid> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        numbers.filter_map(Pid::from_raw).filter(|pid| self.is_on(*pid)).collect()
    }

    #[cfg(target_os = "linux")]
    fn is_on(&self, pid: Pid) -> bool {
        let environment = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero()));
        environment.is_ok_and(|it| memchr::memmem::find(&it, self.0.as_bytes()).is_some())
    }

    /// Where there is no way to look, the process group must do.
    #[cfg(not(target_os = "linux"))]
    pub fn processes(&self) -> Vec<Pid> {
        Vec::new()
    }

    #[cfg(not(target_os = "linux"))]
    fn signal(&self, _: Pid, _: Signal) {}
}
