//! Running a delegate, and what its end means.

use std::{env, path::PathBuf, process::ExitStatus, time::Duration};

use tokio::time::sleep;

use super::{
    Answer, Errand, Ground,
    found::{NotFound, found},
    said::{first_line, plain},
};
use crate::tools::running::{self, Head, Sink, Stream, start_program};

/// How long a program may take. Seed 004 says nothing of it.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of its stderr that are kept.
const MAX_SAID: usize = 4_096;
/// Chars of it that an ask quotes.
const MAX_QUOTE: usize = 200;

/// What the programs say, one after the other, until one of them rejects.
pub(in crate::dispatch) async fn answers(
    errands: &[Errand],
    ground: &Ground,
) -> Vec<(String, Answer)> {
    let mut answers = Vec::new();
    for errand in errands {
        let answer = answer(errand, ground).await;
        let is_last = matches!(answer, Answer::Reject(_));
        answers.push((errand.program.clone(), answer));
        if is_last {
            break;
        }
    }
    answers
}

async fn answer(errand: &Errand, ground: &Ground) -> Answer {
    match located(errand, ground).await {
        Ok(program) => ran(program, errand, ground).await,
        Err(why) => Answer::Ask(why.to_string()),
    }
}

async fn located(errand: &Errand, ground: &Ground) -> Result<PathBuf, NotFound> {
    let (name, roots) = (errand.program.clone(), ground.roots.clone());
    let look = move || found(&name, env::var_os("PATH").as_deref(), &roots);
    let look = tokio::task::spawn_blocking(look).await;
    look.unwrap_or_else(|error| Err(NotFound::Missing(std::io::Error::other(error))))
}

async fn ran(program: PathBuf, errand: &Errand, ground: &Ground) -> Answer {
    let thread = ground.thread.to_string();
    let env = [
        ("AMP_THREAD_ID", thread.as_str()),
        ("AGENT_TOOL_NAME", errand.tool.as_str()),
        ("AGENT", "amp"),
    ];
    let job = running::Errand {
        program: &program,
        cwd: &ground.folder,
        env: &env,
        input: errand.args.to_string().into_bytes(),
    };
    let mut said = Said(Head::bytes(MAX_SAID));
    let ended = match start_program(job) {
        Ok(running) => running.finish_alone(&mut said, sleep(PATIENCE)).await,
        Err(error) => return Answer::Ask(format!("could not be started ({error})")),
    };
    match ended {
        Ok(Ok(status)) => meaning(status, &said.text()),
        Ok(Err(())) => Answer::Ask(format!("did not answer within {} seconds", PATIENCE.as_secs())),
        Err(error) => Answer::Ask(format!("could not be run ({error})")),
    }
}

/// Seed 004: "0 → allow, 1 → ask operator, ≥ 2 → reject (stderr is surfaced to the model)".
fn meaning(status: ExitStatus, said: &str) -> Answer {
    let quoted = || first_line(said, MAX_QUOTE).map(|line| format!(" and says: {line}"));
    match status.code() {
        Some(0) => Answer::Allow,
        Some(1) => Answer::Ask(format!("leaves it to you{}", quoted().unwrap_or_default())),
        Some(_) => Answer::Reject(said.to_owned()),
        None => Answer::Ask(format!("was killed before it answered ({status})")),
    }
}

/// Keeps the beginning of stderr. What a program prints on stdout means nothing.
struct Said(Head);

impl Said {
    fn text(&self) -> String {
        let cut = if self.0.is_cut() { "…" } else { "" };
        plain(&self.0.text()) + cut
    }
}

impl Sink for Said {
    fn push(&mut self, stream: Stream, chunk: &[u8]) {
        if stream == Stream::Err {
            self.0.push(chunk);
        }
    }
}
