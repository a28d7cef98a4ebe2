use std::path::Path;

use tokio::sync::Notify;

use super::{Ended, Exit, Head, Job, Sink, Stream, Streams, Tail, start};

#[derive(Debug)]
struct Kept {
    out: Tail,
    err: Head,
}

impl Sink for Kept {
    fn push(&mut self, stream: Stream, chunk: &[u8]) {
        match stream {
            Stream::Out => self.out.push(chunk),
            Stream::Err => self.err.push(chunk),
        }
    }
}

fn kept() -> Kept {
    Kept { out: Tail::bytes(1_000), err: Head::bytes(1_000) }
}

async fn run(cmd: &str, streams: Streams, until: impl Future<Output = ()>) -> (Ended<()>, Kept) {
    let mut kept = kept();
    let job = Job { cmd, cwd: Path::new("/"), env: &[("A".into(), "b".into())], streams };
    let ended = start(&job).unwrap().finish(&mut kept, until).await.unwrap();
    (ended, kept)
}

fn code(ended: &Ended<()>) -> i32 {
    match ended.exit {
        Exit::Code(code) => code,
        Exit::Stopped(()) => panic!("stopped"),
    }
}

#[tokio::test]
async fn streams_apart_are_read_at_once() {
    // More than a pipe holds on each, and stderr first: who drains one before the other hangs.
    let cmd = "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; echo $A; echo e >&2; exit 4";
    let (ended, kept) = run(cmd, Streams::Apart, std::future::pending()).await;
    assert_eq!(code(&ended), 4);
    assert_eq!((kept.out.total(), kept.err.is_cut()), (300_002, true));
    assert!(kept.out.text().ends_with("b\n"));
    let (_, kept) = run("echo 1; echo 2 >&2", Streams::Apart, std::future::pending()).await;
    assert_eq!((kept.out.text().as_str(), kept.err.text().as_str()), ("1\n", "2\n"));
    let (_, kept) = run("echo 1; echo 2 >&2", Streams::Merged, std::future::pending()).await;
    assert_eq!((kept.out.text().as_str(), kept.err.text().as_str()), ("1\n2\n", ""));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_is_left_running_is_named_also_in_another_session() {
    for (cmd, word) in [
        ("sleep 600 & echo $!", "process group "),
        ("setsid sleep 600 & echo $!", "process "),
        ("setsid nohup sleep 600 & echo $!", "process "),
    ] {
        let (ended, kept) = run(cmd, Streams::Merged, std::future::pending()).await;
        let left = ended.left.unwrap();
        assert!(left.starts_with(word), "{left}");
        // The number may be that of the setsid that is about to become the sleep.
        let pid: i32 = kept.out.text().lines().next().unwrap().parse().unwrap();
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_is_stopped_leaves_nothing_behind() {
    for cmd in [
        "sleep 611 & sleep 611",
        "setsid sleep 612 & sleep 612",
        "(setsid sh -c 'trap \"\" TERM; sleep 613; sleep 613' &) ; sleep 613",
        "trap '' TERM; sleep 614; sleep 614; sleep 614",
        "nohup setsid sleep 615 >/dev/null 2>&1 & echo; sleep 615",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let started = dir.path().join("started");
        let cmd = format!("echo > {}; {cmd}", started.display());
        let go = Notify::new();
        let watch = async {
            crate::fixture::until("it starts", || started.exists()).await;
            go.notify_one();
        };
        let ((ended, _), ()) = tokio::join!(run(&cmd, Streams::Apart, go.notified()), watch);
        assert!(matches!(ended.exit, Exit::Stopped(())));
        // What the command says is what its processes were called with.
        let number = cmd.rsplit("sleep ").next().unwrap();
        let orphans = running(number.split([' ', ';']).next().unwrap());
        assert!(orphans.is_empty(), "{cmd}: {orphans:?}");
    }
}

/// Processes with that argument that have not ended.
#[cfg(target_os = "linux")]
fn running(argument: &str) -> Vec<String> {
    let lines = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        words.contains(&argument.as_bytes()).then(|| String::from_utf8_lossy(&line).into_owned())
    });
    lines.collect()
}

/// A command that asks the terminal for a password, say, would be stopped (SIGTTIN) and wait for ever.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_command_has_no_terminal() {
    let cmd = "set -- $(cat /proc/$$/stat); echo \"$(($6 == $$)) $(($5 == $$)) $7\"; cat /dev/tty";
    let (ended, kept) = run(cmd, Streams::Apart, std::future::pending()).await;
    assert_eq!(code(&ended), 1);
    // Leads its session and its group, and has no terminal.
    assert_eq!(kept.out.text(), "1 1 0\n");
    assert!(kept.err.text().contains("/dev/tty"), "{}", kept.err.text());
}

#[tokio::test]
async fn what_cannot_be_started() {
    let job = |cmd, cwd| Job { cmd, cwd, env: &[], streams: Streams::Merged };
    assert!(start(&job("a\0b", Path::new("/"))).is_err());
    assert!(start(&job("ls", Path::new("/nowhere/at/all"))).is_err());
    assert!(start(&job(&"x".repeat(10_000_000), Path::new("/"))).is_err());
}
