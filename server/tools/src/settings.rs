//! What the user configured about tools (PROTOCOL.md, "Settings").

use std::{collections::BTreeMap, path::PathBuf};

use crate::WebSearch;

/// The tools' part of the settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolSettings {
    /// `bundles`: the folders that `@name:path` starts in, by name (seed 003, "Bundle resources").
    pub bundles: BTreeMap<String, PathBuf>,
    /// The folder of the user's own settings; their skills are in `skills` there.
    pub config: Option<PathBuf>,
    /// `skills`: folders of skills besides those of the user and of the workspace.
    pub skills: Vec<PathBuf>,
    /// `webSearch`: who searches the web; `None`: nobody.
    pub web_search: Option<WebSearch>,
    /// `check`: the commands of Check, by what they are for (`typecheck`, `lint`, `test`), in place
    /// of those that it would find.
    pub check: BTreeMap<String, Vec<String>>,
    /// `audit`: whether calls and decisions are written down; `None`: they are.
    pub audit: Option<bool>,
}
