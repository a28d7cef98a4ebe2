//! A server whose client died must not stay behind.

use std::time::Duration;

use super::transport::Stop;

/// How often the client's process is looked for.
const INTERVAL: Duration = Duration::from_secs(2);

/// Stops when the process is gone. One that is not there to begin with is not watched: the client
/// may live where its number means nothing to us (a container, another host).
pub fn watch(process: u32, stop: Stop) {
    if !alive(process) {
        return;
    }
    tokio::spawn(async move {
        while alive(process) {
            tokio::time::sleep(INTERVAL).await;
        }
        stop.now();
    });
}

#[cfg(unix)]
fn alive(process: u32) -> bool {
    let pid = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    // "No permission" means that it is there.
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

/// Only the end of input tells there.
#[cfg(not(unix))]
fn alive(_: u32) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_found() {
        assert!(alive(std::process::id()));
        assert!(alive(1));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = child.id();
        child.wait().unwrap();
        assert!(!alive(gone));
        assert!(!alive(0));
        assert!(!alive(u32::MAX));
    }
}
