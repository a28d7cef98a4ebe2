//! A child process with pipes that is gone when it is dropped, and what the kernel says of it.

use crate::Result;
use std::fs;
use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running child.
pub struct Process {
    child: Child,
    /// Its standard input.
    pub input: ChildStdin,
    /// Its standard output.
    pub output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts `command`; its standard error is thrown away.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &mut Command) -> Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or("a child without pipes")?;
        Ok(Self { child, input, output: BufReader::with_capacity(1 << 16, output) })
    }

    /// Resident memory in bytes: `VmRSS` now, or `VmHWM` at its most.
    ///
    /// # Errors
    /// The system has no `/proc`, or the child is gone.
    pub fn memory(&self, field: &str) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        let kib = line.and_then(|line| line.split_whitespace().next()).ok_or("no such field")?;
        Ok(kib.parse::<f64>()? * 1024.0)
    }

    /// CPU time so far in seconds, user and system, in steps of the kernel's tick.
    ///
    /// # Errors
    /// The system has no `/proc`, or the child is gone.
    pub fn cpu(&self) -> Result<f64> {
        // Linux has told user space about hundredths of a second on every machine for decades.
        const TICKS: f64 = 100.0;
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields = stat.rsplit_once(')').ok_or("a strange stat file")?.1.split_whitespace();
        let ticks: Vec<f64> = fields.skip(11).take(2).filter_map(|f| f.parse().ok()).collect();
        Ok(ticks.iter().sum::<f64>() / TICKS)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _gone_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}
