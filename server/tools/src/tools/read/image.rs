//! Images: shown whole, or not at all.

use std::{io::Read as _, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use redline_workspace::{ReadError, WorkspacePath, io};
use serde_json::json;

use crate::ToolResult;

/// Bytes of an image file that a model is shown.
pub(in crate::tools) const MAX_BYTES: u64 = 5 * 1024 * 1024;

/// An image's media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools) struct Kind(&'static str);

/// Extensions, and what is at which byte of such a file.
type Known = (&'static [&'static str], &'static [(usize, &'static [u8])], Kind);

const KINDS: [Known; 4] = [
    (&["png"], &[(0, b"\x89PNG\r\n\x1a\n")], Kind("image/png")),
    (&["jpg", "jpeg"], &[(0, b"\xFF\xD8\xFF")], Kind("image/jpeg")),
    (&["gif"], &[(0, b"GIF8")], Kind("image/gif")),
    (&["webp"], &[(0, b"RIFF"), (8, b"WEBP")], Kind("image/webp")),
];

/// Bytes that tell what image it is.
const HEAD: u64 = 12;

/// What image a file is, by its name and its first bytes: a text that is called `a.png` is a text.
/// Looks at the disk.
pub(in crate::tools) fn kind(file: &WorkspacePath) -> Option<Kind> {
    let (_, magic, kind) =
        KINDS.iter().find(|(names, ..)| names.contains(&&*extension(file.as_path())))?;
    let mut head = Vec::new();
    io::open(file).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    let has =
        |(at, bytes): &(usize, &[u8])| head.get(*at..).is_some_and(|it| it.starts_with(bytes));
    magic.iter().all(has).then_some(*kind)
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// Seed 000, Read, "For images". Looks at the disk.
pub(in crate::tools) fn shown(file: &WorkspacePath, kind: Kind) -> ToolResult {
    let message = match io::bytes(file, MAX_BYTES) {
        Ok(bytes) => {
            let data = STANDARD.encode(bytes);
            return ToolResult::done(json!({"type": "image", "media_type": kind.0, "data": data}));
        }
        Err(ReadError::TooLarge { .. }) => format!(
            "The image is larger than 5 MB ({MAX_BYTES} bytes); make it smaller and try again."
        ),
        Err(error) => error.to_string(),
    };
    ToolResult::file_error(message, file)
}
