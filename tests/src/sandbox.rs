//! A workspace, a home and a script of one test, in a temporary folder of its own.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Folders of one test; removed with the last handle.
#[derive(Clone, Debug)]
pub struct Sandbox {
    root: Arc<tempfile::TempDir>,
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Sandbox {
    /// Empty folders.
    pub fn new() -> Self {
        let root = tempfile::Builder::new().prefix("redline-test-").tempdir().expect("a folder");
        for folder in ["workspace", "home", "config", "state", "outside"] {
            fs::create_dir(root.path().join(folder)).expect("a folder");
        }
        Self { root: Arc::new(root) }
    }

    /// A path in the sandbox, symbolic links of the temporary folder resolved.
    fn folder(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.root.path()).expect("the sandbox").join(name)
    }

    /// The workspace.
    pub fn workspace(&self) -> PathBuf {
        self.folder("workspace")
    }

    /// A path in the workspace.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.workspace().join(relative)
    }

    /// A path beside the workspace.
    pub fn outside(&self, relative: &str) -> PathBuf {
        self.folder("outside").join(relative)
    }

    /// The state directory.
    pub fn state(&self) -> PathBuf {
        self.folder("state")
    }

    /// Where the review of a folder (the workspace, or another) is kept; it must have been.
    pub fn kept(&self, root: &Path) -> PathBuf {
        let folders = fs::read_dir(self.state().join("folders")).expect("kept folders");
        let of_root = |folder: &PathBuf| {
            let name = fs::read_to_string(folder.join("root")).unwrap_or_default();
            Path::new(name.trim_end_matches('\n')) == root
        };
        let mut folders = folders.map(|entry| entry.expect("an entry").path());
        folders.find(of_root).expect("the folder is kept")
    }

    /// Writes the user's settings.
    pub fn configure(&self, settings: &Value) {
        fs::write(self.folder("config").join("settings.json"), settings.to_string())
            .expect("a file");
    }

    /// The user's home.
    pub fn home(&self) -> PathBuf {
        self.folder("home")
    }

    /// Writes a file of the workspace.
    pub fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }

    /// A workspace file's text on disk.
    pub fn disk(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).expect("a text file")
    }

    /// Writes the script of the `script` provider.
    pub fn script(&self, script: &Script) -> PathBuf {
        self.script_bytes(script.text().as_bytes())
    }

    /// Writes any bytes as the script.
    pub fn script_bytes(&self, bytes: &[u8]) -> PathBuf {
        let path = self.folder("script.jsonl");
        fs::write(&path, bytes).expect("a script");
        path
    }

    /// A command of the binary that sees nothing of the machine's configuration.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(crate::binary::redline());
        let settings = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "REDLINE_LOG"];
        for name in settings {
            command.env_remove(name);
        }
        command
            .args(arguments)
            .current_dir(self.workspace())
            .env("HOME", self.home())
            .env("REDLINE_CONFIG_DIR", self.folder("config"))
            .env("REDLINE_STATE_DIR", self.folder("state"));
        command
    }
}

/// The `file:` URI of an absolute path.
pub fn uri(path: &Path) -> String {
    let mut uri = String::from("file://");
    for &byte in path.to_str().expect("a UTF-8 path").as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// A recorded conversation: each line answers one model request.
#[derive(Clone, Debug, Default)]
pub struct Script {
    lines: Vec<Value>,
}

impl Script {
    /// A script without lines.
    pub fn new() -> Self {
        Self::default()
    }

    /// A line that only says something, which ends the turn.
    #[must_use]
    pub fn say(self, text: &str) -> Self {
        self.line(json!([{ "type": "text", "text": text }]))
    }

    /// A line with tool calls: id, name and input of each.
    #[must_use]
    pub fn call(self, calls: &[(&str, &str, Value)]) -> Self {
        let call = |(id, name, input): &(&str, &str, Value)| json!({ "type": "tool_use", "id": id, "name": name, "input": input });
        self.line(calls.iter().map(call).collect())
    }

    /// A line that edits a file of the workspace.
    #[must_use]
    pub fn edit(self, id: &str, file: &str, old: &str, new: &str) -> Self {
        self.call(&[(id, "edit_file", edit(file, old, new))])
    }

    /// Any content.
    #[must_use]
    pub fn line(mut self, content: Value) -> Self {
        self.lines.push(json!({ "content": content }));
        self
    }

    /// The last line answers this subagent (by its name, or the id of the call that sent it), or
    /// this thread.
    #[must_use]
    pub fn answering(mut self, whom: &str) -> Self {
        self.lines.last_mut().expect("a line")["for"] = json!(whom);
        self
    }

    /// The file's text.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// Arguments of `edit_file` for a file of the workspace.
pub fn edit(file: &str, old: &str, new: &str) -> Value {
    json!({ "path": format!("${{workspace}}/{file}"), "old_str": old, "new_str": new })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_escapes_what_it_must() {
        assert_eq!(uri(Path::new("/a b/ä.rs")), "file:///a%20b/%C3%A4.rs");
    }
}
