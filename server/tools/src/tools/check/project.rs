//! What the files of a folder say of how the project in it is checked. Pure.

use serde_json::Value;

use super::find::Kind;

/// A folder's files, by their names.
pub(super) trait Folder {
    /// Whether there is something of that name.
    fn has(&self, name: &str) -> bool;
    /// The text of a file.
    fn read(&self, name: &str) -> Option<String>;
}

/// The commands, in the order in which they run. Targets of a Makefile or justfile count where no
/// language has a command of that kind.
pub(super) fn commands(folder: &dyn Folder) -> Vec<(Kind, String)> {
    let mut found: Vec<(Kind, String)> = Vec::new();
    for language in [cargo, node, python, go] {
        found.extend(language(folder));
    }
    for targets in [make, just] {
        let more: Vec<_> =
            targets(folder).into_iter().filter(|(kind, _)| lacks(&found, *kind)).collect();
        found.extend(more);
    }
    found
}

fn lacks(found: &[(Kind, String)], kind: Kind) -> bool {
    found.iter().all(|(other, _)| *other != kind)
}

fn cargo(folder: &dyn Folder) -> Vec<(Kind, String)> {
    let Some(manifest) = folder.read("Cargo.toml") else { return Vec::new() };
    let is_workspace = manifest.lines().any(|line| line.trim() == "[workspace]");
    let all = if is_workspace { " --workspace" } else { "" };
    let checks = |name: &str| format!("cargo {name}{all} --all-targets --message-format=json");
    vec![
        (Kind::Typecheck, checks("check")),
        (Kind::Lint, checks("clippy")),
        (Kind::Test, format!("cargo test{all} --no-fail-fast")),
    ]
}

fn node(folder: &dyn Folder) -> Vec<(Kind, String)> {
    let package = folder.read("package.json").and_then(|text| serde_json::from_str(&text).ok());
    let package: Value = package.unwrap_or_default();
    let script = |name: &&str| package["scripts"][name].as_str().is_some_and(is_script);
    let runner = runner(folder);
    let run = |names: &[&'static str]| {
        names.iter().copied().find(|name| script(name)).map(|name| format!("{runner} run {name}"))
    };
    let typecheck = run(&["typecheck", "type-check", "check-types", "types", "tsc"]);
    let tsc = || folder.has("tsconfig.json").then(|| tool("tsc --noEmit --pretty false"));
    let lints = ESLINT.iter().any(|name| folder.has(name)) || package["eslintConfig"].is_object();
    let eslint = || lints.then(|| tool("eslint . --format json"));
    let of = |kind, command: Option<String>| command.map(|command| (kind, command));
    [
        of(Kind::Typecheck, typecheck.or_else(tsc)),
        of(Kind::Lint, run(&["lint"]).or_else(eslint)),
        of(Kind::Test, run(&["test"])),
    ]
    .into_iter()
    .flatten()
    .collect()
}

const ESLINT: [&str; 9] = [
    "eslint.config.js",
    "eslint.config.mjs",
    "eslint.config.cjs",
    "eslint.config.ts",
    ".eslintrc",
    ".eslintrc.js",
    ".eslintrc.cjs",
    ".eslintrc.json",
    ".eslintrc.yml",
];

/// One that the project has installed; nothing is fetched.
fn tool(command: &str) -> String {
    format!("npx --no-install {command}")
}

/// What `npm init` writes is no test.
fn is_script(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains("no test specified")
}

fn runner(folder: &dyn Folder) -> &'static str {
    let locks = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
    ];
    locks.into_iter().find(|(lock, _)| folder.has(lock)).map_or("npm", |(_, runner)| runner)
}

fn python(folder: &dyn Folder) -> Vec<(Kind, String)> {
    let read = |name| folder.read(name).unwrap_or_default();
    let (project, setup, tox) = (read("pyproject.toml"), read("setup.cfg"), read("tox.ini"));
    let any = |files: &[&str], table: &str, section: &str| {
        files.iter().any(|file| folder.has(file))
            || project.lines().any(|line| line.trim().starts_with(table))
            || [&setup, &tox].iter().any(|text| text.lines().any(|line| line.trim() == section))
    };
    let is_package = !project.is_empty() || folder.has("setup.py") || !setup.is_empty();
    let tests = any(&["pytest.ini", "conftest.py"], "[tool.pytest", "[tool:pytest]")
        || is_package && folder.has("tests");
    let rows: [(Kind, bool, &str); 6] = [
        (Kind::Typecheck, any(&["mypy.ini", ".mypy.ini"], "[tool.mypy", "[mypy]"), "mypy ."),
        (Kind::Typecheck, any(&["pyrightconfig.json"], "[tool.pyright", "[pyright]"), "pyright"),
        (
            Kind::Lint,
            any(&["ruff.toml", ".ruff.toml"], "[tool.ruff", "[ruff]"),
            "ruff check --output-format json .",
        ),
        (
            Kind::Lint,
            any(&[".pylintrc", "pylintrc"], "[tool.pylint", "[pylint]"),
            "pylint --recursive=y .",
        ),
        (Kind::Lint, any(&[".flake8"], "[tool.flake8", "[flake8]"), "flake8"),
        (Kind::Test, tests, "pytest -q --tb=line"),
    ];
    let mut found: Vec<(Kind, String)> = Vec::new();
    for (kind, applies, command) in rows {
        if applies && lacks(&found, kind) {
            found.push((kind, command.to_owned()));
        }
    }
    found
}

fn go(folder: &dyn Folder) -> Vec<(Kind, String)> {
    if !folder.has("go.mod") {
        return Vec::new();
    }
    vec![
        // Without a place for it, the program would be written here.
        (Kind::Typecheck, "go build -o /dev/null ./...".to_owned()),
        (Kind::Lint, "go vet ./...".to_owned()),
        (Kind::Test, "go test ./...".to_owned()),
    ]
}

fn make(folder: &dyn Folder) -> Vec<(Kind, String)> {
    let names = ["GNUmakefile", "makefile", "Makefile"];
    let text = names.into_iter().find_map(|name| folder.read(name)).unwrap_or_default();
    targets(&text, "make")
}

fn just(folder: &dyn Folder) -> Vec<(Kind, String)> {
    let names = ["justfile", "Justfile", ".justfile"];
    let text = names.into_iter().find_map(|name| folder.read(name)).unwrap_or_default();
    targets(&text, "just")
}

fn targets(text: &str, program: &str) -> Vec<(Kind, String)> {
    let rows = [
        (Kind::Typecheck, &["typecheck", "check"][..]),
        (Kind::Lint, &["lint"][..]),
        (Kind::Test, &["test", "tests"][..]),
    ];
    let of = |(kind, names): (Kind, &[&str])| {
        let name = names.iter().find(|name| text.lines().any(|line| is_target(line, name)))?;
        Some((kind, format!("{program} {name}")))
    };
    rows.into_iter().filter_map(of).collect()
}

/// `test:`, `lint test: build`, `test arg='x':`, but no `test := x`.
fn is_target(line: &str, name: &str) -> bool {
    let Some((head, rest)) = line.split_once(':') else { return false };
    let is_rule = !head.starts_with([' ', '\t', '#', '.']) && !rest.starts_with('=');
    is_rule && head.split_whitespace().any(|word| word.trim_start_matches('@') == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    impl Folder for BTreeMap<&str, &str> {
        fn has(&self, name: &str) -> bool {
            self.contains_key(name)
        }

        fn read(&self, name: &str) -> Option<String> {
            self.get(name).map(|text| (*text).to_owned())
        }
    }

    fn check(files: &[(&str, &str)], want: &[&str]) {
        let folder: BTreeMap<&str, &str> = files.iter().copied().collect();
        let got: Vec<String> = commands(&folder)
            .into_iter()
            .map(|(kind, command)| format!("{}: {command}", kind.name()))
            .collect();
        assert_eq!(got, want, "{files:?}");
    }

    #[test]
    fn what_files_tell() {
        check(&[], &[]);
        check(&[("README.md", "x")], &[]);
        check(
            &[("Cargo.toml", "[package]\nname = \"a\"\n")],
            &[
                "typecheck: cargo check --all-targets --message-format=json",
                "lint: cargo clippy --all-targets --message-format=json",
                "test: cargo test --no-fail-fast",
            ],
        );
        check(
            &[("Cargo.toml", "[workspace]\nmembers = []\n"), ("Makefile", "test:\n\tx\n")],
            &[
                "typecheck: cargo check --workspace --all-targets --message-format=json",
                "lint: cargo clippy --workspace --all-targets --message-format=json",
                "test: cargo test --workspace --no-fail-fast",
            ],
        );
        check(
            &[(
                "package.json",
                r#"{"scripts": {"lint": "eslint .", "test": "jest", "types": "tsc"}}"#,
            )],
            &["typecheck: npm run types", "lint: npm run lint", "test: npm run test"],
        );
        check(
            &[
                (
                    "package.json",
                    r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#,
                ),
                ("tsconfig.json", "{}"),
                ("eslint.config.mjs", ""),
            ],
            &[
                "typecheck: npx --no-install tsc --noEmit --pretty false",
                "lint: npx --no-install eslint . --format json",
            ],
        );
        check(
            &[("package.json", r#"{"scripts": {"test": "x"}}"#), ("pnpm-lock.yaml", "")],
            &["test: pnpm run test"],
        );
        check(&[("package.json", "{ no json")], &[]);
        check(&[("package.json", r#"{"scripts": 1, "eslintConfig": 2}"#)], &[]);
        check(
            &[("pyproject.toml", "[tool.ruff.lint]\n[tool.mypy]\n[tool.pytest.ini_options]\n")],
            &[
                "typecheck: mypy .",
                "lint: ruff check --output-format json .",
                "test: pytest -q --tb=line",
            ],
        );
        check(
            &[("setup.cfg", "[flake8]\n[mypy]\n"), ("tests", "")],
            &["typecheck: mypy .", "lint: flake8", "test: pytest -q --tb=line"],
        );
        check(&[("pyproject.toml", "[project]\n")], &[]);
        check(
            &[("go.mod", "module x\n")],
            &[
                "typecheck: go build -o /dev/null ./...",
                "lint: go vet ./...",
                "test: go test ./...",
            ],
        );
        check(
            &[("Makefile", ".PHONY: check\ncheck: a b\n\tx\nlint test: y\n\tz\n")],
            &["typecheck: make check", "lint: make lint", "test: make test"],
        );
        check(&[("Makefile", "test := x\n# lint: no\n\tcheck: no\ntesting:\n")], &[]);
        check(
            &[("justfile", "@lint:\n  x\ntest filter='':\n  y\n"), ("Makefile", "test:\n")],
            &["test: make test", "lint: just lint"],
        );
    }
}
