use redline_workspace::{OptionId, ResolveAction, ResolveRequest};
use serde_json::{Value, json};

use crate::{
    Dialect, builtin,
    fixture::{Fixture, message},
    testing::{TestHost, answer},
};

const TEXT: &str =
    "use old_crate;\n\nfn main() {\n    old_crate::init();\n    old_crate::run();\n}\n";

fn fixture() -> Fixture {
    with_rules("")
}

fn with_rules(rules: &str) -> Fixture {
    let files = [("m.rs", TEXT), (".env", "A=1\n"), ("empty", "")];
    let mut f = Fixture::with(&files, rules, TestHost::default(), builtin());
    f.scope.dialect = Dialect::AgentAir;
    f
}

fn edit(old: &str, new: &str) -> Value {
    json!({"old_string": old, "new_string": new})
}

fn with(mut args: Value, name: &str, value: impl Into<Value>) -> Value {
    args[name] = value.into();
    args
}

async fn multi(f: &Fixture, edits: Value) -> Value {
    f.call("multi_edit", json!({"file_path": f.path("m.rs"), "edits": edits})).await
}

async fn single(f: &Fixture, args: Value) -> Value {
    f.call("edit_file", with(args, "file_path", f.path("m.rs"))).await
}

#[tokio::test]
async fn the_example_of_seed_002() {
    let f = fixture();
    let edits = json!([
        edit("use old_crate;", "use new_crate;"),
        edit("old_crate::init()", "new_crate::init()")
    ]);
    let result = multi(&f, edits).await;
    let report = |line| {
        json!({
            "match": "exact", "similarity": 1.0, "lines": [line, line], "replaced": 1,
            "occurrences": 1,
        })
    };
    assert_eq!(result["status"], "done", "{result}");
    assert_eq!(result["result"]["edits"], json!([report(1), report(4)]));
    assert_eq!(result["result"]["lineRange"], json!([1, 4]));
    let diff = result["result"]["diff"].as_str().unwrap();
    assert!(diff.starts_with("--- a/m.rs\n+++ b/m.rs\n@@ -1,6 +1,6 @@\n"), "{diff}");
    // One call, one op: two hunks, accepted and undone like others.
    assert_eq!(result["review"], json!({"state": "pending", "hunks": ["h1", "h1.1"]}));
    assert_eq!(f.disk("m.rs"), TEXT);
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
    let want = TEXT.replace("use old", "use new").replace("old_crate::init", "new_crate::init");
    assert_eq!(f.disk("m.rs"), want);
}

#[tokio::test]
async fn edits_do_not_see_each_other() {
    let f = fixture();
    let result = multi(
        &f,
        json!([edit("init()", "run()"), with(edit("run()", "stop()"), "replace_all", true)]),
    )
    .await;
    assert_eq!(result["status"], "done", "{result}");
    let read = f.call("Read", json!({"path": "m.rs", "read_range": [4, 5]})).await;
    let lines = read["result"].as_str().unwrap();
    assert!(lines.starts_with("4:     old_crate::run();\n5:     old_crate::stop();\n"), "{lines}");
    // Touching is no overlap.
    let result = multi(&f, json!([edit("use ", "pub use "), edit("old_crate;", "x;")])).await;
    assert_eq!(result["status"], "done", "{result}");
}

#[tokio::test]
async fn all_edits_or_none() {
    let f = fixture();
    let good = edit("use old_crate;", "use new_crate;");
    let missing = edit("use the_crate_that_nobody_has_ever_heard_of_in_this_project;", "x");
    let result = multi(&f, json!([good, missing, edit("main", "main"), edit("", "x")])).await;
    let text = message(&result);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "edit 2 of 4: Could not find exact match for old_string: \
         \"use the_crate_that_nobody_has_ever_heard_of_in_thi\"…"
    );
    let has = |line: &str| assert!(lines.iter().any(|it| it.starts_with(line)), "{text}");
    has("edit 3 of 4: old_string and new_string must be different");
    has("edit 4 of 4: Could not find exact match for old_string");
    assert!(!text.contains("edit 1 of 4"), "{text}");
    assert_eq!(lines.last(), Some(&"Nothing was changed: all edits of a call are made, or none."));
    assert_eq!(f.workspace.query(|session| session.reviews().len()), 0);
}

#[tokio::test]
async fn overlaps_are_named() {
    let f = fixture();
    let check = async |edits: Value, want: &str| {
        let result = multi(&f, edits).await;
        assert!(message(&result).contains(want), "{result}");
    };
    let edits = json!([edit("run()", "x()"), edit("old_crate::init", "y"), edit("init();", "z;")]);
    check(edits, "edit 2 and edit 3 overlap at line 4").await;
    check(json!([edit("use", "a"), edit("use", "b")]), "edit 1 and edit 2 overlap at line 1").await;
    check(json!([]), "edits is empty").await;
    check(Value::Array(vec![edit("a", "b"); 51]), "at most 50").await;
    let bad = with(edit("a", "b"), "fuzzy_threshold", 7);
    check(json!([edit("use", "a"), bad]), "edit 2: \"fuzzy_threshold\" must be").await;
    assert_eq!(f.disk("m.rs"), TEXT);
}

#[tokio::test]
async fn fifty_edits_are_one_proposal() {
    let text: String = (0..100).map(|n| format!("line {n:03}\n")).collect();
    let f = Fixture::new(&[("f", &text)]);
    let edits: Vec<Value> =
        (0..50).rev().map(|n| edit(&format!("line {:03}", 2 * n), &format!("LINE {n}"))).collect();
    let args = json!({"file_path": f.path("f"), "edits": edits});
    let result = f.call("multi_edit", args).await;
    assert_eq!(result["review"]["hunks"].as_array().unwrap().len(), 50, "{result}");
    f.workspace.resolve(ResolveRequest::all(ResolveAction::Accept)).await.unwrap();
    let want = (0..50)
        .fold(text, |text, n| text.replace(&format!("line {:03}", 2 * n), &format!("LINE {n}")));
    assert_eq!(f.disk("f"), want);
}

#[tokio::test]
async fn a_dry_run_only_counts() {
    let f = with_rules("allow edit_file");
    let fuzzy = with(edit("fn main()   {", "fn start() {"), "fuzzy_match", true);
    let edits = json!([with(edit("old_crate", "new"), "replace_all", true), fuzzy]);
    let args = json!({"file_path": f.path("m.rs"), "edits": edits, "dry_run": true});
    let result = f.call("multi_edit", args).await;
    let found = &result["result"];
    assert_eq!(found["dryRun"], true, "{result}");
    assert_eq!((&found["editCount"], &found["replacementCount"]), (&json!(2), &json!(4)));
    assert_eq!((&found["fuzzyMatches"], &found["averageSimilarity"]), (&json!(1), &json!(0.95)));
    assert_eq!(found["sizeDifference"], json!(3 * -6 + 1));
    assert!(found["diff"].as_str().unwrap().contains("+fn start() {"));
    assert!(found["note"].as_str().unwrap().starts_with("Dry run: nothing was proposed."));
    assert_eq!((result.get("review"), result.get("trackFiles")), (None, None));
    assert_eq!(f.disk("m.rs"), TEXT);
    assert_eq!(f.workspace.query(|session| session.reviews().len()), 0);
}

#[tokio::test]
async fn a_dry_run_counts_the_bytes_of_the_file() {
    let f = fixture();
    std::fs::write(f.root.join("wide"), b"\xFF\xFEa\0\n\0").unwrap();
    let args = json!({"file_path": "wide", "edits": [edit("a", "é😀")], "dry_run": true});
    let result = f.call("multi_edit", args).await;
    assert_eq!(result["result"]["sizeDifference"], json!(4), "{result}");
}

#[tokio::test]
async fn the_first_of_several_is_replaced() {
    // Seed 002: "By default, only the first occurrence is replaced."
    let f = fixture();
    let result = single(&f, edit("old_crate", "new_crate")).await;
    assert_eq!(result["result"]["lineRange"], json!([1, 1]), "{result}");
    let note = result["result"]["note"].as_str().unwrap();
    assert!(note.starts_with("Replaced occurrence 1 of 3.\nProposed;"), "{note}");
    let result = single(&f, with(edit("old_crate", "x"), "replace_all", true)).await;
    assert_eq!(result["result"]["lineRange"], json!([4, 5]), "{result}");
}

#[tokio::test]
async fn later_stages_need_fuzzy_match() {
    let f = fixture();
    let old = edit("fn main()  {\nold_crate::init();", "fn main() {\nold_crate::start();");
    let result = single(&f, old.clone()).await;
    let text = message(&result);
    let first = "Could not find exact match for old_string: \"fn main()  {\\nold_crate::init();\"";
    assert_eq!(text.lines().next(), Some(first));
    let result = single(&f, with(old, "fuzzy_match", true)).await;
    let note = result["result"]["note"].as_str().unwrap_or_default();
    assert!(note.contains("95 % similar"), "{result}");
    for (threshold, ok) in [(json!(1.5), false), (json!(-1), false), (json!(1), true)] {
        let args = with(edit("old_crate::run", "x"), "fuzzy_threshold", threshold);
        let status = single(&f, args).await["status"].clone();
        assert_eq!(status, if ok { "done" } else { "error" });
    }
}

#[tokio::test]
async fn a_rule_on_edit_file_catches_multi_edit() {
    let edits = json!([edit("use old_crate;", "use new_crate;")]);
    let check = async |rules: &str, status: &str, state: &str| {
        let f = with_rules(rules);
        let result = multi(&f, edits.clone()).await;
        assert_eq!(result["status"], status, "{rules}: {result}");
        if status == "done" {
            assert_eq!(result["review"]["state"], state, "{rules}: {result}");
        }
    };
    check("", "done", "pending").await;
    check("allow edit_file", "done", "applied").await;
    check("allow multi_edit", "done", "applied").await;
    check("allow multi_edit --file_path m.rs", "done", "applied").await;
    check("allow edit_file --path m.rs", "done", "applied").await;
    check("allow edit_file --path n.rs", "done", "pending").await;
    check("reject edit_file", "rejected-by-user", "").await;
    check("reject Edit --path '*.rs'", "rejected-by-user", "").await;
    check("reject edit_file --new_str '*new_crate*'", "rejected-by-user", "").await;
    check("reject edit_file --new_str '*other*'\nallow edit_file", "done", "applied").await;
    check("allow edit_file --new_str '*new_crate*'", "done", "applied").await;
    check("reject create_file", "done", "pending").await;
    check("reject multi_edit\nallow edit_file", "rejected-by-user", "").await;
}

#[tokio::test]
async fn a_rule_on_multi_edit_is_none_on_edit_file() {
    let f = with_rules("reject multi_edit");
    assert_eq!(single(&f, edit("use ", "pub use ")).await["status"], "done");
}

#[tokio::test]
async fn secret_files_are_guarded() {
    let f = with_rules("allow edit_file\nallow multi_edit");
    for path in [f.path(".env"), "./.env".to_owned()] {
        let edits = json!([edit("A", "B")]);
        for dry_run in [false, true] {
            let args = json!({"file_path": path, "edits": edits, "dry_run": dry_run});
            let result = f.call("multi_edit", args).await;
            assert_eq!(result["error"]["errorCode"], "reading-secret-file", "{result}");
        }
    }
    assert_eq!(f.disk(".env"), "A=1\n");
    let f = with_rules("allow edit_file --path .env");
    let args = json!({"file_path": f.path(".env"), "edits": [edit("A", "B")]});
    assert_eq!(f.call("multi_edit", args).await["status"], "done", "a rule that names it lifts it");
}

#[tokio::test]
async fn a_file_outside_is_asked_for() {
    let host = TestHost::new([answer(OptionId::Once)]);
    let mut f = Fixture::with(&[], "", host, builtin());
    f.scope.dialect = Dialect::AgentAir;
    let outside = f.root.parent().unwrap().join("outside.txt");
    std::fs::write(&outside, "a\n").unwrap();
    let args = json!({"file_path": outside, "edits": [edit("a", "b")]});
    let result = f.call("multi_edit", args.clone()).await;
    assert_eq!(result["review"]["state"], "pending", "{result}");
    let asks = f.host.asks();
    assert_eq!((asks.len(), &asks[0].tool, &asks[0].args), (1, &"multi_edit".to_owned(), &args));
}

#[tokio::test]
async fn what_the_other_families_may_call() {
    let mut f = fixture();
    f.scope.dialect = Dialect::Amp;
    // By its name, with their own words for the arguments.
    let args = json!({"path": f.path("m.rs"), "edits": [{"old_str": "use", "new_str": "pub use"}]});
    for name in ["multi_edit", "MultiEdit"] {
        let result = f.call(name, args.clone()).await;
        assert_eq!(result["status"], "done", "{result}");
    }
    let offered = |dialect| -> Vec<String> {
        f.tools.specs(dialect).iter().map(|spec| spec.name.clone()).collect()
    };
    let amp = offered(Dialect::Amp);
    assert!(!amp.iter().any(|name| name == "multi_edit"), "{amp:?}");
    assert_eq!(offered(Dialect::Amplifier), amp);
    // All that Amp has, with an `edit_file` of its own, and `multi_edit`.
    let air = offered(Dialect::AgentAir);
    let missing: Vec<&String> = amp.iter().filter(|name| !air.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(air.iter().any(|name| name == "multi_edit"), "{air:?}");
}

#[tokio::test]
async fn arguments_of_the_wrong_kind_are_named() {
    let f = fixture();
    let check = async |args: Value, want: &str| {
        let result = f.call("multi_edit", args).await;
        assert!(message(&result).contains(want), "{result}");
    };
    check(json!({"file_path": "m.rs"}), "\"edits\" is missing").await;
    check(json!({"file_path": "m.rs", "edits": [{"old_string": "a"}]}), "\"edits[0].new_string\"")
        .await;
    check(json!({"file_path": "m.rs", "edits": "x"}), "\"edits\" must be an array").await;
    check(json!({"file_path": "none", "edits": [edit("a", "b")]}), "file not found.").await;
}
