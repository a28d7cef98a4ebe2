//! The demo in Neovim: the user's own configuration, the plugin, the recorded thread.

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use super::{DemoError, NEXT_STEPS, Project, tour::PROMPT};
use crate::{cli::print, terminal::is_interactive};

/// The oldest version that the plugin works with.
const OLDEST: (u32, u32) = (0, 11);
const START: &str = include_str!("start.lua");
const GET_IT: &str = "Neovim 0.11 or newer is needed (https://neovim.io); \
    without it, see the demo in the terminal: redline demo";

/// Opens Neovim in the sample project and waits until it is closed.
pub fn run() -> Result<ExitCode, DemoError> {
    let failed = |text: String| DemoError::Editor(text);
    check_version()?;
    if !is_interactive() {
        return Err(failed("Neovim needs a terminal; run this in one".to_owned()));
    }
    let server = std::env::current_exe().map_err(|e| failed(e.to_string()))?;
    let project = Project::create()?;
    let start = project.script().with_file_name("start.lua");
    std::fs::write(&start, START).map_err(|e| DemoError::Copy(start.clone(), e))?;
    let call = call(&start, &server, &project);
    let status = command(plugin().as_deref(), &call, project.root())
        .env("REDLINE_STATE_DIR", project.state())
        .status()
        .map_err(|e| failed(format!("cannot start nvim: {e}. {GET_IT}")))?;
    print(&farewell(&project));
    project.keep();
    match status.success() {
        true => Ok(ExitCode::SUCCESS),
        false => Err(failed(format!("nvim ended with {status}"))),
    }
}

fn check_version() -> Result<(), DemoError> {
    let failed = |text: String| DemoError::Editor(format!("{text}. {GET_IT}"));
    let output = Command::new("nvim").arg("--version").output();
    let output = output.map_err(|e| failed(format!("cannot start nvim: {e}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match version(&text) {
        Some(found) if found >= OLDEST => Ok(()),
        Some((major, minor)) => Err(failed(format!("nvim is version {major}.{minor}"))),
        None => Err(failed("nvim does not tell its version".to_owned())),
    }
}

/// `NVIM v0.11.4` …
fn version(text: &str) -> Option<(u32, u32)> {
    let numbers = text.lines().next()?.split_once(" v")?.1;
    let mut parts = numbers.split(['.', '-', '+']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The plugin's folder: REDLINE_NVIM_PLUGIN, else the one in the checkout that this binary was
/// built from; `None` if that is gone: then it has to be installed already.
fn plugin() -> Option<PathBuf> {
    let named = std::env::var_os("REDLINE_NVIM_PLUGIN").filter(|path| !path.is_empty());
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../editors/neovim");
    let folder = named.map_or_else(|| PathBuf::from(built), PathBuf::from);
    folder.canonicalize().ok().filter(|folder| folder.join("plugin/redline.lua").is_file())
}

/// Neovim with the user's configuration; the plugin's folder comes first, whatever is installed.
fn command(plugin: Option<&Path>, call: &str, root: &Path) -> Command {
    let mut command = Command::new("nvim");
    if let Some(plugin) = plugin {
        command.arg("--cmd").arg(format!("lua vim.opt.runtimepath:prepend({})", lua(plugin)));
    }
    command.arg("-c").arg(format!("lua {call}"));
    command.current_dir(root);
    command
}

/// The call of `start.lua` for this project, as Lua.
fn call(start: &Path, server: &Path, project: &Project) -> String {
    format!(
        "dofile({})({{ server = {}, script = {}, file = {}, prompt = {} }})",
        lua(start),
        lua(server),
        lua(project.script()),
        lua(&project.root().join("phase.py")),
        quoted(PROMPT)
    )
}

fn lua(path: &Path) -> String {
    quoted(&path.display().to_string())
}

/// A Lua string. Every byte that could mean something to Lua or to an Ex command line is escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' | '|' | '\0'..='\x1f' | '\x7f' => out += &format!("\\{:03}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}

fn farewell(project: &Project) -> String {
    format!("The sample stays in {}\n{NEXT_STEPS}", project.root().display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version("NVIM v0.11.4\nBuild"), Some((0, 11)));
        assert_eq!(version("NVIM v0.12.0-dev-1+g2"), Some((0, 12)));
        assert_eq!(version("VIM 9"), None);
        assert!((0, 7) < OLDEST && (1, 0) > OLDEST);
    }

    #[test]
    fn any_path_is_one_lua_string() {
        assert_eq!(quoted("/a \"b\"|\\\n"), "\"/a \\034b\\034\\124\\092\\010\"");
        assert_eq!(quoted("/日/x"), "\"/日/x\"");
    }

    #[test]
    fn the_call_is_one_line_with_everything_in_it() {
        let project = Project::create().unwrap();
        let call = call(Path::new("/s.lua"), Path::new("/bin/redline"), &project);
        for part in
            ["dofile(\"/s.lua\")", "\"/bin/redline\"", "thread.jsonl\"", "phase.py\"", "full moon"]
        {
            assert!(call.contains(part), "{part} in {call}");
        }
        assert_eq!(call.lines().count(), 1);
        project.remove();
    }
}
