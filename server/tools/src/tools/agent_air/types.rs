//! Kinds of files by name: ripgrep's, and those that only Agent Air has (seed 002, grep, "Over 40
//! file types are predefined").

use ignore::types::{Types, TypesBuilder};

/// Other names of ripgrep's types.
const SAME: [(&str, &str); 12] = [
    ("javascript", "js"),
    ("rs", "rust"),
    ("golang", "go"),
    ("c++", "cpp"),
    ("c#", "csharp"),
    ("rb", "ruby"),
    ("kt", "kotlin"),
    ("yml", "yaml"),
    ("bash", "sh"),
    ("shell", "sh"),
    ("htm", "html"),
    ("text", "txt"),
];

/// Types that ripgrep has only as a part of others.
const OWN: [(&str, &str); 2] = [("tsx", "*.tsx"), ("jsx", "*.jsx")];

/// The files of that type.
///
/// # Errors
/// If there is no such type, in words for whoever wrote it.
pub(super) fn named(name: &str) -> Result<Types, String> {
    let lower = name.trim_start_matches('.').to_lowercase();
    let same = SAME.iter().find(|(other, _)| *other == lower).map(|(_, name)| *name);
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for (name, glob) in OWN {
        builder.add(name, glob).map_err(|error| error.to_string())?;
    }
    builder.select(same.unwrap_or(&lower));
    builder.build().map_err(|_| {
        format!(
            "Unknown file type: {name}. Types are named like js, ts, tsx, py, rust, go, java, c, \
             cpp, rb, php, swift, md, json, yaml, toml, html, css, sh; for others use glob, as in \
             glob: \"*.{lower}\"."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_types_take() {
        let check = |name: &str, taken: &[&str], left: &[&str]| {
            let types = named(name).unwrap();
            for (files, want) in [(taken, true), (left, false)] {
                for file in files {
                    assert_eq!(types.matched(file, false).is_whitelist(), want, "{name} {file}");
                }
            }
        };
        check("rust", &["a.rs", "/w/x/b.rs"], &["a.rsx", "rs"]);
        check("js", &["a.js", "a.mjs"], &["a.ts", "a.json"]);
        check("tsx", &["a.tsx"], &["a.ts"]);
        check("ts", &["a.ts", "a.tsx"], &["a.js"]);
        check("Python", &["a.py", "a.pyi"], &["py"]);
        check(".rb", &["a.rb"], &["a.rs"]);
        check("c++", &["a.cpp", "a.hpp"], &["a.c"]);
        let error = named("frob").unwrap_err();
        assert!(error.starts_with("Unknown file type: frob.") && error.ends_with("\"*.frob\"."));
    }

    #[test]
    fn there_are_over_forty() {
        let mut builder = TypesBuilder::new();
        builder.add_defaults();
        assert!(builder.definitions().len() > 40);
        // All that the seed names, and every other name that we give.
        let seed =
            ["js", "ts", "tsx", "py", "rust", "go", "java", "c", "cpp", "rb", "php", "swift"];
        for name in seed.into_iter().chain(SAME.map(|(name, _)| name)) {
            named(name).unwrap();
        }
    }
}
