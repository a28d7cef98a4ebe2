//! What a call would come to, without making it: the same way through resolve, validate, prepare and
//! the rules as a call's, and nothing is run, asked or started.

use std::path::Path;

use redline_permissions::{
    Action, Call, Origin, Verdict,
    guards::{dangers, is_secret_file},
};
use serde_json::Value;

use super::case::Case;
use crate::{Scope, ToolCall, ToolDefinition, Tools};

/// The answer for a call that was not made.
#[derive(Debug, Clone)]
pub struct Judged<T> {
    /// The tool's canonical name; as written if there is no such tool.
    pub tool: String,
    /// The arguments as the call would have them: Bash's with `cwd`, and without a leading `cd`.
    pub args: Value,
    /// What the rules say.
    pub verdict: Verdict,
    /// Whether an *ask* means that the edit waits as hunks for the user's review.
    pub becomes_hunks: bool,
    /// Arguments that the tool has not: they count for nothing.
    pub ignored: Vec<String>,
    /// What the tool itself would still refuse, whatever the rules say; one sentence each.
    pub guards: Vec<String>,
    /// What `look` made of the call, and of each command that the call would run where its tool finds
    /// them itself. The first is the call.
    pub looks: Vec<T>,
}

impl Tools {
    /// Judges a call. A tool that there is not (another program's, `mcp__…`, `tb__…`) is judged by its
    /// name and arguments. Arguments that are missing or of a wrong kind are no error here: a rule is
    /// tried with as little as it needs.
    ///
    /// # Errors
    /// A sentence: a path that names nothing, or the commands that the tool would run can't be found.
    pub async fn judge<T>(
        &self,
        scope: &Scope,
        call: ToolCall,
        mut look: impl FnMut(&Call<'_>) -> T,
    ) -> Result<Judged<T>, String> {
        let resolved = self.resolve(scope, call);
        let Ok(tool) = &resolved.tool else {
            return Ok(self.judge_unknown(scope, resolved.call, look));
        };
        let (args, ignored) = match self.ready(scope, tool, &resolved.call.args).await {
            Ok(ready) => ready,
            Err(_) => known(&resolved.call.args, &tool.spec.input_schema),
        };
        let case = self.case(scope, tool, &args).map_err(|error| error.to_string())?;
        let verdict = self.judged(&case);
        let mut looks = vec![look(&case.call())];
        if case.is_planned {
            looks.extend(case.lines.iter().map(|line| case.as_bash(line, &line.cmd, &mut look)));
        }
        Ok(Judged {
            tool: tool.spec.name.clone(),
            becomes_hunks: becomes_hunks(tool, &case, &verdict),
            guards: self.guards(tool, &case, &verdict),
            args: args.clone(),
            verdict,
            ignored,
            looks,
        })
    }

    fn judge_unknown<T>(
        &self,
        scope: &Scope,
        call: ToolCall,
        mut look: impl FnMut(&Call<'_>) -> T,
    ) -> Judged<T> {
        let (names, roots) = ([call.name.as_str()], self.workspace.roots());
        let judged = Call {
            names: &names,
            args: &call.args,
            context: scope.context,
            cwd: &scope.cwd,
            workspace: &roots,
            paths: &[],
            writes: &[],
        };
        let verdict = self.workspace.query(|session| session.evaluate(&judged));
        let looks = vec![look(&judged)];
        let (tool, args) = (call.name.clone(), call.args.clone());
        let (ignored, guards) = (Vec::new(), Vec::new());
        Judged { tool, args, verdict, becomes_hunks: false, ignored, guards, looks }
    }

    fn guards(&self, tool: &ToolDefinition, case: &Case<'_>, verdict: &Verdict) -> Vec<String> {
        if verdict.action == Action::Allow && self.names_it(verdict, case) {
            return Vec::new();
        }
        let mut guards = secrets(tool, case);
        let home = self.workspace.home();
        for line in &case.lines {
            let found = dangers(&line.cmd, &line.cwd, home.as_deref());
            guards.extend(found.iter().map(|danger| {
                format!(
                    "`{}` {}: it is refused even when it is allowed, unless a rule of yours allows \
                     exactly this command",
                    danger.command, danger.does
                )
            }));
        }
        guards
    }
}

/// Arguments that a call could not have, as far as the tool has such; and the names of the others.
fn known(args: &Value, schema: &Value) -> (Value, Vec<String>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let (Some(properties), Some(given)) = (properties, args.as_object()) else {
        return (args.clone(), Vec::new());
    };
    let is_known = |name: &String| properties.contains_key(name);
    let ignored = given.keys().filter(|name| !is_known(name)).cloned().collect();
    let known = given.iter().filter(|(name, _)| is_known(name));
    (known.map(|(name, value)| (name.clone(), value.clone())).collect(), ignored)
}

fn becomes_hunks(tool: &ToolDefinition, case: &Case<'_>, verdict: &Verdict) -> bool {
    let leaves = case.paths.iter().any(|path| !path.inside_workspace);
    let waits = matches!(verdict.action, Action::Ask | Action::Delegate);
    waits && tool.spec.meta.proposes && !leaves && verdict.origin != Origin::Outside
}

/// Tools besides those that propose which refuse to show a secret file.
const READERS: [&str; 4] = ["Read", "read_file", "Grep", "grep"];

fn secrets(tool: &ToolDefinition, case: &Case<'_>) -> Vec<String> {
    let looks_inside = tool.spec.meta.proposes || READERS.contains(&tool.spec.name.as_str());
    let is_secret =
        |written: &str, real: &Path| is_secret_file(real) || is_secret_file(Path::new(written));
    let secret = case.paths.iter().find(|path| is_secret(&path.written, &path.real));
    let refused = |real: &Path| {
        format!(
            "{} holds secrets by its name: it is refused even when it is allowed, unless a rule of \
             yours names this file",
            real.display()
        )
    };
    secret.filter(|_| looks_inside).map(|path| refused(&path.real)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{builtin, fixture::Fixture, testing::TestHost};

    const RULES: &str = "\
allow Bash --cmd 'echo *'
reject Bash --cmd 'touch *'
allow edit_file --path 'free/*'
reject Read --path '*.key'
allow Read --path '/w/literal/.env'";

    /// What a call is judged, and what becomes of it when it is made and every question is answered
    /// with no.
    async fn check(tool: &str, args: Value, want: &str) {
        let files = [("a.txt", "one\n"), ("free/a.txt", "one\n"), (".env", "S=1\n")];
        let fixture = Fixture::with(&files, RULES, TestHost::new([]), builtin());
        let call = ToolCall { id: "c".to_owned(), name: tool.to_owned(), args: args.clone() };
        let judged = fixture.tools.judge(&fixture.scope, call, |_| ()).await.unwrap();
        assert!(fixture.host.asks().is_empty() && fixture.events().is_empty());
        let result = fixture.call(tool, args.clone()).await;
        let status = result["status"].as_str().unwrap_or_default();
        let made = match (judged.verdict.action, judged.becomes_hunks, judged.guards.as_slice()) {
            (Action::Allow, _, []) => ("allow", status == "done" && fixture.host.asks().is_empty()),
            (Action::Allow, ..) => ("allow, guarded", status == "error"),
            (_, true, _) => ("hunks", result["review"]["state"] == "pending"),
            (Action::Reject, ..) => {
                ("reject", status == "rejected-by-user" && fixture.host.asks().is_empty())
            }
            _ => ("ask", fixture.host.asks().len() == 1),
        };
        assert_eq!(made, (want, true), "{tool} {args}: {judged:?}\n{result}");
    }

    #[tokio::test]
    async fn a_call_comes_to_what_it_was_judged() {
        check("Bash", json!({"cmd": "echo a"}), "allow").await;
        check("Bash", json!({"cmd": "cd free && echo a"}), "allow").await;
        check("Bash", json!({"cmd": "echo a", "env": {"PATH": "x"}}), "allow").await;
        check("Bash", json!({"cmd": "echo a && touch b"}), "reject").await;
        check("Bash", json!({"cmd": "make"}), "ask").await;
        check("Read", json!({"path": "a.txt"}), "allow").await;
        check("Read", json!({"path": "x.key"}), "reject").await;
        check("Read", json!({"path": ".env"}), "allow, guarded").await;
        check("Read", json!({"path": "/etc/hostname"}), "ask").await;
        let edit = |path: &str| json!({"path": path, "old_str": "one", "new_str": "two"});
        check("edit_file", edit("a.txt"), "hunks").await;
        check("edit_file", edit("free/a.txt"), "allow").await;
        check("edit_file", edit("/etc/hostname"), "ask").await;
    }

    #[tokio::test]
    async fn as_little_as_a_rule_needs_is_enough() {
        let fixture = Fixture::with(&[], RULES, TestHost::new([]), builtin());
        let judge = async |tool: &str, args: Value| {
            let call = ToolCall { id: "c".to_owned(), name: tool.to_owned(), args };
            fixture.tools.judge(&fixture.scope, call, |call| call.name().to_owned()).await
        };
        let edit = judge("Edit", json!({"file_path": "free/x", "colour": 1})).await.unwrap();
        assert_eq!((edit.verdict.action, edit.tool.as_str()), (Action::Allow, "edit_file"));
        assert_eq!((edit.ignored, edit.looks), (vec!["colour".into()], vec!["edit_file".into()]));
        let foreign = judge("mcp__a__b", json!({"x": 1})).await.unwrap();
        assert_eq!((foreign.verdict.action, foreign.tool.as_str()), (Action::Ask, "mcp__a__b"));
        assert!(judge("Read", json!({"path": "a\0b"})).await.is_err());
    }
}
