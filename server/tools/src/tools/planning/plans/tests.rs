use std::sync::Arc;

use redline_text::{Position, PositionRange};
use redline_workspace::{ContentChange, Workspace, WorkspacePath};
use serde_json::{Value, json};

use crate::{
    Dialect, Tools, builtin,
    fixture::{Fixture, done, message, scope, until, wire},
    testing::TestHost,
};

const FIRST: &str = ".agent-air/plans/plan-001.md";

fn fixture(files: &[(&str, &str)]) -> Fixture {
    // Whatever is asked is rejected: plans never ask.
    let mut f = Fixture::with(files, "", TestHost::default(), builtin());
    f.scope.dialect = Dialect::AgentAir;
    f
}

fn plan() -> Value {
    json!({
        "title": "Refactor authentication module",
        "steps": [
            {"description": "Extract auth logic", "notes": "Watch out for circular dependencies"},
            {"description": "Add unit tests"},
            {"description": "Update API routes"}
        ],
        "status": "active"
    })
}

async fn mark(f: &Fixture, id: &str, step: impl Into<Value>, status: &str) -> Value {
    let args = json!({"plan_id": id, "step": step.into(), "status": status});
    f.call("update_plan_step", args).await
}

#[tokio::test]
async fn the_example_of_seed_002() {
    let f = fixture(&[]);
    let none = "No plans found. Use markdown_plan to create one.";
    assert_eq!(done(&f.call("list_plans", json!({})).await), none);
    let result = f.call("markdown_plan", plan()).await;
    let text = f.disk(FIRST);
    let saved = format!("Plan 'plan-001' saved to {}\n\n{text}", f.path(FIRST));
    assert_eq!(done(&result), saved);
    assert_eq!(result["trackFiles"], json!([f.path(FIRST)]));
    let today = crate::stamp::day(std::time::SystemTime::now());
    let head = "# Plan: Refactor authentication module\n\n**ID**: plan-001\n**Status**: active\n";
    let steps = "## Steps\n\n1. [ ] Extract auth logic\n   Notes: Watch out for circular \
                 dependencies\n2. [ ] Add unit tests\n3. [ ] Update API routes\n";
    assert_eq!(text, format!("{head}**Created**: {today}\n\n{steps}"));

    let result = mark(&f, "plan-001", 1, "completed").await;
    assert_eq!(done(&result), "Step 1 updated to completed: Extract auth logic");
    mark(&f, "plan-001", 2, "in_progress").await;
    assert_eq!(f.disk(FIRST), text.replace("1. [ ]", "1. [x]").replace("2. [ ]", "2. [~]"));
    let listed = format!(
        "Found 1 plan(s):\n\n- **plan-001**: Refactor authentication module [active] (created: \
         {today}, 1/3 completed)\n  Steps: 1 completed, 1 in progress, 1 pending\n"
    );
    assert_eq!(done(&f.call("list_plans", json!({})).await), listed);
    let read = f.call("read_plan", json!({"plan_id": "plan-001"})).await;
    assert_eq!(done(&read), f.disk(FIRST));
    assert!(f.host.asks().is_empty());
    assert_eq!(f.workspace.query(|session| session.reviews().len()), 0);
}

#[tokio::test]
async fn ids_are_found_by_scanning_and_a_plan_keeps_its_date() {
    let old = "# Plan: Old\n\n**Created**: 2020-02-02\n\n1. [x] a\n";
    let others = [("plan-7.md", ""), ("plan-020.txt", ""), ("notes.md", ""), ("plan-009.md", old)];
    let files = others.map(|(name, text)| (format!(".agent-air/plans/{name}"), text));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let f = fixture(&files);
    let result = f.call("markdown_plan", plan()).await;
    assert!(done(&result).starts_with("Plan 'plan-010' saved"), "{result}");
    let mut again = plan();
    again["plan_id"] = "plan-009".into();
    done(&f.call("markdown_plan", again.clone()).await);
    let text = f.disk(".agent-air/plans/plan-009.md");
    assert!(
        text.contains("**Created**: 2020-02-02\n") && text.contains("1. [ ] Extract"),
        "{text}"
    );
    let list = f.call("list_plans", json!({})).await;
    assert!(done(&list).starts_with("Found 2 plan(s):\n\n- **plan-009**"), "{list}");
    assert!(!done(&list).contains("Steps:"), "all steps are in one state: {list}");
    again["plan_id"] = "plan-011".into();
    let result = f.call("markdown_plan", again).await;
    assert!(message(&result).starts_with("Plan 'plan-011' not found."), "{result}");
}

#[tokio::test]
async fn bad_arguments_change_nothing() {
    let f = fixture(&[(FIRST, "# Plan: x\n\n1. [ ] a\n"), (".agent-air/plans/plan-002.md", "x")]);
    let check = async |tool: &str, args: Value, want: &str| {
        let result = f.call(tool, args).await;
        assert!(message(&result).contains(want), "{want}: {result}");
    };
    for id in ["", "../../x", "plan-001.md", "/etc/passwd", "plan-1", "plan-001\0"] {
        let want = "\"plan_id\" must be like plan-001";
        check("read_plan", json!({"plan_id": id}), want).await;
        let mut args = plan();
        args["plan_id"] = id.into();
        check("markdown_plan", args, want).await;
        check("update_plan_step", json!({"plan_id": id, "step": 1, "status": "pending"}), want)
            .await;
    }
    let want = "Plan 'plan-003' not found. Use list_plans to see available plans.";
    check("read_plan", json!({"plan_id": "plan-003"}), want).await;
    let step = |id: &str, step: Value| json!({"plan_id": id, "step": step, "status": "completed"});
    check("update_plan_step", step("plan-003", json!(1)), "Create the plan first").await;
    let want = "Step 2 is out of range. Plan 'plan-001' has 1 step(s).";
    check("update_plan_step", step("plan-001", json!(2)), want).await;
    check("update_plan_step", step("plan-001", json!(-1)), "out of range").await;
    check("update_plan_step", step("plan-001", json!(u64::MAX)), "out of range").await;
    check("update_plan_step", step("plan-001", json!("1")), "\"step\" must be an integer").await;
    check("update_plan_step", step("plan-002", json!(1)), "No steps found in plan").await;
    let status = json!({"plan_id": "plan-001", "step": 1, "status": "done"});
    check("update_plan_step", status, "one of \"pending\"").await;
    check("markdown_plan", json!({"title": "t", "steps": []}), "at least 1").await;
    check("markdown_plan", json!({"title": " \n", "steps": [{"description": "a"}]}), "\"title\"")
        .await;
    let steps = json!([{"description": "a"}, {"description": " "}]);
    check("markdown_plan", json!({"title": "t", "steps": steps}), "step 2 has an empty").await;
    let huge = json!([{"description": "x".repeat(10_000_000)}]);
    check("markdown_plan", json!({"title": "t", "steps": huge}), "at most 100000 bytes").await;
    check("markdown_plan", json!({"title": "t", "steps": [{}]}), "description\" is missing").await;
    assert_eq!(f.disk(FIRST), "# Plan: x\n\n1. [ ] a\n");
    assert_eq!(std::fs::read_dir(f.root.join(".agent-air/plans")).unwrap().count(), 2);
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_written_through_a_link_or_read_from_a_pipe() {
    let link = |to: &std::path::Path, at: &std::path::Path| {
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, at).unwrap();
    };
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("plan-001.md"), "1. [ ] theirs\n").unwrap();
    for at in [".agent-air", ".agent-air/plans"] {
        let f = fixture(&[]);
        link(outside.path(), &f.root.join(at));
        for (tool, args) in [
            ("markdown_plan", plan()),
            ("list_plans", json!({})),
            ("read_plan", json!({"plan_id": "plan-001"})),
            ("update_plan_step", json!({"plan_id": "plan-001", "step": 1, "status": "completed"})),
        ] {
            let result = f.call(tool, args).await;
            assert!(message(&result).contains("symbolic link"), "{at} {tool}: {result}");
        }
    }
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
    let f = fixture(&[("main.rs", "1. [ ] a\n"), (".agent-air/plans/plan-002.md", "1. [ ] b\n")]);
    link(&f.root.join("main.rs"), &f.root.join(FIRST));
    assert!(message(&mark(&f, "plan-001", 1, "completed").await).contains("symbolic link"));
    assert_eq!(f.disk("main.rs"), "1. [ ] a\n");
    let pipe = f.root.join(".agent-air/plans/plan-003.md");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let result = f.call("read_plan", json!({"plan_id": "plan-003"})).await;
    assert!(message(&result).contains("is not a regular file"), "{result}");
    let list = f.call("list_plans", json!({})).await;
    assert!(done(&list).contains("- **plan-001**: cannot be read:"), "{list}");
    assert!(done(&list).contains("- **plan-002**: Untitled [unknown]"), "{list}");
    assert!(done(&list).contains("- **plan-003**: cannot be read:"), "{list}");
    let result = f.call("markdown_plan", plan()).await;
    assert!(done(&result).starts_with("Plan 'plan-004' saved"), "{result}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_change_is_lost_among_threads_and_sessions() {
    const STEPS: usize = 24;
    let f = fixture(&[]);
    let steps: Vec<Value> = (0..STEPS).map(|n| json!({"description": format!("s{n}")})).collect();
    done(&f.call("markdown_plan", json!({"title": "t", "steps": steps})).await);
    // Two sessions on one folder stand for two processes: only the disk is common to them.
    let tools = [f.tools.clone(), another(&f)];
    let run = |at: usize, name: &'static str, args: Value| {
        let (tools, mut scope) = (tools[at % 2].clone(), f.scope.clone());
        scope.thread = format!("T-{at}").as_str().into();
        tokio::spawn(async move { one(&tools, &scope, name, args).await })
    };
    let marks = (1..=STEPS).map(|step| {
        run(
            step,
            "update_plan_step",
            json!({"plan_id": "plan-001", "step": step, "status": "completed"}),
        )
    });
    let marks: Vec<_> = marks.collect();
    let plans: Vec<_> = (0..8).map(|at| run(at, "markdown_plan", plan())).collect();
    for task in marks.into_iter().chain(plans) {
        let result = task.await.unwrap();
        assert_eq!(result["status"], "done", "{result}");
    }
    assert_eq!(f.disk(FIRST).matches("[x]").count(), STEPS);
    let list = f.call("list_plans", json!({})).await;
    assert!(done(&list).starts_with("Found 9 plan(s):"), "{list}");
}

fn another(f: &Fixture) -> Arc<Tools> {
    let config = f.workspace.query(|session| session.config().clone());
    let workspace = Workspace::start(config, f.front.clone());
    Tools::new(workspace, f.host.clone(), builtin())
}

async fn one(tools: &Tools, scope: &crate::Scope, name: &str, args: Value) -> Value {
    let call = crate::ToolCall { id: "c".to_owned(), name: name.to_owned(), args };
    wire(&tools.run(scope, vec![call], &|_| {}).await[0])
}

#[tokio::test]
async fn unsaved_text_of_an_open_plan_stays() {
    let f = fixture(&[]);
    done(&f.call("markdown_plan", plan()).await);
    let file = WorkspacePath::assume_canonical(&f.root.join(FIRST));
    let uri = "file:///plan".to_owned();
    f.workspace.opened(file.clone(), uri.clone(), 1, f.disk(FIRST));
    let at = Position { line: 10, character: 0 };
    let typed = ContentChange {
        range: Some(PositionRange { start: at, end: at }),
        text: "   typed\n".to_owned(),
    };
    f.workspace.changed(uri, 2, vec![typed]);
    let read = f.call("read_plan", json!({"plan_id": "plan-001"})).await;
    assert!(done(&read).contains("   typed\n"), "{read}");
    let before = f.disk(FIRST);
    let call = mark(&f, "plan-001", 1, "completed");
    let look = async {
        until("the editor is asked to edit", || {
            f.front.0.lock().unwrap().iter().any(|effect| effect.starts_with("ApplyEdit"))
        })
        .await;
        f.front.0.lock().unwrap().iter().find(|it| it.starts_with("ApplyEdit")).cloned()
    };
    let effect = tokio::select! {
        result = call => panic!("the editor has not answered yet: {result}"),
        effect = look => effect.unwrap(),
    };
    assert!(effect.contains("line: 8, character: 4") && effect.contains("new: \"x\""), "{effect}");
    assert_eq!(f.disk(FIRST), before, "the disk is the editor's to write");
}

#[tokio::test]
async fn a_users_reject_counts_and_other_families_may_call() {
    let f = Fixture::with(&[], "reject markdown_plan", TestHost::default(), builtin());
    assert_eq!(f.call("markdown_plan", plan()).await["status"], "rejected-by-user");
    assert!(!f.root.join(".agent-air").exists());
    assert_eq!(f.call("list_plans", json!({})).await["status"], "done");
    let mut f = fixture(&[]);
    f.scope = scope(&f.root.join("sub/folder"), "T-9");
    f.scope.context = redline_permissions::Context::Subagent;
    done(&f.call("markdown_plan", plan()).await);
    assert!(f.root.join(FIRST).exists(), "in the workspace's folder, not in the working directory");
}
