//! The house: each floor uses only those below it.

use std::fs;
use std::path::Path;

/// From the ground up.
const FLOORS: [&str; 8] =
    ["text", "layers", "permissions", "audit", "workspace", "tools", "agent", "redline"];

/// Folders whose crates use no floor: they see the product from outside.
const OUTSIDE: [&str; 2] = ["tests", "xtask"];

/// Every dependency that goes up: one line each.
pub fn problems(root: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    let floors = FLOORS.iter().enumerate();
    let crates = floors.map(|(height, name)| (format!("server/{name}"), &FLOORS[..height]));
    let outside = OUTSIDE.iter().map(|name| ((*name).to_owned(), &FLOORS[..0]));
    for (folder, allowed) in crates.chain(outside) {
        match fs::read_to_string(root.join(&folder).join("Cargo.toml")) {
            Ok(manifest) => problems.extend(check(&folder, &manifest, allowed)),
            Err(error) => problems.push(format!("{folder}/Cargo.toml: {error}")),
        }
    }
    problems
}

fn check(folder: &str, manifest: &str, allowed: &[&str]) -> Vec<String> {
    let uses = dependencies(manifest);
    let upward = uses.iter().filter(|name| !allowed.contains(&name.as_str()));
    upward.map(|name| format!("{folder}/Cargo.toml: must not depend on redline-{name}")).collect()
}

/// The floors named in any section of dependencies, without their prefix.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.contains("dependencies");
        } else if let Some(rest) = line.strip_prefix("redline-").filter(|_| inside) {
            let name = rest.split(['.', ' ', '=']).next().unwrap_or(rest);
            found.push(name.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_below_may_be_used() {
        let manifest = "[package]\nname = \"redline-layers\"\n[dependencies]\n\
                        redline-text.workspace = true\nserde.workspace = true\n\
                        [dev-dependencies]\nredline-tools = { path = \"../tools\" }\n";
        assert_eq!(dependencies(manifest), ["text", "tools"]);
        let problems = check("server/layers", manifest, &["text"]);
        assert_eq!(problems, ["server/layers/Cargo.toml: must not depend on redline-tools"]);
    }
}
