//! A formatter at work: text in, text out, in a process group of its own that never outlives the
//! call.

use std::{io, path::Path, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, Command},
    time::timeout,
};

/// How long a formatter may take.
const LIMIT: Duration = Duration::from_secs(30);
/// Bytes that it may print.
const MOST: u64 = 64 * 1024 * 1024;
/// Bytes of its complaints that are kept.
const MOST_WORDS: u64 = 8 * 1024;

/// In words.
pub(super) fn limits() -> String {
    format!("{} s and {MOST} bytes for the project's formatter", LIMIT.as_secs())
}

/// Why a formatter gave no text. Follows "could not format it: ".
#[derive(Debug, thiserror::Error)]
pub(super) enum Failed {
    #[error("it could not be started ({0})")]
    Start(io::Error),
    #[error("it took longer than {} s and was stopped", LIMIT.as_secs())]
    Time,
    #[error("it printed more than {MOST} bytes and was stopped")]
    TooMuch,
    #[error("it ended with {code}\n{words}")]
    Code { code: String, words: String },
    #[error("it printed no text{0}")]
    Nothing(String),
    #[error("what it printed is not valid UTF-8")]
    NoText,
}

/// What `program` prints when it reads `input`. Dropping the future kills its process group.
pub(super) async fn run(
    program: &Path,
    args: &[String],
    directory: &Path,
    input: String,
) -> Result<String, Failed> {
    let mut command = Command::new(program);
    command.args(args).current_dir(directory).process_group(0).kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(Failed::Start)?;
    let _group = Group::of(&child);
    let is_empty = input.is_empty();
    match timeout(LIMIT, finish(&mut child, input)).await {
        Ok(ended) => checked(ended.map_err(Failed::Start)?, is_empty),
        Err(_) => Err(Failed::Time),
    }
}

struct Ended {
    success: bool,
    code: String,
    text: Vec<u8>,
    words: Vec<u8>,
}

async fn finish(child: &mut Child, input: String) -> io::Result<Ended> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let work = (feed(stdin, input), take(stdout, MOST + 1), take(stderr, MOST_WORDS));
    let ((), text, words) = tokio::join!(work.0, work.1, work.2);
    let text = text?;
    if text.len() as u64 > MOST {
        return Ok(Ended { success: true, code: String::new(), text, words: Vec::new() });
    }
    let status = child.wait().await?;
    Ok(Ended { success: status.success(), code: status.to_string(), text, words: words? })
}

/// A formatter that does not read to the end says itself why.
async fn feed(stdin: Option<ChildStdin>, input: String) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(input.as_bytes()).await;
        let _ = stdin.shutdown().await;
    }
}

/// The first bytes of an output. What comes after them is not waited for: the pipe is closed.
async fn take(output: Option<impl AsyncRead + Unpin>, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(output) = output {
        output.take(most).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

fn checked(ended: Ended, is_empty: bool) -> Result<String, Failed> {
    let Ended { success, code, text, words } = ended;
    let said = |bytes: &[u8]| {
        let end = bytes.len().min(usize::try_from(MOST_WORDS).unwrap_or(usize::MAX));
        String::from_utf8_lossy(&bytes[..end]).trim().to_owned()
    };
    if text.len() as u64 > MOST {
        return Err(Failed::TooMuch);
    }
    if !success {
        let words = if words.is_empty() { said(&text) } else { said(&words) };
        return Err(Failed::Code { code, words });
    }
    if text.is_empty() && !is_empty {
        let words = said(&words);
        let words = if words.is_empty() { words } else { format!("\n{words}") };
        return Err(Failed::Nothing(words));
    }
    String::from_utf8(text).map_err(|_| Failed::NoText)
}

/// A process group that ends with this value.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // An error means that nothing of it is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
