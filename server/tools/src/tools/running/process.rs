//! A command in a process group of its own.

use std::{
    io, os::unix::process::ExitStatusExt, path::Path, process::ExitStatus, process::Stdio,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::{
    io::AsyncReadExt,
    net::unix::pipe,
    process::{Child, Command},
    task::yield_now,
    time::{Instant, MissedTickBehavior, interval, sleep, sleep_until},
};

use super::{output::Output, shell::shell};
use crate::Cancel;

/// How long output is waited for after the shell has ended: a process that it left running may hold
/// the pipe for ever.
const DRAIN: Duration = Duration::from_millis(200);
/// How long processes may take to end after SIGTERM, before SIGKILL.
const TERM_GRACE: Duration = Duration::from_secs(1);
/// How often progress is told.
const PROGRESS: Duration = Duration::from_millis(250);

/// How a command ended, and what it printed.
pub(super) struct Ended {
    pub exit: Exit,
    /// stdout and stderr, in the order in which they were printed.
    pub output: Output,
    /// The process group, if something in it still runs.
    pub left: Option<i32>,
}

/// How a shell ended.
pub(super) enum Exit {
    /// Its exit code; 128 and the signal's number if it was killed, as shells have it.
    Code(i32),
    /// It was stopped, with everything in its group.
    Cancelled,
}

/// Runs `cmd` in `cwd` until it ends or is cancelled, in bounded memory. Dropping the future kills
/// the process group.
pub(super) async fn run(
    cmd: &str,
    cwd: &Path,
    cancel: &Cancel,
    progress: impl Fn(&Output),
) -> io::Result<Ended> {
    let (mut child, mut pipe) = spawn(cmd, cwd)?;
    let group = Group::of(&child);
    let mut output = Output::default();
    let status = tokio::select! {
        biased;
        () = cancel.cancelled() => None,
        status = pump(&mut child, &mut pipe, &mut output, progress) => Some(status?),
    };
    let Some(status) = status else {
        group.end(&mut child).await;
        return Ok(Ended { exit: Exit::Cancelled, output, left: None });
    };
    Ok(Ended { exit: Exit::Code(code(status)), output, left: group.left_alone() })
}

/// One pipe for both, so that lines keep their order.
fn spawn(cmd: &str, cwd: &Path) -> io::Result<(Child, pipe::Receiver)> {
    let (reader, writer) = io::pipe()?;
    let child = Command::new(shell())
        .arg("-c")
        .arg(cmd)
        .current_dir(cwd)
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .process_group(0)
        .spawn()?;
    Ok((child, pipe::Receiver::from_owned_fd(reader.into())?))
}

/// Reads until the shell has ended and its output too, or `DRAIN` has passed since.
async fn pump(
    child: &mut Child,
    pipe: &mut pipe::Receiver,
    output: &mut Output,
    progress: impl Fn(&Output),
) -> io::Result<ExitStatus> {
    let mut buffer = vec![0; 64 * 1024];
    let mut status = None;
    let mut open = true;
    let mut drained = Instant::now();
    let mut told = 0;
    let mut tick = interval(PROGRESS);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            read = pipe.read(&mut buffer), if open => match read {
                Ok(0) | Err(_) => open = false,
                Ok(n) => {
                    output.push(&buffer[..n]);
                    // A pipe that is always full would keep this thread until tokio's budget is
                    // used up: milliseconds in which nobody else is answered.
                    yield_now().await;
                }
            },
            ended = child.wait(), if status.is_none() => {
                status = Some(ended?);
                drained = Instant::now() + DRAIN;
            }
            () = sleep_until(drained), if status.is_some() => open = false,
            _ = tick.tick() => if output.total() > told {
                told = output.total();
                progress(output);
            },
        }
        if let (Some(status), false) = (status, open) {
            return Ok(status);
        }
    }
}

fn code(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(-1)
}

/// A process group that is killed when it is dropped, unless it was let go.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw))
    }

    /// Lets it go; the answer is its number if something in it still runs.
    fn left_alone(mut self) -> Option<i32> {
        let group = self.0.take()?;
        test_kill_process_group(group).is_ok().then(|| group.as_raw_nonzero().get())
    }

    /// SIGTERM to all of it, and SIGKILL to what is left after `TERM_GRACE`.
    async fn end(mut self, child: &mut Child) {
        let Some(group) = self.0 else { return };
        // An error means that nothing of it is left.
        let _ = kill_process_group(group, Signal::TERM);
        let deadline = Instant::now() + TERM_GRACE;
        while Instant::now() < deadline {
            let ended = matches!(child.try_wait(), Ok(Some(_)) | Err(_));
            if ended && test_kill_process_group(group).is_err() {
                self.0 = None;
                return;
            }
            sleep(Duration::from_millis(5)).await;
        }
        drop(self);
        let _ = child.wait().await;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
