use expect_test::expect;
use redline_permissions::Context;
use redline_tools::{Agents, Cancel, Errand, Mode, Outcome, ReviewNote, ReviewState, Work};

use super::*;
use crate::{PromptError, thread::Running};

fn errand(agent: &str, call: &str) -> Errand {
    Errand {
        agent: agent.to_owned(),
        instructions: "Find it.".to_owned(),
        about: "the thing".to_owned(),
        prompt: "Where is the thing?".to_owned(),
        mode: Mode { include_tools: vec!["Read".to_owned()], ..Mode::default() },
        most_requests: 3,
        scope: Scope {
            thread: ThreadId::from("T"),
            agent: "script".to_owned(),
            context: Context::Thread,
            cwd: PathBuf::from("/project"),
            dialect: Dialect::Amp,
            cancel: Cancel::new(),
            mode: None,
            subagent: None,
        },
        call: call.to_owned(),
    }
}

/// A thread `T` in its turn `turn-9`, as while its calls run.
fn bench(script: &str, tools: &[(&'static str, Does)]) -> Bench {
    let paper = Paper { tools: tools.iter().cloned().collect(), ..Paper::default() };
    let bench = Bench::new(script, paper);
    let mut threads = bench.agent.threads.lock();
    let thread = threads.get_or_start(&ThreadId::from("T"), "find it");
    thread.turn = Some(Running { id: "turn-9".to_owned(), cancel: Cancel::new() });
    drop(threads);
    bench
}

impl Bench {
    /// All events that are there, with whose they are.
    fn events_so_far(&mut self) -> String {
        let mut lines = Vec::new();
        while let Ok(ThreadEvent { thread, turn, seq, parent, event }) = self.events.try_recv() {
            let parent = parent.unwrap_or_else(|| "-".to_owned());
            lines.push(format!("{thread} {turn} {seq} {parent}: {}", show(&event).0));
        }
        lines.join("\n")
    }

    /// The one subagent of the thread: its status and what was said.
    fn sent(&self) -> (ToolStatus, String) {
        let sent = self.agent.sent(&ThreadId::from("T")).remove(0);
        let messages = self.agent.messages(&sent.conversation).unwrap();
        (sent.status, messages.iter().map(message_text).collect::<Vec<_>>().join("\n"))
    }
}

const READ_THEN_SAY: &str = r#"{"for":"finder","content":[{"type":"text","text":"Hm."},{"type":"tool_use","id":"r1","name":"Read","input":{}}]}
{"for":"finder","content":[{"type":"text","text":"Here."},{"type":"text","text":"And there."}]}
"#;

fn said(said: &str) -> Outcome {
    Outcome::Done(Work { said: said.to_owned(), ..Work::default() })
}

#[tokio::test]
async fn a_subagent_is_a_conversation_inside_a_call() {
    let mut bench = bench(READ_THEN_SAY, &[("Read", Does::Answers(ToolResult::done("text of a")))]);
    let outcome = bench.agent.run(errand("finder", "c1")).await;
    assert_eq!(outcome, said("Here.\nAnd there."));
    expect![[r#"
        T turn-9 1 c1: text "Hm."
        T turn-9 2 c1: tool r1 in-progress
        T turn-9 3 c1: tool r1 done
        T turn-9 4 c1: text "Here."
        T turn-9 5 c1: text "And there.""#]]
    .assert_eq(&bench.events_so_far());
    let (status, said) = bench.sent();
    assert_eq!(status, ToolStatus::Done);
    expect![[r#"
        user: "Where is the thing?"
        assistant: "Hm." | call "r1" "Read"
        user: result "r1" "text of a" error=false
        assistant: "Here." | "And there.""#]]
    .assert_eq(&said);
    // Seed 004: the thread's session, and the call that the subagent belongs to.
    let sent = bench.agent.sent(&ThreadId::from("T")).remove(0);
    assert_eq!((sent.agent.as_str(), sent.about.as_str()), ("finder", "the thing"));
    for message in bench.agent.messages(&sent.conversation).unwrap() {
        assert_eq!(
            (&message["session_id"], &message["parent_tool_use_id"]),
            (&"T".into(), &"c1".into())
        );
    }
    assert_eq!(bench.agent.messages(&ThreadId::from("T")), Some(vec![]), "it is not the thread's");
    let listed: Vec<ThreadId> = bench.agent.threads().into_iter().map(|it| it.thread).collect();
    assert_eq!(listed, [ThreadId::from("T")]);
    assert!(bench.paper.posted.lock().unwrap().is_empty(), "no turn of its own");
    let text = bench.agent.transcript(&sent.conversation).unwrap();
    assert!(text.starts_with("# the thing\n\n## User\n\nWhere is"), "{text}");
}

#[tokio::test]
async fn its_calls_run_as_a_subagents_in_its_threads_name() {
    let bench = bench(READ_THEN_SAY, &[("Read", Does::Answers(ToolResult::done("x")))]);
    bench.agent.run(errand("finder", "c1")).await;
    let scope = bench.paper.scopes.lock().unwrap().remove(0);
    assert_eq!((scope.thread.as_str(), scope.agent.as_str()), ("T", "finder"));
    assert_eq!(scope.context, Context::Subagent);
    assert_eq!(scope.mode.as_ref().unwrap().include_tools, ["Read"]);
    assert_eq!(scope.conversation(), &bench.agent.sent(&ThreadId::from("T"))[0].conversation);
}

#[tokio::test]
async fn what_it_changed_is_gathered() {
    let review =
        ReviewNote { state: ReviewState::Pending, hunks: vec!["h1".into()], decisions: vec![] };
    let track_files = vec!["/project/a".to_owned()];
    let edited = ToolResult::Done { result: "diff".into(), track_files, review: Some(review) };
    let bench = bench(READ_THEN_SAY, &[("Read", Does::Answers(edited))]);
    let Outcome::Done(work) = bench.agent.run(errand("finder", "c1")).await else { panic!() };
    assert_eq!((work.files, work.pending), (vec!["/project/a".into()], vec!["h1".into()]));
}

#[tokio::test]
async fn what_the_user_decides_is_told_to_the_thread_and_not_to_its_subagent() {
    let bench = bench(READ_THEN_SAY, &[("Read", Does::Answers(ToolResult::done("x")))]);
    let decided = Decisions { lines: vec!["accepted a:1-2 (c0)".into()], pending: 0 };
    bench.paper.decisions.lock().unwrap().push(decided);
    bench.agent.run(errand("finder", "c1")).await;
    assert_eq!(bench.paper.decisions.lock().unwrap().len(), 1);
}

async fn ends(script: &str, does: Does) -> (Outcome, ToolStatus, String) {
    let bench = bench(script, &[("Read", does)]);
    let outcome = bench.agent.run(errand("finder", "c1")).await;
    let (status, said) = bench.sent();
    (outcome, status, said)
}

fn failed(reason: &str) -> Outcome {
    Outcome::Failed { reason: reason.to_owned(), work: Work::default() }
}

#[tokio::test]
async fn a_provider_that_fails_fails_the_subagent() {
    let (outcome, status, _) = ends("", Does::Hangs).await;
    assert_eq!((outcome, status), (failed("script ended"), ToolStatus::Error));
    let (outcome, ..) = ends(r#"{"for":"finder"}"#, Does::Hangs).await;
    let Outcome::Failed { reason, .. } = outcome else { panic!("{outcome:?}") };
    assert!(reason.ends_with("line 1: missing field `content`"), "{reason}");
    let other = bench("", &[]);
    other.agent.configure(AgentSettings::default());
    let outcome = other.agent.run(errand("finder", "c1")).await;
    let Outcome::Failed { reason, .. } = outcome else { panic!("{outcome:?}") };
    assert!(reason.starts_with("no model provider is set"), "{reason}");
    assert!(other.agent.sent(&ThreadId::from("T")).is_empty());
}

#[tokio::test]
async fn it_is_stopped_after_so_many_requests() {
    let line = r#"{"for":"c1","content":[{"type":"tool_use","id":"r","name":"Read","input":{}}]}"#;
    let script = format!("{line}\n").repeat(9);
    let (outcome, status, said) = ends(&script, Does::Answers(ToolResult::done("x"))).await;
    let why = "it made 3 requests to its model, the most it may. Give it a smaller part.";
    assert_eq!((outcome, status), (failed(why), ToolStatus::Error));
    assert_eq!(said.lines().count(), 7, "every call has its result: {said}");
}

#[tokio::test]
async fn a_reject_without_a_word_stops_it_and_one_with_a_word_does_not() {
    let rejected = |comment: Option<&str>| {
        let comment = comment.map(str::to_owned);
        Does::Answers(ToolResult::RejectedByUser { reason: "no".into(), comment })
    };
    let (outcome, status, said) = ends(READ_THEN_SAY, rejected(None)).await;
    let reason = "Read was rejected: no".to_owned();
    assert_eq!(outcome, Outcome::Halted { reason, work: Work::default() });
    assert_eq!(status, ToolStatus::RejectedByUser);
    assert!(said.ends_with(r#"user: result "r1" "no" error=true"#), "{said}");
    let (_, status, said) = ends(READ_THEN_SAY, rejected(Some("use B"))).await;
    assert!(said.contains(r#"result "r1" "no\nThe user says: use B" error=true"#), "{said}");
    assert_eq!(status, ToolStatus::Done);
    let (_, _, said) = ends(READ_THEN_SAY, rejected(Some(""))).await;
    assert!(said.contains(r#"result "r1" "no" error=true"#), "{said}");
}

#[tokio::test]
async fn a_panic_in_a_tool_is_its_end_and_not_the_threads() {
    let (outcome, status, said) = ends(READ_THEN_SAY, Does::Panics).await;
    assert_eq!(outcome, failed("internal error: it was stopped; see the log"));
    assert_eq!(status, ToolStatus::Error);
    assert!(said.ends_with(r#"result "r1" "Cancelled by the user." error=true"#), "{said}");
}

#[tokio::test]
async fn a_cancel_ends_it_with_its_call() {
    let mut bench = bench(READ_THEN_SAY, &[("Read", Does::WaitsForCancel)]);
    let errand = errand("finder", "c1");
    let cancel = errand.scope.cancel.clone();
    let agent = bench.agent.clone();
    let run = tokio::spawn(async move { agent.run(errand).await });
    while !matches!(bench.event().await.event, ThreadEventKind::ToolCall(_)) {}
    cancel.cancel();
    assert_eq!(run.await.unwrap(), Outcome::Cancelled);
    expect!["T turn-9 3 c1: tool r1 cancelled"].assert_eq(&bench.events_so_far());
    let (status, said) = bench.sent();
    assert_eq!(status, ToolStatus::Cancelled);
    assert!(said.ends_with(r#"result "r1" "Cancelled by the user." error=true"#), "{said}");
}

#[tokio::test]
async fn one_that_is_dropped_leaves_its_conversation_whole() {
    let mut bench = bench(READ_THEN_SAY, &[("Read", Does::Hangs)]);
    let agent = bench.agent.clone();
    let run = tokio::spawn(async move { agent.run(errand("finder", "c1")).await });
    while !matches!(bench.event().await.event, ThreadEventKind::ToolCall(_)) {}
    assert_eq!(bench.sent().0, ToolStatus::InProgress);
    run.abort();
    assert!(run.await.is_err());
    let (status, said) = bench.sent();
    assert_eq!(status, ToolStatus::Cancelled);
    assert!(said.ends_with(r#"result "r1" "Cancelled by the user." error=true"#), "{said}");
}

/// Lines by call go to that call's subagent, whoever asks first; by name to any of that name.
#[tokio::test]
async fn a_script_answers_each_subagent_with_its_own_lines() {
    let line = |to: &str, text: &str| {
        format!(r#"{{"for":"{to}","content":[{{"type":"text","text":"{text}"}}]}}"#)
    };
    let main = r#"{"content":[{"type":"text","text":"main"}]}"#;
    let lines = [
        main.to_owned(),
        line("c2", "two"),
        line("c1", "one"),
        line("oracle", "advice"),
        line("T", "by name"),
    ];
    let mut bench = bench(&lines.join("\n"), &[]);
    let sent = [("finder", "c1"), ("oracle", "c3"), ("finder", "c2")];
    let running = sent.map(|(agent, call)| bench.agent.run(errand(agent, call)));
    let outcomes = futures::future::join_all(running).await;
    assert_eq!(outcomes, [said("one"), said("advice"), said("two")]);
    assert_eq!(bench.agent.run(errand("finder", "c4")).await, failed("script ended"));
    bench.agent.threads.with(&ThreadId::from("T"), |thread| thread.turn = None);
    bench.events_so_far();
    bench.prompt("go");
    expect![[r#"
        turn-1 4 text "main"
        turn-1 5 end done -"#]]
    .assert_eq(&bench.until_end().await);
    bench.prompt("on");
    expect![[r#"
        turn-2 6 text "by name"
        turn-2 7 end done -"#]]
    .assert_eq(&bench.until_end().await);
}

#[tokio::test]
async fn nobody_prompts_a_subagent() {
    let bench = bench(READ_THEN_SAY, &[("Read", Does::Answers(ToolResult::done("x")))]);
    bench.agent.run(errand("finder", "c1")).await;
    let conversation = bench.agent.sent(&ThreadId::from("T")).remove(0).conversation;
    let thread = Some(conversation.clone());
    let prompt = Prompt { text: "and?".into(), thread, ..Prompt::default() };
    assert_eq!(bench.agent.prompt(prompt), Err(PromptError::Subagent(conversation)));
}
