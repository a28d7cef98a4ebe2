//! Images: shown whole, or not at all.

use std::{fs::File, io::Read as _, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;

use crate::ToolResult;

/// Bytes of an image file that a model is shown.
const MAX_BYTES: u64 = 5 * 1024 * 1024;

/// An image's media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind(&'static str);

const KINDS: [(&[&str], &[u8], Kind); 4] = [
    (&["png"], b"\x89PNG\r\n\x1a\n", Kind("image/png")),
    (&["jpg", "jpeg"], b"\xFF\xD8\xFF", Kind("image/jpeg")),
    (&["gif"], b"GIF8", Kind("image/gif")),
    (&["webp"], b"RIFF", Kind("image/webp")),
];

/// What image a file is, by its name and its first bytes: a text that is called `a.png` is a text.
pub(super) fn kind(path: &Path) -> Option<Kind> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let (_, magic, kind) = KINDS.iter().find(|(names, ..)| names.contains(&extension.as_str()))?;
    let mut head = vec![0; magic.len()];
    File::open(path).ok()?.read_exact(&mut head).ok()?;
    (head == *magic).then_some(*kind)
}

/// Seed 000, Read, "For images".
pub(super) fn shown(path: &Path, kind: Kind) -> ToolResult {
    match read(path) {
        Ok(bytes) => ToolResult::done(
            json!({"type": "image", "media_type": kind.0, "data": STANDARD.encode(bytes)}),
        ),
        Err(message) => ToolResult::file_error(message, path.display()),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!(
            "The image is larger than 5 MB ({MAX_BYTES} bytes); make it smaller and try again."
        ));
    }
    Ok(bytes)
}
