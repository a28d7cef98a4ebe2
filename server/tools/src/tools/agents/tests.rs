use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use redline_layers::ThreadId;
use serde_json::{Value, json};

use super::{
    errand::{MOST_PROMPT, mode},
    profiles::{Offer, PROFILES},
    threads::MOST_READ,
};
use crate::{
    Agents, Dialect, Errand, Outcome, Registry, Sent, ThreadNote, ToolCall, ToolDefinition,
    ToolResult, ToolSpec, ToolStatus, Work, builtin,
    fixture::{Fixture, done, message},
    testing::TestHost,
};

/// Keeps what it was sent for; ends as it was told.
struct Puppet {
    outcome: Outcome,
    errands: Mutex<Vec<Errand>>,
    said: Vec<(&'static str, String)>,
}

impl Agents for Puppet {
    fn run(&self, errand: Errand) -> BoxFuture<'_, Outcome> {
        self.errands.lock().unwrap().push(errand);
        Box::pin(std::future::ready(self.outcome.clone()))
    }

    fn threads(&self) -> Vec<ThreadNote> {
        let note = |(id, said): &(&str, String)| ThreadNote {
            thread: ThreadId::from(*id),
            title: said.lines().next().unwrap_or_default().to_owned(),
            updated_at: "2026-11-21T04:07:09Z".to_owned(),
            state: "idle",
        };
        self.said.iter().map(note).collect()
    }

    fn transcript(&self, thread: &ThreadId) -> Option<String> {
        let found = self.said.iter().find(|(id, _)| *id == thread.as_str());
        found.map(|(_, said)| said.clone())
    }

    fn sent(&self, _: &ThreadId) -> Vec<Sent> {
        let errands = self.errands.lock().unwrap();
        let sent = |errand: &Errand| Sent {
            conversation: ThreadId::from("S-1"),
            agent: errand.agent.clone(),
            about: errand.about.clone(),
            call: errand.call.clone(),
            status: ToolStatus::Done,
        };
        errands.iter().map(sent).collect()
    }
}

fn puppet(outcome: Outcome, said: &[(&'static str, &str)]) -> (Fixture, Arc<Puppet>) {
    let f = Fixture::new(&[("a.txt", "a\n")]);
    let said = said.iter().map(|(id, said)| (*id, (*said).to_owned())).collect();
    let puppet = Arc::new(Puppet { outcome, errands: Mutex::default(), said });
    let weak = Arc::downgrade(&puppet);
    f.tools.connect(weak);
    (f, puppet)
}

fn says(said: &str) -> Outcome {
    Outcome::Done(Work { said: said.to_owned(), ..Work::default() })
}

#[tokio::test]
async fn what_a_subagent_is_told() {
    let check = async |tool: &str, args: Value, about: &str, prompt: &str| {
        let (f, puppet) = puppet(says("Answer."), &[]);
        assert_eq!(done(&f.call(tool, args).await), "Answer.");
        let errand = puppet.errands.lock().unwrap().remove(0);
        assert_eq!((errand.agent.as_str(), errand.call.as_str()), (tool, "c0"));
        assert_eq!((errand.about.as_str(), errand.prompt.as_str()), (about, prompt), "{tool}");
        assert!(!errand.instructions.is_empty() && errand.most_requests > 1);
        assert_eq!(errand.mode.subagent_type.as_deref(), Some(tool));
    };
    let args = json!({"prompt": " Do it.\nWell. ", "description": "the work"});
    check("Task", args, "the work", "Do it.\nWell.").await;
    check("finder", json!({"query": "Where?\nHow?"}), "Where?", "Where?\nHow?").await;
    let args = json!({"task": "Why?", "context": "It fails.", "files": ["a.rs", "", "b.rs"]});
    let prompt = "Why?\n\nContext:\nIt fails.\n\nFiles to look at:\n- a.rs\n- b.rs";
    check("oracle", args, "Why?", prompt).await;
    check("oracle", json!({"task": "Why?", "context": "", "files": []}), "Why?", "Why?").await;
    check("librarian", json!({"query": "What?"}), "What?", "What?").await;
    check("kraken", json!({"prompt": "Rename."}), "Rename.", "Rename.").await;
}

#[tokio::test]
async fn how_a_subagent_ends() {
    let check = async |outcome: Outcome, want: Value| {
        let (f, _puppet) = puppet(outcome, &[]);
        assert_eq!(f.call("finder", json!({"query": "q"})).await, want);
    };
    check(says(" \n"), json!({"status": "done", "result": "finder ended without a word."})).await;
    check(Outcome::Cancelled, json!({"status": "cancelled"})).await;
    let work = Work { files: vec!["/w/a".to_owned()], ..Work::default() };
    let failed = "finder did not come to an end: script ended\nIt had changed /w/a before: look at \
                  that.";
    check(
        Outcome::Failed { reason: "script ended".into(), work },
        json!({"status": "error", "error": {"message": failed}}),
    )
    .await;
    check(
        Outcome::Halted { reason: "Bash was rejected".into(), work: Work::default() },
        json!({"status": "rejected-by-user", "reason": "finder was stopped: Bash was rejected"}),
    )
    .await;
}

#[tokio::test]
async fn what_it_proposed_is_in_the_result_as_far_as_it_waits() {
    let (f, _puppet) = puppet(says(""), &[]);
    let edit = json!({"path": "a.txt", "old_str": "a", "new_str": "b"});
    let edited = f.call("edit_file", edit).await;
    let hunk = edited["review"]["hunks"][0].as_str().unwrap().to_owned();
    let files = vec![f.path("a.txt")];
    let pending = vec![hunk.clone(), "h99".to_owned()];
    let work = Work { said: "Edited.".into(), files, pending, ..Work::default() };
    let puppet = Arc::new(Puppet {
        outcome: Outcome::Done(work),
        errands: Mutex::default(),
        said: Vec::new(),
    });
    let weak = Arc::downgrade(&puppet);
    f.tools.connect(weak);
    let result = f.call("Task", json!({"prompt": "p", "description": "d"})).await;
    assert_eq!(done(&result), "Edited.\nFiles that Task changed: a.txt.");
    assert_eq!(result["review"], json!({"state": "pending", "hunks": [hunk]}));
    assert_eq!(result["trackFiles"], json!([f.path("a.txt")]));
}

#[test]
fn work_adds_up() {
    let mut work = Work::default();
    for (file, state, hunk) in [
        ("/a", crate::ReviewState::Pending, "h1"),
        ("/a", crate::ReviewState::Pending, "h1"),
        ("/b", crate::ReviewState::Applied, "h2"),
    ] {
        let review = crate::ReviewNote { state, hunks: vec![hunk.into()], decisions: vec![] };
        let track_files = vec![file.to_owned()];
        work.add(&ToolResult::Done { result: Value::Null, track_files, review: Some(review) });
    }
    work.add(&ToolResult::error("no"));
    assert_eq!(
        (work.files, work.pending, work.applied),
        (vec!["/a".to_owned(), "/b".to_owned()], vec!["h1".to_owned()], vec!["h2".to_owned()],)
    );
}

#[tokio::test]
async fn bad_orders_are_refused() {
    let (f, puppet) = puppet(says("never"), &[]);
    let long = "x".repeat(MOST_PROMPT + 1);
    for (tool, args, want) in [
        ("finder", json!({"query": " "}), "\"query\" is empty; it must be What to find"),
        ("finder", json!({}), "\"query\" is missing"),
        ("finder", json!({"query": 3}), "must be a string"),
        ("Task", json!({"prompt": "p", "description": ""}), "\"description\" is empty"),
        ("kraken", json!({"prompt": long}), "name files for it to read"),
        ("oracle", json!({"task": "t", "files": vec!["f"; 201]}), "names 201 files, more than 200"),
        ("oracle", json!({"task": "t", "files": [1]}), "\"files[0]\" must be a string"),
        ("find_thread", json!({"query": "q", "limit": 0}), "from 1 to 100, but is 0"),
        ("find_thread", json!({"query": "q", "limit": -1}), "from 1 to 100, but is -1"),
        ("find_thread", json!({"query": "q", "limit": 1u64 << 60}), "from 1 to 100"),
        ("find_thread", json!({"query": "x ".repeat(501)}), "use fewer words"),
        ("read_thread", json!({"threadId": "é".repeat(5_000_000)}), "find_thread lists"),
        ("read_thread", json!({"threadId": "T\0"}), "There is no thread"),
        ("read_thread", json!({"threadId": ""}), "There is no thread"),
    ] {
        let result = f.call(tool, args).await;
        assert!(message(&result).contains(want), "{tool}: {result}");
        assert!(message(&result).len() < 1000, "{tool}");
    }
    assert!(puppet.errands.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_subagent_sends_none() {
    let (mut f, puppet) = puppet(says("never"), &[("T-9", "said")]);
    f.scope.subagent = Some(ThreadId::from("S-1"));
    let result = f.call("Task", json!({"prompt": "p", "description": "d"})).await;
    assert!(message(&result).starts_with("Task can't be sent by a subagent"), "{result}");
    let result = f.call("read_thread", json!({"threadId": "T-9", "goal": "g"})).await;
    assert!(message(&result).contains("without a goal"), "{result}");
    f.scope.mode = Some(Arc::new(mode(&PROFILES[0])));
    let result = f.call("Task", json!({"prompt": "p", "description": "d"})).await;
    assert!(message(&result).starts_with("Task is not among the tools of Task. Tools: Read"));
    assert!(puppet.errands.lock().unwrap().is_empty());
}

#[tokio::test]
async fn without_agents_it_says_so() {
    let f = Fixture::new(&[]);
    for (tool, args) in [
        ("Task", json!({"prompt": "p", "description": "d"})),
        ("find_thread", json!({"query": "q"})),
        ("read_thread", json!({"threadId": "T"})),
        ("task_list", json!({})),
    ] {
        let result = f.call(tool, args).await;
        assert!(message(&result).starts_with(&format!("{tool} needs a conversation")), "{result}");
    }
    let (f, puppet) = puppet(says("x"), &[]);
    drop(puppet);
    let result = f.call("finder", json!({"query": "q"})).await;
    assert!(message(&result).starts_with("finder needs a conversation"), "agents that are gone");
}

/// Every builtin name that a profile lists, and the names of the seeds.
#[test]
fn modes() {
    let registry = builtin();
    let offered = |name: &str, dialect| -> Vec<String> {
        let profile = PROFILES.iter().find(|profile| profile.name == name).unwrap();
        let mode = mode(profile);
        let offered = registry.offered_in(dialect, Some(&mode));
        offered.iter().map(|spec| spec.name.clone()).collect()
    };
    for dialect in Dialect::ALL {
        for profile in &PROFILES {
            let offered = offered(profile.name, dialect);
            assert!(!offered.is_empty());
            for other in &PROFILES {
                assert!(!offered.iter().any(|name| name == other.name), "{}", profile.name);
            }
        }
        for changes in ["edit_file", "create_file", "write_file", "Bash", "bash", "multi_edit"] {
            for reader in ["finder", "oracle", "librarian"] {
                assert!(!offered(reader, dialect).iter().any(|name| name == changes));
            }
        }
    }
    let has = |who: &str, tool: &str| offered(who, Dialect::Amp).iter().any(|name| name == tool);
    assert!(has("Task", "Bash") && has("Task", "edit_file") && has("Task", "find_thread"));
    assert!(has("kraken", "edit_file") && !has("kraken", "Bash"));
    for who in ["finder", "oracle", "librarian", "kraken"] {
        assert!(["Read", "Grep", "glob"].iter().all(|tool| has(who, tool)), "{who}");
    }
    let is_open = |profile: &&super::profiles::Profile| profile.offer == Offer::AllButSubagents;
    let open: Vec<&str> = PROFILES.iter().filter(is_open).map(|profile| profile.name).collect();
    assert_eq!(open, ["Task"]);
}

#[tokio::test]
async fn a_call_outside_the_mode_is_refused_before_anything_else() {
    let mut f = Fixture::with(&[("a.txt", "a\n")], "", TestHost::default(), builtin());
    f.scope.mode = Some(Arc::new(mode(&PROFILES[1])));
    let edit = json!({"path": "a.txt", "old_str": "a", "new_str": "b"});
    let results =
        f.run(&[("Edit", edit), ("Bash", json!({})), ("Read", json!({"path": "a.txt"}))]).await;
    let tools = "Tools: Read, glob, Grep.";
    let want = |tool: &str| format!("{tool} is not among the tools of finder. ");
    assert!(message(&results[0]).starts_with(&want("edit_file")));
    assert!(message(&results[1]).starts_with(&want("Bash")), "{}", results[1]);
    assert!(message(&results[1]).contains("Read, glob, Grep"), "{tools}");
    assert_eq!(done(&results[2]), "1: a");
    assert!(f.host.asks().is_empty());
}

#[tokio::test]
async fn a_subagents_command_is_judged_by_the_rules() {
    let check = async |rules: &str, cmd: &str, status: &str, asks: usize| {
        let result = of_subagent(rules, "Bash", json!({"cmd": cmd}), asks).await;
        assert_eq!(result.status().name(), status, "{result:?}");
        result
    };
    check("", "seq 1", "rejected-by-user", 1).await;
    check("allow Bash --cmd 'seq *'", "seq 1", "done", 0).await;
    let no = check("reject Bash", "seq 1", "rejected-by-user", 0).await;
    assert!(no.ends_turn(), "a rule said no");
    check("ask Bash", "seq 1", "rejected-by-user", 1).await;
}

/// DESIGN, section 5: "No match: main thread asks, subagent rejects."
#[tokio::test]
async fn a_subagents_call_without_a_rule_is_rejected_and_it_goes_on() {
    let refused = of_subagent("", "frob", json!({}), 0).await;
    assert!(!refused.ends_turn());
    let wire = serde_json::to_value(&refused).unwrap();
    assert!(wire["reason"].as_str().unwrap().contains("a subagent cannot ask"), "{wire}");
    assert_eq!(wire.get("comment"), None);
}

/// Of a call that a subagent makes where the user rejects what is asked.
async fn of_subagent(rules: &str, tool: &str, args: Value, asks: usize) -> ToolResult {
    let mut registry = builtin();
    let spec = ToolSpec::builtin("frob", None, "No rule speaks of it.", json!({"type": "object"}));
    let frob = ToolDefinition::new(spec, |_, _| async { ToolResult::done("ran") });
    registry.register(frob).unwrap();
    let mut f = Fixture::with(&[], rules, TestHost::default(), registry);
    f.scope.context = redline_permissions::Context::Subagent;
    let call = ToolCall { id: "c".into(), name: tool.into(), args };
    let result = f.tools.run(&f.scope, vec![call], &|_| {}).await.remove(0);
    assert_eq!(f.host.asks().len(), asks, "{result:?}");
    result
}

#[tokio::test]
async fn threads_are_found_by_their_words() {
    let long = format!("{}needle é\nend", "İx ".repeat(200));
    let said = [("T-2", "Fix the parser\nof NUMBERS"), ("T-1", "Fix docs"), ("T-0", long.as_str())];
    let (f, _puppet) = puppet(says(""), &said);
    let check = async |args: Value, want: &[&str]| {
        let result = f.call("find_thread", args).await;
        let threads = result["result"]["threads"].as_array().unwrap().clone();
        let ids: Vec<&str> = threads.iter().map(|it| it["threadId"].as_str().unwrap()).collect();
        assert_eq!(ids, want);
        threads
    };
    check(json!({"query": "fix"}), &["T-2", "T-1"]).await;
    check(json!({"query": "fix", "limit": 1}), &["T-2"]).await;
    check(json!({"query": "numbers FIX"}), &["T-2"]).await;
    check(json!({"query": "  "}), &["T-2", "T-1", "T-0"]).await;
    check(json!({"query": "absent"}), &[]).await;
    let found = check(json!({"query": "NEEDLE É"}), &["T-0"]).await;
    let excerpt = found[0]["excerpt"].as_str().unwrap();
    assert!(excerpt.ends_with("needle é end") && excerpt.len() < 400, "{excerpt}");
    assert_eq!(found[0]["state"], "idle");
}

#[tokio::test]
async fn a_thread_is_read_whole_or_for_a_goal() {
    let long = format!("first\n{}last", "éé line\n".repeat(20_000));
    let (f, puppet) = puppet(says("It was the parser."), &[("T-1", "short"), ("T-2", &long)]);
    assert_eq!(done(&f.call("read_thread", json!({"threadId": "T-1"})).await), "short");
    let result = f.call("read_thread", json!({"threadId": "T-2"})).await;
    let text = done(&result);
    assert!(text.starts_with("[The first ") && text.ends_with("line\nlast"));
    assert!(text.len() <= MOST_READ + 100 && text.lines().nth(1) == Some("éé line"));
    let goal = json!({"threadId": "T-1", "goal": "the cause"});
    assert_eq!(done(&f.call("read_thread", goal).await), "It was the parser.");
    let errand = puppet.errands.lock().unwrap().remove(0);
    assert_eq!(errand.prompt, "Goal: the cause\n\nThe conversation:\n\nshort");
    assert_eq!((errand.most_requests, errand.mode.include_tools.len()), (1, 0));
}

#[tokio::test]
async fn the_list_of_tasks() {
    let (f, _puppet) = puppet(says("x"), &[]);
    assert_eq!(f.call("task_list", json!({})).await["result"], json!({"tasks": []}));
    f.call("finder", json!({"query": "Where?"})).await;
    let want = json!([{
        "threadId": "S-1", "agent": "finder", "about": "Where?", "status": "done", "call": "c0"
    }]);
    assert_eq!(f.call("task_list", json!({})).await["result"]["tasks"], want);
}

/// Two that work at once meet; one that works alone does not wait for itself.
#[tokio::test]
async fn subagents_run_at_once_but_for_the_one_that_works_alone() {
    struct Meeting(tokio::sync::Barrier);
    impl Agents for Meeting {
        fn run(&self, errand: Errand) -> BoxFuture<'_, Outcome> {
            Box::pin(async move {
                if errand.agent != "kraken" {
                    self.0.wait().await;
                }
                says(&errand.agent)
            })
        }
        fn threads(&self) -> Vec<ThreadNote> {
            Vec::new()
        }
        fn transcript(&self, _: &ThreadId) -> Option<String> {
            None
        }
        fn sent(&self, _: &ThreadId) -> Vec<Sent> {
            Vec::new()
        }
    }
    let f = Fixture::with(&[], "", TestHost::default(), builtin());
    let meeting = Arc::new(Meeting(tokio::sync::Barrier::new(3)));
    let weak = Arc::downgrade(&meeting);
    f.tools.connect(weak);
    let task = json!({"prompt": "p", "description": "d"});
    let calls = [
        ("kraken", json!({"prompt": "p"})),
        ("finder", json!({"query": "q"})),
        ("Task", task.clone()),
        ("Task", task),
        ("kraken", json!({"prompt": "p"})),
    ];
    let results = f.run(&calls).await;
    let said: Vec<&str> = results.iter().map(done).collect();
    assert_eq!(said, ["kraken", "finder", "Task", "Task", "kraken"]);
}

#[test]
fn names_are_registered_once() {
    let mut registry = Registry::new();
    for tool in super::definitions() {
        assert!(!tool.spec.description.is_empty() && tool.spec.description.len() < 1024);
        registry.register(tool).unwrap();
    }
}
