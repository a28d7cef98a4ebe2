//! Starting a command, reading what it prints, and waiting for its end.

use std::{
    any::Any, io, os::unix::process::ExitStatusExt, process::ExitStatus, process::Stdio,
    time::Duration,
};

use process_wrap::tokio::{CommandWrap, ProcessSession};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::unix::pipe,
    process::{Child, ChildStdin, Command},
    task::{AbortHandle, yield_now},
    time::{Instant, MissedTickBehavior, interval, sleep_until},
};

use super::{
    Ended, Errand, Exit, Job, Sink, Stream, Streams,
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
pub(crate) struct Running {
    child: Child,
    group: Group,
    out: Reader,
    err: Reader,
    _input: Option<Feeding>,
}

/// Starts a command without input.
///
/// # Errors
/// The operating system's.
pub(in crate::tools) fn start(job: &Job<'_>) -> io::Result<Running> {
    let mut command = Command::new(shell());
    command.arg("-c").arg(job.cmd).current_dir(job.cwd).stdin(Stdio::null());
    // A shell believes an inherited one that is another name of the directory, and `cd ..` then leads
    // elsewhere than where the command was judged to go.
    command.env("PWD", job.cwd);
    command.envs(job.env.iter().map(|(name, value)| (name, value)));
    launched(command, job.streams)
}

/// Starts a program without a shell, and gives it its input. That it does not read it is no error.
///
/// # Errors
/// The operating system's.
pub(crate) fn start_program(errand: Errand<'_>) -> io::Result<Running> {
    let mut command = Command::new(errand.program);
    command.current_dir(errand.cwd).stdin(Stdio::piped());
    command.envs(errand.env.iter().map(|(name, value)| (name, value)));
    let mut running = launched(command, Streams::Apart)?;
    running._input = running.child.stdin.take().map(|pipe| Feeding::of(pipe, errand.input));
    Ok(running)
}

fn launched(mut command: Command, streams: Streams) -> io::Result<Running> {
    let mark = Mark::new();
    let (out, to_out) = io::pipe()?;
    let (err, to_err) = match streams {
        Streams::Merged => (None, to_out.try_clone()?),
        Streams::Apart => io::pipe().map(|(reader, writer)| (Some(reader), writer))?,
    };
    command.env(VARIABLE, mark.value()).stdout(to_out).stderr(to_err);
    let child = in_session(command)?;
    let group = Group::of(&child, mark);
    let (out, err) = (Reader::new(Some(out))?, Reader::new(err)?);
    Ok(Running { child, group, out, err, _input: None })
}

/// In a session of its own, which is a process group too: without a terminal what asks for one
/// fails at once. In a group of this process's session it would be stopped (SIGTTIN) and wait for
/// ever.
fn in_session(command: Command) -> io::Result<Child> {
    let mut command = CommandWrap::from(command);
    // The wrapper's own child waits for the whole group; what a command leaves running is told.
    let child: Box<dyn Any> = command.wrap(ProcessSession).spawn()?.into_inner();
    child.downcast().map(|child| *child).map_err(|_| io::Error::other("the process is lost"))
}

/// Writes a program's input, until it has ended.
struct Feeding(AbortHandle);

impl Feeding {
    fn of(mut pipe: ChildStdin, input: Vec<u8>) -> Self {
        // Who does not read it closes the pipe.
        let write = async move { drop(pipe.write_all(&input).await) };
        Self(tokio::spawn(write).abort_handle())
    }
}

impl Drop for Feeding {
    fn drop(&mut self) {
        self.0.abort();
    }
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
    pub(in crate::tools) async fn finish<T>(
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

    /// The same for a program that may leave nothing running: what it started is killed when it ends.
    /// `Err`: `until` ended first.
    ///
    /// # Errors
    /// The operating system's.
    pub async fn finish_alone<T>(
        mut self,
        sink: &mut impl Sink,
        until: impl Future<Output = T>,
    ) -> io::Result<Result<ExitStatus, T>> {
        let ended = tokio::select! {
            biased;
            stopped = until => Err(stopped),
            status = self.pump(sink) => Ok(status?),
        };
        if ended.is_err() {
            self.group.end(&mut self.child).await;
        }
        // Otherwise the group is dropped, which kills it.
        Ok(ended)
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
