//! Visual Studio Code: the extension's checks, its package, and the whole product in a real window.

use crate::report::{Count, Report, Row};
use crate::run::{Speaks, step};
use crate::{host, npm, package};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The extension's folder.
pub const EXTENSION: &str = "editors/vscode";

/// The folder of the tests in a real window.
const TESTS: &str = "tests/vscode";

/// The compiler at its strictest and the linter, for the extension and for its tests.
pub fn lint(root: &Path, report: &mut Report) {
    for folder in [EXTENSION, TESTS] {
        if let Err(row) = installed(root, folder) {
            report.push(*row);
            continue;
        }
        for (name, script) in [("tsc --strict", "check"), ("eslint", "lint")] {
            let mut command = npm::script(&root.join(folder), script);
            report.push(step(&format!("{name} {folder}"), &mut command, Speaks::ExitCode));
        }
    }
}

/// The extension's own tests, then the product in a real window, with this server in the package.
pub fn test(root: &Path, binary: &Path, pattern: &str, report: &mut Report) {
    if let Err(row) = installed(root, EXTENSION) {
        return report.push(*row);
    }
    let mut unit = npm::script(&root.join(EXTENSION), "test");
    report.push(step(&format!("npm test in {EXTENSION}"), &mut unit, Speaks::Node));
    match window(root, binary) {
        Ok(mut scenarios) => {
            scenarios.arg(pattern);
            report.push(step(&format!("{TESTS}/run.ts"), &mut scenarios, Speaks::ClosingLine));
        }
        Err(row) => report.push(*row),
    }
}

/// The command that runs the scenarios.
fn window(root: &Path, binary: &Path) -> Result<Command, Box<Row>> {
    installed(root, TESTS)?;
    let vsix = attempt("the extension's package", || package::for_tests(root, binary))?;
    let host = attempt("Visual Studio Code", || host::install(root))?;
    let mut command = Command::new(host.node());
    command.current_dir(root.join(TESTS)).arg("run.ts").env("REDLINE_BIN", binary);
    command.env("REDLINE_VSCODE_HOST", &host.folder).env("REDLINE_CHROMIUM", &host.chromium);
    command.env("REDLINE_VSIX", vsix).env("PATH", npm::first_on_path(&host.node_bin()));
    Ok(command)
}

fn installed(root: &Path, folder: &str) -> Result<(), Box<Row>> {
    attempt(&format!("npm packages of {folder}"), || npm::install(&root.join(folder), None))
}

/// A preparation is no test: it counts only if it fails.
fn attempt<T>(name: &str, prepare: impl FnOnce() -> Result<T, String>) -> Result<T, Box<Row>> {
    println!("── {name}");
    let start = Instant::now();
    prepare().map_err(|note| {
        let (count, time) = (Count::one(false), start.elapsed());
        Box::new(Row { name: format!("{name}: missing"), count, time, note })
    })
}
