//! The tools' part of the settings. All of it is the user's alone: it names folders and programs.

use std::path::{Path, PathBuf};

use redline_tools::{ToolSettings, WebSearch};

use super::{
    File, SettingsError,
    jsonc::{Kind, Member, Node},
};

/// The settings that are read here.
pub const NAMES: [&str; 5] = ["bundles", "skills", "webSearch", "check", "audit"];

/// Takes one setting over.
pub fn set(
    tools: &mut ToolSettings,
    name: &str,
    node: &Node,
    file: &File<'_>,
) -> Result<(), SettingsError> {
    match name {
        "bundles" => {
            for (name, _, node) in members(name, node, file)? {
                let folder = folder(file, file.text(name, node)?);
                tools.bundles.insert(name.clone(), folder);
            }
        }
        "skills" => {
            let folders = items(name, node, file)?.iter().map(|node| file.text(name, node));
            let folders = folders.map(|text| Ok(folder(file, text?)));
            tools.skills.extend(folders.collect::<Result<Vec<_>, SettingsError>>()?);
        }
        "webSearch" => tools.web_search = Some(web_search(name, node, file)?),
        "audit" => {
            let wants = node.as_bool().ok_or_else(|| file.expected(name, "true or false", node))?;
            tools.audit = Some(wants);
        }
        "check" => {
            for (kind, place, node) in members(name, node, file)? {
                if !CHECKS.contains(&kind.as_str()) {
                    let message =
                        format!("check: there is no {kind:?}; use typecheck, lint or test");
                    return Err(file.wrong(*place, message));
                }
                tools.check.insert(kind.clone(), texts(&format!("check.{kind}"), node, file)?);
            }
        }
        _ => {}
    }
    Ok(())
}

/// `"native"`, or an object with `provider` and, where the provider has them, `url` and `keyEnv`.
fn web_search(key: &str, node: &Node, file: &File<'_>) -> Result<WebSearch, SettingsError> {
    let members = match &node.kind {
        Kind::Object(members) => members.as_slice(),
        _ => {
            let wrong = || file.expected(key, "\"native\" or an object", node);
            return made(key, node, file, node.as_str().ok_or_else(wrong)?, [None, None]);
        }
    };
    if let Some((name, place, _)) = members.iter().find(|(name, _, _)| !KEYS.contains(&&**name)) {
        let hint = "it takes provider, url and keyEnv; a key itself is read from the environment";
        return Err(file.wrong(*place, format!("{key}: there is no {name:?} in it; {hint}")));
    }
    let text = |name: &str| {
        let node = members.iter().rev().find(|(key, _, _)| key == name).map(|(_, _, node)| node);
        node.map(|node| file.text(&format!("{key}.{name}"), node)).transpose()
    };
    let provider = text("provider")?.unwrap_or_default();
    made(key, node, file, provider, [text("url")?, text("keyEnv")?])
}

const KEYS: [&str; 3] = ["provider", "url", "keyEnv"];

fn made(
    key: &str,
    node: &Node,
    file: &File<'_>,
    provider: &str,
    [url, key_env]: [Option<&str>; 2],
) -> Result<WebSearch, SettingsError> {
    WebSearch::new(provider, url, key_env).map_err(|error| {
        let place = match &node.kind {
            Kind::Object(members) => {
                let wrong = members.iter().rev().find(|(name, _, _)| name == error.key());
                wrong.map_or(node.place, |(_, _, node)| node.place)
            }
            _ => node.place,
        };
        file.wrong(place, format!("{key}.{}: {error}", error.key()))
    })
}

/// What a command of Check can be for.
const CHECKS: [&str; 3] = ["typecheck", "lint", "test"];

/// One text, or a list of them.
fn texts(key: &str, node: &Node, file: &File<'_>) -> Result<Vec<String>, SettingsError> {
    if let Some(one) = node.as_str() {
        return Ok(vec![one.to_owned()]);
    }
    items(key, node, file)?.iter().map(|node| Ok(file.text(key, node)?.to_owned())).collect()
}

/// A folder as it is written: `~` is the user's home, and a relative one starts where the settings
/// stand.
fn folder(file: &File<'_>, written: &str) -> PathBuf {
    let home = std::env::home_dir();
    match (written.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => file.path.parent().unwrap_or(Path::new("")).join(written),
    }
}

fn members<'n>(key: &str, node: &'n Node, file: &File<'_>) -> Result<&'n [Member], SettingsError> {
    match &node.kind {
        Kind::Object(members) => Ok(members),
        _ => Err(file.expected(key, "an object", node)),
    }
}

fn items<'n>(key: &str, node: &'n Node, file: &File<'_>) -> Result<&'n [Node], SettingsError> {
    match &node.kind {
        Kind::Array(items) => Ok(items),
        _ => Err(file.expected(key, "a list", node)),
    }
}
