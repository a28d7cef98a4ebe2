//! A recorded conversation as a model (PROTOCOL.md, "The script provider"): the demo and the tests
//! run the same pipeline as a real model.

use std::{
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

use futures::future::BoxFuture;
use serde::Deserialize;
use serde_json::Value;

use super::{Provider, ProviderError, Reply, Request};
use crate::{Block, StopReason};

/// Answers each model request with the next line of a file, whichever thread asks. The file is
/// read again for each request, so that a script may grow while it runs.
pub struct Script {
    file: PathBuf,
    folder: String,
    /// Lines answered so far, empty ones included.
    used: Mutex<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    content: Vec<Block>,
    #[serde(default)]
    delay_ms: u64,
}

impl Script {
    /// A script from its first line. `folder` stands for `${workspace}`.
    pub fn new(file: PathBuf, folder: &Path) -> Self {
        Self { file, folder: folder.display().to_string(), used: Mutex::new(0) }
    }

    fn next(&self) -> Result<Line, ProviderError> {
        let bytes = std::fs::read(&self.file).map_err(|e| ProviderError::ScriptUnreadable {
            file: self.file.display().to_string(),
            reason: e.to_string(),
        })?;
        let (line, number) = self.take(&bytes).ok_or(ProviderError::ScriptEnded)?;
        self.parse(line).map_err(|reason| ProviderError::ScriptBroken {
            file: self.file.display().to_string(),
            line: number,
            reason,
        })
    }

    /// The next line that is not blank, and its number from 1. A broken line is used up as well.
    fn take<'a>(&self, bytes: &'a [u8]) -> Option<(&'a [u8], usize)> {
        let mut used = self.used.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut lines = bytes.split(|b| *b == b'\n').enumerate().skip(*used);
        let (index, line) = lines.find(|(_, line)| !line.trim_ascii().is_empty())?;
        *used = index + 1;
        Some((line, *used))
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
        _: Request<'a>,
        on_text: &'a (dyn Fn(&str) + Send + Sync),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move {
            let line = self.next()?;
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
