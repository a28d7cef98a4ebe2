//! Messages on their way in, before tower-lsp sees them.

use serde_json::{Value, json};

/// Standard methods whose parameters name documents. lsp-types rewrites URIs (it normalises and
/// re-encodes them), but the wire keeps the client's own; so these are routed to handlers with types
/// of ours, under names of ours.
pub const OWN: [&str; 8] = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didSave",
    "textDocument/didClose",
    "textDocument/codeLens",
    "textDocument/codeAction",
    "textDocument/hover",
    "workspace/executeCommand",
];

/// The name under which our handler of a method of `OWN` is registered.
macro_rules! own {
    ($method:literal) => {
        concat!("redline/", $method)
    };
}
pub(crate) use own;

/// Evens out what clients may do differently: parameters that are null or missing, names of `OWN`.
pub fn inward(mut message: Value) -> Value {
    let Some(method) = message.get("method").and_then(Value::as_str).map(str::to_owned) else {
        return message;
    };
    if message.get("params").is_some_and(Value::is_null) {
        message.as_object_mut().map(|fields| fields.shift_remove("params"));
    }
    if method.starts_with("redline/") && message.get("params").is_none() {
        message["params"] = json!({});
    }
    if method == "shutdown" {
        message.as_object_mut().map(|fields| fields.shift_remove("params"));
    }
    if method == "initialize" {
        prune(&mut message);
    }
    if OWN.contains(&method.as_str()) {
        message["method"] = Value::from(format!("redline/{method}"));
    }
    message
}

/// The parameters of `initialize` that are read.
const INTRODUCTION: [&str; 5] =
    ["processId", "rootUri", "workspaceFolders", "initializationOptions", "capabilities"];

fn prune(message: &mut Value) {
    if let Some(params) = message.get_mut("params").and_then(Value::as_object_mut) {
        params.retain(|name, _| INTRODUCTION.contains(&name.as_str()));
    }
    let Some(capabilities) = message.pointer_mut("/params/capabilities") else { return };
    // `Client` reads them. lsp-types must not: a client may say what it has never heard of.
    let said = capabilities.take();
    *capabilities = json!({ "experimental": said });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: Value, want: Value) {
        assert_eq!(inward(message), want);
    }

    #[test]
    fn messages_are_evened_out() {
        check(
            json!({"id": 1, "method": "shutdown", "params": null}),
            json!({"id": 1, "method": "shutdown"}),
        );
        check(
            json!({"id": 1, "method": "redline/reviews"}),
            json!({"id": 1, "method": "redline/reviews", "params": {}}),
        );
        check(
            json!({"method": "textDocument/didOpen", "params": {"a": 1}}),
            json!({"method": "redline/textDocument/didOpen", "params": {"a": 1}}),
        );
        check(json!([1]), json!([1]));
        check(json!({"method": 3}), json!({"method": 3}));
        let capabilities = json!({
            "textDocument": {"codeAction": {"from": "the future"}},
            "workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true, "x": []}},
            "experimental": {"redline": {"review": true}},
        });
        check(
            json!({"method": "initialize", "params": {"trace": "new", "capabilities": capabilities.clone()}}),
            json!({"method": "initialize",
                "params": {"capabilities": {"experimental": capabilities.clone()}}}),
        );
    }
}
