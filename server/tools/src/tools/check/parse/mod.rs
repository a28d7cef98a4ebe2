//! Diagnostics in the output of programs, whatever their format is: a command of the user's may run
//! any of them.

mod json;
mod lines;
#[cfg(test)]
mod tests;

use super::diagnostic::Diagnostic;

/// All diagnostics in what a command printed. `source` is what the command was for.
pub(super) fn parsed(outputs: &[&str], source: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for output in outputs {
        let (of_json, rest) = json::taken(output, source);
        found.extend(of_json);
        found.extend(lines::parsed(&rest, source));
    }
    found
}
