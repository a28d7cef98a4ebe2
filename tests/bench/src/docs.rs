//! The page: a head that each run writes anew, and one section for each group between markers.

use crate::Result;
use crate::groups::GROUPS;
use crate::section::Section;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Puts a section into the page; the other sections stay.
///
/// # Errors
/// The page cannot be read or written.
pub fn update(path: &Path, section: &Section, machine: &str) -> Result<()> {
    let old = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: {error}", path.display()).into()),
    };
    let page = page(&old, section.name, &section.to_string(), machine);
    fs::write(path, page).map_err(|error| format!("{}: {error}", path.display()).into())
}

fn page(old: &str, name: &str, new: &str, machine: &str) -> String {
    let mut sections = String::new();
    for group in &GROUPS {
        let text = if group.name == name { Some(new) } else { section_of(old, group.name) };
        if let Some(text) = text {
            let (start, end) = markers(group.name);
            let _infallible = write!(sections, "\n{start}\n{}\n{end}\n", text.trim());
        }
    }
    format!("{}{sections}", head(&sections, machine))
}

fn section_of<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let (start, end) = markers(name);
    Some(page.split_once(&start)?.1.split_once(&end)?.0)
}

fn markers(name: &str) -> (String, String) {
    (format!("<!-- bench {name} -->"), format!("<!-- /bench {name} -->"))
}

fn head(sections: &str, machine: &str) -> String {
    let count = |ending: &str| sections.lines().filter(|line| line.ends_with(ending)).count();
    let (met, missed) = (count("| yes |"), count("| **no** |"));
    let missing = missing(sections);
    let missing = if missed == 0 { missing } else { format!("\n\nNot met:\n{missing}") };
    format!(
        "# Benchmarks\n\n\
         Written by `cargo xtask bench` (one group: `cargo xtask bench NAME`); not by hand.\n\n\
         The two sides of a ratio run in turns on the same machine (A B A B …), after one round that \
         is not counted. A figure is the median of its rounds and, in brackets, their middle half; a \
         ratio is the median of the rounds' own ratios, Redline over peer: below 1 Redline takes less. \
         Absolute times depend on the machine and on what else it does; the ratios hold better. \
         1 MB is 1,000,000 bytes.\n\n\
         {machine}\n\
         {met} of {} targets are met.{missing}\n",
        met + missed,
    )
}

/// A list of the figures that miss their targets.
fn missing(sections: &str) -> String {
    let mut title = "";
    let mut list = String::new();
    for line in sections.lines() {
        title = line.strip_prefix("## ").unwrap_or(title);
        let figure = line.strip_suffix("| **no** |").and_then(|line| line.split(" | ").next());
        if let Some(figure) = figure {
            let _infallible = write!(list, "\n- {title}: {}", figure.trim_start_matches("| "));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_section_is_replaced_and_the_others_stay() {
        let first = page("", "start", "## Start\n\n| a | 1 | | 2 | ≤ 1 | **no** |", "m\n");
        assert!(first.contains("0 of 1 targets are met.\n\nNot met:\n\n- Start: a\n"), "{first}");
        let second = page(&first, "grep", "## Grep\n\n| b | 1 | | 1 | ≤ 1 | yes |", "m\n");
        assert!(second.contains("## Start") && second.contains("## Grep"), "{second}");
        assert!(second.contains("1 of 2 targets are met."), "{second}");
        let third = page(&second, "start", "## Start anew", "m\n");
        assert!(third.contains("## Start anew") && !third.contains("| a |"), "{third}");
        assert_eq!(page(&third, "start", "## Start anew", "m\n"), third);
    }
}
