//! Running a command: its output is shown as it comes and its closing lines are counted.

use crate::report::{Count, Row};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// No step may take longer: a hanging test must not hang the run.
const LIMIT: Duration = Duration::from_secs(25 * 60);

/// What a command says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaks {
    /// `test result: ok. N passed; N failed; …`, once for each executable.
    Cargo,
    /// Node's test runner: `ℹ pass N` and `ℹ fail N`, or with `#` instead, once for each run.
    Node,
    /// `N passed, N failed`, once, at the end.
    ClosingLine,
    /// Only an exit code.
    ExitCode,
}

/// Runs one step and gives its line of the table.
pub fn step(name: &str, command: &mut Command, speaks: Speaks) -> Row {
    println!("── {name}");
    let start = Instant::now();
    let outcome = run(command, speaks);
    let (count, note) = match outcome {
        Ok((success, counted)) => judge(success, counted, speaks),
        Err(why) => (Count::one(false), why),
    };
    Row { name: name.to_owned(), count, time: start.elapsed(), note }
}

/// An exit code that contradicts the counted tests is a failure too, and so is no test at all.
fn judge(success: bool, counted: Count, speaks: Speaks) -> (Count, String) {
    if speaks == Speaks::ExitCode {
        return (Count::one(success), String::new());
    }
    let failure = |why: &str| (Count { failed: 1, ..counted }, why.to_owned());
    match (success, counted) {
        (true, Count { passed: 0, failed: 0 }) => failure("it ran no test"),
        (false, Count { failed: 0, .. }) => failure("it ended with an error; see above"),
        _ => (counted, String::new()),
    }
}

fn run(command: &mut Command, speaks: Speaks) -> Result<(bool, Count), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("{program} could not be started: {error}"))?;
    let lines = lines_of(&mut child);
    let count = show(&lines, speaks, Instant::now() + LIMIT);
    if count.is_none() {
        let _gone_already = child.kill();
    }
    let status = child.wait().map_err(|error| format!("{program}: {error}"))?;
    let count = count.ok_or(format!("stopped after {} minutes", LIMIT.as_secs() / 60))?;
    Ok((status.success(), count))
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(pipe) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut input = BufReader::new(pipe);
            let mut line = Vec::new();
            while matches!(input.read_until(b'\n', &mut line), Ok(1..)) {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                line.clear();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
    }
    receiver
}

/// Prints lines until they end; `None` if time runs out first.
fn show(lines: &Receiver<String>, speaks: Speaks, end: Instant) -> Option<Count> {
    let mut total = Count::default();
    loop {
        match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                println!("{line}");
                match (speaks, count(&line, speaks)) {
                    (Speaks::Cargo | Speaks::Node, Some(more)) => total.add(more),
                    (_, Some(last)) => total = last,
                    (_, None) => {}
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Some(total),
            Err(RecvTimeoutError::Timeout) => return None,
        }
    }
}

/// The numbers of a closing line.
fn count(line: &str, speaks: Speaks) -> Option<Count> {
    let (passed, failed) = match speaks {
        Speaks::ExitCode => return None,
        Speaks::Node => return count_of_node(line),
        Speaks::Cargo => {
            let numbers = line.strip_prefix("test result: ")?.split_once(". ")?.1;
            let mut parts = numbers.split("; ");
            (parts.next()?, parts.next()?)
        }
        Speaks::ClosingLine => {
            let mut parts = line.trim().split(", ");
            (parts.next()?, parts.next()?)
        }
    };
    let number = |part: &str, word: &str| part.strip_suffix(word)?.trim().parse().ok();
    Some(Count { passed: number(passed, "passed")?, failed: number(failed, "failed")? })
}

/// One line tells one of the two numbers.
fn count_of_node(line: &str) -> Option<Count> {
    let line = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# "))?;
    let (word, number) = line.split_once(' ')?;
    let number = number.trim().parse().ok()?;
    match word {
        "pass" => Some(Count { passed: number, failed: 0 }),
        "fail" | "cancelled" => Some(Count { passed: 0, failed: number }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_counted() {
        let check = |line: &str, speaks: Speaks, expect: Option<(usize, usize)>| {
            let expect = expect.map(|(passed, failed)| Count { passed, failed });
            assert_eq!(count(line, speaks), expect, "{line}");
        };
        let cargo = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; …";
        check(cargo, Speaks::Cargo, Some((12, 3)));
        check("test result: ok. 5 passed; 0 failed; 1 ignored", Speaks::Cargo, Some((5, 0)));
        check("test a::b ... ok", Speaks::Cargo, None);
        check("7 passed, 0 failed", Speaks::ClosingLine, Some((7, 0)));
        check("7 passed, 1 failed, 2 skipped", Speaks::ClosingLine, Some((7, 1)));
        check("all passed, none failed", Speaks::ClosingLine, None);
        check("ℹ pass 41", Speaks::Node, Some((41, 0)));
        check("# fail 2", Speaks::Node, Some((0, 2)));
        check("ℹ tests 43", Speaks::Node, None);
        check("  ✔ a test (1.5ms)", Speaks::Node, None);
        check("7 passed, 0 failed", Speaks::ExitCode, None);
    }

    #[test]
    fn a_run_without_tests_or_with_a_bad_end_has_failed() {
        let none = Count::default();
        assert_eq!(judge(true, none, Speaks::Cargo).0.failed, 1);
        assert_eq!(judge(false, Count { passed: 3, failed: 0 }, Speaks::Cargo).0.failed, 1);
        assert_eq!(judge(false, Count { passed: 3, failed: 2 }, Speaks::Cargo).0.failed, 2);
        assert_eq!(judge(true, none, Speaks::ExitCode).0, Count::one(true));
    }
}
