//! Seed 002, read_file: "When a file isn't found, similar files are located and up to three
//! alternatives are suggested."

use redline_workspace::WorkspacePath;

use crate::{ToolContext, tools::files::folder};

const MOST: usize = 3;
/// Of pairs of chars that two names have in common.
const LEAST: f64 = 0.5;

/// Files of the same folder whose names are like that of `file`, the most similar first. Looks at
/// the disk.
pub(super) fn names(context: &ToolContext, file: &WorkspacePath) -> Vec<String> {
    let path = file.as_path();
    let (Some(name), Some(parent)) = (path.file_name(), path.parent()) else { return Vec::new() };
    let Ok(Some(folder)) = folder(context, &WorkspacePath::assume_canonical(parent)) else {
        return Vec::new();
    };
    let files = folder.entries.iter().filter(|entry| !entry.is_folder);
    let found = closest(&name.to_string_lossy(), files.map(|entry| entry.name.as_str()));
    found.iter().map(|name| parent.join(name).display().to_string()).collect()
}

fn closest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut found: Vec<(f64, &str)> = names
        .map(|name| (likeness(wanted, name), name))
        .filter(|(likeness, _)| *likeness >= LEAST)
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    found.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// From 0 to 1: Dice's coefficient of pairs of chars, upper and lower case alike; a name in another
/// is enough.
fn likeness(one: &str, other: &str) -> f64 {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let pairs =
        |name: &str| -> Vec<(char, char)> { name.chars().zip(name.chars().skip(1)).collect() };
    let (left, mut right) = (pairs(&one), pairs(&other));
    let all = left.len() + right.len();
    let mut common = 0;
    for pair in left {
        if let Some(at) = right.iter().position(|it| *it == pair) {
            right.swap_remove(at);
            common += 2;
        }
    }
    let dice = if all == 0 { 0.0 } else { f64::from(common) / all as f64 };
    let holds = |whole: &str, part: &str| part.chars().count() > 2 && whole.contains(part);
    let contains = holds(&one, &other) || holds(&other, &one);
    if contains { dice.max(LEAST) } else { dice }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_names_come_first() {
        let names = ["main.rs", "domain.rs", "Main.rs", "lib.rs", "main.rs.bak", "readme", "x"];
        let check = |wanted: &str, want: &[&str]| {
            assert_eq!(closest(wanted, names.into_iter()), want, "{wanted}");
        };
        check("mian.rs", &["Main.rs", "main.rs"]);
        check("main.r", &["Main.rs", "main.rs", "domain.rs"]);
        check("README.md", &["readme"]);
        check("zzz", &[]);
        check("", &[]);
    }
}
