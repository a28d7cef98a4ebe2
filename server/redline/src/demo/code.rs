//! The demo in Visual Studio Code: a profile of its own, the extension, the recorded thread.
//!
//! The profile lies beside the sample project, so that neither the user's settings nor the user's
//! extensions are read or changed.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use serde_json::json;

use super::{DemoError, NEXT_STEPS, Project, tour::PROMPT};
use crate::cli::print;

/// Where VS Code keeps what the demo must not touch.
struct Profile {
    data: PathBuf,
    extensions: PathBuf,
    state: PathBuf,
}

/// Installs the extension into a profile of its own and opens the sample project there.
pub fn run() -> Result<ExitCode, DemoError> {
    let code = program();
    let vsix = packaged()?;
    check_presence(&code, vsix.as_deref())?;
    let vsix = vsix.ok_or_else(|| failed(NOT_PACKAGED))?;
    let project = Project::create()?;
    let opened = open(&code, &vsix, &project);
    let farewell = format!("The sample stays in {}\n{NEXT_STEPS}", project.root().display());
    match opened {
        Ok(()) => {
            project.keep();
            print(&farewell);
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            project.remove();
            Err(error)
        }
    }
}

const NOT_PACKAGED: &str = "the extension is not packaged yet: run `cargo xtask package` in \
    Redline's checkout, or set REDLINE_VSIX to a .vsix file";

fn failed(text: impl Into<String>) -> DemoError {
    DemoError::Editor(text.into())
}

/// REDLINE_CODE (`codium`, `code-insiders`, …), else `code`.
fn program() -> OsString {
    let named = env::var_os("REDLINE_CODE").filter(|name| !name.is_empty());
    named.unwrap_or_else(|| "code".into())
}

fn check_presence(code: &OsString, vsix: Option<&Path>) -> Result<(), DemoError> {
    let version = Command::new(code).arg("--version").stdin(Stdio::null()).output();
    match version {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(failed(format!(
            "{} --version ended with {}: {}",
            code.display(),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        ))),
        Err(error) => Err(failed(format!(
            "cannot start {}: {error}\n{}",
            code.display(),
            how_to_install(code, vsix)
        ))),
    }
}

/// What to type once `code` is there, as a line to copy.
fn how_to_install(code: &OsString, vsix: Option<&Path>) -> String {
    let file = vsix.map_or_else(|| "redline.vsix".to_owned(), shell_word);
    let code = code.display();
    let mut text = String::from(
        "Install VS Code (https://code.visualstudio.com; on macOS also its command \"Shell Command: \
         Install 'code' command in PATH\").\nThen install the extension and run the demo again:\n\n",
    );
    if vsix.is_none() {
        text += "    cargo xtask package        # makes redline.vsix, prints its path\n";
    }
    text += &format!("    {code} --install-extension {file}\n    redline demo --editor code\n\n");
    text + "Without it: redline demo, or redline demo --editor nvim"
}

/// A path that a shell takes as one word.
fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+~@%:,=".contains(c);
    match text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// REDLINE_VSIX, else the newest package beside this binary or in the checkout that it was built
/// from.
fn packaged() -> Result<Option<PathBuf>, DemoError> {
    if let Some(named) = env::var_os("REDLINE_VSIX").filter(|path| !path.is_empty()) {
        let found = Path::new(&named).canonicalize();
        return found
            .map(Some)
            .map_err(|e| failed(format!("REDLINE_VSIX={}: {e}", named.display())));
    }
    let beside = env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_path_buf));
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/package");
    let folders = beside.into_iter().chain([built]);
    Ok(folders.filter_map(|folder| newest(&folder)).next())
}

fn newest(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let named = entries.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("redline") && name.ends_with(".vsix")
    });
    named
        .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())?
        .canonicalize()
        .ok()
}

fn open(code: &OsString, vsix: &Path, project: &Project) -> Result<(), DemoError> {
    let profile = Profile::create(project)?;
    let installed = profile.command(code).arg("--install-extension").arg(vsix).output();
    let installed =
        installed.map_err(|e| failed(format!("cannot start {}: {e}", code.display())))?;
    if !installed.status.success() {
        let said = String::from_utf8_lossy(&installed.stderr).trim().to_owned();
        return Err(failed(format!("cannot install {}: {said}", vsix.display())));
    }
    let opened = profile
        .command(code)
        .arg("--new-window")
        .arg(project.root())
        .env("REDLINE_DEMO_PROMPT", PROMPT)
        .env("REDLINE_DEMO_OPEN", project.root().join("phase.py"))
        .status();
    match opened {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(format!("{} ended with {status}", code.display()))),
        Err(error) => Err(failed(format!("cannot start {}: {error}", code.display()))),
    }
}

impl Profile {
    fn create(project: &Project) -> Result<Self, DemoError> {
        let place = |name| project.script().with_file_name(name);
        let profile = Self {
            data: place("vscode"),
            extensions: place("vscode-extensions"),
            state: project.state(),
        };
        let server = env::current_exe().map_err(|e| failed(e.to_string()))?;
        let file = profile.data.join("User/settings.json");
        let written = std::fs::create_dir_all(profile.data.join("User"))
            .and_then(|()| std::fs::create_dir_all(&profile.extensions))
            .and_then(|()| std::fs::write(&file, settings(&server, project.script())));
        written.map_err(|e| DemoError::Copy(file, e))?;
        Ok(profile)
    }

    fn command(&self, code: &OsString) -> Command {
        let mut command = Command::new(code);
        command.arg("--user-data-dir").arg(&self.data);
        command.arg("--extensions-dir").arg(&self.extensions).stdin(Stdio::null());
        command.env("REDLINE_STATE_DIR", &self.state);
        command
    }
}

/// The profile's settings: this server with the recorded thread, and nothing in the way of it.
fn settings(server: &Path, script: &Path) -> String {
    let settings = json!({
        "redline.server.path": server,
        "redline.provider": "script",
        "redline.script": script,
        "workbench.startupEditor": "none",
        "workbench.tips.enabled": false,
        "security.workspace.trust.enabled": false,
        "telemetry.telemetryLevel": "off",
        "update.mode": "none",
        "extensions.autoUpdate": false,
        "extensions.ignoreRecommendations": true,
    });
    format!("{settings:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_install_command_can_be_pasted() {
        let text = how_to_install(&"code".into(), Some(Path::new("/a b/redline-0.1.0.vsix")));
        assert!(
            text.contains("    code --install-extension '/a b/redline-0.1.0.vsix'\n"),
            "{text}"
        );
        let text = how_to_install(&"codium".into(), None);
        assert!(text.contains("cargo xtask package"), "{text}");
        assert!(text.contains("codium --install-extension redline.vsix"), "{text}");
    }

    #[test]
    fn a_quote_in_a_path_stays_in_one_word() {
        assert_eq!(shell_word(Path::new("/x/it's")), r"'/x/it'\''s'");
        assert_eq!(shell_word(Path::new("/x/y-1.2.vsix")), "/x/y-1.2.vsix");
    }

    #[test]
    fn the_newest_package_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("redline-9.vsix");
        let new = folder.path().join("redline-10.vsix");
        for name in [&old, &new, &folder.path().join("other.vsix")] {
            std::fs::write(name, "").unwrap();
        }
        let past = std::time::SystemTime::UNIX_EPOCH;
        std::fs::File::options().write(true).open(&old).unwrap().set_modified(past).unwrap();
        assert_eq!(newest(folder.path()), Some(new.canonicalize().unwrap()));
        assert_eq!(newest(&folder.path().join("none")), None);
    }

    #[test]
    fn settings_keep_any_path() {
        let text = settings(Path::new("/a\"b\\c"), Path::new("/s.jsonl"));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["redline.server.path"], "/a\"b\\c");
        assert_eq!(value["redline.provider"], "script");
    }
}
