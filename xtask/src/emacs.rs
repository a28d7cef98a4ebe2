//! The whole product in a real Emacs: eglot as Debian has it, or as a newer Emacs brings it along.

use crate::install;
use crate::report::{Count, Report, Row};
use crate::run::{Speaks, step};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const SCRIPT: &str = "tests/emacs/redline-tests.el";

/// Runs the tests in Emacs, installed on the first use. What can't be had counts as a failure.
pub fn test(root: &Path, binary: &Path, report: &mut Report) {
    let start = Instant::now();
    let emacs = match emacs() {
        Ok(emacs) => emacs,
        Err(advice) => {
            let name = "Emacs with eglot is missing".to_owned();
            let (count, time) = (Count::one(false), start.elapsed());
            return report.push(Row { name, count, time, note: advice });
        }
    };
    let mut command = Command::new(emacs);
    command.current_dir(root).args(["-Q", "--batch", "-l", SCRIPT]).env("REDLINE_BIN", binary);
    report.push(step(&format!("emacs -l {SCRIPT}"), &mut command, Speaks::ClosingLine));
}

/// `REDLINE_EMACS`, or the one on the path; Debian's, if we may install it.
fn emacs() -> Result<PathBuf, String> {
    let emacs = env::var_os("REDLINE_EMACS").map_or_else(|| PathBuf::from("emacs"), PathBuf::from);
    if !has_eglot(&emacs) {
        install::debian(&["emacs-nox", "elpa-eglot"]);
    }
    let advice = "Emacs with eglot is missing. Install Emacs 29 or later, or on Debian 12 as root: \
                  apt-get install emacs-nox elpa-eglot; or set REDLINE_EMACS; or leave the editors \
                  out with `cargo xtask test --quick`";
    if has_eglot(&emacs) { Ok(emacs) } else { Err(advice.to_owned()) }
}

/// Emacs 28 has it as a package of Debian's, which `-Q` does not see by itself.
fn has_eglot(emacs: &Path) -> bool {
    let packages = "(progn (require 'package) (add-to-list 'package-directory-list \
                    \"/usr/share/emacs/site-lisp/elpa\") (package-initialize) (require 'eglot))";
    let mut command = Command::new(emacs);
    command.args(["-Q", "--batch", "--eval", packages]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
