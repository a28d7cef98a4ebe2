//! Starting a command, reading what it prints, and waiting for its end.

use std::{
    io, os::unix::process::ExitStatusExt, process::ExitStatus, process::Stdio, time::Duration,
};

use tokio::{
    io::AsyncReadExt,
    net::unix::pipe,
    process::{Child, Command},
    task::yield_now,
    time::{Instant, MissedTickBehavior, interval, sleep_until},
};

use super::{
    Ended, Exit, Job, Sink, Stream, Streams,
    group::Group,
    mark::{Mark, VARIABLE},
    shell::shell,
};

/// How long output is waited for after the shell has ended: a process that it left running may hold
/// the pipe for ever.
const DRAIN: Duration = Duration::from_millis(200);
/// How often progress is told.
const PROGRESS: Duration = Duration::from_millis(250);

/// A command that has been started. Dropping it kills everything that it started.
pub(in crate::tools) struct Running {
    child: Child,
    group: Group,
    out: Reader,
    err: Reader,
}

/// Starts a command without input.
///
/// # Errors
/// The operating system's.
pub(in crate::tools) fn start(job: &Job<'_>) -> io::Result<Running> {
    let mark = Mark::new();
    let (out, to_out) = io::pipe()?;
    let (err, to_err) = match job.streams {
        Streams::Merged => (None, to_out.try_clone()?),
        Streams::Apart => io::pipe().map(|(reader, writer)| (Some(reader), writer))?,
    };
    let child = Command::new(shell())
        .arg("-c")
        .arg(job.cmd)
        .current_dir(job.cwd)
        .envs(job.env.iter().map(|(name, value)| (name, value)))
        .env(VARIABLE, mark.value())
        .stdin(Stdio::null())
        .stdout(to_out)
        .stderr(to_err)
        .process_group(0)
        .spawn()?;
    let group = Group::of(&child, mark);
    let (out, err) = (Reader::new(Some(out))?, Reader::new(err)?);
    Ok(Running { child, group, out, err })
}

impl Running {
    /// The process's number.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Reads until it ends, or until `until` does: then it is ended, with everything that it started.
    ///
    /// # Errors
    /// The operating system's.
    pub async fn finish<T>(
        mut self,
        sink: &mut impl Sink,
        until: impl Future<Output = T>,
    ) -> io::Result<Ended<T>> {
        let ended = tokio::select! {
            biased;
            stopped = until => Err(stopped),
            status = self.pump(sink) => Ok(status?),
        };
        match ended {
            Err(stopped) => {
                self.group.end(&mut self.child).await;
                Ok(Ended { exit: Exit::Stopped(stopped), left: None })
            }
            Ok(status) => {
                let held = self.out.is_open() || self.err.is_open();
                Ok(Ended { exit: Exit::Code(code(status)), left: self.group.left_alone(held) })
            }
        }
    }

    /// Reads both pipes at once until the shell has ended and its output too, or `DRAIN` has passed
    /// since.
    async fn pump(&mut self, sink: &mut impl Sink) -> io::Result<ExitStatus> {
        let mut status = None;
        let mut drained = Instant::now();
        let mut news = false;
        let mut tick = interval(PROGRESS);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let read = tokio::select! {
                n = self.out.next(), if self.out.is_open() => Some((self.out.chunk(n), Stream::Out)),
                n = self.err.next(), if self.err.is_open() => Some((self.err.chunk(n), Stream::Err)),
                ended = self.child.wait(), if status.is_none() => {
                    status = Some(ended?);
                    drained = Instant::now() + DRAIN;
                    None
                }
                () = sleep_until(drained), if status.is_some() => return finished(status),
                _ = tick.tick() => {
                    if std::mem::take(&mut news) {
                        sink.tell();
                    }
                    None
                }
            };
            if let Some((chunk, stream)) = read.filter(|(chunk, _)| !chunk.is_empty()) {
                news = true;
                sink.push(stream, chunk);
                // A pipe that is always full would keep this thread until tokio's budget is used up:
                // milliseconds in which nobody else is answered.
                yield_now().await;
            }
            if status.is_some() && !self.out.is_open() && !self.err.is_open() {
                return finished(status);
            }
        }
    }
}

fn finished(status: Option<ExitStatus>) -> io::Result<ExitStatus> {
    status.ok_or_else(|| io::Error::other("the command has no exit status"))
}

fn code(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(-1)
}

/// The reading end of a pipe, until its writers have closed theirs.
struct Reader {
    pipe: Option<pipe::Receiver>,
    buffer: Vec<u8>,
}

impl Reader {
    fn new(pipe: Option<io::PipeReader>) -> io::Result<Self> {
        let pipe = pipe.map(|pipe| pipe::Receiver::from_owned_fd(pipe.into())).transpose()?;
        let size = if pipe.is_some() { 64 * 1024 } else { 0 };
        Ok(Self { pipe, buffer: vec![0; size] })
    }

    fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    /// Reads into the buffer; may be dropped at any time.
    async fn next(&mut self) -> usize {
        let Some(pipe) = &mut self.pipe else { return std::future::pending().await };
        match pipe.read(&mut self.buffer).await {
            Ok(n) if n > 0 => n,
            Ok(_) | Err(_) => {
                self.pipe = None;
                0
            }
        }
    }

    fn chunk(&self, n: usize) -> &[u8] {
        self.buffer.get(..n).unwrap_or_default()
    }
}
