//! Bad input for every tool of the registry: a clear answer, and nothing changed.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::{Map, Value, json};

use super::builtin;
use crate::{
    Dialect, Scope, ToolCall, ToolDefinition,
    fixture::{Fixture, scope, wire},
    samples,
    testing::TestHost,
};

/// No call with bad input takes longer, also on a slow and busy machine.
const LIMIT: Duration = Duration::from_secs(30);

/// The agent's own papers: a call that is well formed may write them.
const PAPERS: [&str; 1] = [".agent-air"];

/// A workspace with one of everything that a path can lead to.
struct Place {
    f: Fixture,
    outside: PathBuf,
}

impl Place {
    fn new() -> Self {
        Self::with(TestHost::allowing())
    }

    fn with(host: TestHost) -> Self {
        let files = [("a.txt", "one\n"), ("folder/b.txt", "b\n"), (".env", "SECRET=1\n")];
        let f = Fixture::with(&files, "", host, builtin());
        let outside = f.root.parent().unwrap().join("outside");
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("c.txt"), "c\n").unwrap();
        fs::write(f.root.join("binary"), b"\0\x01\x02\xff").unwrap();
        #[cfg(unix)]
        {
            use rustix::fs::{CWD, Mode, mkfifoat};
            use std::os::unix::fs::symlink;
            mkfifoat(CWD, f.root.join("fifo"), Mode::RUSR | Mode::WUSR).unwrap();
            symlink(&outside, f.root.join("out")).unwrap();
            symlink("loop", f.root.join("loop")).unwrap();
        }
        Self { f, outside }
    }

    /// Every file and what is in it, the agent's own papers aside.
    fn state(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut state = BTreeMap::new();
        for root in [&self.f.root, &self.outside] {
            collect(root, &mut state);
        }
        state.retain(|path, _| {
            let inside = path.strip_prefix(&self.f.root).unwrap_or(path);
            !PAPERS.iter().any(|papers| inside.starts_with(papers))
        });
        state
    }

    async fn call(&self, tool: &ToolDefinition, args: &Value) -> Value {
        let dialect = tool.spec.dialect.unwrap_or(Dialect::Amp);
        // A thread of its own: what one call proposed is nothing to the next.
        let scope = Scope { dialect, ..scope(&self.f.root, "T-bad") };
        let call = ToolCall { id: "c".into(), name: tool.spec.name.clone(), args: args.clone() };
        let begun = Instant::now();
        let results = self.f.tools.run(&scope, vec![call], &|_| {}).await;
        let took = begun.elapsed();
        assert!(took < LIMIT, "{} {}: {took:?}", tool.spec.name, short(args));
        assert_eq!(results.len(), 1);
        let result = wire(&results[0]);
        let text = result.to_string();
        assert!(!text.contains("fault of its own"), "{} {}: {text}", tool.spec.name, short(args));
        result
    }
}

fn collect(path: &Path, state: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
    let kind = path.symlink_metadata().unwrap().file_type();
    state.insert(path.to_owned(), kind.is_file().then(|| fs::read(path).unwrap()));
    if kind.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), state);
        }
    }
}

fn short(args: &Value) -> String {
    args.to_string().chars().take(200).collect()
}

fn properties(tool: &ToolDefinition) -> Map<String, Value> {
    let known = tool.spec.input_schema.get("properties").and_then(Value::as_object);
    known.cloned().unwrap_or_default()
}

fn error<'a>(tool: &ToolDefinition, args: &Value, result: &'a Value) -> &'a str {
    assert_eq!(result["status"], "error", "{} {}: {result}", tool.spec.name, short(args));
    result["error"]["message"].as_str().unwrap()
}

fn is_required(tool: &ToolDefinition, name: &str) -> bool {
    let required = tool.spec.input_schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|it| it == name))
}

/// Values of every kind but the schema's.
fn of_other_kinds(property: &Value) -> Vec<Value> {
    let all = [json!("x"), json!(7), json!(true), json!([1, [2]]), json!({"x": 1})];
    let fits = |value: &Value| match property.get("type").and_then(Value::as_str) {
        Some("string") => value.is_string(),
        Some("number" | "integer") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    };
    all.into_iter().filter(|value| !fits(value)).collect()
}

#[tokio::test]
async fn missing_and_wrong_arguments_are_named() {
    let place = Place::new();
    let before = place.state();
    for tool in builtin().tools() {
        let good = samples::plausible(&tool.spec.input_schema, &place.f.root);
        for (name, property) in properties(tool) {
            for wrong in of_other_kinds(&property) {
                let mut args = good.clone();
                args[&name] = wrong;
                let result = place.call(tool, &args).await;
                let said = error(tool, &args, &result);
                assert!(said.contains(&format!("\"{name}\" must be")), "{args}: {said}");
            }
            if is_required(tool, &name) {
                let mut args = good.clone();
                args.as_object_mut().unwrap().remove(&name);
                let result = place.call(tool, &args).await;
                let said = error(tool, &args, &result);
                assert!(said.contains(&format!("\"{name}\" is missing")), "{args}: {said}");
            }
        }
        for args in [json!([]), json!("text"), json!(3), json!(true)] {
            let result = place.call(tool, &args).await;
            assert!(error(tool, &args, &result).contains("must be an object"), "{result}");
        }
    }
    assert_eq!(place.state(), before);
}

/// Strings that no argument is meant to have.
fn absurd_texts(root: &Path) -> Vec<String> {
    let at = |name: &str| root.join(name).display().to_string();
    let mut texts: Vec<String> = [
        "",
        " ",
        "\0",
        "a\0b",
        "~nobody/x",
        "\u{202e}x",
        "\r\n",
        "*/",
        "[",
        "{",
        "\\",
        "(?",
        "-",
        "--help",
        "NaN",
        "-1",
        "https://",
        "file:///etc/passwd",
        "%00",
        "/dev/zero",
        "/dev/stdin",
        "/proc/self/mem",
        "/proc/self/environ",
        "/proc/kmsg",
        "@x:../y",
        "@",
        "@:",
        "plan-000/../../x",
        "\u{fffd}\u{10ffff}",
    ]
    .map(str::to_owned)
    .into();
    let places =
        ["fifo", "folder", "out/c.txt", "out/new.txt", "loop", "binary", ".env", "a.txt/x"];
    texts.extend(places.map(at));
    texts.push(at(&"x/".repeat(3000)));
    texts.push("x".repeat(10 * 1024 * 1024));
    texts
}

fn absurd(property: &Value, root: &Path) -> Vec<Value> {
    match property.get("type").and_then(Value::as_str) {
        Some("string") if property.get("enum").is_none() => {
            absurd_texts(root).into_iter().map(Value::from).collect()
        }
        Some("number" | "integer") => {
            let all = [json!(-1), json!(0), json!(i64::MIN), json!(u64::MAX), json!(1e308)];
            all.into_iter().chain([json!(-0.0), json!(0.5), json!(1e-308)]).collect()
        }
        Some("array") => {
            let item = samples::one("x", &property["items"], root);
            let all = [json!([]), json!([null]), Value::Array(vec![item; 10_000])];
            all.into_iter().collect()
        }
        Some("object") => vec![json!({}), json!({"": null, "\0": "\0", "PATH": 1})],
        _ => vec![Value::Null],
    }
}

/// Whether well or badly taken, nothing on disk changes: edits wait for the user.
#[tokio::test]
async fn absurd_arguments_change_nothing() {
    for tool in builtin().tools() {
        let place = Place::new();
        unchanged(tool, &place, absurd).await;
    }
}

/// Places that hold more than a test can look through: the user says no, and that is the end of it.
#[tokio::test]
async fn what_leads_out_of_the_workspace_is_asked() {
    for tool in builtin().tools() {
        let place = Place::with(TestHost::default());
        unchanged(tool, &place, |property, _| match property["type"].as_str() {
            Some("string") => ["..", "../..", "/", "//", "~", "/proc"].map(Value::from).into(),
            _ => Vec::new(),
        })
        .await;
    }
}

async fn unchanged(
    tool: &ToolDefinition,
    place: &Place,
    bad: impl Fn(&Value, &Path) -> Vec<Value>,
) {
    let before = place.state();
    let good = samples::plausible(&tool.spec.input_schema, &place.f.root);
    for (name, property) in properties(tool) {
        for value in bad(&property, &place.f.root) {
            let mut args = good.clone();
            args[&name] = value;
            let result = place.call(tool, &args).await;
            let said = result["error"]["message"].as_str();
            assert!(said.is_none_or(|said| !said.trim().is_empty()), "{}", short(&args));
            assert!(
                !result.to_string().contains("SECRET=1"),
                "{} {}",
                tool.spec.name,
                short(&args)
            );
        }
    }
    assert_eq!(place.state(), before, "{}", tool.spec.name);
}

/// An argument that a schema does not know is named; it never changes what the call does.
#[tokio::test]
async fn unknown_arguments_are_named() {
    let place = Place::new();
    for tool in builtin().tools() {
        let mut args = samples::plausible(&tool.spec.input_schema, &place.f.root);
        args["no_such_argument"] = json!("x");
        let result = place.call(tool, &args).await;
        let is_told = match result["status"].as_str() {
            Some("done") => result.to_string().contains("no_such_argument"),
            _ => true,
        };
        assert!(is_told, "{}: {result}", tool.spec.name);
    }
}
