//! A recorded conversation as a model (PROTOCOL.md, "The script provider"): the demo and the tests
//! run the same pipeline as a real model.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use futures::future::BoxFuture;
use serde::Deserialize;
use serde_json::Value;

use super::{Asker, Provider, ProviderError, Reply, Request};
use crate::{Block, StopReason};

/// Answers each model request with the next line of a file that is for whoever asks: threads take
/// the lines that name nobody, in the order of their requests. The file is read again for each
/// request, so that a script may grow while it runs.
pub struct Script {
    file: PathBuf,
    folder: String,
    used: Mutex<Used>,
}

/// Which lines have answered, from the first on; later ones have not.
#[derive(Default)]
struct Used(Vec<bool>);

impl Used {
    fn has(&self, index: usize) -> bool {
        self.0.get(index).copied().unwrap_or_default()
    }

    fn add(&mut self, index: usize) {
        if self.0.len() <= index {
            self.0.resize(index + 1, false);
        }
        self.0[index] = true;
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    content: Vec<Block>,
    #[serde(default)]
    delay_ms: u64,
    #[serde(flatten)]
    _addressed: Addressed,
}

/// Of a line, whom it answers.
#[derive(Deserialize)]
struct Addressed {
    #[serde(default, rename = "for")]
    to: Option<String>,
}

/// A line for nobody in particular, or one that can't be read, is for threads.
fn is_for(line: &[u8], asker: Asker<'_>) -> bool {
    let to = serde_json::from_slice(line).ok().and_then(|Addressed { to }| to);
    match (to.as_deref(), asker) {
        (None, Asker::Thread(_)) => true,
        (None, Asker::Subagent { .. }) => false,
        (Some(to), Asker::Thread(thread)) => to == thread,
        (Some(to), Asker::Subagent { agent, call }) => to == agent || to == call,
    }
}

impl Script {
    /// A script from its first line. `folder` stands for `${workspace}`.
    pub fn new(file: PathBuf, folder: &Path) -> Self {
        Self { file, folder: folder.display().to_string(), used: Mutex::default() }
    }

    fn next(&self, asker: Asker<'_>) -> Result<Line, ProviderError> {
        let bytes = std::fs::read(&self.file).map_err(|e| ProviderError::ScriptUnreadable {
            file: self.file.display().to_string(),
            reason: e.to_string(),
        })?;
        let (line, number) = self.take(&bytes, asker).ok_or(ProviderError::ScriptEnded)?;
        self.parse(line).map_err(|reason| ProviderError::ScriptBroken {
            file: self.file.display().to_string(),
            line: number,
            reason,
        })
    }

    /// The first unused line for the asker that is not blank, and its number from 1. A broken line
    /// is used up as well.
    fn take<'a>(&self, bytes: &'a [u8], asker: Asker<'_>) -> Option<(&'a [u8], usize)> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = bytes.split(|b| *b == b'\n').enumerate();
        let mut lines = lines.filter(|(index, _)| !used.has(*index));
        let fits = |line: &[u8]| !line.trim_ascii().is_empty() && is_for(line, asker);
        let (index, line) = lines.find(|(_, line)| fits(line))?;
        used.add(index);
        Some((line, index + 1))
    }

    fn parse(&self, line: &[u8]) -> Result<Line, String> {
        let mut value: Value = serde_json::from_slice(line).map_err(|e| said(&e))?;
        replace(&mut value, &self.folder);
        let line: Line = serde_json::from_value(value).map_err(|e| e.to_string())?;
        let foreign = line.content.iter().any(|b| matches!(b, Block::ToolResult { .. }));
        if foreign {
            return Err("content holds only blocks of type text and tool_use".to_owned());
        }
        Ok(line)
    }
}

/// A parser's words without its own line number, which is always 1.
fn said(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.find(" at line ").unwrap_or(text.len());
    format!("{} at column {}", &text[..end], error.column())
}

/// Puts the folder for `${workspace}` into every string.
fn replace(value: &mut Value, folder: &str) {
    match value {
        Value::String(text) if text.contains("${workspace}") => {
            *text = text.replace("${workspace}", folder);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, folder)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace(field, folder)),
        _ => {}
    }
}

impl Provider for Script {
    fn complete<'a>(
        &'a self,
        request: Request<'a>,
        on_text: &'a (dyn Fn(&str) + Send + Sync),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move {
            let line = self.next(request.asker)?;
            if line.delay_ms > 0 {
                tokio::time::sleep(Duration::from_millis(line.delay_ms)).await;
            }
            for block in &line.content {
                if let Block::Text { text } = block {
                    on_text(text);
                }
            }
            let calls = line.content.iter().any(|b| matches!(b, Block::ToolUse { .. }));
            let stop = if calls { StopReason::ToolUse } else { StopReason::EndTurn };
            Ok(Reply { content: line.content, stop_reason: Some(stop), usage: None })
        })
    }

    fn name(&self) -> &'static str {
        "script"
    }
}
